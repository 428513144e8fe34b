#include "check/firmware/machine_state.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_cycles.h"

enum { WAYS_MAX = 1 << 19, STEPS_MAX = 1 << 22 };

static const es_check_word unknown = {0, 0};

#define NONE ((size_t)-1)
#define SOMETHING 0xA5A55A5Au /* in s0 where a function is called: it only has to be there when it returns */

/* What a function takes with some arguments. */
struct check_call {
    uint32_t target;
    es_check_word regs[32];
    uint32_t worst;
};

/* --- running ------------------------------------------------------------------------------------------------ */

static uint32_t weight(const walk *w, es_check_word address, es_check_word value)
{
    const es_check_machine *m = w->machine;
    return m->weigh && word_is_known(address) && address.bits >= m->size ? m->weigh(m->context, address.bits, value)
                                                                         : 0;
}

/* 1, 0, or -1: unknown. */
static int branch_taken(es_insn insn, es_check_word a, es_check_word b)
{
    switch (insn.condition) {
    case ES_IF_EQUAL: return es_word_equal(a, b);
    case ES_IF_LESS: return es_word_less(a, b, true);
    case ES_IF_LESS_UNSIGNED: return es_word_less(a, b, false);
    case ES_IF_SOMETHING: return -1;
    default: {
        insn.condition ^= 1;
        int opposite = branch_taken(insn, a, b);
        return opposite < 0 ? opposite : !opposite;
    }
    }
}

/* A call or return forgets what its callee may have changed or left in temporaries: fewer states to tell apart. */
static void forget_temporaries(state *s)
{
    uint32_t temporaries = es_check_temporaries();
    for (unsigned i = 0; i < 32; i++)
        if (es_isa_has(temporaries, i))
            s->regs[i] = unknown;
}

static void set(state *s, unsigned reg, es_check_word value)
{
    if (reg)
        s->regs[reg] = value;
}

static void jump(state *s, es_insn insn, uint32_t target)
{
    set(s, insn.rd, check_known(s->pc + insn.size));
    s->pc = target & ~1u;
    if (insn.kind == ES_INSN_RETURN && insn.rs1 == RV32_RA && !insn.rd)
        forget_temporaries(s);
}

/* --- ways ---------------------------------------------------------------------------------------------------- */

enum outcome { FAILED, ENDED, SEVERAL, GOES_ON };

/* Where a jump to a place that is not known may lead, by its link register. */
static const es_check_targets *targets_of(const es_check_machine *m, es_insn insn)
{
    return insn.rd == RV32_RA ? &m->calls : &m->jumps;
}

/* On how many paths it goes on from a branch or jump whose outcome is unknown. False: nowhere that is known. */
static bool count_ways(walk *w, const state *s, es_insn insn, uint32_t *count)
{
    *count = 2;
    if (insn.kind == ES_INSN_BRANCH)
        return true;
    if (insn.kind == ES_INSN_LOAD) {
        *count = w->machine->split_most + 1;
        return true;
    }
    const es_check_targets *targets = targets_of(w->machine, insn);
    *count = (uint32_t)targets->count;
    if (!targets->addresses || !es_insn_is_call(insn))
        return es_fail(w->err, ES_USAGE, "the firmware's jump at 0x%04x goes to a place that is not known",
                       (unsigned)s->pc);
    return true;
}

/* From the fork on, the way with that number. */
static void take_way(const walk *w, state *s, uint32_t number)
{
    es_insn insn = es_machine_insn(w->machine, s->pc);
    switch (insn.kind) {
    case ES_INSN_BRANCH: s->pc += number ? insn.size : (uint32_t)insn.imm; break;
    case ES_INSN_LOAD:
        set(s, insn.rd, check_known(number));
        s->pc += insn.size;
        break;
    default: jump(s, insn, targets_of(w->machine, insn)->addresses[number]); break;
    }
}

static bool depends_on_all(const es_check_functions *functions, uint32_t address)
{
    for (size_t i = 0; i < functions->all_registers.count; i++)
        if (functions->all_registers.addresses[i] == address)
            return true;
    return false;
}

