#include "checker.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

enum { ENTRIES_MAX = 16, RUNS_MAX = 64 };

ir_checked ir_checked_so_far;
unsigned ir_checker_runs = 12;

static es_ir_code built;
static ir_trace *traces; /* [entry * RUNS_MAX + run] */
static uint32_t entries[ENTRIES_MAX];
static unsigned entry_count;

static void keep(const es_ir_code *code)
{
    free(built.insns);
    built = *code;
    built.words = NULL, built.label_at = NULL;
    built.insns = malloc((code->count + 1) * sizeof *built.insns);
    memcpy(built.insns, code->insns, code->count * sizeof *built.insns);
    entry_count = 1;
    entries[0] = ES_IR_FIRST;
    for (size_t i = 0; i < code->count && entry_count < ENTRIES_MAX; i++)
        if (code->insns[i].op == ES_IR_LABEL && code->insns[i].far)
            entries[entry_count++] = (uint32_t)code->insns[i].imm;
}

static void complain(const es_ir_code *code, const char *pass, const char *what)
{
    es_text_buffer before = {0}, after = {0};
    es_ir_print(&built, &before, NULL, NULL);
    es_ir_print(code, &after, NULL, NULL);
    fprintf(stderr, "--- as it was built\n%s--- after %s\n%s", before.text ? before.text : "", pass,
            after.text ? after.text : "");
    ck_abort_msg("after %s: %s", pass, what);
}

static bool is_shift(const es_ir_insn *insn)
{
    return insn->op == ES_IR_SHL_I || insn->op == ES_IR_SHR_I || insn->op == ES_IR_SAR_I;
}

/* What the passes so far have promised. */
static const char *promises(const es_ir_code *code, const char *pass)
{
    bool legal = strcmp(pass, "build") != 0 && strcmp(pass, "renumber") != 0;
    bool allocated = legal && strcmp(pass, "legalize") != 0;
    for (size_t i = 0; i < code->count; i++) {
        const es_ir_insn *insn = &code->insns[i];
        enum es_ir_form form = es_ir_form(insn->op);
        bool small = form == ES_IR_IMMEDIATE || form == ES_IR_LOADED || form == ES_IR_STORED;
        if (legal && (form == ES_IR_PLACE || insn->a == ES_IR_RAM_BASE))
            return "a place in RAM is left";
        if (legal && small && !is_shift(insn) && !es_ir_fits((uint32_t)insn->imm))
            return "an immediate is too large";
        if (is_shift(insn) && (uint32_t)insn->imm > 31)
            return "a shift by more than 31";
        if (allocated && (insn->rd >= ES_IR_VIRTUAL || insn->a >= ES_IR_VIRTUAL || insn->b >= ES_IR_VIRTUAL))
            return "a virtual register is left";
    }
    return NULL;
}

static void compare(const es_ir_code *code, const char *pass)
{
    static ir_trace now;
    bool building = strcmp(pass, "build") == 0, words = strcmp(pass, "emit") == 0;
    if (!traces)
        traces = calloc((size_t)ENTRIES_MAX * RUNS_MAX, sizeof *traces);
    for (unsigned e = 0; e < entry_count; e++)
        for (unsigned r = 0; r < ir_checker_runs; r++) {
            ir_trace *as_built = &traces[e * RUNS_MAX + r];
            if (building) {
                as_built->seed = as_built->garbage = 77 * r + e + 1 + 1000 * (uint32_t)ir_checked_so_far.routines;
                ir_trace_interpret(as_built, code, entries[e]);
                ir_checked_so_far.runs++;
                ir_checked_so_far.ended +=
                    as_built->count && as_built->effects[as_built->count - 1].effect > IR_MISALIGNED;
                continue;
            }
            now.like = as_built;
            now.seed = as_built->seed;
            now.garbage = as_built->seed + (uint32_t)strlen(pass);
            if (words)
                ir_trace_words(&now, code, entries[e]);
            else
                ir_trace_interpret(&now, code, entries[e]);
            const char *differ = ir_trace_differ(as_built, &now);
            if (differ)
                complain(code, pass, differ);
        }
}

void ir_checker(const es_ir_code *code, const char *pass)
{
    char why[120];
    if (strcmp(pass, "build") == 0) {
        ir_checked_so_far.routines++;
        ir_checked_so_far.insns += code->count;
        keep(code);
    }
    const char *wrong = es_ir_verify(code, why);
    if (!wrong)
        wrong = promises(code, pass);
    if (wrong)
        complain(code, pass, wrong);
    compare(code, pass);
    if (strcmp(pass, "emit") == 0) {
        ir_checked_so_far.words += code->word_count;
        ir_checked_so_far.spilled += code->spilled;
    }
}
