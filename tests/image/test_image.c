/* Address maps, PPAT shapes, limits and what is said when they are met. */
#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "fake_symbols.h"
#include "image/firmware.h"
#include "image/image.h"
#include "image/tables/map.h"
#include "lang/statement.h"
#include "probe_defs.h"
#include "trees.h"

static uint32_t seed = 7;

static uint32_t draw(uint32_t range)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % range;
}

START_TEST(every_key_is_found)
{
    enum { ROWS = 256, COLUMNS = 64 };
    for (int round = 0; round < 200; round++) {
        static bool taken[ROWS][COLUMNS];
        memset(taken, 0, sizeof taken);
        size_t want = draw(round % 2 ? 3000 : 60), count = 0;
        map_key *keys = malloc((want + 1) * sizeof *keys);
        for (size_t i = 0; i < want; i++) {
            uint32_t row = draw(round % 3 ? ROWS : 5), column = draw(COLUMNS);
            if (taken[row][column])
                continue;
            taken[row][column] = true;
            keys[count++] = (map_key){row, column, (uint16_t)(1 + draw(65535))};
        }
        bool anchored = draw(2);
        es_arena *arena = es_arena_new();
        map_packed map;
        es_map_pack(&map, arena, keys, count, ROWS, COLUMNS, anchored);
        size_t used = 0;
        for (size_t i = 0; i < count; i++) {
            int64_t cell = (int64_t)map.rows[keys[i].row] + keys[i].column;
            ck_assert(cell >= 0 && cell < (int64_t)map.cell_count);
            ck_assert_uint_eq(map.cells[cell], keys[i].cell);
        }
        for (size_t i = 0; i < map.cell_count; i++)
            used += map.cells[i] != 0;
        ck_assert_uint_eq(used, count); /* no cell serves two keys */
        for (uint32_t row = 0; row < ROWS && anchored; row++)
            ck_assert(map.rows[row] >= 0 && (size_t)map.rows[row] + COLUMNS <= map.cell_count);
        if (count > 2000)
            ck_assert_uint_lt(map.cell_count, count * 3 / 2);
        es_arena_free(arena);
        free(keys);
    }
}
END_TEST

/* --- programs made of procedures of 256 bytes at 0, 0x100, ...; number 0 is the root --------------------- */

#define PROCEDURES_MAX 1200
static es_procedure procedures[PROCEDURES_MAX];
static const es_procedure *list[PROCEDURES_MAX];
static int frames[PROCEDURES_MAX];
static es_call_site sites[8 * PROCEDURES_MAX];
static es_symbols symbols;
static es_probe_limits limits;
static es_program program;
static es_image image;
static es_error err;

static void setup(void)
{
    symbols = (es_symbols){.procedures = list, .sites = sites, .frame_sizes = frames, .stack_top = 0x40000};
    limits = (es_probe_limits){.memory_size = ES_MEM_SIZE, .window_size = 0x80000, .bus_hz = 10000000};
    memset(&program, 0, sizeof program);
}

static void add_procedures(size_t count)
{
    static char names[PROCEDURES_MAX][8];
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "p%zu", i);
        procedures[i] =
            (es_procedure){.name = names[i], .low = (uint32_t)i * 0x100, .high = (uint32_t)i * 0x100 + 0x100};
        list[i] = &procedures[i];
        frames[i] = 16;
    }
    symbols.procedure_count = count;
}

static void add_call(size_t caller, int callee, bool tail)
{
    static uint32_t slot[PROCEDURES_MAX];
    if (symbols.site_count == 0)
        memset(slot, 0, sizeof slot);
    sites[symbols.site_count++] = (es_call_site){procedures[caller].low + 4 * ++slot[caller], 4, &procedures[caller],
                                                 callee < 0 ? NULL : &procedures[callee], tail};
}

static void watch_local(size_t procedure)
{
    es_reference local = tree_local(&tree_int, &procedures[procedure], -4);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &local, 1, 1);
}

static bool build(void)
{
    return es_image_build(&symbols, &program, &limits, &image, &err);
}

static void refused(const char *part)
{
    ck_assert(!build());
    ck_assert_uint_eq(err.code, ES_USAGE);
    ck_assert_msg(strstr(err.text, part) != NULL, "'%s' is not in: %s", part, err.text);
    ck_assert_ptr_null(image.bytes);
}

static const struct es_mi_header *header(void)
{
    return (const struct es_mi_header *)image.bytes;
}

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

/* --- calls that are not tracked -------------------------------------------------------------------------- */

/* 0 calls 1, which writes the variable x that is watched and calls 2; 2 calls 3. */
static struct fake_stores stores_of[6];
static es_store store;
enum { X = 0x1000 };

static void quiet_setup(void)
{
    static const es_store to_x = {.kind = ES_STORE_CONSTANT, .size = 4, .address = X};
    setup();
    add_procedures(6);
    add_call(0, 1, false);
    add_call(1, 2, false);
    add_call(2, 3, false);
    memset(stores_of, 0, sizeof stores_of);
    for (size_t i = 0; i < 6; i++)
        stores_of[i].followed = i > 0;
    stores_of[1] = (struct fake_stores){true, &to_x, 1};
    symbols.stores = stores_of;
    store = (es_store){.kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -8};
    stores_of[3] = (struct fake_stores){true, &store, 1};
    es_reference x = tree_static(&tree_short, X + 2);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &x, 1, 1);
}

