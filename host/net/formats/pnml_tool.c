/* Earshot's own sections of PNML: time, order, monitors, routing. */
#include <stdlib.h>
#include <string.h>

#include "net/formats/pnml_private.h"

static bool check_known(es_pnml_reader *r, const es_pnml_node *node, const char *const *known)
{
    for (const es_pnml_node *child = node ? node->children : NULL; child; child = child->next) {
        const char *const *k = known;
        while (*k && strcmp(*k, child->name) != 0)
            k++;
        if (!*k)
            return es_pnml_fail(&r->tree, child, r->err,
                                "<%.60s> in <%s>: no such element is known in the section for earshot", child->name,
                                node->name);
    }
    return true;
}

static bool flag_of(es_pnml_reader *r, const es_pnml_node *node, const char *name, bool *flag)
{
    const char *text = es_pnml_attribute_of(node, name);
    *flag = text && strcmp(text, "true") == 0;
    return !text || *flag || strcmp(text, "false") == 0 ||
           es_pnml_fail(&r->tree, node, r->err, "%s has to be true or false, not '%.60s'", name, text);
}

static bool read_set(es_pnml_reader *r, const es_pnml_node *when, const char *name, es_net_set *set)
{
    uint32_t *list = NULL;
    for (const es_pnml_node *child = es_pnml_child(when, name); child; child = es_pnml_next(child)) {
        const es_pnml_entry *entry = es_pnml_find(r, child, es_pnml_attribute_of(child, "ref"), ES_PNML_TRANSITION);
        if (!entry)
            return false;
        list = es_arena_grow(r->scratch, list, set->count, sizeof *list);
        list[set->count++] = entry->index;
    }
    set->transitions = list;
    return true;
}

/* The output that `user`'s attribute "to" names. */
static bool read_output(es_pnml_reader *r, const es_pnml_node *user, uint32_t place, uint32_t *output)
{
    const es_pnml_entry *entry = es_pnml_find(r, user, es_pnml_attribute_of(user, "to"), ES_PNML_TRANSITION);
    if (!entry)
        return false;
    const es_net_place *p = &r->net->places[place];
    *output = entry->index;
    for (uint32_t i = 0; i < p->output_count; i++)
        if (p->outputs[i] == entry->index)
            return true;
    return es_pnml_fail(&r->tree, user, r->err, "transition '%.60s' is no output of the place", entry->id);
}

static bool read_rule(es_pnml_reader *r, const es_pnml_node *rule, uint32_t place)
{
    static const char *const in_rule[] = {"when", NULL}, *const in_when[] = {"to", "from", "last", NULL};
    es_net_condition *conditions = NULL;
    uint32_t count = 0, output;
    if (!check_known(r, rule, in_rule) || !read_output(r, rule, place, &output))
        return false;
    for (const es_pnml_node *when = es_pnml_child(rule, "when"); when; when = es_pnml_next(when)) {
        es_net_condition condition = {0};
        const es_pnml_entry *entry = es_pnml_find(r, when, es_pnml_attribute_of(when, "place"), ES_PNML_PLACE);
        if (!entry || !check_known(r, when, in_when) || !flag_of(r, when, "absent", &condition.absent) ||
            !read_set(r, when, "to", &condition.to) || !read_set(r, when, "from", &condition.from) ||
            !read_set(r, when, "last", &condition.last))
            return false;
        condition.place = entry->index;
        conditions = es_arena_grow(r->scratch, conditions, count, sizeof *conditions);
        conditions[count++] = condition;
    }
    return es_net_rule_add(r->net, place, output, conditions, count, r->err);
}

static bool read_place(es_pnml_reader *r, const es_pnml_entry *entry)
{
    static const char *const known[] = {"original", "source", "initialRoute", "rule", "signal", NULL};
    const es_pnml_node *tool = es_pnml_tool(entry->node), *route = es_pnml_child(tool, "initialRoute");
    if (!check_known(r, tool, known) ||
        (route && !read_output(r, route, entry->index, &r->net->places[entry->index].initial_route)))
        return false;
    r->net->places[entry->index].signal = es_pnml_child(tool, "signal") != NULL;
    for (const es_pnml_node *rule = es_pnml_child(tool, "rule"); rule; rule = es_pnml_next(rule))
        if (!read_rule(r, rule, entry->index))
            return false;
    return true;
}

