#include "compare.h"

#include <stdio.h>
#include <string.h>

#include <image.h>

#include "../cpu/rv32_model.h"
#include "probe_defs.h"

enum { STEPS = 4000 };

static uint32_t mix(uint32_t a, uint32_t b)
{
    uint32_t x = a * 0x9E3779B1u ^ (b + 0x7F4A7C15u);
    x ^= x >> 15;
    x *= 0x85EBCA77u;
    x ^= x >> 13;
    x *= 0xC2B2AE3Du;
    return x ^ x >> 16;
}

/* A value that code may take apart: often small, often a multiple of 4, sometimes anything. */
static uint32_t value_of(uint32_t seed, uint32_t number)
{
    uint32_t x = mix(seed, number);
    switch (mix(x, 5) % 6) {
    case 0: return x % 3;
    case 1: return x % 16;
    case 2: return (uint32_t) - (int32_t)(x % 5);
    case 3: return (x & 0x7FC) + 0x20000;
    case 4: return x & ~3u;
    default: return x;
    }
}

static void note(ir_trace *t, enum ir_effect effect, uint32_t at, uint32_t value)
{
    if (t->count == IR_TRACE_MAX)
        t->full = true;
    if (t->full)
        return;
    t->effects[t->count].effect = effect;
    t->effects[t->count].at = at;
    t->effects[t->count].meant = 0;
    t->effects[t->count++].value = value;
    t->full = effect >= IR_MISALIGNED; /* what machines do then is not defined, or it is the end */
}

/* Where LINK comes back to is each run's own: an index, or the address after the instruction. */
static bool is_link(const ir_trace *t, const es_ir_code *code, uint32_t value)
{
    size_t at = t->words ? (value - code->base) / 4 : value - ES_IR_LINKS;
    if (at == 0 || at > (t->words ? code->word_count : code->count))
        return false;
    return t->words ? (code->words[at - 1] & 0x7F) == 0x6F && (code->words[at - 1] >> 7 & 31) != 0
                    : code->insns[at - 1].op == ES_IR_LINK;
}

/* What a routine has left in a register that it spoils, and nobody has changed since. */
static bool is_garbage(const ir_trace *t, unsigned r, uint32_t value)
{
    return t->left[r] == value && t->left[r] != 0;
}

/* Those of a set that mean something: tables tell more registers than all statements take. In a second run, as in the
 * first. */
static uint32_t meant(const ir_trace *t, const es_ir_code *code, uint32_t set, const uint32_t *registers)
{
    if (t->like)
        return t->count < t->like->count ? t->like->effects[t->count].meant : 0;
    for (unsigned r = 0; r < 32; r++)
        if (r == 0 || is_garbage(t, r, registers[r]) || is_link(t, code, registers[r]))
            set &= ~(1u << r);
    return set;
}

/* A hash of registers. */
static uint32_t taken(uint32_t set, const uint32_t *registers)
{
    uint32_t sum = 0;
    for (unsigned r = 1; r < 32; r++)
        if (set >> r & 1)
            sum = mix(sum, registers[r] + r);
    return sum;
}

/* An effect that takes registers. */
static void note_taken(ir_trace *t, const es_ir_code *code, enum ir_effect effect, uint32_t at, uint32_t set,
                       const uint32_t *registers)
{
    uint32_t counts = meant(t, code, set, registers);
    size_t before = t->count;
    note(t, effect, at, taken(counts, registers));
    if (t->count > before)
        t->effects[before].meant = counts;
}

static void begin(ir_trace *t, const es_ir_code *code, uint32_t registers[32], bool words)
{
    t->words = words;
    for (unsigned r = 0; r < 32; r++)
        registers[r] = r ? value_of(t->seed, 1000 + r) : 0;
    registers[ES_IR_TP] = code->ram_at + ES_MI_RAM_POINTER;
    registers[ES_IR_HIT] = ES_REG_BASE;
    registers[ES_IR_RA] = (registers[ES_IR_RA] & 0xFFFFCu) | 0x40000; /* in no code */
    registers[ES_IR_SP] &= 0xFFFFCu;
    t->count = t->loads = t->calls = 0;
    t->full = false;
    t->takes = 0;
    memset(t->left, 0, sizeof t->left);
}

/* Which spilled word an address is; -1: none. */
static int spill_of(const es_ir_code *code, uint32_t address)
{
    uint32_t from = address - code->ram_at - code->spill;
    return from < 4 * code->spilled && from < sizeof((ir_trace *)0)->spills ? (int)(from / 4) : -1;
}

/* --- what both runs do with what lies around -------------------------------------------------------------- */

