/* Names: which variable or procedure is meant, and whether it can be followed. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lang/parser.h"

#define FOUND_MAX 64
#define LISTED_MAX 8 /* candidates that a message lists */

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

/* "did you mean ...?" for an unknown name; NULL when nothing is near. */
static const char *suggest(es_parser *parser, const char *name, bool procedures)
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

/* What may help somebody who has written a name that is not known: of a local, with its procedure. */
static const char *hint_for(es_parser *parser, const es_procedure *procedure, const char *name, bool procedures)
{
    const char *missing = es_symbols_missing(parser->symbols, procedure, NULL, name);
    for (size_t i = 0; !missing && !procedure && i < sizeof half_written / sizeof *half_written; i++)
        if (strcmp(name, half_written[i].word) == 0)
            return half_written[i].way;
    return missing ? missing : suggest(parser, name, procedures);
}

const char *es_article(const char *word)
{
    /* uint8_t, unsigned, union: as "you" sounds */
    if (strncmp(word, "uint", 4) == 0 || strncmp(word, "union", 5) == 0)
        return "a";
    return *word && strchr("aeiouAEIOU8", *word) ? "an" : "a";
}

/* How to write which variable is meant. */
static const char *qualified(es_parser *parser, const es_variable *variable)
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
        const char *way = qualified(parser, found[i]);
        for (size_t k = 0; k < i; k++)
            distinct &= strcmp(qualified(parser, found[k]), way) != 0;
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
        es_parser_fail_from(parser, from,
                            count
                                ? es_arena_format(parser->arena, "there is %s", qualified(parser, elsewhere))
                                : hint_for(parser, es_symbols_procedure_named(parser->symbols, qualifier), name, false),
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
        es_parser_fail_from(parser, from, hint_for(parser, NULL, name, false),
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
        return es_parser_fail_from(parser, from, suggest(parser, name, true), "file '%s' has no procedure '%s'", file,
                                   name);
    if (inlined)
        return es_parser_fail_from(parser, from, NULL, "'%s' has no code of its own: %s", name, inlined);
    const char *hint =
        es_symbols_find(parser->symbols, NULL, name, &variable, 1)
            ? es_arena_format(parser->arena, "'%s' is a variable: write(%s) is true at every write to it", name, name)
            : hint_for(parser, NULL, name, true);
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

/* --- recursion ---------------------------------------------------------------------------------------------------- */

static size_t index_of(const es_procedure *const *all, size_t count, const es_procedure *wanted)
{
    size_t i = 0;
    while (i < count && all[i] != wanted)
        i++;
    return i;
}

/* "a -> b -> a": a shortest cycle of calls through the procedure, found breadth first. */
static const char *cycle_through(es_parser *parser, const es_procedure *procedure)
{
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(parser->symbols, &all);
    const es_call_site *calls;
    size_t call_count = es_symbols_calls(parser->symbols, &calls);
    size_t goal = index_of(all, count, procedure);
    if (goal == count)
        return procedure->name;
    /* from[i]: who was first seen to call i, plus one; 0 nobody yet. */
    size_t *from = es_arena_alloc(parser->arena, count * sizeof *from);
    size_t *queue = es_arena_alloc(parser->arena, count * sizeof *queue);
    size_t head = 0, tail = 0;
    queue[tail++] = goal;
    while (head < tail && !from[goal]) {
        size_t caller = queue[head++];
        for (size_t c = 0; c < call_count && !from[goal]; c++) {
            if (calls[c].caller != all[caller])
                continue;
            for (size_t callee = 0; callee < count; callee++) {
                bool reached = calls[c].callee ? calls[c].callee == all[callee] : all[callee]->address_taken;
                if (!reached || from[callee])
                    continue;
                from[callee] = caller + 1;
                if (callee != goal)
                    queue[tail++] = callee;
            }
        }
    }
    const char *text = procedure->name;
    for (size_t at = goal, steps = 0; from[at] && steps < 8; steps++) {
        at = from[at] - 1;
        text = es_arena_format(parser->arena, "%s -> %s", all[at]->name, text);
        if (at == goal)
            return text;
    }
    return from[goal] ? es_arena_format(parser->arena, "... -> %s", text) : text;
}

bool es_check_observable(es_parser *parser, es_span from, const es_variable *variable, const char **feature_text)
{
    const char *name = qualified(parser, variable);
    if (variable->place == ES_PLACE_NONE)
        return es_parser_fail_from(parser, from, NULL, "'%s' is not observable: %s", name,
                                   variable->why ? variable->why : "the program does not say where it is");
    if (variable->place != ES_PLACE_FRAME)
        return true;
    const es_procedure *procedure = variable->procedure;
    if (!procedure)
        return es_parser_fail_from(parser, from, NULL, "'%s' lies in a frame of no known procedure", name);
    es_warn_of_copies(parser, procedure, name);
    if (procedure->is_interrupt)
        *feature_text = es_arena_format(
            parser->arena, "'%s' is a local of an interrupt handler, whose frame lies wherever it interrupts", name);
    else if (procedure->is_recursive)
        *feature_text = es_arena_format(parser->arena, "'%s' is a local of a recursive procedure (%s)", name,
                                        cycle_through(parser, procedure));
    return true;
}
