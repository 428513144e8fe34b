/* The precise engine: executes one instruction, with all that can be unknown, and tells the listener. */
#include "machine/step.h"

#include "machine/compute.h"

/* --- instructions --- */

static enum step load(es_machine *machine, const insn *it, uint32_t size)
{
    machine_value base = x(machine, it->op.rs1), parts[2] = {{0, 0}, {0, 0}}, value;
    uint32_t address = base.bits + (uint32_t)it->op.imm;
    piece pieces[2];
    if (base.unknown)
        return es_step_not_known(machine, it, "the address of the load");
    if (address & (size - 1) && !machine->options.misaligned)
        return es_step_except(machine, it, CAUSE_LOAD, address);
    unsigned count = es_step_pieces(address, size, pieces);
    for (unsigned i = 0; i < count; i++)
        if (!es_step_read(machine, pieces[i], &parts[i]))
            return STEP_LATER;
    es_step_begin(machine, it);
    for (unsigned i = 0; i < count; i++)
        es_step_tell_read(machine, pieces[i], parts[i]);
    value = parts[0];
    if (count > 1) {
        machine_value upper = shifted(parts[1], (int)(8 * pieces[0].size));
        value = (machine_value){value.bits | upper.bits, value.unknown | upper.unknown};
    }
    value = ordered(machine, value, size);
    uint32_t a;
    switch (it->op.op) {
#define LOAD(name, bytes, result) \
    case ES_OP_##name: \
        a = value.bits, value.bits = result; \
        a = value.unknown, value.unknown = result; \
        break;
        LOAD_LIST(LOAD)
#undef LOAD
    default: break;
    }
    return es_step_end_with(machine, it, it->next, value_made(value.bits, value.unknown));
}

static enum step store(es_machine *machine, const insn *it, uint32_t size)
{
    machine_value base = x(machine, it->op.rs1), value;
    uint32_t address = base.bits + (uint32_t)it->op.imm;
    piece pieces[2];
    if (base.unknown)
        return es_step_not_known(machine, it, "the address of the store");
    if (address & (size - 1) && !machine->options.misaligned)
        return es_step_except(machine, it, CAUSE_STORE, address);
    es_step_claim(machine, it->op.rs2, size);
    value = ordered(machine, x(machine, it->op.rs2), size);
    es_step_begin(machine, it);
    unsigned count = es_step_pieces(address, size, pieces);
    machine->pc = it->next;
    for (unsigned i = 0; i < count; i++) {
        es_step_write(machine, pieces[i], value);
        value = shifted(value, -(int)(8 * (pieces[i].size & 3)));
    }
    return STEP_DONE;
}

static machine_value swapped(unsigned op, machine_value A, machine_value B)
{
    uint32_t a = A.bits, b = B.bits;
    bool unknown = A.unknown | B.unknown;
    switch (op) {
#define ATOMIC(name, result, its_unknown) \
    case ES_OP_##name: return value_made(result, unknown ? (its_unknown) : 0);
        ATOMIC_LIST(ATOMIC)
#undef ATOMIC
    default: return B;
    }
}

static enum step atomic(es_machine *machine, const insn *it)
{
    machine_value base = x(machine, it->op.rs1), other = x(machine, it->op.rs2), old = {0, 0};
    piece at = {base.bits, 4};
    bool reads = it->op.op != ES_OP_SC, stores = it->op.op != ES_OP_LR;
    if (base.unknown)
        return es_step_not_known(machine, it, "the address of the atomic access");
    if (base.bits & 3)
        return es_step_except(machine, it, stores ? CAUSE_STORE : CAUSE_LOAD, base.bits);
    if (reads && !es_step_read(machine, at, &old))
        return STEP_LATER;
    es_step_begin(machine, it);
    if (reads)
        es_step_tell_read(machine, at, old);
    old = ordered(machine, old, at.size);
    if (it->op.op == ES_OP_LR) {
        machine->reserved = true;
        machine->reservation = base.bits;
        return es_step_end_with(machine, it, it->next, old);
    }
    bool fails = !reads && !(machine->reserved && machine->reservation == base.bits);
    if (!reads)
        machine->reserved = false;
    if (!fails)
        es_step_write(machine, at, ordered(machine, reads ? swapped(it->op.op, old, other) : other, at.size));
    return es_step_end_with(machine, it, it->next, reads ? old : value_of(fails));
}

