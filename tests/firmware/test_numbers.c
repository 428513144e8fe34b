/* Random predicates of all types over variables anywhere in memory, written in parts: the code that runs on the soft
 * core must say what C says on the host. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../image/trees.h"
#include "check_main.h"
#include "draw.h"
#include "target.h"

#define BASE 0x20000u
#define BYTES 128
#define VARIABLES 14
#define STATEMENTS 16
#define PROGRAMS 150
#define WRITES 40

static uint64_t draw_bits(void)
{
    /* clang-format off */
    static const uint64_t edges[] = {0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x8000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0x7F800000,
        0xFF800000, 0x7FC00000, 0x3F800000, 0x3FC00000, 0xBF800000, 0x00000001, 0x80000001, 0x4B800000, 0x4F000000, 0xCF000000,
        0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x3FF0000000000000, 0xBFF8000000000000, 0x8000000000000000,
        0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0x41E0000000000000, 0xC1E0000000200000, 0x43E0000000000000, 0x47EFFFFFF0000000,
        0x36A0000000000000, 0x3690000000000001, 0x380FFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFE, 0x0000000100000000, 0x0020000000000001};
    /* clang-format on */
    uint64_t random = (uint64_t)draw(0xFFFFFFFF) << 32 | draw(0xFFFFFFFF);
    switch (draw(4)) {
    case 0: return random;
    case 1: return random >> draw(64);
    case 2: return (uint64_t)(int64_t)(int32_t)(draw(41) - 20);
    default: return edges[draw(sizeof edges / sizeof edges[0])];
    }
}

static const es_type tree_llong = {.kind = ES_TYPE_INT, .name = "long long", .size = 8, .is_signed = true};
static const es_type tree_ullong = {.kind = ES_TYPE_INT, .name = "unsigned long long", .size = 8};
static const es_type tree_float = {.kind = ES_TYPE_FLOAT, .name = "float", .size = 4};
static const es_type tree_double = {.kind = ES_TYPE_FLOAT, .name = "double", .size = 8};

/* --- the host's side ------------------------------------------------------------------------------------ */

static uint8_t memory[BYTES], before[BYTES];
static es_reference variables[VARIABLES];
static es_variable identities[VARIABLES]; /* `line` is the variable's number */
static unsigned written;                  /* variable of the event */
static bool impossible;                   /* a division by 0 */

typedef struct value {
    enum es_value_type type;
    bool is_signed;
    uint64_t bits; /* 32 bits: extended */
    double number;
} value;

static uint64_t raw(const es_reference *reference, const uint8_t *bytes)
{
    unsigned bits = reference->bit_size ? reference->bit_size : reference->size * 8u;
    uint64_t result = 0;
    for (unsigned i = 0; i < bits; i++) {
        unsigned at = (reference->address - BASE) * 8 + reference->bit_offset + i;
        result |= (uint64_t)(bytes[at / 8] >> at % 8 & 1) << i;
    }
    if (reference->type->is_signed && bits < 64 && result >> (bits - 1) & 1)
        result |= ~UINT64_C(0) << bits;
    return result;
}

static double as_number(uint64_t bits, bool is_double)
{
    double number;
    float narrow;
    uint32_t low = (uint32_t)bits;
    memcpy(&number, &bits, sizeof number);
    memcpy(&narrow, &low, sizeof narrow);
    return is_double ? number : (double)narrow;
}

static value made(enum es_value_type type, bool is_signed, uint64_t bits)
{
    value v = {type, is_signed, bits, 0};
    if (type == ES_VALUE_32)
        v.bits = is_signed ? (uint64_t)(int64_t)(int32_t)bits : (uint32_t)bits;
    if (type == ES_VALUE_FLOAT || type == ES_VALUE_DOUBLE)
        v.number = as_number(bits, type == ES_VALUE_DOUBLE);
    return v;
}

static bool is_number(enum es_value_type type)
{
    return type == ES_VALUE_FLOAT || type == ES_VALUE_DOUBLE;
}

static value truth(bool is)
{
    return made(ES_VALUE_32, true, is);
}

static bool differs(value v)
{
    return is_number(v.type) ? v.number != 0 : v.bits != 0;
}

/* As RISC-V converts. */
static uint64_t whole(double number, unsigned bits, bool is_signed)
{
    double limit = ldexp(1, (int)bits - (is_signed ? 1 : 0));
    if (isnan(number) || number >= limit)
        return is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : bits == 64 ? UINT64_MAX : UINT32_MAX;
    if (is_signed)
        return number < -limit ? (uint64_t)0 - (UINT64_C(1) << (bits - 1)) : (uint64_t)(int64_t)number;
    return number <= -1 ? 0 : (uint64_t)number;
}

