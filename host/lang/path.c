/* Paths of activations: text to steps. What they mean is in match.c. */
#include <string.h>

#include "lang/parser.h"

/* FILE\f with what only a path has after it. */
static bool at_path_in_file(const es_parser *parser)
{
    es_token next[2];
    if (!es_at_file(parser) || !es_at_procedure(parser, next))
        return false;
    if (es_token_is_sign(&next[0], '['))
        return true;
    if (es_token_is_sign(&next[0], ':'))
        return parser->choices == 0;
    return es_token_is_sign(&next[0], '\\') &&
           (parser->factored || next[1].kind == ES_TOKEN_NUMBER || es_token_is_sign(&next[1], '*'));
}

bool es_at_path(es_parser *parser)
{
    es_error ignored;
    es_parser ahead = *parser;
    ahead.err = &ignored;
    ahead.lexer.err = &ignored;
    es_token first = ahead.token;
    if (at_path_in_file(parser))
        return true;
    bool star = es_token_is_sign(&first, '*');
    bool number = first.kind == ES_TOKEN_NUMBER && first.is_decimal;
    if (!star && !number && first.kind != ES_TOKEN_NAME)
        return false;
    es_parser_take(&ahead);
    if (es_parser_at_sign(&ahead, ':'))
        return star || parser->choices == 0;
    if (star)
        return false;
    bool textual = es_parser_at_sign(&ahead, '\\');
    if (number)
        return textual;
    if (!textual && !es_parser_at_sign(&ahead, '['))
        return false;
    const char *name = es_arena_copy(parser->arena, first.start, first.length);
    if (!es_symbols_procedure_named(parser->symbols, name))
        return false;
    if (!textual)
        return !es_names_variable(parser, name);
    es_parser_take(&ahead);
    return parser->factored || ahead.token.kind == ES_TOKEN_NUMBER || es_parser_at_sign(&ahead, '*');
}

/* --- call numbers ------------------------------------------------------------------------------------------------- */

static bool is_counted(const es_call_site *site)
{
    const char *name = site->callee ? site->callee->name : NULL, *file_end = name ? strrchr(name, '\\') : NULL;
    return !name || strncmp(file_end ? file_end + 1 : name, "__", 2) != 0;
}

static unsigned line_of(const es_symbols *symbols, const es_call_site *site)
{
    const char *file;
    unsigned line;
    return es_symbols_line(symbols, site->site, &file, &line) ? line : 0;
}

unsigned es_lang_call_number(const es_symbols *symbols, const es_call_site *site)
{
    const es_call_site *sites;
    size_t count = es_symbols_calls(symbols, &sites);
    unsigned number = 1, line = line_of(symbols, site);
    if (!is_counted(site))
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (sites[i].caller != site->caller || !is_counted(&sites[i]))
            continue;
        unsigned other = line_of(symbols, &sites[i]);
        number += other < line || (other == line && sites[i].site < site->site);
    }
    return number;
}

const es_call_site *es_lang_call(const es_symbols *symbols, const es_procedure *caller, unsigned number)
{
    const es_call_site *sites;
    size_t count = es_symbols_calls(symbols, &sites);
    for (size_t i = 0; i < count && number; i++)
        if (sites[i].caller == caller && es_lang_call_number(symbols, &sites[i]) == number)
            return &sites[i];
    return NULL;
}

/* "it calls 1: control (thermostat.c:55), 2: clamp (...)" */
static const char *list_calls(es_parser *parser, const es_procedure *caller)
{
    const char *list = NULL;
    for (unsigned number = 1; number <= 12; number++) {
        const es_call_site *site = es_lang_call(parser->symbols, caller, number);
        if (!site)
            break;
        const char *callee = site->callee ? site->callee->name : "through a pointer";
        unsigned line = line_of(parser->symbols, site);
        list =
            es_arena_format(parser->arena, "%s%s%u: %s", list ? list : "it calls ", list ? ", " : "", number, callee);
        if (line)
            list = es_arena_format(parser->arena, "%s (line %u)", list, line);
    }
    return list && es_lang_call(parser->symbols, caller, 13) ? es_arena_format(parser->arena, "%s, ...", list) : list;
}

/* --- who calls whom ----------------------------------------------------------------------------------------------- */

/* Can an activation that `callee` means stand directly on one that `caller` means? By a call, also one whose callee
 * goes on as another procedure in a tail call, or by an interrupt. */
