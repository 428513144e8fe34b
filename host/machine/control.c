/* Control registers and traps of machine mode. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/private.h"

#define DIRTY (1u << 31) /* of mstatus: SD */

enum {
    MIE = 1 << 3,
    MPIE = 1 << 7,
    MPP = 3 << 11,
    MPRV = 1 << 17,
    TW = 1 << 21,
    FS = 3 << 13,     /* of floating point: 0 off, 3 dirty */
    MBE_SBE = 3 << 4, /* of mstatush */
};

enum step es_machine_because(es_machine *machine, enum step why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(machine->reason, sizeof machine->reason, format, args);
    va_end(args);
    return why;
}

const char *es_machine_reason(const es_machine *machine)
{
    return machine->reason;
}

static const es_processor *processor(const es_machine *machine)
{
    return es_processor_of(machine->options.processor);
}

static bool is_reference(const es_machine *machine)
{
    return machine->options.processor == ES_PROCESSOR_REFERENCE;
}

/* Where a control register's value is kept: those of machine mode by their lowest bits, the identification in a place
 * that these leave free. */
static unsigned slot_of(unsigned number)
{
    if (number == ES_CSR_JVT)
        return 0xFE;
    return number >= ES_CSR_MVENDORID ? 0xF0 + (number & 0xF) : number & (CONTROLS - 1);
}

static void set(es_machine *machine, unsigned number, uint32_t value, uint32_t unknown)
{
    machine->control[slot_of(number)] = value & ~unknown;
    machine->control_unknown[slot_of(number)] = unknown;
}

static machine_value held(const es_machine *machine, unsigned number)
{
    return (machine_value){machine->control[slot_of(number)], machine->control_unknown[slot_of(number)]};
}

int es_machine_float_is_on(const es_machine *machine)
{
    machine_value status = held(machine, ES_CSR_MSTATUS);
    return status.bits & FS ? 1 : status.unknown & FS ? -1 : 0;
}

void es_machine_float_is_dirty(es_machine *machine, bool certain)
{
    machine_value status = held(machine, ES_CSR_MSTATUS);
    uint32_t new_bits = (FS | DIRTY) & ~status.bits;
    if (!certain) {
        set(machine, ES_CSR_MSTATUS, status.bits, status.unknown | new_bits);
        return;
    }
    set(machine, ES_CSR_MSTATUS, status.bits | FS | DIRTY, status.unknown & ~(FS | DIRTY));
}

/* --- which there are, and which bits of them --- */

static bool between(unsigned number, unsigned first, unsigned last)
{
    return number >= first && number <= last;
}

/* For what processors add of their own, and for debuggers: nobody knows what they hold. */
static bool is_custom(unsigned number)
{
    return between(number, 0x7A0, 0x7FF) || between(number, 0xBC0, 0xBFF) || between(number, 0xFC0, 0xFFF) ||
           between(number, 0x800, 0x8FF) || between(number, 0xCC0, 0xCFF);
}

static bool exists(const es_machine *machine, unsigned number)
{
    bool reference = is_reference(machine);
    switch (number) {
    case ES_CSR_FFLAGS:
    case ES_CSR_FRM:
    case ES_CSR_FCSR: return machine->has & (ES_HAS_F | ES_HAS_ZFINX);
    case ES_CSR_JVT: return machine->has & ES_HAS_ZCMT;
    case ES_CSR_MSTATUS:
    case ES_CSR_MISA:
    case ES_CSR_MIE:
    case ES_CSR_MTVEC:
    case ES_CSR_MSTATUSH:
    case ES_CSR_MSCRATCH:
    case ES_CSR_MEPC:
    case ES_CSR_MCAUSE:
    case ES_CSR_MTVAL:
    case ES_CSR_MIP: return true;
    case ES_CSR_MCOUNTEREN:
    case ES_CSR_MCOUNTINHIBIT: return !reference;
    default: break;
    }
    if (between(number, ES_CSR_MVENDORID, ES_CSR_MCONFIGPTR))
        return true;
    if (reference)
        return false;
    unsigned lower = number & ~(unsigned)ES_CSR_UPPER;
    return between(number, ES_CSR_MHPMEVENT3, ES_CSR_MHPMEVENT31) ||
           between(number, ES_CSR_PMPCFG0, ES_CSR_PMPADDR63) || between(lower, ES_CSR_CYCLE, ES_CSR_HPMCOUNTER31) ||
           (between(lower, ES_CSR_MCYCLE, ES_CSR_MHPMCOUNTER31) && lower != ES_CSR_MCYCLE + 1) || is_custom(number);
}

