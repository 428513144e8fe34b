/* Frames to the host (docs/link.md). Nothing here waits for room: what does not fit is counted and told later. */
#pragma GCC optimize("O2") /* for time: what is larger for it here is paid by the rest, which is compiled for size */
#include "firmware.h"

#define PATH_SITES_MAX (ES_FRAME_MAX_WORDS - 2)
#define GAP_WORDS 7
#define MARK_WORDS 7

#define PENDING_STEP 8 /* words of pending bytes that one pass of a flush looks at */

enum { FLUSH_NONE, FLUSH_WAIT, FLUSH_VALUES, FLUSH_PENDING, FLUSH_DONE };

static inline void end(void)
{
    REG(ES_REG_EV_END) = 0;
}

/* The first word of a frame of so many words; the hardware adds its number. */
static inline void put_head(uint32_t kind, uint32_t words)
{
    REG(ES_REG_EV_HEAD) = (words - 1) << 8 | kind;
}

/* --- losses ---------------------------------------------------------------------------------------------- */

__attribute__((noinline)) void gap_add(struct gap *gap, uint32_t count)
{
    bool now = REG(ES_REG_HIT_CELL) != 0; /* else a flush tells deadlines */
    gap->last_low = now ? REG(ES_REG_HIT_TIME) : es.end_low;
    gap->last_high = now ? REG(ES_REG_TIME_HIGH) : es.end_high;
    if (now && (REG(ES_REG_HIT_FLAGS) & (ES_HIT_KIND_MASK | 15u << ES_HIT_LANES_SHIFT)) ==
                   (ES_KIND_MARK | ES_MARK_EPOCH << ES_HIT_LANES_SHIFT))
        gap->last_high = REG(ES_REG_HIT_NEW); /* TIME_HIGH is that of before the mark, which tells deadlines */
    if (!gap->count) {
        gap->first_low = gap->last_low;
        gap->first_high = gap->last_high;
        gap->cores = 0;
    }
    gap->count = gap->count + count < count ? 0xFFFFFFFFu : gap->count + count;
}

static void send_gap(struct gap *gap, uint32_t what)
{
    put_head(ES_FRAME_GAP, GAP_WORDS);
    put(gap->count);
    put(gap->first_low);
    put(gap->first_high);
    put(gap->last_low);
    put(gap->last_high);
    put(what | gap->cores << ES_GAP_CORES_SHIFT);
    end();
    gap->count = 0;
}

void owe(uint32_t what)
{
    es.owed |= what;
    room = 0xFFFFFFFFu; /* no hit is sent before */
    set_busy();
}

void send_owed(void)
{
    if (!(es.owed & ~OWED_DOUBT) || REG(ES_REG_EV_ROOM) < 2 * GAP_WORDS)
        return;
    if (es.owed & OWED_EVENTS)
        send_gap(&es.events, ES_GAP_EVENTS);
    if (es.owed & OWED_BUS)
        send_gap(&es.bus, ES_GAP_BUS);
    es.owed &= OWED_DOUBT;
    room = es.owed ? 0xFFFFFFFFu : ES_FRAME_MAX_WORDS;
    set_busy();
}

/* --- hits ------------------------------------------------------------------------------------------------ */

/* A call site as the host is told. */
static inline uint32_t told(uint32_t site)
{
    if (likely(!(site & ES_SITE_TO_DO)))
        return site;
    if (site == SITE_TASK)
        return ES_SITE_TASK;
    return site == SITE_ROOT_JUMP ? es.root_jump : site - ES_SITE_TO_DO;
}

/* Sends what changed of the path. The caller has made sure of the room. */
static inline void send_path(void)
{
    const struct activation *entry = known;
    uint32_t keep = (uint32_t)(entry - stack);
    uint32_t left = (uint32_t)(top - entry);
    do {
        uint32_t count = unlikely(left > PATH_SITES_MAX) ? PATH_SITES_MAX : left;
        put_head(ES_FRAME_PATH, count + 2);
        put(keep | count << 16);
        left -= count;
        keep += count;
        for (const struct activation *end_of = entry + count; entry != end_of; entry++)
            put(told(entry->site));
        end();
    } while (left);
    known = sent = top;
}

