/* What is asked of a path that leads to inlined copies: events, whether one is active, local variables. */
#include <stdlib.h>
#include <string.h>

#include "lang/parser.h"
#include "symbols/shadows.h"

/* The activation in which the copies are; NULL: any. */
static const es_path *holder(es_parser *parser, const es_path *path)
{
    if (es_path_is_any(path))
        return NULL;
    es_path *made = es_arena_alloc(parser->arena, sizeof *made);
    *made = (es_path){.text = path->text, .steps = path->steps, .count = path->count};
    return made;
}

const es_procedure *es_path_owner(const es_parser *parser, const es_path *path)
{
    const es_procedure *const *inlined;
    const es_inlined_copy *copy = path->copies ? path->copies[0] : NULL;
    size_t count = es_symbols_inlined_procedures(parser->symbols, &inlined);
    for (size_t i = 0; i < count && copy; i++)
        if (inlined[i]->line == copy->declared_line && strcmp(inlined[i]->name, copy->name) == 0)
            return inlined[i];
    return es_path_end(path);
}

static es_node *joined(es_parser *parser, es_span from, es_node *all, es_node *node)
{
    es_token either = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGOR, .source = from.source};
    return all ? es_node_binary(parser, &either, all, node) : node;
}

static const es_inlined_copy **copies_of(es_parser *parser, const es_path *path)
{
    const es_inlined_copy **copies = es_arena_alloc(parser->arena, path->copy_count * sizeof *copies);
    memcpy((void *)copies, (const void *)path->copies, path->copy_count * sizeof *copies);
    return copies;
}

static es_node *refuse_unknown(es_parser *parser, es_span from, const es_path *path)
{
    es_parser_fail_from(
        parser, from, es_arena_format(parser->arena, "give %s the attribute noinline", path->copies[0]->name),
        "%s was inlined there, and the debug information does not say where its copies begin", path->copies[0]->name);
    return NULL;
}

static es_node *refuse_bus(es_parser *parser, es_span from, const es_path *path, const char *what)
{
    es_parser_fail_from(parser, from, "--replay knows where inlined copies end; enter(...) is true where they begin",
                        "%s was inlined into %s, and no bus shows %s", path->copies[0]->name,
                        path->copies[0]->caller->name, what);
    return NULL;
}

/* All copies that a path means. */
static const es_inlined_copy **all_copies(es_parser *parser, const es_path *path, size_t *count)
{
    const es_inlined_copy **copies = NULL;
    *count = 0;
    for (const es_path *way = path; way; way = way->other)
        for (size_t i = 0; i < way->copy_count; i++) {
            copies = es_arena_grow(parser->arena, (void *)copies, *count, sizeof *copies);
            copies[(*count)++] = way->copies[i];
        }
    return copies;
}

static void warn_of(es_parser *parser, enum es_expr_kind kind, const es_path *path)
{
    size_t count;
    const es_inlined_copy **copies = all_copies(parser, path, &count);
    if (count && (kind != ES_EXPR_LEAVE || es_symbols_uses_shadows(parser->symbols)))
        es_warn_of_event(parser, kind, path->text, !path->copies, copies, count);
}

es_node *es_path_event(es_parser *parser, es_span from, enum es_expr_kind kind, const es_path *path)
{
    es_node *all = NULL;
    bool known = false;
    warn_of(parser, kind, path);
    for (const es_path *way = path; way; way = way->other) {
        es_node *node;
        if (way->copies && kind == ES_EXPR_LEAVE && !es_symbols_uses_shadows(parser->symbols))
            return refuse_bus(parser, from, way, "where its copies end");
        if (way->copies) {
            node = es_copies_event(parser, from, kind, path->text, holder(parser, way), copies_of(parser, way),
                                   way->copy_count);
        } else {
            const es_step *end = es_path_last(way);
            node = es_enter_any(parser, from, kind, end->copy_count ? end->copies : &end->procedure,
                                es_step_copies(end), holder(parser, way));
        }
        if (node)
            all = joined(parser, from, all, node);
        known |= node != NULL;
    }
    return known ? all : refuse_unknown(parser, from, path);
}

es_node *es_path_active(es_parser *parser, es_span from, const es_path *path, bool exact)
{
    es_node *all = NULL;
    for (const es_path *way = path; way; way = way->other) {
        const es_path *in = holder(parser, way);
        es_node *node = NULL;
        if (!way->copies) {
            node = es_node_new(parser, from, ES_EXPR_ACTIVE);
            node->expr.path = in ? in : way;
            node->expr.exact = exact;
        } else if (exact) {
            es_parser_fail_from(
                parser, from, es_arena_format(parser->arena, "%s alone: while it is active", path->text),
                "%s was inlined there: it is no activation of its own on the stack", way->copies[0]->name);
            return NULL;
        } else if (!es_symbols_uses_shadows(parser->symbols)) {
            return refuse_bus(parser, from, way, "whether a copy of it is active");
        } else if (in && es_path_end(in)->is_recursive) {
            es_parser_fail_from(parser, from, es_arena_format(parser->arena, "*:%s", way->copies[0]->name),
                                "%s was inlined into %s, which is recursive: in which of its activations a copy is "
                                "active is not told",
                                way->copies[0]->name, es_path_end(in)->name);
            return NULL;
        } else {
            node = es_copies_active(parser, from, path->text, in, copies_of(parser, way), way->copy_count);
        }
        if (node)
            all = joined(parser, from, all, node);
    }
    return all ? all : refuse_unknown(parser, from, path);
}

bool es_path_variable(es_parser *parser, es_span from, const es_path **path, const es_variable **variable)
{
    const es_path *first = *path;
    if (!first->copies) {
        if (es_path_is_any(first) && first->other && (*variable)->place != ES_PLACE_FRAME)
            *path = NULL; /* whichever copy is active */
        else if (first->other)
            es_warn_of_copies(parser, es_path_end(first), first->text);
        return true;
    }
    size_t count;
    const es_inlined_copy **copies = all_copies(parser, first, &count);
    const es_path *in = holder(parser, first);
    for (const es_path *way = first; way; way = way->other)
        if (way->copies && way != first && (in || holder(parser, way)))
            return es_parser_fail_from(parser, from, "name more of the path, or less",
                                       "%s means copies of %s in %s and in %s: a variable is of one of them",
                                       first->text, first->copies[0]->name, es_path_end(first)->name,
                                       es_path_end(way)->name);
    *path = in;
    *variable = es_symbols_variable_of_copies(parser->symbols, *variable, copies, count);
    if ((*variable)->place == ES_PLACE_STATIC && !(*variable)->shadow)
        return es_parser_fail_from(
            parser, from, es_arena_format(parser->arena, "%s\\%s", (*variable)->procedure->name, (*variable)->name),
            "'%s' is static: all copies of %s have the same one", (*variable)->name, first->copies[0]->name);
    return true;
}

bool es_path_has_statements(es_parser *parser, es_span from, const es_path *path)
{
    return !path->copies || es_parser_fail_from(parser, from, "at(FILE:LINE)",
                                                "%s was inlined there, and statements of inlined copies have no "
                                                "numbers",
                                                path->copies[0]->name);
}
