/* Calls that are not tracked. */
#include <string.h>

#include "blocks.h"
#include "check_main.h"
#include "trees.h"

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
    Suite *suite = suite_create("quiet");
    TCase *tests = tcase_create("quiet");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, quiet_by_its_stores);
    tcase_add_test(tests, quiet_by_what_is_watched);
    tcase_add_test(tests, quiet_by_how_it_is_called);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
