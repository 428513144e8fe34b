#include "replay/vectors.h"

#include "replay/run.h"

#define MSTATUS 0x300u
#define MIE_BIT 8u
#define MTVEC 0x305u
#define INSTRUCTIONS 4000000u /* of a dry run; a program's start-up takes fewer, also with memory to clear */
#define STEP 64u              /* instructions between two looks at the control registers */

/* --- dry run --------------------------------------------------------------------------------- */

static bool nothing(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    (void)context, (void)address, (void)size;
    *value = *unknown = 0;
    return true;
}

static bool no_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    (void)context, (void)number;
    *value = *unknown = 0;
    return true;
}

static bool is_set(const es_machine *machine, uint32_t *mtvec)
{
    uint32_t unknown;
    return es_machine_control(machine, MTVEC, mtvec, &unknown) && !unknown && *mtvec;
}

static bool lets_interrupts_come(const es_machine *machine)
{
    uint32_t status, unknown;
    return es_machine_control(machine, MSTATUS, &status, &unknown) && (status & MIE_BIT & ~unknown);
}

/* The handler's address at the first moment at which interrupts are enabled; else the last that was set. */
static bool dry_run(const es_replay_program *program, uint32_t *mtvec)
{
    es_execution run = {.context = NULL};
    es_error err;
    es_replay_program own = *program;
    bool found = false;
    own.machine.known_at_reset = true; /* a dry run needs no truth */
    if (!es_execution_begin_with(&run, &own, &(es_machine_outside){.read = nothing, .control = no_control}, &err))
        return false;
    for (uint64_t moment = STEP; moment < INSTRUCTIONS; moment += STEP) {
        enum es_machine_stop stop = es_machine_run(run.machine, moment);
        found |= is_set(run.machine, mtvec);
        if ((stop != ES_MACHINE_UNTIL && stop != ES_MACHINE_WAITS) || (found && lets_interrupts_come(run.machine)))
            break;
    }
    es_execution_free(&run);
    return found;
}

/* --- constants in the code ------------------------------------------------------------------- */

/* What register `reg` is made of, in the instructions just before an address: a constant, or an address. */
static bool constant_before(const es_replay_program *program, const es_segment *segment, uint32_t at, unsigned reg,
                            uint32_t *value)
{
    const es_isa *isa = program->machine.isa;
    uint32_t held = 0;
    bool known = false;
    uint32_t from = at > 16 ? at - 16 : 0;
    for (uint32_t offset = from; offset < at;) {
        es_insn insn = isa->decode(segment->bytes + offset, segment->size - offset);
        if (insn.rd == reg && insn.kind == ES_INSN_CONSTANT) {
            held = (uint32_t)insn.imm;
            known = true;
        } else if (insn.rd == reg && insn.kind == ES_INSN_ADDRESS) {
            held = segment->address + offset + (uint32_t)insn.imm;
            known = true;
        } else if (insn.rd == reg && es_insn_adds(insn) && insn.rs1 == reg && known) {
            held += (uint32_t)insn.imm;
        } else if (insn.rd == reg) {
            known = false;
        }
        offset += insn.size ? insn.size : 2;
    }
    *value = held;
    return known;
}

/* What all csrw mtvec of the code write, where that is a constant: how many there are, and how many values. */
static unsigned scan(const es_replay_program *program, uint32_t *mtvec, bool *any)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(program->symbols, &segments);
    unsigned values = 0;
    *any = false;
    for (size_t i = 0; i < count; i++) {
        if (!segments[i].executable)
            continue;
        for (uint32_t offset = 0; offset + 4 <= segments[i].size; offset += 2) {
            uint32_t value;
            es_insn insn = program->machine.isa->decode(segments[i].bytes + offset, segments[i].size - offset);
            if (insn.kind != ES_INSN_CONTROL || insn.control != ES_CONTROL_HANDLER || !insn.writes || !insn.rs1)
                continue;
            *any = true;
            if (constant_before(program, &segments[i], offset, insn.rs1, &value) && (!values || value != *mtvec)) {
                *mtvec = value;
                values++;
            }
        }
    }
    return values;
}

/* --- the one procedure that returns from traps --------------------------------------------------- */

static bool only_handler(const es_replay_program *program, uint32_t *mtvec)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(program->symbols, &segments);
    const es_procedure *handler = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!segments[i].executable)
            continue;
        for (uint32_t offset = 0; offset + 4 <= segments[i].size;) {
            es_insn insn = program->machine.isa->decode(segments[i].bytes + offset, segments[i].size - offset);
            if (insn.kind == ES_INSN_TRAP_RETURN) {
                const es_procedure *its = es_symbols_procedure_at(program->symbols, segments[i].address + offset);
                if (!its || (handler && its != handler))
                    return false;
                handler = its;
            }
            offset += insn.size ? insn.size : 2;
        }
    }
    if (!handler || handler->low & 3)
        return false;
    *mtvec = handler->low;
    return true;
}

bool es_vectors_find(es_replay_program *program, es_error *err)
{
    uint32_t mtvec = 0;
    bool any = false;
    if (err)
        err->code = ES_OK;
    program->traps = (es_replay_vector){0};
    if (!dry_run(program, &mtvec)) {
        unsigned values = scan(program, &mtvec, &any);
        if (values != 1 && (!any || values || !only_handler(program, &mtvec)))
            return any && es_fail(err, ES_USAGE,
                                  "where the program's interrupts lead to is not known: it sets mtvec to %s. Say it: "
                                  "--handler ADDRESS",
                                  values ? "several values" : "what is not known before it runs");
    }
    /* vectored: a table of 32 jumps, or of 16 */
    program->traps =
        (es_replay_vector){.value = mtvec & ~3u, .mask = mtvec & 1 ? ~(uint32_t)0x7F : UINT32_MAX, .used = true};
    return true;
}
