/* Names: which procedures are meant. */
#include <string.h>

#include "lang/parser.h"
#include "lang/suggest.h"

#define LISTED_MAX 8 /* candidates that a message lists */

/* "a.c\\step (a.c:10) or b.c\\step (b.c:3)"; NULL when these names do not tell them apart. */
static const char *list_procedures(es_parser *parser, const es_procedure *const *found, size_t count)
{
    const char *list = "";
    for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
        const char *linkage = es_symbols_linkage(parser->symbols, found[i]), *name = found[i]->name;
        for (size_t k = 0; k < count; k++)
            if (k != i && strcmp(found[k]->name, found[i]->name) == 0)
                name = linkage;
        if (!name)
            return NULL;
        list = es_arena_format(parser->arena, "%s%s%s", list, i == 0 ? "" : i + 1 == count ? " or " : ", ", name);
        if (found[i]->file)
            list = es_arena_format(parser->arena, "%s (%s:%u)", list, found[i]->file, found[i]->line);
    }
    return count > LISTED_MAX ? es_arena_format(parser->arena, "%s, ...", list) : list;
}

static const char *ways(es_parser *parser, const es_procedure *const *found, size_t count)
{
    const char *list = list_procedures(parser, found, count);
    return list ? es_arena_format(parser->arena, "write %s", list) : "rename one of them in the program";
}

static bool refuse_unknown_procedure(es_parser *parser, es_span from, const char *file, const char *name)
{
    const es_variable *variable;
    const char *inlined = es_symbols_inlined(parser->symbols, name);
    const es_procedure *elsewhere;
    if (file && es_symbols_procedures_named(parser->symbols, NULL, name, &elsewhere, 1))
        return es_parser_fail_from(parser, from, ways(parser, &elsewhere, 1), "file '%s' has no procedure '%s'", file,
                                   name);
    if (file)
        return es_parser_fail_from(parser, from, es_suggest_name(parser, name, true), "file '%s' has no procedure '%s'",
                                   file, name);
    if (inlined)
        return es_parser_fail_from(parser, from, NULL, "'%s' has no code of its own: %s", name, inlined);
    const char *hint =
        es_symbols_find(parser->symbols, NULL, name, &variable, 1)
            ? es_arena_format(parser->arena, "'%s' is a variable: write(%s) is true at every write to it", name, name)
            : es_suggest(parser, NULL, name, true);
    return es_parser_fail_from(parser, from, hint, "there is no procedure '%s' in the program", name);
}

/* Does the procedure call one of the others? */
static bool calls_one(const es_parser *parser, const es_procedure *caller, const es_procedure *const *found,
                      size_t count)
{
    const es_call_site *calls;
    size_t call_count = es_symbols_calls(parser->symbols, &calls);
    for (size_t c = 0; c < call_count; c++)
        for (size_t i = 0; i < count && calls[c].caller == caller; i++)
            if (found[i] != caller && calls[c].callee == found[i])
                return true;
    return false;
}

/* What a destructor that also frees does is told where it calls the one that does not. */
static size_t without_deleting(const es_parser *parser, const es_procedure **found, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (es_symbols_structor(parser->symbols, found[i]) != ES_STRUCTOR_DELETING ||
            !calls_one(parser, found[i], found, count))
            found[kept++] = found[i];
    return kept;
}

/* Drops what begins in the middle of a procedure: "f.part.0". False: nothing else is there. */
static bool drop_parts(const es_procedure **found, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (!es_symbols_is_part(found[i]))
            found[kept++] = found[i];
    *count = kept;
    return kept > 0;
}

size_t es_resolve_procedures(es_parser *parser, es_span from, const char *file, const char *name,
                             const es_procedure **found)
{
    size_t count = es_symbols_procedures_named(parser->symbols, file, name, found, ES_PROCEDURES_MAX);
    size_t kept = count < ES_PROCEDURES_MAX ? count : ES_PROCEDURES_MAX;
    if (count == 0)
        refuse_unknown_procedure(parser, from, file, name);
    for (size_t i = 1; i < kept; i++) {
        if (!es_symbols_same_source(parser->symbols, found[0], found[i])) {
            es_parser_fail_from(parser, from, ways(parser, found, kept),
                                "'%s' is ambiguous: %zu procedures have this name", name, count);
            return 0;
        }
    }
    if (kept && !drop_parts(found, &kept)) {
        es_parser_fail_from(
            parser, from,
            es_arena_format(parser->arena,
                            "give %s __attribute__((noinline)), or compile its file with "
                            "-fno-partial-inlining",
                            name),
            "the compiler has inlined the beginning of '%s' where it is called, and made a procedure of "
            "the rest only",
            name);
        return 0;
    }
    return kept > 1 ? without_deleting(parser, found, kept) : kept;
}

bool es_refuse_several(es_parser *parser, es_span from, const es_procedure *const *found, size_t count)
{
    const char *list = list_procedures(parser, found, count), *name = found[0]->name;
    return es_parser_fail_from(
        parser, from,
        list ? es_arena_format(parser->arena, "write %s", list)
             : "compile its file with -fno-ipa-cp -fno-ipa-sra, or give it __attribute__((noipa))",
        "'%s' has %zu copies: enter(%s) and leave(%s) mean all of them, but here it must be one", name, count, name,
        name);
}

const es_procedure *es_resolve_procedure(es_parser *parser, es_span from, const char *file, const char *name)
{
    const es_procedure *found[ES_PROCEDURES_MAX];
    size_t count = es_resolve_procedures(parser, from, file, name, found);
    if (count > 1)
        es_refuse_several(parser, from, found, count);
    return count == 1 ? found[0] : NULL;
}
