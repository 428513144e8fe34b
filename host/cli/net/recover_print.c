#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/net/recover.h"
#include "net/timeline/timeline.h"

#define TOGETHER 32768 /* bytes of lines that are written at once */

void es_net_print_flush(es_net_printer *p)
{
    if (p->line.length)
        fwrite_unlocked(p->line.text, 1, p->line.length, stdout);
    es_text_clear(&p->line);
}

static void finish_line(es_net_printer *p)
{
    es_text_add(&p->line, "\n", 1);
    if (!p->together || p->line.length >= TOGETHER)
        es_net_print_flush(p);
}

static const char *id_of(const es_net_printer *p, uint32_t transition)
{
    return transition == ES_NET_NONE ? NULL : p->net->transitions[transition].id;
}

static void json_string(es_json *j, const char *key, const char *text)
{
    es_json_key(j, key);
    es_json_string(j, text);
}

static void json_int(es_json *j, const char *key, int64_t value)
{
    es_json_key(j, key);
    es_json_int(j, value);
}

static void json_uint(es_json *j, const char *key, uint64_t value)
{
    es_json_key(j, key);
    es_json_uint(j, value);
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
    json_string(&json, "event", event);
    return json;
}

static void json_known(const es_net_printer *p, es_json *j)
{
    if (p->live)
        json_int(j, "known", p->known);
}

