/* Frames to the host (docs/link.md). Nothing here waits for room: what does not fit is counted and told later. */
#include "firmware.h"

#define PATH_SITES_MAX (ES_FRAME_MAX_WORDS - 2)
#define GAP_WORDS 7

enum { FLUSH_NONE, FLUSH_WAIT, FLUSH_VALUES, FLUSH_DONE };

static inline void put(uint32_t word)
{
    REG(ES_REG_EV_DATA) = word;
}

static inline void end(void)
{
    REG(ES_REG_EV_END) = 0;
}

uint32_t frame_header(uint32_t kind, uint32_t words)
{
    uint32_t first = es.sequence | (words - 1) << 8 | kind;
    es.sequence += 1u << 16;
    return first;
}

/* --- losses ---------------------------------------------------------------------------------------------- */

void gap_add(struct gap *gap, uint32_t count)
{
    gap->last_low = hit_time();
    gap->last_high = es.time_high;
    if (!gap->count) {
        gap->first_low = gap->last_low;
        gap->first_high = gap->last_high;
    }
    gap->count = gap->count + count < count ? 0xFFFFFFFFu : gap->count + count;
}

static void send_gap(struct gap *gap, uint32_t what)
{
    put(frame_header(ES_FRAME_GAP, GAP_WORDS));
    put(gap->count);
    put(gap->first_low);
    put(gap->first_high);
    put(gap->last_low);
    put(gap->last_high);
    put(what);
    end();
    gap->count = 0;
}

bool send_owed(void)
{
    if (REG(ES_REG_EV_ROOM) < 2 * GAP_WORDS)
        return false;
    if (es.owed & OWED_EVENTS)
        send_gap(&es.events, ES_GAP_EVENTS);
    if (es.owed & OWED_BUS)
        send_gap(&es.bus, ES_GAP_BUS);
    es.owed = 0;
    return true;
}

/* --- hits ------------------------------------------------------------------------------------------------ */

/* Sends what changed of the path. The caller has made sure of the room. */
static void send_path(void)
{
    const struct activation *entry = es.known;
    uint32_t keep = (uint32_t)(entry - stack);
    uint32_t left = (uint32_t)(es.top - entry);
    do {
        uint32_t count = left < PATH_SITES_MAX ? left : PATH_SITES_MAX;
        put(frame_header(ES_FRAME_PATH, count + 2));
        put(keep | count << 16);
        left -= count;
        keep += count;
        for (; count; count--)
            put(entry++->site);
        end();
    } while (left);
    es.known = es.sent = es.top;
}

/* Words that the event queue must take for the path: at most two frames' heads and all sites. */
static uint32_t path_room(void)
{
    return 4 + (uint32_t)(es.top - es.known);
}

static void drop_hit(void)
{
    es.dropped++;
    gap_add(&es.events, 1);
    es.owed |= OWED_EVENTS;
}

static inline void put_hit(const struct es_mi_statement *statement, uint32_t print_at, uint32_t events, uint32_t pc)
{
    put(es.sequence | statement->frame_word);
    es.sequence += 1u << 16;
    put(hit_time());
    put(es.time_high);
    put(statement->number | es.flags);
    put(pc);
    AT(print_routine, print_at)(events, ES_REG_BASE); /* the values, and the frame's end */
}

/* Sends a hit with what has to go before it; drops it when there is no room. */
static __attribute__((noinline)) void send_hit_and_more(const struct es_mi_statement *statement, uint32_t print_at,
                                                        uint32_t events, uint32_t pc)
{
    bool path = es.top != es.known || es.top != es.sent;
    uint32_t need = ES_MI_FRAME_WORDS(statement->frame_word) + (path ? path_room() : 0);
    if ((es.owed && !send_owed()) || REG(ES_REG_EV_ROOM) < need) {
        drop_hit();
        return;
    }
    if (path)
        send_path();
    put_hit(statement, print_at, events, pc);
}

void send_hit(const struct es_mi_statement *statement, uint32_t print_at, uint32_t events, uint32_t pc)
{
    const struct activation *top = es.top;
    if (likely(top == es.known) && likely(top == es.sent) && likely(!es.owed) &&
        likely(REG(ES_REG_EV_ROOM) >= ES_FRAME_MAX_WORDS))
        put_hit(statement, print_at, events, pc);
    else
        send_hit_and_more(statement, print_at, events, pc);
}

/* --- answers --------------------------------------------------------------------------------------------- */

void send_hello(void)
{
    put(frame_header(ES_FRAME_HELLO, 3));
    put(FIRMWARE_VERSION);
    put(IMAGE->header.checksum);
    end();
}

void send_status(void)
{
    put(frame_header(ES_FRAME_STATUS, 5));
    put(REG(ES_REG_FIFO_MAX));
    put(REG(ES_REG_LOST));
    put(es.dropped);
    put((uint32_t)(es.top - stack) + es.beyond);
    end();
}

void send_fault(uint32_t fault, uint32_t detail)
{
    put(frame_header(ES_FRAME_FAULT, 3));
    put(fault);
    put(detail);
    end();
    for (;;)
        __asm__ volatile(".word 0x10500073" ::: "memory");
}

/* --- flush: a frame per idle pass of the main loop, so that hits never wait for it ----------------------- */

void flush_start(void)
{
    es.flush = FLUSH_WAIT;
    es.flush_index = 0;
    es.quiet = 0;
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
    const struct es_mi_header *header = &IMAGE->header;
    uint32_t total = (uint32_t)header->counter_count + header->statement_count;
    uint32_t count = total - es.flush_index;
    if (count > ES_FRAME_MAX_WORDS - 2)
        count = ES_FRAME_MAX_WORDS - 2;
    if (REG(ES_REG_EV_ROOM) < count + 2)
        return;
    const uint32_t *value = AT(const uint32_t, header->counters_at) + es.flush_index;
    put(frame_header(ES_FRAME_COUNTERS, count + 2));
    put(es.flush_index);
    es.flush_index += count;
    for (; count; count--)
        put(*value++);
    end();
    if (es.flush_index == total)
        es.flush = FLUSH_DONE;
}

void flush_step(void)
{
    if (es.flush == FLUSH_WAIT) {
        if (drained())
            es.flush = FLUSH_VALUES;
    } else if (es.flush == FLUSH_VALUES) {
        send_values();
    } else if (REG(ES_REG_EV_ROOM) >= 4) {
        put(frame_header(ES_FRAME_DONE, 4));
        put(REG(ES_REG_LOST));
        put(es.dropped);
        put(*AT(const uint32_t, IMAGE->header.unknown_at));
        end();
        es.flush = FLUSH_NONE;
    }
}
