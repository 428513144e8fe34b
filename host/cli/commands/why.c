/* earshot why: where a value of a recording came from. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/past.h"
#include "cli/number.h"
#include "cli/option.h"
#include "cli/signals.h"
#include "why/question.h"
#include "why/show.h"

#define ES_OF_WHY 1u

typedef struct why_options {
    bool json, addresses, control;
    int64_t deep, most;
    const char *html;
} why_options;

static bool take_json(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    ((why_options *)options)->json = true;
    return true;
}

static bool take_addresses(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    ((why_options *)options)->addresses = true;
    return true;
}

static bool take_control(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    ((why_options *)options)->control = true;
    return true;
}

static bool take_deep(void *options, const char *value, es_error *err)
{
    (void)value;
    return es_option_number("--deep", 1, 1000, &((why_options *)options)->deep, err);
}

static bool take_most(void *options, const char *value, es_error *err)
{
    (void)value;
    return es_option_number("--most", 1, 100000, &((why_options *)options)->most, err);
}

static bool take_html(void *options, const char *value, es_error *err)
{
    (void)err;
    ((why_options *)options)->html = value;
    return true;
}

/* clang-format off */
static const es_option why_options_table[] = {
    {"deep", 'd', false, ES_OF_WHY, "N", "so many steps back from value to value are shown (12)", take_deep},
    {"most", 'm', false, ES_OF_WHY, "N", "so many lines are shown (60)", take_most},
    {"addresses", 'a', false, ES_OF_WHY, NULL, "also where pointers and indices come from", take_addresses},
    {"control", 'c', false, ES_OF_WHY, NULL,
     "also where what decided (branches) comes from, and who decided about that", take_control},
    {"json", 'j', false, ES_OF_WHY, NULL, "one JSON object on stdout", take_json},
    {"html", 0, false, ES_OF_WHY, "FILE", "a page by itself, with the source beside it", take_html},
    {0},
};
/* clang-format on */

static const es_option_set options = {
    "earshot why",
    "usage: earshot why RECORDING PROGRAM.elf 'VALUE at MOMENT' [OPTION]...\n\n"
    "Says where a value of a recording came from: which lines made it, when, of which values, back to inputs, "
    "constants\n"
    "and start values.\n"
    "VALUE: a variable (x, procedure\\x, file.c\\x), with .member, ->member or [number], or a register. MOMENT: "
    "1.5ms,\n"
    "a number of instructions, start, end, or file.c:42, before that line is executed for the last time (file.c:42 "
    "3rd\n"
    "time).\n",
    "\nEverything else: man earshot-why.\n",
    ES_OF_WHY,
    {why_options_table},
};

#define INSTRUCTIONS_EACH 24 /* of a line, about: so many more than lines are followed */

static bool write_page(const es_why_lines *lines, const char *path, const char *question, es_error *err)
{
    es_text_buffer page = {0};
    es_why_html(&page, lines, question);
    FILE *file = fopen(path, "we");
    bool good = file && fwrite(page.text, 1, page.length, file) == page.length;
    good = file && fclose(file) == 0 && good;
    es_text_free(&page);
    return good || es_fail(err, ES_OUTPUT, "%s cannot be written: %m", path);
}

static bool print(const es_why_lines *lines, const why_options *o, const char *question, es_error *err)
{
    es_text_buffer out = {0};
    if (o->json)
        es_why_json(&out, lines);
    else
        es_why_text(&out, lines, (unsigned)o->deep, (size_t)o->most);
    bool good = fwrite(out.text, 1, out.length, stdout) == out.length && fflush(stdout) == 0;
    es_text_free(&out);
    if (!good && es_cli_has_reader_left()) /* who has read enough has not failed */
        return true;
    if (!good)
        return es_fail(err, ES_OUTPUT, "stdout cannot be written: %m");
    return !o->html || write_page(lines, o->html, question, err);
}

static bool answer(es_past_file *file, const char *text, const why_options *o, es_error *err)
{
    es_why_question question = {0};
    es_why_slice slice;
    es_why_lines lines;
    es_why_options limits = {(size_t)o->most * INSTRUCTIONS_EACH, o->control, o->addresses, es_cli_stop_asked};
    if (!es_why_question_read(&question, file->timeline, file->symbols, file->isa, text, err))
        return false;
    es_arena *arena = es_arena_new();
    bool good = es_why_slice_take(&slice, file->timeline, file->symbols, question.moment, question.places,
                                  question.place_count, &limits, err);
    if (good) {
        good = es_why_lines_make(&lines, &slice, file->timeline, file->symbols, file->isa, question.shown.text, arena,
                                 err) &&
               print(&lines, o, text, err);
        if (slice.stopped)
            fprintf(stderr, "earshot: the search was ended after %" PRIu64 " instructions\n", slice.searched);
        es_why_slice_free(&slice);
    }
    es_arena_free(arena);
    es_why_question_free(&question);
    return good;
}

static bool run_why(int count, char **arguments, const why_options *o, es_error *err)
{
    if (count != 3)
        return es_fail(err, ES_USAGE, "earshot why RECORDING PROGRAM.elf 'x at 1.5ms'");
    es_past_file file;
    if (!es_past_file_open(&file, arguments[0], arguments[1], err))
        return false;
    es_cli_catch_signals();
    bool good = answer(&file, arguments[2], o, err);
    es_past_file_close(&file);
    return good;
}

static int why(int argc, char **argv)
{
    why_options o = {.deep = 12, .most = 60};
    es_error err = {0};
    int rest, code = ES_OK;
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else if (read == ES_OPTIONS_WRONG || !run_why(argc - rest, argv + rest, &o, &err))
        code = es_cli_fail(&err);
    return code;
}

const es_command es_command_why = {
    .name = "why",
    .summary = "says where a value of a recording came from",
    .run = why,
};