static bool may_stand_on(es_parser *parser, const es_step *caller, const es_step *callee)
{
    if (callee->procedure->is_interrupt)
        return true;
    const es_procedure *const *all;
    const es_call_site *sites;
    size_t count = es_symbols_procedures(parser->symbols, &all), site_count = es_symbols_calls(parser->symbols, &sites);
    bool *may = es_arena_alloc(parser->arena, count + 1);
    for (bool changed = true, first = true; changed || first; first = false) {
        changed = false;
        for (size_t s = 0; s < site_count; s++) {
            bool from_caller = !sites[s].is_tail && es_step_means(caller, sites[s].caller), by_tail = false;
            for (size_t i = 0; i < count && sites[s].is_tail && !from_caller; i++)
                by_tail |= may[i] && all[i] == sites[s].caller;
            for (size_t i = 0; i < count && (from_caller || by_tail); i++) {
                bool reached = sites[s].callee ? sites[s].callee == all[i] : all[i]->address_taken;
                if (reached && es_step_means(callee, all[i]))
                    return true;
                changed |= reached && !may[i];
                may[i] |= reached;
            }
        }
    }
    return false;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

typedef struct building {
    es_step *steps;
    size_t count;
} building;

static es_step *add_step(es_parser *parser, building *path, enum es_step_kind kind, const es_procedure *procedure)
{
    path->steps = es_arena_grow(parser->arena, path->steps, path->count, sizeof *path->steps);
    path->steps[path->count] = (es_step){.kind = kind, .procedure = procedure};
    return &path->steps[path->count++];
}

static const es_step *last_step(const building *path)
{
    return path->count ? &path->steps[path->count - 1] : NULL;
}

static const es_procedure *find_main(es_parser *parser)
{
    return es_symbols_procedure_named(parser->symbols, "main");
}

static bool add_call(es_parser *parser, building *path)
{
    uint64_t number = parser->token.value;
    if (path->count == 0) {
        const es_procedure *root = find_main(parser);
        if (!root)
            return es_parser_fail(parser, "name the procedures instead",
                                  "call numbers begin in main, and the program has no main");
        add_step(parser, path, ES_STEP_NAME, root);
    }
    const es_step *last = last_step(path);
    if (last->kind == ES_STEP_ANY)
        return es_parser_fail(parser, "name the procedure that calls: *:control:2",
                              "a call number needs to know whose call it is");
    const es_procedure *caller = last->procedure;
    if (last->copy_count)
        return es_parser_fail(parser, "name the procedure that is called",
                              "the compiler has made %zu procedures of %s, with other calls in each", last->copy_count,
                              caller->name);
    const es_call_site *site =
        number && number < 1000000 ? es_lang_call(parser->symbols, caller, (unsigned)number) : NULL;
    if (!site)
        return es_parser_fail(parser, list_calls(parser, caller), "%s makes no call number %llu", caller->name,
                              (unsigned long long)number);
    if (!site->callee)
        return es_parser_fail(parser, "write the name of the procedure instead of the number",
                              "call %llu of %s goes through a pointer: its number does not say what is called",
                              (unsigned long long)number, caller->name);
    if (site->is_tail)
        return es_parser_fail(parser, "compile with -fno-optimize-sibling-calls",
                              "call %llu of %s, of %s, is a jump that ends %s: there is no activation of both",
                              (unsigned long long)number, caller->name, site->callee->name, caller->name);
    add_step(parser, path, ES_STEP_CALL, site->callee)->site = site->site;
    return true;
}

/* f or f[k]; the name is the next token. */
static bool add_name(es_parser *parser, building *path)
{
    es_span from = es_parser_here(parser);
    const char *file = es_at_file(parser) ? es_take_file(parser) : NULL;
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, "file.c\\procedure", "expected the name of a procedure");
    const char *name = es_parser_token_text(parser);
    es_parser_take(parser);
    const es_procedure *found[ES_PROCEDURES_MAX];
    size_t count = es_resolve_procedures(parser, from, file, name, found);
    if (count == 0)
        return false;
    const es_procedure *procedure = found[0];
    es_step step = {.kind = ES_STEP_NAME, .procedure = procedure};
    if (count > 1) {
        const es_procedure **copies = es_arena_alloc(parser->arena, count * sizeof *copies);
        memcpy((void *)copies, (const void *)found, count * sizeof *copies);
        step.copies = copies;
        step.copy_count = count;
    }
    name = procedure->name;
    unsigned nest = 0;
    if (es_parser_at_sign(parser, '[')) {
        if (!es_parser_nest(parser))
            return false;
        es_parser_take(parser);
        es_node *index = es_parse_expression(parser);
        parser->nesting--;
        if (!index)
            return false;
        if (index->expr.kind != ES_EXPR_CONST || index->expr.type != ES_VALUE_32 || index->expr.value < 1 ||
            index->expr.value > ES_PATH_DEPTH_MAX)
            return es_parser_fail_node(parser, index,
                                       "f[1] is the outermost activation of f, f[2] the next one inside, ...",
                                       "an activation's number is a constant from 1 to %d", ES_PATH_DEPTH_MAX);
        nest = index->expr.value;
        if (!es_parser_at_sign(parser, ']'))
            return es_parser_fail_after_expression(parser, "]");
        es_parser_take(parser);
    }
    const es_step *last = last_step(path);
    if (!last && (nest || procedure != find_main(parser)))
        add_step(parser, path, ES_STEP_ANY, NULL);
    if (last && last->kind != ES_STEP_ANY && !may_stand_on(parser, last, &step)) {
        if (es_is_inlined_into(parser, procedure, last->procedure))
            return es_parser_fail_from(parser, from,
                                       es_arena_format(parser->arena,
                                                       "give %s the attribute noinline; enter(%s) without "
                                                       "a path is true where its inlined copies begin",
                                                       name, name),
                                       "'%s' was inlined into %s, which does not call it", name, last->procedure->name);
        const char *calls = list_calls(parser, last->procedure);
        return es_parser_fail_from(parser, from,
                                   es_arena_format(parser->arena, "%s%s%s:*:%s is %s however deep inside of %s",
                                                   calls ? calls : "", calls ? "; " : "", last->procedure->name, name,
                                                   name, last->procedure->name),
                                   "%s does not call %s", last->procedure->name, name);
    }
    step.kind = nest ? ES_STEP_NESTED : ES_STEP_NAME;
    step.nest = nest;
    *add_step(parser, path, step.kind, procedure) = step;
    return true;
}