static char *put(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

#define PUT(to, text) put(to, text, sizeof(text) - 1)
#define LINE_ROOM 512 /* characters of an event, more than there ever are without the transition's name */
#define BEGIN_EVENT "{\"event\":\"recovered\",\"transition\":"

static char *put_flag(char *to, const char *member, bool flag)
{
    return flag ? put(to, member, strlen(member)) : to;
}

/* As es_json writes it; by hand, because these lines are nearly all that a run prints. */
static void event_json(es_net_printer *p, const es_net_recovered *e)
{
    const es_net_transition *transition = &p->net->transitions[e->transition];
    const char *certainty = es_net_class_name(e->certainty);
    es_json id = {.out = &p->line};
    es_text_add(&p->line, BEGIN_EVENT, sizeof BEGIN_EVENT - 1);
    es_json_string(&id, transition->id);
    char *to = es_text_room(&p->line, LINE_ROOM);
    to = es_put_decimal(PUT(to, ",\"number\":"), (int64_t)e->number, 0);
    if (transition->process != ES_NET_NO_PROCESS)
        to = es_put_decimal(PUT(to, ",\"process\":"), transition->process, 0);
    to = es_put_decimal(PUT(to, ",\"time\":"), e->time, 0);
    to = put(PUT(to, ",\"class\":\""), certainty, strlen(certainty));
    to = PUT(to, "\"");
    if (e->serial != ES_NET_NO_SERIAL) {
        to = es_put_decimal(PUT(to, ",\"observed\":"), e->observed, 0);
        to = es_put_decimal(PUT(to, ",\"observed_number\":"), (int64_t)e->source_number, 0);
        to = es_put_decimal(PUT(to, ",\"mark\":"), e->mark, 0);
        to = es_put_decimal(PUT(to, ",\"calibrated\":"), transition->mark, 0);
        to = es_put_decimal(PUT(to, ",\"line\":"), (int64_t)e->serial, 0);
    }
    if (p->live)
        to = es_put_decimal(PUT(to, ",\"known\":"), p->known, 0);
    to = put_flag(to, ",\"computed\":true", e->flags & ES_NET_COMPUTED);
    to = put_flag(to, ",\"nominal\":true", e->flags & ES_NET_NOMINAL);
    to = put_flag(to, ",\"tied\":true", e->flags & ES_NET_TIED);
    to = put_flag(to, ",\"negative\":true", e->flags & ES_NET_NEGATIVE);
    to = put_flag(to, ",\"unsafe\":true", e->flags & ES_NET_UNSAFE);
    to = put_flag(to, ",\"reused\":true", e->flags & ES_NET_REUSED);
    to = PUT(to, "}");
    *to = 0;
    p->line.length = (size_t)(to - p->line.text);
}

/* Of most lines this is all: written without a look at a format. */
static void event_text(es_net_printer *p, const es_net_recovered *e)
{
    static const char *const remarks[] = {"", "  possibly", "  pasted", "  lost"};
    const es_net_transition *transition = &p->net->transitions[e->transition];
    bool has_source = e->serial != ES_NET_NO_SERIAL;
    size_t length = strlen(transition->name);
    char *to = es_text_room(&p->line, length + LINE_ROOM);
    to = has_source ? es_put_decimal(to, e->observed, 12) : PUT(to, "           -");
    to = PUT(to, " ");
    to = es_put_decimal(to, e->time, 12);
    to = PUT(to, "  ");
    to = put(to, transition->name, length);
    to = PUT(to, " ");
    to = es_put_decimal(to, (int64_t)e->number, 0);
    if (e->certainty)
        to = put(to, remarks[e->certainty], strlen(remarks[e->certainty]));
    if (e->certainty == ES_NET_PASTED && has_source) {
        to = PUT(to, " from line ");
        to = es_put_decimal(to, (int64_t)e->serial, 0);
    }
    if (e->flags & ES_NET_NOMINAL)
        to = PUT(to, ", never observed: with the net's delay");
    if (has_source && e->mark != transition->mark) {
        to = PUT(to, ", mark ");
        to = es_put_decimal(to, e->mark, 0);
        to = PUT(to, " (calibrated ");
        to = es_put_decimal(to, transition->mark, 0);
        to = PUT(to, ")");
    }
    *to = 0;
    p->line.length = (size_t)(to - p->line.text);
    if (e->flags & (ES_NET_TIED | ES_NET_NEGATIVE | ES_NET_UNSAFE | ES_NET_REUSED))
        es_text_format(&p->line, "%s%s%s%s", e->flags & ES_NET_TIED ? ", tied" : "",
                       e->flags & ES_NET_NEGATIVE ? ", negative" : "", e->flags & ES_NET_UNSAFE ? ", unsafe" : "",
                       e->flags & ES_NET_REUSED ? ", used again" : "");
}

void es_net_print_event(es_net_printer *p, const es_net_recovered *event)
{
    p->uncalibrated += event->serial != ES_NET_NO_SERIAL && event->mark != p->net->transitions[event->transition].mark;
    if (p->json)
        event_json(p, event);
    else if (p->quiet)
        return;
    else
        event_text(p, event);
    finish_line(p);
}

void es_net_print_change(es_net_printer *p, const es_net_change *c)
{
    const char *place = p->net->places[c->place].id;
    if (p->json) {
        es_json j = begin(p, "change");
        json_string(&j, "place", place);
        json_string(&j, "transition", id_of(p, c->transition));
        json_uint(&j, "number", c->number);
        if (c->serial != ES_NET_NO_SERIAL)
            json_uint(&j, "line", c->serial);
        json_uint(&j, "arrival", c->arrival);
        json_string(&j, "observed_to", id_of(p, c->observed_to));
        json_string(&j, "recovered_to", id_of(p, c->recovered_to));
        if (c->serial != ES_NET_NO_SERIAL)
            json_int(&j, "observed", c->observed);
        json_int(&j, "recovered", c->recovered);
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
    static const char *const reasons[] = {"change", "paste-limit", "lost"};
    static const char *const texts[] = {"after a change the recovered run does not get there",
                                        "given up after a change (--paste-limit)", "after lost marks"};
    if (p->json) {
        es_json j = begin(p, "cut");
        json_string(&j, "transition", p->net->transitions[c->transition].id);
        json_int(&j, "observed", c->observed);
        json_uint(&j, "line", c->serial);
        json_string(&j, "reason", reasons[c->reason]);
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
        json_string(&j, "place", place);
        json_uint(&j, "number", c->number);
        json_string(&j, "observed_from", observed);
        json_string(&j, "recovered_from", recovered);
        json_int(&j, "recovered", c->recovered);
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

void es_net_print_totals(es_net_printer *p, const es_net_recovery_totals *t)
{
    if (p->json) {
        es_json j = begin(p, "summary");
        json_uint(&j, "observed", t->observed);
        json_uint(&j, "recovered", t->recovered);
        for (int i = 0; i < 4; i++)
            json_uint(&j, es_net_class_name((enum es_net_class)i), t->by_class[i]);
        json_uint(&j, "decisions", t->decisions);
        json_uint(&j, "changes", t->changes);
        json_uint(&j, "consequences", t->consequences);
        json_uint(&j, "order_changes", t->order_changes);
        json_uint(&j, "ties", t->ties);
        json_uint(&j, "dropped", t->dropped);
        json_uint(&j, "cut", t->waiting + t->dropped);
        json_uint(&j, "reused", t->reused);
        json_uint(&j, "computed", t->computed);
        json_uint(&j, "open_most", t->open_most);
        json_uint(&j, "uncalibrated", p->uncalibrated);
        if (t->has_stopped)
            json_int(&j, "stopped", t->stopped);
        es_json_end(&j, '}');
        finish_line(p);
        return;
    }
    es_net_print_flush(p);
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
    if (p->uncalibrated)
        fprintf(stderr, "earshot: %" PRIu64 " %s another time than calibrated; as measured is what counts\n",
                p->uncalibrated, es_plural(p->uncalibrated, "mark took", "marks took"));
    if (t->dropped)
        fprintf(stderr, "earshot: %" PRIu64 " %s given up; --paste-limit allows more\n", t->dropped,
                es_plural(t->dropped, "measurement was", "measurements were"));
}
