/* What one procedure's code does. Every register is followed through the procedure's control flow as long as it holds a
 * constant or lies a constant distance from the stack pointer on entry. That yields the callees of calls through
 * registers (lui or auipc pairs, however far apart), the addresses of procedures that are made, and the depth of the
 * stack at each call: also where a compiler needs several instructions for a large frame, restores the stack pointer
 * from s0, or the assembler code has no CFI.
 */
#include "symbols/decode.h"
#include "symbols/internal.h"

#include <stdlib.h>
#include <string.h>

enum value_kind {
    VALUE_NONE, /* this place was not reached yet */
    VALUE_UNKNOWN,
    VALUE_CONSTANT,
    VALUE_STACK,  /* stack pointer on entry + number */
    VALUE_RETURN, /* made of the return address on entry */
    VALUE_FRAME,  /* a place in the own frame plus something: an element of a local array */
};

typedef struct value {
    uint8_t kind;
    uint32_t number;
} value;

enum { REG_RA = 1, REG_SP = 2, REG_GP = 3, REG_S0 = 8, REGS = 32 };

enum { MAX_CODE = 1 << 20 }; /* bytes of one procedure: more is damage, or data below a symbol without a size */

typedef struct state {
    value regs[REGS];
    uint32_t own; /* bit by register: what it holds was made from the stack pointer on entry, on every way */
} state;

typedef struct flow {
    es_symbols *symbols;
    symbols_procedure *procedure;
    uint32_t low, high;
    state *states;      /* before the instruction at low + 2 * index */
    uint32_t *worklist; /* instructions whose state changed */
    bool *waiting;
    size_t work;
    state indirect; /* of all jumps through registers: what their targets start with */
} flow;

/* --- values --------------------------------------------------------------------------------------- */

static const value unknown = {VALUE_UNKNOWN, 0};

static value plus(value v, uint32_t number)
{
    if (v.kind == VALUE_CONSTANT || v.kind == VALUE_STACK)
        v.number += number;
    return v;
}

static value sum(value a, value b)
{
    if (b.kind == VALUE_CONSTANT)
        return plus(a, b.number);
    if (a.kind == VALUE_CONSTANT)
        return plus(b, a.number);
    return a.kind == VALUE_STACK || b.kind == VALUE_STACK ? (value){VALUE_FRAME, 0} : unknown;
}

static value difference(value a, value b)
{
    if (b.kind == VALUE_CONSTANT)
        return plus(a, -b.number);
    if (a.kind == VALUE_STACK && b.kind == VALUE_STACK)
        return (value){VALUE_CONSTANT, a.number - b.number};
    return unknown;
}

static bool in_frame(value v)
{
    return v.kind == VALUE_STACK || v.kind == VALUE_FRAME;
}

/* Merges what another way brings. Values only ever become less known, so this ends. */
static bool merge(state *into, const state *from)
{
    uint32_t own = into->regs[0].kind == VALUE_NONE ? from->own : into->own & from->own;
    bool changed = own != into->own;
    into->own = own;
    for (int i = 0; i < REGS; i++) {
        value *v = &into->regs[i];
        if (v->kind == VALUE_UNKNOWN || from->regs[i].kind == VALUE_NONE)
            continue;
        if (v->kind == VALUE_NONE) {
            *v = from->regs[i];
            changed = true;
        } else if (v->kind != from->regs[i].kind || v->number != from->regs[i].number) {
            bool frame = i != REG_SP && in_frame(*v) && in_frame(from->regs[i]);
            changed |= !frame || v->kind != VALUE_FRAME;
            *v = frame ? (value){VALUE_FRAME, 0} : unknown;
        }
    }
    return changed;
}

/* --- stepping -------------------------------------------------------------------------------------- */

static void reach(flow *f, uint32_t address, const state *with)
{
    uint32_t index = (address - f->low) / 2;
    if (address < f->low || address >= f->high || address % 2 || !merge(&f->states[index], with) || f->waiting[index])
        return;
    f->waiting[index] = true;
    f->worklist[f->work++] = index;
}

static bool is_link(unsigned reg)
{
    return reg == 1 || reg == 5;
}

static bool is_saved(unsigned reg)
{
    return reg == REG_SP || reg == REG_GP || reg == 4 || reg == REG_S0 || reg == 9 || (reg >= 18 && reg <= 27);
}

