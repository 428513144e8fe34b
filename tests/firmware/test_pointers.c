/* The real firmware with real images, on the model of the probe. Pointers that statements follow, and the slots that
 * move with them: over each other, over words that are armed for themselves, over frames, and out of phantom memory. */
#include "harness.h"

#include <stdlib.h>

#define P 0x20100u /* pointers to OBJECT */
#define Q 0x20104u
#define A 0x21000u /* objects */
#define B 0x21040u
#define VALUE 8 /* offset of their int */
#define NEXT 12 /* ... of a pointer to another */
#define CFA_CALLEE_OF_MAIN (TARGET_STACK_TOP - 32)

static const es_member members[] = {
    {"words", &tree_int, 0, 0, 0}, {"value", &tree_int, VALUE, 0, 0}, {"half", &tree_short, 16, 0, 0}};
static const es_type object = {
    .kind = ES_TYPE_STRUCT, .name = "struct object", .size = 32, .members = members, .member_count = 3};
static const es_type pointer = {.kind = ES_TYPE_POINTER, .name = "struct object *", .size = 4, .of = &object};
static const es_type char_pointer = {.kind = ES_TYPE_POINTER, .name = "char *", .size = 4, .of = &tree_uchar};
static const es_type short_pointer = {.kind = ES_TYPE_POINTER, .name = "short *", .size = 4, .of = &tree_short};

static es_reference through(const es_type *type, size_t base, int32_t offset)
{
    return (es_reference){.text = "p->x",
                          .type = type,
                          .size = (uint8_t)type->size,
                          .address = (uint32_t)offset,
                          .via = true,
                          .base = base};
}

/* `p->value > 5 { print p->value }` */
static void statement_value(uint32_t variable)
{
    es_reference refs[] = {tree_static(&pointer, variable), through(&tree_int, 0, VALUE)};
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(1), tree_const(5)), refs, 2, 1);
    statement->actions[0].items[0].index = 1;
}

static unsigned plane(uint32_t address)
{
    return m->data_plane[address / 4];
}