/* Bits that a program can set; the others stay. */
static uint32_t writable(const es_machine *machine, unsigned number)
{
    const es_processor *its = processor(machine);
    switch (number) {
    case ES_CSR_MSTATUS:
        return MIE | (its->mode == ES_MODE_ABSENT ? 0 : MPIE) | (its->mode == ES_MODE_KEPT ? MPP : 0) |
               (machine->options.user_mode ? MPP | MPRV | TW : 0) | (machine->has & ES_HAS_F ? FS : 0);
    case ES_CSR_JVT: return ~63u;
    case ES_CSR_MIE: return its->interrupts;
    case ES_CSR_MTVEC: return its->vector_bits;
    case ES_CSR_MEPC: return machine->has & ES_HAS_C ? ~1u : ~3u;
    case ES_CSR_MCAUSE: return its->cause_bits;
    case ES_CSR_MTVAL: return is_reference(machine) ? 0 : UINT32_MAX;
    case ES_CSR_MISA:
    case ES_CSR_MSTATUSH: return 0;
    default: return between(number, ES_CSR_MVENDORID, ES_CSR_MCONFIGPTR) ? 0 : UINT32_MAX;
    }
}

void es_machine_reset_controls(es_machine *machine)
{
    bool known = is_reference(machine);
    memset(machine->control, 0, sizeof machine->control);
    memset(machine->control_unknown, known ? 0 : 0xFF, sizeof machine->control_unknown);
    set(machine, ES_CSR_MSTATUS, known ? MPP : processor(machine)->status,
        known ? 0 : processor(machine)->status_unknown);
    /* what says of data that they are big endian may be fixed, or set by the program */
    set(machine, ES_CSR_MSTATUSH, 0, machine->options.big_endian && !known ? MBE_SBE : 0);
    /* bits that hold nothing are 0 */
    set(machine, ES_CSR_MTVEC, processor(machine)->vector_ones, known ? 0 : writable(machine, ES_CSR_MTVEC));
    set(machine, ES_CSR_MEPC, 0, known ? 0 : writable(machine, ES_CSR_MEPC));
    if (processor(machine)->clears_enables)
        set(machine, ES_CSR_MIE, 0, 0);
    machine->user = false;
    machine->fcsr = 0;
    machine->fcsr_unknown = known ? 0 : 255;
    if (is_reference(machine))
        set(machine, ES_CSR_MISA,
            0x40000100u | (machine->has & ES_HAS_C ? 1u << 2 : 0) | (machine->has & ES_HAS_M ? 1u << 12 : 0), 0);
    else /* which processor it is nobody has said */
        for (unsigned number = ES_CSR_MVENDORID; number <= ES_CSR_MCONFIGPTR; number++)
            set(machine, number, 0, UINT32_MAX);
    if (!is_reference(machine))
        set(machine, ES_CSR_MISA, 0, UINT32_MAX);
}

/* fcsr's part that a number of it stands for: its lowest bit, and how many. */
static bool is_float(unsigned number, unsigned *low, uint32_t *mask)
{
    *low = number == ES_CSR_FRM ? 5 : 0;
    *mask = number == ES_CSR_FRM ? 7 : number == ES_CSR_FFLAGS ? 31 : 255;
    return number >= ES_CSR_FFLAGS && number <= ES_CSR_FCSR;
}

static machine_value value_in(const es_machine *machine, unsigned number)
{
    unsigned low;
    uint32_t mask;
    if (is_float(number, &low, &mask))
        return (machine_value){machine->fcsr >> low & mask, machine->fcsr_unknown >> low & mask};
    return held(machine, number);
}

static bool set_float(es_machine *machine, unsigned number, machine_value value)
{
    unsigned low;
    uint32_t mask;
    if (!is_float(number, &low, &mask))
        return false;
    machine->fcsr = (machine->fcsr & ~(mask << low)) | (value.bits & mask) << low;
    machine->fcsr_unknown = (machine->fcsr_unknown & ~(mask << low)) | (value.unknown & mask) << low;
    return true;
}