static value convert(value from, enum es_value_type type, bool is_signed)
{
    value to = {type, is_signed, 0, 0};
    if (type == ES_VALUE_FLOAT)
        to.number = is_number(from.type) ? (double)(float)from.number
                    : from.is_signed     ? (double)(float)(int64_t)from.bits
                                         : (double)(float)from.bits;
    else if (type == ES_VALUE_DOUBLE)
        to.number = is_number(from.type) ? from.number
                    : from.is_signed     ? (double)(int64_t)from.bits
                                         : (double)from.bits;
    else if (is_number(from.type))
        return made(type, is_signed, whole(from.number, type == ES_VALUE_64 ? 64 : 32, is_signed));
    else
        return made(type, is_signed, from.bits);
    return to;
}

static bool compare(enum es_op op, bool is_signed, value a, value b)
{
    int order;
    if (is_number(a.type)) {
        if (isnan(a.number) || isnan(b.number))
            return op == ES_OP_NE;
        order = a.number < b.number ? -1 : a.number > b.number;
    } else {
        value x = made(a.type, is_signed, a.bits), y = made(a.type, is_signed, b.bits);
        order = is_signed ? ((int64_t)x.bits > (int64_t)y.bits) - ((int64_t)x.bits < (int64_t)y.bits)
                          : (x.bits > y.bits) - (x.bits < y.bits);
    }
    switch (op) {
    case ES_OP_EQ: return order == 0;
    case ES_OP_NE: return order != 0;
    case ES_OP_LT: return order < 0;
    case ES_OP_LE: return order <= 0;
    case ES_OP_GT: return order > 0;
    default: return order >= 0;
    }
}

