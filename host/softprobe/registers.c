/* Registers of the soft core and the loader (es_regs.v): the register map of interface/probe.def. */
#include "softprobe/private.h"

static uint32_t config(const es_softprobe_options *o)
{
    return o->time_w << 24 | 1u << 20 | 32u << ES_CONFIG_DATA_SHIFT | 32u |
           (uint32_t)o->fetches << ES_CONFIG_FETCHES_SHIFT | (o->compressed ? ES_CONFIG_COMPRESSED : 0u) |
           (o->tracker ? ES_CONFIG_TRACKER : 0u) | ES_CONFIG_READS | ES_CONFIG_OUTPUTS | ES_CONFIG_TIME_NOW;
}

static uint32_t hit_flags(const hit *head)
{
    return head->kind | (uint32_t)head->lanes << ES_HIT_LANES_SHIFT | (head->old_known ? ES_HIT_OLD_KNOWN : 0u) |
           (head->locked ? ES_HIT_LOCKED : 0u);
}

static uint32_t status(const es_softprobe *probe)
{
    return (probe->hit_valid ? ES_STATUS_HIT : 0u) | (probe->mail_full ? ES_STATUS_MAIL : 0u) |
           (probe->locked ? ES_STATUS_LOCKED : 0u);
}

static uint32_t take_mail(es_softprobe *probe, bool by_core)
{
    uint32_t mail = probe->mail;
    if (by_core) {
        probe->mail = 0;
        probe->mail_full = false;
    }
    return mail;
}

static uint32_t take_unknown(es_softprobe *probe, bool by_core)
{
    uint32_t met = probe->unknown_met;
    if (by_core)
        probe->unknown_met = false;
    return met;
}

uint32_t es_softprobe_register_read(es_softprobe *probe, uint32_t address, bool by_core)
{
    const es_softprobe_options *o = &probe->options;
    const hit *head = &probe->head;
    switch (address & 0x7C) {
    case ES_REG_STATUS: return status(probe);
    case ES_REG_HIT_FLAGS: return hit_flags(head);
    case ES_REG_HIT_TIME: return head->time;
    case ES_REG_HIT_ADDR: return head->address;
    case ES_REG_HIT_NEW: return head->new_word;
    case ES_REG_HIT_OLD: return head->old_word;
    case ES_REG_HIT_PC: return head->pc;
    case ES_REG_UNKNOWN: return take_unknown(probe, by_core);
    case ES_REG_EV_ROOM: return EV_ROOM;
    case ES_REG_MAILBOX: return take_mail(probe, by_core);
    case ES_REG_LOST: return probe->first->lost;
    case ES_REG_FIFO_LEVEL: return probe->first->fifo_level;
    case ES_REG_FIFO_MAX: return probe->first->fifo_max;
    case ES_REG_ID: return ES_PROBE_ID;
    case ES_REG_CONFIG: return config(o);
    case ES_REG_FIFO_DEPTH: return FIFO_RECORDS;
    case ES_REG_WINDOW_BASE: return o->window_base;
    case ES_REG_WINDOW_SIZE: return probe->window_last + 1;
    case ES_REG_RX_BAD: return probe->deframer.bad < 65535 ? (uint32_t)probe->deframer.bad : 65535;
    case ES_REG_CPU_CTRL: return probe->runs;
    case ES_REG_CYCLES: return (uint32_t)es_softprobe_instructions(probe);
    case ES_REG_HIT_CELL:
    case ES_REG_HIT_NEXT: return probe->hit_valid ? head->cell : 0;
    case ES_REG_EV_FLAGS: return probe->frame.flags;
    case ES_REG_TIME_HIGH: return probe->time_high;
    case ES_REG_MEM_SIZE: return 1u << o->mem_log2;
    case ES_REG_TIME_NOW: return (uint32_t)probe->first->now;
    default: return 0; /* CTRL: clearing takes no time */
    }
}

/* The next record, once nobody waits: of several monitors not before all have said what there is of this one. */
static void go_on(es_softprobe *probe)
{
    note_waiting(probe);
    if (is_alone(probe))
        es_softprobe_pump(probe);
}

static void pop(es_softprobe *probe)
{
    if (!probe->hit_valid)
        return;
    if (probe->head.kind == ES_KIND_MARK && probe->head.lanes == ES_MARK_EPOCH)
        probe->time_high = probe->head.new_word & 0xFFFFFF;
    if (probe->head.locked)
        probe->locked = false;
    probe->hit_valid = false;
    go_on(probe);
}

static void control(es_softprobe *probe, uint32_t bits)
{
    if (bits & ES_CTRL_CLEAR) {
        probe->first->ended |= probe->runs && !is_alone(probe); /* by the action `stop`: nobody hears any more */
        es_softprobe_clear(probe);
    } else if (bits & ES_CTRL_READS) {
        probe->read_hits = probe->first->any_read_hits = true;
    }
    if (bits & ES_CTRL_UNLOCK)
        probe->locked = false;
    if (bits & ES_CTRL_LOCK)
        probe->locked = true;
    go_on(probe);
}

/* CPU_CTRL: the soft core in reset, or out of it. */
static void run(es_softprobe *probe, bool runs)
{
    if (!runs) {
        probe->frame.flags = probe->frame.sequence_number = 0;
        if (probe->in_turn)
            es_machine_stop_soon(probe->core); /* it stops itself */
    }
    probe->starts |= runs && !probe->runs;
    probe->runs = runs;
}

void es_softprobe_register_write(es_softprobe *probe, uint32_t address, uint32_t data)
{
    const es_softprobe_options *o = &probe->options;
    switch (address & 0x7C) {
    case ES_REG_HIT_POP: pop(probe); break;
    case ES_REG_EV_DATA: es_softprobe_event_word(probe, data); break;
    case ES_REG_EV_END: es_softprobe_event_end(probe); break;
    case ES_REG_EV_HIT: es_softprobe_event_hit(probe, data); break;
    case ES_REG_EV_HEAD: es_softprobe_event_head(probe, data); break;
    case ES_REG_EV_LAST:
        es_softprobe_event_word(probe, data);
        es_softprobe_event_end(probe);
        break;
    case ES_REG_EV_FLAGS: probe->frame.flags = probe->runs ? (uint16_t)data : 0; break;
    case ES_REG_MAILBOX:
        probe->mail = data;
        probe->mail_full = true;
        break;
    case ES_REG_CTRL: control(probe, data); break;
    case ES_REG_CPU_CTRL: run(probe, data & 1); break;
    case ES_REG_TRIGGER:
        if (o->on_pulses)
            o->on_pulses(o->context, data & 0xFF);
        break;
    case ES_REG_HALT:
        if (o->on_halt)
            o->on_halt(o->context, data & 1);
        break;
    default: break;
    }
}
