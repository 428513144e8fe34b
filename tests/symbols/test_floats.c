/* Programs for processors with registers of floating point: their stores, and the parts of their lives in which the
 * stack holds what these registers had. */
#include <string.h>

#include "base/arena.h"
#include "check_main.h"
#include "common.h"

static const char *const programs[] = {"floats-Og.elf", "floats-O1.elf", "floats-O2.elf", "floats-Os.elf"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static const es_store *store_at(const es_symbols *symbols, uint32_t site)
{
    const es_store *stores;
    size_t count;
    es_symbols_stores(symbols, es_symbols_procedure_at(symbols, site), &stores, &count);
    for (size_t i = 0; i < count; i++)
        if (stores[i].site == site)
            return &stores[i];
    return NULL;
}

/* Each store that objdump finds is listed, with as many bytes as its name says; prologues save registers of both files
 * in their frame. */
START_TEST(stores)
{
    char path[128];
    snprintf(path, sizeof path, "%s", test_path(programs[_i]));
    es_symbols *symbols = test_open(path);
    FILE *objdump = test_tool("objdump", "-d -M no-aliases", path);
    char line[256], name[32];
    unsigned address, code, found[9] = {0}, in_frames[9] = {0};
    while (fgets(line, sizeof line, objdump)) {
        if (sscanf(line, " %x: %x %31s", &address, &code, name) != 3)
            continue;
        unsigned bytes = strcmp(name, "fsd") == 0 ? 8 : strcmp(name, "fsw") == 0 || strcmp(name, "sw") == 0 ? 4 : 0;
        if (!bytes)
            continue;
        const es_store *store = store_at(symbols, address);
        ck_assert_msg(store, "no store at 0x%x", address);
        ck_assert_msg(store->kind != ES_STORE_UNKNOWN && store->size == bytes, "%s at 0x%x: %u", name, address,
                      store->size);
        found[bytes]++;
        in_frames[bytes] += store->kind == ES_STORE_FRAME;
    }
    ck_assert_int_eq(pclose(objdump), 0);
    ck_assert_uint_ge(in_frames[8], 8); /* fs0 and others */
    ck_assert_uint_ge(found[8], in_frames[8] + 3);
    const es_store *first;
    uint32_t end;
    const es_procedure *many = es_symbols_procedure_named(symbols, "many");
    ck_assert_uint_ge(es_symbols_prologue(symbols, many, &first, &end), 8);
    es_symbols_close(symbols);
}
END_TEST

/* A double is stored at once, and written to a bus of 32 bits as two words: for the lower one the next four bytes are to
 * come, for the upper one the four before have come. */
START_TEST(two_words)
{
    static const char *const names[] = {"assign", "assign_both"};
    es_symbols *symbols = test_open(test_path(programs[_i]));
    es_arena *arena = es_arena_new();
    for (unsigned i = 0; i < 2; i++) {
        es_part *parts;
        size_t count = es_symbols_parts(symbols, es_symbols_procedure_named(symbols, names[i]), arena, &parts);
        unsigned doubles = 0;
        for (size_t k = 0; k < count; k++) {
            if (parts[k].size != 8)
                continue;
            ck_assert_uint_eq(parts[k].later & 15u << (ES_PART_REACH + 4), 15u << (ES_PART_REACH + 4));
            ck_assert_uint_eq(parts[k].earlier & 15u << (ES_PART_REACH - 4), 15u << (ES_PART_REACH - 4));
            ck_assert(!(parts[k].later & 15u << ES_PART_REACH) && !(parts[k].earlier & 15u << ES_PART_REACH));
            doubles++;
        }
        ck_assert_uint_eq(doubles, i + 1);
    }
    es_arena_free(arena);
    es_symbols_close(symbols);
}
END_TEST

static bool is_spill(uint32_t word) /* fsw of something by the stack pointer */
{
    enum { SP = 2 };
    return (word & 0x707F) == 0x2027 && (word >> 15 & 31) == SP;
}

static bool ends(uint32_t word) /* jal x0, jalr x0 */
{
    return (word & 0x77) == 0x67 && (word >> 7 & 31) == 0;
}

/* What is spilled is seen; each part of its life begins after its store, unless a jump leads there. */
START_TEST(spilled)
{
    static const char *const names[] = {"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
                                        "v9", "va", "vb", "vc", "vd", "ve", "vf", "sum"};
    es_symbols *symbols = test_open(test_path(programs[_i]));
    const es_procedure *many = es_symbols_procedure_named(symbols, "many");
    unsigned seen = 0, begins = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const es_variable *v;
        ck_assert_uint_eq(es_symbols_find(symbols, many, names[i], &v, 1), 1);
        if (v->place != ES_PLACE_FRAME)
            continue;
        ck_assert_ptr_nonnull(v->life);
        ck_assert_int_lt(v->cfa_offset, 0);
        seen++;
        for (uint32_t pc = many->low + 4; pc < many->high; pc += 4) {
            bool now = es_life_has(v->life, es_moment_at(many, pc, ES_MOMENT_BEFORE));
            bool before = es_life_has(v->life, es_moment_at(many, pc - 4, ES_MOMENT_BEFORE));
            uint32_t word = test_word(symbols, pc - 4);
            if (!now || before || ends(word))
                continue;
            ck_assert_msg(is_spill(word), "%s begins at 0x%x", v->name, (unsigned)pc);
            begins++;
        }
    }
    ck_assert_uint_ge(seen, 2);
    ck_assert_uint_ge(begins, seen);
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("floats");
    TCase *tests = tcase_create("tests");
    tcase_add_loop_test(tests, stores, 0, PROGRAMS);
    tcase_add_loop_test(tests, two_words, 0, PROGRAMS);
    tcase_add_loop_test(tests, spilled, 0, PROGRAMS);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
