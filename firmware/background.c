/* What dispatch.S leaves to C: marks and fetches without clear evidence, and what is done while no hit waits. */
#include "firmware.h"

/* REG_TIME_HIGH is still that of before the mark. Where the end of the run is known, nothing is over after it. */
static void on_epoch(void)
{
    uint32_t low = REG(ES_REG_HIT_TIME), high = REG(ES_REG_HIT_NEW), end_low = HEADER->end_low,
             end_high = HEADER->end_high;
    if ((end_low | end_high) && (end_high < high || (end_high == high && end_low < low)))
        low = end_low, high = end_high;
    tell_deadlines(low, high);
}

static void on_mail(void)
{
    uint32_t mail = REG(ES_REG_MAILBOX);
    if (mail == ES_MAIL_PING)
        send_status();
    else if (mail == ES_MAIL_FLUSH)
        flush_asked();
    else if (mail == ES_MAIL_RESYNC)
        known = stack, sent = stack_end + 1,
        es.tell_task = HEADER->tasks_at; /* no path ends there: the next hit sends it whole */
}

/* Where more hits come than can be dealt with there is no pass without one: mail is looked at when a gap has ended. */
static void overloaded(void)
{
    if (REG(ES_REG_STATUS) & ES_STATUS_MAIL)
        on_mail();
    else if (es.flush)
        flush_overloaded();
}

static void on_mark(uint32_t sort)
{
    if (sort == ES_MARK_GAP_FIRST) {
        gap_add(&es.bus, REG(ES_REG_HIT_NEW));
        es.owed &= ~OWED_BUS; /* not before its end is known */
        doubt_begin();
    } else if (sort == ES_MARK_GAP_LAST) {
        gap_add(&es.bus, 0);
        es.bus.cores |= REG(ES_REG_HIT_NEW);
        owe(OWED_BUS);
        send_owed();
        overloaded();
    } else if (sort == ES_MARK_PROGRAM) {
        send_mark();
    } else if (sort == ES_MI_MARK_POKED) {
        pointer_written(REG(ES_REG_HIT_NEW));
    } else if (HEADER->marks_at) { /* MARK_EPOCH */
        on_epoch();
    }
}

/* Data reads: of a variable that a statement reads(), or of a constant in an armed word of code. */
static void on_read(uint32_t cell_at)
{
    uint32_t code = *AT(const uint16_t, cell_at);
    if (HEADER->slot_count)
        dynamic_hit(cell_at, true);
    else if (code & ES_MI_READ)
        ((void (*)(void))(uintptr_t)(code - ES_MI_READ))();
}

void unusual(uint32_t cell)
{
    uint32_t flags = REG(ES_REG_HIT_FLAGS);
    uint32_t kind = flags & ES_HIT_KIND_MASK;
    if (likely(kind == ES_KIND_FETCH))
        unusual_fetch(cell & 0xFFFFu);
    else if (kind != ES_KIND_MARK && es.flags & ES_HITF_UNCERTAIN && doubt_met(cell & 0xFFFFu))
        return;
    else if (kind == ES_KIND_WRITE)
        dynamic_hit(cell & 0xFFFFu, false);
    else if (kind == ES_KIND_READ)
        on_read(cell & 0xFFFFu);
    else
        on_mark(flags >> ES_HIT_LANES_SHIFT & 15);
}

/* --- start-up code (restart.c) ------------------------------------------------------------------------------------ */

/* Whether the hit is the fetch of the program's first instruction. */
static bool is_beginning(uint32_t cell_at)
{
    const struct es_mi_cell *cell = AT(const struct es_mi_cell, cell_at);
    return (REG(ES_REG_HIT_FLAGS) & ES_HIT_KIND_MASK) == ES_KIND_FETCH && cell->first == cell->second &&
           AT(const struct es_mi_fetch, cell->first + 4)->flags & ES_MI_FETCH_RESTART;
}

/* Any hit but a write, while start-up code runs or its beginning is waited for. */
void hushed_hit(uint32_t cell)
{
    if (es.waiting && !is_beginning(cell & 0xFFFCu))
        return;
    if (HEADER->pointer_count)
        pointers_update(~0u, 0);
    if ((REG(ES_REG_HIT_FLAGS) & ES_HIT_KIND_MASK) == ES_KIND_FETCH)
        unusual_fetch(cell & 0xFFFCu);
    else
        unusual(cell);
    hush();
}

/* --- while no hit waits ------------------------------------------------------------------------------------------- */

void background(void)
{
    if (REG(ES_REG_STATUS) & ES_STATUS_MAIL)
        on_mail();
    else if (es.owed & OWED_GAPS && !(es.owed & OWED_FLUSH))
        send_owed(); /* a link that stands still makes the main loop poll; hits go first */
    else if (es.flush)
        flush_step();
}
