/* What tables hold, and what does not fit: library, constants, places, pointers, what is armed. */
#include <string.h>

#include "blocks.h"
#include "check_main.h"
#include "image/firmware.h"
#include "probe_defs.h"
#include "trees.h"

START_TEST(stores_of_words_are_no_parts_of_words)
{
    enum { STORES = 60 };
    static es_part parts[STORES];
    static const es_type wide_type = {.kind = ES_TYPE_INT, .name = "long long", .size = 8, .is_signed = true};
    const es_type *types[] = {&tree_int, &wide_type};
    size_t sizes[2][2];
    for (size_t i = 0; i < STORES; i++)
        parts[i] = (es_part){.store = {.kind = ES_STORE_UNKNOWN, .site = 0x100 + 4 * (uint32_t)i},
                             .size = 4,
                             .later = (uint16_t)(0xF0u << ES_PART_REACH),
                             .way = 1,
                             .assignment = 1};
    add_procedures(2);
    add_call(0, 1, false);
    symbols.parts = parts;
    for (size_t wide = 0; wide < 2; wide++) {
        memset(&program, 0, sizeof program);
        es_reference x = tree_static(types[wide], 0x60000);
        tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &x, 1, 1);
        for (size_t with = 0; with < 2; with++) {
            symbols.part_count = with ? STORES : 0;
            ck_assert_msg(build(), "%s", err.text);
            sizes[wide][with] = image.size;
            es_image_free(&image);
        }
    }
    ck_assert_uint_eq(sizes[0][1], sizes[0][0]);
    ck_assert_uint_gt(sizes[1][1], sizes[1][0] + 12 * (STORES - 1));
}
END_TEST

static es_expr *of_type(es_expr *expr, enum es_value_type type)
{
    expr->type = type;
    return expr;
}

/* x as a value of the type. */
static es_expr *converted(enum es_value_type type)
{
    return of_type(tree_unary(ES_OP_NEG, tree_ref(0)), type);
}

/* Bytes of the library that the image of `when predicate` has; they are the library's own. */
static size_t library_for(es_expr *predicate)
{
    const struct es_mi_header *head;
    es_reference x = tree_static(&tree_int, 0x60000);
    memset(&program, 0, sizeof program);
    tree_statement(&program, predicate, &x, 1, 1);
    ck_assert_msg(build(), "%s", err.text);
    head = header();
    /* the checksum covers all, and what follows the library is the records of procedures: two jumps before each */
    size_t size = 0;
    while (size < 8192 && memcmp(image.bytes + sizeof *head + size, es_firmware_library() + size, 4) == 0)
        size += 4;
    es_image_free(&image);
    return size;
}

/* An image has of the library what its statements need, and no more. */
START_TEST(library_as_needed)
{
    static const enum es_value_type types[] = {ES_VALUE_64, ES_VALUE_DOUBLE, ES_VALUE_FLOAT};
    firmware_routines routines = es_firmware_routines_get();
    add_procedures(2);
    add_call(0, 1, false);
    ck_assert_uint_eq(library_for(tree_binary(ES_OP_GT, tree_ref(0), tree_const(25000))), 0);
    ck_assert_uint_eq(
        library_for(tree_binary(ES_OP_GT, tree_binary(ES_OP_MUL, tree_ref(0), tree_ref(0)), tree_const(5))),
        routines.integers_end - ES_MI_LIBRARY_AT);
    for (size_t i = 0; i < 3; i++) {
        es_expr *left = converted(types[i]), *right = converted(types[i]);
        left->kind = right->kind = ES_EXPR_CONVERT;
        es_expr *greater = tree_binary(ES_OP_GT, left, right);
        size_t size = library_for(greater);
        ck_assert_uint_eq(size, i ? routines.convert_end - ES_MI_LIBRARY_AT : 0);
        left = of_type(tree_binary(ES_OP_MUL, left, right), types[i]);
        size = library_for(tree_binary(ES_OP_GT, left, right));
        ck_assert_uint_eq(size, (i ? routines.doubles_end : routines.wide_end) - ES_MI_LIBRARY_AT);
    }
}
END_TEST

/* What the probe promises to hold: 256 statements, each with a variable of its own that it prints, and 1,024
 * paths to locals. */

START_TEST(constants_in_rom)
{
    static const uint8_t bytes[16];
    static const es_segment rom[] = {{0x100, sizeof bytes, bytes, true, false},
                                     {0x200, sizeof bytes, bytes, false, true}};
    add_procedures(1);
    symbols.segments = rom;
    symbols.segment_count = 2;
    es_reference both[] = {tree_static(&tree_int, 0x108), tree_static(&tree_int, 0x208)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), both, 1, 1);
    refused("-e:1:1: error: s would never be evaluated: the program cannot write x, which is a constant");
    program.statement_count = 0;
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), both, 2, 1);
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_enter(&procedures[0]), tree_ref(0)), both, 1, 1);
    ck_assert_msg(build(), "%s", err.text);
    es_image_free(&image);
}
END_TEST

