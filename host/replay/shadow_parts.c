/* Numbers of several words, which are assigned word by word: in between they are a mixture of two values, or, where
 * the compiler needs one of their registers for something else before it says so, none at all (gcc does not end the
 * place of a pair of registers where one of them is overwritten). So from the first word on nothing is known of such
 * a number, until debug information has it at another place, or all of its words have come: those in memory with the
 * last one, a pair of registers where a jump or branch ends the straight line of code, as sums and their carries take
 * several instructions. */
#include "replay/shadow_private.h"
#include "symbols/code.h"

bool es_shadow_is_stored(const es_shadow_tracker *t, uint32_t address, uint32_t size)
{
    for (size_t i = 0; i < t->store_count; i++)
        if (address - t->stores[i].low < t->stores[i].size || t->stores[i].low - address < size)
            return true;
    return t->many_stores;
}

/* Which of the number's words the last instruction has set, a bit each; *registers: some are in registers. */
static uint8_t words_set(const es_shadow_tracker *t, const es_value_part *parts, size_t count, uint64_t set,
                         bool *registers)
{
    uint8_t words = 0;
    for (size_t i = 0; i < count; i++) {
        const es_value_part *part = &parts[i];
        *registers |= part->place == ES_VALUE_IN_REGISTER;
        for (uint32_t at = 0; at < part->size; at += 4)
            if ((part->place == ES_VALUE_IN_REGISTER && part->where < 64 && set >> part->where & 1) ||
                (part->place == ES_VALUE_IN_MEMORY && es_shadow_is_stored(t, part->where + at, 4)))
                words |= (uint8_t)(1u << (part->offset + at) / 4);
    }
    return words;
}

bool es_shadow_ends_line(const plan *p, uint32_t pc)
{
    uint32_t at = (pc - p->code) / 2;
    return p->jumps && pc >= p->code && pc < p->code_end && p->jumps[at / 8] >> at % 8 & 1;
}

void es_shadow_find_lines(plan *p, const es_symbols *symbols)
{
    const es_procedure *const *procedures;
    size_t count = es_symbols_procedures(symbols, &procedures);
    bool wanted = false;
    for (size_t i = 0; i < p->cell_count; i++)
        wanted |= p->cells[i].scalar && p->cells[i].shadow->size == 8;
    if (!wanted || !count)
        return;
    p->code = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        p->code = procedures[i]->low < p->code ? procedures[i]->low : p->code;
        p->code_end = procedures[i]->high > p->code_end ? procedures[i]->high : p->code_end;
    }
    p->jumps = es_arena_alloc(p->arena, (p->code_end - p->code) / 16 + 1);
    for (size_t i = 0; i < count; i++)
        for (uint32_t pc = procedures[i]->low; pc < procedures[i]->high; pc += 2) {
            es_insn insn;
            uint32_t at = (pc - p->code) / 2;
            if (es_symbols_insn(symbols, pc, &insn) && (es_insn_is_jump(insn) || insn.kind == ES_INSN_BRANCH))
                p->jumps[at / 8] |= (uint8_t)(1u << at % 8);
        }
}

enum whole es_shadow_whole(es_shadow_tracker *t, state *now, uint32_t size, uint8_t before, uint64_t set)
{
    bool registers = false;
    uint8_t all = (uint8_t)((1u << size / 4) - 1);
    uint8_t words = words_set(t, now->parts, now->part_count, set, &registers);
    now->torn = 0;
    if (words == all || !(before | words))
        return WHOLE_AS_EVER;
    now->torn = before | words;
    bool has_come = now->torn == all || (!registers && t->jumps);
    if (has_come && (t->jumps || !registers)) {
        now->torn = 0;
        return WHOLE_NOW;
    }
    t->in_parts = true;
    return WHOLE_NOT;
}