static enum step compute(es_machine *machine, const insn *it)
{
    machine_value A = x(machine, it->op.rs1);
    machine_value B = it->op.immediate ? value_of((uint32_t)it->op.imm) : x(machine, it->op.rs2), made = {0, 0};
    uint32_t a = A.bits, b = B.bits;
    bool unknown = A.unknown | B.unknown;
    /* what a register and itself make is known where it is the same whatever it holds */
    bool same = unknown && !it->op.immediate && it->op.rs1 == it->op.rs2;
    if (same && (it->op.op == ES_OP_XOR || it->op.op == ES_OP_SUB))
        unknown = false;
    switch (it->op.op) {
#define COMPUTE(name, result, its_unknown) \
    case ES_OP_##name: made = value_made(result, unknown ? (its_unknown) : 0); break;
        COMPUTE_LIST(COMPUTE)
#undef COMPUTE
    default: break;
    }
    es_step_begin(machine, it);
    return es_step_end_with(machine, it, it->next, made);
}

static bool misplaced(const es_machine *machine, uint32_t address)
{
    return address & 2 && !(machine->has & ES_HAS_C);
}

static enum step branch(es_machine *machine, const insn *it)
{
    machine_value A = x(machine, it->op.rs1), B = x(machine, it->op.rs2);
    uint32_t a = A.bits, b = B.bits, to = it->pc + (uint32_t)it->op.imm;
    int goes = 0;
    switch (it->op.op) {
#define BRANCH(name, holds, of_values) \
    case ES_OP_##name: goes = A.unknown | B.unknown ? (of_values) : (holds); break;
        BRANCH_LIST(BRANCH)
#undef BRANCH
    default: break;
    }
    if (goes < 0)
        return es_step_not_known(machine, it, "the direction of the branch");
    if (goes && misplaced(machine, to))
        return es_step_except(machine, it, CAUSE_JUMP, to);
    es_step_begin(machine, it);
    return es_step_end(machine, goes ? to : it->next);
}

static enum step jump(es_machine *machine, const insn *it)
{
    bool by_register = it->op.op == ES_OP_JALR;
    machine_value base = by_register ? x(machine, it->op.rs1) : value_of(it->pc);
    uint32_t to = (base.bits + (uint32_t)it->op.imm) & ~1u;
    if (base.unknown)
        return es_step_not_known(machine, it, "the target of the jump");
    if (misplaced(machine, to))
        return es_step_except(machine, it, CAUSE_JUMP, to);
    es_step_begin(machine, it);
    return es_step_end_with(machine, it, to, value_of(it->next));
}

static enum step control(es_machine *machine, const insn *it)
{
    unsigned number = (unsigned)it->op.imm;
    bool writes = it->op.op == ES_OP_CSR_WRITE || it->op.rs1;
    machine_value B = it->op.immediate ? value_of(it->op.rs1) : x(machine, it->op.rs1), A = {0, 0}, made = B;
    switch (es_machine_read_control(machine, number, writes, &A)) {
    case CONTROL_LATER: return STEP_LATER;
    case CONTROL_UNKNOWN: return es_step_not_known(machine, it, "whether floating point is on, for the instruction");
    case CONTROL_ILLEGAL: return es_step_except(machine, it, CAUSE_ILLEGAL, it->word);
    default: break;
    }
    if (it->op.op == ES_OP_CSR_SET)
        made = value_made(A.bits | B.bits, value_or(A, B));
    if (it->op.op == ES_OP_CSR_CLEAR)
        made = value_made(A.bits & ~B.bits, value_and(A, value_not(B)));
    es_step_begin(machine, it);
    if (writes)
        es_machine_write_control(machine, number, made);
    return es_step_end_with(machine, it, it->next, A);
}

static enum step system_call(es_machine *machine, const insn *it)
{
    switch (it->op.op) {
    case ES_OP_ECALL: return es_step_except(machine, it, CAUSE_CALL + (machine->user ? 0 : 3), 0);
    case ES_OP_EBREAK: return es_step_except(machine, it, CAUSE_BREAK, it->pc);
    case ES_OP_MRET:
        if (machine->user)
            return es_step_except(machine, it, CAUSE_ILLEGAL, it->word);
        if (!es_machine_return_from_trap(machine, false))
            return STEP_UNKNOWN;
        es_step_begin(machine, it);
        es_machine_return_from_trap(machine, true);
        return STEP_DONE;
    default: es_step_begin(machine, it); return es_step_end(machine, it->next);
    }
}

