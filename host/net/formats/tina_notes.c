/* The lines of a .net file that only Earshot reads: "# earshot: ..." (tina.h lists them). */
#include <string.h>

#include "net/formats/tina_private.h"

static bool is_word(const es_tina_reader *r, const char *word)
{
    return r->lexer.token == ES_TINA_NAME && strcmp(r->lexer.text, word) == 0;
}

static bool existing(es_tina_reader *r, bool place, uint32_t *index)
{
    *index = !es_tina_is_name(r) ? ES_NET_NONE
             : place             ? es_net_place_find(r->net, r->lexer.text)
                                 : es_net_transition_find(r->net, r->lexer.text);
    if (*index == ES_NET_NONE)
        return es_tina_fail(&r->lexer, "the name of a %s of the net is needed here, not %s",
                            place ? "place" : "transition", es_tina_shown(&r->lexer));
    return es_tina_next(&r->lexer);
}

static bool text_of(es_tina_reader *r, const char *what, const char **text)
{
    if (!es_tina_is_name(r) || !*r->lexer.text)
        return es_tina_fail(&r->lexer, "%s is needed here, in braces, not %s", what, es_tina_shown(&r->lexer));
    *text = es_arena_copy(r->net->arena, r->lexer.text, strlen(r->lexer.text));
    return es_tina_next(&r->lexer);
}

static bool monitor(es_tina_reader *r)
{
    uint32_t t;
    int64_t mark = 0, most = ES_NET_UNKNOWN;
    if (!existing(r, false, &t) || (es_tina_is_name(r) && !es_tina_number(r, "the mark", ES_NET_TICKS_MAX, &mark)) ||
        (es_tina_is_name(r) && !es_tina_number(r, "the longest mark", ES_NET_TICKS_MAX, &most)))
        return false;
    if (most != ES_NET_UNKNOWN && most < mark)
        return es_tina_fail(&r->lexer, "the longest mark is shorter than the mark");
    return es_net_monitor(r->net, t, mark, most, r->lexer.err);
}

static bool untimed(es_tina_reader *r)
{
    uint32_t t;
    while (es_tina_is_name(r)) {
        if (!existing(r, false, &t))
            return false;
        if (r->net->transitions[t].delay)
            return es_tina_fail(&r->lexer, "'%.60s' has a delay, so it is not untimed", r->net->transitions[t].id);
        r->net->transitions[t].untimed = true;
    }
    return true;
}

/* Names of transitions up to the end of the line: to each `set` is done. */
static bool each_transition(es_tina_reader *r, void (*set)(es_net_transition *transition))
{
    uint32_t t;
    while (es_tina_is_name(r)) {
        if (!existing(r, false, &t))
            return false;
        set(&r->net->transitions[t]);
    }
    return true;
}

static void set_fixed(es_net_transition *transition)
{
    transition->fixed = true;
}

static void set_idle(es_net_transition *transition)
{
    transition->idle = true;
}

static void set_steady(es_net_transition *transition)
{
    transition->steady = true;
}

static bool fixed(es_tina_reader *r)
{
    return each_transition(r, set_fixed);
}

static bool idle(es_tina_reader *r)
{
    return each_transition(r, set_idle);
}

static bool steady(es_tina_reader *r)
{
    return each_transition(r, set_steady);
}

static bool signal_of(es_tina_reader *r)
{
    uint32_t p;
    while (es_tina_is_name(r)) {
        if (!existing(r, true, &p))
            return false;
        r->net->places[p].signal = true;
    }
    return true;
}

static bool process(es_tina_reader *r)
{
    int64_t number;
    uint32_t t;
    const char *name = NULL;
    if (!es_tina_number(r, "the number of the process", UINT16_MAX, &number))
        return false;
    if (r->lexer.token == ES_TINA_QUOTED &&
        (*r->lexer.text ? !(text_of(r, "the name of the process", &name) &&
                            es_net_process_name(r->net, (int32_t)number, name, r->lexer.err))
                        : !es_tina_next(&r->lexer)))
        return false;
    while (es_tina_is_name(r)) {
        if (!existing(r, false, &t))
            return false;
        r->net->transitions[t].process = (int32_t)number;
    }
    return true;
}

static bool source(es_tina_reader *r)
{
    if (!es_tina_is_name(r))
        return es_tina_fail(&r->lexer, "the name of a place or transition is needed here, not %s",
                            es_tina_shown(&r->lexer));
    uint32_t p = es_net_place_find(r->net, r->lexer.text), t = ES_NET_NONE;
    if (p == ES_NET_NONE && !existing(r, false, &t))
        return false;
    if (p != ES_NET_NONE && !es_tina_next(&r->lexer))
        return false;
    return text_of(r, "a place in the source",
                   p != ES_NET_NONE ? &r->net->places[p].source : &r->net->transitions[t].source);
}

static bool tick(es_tina_reader *r)
{
    return text_of(r, "the name of the tick", &r->net->tick);
}

