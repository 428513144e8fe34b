/* Instructions that do what several do, in the precise engine: pushes, pops and pairs of moves (Zcmp), jumps through a
 * table (Zcmt). None of it is done before all of it is certain. */
#include "machine/step.h"

enum { RA = 1, SP = 2, A0 = 10, A1 = 11, LIST_MOST = 13 };

typedef struct slot {
    unsigned reg;
    piece pieces[2];
    unsigned count;
    machine_value parts[2];
} slot;

/* The list's registers with their places below `top`, from the highest one down: the order of the accesses. */
static unsigned slots_of(slot *slots, unsigned list, uint32_t top)
{
    unsigned count = 0;
    for (unsigned reg = 31; reg >= RA; reg--) {
        if (!es_rv32_listed(list, reg))
            continue;
        slots[count] = (slot){.reg = reg};
        slots[count].count = es_step_pieces(top - 4 * (count + 1), 4, slots[count].pieces);
        count++;
    }
    return count;
}

static void set(es_machine *machine, unsigned reg, machine_value value)
{
    machine->x[reg] = value.bits;
    machine->x_unknown[reg] = value.unknown;
    machine->tainted = (machine->tainted & ~(1u << reg)) | (uint32_t)(value.unknown != 0) << reg;
    if (machine->listens && machine->listener.sets)
        machine->listener.sets(machine->listener.context, reg);
}

static machine_value joined(const es_machine *machine, const slot *s)
{
    machine_value value = s->parts[0];
    if (s->count > 1) {
        machine_value upper = shifted(s->parts[1], (int)(8 * s->pieces[0].size));
        value = (machine_value){value.bits | upper.bits, value.unknown | upper.unknown};
    }
    return ordered(machine, value_made(value.bits, value.unknown), 4);
}

static enum step push(es_machine *machine, const insn *it)
{
    machine_value sp = x(machine, SP);
    slot slots[LIST_MOST];
    if (sp.unknown)
        return es_step_not_known(machine, it, "the address of the push");
    if (sp.bits & 3 && !machine->options.misaligned)
        return es_step_except(machine, it, CAUSE_STORE, sp.bits - 4);
    unsigned count = slots_of(slots, it->op.list, sp.bits);
    es_step_begin(machine, it);
    machine->pc = it->next;
    for (unsigned i = 0; i < count; i++) {
        machine_value value = ordered(machine, x(machine, slots[i].reg), 4);
        for (unsigned k = 0; k < slots[i].count; k++) {
            es_step_write(machine, slots[i].pieces[k], value);
            value = shifted(value, -(int)(8 * (slots[i].pieces[k].size & 3)));
        }
    }
    set(machine, SP, value_of(sp.bits - (uint32_t)it->op.imm));
    return STEP_DONE;
}

static enum step pop(es_machine *machine, const insn *it)
{
    bool returns = it->op.op != ES_OP_CM_POP;
    machine_value sp = x(machine, SP);
    uint32_t top = sp.bits + (uint32_t)it->op.imm;
    slot slots[LIST_MOST];
    if (sp.unknown)
        return es_step_not_known(machine, it, "the address of the pop");
    if (sp.bits & 3 && !machine->options.misaligned)
        return es_step_except(machine, it, CAUSE_LOAD, top - 4);
    unsigned count = slots_of(slots, it->op.list, top);
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < slots[i].count; k++)
            if (!es_step_read(machine, slots[i].pieces[k], &slots[i].parts[k]))
                return STEP_LATER;
    machine_value back = joined(machine, &slots[count - 1]); /* ra is the last one */
    if (returns && back.unknown)
        return es_step_not_known(machine, it, "where the return goes");
    es_step_begin(machine, it);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < slots[i].count; k++)
            es_step_tell_read(machine, slots[i].pieces[k], slots[i].parts[k]);
        set(machine, slots[i].reg, joined(machine, &slots[i]));
    }
    if (it->op.op == ES_OP_CM_POPRETZ)
        set(machine, A0, value_of(0));
    set(machine, SP, value_of(top));
    machine->pc = returns ? back.bits & ~1u : it->next;
    return STEP_DONE;
}

static enum step moves(es_machine *machine, const insn *it)
{
    bool to_arguments = it->op.op == ES_OP_CM_MVA01S;
    machine_value first = x(machine, to_arguments ? it->op.rs1 : A0),
                  second = x(machine, to_arguments ? it->op.rs2 : A1);
    es_step_begin(machine, it);
    set(machine, to_arguments ? A0 : it->op.rs1, first);
    set(machine, to_arguments ? A1 : it->op.rs2, second);
    machine->pc = it->next;
    return STEP_DONE;
}

static enum step jump(es_machine *machine, const insn *it)
{
    machine_value table = {0, 0};
    if (es_machine_read_control(machine, ES_CSR_JVT, false, &table) != CONTROL_DONE || table.unknown)
        return es_step_not_known(machine, it, "the table of the jump");
    uint32_t entry = (table.bits & ~63u) + 4 * (uint32_t)it->op.imm;
    if (table.bits & 63)
        return es_machine_because(machine, STEP_STRANGE, "jvt at 0x%08x has a mode that is not known here", it->pc);
    if (!es_machine_region_of(machine, entry))
        return es_machine_because(machine, STEP_STRANGE,
                                  "there is no memory at 0x%08x, where the jump at 0x%08x has its table", entry,
                                  it->pc);
    machine_value to = ordered(machine, es_machine_word(machine, entry), 4); /* of the data's order: Zcmt */
    if (to.unknown)
        return es_step_not_known(machine, it, "the target of the jump");
    es_step_begin(machine, it);
    return es_step_end_with(machine, it, to.bits & ~1u, value_of(it->next));
}

enum step es_step_several(es_machine *machine, const insn *it)
{
    switch (it->op.op) {
    case ES_OP_CM_PUSH: return push(machine, it);
    case ES_OP_CM_MVSA01:
    case ES_OP_CM_MVA01S: return moves(machine, it);
    case ES_OP_CM_JT: return jump(machine, it);
    default: return pop(machine, it);
    }
}
