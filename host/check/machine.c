#include "check/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cpu_cycles.h"

static const check_word unknown = { 0, 0 };

enum { STACK_WORDS = 128, WAYS_MAX = 1 << 20, DEPTH_MAX = 20000, STEPS_MAX = 1 << 22, KEPT_MAX = 8 };

/* A return address that code keeps in RAM. */
typedef struct kept {
    uint32_t address; /* 0: none; ascending, those first */
    uint32_t to;
} kept;

typedef struct state {
    uint32_t pc;
    kept kept[KEPT_MAX];
    check_word regs[32];
    check_word stack[STACK_WORDS];
} state;

/* States from which the worst case is known, or being looked for. */
typedef struct memo {
    state *at;
    uint32_t worst;
    bool open; /* being looked for: meeting it again is a loop without an end */
} memo;

typedef struct walk {
    const check_machine *machine;
    memo *table;
    size_t room, count;
    unsigned depth;
    es_error *err;
} walk;

/* --- memory ------------------------------------------------------------------------------------------------- */

static uint32_t stored(const check_machine *m, uint32_t address)
{
    uint32_t word;
    memcpy(&word, m->memory + (address & ~3u), 4);
    return word;
}

static bool in_stack(const check_machine *m, uint32_t address)
{
    return address >= m->stack && address < m->stack_end && address - m->stack < 4 * STACK_WORDS;
}

static check_word load_word(const walk *w, const state *s, check_word address)
{
    const check_machine *m = w->machine;
    if (!word_is_known(address))
        return unknown;
    uint32_t at = address.bits;
    if (at >= m->constant && at < m->constant_end)
        return check_known(stored(m, at));
    if (in_stack(m, at))
        return s->stack[(at - m->stack) / 4];
    for (size_t i = 0; i < KEPT_MAX; i++)
        if (s->kept[i].address && s->kept[i].address == (at & ~3u))
            return check_known(s->kept[i].to);
    for (size_t i = 0; i < m->fact_count; i++)
        if (m->facts[i].address == (at & ~3u))
            return m->facts[i].word;
    return at >= m->size && m->read ? m->read(m->context, at & ~3u) : unknown;
}

static check_word load(const walk *w, const state *s, uint32_t insn, check_word address)
{
    unsigned funct3 = insn >> 12 & 7, bits = funct3 & 3 ? (funct3 & 3) == 1 ? 16 : 32 : 8;
    if (bits == 32)
        return load_word(w, s, address);
    uint32_t top = 0xFFFFFFFFu << bits; /* the extension: zeros, or copies of the sign */
    if ((address.known & 3) != 3)
        return funct3 & 4 ? (check_word){ 0, top } : unknown;
    check_word word = load_word(w, s, address);
    word = word_shift(word, 8 * (address.bits & 3), 5, false);
    if (funct3 & 4)
        return word_masked(word.bits & ~top, word.known | top);
    return word_shift(word_shift(word, 32 - bits, 1, false), 32 - bits, 5, true);
}

/* Notes what was stored to a word of RAM: link registers' values are remembered. False: there are too many. */
static bool keep(state *s, uint32_t insn, uint32_t at, check_word value)
{
    unsigned from = insn >> 20 & 31;
    bool link = (insn >> 12 & 7) == 2 && (from == 1 || from == 5) && word_is_known(value);
    size_t i = 0;
    while (i < KEPT_MAX && s->kept[i].address && s->kept[i].address < at)
        i++;
    bool there = i < KEPT_MAX && s->kept[i].address == at;
    if (!link) {
        if (there) {
            memmove(&s->kept[i], &s->kept[i + 1], (KEPT_MAX - 1 - i) * sizeof(kept));
            s->kept[KEPT_MAX - 1] = (kept){ 0, 0 };
        }
        return true;
    }
    if (!there) {
        if (s->kept[KEPT_MAX - 1].address)
            return false;
        memmove(&s->kept[i + 1], &s->kept[i], (KEPT_MAX - 1 - i) * sizeof(kept));
    }
    s->kept[i] = (kept){ at, value.bits };
    return true;
}