/* What the machine's own program can read at another time than this one. */
static bool is_outside(unsigned number)
{
    unsigned lower = number & ~(unsigned)ES_CSR_UPPER;
    return es_rv32_control_is_volatile(number) || between(lower, ES_CSR_MCYCLE, ES_CSR_MHPMCOUNTER31) ||
           between(lower, ES_CSR_CYCLE, ES_CSR_HPMCOUNTER31);
}

/* What of a value a program gets to see. */
static machine_value readable(const es_machine *machine, unsigned number, machine_value value)
{
    const es_processor *its = processor(machine);
    if (is_reference(machine) || number <= ES_CSR_FCSR)
        return value;
    switch (number) {
    case ES_CSR_MSTATUS:
        if (its->mode == ES_MODE_ABSENT)
            return (machine_value){value.bits & MIE, value.unknown & MIE};
        return its->mode == ES_MODE_UNKNOWN ? value_made(value.bits, value.unknown | MPP) : value;
    case ES_CSR_MIE: return its->reads_enables ? value : (machine_value){0, UINT32_MAX};
    case ES_CSR_MSCRATCH: return its->no_scratch ? (machine_value){0, 0} : value;
    case ES_CSR_MSTATUSH:
    case ES_CSR_JVT:
    case ES_CSR_MEPC:
    case ES_CSR_MCAUSE:
    case ES_CSR_MTVAL: return value;
    default: return (machine_value){0, UINT32_MAX}; /* what it holds, the specification leaves to the processor */
    }
}

enum control_access es_machine_read_control(es_machine *machine, unsigned number, bool write, machine_value *value)
{
    const es_machine_outside *outside = &machine->options.outside;
    uint32_t bits = 0, unknown = UINT32_MAX;
    if (!exists(machine, number) || (write && number >> 10 == 3) || (machine->user && (number >> 8 & 3)))
        return CONTROL_ILLEGAL;
    int on = number <= ES_CSR_FCSR && machine->has & ES_HAS_F ? es_machine_float_is_on(machine) : 1;
    if (on <= 0)
        return on ? CONTROL_UNKNOWN : CONTROL_ILLEGAL;
    if (!is_outside(number)) {
        *value = readable(machine, number, value_in(machine, number));
        return CONTROL_DONE;
    }
    if (outside->control && es_rv32_control_is_volatile(number) &&
        !outside->control(outside->context, number, &bits, &unknown))
        return CONTROL_LATER;
    if (number == ES_CSR_MIP)
        bits &= processor(machine)->interrupts, unknown &= processor(machine)->interrupts;
    *value = value_made(bits, unknown);
    return CONTROL_DONE;
}

void es_machine_write_control(es_machine *machine, unsigned number, machine_value value)
{
    uint32_t mask = writable(machine, number);
    if (is_outside(number))
        return;
    if (set_float(machine, number, value)) {
        if (machine->has & ES_HAS_F)
            es_machine_float_is_dirty(machine, true);
        return;
    }
    machine_value old = held(machine, number);
    uint32_t bits = (old.bits & ~mask) | (value.bits & mask);
    uint32_t unknown = (old.unknown & ~mask) | (value.unknown & mask);
    if (number == ES_CSR_MSTATUS && machine->has & ES_HAS_F) {
        bool is_dirty = (bits & FS) == FS, may_be = ((bits | unknown) & FS) == FS;
        bits = (bits & ~DIRTY) | (is_dirty ? DIRTY : 0);
        unknown = (unknown & ~DIRTY) | (may_be && !is_dirty ? DIRTY : 0);
    }
    /* MPP holds modes that there are */
    bool kept = processor(machine)->mode == ES_MODE_KEPT && !machine->options.user_mode;
    if (number == ES_CSR_MSTATUS && !kept && !(unknown & MPP) && (bits & MPP) != MPP)
        bits &= ~(uint32_t)MPP;
    if (number == ES_CSR_MSTATUS && unknown & MPP)
        unknown |= MPP;
    set(machine, number, bits & ~unknown, unknown);
}

bool es_machine_control(const es_machine *machine, unsigned number, uint32_t *value, uint32_t *unknown)
{
    if (!exists(machine, number))
        return false;
    bool told = !is_outside(number) && !is_custom(number);
    *value = told ? value_in(machine, number).bits : 0;
    *unknown = told ? value_in(machine, number).unknown : UINT32_MAX;
    return true;
}