/* A call keeps what the ABI says. A millicode call (link register t0: __riscv_save_0) moves the stack pointer. */
static void after_call(state *s, unsigned link)
{
    for (unsigned i = 1; i < REGS; i++)
        if (!is_saved(i))
            s->regs[i] = unknown;
    if (link == 5)
        s->regs[REG_SP] = unknown;
    for (unsigned i = 1; i < REGS; i++)
        if (!is_saved(i))
            s->own &= ~(1u << i);
}

static bool is_own(const state *s, unsigned reg)
{
    return s->own >> reg & 1;
}

/* Whether what the instruction puts into rd is made from the stack pointer on entry. */
static bool makes_own(symbols_insn insn, const state *s)
{
    return (insn.op == SYMBOLS_OP_ADDI || insn.op == SYMBOLS_OP_ADD || insn.op == SYMBOLS_OP_SUB)
               ? is_own(s, insn.rs1) || (insn.op == SYMBOLS_OP_ADD && is_own(s, insn.rs2))
               : false;
}

static void step(flow *f, uint32_t pc, symbols_insn insn, state *s)
{
    value result = unknown;
    uint32_t next = pc + insn.length;
    bool falls = true;
    switch (insn.op) {
    case SYMBOLS_OP_LUI: result = (value){VALUE_CONSTANT, (uint32_t)insn.imm}; break;
    case SYMBOLS_OP_AUIPC: result = (value){VALUE_CONSTANT, pc + (uint32_t)insn.imm}; break;
    case SYMBOLS_OP_ADDI: result = plus(s->regs[insn.rs1], (uint32_t)insn.imm); break;
    case SYMBOLS_OP_ADD: result = sum(s->regs[insn.rs1], s->regs[insn.rs2]); break;
    case SYMBOLS_OP_SUB: result = difference(s->regs[insn.rs1], s->regs[insn.rs2]); break;
    case SYMBOLS_OP_BRANCH: reach(f, pc + (uint32_t)insn.imm, s); break;
    case SYMBOLS_OP_JAL:
        if (is_link(insn.rd)) {
            after_call(s, insn.rd);
        } else {
            reach(f, pc + (uint32_t)insn.imm, s);
            falls = false;
        }
        break;
    case SYMBOLS_OP_JALR:
        if (is_link(insn.rd)) {
            after_call(s, insn.rd);
        } else {
            if (s->regs[insn.rs1].kind == VALUE_CONSTANT)
                reach(f, (s->regs[insn.rs1].number + (uint32_t)insn.imm) & ~1u, s);
            else if (!is_link(insn.rs1))
                merge(&f->indirect, s);
            falls = false;
        }
        break;
    case SYMBOLS_OP_MRET:
    case SYMBOLS_OP_ILLEGAL: falls = false; break;
    case SYMBOLS_OP_STORE:
    case SYMBOLS_OP_CSR:
    case SYMBOLS_OP_TRAP:
    case SYMBOLS_OP_OTHER: break;
    }
    if (insn.rd) {
        s->own = (s->own & ~(1u << insn.rd)) | (uint32_t)makes_own(insn, s) << insn.rd;
        s->regs[insn.rd] = result;
    }
    if (falls)
        reach(f, next, s);
}

static bool fetch(const flow *f, uint32_t pc, symbols_insn *insn)
{
    uint32_t word;
    uint16_t half;
    if (es_symbols_read_word(f->symbols, pc, &word))
        *insn = es_symbols_decode(word);
    else if (es_symbols_read_half(f->symbols, pc, &half) && (half & 3) != 3)
        *insn = es_symbols_decode(half);
    else
        return false;
    if (insn->length == 2 && !f->symbols->compressed)
        *insn = (symbols_insn){.op = SYMBOLS_OP_ILLEGAL, .length = 4}; /* data among the code */
    return insn->length <= f->high - pc;
}

/* Where the CFI expresses the CFA by the stack pointer, it is right whatever the merging of ways lost. */
static void anchor(const flow *f, uint32_t pc, state *s)
{
    unsigned reg;
    int32_t offset;
    uint32_t end;
    if (s->regs[REG_SP].kind == VALUE_UNKNOWN && es_symbols_cfa_at(f->symbols, pc, &reg, &offset, &end) &&
        reg == REG_SP)
        s->regs[REG_SP] = (value){VALUE_STACK, -(uint32_t)offset};
}

static void run(flow *f)
{
    while (f->work) {
        uint32_t index = f->worklist[--f->work], pc = f->low + 2 * index;
        f->waiting[index] = false;
        state s = f->states[index];
        symbols_insn insn;
        anchor(f, pc, &s);
        if (fetch(f, pc, &insn))
            step(f, pc, insn, &s);
    }
}

