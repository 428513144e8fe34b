/* earshot list: what of a program can be watched. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/texts.h"
#include "cli/list/print.h"
#include "cli/list/statement_names.h"
#include "cli/option.h"

#define ES_OF_LIST 1u

typedef struct list_options {
    bool json, all, members, names;
    es_texts texts;
} list_options;

#define TAKE_FLAG(take, member) \
    static bool take(void *options, const char *value, es_error *err) \
    { \
        (void)value, (void)err; \
        ((list_options *)options)->member = true; \
        return true; \
    }
TAKE_FLAG(take_json, json)
TAKE_FLAG(take_all, all)
TAKE_FLAG(take_members, members)
TAKE_FLAG(take_names, names)

static bool take_statements(void *options, const char *value, es_error *err)
{
    return es_texts_add_file(&((list_options *)options)->texts, value, err);
}

/* clang-format off */
static const es_option list_options_table[] = {
    {"json", 'j', false, ES_OF_LIST, NULL, "JSON Lines on stdout", take_json},
    {"members", 'm', false, ES_OF_LIST, NULL, "structs and arrays with all that is in them", take_members},
    {"all", 'a', false, ES_OF_LIST, NULL, "what libraries have, too", take_all},
    {"names", 0, false, ES_OF_LIST, NULL, "names alone, one a line, as shells complete them", take_names},
    {"statements", 's', false, ES_OF_LIST, "FILE", "with --names: the statements of the file, too", take_statements},
    {0},
};
/* clang-format on */

static const es_option_set options = {
    "earshot list",
    "usage: earshot list PROGRAM.elf [PATTERN] [OPTION]...\n\n"
    "Lists what of a program can be watched: variables, locals, procedures and tasks, by the names that statements\n"
    "use. PATTERN: names that contain it; with * or ? names that are like it.\n",
    "\nEverything else: man earshot-list.\n",
    ES_OF_LIST,
    {list_options_table},
};

/* What the line after it says already is not said again: locals of blocks, clones. */
static void print_names(const es_symbols *symbols, const char *pattern, const list_options *o, es_arena *arena)
{
    es_entries entries = es_entries_gather(symbols, pattern, o->all, arena);
    for (size_t i = 0; i < entries.count; i++)
        if (i == 0 || strcmp(entries.items[i].name, entries.items[i - 1].name) != 0)
            puts(entries.items[i].name);
    for (size_t i = 0; i < o->texts.count; i++)
        es_print_statement_names(o->texts.items[i].text);
}

/* Nothing matched: what may have been meant. */
static bool fail_unmatched(const es_symbols *symbols, const char *path, const char *pattern, es_error *err)
{
    const char *near[3];
    size_t count = es_symbols_near(symbols, pattern, true, near, 3);
    es_text_buffer names = {0};
    for (size_t i = 0; i < count; i++)
        es_text_format(&names, "%s%s", i == 0 ? "; there is " : ", ", near[i]);
    es_fail(err, ES_USAGE, "%s: has nothing that matches '%s'%s%s", path, pattern, names.text ? names.text : "",
            count ? "" : " (--all looks at libraries, too)");
    es_text_free(&names);
    return false;
}

static bool print_list(const es_symbols *symbols, const char *path, const char *pattern, const list_options *o,
                       es_arena *arena, es_error *err)
{
    es_entries entries = es_entries_gather(symbols, pattern, o->all, arena);
    es_program program;
    bool parsed = !pattern && es_program_kernel(symbols, &program);
    if (pattern && !entries.count)
        return fail_unmatched(symbols, path, pattern, err);
    (o->json ? es_list_json : es_list_text)(&entries, parsed ? &program : NULL, o->members);
    if (parsed)
        es_program_free(&program);
    return true;
}

static bool list_program(int count, char **arguments, const list_options *o, es_error *err)
{
    if (count == 0)
        return es_fail(err, ES_USAGE, "which program? earshot list PROGRAM.elf");
    if (count > 2)
        return es_fail(err, ES_USAGE, "one program and one pattern: unexpected argument '%s'", arguments[2]);
    const char *path = arguments[0], *pattern = count > 1 ? arguments[1] : NULL;
    es_symbols *symbols = o->names ? es_symbols_open_names(path, err) : es_symbols_open(path, err);
    if (!symbols)
        return false;
    es_arena *arena = es_arena_new();
    bool good = true;
    if (o->names)
        print_names(symbols, pattern, o, arena);
    else
        good = print_list(symbols, path, pattern, o, arena, err);
    es_arena_free(arena);
    es_symbols_close(symbols);
    return good;
}

static int list(int argc, char **argv)
{
    list_options o = {0};
    es_error err = {0};
    int rest, code = ES_OK;
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else if (read == ES_OPTIONS_WRONG || !list_program(argc - rest, argv + rest, &o, &err))
        code = es_cli_fail(&err);
    es_texts_free(&o.texts);
    return code;
}

const es_command es_command_list = {
    .name = "list",
    .summary = "lists what of a program can be watched: variables, procedures, tasks",
    .run = list,
};
