#include <stdlib.h>
#include <string.h>

#include "net/formats/tina.h"
#include "net/formats/tina_private.h"

#define PAIRS_MAX 4000000u

static bool is_keyword(const es_tina_reader *r)
{
    static const char *const words[] = {"tr", "pl", "lb", "pr", "nt", "net"};
    for (size_t i = 0; r->lexer.token == ES_TINA_NAME && i < sizeof words / sizeof *words; i++)
        if (strcmp(r->lexer.text, words[i]) == 0)
            return true;
    return false;
}

/* A name that is no keyword, so that a list may go on with it. */
static bool is_node(const es_tina_reader *r)
{
    return es_tina_is_name(r) && !is_keyword(r);
}

/* Gives the message of the net's functions the place of the current token. */
static bool fail_here(es_tina_reader *r)
{
    char text[sizeof r->lexer.err->text];
    memcpy(text, r->lexer.err->text, sizeof text);
    return es_tina_fail(&r->lexer, "%.1000s", text);
}

/* The node that the current token names; made when it is new. Moves on. */
static bool node_of(es_tina_reader *r, bool place, uint32_t *index)
{
    if (!is_node(r))
        return es_tina_fail(&r->lexer, "the name of a %s is needed here, not %s", place ? "place" : "transition",
                            es_tina_shown(&r->lexer));
    *index = place ? es_net_place_find(r->net, r->lexer.text) : es_net_transition_find(r->net, r->lexer.text);
    if (*index == ES_NET_NONE)
        *index = place ? es_net_place_add(r->net, r->lexer.text, NULL, 0, NULL, r->lexer.err)
                       : es_net_transition_add(r->net, r->lexer.text, NULL, 0, NULL, r->lexer.err);
    return *index == ES_NET_NONE ? fail_here(r) : es_tina_next(&r->lexer);
}

/* After the name of the other node: *3, or one of the kinds that cannot be held. */
static bool weight_of(es_tina_reader *r, uint32_t *weight)
{
    int64_t value = 1;
    *weight = 1;
    if (es_tina_is_mark(r, '?') || es_tina_is_mark(r, '!'))
        return es_tina_fail(
            &r->lexer, "read, inhibitor and stopwatch arcs cannot be held: use places and arcs of both directions");
    if (es_tina_is_mark(r, '*')) {
        if (!es_tina_next(&r->lexer) || !es_tina_number(r, "the weight", UINT32_MAX - 1, &value))
            return false;
        if (value == 0)
            return es_tina_fail(&r->lexer, "an arc of weight 0: leave it out");
    }
    *weight = (uint32_t)value;
    return true;
}

/* The names on one side of the arrow. */
static bool arcs(es_tina_reader *r, bool of_transition, uint32_t node, bool inputs)
{
    while (is_node(r)) {
        uint32_t other = 0, weight = 1;
        if (!node_of(r, of_transition, &other) || !weight_of(r, &weight))
            return false;
        uint32_t place = of_transition ? other : node, transition = of_transition ? node : other;
        bool good = of_transition == inputs ? es_net_arc_in(r->net, place, transition, weight, r->lexer.err)
                                            : es_net_arc_out(r->net, transition, place, weight, r->lexer.err);
        if (!good)
            return fail_here(r);
    }
    return true;
}

/* {inputs -> outputs}. Names without an arrow are refused. */
static bool both_sides(es_tina_reader *r, bool of_transition, uint32_t node)
{
    if (!is_node(r) && r->lexer.token != ES_TINA_ARROW)
        return true;
    if (!arcs(r, of_transition, node, true))
        return false;
    if (r->lexer.token != ES_TINA_ARROW)
        return es_tina_fail(&r->lexer, "'->' is needed between inputs and outputs, not %s", es_tina_shown(&r->lexer));
    return es_tina_next(&r->lexer) && arcs(r, of_transition, node, false);
}

static bool label(es_tina_reader *r, const char **name)
{
    if (!es_tina_is_mark(r, ':'))
        return true;
    if (!es_tina_next(&r->lexer))
        return false;
    if (!es_tina_is_name(r))
        return es_tina_fail(&r->lexer, "a label is needed after ':', not %s", es_tina_shown(&r->lexer));
    if (*r->lexer.text)
        *name = es_arena_copy(r->net->arena, r->lexer.text, strlen(r->lexer.text));
    return es_tina_next(&r->lexer);
}