static bool store(const walk *w, state *s, uint32_t insn, check_word address, check_word value)
{
    const check_machine *m = w->machine;
    if (!word_is_known(address))
        return true; /* tables of RAM, never what is followed here */
    if (in_stack(m, address.bits))
        s->stack[(address.bits - m->stack) / 4] = (insn >> 12 & 7) == 2 ? value : unknown;
    else if (address.bits < m->size && !keep(s, insn, address.bits & ~3u, value))
        return es_fail(w->err, ES_USAGE, "the firmware keeps too many return addresses at 0x%04x", (unsigned)s->pc);
    return true;
}

/* --- memo --------------------------------------------------------------------------------------------------- */

static uint64_t hash(const state *s)
{
    const uint32_t *words = (const uint32_t *)s;
    uint64_t sum = 1469598103934665603u;
    for (size_t i = 0; i < sizeof *s / 4; i++)
        sum = (sum ^ words[i]) * 1099511628211u;
    return sum ^ sum >> 29;
}

static memo *find(walk *w, const state *s)
{
    if (2 * (w->count + 1) > w->room) {
        size_t old_room = w->room;
        memo *old = w->table;
        w->room = old_room ? 2 * old_room : 256;
        w->table = es_malloc(w->room * sizeof *w->table);
        memset(w->table, 0, w->room * sizeof *w->table);
        for (size_t i = 0; i < old_room; i++)
            if (old[i].at)
                *find(w, old[i].at) = old[i];
        free(old);
    }
    size_t i = hash(s) & (w->room - 1);
    while (w->table[i].at && memcmp(w->table[i].at, s, sizeof *s) != 0)
        i = (i + 1) & (w->room - 1);
    return &w->table[i];
}

/* What is below the stack pointer is gone. */
static void forget_dead(const walk *w, state *s)
{
    check_word sp = s->regs[2];
    if (!word_is_known(sp) || !in_stack(w->machine, sp.bits - 4))
        return;
    for (uint32_t i = 0; i < (sp.bits - w->machine->stack) / 4 && i < STACK_WORDS; i++)
        s->stack[i] = unknown;
}

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

static uint32_t weight(const walk *w, check_word address, check_word value)
{
    const check_machine *m = w->machine;
    return m->weigh && word_is_known(address) && address.bits >= m->size ? m->weigh(m->context, address.bits, value) : 0;
}

static int branch_taken(uint32_t insn, check_word a, check_word b)
{
    unsigned funct3 = insn >> 12 & 7;
    int truth = funct3 < 2 ? word_equal(a, b) : word_less(a, b, funct3 < 6);
    return truth < 0 ? truth : truth ^ (int)(funct3 & 1);
}

/* A call or return forgets what its callee may have changed or left in temporaries: fewer states to tell apart. */
static void forget_temporaries(state *s)
{
    static const uint8_t temporaries[] = { 6, 7, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31 };
    for (size_t i = 0; i < sizeof temporaries; i++)
        s->regs[temporaries[i]] = unknown;
}

static void set(state *s, unsigned reg, check_word value)
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

static bool worst_from(walk *w, state *s, uint32_t *clocks);

/* Both arms of a branch whose outcome is unknown. */
static bool fork_at(walk *w, const state *s, uint32_t insn, uint32_t *clocks)
{
    state arm = *s;
    uint32_t taken = 0, passed = 0;
    arm.pc = s->pc + (uint32_t)branch_offset(insn);
    if (!worst_from(w, &arm, &taken))
        return false;
    arm = *s;
    arm.pc = s->pc + 4;
    if (!worst_from(w, &arm, &passed))
        return false;
    *clocks = taken > passed ? taken : passed;
    return true;
}

/* All places that a jump to an unknown one may lead to. */
static bool fork_jump(walk *w, const state *s, uint32_t insn, uint32_t *clocks)
{
    unsigned link = insn >> 7 & 31;
    const check_targets *targets = link == 1 ? &w->machine->calls : &w->machine->jumps;
    *clocks = 0;
    if (!targets->addresses || (link != 1 && link != 5))
        return es_fail(w->err, ES_USAGE, "the firmware's jump at 0x%04x goes to a place that is not known", (unsigned)s->pc);
    for (size_t i = 0; i < targets->count; i++) {
        state arm = *s;
        uint32_t worst = 0;
        jump(&arm, insn, targets->addresses[i]);
        if (!worst_from(w, &arm, &worst))
            return false;
        *clocks = worst > *clocks ? worst : *clocks;
    }
    return true;
}

/* From a branch's arm on: looked up, or found and kept. */
static bool step_all(walk *w, state *s, uint32_t *clocks);

