#include "cli/commands/check_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/commands/check_sides.h"

/* --- report as text -------------------------------------------------------------------------------------------- */

static void print_clocks(const es_check_report *r)
{
    size_t width = 5;
    for (size_t i = 0; i < r->event_count; i++)
        if (strlen(r->events[i].what) > width)
            width = strlen(r->events[i].what);
    width = width > 48 ? 48 : width;
    printf("  %-*s %7s %8s  %s\n", (int)width, "event", "clocks", "holding", "statements");
    for (size_t i = 0; i < r->event_count; i++) {
        const es_check_event *e = &r->events[i];
        char holding[32] = "-";
        if (e->holding != ES_CHECK_FOR_EVER)
            snprintf(holding, sizeof holding, "%" PRIu64, e->holding);
        printf("  %-*.*s %7" PRIu32 " %8s  %s\n", (int)width, (int)width, e->what, e->clocks, holding, e->statements);
    }
}

/* The costliest event of each kind. */
static void print_worst(const es_check_report *r)
{
    static const char *const sorts[] = ES_CHECK_SORTS;
    printf("  %-16s %9s %7s  %s\n", "worst case of", "events", "clocks", "costliest");
    for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++) {
        const es_check_event *worst = NULL;
        size_t count = 0;
        for (size_t i = 0; i < r->event_count; i++) {
            if (strcmp(r->events[i].sort, sorts[k]) != 0)
                continue;
            count++;
            if (!worst || r->events[i].clocks > worst->clocks)
                worst = &r->events[i];
        }
        if (worst)
            printf("  %-16s %9zu %7" PRIu32 "  %s\n", sorts[k], count, worst->clocks, worst->what);
    }
}

static const char *observability(const es_check_report *r)
{
    return r->observability == ES_CHECK_OBSERVABLE      ? "observable"
           : r->observability == ES_CHECK_STATISTICALLY ? "statistically observable"
                                                        : "not observable";
}

void es_check_print_figures(const es_check_report *r, const es_check_request *q)
{
    if (!r->event_count)
        printf("  No event was judged, so there is no worst case to report.\n");
    else if (q->events)
        print_clocks(r);
    else
        print_worst(r);
    printf("\n");
    if (r->fifo_needed) {
        printf("  backlog   at most %.0f soft core clocks%s%s\n", r->backlog, r->backlog_place ? ", after " : "",
               r->backlog_place ? r->backlog_place : "");
        printf("  FIFO      at most %" PRIu32 " of %" PRIu32 " records\n", r->fifo_needed, q->options.fifo);
    }
    if (r->words_needed > 0)
        printf("  packets   at most %.0f of %" PRIu32 " words wait for the link\n", r->words_needed,
               q->options.event_words);
    if (r->fifo_needed && r->mail >= 0)
        printf("  mail      of the host is taken within %.0f soft core clocks\n", r->mail);
    else if (r->fifo_needed)
        printf("  mail      of the host may be taken only when the program pauses\n");
    printf("  events    %s\n\n", observability(r));
}

void es_check_print_verdict(const es_check_report *r, const es_check_request *q)
{
    if (r->guaranteed) {
        printf("guaranteed: with %.4g soft core clocks per bus clock every event is processed in time, whatever the "
               "program does%s%s\n",
               (double)q->options.ratio.core / (double)q->options.ratio.bus, r->condition ? ", as long as " : "",
               r->condition ? r->condition : "");
        return;
    }
    printf("not guaranteed: %s\n", r->why);
    if (r->place)
        printf("  at      %s\n", r->place);
    if (r->advice)
        printf("  advice  %s\n", r->advice);
}

/* --- report as JSON -------------------------------------------------------------------------------------------- */

void es_check_print_json(const es_check_report *r, const es_check_request *q, const es_check_sides *sides)
{
    es_text_buffer text = {0};
    es_json json = {.out = &text};
    es_json_begin(&json, '{');
    es_json_put_bool(&json, "guaranteed", sides ? sides->side != ES_CHECK_NEITHER : r->guaranteed);
    if (sides)
        es_check_sides_json(&json, sides, &q->limits, &q->options);
    es_json_put_string(&json, "observability", observability(r));
    es_json_put_string(&json, "condition", r->condition);
    es_json_put_string(&json, "why", r->why);
    es_json_put_string(&json, "place", r->place);
    es_json_put_string(&json, "advice", r->advice);
    if (r->fifo_needed) {
        es_json_put_uint(&json, "backlog_clocks", (uint64_t)(r->backlog + 0.5));
        es_json_put_string(&json, "backlog_place", r->backlog_place);
        es_json_put_uint(&json, "fifo_needed", r->fifo_needed);
        es_json_put_uint(&json, "idle_clocks", r->idle);
        es_json_key(&json, "mail_clocks");
        if (r->mail >= 0)
            es_json_uint(&json, (uint64_t)(r->mail + 0.5));
        else
            es_json_null(&json);
    }
    es_json_put_uint(&json, "fifo", q->options.fifo);
    if (r->words_needed >= 0)
        es_json_put_uint(&json, "words_needed", (uint64_t)(r->words_needed + 0.5));
    es_json_put_uint(&json, "words", q->options.event_words);
    es_json_key(&json, "events");
    es_json_begin(&json, '[');
    for (size_t i = 0; i < r->event_count; i++) {
        const es_check_event *e = &r->events[i];
        es_json_begin(&json, '{');
        es_json_put_string(&json, "kind", e->sort);
        es_json_put_string(&json, "what", e->what);
        es_json_put_uint(&json, "address", e->address);
        es_json_put_string(&json, "statements", e->statements);
        es_json_put_uint(&json, "clocks", e->clocks);
        es_json_key(&json, "holding");
        if (e->holding == ES_CHECK_FOR_EVER)
            es_json_null(&json);
        else
            es_json_uint(&json, e->holding);
        es_json_put_string(&json, "place", e->place);
        es_json_end(&json, '}');
    }
    es_json_end(&json, ']');
    es_json_end(&json, '}');
    puts(text.text);
    es_text_free(&text);
}