/* A call of one of the machine's functions: its worst case, as far as its arguments tell. Afterwards it has
 * returned. */
static bool call_function(walk *w, state *s, uint32_t target, uint32_t *clocks)
{
    enum { RETURNED = 0xFFFFFFF0 };
    /* s0 stands for the registers that callees keep; the compiler uses no other */
    const es_check_machine *m = w->machine;
    es_check_functions *functions = m->functions;
    struct check_call now = {.target = target};
    uint32_t live = m->live ? m->live[target / 4].regs : UINT32_MAX;
    /* what it sees: sp, gp, tp, s1, a0 to a7. The other registers of the monitor's do not matter */
    bool all = depends_on_all(functions, target);
    for (unsigned i = RV32_SP; i <= RV32_S11; i++) {
        bool seen = i <= RV32_TP || (i >= RV32_S1 && i <= RV32_A7) || (all && i >= RV32_S2);
        if (seen && es_isa_has(live, i))
            now.regs[i] = s->regs[i];
    }
    now.regs[RV32_RA] = check_known(RETURNED);
    now.regs[RV32_S0] = check_known(SOMETHING);
    size_t i = 0;
    while (i < functions->call_count &&
           (functions->calls[i].target != target || memcmp(functions->calls[i].regs, now.regs, sizeof now.regs) != 0))
        i++;
    if (i == functions->call_count) {
        es_check_machine machine = *m;
        machine.end = RETURNED;
        machine.keeps = true;
        machine.facts = functions->facts;
        machine.fact_count = functions->fact_count;
        machine.context = functions->context;
        if (!es_check_machine_worst(&machine, target, now.regs, &now.worst, w->err))
            return false;
        i = functions->call_count; /* it may itself have called some */
        functions->calls = es_arena_grow(functions->arena, functions->calls, i, sizeof *functions->calls);
        functions->calls[functions->call_count++] = now;
    }
    *clocks = functions->calls[i].worst;
    forget_temporaries(s);
    s->regs[RV32_T0] = s->regs[RV32_A0] = s->regs[RV32_A1] = unknown;
    s->regs[RV32_RA] = check_known(s->pc + 4);
    return true;
}

static bool is_function(const es_check_machine *m, uint32_t address)
{
    const es_check_functions *f = m->functions;
    for (size_t i = 0; f && i < sizeof f->addresses / sizeof *f->addresses; i++)
        if (address && address == f->addresses[i])
            return true;
    return f && depends_on_all(f, address);
}

static bool is_never(const es_check_machine *m, uint32_t address)
{
    for (size_t i = 0; i < sizeof m->never / sizeof *m->never; i++)
        if (address == m->never[i]) /* 0: the reset, which stands in tables where nothing is to be done */
            return true;
    return address == 0;
}

static uint32_t clocks_of(es_insn insn)
{
    switch (insn.kind) {
    case ES_INSN_ADDRESS: return CYCLES_auipc;
    case ES_INSN_COMPUTE: return es_insn_shifts(insn) ? CYCLES_shift : CYCLES_alu;
    case ES_INSN_CONSTANT:
    case ES_INSN_FENCE: return CYCLES_alu;
    case ES_INSN_LOAD: return CYCLES_load;
    case ES_INSN_STORE: return CYCLES_store;
    case ES_INSN_BRANCH: return CYCLES_branch;
    case ES_INSN_JUMP:
    case ES_INSN_CALL: return CYCLES_jal;
    case ES_INSN_JUMP_REGISTER:
    case ES_INSN_CALL_REGISTER:
    case ES_INSN_RETURN: return CYCLES_jalr;
    default: return CYCLES_wfi;
    }
}

/* A jump or call, to a place that is known. Of a function of the machine's, *total grows by what it takes. */
static enum outcome transfer(walk *w, state *s, es_insn insn, uint32_t target, uint32_t *total)
{
    bool call = insn.rd == RV32_RA;
    if (call && is_function(w->machine, target)) {
        uint32_t inside;
        if (!call_function(w, s, target, &inside))
            return FAILED;
        *total += inside;
        s->pc += insn.size;
        return GOES_ON;
    }
    if (call)
        es_machine_forget_words(w, s, s->pc + insn.size);
    jump(s, insn, target);
    return GOES_ON;
}