typedef struct run {
    ir_trace *trace;
    const es_ir_code *code;
} run;

static void note_access(ir_trace *t, enum ir_effect effect, uint32_t address, unsigned bytes, uint32_t value)
{
    if (address % bytes)
        note(t, IR_MISALIGNED, 0, 0);
    else
        note(t, effect, address, value);
}

static uint32_t load(void *context, uint32_t address, unsigned bytes)
{
    const run *of = context;
    int spill = spill_of(of->code, address);
    if (spill >= 0)
        return of->trace->spills[spill];
    note_access(of->trace, IR_LOADED, address, bytes, bytes);
    uint32_t value = value_of(of->trace->seed, mix(address, of->trace->loads++));
    return bytes == 4 ? value : value & ((1u << 8 * bytes) - 1);
}

static void store(void *context, uint32_t address, unsigned bytes, uint32_t value)
{
    const run *of = context;
    int spill = spill_of(of->code, address);
    if (spill >= 0)
        of->trace->spills[spill] = value;
    else
        note_access(of->trace, IR_STORED, address, bytes, bytes == 4 ? value : value & 0xFF);
}

static void call(void *context, const es_ir_insn *insn, uint32_t registers[ES_IR_VIRTUAL])
{
    const run *of = context;
    ir_trace *t = of->trace;
    uint32_t takes = insn ? insn->takes : ES_IR_SET(ES_IR_A0), gives = insn ? insn->gives : 0,
             spoils = insn ? insn->spoils | ES_IR_SET(insn->rd) : ES_IR_FREE;
    takes &= ~ES_IR_SET(insn ? insn->rd : ES_IR_ZERO); /* it is written before it is read */
    note_taken(t, of->code, IR_CALLED, insn ? (uint32_t)insn->imm : of->code->base, takes, registers);
    t->calls++;
    for (unsigned r = 1; r < 32; r++)
        if (gives >> r & 1)
            registers[r] = value_of(t->seed, mix(t->calls, r));
        else if (spoils >> r & 1)
            registers[r] = t->left[r] = mix(t->garbage, t->calls + r) & ~0xF0000003u;
}

/* What was called must find the registers that nobody may change, and those that it takes. */
static uint32_t kept(uint32_t takes)
{
    uint32_t free_ones = ES_IR_FREE | ES_IR_SET(ES_IR_RA);
    return (takes | ~free_ones) & ~ES_IR_SET(ES_IR_ZERO);
}

static void end(ir_trace *t, const es_ir_code *code, enum ir_effect effect, uint32_t at, uint32_t takes,
                const uint32_t *registers)
{
    at &= ~1u;    /* as jalr does */
    if (at & 2) { /* nobody goes on there */
        note(t, IR_MISALIGNED, 0, 0);
        return;
    }
    note_taken(t, code, effect, at, kept(takes), registers);
}

void ir_trace_interpret(ir_trace *t, const es_ir_code *code, uint32_t label)
{
    uint32_t registers[32];
    run of = {t, code};
    es_ir_world world = {&of, load, store, call};
    begin(t, code, registers, false);
    es_ir_ended ended = es_ir_interpret(code, label, &world, registers, STEPS);
    t->takes = ended.insn ? ended.insn->takes : 0;
    switch (ended.end) {
    case ES_IR_ENDED_RETURN: end(t, code, IR_RETURNED, ended.at, ended.insn->takes, registers); break;
    case ES_IR_ENDED_GONE: end(t, code, IR_GONE, ended.at, ended.insn->takes, registers); break;
    case ES_IR_ENDED_AFTER: end(t, code, IR_AFTER, 0, ES_IR_SET(ES_IR_A0) | ES_IR_SET(ES_IR_RA), registers); break;
    default: t->full = true; break;
    }
}

/* --- the words --------------------------------------------------------------------------------------------- */

/* Puts what a load gives where the model takes it from; false: it is misaligned. */
static bool prepare_load(const run *of, rv32 *m, uint32_t word)
{
    uint32_t address = m->x[word >> 15 & 31] + (uint32_t)((int32_t)word >> 20);
    unsigned bytes = 1u << (word >> 12 & 3);
    uint32_t value = load((void *)of, address, bytes);
    if (address % bytes)
        return false;
    for (unsigned i = 0; i < bytes; i++)
        m->mem[(address + i) % RV32_MEM_SIZE] = (uint8_t)(value >> 8 * i);
    return true;
}

static bool note_store(const run *of, const rv32 *m, uint32_t word)
{
    uint32_t offset = (uint32_t)((int32_t)(word & 0xFE000000u) >> 20) | (word >> 7 & 31);
    uint32_t address = m->x[word >> 15 & 31] + offset;
    unsigned bytes = 1u << (word >> 12 & 3);
    store((void *)of, address, bytes, m->x[word >> 20 & 31]);
    return address % bytes == 0;
}