START_TEST(moves)
{
    statement_value(P);
    model_know(m, P, 0);
    model_know(m, A + VALUE, 7);
    model_know(m, B + VALUE, 3);
    start();
    ck_assert_uint_eq(plane(P), 3);
    model_store(m, P, A, 4);
    printf("write to a pointer: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_hit(0, 0, 0, 1, 7); /* the object's value is now p->value */
    ck_assert_uint_eq(plane(A + VALUE), 2);
    ck_assert_uint_eq(plane(A), 2); /* where the allocator would write */
    ck_assert_uint_eq(plane(A + 4), 2);
    model_store(m, A + VALUE, 9, 4);
    printf("write through a pointer, sent: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_hit(0, 0, 0, 1, 9);
    model_store(m, A + VALUE, 1, 4);
    printf("write through a pointer, false: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_store(m, A, 100, 4);
    expect_nothing();
    model_store(m, P, B, 4);
    printf("pointer moved from an object to another: %llu clocks\n", (unsigned long long)m->hit_clocks);
    ck_assert_uint_eq(plane(A + VALUE) | plane(A) | plane(A + 4), 0);
    model_store(m, A + VALUE, 50, 4);
    expect_nothing();
    model_store(m, B + VALUE, 51, 4);
    expect_hit(0, 0, 0, 1, 51);
    model_store(m, P, 0, 4);
    model_store(m, B + VALUE, 52, 4);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

START_TEST(begins_where_the_program_file_says)
{
    statement_value(P);
    model_know(m, P, A);
    start();
    model_store(m, A + VALUE, 6, 4);
    expect_hit(0, 0, 0, 1, 6);
}
END_TEST

START_TEST(points_nowhere)
{
    statement_value(P);
    start(); /* p is not known */
    static const uint32_t nowhere[] = {
        0, A + 1, A + 2, MODEL_WINDOW - VALUE, MODEL_WINDOW - VALUE - 3, 0x80000000u, 0xFFFFFFFCu, 0xFFFFFFF8u};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        model_store(m, P, nowhere[i], 4);
        expect_nothing();
        unsigned armed = 0;
        for (uint32_t word = 0; word < MODEL_WINDOW; word += 4)
            armed += plane(word);
        ck_assert_uint_eq(armed, 3); /* the pointer itself */
    }
    model_know(m, MODEL_WINDOW - 4, 8);
    model_store(m, P, MODEL_WINDOW - VALUE - 4, 4); /* the last place */
    expect_hit(0, 0, 0, 1, 8);
    model_store(m, P, A, 4); /* its value is not known */
    expect_summary(1, 0);
}
END_TEST

START_TEST(one_evaluation)
{
    es_reference refs[] = {tree_static(&pointer, P), through(&tree_int, 0, VALUE), tree_static(&pointer, Q),
                           through(&tree_int, 2, VALUE), tree_static(&tree_int, A + VALUE)};
    statement_value(P);
    es_expr *same = tree_binary(ES_OP_EQ, tree_ref(1), tree_ref(3));
    tree_statement(&program, tree_binary(ES_OP_LOGAND, same, tree_binary(ES_OP_EQ, tree_ref(4), tree_ref(1))), refs, 5,
                   5);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &refs[4], 1, 1);
    model_know(m, P, A);
    model_know(m, Q, A);
    start();
    model_store(m, A + VALUE, 9, 4); /* p->value, q->value, and a variable of its own: each statement once, in order */
    expect_hit(0, 0, 0, 1, 9);
    expect_hit(1, 0, 0, 5, A);
    expect_hit(2, 0, 0, 1, 9);
    expect_nothing();
    model_store(m, Q, 0, 4);
    model_store(m, A + VALUE, 10, 4);
    expect_hit(0, 0, 0, 1, 10);
    expect_hit(2, 0, 0, 1, 10);
    expect_nothing();
}
END_TEST

START_TEST(freed)
{
    statement_value(P);
    statement_value(Q);
    model_know(m, P, A);
    model_know(m, Q, A);
    start();
    model_fetch(m, 0x0110, INSN_NOP);
    model_store(m, A + VALUE, 6, 4);
    expect_hit(0, 0, 0x0110, 1, 6);
    expect_hit(1, 0, 0x0110, 1, 6);
    model_fetch(m, 0x0710, INSN_NOP);
    model_store(m, A + 4, 0x1234, 4); /* by free */
    for (uint32_t word = A; word < A + 32; word += 4)
        ck_assert_uint_eq(plane(word), 0);
    model_fetch(m, 0x0110, INSN_NOP);
    model_store(m, A + VALUE, 77, 4); /* somebody else's object */
    expect_nothing();
    model_store(m, P, A, 4); /* which p points to now; the same value is a new beginning */
    expect_hit(0, 0, 0x0110, 1, 77);
    model_store(m, A + VALUE, 78, 4);
    expect_hit(0, 0, 0x0110, 1, 78);
    model_fetch(m, 0x07FC, INSN_NOP);
    model_store(m, A + VALUE, 79, 4); /* the allocator writes into the word that is watched */
    expect_nothing();
    ck_assert_uint_eq(plane(A + VALUE), 0);
    expect_summary(0, 0);
}
END_TEST

START_TEST(chain)
{
    es_reference refs[] = {tree_static(&pointer, P), through(&pointer, 0, NEXT), through(&tree_int, 1, VALUE)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(2), tree_const(5)), refs, 3, 3);
    tree_statement(&program, tree_write(1), refs, 2, 2);
    model_know(m, P, A);
    start();
    model_know(m, B + VALUE, 8);
    model_store(m, A + NEXT, B, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[3], 0);
    ck_assert_uint_eq(frame->words[6], B);
    ck_assert_uint_eq(frame->words[7], 8);
    expect_hit(1, 0, 0, 2, A);
    model_store(m, B + VALUE, 9, 4);
    expect_hit(0, 0, 0, 3, A);
    model_store(m, A + NEXT, A, 4); /* a ring of one, whose value is not known */
    expect_hit(1, 0, 0, 2, A);
    model_store(m, A + VALUE, 6, 4);
    expect_hit(0, 0, 0, 3, A);
    model_store(m, A + NEXT, B, 4); /* p->next, and p->next->next as well if anybody asked */
    expect_hit(0, 0, 0, 3, A);
    expect_hit(1, 0, 0, 2, A);
    model_store(m, P, B, 4); /* whose next is not known */
    model_store(m, A + NEXT, A, 4);
    model_store(m, B + VALUE, 10, 4);
    expect_nothing();
    expect_summary(1, 0);
}
END_TEST

/* `p->value != old(p->value) { print p->value, old(p->value) }`, and the same of a char beside it */
START_TEST(before)
{
    es_reference refs[] = {tree_static(&pointer, P), through(&tree_int, 0, VALUE), through(&tree_uchar, 0, 1)};
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(1), tree_old(1)), refs, 2, 2);
    statement->actions[0].items[0].index = 1;
    statement->actions[0].items[1] = (es_print_item){.name = "old(p->x)", .index = 1, .old = true};
    statement = tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(2), tree_old(2)), refs, 3, 2);
    statement->actions[0].items[0].index = 2;
    statement->actions[0].items[1] = (es_print_item){.name = "old(p->c)", .index = 2, .old = true};
    for (uint32_t i = 0; i < 16; i += 4) {
        model_know(m, A + i, 0x0101);
        model_know(m, B + i, 0x0202);
    }
    start();
    model_store(m, P, A, 4); /* before, it pointed to nothing */
    expect_nothing();
    model_store(m, A + VALUE, 0x0102, 4);
    expect_hit(0, 0, 0, 2, 0x0102);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 0x0101);
    model_store(m, A + VALUE, 0x03, 1); /* in parts: as of before the first */
    model_store(m, A + VALUE + 1, 0x04, 1);
    model_store(m, A + VALUE + 2, 0, 2);
    expect_hit(0, 0, 0, 2, 0x0403);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 0x0102);
    model_store(m, A + 1, 7, 1);
    expect_hit(1, 0, 0, 2, 7);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 1);
    model_store(m, P, B, 4); /* what p->value was then, where p pointed to */
    expect_hit(0, 0, 0, 2, 0x0202);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 0x0403);
    expect_hit(1, 0, 0, 2, 2);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 7);
    model_store(m, B + VALUE, 0x0202, 4); /* the same value: no change */
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* Values of 64 bits; what is only printed, where the event wrote it through another pointer or not. */
START_TEST(before_what_is_wide_or_only_printed)
{
    static const es_type wide = {.kind = ES_TYPE_INT, .name = "unsigned long long", .size = 8};
    es_reference refs[] = {tree_static(&pointer, P), through(&wide, 0, VALUE), tree_static(&pointer, Q),
                           through(&tree_int, 2, VALUE)};
    es_expr *value = tree_ref(1), *old = tree_old(1);
    value->type = old->type = ES_VALUE_64;
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_NE, value, old), refs, 4, 1);
    statement->predicate_count = 2;
    statement->actions[0].items[0] = (es_print_item){.name = "old(p->w)", .index = 1, .old = true};
    es_reference only[] = {tree_static(&tree_int, X), refs[2], refs[3]};
    only[2].base = 1;
    statement = tree_statement(&program, tree_write(0), only, 3, 1);
    statement->predicate_count = 1;
    statement->actions[0].items[0] = (es_print_item){.name = "old(q->x)", .index = 2, .old = true};
    es_reference both[] = {refs[0], through(&tree_int, 0, VALUE), refs[2], refs[3]};
    statement = tree_statement(&program, tree_write(1), both, 4, 1);
    statement->predicate_count = 2;
    statement->actions[0].items[0] = (es_print_item){.name = "old(q->x)", .index = 3, .old = true};
    for (uint32_t i = 0; i < 16; i += 4) {
        model_know(m, A + i, 1);
        model_know(m, B + i, 2);
    }
    model_know(m, P, A);
    model_know(m, Q, A);
    start();
    model_store(m, A + VALUE, 9, 4); /* half of it */
    expect_hit(2, 0, 0, 1, 1);       /* q->value is p->value */
    model_store(m, A + VALUE + 4, 8, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 1);
    ck_assert_uint_eq(frame->words[6], 1);
    model_store(m, X, 5, 4); /* did not write it */
    expect_hit(1, 0, 0, 1, 9);
    model_store(m, P, B, 4); /* p->w as it was */
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 9);
    ck_assert_uint_eq(frame->words[6], 8);
    model_store(m, B + VALUE, 3, 4);
    expect_hit(2, 0, 0, 1, 9); /* q's is another object */
    model_store(m, Q, X - VALUE, 4);
    model_store(m, X, 6, 4); /* x is q->value */
    expect_hit(1, 0, 0, 1, 5);
    model_store(m, Q, 0, 4);
    model_store(m, X, 7, 4);
    expect_nothing();
    expect_summary(0, 1); /* half of p->w */
}
END_TEST