/* Data words that point into the procedure: a switch's jump table. */
static bool reach_jump_table(flow *f)
{
    bool any = false;
    for (size_t i = 0; i < f->symbols->code_words.count; i++) {
        uint32_t word = f->symbols->code_words.items[i];
        if (word > f->low && word < f->high) {
            any = true;
            reach(f, word, &f->indirect);
        }
    }
    return any;
}

/* --- results --------------------------------------------------------------------------------------- */

/* The constant 0 is a number or a null pointer, not the address of the start-up code there. */
static void make_address(es_symbols *symbols, value v)
{
    symbols_procedure *made =
        v.kind == VALUE_CONSTANT && v.number ? es_symbols_procedure_starting_at(symbols, v.number) : NULL;
    if (made)
        made->public.address_taken = true;
}

typedef struct depths {
    bool known, any_call;
    uint32_t at_calls, deepest;
} depths;

static void note_depth(depths *d, value sp, bool call)
{
    if (sp.kind == VALUE_NONE)
        return;
    if (sp.kind != VALUE_STACK || (int32_t)-sp.number < 0) {
        d->known = false;
        return;
    }
    uint32_t depth = -sp.number;
    if (call && d->any_call && depth != d->at_calls)
        d->known = false;
    if (call)
        d->at_calls = depth;
    d->any_call |= call;
    d->deepest = depth > d->deepest ? depth : d->deepest;
}

/* The target of a jump or call; false when it is only known at run time. */
static bool target_of(symbols_insn insn, uint32_t pc, const state *s, uint32_t *target)
{
    if (insn.op == SYMBOLS_OP_JALR) {
        *target = (s->regs[insn.rs1].number + (uint32_t)insn.imm) & ~1u;
        return s->regs[insn.rs1].kind == VALUE_CONSTANT;
    }
    *target = pc + (uint32_t)insn.imm;
    return true;
}

static void note_transfer(flow *f, uint32_t pc, symbols_insn insn, const state *s, bool has_table)
{
    uint32_t target;
    bool known = target_of(insn, pc, s, &target);
    symbols_procedure *callee = known ? es_symbols_procedure_starting_at(f->symbols, target) : NULL;
    if (known && !callee && (target < f->low || target >= f->high))
        es_symbols_note_stray(f->symbols, target);
    es_call_site site = {.site = pc, .caller = &f->procedure->public, .callee = callee ? &callee->public : NULL};
    if (insn.op != SYMBOLS_OP_BRANCH && is_link(insn.rd)) {
        SYMBOLS_PUSH(f->symbols, &f->symbols->calls, site);
        return;
    }
    site.is_tail = true;
    if (callee && callee != f->procedure) {
        SYMBOLS_PUSH(f->symbols, &f->symbols->calls, site);
    } else if (!known && !is_link(insn.rs1) && !has_table) {
        /* through a register, with the caller's stack pointer, and no jump table: a tail call through a pointer */
        const value *sp = &s->regs[REG_SP];
        if (sp->kind == VALUE_STACK && sp->number != 0)
            return;
        SYMBOLS_PUSH(f->symbols, &f->symbols->calls, site);
    }
}

/* --- the stack pointer comes from elsewhere ------------------------------------------------------------------------- */

static bool is_load(const flow *f, uint32_t pc, value *from, const state *s)
{
    uint32_t word;
    if (!es_symbols_read_word(f->symbols, pc, &word) || (word & 0x7F) != 0x03)
        return false;
    *from = plus(s->regs[word >> 15 & 31], (uint32_t)((int32_t)word >> 20));
    return true;
}

/* Whether the procedure stores to the place, and nothing but what was made from the stack pointer on entry. */
static bool is_kept_at(const flow *f, value place)
{
    bool kept = false;
    symbols_insn insn;
    for (uint32_t pc = f->low; pc < f->high && fetch(f, pc, &insn); pc += insn.length) {
        const state *s = &f->states[(pc - f->low) / 2];
        value to = plus(s->regs[insn.rs1], (uint32_t)insn.imm);
        if (insn.op != SYMBOLS_OP_STORE || to.kind != place.kind || to.number != place.number)
            continue;
        if (!is_own(s, insn.rs2))
            return false;
        kept = true;
    }
    return kept;
}

