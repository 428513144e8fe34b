/* The flush: counters and the closing figures. A frame for each idle pass of the main loop, so that hits never wait for
 * it; on a probe that has none because it is overloaded, all of them at the end of a gap. */
#include "sending.h"

#define PENDING_STEP 2 /* words of pending bytes that one pass of a flush looks at */
#define VALUES_STEP ((uint32_t)ES_MI_FLUSH_FIGURES)

/* A loop counts in that variable, and in no pointer instead: so `earshot check`, which knows nothing of the state of a
 * flush, sees how often it runs at most. */
#define COUNT(step) __asm__("" : "+r"(step))

enum { FLUSH_NONE, FLUSH_WAIT, FLUSH_VALUES, FLUSH_PENDING, FLUSH_DONE };

static void flush_start(void)
{
    struct es_mi_doubts *doubts = AT(struct es_mi_doubts, unknown_at);
    doubts->end_low = es.end_low;
    doubts->end_high = es.end_high;
    es.flush = FLUSH_WAIT;
    es.flush_index = 0;
    es.quiet = 0;
    set_busy();
}

void flush_stopped(void)
{
    es.stopped = true;
    es.ends = false;
    es.end_low = REG(ES_REG_HIT_TIME);
    es.end_high = REG(ES_REG_TIME_HIGH);
    flush_start();
}

/* The time is taken before the FIFO is drained: so no write before it comes later. */
void flush_asked(void)
{
    es.ends = HEADER->marks_at && !es.stopped;
    es.end_low = HEADER->end_low;
    es.end_high = HEADER->end_high;
    if (!(es.end_low | es.end_high)) {
        es.ends &= REG(ES_REG_CONFIG) / ES_CONFIG_TIME_NOW;
        es.end_low = REG(ES_REG_TIME_NOW);
        es.end_high = REG(ES_REG_TIME_HIGH);
    }
    flush_start();
}

/* Everything that was in the FIFO when the flush was asked for has become a hit, or none, by then: the pipeline
 * takes a record each
 * clock while no hit waits, and a pass takes longer than a clock. */
static bool drained(void)
{
    es.quiet++;
    return es.quiet > REG(ES_REG_FIFO_DEPTH) || (es.quiet > 4 && REG(ES_REG_FIFO_LEVEL) == 0);
}

static void send_values(void)
{
    uint32_t total = HEADER->figure_count, at = es.flush_index;
    uint32_t count = total - at;
    if (count > VALUES_STEP)
        count = VALUES_STEP;
    if (REG(ES_REG_EV_ROOM) < count + 2)
        return;
    const uint32_t *value = AT(const uint32_t, HEADER->counters_at) + at;
    put_head(ES_FRAME_COUNTERS, count + 2);
    put(at);
    for (uint32_t step = VALUES_STEP; step && at != total; step--, at++) {
        put(*value++);
        COUNT(step);
    }
    end();
    es.flush_index = at;
    if (at == total) {
        es.flush = FLUSH_PENDING;
        es.flush_index = 0;
        es.incomplete = *AT(const uint32_t, HEADER->incomplete_at);
    }
}

/* Counts variables of which some bytes were written and others are still missing. */
static void count_pending(void)
{
    uint32_t at = es.flush_index, incomplete = es.incomplete;
    const uint32_t *word = AT(const uint32_t, HEADER->pending_at) + at;
    for (uint32_t step = PENDING_STEP; step; step--, at++) {
        if (at == HEADER->pending_words) {
            es.flush = FLUSH_DONE;
            break;
        }
        for (uint32_t bytes = *word++; bytes; bytes >>= 8)
            incomplete += (bytes & 0xFF) != 0;
        COUNT(step);
    }
    es.flush_index = at;
    es.incomplete = incomplete;
}

void flush_step(void)
{
    if (es.flush == FLUSH_WAIT) {
        if (!drained())
            return;
        es.flush = FLUSH_VALUES;
        if (!es.ends)
            return;
        if (!(HEADER->end_low | HEADER->end_high) && (int32_t)es.end_low >= 0)
            es.end_high = REG(ES_REG_TIME_HIGH); /* the low half's wrap may have been in the FIFO */
        tell_deadlines(es.end_low, es.end_high);
    } else if (es.flush == FLUSH_VALUES) {
        send_values();
    } else if (es.flush == FLUSH_PENDING) {
        count_pending();
    } else if (REG(ES_REG_EV_ROOM) >= 6) {
        bool switches = HEADER->tasks_at || HEADER->switches;
        put_head(ES_FRAME_DONE, switches ? 6 : 5);
        put(REG(ES_REG_LOST) - es.lost_before);
        put(es.dropped);
        put(*AT(const uint32_t, HEADER->unknown_at));
        put(es.incomplete);
        if (switches)
            put(es.tasks_lost);
        end();
        es.flush = FLUSH_NONE;
        settle_owed(~OWED_FLUSH);
    }
}

/* The capture goes on after a gap when half of the FIFO is free (docs/rtl.md): so between the ends of two gaps at least
 * the other half goes by, and after the third end after the flush was asked for all that the FIFO held then. */
void flush_overloaded(void)
{
    uint32_t before;
    es.quiet += REG(ES_REG_FIFO_DEPTH) / 2 - 1; /* drained() adds one */
    do {
        before = es.flush + es.flush_index; /* no step leaves it as it is but one that does nothing */
        flush_step();
    } while (es.flush && es.flush + es.flush_index != before);
    if (es.flush > FLUSH_WAIT) /* no room */
        owe(OWED_FLUSH);
}
