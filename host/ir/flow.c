/* Where instructions lead, and which registers are live. */
#include <stdlib.h>
#include <string.h>

#include "ir/passes.h"

es_ir_reads es_ir_reads_of(const es_ir_insn *insn)
{
    switch (es_ir_form(insn->op)) {
    case ES_IR_VALUE:
    case ES_IR_BRANCH: return (es_ir_reads){{insn->a, insn->b}, 2, 0};
    case ES_IR_STORED:
        return insn->a == ES_IR_RAM_BASE ? (es_ir_reads){{insn->b, 0}, 1, 0} : (es_ir_reads){{insn->b, insn->a}, 2, 0};
    case ES_IR_LOADED:
        return insn->a == ES_IR_RAM_BASE ? (es_ir_reads){{0, 0}, 0, 0} : (es_ir_reads){{insn->a, 0}, 1, 0};
    case ES_IR_IMMEDIATE:
    case ES_IR_COPIED: return (es_ir_reads){{insn->a, 0}, 1, 0};
    case ES_IR_RETURNED: return (es_ir_reads){{insn->a, 0}, 1, insn->takes};
    case ES_IR_LINKED:
    case ES_IR_CALLED: return (es_ir_reads){{0, 0}, 0, insn->takes};
    default: return (es_ir_reads){{0, 0}, 0, 0};
    }
}

bool es_ir_writes(const es_ir_insn *insn, es_ir_reg *rd)
{
    switch (es_ir_form(insn->op)) {
    case ES_IR_VALUE:
    case ES_IR_IMMEDIATE:
    case ES_IR_CONSTANT:
    case ES_IR_COPIED:
    case ES_IR_PLACE:
    case ES_IR_LOADED:
    case ES_IR_LINKED:
    case ES_IR_CALLED: *rd = insn->rd; return insn->rd != ES_IR_ZERO;
    default: return false;
    }
}

bool es_ir_is_call(const es_ir_insn *insn)
{
    return insn->op == ES_IR_LINK || (insn->op == ES_IR_CALL && insn->rd != ES_IR_ZERO);
}

bool es_ir_goes_on(const es_ir_insn *insn)
{
    return insn->op != ES_IR_JUMP && insn->op != ES_IR_RETURN && !(insn->op == ES_IR_CALL && insn->rd == ES_IR_ZERO);
}

bool es_ir_goes_to_label(const es_ir_insn *insn)
{
    return insn->op == ES_IR_JUMP || es_ir_form(insn->op) == ES_IR_BRANCH;
}

bool es_ir_is_pure(const es_ir_insn *insn)
{
    enum es_ir_form form = es_ir_form(insn->op);
    return form == ES_IR_VALUE || form == ES_IR_IMMEDIATE || form == ES_IR_CONSTANT || form == ES_IR_COPIED ||
           form == ES_IR_PLACE;
}

bool es_ir_is_entry(const es_ir_code *code, size_t at)
{
    return at == 0 || (code->insns[at].op == ES_IR_LABEL && code->insns[at].far);
}

size_t *es_ir_places(const es_ir_code *code, es_arena *arena)
{
    size_t *places = es_arena_alloc(arena, (code->label_count + 1) * sizeof *places);
    for (uint32_t i = 0; i < code->label_count; i++)
        places[i] = code->count;
    for (size_t i = 0; i < code->count; i++)
        if (code->insns[i].op == ES_IR_LABEL)
            places[code->insns[i].imm] = i;
    return places;
}

/* The set before an instruction from the one after it. */
static void before(const es_ir_insn *insn, uint64_t *set)
{
    es_ir_reg rd;
    if (es_ir_writes(insn, &rd))
        set[rd / 64] &= ~((uint64_t)1 << rd % 64);
    if (es_ir_is_call(insn))
        set[0] &= ~(uint64_t)(insn->gives | insn->spoils);
    es_ir_reads reads = es_ir_reads_of(insn);
    set[0] |= reads.set;
    for (unsigned k = 0; k < reads.count; k++)
        es_ir_put(set, reads.operand[k]);
}

/* Puts what is live before an instruction into `set`. */
static void live_before(const es_ir_liveness *live, const es_ir_code *code, size_t at, uint64_t *set)
{
    if (at >= code->count) {
        memset(set, 0, live->words * sizeof *set);
        set[0] = ES_IR_AFTER_END;
        return;
    }
    memcpy(set, live->after + at * live->words, live->words * sizeof *set);
    before(&code->insns[at], set);
}

void es_ir_find_live(es_ir_liveness *live, const es_ir_code *code, es_arena *arena)
{
    size_t *places = es_ir_places(code, arena);
    live->words = (size_t)code->next / 64 + 1;
    live->after = es_arena_alloc(arena, (code->count + 1) * live->words * sizeof *live->after);
    live->begin = es_arena_alloc(arena, live->words * sizeof *live->begin);
    uint64_t *set = es_arena_alloc(arena, live->words * sizeof *set);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = code->count; i-- > 0;) {
            const es_ir_insn *insn = &code->insns[i];
            uint64_t *after = live->after + i * live->words;
            for (int side = 0; side < 2; side++) {
                if (side ? !es_ir_goes_to_label(insn) : !es_ir_goes_on(insn))
                    continue;
                live_before(live, code, side ? places[insn->imm] : i + 1, set);
                for (size_t w = 0; w < live->words; w++) {
                    changed |= (set[w] & ~after[w]) != 0;
                    after[w] |= set[w];
                }
            }
        }
    }
    for (size_t i = 0; i < code->count; i++) {
        if (!es_ir_is_entry(code, i))
            continue;
        live_before(live, code, i, set);
        for (size_t w = 0; w < live->words; w++)
            live->begin[w] |= set[w];
    }
}

void es_ir_rewrite_begin(es_ir_rewrite *rewrite, es_ir_code *code)
{
    *rewrite = (es_ir_rewrite){code, code->insns, code->count};
    code->insns = NULL;
    code->count = code->room = 0;
}

void es_ir_keep(es_ir_code *code, const es_ir_insn *insn)
{
    es_ir_const(code, 0, 0); /* makes room */
    code->insns[code->count - 1] = *insn;
}

void es_ir_rewrite_end(es_ir_rewrite *rewrite)
{
    free(rewrite->old);
    rewrite->old = NULL;
}