static bool read_timing(es_pnml_reader *r, const es_pnml_node *timing, es_net_transition *transition, int64_t *priority)
{
    const char *delay = es_pnml_attribute_of(timing, "delay"), *order = es_pnml_attribute_of(timing, "priority");
    const char *process = es_pnml_attribute_of(timing, "process");
    int64_t number;
    if (delay && !es_pnml_number(r, timing, "delay", delay, 0, ES_NET_TICKS_MAX, &transition->delay))
        return false;
    if (order && !es_pnml_number(r, timing, "priority", order, 0, UINT32_MAX, priority))
        return false;
    if (process) {
        if (!es_pnml_number(r, timing, "process", process, 0, UINT16_MAX, &number))
            return false;
        transition->process = (int32_t)number;
    }
    return flag_of(r, timing, "untimed", &transition->untimed) && flag_of(r, timing, "fixed", &transition->fixed) &&
           flag_of(r, timing, "idle", &transition->idle) && flag_of(r, timing, "steady", &transition->steady) &&
           (!transition->untimed || transition->delay == 0 ||
            es_pnml_fail(&r->tree, timing, r->err, "an untimed transition has no delay"));
}

static bool read_transition(es_pnml_reader *r, const es_pnml_entry *entry, int64_t *priority)
{
    static const char *const known[] = {"original", "source", "timing", "monitor", NULL};
    const es_pnml_node *tool = es_pnml_tool(entry->node), *timing = es_pnml_child(tool, "timing"),
                       *monitor = es_pnml_child(tool, "monitor");
    es_net_transition *transition = &r->net->transitions[entry->index];
    *priority = -1;
    if (!check_known(r, tool, known) || (timing && !read_timing(r, timing, transition, priority)))
        return false;
    if (!monitor)
        return true;
    int64_t mark = 0, most = ES_NET_UNKNOWN;
    const char *mark_text = es_pnml_attribute_of(monitor, "mark"),
               *most_text = es_pnml_attribute_of(monitor, "markMax");
    return (!mark_text || es_pnml_number(r, monitor, "mark", mark_text, 0, ES_NET_TICKS_MAX, &mark)) &&
           (!most_text || es_pnml_number(r, monitor, "markMax", most_text, mark, ES_NET_TICKS_MAX, &most)) &&
           es_net_monitor(r->net, entry->index, mark, most, r->err);
}

struct ordered {
    int64_t priority; /* -1: none given */
    uint32_t index;
    const es_pnml_entry *entry;
};

static int by_priority(const void *a, const void *b)
{
    const struct ordered *one = a, *other = b;
    if ((one->priority < 0) != (other->priority < 0))
        return one->priority < 0 ? 1 : -1;
    if (one->priority != other->priority)
        return one->priority < other->priority ? -1 : 1;
    return one->index < other->index ? -1 : one->index > other->index;
}

/* Total order: those with a priority first, by it, then the others as in the file. */
static bool apply_order(es_pnml_reader *r, struct ordered *list, size_t count)
{
    uint32_t *order = es_arena_alloc(r->scratch, (count + 1) * sizeof *order);
    if (count)
        qsort(list, count, sizeof *list, by_priority);
    for (size_t i = 0; i < count; i++) {
        if (i && list[i].priority >= 0 && list[i].priority == list[i - 1].priority)
            return es_pnml_fail(&r->tree, list[i].entry->node, r->err, "priority %lld is taken already, by '%.60s'",
                                (long long)list[i].priority, list[i - 1].entry->id);
        order[i] = list[i].index;
    }
    return es_net_order(r->net, order, r->err);
}

static bool read_net_section(es_pnml_reader *r, const es_pnml_node *net)
{
    static const char *const known[] = {"tick", "process", NULL};
    const es_pnml_node *tool = es_pnml_tool(net), *tick = es_pnml_child(tool, "tick");
    if (!check_known(r, tool, known))
        return false;
    if (tick && *tick->text)
        r->net->tick = es_arena_copy(r->net->arena, tick->text, strlen(tick->text));
    for (const es_pnml_node *process = es_pnml_child(tool, "process"); process; process = es_pnml_next(process)) {
        int64_t number;
        const char *name = es_pnml_attribute_of(process, "name");
        if (!es_pnml_number(r, process, "number", es_pnml_attribute_of(process, "number"), 0, UINT16_MAX, &number) ||
            !es_net_process_name(r->net, (int32_t)number, name ? name : "", r->err))
            return false;
    }
    return true;
}

bool es_pnml_read_tools(es_pnml_reader *r, const es_pnml_node *net)
{
    struct ordered *order = es_arena_alloc(r->scratch, ((size_t)r->net->transition_count + 1) * sizeof *order);
    size_t count = 0;
    if (!read_net_section(r, net))
        return false;
    for (size_t i = 0; i < r->entry_count; i++) {
        const es_pnml_entry *entry = &r->entries[i];
        if (entry->kind == ES_PNML_PLACE && !read_place(r, entry))
            return false;
        if (entry->kind != ES_PNML_TRANSITION)
            continue;
        order[count] = (struct ordered){.index = entry->index, .entry = entry};
        if (!read_transition(r, entry, &order[count++].priority))
            return false;
    }
    return apply_order(r, order, count);
}
