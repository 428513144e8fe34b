/* What one procedure's code does. Every register is followed through the procedure's control flow as long as it holds a
 * constant or lies a constant distance from the stack pointer on entry. That yields the callees of calls through
 * registers (an address made in two halves, however far apart), the addresses of procedures that are made, and the
 * depth of the stack at each call: also where a compiler needs several instructions for a large frame, restores the
 * stack pointer from the frame pointer, or the assembler code has no CFI. */
#include "symbols/follow.h"

enum { REGS = 32 };

enum { MAX_CODE = 1 << 20 }; /* bytes of one procedure: more is damage, or data below a symbol without a size */

/* --- values --------------------------------------------------------------------------------------- */

static const followed_value unknown = {VALUE_UNKNOWN, 0};

static followed_value plus(followed_value v, uint32_t number)
{
    if (v.kind == VALUE_CONSTANT || v.kind == VALUE_STACK)
        v.number += number;
    return v;
}

static followed_value sum(followed_value a, followed_value b)
{
    if (b.kind == VALUE_CONSTANT)
        return plus(a, b.number);
    if (a.kind == VALUE_CONSTANT)
        return plus(b, a.number);
    return a.kind == VALUE_STACK || b.kind == VALUE_STACK ? (followed_value){VALUE_FRAME, 0} : unknown;
}

static followed_value difference(followed_value a, followed_value b)
{
    if (b.kind == VALUE_CONSTANT)
        return plus(a, -b.number);
    if (a.kind == VALUE_STACK && b.kind == VALUE_STACK)
        return (followed_value){VALUE_CONSTANT, a.number - b.number};
    return unknown;
}

static bool in_frame(followed_value v)
{
    return v.kind == VALUE_STACK || v.kind == VALUE_FRAME;
}

/* Merges what another way brings. Values only ever become less known, so this ends. */
static bool merge(void *context, size_t at, void *state, const void *with, bool first)
{
    const followed *f = context;
    followed_state *into = state;
    const followed_state *from = with;
    uint32_t own = first ? from->own : into->own & from->own;
    bool changed = own != into->own;
    (void)at;
    into->own = own;
    for (unsigned i = 0; i < REGS; i++) {
        followed_value *v = &into->regs[i];
        if (v->kind == VALUE_UNKNOWN || from->regs[i].kind == VALUE_NONE)
            continue;
        if (v->kind == VALUE_NONE) {
            *v = from->regs[i];
            changed = true;
        } else if (v->kind != from->regs[i].kind || v->number != from->regs[i].number) {
            bool frame = i != f->isa->stack && in_frame(*v) && in_frame(from->regs[i]);
            changed |= !frame || v->kind != VALUE_FRAME;
            *v = frame ? (followed_value){VALUE_FRAME, 0} : unknown;
        }
    }
    return changed;
}

/* --- stepping -------------------------------------------------------------------------------------- */

static size_t index_of(const followed *f, uint32_t address)
{
    return (address - f->low) / f->isa->smallest;
}

static void reach(followed *f, uint32_t address, const followed_state *with)
{
    if (address >= f->low && address < f->high && (address - f->low) % f->isa->smallest == 0)
        es_flow_reach(&f->flow, index_of(f, address), with);
}

/* A call keeps what the ABI says. One of a helper that has a convention of its own (__riscv_save_0) moves the stack
 * pointer. */
static void after_call(const followed *f, followed_state *s, es_insn insn)
{
    for (unsigned i = 1; i < REGS; i++)
        if (!es_isa_has(f->isa->kept, i))
            s->regs[i] = unknown;
    if (es_isa_calls_helper(f->isa, insn))
        s->regs[f->isa->stack] = unknown;
    s->own &= f->isa->kept;
}

/* Whatever registers hold, the stack pointer as well: the CFI may tell it (es_followed_anchored). */
static void forget(followed_state *s)
{
    for (unsigned i = 1; i < REGS; i++)
        s->regs[i] = unknown;
    s->own = 0;
}

static bool is_own(const followed_state *s, unsigned reg)
{
    return s->own >> reg & 1;
}

bool es_followed_makes_own(es_insn insn, const followed_state *s)
{
    bool sums = es_insn_sums(insn);
    return ((es_insn_adds(insn) || sums || es_insn_subtracts(insn)) && is_own(s, insn.rs1)) ||
           ((sums || es_insn_shifts_and_adds(insn)) && is_own(s, insn.rs2));
}

followed_value es_followed_sum(const followed_state *s, es_insn insn)
{
    return plus(s->regs[insn.rs1], (uint32_t)insn.imm);
}

bool es_followed_target(es_insn insn, uint32_t pc, const followed_state *s, uint32_t *target)
{
    *target = pc + (uint32_t)insn.imm;
    if (!es_insn_by_register(insn))
        return true;
    *target = (s->regs[insn.rs1].number + (uint32_t)insn.imm) & ~1u;
    return s->regs[insn.rs1].kind == VALUE_CONSTANT;
}

/* (rs1 << imm) + rs2: the place of an element, where rs2 lies in the frame. */
static followed_value shifted_sum(const followed_state *s, es_insn insn)
{
    followed_value index = s->regs[insn.rs1];
    index = index.kind == VALUE_CONSTANT ? (followed_value){VALUE_CONSTANT, index.number << insn.imm} : unknown;
    return sum(index, s->regs[insn.rs2]);
}