/* PLACE -> OUTPUT */
static bool routed(es_tina_reader *r, uint32_t *place, uint32_t *output)
{
    if (!existing(r, true, place))
        return false;
    if (r->lexer.token != ES_TINA_ARROW)
        return es_tina_fail(&r->lexer, "'->' is needed after the place, not %s", es_tina_shown(&r->lexer));
    if (!es_tina_next(&r->lexer))
        return false;
    es_tina_lexer name = r->lexer;
    if (!existing(r, false, output))
        return false;
    const es_net_place *p = &r->net->places[*place];
    for (uint32_t i = 0; i < p->output_count; i++)
        if (p->outputs[i] == *output)
            return true;
    return es_tina_fail(&name, "'%.60s' is no output of '%.60s'", r->net->transitions[*output].id, p->id);
}

static bool start(es_tina_reader *r)
{
    uint32_t place, output;
    if (!routed(r, &place, &output))
        return false;
    r->net->places[place].initial_route = output;
    return true;
}

/* TRANSITION... up to the next word. Names that are words go in braces. */
static bool set(es_tina_reader *r, es_net_set *set_of)
{
    uint32_t *list = NULL, t;
    es_net_set result = {0};
    do {
        if (!existing(r, false, &t))
            return false;
        list = es_arena_grow(r->scratch, list, result.count, sizeof *list);
        list[result.count++] = t;
    } while (es_tina_is_name(r) && !is_word(r, "and") && !is_word(r, "from") && !is_word(r, "to") &&
             !is_word(r, "last"));
    result.transitions = list;
    *set_of = result;
    return true;
}

/* [not] PLACE [from T...] [to T...] [last T...] */
static bool condition(es_tina_reader *r, es_net_condition *c)
{
    if (is_word(r, "not")) {
        c->absent = true;
        if (!es_tina_next(&r->lexer))
            return false;
    }
    if (!existing(r, true, &c->place))
        return false;
    for (;;) {
        es_net_set *which = is_word(r, "from")   ? &c->from
                            : is_word(r, "to")   ? &c->to
                            : is_word(r, "last") ? &c->last
                                                 : NULL;
        if (!which)
            return true;
        if (which->count)
            return es_tina_fail(&r->lexer, "%s stands here already", es_tina_shown(&r->lexer));
        if (!es_tina_next(&r->lexer) || !set(r, which))
            return false;
    }
}

static bool route(es_tina_reader *r)
{
    uint32_t place = 0, output = 0, count = 0;
    es_net_condition *conditions = NULL;
    if (!routed(r, &place, &output))
        return false;
    bool more = is_word(r, "if");
    if (!more && r->lexer.token != ES_TINA_NEWLINE)
        return es_tina_fail(&r->lexer, "'if' is needed before conditions, not %s", es_tina_shown(&r->lexer));
    while (more) {
        conditions = es_arena_grow(r->scratch, conditions, count, sizeof *conditions);
        conditions[count] = (es_net_condition){0};
        if (!es_tina_next(&r->lexer) || !condition(r, &conditions[count++]))
            return false;
        more = is_word(r, "and");
    }
    return es_net_rule_add(r->net, place, output, conditions, count, r->lexer.err);
}

static bool order(es_tina_reader *r)
{
    uint32_t count = r->net->transition_count, used = 0;
    uint32_t *list = es_arena_alloc(r->scratch, (count + 1) * sizeof *list);
    bool *seen = es_arena_alloc(r->scratch, count + 1);
    while (es_tina_is_name(r)) {
        es_tina_lexer name = r->lexer;
        uint32_t t;
        if (!existing(r, false, &t))
            return false;
        if (seen[t])
            return es_tina_fail(&name, "'%.60s' stands in the order twice", r->net->transitions[t].id);
        seen[t] = true;
        list[used++] = t;
    }
    for (uint32_t t = 0; t < count; t++) /* those not named come last, as in the file */
        if (!seen[t])
            list[used++] = t;
    return es_net_order(r->net, list, r->lexer.err);
}

bool es_tina_read_notes(es_tina_reader *r, bool *has_order)
{
    static const struct {
        const char *word;
        bool (*read)(es_tina_reader *);
    } kinds[] = {{"monitor", monitor}, {"untimed", untimed},  {"process", process}, {"source", source},
                 {"tick", tick},       {"start", start},      {"route", route},     {"order", order},
                 {"fixed", fixed},     {"signal", signal_of}, {"idle", idle},       {"steady", steady}};
    const size_t kind_count = sizeof kinds / sizeof *kinds;
    for (size_t i = 0; i < r->note_count; i++) {
        r->lexer = r->notes[i];
        if (!es_tina_next(&r->lexer))
            return false;
        size_t kind = 0;
        while (kind < kind_count && !is_word(r, kinds[kind].word))
            kind++;
        if (kind == kind_count)
            return es_tina_fail(
                &r->lexer,
                "a line for earshot begins with monitor, untimed, fixed, idle, steady, signal, process, source, "
                "tick, start, route or order, not with %s",
                es_tina_shown(&r->lexer));
        *has_order = *has_order || kinds[kind].read == order;
        if (!es_tina_next(&r->lexer) || !kinds[kind].read(r))
            return false;
        if (r->lexer.token != ES_TINA_NEWLINE)
            return es_tina_fail(&r->lexer, "nothing more was expected in this line, not %s", es_tina_shown(&r->lexer));
    }
    return true;
}