START_TEST(places_in_a_word)
{
    es_reference c[] = {tree_static(&char_pointer, P), through(&tree_uchar, 0, 0)};
    es_reference s[] = {tree_static(&short_pointer, Q), through(&tree_short, 0, 2)};
    es_statement *first = tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(1), tree_const(0)), c, 2, 1);
    es_statement *second = tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(1), tree_const(0)), s, 2, 1);
    first->actions[0].items[0].index = second->actions[0].items[0].index = 1;
    model_know(m, A, 0);
    model_know(m, A + 4, 0);
    start();
    for (uint32_t place = 0; place < 4; place++) {
        model_store(m, P, A + place, 4);
        expect_nothing();
        model_store(m, A + ((place + 1) & 3), 1, 1);
        expect_nothing();
        model_store(m, A + place, 2, 1);
        expect_hit(0, 0, 0, 1, 2);
        model_store(m, A, 0, 4);
    }
    model_store(m, P, 0, 4);
    for (uint32_t place = 0; place < 4; place++) {
        model_store(m, Q, A + place, 4);
        model_store(m, A + 2 + place / 2 * 2, 0x0105, 1); /* in parts */
        expect_nothing();
        model_store(m, A + 3 + place / 2 * 2, 0x04, 1);
        if (place % 2 == 0)
            expect_hit(1, 0, 0, 1, 0x0405);
        expect_nothing();
        model_store(m, A, 0, 4);
        model_store(m, A + 4, 0, 4);
    }
    expect_summary(0, 0);
}
END_TEST

