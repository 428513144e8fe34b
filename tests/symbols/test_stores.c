/* es_symbols_stores: what is known from the source of stores.c and stores.S, at three levels of optimisation. */
#include <string.h>

#include "check_main.h"
#include "common.h"

static const char *const programs[] = {TEST_DIR "/stores-O0.elf", TEST_DIR "/stores-Og.elf", TEST_DIR "/stores-O2.elf"};

/* How many stores of each kind a procedure has; false: it cannot be followed. */
static bool count_stores(const es_symbols *symbols, const char *name, unsigned kinds[3])
{
    const es_store *stores;
    size_t count;
    const es_procedure *procedure = es_symbols_procedure_named(symbols, name);
    ck_assert_msg(procedure, "no %s", name);
    bool followed = es_symbols_stores(symbols, procedure, &stores, &count);
    memset(kinds, 0, 3 * sizeof *kinds);
    for (size_t i = 0; i < count; i++) {
        ck_assert(stores[i].site >= procedure->low && stores[i].site < procedure->high);
        ck_assert(i == 0 || stores[i].site > stores[i - 1].site);
        ck_assert((stores[i].size == 0) == (stores[i].kind == ES_STORE_UNKNOWN));
        ck_assert(stores[i].kind != ES_STORE_FRAME || stores[i].cfa_offset + stores[i].size <= 0);
        kinds[stores[i].kind]++;
    }
    return followed;
}

/* How many stores into the frame there are is the compiler's choice. */
START_TEST(what_is_stored)
{
    static const struct {
        const char *name;
        bool followed;
        unsigned constant, unknown;
    } expected[] = {
        {"frame_only", true, 0, 0},    {"to_static", true, 1, 0},    {"to_members", true, 4, 0},
        {"through", true, 0, 1},       {"indexed", true, 0, 1},      {"switches", true, 0, 0},
        {"calls_pointer", true, 0, 0}, {"ends_in_call", true, 0, 0}, {"countdown", true, 0, 0},
        {"keeps_ra", true, 0, 1},      {"keeps_sp", true, 2, 0},     {"above", true, 0, 1},
        {"below", true, 0, 1},         {"twice_set", true, 0, 2},    {"atomic", true, 0, 1},
    };
    es_symbols *symbols = test_open(programs[_i]);
    unsigned kinds[3];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert_msg(count_stores(symbols, expected[i].name, kinds) == expected[i].followed, "%s", expected[i].name);
        ck_assert_msg(
            kinds[ES_STORE_CONSTANT] == expected[i].constant && kinds[ES_STORE_UNKNOWN] == expected[i].unknown,
            "%s: %u constant, %u unknown", expected[i].name, kinds[ES_STORE_CONSTANT], kinds[ES_STORE_UNKNOWN]);
    }
    count_stores(symbols, "frame_only", kinds);
    ck_assert_uint_ge(kinds[ES_STORE_FRAME], 3);
    count_stores(symbols, "setjmp", kinds);
    ck_assert_uint_ge(kinds[ES_STORE_UNKNOWN], 12);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(what_cannot_be_followed)
{
    static const char *const names[] = {"allocates",  "entered",    "jumps_in", "moves_sp", "traps",  "other_link",
                                        "unbalanced", "two_depths", "computed", "falls",    "longjmp"};
    es_symbols *symbols = test_open(programs[_i]);
    unsigned kinds[3];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg(!count_stores(symbols, names[i], kinds), "%s", names[i]);
    es_symbols_close(symbols);
}
END_TEST

static void one_constant(const es_symbols *symbols, const char *procedure, uint32_t address, unsigned size)
{
    const es_store *stores;
    size_t count;
    unsigned found = 0;
    es_symbols_stores(symbols, es_symbols_procedure_named(symbols, procedure), &stores, &count);
    for (size_t i = 0; i < count; i++)
        found += stores[i].kind == ES_STORE_CONSTANT && stores[i].address == address && stores[i].size == size;
    ck_assert_msg(found == 1, "%s: %u stores of %u bytes at %x", procedure, found, size, address);
}

