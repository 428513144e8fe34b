#include "plain.h"

#include <string.h>

#include "cpu_cycles.h"
#include "probe_defs.h"

/* Clocks of the bus, where all is a clock after the processor. */
#define FIRST_FETCH 2u /* after reset */
#define TO_DATA 2u     /* after the fetch: an instruction's own access */
#define TO_CONTROL 1u  /* after the fetch: a control register is read */
#define TO_SLEEP 2u    /* after the fetch of wfi */
#define FROM_SLEEP 2u  /* to the next fetch */
#define DECIDED 1u     /* before the fetch, whether it is the handler's */
#define OWN_SEED 0x2545F491u
#define BATCH 100000u /* instructions */

enum { MSTATUS = 0x300, MIE = 0x304, MTVEC = 0x305, MIP = 0x344 };
enum { BIT_MIE = 1u << 3, BIT_TIMER = 1u << 7, BIT_EXTERNAL = 1u << 11 };

/* --- time --- */

static unsigned clocks_of(es_insn insn)
{
    switch (insn.kind) {
    case ES_INSN_ADDRESS: return CYCLES_auipc;
    case ES_INSN_LOAD:
    case ES_INSN_STORE: return CYCLES_load;
    case ES_INSN_BRANCH: return CYCLES_branch;
    case ES_INSN_JUMP:
    case ES_INSN_CALL: return CYCLES_jal;
    case ES_INSN_CONTROL: return CYCLES_csr;
    case ES_INSN_TRAP_RETURN: return CYCLES_mret;
    case ES_INSN_COMPUTE:
        return es_insn_multiplies(insn) ? CYCLES_mul
               : es_insn_divides(insn)  ? CYCLES_div
               : es_insn_shifts(insn)   ? CYCLES_shift
                                        : CYCLES_alu;
    default: return CYCLES_alu; /* jalr takes as many */
    }
}

/* What is written counts from the clock after. */
static uint32_t pending(const plain *p, uint64_t time)
{
    bool before = time <= p->written;
    return (time >= (before ? p->compare_before : p->compare) ? BIT_TIMER : 0u) |
           (time >= (before ? p->alarm_before : p->alarm) ? BIT_EXTERNAL : 0u);
}

static uint32_t control_of(const plain *p, unsigned number)
{
    uint32_t value = 0, unknown;
    es_machine_control(p->machine, number, &value, &unknown);
    return value;
}

/* The first time at which anything can be pending. */
static uint64_t due(const plain *p)
{
    return p->compare < p->alarm ? p->compare : p->alarm;
}

static void look(plain *p)
{
    if (p->next >= p->until || p->next >= due(p) || p->exited || (p->to && es_softprobe_target_enough(p->to)))
        es_machine_stop_soon(p->machine);
}

static void on_access(void *context, const es_machine_access *access)
{
    plain *p = context;
    if (access->kind == ES_KIND_FETCH) {
        p->last = p->fetched = p->next;
        p->next += clocks_of(es_isa_decode(es_isa_of_simulated_target(), access->data));
    } else {
        p->last = p->fetched + TO_DATA;
    }
    if (p->to)
        es_softprobe_access(p->to->probe, access, p->last);
    if (p->also.access)
        p->also.access(p->also.context, access);
    look(p);
}

static void on_trap(void *context, uint32_t cause)
{
    plain *p = context;
    if (p->also.trap)
        p->also.trap(p->also.context, cause);
    if (!(cause >> 31))
        p->next = p->fetched + CYCLES_exception;
}

static void on_insn(void *context, uint32_t address)
{
    const plain *p = context;
    if (p->also.insn)
        p->also.insn(p->also.context, address);
}

static void on_set(void *context, unsigned reg)
{
    const plain *p = context;
    if (p->also.sets)
        p->also.sets(p->also.context, reg);
}

/* --- devices --- */

static uint32_t draw_random(plain *p)
{
    uint32_t now = p->random;
    p->random ^= p->random << 13;
    p->random ^= p->random >> 17;
    p->random ^= p->random << 5;
    return now;
}

static bool read_device(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    plain *p = context;
    uint64_t time = p->next + TO_DATA; /* its fetch is told after this */
    uint32_t word = 0;
    switch ((address & ~3u) - ES_TARGET_IO_BASE) {
    case ES_TARGET_IO_CYCLE:
        word = (uint32_t)time;
        p->cycle_high = (uint32_t)(time >> 32);
        break;
    case ES_TARGET_IO_CYCLEH: word = p->cycle_high; break;
    case ES_TARGET_IO_TIMECMP: word = (uint32_t)p->compare; break;
    case ES_TARGET_IO_TIMECMPH: word = (uint32_t)(p->compare >> 32); break;
    case ES_TARGET_IO_ALARM: word = (uint32_t)p->alarm; break;
    case ES_TARGET_IO_ALARMH: word = (uint32_t)(p->alarm >> 32); break;
    case ES_TARGET_IO_RANDOM: word = draw_random(p); break;
    default: break;
    }
    word >>= 8 * (address & 3);
    *value = size == 4 ? word : word & ((1u << 8 * size) - 1);
    *unknown = 0;
    return true;
}

static void set_half(uint64_t *of, unsigned shift, uint32_t value)
{
    *of = (*of & ~((uint64_t)UINT32_MAX << shift)) | (uint64_t)value << shift;
}

