#include "net_of.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static es_error error;

static void must(bool good, const char *line)
{
    if (good)
        return;
    fprintf(stderr, "net_of: %s: %s\n", line, error.text);
    exit(EXIT_FAILURE);
}

static uint32_t place_of(es_net *net, const char *id)
{
    uint32_t found = es_net_place_find(net, id);
    if (found == ES_NET_NONE)
        found = es_net_place_add(net, id, NULL, 0, NULL, &error);
    must(found != ES_NET_NONE, id);
    return found;
}

static void transition_line(es_net *net, char *rest)
{
    char *place, *word = strtok_r(rest, " ", &rest);
    uint32_t made = es_net_transition_add(net, word, NULL, 0, NULL, &error);
    must(made != ES_NET_NONE, word);
    while ((word = strtok_r(NULL, " ", &rest)) && strcmp(word, ":") != 0) {
        es_net_transition *at = &net->transitions[made];
        long long value = strlen(word) > 2 ? atoll(word + 2) : 0;
        if (*word == 'd')
            at->delay = value;
        else if (*word == 'm')
            must(es_net_monitor(net, made, value, ES_NET_UNKNOWN, &error), word);
        else if (*word == 'x')
            at->mark_max = value;
        else if (*word == 's')
            at->process = (int32_t)value;
        else if (*word == 'f')
            at->fixed = true;
        else if (*word == 'i')
            at->idle = true;
        else if (*word == 'y')
            at->steady = true;
        else
            at->untimed = true;
    }
    bool inputs = true;
    while ((place = strtok_r(NULL, " ", &rest))) {
        if (!strcmp(place, "->"))
            inputs = false;
        else if (inputs)
            must(es_net_arc_in(net, place_of(net, place), made, 1, &error), place);
        else
            must(es_net_arc_out(net, made, place_of(net, place), 1, &error), place);
    }
}

static void rule_line(es_net *net, char *rest)
{
    es_net_condition conditions[8];
    uint32_t count = 0, at = place_of(net, strtok_r(rest, " ", &rest)),
             to = es_net_transition_find(net, strtok_r(NULL, " ", &rest));
    for (char *word; (word = strtok_r(NULL, " ", &rest)) && count < 8; count++)
        conditions[count] = (es_net_condition){.place = place_of(net, word + (*word == '!')), .absent = *word == '!'};
    must(es_net_rule_add(net, at, to, conditions, count, &error), "rule");
}

es_net *net_of_unfinished(const char *text)
{
    es_net *net = es_net_new("test");
    char *copy = strdup(text), *rest = copy;
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        if (*line == 'p') {
            uint32_t place = place_of(net, line + 2);
            net->places[place].tokens++;
        } else if (*line == 'g') {
            uint32_t place = place_of(net, line + 2);
            net->places[place].signal = true;
        } else if (*line == 't') {
            transition_line(net, line + 2);
        } else {
            rule_line(net, line + 2);
        }
    }
    free(copy);
    return net;
}

es_net *net_of(const char *text)
{
    es_net *net = net_of_unfinished(text);
    must(es_net_finish(net, &error), text);
    return net;
}

bool push_all(es_net_recovery *recovery, const es_net *net, const char *events, es_error *err)
{
    char *copy = strdup(events), *rest = copy;
    uint64_t serial = 0;
    bool good = true;
    for (char *word; good && (word = strtok_r(rest, " ", &rest));) {
        char *at = strchr(word, '@'), *mark;
        *at = 0;
        es_net_observation event = {es_net_transition_find(net, word), strtoll(at + 1, &mark, 10), ES_NET_UNKNOWN,
                                    ++serial};
        if (*mark == '-')
            event.mark = atoll(mark + 1);
        good = es_net_recovery_push(recovery, &event, err);
    }
    free(copy);
    return good;
}

static void say(told *said, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(told *said, const char *format, ...)
{
    size_t used = strlen(said->text);
    va_list args;
    va_start(args, format);
    vsnprintf(said->text + used, sizeof said->text - used, format, args);
    va_end(args);
}

static const char *id_of(const told *said, uint32_t transition)
{
    return transition == ES_NET_NONE ? "-" : said->net->transitions[transition].id;
}

static void on_event(void *context, const es_net_recovered *event)
{
    told *said = context;
    say(said, "%s%s#%llu=%lld%c%s%s%s%s", *said->text ? " " : "", id_of(said, event->transition),
        (unsigned long long)event->number, (long long)event->time, "tpcl"[event->certainty],
        event -> flags &ES_NET_TIED ? "T" : "", event->flags &ES_NET_NEGATIVE ? "N" : "",
        event->flags &ES_NET_UNSAFE ? "U" : "", event->flags &ES_NET_REUSED ? "R" : "");
    say(said, "%s%s%s%s", event->flags & ES_NET_UNCOUNTED ? "?" : "", event->flags & ES_NET_NOMINAL ? "M" : "",
        event->flags & ES_NET_COMPUTED ? "F" : "", event->flags & ES_NET_REPEATED ? "A" : "");
    if (said->sources && event->certainty == ES_NET_PASTED)
        say(said, "<%llu", (unsigned long long)event->serial);
}

static void on_change(void *context, const es_net_change *change)
{
    told *said = context;
    say(said, "%s!%s:%s#%llu %lld:%s>%lld:%s%s%s", *said->text ? " " : "", said->net->places[change->place].id,
        id_of(said, change->transition), (unsigned long long)change->number, (long long)change->observed,
        id_of(said, change->observed_to), (long long)change->recovered, id_of(said, change->recovered_to),
        change->consequence ? "*" : "", change->flags & ES_NET_TIED ? "T" : "");
}

static void on_order(void *context, const es_net_order_change *change)
{
    told *said = context;
    say(said, "%s?%s#%llu %s>%s%s", *said->text ? " " : "", said->net->places[change->place].id,
        (unsigned long long)change->number, id_of(said, change->observed_from), id_of(said, change->recovered_from),
        change->consequence ? "*" : "");
}

static void on_cut(void *context, const es_net_cut *cut)
{
    told *said = context;
    say(said, "%sx%llu%c", *said->text ? " " : "", (unsigned long long)cut->serial, "cdla"[cut->reason]);
}

es_net_recovery *recovery_of(const es_net *net, told *said, es_net_recovery_options options)
{
    said->net = net;
    said->text[0] = 0;
    options.on_event = on_event;
    options.on_change = on_change;
    options.on_order = on_order;
    if (said->cuts)
        options.on_cut = on_cut;
    options.context = said;
    es_net_recovery *recovery = es_net_recovery_new(net, &options, &error);
    must(recovery, "recovery");
    return recovery;
}