static bool worst_from(walk *w, state *s, uint32_t *clocks)
{
    forget_dead(w, s);
    memo *m = find(w, s);
    if (m->at && m->open)
        return es_fail(w->err, ES_USAGE, "the firmware's loop at 0x%04x has no end that is known", (unsigned)s->pc);
    if (m->at) {
        *clocks = m->worst;
        return true;
    }
    if (w->count == WAYS_MAX || w->depth == DEPTH_MAX)
        return es_fail(w->err, ES_USAGE, "there are too many ways through the firmware from 0x%04x on", (unsigned)s->pc);
    state *key = es_malloc(sizeof *key);
    *key = *s;
    *m = (memo){ .at = key, .open = true };
    w->count++;
    w->depth++;
    bool fine = step_all(w, s, clocks);
    w->depth--;
    m = find(w, key);
    m->open = false;
    m->worst = *clocks;
    return fine;
}

static bool step_all(walk *w, state *s, uint32_t *clocks)
{
    const check_machine *m = w->machine;
    const uint32_t unit = m->weigh ? 0 : 1;
    uint32_t total = 0, steps = 0;
    *clocks = 0;
    for (bool first = true;; first = false) {
        if (s->pc == m->end && !(first && w->depth == 0)) {
            *clocks = total;
            return true;
        }
        if (++steps > STEPS_MAX)
            return es_fail(w->err, ES_USAGE, "the firmware's loop at 0x%04x never ends", (unsigned)s->pc);
        if (s->pc % 4 || s->pc + 4 > m->size)
            return es_fail(w->err, ES_USAGE, "the firmware leaves its memory at 0x%08x", (unsigned)s->pc);
        uint32_t insn = stored(m, s->pc);
        unsigned rd = insn >> 7 & 31;
        check_word a = s->regs[insn >> 15 & 31], b = s->regs[insn >> 20 & 31];
        check_word immediate = check_known((uint32_t)((int32_t)insn >> 20));
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
            set(s, rd, word_compute(insn, a, (insn & 0x20) ? b : immediate));
            total += unit * ((insn >> 12 & 3) == 1 ? CYCLES_shift : CYCLES_alu);
            break;
        case 0x03:
            set(s, rd, load(w, s, insn, word_sum(a, immediate, 0)));
            total += unit * CYCLES_load;
            break;
        case 0x23:
            if (!store(w, s, insn, word_sum(a, check_known(store_offset(insn)), 0), b))
                return false;
            total += unit * CYCLES_store + weight(w, word_sum(a, check_known(store_offset(insn)), 0), b);
            break;
        case 0x6F:
            set(s, rd, check_known(next));
            next = s->pc + (uint32_t)jump_offset(insn);
            total += unit * CYCLES_jal;
            break;
        case 0x67: {
            total += unit * CYCLES_jalr;
            check_word target = word_sum(a, immediate, 0);
            if (!word_is_known(target)) {
                uint32_t rest = 0;
                if (!fork_jump(w, s, insn, &rest))
                    return false;
                *clocks = total + rest;
                return true;
            }
            jump(s, insn, target.bits);
            next = s->pc;
            break;
        }
        case 0x63: {
            total += unit * CYCLES_branch;
            int taken = branch_taken(insn, a, b);
            if (taken < 0) {
                uint32_t rest = 0;
                if (!fork_at(w, s, insn, &rest))
                    return false;
                *clocks = total + rest;
                return true;
            }
            if (taken)
                next = s->pc + (uint32_t)branch_offset(insn);
            break;
        }
        case 0x0F:
            total += unit * CYCLES_alu;
            break;
        default: /* wfi: the firmware has nothing to do */
            *clocks = total + unit * CYCLES_wfi;
            return true;
        }
        s->pc = next;
    }
}

bool check_machine_worst(const check_machine *machine, uint32_t pc, const check_word regs[32], uint32_t *clocks,
                         es_error *err)
{
    walk w = { .machine = machine, .err = err };
    state s;
    memset(&s, 0, sizeof s);
    s.pc = pc;
    memcpy(s.regs, regs, sizeof s.regs);
    s.regs[0] = check_known(0);
    bool fine = step_all(&w, &s, clocks);
    for (size_t i = 0; i < w.room; i++)
        free(w.table[i].at);
    free(w.table);
    return fine;
}
