/* PPAT shapes, limits and what is said when they are met. */
#include <string.h>

#include "blocks.h"
#include "check_main.h"
#include "probe_defs.h"
#include "trees.h"

START_TEST(empty_program)
{
    add_procedures(1);
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(header()->magic, ES_MI_MAGIC);
    ck_assert_uint_eq(header()->size, image.size);
    ck_assert_uint_eq(image.keys_fetch, 1); /* the root's entry: the program starts anew */
    es_image_free(&image);
    symbols.procedure_count = 0;
    ck_assert_msg(build(), "%s", err.text);
    es_image_free(&image);
}
END_TEST

START_TEST(tree_is_pruned)
{
    add_procedures(6);
    add_call(0, 1, false);
    add_call(1, 2, false);
    add_call(1, 2, false); /* a second call of the same procedure is the same node */
    add_call(1, 3, false);
    add_call(2, 4, false);
    add_call(3, 4, false);
    add_call(3, 5, false); /* leads nowhere */
    watch_local(4);
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(image.nodes, 5);     /* root, 1, 2, 3, 4 */
    ck_assert_uint_eq(image.keys_data, 1); /* both paths put it at the same place */
    es_image_free(&image);
    frames[3] = 32;
    ck_assert(build());
    ck_assert_uint_eq(image.nodes, 6); /* 4 twice */
    ck_assert_uint_eq(image.keys_data, 2);
    es_image_free(&image);
}
END_TEST

START_TEST(indirect_calls_reach_all_address_taken)
{
    add_procedures(4);
    add_call(0, 1, false);
    add_call(1, -1, false);
    procedures[2].address_taken = procedures[3].address_taken = true;
    watch_local(3);
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(image.nodes, 3);
    es_image_free(&image);
}
END_TEST

/* The es_mi_frame of a procedure. */
static const struct es_mi_frame *frame_of(size_t procedure)
{
    size_t at = sizeof(struct es_mi_header) + procedure * (8 + sizeof(struct es_mi_procedure)) + 8;
    const struct es_mi_procedure *record = (const struct es_mi_procedure *)(image.bytes + at);
    ck_assert(record->frame_at);
    return (const struct es_mi_frame *)(image.bytes + record->frame_at - ES_IMAGE_BASE);
}

START_TEST(frames_that_move)
{
    add_procedures(5);
    add_call(0, 1, false);
    add_call(1, 2, false);
    add_call(2, 3, false);
    watch_local(3);
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(header()->moving_count, 0);
    es_image_free(&image);
    add_call(2, 2, false); /* recursive: followed from caller to callee */
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(header()->moving_count, 1);
    ck_assert_uint_eq(header()->slot_count, 1);
    ck_assert_uint_eq(header()->root_cfa, ES_PHANTOM_BASE + 0x40000 - 16);
    ck_assert_uint_eq(image.keys_data, 0);
    ck_assert_uint_eq(frame_of(1)->size, 16);
    ck_assert_uint_eq(frame_of(3)->learn_at, 0);
    size_t fetches = image.keys_fetch;
    es_image_free(&image);
    frames[2] = -1; /* learned, when it begins with a store into its frame that is none to the local */
    static const es_store first[] = {{.site = 0x304, .kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -8},
                                     {.site = 0x308, .kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -12},
                                     {.site = 0x310, .kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -4}};
    struct fake_prologue prologues[5] = {[3] = {first, 3, 0x320}};
    symbols.prologues = prologues;
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(image.keys_fetch, fetches + 1);
    const struct es_mi_learn *learn = (const struct es_mi_learn *)(image.bytes + frame_of(3)->learn_at - ES_IMAGE_BASE);
    ck_assert_uint_eq(learn->store, 0x308);
    ck_assert_uint_eq(learn->point, 0x310);
    ck_assert_int_eq(learn->offset, -12);
    es_image_free(&image);
    prologues[3].stores = first + 2; /* to the local */
    refused("does not begin with a store into its own frame");
    prologues[3] = (struct fake_prologue){first, 1, 0x308}; /* no instruction after it */
    refused("does not begin with a store into its own frame");
    prologues[3] = (struct fake_prologue){first, 3, 0x320};
    prologues[3].stores = first;
    procedures[3].is_interrupt = true;
    symbols.site_count = 2;
    ck_assert_msg(build(), "%s", err.text);
    ck_assert(frame_of(3)->learn_at);
    es_image_free(&image);
}
END_TEST

START_TEST(too_many_frames_that_move)
{
    add_procedures(70);
    add_call(0, 1, false);
    for (size_t i = 2; i < 67; i++) {
        add_call(1, (int)i, false);
        add_call(i, (int)i, false);
        if (i < 66)
            watch_local(i);
    }
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(header()->moving_count, 64);
    es_image_free(&image);
    watch_local(66);
    refused("65 places that move");
}
END_TEST

