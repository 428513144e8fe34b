/* What a procedure's code does, by what is known at each of its instructions: calls, addresses of procedures, the
 * stack's depth, stacks that are switched by hand, stores. */
#include "symbols/follow.h"

/* The constant 0 is a number or a null pointer, not the address of the start-up code there. */
static void make_address(es_symbols *symbols, followed_value v)
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

static void note_depth(depths *d, followed_value sp, bool call)
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

/* What sets a register last before an address, in the order of addresses. False: nothing of the procedure. */
static bool set_before(const followed *f, unsigned reg, uint32_t address, es_insn *insn, uint32_t *at)
{
    bool any = false;
    es_insn here;
    for (uint32_t pc = f->low; pc < address && es_followed_insn(f, pc, &here); pc += here.size)
        if (es_insn_changes(here, reg)) {
            *insn = here;
            *at = pc;
            any = true;
        }
    return any;
}

/* Whether a jump through a register goes to where a word of a switch's jump table says: the register was loaded from
 * what is made of the table's address and an index. */
static bool goes_by_table(const followed *f, uint32_t pc, es_insn jump)
{
    es_insn load, sum;
    if (!f->has_table || !set_before(f, jump.rs1, pc, &load, &pc) || load.kind != ES_INSN_LOAD)
        return false;
    uint32_t offset = load.imm, word;
    if (!set_before(f, load.rs1, pc, &sum, &pc))
        return false;
    const followed_value *regs = es_followed_at(f, pc)->regs;
    const unsigned of[] = {sum.rs1, sum.rs2};
    for (size_t i = 0; i < 2; i++)
        if (of[i] && regs[of[i]].kind == VALUE_CONSTANT &&
            es_symbols_read_word(f->symbols, regs[of[i]].number + offset, &word) && word > f->low && word < f->high)
            return true;
    return false;
}

static void note_transfer(followed *f, uint32_t pc, es_insn insn, const followed_state *s)
{
    uint32_t target;
    bool known = es_followed_target(insn, pc, s, &target);
    symbols_procedure *callee = known ? es_symbols_procedure_starting_at(f->symbols, target) : NULL;
    if (known && !callee && (target < f->low || target >= f->high))
        es_symbols_note_stray(f->symbols, target);
    es_call_site site = {
        .site = pc, .size = insn.size, .caller = &f->procedure->public, .callee = callee ? &callee->public : NULL};
    if (es_insn_is_call(insn)) {
        SYMBOLS_PUSH(f->symbols, &f->symbols->calls, site);
        return;
    }
    site.is_tail = true;
    if (callee && callee != f->procedure) {
        SYMBOLS_PUSH(f->symbols, &f->symbols->calls, site);
    } else if (!known && insn.kind == ES_INSN_JUMP_REGISTER && !goes_by_table(f, pc, insn)) {
        /* with the caller's stack pointer: a tail call through a pointer */
        const followed_value *sp = &s->regs[f->isa->stack];
        if (sp->kind == VALUE_STACK && sp->number != 0)
            return;
        SYMBOLS_PUSH(f->symbols, &f->symbols->calls, site);
    }
}

/* --- the stack pointer comes from elsewhere ----------------------------------------------------------------------- */

/* Whether the procedure stores to the place, and nothing but what was made from the stack pointer on entry. */
static bool is_kept_at(const followed *f, followed_value place)
{
    bool kept = false;
    es_insn insn;
    for (uint32_t pc = f->low; pc < f->high && es_followed_insn(f, pc, &insn); pc += insn.size) {
        const followed_state *s = es_followed_at(f, pc);
        followed_value to = es_followed_sum(s, insn);
        if (!es_insn_stores(insn) || to.kind != place.kind || to.number != place.number)
            continue;
        if (!(s->own >> insn.rs2 & 1) || insn.foreign)
            return false;
        kept = true;
    }
    return kept;
}

/* The stack pointer gets what was not made from the one on entry: that of another stack. Not so where it was put aside
 * in the procedure's own frame, or by an interrupt handler that runs on a stack of its own. */
static void note_switch(followed *f, uint32_t pc, es_insn insn, const followed_state *s)
{
    followed_value from = es_followed_sum(s, insn);
    bool kept = insn.kind == ES_INSN_LOAD && is_kept_at(f, from);
    if (kept && from.kind == VALUE_STACK)
        return;
    symbols_switch found = {.address = pc, .procedure = f->procedure};
    if (insn.kind == ES_INSN_CONSTANT || insn.kind == ES_INSN_ADDRESS || insn.kind == ES_INSN_CONTROL ||
        (es_insn_adds(insn) && s->regs[insn.rs1].kind == VALUE_CONSTANT))
        found.of = SYMBOLS_SWITCH_BUT_INTERRUPTS;
    if (kept && from.kind == VALUE_CONSTANT)
        found = (symbols_switch){pc, f->procedure, SYMBOLS_SWITCH_KEPT, from.number};
    SYMBOLS_PUSH(f->symbols, &f->symbols->switches, found);
}

/* What the instruction leaves in a register is known when what it takes is. */
static bool computes(es_insn insn)
{
    switch (insn.kind) {
    case ES_INSN_COMPUTE:
        return es_insn_adds(insn) || es_insn_sums(insn) || es_insn_subtracts(insn) || es_insn_shifts_and_adds(insn);
    case ES_INSN_CONSTANT:
    case ES_INSN_ADDRESS: return true;
    default: return es_insn_is_transfer(insn) || es_insn_traps(insn);
    }
}