/* [d,d] or [0,w[ */
static bool interval(es_tina_reader *r, int64_t *delay)
{
    es_tina_lexer start = r->lexer;
    bool open = es_tina_is_mark(r, ']'), endless = false;
    int64_t from, to = 0;
    if (!open && !es_tina_is_mark(r, '['))
        return true;
    if (!es_tina_next(&r->lexer) || !es_tina_number(r, "the delay", ES_NET_TICKS_MAX, &from))
        return false;
    if (!es_tina_is_mark(r, ','))
        return es_tina_fail(&r->lexer, "',' is needed between the ends of an interval, not %s",
                            es_tina_shown(&r->lexer));
    if (!es_tina_next(&r->lexer))
        return false;
    if (r->lexer.token == ES_TINA_NAME && strcmp(r->lexer.text, "w") == 0) {
        endless = true;
        if (!es_tina_next(&r->lexer))
            return false;
    } else if (!es_tina_number(r, "the delay", ES_NET_TICKS_MAX, &to)) {
        return false;
    }
    if (!es_tina_is_mark(r, ']') && !es_tina_is_mark(r, '['))
        return es_tina_fail(&r->lexer, "'[' or ']' is needed at the end of an interval, not %s",
                            es_tina_shown(&r->lexer));
    open = open || es_tina_is_mark(r, '[');
    bool whole = endless && from == 0 && es_tina_is_mark(r, '[') && start.mark == '[';
    if (!whole && (endless || open || from != to))
        return es_tina_fail(&start, "an interval of delays: only one fixed delay can be held, as [5,5]");
    *delay = whole ? 0 : from;
    return es_tina_next(&r->lexer);
}

static bool transition(es_tina_reader *r)
{
    uint32_t t = 0;
    return node_of(r, false, &t) && label(r, &r->net->transitions[t].name) &&
           interval(r, &r->net->transitions[t].delay) && both_sides(r, true, t);
}

static bool place(es_tina_reader *r)
{
    uint32_t p = 0;
    int64_t tokens;
    if (!node_of(r, true, &p) || !label(r, &r->net->places[p].name))
        return false;
    if (es_tina_is_mark(r, '(')) {
        if (!es_tina_next(&r->lexer) || !es_tina_number(r, "the marking", UINT32_MAX - 1, &tokens))
            return false;
        if (!es_tina_is_mark(r, ')'))
            return es_tina_fail(&r->lexer, "')' is needed after the marking, not %s", es_tina_shown(&r->lexer));
        r->net->places[p].tokens = (uint32_t)tokens;
        if (!es_tina_next(&r->lexer))
            return false;
    }
    return both_sides(r, false, p);
}

/* lb NODE LABEL */
static bool old_label(es_tina_reader *r)
{
    if (!is_node(r))
        return es_tina_fail(&r->lexer, "the name of a place or transition is needed here, not %s",
                            es_tina_shown(&r->lexer));
    uint32_t p = es_net_place_find(r->net, r->lexer.text), t = es_net_transition_find(r->net, r->lexer.text);
    if (p == ES_NET_NONE && t == ES_NET_NONE)
        return es_tina_fail(&r->lexer, "there is no place or transition %s above", es_tina_shown(&r->lexer));
    if (!es_tina_next(&r->lexer))
        return false;
    if (!es_tina_is_name(r))
        return es_tina_fail(&r->lexer, "a label is needed here, not %s", es_tina_shown(&r->lexer));
    *(p != ES_NET_NONE ? &r->net->places[p].name : &r->net->transitions[t].name) =
        es_arena_copy(r->net->arena, r->lexer.text, strlen(r->lexer.text));
    return es_tina_next(&r->lexer);
}

static bool transitions(es_tina_reader *r, uint32_t **list, size_t *count)
{
    for (*list = NULL, *count = 0; is_node(r); (*count)++) {
        *list = es_arena_grow(r->scratch, *list, *count, sizeof **list);
        if (!node_of(r, false, &(*list)[*count]))
            return false;
    }
    return *count > 0 ||
           es_tina_fail(&r->lexer, "the name of a transition is needed here, not %s", es_tina_shown(&r->lexer));
}

/* pr HIGH... > LOW..., or the other way round */
static bool priority(es_tina_reader *r)
{
    uint32_t *left, *right;
    size_t left_count, right_count;
    if (!transitions(r, &left, &left_count))
        return false;
    bool less = es_tina_is_mark(r, '<');
    if (!less && !es_tina_is_mark(r, '>'))
        return es_tina_fail(&r->lexer, "'<' or '>' is needed between the transitions, not %s",
                            es_tina_shown(&r->lexer));
    if (!es_tina_next(&r->lexer) || !transitions(r, &right, &right_count))
        return false;
    if (left_count * right_count > PAIRS_MAX - r->pair_count)
        return es_tina_fail(&r->lexer, "more than %u pairs of priorities", PAIRS_MAX);
    for (size_t i = 0; i < left_count; i++)
        for (size_t k = 0; k < right_count; k++) {
            r->pairs = es_arena_grow(r->scratch, r->pairs, r->pair_count, sizeof *r->pairs);
            r->pairs[r->pair_count][0] = less ? right[k] : left[i];
            r->pairs[r->pair_count++][1] = less ? left[i] : right[k];
        }
    return true;
}

