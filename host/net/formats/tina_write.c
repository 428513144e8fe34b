#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "net/formats/tina.h"

/* Words that have a meaning somewhere; as names they go in braces. */
static bool is_reserved(const char *name)
{
    static const char *const words[] = {"tr",  "pl",  "lb",   "pr", "nt",   "net", "if",
                                        "and", "not", "from", "to", "last", "w"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

static bool is_plain(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'";
    return *name && name[strspn(name, allowed)] == 0 && !(*name >= '0' && *name <= '9') && !is_reserved(name);
}

static void put_quoted(es_text_buffer *out, const char *name)
{
    es_text_add(out, " {", 2);
    for (; *name; name++) {
        if (strchr("{}\\", *name))
            es_text_add(out, "\\", 1);
        es_text_add(out, name, 1);
    }
    es_text_add(out, "}", 1);
}

/* A blank and the name. */
static void put(es_text_buffer *out, const char *name)
{
    if (is_plain(name))
        es_text_format(out, " %s", name);
    else
        put_quoted(out, name);
}

/* Well-formed text in one line. */
static bool is_line(const char *text)
{
    for (size_t room = text ? strlen(text) : 0; room;) {
        size_t length = es_utf8_length(text, room);
        if (!length || (unsigned char)*text < ' ' || *text == 0x7F)
            return false;
        text += length;
        room -= length;
    }
    return true;
}

static bool check_texts(const es_net *net, es_error *err)
{
    for (uint32_t i = 0; i < net->place_count; i++)
        if (!is_line(net->places[i].id) || !is_line(net->places[i].name) || !is_line(net->places[i].source))
            return es_fail(
                err, ES_USAGE,
                "place number %u has an id, a name or a source that is not one line of text; .net cannot hold it", i);
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (!is_line(net->transitions[i].id) || !is_line(net->transitions[i].name) ||
            !is_line(net->transitions[i].source))
            return es_fail(
                err, ES_USAGE,
                "transition number %u has an id, a name or a source that is not one line of text; .net cannot hold it",
                i);
    bool good = is_line(net->name) && is_line(net->tick);
    for (uint32_t i = 0; i < net->process_count; i++)
        good = good && is_line(net->processes[i]);
    return good || es_fail(err, ES_USAGE, "a name in the net is not one line of text; .net cannot hold it");
}

static void put_label(es_text_buffer *out, const char *id, const char *name)
{
    if (strcmp(id, name) == 0)
        return;
    es_text_add(out, " :", 2);
    put(out, name);
}

static void put_arc(const es_net *net, es_text_buffer *out, uint32_t arc, const char *name)
{
    put(out, name);
    if (net->arcs[arc].weight != 1)
        es_text_format(out, "*%u", net->arcs[arc].weight);
}

static void put_transition(const es_net *net, es_text_buffer *out, const es_net_transition *t)
{
    es_text_format(out, "tr");
    put(out, t->id);
    put_label(out, t->id, t->name);
    es_text_format(out, " [%" PRId64 ",%" PRId64 "]", t->delay, t->delay);
    for (uint32_t i = 0; i < t->input_count; i++)
        put_arc(net, out, t->input_arcs[i], net->places[t->inputs[i]].id);
    es_text_format(out, " ->");
    for (uint32_t i = 0; i < t->output_count; i++)
        put_arc(net, out, t->output_arcs[i], net->places[t->outputs[i]].id);
    es_text_format(out, "\n");
}

/* Places are declared before the transitions: their order is that of the net then. */
static void put_place(es_text_buffer *out, const es_net_place *p)
{
    es_text_format(out, "pl");
    put(out, p->id);
    put_label(out, p->id, p->name);
    if (p->tokens)
        es_text_format(out, " (%u)", p->tokens);
    es_text_format(out, "\n");
}

static void put_set(const es_net *net, es_text_buffer *out, const char *word, const es_net_set *set)
{
    if (set->count)
        es_text_format(out, " %s", word);
    for (uint32_t i = 0; i < set->count; i++)
        put(out, net->transitions[set->transitions[i]].id);
}

static void put_routing(const es_net *net, es_text_buffer *out, const es_net_place *p)
{
    if (p->initial_route != ES_NET_NONE) {
        es_text_format(out, "# earshot: start");
        put(out, p->id);
        es_text_format(out, " ->");
        put(out, net->transitions[p->initial_route].id);
        es_text_format(out, "\n");
    }
    for (uint32_t i = 0; i < p->rule_count; i++) {
        es_text_format(out, "# earshot: route");
        put(out, p->id);
        es_text_format(out, " ->");
        put(out, net->transitions[p->rules[i].transition].id);
        for (uint32_t k = 0; k < p->rules[i].condition_count; k++) {
            const es_net_condition *c = &p->rules[i].conditions[k];
            es_text_format(out, " %s%s", k ? "and" : "if", c->absent ? " not" : "");
            put(out, net->places[c->place].id);
            put_set(net, out, "from", &c->from);
            put_set(net, out, "to", &c->to);
            put_set(net, out, "last", &c->last);
        }
        es_text_format(out, "\n");
    }
}

static void put_source(es_text_buffer *out, const char *id, const char *source)
{
    if (!source || !*source)
        return;
    es_text_format(out, "# earshot: source");
    put(out, id);
    put_quoted(out, source);
    es_text_format(out, "\n");
}

/* A word that the net says of a transition. */
static void put_word(es_text_buffer *out, const es_net_transition *t, const char *word)
{
    es_text_format(out, "# earshot: %s", word);
    put(out, t->id);
    es_text_format(out, "\n");
}

static void put_monitor(es_text_buffer *out, const es_net_transition *t)
{
    if (t->untimed)
        put_word(out, t, "untimed");
    if (t->fixed)
        put_word(out, t, "fixed");
    if (t->steady)
        put_word(out, t, "steady");
    if (t->idle)
        put_word(out, t, "idle");
    if (t->monitor) {
        es_text_format(out, "# earshot: monitor");
        put(out, t->id);
        if (t->mark || t->mark_max != ES_NET_UNKNOWN)
            es_text_format(out, " %" PRId64, t->mark);
        if (t->mark_max != ES_NET_UNKNOWN)
            es_text_format(out, " %" PRId64, t->mark_max);
        es_text_format(out, "\n");
    }
}

static void put_signal(es_text_buffer *out, const es_net_place *place)
{
    if (!place->signal)
        return;
    es_text_format(out, "# earshot: signal");
    put(out, place->id);
    es_text_format(out, "\n");
}

struct step {
    int32_t process;
    uint32_t transition;
};

static int by_process(const void *a, const void *b)
{
    const struct step *one = a, *other = b;
    if (one->process != other->process)
        return one->process < other->process ? -1 : 1;
    return one->transition < other->transition ? -1 : one->transition > other->transition;
}

static void begin_process(const es_net *net, es_text_buffer *out, int32_t number)
{
    es_text_format(out, "# earshot: process %d", (int)number);
    /* Braces also around no name: what comes first in braces is the name. */
    put_quoted(out, (uint32_t)number < net->process_count && net->processes[number] ? net->processes[number] : "");
}

/* One line for each process that has a name or steps. */
static void put_processes(const es_net *net, es_text_buffer *out, es_arena *arena)
{
    struct step *steps = es_arena_alloc(arena, (net->transition_count + 1) * sizeof *steps);
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (net->transitions[i].process >= 0)
            steps[count++] = (struct step){net->transitions[i].process, i};
    if (count)
        qsort(steps, count, sizeof *steps, by_process);
    int32_t last = count ? steps[count - 1].process : -1, named = (int32_t)net->process_count;
    for (int32_t number = 0; number <= last || number < named; number++) {
        bool has_steps = at < count && steps[at].process == number;
        if (!has_steps && !(number < named && net->processes[number] && *net->processes[number]))
            continue;
        begin_process(net, out, number);
        for (; at < count && steps[at].process == number; at++)
            put(out, net->transitions[steps[at].transition].id);
        es_text_format(out, "\n");
    }
}

/* The order, when it is not that of the file. */
static void put_order(const es_net *net, es_text_buffer *out, es_arena *arena)
{
    bool same = true;
    for (uint32_t i = 1; i < net->transition_count; i++)
        same = same && net->transitions[i - 1].priority < net->transitions[i].priority;
    if (same)
        return;
    uint32_t *order = es_net_by_priority(net, arena);
    es_text_format(out, "# earshot: order");
    for (uint32_t i = 0; i < net->transition_count; i++)
        put(out, net->transitions[order[i]].id);
    es_text_format(out, "\n");
}

bool es_tina_write(const es_net *net, es_text_buffer *out, es_error *err)
{
    if (!check_texts(net, err))
        return false;
    es_text_format(out, "net");
    put(out, net->name);
    es_text_format(out, "\n");
    for (uint32_t i = 0; i < net->place_count; i++)
        put_place(out, &net->places[i]);
    for (uint32_t i = 0; i < net->transition_count; i++)
        put_transition(net, out, &net->transitions[i]);
    if (net->tick && *net->tick) {
        es_text_format(out, "# earshot: tick");
        put_quoted(out, net->tick);
        es_text_format(out, "\n");
    }
    es_arena *arena = es_arena_new();
    put_processes(net, out, arena);
    put_order(net, out, arena);
    es_arena_free(arena);
    for (uint32_t i = 0; i < net->transition_count; i++)
        put_monitor(out, &net->transitions[i]);
    for (uint32_t i = 0; i < net->place_count; i++)
        put_signal(out, &net->places[i]);
    for (uint32_t i = 0; i < net->place_count; i++)
        put_routing(net, out, &net->places[i]);
    for (uint32_t i = 0; i < net->place_count; i++)
        put_source(out, net->places[i].id, net->places[i].source);
    for (uint32_t i = 0; i < net->transition_count; i++)
        put_source(out, net->transitions[i].id, net->transitions[i].source);
    return true;
}
