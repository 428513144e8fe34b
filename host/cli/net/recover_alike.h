/* Lines of one transition that differ in a few digits only, as nearly all do: of the last one a copy is kept, with the
 * places of its numbers. The next one is that copy, with the last digits written anew. */
#ifndef ES_CLI_NET_RECOVER_ALIKE_H
#define ES_CLI_NET_RECOVER_ALIKE_H

#include <endian.h>
#include <string.h>

#include "base/arena.h"
#include "cli/net/recover.h"

#define ES_NET_ALIKE_BLOCK 64u /* bytes that are copied at once: a line may be followed by as many */

/* A number in the copy: up to four last digits, which are written anew, and those before them, which stay. */
typedef struct es_net_digits {
    uint64_t base;  /* what the digits that stay stand for */
    uint64_t first; /* numbers from here on, `span` of them, have the same digits that stay */
    uint32_t mask;  /* in the four bytes up to the number's end, the first one lowest: which are written anew */
    uint16_t span;
    uint16_t end;    /* of the number, in the line; 0: the line has no such number */
    uint16_t length; /* of all its digits */
} es_net_digits;

/* All zero: no line is like it. */
typedef struct es_net_alike {
    char *text;
    es_net_digits number, mark;
    es_net_digits time, observed, line; /* four digits at least */
    uint16_t length, length_calibrated; /* with the newline; of a text whose mark took what was calibrated */
    uint16_t number_again;              /* where the same number ends once more; the characters before it are, too */
    uint16_t certainty, flags;
    uint32_t room;
} es_net_alike;

/* Where a line's numbers end, from its begin; 0: it has none. */
typedef struct es_net_ends {
    uint16_t number, number_again, time, observed, line, mark, calibrated;
} es_net_ends;

/* Keeps a copy of the event's line of that length, with its newline; none of a line with a negative number. */
void es_net_alike_keep(es_net_alike *alike, es_arena *arena, const es_net_waiting *event, const char *line,
                       size_t length, const es_net_ends *ends);

/* Writes all of a number of the line into the copy. False: it has not as many digits as the one there. */
bool es_net_alike_renew(es_net_alike *alike, es_net_digits *digits, uint64_t number);

/* Writes four digits of a number below 10000. */
static inline void es_net_put_four(char *to, unsigned value)
{
    static const char pairs[] =
        "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
        "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
    memcpy(to, pairs + 2 * (size_t)(value / 100), 2);
    memcpy(to + 2, pairs + 2 * (size_t)(value % 100), 2);
}

/* Writes a number of four digits or more. */
static inline void es_net_put_last(char *to, const es_net_digits *digits, uint64_t number)
{
    es_net_put_four(to + digits->end - 4, (unsigned)(number - digits->base));
}

/* The four bytes up to the end of any number; where no digit is, what the copy has there. */
static inline uint32_t es_net_last_four(const char *text, const es_net_digits *digits, uint64_t number)
{
    uint32_t four, old;
    es_net_put_four((char *)&four, (unsigned)(number - digits->base));
    memcpy(&old, text + digits->end - sizeof old, sizeof old);
    return old ^ ((old ^ four) & htole32(digits->mask));
}

static inline bool es_net_alike_has(es_net_alike *alike, es_net_digits *digits, uint64_t number)
{
    return __builtin_expect(number - digits->first < digits->span, true) || es_net_alike_renew(alike, digits, number);
}

/* Writes the event's line with its newline, and up to ES_NET_ALIKE_BLOCK bytes more. Returns where it ends; NULL when
 * it is not like the last one of its transition. `calibrated`: the mark took what it was calibrated with. */
static inline __attribute__((always_inline)) char *es_net_alike_put(es_net_alike *alike, const es_net_waiting *event,
                                                                    bool json, bool calibrated, char *to)
{
    uint64_t number = event->number, time = (uint64_t)event->time, observed = (uint64_t)event->observed,
             mark = (uint64_t)event->mark;
    if (event->certainty != alike->certainty || event->flags != alike->flags || event->serial == ES_NET_NO_SERIAL)
        return NULL;
    if (!es_net_alike_has(alike, &alike->number, number) || !es_net_alike_has(alike, &alike->time, time) ||
        !es_net_alike_has(alike, &alike->observed, observed))
        return NULL;
    if (json && (event->source_number != number || !es_net_alike_has(alike, &alike->line, event->serial)))
        return NULL;
    bool has_mark = json || !calibrated, digit = alike->mark.length == 1 && mark < 10;
    if (has_mark && !digit && !es_net_alike_has(alike, &alike->mark, mark))
        return NULL;

    const char *text = alike->text;
    memcpy(to, text, ES_NET_ALIKE_BLOCK);
    for (size_t at = ES_NET_ALIKE_BLOCK; at < alike->length; at += ES_NET_ALIKE_BLOCK)
        memcpy(to + at, text + at, ES_NET_ALIKE_BLOCK);
    es_net_put_last(to, &alike->time, time);
    es_net_put_last(to, &alike->observed, observed);
    uint32_t four = es_net_last_four(text, &alike->number, number);
    memcpy(to + alike->number.end - sizeof four, &four, sizeof four);
    if (json) {
        memcpy(to + alike->number_again - sizeof four, &four, sizeof four);
        es_net_put_last(to, &alike->line, event->serial);
    }
    if (!has_mark) {
        to[alike->length_calibrated - 1] = '\n';
        return to + alike->length_calibrated;
    }
    if (digit) {
        to[alike->mark.end - 1] = (char)('0' + mark);
    } else {
        four = es_net_last_four(text, &alike->mark, mark);
        memcpy(to + alike->mark.end - sizeof four, &four, sizeof four);
    }
    return to + alike->length;
}

#endif