START_TEST(parts_of_an_object_left)
{
    statement_value(P);
    model_know(m, P, A);
    model_know(m, B + VALUE, 0);
    start();
    model_store(m, A + VALUE, 7, 2);
    model_store(m, P, B, 4); /* what was begun is given up */
    model_store(m, B + VALUE, 7, 2);
    expect_nothing();
    model_store(m, B + VALUE + 2, 7, 2);
    expect_hit(0, 0, 0, 1, 0x70007);
    expect_summary(0, 1);
}
END_TEST

START_TEST(over_a_frame)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(F), -20);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), &local, 1, 1);
    statement_value(P);
    uint32_t word = CFA_CALLEE_OF_MAIN - 20;
    model_know(m, P, word - VALUE);
    start();
    ck_assert_uint_eq(plane(word), 2);
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, word, 6, 4); /* of no frame yet */
    PATH(0, SITE_MAIN);
    expect_hit(1, 0, MAIN_F & ~0xFFu, 1, 6);
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(plane(word), 2);
    model_store(m, word, 7, 4);
    PATH(1, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 7);
    expect_hit(1, 0, 0x200, 1, 7);
    model_store(m, P, 0, 4);
    ck_assert_uint_eq(plane(word), 1);
    model_store(m, word, 8, 4);
    expect_hit(0, 0, 0x200, 1, 8);
    model_store(m, P, word - VALUE, 4);
    expect_hit(1, 0, 0x200, 1, 8);
    target_return(m, 0x290, MAIN_F);
    ck_assert_uint_eq(plane(word), 2);
    model_store(m, word, 9, 4);
    PATH_CUT_TO(1);
    expect_hit(1, 0, MAIN_F + 4, 1, 9);
    model_store(m, P, 0, 4);
    ck_assert_uint_eq(plane(word), 0);
    expect_nothing();
}
END_TEST

