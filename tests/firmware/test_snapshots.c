/* Snapshots on the model of the probe: memory as of the event, and what of it is not known. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static const es_type byte_type = {.kind = ES_TYPE_INT, .name = "uint8_t", .size = 1};
static es_snapshot taken[3];
static es_action actions[3];

/* Adds `snapshot` of so many bytes to the last statement. */
static void take(size_t k, es_reference place, uint32_t bytes)
{
    es_statement *statement = &program.statements[program.statement_count - 1];
    taken[k] = (es_snapshot){.name = "s", .place = place, .bytes = bytes};
    actions[k] = (es_action){.kind = ES_ACTION_SNAPSHOT, .snapshot = &taken[k], .source = {"-e", 1, 1}};
    statement->actions = actions;
    statement->action_count = k + 1;
}

static void when_written(void)
{
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_write(0), &x, 1, -1);
}

static es_image_bytes expect_bytes(const model_frame *frame, size_t at, size_t k)
{
    es_image_bytes bytes;
    ck_assert_uint_ge(frame->count, 5 + at + es_image_snapshot_words(&taken[k]));
    es_image_snapshot_read(&taken[k], frame->words + 5 + at, &bytes);
    return bytes;
}

START_TEST(as_of_the_event)
{
    when_written();
    take(0, tree_static(&byte_type, X + 5), 2);
    take(1, tree_static(&byte_type, X + 0x101), 150);
    start();
    model_know(m, X + 4, 0x44332211);
    for (uint32_t i = 0; i < 40; i++)
        if (i != 3 && i != 35)
            model_know(m, X + 0x100 + 4 * i, 0x01010101 * i);
    model_store(m, X, 7, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 5 + 2 + 38 + 2);
    es_image_bytes bytes = expect_bytes(frame, 0, 0);
    ck_assert_uint_eq(bytes.bytes[0], 0x22);
    ck_assert_uint_eq(bytes.bytes[1], 0x33);
    ck_assert(bytes.known[0] && bytes.known[1]);
    bytes = expect_bytes(frame, 2, 1);
    ck_assert_uint_eq(bytes.address, X + 0x101);
    for (uint32_t i = 0; i < 150; i++) {
        uint32_t word = (i + 1) / 4;
        ck_assert_uint_eq(bytes.known[i], word != 3 && word != 35);
        if (bytes.known[i])
            ck_assert_uint_eq(bytes.bytes[i], word);
    }
    expect_nothing();
    expect_summary(0, 0);
    printf("snapshot of 152 bytes: %llu clocks\n", (unsigned long long)m->max_hit_clocks);
}
END_TEST

