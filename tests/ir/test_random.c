/* Random code of the monitor IR, through all passes. After each it must do what it did. */
#include <string.h>

#include "check_main.h"
#include "checker.h"
#include "draw.h"

enum { LABELS = 8 };

typedef struct maker {
    es_ir_code *code;
    es_ir_reg pool[40];
    unsigned count;
    uint32_t labels[LABELS];
    unsigned placed, spread; /* one of so many chances is taken */
    uint32_t inner, after;   /* labels: a routine among the code, what stands after it */
} maker;

static es_ir_reg any(const maker *k)
{
    return draw(12) == 0 ? ES_IR_ZERO : k->pool[draw(k->count)];
}

static es_ir_reg result(const maker *k)
{
    return k->pool[draw(k->count)];
}

static uint32_t number(void)
{
    static const uint32_t edges[] = {0, 1, 2047, 2048, 4094, 4095, 0x7FF, 0x800, 0xFFFFF800u, 0xFFFFF7FFu, 0x12345678};
    return draw(2) ? draw(64) : edges[draw(sizeof edges / sizeof *edges)];
}

static void make_call(const maker *k)
{
    es_ir_code *code = k->code;
    uint32_t at = 0x1000 + 4 * (uint32_t)code->count; /* each its own: the words name nothing else */
    switch (draw(5)) {
    case 0: /* as a routine of the firmware: takes t1 t2, gives t1 */
        es_ir_copy(code, ES_IR_T1, any(k));
        es_ir_copy(code, ES_IR_T2, any(k));
        es_ir_call(code, ES_IR_T0, at, ES_IR_SET(ES_IR_T1) | ES_IR_SET(ES_IR_T2), ES_IR_SET(ES_IR_T1),
                   ES_IR_SET(ES_IR_T2) | ES_IR_SET(ES_IR_T3) | ES_IR_SET(ES_IR_T6));
        es_ir_copy(code, result(k), ES_IR_T1);
        break;
    case 1: /* one that leaves little */
        es_ir_copy(code, ES_IR_A0, any(k));
        es_ir_call(code, ES_IR_T0, at, ES_IR_SET(ES_IR_A0), 0, draw(8) ? ES_IR_SET(ES_IR_A1) : ES_IR_FREE);
        break;
    case 2:
        es_ir_copy(code, ES_IR_A0, any(k));
        es_ir_copy(code, ES_IR_T1, any(k));
        es_ir_link(code, ES_IR_T0, k->inner, ES_IR_SET(ES_IR_A0) | ES_IR_SET(ES_IR_T1), ES_IR_SET(ES_IR_T1),
                   ES_IR_FREE & ~ES_IR_SET(ES_IR_T1));
        es_ir_copy(code, result(k), ES_IR_T1);
        break;
    case 3: /* as a word's code runs a statement, and knows its way on from memory */
        es_ir_copy(code, ES_IR_A0, any(k));
        es_ir_link(code, ES_IR_RA, k->after, ES_IR_SET(ES_IR_A0) | ES_IR_SET(ES_IR_RA), 0, ES_IR_FREE);
        es_ir_load(code, ES_IR_LOAD, ES_IR_RA, ES_IR_ZERO, 0x140);
        break;
    default:
        es_ir_copy(code, ES_IR_T3, any(k));
        es_ir_call(code, ES_IR_T0, at, ES_IR_SET(ES_IR_T3), 0, ES_IR_SET(ES_IR_T3) | ES_IR_SET(ES_IR_T4));
        break;
    }
}

static void make_memory(const maker *k)
{
    static const enum es_ir_op loads[] = {ES_IR_LOAD, ES_IR_LOAD_HALF, ES_IR_LOAD_SHORT, ES_IR_LOAD_BYTE,
                                          ES_IR_LOAD_CHAR};
    enum es_ir_op op = loads[draw(5)];
    es_ir_reg base = draw(2) ? ES_IR_RAM_BASE : draw(2) ? ES_IR_HIT : ES_IR_ZERO;
    int32_t offset = (int32_t)(draw(3) ? 4 * draw(4) : draw(2) ? 4 * draw(2000) : (number() & 0x1FFC));
    if (base == ES_IR_RAM_BASE && offset >= 256 && offset < 1280)
        offset = 0; /* there values are spilled */
    if (draw(2))
        es_ir_load(k->code, op, result(k), base, offset);
    else
        es_ir_store(k->code, draw(3) ? ES_IR_STORE : ES_IR_STORE_BYTE, any(k), base, offset);
}

