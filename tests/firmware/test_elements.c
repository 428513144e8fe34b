/* Elements of arrays with an index that is a variable: the firmware and images on the model of the probe. */
#include <stdlib.h>

#include "../image/trees.h"
#include "check_main.h"
#include "draw.h"
#include "target.h"

#define BASE 0x20000u

static const es_type tree_llong = {.kind = ES_TYPE_INT, .name = "long long", .size = 8, .is_signed = true};

static es_subscript subscript;
static es_reference references[2]; /* the element, the index */

static void make_references(const es_type *type, uint32_t stride)
{
    subscript = (es_subscript){tree_ref(1), stride, 6};
    references[0] = tree_static(type, BASE + 16);
    references[0].subscripts = &subscript;
    references[0].subscript_count = 1;
    references[1] = tree_static(&tree_int, BASE);
}

/* A probe that watches the program, in whose memory all is 0. */
static model *started(const es_program *program, es_image *image)
{
    es_error err;
    ck_assert_msg(es_image_build(&target_symbols, program, &target_limits, image, &err), "%s", err.text);
    model *m = calloc(1, sizeof *m);
    for (uint32_t at = 0; at < 128; at += 4)
        model_know(m, BASE + at, 0);
    model_start(m, image);
    model_next(m);
    return m;
}

static void expect_no_more(model *m)
{
    ck_assert_ptr_null(model_next(m));
    m->frame_read = m->frame_count = 0;
    m->room = 1000;
}

static void end(model *m, es_image *image)
{
    ck_assert(m->broken == NULL);
    es_image_free(image);
    free(m);
}

/* `size`-byte elements from BASE + 16 on, 6 of them, index at BASE: evaluated at writes of the index and of the element
 * that it names, and of no other. */
static void elements(const es_type *type, uint32_t stride)
{
    es_program program = {0};
    make_references(type, stride);
    es_expr *element = tree_ref(0);
    element->type = type->size == 8 ? ES_VALUE_64 : ES_VALUE_32;
    es_expr *zero = tree_const(0);
    zero->type = element->type;
    tree_statement(&program, tree_binary(ES_OP_NE, element, zero), references, 2, 2);
    es_image image;
    model *m = started(&program, &image);
    int index = 0;
    uint64_t values[6] = {0};
    for (int step = 0; step < 600; step++) {
        bool concerned = true;
        if (draw(3) == 0) {
            index = (int)draw(10) - 2;
            model_store(m, BASE, (uint32_t)index, 4);
        } else {
            unsigned n = draw(6);
            values[n] = draw(3);
            concerned = (int)n == index;
            for (uint32_t at = 0; at < type->size; at += 4)
                model_store(m, BASE + 16 + n * stride + at, at ? 0 : (uint32_t)values[n],
                            type->size < 4 ? type->size : 4);
        }
        model_settle(m);
        if (concerned && index >= 0 && index < 6 && values[index]) {
            const model_frame *frame = model_next(m);
            ck_assert_ptr_nonnull(frame);
            ck_assert_uint_eq(frame->words[5], (uint32_t)values[index]);
            ck_assert_int_eq((int)frame->words[type->size == 8 ? 7 : 6], index);
        }
        expect_no_more(m);
    }
    end(m, &image);
}

START_TEST(variable_index)
{
    elements(&tree_int, 4);
    elements(&tree_int, 12);
    elements(&tree_uchar, 1);
    elements(&tree_uchar, 3);
    elements(&tree_ushort, 2);
    elements(&tree_llong, 8);
    elements(&tree_llong, 12);
}
END_TEST

/* `old(a[i]) == 1 && write(a[i])`: the value that the write has replaced; when it came in parts, it is not known. */
static void old_elements(const es_type *type, uint32_t stride)
{
    es_program program = {0};
    make_references(type, stride);
    es_expr *old = tree_ref(0);
    old->kind = ES_EXPR_OLD;
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_write(0), tree_binary(ES_OP_EQ, old, tree_const(1))),
                   references, 2, 1);
    es_image image;
    model *m = started(&program, &image);
    uint32_t index = 0, values[6] = {0}, unknown = 0;
    for (int step = 0; step < 600; step++) {
        bool hit = false;
        if (draw(3) == 0) {
            index = draw(6);
            model_store(m, BASE, index, 4);
        } else {
            uint32_t n = draw(6), put = draw(3), at = BASE + 16 + n * stride;
            bool parts = type->size > 1 && draw(4) == 0;
            hit = n == index && values[n] == 1 && !parts;
            unknown += n == index && parts;
            values[n] = put;
            for (uint32_t byte = 0; parts && byte < type->size; byte++)
                model_store(m, at + byte, byte ? 0 : put, 1);
            if (!parts)
                model_store(m, at, put, type->size);
        }
        model_settle(m);
        const model_frame *frame = model_next(m);
        ck_assert_int_eq(frame != NULL, hit);
        ck_assert(!frame || frame->words[5] == values[index]);
        expect_no_more(m);
    }
    model_mail(m, ES_MAIL_FLUSH);
    model_next(m);
    const model_frame *done = model_next(m);
    ck_assert_ptr_nonnull(done);
    ck_assert_uint_eq(done->words[3], unknown);
    end(m, &image);
}

START_TEST(old_with_variable_index)
{
    old_elements(&tree_int, 4);
    old_elements(&tree_int, 12);
    old_elements(&tree_uchar, 1);
    old_elements(&tree_uchar, 3);
    old_elements(&tree_ushort, 2);
}
END_TEST

int main(void)
{
    draw_seed = 7;
    Suite *suite = suite_create("elements");
    TCase *tests = tcase_create("elements");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, variable_index);
    tcase_add_test(tests, old_with_variable_index);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