static void write_device(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    plain *p = context;
    char byte = (char)value;
    (void)size, (void)unknown;
    p->written = p->last;
    p->compare_before = p->compare;
    p->alarm_before = p->alarm;
    switch (address - ES_TARGET_IO_BASE) {
    case ES_TARGET_IO_CONSOLE:
        if (p->console.take)
            p->console.take(p->console.context, &byte, 1);
        break;
    case ES_TARGET_IO_EXIT:
        p->exited = true;
        p->exit_code = (int)value;
        break;
    case ES_TARGET_IO_TIMECMP: set_half(&p->compare, 0, value); break;
    case ES_TARGET_IO_TIMECMPH: set_half(&p->compare, 32, value); break;
    case ES_TARGET_IO_ALARM: set_half(&p->alarm, 0, value); break;
    case ES_TARGET_IO_ALARMH: set_half(&p->alarm, 32, value); break;
    default: break;
    }
    look(p);
}

static bool read_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    const plain *p = context;
    *value = number == MIP ? pending(p, p->next + TO_CONTROL) : 0;
    *unknown = 0;
    return true;
}

/* --- running --- */

/* At the time of the next fetch: an interrupt in its stead. */
static bool interrupt(plain *p)
{
    uint32_t which = pending(p, p->next - DECIDED);
    if (!which || !(control_of(p, MSTATUS) & BIT_MIE) || !(which &= control_of(p, MIE)))
        return false;
    es_machine_interrupt(p->machine, 0x80000000u | (which & BIT_EXTERNAL ? 11 : 7), 0);
    p->next += CYCLES_interrupt;
    return true;
}

/* In wfi. False: it sleeps until the end of this advance at least. */
static bool wakes(plain *p)
{
    uint32_t enabled = control_of(p, MIE);
    uint64_t at = UINT64_MAX, soonest = p->fetched + TO_SLEEP;
    if (enabled & BIT_TIMER && p->compare < at)
        at = p->compare;
    if (enabled & BIT_EXTERNAL && p->alarm < at)
        at = p->alarm;
    at = at > soonest ? at : soonest;
    if (at >= p->until)
        return false;
    p->next = at + FROM_SLEEP;
    p->sleeping = false;
    return true;
}

static enum es_target_state advance(void *context, es_softprobe_target *target, uint64_t until)
{
    plain *p = context;
    p->to = target;
    p->until = until;
    while (!p->exited && !p->trapped && !(target && es_softprobe_target_enough(target))) {
        if (p->sleeping && !wakes(p))
            return ES_TARGET_RUNNING;
        if (p->next >= until)
            return ES_TARGET_RUNNING;
        if (interrupt(p))
            continue;
        switch (es_machine_run(p->machine, es_machine_fetches(p->machine) + BATCH)) {
        case ES_MACHINE_UNTIL:
        case ES_MACHINE_ASKED: break;
        case ES_MACHINE_WAITS: p->sleeping = true; break;
        default: p->trapped = true;
        }
    }
    return p->exited ? ES_TARGET_EXITED : p->trapped ? ES_TARGET_TRAPPED : ES_TARGET_RUNNING;
}

static uint64_t cycles(void *context)
{
    const plain *p = context;
    uint64_t came = p->last ? p->last + 1 : 0;
    if (p->exited || p->trapped)
        return came;
    uint64_t quiet = p->sleeping || p->until < p->next ? p->until : p->next; /* nothing happens before it */
    return came > quiet ? came : quiet;
}

static int exit_code(void *context)
{
    return ((plain *)context)->exit_code;
}

static uint32_t pc(void *context)
{
    return es_machine_pc(((plain *)context)->machine);
}

static const char *trap_text(void *context)
{
    return es_machine_reason(((plain *)context)->machine);
}

const es_softprobe_source plain_source = {advance, cycles, exit_code, pc, trap_text, NULL, NULL};

/* --- begin and end --- */

static bool load(plain *p, const es_symbols *symbols, es_error *err)
{
    static const uint8_t zeros[ES_TARGET_ROM_SIZE + ES_TARGET_RAM_SIZE];
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    if (!es_machine_region(p->machine, ES_TARGET_ROM_BASE, ES_TARGET_ROM_SIZE, false, err) ||
        !es_machine_region(p->machine, ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE, true, err))
        return false;
    es_machine_poke(p->machine, ES_TARGET_ROM_BASE, zeros, NULL, ES_TARGET_ROM_SIZE);
    es_machine_poke(p->machine, ES_TARGET_RAM_BASE, zeros, NULL, ES_TARGET_RAM_SIZE);
    for (size_t i = 0; i < count; i++)
        if (!es_machine_poke(p->machine, segments[i].address, segments[i].bytes, NULL, segments[i].size))
            return es_fail(err, ES_USAGE, "does not fit the target");
    return true;
}

bool plain_new(plain *p, const es_symbols *symbols, uint32_t seed, es_error *err)
{
    const es_machine_options options = {.isa = es_isa_of_simulated_target(),
                                        .arch = "rv32imc_zicsr_zifencei",
                                        .known_at_reset = true,
                                        .processor = ES_PROCESSOR_REFERENCE,
                                        .outside = {read_device, write_device, read_control, p}};
    const es_machine_listener listener = {
        .insn = on_insn, .access = on_access, .sets = on_set, .trap = on_trap, .context = p};
    *p = (plain){.next = FIRST_FETCH, .compare = UINT64_MAX, .alarm = UINT64_MAX, .random = seed ? seed : OWN_SEED};
    p->machine = es_machine_new(&options, err);
    if (!p->machine || !load(p, symbols, err))
        return false;
    es_machine_listen(p->machine, &listener);
    return true;
}

void plain_free(plain *p)
{
    if (p->machine)
        es_machine_free(p->machine);
}