/* A branch, or a jump or call. */
static enum outcome step_transfer(walk *w, state *s, es_insn insn, uint32_t *total)
{
    es_check_word a = s->regs[insn.rs1];
    if (insn.kind == ES_INSN_BRANCH) {
        int taken = branch_taken(insn, a, s->regs[insn.rs2]);
        if (taken >= 0)
            s->pc += taken ? (uint32_t)insn.imm : insn.size;
        return taken < 0 ? SEVERAL : GOES_ON;
    }
    if (!es_insn_by_register(insn))
        return transfer(w, s, insn, s->pc + (uint32_t)insn.imm, total);
    es_check_word target = es_word_sum(a, check_known((uint32_t)insn.imm), 0);
    return word_is_known(target) ? transfer(w, s, insn, target.bits, total) : SEVERAL;
}

/* One instruction. *total grows by its clocks, or by what is counted instead. */
static enum outcome step(walk *w, state *s, uint32_t *total)
{
    const es_check_machine *m = w->machine;
    es_insn insn = es_machine_insn(m, s->pc);
    es_check_word a = s->regs[insn.rs1], immediate = check_known((uint32_t)insn.imm);
    *total += m->weigh ? 0 : clocks_of(insn);
    switch (insn.kind) {
    case ES_INSN_CONSTANT: set(s, insn.rd, immediate); break;
    case ES_INSN_ADDRESS: set(s, insn.rd, check_known(s->pc + (uint32_t)insn.imm)); break;
    case ES_INSN_COMPUTE:
        set(s, insn.rd, es_word_compute((es_insn_op)insn.op, a, insn.immediate ? immediate : s->regs[insn.rs2]));
        break;
    case ES_INSN_LOAD:
        if (s->pc == m->split_at && s->pc)
            return SEVERAL;
        set(s, insn.rd, es_machine_load(w, s, insn, es_word_sum(a, immediate, 0)));
        break;
    case ES_INSN_STORE:
        if (!es_machine_store(w, s, insn, es_word_sum(a, immediate, 0), s->regs[insn.rs2]))
            return FAILED;
        *total += weight(w, es_word_sum(a, immediate, 0), s->regs[insn.rs2]);
        break;
    case ES_INSN_FENCE: break;
    default: /* wfi: the firmware has nothing to do */
        return es_insn_is_transfer(insn) ? step_transfer(w, s, insn, total) : ENDED;
    }
    s->pc += insn.size;
    return GOES_ON;
}

/* Up to the end, or to where there are several paths. */
static enum outcome step_all(walk *w, state *s, bool first, uint32_t *clocks)
{
    const es_check_machine *m = w->machine;
    uint32_t steps = 0;
    *clocks = 0;
    for (;; first = false) {
        if ((s->pc == m->end || (s->pc == m->also_end && s->pc)) && !first) {
            if (m->keeps && (!word_is_known(s->regs[RV32_S0]) || s->regs[RV32_S0].bits != SOMETHING))
                return es_fail(w->err, ES_USAGE, "a function of the firmware does not keep what its caller has in s0");
            return ENDED;
        }
        if (is_never(m, s->pc)) {
            *clocks = 0; /* as if this way did not exist */
            return ENDED;
        }
        if ((s->pc == m->gates[0] || s->pc == m->gates[1]) && s->pc && !m->enter(m->context, s->pc, s->regs))
            return ENDED;
        if (++steps > STEPS_MAX)
            return es_fail(w->err, ES_USAGE, "the firmware's loop at 0x%04x never ends", (unsigned)s->pc);
        if (s->pc % 4 || s->pc + 4 > m->size)
            return es_fail(w->err, ES_USAGE, "the firmware leaves its memory at 0x%08x", (unsigned)s->pc);
        enum outcome outcome = step(w, s, clocks);
        if (outcome != GOES_ON)
            return outcome;
    }
}

