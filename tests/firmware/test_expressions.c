/* Random predicates over random variables: the code that runs on the soft core must say what the same expression
 * says in C on the host. */
#include <stdlib.h>
#include <string.h>

#include "../image/trees.h"
#include "check_main.h"
#include "draw.h"
#include "target.h"

#define BASE 0x20000u
#define VARIABLES 12
#define STATEMENTS 24
#define PROGRAMS 120
#define WRITES 60

static uint32_t draw_value(void)
{
    static const uint32_t edges[] = {0,      1,    2,    0x7F,       0x80,       0xFF,       0x7FFF,    0x8000,
                                     0xFFFF, 2047, 2048, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFF800};
    return draw(2) ? edges[draw(sizeof edges / sizeof edges[0])] : draw(0xFFFFFFFF);
}

/* --- the host's side: memory, and expressions evaluated as C does ---------------------------------------- */

static uint8_t memory[64], before[64];
static uint64_t event_write; /* bit by variable: it was written by the event */

static uint32_t scalar(const es_reference *reference, const uint8_t *bytes)
{
    const uint8_t *at = bytes + (reference->address - BASE);
    int8_t s8;
    uint8_t u8;
    int16_t s16;
    uint16_t u16;
    uint32_t u32;
    memcpy(&u32, at, reference->size == 4 ? 4 : 0);
    if (reference->bit_size) {
        uint64_t unit = 0;
        memcpy(&unit, at, reference->size);
        uint64_t field = unit >> reference->bit_offset & ((UINT64_C(1) << reference->bit_size) - 1);
        if (reference->type->is_signed && field >> (reference->bit_size - 1))
            field |= ~UINT64_C(0) << reference->bit_size;
        return (uint32_t)field;
    }
    switch (reference->size) {
    case 1:
        memcpy(&s8, at, 1);
        memcpy(&u8, at, 1);
        return reference->type->is_signed ? (uint32_t)(int32_t)s8 : u8;
    case 2:
        memcpy(&s16, at, 2);
        memcpy(&u16, at, 2);
        return reference->type->is_signed ? (uint32_t)(int32_t)s16 : u16;
    default: return u32;
    }
}

static uint32_t operate(const es_expr *e, uint32_t a, uint32_t b)
{
    int32_t sa = (int32_t)a, sb = (int32_t)b;
    bool s = e->operand_signed;
    switch (e->op) {
    case ES_OP_ADD: return a + b;
    case ES_OP_SUB: return a - b;
    case ES_OP_AND: return a & b;
    case ES_OP_OR: return a | b;
    case ES_OP_XOR: return a ^ b;
    case ES_OP_SHL: return a << (b & 31);
    case ES_OP_SHR: return e->is_signed ? (uint32_t)(sa >> (b & 31)) : a >> (b & 31);
    case ES_OP_EQ: return a == b;
    case ES_OP_NE: return a != b;
    case ES_OP_LT: return s ? sa < sb : a < b;
    case ES_OP_LE: return s ? sa <= sb : a <= b;
    case ES_OP_GT: return s ? sa > sb : a > b;
    case ES_OP_GE: return s ? sa >= sb : a >= b;
    case ES_OP_LOGAND: return a && b;
    default: return a || b;
    }
}

static uint32_t evaluate(const es_statement *statement, const es_expr *e)
{
    uint32_t a;
    switch (e->kind) {
    case ES_EXPR_CONST: return e->value;
    case ES_EXPR_REFERENCE: return scalar(&statement->references[e->index], memory);
    case ES_EXPR_OLD: return scalar(&statement->references[e->index], before);
    case ES_EXPR_WRITE: return event_write >> statement->references[e->index].variable->line & 1;
    case ES_EXPR_UNARY:
        a = evaluate(statement, e->lhs);
        return e->op == ES_OP_NEG ? 0u - a : e->op == ES_OP_NOT ? ~a : !a;
    case ES_EXPR_BINARY: return operate(e, evaluate(statement, e->lhs), evaluate(statement, e->rhs));
    default: return 0;
    }
}

/* --- random programs ------------------------------------------------------------------------------------- */