/* One instruction. */
static void note_insn(followed *f, uint32_t pc, es_insn insn, const followed_state *s)
{
    if (insn.kind == ES_INSN_TRAP_RETURN)
        f->procedure->public.is_interrupt = true;
    if (es_insn_is_transfer(insn))
        note_transfer(f, pc, insn, s);
    if (es_insn_adds(insn)) /* the second half of a pair, or all of it for a low address */
        make_address(f->symbols, es_followed_sum(s, insn));
    bool moves = insn.rd == f->isa->stack && !es_insn_is_transfer(insn) && !es_followed_makes_own(insn, s);
    if (moves && (insn.rs1 != f->isa->stack || !computes(insn)))
        note_switch(f, pc, insn, s);
    es_symbols_note_trap(f->symbols, insn);
}

static void collect(followed *f)
{
    depths d = {.known = true};
    es_insn insn;
    for (uint32_t pc = f->low; pc < f->high && es_followed_insn(f, pc, &insn); pc += insn.size) {
        followed_state s = es_followed_anchored(f, pc);
        note_depth(&d, s.regs[f->isa->stack], es_insn_is_call(insn) && insn.rd == f->isa->link);
        if (insn.rd == f->isa->stack && !computes(insn))
            d.known = false;
        note_insn(f, pc, insn, &s);
    }
    f->procedure->frame_known = d.known;
    f->procedure->frame_size = d.any_call ? d.at_calls : d.deepest;
}

/* --- stores ---------------------------------------------------------------------------------------- */

/* Whether a jump, call or branch is one that can be followed. sp: the stack pointer less what it was on entry. */
static bool follows_transfer(const followed *f, uint32_t pc, es_insn insn, const followed_state *s, int32_t sp)
{
    uint32_t target;
    bool known = es_followed_target(insn, pc, s, &target);
    if (es_insn_is_call(insn))
        return insn.rd == f->isa->link;
    if (insn.rd || (known && target % f->isa->smallest))
        return false;
    if (known)
        return (target >= f->low && target < f->high) ||
               (sp == 0 && es_symbols_procedure_starting_at(f->symbols, target));
    if (insn.kind == ES_INSN_RETURN)
        return insn.rs1 == f->isa->link && insn.imm == 0 && sp == 0;
    return f->has_table && sp < 0; /* with a frame of its own, it is no tail call through a pointer */
}

static bool follows(const followed *f, uint32_t pc, es_insn insn, const followed_state *s)
{
    const followed_value *sp = &s->regs[f->isa->stack];
    if (es_insn_is_transfer(insn) && !follows_transfer(f, pc, insn, s, (int32_t)sp->number))
        return false;
    if (insn.kind == ES_INSN_TRAP_RETURN || insn.kind == ES_INSN_ILLEGAL || insn.kind == ES_INSN_SEVERAL ||
        es_insn_traps(insn))
        return false;
    bool stays = !es_insn_falls(insn) || pc + insn.size < f->high;
    return sp->kind == VALUE_STACK && (int32_t)sp->number <= 0 && stays;
}

static es_store store_of(const followed *f, uint32_t pc, es_insn insn, const followed_state *s)
{
    followed_value to = es_followed_sum(s, insn);
    unsigned bytes = insn.kind == ES_INSN_STORE || insn.kind == ES_INSN_ATOMIC ? insn.bytes : 0;
    es_store store = {.site = pc, .kind = ES_STORE_UNKNOWN};
    int64_t offset = (int32_t)to.number, sp = (int32_t)s->regs[f->isa->stack].number;
    if (to.kind == VALUE_STACK && offset >= sp && offset + bytes <= 0) {
        store.kind = ES_STORE_FRAME;
        store.cfa_offset = (int32_t)offset;
    } else if (to.kind == VALUE_CONSTANT && (insn.foreign || s->regs[insn.rs2].kind != VALUE_RETURN)) {
        store.kind = ES_STORE_CONSTANT;
        store.address = to.number;
    }
    if (to.kind == VALUE_STACK && offset >= 0 && bytes) {
        store.above = true;
        store.cfa_offset = (int32_t)offset;
    }
    if (!bytes)
        store.kind = ES_STORE_UNKNOWN;
    store.size = store.kind == ES_STORE_UNKNOWN ? 0 : (uint8_t)bytes;
    store.in_frame = to.kind == VALUE_FRAME;
    return store;
}

/* Once all that is reached from the first instruction is known. */
static void collect_stores(followed *f)
{
    symbols_procedure *own = f->procedure;
    es_insn insn;
    uint32_t pc = f->low;
    own->followed = true;
    own->first_store = f->symbols->stores.count;
    for (; pc < f->high && es_followed_insn(f, pc, &insn); pc += insn.size) {
        const followed_state *s = es_followed_at(f, pc);
        own->followed &= s->regs[0].kind != VALUE_NONE && follows(f, pc, insn, s);
        if (es_insn_stores(insn))
            SYMBOLS_PUSH(f->symbols, &f->symbols->stores, store_of(f, pc, insn, s));
    }
    own->followed &= pc == f->high;
    own->store_count = f->symbols->stores.count - own->first_store;
}

void es_symbols_follow(es_symbols *symbols, symbols_procedure *procedure)
{
    followed f;
    if (!es_followed_begin(&f, symbols, procedure))
        return;
    procedure->looked_at = true;
    collect_stores(&f);
    es_followed_rest(&f);
    collect(&f);
    es_flow_end(&f.flow);
}
