#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/net/recover.h"
#include "net/timeline/timeline.h"

#define TOGETHER 32768 /* bytes of lines that are written at once */

void es_net_print_flush(es_net_printer *p)
{
    if (p->waiting_count)
        es_net_print_event_lines(p);
    if (p->lines.length)
        fwrite_unlocked(p->lines.text, 1, p->lines.length, stdout);
    es_text_clear(&p->lines);
}

void es_net_print_end(es_net_printer *p)
{
    es_text_free(&p->lines);
    es_text_free(&p->line);
}

static void finish_line(es_net_printer *p)
{
    if (p->waiting_count)
        es_net_print_event_lines(p);
    es_text_add(&p->line, "\n", 1);
    es_text_add(&p->lines, p->line.text, p->line.length);
    es_text_clear(&p->line);
    if (!p->together || p->lines.length >= TOGETHER)
        es_net_print_flush(p);
}

static const char *id_of(const es_net_printer *p, uint32_t transition)
{
    return transition == ES_NET_NONE ? NULL : p->net->transitions[transition].id;
}

/* Flags are there, as true, only when so. */
static void json_flag(es_json *j, const char *key, bool flag)
{
    if (!flag)
        return;
    es_json_key(j, key);
    es_json_bool(j, true);
}

static es_json begin(es_net_printer *p, const char *event)
{
    es_json json = {.out = &p->line};
    es_json_begin(&json, '{');
    es_json_put_string(&json, "event", event);
    return json;
}

static void json_known(const es_net_printer *p, es_json *j)
{
    if (p->live)
        es_json_put_int(j, "known", p->known);
}

static inline es_net_waiting waiting(const es_net_recovered *event)
{
    return (es_net_waiting){.time = event->time,
                            .observed = event->observed,
                            .number = event->number,
                            .serial = event->serial,
                            .mark = event->mark,
                            .source_number = event->source_number,
                            .transition = event->transition,
                            .certainty = (uint16_t)event->certainty,
                            .flags = (uint16_t)event->flags};
}

void es_net_print_event(es_net_printer *p, const es_net_recovered *event)
{
    if (p->quiet && !p->json) {
        p->uncalibrated +=
            event->serial != ES_NET_NO_SERIAL && event->mark != p->net->transitions[event->transition].mark;
        return;
    }
    p->waiting[p->waiting_count++] = waiting(event);
    if (p->together && p->waiting_count < ES_NET_PRINT_WAITING)
        return;
    es_net_print_event_lines(p);
    if (!p->together || p->lines.length >= TOGETHER)
        es_net_print_flush(p);
}

void es_net_print_change(es_net_printer *p, const es_net_change *c)
{
    const char *place = p->net->places[c->place].id;
    if (p->json) {
        es_json j = begin(p, "change");
        es_json_put_string(&j, "place", place);
        es_json_put_string(&j, "transition", id_of(p, c->transition));
        es_json_put_uint(&j, "number", c->number);
        if (c->serial != ES_NET_NO_SERIAL)
            es_json_put_uint(&j, "line", c->serial);
        es_json_put_uint(&j, "arrival", c->arrival);
        es_json_put_string(&j, "observed_to", id_of(p, c->observed_to));
        es_json_put_string(&j, "recovered_to", id_of(p, c->recovered_to));
        if (c->serial != ES_NET_NO_SERIAL)
            es_json_put_int(&j, "observed", c->observed);
        es_json_put_int(&j, "recovered", c->recovered);
        json_known(p, &j);
        json_flag(&j, "tied", c->flags & ES_NET_TIED);
        json_flag(&j, "consequence", c->consequence);
        es_json_end(&j, '}');
    } else {
        const char *observed = id_of(p, c->observed_to), *recovered = id_of(p, c->recovered_to);
        if (c->serial != ES_NET_NO_SERIAL)
            es_text_format(&p->line, "%12" PRId64, c->observed);
        else
            es_text_format(&p->line, "%12s", "-");
        es_text_format(
            &p->line,
            " %12" PRId64 "  CHANGE%s at %s, after %s %" PRIu64 ": observed -> %s, without monitoring -> %s%s",
            c->recovered, c->consequence ? " (a consequence)" : "", p->net->places[c->place].name,
            c->transition == ES_NET_NONE ? "the start" : p->net->transitions[c->transition].name, c->number,
            observed ? observed : "nothing", recovered ? recovered : "nothing", c->flags & ES_NET_TIED ? ", tied" : "");
    }
    finish_line(p);
}