START_TEST(frames_that_cannot_be_known)
{
    add_procedures(5);
    add_call(0, 1, false);
    add_call(1, 2, false);
    add_call(2, 3, false);
    watch_local(3);
    frames[2] = -1;
    refused("p2, which calls it on some path, has a frame whose size is not constant");
    frames[2] = 16;
    frames[3] = -1; /* its own callees do not matter */
    ck_assert_msg(build(), "%s", err.text);
    es_image_free(&image);
    add_call(2, 3, true); /* jumps to it too: then 3 stands where 2 did */
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(image.keys_data, 2);
    es_image_free(&image);
    symbols.site_count--;
    procedures[4].is_interrupt = true;
    add_call(4, 3, false);
    refused("the interrupt handler p4 calls it");
    symbols.site_count--;
    symbols.stack_top = 0;
    refused("__stack_top");
    symbols.stack_top = 0x200000;
    refused("outside of the probe's phantom memory");
    symbols.stack_top = 0x40000;
    symbols.site_count = 1;
    refused("no path of calls from the program's entry leads to it");
}
END_TEST

/* Frames of which no two sums are the same: paths have nothing in common then. */
static void spread_frames(int layers)
{
    for (int layer = 0; layer < layers; layer++)
        frames[2 * layer + 3] = 16 + (8 << layer);
}

START_TEST(too_many_paths)
{
    /* ten layers of two procedures, each calling both of the next layer: 2^10 paths to the last */
    add_procedures(22);
    add_call(0, 1, false);
    for (int layer = 0; layer < 10; layer++) {
        for (int from = 0; from < (layer ? 2 : 1); from++) {
            add_call((size_t)(layer ? 2 * layer + from : 1), 2 * layer + 2, false);
            add_call((size_t)(layer ? 2 * layer + from : 1), 2 * layer + 3, false);
        }
    }
    spread_frames(10);
    watch_local(20);
    ck_assert_msg(build(), "%s", err.text); /* the frame moves then */
    ck_assert_uint_eq(header()->moving_count, 1);
    es_image_free(&image);
}
END_TEST

START_TEST(too_many_bytes)
{
    add_procedures(500);
    for (size_t i = 0; i < 499; i++)
        for (int k = 0; k < 6; k++)
            add_call(i, (int)i + 1, false);
    es_reference x = tree_static(&tree_int, 0x60000);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &x, 1, 1);
    ck_assert_msg(build(), "%s", err.text);
    printf("500 procedures and 2,994 calls: %zu bytes\n", image.size);
    es_image_free(&image);
    for (int i = 0; i < 500; i++)
        tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &x, 1, 1);
    refused(" bytes of tables, the probe has 40,960");
    limits.memory_size = ES_IMAGE_BASE;
    refused("no room for a monitor image");
}
END_TEST

/* More than what 16 bits address, and a frame that is found by its path on the way to one that moves: refused, too. */
START_TEST(far_too_many_bytes)
{
    add_procedures(1100);
    for (size_t i = 0; i < 1099; i++)
        for (int k = 0; k < 6; k++)
            add_call(i, (int)i + 1, false);
    add_call(2, 2, false);
    for (size_t i = 1; i <= 8; i++)
        watch_local(i);
    es_reference x = tree_static(&tree_int, 0x60000);
    for (int i = 0; i < 1000; i++)
        tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &x, 1, 1);
    refused(" bytes of tables, the probe has 40,960");
}
END_TEST

/* Stores of words next to each other are parts of values of two words, but of none that is in one. */

START_TEST(capacity)
{
    add_procedures(22);
    add_call(0, 1, false);
    for (int layer = 0; layer < 9; layer++) {
        for (int from = 0; from < (layer ? 2 : 1); from++) {
            add_call((size_t)(layer ? 2 * layer + from : 1), 2 * layer + 2, false);
            add_call((size_t)(layer ? 2 * layer + from : 1), 2 * layer + 3, false);
        }
    }
    ck_assert_msg(build(), "%s", err.text);
    size_t empty = image.size;
    es_image_free(&image);
    watch_local(18);
    spread_frames(9);
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(image.nodes, 768);
    printf("768 nodes, a local in 256 frames: %.1f bytes a node\n", (double)(image.size - empty) / 768);
    es_image_free(&image);
    watch_local(19);
    for (size_t i = 0; i < 22; i++)
        frames[i] = 16;
    ck_assert_msg(build(), "%s", err.text);
    ck_assert_uint_eq(image.nodes, 20); /* 1,024 paths, of which those of one length put frames at one place */
    size_t with_nodes = image.size;
    es_image_free(&image);
    for (uint32_t i = 0; i < 254; i++) {
        es_reference own = tree_static(&tree_int, 0x60000 + 4 * i);
        tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(80)), &own, 1, 1);
    }
    ck_assert_msg(build(), "%s", err.text);
    printf("256 statements and 1,024 paths: %zu bytes, %.1f a statement\n", image.size,
           (double)(image.size - with_nodes) / 254);
    es_image_free(&image);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image");
    TCase *tests = tcase_create("image");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, empty_program);
    tcase_add_test(tests, tree_is_pruned);
    tcase_add_test(tests, indirect_calls_reach_all_address_taken);
    tcase_add_test(tests, frames_that_move);
    tcase_add_test(tests, too_many_frames_that_move);
    tcase_add_test(tests, frames_that_cannot_be_known);
    tcase_add_test(tests, too_many_paths);
    tcase_add_test(tests, too_many_bytes);
    tcase_add_test(tests, far_too_many_bytes);
    tcase_add_test(tests, capacity);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
