/* Predicates as RV32 code, which the image has, beside the same as bytecode: clocks of the soft core and bytes.
 * Both run on the independent model of the core, on the same random values, and must agree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/rv32_model.h"
#include "../firmware/target.h"
#include "../image/trees.h"
#include "cpu_cycles.h"
#include "image/lower/expression.h"
#include "image/lower/generator.h"
#include "image/planner/make.h"
#include "ir/ir.h"
#include "lang/statement.h"
#include "threaded.h"

#define VARIABLES 8
#define RUNS 200
#define RANDOM_PREDICATES 500
enum { CODE = 0x1000, BYTECODE = 0x4000, INTERPRETER = 0x6000, STACK = 0x8000, FIRST = 0xC000, MAX_CLOCKS = 100000 };

extern const uint8_t bytecode_interpreter[], bytecode_interpreter_end[];

static const unsigned class_clocks[RV32_CLASSES] = {
    [RV32_ALU] = CYCLES_alu,     [RV32_SHIFT] = CYCLES_shift,   [RV32_AUIPC] = CYCLES_auipc, [RV32_LOAD] = CYCLES_load,
    [RV32_STORE] = CYCLES_store, [RV32_BRANCH] = CYCLES_branch, [RV32_JAL] = CYCLES_jal,     [RV32_JALR] = CYCLES_jalr,
};

static rv32 core;
static uint32_t seed = 1;
static unsigned passed, failed;

/* Of one form of a predicate. */
typedef struct form {
    size_t bytes;
    uint32_t start, yes, no;
    unsigned clocks[2]; /* the most, by truth */
} form;

static uint32_t draw(uint32_t range)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % range;
}

static void fail(const char *what, const char *why)
{
    printf("%s: %s\n", what, why);
    failed++;
}

/* Runs to one of the ends; the predicate's truth, -1: neither. */
static int run(form *f)
{
    unsigned clocks = 0;
    core.pc = f->start;
    while (core.pc != f->yes && core.pc != f->no) {
        rv32_effect effect;
        rv32_step(&core, rv32_load_word(&core, core.pc), &effect);
        if (effect.halt || effect.trap || clocks > MAX_CLOCKS)
            return -1;
        clocks += class_clocks[effect.insn->class_];
    }
    bool truth = core.pc == f->yes;
    if (clocks > f->clocks[truth])
        f->clocks[truth] = clocks;
    return truth;
}

/* The image's code for the only statement of the program: falls through to `no`. */
static bool generate(es_program *program, form *f, bool *direct)
{
    image_plan plan;
    es_error err;
    es_arena *arena = es_arena_new();
    es_ir_code code = {0};
    es_ir_begin(&code, CODE);
    bool good = es_plan_make(&plan, arena, &target_symbols, program, &target_limits, &(plan_options){0}, &err);
    if (good) {
        generator g = {
            .plan = &plan, .statement = plan.statements, .limits = &target_limits, .code = &code, .checks_old = true};
        unsigned yes = es_ir_label(&code);
        g.unknown = yes;
        es_codegen_condition(&g, program->statements[0].predicate, yes, true);
        unsigned no = es_ir_label(&code);
        es_ir_here(&code, no);
        es_ir_return(&code, ES_IR_RA, 0); /* something, so that they are two places */
        es_ir_here(&code, yes);
        *direct = plan.statements[0].direct;
        es_ir_finish(&code);
        f->start = CODE;
        f->no = es_ir_address(&code, no);
        f->yes = es_ir_address(&code, yes);
        f->bytes = f->no - CODE;
        if (good)
            memcpy(core.mem + CODE, code.words, 4 * code.word_count);
    }
    es_ir_free(&code);
    es_arena_free(arena);
    return good;
}

static void set(uint32_t address, uint32_t word)
{
    memcpy(core.mem + address % RV32_MEM_SIZE, &word, sizeof word);
}

