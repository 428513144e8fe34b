#include "terminal/figures.h"

#include <inttypes.h>
#include <math.h>

#include "base/sizes.h"
#include "base/times.h"
#include "report/columns.h"

#define WAITING_TOLD 4096u /* less than this is on its way at any time */
#define OF_LATE 0.4        /* weight of the latest rate among those before */

static void take_progress(es_figures *figures, const es_record *record)
{
    const es_progress *progress = record->progress;
    double seconds = progress->wall_seconds - figures->wall_seconds;
    if (seconds > 0) {
        double rate = (double)(figures->hits - figures->hits_before) / seconds;
        double speed = (double)(progress->time - figures->time_before) / seconds;
        figures->rate += OF_LATE * (rate - figures->rate);
        figures->speed += (figures->speed > 0 ? OF_LATE : 1) * (speed - figures->speed);
    }
    figures->hits_before = figures->hits;
    figures->wall_seconds = progress->wall_seconds;
    figures->time = figures->time_before = progress->time;
    figures->waiting = progress->waiting;
}

void es_figures_take(es_figures *figures, const es_record *record)
{
    switch (record->kind) {
    case ES_RECORD_HIT:
        figures->hits++;
        if (record->hit->time > figures->time)
            figures->time = record->hit->time;
        break;
    case ES_RECORD_LOST: figures->lost += record->lost->count; break;
    case ES_RECORD_PROGRESS: take_progress(figures, record); break;
    default: break;
    }
}

void es_figures_number(es_text_buffer *out, double number)
{
    static const char units[] = {0, 'k', 'M', 'G', 'T'};
    size_t unit = 0;
    for (; number >= 999.5 && unit + 1 < sizeof units; unit++)
        number /= 1000;
    es_text_format(out, "%.*f", number < 9.95 && fmod(number, 1) >= 0.05 ? 1 : 0, number);
    es_text_add(out, &units[unit], unit > 0);
}

/* Adds a part where it fits beside the others. */
static void add_part(es_text_buffer *out, size_t *room, es_text_buffer *part)
{
    size_t width = es_shown_width(part->text) + (out->length ? 2 : 0);
    if (width <= *room) {
        es_text_format(out, "%s%s", out->length ? "  " : "", part->text);
        *room -= width;
    }
    es_text_clear(part);
}

void es_figures_text(es_text_buffer *out, const es_figures *figures, const es_schema *schema, size_t room)
{
    es_text_buffer part = {0};
    es_text_format(&part, "%" PRIu64 " %s", figures->hits, es_plural(figures->hits, "hit", "hits"));
    add_part(out, &room, &part);
    es_text_format(&part, "%" PRIu64 " lost", figures->lost);
    add_part(out, &room, &part);
    es_figures_number(&part, figures->rate);
    es_text_format(&part, "/s");
    add_part(out, &room, &part);
    if (figures->waiting >= WAITING_TOLD) {
        es_size_text(&part, figures->waiting);
        es_text_format(&part, " wait");
        add_part(out, &room, &part);
    }
    if (!schema) {
        es_text_free(&part);
        return;
    }
    es_time_unit unit = es_time_unit_of(schema->clock_hz, schema->origin != ES_ORIGIN_HARDWARE);
    es_time_in(&part, unit, es_time_ns(figures->time, schema->clock_hz), 0);
    add_part(out, &room, &part);
    if (schema->origin != ES_ORIGIN_HARDWARE) {
        es_figures_number(&part, figures->speed);
        es_text_format(&part, " clocks/s");
        add_part(out, &room, &part);
    }
    es_text_free(&part);
}