static void make_one(maker *k)
{
    es_ir_code *code = k->code;
    switch (draw(12)) {
    case 0: es_ir_const(code, result(k), number()); break;
    case 1: es_ir_copy(code, result(k), any(k)); break;
    case 2: es_ir_ram(code, result(k), 4 * draw(1500)); break;
    case 3:
    case 4: make_memory(k); break;
    case 5: es_ir_immediate(code, (enum es_ir_op)(ES_IR_SHL_I + draw(3)), result(k), any(k), draw(32)); break;
    case 6: {
        static const enum es_ir_op ops[] = {ES_IR_ADD_I, ES_IR_LESS_I, ES_IR_BELOW_I,
                                            ES_IR_XOR_I, ES_IR_OR_I,   ES_IR_AND_I};
        es_ir_immediate(code, ops[draw(6)], result(k), any(k), number());
        break;
    }
    case 7: make_call(k); break;
    case 8: es_ir_branch(code, (enum es_ir_op)(ES_IR_IF_EQ + draw(6)), any(k), any(k), k->labels[draw(LABELS)]); break;
    case 9:
        if (k->placed < LABELS && draw(2) && draw(k->spread) == 0)
            es_ir_here(code, k->labels[k->placed++]);
        break;
    default: es_ir_value(code, (enum es_ir_op)draw(ES_IR_AND + 1), result(k), any(k), any(k)); break;
    }
}

static void make_end(maker *k)
{
    es_ir_code *code = k->code;
    switch (draw(3)) {
    case 0: es_ir_return(code, ES_IR_RA, 0); break;
    case 1:
        es_ir_copy(code, ES_IR_A0, any(k));
        es_ir_return(code, ES_IR_RA, ES_IR_SET(ES_IR_A0));
        break;
    default:
        es_ir_copy(code, ES_IR_A0, any(k));
        es_ir_call(code, ES_IR_ZERO, 0x3000, ES_IR_SET(ES_IR_A0) | ES_IR_SET(ES_IR_RA), 0, 0);
        break;
    }
}

/* t1 = 3 * a0 - t1 */
static void make_inner(const maker *k)
{
    es_ir_code *code = k->code;
    es_ir_entry(code, k->inner);
    es_ir_immediate(code, ES_IR_SHL_I, ES_IR_T2, ES_IR_A0, 1);
    es_ir_value(code, ES_IR_ADD, ES_IR_T2, ES_IR_T2, ES_IR_A0);
    es_ir_store(code, ES_IR_STORE, ES_IR_T2, ES_IR_RAM_BASE, 8);
    es_ir_value(code, ES_IR_SUB, ES_IR_T1, ES_IR_T2, ES_IR_T1);
    es_ir_return(code, ES_IR_T0, ES_IR_SET(ES_IR_T1));
}

/* Code in which each value is written before it is read: all of them at the beginning. */
static void make(es_ir_code *code, unsigned values, unsigned length)
{
    maker k = {.code = code, .spread = length > 400 ? length / 200 : 1};
    for (unsigned i = 0; i < LABELS; i++)
        k.labels[i] = es_ir_label(code);
    k.inner = es_ir_label(code), k.after = es_ir_label(code);
    while (k.count < values)
        k.pool[k.count++] = es_ir_new(code);
    for (unsigned i = 0; i < values; i++)
        if (draw(2))
            es_ir_load(code, ES_IR_LOAD, k.pool[i], ES_IR_RAM_BASE, (int32_t)(4 * i));
        else
            es_ir_immediate(code, ES_IR_XOR_I, k.pool[i], ES_IR_A0, i);
    for (unsigned i = 0; i < length; i++)
        make_one(&k);
    while (k.placed < LABELS) {
        make_end(&k);
        es_ir_here(code, k.labels[k.placed++]);
    }
    make_end(&k);
    make_inner(&k);
    es_ir_copy(code, ES_IR_A0, ES_IR_ZERO);
    es_ir_entry(code, k.after);
}

static void run(unsigned programs, unsigned values, unsigned length)
{
    es_ir_code code = {.ram_at = 0x9000, .spill = 256};
    es_ir_check = ir_checker;
    ir_checker_runs = 4;
    for (unsigned i = 0; i < programs; i++) {
        draw_seed = 1 + i + 100000 * values;
        es_ir_begin(&code, 0x8000);
        make(&code, 1 + draw(values), 1 + draw(length));
        es_ir_finish(&code);
    }
    es_ir_free(&code);
    printf("%zu programs of %zu instructions, %zu runs, %zu of them to an end: %zu words, %zu values in RAM\n",
           ir_checked_so_far.routines, ir_checked_so_far.insns, ir_checked_so_far.runs, ir_checked_so_far.ended,
           ir_checked_so_far.words, ir_checked_so_far.spilled);
    ck_assert_uint_gt(ir_checked_so_far.ended, ir_checked_so_far.runs / 2);
}

START_TEST(few_values)
{
    run(700, 6, 40);
}
END_TEST

START_TEST(many_values)
{
    run(700, 36, 60);
    ck_assert_uint_gt(ir_checked_so_far.spilled, 500);
}
END_TEST

/* Branches of all lengths, beyond what reaches. */
START_TEST(long_ways)
{
    run(12, 8, 6000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random ir");
    TCase *test = tcase_create("random ir");
    tcase_set_timeout(test, 300);
    tcase_add_test(test, few_values);
    tcase_add_test(test, many_values);
    tcase_add_test(test, long_ways);
    suite_add_tcase(suite, test);
    return check_main(suite);
}