bool es_machine_set_control(es_machine *machine, unsigned number, uint32_t value, uint32_t unknown)
{
    if (!exists(machine, number) || is_outside(number) || is_custom(number))
        return false;
    if (!set_float(machine, number, value_made(value, unknown)))
        set(machine, number, value, unknown);
    return true;
}

/* --- traps --- */

enum step es_machine_can_trap(es_machine *machine, uint32_t cause)
{
    static const char *const names[] = {"a jump to an address that no instruction can have",
                                        "an access of code that failed",
                                        "an illegal instruction",
                                        "ebreak",
                                        "a load from a misaligned address",
                                        "a load that failed",
                                        "a store to a misaligned address",
                                        "a store that failed",
                                        "ecall",
                                        "ecall",
                                        "ecall",
                                        "ecall"};
    machine_value vector = held(machine, ES_CSR_MTVEC);
    if (!(machine->has & ES_HAS_ZICSR) || (is_reference(machine) && !vector.bits))
        return es_machine_because(machine, STEP_STRANGE, "%s at 0x%08x, where exceptions have no handler", names[cause],
                                  machine->pc);
    if (vector.unknown)
        return es_machine_because(machine, STEP_UNKNOWN, "%s at 0x%08x, and mtvec is not known", names[cause],
                                  machine->pc);
    return STEP_DONE;
}

bool es_machine_trap(es_machine *machine, uint32_t cause, uint32_t cause_unknown, uint32_t value)
{
    machine_value vector = held(machine, ES_CSR_MTVEC), status = held(machine, ES_CSR_MSTATUS);
    uint32_t to = vector.bits & ~3u;
    if (vector.unknown)
        return false;
    if (cause >> 31 && vector.bits & 1) {
        if (cause_unknown)
            return false;
        to += (cause & 0x7FFFFFFF) * 4;
    }
    if (cause >> 31 && processor(machine)->mode == ES_MODE_ABSENT) /* where it follows mret directly, SERV loses it */
        status = value_made(status.bits, status.unknown | MIE);
    uint32_t kept = ~(uint32_t)(MIE | MPIE | MPP), enabled = MPIE / MIE;
    set(machine, ES_CSR_MSTATUS,
        (status.bits & kept) | (status.bits & MIE) * enabled | (machine->user ? 0 : (uint32_t)MPP),
        (status.unknown & kept) | (status.unknown & MIE) * enabled);
    set(machine, ES_CSR_MEPC, machine->pc, 0);
    set(machine, ES_CSR_MCAUSE, cause, cause_unknown);
    enum es_processor_name its = machine->options.processor; /* others may have 0, or what they had before */
    set(machine, ES_CSR_MTVAL, its == ES_PROCESSOR_STANDARD ? value : 0,
        its == ES_PROCESSOR_STANDARD || its == ES_PROCESSOR_REFERENCE ? 0 : UINT32_MAX);
    machine->user = false;
    machine->pc = to;
    if (machine->listens && machine->listener.trap)
        machine->listener.trap(machine->listener.context, cause);
    return true;
}

bool es_machine_interrupt(es_machine *machine, uint32_t cause, uint32_t cause_unknown)
{
    return es_machine_trap(machine, (cause & ~cause_unknown) | 1u << 31, cause_unknown & ~(1u << 31), 0);
}

bool es_machine_return_from_trap(es_machine *machine, bool go)
{
    machine_value to = held(machine, ES_CSR_MEPC), status = held(machine, ES_CSR_MSTATUS);
    if (to.unknown || status.unknown & MPP)
        return es_machine_because(machine, STEP_UNKNOWN, "where mret at 0x%08x returns to is not known", machine->pc) ==
               STEP_DONE;
    if (!go)
        return true;
    uint32_t kept = ~(uint32_t)(MIE | MPIE | MPP), enabled = MPIE / MIE;
    bool user_mode = machine->options.user_mode, absent = processor(machine)->mode == ES_MODE_ABSENT;
    uint32_t mode = user_mode || processor(machine)->mode == ES_MODE_KEPT ? 0 : MPP;
    set(machine, ES_CSR_MSTATUS,
        (status.bits & kept) | (status.bits & MPIE) / enabled | mode | (absent ? status.bits & MPIE : (uint32_t)MPIE),
        (status.unknown & kept) | (status.unknown & MPIE) / enabled | (absent ? status.unknown & MPIE : 0));
    machine->user = user_mode && (status.bits & MPP) != MPP;
    machine->pc = to.bits;
    return true;
}
