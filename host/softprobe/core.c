/* The soft core: a machine that runs the firmware, its map beyond its own memory, and whose turn it is. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "softprobe/private.h"

/* Instructions in one go. Firmware comes to rest after some thousands; what polls (firmware/drain) never does, and has
 * its next, short turn with the next record or command. */
#define TURN 200000u
#define SHORT_TURN 2000u

/* Stores put their bytes into all lanes of their size. */
static uint32_t spread(uint32_t value, unsigned size)
{
    return size == 1 ? (value & 0xFF) * 0x01010101u : size == 2 ? (value & 0xFFFF) * 0x00010001u : value;
}

static bool read_outside(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    uint32_t word = es_softprobe_bus_read(context, address, true) >> 8 * (address & 3);
    *value = size == 4 ? word : word & ((1u << 8 * size) - 1);
    *unknown = 0;
    return true;
}

static void write_outside(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    (void)unknown; /* all of its memory and its registers are known */
    es_softprobe_bus_write(context, address, spread(value, size), ((1u << size) - 1) << (address & 3));
}

/* It has no control registers. */
static bool no_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    (void)context, (void)number;
    *value = *unknown = 0;
    return true;
}

bool es_softprobe_core_new(es_softprobe *probe, es_error *err)
{
    uint32_t size = 1u << probe->options.mem_log2;
    const es_machine_options options = {.isa = es_isa_of_soft_core(),
                                        .arch = "rv32i",
                                        .reset_pc = ES_MEM_BASE,
                                        .known_at_reset = true,
                                        .outside = {read_outside, write_outside, no_control, probe}};
    probe->core = es_machine_new(&options, err);
    if (!probe->core || !es_machine_region(probe->core, ES_MEM_BASE, size, true, err))
        return false;
    uint8_t *zeros = es_malloc(size);
    memset(zeros, 0, size);
    es_machine_poke(probe->core, ES_MEM_BASE, zeros, NULL, size);
    free(zeros);
    return true;
}

/* CPU_CTRL was 0, and is 1 now. */
static void start(es_softprobe *probe)
{
    probe->instructions_before = es_softprobe_instructions(probe);
    es_machine_reset(probe->core);
    probe->starts = probe->asleep = probe->stopped = false;
}

/* True: it waits, or runs no more. */
static bool take_turn(es_softprobe *probe)
{
    if (probe->starts)
        start(probe);
    uint64_t end = es_machine_fetches(probe->core) + (probe->busy ? SHORT_TURN : TURN);
    while (probe->runs && !probe->starts && !probe->stopped) {
        if (probe->asleep && !probe->hit_valid && !probe->mail_full)
            return true;
        probe->asleep = false;
        probe->in_turn = true;
        enum es_machine_stop stop = es_machine_run(probe->core, end);
        probe->in_turn = false;
        switch (stop) {
        case ES_MACHINE_UNTIL: return false;
        case ES_MACHINE_WAITS: probe->asleep = true; break;
        case ES_MACHINE_ASKED: break;
        default: probe->stopped = true;
        }
    }
    return true;
}

/* Else a turn would be over at once. */
static bool has_turn(const es_softprobe *probe)
{
    return probe->starts ||
           (probe->runs && !probe->stopped && (!probe->asleep || probe->hit_valid || probe->mail_full));
}

/* All soft cores, one after the other. False: one goes on and on. */
static bool take_turns(es_softprobe *first)
{
    bool rest = true;
    for (size_t i = 0; i < first->monitor_count; i++) {
        es_softprobe *monitor = first->monitors[i];
        monitor->busy = has_turn(monitor) && !take_turn(monitor);
        rest &= !monitor->busy;
    }
    if (first->said_count && !first->held)
        es_softprobe_sort(first);
    return rest;
}

bool es_softprobe_settle(es_softprobe *probe)
{
    es_softprobe *first = probe->first;
    bool rest;
    do {
        es_softprobe_pump(first);
        rest = take_turns(first);
    } while (rest && first->fifo_level && !first->waiting_monitors);
    first->waits = first->fifo_level || first->waiting_monitors || first->dropped;
    return rest;
}