static es_reference variables[VARIABLES];
static es_variable identities[VARIABLES]; /* `line` is the variable's number */

static void make_variables(void)
{
    static const es_type *const types[] = {&tree_int, &tree_uint, &tree_short, &tree_ushort, &tree_schar, &tree_uchar};
    uint32_t at = BASE;
    for (unsigned i = 0; i < VARIABLES; i++) {
        const es_type *type = types[draw(6)];
        at = (at + type->size - 1) & ~(type->size - 1);
        variables[i] = tree_static(type, at);
        identities[i].line = i;
        variables[i].variable = &identities[i];
        if (draw(4) == 0) {
            variables[i].bit_size = (uint8_t)(1 + draw(type->size * 8));
            variables[i].bit_offset = (uint8_t)draw(type->size * 8 - variables[i].bit_size + 1);
        }
        at += type->size;
    }
}

static es_expr *random_expr(size_t references, unsigned depth, unsigned *writes, unsigned *olds)
{
    if (depth == 0 || draw(6) == 0) {
        switch (draw(8)) {
        case 0:
        case 1: return tree_const(draw_value());
        case 2:
            if (*olds)
                return --*olds, tree_old(draw((uint32_t)references));
            return tree_const(1);
        case 3:
            if (*writes)
                return --*writes, tree_write(draw((uint32_t)references));
            return tree_const(0);
        default: return tree_ref(draw((uint32_t)references));
        }
    }
    if (draw(5) == 0)
        return tree_unary((enum es_op)(ES_OP_NEG + draw(3)), random_expr(references, depth - 1, writes, olds));
    es_expr *e =
        tree_binary((enum es_op)(ES_OP_ADD + draw(ES_OP_LOGOR - ES_OP_ADD + 1)),
                    random_expr(references, depth - 1, writes, olds), random_expr(references, depth - 1, writes, olds));
    e->is_signed = draw(2);
    e->operand_signed = draw(2);
    return e;
}

static void make_program(es_program *program)
{
    for (int s = 0; s < STATEMENTS; s++) {
        es_reference references[3];
        size_t count = 1 + draw(3);
        unsigned first = draw(VARIABLES);
        for (size_t i = 0; i < count; i++)
            references[i] = variables[(first + i * (1 + draw(3))) % VARIABLES];
        unsigned writes = 4, olds = 4;
        es_statement *statement =
            tree_statement(program, random_expr(count, 1 + draw(5), &writes, &olds), references, count, (int)count);
        statement->actions[0].items[0].old = draw(4) == 0;
    }
}

/* The next frame must be the statement's hit with these values. */
static void check_hit(model *m, const es_program *program, unsigned number)
{
    const es_statement *statement = &program->statements[number];
    const model_frame *frame = model_next(m);
    ck_assert_msg(frame != NULL, "statement %u is true, but there was no hit", number);
    ck_assert_uint_eq(frame->words[0] & 0xFF, ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[3], number);
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        ck_assert_uint_eq(frame->words[5 + k],
                          scalar(&statement->references[item->index], item->old ? before : memory));
    }
}

/* Lanes of its word that hold a variable's value. */
static unsigned lanes_of(const es_reference *reference)
{
    unsigned first = reference->bit_offset / 8u;
    unsigned last =
        reference->bit_size ? (reference->bit_offset + reference->bit_size - 1u) / 8u : reference->size - 1u;
    return ((2u << (last - first)) - 1) << ((reference->address & 3) + first);
}