void es_net_print_cut(es_net_printer *p, const es_net_cut *c)
{
    static const char *const reasons[] = {"change", "paste-limit", "lost", "asked"};
    static const char *const texts[] = {"after a change the recovered run does not get there",
                                        "given up after a change (--paste-limit)", "after lost marks",
                                        "without marks it is not asked so often"};
    if (p->json) {
        es_json j = begin(p, "cut");
        es_json_put_string(&j, "transition", p->net->transitions[c->transition].id);
        es_json_put_int(&j, "observed", c->observed);
        es_json_put_uint(&j, "line", c->serial);
        es_json_put_string(&j, "reason", reasons[c->reason]);
        json_known(p, &j);
        es_json_end(&j, '}');
    } else if (p->quiet) {
        return;
    } else {
        es_text_format(&p->line, "%12" PRId64 " %12s  %s  cut out: %s", c->observed, "-",
                       p->net->transitions[c->transition].name, texts[c->reason]);
    }
    finish_line(p);
}

void es_net_print_order(es_net_printer *p, const es_net_order_change *c)
{
    const char *place = p->net->places[c->place].id;
    const char *observed = id_of(p, c->observed_from), *recovered = id_of(p, c->recovered_from);
    if (p->json) {
        es_json j = begin(p, "order");
        es_json_put_string(&j, "place", place);
        es_json_put_uint(&j, "number", c->number);
        es_json_put_string(&j, "observed_from", observed);
        es_json_put_string(&j, "recovered_from", recovered);
        es_json_put_int(&j, "recovered", c->recovered);
        json_known(p, &j);
        json_flag(&j, "tied", c->flags & ES_NET_TIED);
        json_flag(&j, "consequence", c->consequence);
        es_json_end(&j, '}');
    } else {
        es_text_format(
            &p->line,
            "%12s %12" PRId64 "  ORDER%s at %s, arrival %" PRIu64 ": observed from %s, without monitoring from %s%s",
            "", c->recovered, c->consequence ? " (a consequence)" : "", p->net->places[c->place].name, c->number,
            observed ? observed : "nobody", recovered ? recovered : "nobody", c->flags & ES_NET_TIED ? ", tied" : "");
    }
    finish_line(p);
}

static const char *process_name(const es_net *net, int32_t process, char room[24])
{
    if (process >= 0 && (uint32_t)process < net->process_count && net->processes[process])
        return net->processes[process];
    if (process < 0)
        return "what belongs to no process";
    snprintf(room, 24, "process %d", (int)process);
    return room;
}

static void print_doubt(es_net_printer *p, int32_t process, const es_net_doubt *d)
{
    static const char *const reasons[] = {"", "change", "heard", "length", "lost", "order"};
    const es_net *net = p->net;
    char room[24];
    const char *who = process_name(net, process, room);
    const char *step = net->transitions[d->transition].name;
    if (p->json) {
        es_json j = begin(p, "uncertain");
        es_json_put_int(&j, "process", process);
        es_json_put_string(&j, "name", who);
        es_json_put_string(&j, "reason", reasons[d->reason]);
        es_json_put_int(&j, "time", d->time);
        es_json_put_string(&j, "transition", net->transitions[d->transition].id);
        if ((d->reason == ES_NET_DOUBT_CHANGE || d->reason == ES_NET_DOUBT_ORDER) && d->place != ES_NET_NONE)
            es_json_put_string(&j, "place", net->places[d->place].id);
        if (d->reason == ES_NET_DOUBT_HEARD && d->other >= 0)
            es_json_put_int(&j, "other", d->other);
        if (d->again)
            es_json_put_int(&j, "certain_again", d->again_from);
        es_json_end(&j, '}');
        finish_line(p);
        return;
    }
    fprintf(stderr, "earshot: %s is not certain from %" PRId64 " on (%s): ", who, d->time, step);
    if (d->reason == ES_NET_DOUBT_CHANGE)
        fprintf(stderr, "at %s it goes otherwise than observed, and what it does then may take another time\n",
                d->place == ES_NET_NONE ? "its start" : net->places[d->place].name);
    else if (d->reason == ES_NET_DOUBT_LENGTH)
        fprintf(stderr,
                "how long this step takes when it asks again was not observed in the same way; a longer run, or "
                "cheaper marks, may show it\n");
    else if (d->reason == ES_NET_DOUBT_ORDER)
        fprintf(stderr, "at %s the order of events at one time decides, and steps without marks hide it\n",
                net->places[d->place].name);
    else if (d->again)
        fprintf(stderr, "marks were lost; it is again from %" PRId64 " on\n", d->again_from);
    else
        fprintf(stderr, "marks were lost\n");
}

