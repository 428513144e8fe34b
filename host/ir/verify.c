/* Whether code is well formed, between any two passes. */
#include <stdio.h>

#include "ir/passes.h"

static const char *complain(char why[120], size_t at, const char *what, unsigned number)
{
    snprintf(why, 120, "instruction %zu: %s%u", at, what, number);
    return why;
}

static const char *check_registers(const es_ir_code *code, size_t at, char why[120])
{
    const es_ir_insn *insn = &code->insns[at];
    es_ir_reads reads = es_ir_reads_of(insn);
    es_ir_reg rd;
    for (unsigned k = 0; k < reads.count; k++)
        if (reads.operand[k] >= code->next)
            return complain(why, at, "there is no register ", reads.operand[k]);
    if (es_ir_writes(insn, &rd) && rd >= code->next)
        return complain(why, at, "there is no register ", rd);
    if (insn->op == ES_IR_LINK && (insn->gives | insn->spoils) != ES_IR_FREE)
        return complain(why, at, "what is linked to may use all registers, so it spoils or gives them: label ",
                        (unsigned)insn->imm);
    if (insn->a == ES_IR_RAM_BASE && es_ir_form(insn->op) != ES_IR_LOADED && es_ir_form(insn->op) != ES_IR_STORED)
        return complain(why, at, "only loads and stores have RAM as their base, not operation ", insn->op);
    return NULL;
}

/* Each label stands at most once, and those that are gone to stand somewhere; those that are linked to are entries, for
 * what flows there is not followed. */
static const char *check_labels(const es_ir_code *code, es_arena *arena, char why[120])
{
    bool *placed = es_arena_alloc(arena, code->label_count + 1), *entry = es_arena_alloc(arena, code->label_count + 1);
    for (size_t i = 0; i < code->count; i++) {
        const es_ir_insn *insn = &code->insns[i];
        bool names = insn->op == ES_IR_LABEL || insn->op == ES_IR_LINK || es_ir_goes_to_label(insn);
        if (names && (uint32_t)insn->imm >= code->label_count)
            return complain(why, i, "there is no label ", (unsigned)insn->imm);
        if (insn->op != ES_IR_LABEL)
            continue;
        if (placed[insn->imm])
            return complain(why, i, "placed before: label ", (unsigned)insn->imm);
        placed[insn->imm] = true;
        entry[insn->imm] = insn->far;
    }
    for (size_t i = 0; i < code->count; i++) {
        const es_ir_insn *insn = &code->insns[i];
        if ((insn->op == ES_IR_LINK || es_ir_goes_to_label(insn)) && !placed[insn->imm])
            return complain(why, i, "nowhere placed: label ", (unsigned)insn->imm);
        if (insn->op == ES_IR_LINK && !entry[insn->imm])
            return complain(why, i, "linked to, but no entry: label ", (unsigned)insn->imm);
    }
    return NULL;
}

static size_t first_reader(const es_ir_code *code, size_t r)
{
    size_t at = 0;
    for (bool found = false; at < code->count && !found; at += !found) {
        es_ir_reads reads = es_ir_reads_of(&code->insns[at]);
        for (unsigned k = 0; k < reads.count; k++)
            found |= reads.operand[k] == r;
    }
    return at;
}

/* A virtual register that is live at the beginning is read before it was written, on some way. */
static const char *check_written(const es_ir_code *code, es_arena *arena, char why[120])
{
    es_ir_liveness live;
    es_ir_find_live(&live, code, arena);
    for (size_t r = ES_IR_VIRTUAL; r < code->next; r++)
        if (es_ir_has(live.begin, r))
            return complain(why, first_reader(code, r), "may be read before it is written: v",
                            (unsigned)(r - ES_IR_VIRTUAL));
    return NULL;
}

const char *es_ir_verify(const es_ir_code *code, char why[120])
{
    const char *wrong = NULL;
    for (size_t i = 0; i < code->count && !wrong; i++)
        wrong = code->insns[i].op >= ES_IR_OP_COUNT ? complain(why, i, "there is no operation ", code->insns[i].op)
                                                    : check_registers(code, i, why);
    es_arena *arena = es_arena_new();
    if (!wrong)
        wrong = check_labels(code, arena, why);
    if (!wrong)
        wrong = check_written(code, arena, why);
    es_arena_free(arena);
    return wrong;
}