START_TEST(random_expressions)
{
    unsigned hits = 0, evaluations = 0;
    for (int round = 0; round < PROGRAMS; round++) {
        es_program program = {0};
        make_variables();
        make_program(&program);
        es_image image;
        es_error err;
        ck_assert_msg(es_image_build(&target_symbols, &program, &target_limits, &image, &err), "%s", err.text);
        model *m = calloc(1, sizeof *m);
        memset(memory, 0, sizeof memory);
        for (uint32_t at = 0; at < sizeof memory; at += 4) {
            uint32_t word = draw_value();
            memcpy(memory + at, &word, 4);
            model_know(m, BASE + at, word);
        }
        model_start(m, &image);
        model_next(m);
        m->eager = draw(2);
        for (int w = 0; w < WRITES; w++) {
            /* whole words and single variables; no partial writes here */
            const es_reference *target = &variables[draw(VARIABLES)];
            bool word = draw(3) == 0;
            uint32_t address = word ? target->address & ~3u : target->address, size = word ? 4 : target->size,
                     value = draw_value();
            memcpy(before, memory, sizeof memory);
            memcpy(memory + (address - BASE), &value, size);
            unsigned lanes = ((1u << size) - 1) << (address & 3);
            event_write = 0;
            uint64_t touched = 0;
            for (unsigned i = 0; i < VARIABLES; i++) {
                if ((variables[i].address & ~3u) != (address & ~3u))
                    continue;
                touched |= (uint64_t)((lanes & lanes_of(&variables[i])) != 0) << i;
                event_write |= (uint64_t)((lanes & lanes_of(&variables[i])) == lanes_of(&variables[i])) << i;
            }
            ck_assert(touched == event_write);
            model_store(m, address, size == 4 ? value : value & ((1u << 8 * size) - 1), size);
            model_settle(m);
            for (unsigned s = 0; s < STATEMENTS; s++) {
                const es_statement *statement = &program.statements[s];
                bool concerned = false;
                for (size_t i = 0; i < statement->reference_count; i++)
                    concerned |= tree_names(statement->predicate, i) &&
                                 (event_write >> statement->references[i].variable->line & 1);
                evaluations += concerned;
                if (concerned && evaluate(statement, statement->predicate)) {
                    check_hit(m, &program, s);
                    hits++;
                }
            }
            ck_assert_msg(m->frame_read == m->frame_count, "a hit too many: statement %u",
                          (unsigned)m->frames[m->frame_read].words[3]);
            ck_assert(m->broken == NULL);
            m->room = 100000;
            m->frame_read = m->frame_count = 0;
        }
        es_image_free(&image);
        free(m);
    }
    printf("%u evaluations of %u random predicates, %u hits\n", evaluations, PROGRAMS * STATEMENTS, hits);
    ck_assert_uint_gt(hits, 1000);
    ck_assert_uint_gt(evaluations - hits, 1000);
}
END_TEST

/* A predicate so long that its branches need their far form, and one with a balanced tree that needs many registers. */
START_TEST(large_predicates)
{
    es_reference x = tree_static(&tree_int, BASE);
    es_reference pair[] = {x, tree_static(&tree_int, BASE + 4)};
    es_program program = {0};
    es_expr *any = tree_binary(ES_OP_EQ, tree_ref(0), tree_const(100000));
    for (uint32_t i = 1; i < 1500; i++)
        any = tree_binary(ES_OP_LOGOR, any, tree_binary(ES_OP_EQ, tree_ref(0), tree_const(100000 + i)));
    tree_statement(&program, any, &x, 1, 1);
    es_expr *sum = tree_ref(0);
    for (int depth = 0; depth < 8; depth++)
        sum = tree_binary(ES_OP_ADD, sum, sum);
    tree_statement(&program, tree_binary(ES_OP_EQ, sum, tree_binary(ES_OP_SHL, tree_ref(1), tree_const(8))), pair, 2,
                   0);
    es_image image;
    es_error err;
    ck_assert_msg(es_image_build(&target_symbols, &program, &target_limits, &image, &err), "%s", err.text);
    model *m = calloc(1, sizeof *m);
    model_know(m, BASE, 0);
    model_know(m, BASE + 4, 0);
    model_start(m, &image);
    m->frame_read = 1;
    model_store(m, BASE, 101499, 4);
    ck_assert_uint_eq(model_next(m)->words[3], 0);
    model_store(m, BASE, 101500, 4);
    model_store(m, BASE, 99999, 4);
    ck_assert_ptr_null(model_next(m));
    model_store(m, BASE + 4, 99999, 4);
    ck_assert_uint_eq(model_next(m)->words[3], 1);
    ck_assert(m->broken == NULL);
    es_image_free(&image);
    free(m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expressions");
    TCase *tests = tcase_create("expressions");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, random_expressions);
    tcase_add_test(tests, large_predicates);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