START_TEST(places_outside_of_the_window)
{
    add_procedures(2);
    es_reference x = tree_static(&tree_int, 0x90000);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &x, 1, 1);
    refused("x at 0x00090000 lies outside");
    program.statements[0].references[0].address = 0x1000;
    limits.window_base = 0x80000;
    refused("lies outside");
    program.statements[0].references[0].address = 0x80000;
    refused("the code at 0x00000100 lies outside");
    limits.window_base = 0;
    program.statements[0].references[0].address = 0x1000;
    procedures[1].low = 0x102;
    refused("where no instruction can be");
    add_call(1, 2, false);
    sites[symbols.site_count - 1].site = sites[symbols.site_count - 1].size = 2;
    refused("the call at 0x00000002 cannot be followed, as it is compressed");
}
END_TEST

static const es_member odd_members[] = {{"c", &tree_uchar, 0, 0, 0}, {"x", &tree_int, 1, 0, 0}};
static const es_type odd = {
    .kind = ES_TYPE_STRUCT, .name = "struct odd", .size = 5, .members = odd_members, .member_count = 2};
static const es_type int_pointer = {.kind = ES_TYPE_POINTER, .name = "int *", .size = 4, .of = &tree_int};
static const es_type char_pointer = {.kind = ES_TYPE_POINTER, .name = "char *", .size = 4, .of = &tree_uchar};
static const es_type odd_pointer = {.kind = ES_TYPE_POINTER, .name = "struct odd *", .size = 4, .of = &odd};

static void follow(const es_type *type, uint32_t variable, const es_type *target, uint32_t offset)
{
    es_reference refs[] = {
        tree_static(type, variable),
        {.text = "p->x", .type = target, .size = (uint8_t)target->size, .address = offset, .via = true}};
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(1), tree_const(0)), refs, 2, 2);
}

START_TEST(indices_that_cannot_be_followed)
{
    add_procedures(1);
    es_expr counter = {.kind = ES_EXPR_COUNTER, .type = ES_VALUE_32};
    es_subscript index = {tree_ref(0), 4, 3};
    es_reference refs[] = {tree_static(&tree_int, 0x20000),
                           tree_local(&int_pointer, &procedures[0], -20),
                           {.text = "f\\a[i]->x", .type = &tree_int, .size = 4, .via = true, .base = 1}};
    refs[1].subscripts = &index;
    refs[1].subscript_count = 1;
    refs[1].text = "f\\a[i]";
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(2), tree_const(0)), refs, 3, 3);
    refused("f\\a[i]: an element of a local array with a variable index has no age, and cannot lead to others");
    program.statements[0].references[1].frame = NULL;
    program.statements[0].references[1].address = 0x20040;
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(header()->pointer_count, 2); /* the element, and where it leads to */
    es_image_free(&image);
    es_expr old = {.kind = ES_EXPR_OLD, .type = ES_VALUE_32};
    index.index = &old;
    refused("where this is has to follow from variables and counters alone");
    index.index = &counter;
    tree_count(tree_statement(&program, tree_write(0), refs, 1, -1), &program, 0);
    ck_assert_msg(build(), "%s", err.text); /* counted after the place was asked for */
    es_image_free(&image);
    program.statements[1].features = ES_FEATURE(FOR);
    refused("with `for` or `unchanged for`, where something is cannot follow from a counter");
    program.statements[1].features = 0;
    es_statement first = program.statements[0];
    program.statements[0] = program.statements[1];
    program.statements[1] = first;
    refused("which comes before this one, changes this counter");
}
END_TEST

START_TEST(pointers_that_cannot_be_followed)
{
    add_procedures(1);
    for (uint32_t i = 0; i < ES_MI_POINTERS_MAX; i++)
        follow(&int_pointer, 0x20000 + 4 * i, &tree_int, 0);
    follow(&int_pointer, 0x20000, &tree_int, 4); /* one of these */
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(header()->pointer_count, ES_MI_POINTERS_MAX);
    ck_assert_uint_eq(header()->slot_count, ES_MI_POINTERS_MAX);
    es_image_free(&image);
    follow(&int_pointer, 0x20100, &tree_int, 0);
    refused("more than 32 pointers");
    program.statement_count = 0;
    for (uint32_t i = 0; i < ES_MI_SLOTS_MAX / 4; i++)
        follow(&char_pointer, 0x20000 + 4 * i, &tree_uchar, 0);
    ck_assert_msg(build(), "%s", err.text);
    es_image_free(&image);
    follow(&int_pointer, 0x20100, &tree_int, 0);
    refused("count as four");
    program.statement_count = 0;
    follow(&odd_pointer, 0x20000, &tree_uchar, 0); /* packed: at any address */
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(header()->slot_count, 4);
    es_image_free(&image);
    follow(&odd_pointer, 0x20000, &tree_int, 1);
    refused("not aligned in what the pointer points to");
    program.statement_count = 0;
    follow(&int_pointer, 0x20002, &tree_int, 0);
    refused("a pointer that is followed has to be");
}
END_TEST