static size_t armed(void)
{
    ck_assert_msg(build(), "%s", err.text);
    size_t count = image.keys_fetch;
    es_image_free(&image);
    return count;
}

/* the root's entry; 1 and its return point; 2 and 3 with theirs too. 4 and 5 are quiet */
enum { QUIET = 3, NOT_3 = 7 };

START_TEST(quiet_by_its_stores)
{
    quiet_setup();
    ck_assert_uint_eq(armed(), QUIET);
    store.kind = ES_STORE_UNKNOWN;
    ck_assert_uint_eq(armed(), NOT_3);
    static const struct {
        uint32_t address;
        uint8_t size;
        size_t armed;
    } constants[] = {{X, 4, NOT_3},     {X, 1, NOT_3},     {X + 3, 1, NOT_3}, {X - 4, 4, QUIET},
                     {X + 4, 4, QUIET}, {X - 4, 8, NOT_3}, {X - 2, 4, NOT_3}, {0xFFFFFFFE, 4, NOT_3}};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        store = (es_store){.kind = ES_STORE_CONSTANT, .size = constants[i].size, .address = constants[i].address};
        ck_assert_msg(armed() == constants[i].armed, "store %zu", i);
    }
    store = (es_store){.kind = ES_STORE_FRAME, .size = 4, .cfa_offset = -8};
    stores_of[3].followed = false; /* longjmp, alloca, ... */
    ck_assert_uint_eq(armed(), NOT_3);
    stores_of[3].followed = true;
    stores_of[2].followed = false;
    ck_assert_uint_eq(armed(), 5); /* a quiet one that others call stays quiet */
}
END_TEST

START_TEST(quiet_by_what_is_watched)
{
    quiet_setup();
    tree_statement(&program, tree_enter(&procedures[3]), NULL, 0, 0);
    ck_assert_uint_eq(armed(), NOT_3);
    program.statement_count = 1;
    tree_statement(&program, tree_leave(&procedures[2]), NULL, 0, 0);
    ck_assert_uint_eq(armed(), 5);
    program.statement_count = 1;
    watch_local(3);
    ck_assert_uint_eq(armed(), NOT_3);
    /* a store to a constant address that is where a local of another procedure lies */
    program.statement_count = 1;
    watch_local(1);
    ck_assert_uint_eq(armed(), QUIET);
    store = (es_store){.kind = ES_STORE_CONSTANT, .size = 4, .address = 0x40000 - 16 - 4};
    ck_assert_uint_eq(armed(), NOT_3);
}
END_TEST

START_TEST(quiet_by_how_it_is_called)
{
    quiet_setup();
    procedures[3].address_taken = true;
    ck_assert_uint_eq(armed(), NOT_3);
    procedures[3].address_taken = false;
    symbols.traps = true;
    ck_assert_uint_eq(armed(), NOT_3 + 2);
    symbols.traps = false;
    add_call(3, -1, false); /* through a pointer */
    ck_assert_uint_eq(armed(), NOT_3 + 1);
    symbols.site_count--;
    add_call(1, 3, true); /* a jump from one that is tracked */
    ck_assert_uint_eq(armed(), NOT_3);
    symbols.site_count--;
    add_call(2, 3, true); /* from one that is not */
    ck_assert_uint_eq(armed(), QUIET);
    stores_of[2].followed = false;
    ck_assert_uint_eq(armed(), NOT_3);
    stores_of[2].followed = true;
    symbols.site_count--;
    add_call(3, 2, false); /* a cycle */
    ck_assert_uint_eq(armed(), QUIET);
    store.kind = ES_STORE_UNKNOWN;
    ck_assert_uint_eq(armed(), NOT_3 + 1);
    store.kind = ES_STORE_FRAME;
    symbols.site_count--;
    sites[symbols.site_count++] = (es_call_site){procedures[2].high - 4, 4, &procedures[2], &procedures[3], false};
    ck_assert_uint_eq(armed(), 7); /* procedure 3 begins after the call: it is its own return point */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image");
    TCase *tests = tcase_create("image");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, every_key_is_found);
    tcase_add_test(tests, empty_program);
    tcase_add_test(tests, library_as_needed);
    tcase_add_test(tests, tree_is_pruned);
    tcase_add_test(tests, indirect_calls_reach_all_address_taken);
    tcase_add_test(tests, frames_that_move);
    tcase_add_test(tests, too_many_frames_that_move);
    tcase_add_test(tests, frames_that_cannot_be_known);
    tcase_add_test(tests, too_many_paths);
    tcase_add_test(tests, too_many_bytes);
    tcase_add_test(tests, far_too_many_bytes);
    tcase_add_test(tests, stores_of_words_are_no_parts_of_words);
    tcase_add_test(tests, capacity);
    tcase_add_test(tests, constants_in_rom);
    tcase_add_test(tests, places_outside_of_the_window);
    tcase_add_test(tests, pointers_that_cannot_be_followed);
    tcase_add_test(tests, indices_that_cannot_be_followed);
    tcase_add_test(tests, too_many_values_and_events);
    tcase_add_test(tests, only_events_that_matter_are_armed);
    tcase_add_test(tests, words_that_no_local_fills_are_covered);
    tcase_add_test(tests, quiet_by_its_stores);
    tcase_add_test(tests, quiet_by_what_is_watched);
    tcase_add_test(tests, quiet_by_how_it_is_called);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
