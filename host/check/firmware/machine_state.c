/* What code finds in memory, and states packed so that many of them can be told apart. */
#include "check/firmware/machine_state.h"

#include <stdlib.h>
#include <string.h>

static const es_check_word unknown = {0, 0};

/* --- memory ------------------------------------------------------------------------------------------------- */

/* The machine's word that holds the address. */
static uint32_t stored(const es_check_machine *m, uint32_t address)
{
    uint32_t word;
    memcpy(&word, m->memory + (address & ~3u), 4);
    return word;
}

static bool in_stack(const es_check_machine *m, uint32_t address)
{
    return address >= m->stack && address < m->stack_end && address - m->stack < 4 * STACK_WORDS;
}

static es_check_word load_word(const walk *w, const state *s, es_check_word address)
{
    const es_check_machine *m = w->machine;
    if (!word_is_known(address))
        return unknown;
    uint32_t at = address.bits;
    if (at >= m->constant && at < m->constant_end)
        return check_known(stored(m, at));
    if (in_stack(m, at))
        return s->stack[(at - m->stack) / 4];
    if (m->followed && (at & ~3u) == m->followed)
        return s->followed;
    for (size_t i = 0; i < KEPT_MAX; i++)
        if (s->kept[i].address && s->kept[i].address == (at & ~3u))
            return check_known(s->kept[i].to);
    for (size_t i = 0; i < m->fact_count; i++)
        if (m->facts[i].address == (at & ~3u))
            return m->facts[i].word;
    return at >= m->size && m->read ? m->read(m->context, at & ~3u) : unknown;
}

es_insn es_machine_insn(const es_check_machine *m, uint32_t pc)
{
    if (m->code && pc < m->constant_end)
        return m->code[pc / 4];
    return es_isa_decode(es_isa_of_soft_core(), stored(m, pc));
}

es_check_word es_machine_load(const walk *w, const state *s, es_insn insn, es_check_word address)
{
    unsigned bits = 8u * insn.bytes;
    if (bits == 32)
        return load_word(w, s, address);
    uint32_t top = 0xFFFFFFFFu << bits; /* the extension: zeros, or copies of the sign */
    if ((address.known & 3) != 3)
        return insn.is_signed ? unknown : (es_check_word){0, top};
    es_check_word word = load_word(w, s, address);
    word = es_word_shift(word, 8 * (address.bits & 3), ES_ALU_SHIFT_RIGHT);
    if (!insn.is_signed)
        return word_masked(word.bits & ~top, word.known | top);
    return es_word_shift(es_word_shift(word, 32 - bits, ES_ALU_SHIFT_LEFT), 32 - bits, ES_ALU_SHIFT_ARITHMETIC);
}

/* Notes what was stored to a word of RAM: link registers' values are remembered. False: there are too many. */
static bool keep(state *s, es_insn insn, uint32_t at, es_check_word value)
{
    bool link = insn.bytes == 4 && (insn.rs2 == RV32_RA || insn.rs2 == RV32_T0) && word_is_known(value);
    size_t i = 0;
    while (i < KEPT_MAX && s->kept[i].address && s->kept[i].address < at)
        i++;
    bool there = i < KEPT_MAX && s->kept[i].address == at;
    if (!link) {
        if (there) {
            memmove(&s->kept[i], &s->kept[i + 1], (KEPT_MAX - 1 - i) * sizeof(kept));
            s->kept[KEPT_MAX - 1] = (kept){0, 0};
        }
        return true;
    }
    if (!there) {
        if (s->kept[KEPT_MAX - 1].address)
            return false;
        memmove(&s->kept[i + 1], &s->kept[i], (KEPT_MAX - 1 - i) * sizeof(kept));
    }
    s->kept[i] = (kept){at, value.bits};
    return true;
}

bool es_machine_store(const walk *w, state *s, es_insn insn, es_check_word address, es_check_word value)
{
    const es_check_machine *m = w->machine;
    if (!word_is_known(address))
        return true; /* tables of RAM, never what is followed here */
    if (in_stack(m, address.bits))
        s->stack[(address.bits - m->stack) / 4] = insn.bytes == 4 ? value : unknown;
    else if (m->followed && (address.bits & ~3u) == m->followed)
        s->followed = insn.bytes == 4 ? value : unknown;
    else if (address.bits < m->size && !keep(s, insn, address.bits & ~3u, value))
        return es_fail(w->err, ES_USAGE, "the firmware keeps too many return addresses at 0x%04x", (unsigned)s->pc);
    return true;
}

