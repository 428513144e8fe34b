/* The parts of their lives in which the stack holds locals of optimised code. */
#include <string.h>

#include "check_main.h"
#include "common.h"

static const char *const programs[] = {"lives-Og.elf", "lives-O1.elf", "lives-O2.elf", "lives-Os.elf",
                                       "lives-dwarf4.elf"};
enum { OG, O1, O2, OS, DWARF4, PROGRAMS };

static const char *const spilled[] = {"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "va", "vb", "vc"};
enum { SPILLED = sizeof spilled / sizeof *spilled };

enum { SP = 2 };

static es_symbols *open_one(unsigned which)
{
    return test_open(test_path(programs[which]));
}

static const es_variable *variable_in(const es_symbols *symbols, const char *procedure, const char *name)
{
    const es_variable *found[2];
    const es_procedure *in = es_symbols_procedure_named(symbols, procedure);
    ck_assert_ptr_nonnull(in);
    ck_assert_msg(es_symbols_find(symbols, in, name, found, 2) == 1, "%s\\%s", procedure, name);
    return found[0];
}

static bool has(const es_variable *v, uint32_t address, enum es_moment which)
{
    return es_life_has(v->life, es_moment_at(v->procedure, address, which));
}

static bool is_call(uint32_t word)
{
    return (word & 0x77) == 0x67 && ((word >> 7 & 31) == 1);
}

static bool ends(uint32_t word) /* jal x0, jalr x0 */
{
    return (word & 0x77) == 0x67 && ((word >> 7 & 31) == 0);
}

START_TEST(arguments_from_the_first_instruction_on)
{
    es_symbols *symbols = open_one((unsigned)_i);
    const es_variable *ninth = variable_in(symbols, "many", "ninth"), *tenth = variable_in(symbols, "many", "tenth");
    ck_assert_int_eq(ninth->place, ES_PLACE_FRAME);
    ck_assert_int_eq(ninth->cfa_offset, 0);
    ck_assert_int_eq(tenth->cfa_offset, 4);
    ck_assert_ptr_nonnull(ninth->life);
    ck_assert(has(ninth, ninth->procedure->low, ES_MOMENT_BEFORE));
    ck_assert_int_eq(tenth->place, ES_PLACE_FRAME);
    ck_assert_ptr_null(tenth->life); /* nobody changes it, or keeps it elsewhere */
    ck_assert(!has(ninth, ninth->procedure->low - 4, ES_MOMENT_BEFORE));
    ck_assert_msg(strstr(ninth->life->observed, "lives.c:"), "%s", ninth->life->observed);
    ck_assert_msg(strstr(ninth->life->elsewhere, "is in register "), "%s", ninth->life->elsewhere);
    ck_assert_msg(strstr(ninth->life->advice, "volatile"), "%s", ninth->life->advice);
    es_symbols_close(symbols);
}
END_TEST

/* Each part begins after a store by the stack pointer, unless a jump leads there. */
START_TEST(spills_begin_with_their_store)
{
    es_symbols *symbols = open_one((unsigned)_i);
    unsigned count = 0, begins = 0;
    for (unsigned i = 0; i < SPILLED; i++) {
        const es_variable *v = variable_in(symbols, "many", spilled[i]);
        if (v->place != ES_PLACE_FRAME)
            continue;
        ck_assert_ptr_nonnull(v->life);
        ck_assert_int_lt(v->cfa_offset, 0);
        count++;
        for (uint32_t pc = v->procedure->low + 4; pc < v->procedure->high; pc += 4) {
            uint32_t before = test_word(symbols, pc - 4);
            if (!has(v, pc, ES_MOMENT_BEFORE) || has(v, pc - 4, ES_MOMENT_BEFORE) || ends(before))
                continue;
            ck_assert_msg((before & 0x7F) == 0x23 && (before >> 15 & 31) == SP, "%s begins at 0x%x", v->name,
                          (unsigned)pc);
            begins++;
        }
    }
    ck_assert_uint_ge(count, 2);
    ck_assert_uint_ge(begins, count);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(moments_follow_from_each_other)
{
    es_symbols *symbols = open_one((unsigned)_i);
    unsigned calls = 0;
    for (unsigned i = 0; i < SPILLED; i++) {
        const es_variable *v = variable_in(symbols, "many", spilled[i]);
        for (uint32_t pc = v->procedure->low; v->life && pc < v->procedure->high; pc += 4) {
            bool before = has(v, pc, ES_MOMENT_BEFORE), perhaps = has(v, pc, ES_MOMENT_PERHAPS),
                 surely = has(v, pc, ES_MOMENT_SURELY), after = has(v, pc, ES_MOMENT_AFTER),
                 next = has(v, pc + 4, ES_MOMENT_BEFORE), during = has(v, pc + 4, ES_MOMENT_DURING);
            bool call = is_call(test_word(symbols, pc));
            ck_assert(!surely || (perhaps && before));
            ck_assert(!before || perhaps);
            ck_assert(call ? !during || before : pc + 4 == v->procedure->high || after == next);
            if (call && before && during)
                ck_assert(surely);
            calls += call && during;
        }
    }
    ck_assert_uint_ge(calls, 2);
    es_symbols_close(symbols);
}
END_TEST

/* .debug_loc says the same as .debug_loclists. */
START_TEST(both_formats_of_lists)
{
    es_symbols *symbols[2] = {open_one(O2), open_one(DWARF4)};
    for (unsigned i = 0; i < SPILLED; i++) {
        const es_variable *a = variable_in(symbols[0], "many", spilled[i]),
                          *b = variable_in(symbols[1], "many", spilled[i]);
        ck_assert_int_eq(a->place, b->place);
        ck_assert_int_eq(!a->life, !b->life);
        if (!a->life) {
            ck_assert_str_eq(a->why, b->why);
            continue;
        }
        ck_assert_int_eq(a->cfa_offset, b->cfa_offset);
        ck_assert_uint_eq(a->life->count, b->life->count);
        ck_assert_int_eq(memcmp(a->life->spans, b->life->spans, a->life->count * sizeof *a->life->spans), 0);
        ck_assert_str_eq(a->life->observed, b->life->observed);
    }
    es_symbols_close(symbols[0]);
    es_symbols_close(symbols[1]);
}
END_TEST

START_TEST(a_list_that_begins_before_the_store_is_not_believed)
{
    es_symbols *symbols = open_one(O2);
    unsigned count = 0;
    static const char *const names[] = {"b", "c", "d", "e", "f"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const es_variable *v = variable_in(symbols, "rounds", names[i]);
        if (v->place == ES_PLACE_NONE &&
            strstr(
                v->why,
                "lies on the stack, but the code does not show which store puts it there, in tests/symbols/lives.c:")) {
            ck_assert_msg(strstr(v->why, "is in register "), "%s", v->why);
            count++;
        }
    }
    ck_assert_uint_ge(count, 3);
    es_symbols_close(symbols);
}
END_TEST

/* With -Og a spilled variable's home is the stack: from its first store to its last use. */
START_TEST(a_home_on_the_stack)
{
    es_symbols *symbols = open_one(OG);
    const es_variable *sum = variable_in(symbols, "rounds", "sum");
    ck_assert_ptr_nonnull(sum->life);
    unsigned parts = 0;
    for (uint32_t pc = sum->procedure->low + 4; pc < sum->procedure->high; pc += 4)
        parts += has(sum, pc, ES_MOMENT_BEFORE) && !has(sum, pc - 4, ES_MOMENT_BEFORE);
    ck_assert_uint_eq(parts, 1);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(what_cannot_be_told)
{
    es_symbols *symbols = open_one((unsigned)_i);
    ck_assert_int_eq(variable_in(symbols, "twice", "ninth")->place, ES_PLACE_NONE);
    ck_assert_int_eq(variable_in(symbols, "twice", "before")->place, ES_PLACE_NONE);
    const es_variable *last = variable_in(symbols, "wide", "last");
    ck_assert_ptr_null(last->life);
    const es_variable *a = variable_in(symbols, "leaf", "a");
    ck_assert_int_eq(a->place, ES_PLACE_NONE);
    ck_assert_msg(strstr(a->why, "is in register a0 in tests/symbols/lives.c:") &&
                      strstr(a->why, "compile this file with -O0"),
                  "%s", a->why);
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lives");
    TCase *tests = tcase_create("lives");
    tcase_add_loop_test(tests, arguments_from_the_first_instruction_on, 0, PROGRAMS);
    tcase_add_loop_test(tests, spills_begin_with_their_store, 0, PROGRAMS);
    tcase_add_loop_test(tests, moments_follow_from_each_other, 0, PROGRAMS);
    tcase_add_test(tests, both_formats_of_lists);
    tcase_add_test(tests, a_list_that_begins_before_the_store_is_not_believed);
    tcase_add_test(tests, a_home_on_the_stack);
    tcase_add_loop_test(tests, what_cannot_be_told, 0, PROGRAMS);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
