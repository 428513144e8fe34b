#include "lang/suggest.h"

#include <string.h>

#include "base/text.h"

#define FOUND_MAX 64

/* Does a name say something that can be watched? Locals that have no place in memory do not. */
static bool is_worth(const es_parser *parser, const char *name)
{
    const es_variable *found[FOUND_MAX];
    size_t count = es_symbols_find(parser->symbols, NULL, name, found, FOUND_MAX);
    for (size_t i = 0; i < count && i < FOUND_MAX; i++)
        if (found[i]->place != ES_PLACE_NONE)
            return true;
    return count == 0;
}

const char *es_suggest_name(es_parser *parser, const char *name, bool procedures)
{
    const char *near[8];
    size_t count = es_symbols_near(parser->symbols, name, procedures, near, sizeof near / sizeof *near), kept = 0;
    for (size_t i = 0; i < count && i < sizeof near / sizeof *near; i++)
        if (is_worth(parser, near[i]))
            near[kept++] = near[i];
    switch (kept > 3 ? 3 : kept) {
    case 0: return NULL;
    case 1: return es_arena_format(parser->arena, "did you mean '%s'?", near[0]);
    case 2: return es_arena_format(parser->arena, "did you mean '%s' or '%s'?", near[0], near[1]);
    default: return es_arena_format(parser->arena, "did you mean '%s', '%s' or '%s'?", near[0], near[1], near[2]);
    }
}

/* Words of the language that need more than stands here, where a name was looked for. */
static const struct {
    const char *word, *way;
} half_written[] = {
    {"enter", "enter(f) is true when procedure f is entered"},
    {"leave", "leave(f) is true when procedure f is left"},
    {"at", "at(file.c:42) is true when that line is reached"},
    {"write", "write(x) is true at each write of x, also of the same value"},
    {"read", "read(x) is true at each read of x"},
    {"never", "expect never E"},
    {"eventually", "expect eventually E"},
    {"cover", "cover control.c, cover control, cover plant_*"},
};

const char *es_suggest(es_parser *parser, const es_procedure *procedure, const char *name, bool procedures)
{
    const char *missing = es_symbols_missing(parser->symbols, procedure, NULL, name);
    for (size_t i = 0; !missing && !procedure && i < sizeof half_written / sizeof *half_written; i++)
        if (strcmp(name, half_written[i].word) == 0)
            return half_written[i].way;
    return missing ? missing : es_suggest_name(parser, name, procedures);
}

const char *es_article(const char *word)
{
    /* uint8_t, unsigned, union: as "you" sounds */
    if (strncmp(word, "uint", 4) == 0 || strncmp(word, "union", 5) == 0)
        return "a";
    return *word && strchr("aeiouAEIOU8", *word) ? "an" : "a";
}

const char *es_qualified(es_parser *parser, const es_variable *variable)
{
    if (variable->procedure)
        return es_arena_format(parser->arena, "%s\\%s", variable->procedure->name, variable->name);
    const char *scoped = es_symbols_scoped(parser->symbols, variable);
    if (scoped)
        return scoped;
    if (variable->file) {
        const char *file = es_base_name(variable->file);
        return es_arena_format(parser->arena, es_is_plain_file(file) ? "%s\\%s" : "\"%s\"\\%s", file, variable->name);
    }
    return variable->name;
}