static bool net_name(es_tina_reader *r)
{
    if (!es_tina_is_name(r))
        return es_tina_fail(&r->lexer, "the name of the net is needed here, not %s", es_tina_shown(&r->lexer));
    if (*r->lexer.text)
        r->net->id = r->net->name = es_arena_copy(r->net->arena, r->lexer.text, strlen(r->lexer.text));
    return es_tina_next(&r->lexer);
}

/* nt NAME 0|1 TEXT: a note for people */
static bool note(es_tina_reader *r)
{
    for (int i = 0; i < 3; i++) {
        if (!es_tina_is_name(r))
            return es_tina_fail(&r->lexer, "a note is a name, 0 or 1, and a text; not %s", es_tina_shown(&r->lexer));
        if (!es_tina_next(&r->lexer))
            return false;
    }
    return true;
}

/* Keeps the line for later. */
static bool keep_note(es_tina_reader *r)
{
    r->notes = es_arena_grow(r->scratch, r->notes, r->note_count, sizeof *r->notes);
    r->notes[r->note_count++] = r->lexer;
    while (r->lexer.at < r->lexer.end && *r->lexer.at != '\n')
        r->lexer.at++;
    if (!es_tina_next(&r->lexer)) /* the line's end */
        return false;
    return es_tina_next(&r->lexer);
}

static bool declaration(es_tina_reader *r)
{
    static const struct {
        const char *word;
        bool (*read)(es_tina_reader *);
    } kinds[] = {{"tr", transition}, {"pl", place}, {"lb", old_label},
                 {"pr", priority},   {"nt", note},  {"net", net_name}};
    if (r->lexer.token == ES_TINA_EARSHOT)
        return keep_note(r);
    for (size_t i = 0; r->lexer.token == ES_TINA_NAME && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(r->lexer.text, kinds[i].word) == 0)
            return es_tina_next(&r->lexer) && kinds[i].read(r);
    return es_tina_fail(&r->lexer, "a declaration begins with tr, pl, lb, pr, nt or net, not with %s",
                        es_tina_shown(&r->lexer));
}

/* The order of the file, with whatever `pr` puts after something after all that nothing is put before: by length of
 * the longest chain. */
static bool order_by_pairs(es_tina_reader *r)
{
    uint32_t count = r->net->transition_count, used = 0,
             *order = es_arena_alloc(r->scratch, (count + 1) * sizeof *order);
    uint32_t *before = es_arena_alloc(r->scratch, (count + 1) * sizeof *before); /* how many still come before */
    uint32_t *first =
        es_arena_alloc(r->scratch, (count + 1) * sizeof *first); /* of those that come after it, in `after` */
    uint32_t *fill = es_arena_alloc(r->scratch, (count + 1) * sizeof *fill);
    uint32_t *after = es_arena_alloc(r->scratch, (r->pair_count + 1) * sizeof *after);
    for (size_t i = 0; i < r->pair_count; i++) {
        before[r->pairs[i][1]]++;
        first[r->pairs[i][0] + 1]++;
    }
    for (uint32_t t = 0; t < count; t++)
        fill[t + 1] = first[t + 1] += first[t];
    for (size_t i = 0; i < r->pair_count; i++)
        after[fill[r->pairs[i][0]]++] = r->pairs[i][1];
    for (uint32_t t = 0; t < count; t++)
        if (!before[t])
            order[used++] = t;
    for (uint32_t i = 0; i < used; i++)
        for (uint32_t k = first[order[i]]; k < first[order[i] + 1]; k++)
            if (--before[after[k]] == 0)
                order[used++] = after[k];
    for (uint32_t t = 0; used < count && t < count; t++)
        if (before[t])
            return es_tina_fail(&r->lexer, "the priorities form a ring that '%.60s' is part of or waits for",
                                r->net->transitions[t].id);
    return es_net_order(r->net, order, r->lexer.err);
}

static bool read_all(es_tina_reader *r)
{
    bool has_order = false;
    if (!es_tina_next(&r->lexer))
        return false;
    while (r->lexer.token != ES_TINA_END)
        if (!declaration(r))
            return false;
    if (!es_net_finish(r->net, r->lexer.err)) /* the lines for earshot name outputs, which are known from here on */
        return fail_here(r);
    es_tina_lexer end = r->lexer;
    if (!es_tina_read_notes(r, &has_order))
        return false;
    r->lexer = end;
    if (r->pair_count && !has_order && !order_by_pairs(r))
        return false;
    return es_net_finish(r->net, r->lexer.err) || fail_here(r);
}

es_net *es_tina_read(const char *file, const char *bytes, size_t size, es_error *err)
{
    es_error ignored = {0};
    es_tina_reader reader = {.net = es_net_new(NULL), .scratch = es_arena_new()};
    es_tina_start(&reader.lexer, file, bytes, size, reader.scratch, err ? err : &ignored);
    bool good = read_all(&reader);
    es_arena_free(reader.scratch);
    if (good)
        return reader.net;
    es_net_free(reader.net);
    return NULL;
}
