/* Names: which variable is meant. */
#include <string.h>

#include "base/text.h"
#include "lang/parser.h"
#include "lang/suggest.h"

#define FOUND_MAX 64
#define LISTED_MAX 8 /* candidates that a message lists */

static bool same_place(const es_variable *a, const es_variable *b)
{
    return a->place == b->place && a->place != ES_PLACE_NONE && a->type == b->type && a->procedure == b->procedure &&
           a->address == b->address && a->cfa_offset == b->cfa_offset;
}

/* Keeps of found[] those that can be meant; returns how many. */
static size_t sift(const es_variable **found, size_t count, const char *file, bool any_scope)
{
    bool globals_hide = false;
    for (size_t i = 0; i < count; i++)
        globals_hide |= !found[i]->procedure;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const es_variable *variable = found[i];
        if (any_scope && globals_hide && variable->procedure)
            continue;
        if (file && (variable->procedure || !variable->file || !es_file_matches(variable->file, file)))
            continue;
        bool twice = false;
        for (size_t k = 0; k < kept; k++)
            twice |= same_place(found[k], variable);
        if (!twice)
            found[kept++] = variable;
    }
    return kept;
}

static const es_variable *refuse_ambiguous(es_parser *parser, es_span from, const char *name, const es_variable **found,
                                           size_t count)
{
    const char *hint = "";
    bool distinct = true;
    for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
        const char *way = es_qualified(parser, found[i]);
        for (size_t k = 0; k < i; k++)
            distinct &= strcmp(es_qualified(parser, found[k]), way) != 0;
        hint = es_arena_format(parser->arena, "%s%s%s (%s:%u)", hint,
                               i == 0           ? ""
                               : i + 1 == count ? " or "
                                                : ", ",
                               way, found[i]->file ? found[i]->file : "?", found[i]->line);
    }
    if (count > LISTED_MAX)
        hint = es_arena_format(parser->arena, "%s, ...", hint);
    const es_variable *one = found[0];
    bool same_line = one->procedure;
    for (size_t i = 1; i < count; i++)
        same_line &= found[i]->procedure == one->procedure && found[i]->line == one->line;
    if (same_line)
        hint = es_arena_format(parser->arena,
                               "line %u declares %zu of them, in blocks of their own, perhaps by a macro; choose "
                               "one by its number, in their order: %s\\%s@%u@1",
                               one->line, count, one->procedure->name, name, one->line);
    else if (!distinct && one->procedure)
        hint = es_arena_format(parser->arena, "candidates: %s; choose by the line of the declaration: %s\\%s@%u", hint,
                               one->procedure->name, name, one->line);
    else
        hint = es_arena_format(parser->arena,
                               distinct ? "write %s" : "candidates: %s; write the file's folder too: \"src/file.c\"\\x",
                               hint);
    es_parser_fail_from(parser, from, hint, "'%s' is ambiguous: %zu variables have this name", name, count);
    return NULL;
}

static const es_variable *refuse_unknown(es_parser *parser, es_span from, const char *qualifier, bool is_file,
                                         const char *name)
{
    if (is_file) {
        const char *missing = es_symbols_missing(parser->symbols, NULL, qualifier, name);
        es_parser_fail_from(
            parser, from, missing ? missing : "a file's name goes before the name of a file-scope variable: file.c\\x",
            "file '%s' has no file-scope variable '%s'", qualifier, name);
    } else if (qualifier) {
        const es_variable *elsewhere = NULL;
        size_t count = es_symbols_find(parser->symbols, NULL, name, &elsewhere, 1);
        es_parser_fail_from(
            parser, from,
            count ? es_arena_format(parser->arena, "there is %s", es_qualified(parser, elsewhere))
                  : es_suggest(parser, es_symbols_procedure_named(parser->symbols, qualifier), name, false),
            "procedure '%s' has no variable '%s'", qualifier, name);
    } else if (es_symbols_procedure_named(parser->symbols, name)) {
        es_parser_fail_from(parser, from,
                            es_arena_format(parser->arena,
                                            "enter(%s) is true when it is entered, leave(%s) when it is left, "
                                            "*:%s while it is active",
                                            name, name, name),
                            "'%s' is a procedure, not a variable", name);
    } else if (es_symbols_inlined(parser->symbols, name)) { /* f[2]\x, or f for a condition */
        es_parser_fail_from(parser, from, NULL, "'%s' has no code of its own: %s", name,
                            es_symbols_inlined(parser->symbols, name));
    } else {
        es_parser_fail_from(parser, from, es_suggest(parser, NULL, name, false),
                            "there is no variable '%s' in the program", name);
    }
    return NULL;
}

/* Of one procedure's variables of a name, those declared in the line. */
static size_t sift_line(const es_variable **found, size_t count, unsigned line)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (line == 0 || found[i]->line == line)
            found[kept++] = found[i];
    return kept;
}

const es_variable *es_resolve_local(es_parser *parser, es_span from, const es_procedure *procedure, const char *name,
                                    unsigned line, unsigned which)
{
    const es_variable *found[FOUND_MAX];
    size_t count = es_symbols_find(parser->symbols, procedure, name, found, FOUND_MAX);
    count = sift(found, count < FOUND_MAX ? count : FOUND_MAX, NULL, false);
    size_t of_line = sift_line(found, count, line);
    if (count > 0 && of_line == 0) {
        es_parser_fail_from(parser, from,
                            es_arena_format(parser->arena, "it is declared in line %u: %s\\%s@%u", found[0]->line,
                                            procedure->name, name, found[0]->line),
                            "line %u of %s declares no '%s'", line, procedure->name, name);
        return NULL;
    }
    if (count == 0)
        return refuse_unknown(parser, from, procedure->name, false, name);
    if (which > of_line) {
        es_parser_fail_from(
            parser, from,
            es_arena_format(parser->arena, "the last one is %s\\%s@%u@%zu", procedure->name, name, line, of_line),
            "line %u of %s declares '%s' only %zu %s", line, procedure->name, name, of_line,
            es_plural(of_line, "time", "times"));
        return NULL;
    }
    if (of_line > 1 && !which)
        return refuse_ambiguous(parser, from, name, found, of_line);
    return found[which ? which - 1 : 0];
}

const es_variable *es_resolve_variable(es_parser *parser, es_span from, const char *qualifier, bool is_file,
                                       const char *name)
{
    const es_variable *found[FOUND_MAX];
    size_t count = es_symbols_find(parser->symbols, NULL, name, found, FOUND_MAX);
    count = sift(found, count < FOUND_MAX ? count : FOUND_MAX, is_file ? qualifier : NULL, !qualifier);
    if (count == 0)
        return refuse_unknown(parser, from, qualifier, is_file, name);
    if (count > 1)
        return refuse_ambiguous(parser, from, name, found, count);
    return found[0];
}