/* The stack pointer gets what was not made from the one on entry: that of another stack. Not so where it was put aside
 * in the procedure's own frame, or by an interrupt handler that runs on a stack of its own. */
static void note_switch(flow *f, uint32_t pc, symbols_insn insn, const state *s)
{
    value from;
    bool load = is_load(f, pc, &from, s), kept = load && is_kept_at(f, from);
    if (insn.length != 4 || (kept && from.kind == VALUE_STACK))
        return;
    symbols_switch found = {.address = pc, .procedure = f->procedure};
    if (insn.op == SYMBOLS_OP_LUI || insn.op == SYMBOLS_OP_AUIPC || insn.op == SYMBOLS_OP_CSR ||
        (insn.op == SYMBOLS_OP_ADDI && s->regs[insn.rs1].kind == VALUE_CONSTANT))
        found.of = SYMBOLS_SWITCH_BUT_INTERRUPTS;
    if (kept && from.kind == VALUE_CONSTANT)
        found = (symbols_switch){pc, f->procedure, SYMBOLS_SWITCH_KEPT, from.number};
    SYMBOLS_PUSH(f->symbols, &f->symbols->switches, found);
}

static void collect(flow *f, bool has_table)
{
    depths d = {.known = true};
    symbols_insn insn;
    for (uint32_t pc = f->low; pc < f->high && fetch(f, pc, &insn); pc += insn.length) {
        state s = f->states[(pc - f->low) / 2];
        anchor(f, pc, &s);
        bool transfer = insn.op == SYMBOLS_OP_JAL || insn.op == SYMBOLS_OP_JALR || insn.op == SYMBOLS_OP_BRANCH;
        note_depth(&d, s.regs[REG_SP], transfer && insn.op != SYMBOLS_OP_BRANCH && insn.rd == 1);
        if (insn.op == SYMBOLS_OP_MRET)
            f->procedure->public.is_interrupt = true;
        if (transfer)
            note_transfer(f, pc, insn, &s, has_table);
        if (insn.op == SYMBOLS_OP_ADDI) /* the second half of a pair, or all of it for an address below 2 KiB */
            make_address(f->symbols, plus(s.regs[insn.rs1], (uint32_t)insn.imm));
        bool computes = insn.op != SYMBOLS_OP_OTHER && insn.op != SYMBOLS_OP_STORE && insn.op != SYMBOLS_OP_CSR;
        if (insn.rd == REG_SP && !computes)
            d.known = false;
        if (insn.rd == REG_SP && !transfer && !makes_own(insn, &s) && (insn.rs1 != REG_SP || !computes))
            note_switch(f, pc, insn, &s);
        es_symbols_note_trap(f->symbols, insn);
    }
    f->procedure->frame_known = d.known;
    f->procedure->frame_size = d.any_call ? d.at_calls : d.deepest;
}

/* --- stores ---------------------------------------------------------------------------------------- */

/* Whether a jump, call or branch is one that can be followed. sp: the stack pointer less what it was on entry. */
static bool follows_transfer(const flow *f, uint32_t pc, symbols_insn insn, const state *s, int32_t sp, bool has_table)
{
    uint32_t target;
    bool known = target_of(insn, pc, s, &target);
    if (insn.op != SYMBOLS_OP_BRANCH && insn.rd == REG_RA)
        return true;
    if (insn.op != SYMBOLS_OP_BRANCH && insn.rd)
        return false;
    if (known && target % 4)
        return false;
    if (known)
        return (target >= f->low && target < f->high) ||
               (sp == 0 && es_symbols_procedure_starting_at(f->symbols, target));
    if (insn.rs1 == REG_RA)
        return insn.imm == 0 && sp == 0;
    return has_table && insn.rs1 != 5 && sp < 0; /* with a frame of its own, it is no tail call through a pointer */
}

static bool follows(const flow *f, uint32_t pc, symbols_insn insn, const state *s, bool has_table)
{
    const value *sp = &s->regs[REG_SP];
    bool falls = insn.op != SYMBOLS_OP_JAL && insn.op != SYMBOLS_OP_JALR;
    switch (insn.op) {
    case SYMBOLS_OP_JAL:
    case SYMBOLS_OP_JALR:
    case SYMBOLS_OP_BRANCH:
        if (!follows_transfer(f, pc, insn, s, (int32_t)sp->number, has_table))
            return false;
        falls |= insn.rd != 0;
        break;
    case SYMBOLS_OP_MRET:
    case SYMBOLS_OP_ILLEGAL:
    case SYMBOLS_OP_TRAP: return false;
    default: break;
    }
    return sp->kind == VALUE_STACK && (int32_t)sp->number <= 0 && (!falls || pc + insn.length < f->high);
}