static bool compare(const char *text, es_expr *predicate, size_t variables, bool show)
{
    es_program program = {0};
    es_reference references[VARIABLES];
    form native = {0}, bytes = {0};
    uint32_t handlers[THREADED_OPS];
    uint16_t halfwords[512];
    bool direct;
    for (size_t i = 0; i < variables; i++)
        references[i] = tree_static(&tree_int, FIRST + 4 * (uint32_t)i);
    tree_count(tree_statement(&program, predicate, references, variables, -1), &program, 0);
    if (!generate(&program, &native, &direct))
        return fail(text, "no RV32 code"), false;
    memcpy(core.mem + INTERPRETER, bytecode_interpreter, (size_t)(bytecode_interpreter_end - bytecode_interpreter));
    memcpy(handlers, bytecode_interpreter, sizeof handlers);
    threaded code = {.handlers = handlers,
                     .references = references,
                     .variables = FIRST,
                     .direct = direct,
                     .at = halfwords,
                     .base = BYTECODE,
                     .room = sizeof halfwords / sizeof *halfwords};
    if (!threaded_translate(&code, predicate))
        return fail(text, "no bytecode"), false;
    memcpy(core.mem + BYTECODE, halfwords, 2 * code.count);
    bytes = (form){.bytes = 2 * code.count,
                   .start = handlers[THREADED_BEGIN],
                   .yes = handlers[THREADED_YES],
                   .no = handlers[THREADED_NO]};
    for (int i = 0; i < RUNS; i++) {
        for (uint32_t v = 0; v < variables; v++)
            set(FIRST + 4 * v, i < 2 ? 9 * (uint32_t)i : i < 100 ? draw(12) : draw(0xFFFFFFFF));
        uint32_t word;
        memcpy(&word, core.mem + FIRST, sizeof word);
        core.x[ES_IR_HIT] = ES_REG_BASE;
        set(ES_REG_BASE + ES_REG_HIT_NEW, word);
        int truth = run(&native);
        core.x[8] = 0, core.x[18] = ES_PHANTOM_BASE + FIRST, core.x[19] = STACK, core.x[ES_IR_A0] = BYTECODE;
        int same = run(&bytes);
        if (truth < 0 || truth != same)
            return fail(text, "the two forms do not agree"), false;
    }
    passed++;
    if (show)
        printf("%-38s %8u %6u %6zu %10u %6u %6zu\n", text, native.clocks[0], native.clocks[1], native.bytes,
               bytes.clocks[0], bytes.clocks[1], bytes.bytes);
    return true;
}

static es_expr *above(size_t variable)
{
    return tree_binary(ES_OP_GT, tree_ref(variable), tree_const(5));
}

/* `terms` comparisons of variables with constants. */
static es_expr *terms(enum es_op op, size_t count)
{
    es_expr *all = above(0);
    for (size_t i = 1; i < count; i++)
        all = tree_binary(op, all, above(i));
    return all;
}

static es_expr *random_value(unsigned depth)
{
    static const enum es_op ops[] = {ES_OP_ADD, ES_OP_SUB, ES_OP_AND, ES_OP_OR, ES_OP_XOR};
    if (!depth || !draw(3))
        return draw(3) ? tree_ref(draw(VARIABLES)) : tree_const(draw(200) - 100);
    es_expr *left = random_value(depth - 1);
    return tree_binary(ops[draw(5)], left, random_value(depth - 1));
}

static es_expr *random_predicate(unsigned depth)
{
    static const enum es_op ops[] = {ES_OP_EQ, ES_OP_NE, ES_OP_LT, ES_OP_GE, ES_OP_GT, ES_OP_LE};
    if (!depth || !draw(3)) {
        es_expr *left = tree_binary(ES_OP_ADD, tree_ref(draw(VARIABLES)), random_value(2));
        return tree_binary(ops[draw(6)], left, random_value(2));
    }
    es_expr *left = random_predicate(depth - 1);
    return tree_binary(draw(2) ? ES_OP_LOGAND : ES_OP_LOGOR, left, random_predicate(depth - 1));
}

int main(void)
{
    printf("%-38s %22s %24s\n%-38s %8s %6s %6s %10s %6s %6s\n", "", "RV32 code", "threaded bytecode",
           "clocks and bytes of a predicate", "false", "true", "bytes", "false", "true", "bytes");
    compare("x > 5", above(0), 1, true);
    compare("x > 5 && y > 5", terms(ES_OP_LOGAND, 2), 2, true);
    compare("4 terms, &&", terms(ES_OP_LOGAND, 4), 4, true);
    compare("8 terms, &&", terms(ES_OP_LOGAND, 8), 8, true);
    compare("8 terms, ||", terms(ES_OP_LOGOR, 8), 8, true);
    compare("x > y", tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), 2, true);
    compare("x + y > 5", tree_binary(ES_OP_GT, tree_binary(ES_OP_ADD, tree_ref(0), tree_ref(1)), tree_const(5)), 2,
            true);
    compare("((x ^ y) & (z - w)) > (v | 7)",
            tree_binary(ES_OP_GT,
                        tree_binary(ES_OP_AND, tree_binary(ES_OP_XOR, tree_ref(0), tree_ref(1)),
                                    tree_binary(ES_OP_SUB, tree_ref(2), tree_ref(3))),
                        tree_binary(ES_OP_OR, tree_ref(4), tree_const(7))),
            5, true);
    for (int i = 0; i < RANDOM_PREDICATES; i++)
        compare("a random predicate", random_predicate(3), VARIABLES, false);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
