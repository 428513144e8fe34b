/* Which stores belong to one assignment. A processor stores what is wider than itself in several instructions, and what
 * a program assigns has to be told from the halves of it. Two stores are parts of one assignment when they lie in the
 * same straight piece of code, count from the same base, and the compiler made both for the same place in the source. A
 * store in a loop that goes through memory (memcpy, for one) is a part of as many as the loop has rounds.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/parts_private.h"

/* --- values ------------------------------------------------------------------------------------------ */

static bool same(place a, place b)
{
    return a.base == b.base && a.offset == b.offset;
}

static value fresh(walk *w)
{
    return (value){.at = {w->next_base++, 0}, .scale = SCALE_LOST};
}

static void begin(walk *w)
{
    for (unsigned i = 0; i < REGS; i++)
        w->regs[i] = (value){.at = {BASE_REGISTER + i, 0}, .registers = 1u << i};
    w->regs[0] = (value){.at = {BASE_CONSTANT, 0}};
    w->word_count = 0;
    w->way++;
}

static void take_loads(value *into, const value *from)
{
    for (unsigned i = 0; i < from->loads && into->loads < SLOTS; i++)
        into->loaded[into->loads++] = from->loaded[i];
}

/* A new value made of two. */
static value made_of(walk *w, const value *a, const value *b, unsigned scale)
{
    value out = fresh(w);
    out.registers = a->registers | b->registers;
    take_loads(&out, a);
    take_loads(&out, b);
    out.scale = (uint8_t)(scale > SCALE_LOST ? SCALE_LOST : scale);
    return out;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static value load(walk *w, place at)
{
    for (size_t i = 0; i < w->word_count; i++)
        if (same(w->words[i].at, at))
            return w->words[i].held;
    value out = fresh(w);
    out.loaded[0] = at;
    out.loads = 1;
    out.scale = 0;
    if (w->word_count < KNOWN_WORDS)
        w->words[w->word_count++] = (known_word){at, out};
    return out;
}

/* What is written has these bytes of: words that overlap it are not known any more. */
static void forget_words(walk *w, place at, int32_t bytes)
{
    for (size_t i = 0; i < w->word_count; i++)
        if (w->words[i].at.base == at.base && w->words[i].at.offset - at.offset < bytes &&
            at.offset - w->words[i].at.offset < 4)
            w->words[i--] = w->words[--w->word_count];
}

static void call(walk *w)
{
    const es_isa *isa = w->symbols->isa;
    const uint32_t stack = BASE_REGISTER + (uint32_t)isa->stack, frame = BASE_REGISTER + (uint32_t)isa->frame;
    for (unsigned i = 1; i < REGS; i++)
        if (!es_isa_has(isa->kept, i))
            w->regs[i] = fresh(w);
    for (size_t i = 0; i < w->word_count; i++) /* what lies in the frame stays */
        if (w->words[i].at.base != stack && w->words[i].at.base != frame)
            w->words[i--] = w->words[--w->word_count];
}

/* --- one instruction --------------------------------------------------------------------------------- */

static value added(walk *w, value a, value b)
{
    if (a.at.base == BASE_CONSTANT && b.at.base == BASE_CONSTANT)
        return (value){.at = {BASE_CONSTANT, (int32_t)((uint32_t)a.at.offset + (uint32_t)b.at.offset)}};
    return made_of(w, &a, &b, larger(a.scale, b.scale));
}

static value computed(walk *w, es_insn insn)
{
    const value *a = &w->regs[insn.rs1], *b = &w->regs[insn.rs2];
    if (es_insn_adds(insn)) {
        value out = *a;
        out.at.offset = (int32_t)((uint32_t)out.at.offset + (uint32_t)insn.imm);
        return out;
    }
    if (es_insn_sums(insn))
        return added(w, *a, *b);
    if (es_insn_shifts_and_adds(insn))
        return made_of(w, a, b, larger(a->scale + (unsigned)insn.imm, b->scale));
    if (!insn.immediate)
        return made_of(w, a, b, SCALE_LOST);
    if (insn.op == ES_ALU_SHIFT_LEFT)
        return made_of(w, a, &w->regs[0], a->scale + (unsigned)insn.imm);
    return made_of(w, a, &w->regs[0], insn.op == ES_ALU_AND ? a->scale : SCALE_LOST); /* andi: a narrow index */
}

static value result_of(walk *w, uint32_t pc, es_insn insn)
{
    const place *at = &w->regs[insn.rs1].at;
    switch (insn.kind) {
    case ES_INSN_CONSTANT: return (value){.at = {BASE_CONSTANT, insn.imm}};
    case ES_INSN_ADDRESS: return (value){.at = {BASE_CONSTANT, (int32_t)(pc + (uint32_t)insn.imm)}};
    case ES_INSN_COMPUTE: return computed(w, insn);
    case ES_INSN_LOAD: return load(w, (place){at->base, (int32_t)((uint32_t)at->offset + (uint32_t)insn.imm)});
    default: return fresh(w);
    }
}

/* 1 + the first row of the line table with the same place in the source as this instruction, among those of its
 * procedure. */
static uint32_t location_of(const walk *w, uint32_t pc)
{
    const symbols_line *rows = w->symbols->lines.items;
    size_t count = w->symbols->lines.count, row = SYMBOLS_LAST_AT(&w->symbols->lines, pc);
    if (row == count || !rows[row].line)
        return 0;
    size_t first = row;
    for (size_t i = row; i-- > 0 && rows[i].address >= w->procedure->public.low;)
        if (rows[i].line == rows[row].line && rows[i].column == rows[row].column && rows[i].file == rows[row].file &&
            !rows[i].end)
            first = i;
    return (uint32_t)first + 1;
}

static void store(walk *w, const es_store *known, es_insn insn)
{
    const value from_elsewhere = fresh(w); /* of a register that is not followed */
    const value *base = &w->regs[insn.rs1], *held = insn.foreign ? &from_elsewhere : &w->regs[insn.rs2];
    one_store *s = &w->stores[w->count++];
    *s = (one_store){.base = *base, .held = *held, .location = location_of(w, known->site)};
    s->at = (place){base->at.base, (int32_t)((uint32_t)base->at.offset + (uint32_t)insn.imm)};
    s->part.store = *known;
    s->part.size = insn.bytes;
    s->part.way = w->way;
    for (unsigned i = 0; i < held->loads; i++)
        s->part.alters |= held->loaded[i].base == s->at.base && (held->loaded[i].offset ^ s->at.offset) >> 2 == 0;
    forget_words(w, s->at, insn.bytes);
    if (insn.bytes == 4 && w->word_count < KNOWN_WORDS) {
        value now = *held;
        w->words[w->word_count++] = (known_word){s->at, now};
    }
}

/* --- where straight pieces begin ------------------------------------------------------------------------ */

static bool instruction(const walk *w, uint32_t pc, es_insn *insn)
{
    return es_symbols_insn(w->symbols, pc, insn) && pc + insn->size <= w->procedure->public.high;
}

/* A straight piece ends after it. */
static bool leaves(es_insn insn)
{
    return !es_insn_falls(insn) || insn.kind == ES_INSN_BRANCH || insn.kind == ES_INSN_SEVERAL;
}

static bool jumps_within(const walk *w, uint32_t pc, es_insn insn, uint32_t *to)
{
    es_ways ways = es_insn_ways(insn, pc);
    *to = ways.target;
    return ways.jumps && *to >= w->procedure->public.low && *to < w->procedure->public.high;
}

/* Of an instruction, in `begins`. */
static size_t number_of(const walk *w, uint32_t pc)
{
    return (pc - w->procedure->public.low) / w->symbols->isa->smallest;
}

static void find_pieces(walk *w)
{
    uint32_t low = w->procedure->public.low, high = w->procedure->public.high, to;
    es_insn insn;
    w->begins[0] = true;
    for (uint32_t pc = low; pc < high && instruction(w, pc, &insn); pc += insn.size) {
        if (jumps_within(w, pc, insn, &to))
            w->begins[number_of(w, to)] = true;
        if (leaves(insn) && pc + insn.size < high)
            w->begins[number_of(w, pc + insn.size)] = true;
    }
    for (size_t i = 0; i < w->symbols->code_words.count; i++) { /* jump tables */
        to = w->symbols->code_words.items[i];
        if (to >= low && to < high)
            w->begins[number_of(w, to)] = true;
    }
}

static void end_piece(walk *w, uint32_t pc, es_insn insn)
{
    straight_piece *piece = &w->pieces[w->piece_count - 1];
    uint32_t to;
    size_t ways = 0;
    piece->count = w->count - piece->first;
    for (unsigned i = 0; i < REGS; i++)
        piece->at_end[i] = w->regs[i].at;
    if (jumps_within(w, pc, insn, &to))
        piece->next[ways++] = to;
    if (es_insn_falls(insn) && pc + insn.size < w->procedure->public.high)
        piece->next[ways] = pc + insn.size;
}

static void go_through(walk *w)
{
    uint32_t low = w->procedure->public.low, high = w->procedure->public.high;
    const es_store *known = w->symbols->stores.items + w->procedure->first_store;
    size_t left = w->procedure->store_count;
    es_insn insn;
    for (uint32_t pc = low; pc < high && instruction(w, pc, &insn); pc += insn.size) {
        if (w->begins[number_of(w, pc)]) {
            begin(w);
            w->pieces[w->piece_count++] = (straight_piece){.low = pc, .first = w->count};
        }
        for (; left && known->site < pc; known++)
            left--;
        if (insn.kind == ES_INSN_STORE && insn.bytes && left && known->site == pc) {
            store(w, known, insn);
        } else if (es_insn_is_call(insn)) {
            call(w);
        } else if (insn.rd) {
            w->regs[insn.rd] = result_of(w, pc, insn);
        }
        if (pc + insn.size >= high || w->begins[number_of(w, pc + insn.size)])
            end_piece(w, pc, insn);
    }
}

/* --- loops ---------------------------------------------------------------------------------------------- */

typedef struct loop {
    uint32_t low, high; /* its first and last instruction */
    uint32_t written;   /* registers that change in it in other ways than by: */
    int32_t step[REGS]; /* additions of a constant */
} loop;

static void look_at_loop(const walk *w, loop *l)
{
    es_insn insn;
    for (uint32_t pc = l->low; pc <= l->high && instruction(w, pc, &insn); pc += insn.size) {
        if (es_insn_is_call(insn))
            l->written |= ~w->symbols->isa->kept;
        else if (insn.kind == ES_INSN_SEVERAL)
            l->written = ~0u;
        else if (insn.rd && es_insn_adds(insn) && insn.rs1 == insn.rd)
            l->step[insn.rd] += insn.imm;
        else if (insn.rd)
            l->written |= 1u << insn.rd;
    }
}

/* How far a place that is loaded from moves on in each round, when nothing but additions of a constant change it; 0. */
static int32_t slot_step(const walk *w, const loop *l, place slot)
{
    int32_t step = 0;
    for (size_t i = 0; i < w->count; i++) {
        const one_store *s = &w->stores[i];
        if (s->part.store.site < l->low || s->part.store.site > l->high || !same(s->at, slot))
            continue;
        if (s->held.loads != 1 || !same(s->held.loaded[0], slot) || s->held.scale || s->held.registers)
            return 0;
        step += s->held.at.offset;
    }
    return step;
}

/* Bytes that stores with a base make in each round. */
static int32_t bytes_of_round(const walk *w, const loop *l, const one_store *like)
{
    int32_t bytes = 0;
    for (size_t i = 0; i < w->count; i++) {
        const one_store *s = &w->stores[i];
        if (s->part.store.site >= l->low && s->part.store.site <= l->high && s->at.base == like->at.base)
            bytes += s->part.size;
    }
    return bytes;
}

/* A store in a loop whose place moves on from round to round by what it stores. */
static void find_run(const walk *w, const loop *l, one_store *s)
{
    int32_t step = 0;
    unsigned reg = s->at.base - BASE_REGISTER;
    if (s->part.store.kind != ES_STORE_UNKNOWN || s->part.store.above || s->base.scale == SCALE_LOST)
        return;
    if (s->at.base >= BASE_REGISTER && s->at.base < BASE_FIRST) {
        if (!(l->written >> reg & 1))
            step = l->step[reg];
        if (step && abs(step) <= bytes_of_round(w, l, s)) {
            s->part.run = true;
            s->part.rising = step > 0;
        }
        return;
    }
    for (unsigned r = 1; r < REGS; r++)
        if (s->base.registers >> r & 1 && !(l->written >> r & 1))
            step += l->step[r];
    for (unsigned i = 0; i < s->base.loads; i++)
        step += slot_step(w, l, s->base.loaded[i]);
    if (step && (1 << s->base.scale) * abs(step) <= s->part.size) {
        s->part.run = true;
        s->part.rising = step > 0;
    }
}

static void find_runs(walk *w)
{
    uint32_t low = w->procedure->public.low, high = w->procedure->public.high, to;
    es_insn insn;
    for (uint32_t pc = low; pc < high && instruction(w, pc, &insn); pc += insn.size) {
        if (!jumps_within(w, pc, insn, &to) || to > pc)
            continue;
        loop l = {.low = to, .high = pc};
        look_at_loop(w, &l);
        for (size_t i = 0; i < w->count; i++)
            if (w->stores[i].part.store.site >= to && w->stores[i].part.store.site <= pc)
                find_run(w, &l, &w->stores[i]);
    }
}

/* --- assignments ------------------------------------------------------------------------------------------ */

static bool overlap(const one_store *a, const one_store *b)
{
    return es_parts_overlap(es_parts_place_of(a), a->part.size, es_parts_place_of(b), b->part.size);
}

/* Whether a store goes on with the assignment of those before it, the last of which is stores[last]. What was written
 * already is written again only where a field that lies across words is put together. */
static bool goes_on(const walk *w, size_t first, size_t last, const one_store *s)
{
    bool again = false, others = false;
    for (size_t i = first; i <= last; i++) {
        if (w->stores[i].part.assignment != w->stores[first].part.assignment)
            continue;
        if (overlap(&w->stores[i], s))
            again = true;
        else
            others = true;
    }
    return !again || (others && s->part.alters && overlap(&w->stores[last], s) &&
                      es_parts_place_of(&w->stores[last]).offset == es_parts_place_of(s).offset);
}

/* A store of two words is two writes on the bus, of one assignment: for the first the second is to come, for the second
 * the first has come. What lies beyond the variable does not count, so both can be said of each of them. */
enum { WORD = 4, WORD_BYTES = (1 << WORD) - 1 };

static void find_assignments(walk *w)
{
    for (size_t i = 0; i < w->count; i++) {
        one_store *s = &w->stores[i];
        size_t last = i;
        s->part.assignment = (uint32_t)i;
        for (size_t k = i; k-- > 0 && w->stores[k].part.way == s->part.way && last == i;)
            if (w->stores[k].location == s->location &&
                es_parts_place_of(&w->stores[k]).base == es_parts_place_of(s).base)
                last = k;
        if (last != i && goes_on(w, w->stores[last].part.assignment, last, s))
            s->part.assignment = w->stores[last].part.assignment;
    }
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < i; k++) {
            one_store *a = &w->stores[k], *b = &w->stores[i];
            if (a->part.assignment != b->part.assignment)
                continue;
            a->part.later |= es_parts_bytes_from(es_parts_place_of(a), es_parts_place_of(b), b->part.size);
            b->part.earlier |= es_parts_bytes_from(es_parts_place_of(b), es_parts_place_of(a), a->part.size);
        }
    for (size_t i = 0; i < w->count; i++)
        if (w->stores[i].part.size > WORD) {
            w->stores[i].part.later |= (WORD_BYTES << WORD) << ES_PART_REACH;
            w->stores[i].part.earlier |= WORD_BYTES << (ES_PART_REACH - WORD);
        }
}

size_t es_symbols_parts(const es_symbols *symbols, const es_procedure *procedure, es_arena *arena, es_part **parts)
{
    const symbols_procedure *own = (const symbols_procedure *)procedure;
    walk w = {.symbols = symbols, .procedure = own, .next_base = BASE_FIRST};
    *parts = NULL;
    if (!own->looked_at || !own->store_count)
        return 0;
    size_t numbers = number_of(&w, procedure->high) + 1;
    w.begins = es_malloc(numbers);
    memset(w.begins, 0, numbers);
    w.stores = es_malloc(own->store_count * sizeof *w.stores);
    find_pieces(&w);
    size_t pieces = 1;
    for (size_t i = 0; i < numbers; i++)
        pieces += w.begins[i];
    w.pieces = es_malloc(pieces * sizeof *w.pieces);
    go_through(&w);
    find_runs(&w);
    find_assignments(&w);
    es_parts_across(&w);
    *parts = es_arena_alloc(arena, (w.count + 1) * sizeof **parts);
    for (size_t i = 0; i < w.count; i++)
        (*parts)[i] = w.stores[i].part;
    free(w.begins);
    free(w.pieces);
    free(w.stores);
    return w.count;
}
