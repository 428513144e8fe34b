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

static int32_t branch_offset(uint32_t insn)
{
    uint32_t sign = 0u - (insn >> 31);
    return (int32_t)((sign << 12) | (insn << 4 & 0x800) | (insn >> 20 & 0x7E0) | (insn >> 7 & 0x1E));
}

static int32_t jump_offset(uint32_t insn)
{
    uint32_t sign = 0u - (insn >> 31);
    return (int32_t)((sign << 20) | (insn & 0xFF000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7FE));
}

static uint32_t store_offset(uint32_t insn)
{
    return (uint32_t)((int32_t)(insn & 0xFE000000u) >> 20) | (insn >> 7 & 31);
}

static uint32_t weight(const walk *w, es_check_word address, es_check_word value)
{
    const es_check_machine *m = w->machine;
    return m->weigh && word_is_known(address) && address.bits >= m->size ? m->weigh(m->context, address.bits, value)
                                                                         : 0;
}

static int branch_taken(uint32_t insn, es_check_word a, es_check_word b)
{
    unsigned funct3 = insn >> 12 & 7;
    int truth = funct3 < 2 ? es_word_equal(a, b) : es_word_less(a, b, funct3 < 6);
    return truth < 0 ? truth : truth ^ (int)(funct3 & 1);
}

/* A call or return forgets what its callee may have changed or left in temporaries: fewer states to tell apart. */
static void forget_temporaries(state *s)
{
    static const uint8_t temporaries[] = {6, 7, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31};
    for (size_t i = 0; i < sizeof temporaries; i++)
        s->regs[temporaries[i]] = unknown;
}

static void set(state *s, unsigned reg, es_check_word value)
{
    if (reg)
        s->regs[reg] = value;
}

static void jump(state *s, uint32_t insn, uint32_t target)
{
    set(s, insn >> 7 & 31, check_known(s->pc + 4));
    s->pc = target & ~1u;
    if ((insn >> 7 & 31) == 0 && (insn >> 15 & 31) == 1)
        forget_temporaries(s);
}

/* --- ways ---------------------------------------------------------------------------------------------------- */

enum outcome { FAILED, ENDED, SEVERAL };

/* In how many ways it goes on from a branch or jump whose outcome is unknown. False: nowhere that is known. */
static bool count_ways(walk *w, const state *s, uint32_t insn, uint32_t *count)
{
    unsigned opcode = insn & 0x7F, link = insn >> 7 & 31;
    *count = 2;
    if (opcode == 0x63)
        return true;
    if (opcode == 0x03) {
        *count = w->machine->split_most + 1;
        return true;
    }
    const es_check_targets *targets = link == 1 ? &w->machine->calls : &w->machine->jumps;
    *count = (uint32_t)targets->count;
    if (!targets->addresses || (link != 1 && link != 5))
        return es_fail(w->err, ES_USAGE, "the firmware's jump at 0x%04x goes to a place that is not known",
                       (unsigned)s->pc);
    return true;
}