START_TEST(local_pointer)
{
    es_reference refs[] = {tree_local(&pointer, PROCEDURE(F), -20), through(&tree_int, 0, VALUE)};
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(1), tree_const(5)), refs, 2, 1);
    statement->actions[0].items[0].index = 1;
    uint32_t variable = CFA_CALLEE_OF_MAIN - 20;
    model_know(m, variable, A); /* left by somebody */
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, variable, A, 4);
    model_store(m, A + VALUE, 6, 4);
    expect_nothing();
    target_call(m, MAIN_F, F);
    model_store(m, A + VALUE, 7, 4); /* not written yet in this activation */
    expect_nothing();
    model_store(m, variable, A, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 7);
    model_store(m, A + VALUE, 8, 4);
    expect_hit(0, 0, 0x200, 1, 8);
    target_return(m, 0x290, MAIN_F);
    ck_assert_uint_eq(plane(A + VALUE), 0);
    model_store(m, A + VALUE, 9, 4);
    expect_nothing();
}
END_TEST

/* `p[i].value > 5 { print p[i].value }`: one element at a time, wherever p and i say */
START_TEST(element_behind_a_pointer)
{
    es_subscript index = {tree_ref(1), 32, 0};
    es_reference refs[] = {tree_static(&pointer, P), tree_static(&tree_int, X), through(&tree_int, 0, VALUE)};
    refs[2].subscripts = &index;
    refs[2].subscript_count = 1;
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(2), tree_const(5)), refs, 3, 1);
    statement->actions[0].items[0].index = 2;
    model_know(m, P, A);
    for (uint32_t i = 0; i < 4; i++)
        model_know(m, A + 32 * i + VALUE, i);
    model_know(m, B + 32 + VALUE, 6);
    start(); /* i is not known */
    model_store(m, A + VALUE, 9, 4);
    expect_nothing();
    model_store(m, X, 1, 4);
    printf("an index written, the element's three words armed: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
    ck_assert_uint_eq(plane(A + 32 + VALUE), 2);
    ck_assert_uint_eq(plane(A + VALUE) | plane(A + 32) | plane(A + 36), 0);
    ck_assert_uint_eq(plane(A), 2); /* where the allocator would write into the whole */
    model_store(m, A + 32 + VALUE, 10, 4);
    expect_hit(0, 0, 0, 1, 10);
    model_store(m, X, 0, 4);
    expect_hit(0, 0, 0, 1, 9); /* another element, which is more than 5 */
    model_store(m, A + 32 + VALUE, 11, 4);
    expect_nothing();
    model_store(m, X, 2, 2); /* in parts */
    model_store(m, A + 64 + VALUE, 8, 4);
    expect_nothing();
    model_store(m, X + 2, 0, 2);
    expect_hit(0, 0, 0, 1, 8);
    model_store(m, X, 0xFFFFFFFF, 4); /* before the first */
    ck_assert_uint_eq(plane(A - 32 + VALUE), 2);
    model_store(m, A - 32 + VALUE, 12, 4);
    expect_hit(0, 0, 0, 1, 12);
    model_store(m, X, 0x01000000, 4); /* out of the memory */
    model_store(m, A - 32 + VALUE, 13, 4);
    expect_nothing();
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0, 1, 11);
    model_store(m, P, B, 4);
    expect_hit(0, 0, 0, 1, 6);
    model_store(m, A + 32 + VALUE, 14, 4);
    expect_nothing();
    model_fetch(m, 0x0710, INSN_NOP);
    model_store(m, B, 0x1234, 4); /* by free, into the first word of all */
    model_fetch(m, 0x0110, INSN_NOP);
    model_store(m, B + 32 + VALUE, 15, 4);
    model_store(m, X, 1, 4); /* the index says nothing about what p points to */
    model_store(m, X, 2, 4);
    model_store(m, X, 1, 4);
    expect_nothing();
    ck_assert_uint_eq(plane(B + 32 + VALUE), 0);
    model_store(m, P, B, 4);
    expect_hit(0, 0, 0x0110, 1, 15);
    model_fetch(m, 0x0710, INSN_NOP);
    model_store(m, B + 32 + VALUE, 7, 4); /* into the element that is watched */
    model_fetch(m, 0x0110, INSN_NOP);
    model_store(m, B + 32 + VALUE, 8, 4);
    model_store(m, X, 1, 4);
    expect_nothing();
    model_store(m, P, 0, 4);
    model_store(m, X, 0, 4);
    expect_nothing();
    expect_summary(1, 0); /* of the one before the first, which was not known */
}
END_TEST