START_TEST(where_it_is_stored)
{
    es_symbols *symbols = test_open(programs[_i]);
    uint32_t plain, record, place;
    ck_assert(es_symbols_value(symbols, "plain", &plain) && es_symbols_value(symbols, "record", &record));
    ck_assert(es_symbols_value(symbols, "asm_place", &place));
    one_constant(symbols, "to_static", plain, 4);
    one_constant(symbols, "to_members", record + 4, 1);
    one_constant(symbols, "to_members", record + 6, 2);
    one_constant(symbols, "to_members", record + 8, 4);
    one_constant(symbols, "to_members", record + 12, 4);
    one_constant(symbols, "keeps_sp", place + 4, 4);
    one_constant(symbols, "keeps_sp", place + 9, 1);
    const es_store *stores;
    size_t count;
    ck_assert(es_symbols_stores(symbols, es_symbols_procedure_named(symbols, "twice_set"), &stores, &count));
    ck_assert_uint_eq(count, 4);
    ck_assert_int_eq(stores[0].kind, ES_STORE_UNKNOWN);
    ck_assert(stores[1].kind == ES_STORE_FRAME && stores[1].cfa_offset == -4 && stores[1].size == 4);
    ck_assert(stores[2].kind == ES_STORE_FRAME && stores[2].cfa_offset == -32 && stores[2].size == 2);
    ck_assert_int_eq(stores[3].kind, ES_STORE_UNKNOWN); /* the caller's frame */
    es_symbols_close(symbols);
}
END_TEST

START_TEST(what_comes_first)
{
    es_symbols *symbols = test_open(programs[_i]);
    const es_procedure *const *procedures;
    size_t some = 0, total = es_symbols_procedures(symbols, &procedures);
    for (size_t i = 0; i < total; i++) {
        const es_store *all = NULL, *first = NULL;
        size_t count;
        uint32_t end;
        es_symbols_stores(symbols, procedures[i], &all, &count);
        size_t made = es_symbols_prologue(symbols, procedures[i], &first, &end);
        ck_assert_uint_le(made, count);
        ck_assert(end >= procedures[i]->low &&
                  (end <= procedures[i]->high || procedures[i]->high == procedures[i]->low));
        for (size_t k = 0; k < made; k++)
            ck_assert(first + k == all + k && first[k].kind == ES_STORE_FRAME && first[k].site < end);
        some += made > 0;
    }
    ck_assert_uint_gt(some, 0);
    const es_store *stores;
    uint32_t end;
    const es_procedure *procedure = es_symbols_procedure_named(symbols, "entered"); /* nop, addi, sw, lw, addi, ret */
    ck_assert_uint_eq(es_symbols_prologue(symbols, procedure, &stores, &end), 1);
    ck_assert_int_eq(stores[0].cfa_offset, -4);
    ck_assert_uint_eq(end, procedure->low + 20);
    procedure = es_symbols_procedure_named(symbols, "traps");
    ck_assert_uint_eq(es_symbols_prologue(symbols, procedure, &stores, &end), 0);
    ck_assert_uint_eq(end, procedure->low);
    procedure = es_symbols_procedure_named(symbols, "above"); /* sw a0, 4(sp): the caller's frame */
    ck_assert_uint_eq(es_symbols_prologue(symbols, procedure, &stores, &end), 0);
    es_symbols_close(symbols);
}
END_TEST

/* objdump finds as many stores. */
START_TEST(all_stores_are_listed)
{
    es_symbols *symbols = test_open(programs[_i]);
    FILE *objdump = test_tool("objdump", "-d -M no-aliases", programs[_i]);
    char line[256], name[32];
    unsigned address, bytes, listed = 0, found = 0;
    while (fgets(line, sizeof line, objdump))
        if (sscanf(line, " %x: %x %31s", &address, &bytes, name) == 3)
            listed += strcmp(name, "sw") == 0 || strcmp(name, "sh") == 0 || strcmp(name, "sb") == 0;
    ck_assert_int_eq(pclose(objdump), 0);
    const es_procedure *const *procedures;
    size_t count = es_symbols_procedures(symbols, &procedures), n;
    const es_store *stores;
    for (size_t i = 0; i < count; i++) {
        es_symbols_stores(symbols, procedures[i], &stores, &n);
        found += (unsigned)n;
    }
    ck_assert_uint_ge(listed, 50);
    ck_assert_uint_eq(found, listed + 1); /* the atomic operation */
    es_symbols_close(symbols);
}
END_TEST

START_TEST(traps)
{
    es_symbols *none = test_open(programs[_i]), *some = test_open(test_programs[_i]);
    ck_assert(!es_symbols_traps(none));
    ck_assert(es_symbols_traps(some));
    es_symbols_close(none);
    es_symbols_close(some);
    es_symbols *compressed = test_open(test_programs[TEST_COMPRESSED]);
    unsigned kinds[3];
    ck_assert(count_stores(compressed, "large", kinds));
    ck_assert_uint_gt(kinds[ES_STORE_FRAME] + kinds[ES_STORE_CONSTANT], 0);
    es_symbols_close(compressed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stores");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, what_is_stored, 0, 3);
    tcase_add_loop_test(all, what_cannot_be_followed, 0, 3);
    tcase_add_loop_test(all, where_it_is_stored, 0, 3);
    tcase_add_loop_test(all, what_comes_first, 0, 3);
    tcase_add_loop_test(all, all_stores_are_listed, 0, 3);
    tcase_add_loop_test(all, traps, 0, 3);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