/* --- memo --------------------------------------------------------------------------------------------------- */

uint32_t es_machine_pack(const state *s, uint32_t to[PACKED_MAX])
{
    const uint32_t *words = (const uint32_t *)s;
    uint32_t *end = to + MASKS;
    memset(to, 0, MASKS * sizeof *to);
    for (size_t i = 0; i < STATE_WORDS; i += 4) { /* most words are 0 */
        if (!(words[i] | words[i + 1] | words[i + 2] | words[i + 3]))
            continue;
        for (size_t k = i; k < i + 4; k++) {
            *end = words[k];
            end += words[k] != 0;
            to[k / 32] |= (uint32_t)(words[k] != 0) << (k & 31);
        }
    }
    return (uint32_t)(end - to);
}

void es_machine_unpack(packed from, state *s)
{
    uint32_t *words = (uint32_t *)s;
    const uint32_t *next = from.words + MASKS;
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < MASKS; i++, words += 32)
        for (uint32_t mask = from.words[i]; mask; mask &= mask - 1)
            words[__builtin_ctz(mask)] = *next++;
}

packed es_machine_keep_packed(walk *w, const uint32_t *words, uint32_t count)
{
    uint32_t *own = es_arena_alloc(w->arena, count * sizeof *own);
    memcpy(own, words, count * sizeof *own);
    return (packed){count, own};
}

static uint64_t hash(const uint32_t *words, uint32_t count)
{
    uint64_t sum = 1469598103934665603u, more = count;
    for (uint32_t i = 0; i + 2 <= count; i += 2) { /* two chains of multiplications are faster than one */
        sum = (sum ^ words[i]) * 1099511628211u;
        more = (more ^ words[i + 1]) * 1099511628211u;
    }
    if (count & 1)
        sum = (sum ^ words[count - 1]) * 1099511628211u;
    sum ^= more ^ more >> 32;
    return sum ^ sum >> 29;
}

size_t *es_machine_find(walk *w, const uint32_t *words, uint32_t count)
{
    if (2 * (w->count + 1) > w->room) {
        free(w->table);
        w->room = w->room ? 2 * w->room : 256;
        w->table = es_malloc(w->room * sizeof *w->table);
        memset(w->table, 0, w->room * sizeof *w->table);
        w->memos = es_realloc(w->memos, w->room * sizeof *w->memos);
        for (size_t i = 0; i < w->count; i++)
            *es_machine_find(w, w->memos[i].at.words, w->memos[i].at.count) = i + 1;
    }
    size_t i = hash(words, count) & (w->room - 1);
    for (; w->table[i]; i = (i + 1) & (w->room - 1)) {
        const memo *m = &w->memos[w->table[i] - 1];
        if (m->at.count == count && memcmp(m->at.words, words, count * sizeof *words) == 0)
            break;
    }
    return &w->table[i];
}

/* What is below the stack pointer is gone, and what is not read any more from the instruction at `pc` on does not
 * matter. */
void es_machine_forget_words(const walk *w, state *s, uint32_t pc)
{
    const es_check_machine *m = w->machine;
    const es_check_live *live = m->live && pc < m->constant_end ? &m->live[pc / 4] : NULL;
    es_check_word sp = s->regs[RV32_SP];
    if (!word_is_known(sp) || sp.bits < m->stack || sp.bits > m->stack_end)
        return;
    uint32_t first = (sp.bits - m->stack) / 4;
    for (uint32_t i = 0; i < first && i < STACK_WORDS; i++)
        s->stack[i] = unknown;
    for (uint32_t i = 0; live && i < 63 && first + i < STACK_WORDS; i++)
        if (!(live->words >> i & 1))
            s->stack[first + i] = unknown;
}

/* The same of the stack and of registers. */
void es_machine_forget_dead(const walk *w, state *s)
{
    const es_check_machine *m = w->machine;
    uint32_t live = m->live && s->pc < m->constant_end ? m->live[s->pc / 4].regs : UINT32_MAX;
    for (unsigned i = 1; i < 32; i++)
        if (!(live >> i & 1))
            s->regs[i] = unknown;
    es_machine_forget_words(w, s, s->pc);
}