/* `a[i]->value > 5 && p->half[i] != 9`, half of two elements */
START_TEST(element_that_leads_on)
{
    es_subscript first = {tree_ref(0), 4, 3}, second = {tree_ref(0), 2, 2};
    es_reference refs[] = {tree_static(&tree_int, X), tree_static(&pointer, P), through(&tree_int, 1, VALUE),
                           tree_static(&pointer, Q + 0x40), through(&tree_short, 3, 16)};
    refs[1].subscripts = &first;
    refs[4].subscripts = &second;
    refs[1].subscript_count = refs[4].subscript_count = 1;
    es_statement *statement =
        tree_statement(&program,
                       tree_binary(ES_OP_LOGAND, tree_binary(ES_OP_GT, tree_ref(2), tree_const(5)),
                                   tree_binary(ES_OP_NE, tree_ref(4), tree_const(9))),
                       refs, 5, 1);
    statement->actions[0].items[0].index = 2;
    model_know(m, P, A);
    model_know(m, P + 4, B);
    model_know(m, Q + 0x40, A);
    model_know(m, X, 0);
    model_know(m, A + VALUE, 0);
    model_know(m, B + VALUE, 0);
    model_know(m, A + 16, 0x00090000);
    start();
    model_store(m, A + VALUE, 6, 4);
    expect_hit(0, 0, 0, 1, 6);
    model_store(m, X, 1, 4);
    model_store(m, A + VALUE, 7, 4); /* a[0]'s, no more */
    model_store(m, B + VALUE, 7, 4); /* half[1] is 9 */
    expect_nothing();
    model_store(m, A + 16, 1, 2);
    expect_nothing();
    model_store(m, A + 18, 1, 2);
    expect_hit(0, 0, 0, 1, 7);
    model_store(m, P, 0, 4); /* a[0] */
    expect_nothing();
    model_store(m, P + 4, A, 4);
    expect_hit(0, 0, 0, 1, 7);
    model_store(m, X, 2, 4); /* there is no half[2] */
    model_store(m, P + 8, A, 4);
    model_store(m, A + VALUE, 8, 4);
    expect_nothing();
    model_store(m, X, 3, 4);
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0, 1, 8);
    expect_summary(0, 0);
}
END_TEST

/* `p[k].value > 5`, k a local: what its frame holds before k is written is no index of anybody's */
START_TEST(index_in_a_frame)
{
    es_subscript index = {tree_ref(1), 32, 0};
    es_reference refs[] = {tree_static(&pointer, P), tree_local(&tree_int, PROCEDURE(F), -20),
                           through(&tree_int, 0, VALUE)};
    refs[2].subscripts = &index;
    refs[2].subscript_count = 1;
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(2), tree_const(5)), refs, 3, 1);
    statement->actions[0].items[0].index = 2;
    uint32_t variable = CFA_CALLEE_OF_MAIN - 20;
    model_know(m, P, A);
    model_know(m, A + VALUE, 0);
    model_know(m, A + 32 + VALUE, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, variable, 1, 4);
    model_store(m, A + 32 + VALUE, 6, 4);
    expect_nothing();
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(plane(A + 32 + VALUE), 0); /* what the stack holds is none of this activation's */
    model_store(m, variable, 0, 4);
    ck_assert_uint_eq(plane(A + VALUE), 2);
    model_store(m, A + VALUE, 7, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 7);
    target_return(m, 0x290, MAIN_F);
    ck_assert_uint_eq(plane(A + VALUE), 0);
    model_store(m, A + VALUE, 9, 4);
    expect_nothing();
}
END_TEST

/* Three pointers among a few places, some of them armed for themselves: planes and hits are always what they would be
 * if all of it had been looked up afresh. */