/* The image is asked too, for those who follow this code on what they know of it (host/check). */
static inline bool telling_task(void)
{
    return es.tell_task && HEADER->tasks_at;
}

/* Words that the event queue must take for the path: at most two frames' heads and all sites; and for the task. */
static uint32_t path_room(void)
{
    return 4 + (telling_task() ? task_words() : 0) + (uint32_t)(top - known);
}

static __attribute__((noinline)) bool drop_hit(void)
{
    es.dropped++;
    gap_add(&es.events, 1);
    owe(OWED_EVENTS);
    return false;
}

bool make_ready(uint32_t words)
{
    if (unlikely(es.owed)) {
        send_owed();
        if (es.owed & ~OWED_DOUBT)
            return drop_hit();
    }
    if (likely(top != known || top != sent)) {
        if (unlikely(REG(ES_REG_EV_ROOM) <= words + path_room()))
            return drop_hit();
        if (telling_task())
            send_task();
        send_path();
        return true;
    }
    return REG(ES_REG_EV_ROOM) > words || drop_hit();
}

void send_mark(void)
{
    uint32_t flags = REG(ES_REG_HIT_FLAGS), core = flags >> ES_HIT_CORE_SHIFT & 7, counts = REG(ES_REG_HIT_ADDR);
    send_owed();
    if (unlikely(es.owed & ~OWED_DOUBT || REG(ES_REG_EV_ROOM) < MARK_WORDS)) {
        drop_hit();
        es.events.cores |= 1u << core;
        return;
    }
    put_head(ES_FRAME_MARK, MARK_WORDS);
    put(REG(ES_REG_HIT_TIME));
    put(REG(ES_REG_TIME_HIGH));
    put((counts >> ES_MARKED_ID_SHIFT & (ES_MARK_SIZE / 4 - 1)) | core << 16);
    put(flags & ES_HIT_OLD_KNOWN ? REG(ES_REG_HIT_PC) : ES_HIT_NOWHERE);
    put(REG(ES_REG_HIT_NEW));
    put(counts);
    end();
}

/* --- answers --------------------------------------------------------------------------------------------- */

void send_hello(void)
{
    put_head(ES_FRAME_HELLO, 3);
    put(FIRMWARE_VERSION);
    put(HEADER->checksum);
    end();
}

void send_status(void)
{
    put_head(ES_FRAME_STATUS, 5);
    put(REG(ES_REG_FIFO_MAX));
    put(REG(ES_REG_LOST));
    put(es.dropped);
    put((uint32_t)(top - stack) + es.beyond);
    end();
}

void send_fault(uint32_t fault, uint32_t detail)
{
    put_head(ES_FRAME_FAULT, 3);
    put(fault);
    put(detail);
    end();
    for (;;)
        __asm__ volatile(".word 0x10500073" ::: "memory");
}

/* --- flush: a frame per idle pass of the main loop, so that hits never wait for it ----------------------- */

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
    const struct es_mi_header *header = HEADER;
    uint32_t total = header->figure_count;
    uint32_t count = total - es.flush_index;
    if (count > ES_FRAME_MAX_WORDS - 2)
        count = ES_FRAME_MAX_WORDS - 2;
    if (REG(ES_REG_EV_ROOM) < count + 2)
        return;
    const uint32_t *value = AT(const uint32_t, header->counters_at) + es.flush_index;
    put_head(ES_FRAME_COUNTERS, count + 2);
    put(es.flush_index);
    es.flush_index += count;
    for (; count; count--)
        put(*value++);
    end();
    if (es.flush_index == total) {
        es.flush = FLUSH_PENDING;
        es.flush_index = 0;
        es.incomplete = *AT(const uint32_t, HEADER->incomplete_at);
    }
}

/* Counts variables of which some bytes were written and others are still missing. */
static void count_pending(void)
{
    const uint32_t *word = AT(const uint32_t, HEADER->pending_at) + es.flush_index;
    for (uint32_t step = PENDING_STEP; step; step--, es.flush_index++, word++) {
        if (es.flush_index == HEADER->pending_words) {
            es.flush = FLUSH_DONE;
            return;
        }
        for (uint32_t bytes = *word; bytes; bytes >>= 8)
            es.incomplete += (bytes & 0xFF) != 0;
    }
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
        set_busy();
    }
}