/* Text tells where it began, and how many processes that reaches. */
void es_net_print_doubts(es_net_printer *p, const es_net_recovery *recovery)
{
    es_net_print_flush(p);
    fflush(stdout);
    int32_t most = ES_NET_NO_PROCESS;
    unsigned heard = 0;
    for (uint32_t i = 0; i < p->net->transition_count; i++)
        most = p->net->transitions[i].process > most ? p->net->transitions[i].process : most;
    for (int32_t process = ES_NET_NO_PROCESS; process <= most; process++) {
        es_net_doubt doubt = es_net_recovery_doubt(recovery, process);
        if (doubt.reason && (p->json || doubt.reason != ES_NET_DOUBT_HEARD))
            print_doubt(p, process, &doubt);
        heard += doubt.reason == ES_NET_DOUBT_HEARD;
    }
    if (heard && !p->json)
        fprintf(stderr, "earshot: %u %s heard of that and %s not certain any more; --json names each\n", heard,
                es_plural(heard, "process has", "processes have"), es_plural(heard, "is", "are"));
}

void es_net_print_totals(es_net_printer *p, const es_net_recovery_totals *t)
{
    es_net_print_flush(p); /* counts the uncalibrated */
    if (p->json) {
        es_json j = begin(p, "summary");
        es_json_put_uint(&j, "observed", t->observed);
        es_json_put_uint(&j, "recovered", t->recovered);
        for (int i = 0; i < 4; i++)
            es_json_put_uint(&j, es_net_class_name((enum es_net_class)i), t->by_class[i]);
        es_json_put_uint(&j, "decisions", t->decisions);
        es_json_put_uint(&j, "changes", t->changes);
        es_json_put_uint(&j, "consequences", t->consequences);
        es_json_put_uint(&j, "order_changes", t->order_changes);
        es_json_put_uint(&j, "ties", t->ties);
        es_json_put_uint(&j, "dropped", t->dropped);
        es_json_put_uint(&j, "cut", t->waiting + t->dropped + t->asked);
        es_json_put_uint(&j, "asked_less", t->asked);
        es_json_put_uint(&j, "asked_more", t->repeated);
        es_json_put_uint(&j, "reused", t->reused);
        es_json_put_uint(&j, "computed", t->computed);
        es_json_put_uint(&j, "open_most", t->open_most);
        es_json_put_uint(&j, "uncalibrated", p->uncalibrated);
        if (t->has_stopped)
            es_json_put_int(&j, "stopped", t->stopped);
        es_json_end(&j, '}');
        finish_line(p);
        return;
    }
    fflush(stdout);
    fprintf(stderr,
            "earshot: %" PRIu64 " %s observed, %" PRIu64 " recovered: %" PRIu64 " totally, %" PRIu64
            " possibly, %" PRIu64 " pasted, %" PRIu64 " after losses; %" PRIu64 " %s%s\n",
            t->observed, es_plural(t->observed, "event", "events"), t->recovered, t->by_class[ES_NET_TOTALLY],
            t->by_class[ES_NET_POSSIBLY], t->by_class[ES_NET_PASTED], t->by_class[ES_NET_LOST],
            t->changes + t->order_changes, es_plural(t->changes + t->order_changes, "change", "changes"),
            t->has_stopped ? "; stopped at the first" : "");
    if (t->waiting + t->dropped || t->reused)
        fprintf(stderr, "earshot: after changes, %" PRIu64 " observed %s cut out and %" PRIu64 " %s used again\n",
                t->waiting + t->dropped, es_plural(t->waiting + t->dropped, "event was", "events were"), t->reused,
                es_plural(t->reused, "stretch", "stretches"));
    if (t->repeated || t->asked)
        fprintf(stderr,
                "earshot: where programs ask again until something is there, %" PRIu64 " %s without marks, and %" PRIu64
                " observed %s not\n",
                t->repeated, es_plural(t->repeated, "step comes more", "steps come more"), t->asked,
                es_plural(t->asked, "one does", "ones do"));
    if (p->uncalibrated)
        fprintf(stderr, "earshot: %" PRIu64 " %s another time than calibrated; as measured is what counts\n",
                p->uncalibrated, es_plural(p->uncalibrated, "mark took", "marks took"));
    if (t->dropped)
        fprintf(stderr, "earshot: %" PRIu64 " %s given up; --paste-limit allows more\n", t->dropped,
                es_plural(t->dropped, "measurement was", "measurements were"));
}