START_TEST(any_order)
{
    enum { POINTERS = 3, PLACES = 6 };
    es_reference own = tree_static(&tree_int, A + VALUE + 4),
                 other[] = {tree_static(&tree_int, A + VALUE + 8), tree_static(&tree_int, X)};
    for (unsigned i = 0; i < POINTERS; i++)
        statement_value(P + 4 * i);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), &own, 1, 1); /* without lock */
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), other, 2, 1);
    uint32_t at[POINTERS] = {0};
    for (unsigned i = 0; i < 16; i++)
        model_know(m, A + 4 * i, 0);
    model_know(m, X, 5);
    start();
    srand(1);
    for (unsigned step = 0; step < 3000; step++) {
        unsigned i = (unsigned)rand() % POINTERS, place = (unsigned)rand() % PLACES;
        at[i] = place ? A + 4 * (place - 1) : 0;
        model_store(m, P + 4 * i, at[i], 4); /* nothing is more than 5 */
        expect_nothing();
        for (uint32_t word = A; word < A + 64; word += 4) {
            bool covered = false;
            for (unsigned k = 0; k < POINTERS; k++)
                covered |= at[k] && (word == at[k] || word == at[k] + 4 || word == at[k] + VALUE);
            ck_assert_uint_eq(plane(word), covered ? 2 : word == own.address ? 1 : word == other[0].address ? 3 : 0);
        }
        if (step % 4)
            continue;
        uint32_t word = A + VALUE + 4 * ((unsigned)rand() % PLACES);
        m->frame_read = m->frame_count = 0;
        m->sequence = 0;
        model_store(m, word, 6, 4);
        for (unsigned k = 0; k < POINTERS; k++)
            if (at[k] && word == at[k] + VALUE)
                expect_hit(k, 0, 0, 1, 6);
        if (word == own.address)
            expect_hit(POINTERS, 0, 0, 1, 6);
        if (word == other[0].address)
            expect_hit(POINTERS + 1, 0, 0, 1, 6);
        expect_nothing();
        model_store(m, word, 0, 4);
        expect_nothing();
    }
}
END_TEST

/* `p[n].value > 5 { print p[n].value }`, and n is counted at each write to x: that is no event, and what is written
 * after it is another object. */
START_TEST(moved_by_a_counter)
{
    static es_expr n = {.kind = ES_EXPR_COUNTER, .type = ES_VALUE_32, .is_signed = true};
    es_subscript subscript = {&n, 32, 0};
    es_reference x = tree_static(&tree_int, X), refs[] = {tree_static(&pointer, P), through(&tree_int, 0, VALUE)};
    refs[1].subscripts = &subscript;
    refs[1].subscript_count = 1;
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(1), tree_const(5)), refs, 2, 1);
    statement->actions[0].items[0].index = 1;
    statement = tree_statement(&program, tree_write(0), &x, 1, 1);
    tree_count(statement, &program, 0);
    model_know(m, P, 0);
    for (uint32_t i = 0; i < 4; i++)
        model_know(m, A + 32 * i + VALUE, 10 + i);
    start();
    model_store(m, P, A, 4);
    expect_hit(0, 0, 0, 1, 10);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(plane(A + 32 * i + VALUE), 2);
        model_store(m, X, i, 4);
        expect_hit(1, 0, 0, 1, i);
        printf("a statement whose counter moves an element: %llu clocks\n", (unsigned long long)m->hit_clocks);
        ck_assert_uint_eq(plane(A + 32 * i + VALUE), 0);
        model_store(m, A + 32 * i + VALUE, 20, 4); /* not any more */
        expect_nothing();
        model_store(m, A + 32 * (i + 1) + VALUE, 30 + i, 4);
        expect_hit(0, 0, 0, 1, 30 + i);
    }
    expect_summary(0, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("firmware: pointers");
    TCase *tests = tcase_create("pointers");
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, moves);
    tcase_add_test(tests, begins_where_the_program_file_says);
    tcase_add_test(tests, points_nowhere);
    tcase_add_test(tests, one_evaluation);
    tcase_add_test(tests, freed);
    tcase_add_test(tests, chain);
    tcase_add_test(tests, before);
    tcase_add_test(tests, before_what_is_wide_or_only_printed);
    tcase_add_test(tests, places_in_a_word);
    tcase_add_test(tests, parts_of_an_object_left);
    tcase_add_test(tests, over_a_frame);
    tcase_add_test(tests, local_pointer);
    tcase_add_test(tests, element_behind_a_pointer);
    tcase_add_test(tests, element_that_leads_on);
    tcase_add_test(tests, index_in_a_frame);
    tcase_add_test(tests, any_order);
    tcase_add_test(tests, moved_by_a_counter);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
