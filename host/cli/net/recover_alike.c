#include "cli/net/recover_alike.h"

#define WRITTEN 4     /* digits that are written anew */
#define LONGEST 32768 /* bytes of a line that is kept: more are an id that nobody wants to read */

/* What stays of a number of so many digits, and for which other numbers. */
static void bounds(es_net_digits *digits, uint64_t number)
{
    static const uint16_t powers[WRITTEN] = {0, 10, 100, 1000};
    bool all = digits->length <= WRITTEN;
    digits->base = all ? 0 : number - number % 10000;
    digits->first = all ? powers[digits->length - 1] : digits->base;
    digits->span =
        (uint16_t)((digits->length < WRITTEN ? powers[digits->length] : 10000) - (digits->first - digits->base));
    digits->mask = all ? UINT32_MAX << 8 * (WRITTEN - digits->length) : UINT32_MAX;
}

bool es_net_alike_renew(es_net_alike *alike, es_net_digits *digits, uint64_t number)
{
    char text[ES_DECIMAL_ROOM];
    if (!digits->end || number > INT64_MAX)
        return false;
    size_t length = (size_t)(es_put_decimal(text, (int64_t)number, 0) - text);
    if (length != digits->length)
        return false;
    memcpy(alike->text + digits->end - length, text, length);
    if (digits == &alike->number && alike->number_again)
        memcpy(alike->text + alike->number_again - length, text, length);
    bounds(digits, number);
    return true;
}

/* The number ends there in the line. False: it is negative, or has fewer digits than that. */
static bool number_at(es_net_digits *digits, unsigned least, const char *line, uint16_t end, int64_t number)
{
    *digits = (es_net_digits){.end = end};
    while (digits->length < end && line[end - 1 - digits->length] >= '0' && line[end - 1 - digits->length] <= '9')
        digits->length++;
    bool good = number >= 0 && digits->length >= least && end >= WRITTEN;
    if (good)
        bounds(digits, (uint64_t)number);
    return good;
}

void es_net_alike_keep(es_net_alike *alike, es_arena *arena, const es_net_waiting *event, const char *line,
                       size_t length, const es_net_ends *ends)
{
    size_t room = (length / ES_NET_ALIKE_BLOCK + 1) * ES_NET_ALIKE_BLOCK;
    es_net_alike kept = {.text = alike->text,
                         .room = alike->room,
                         .certainty = event->certainty,
                         .flags = event->flags,
                         .length = (uint16_t)length,
                         .number_again = ends->number_again};
    *alike = (es_net_alike){.text = kept.text, .room = kept.room};
    if (room > LONGEST || (ends->number_again && event->source_number != event->number) ||
        !number_at(&kept.number, 1, line, ends->number, (int64_t)event->number) ||
        !number_at(&kept.time, WRITTEN, line, ends->time, event->time) ||
        !number_at(&kept.observed, WRITTEN, line, ends->observed, event->observed) ||
        (ends->line && !number_at(&kept.line, WRITTEN, line, ends->line, (int64_t)event->serial)) ||
        (ends->mark && !number_at(&kept.mark, 1, line, ends->mark, event->mark)))
        return;
    kept.length_calibrated = ends->calibrated;
    if (room > kept.room) {
        kept.text = es_arena_alloc(arena, room);
        kept.room = (uint32_t)room;
    }
    memcpy(kept.text, line, length);
    *alike = kept;
}