static bool add_segment(es_parser *parser, building *path)
{
    if (es_parser_at_sign(parser, '*')) {
        const es_step *last = last_step(path);
        if (!last || last->kind != ES_STEP_ANY)
            add_step(parser, path, ES_STEP_ANY, NULL);
        es_parser_take(parser);
        return true;
    }
    if (parser->token.kind == ES_TOKEN_NUMBER) {
        if (!add_call(parser, path))
            return false;
        es_parser_take(parser);
        return true;
    }
    if (parser->token.kind == ES_TOKEN_NAME || es_at_file(parser))
        return add_name(parser, path);
    return es_parser_fail(parser,
                          "a path is made of procedures, call numbers, * and f[k]: main:control\\x, 1:3\\x, *:f\\x",
                          "expected a procedure, a call number or *");
}

const es_path *es_parse_path(es_parser *parser, bool *block)
{
    es_span from = es_parser_here(parser);
    building path = {0};
    *block = false;
    for (size_t i = 0; parser->factored && i < parser->factored->count; i++)
        *add_step(parser, &path, ES_STEP_ANY, NULL) = parser->factored->steps[i];
    for (;;) {
        if (!add_segment(parser, &path))
            return NULL;
        if (!es_parser_at_sign(parser, ':'))
            break;
        es_token ahead = es_parser_peek(parser);
        *block = es_token_is_sign(&ahead, '{');
        if (*block)
            break;
        es_parser_take(parser);
    }
    if (last_step(&path)->kind == ES_STEP_ANY) {
        es_parser_fail_from(parser, from,
                            "name the procedure that is meant: main:*:clamp; whatever main calls is main\\*",
                            "* means any activations, and a path ends with one");
        return NULL;
    }
    const char *text = es_text_since(parser, from.start);
    if (parser->factored)
        text = es_arena_format(parser->arena, "%s:%s", parser->factored->text, text);
    es_path *made = es_arena_alloc(parser->arena, sizeof *made);
    *made = (es_path){text, path.steps, path.count};
    for (size_t i = 0; i < path.count; i++)
        if (path.steps[i].procedure)
            es_warn_of_copies(parser, path.steps[i].procedure, text);
    if (path.count > ES_PATH_DEPTH_MAX || es_path_depth(made) > ES_PATH_DEPTH_MAX) {
        es_parser_fail_from(parser, from, NULL, "this path is more than %d activations deep", ES_PATH_DEPTH_MAX);
        return NULL;
    }
    return made;
}

const es_path *es_any_path(es_parser *parser, const es_procedure *procedure)
{
    building path = {0};
    add_step(parser, &path, ES_STEP_ANY, NULL);
    add_step(parser, &path, ES_STEP_NAME, procedure);
    es_path *made = es_arena_alloc(parser->arena, sizeof *made);
    *made = (es_path){es_arena_format(parser->arena, "*:%s", procedure->name), path.steps, path.count};
    return made;
}