START_TEST(where_a_pointer_leads)
{
    static const es_type pointer = {.kind = ES_TYPE_POINTER, .name = "char *", .size = 4, .of = &byte_type};
    es_reference places[2] = {tree_static(&tree_int, X), tree_static(&pointer, X + 4)};
    tree_statement(&program, tree_write(0), places, 2, -1);
    program.statements[0].predicate_count = 1;
    take(0, (es_reference){.text = "*p", .type = &byte_type, .via = true, .base = 1}, 5);
    start();
    model_know(m, X + 0x10, 0x33221100);
    model_know(m, X + 0x14, 0x77665544);
    model_know(m, X + 0x18, 0);
    const uint32_t to[] = {0, X + 0x11, 0, MODEL_WINDOW, 0xFFFFFFFC, MODEL_WINDOW - 8};
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
        if (i) /* at first nobody knows it */
            model_store(m, X + 4, to[i], 4);
        model_store(m, X, 7, 4);
        es_image_bytes bytes = expect_bytes(expect(ES_FRAME_HIT), 0, 0);
        ck_assert_int_eq(bytes.found, i == 1 || i == 5);
        for (uint32_t k = 0; k < 5; k++) {
            ck_assert_uint_eq(bytes.known[k], i == 1);
            if (i == 1)
                ck_assert_uint_eq(bytes.bytes[k], 0x11 * (k + 1));
        }
    }
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* What is freed is not shown, until the pointer is written again. */
START_TEST(what_was_freed)
{
    static const es_type pointer = {.kind = ES_TYPE_POINTER, .name = "char *", .size = 4, .of = &byte_type};
    es_reference places[2] = {tree_static(&tree_int, X), tree_static(&pointer, X + 4)};
    tree_statement(&program, tree_write(0), places, 2, -1);
    program.statements[0].predicate_count = 1;
    take(0, (es_reference){.text = "*p", .type = &byte_type, .via = true, .base = 1}, 5);
    model_know(m, X + 0x10, 0x33221100);
    model_know(m, X + 0x14, 0x77665544);
    model_know(m, X + 4, X + 0x11);
    start();
    static const char *const why[] = {NULL, "was freed", "was freed", NULL, "is NULL", "leads out of", NULL};
    for (size_t i = 0; i < sizeof why / sizeof *why; i++) {
        model_fetch(m, i == 1 ? 0x0710 : 0x0110, INSN_NOP);
        if (i == 1)
            model_store(m, X + 0x10, 0, 4); /* by free */
        else if (i == 2)
            model_store(m, X + 0x14, 0x99, 4);
        else if (i)
            model_store(m, X + 4, i == 4 ? 0 : i == 5 ? 0x10000000 : X + 0x11, 4);
        model_fetch(m, 0x0110, INSN_NOP);
        model_store(m, X, 7, 4);
        es_image_bytes bytes = expect_bytes(expect(ES_FRAME_HIT), 0, 0);
        ck_assert_int_eq(bytes.found, why[i] == NULL);
        ck_assert(bytes.found ? bytes.why == NULL : strstr(bytes.why, why[i]) != NULL);
        ck_assert_int_eq(bytes.known[3], bytes.found);
    }
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

START_TEST(locals)
{
    when_written();
    take(0, tree_local(&tree_int, PROCEDURE(F), -20), 6);
    start();
    uint32_t at = TARGET_STACK_TOP - 32 - 20; /* main's frame has 32 bytes */
    model_know(m, at, 0xAABBCCDD);
    model_store(m, X, 1, 4);
    expect_nothing(); /* f is not active */
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_store(m, X, 2, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    es_image_bytes bytes = expect_bytes(expect(ES_FRAME_HIT), 0, 0);
    ck_assert_uint_eq(bytes.address, at);
    ck_assert_uint_eq(bytes.bytes[3], 0xAA);
    ck_assert(bytes.known[3] && !bytes.known[4]);
    target_return(m, 0x0290, MAIN_F);
    model_store(m, X, 3, 4);
    expect_nothing();
}
END_TEST

START_TEST(too_much)
{
    es_error err;
    when_written();
    take(0, tree_static(&byte_type, X), 220);
    ck_assert(es_image_build(&target_symbols, &program, &target_limits, &image, &err));
    es_image_free(&image);
    take(0, tree_static(&byte_type, X), 221);
    ck_assert(!es_image_build(&target_symbols, &program, &target_limits, &image, &err));
    take(0, tree_static(&byte_type, MODEL_WINDOW - 4), 8);
    ck_assert(!es_image_build(&target_symbols, &program, &target_limits, &image, &err));
    take(0, tree_static(&byte_type, X), 0xFFFFFFFF);
    ck_assert(!es_image_build(&target_symbols, &program, &target_limits, &image, &err));
}
END_TEST

/* `write(x) { snapshot a[i] }`, of 5 elements of 3 bytes: any byte of a word may be the first. */
START_TEST(an_element)
{
    es_subscript subscript = {tree_ref(1), 3, 5};
    es_reference places[2] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    es_reference element = tree_static(&byte_type, X + 0x102);
    element.subscripts = &subscript;
    element.subscript_count = 1;
    tree_statement(&program, tree_write(0), places, 2, -1);
    program.statements[0].predicate_count = 1;
    take(0, element, 3);
    start();
    for (uint32_t i = 0; i < 5; i++)
        model_know(m, X + 0x100 + 4 * i, 0x03020100u + 0x04040404 * i);
    model_store(m, X, 1, 4);
    es_image_bytes bytes = expect_bytes(expect(ES_FRAME_HIT), 0, 0);
    ck_assert_str_eq(bytes.why, "its index is not known");
    for (uint32_t i = 0; i < 6; i++) {
        model_know(m, X + 4, i);
        model_store(m, X, 1, 4);
        bytes = expect_bytes(expect(ES_FRAME_HIT), 0, 0);
        if (i == 5)
            ck_assert_str_eq(bytes.why, "its index is none of the array's");
        ck_assert_uint_eq(bytes.found, i < 5);
        for (uint32_t k = 0; k < 3 && i < 5; k++)
            ck_assert_uint_eq(bytes.known[k] ? bytes.bytes[k] : 99, 2 + 3 * i + k);
        ck_assert(i == 5 || bytes.address == X + 0x102 + 3 * i);
    }
    expect_nothing();
    expect_summary(0, 0);
    printf("snapshot of an element: %llu clocks\n", (unsigned long long)m->max_hit_clocks);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshots");
    TCase *tests = tcase_create("snapshots");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, as_of_the_event);
    tcase_add_test(tests, where_a_pointer_leads);
    tcase_add_test(tests, locals);
    tcase_add_test(tests, what_was_freed);
    tcase_add_test(tests, an_element);
    tcase_add_test(tests, too_much);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