static followed_value result_of(uint32_t pc, es_insn insn, const followed_state *s)
{
    switch (insn.kind) {
    case ES_INSN_CONSTANT: return (followed_value){VALUE_CONSTANT, (uint32_t)insn.imm};
    case ES_INSN_ADDRESS: return (followed_value){VALUE_CONSTANT, pc + (uint32_t)insn.imm};
    case ES_INSN_COMPUTE:
        if (es_insn_adds(insn))
            return es_followed_sum(s, insn);
        if (es_insn_sums(insn))
            return sum(s->regs[insn.rs1], s->regs[insn.rs2]);
        if (es_insn_shifts_and_adds(insn))
            return shifted_sum(s, insn);
        return es_insn_subtracts(insn) ? difference(s->regs[insn.rs1], s->regs[insn.rs2]) : unknown;
    default: return unknown;
    }
}

static void step(followed *f, uint32_t pc, es_insn insn, followed_state *s)
{
    followed_value result = result_of(pc, insn, s);
    uint32_t target;
    if (insn.kind == ES_INSN_SEVERAL)
        forget(s);
    else if (es_insn_is_call(insn))
        after_call(f, s, insn);
    else if (es_insn_is_transfer(insn) && es_followed_target(insn, pc, s, &target))
        reach(f, target, s);
    else if (insn.kind == ES_INSN_JUMP_REGISTER)
        merge(f, 0, &f->indirect, s, f->indirect.regs[0].kind == VALUE_NONE);
    if (insn.rd) {
        s->own = (s->own & ~(1u << insn.rd)) | (uint32_t)es_followed_makes_own(insn, s) << insn.rd;
        s->regs[insn.rd] = result;
    }
    if (es_insn_falls(insn))
        reach(f, pc + insn.size, s);
}

bool es_followed_insn(const followed *f, uint32_t pc, es_insn *insn)
{
    return es_symbols_insn(f->symbols, pc, insn) && insn->size <= f->high - pc;
}

const followed_state *es_followed_at(const followed *f, uint32_t pc)
{
    return es_flow_state(&f->flow, index_of(f, pc));
}

followed_state es_followed_anchored(const followed *f, uint32_t pc)
{
    followed_state s = *es_followed_at(f, pc);
    unsigned reg;
    int32_t offset;
    uint32_t end;
    followed_value *stack = &s.regs[f->isa->stack];
    if (stack->kind == VALUE_UNKNOWN && es_symbols_cfa_at(f->symbols, pc, &reg, &offset, &end) &&
        es_isa_register(f->isa, reg) == f->isa->stack)
        *stack = (followed_value){VALUE_STACK, -(uint32_t)offset};
    return s;
}

static void follow(void *context, size_t at)
{
    followed *f = context;
    uint32_t pc = f->low + f->isa->smallest * (uint32_t)at;
    followed_state s = es_followed_anchored(f, pc);
    es_insn insn;
    if (es_followed_insn(f, pc, &insn))
        step(f, pc, insn, &s);
}

/* --- the procedure --------------------------------------------------------------------------------- */

static void reach_jump_table(followed *f)
{
    for (size_t i = 0; i < f->symbols->code_words.count; i++) {
        uint32_t word = f->symbols->code_words.items[i];
        if (word > f->low && word < f->high) {
            f->has_table = true;
            reach(f, word, &f->indirect);
        }
    }
}

static followed_state at_entry(const followed *f)
{
    const es_isa *isa = f->isa;
    followed_state entry;
    for (unsigned i = 0; i < REGS; i++)
        entry.regs[i] = unknown;
    entry.regs[0] = (followed_value){VALUE_CONSTANT, 0};
    entry.regs[isa->link] = (followed_value){VALUE_RETURN, 0};
    entry.regs[isa->stack] = (followed_value){VALUE_STACK, 0};
    entry.own = 1u << isa->stack;
    const symbols_elf_symbol *data = isa->data ? es_symbols_elf_named(f->symbols, isa->data_symbol) : NULL;
    if (data)
        entry.regs[isa->data] = (followed_value){VALUE_CONSTANT, data->value};
    return entry;
}

bool es_followed_begin(followed *f, es_symbols *symbols, symbols_procedure *procedure)
{
    *f = (followed){.symbols = symbols,
                    .procedure = procedure,
                    .isa = symbols->isa,
                    .low = procedure->public.low,
                    .high = procedure->public.high};
    if (f->low == f->high || f->high - f->low > MAX_CODE)
        return false;
    f->flow = (es_flow){.count = (f->high - f->low + f->isa->smallest - 1) / f->isa->smallest,
                        .state_size = sizeof(followed_state),
                        .context = f,
                        .join = merge,
                        .follow = follow};
    es_flow_begin(&f->flow);
    const followed_state entry = at_entry(f);
    reach(f, f->low, &entry);
    do { /* what a table leads to may jump through one, with other registers */
        es_flow_run(&f->flow);
        reach_jump_table(f);
    } while (f->flow.work);
    return true;
}

void es_followed_rest(followed *f)
{
    const followed_state entry = at_entry(f);
    es_insn insn;
    for (uint32_t pc = f->low; pc < f->high && es_followed_insn(f, pc, &insn); pc += insn.size)
        if (es_followed_at(f, pc)->regs[0].kind == VALUE_NONE) {
            followed_state rest = entry;
            rest.regs[f->isa->stack] = (followed_value){VALUE_NONE, 0};
            rest.own |= 1u << f->isa->frame; /* a frame pointer, as far as anybody knows */
            reach(f, pc, &rest);
            es_flow_run(&f->flow);
        }
}
