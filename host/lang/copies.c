/* enter(f), leave(f) and paths: where procedures and their inlined copies begin and end, and whether one is active. */
#include <stdlib.h>
#include <string.h>

#include "lang/parser.h"
#include "symbols/shadows.h"

/* enter(f), of all copies of f. path: on which they are meant; NULL: on any. */
es_node *es_enter_any(es_parser *parser, es_span from, enum es_expr_kind kind, const es_procedure *const *found,
                      size_t count, const es_path *path)
{
    es_node *all = NULL;
    es_token either = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGOR, .source = from.source};
    for (size_t i = 0; i < count; i++) {
        es_node *node = es_node_new(parser, from, kind);
        node->expr.procedure = found[i];
        node->expr.path = path;
        all = all ? es_node_binary(parser, &either, all, node) : node;
        if (!all)
            return NULL;
    }
    return all;
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The place of all entries of inlined copies; NULL there is none. */
static const es_position *place_of_copies(es_parser *parser, const char *name, const es_inlined_copy *const *copies,
                                          size_t count)
{
    uint32_t *addresses = NULL;
    size_t found = 0;
    es_position *made = es_arena_alloc(parser->arena, sizeof *made);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < copies[i]->entry_count; k++) {
            addresses = es_arena_grow(parser->arena, addresses, found, sizeof *addresses);
            addresses[found++] = copies[i]->entries[k];
            made->file = copies[i]->file;
            made->line = copies[i]->line;
        }
    if (!found)
        return NULL;
    qsort(addresses, found, sizeof *addresses, by_address);
    size_t kept = 1;
    for (size_t i = 1; i < found; i++)
        if (addresses[i] != addresses[kept - 1])
            addresses[kept++] = addresses[i];
    made->text = name;
    made->inlined = name;
    made->addresses = addresses;
    made->count = kept;
    return made;
}

/* Whether an entry of the copy comes directly after a call. What ends where the call comes back is told after the fetch
 * there, and before what begins there: so that has to be told by a cell, too. */
static bool follows_call(const es_parser *parser, const es_inlined_copy *copy)
{
    const es_call_site *calls;
    size_t count = es_symbols_calls(parser->symbols, &calls);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < copy->entry_count && calls[i].caller == copy->caller; k++)
            if (calls[i].site + calls[i].size == copy->entries[k] && !calls[i].is_tail)
                return true;
    return false;
}

/* Of the copies with entries those of which a cell has to tell that; the others come first. */
static size_t part_copies(const es_parser *parser, enum es_expr_kind kind, const es_inlined_copy **copies,
                          size_t *count)
{
    size_t known = 0, plain = 0;
    for (size_t i = 0; i < *count; i++)
        if (copies[i]->entry_count)
            copies[known++] = copies[i];
    *count = known;
    for (size_t i = 0; i < known && kind == ES_EXPR_ENTER; i++) {
        const es_inlined_copy *copy = copies[i];
        if (es_symbols_uses_shadows(parser->symbols) && follows_call(parser, copy))
            continue;
        memmove((void *)&copies[plain + 1], (const void *)&copies[plain], (i - plain) * sizeof *copies);
        copies[plain++] = copy;
    }
    return plain;
}

/* A cell of theirs. */
static es_node *cell_of(es_parser *parser, es_span from, enum es_shadow_copies what, const char *text,
                        const es_inlined_copy *const *copies, size_t count)
{
    const char *why = NULL;
    text = es_arena_format(parser->arena, "%s in %s", text, copies[0]->caller->name); /* its own, by way of a path */
    const es_variable *cell = es_symbols_copies_shadow(parser->symbols, copies, count, what, text, &why);
    if (!cell) {
        es_parser_fail_from(parser, from, NULL, "%s %s", text, why);
        return NULL;
    }
    size_t index = es_refer_to_cell(parser, from, cell);
    if (what == ES_SHADOW_ACTIVE)
        return es_node_reference(parser, from, index, false);
    es_node *node = es_node_new(parser, from, ES_EXPR_WRITE);
    node->expr.index = index;
    return node;
}

/* ... while the path's activation is the innermost one. */
static es_node *only_on(es_parser *parser, es_node *node, es_span from, const es_path *path, bool exact)
{
    es_token both = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGAND, .source = from.source};
    if (!node || !path)
        return node;
    es_node *active = es_node_new(parser, from, ES_EXPR_ACTIVE);
    active->expr.path = path;
    active->expr.exact = exact;
    return es_node_binary(parser, &both, node, active);
}

es_node *es_copies_active(es_parser *parser, es_span from, const char *name, const es_path *path,
                          const es_inlined_copy **copies, size_t count)
{
    part_copies(parser, ES_EXPR_LEAVE, copies, &count);
    es_node *node = count ? cell_of(parser, from, ES_SHADOW_ACTIVE, es_arena_format(parser->arena, "active(%s)", name),
                                    copies, count)
                          : NULL;
    return only_on(parser, node, from, path, false);
}

es_node *es_copies_event(es_parser *parser, es_span from, enum es_expr_kind kind, const char *name, const es_path *path,
                         const es_inlined_copy **copies, size_t count)
{
    size_t plain = part_copies(parser, kind, copies, &count);
    const es_position *place = place_of_copies(parser, count ? copies[0]->name : name, copies, plain);
    es_node *at = place ? es_node_new(parser, from, ES_EXPR_AT) : NULL, *written = NULL;
    if (at) {
        at->expr.position = place;
        at->expr.path = path;
    }
    if (count > plain) {
        bool enter = kind == ES_EXPR_ENTER;
        written = cell_of(parser, from, enter ? ES_SHADOW_BEGINS : ES_SHADOW_ENDS,
                          es_arena_format(parser->arena, "%s(%s)", enter ? "enter" : "leave", name), copies + plain,
                          count - plain);
        written = only_on(parser, written, from, path, true);
        if (!written)
            return NULL;
    }
    es_token either = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGOR, .source = from.source};
    return at && written ? es_node_binary(parser, &either, at, written) : at ? at : written;
}

static bool any_entries(const es_inlined_copy *const *copies, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (copies[i]->entry_count)
            return true;
    return false;
}

bool es_inlined_event(es_parser *parser, es_span from, enum es_expr_kind kind, const char *file, const char *name,
                      es_node **made, bool *alone)
{
    const es_inlined_copy *copies[ES_COPIES_MAX];
    size_t count = es_find_copies(parser, file, name, copies, alone);
    bool any = any_entries(copies, count);
    *made = NULL;
    if (!count || (!any && *alone))
        return true;
    es_warn_of_event(parser, kind, name, !*alone, copies, count);
    if (!any || (kind == ES_EXPR_LEAVE && !es_symbols_uses_shadows(parser->symbols)))
        return true;
    *made = es_copies_event(parser, from, kind, name, NULL, copies, count);
    return *made;
}
