/* The main loop: hits first, then the host's mail, then sleep. */
#include "firmware.h"

#define LOCKED_BIT 9
_Static_assert(ES_HIT_LOCKED == 1u << LOCKED_BIT, "the bit that a pop repeats");

struct state es;
struct activation stack[ES_MI_STACK_DEPTH];

static void on_mark(uint32_t hit_flags)
{
    uint32_t sort = hit_flags >> ES_HIT_LANES_SHIFT & 15;
    if (sort == ES_MARK_EPOCH) {
        uint32_t bits = REG(ES_REG_CONFIG) >> 24; /* that a record's time has; the mark tells the number of the epoch */
        uint32_t epoch = REG(ES_REG_HIT_NEW);
        es.time_high = bits < 32 ? epoch >> (32 - bits) : epoch;
        es.time_low = bits < 32 ? epoch << bits : 0;
    } else if (sort == ES_MARK_GAP_FIRST) {
        gap_add(&es.bus, REG(ES_REG_HIT_NEW));
        es.owed &= ~OWED_BUS; /* not before its end is known */
        es.flags |= FLAG(ES_HITF_UNCERTAIN);
    } else if (sort == ES_MARK_GAP_LAST) {
        gap_add(&es.bus, 0);
        es.owed |= OWED_BUS;
        send_owed();
    }
}

static void on_mail(void)
{
    uint32_t mail = REG(ES_REG_MAILBOX);
    if (mail == ES_MAIL_PING)
        send_status();
    else if (mail == ES_MAIL_FLUSH)
        flush_start();
    else if (mail == ES_MAIL_RESYNC)
        es.known = stack, es.sent = stack + ES_MI_STACK_DEPTH + 1; /* no path ends there: the next hit sends it whole */
}

void monitor(void)
{
    start();
    for (;;) {
        uint32_t status = REG(ES_REG_STATUS);
        if (likely(status & ES_STATUS_HIT)) {
            uint32_t flags = REG(ES_REG_HIT_FLAGS);
            uint32_t kind = flags & ES_HIT_KIND_MASK;
            if (likely(kind == ES_KIND_WRITE))
                on_write(flags);
            else if (likely(kind == ES_KIND_FETCH))
                on_fetch();
            else if (kind == ES_KIND_MARK)
                on_mark(flags);
            REG(ES_REG_HIT_POP) = flags >> LOCKED_BIT; /* only bit 0 counts */
        } else if (status & ES_STATUS_MAIL) {
            on_mail();
        } else if (es.owed) {
            send_owed(); /* a link that stands still makes this loop poll; hits go first */
        } else if (es.flush) {
            flush_step();
        } else {
            __asm__ volatile(".word 0x10500073" ::: "memory"); /* wfi */
        }
    }
}