static uint64_t wide_quotient(const es_expr *e, uint64_t a, uint64_t b)
{
    bool remainder = e->op == ES_OP_REM;
    if (b == 0) {
        impossible = true;
        return 0;
    }
    if (!e->is_signed)
        return remainder ? a % b : a / b;
    if (b == UINT64_MAX)
        return remainder ? 0 : 0 - a;
    return (uint64_t)(remainder ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static value arithmetic(const es_expr *e, value a, value b)
{
    value result = {e->type, e->is_signed, 0, 0};
    switch (e->op) {
    case ES_OP_ADD: result.number = a.number + b.number; break;
    case ES_OP_SUB: result.number = a.number - b.number; break;
    case ES_OP_MUL: result.number = a.number * b.number; break;
    default: result.number = a.number / b.number; break;
    }
    if (e->type == ES_VALUE_FLOAT)
        result.number = (double)((float)result.number);
    return result;
}

static uint64_t quotient(const es_expr *e, value a, value b)
{
    if (e->type == ES_VALUE_64)
        return wide_quotient(e, a.bits, b.bits);
    value x = made(ES_VALUE_32, e->is_signed, a.bits), y = made(ES_VALUE_32, e->is_signed, b.bits);
    if (y.bits == 0) {
        impossible = true;
        return 0;
    }
    if (e->is_signed) /* 64 bits have room for -2^31 / -1 */
        return (uint64_t)(e->op == ES_OP_DIV ? (int64_t)x.bits / (int64_t)y.bits : (int64_t)x.bits % (int64_t)y.bits);
    return e->op == ES_OP_DIV ? x.bits / y.bits : x.bits % y.bits;
}

static value operate(const es_expr *e, value a, value b)
{
    unsigned width = e->type == ES_VALUE_64 ? 64 : 32;
    uint64_t bits = 0;
    if (is_number(e->type))
        return arithmetic(e, a, b);
    value left = made(e->type, e->is_signed, a.bits);
    switch (e->op) {
    case ES_OP_ADD: bits = a.bits + b.bits; break;
    case ES_OP_SUB: bits = a.bits - b.bits; break;
    case ES_OP_AND: bits = a.bits & b.bits; break;
    case ES_OP_OR: bits = a.bits | b.bits; break;
    case ES_OP_XOR: bits = a.bits ^ b.bits; break;
    case ES_OP_SHL: bits = a.bits << (b.bits & (width - 1)); break;
    case ES_OP_SHR:
        bits = e->is_signed ? (uint64_t)((int64_t)left.bits >> (b.bits & (width - 1)))
                            : left.bits >> (b.bits & (width - 1));
        break;
    case ES_OP_MUL: bits = a.bits * b.bits; break;
    case ES_OP_DIV:
    case ES_OP_REM: bits = quotient(e, a, b); break;
    default: break;
    }
    return made(e->type, e->is_signed, bits);
}

static value evaluate(const es_statement *statement, const es_expr *e)
{
    value a;
    switch (e->kind) {
    case ES_EXPR_CONST:
        a = made(e->type, e->is_signed, e->type == ES_VALUE_64 ? e->constant.wide : e->value);
        if (is_number(e->type))
            a.number = e->constant.number;
        return a;
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD:
        return made(e->type, e->is_signed,
                    raw(&statement->references[e->index], e->kind == ES_EXPR_OLD ? before : memory));
    case ES_EXPR_WRITE: return truth(statement->references[e->index].variable->line == written);
    case ES_EXPR_UNARY:
        a = evaluate(statement, e->lhs);
        if (e->op == ES_OP_LOGNOT)
            return truth(!differs(a));
        a.number = -a.number;
        return is_number(e->type) ? a : made(e->type, e->is_signed, e->op == ES_OP_NEG ? 0 - a.bits : ~a.bits);
    case ES_EXPR_CONVERT: return convert(evaluate(statement, e->lhs), e->type, e->is_signed);
    case ES_EXPR_CHOICE: return evaluate(statement, differs(evaluate(statement, e->condition)) ? e->lhs : e->rhs);
    case ES_EXPR_BINARY:
        a = evaluate(statement, e->lhs);
        if (e->op == ES_OP_LOGAND || e->op == ES_OP_LOGOR)
            return impossible                             ? a
                   : differs(a) == (e->op == ES_OP_LOGOR) ? truth(differs(a))
                                                          : truth(differs(evaluate(statement, e->rhs)));
        if (e->op >= ES_OP_EQ && e->op <= ES_OP_GE)
            return truth(compare(e->op, e->operand_signed, a, evaluate(statement, e->rhs)));
        return operate(e, a, evaluate(statement, e->rhs));
    default: return truth(false);
    }
}

/* --- random programs ------------------------------------------------------------------------------------ */

static void make_variables(void)
{
    static const es_type *const types[] = {&tree_int,    &tree_uint,  &tree_short,  &tree_uchar,  &tree_llong,
                                           &tree_ullong, &tree_float, &tree_double, &tree_double, &tree_llong};
    uint32_t at = BASE;
    for (unsigned i = 0; i < VARIABLES; i++) {
        const es_type *type = types[draw(10)];
        if (draw(3)) { /* the others lie where the one before ends */
            uint32_t align = type->size == 8 ? 4 : type->size;
            at = (at + align - 1) & ~(align - 1);
        }
        variables[i] = tree_static(type, at);
        identities[i].line = i;
        variables[i].variable = &identities[i];
        if (type->kind == ES_TYPE_INT && draw(4) == 0) {
            variables[i].bit_size = (uint8_t)(1 + draw(type->size * 8));
            variables[i].bit_offset = (uint8_t)draw(type->size * 8 - variables[i].bit_size + 1);
        }
        at += type->size;
    }
    ck_assert_uint_le(at, BASE + BYTES);
}

static es_expr *node(enum es_expr_kind kind, enum es_value_type type)
{
    es_expr *e = tree_const(0);
    e->kind = kind;
    e->type = type;
    e->is_signed = draw(2);
    e->operand_signed = draw(2);
    return e;
}

static es_reference *chosen;
static size_t chosen_count;
static unsigned olds, writes;

static es_expr *random_expr(enum es_value_type type, unsigned depth);

static enum es_value_type any_type(void)
{
    static const enum es_value_type types[] = {ES_VALUE_32, ES_VALUE_64, ES_VALUE_FLOAT, ES_VALUE_DOUBLE};
    return types[draw(4)];
}

static es_expr *leaf(enum es_value_type type)
{
    size_t first = draw((uint32_t)chosen_count);
    for (size_t i = 0; i < chosen_count && draw(5); i++) {
        size_t index = (first + i) % chosen_count;
        const es_reference *reference = &chosen[index];
        unsigned bits = reference->bit_size ? reference->bit_size : reference->size * 8u;
        bool number = reference->type->kind == ES_TYPE_FLOAT;
        enum es_value_type natural = number      ? (bits == 64 ? ES_VALUE_DOUBLE : ES_VALUE_FLOAT)
                                     : bits > 32 ? ES_VALUE_64
                                                 : ES_VALUE_32;
        if (natural != type)
            continue;
        bool old = olds && draw(4) == 0;
        olds -= old;
        es_expr *e = node(old ? ES_EXPR_OLD : ES_EXPR_REFERENCE, type);
        e->index = index;
        e->is_signed = bits < 32 || reference->type->is_signed;
        return e;
    }
    if (type == ES_VALUE_32 && writes && draw(4) == 0) {
        writes--;
        es_expr *e = tree_write(draw((uint32_t)chosen_count));
        return e;
    }
    es_expr *e = node(ES_EXPR_CONST, type);
    uint64_t bits = draw_bits();
    e->value = (uint32_t)bits;
    if (type == ES_VALUE_64)
        e->constant.wide = bits;
    else if (is_number(type))
        e->constant.number = draw(3) ? (double)(int32_t)(draw(41) - 20) : as_number(bits, type == ES_VALUE_DOUBLE);
    return e;
}

static es_expr *binary(enum es_value_type type, unsigned depth)
{
    es_expr *e = node(ES_EXPR_BINARY, type);
    enum es_value_type operands = type;
    if (is_number(type)) {
        static const enum es_op sums[] = {ES_OP_ADD, ES_OP_SUB, ES_OP_MUL, ES_OP_DIV};
        e->op = sums[draw(4)];
        e->lhs = random_expr(type, depth - 1);
        e->rhs = random_expr(type, depth - 1);
        return e;
    }
    switch (draw(type == ES_VALUE_32 ? 5 : 3)) {
    case 0:
    case 1: e->op = (enum es_op)(ES_OP_ADD + draw(7)); break;
    case 2:
        if (type == ES_VALUE_64) {
            e->op = (enum es_op)(ES_OP_MUL + draw(3));
            break;
        }
        e->op = (enum es_op)(ES_OP_EQ + draw(6));
        operands = any_type();
        break;
    case 3: e->op = draw(2) ? ES_OP_LOGAND : ES_OP_LOGOR; break;
    default: e->op = (enum es_op)(ES_OP_MUL + draw(3)); break;
    }
    e->lhs = random_expr(operands, depth - 1);
    e->rhs = random_expr(e->op == ES_OP_SHL || e->op == ES_OP_SHR ? ES_VALUE_32 : operands, depth - 1);
    if (e->op == ES_OP_LOGAND || e->op == ES_OP_LOGOR)
        e->is_signed = true;
    if (e->op >= ES_OP_MUL && draw(3) == 0 && e->rhs->kind == ES_EXPR_CONST)
        e->rhs->value = 1u << draw(32);
    return e;
}

static es_expr *random_expr(enum es_value_type type, unsigned depth)
{
    es_expr *e;
    if (depth == 0 || draw(7) == 0)
        return leaf(type);
    switch (draw(6)) {
    case 0:
        e = node(ES_EXPR_UNARY, type);
        e->op = is_number(type) ? ES_OP_NEG : (enum es_op)(ES_OP_NEG + draw(type == ES_VALUE_32 ? 3 : 2));
        e->lhs = random_expr(e->op == ES_OP_LOGNOT ? any_type() : type, depth - 1);
        e->is_signed = e->op == ES_OP_LOGNOT || e->lhs->is_signed;
        return e;
    case 1:
        e = node(ES_EXPR_CONVERT, type);
        e->lhs = random_expr(any_type(), depth - 1);
        return e->lhs->type == type ? e->lhs : e;
    case 2:
        e = node(ES_EXPR_CHOICE, type);
        e->condition = random_expr(any_type(), depth - 1);
        e->lhs = random_expr(type, depth - 1);
        e->rhs = random_expr(type, depth - 1);
        e->lhs->is_signed = e->rhs->is_signed = e->is_signed;
        /* others have a sign of their own */
        return e->lhs->kind == ES_EXPR_CONST || e->rhs->kind == ES_EXPR_CONST ? e : e->lhs;
    default: return binary(type, depth);
    }
}

static void make_program(es_program *program)
{
    for (int s = 0; s < STATEMENTS; s++) {
        es_reference references[3];
        chosen_count = 1 + draw(3);
        unsigned first = draw(VARIABLES);
        for (size_t i = 0; i < chosen_count; i++)
            references[i] = variables[(first + i) % VARIABLES];
        chosen = references;
        olds = writes = 3;
        es_expr *predicate = random_expr(ES_VALUE_32, 1 + draw(4));
        es_statement *statement = tree_statement(program, predicate, references, chosen_count, (int)chosen_count);
        statement->actions[0].items[0].old = draw(3) == 0;
    }
}

static void check_hit(model *m, const es_program *program, unsigned number)
{
    const es_statement *statement = &program->statements[number];
    const model_frame *frame = model_next(m);
    ck_assert_msg(frame != NULL, "statement %u is true, but there was no hit", number);
    ck_assert_uint_eq(frame->words[0] & 0xFF, ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[3], number);
    for (size_t k = 0, at = 5; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        uint64_t bits = raw(&statement->references[item->index], item->old ? before : memory);
        ck_assert_uint_eq(frame->words[at++], (uint32_t)bits);
        if (es_image_value_words(statement, item) == 2)
            ck_assert_uint_eq(frame->words[at++], (uint32_t)(bits >> 32));
    }
}

/* Writes all bytes of a variable, upwards, a piece of each word after the other. */
static void write_variable(model *m, const es_reference *target)
{
    uint64_t bits = draw_bits();
    memcpy(before, memory, sizeof memory);
    memcpy(memory + (target->address - BASE), &bits, target->size);
    uint32_t first = target->address & ~3u, last = (target->address + target->size - 1u) & ~3u;
    for (uint32_t n = 0; n <= (last - first) / 4; n++) {
        uint32_t word = first + 4 * n, data;
        unsigned lanes = 0;
        for (unsigned lane = 0; lane < 4; lane++)
            lanes |= (unsigned)(word + lane - target->address < target->size) << lane;
        memcpy(&data, memory + (word - BASE), sizeof data);
        if (draw(4) == 0) { /* bytes */
            for (unsigned lane = 0; lane < 4; lane++)
                if (lanes >> lane & 1)
                    model_write(m, word, data, 1u << lane);
        } else {
            model_write(m, word, data, lanes);
        }
    }
    model_settle(m);
}

START_TEST(random_numbers)
{
    unsigned hits = 0, evaluations = 0, divisions = 0;
    for (int round = 0; round < PROGRAMS; round++) {
        es_program program = {0};
        make_variables();
        make_program(&program);
        es_image image;
        es_error err;
        if (!es_image_build(&target_symbols, &program, &target_limits, &image, &err)) {
            ck_assert_msg(strstr(err.text, "intermediate") || strstr(err.text, "tells"), "%s", err.text);
            continue;
        }
        model *m = calloc(1, sizeof *m);
        for (uint32_t at = 0; at < sizeof memory; at += 4) {
            uint32_t word = (uint32_t)draw_bits();
            memcpy(memory + at, &word, 4);
            model_know(m, BASE + at, word);
        }
        model_start(m, &image);
        model_next(m);
        uint32_t unknown = 0;
        for (int w = 0; w < WRITES; w++) {
            written = draw(VARIABLES);
            write_variable(m, &variables[written]);
            for (unsigned s = 0; s < STATEMENTS; s++) {
                const es_statement *statement = &program.statements[s];
                bool concerned = false;
                for (size_t i = 0; i < statement->reference_count; i++)
                    concerned |=
                        tree_names(statement->predicate, i) && statement->references[i].variable->line == written;
                if (!concerned)
                    continue;
                impossible = false;
                bool is_true = differs(evaluate(statement, statement->predicate));
                evaluations++;
                divisions += impossible;
                unknown += impossible;
                if (is_true && !impossible) {
                    check_hit(m, &program, s);
                    hits++;
                }
            }
            ck_assert_msg(m->frame_read == m->frame_count, "program %d: a hit too many: statement %u", round,
                          (unsigned)m->frames[m->frame_read].words[3]);
            ck_assert_msg(m->broken == NULL, "%s", m->broken);
            m->room = 100000;
            m->frame_read = m->frame_count = 0;
        }
        const model_frame *frame;
        model_mail(m, ES_MAIL_FLUSH);
        do
            frame = model_next(m);
        while (frame && (frame->words[0] & 0xFF) != ES_FRAME_DONE);
        ck_assert_ptr_nonnull(frame);
        ck_assert_uint_eq(frame->words[3], unknown);
        es_image_free(&image);
        free(m);
    }
    printf("%u evaluations of %u random predicates, %u hits, %u divisions by 0\n", evaluations, PROGRAMS * STATEMENTS,
           hits, divisions);
    ck_assert_uint_gt(hits, 1000);
    ck_assert_uint_gt(evaluations - hits, 1000);
    ck_assert_uint_gt(divisions, 100);
}
END_TEST

int main(void)
{
    draw_seed = 7;
    Suite *suite = suite_create("numbers");
    TCase *tests = tcase_create("numbers");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, random_numbers);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
