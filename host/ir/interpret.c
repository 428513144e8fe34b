#include "ir/interpret.h"

#include <string.h>

#include "ir/passes.h"

typedef struct machine {
    const es_ir_code *code;
    const es_ir_world *world;
    const size_t *places;
    uint32_t *values; /* by register */
    size_t at;
} machine;

static uint32_t compute(enum es_ir_op op, uint32_t a, uint32_t b)
{
    switch (op) {
    case ES_IR_ADD:
    case ES_IR_ADD_I: return a + b;
    case ES_IR_SUB: return a - b;
    case ES_IR_SHL:
    case ES_IR_SHL_I: return a << (b & 31);
    case ES_IR_SHR:
    case ES_IR_SHR_I: return a >> (b & 31);
    case ES_IR_SAR:
    case ES_IR_SAR_I: return (uint32_t)((int64_t)(int32_t)a >> (b & 31));
    case ES_IR_LESS:
    case ES_IR_LESS_I: return (int32_t)a < (int32_t)b;
    case ES_IR_BELOW:
    case ES_IR_BELOW_I: return a < b;
    case ES_IR_XOR:
    case ES_IR_XOR_I: return a ^ b;
    case ES_IR_OR:
    case ES_IR_OR_I: return a | b;
    default: return a & b;
    }
}

static bool holds(enum es_ir_op op, uint32_t a, uint32_t b)
{
    switch (op) {
    case ES_IR_IF_EQ: return a == b;
    case ES_IR_IF_NE: return a != b;
    case ES_IR_IF_LESS: return (int32_t)a < (int32_t)b;
    case ES_IR_IF_NOT_LESS: return (int32_t)a >= (int32_t)b;
    case ES_IR_IF_BELOW: return a < b;
    default: return a >= b;
    }
}

static uint32_t load(const machine *m, const es_ir_insn *insn, uint32_t address)
{
    unsigned bytes = insn->op == ES_IR_LOAD ? 4 : insn->op == ES_IR_LOAD_HALF || insn->op == ES_IR_LOAD_SHORT ? 2 : 1;
    uint32_t value = m->world->load(m->world->context, address, bytes);
    if (insn->op == ES_IR_LOAD_SHORT)
        return (uint32_t)(int32_t)(int16_t)value;
    return insn->op == ES_IR_LOAD_CHAR ? (uint32_t)(int32_t)(int8_t)value : value;
}

static void set(machine *m, es_ir_reg rd, uint32_t value)
{
    if (rd != ES_IR_ZERO)
        m->values[rd] = value;
}

/* What stands after the code was come to. False: it is the end; true: it was linked to, and came back. */
static bool ran_out(machine *m)
{
    uint32_t back = m->values[ES_IR_RA];
    if (back - ES_IR_LINKS > m->code->count)
        return false;
    m->world->call(m->world->context, NULL, m->values);
    m->at = back - ES_IR_LINKS;
    return true;
}

/* One instruction; false: the code ends, as *ended says. */
static bool step(machine *m, es_ir_ended *ended)
{
    const es_ir_insn *insn = &m->code->insns[m->at++];
    uint32_t imm = (uint32_t)insn->imm, a = insn->a == ES_IR_RAM_BASE ? m->code->ram_at : m->values[insn->a];
    switch (es_ir_form(insn->op)) {
    case ES_IR_VALUE: set(m, insn->rd, compute(insn->op, a, m->values[insn->b])); break;
    case ES_IR_IMMEDIATE: set(m, insn->rd, compute(insn->op, a, imm)); break;
    case ES_IR_CONSTANT: set(m, insn->rd, imm); break;
    case ES_IR_COPIED: set(m, insn->rd, a); break;
    case ES_IR_PLACE: set(m, insn->rd, m->code->ram_at + imm); break;
    case ES_IR_LOADED: set(m, insn->rd, load(m, insn, a + imm)); break;
    case ES_IR_STORED:
        m->world->store(m->world->context, a + imm, insn->op == ES_IR_STORE ? 4 : 1, m->values[insn->b]);
        break;
    case ES_IR_BRANCH:
        if (holds(insn->op, a, m->values[insn->b]))
            m->at = m->places[imm];
        break;
    case ES_IR_JUMPED: m->at = m->places[imm]; break;
    case ES_IR_LINKED:
        set(m, insn->rd, ES_IR_LINKS + (uint32_t)m->at);
        m->at = m->places[imm];
        break;
    case ES_IR_CALLED:
        *ended = (es_ir_ended){ES_IR_ENDED_GONE, imm, insn};
        if (insn->rd == ES_IR_ZERO)
            return false;
        m->world->call(m->world->context, insn, m->values);
        break;
    case ES_IR_RETURNED:
        *ended = (es_ir_ended){ES_IR_ENDED_RETURN, a, insn};
        if (a - ES_IR_LINKS > m->code->count)
            return false;
        m->at = a - ES_IR_LINKS;
        break;
    default: break; /* a label */
    }
    return true;
}

es_ir_ended es_ir_interpret(const es_ir_code *code, uint32_t label, const es_ir_world *world,
                            uint32_t registers[ES_IR_VIRTUAL], size_t most)
{
    es_arena *arena = es_arena_new();
    machine m = {.code = code, .world = world, .places = es_ir_places(code, arena)};
    es_ir_ended ended = {.end = ES_IR_ENDED_NEVER}, never = ended;
    size_t count = code->next > ES_IR_VIRTUAL ? code->next : ES_IR_VIRTUAL;
    m.at = label == ES_IR_FIRST ? 0 : m.places[label];
    m.values = es_arena_alloc(arena, count * sizeof *m.values);
    memcpy(m.values, registers, ES_IR_VIRTUAL * sizeof *registers);
    for (bool going = true; going && most; most--) {
        if (m.at < code->count)
            going = step(&m, &ended);
        else if (!(going = ran_out(&m)))
            ended.end = ES_IR_ENDED_AFTER;
        if (going)
            ended = never;
    }
    memcpy(registers, m.values, ES_IR_VIRTUAL * sizeof *registers);
    es_arena_free(arena);
    return ended;
}
