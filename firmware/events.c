/* Frames to the host (docs/link.md). Nothing here waits for room: what does not fit is counted and told later. */
#include "sending.h"

#define GAP_WORDS 7
#define MARK_WORDS 7

/* --- losses ------------------------------------------------------------------------------------------------------- */

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

__attribute__((noinline)) void settle_owed(uint32_t left)
{
    es.owed &= left;
    room = es.owed ? 0xFFFFFFFFu : ES_FRAME_MAX_WORDS;
    set_busy();
}

void send_owed(void)
{
    if (!(es.owed & OWED_GAPS) || es.owed & OWED_FLUSH || REG(ES_REG_EV_ROOM) < 2 * GAP_WORDS)
        return;
    if (es.owed & OWED_EVENTS)
        send_gap(&es.events, ES_GAP_EVENTS);
    if (es.owed & OWED_BUS)
        send_gap(&es.bus, ES_GAP_BUS);
    settle_owed(OWED_DOUBT);
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static uint32_t task_words(void)
{
    uint32_t name = TASKS->name_words;
    return name ? name + 3 : 2;
}

/* A word of phantom memory; false: it is not known. */
static bool peek(uint32_t offset, uint32_t *word)
{
    *word = 0;
    if (offset >= HEADER->window_size)
        return false;
    (void)REG(ES_REG_UNKNOWN);
    *word = *(const volatile uint32_t *)(uintptr_t)(ES_PHANTOM_BASE + offset);
    return !REG(ES_REG_UNKNOWN);
}

static void send_task(void)
{
    put_head(ES_FRAME_TASK, task_words());
    put(es.task);
    uint32_t at = (es.task & ~3u) + TASKS->name_at - HEADER->window_base, unknown = 0, bit = 1, word;
    for (uint32_t left = TASKS->name_words; left; left--, at += 4, bit += bit) {
        if (!peek(at, &word))
            unknown |= bit;
        put(word);
    }
    if (TASKS->name_words)
        put(unknown);
    end();
    es.tell_task = false;
}

/* --- hits --------------------------------------------------------------------------------------------------------- */

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

/* --- answers ------------------------------------------------------------------------------------------------------ */

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