static enum step illegal(es_machine *machine, const insn *it)
{
    if (machine->has & ES_HAS_OTHER)
        return es_machine_because(machine, STEP_STRANGE,
                                  "the instruction 0x%08x at 0x%08x is of an extension that is not known here",
                                  it->word, it->pc);
    return es_step_except(machine, it, CAUSE_ILLEGAL, it->word);
}

static enum step execute(es_machine *machine, const insn *it)
{
    switch (it->op.op) {
#define X(name) case ES_OP_##name:
        ES_OP_COMPUTES(X) return compute(machine, it);
        ES_OP_BRANCHES(X) return branch(machine, it);
        ES_OP_ATOMICS(X) X(LR) X(SC) return atomic(machine, it);
        ES_OP_FLOATS(X) X(FLOAD) X(FSTORE) return es_step_float(machine, it);
        X(CM_PUSH)
        X(CM_POP) X(CM_POPRETZ) X(CM_POPRET) X(CM_MVSA01) X(CM_MVA01S) X(CM_JT) return es_step_several(machine, it);
        X(CSR_WRITE) X(CSR_SET) X(CSR_CLEAR) return control(machine, it);
        X(JAL) X(JALR) return jump(machine, it);
        X(FENCE) X(FENCE_I) X(ECALL) X(EBREAK) X(MRET) return system_call(machine, it);
#undef X
#define LOAD(name, bytes, result) \
    case ES_OP_##name: return load(machine, it, bytes);
        LOAD_LIST(LOAD)
#undef LOAD
#define STORE(name, bytes) \
    case ES_OP_##name: return store(machine, it, bytes);
        STORE_LIST(STORE)
#undef STORE
    case ES_OP_CONSTANT:
    case ES_OP_ADDRESS:
        es_step_begin(machine, it);
        return es_step_end_with(machine, it, it->next,
                                value_of((uint32_t)it->op.imm + (it->op.op == ES_OP_ADDRESS ? it->pc : 0)));
    case ES_OP_WFI:
        if (es_processor_of(machine->options.processor)->no_wfi)
            return es_machine_because(machine, STEP_STRANGE, "there is wfi at 0x%08x, which the processor has not",
                                      it->pc);
        es_step_begin(machine, it);
        return es_step_end(machine, it->next), STEP_WAITS;
    default: return illegal(machine, it);
    }
}

/* --- fetches --- */

static enum step fetch(es_machine *machine, insn *it)
{
    if (!es_machine_region_of(machine, it->pc))
        return es_machine_because(machine, STEP_STRANGE, "there is no memory at 0x%08x, where an instruction should be",
                                  it->pc);
    machine_value word = es_machine_word(machine, it->pc & ~3u);
    if (it->pc & 2) {
        word = shifted(word, -16);
        if ((word.bits & 3) == 3 && !es_machine_region_of(machine, it->pc + 2))
            return es_machine_because(machine, STEP_STRANGE, "the instruction at 0x%08x ends outside of memory",
                                      it->pc);
        if ((word.bits & 3) == 3) {
            machine_value upper = shifted(es_machine_word(machine, it->pc + 2), 16);
            word = (machine_value){word.bits | upper.bits, word.unknown | upper.unknown};
        }
    }
    bool is_short = machine->has & ES_HAS_C && (word.bits & 3) != 3 && !(word.unknown & 3);
    uint32_t mask = is_short ? 0xFFFF : UINT32_MAX;
    it->word = word.bits & mask;
    return word.unknown & mask ? es_step_not_known(machine, it, "the instruction") : STEP_DONE;
}

enum step es_machine_step(es_machine *machine)
{
    insn it = {.pc = machine->pc};
    enum step fetched = fetch(machine, &it);
    if (fetched != STEP_DONE)
        return fetched;
    machine_decoded *decoded = &machine->decoded[(it.word * 0x9E3779B1u) >> 22];
    if (decoded->word != it.word)
        *decoded = (machine_decoded){it.word, es_rv32_operation_of(it.word, machine->has)};
    it.op = decoded->operation;
    it.next = it.pc + it.op.size;
    return execute(machine, &it);
}
