/* Paths of activations: text to steps. What they mean is in match.c. */
#include <string.h>

#include "lang/parser.h"
#include "lang/ways.h"
#include "symbols/shadows.h"

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

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void add_step(es_parser *parser, es_ways_list *path, es_step step)
{
    if (!path->count)
        path->items[path->count++] = (es_way){0};
    for (size_t i = 0; i < path->count; i++)
        path->items[i] = es_way_and(parser, &path->items[i], step);
}

/* Of the first way; of all others it is of the same kind. */
static const es_step *last_step(const es_ways_list *path)
{
    return path->count && path->items[0].count ? &path->items[0].steps[path->items[0].count - 1] : NULL;
}

static bool in_copies(const es_ways_list *path)
{
    for (size_t i = 0; i < path->count; i++)
        if (path->items[i].copies)
            return true;
    return false;
}

static const es_procedure *find_main(es_parser *parser)
{
    return es_symbols_procedure_named(parser->symbols, "main");
}

static bool add_call(es_parser *parser, es_ways_list *path)
{
    uint64_t number = parser->token.value;
    if (path->count == 0) {
        const es_procedure *root = find_main(parser);
        if (!root)
            return es_parser_fail(parser, "name the procedures instead",
                                  "call numbers begin in main, and the program has no main");
        add_step(parser, path, (es_step){.kind = ES_STEP_NAME, .procedure = root});
    }
    const es_step *last = last_step(path);
    if (path->count > 1 || in_copies(path))
        return es_parser_fail(parser, "name the procedure that is called",
                              "calls of inlined copies have no numbers of their own");
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
    add_step(parser, path, (es_step){.kind = ES_STEP_CALL, .procedure = site->callee, .site = site->site});
    return true;
}

/* [k] after f; 0 with an error. */
static unsigned take_nest(es_parser *parser)
{
    if (!es_parser_nest(parser))
        return 0;
    es_parser_take(parser);
    es_node *index = es_parse_expression(parser);
    parser->nesting--;
    if (!index)
        return 0;
    if (index->expr.kind != ES_EXPR_CONST || index->expr.type != ES_VALUE_32 || index->expr.value < 1 ||
        index->expr.value > ES_PATH_DEPTH_MAX) {
        es_parser_fail_node(parser, index, "f[1] is the outermost activation of f, f[2] the next one inside, ...",
                            "an activation's number is a constant from 1 to %d", ES_PATH_DEPTH_MAX);
        return 0;
    }
    if (!es_parser_at_sign(parser, ']')) {
        es_parser_fail_after_expression(parser, "]");
        return 0;
    }
    es_parser_take(parser);
    return index->expr.value;
}

/* What a name in a path means; *step has room. False with an error. */
static bool find_named(es_parser *parser, es_span from, const char *file, const char *name, es_step *step,
                       es_named *named)
{
    const es_procedure *found[ES_PROCEDURES_MAX];
    named->copies = es_named_copies(parser, file, name, &named->copy_count);
    if (named->copy_count && !es_symbols_procedures_named(parser->symbols, file, name, found, 1))
        return true;
    size_t count = es_resolve_procedures(parser, from, file, name, found);
    if (count == 0)
        return false;
    *step = (es_step){.kind = ES_STEP_NAME, .procedure = found[0]};
    if (count > 1) {
        const es_procedure **copies = es_arena_alloc(parser->arena, count * sizeof *copies);
        memcpy((void *)copies, (const void *)found, count * sizeof *copies);
        step->copies = copies;
        step->copy_count = count;
    }
    named->step = step;
    return true;
}

/* No way goes on with the name. */
static bool refuse_way(es_parser *parser, es_span from, const es_ways_list *path, const char *name,
                       const es_named *named, bool nest)
{
    const es_step *last = last_step(path);
    if ((nest && !named->step) || last->kind == ES_STEP_ANY)
        return es_parser_fail_from(parser, from, NULL, "%s has inlined copies only, and they are not numbered", name);
    const char *outer = last->procedure->name;
    for (size_t i = 0; i < path->count; i++) /* of a procedure's own code and its copies, too: which are another way */
        outer = path->items[i].copies ? path->items[i].copies[0]->name : outer;
    const char *calls = in_copies(path) ? NULL : list_calls(parser, last->procedure);
    return es_parser_fail_from(parser, from,
                               es_arena_format(parser->arena, "%s%s%s:*:%s is %s however deep inside of %s",
                                               calls ? calls : "", calls ? "; " : "", outer, name, name, outer),
                               "%s does not call %s", outer, name);
}