static const es_ir_insn *find_call(const es_ir_code *code, uint32_t target, uint32_t rd)
{
    for (size_t i = 0; i < code->count; i++)
        if (code->insns[i].op == ES_IR_CALL && (uint32_t)code->insns[i].imm == target && code->insns[i].rd == rd)
            return &code->insns[i];
    return NULL;
}

/* Execution has left the words. False: that is the end. */
static bool left(const run *of, rv32 *m, const rv32_effect *effect)
{
    const es_ir_code *code = of->code;
    bool direct = effect->insn->class_ == RV32_JAL;
    uint32_t begin_at = code->base, after = begin_at + 4 * (uint32_t)code->word_count;
    const es_ir_insn *insn = direct ? find_call(code, m->pc, effect->rd) : NULL;
    if (m->pc == after && !insn) { /* what stands after the code */
        uint32_t back = m->x[ES_IR_RA];
        if (back < begin_at || back >= after) {
            end(of->trace, code, IR_AFTER, 0, ES_IR_SET(ES_IR_A0) | ES_IR_SET(ES_IR_RA), m->x);
            return false;
        }
        call((void *)of, NULL, m->x);
        m->pc = back;
        return true;
    }
    if (insn && insn->rd != ES_IR_ZERO) {
        uint32_t back = effect->pc + 4;
        call((void *)of, insn, m->x);
        m->pc = back;
        return true;
    }
    if (insn)
        end(of->trace, code, IR_GONE, m->pc, insn->takes, m->x);
    else
        end(of->trace, code, effect->insn->class_ == RV32_JALR ? IR_RETURNED : IR_LOST, m->pc, of->trace->like->takes,
            m->x);
    return false;
}

void ir_trace_words(ir_trace *t, const es_ir_code *code, uint32_t label)
{
    static rv32 m;
    run of = {t, code};
    uint32_t size = 4 * (uint32_t)code->word_count;
    begin(t, code, m.x, true);
    rv32_reset(&m, label == ES_IR_FIRST ? code->base : es_ir_address(code, label));
    if (m.pc == code->base + size) { /* nothing but what stands after it */
        end(t, code, IR_AFTER, 0, ES_IR_SET(ES_IR_A0) | ES_IR_SET(ES_IR_RA), m.x);
        return;
    }
    for (unsigned steps = 0; steps < 2 * STEPS && !t->full; steps++) {
        uint32_t word = code->words[(m.pc - code->base) / 4];
        const rv32_insn *insn = rv32_find(&m, word);
        rv32_effect effect = {.insn = insn};
        if (!insn) {
            note(t, IR_LOST, m.pc, word);
            return;
        }
        if ((insn->class_ == RV32_LOAD && !prepare_load(&of, &m, word)) ||
            (insn->class_ == RV32_STORE && !note_store(&of, &m, word)))
            return;
        rv32_step(&m, word, &effect);
        if (effect.halt) {
            if (insn->class_ == RV32_JALR)
                note(t, IR_MISALIGNED, 0, 0);
            else
                note(t, IR_LOST, effect.pc, word);
            return;
        }
        while (m.pc - code->base >= size)
            if (!left(&of, &m, &effect))
                return;
    }
    t->full = true;
}

const char *ir_trace_differ(const ir_trace *a, const ir_trace *b)
{
    static const char *const texts[] = {"load", "store", "call", "misaligned", "return", "gone", "after", "lost"};
    static char why[200];
    size_t common = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < common; i++)
        if (memcmp(&a->effects[i], &b->effects[i], sizeof a->effects[i]) != 0) {
            snprintf(why, sizeof why, "effect %zu: %s 0x%x 0x%x became %s 0x%x 0x%x", i, texts[a->effects[i].effect],
                     (unsigned)a->effects[i].at, (unsigned)a->effects[i].value, texts[b->effects[i].effect],
                     (unsigned)b->effects[i].at, (unsigned)b->effects[i].value);
            return why;
        }
    bool ends = a->count && a->effects[a->count - 1].effect >= IR_MISALIGNED;
    if (a->count == b->count || (!ends && b->count > a->count))
        return NULL; /* one that went on forever may have got further than the other */
    bool other = b->count && b->effects[b->count - 1].effect >= IR_MISALIGNED;
    if (!other && b->count < a->count && b->full)
        return NULL;
    snprintf(why, sizeof why, "%zu effects became %zu", a->count, b->count);
    return why;
}
