#include "harness.h"

#include "../ir/checker.h"

#include <stdlib.h>
#include <string.h>

model *m;
es_program program;
es_image image;

void harness_setup(void)
{
    m = calloc(1, sizeof *m);
    es_ir_check = ir_checker;
    memset(&program, 0, sizeof program);
}

void harness_teardown(void)
{
    ck_assert_msg(m->broken == NULL, "%s", m->broken);
    es_image_free(&image);
    free(m);
}

/* Builds the image, starts the firmware and checks its greeting. */
void start_on(const es_probe_limits *limits)
{
    es_error err;
    ck_assert_msg(es_image_build(&target_symbols, &program, limits, &image, &err), "%s", err.text);
    model_start(m, &image);
    const model_frame *hello = model_next(m);
    ck_assert_ptr_nonnull(hello);
    ck_assert_uint_eq(hello->words[0], ES_FRAME_HELLO | 2 << 8);
    ck_assert_uint_eq(hello->words[2], image.checksum);
}

void start(void)
{
    start_on(&target_limits);
}

const model_frame *expect(uint32_t kind)
{
    const model_frame *frame = model_next(m);
    ck_assert_msg(frame != NULL, "a frame of kind %u is missing", (unsigned)kind);
    ck_assert_uint_eq(frame->words[0] & 0xFF, kind);
    ck_assert_uint_eq(frame->words[0] >> 16, (uint32_t)(frame - m->frames));
    return frame;
}

void expect_nothing(void)
{
    ck_assert_ptr_null(model_next(m));
}

/* A PATH frame with `keep` and the sites up to a 0xFFFFFFFF. */
void expect_path(uint32_t keep, const uint32_t *sites)
{
    const model_frame *frame = expect(ES_FRAME_PATH);
    size_t count = 0;
    while (sites[count] != 0xFFFFFFFFu)
        count++;
    ck_assert_uint_eq(frame->words[1], keep | (uint32_t)count << 16);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(frame->words[2 + i], sites[i]);
}

void expect_hit(unsigned statement, uint32_t flags, uint32_t pc, size_t values, uint32_t value)
{
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 5 + values);
    ck_assert_uint_eq(frame->words[3], statement | flags << 16);
    ck_assert_uint_eq(frame->words[4], pc);
    if (values)
        ck_assert_uint_eq(frame->words[5], value);
}

void expect_unknown(unsigned statement, uint32_t pc, size_t values, uint32_t unknown)
{
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 5 + values + 1);
    ck_assert_uint_eq(frame->words[3], statement);
    ck_assert_uint_eq(frame->words[4], pc);
    ck_assert_uint_eq(frame->words[5 + values], unknown);
}

void statement_x_above(uint32_t limit)
{
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(limit)), &x, 1, 1);
}

/* Flushes; the summary tells so many evaluations that met unknown memory and variables left half-written. */
void expect_summary(uint32_t unknown, uint32_t incomplete)
{
    model_mail(m, ES_MAIL_FLUSH);
    expect(ES_FRAME_COUNTERS);
    const model_frame *done = expect(ES_FRAME_DONE);
    ck_assert_uint_eq(done->words[3], unknown);
    ck_assert_uint_eq(done->words[4], incomplete);
}