/* f or f[k]; the name is the next token. */
static bool add_name(es_parser *parser, es_ways_list *path)
{
    es_span from = es_parser_here(parser);
    const char *file = es_at_file(parser) ? es_take_file(parser) : NULL;
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, "file.c\\procedure", "expected the name of a procedure");
    const char *name = es_parser_token_text(parser);
    es_step step = {0};
    es_named named = {0};
    es_parser_take(parser);
    if (!find_named(parser, from, file, name, &step, &named))
        return false;
    name = step.procedure ? step.procedure->name : name;
    if (es_parser_at_sign(parser, '[')) {
        step.nest = take_nest(parser);
        step.kind = ES_STEP_NESTED;
        if (!step.nest)
            return false;
    }
    if (!path->count && (step.nest || step.procedure != find_main(parser)))
        add_step(parser, path, (es_step){.kind = ES_STEP_ANY});
    if (!path->count)
        path->items[path->count++] = (es_way){0};
    es_ways_list *on = es_arena_alloc(parser->arena, sizeof *on);
    for (size_t i = 0; i < path->count; i++)
        es_ways_add_own(parser, on, &path->items[i], &named);
    /* the probe alone does not see what copies do, but for their beginnings: there a path that can be calls is these */
    bool copies = !step.nest && (!on->count || es_symbols_uses_shadows(parser->symbols));
    for (size_t i = 0; i < path->count && copies && path->items[0].count; i++)
        es_ways_add_copies(parser, on, &path->items[i], &named);
    if (!on->count)
        return refuse_way(parser, from, path, name, &named, step.nest > 0);
    if (on->count > ES_WAYS_MAX)
        return es_parser_fail_from(parser, from, "name more of the path",
                                   "%s was inlined into so many procedures that this path has more than %d ways", name,
                                   ES_WAYS_MAX);
    *path = *on;
    return true;
}

static bool add_segment(es_parser *parser, es_ways_list *path)
{
    if (es_parser_at_sign(parser, '*')) {
        const es_step *last = last_step(path);
        if (in_copies(path))
            return es_parser_fail(parser, "name what it calls: main:f:g", "* cannot follow an inlined procedure");
        if (!last || last->kind != ES_STEP_ANY)
            add_step(parser, path, (es_step){.kind = ES_STEP_ANY});
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

static bool is_too_deep(const es_path *path)
{
    for (; path; path = path->other)
        if (path->count > ES_PATH_DEPTH_MAX || es_path_depth(path) > ES_PATH_DEPTH_MAX)
            return true;
    return false;
}

/* Those of activations alone come first: where one is enough, it is the first one. */
static const es_path *make_path(es_parser *parser, const char *text, const es_ways_list *ways)
{
    es_path *first = NULL;
    for (size_t i = ways->count; i-- > 0;) {
        const es_way *way = &ways->items[i];
        es_path *made = es_arena_alloc(parser->arena, sizeof *made);
        *made = (es_path){.text = text,
                          .steps = way->steps,
                          .count = way->count,
                          .copies = way->copies,
                          .copy_count = way->copy_count,
                          .other = first};
        first = made;
    }
    return first;
}

/* Where nobody looks at copies that a path could go through. */
static void warn_of_copies(es_parser *parser, const es_path *path)
{
    if (!path->copies && !es_symbols_uses_shadows(parser->symbols))
        for (size_t i = 0; i < path->count; i++)
            if (path->steps[i].procedure)
                es_warn_of_copies(parser, path->steps[i].procedure, path->text);
}

const es_path *es_parse_path(es_parser *parser, bool *block)
{
    es_span from = es_parser_here(parser);
    es_ways_list *path = es_arena_alloc(parser->arena, sizeof *path);
    *block = false;
    for (const es_path *way = parser->factored; way; way = way->other)
        path->items[path->count++] =
            (es_way){(es_step *)way->steps, way->count, (const es_inlined_copy **)way->copies, way->copy_count};
    for (;;) {
        if (!add_segment(parser, path))
            return NULL;
        if (!es_parser_at_sign(parser, ':'))
            break;
        es_token ahead = es_parser_peek(parser);
        *block = es_token_is_sign(&ahead, '{');
        if (*block)
            break;
        es_parser_take(parser);
    }
    if (last_step(path)->kind == ES_STEP_ANY) {
        es_parser_fail_from(parser, from,
                            "name the procedure that is meant: main:*:clamp; whatever main calls is main\\*",
                            "* means any activations, and a path ends with one");
        return NULL;
    }
    const char *text = es_text_since(parser, from.start);
    if (parser->factored)
        text = es_arena_format(parser->arena, "%s:%s", parser->factored->text, text);
    const es_path *made = make_path(parser, text, path);
    warn_of_copies(parser, made);
    if (is_too_deep(made)) {
        es_parser_fail_from(parser, from, NULL, "this path is more than %d activations deep", ES_PATH_DEPTH_MAX);
        return NULL;
    }
    return made;
}

const es_path *es_any_path(es_parser *parser, const es_procedure *procedure)
{
    es_way any = es_way_and(parser, &(es_way){0}, (es_step){.kind = ES_STEP_ANY});
    any = es_way_and(parser, &any, (es_step){.kind = ES_STEP_NAME, .procedure = procedure});
    es_path *made = es_arena_alloc(parser->arena, sizeof *made);
    *made = (es_path){
        .text = es_arena_format(parser->arena, "*:%s", procedure->name), .steps = any.steps, .count = any.count};
    return made;
}