START_TEST(too_many_values_and_events)
{
    add_procedures(40);
    es_reference many[58];
    for (uint32_t i = 0; i < 58; i++)
        many[i] = tree_static(&tree_int, 0x1000 + 4 * i);
    tree_statement(&program, tree_ref(0), many, 58, 55);
    ck_assert_msg(build(), "%s", err.text);
    es_image_free(&image);
    tree_statement(&program, tree_ref(0), many, 58, 56);
    refused("it prints 56 words of values; at most 55");
    program.statement_count = 0;
    es_expr *any = tree_enter(&procedures[1]);
    for (size_t i = 2; i <= 17; i++)
        any = tree_binary(ES_OP_LOGOR, any, tree_enter(&procedures[i]));
    tree_statement(&program, any, NULL, 0, 0);
    refused("17 events");
    program.statement_count = 0;
    es_expr *deep = tree_ref(0);
    for (int i = 0; i < 5000; i++)
        deep = tree_unary(ES_OP_NOT, deep);
    tree_statement(&program, deep, many, 1, 1);
    refused("nested operations");
}
END_TEST

START_TEST(only_events_that_matter_are_armed)
{
    add_procedures(2);
    es_reference pair[] = {tree_static(&tree_int, 0x1000), tree_static(&tree_int, 0x2000)};
    tree_statement(
        &program,
        tree_binary(ES_OP_LOGAND, tree_enter(&procedures[1]), tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1))), pair, 2,
        2);
    ck_assert(build());
    ck_assert_uint_eq(image.keys_data, 0);
    es_image_free(&image);
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_write(0), tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1))),
                   pair, 2, 2);
    ck_assert(build());
    ck_assert_uint_eq(image.keys_data, 1);
    es_image_free(&image);
}
END_TEST

/* How many data words are armed for a statement that no write triggers. */
static size_t armed_for(const es_reference *references, size_t count)
{
    program.statement_count = 0;
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_enter(&procedures[1]), tree_ref(0)), references, count, 1);
    ck_assert_msg(build(), "%s", err.text);
    size_t armed = image.keys_data;
    es_image_free(&image);
    return armed;
}

START_TEST(words_that_no_local_fills_are_covered)
{
    add_procedures(2);
    add_call(0, 1, false);
    es_reference whole[] = {tree_local(&tree_int, &procedures[1], -8), tree_local(&tree_uchar, &procedures[1], -5)};
    es_reference halves[] = {tree_local(&tree_short, &procedures[1], -8), tree_local(&tree_short, &procedures[1], -6)};
    es_reference apart[] = {tree_local(&tree_short, &procedures[1], -8), tree_local(&tree_uchar, &procedures[1], -9)};
    es_reference global = tree_static(&tree_uchar, 0x1001);
    ck_assert_uint_eq(armed_for(&global, 1), 0);
    ck_assert_uint_eq(armed_for(whole, 1), 1); /* it may not be written yet */
    ck_assert_uint_eq(armed_for(whole, 2), 1);
    const uint32_t begins[] = {0, procedures[1].low + 0x10};
    symbols.begins = begins; /* the prologue writes them: arguments */
    ck_assert_uint_eq(armed_for(whole, 1), 0);
    symbols.begins = NULL;
    ck_assert_uint_eq(armed_for(halves, 1), 1);
    ck_assert_uint_eq(armed_for(halves, 2), 1);
    ck_assert_uint_eq(armed_for(apart, 2), 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tables");
    TCase *tests = tcase_create("tables");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, stores_of_words_are_no_parts_of_words);
    tcase_add_test(tests, library_as_needed);
    tcase_add_test(tests, constants_in_rom);
    tcase_add_test(tests, places_outside_of_the_window);
    tcase_add_test(tests, indices_that_cannot_be_followed);
    tcase_add_test(tests, pointers_that_cannot_be_followed);
    tcase_add_test(tests, too_many_values_and_events);
    tcase_add_test(tests, only_events_that_matter_are_armed);
    tcase_add_test(tests, words_that_no_local_fills_are_covered);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
