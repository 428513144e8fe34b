#include "client/row.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "record/wire.h"

#define CLOCKS_MAX 16u /* they come about once a second, and hits are not much older */

void es_row_init(es_row *row)
{
    *row = (es_row){.axis.most = CLOCKS_MAX};
}

void es_row_free(es_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        json_decref(row->items[row->first + i].line);
    free(row->items);
    es_axis_clear(&row->axis);
}

void es_row_forget_clock(es_row *row)
{
    es_axis_clear(&row->axis);
    row->time = (es_axis_time){0};
}

/* What a line tells of the clock holds for all that comes after it. */
static void learn(es_row *row, const json_t *line, const char *event, es_row_order *order)
{
    es_clock_told clock;
    if (strcmp(event, "begin") == 0) {
        es_row_forget_clock(row);
        row->hz = (uint64_t)json_integer_value(json_object_get(line, "clock_hz"));
    }
    if (!es_wire_clock(line, &clock))
        return;
    es_axis_add(&row->axis, &clock);
    if (clock.known && !order->has_day) {
        order->has_day = true;
        order->day_ns = clock.unix_ns - clock.steady_ns;
    }
}

static es_row_item *new_item(es_row *row)
{
    if (row->first + row->count == row->room) {
        size_t room = 2 * row->count >= row->room ? 2 * row->room + 16 : row->room;
        es_row_item *items = es_malloc(room * sizeof *items);
        if (row->count)
            memcpy(items, row->items + row->first, row->count * sizeof *items);
        free(row->items);
        row->items = items;
        row->room = room;
        row->first = 0;
    }
    return &row->items[row->first + row->count++];
}

void es_row_add(es_row *row, json_t *line, int64_t came_ns, es_row_order *order)
{
    const char *event = json_string_value(json_object_get(line, "event"));
    uint64_t time;
    learn(row, line, event ? event : "", order);
    bool timed = es_wire_time(line, &time);
    if (timed)
        row->time = es_axis_place(&row->axis, row->hz, time, order->day_ns);
    bool summary = event && strcmp(event, "summary") == 0;
    *new_item(row) = (es_row_item){line, summary ? ES_RECORD_SUMMARY : ES_RECORD_NOTE, timed, row->time, came_ns};
}

const es_row_item *es_row_front(const es_row *row)
{
    return row->count ? &row->items[row->first] : NULL;
}

es_row_item es_row_take(es_row *row)
{
    es_row_item item = row->items[row->first++];
    row->count--;
    return item;
}

int64_t es_row_due(const es_row_item *item)
{
    return es_axis_due(item->kind, &item->at);
}

bool es_row_is_late(es_row_order *order, const es_row_item *item)
{
    if (!item->timed || !item->at.known)
        return false;
    if (order->begun && item->at.steady_ns < order->latest_ns)
        return true;
    order->begun = true;
    order->latest_ns = item->at.steady_ns;
    return false;
}