static es_store store_of(uint32_t pc, symbols_insn insn, const state *s)
{
    value to = plus(s->regs[insn.rs1], (uint32_t)insn.imm);
    es_store store = {.site = pc, .kind = ES_STORE_UNKNOWN};
    int64_t offset = (int32_t)to.number, sp = (int32_t)s->regs[REG_SP].number;
    if (to.kind == VALUE_STACK && offset >= sp && offset + insn.size <= 0) {
        store.kind = ES_STORE_FRAME;
        store.cfa_offset = (int32_t)offset;
    } else if (to.kind == VALUE_CONSTANT && s->regs[insn.rs2].kind != VALUE_RETURN) {
        store.kind = ES_STORE_CONSTANT;
        store.address = to.number;
    }
    if (to.kind == VALUE_STACK && offset >= 0 && insn.size) {
        store.above = true;
        store.cfa_offset = (int32_t)offset;
    }
    if (!insn.size)
        store.kind = ES_STORE_UNKNOWN;
    store.size = store.kind == ES_STORE_UNKNOWN ? 0 : insn.size;
    store.in_frame = to.kind == VALUE_FRAME;
    return store;
}

/* Once all that is reached from the first instruction is known. */
static void collect_stores(flow *f, bool has_table)
{
    symbols_procedure *own = f->procedure;
    symbols_insn insn;
    uint32_t pc = f->low;
    own->followed = !f->symbols->compressed;
    own->first_store = f->symbols->stores.count;
    for (; pc < f->high && fetch(f, pc, &insn); pc += insn.length) {
        const state *s = &f->states[(pc - f->low) / 2];
        own->followed &= s->regs[0].kind != VALUE_NONE && follows(f, pc, insn, s, has_table);
        if (insn.op == SYMBOLS_OP_STORE)
            SYMBOLS_PUSH(f->symbols, &f->symbols->stores, store_of(pc, insn, s));
    }
    own->followed &= pc == f->high;
    own->store_count = f->symbols->stores.count - own->first_store;
}

void es_symbols_follow(es_symbols *symbols, symbols_procedure *procedure)
{
    uint32_t low = procedure->public.low, high = procedure->public.high;
    flow f = {.symbols = symbols, .procedure = procedure, .low = low, .high = high};
    size_t places = (f.high - f.low + 1) / 2;
    if (!places || f.high - f.low > MAX_CODE)
        return;
    f.states = es_malloc(places * sizeof *f.states);
    f.worklist = es_malloc(places * sizeof *f.worklist);
    f.waiting = es_malloc(places * sizeof *f.waiting);
    memset(f.states, 0, places * sizeof *f.states);
    memset(f.waiting, 0, places * sizeof *f.waiting);
    state entry;
    for (unsigned i = 0; i < REGS; i++)
        entry.regs[i] = unknown;
    entry.regs[0] = (value){VALUE_CONSTANT, 0};
    entry.regs[REG_RA] = (value){VALUE_RETURN, 0};
    entry.regs[REG_SP] = (value){VALUE_STACK, 0};
    entry.own = 1u << REG_SP;
    const symbols_elf_symbol *gp = es_symbols_elf_named(symbols, "__global_pointer$");
    if (gp)
        entry.regs[REG_GP] = (value){VALUE_CONSTANT, gp->value};
    reach(&f, f.low, &entry);
    bool has_table;
    do { /* what a table leads to may jump through one, with other registers */
        run(&f);
        has_table = reach_jump_table(&f);
    } while (f.work);
    procedure->looked_at = true;
    collect_stores(&f, has_table);
    /* What is left is reached in ways not seen here, or never: only calls and addresses matter there. */
    symbols_insn insn;
    for (uint32_t pc = f.low; pc < f.high && fetch(&f, pc, &insn); pc += insn.length)
        if (f.states[(pc - f.low) / 2].regs[0].kind == VALUE_NONE) {
            state rest = entry;
            rest.regs[REG_SP] = (value){VALUE_NONE, 0};
            rest.own |= 1u << REG_S0; /* a frame pointer, as far as anybody knows */
            reach(&f, pc, &rest);
            run(&f);
        }
    collect(&f, has_table);
    free(f.states);
    free(f.worklist);
    free(f.waiting);
}