static bool push(walk *w, const state *s, size_t from, uint32_t clocks)
{
    uint32_t words[PACKED_MAX], size = es_machine_pack(s, words), count;
    if (!count_ways(w, s, es_machine_insn(w->machine, s->pc), &count))
        return false;
    if (w->fork_count == w->fork_room) {
        w->fork_room = w->fork_room ? 2 * w->fork_room : 64;
        w->forks = es_realloc(w->forks, w->fork_room * sizeof *w->forks);
    }
    w->forks[w->fork_count++] =
        (fork_point){.at = es_machine_keep_packed(w, words, size), .memo = from, .clocks = clocks, .count = count};
    return true;
}

/* The next way of the innermost fork that has to be gone: its state, and the number of its memo. Takes what is known of
 * others already. False: there is none, or (FAILED) an endless one. */
static enum outcome next_way(walk *w, state *s, size_t *number)
{
    fork_point *fork = &w->forks[w->fork_count - 1];
    while (fork->next < fork->count) {
        es_machine_unpack(fork->at, s);
        take_way(w, s, fork->next++);
        es_machine_forget_dead(w, s);
        uint32_t words[PACKED_MAX], count = es_machine_pack(s, words);
        size_t *place = es_machine_find(w, words, count);
        const memo *known = *place ? &w->memos[*place - 1] : NULL;
        if (known && known->open)
            return es_fail(w->err, ES_USAGE, "the firmware's loop at 0x%04x has no end that is known", (unsigned)s->pc);
        if (known) {
            fork->worst = known->worst > fork->worst ? known->worst : fork->worst;
            continue;
        }
        size_t *budget = w->machine->budget;
        if (w->count == WAYS_MAX || (budget && !*budget))
            return es_fail(w->err, ES_USAGE, "there are too many execution paths through the firmware from 0x%04x on",
                           (unsigned)s->pc);
        if (budget)
            --*budget;
        *number = w->count;
        w->memos[w->count++] = (memo){.at = es_machine_keep_packed(w, words, count), .open = true};
        *place = w->count;
        return SEVERAL;
    }
    return ENDED;
}

/* All ways: the last fork's first, without recursion, as there may be thousands of forks on a way. */
static bool walk_all(walk *w, state *s, uint32_t *clocks)
{
    size_t from = NONE;
    for (bool first = true;; first = false) {
        uint32_t total;
        enum outcome outcome = step_all(w, s, first, &total);
        if (outcome == FAILED || (outcome == SEVERAL && !push(w, s, from, total)))
            return false;
        if (outcome == ENDED && from != NONE) {
            w->memos[from].worst = total;
            w->memos[from].open = false;
        }
        if (!w->fork_count) {
            *clocks = total;
            return true;
        }
        fork_point *last = &w->forks[w->fork_count - 1];
        if (outcome == ENDED)
            last->worst = total > last->worst ? total : last->worst;
        while ((outcome = next_way(w, s, &from)) == ENDED) {
            last = &w->forks[--w->fork_count];
            total = last->clocks + last->worst;
            if (last->memo != NONE) {
                w->memos[last->memo].worst = total;
                w->memos[last->memo].open = false;
            }
            if (!w->fork_count) {
                *clocks = total;
                return true;
            }
            fork_point *before = last - 1;
            before->worst = total > before->worst ? total : before->worst;
        }
        if (outcome == FAILED)
            return false;
    }
}

bool es_check_machine_worst(const es_check_machine *machine, uint32_t pc, const es_check_word regs[32],
                            uint32_t *clocks, es_error *err)
{
    walk w = {.machine = machine, .arena = es_arena_new(), .err = err};
    state s;
    memset(&s, 0, sizeof s);
    s.pc = pc;
    s.followed = check_known(0);
    memcpy(s.regs, regs, sizeof s.regs);
    s.regs[0] = check_known(0);
    *clocks = 0;
    bool fine = walk_all(&w, &s, clocks);
    free(w.memos);
    free(w.table);
    free(w.forks);
    es_arena_free(w.arena);
    return fine;
}