/* From the fork on, the way with that number. */
static void take_way(const walk *w, state *s, uint32_t number)
{
    uint32_t insn = es_machine_stored(w->machine, s->pc);
    switch (insn & 0x7F) {
    case 0x63: s->pc += number ? 4 : (uint32_t)branch_offset(insn); break;
    case 0x03:
        set(s, insn >> 7 & 31, check_known(number));
        s->pc += 4;
        break;
    default: jump(s, insn, ((insn >> 7 & 31) == 1 ? &w->machine->calls : &w->machine->jumps)->addresses[number]); break;
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
    for (unsigned i = 2; i <= 17; i++)
        if (live >> i & 1 && (i <= 4 || i >= 9))
            now.regs[i] = s->regs[i];
    for (unsigned i = 18; i <= 27 && depends_on_all(functions, target); i++)
        if (live >> i & 1)
            now.regs[i] = s->regs[i];
    now.regs[1] = check_known(RETURNED);
    now.regs[8] = check_known(SOMETHING);
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
    s->regs[5] = s->regs[10] = s->regs[11] = unknown;
    s->regs[1] = check_known(s->pc + 4);
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

/* Up to the end, or to where there are several ways. */
static enum outcome step_all(walk *w, state *s, bool first, uint32_t *clocks)
{
    const es_check_machine *m = w->machine;
    const uint32_t unit = m->weigh ? 0 : 1;
    uint32_t total = 0, steps = 0;
    *clocks = 0;
    for (;; first = false) {
        *clocks = total;
        if ((s->pc == m->end || (s->pc == m->also_end && s->pc)) && !first) {
            if (m->keeps && (!word_is_known(s->regs[8]) || s->regs[8].bits != SOMETHING))
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
        uint32_t insn = es_machine_stored(m, s->pc);
        unsigned rd = insn >> 7 & 31;
        es_check_word a = s->regs[insn >> 15 & 31], b = s->regs[insn >> 20 & 31];
        es_check_word immediate = check_known((uint32_t)((int32_t)insn >> 20));
        uint32_t next = s->pc + 4;
        switch (insn & 0x7F) {
        case 0x37:
            set(s, rd, check_known(insn & 0xFFFFF000u));
            total += unit * CYCLES_alu;
            break;
        case 0x17:
            set(s, rd, check_known(s->pc + (insn & 0xFFFFF000u)));
            total += unit * CYCLES_auipc;
            break;
        case 0x13:
        case 0x33:
            set(s, rd, es_word_compute(insn, a, (insn & 0x20) ? b : immediate));
            total += unit * ((insn >> 12 & 3) == 1 ? CYCLES_shift : CYCLES_alu);
            break;
        case 0x03:
            total += unit * CYCLES_load;
            if (s->pc == m->split_at && s->pc) {
                *clocks = total;
                return SEVERAL;
            }
            set(s, rd, es_machine_load(w, s, insn, es_word_sum(a, immediate, 0)));
            break;
        case 0x23:
            if (!es_machine_store(w, s, insn, es_word_sum(a, check_known(store_offset(insn)), 0), b))
                return FAILED;
            total += unit * CYCLES_store + weight(w, es_word_sum(a, check_known(store_offset(insn)), 0), b);
            break;
        case 0x6F:
            next = s->pc + (uint32_t)jump_offset(insn);
            total += unit * CYCLES_jal;
            if (rd == 1 && is_function(m, next)) {
                uint32_t inside;
                if (!call_function(w, s, next, &inside))
                    return FAILED;
                total += inside;
                next = s->pc + 4;
                break;
            }
            set(s, rd, check_known(s->pc + 4));
            if (rd == 1)
                es_machine_forget_words(w, s, s->pc + 4);
            break;
        case 0x67: {
            total += unit * CYCLES_jalr;
            es_check_word target = es_word_sum(a, immediate, 0);
            if (!word_is_known(target)) {
                *clocks = total;
                return SEVERAL;
            }
            if (rd == 1 && is_function(m, target.bits)) {
                uint32_t inside;
                if (!call_function(w, s, target.bits, &inside))
                    return FAILED;
                total += inside;
                break;
            }
            if (rd == 1)
                es_machine_forget_words(w, s, s->pc + 4);
            jump(s, insn, target.bits);
            next = s->pc;
            break;
        }
        case 0x63: {
            total += unit * CYCLES_branch;
            int taken = branch_taken(insn, a, b);
            if (taken < 0) {
                *clocks = total;
                return SEVERAL;
            }
            if (taken)
                next = s->pc + (uint32_t)branch_offset(insn);
            break;
        }
        case 0x0F: total += unit * CYCLES_alu; break;
        default: /* wfi: the firmware has nothing to do */ *clocks = total + unit * CYCLES_wfi; return ENDED;
        }
        s->pc = next;
    }
}

static bool push(walk *w, const state *s, size_t from, uint32_t clocks)
{
    uint32_t words[PACKED_MAX], size = es_machine_pack(s, words), count;
    if (!count_ways(w, s, es_machine_stored(w->machine, s->pc), &count))
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
