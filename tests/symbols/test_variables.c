/* Variables: where they live; or why they cannot be watched. */
#include <string.h>

#include "check_main.h"
#include "common.h"

/* Every file-scope variable against the symbol table as nm prints it. */
START_TEST(addresses_agree_with_nm)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    FILE *nm = test_tool("nm", "", test_programs[_i]);
    char line[256], sort, name[128];
    unsigned address, checked = 0;
    while (fgets(line, sizeof line, nm)) {
        if (sscanf(line, "%x %c %127s", &address, &sort, name) != 3 || !strchr("BDRSGC", sort) || strchr(name, '.'))
            continue;
        const es_variable *found[2];
        if (es_symbols_find(symbols, NULL, name, found, 2) == 0)
            continue; /* start-up code and library: no debug information */
        ck_assert_int_eq(found[0]->place, ES_PLACE_STATIC);
        ck_assert_msg(found[0]->address == address, "%s", name);
        ck_assert_ptr_null(found[0]->procedure);
        checked++;
    }
    ck_assert_int_eq(pclose(nm), 0);
    ck_assert_uint_ge(checked, 30);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(same_name_in_two_files)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_variable *found[4];
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "hidden", found, 4), 2);
    const es_variable *first = strstr(found[0]->file, "program.c") ? found[0] : found[1];
    const es_variable *second = first == found[0] ? found[1] : found[0];
    ck_assert_str_eq(first->file, "tests/symbols/program.c");
    ck_assert_str_eq(second->file, "tests/symbols/second.c");
    ck_assert_uint_eq(first->line, test_line("program.c", "hidden"));
    ck_assert_uint_eq(second->line, test_line("second.c", "hidden"));
    ck_assert_str_eq(first->type->name, "int16_t");
    ck_assert_str_eq(second->type->name, "int");
    ck_assert_int_eq((int16_t)(test_word(symbols, first->address & ~3u) >> 8 * (first->address & 3)), -7);
    ck_assert_uint_eq(test_word(symbols, second->address), 5);
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "hidden", found, 1), 2);
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "nobody", found, 4), 0);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(static_local_and_declared)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_variable *calls = test_variable(symbols, "clamp", "calls");
    ck_assert_int_eq(calls->place, ES_PLACE_STATIC);
    ck_assert_uint_eq(calls->line, test_line("program.c", "calls"));
    uint32_t top, value;
    ck_assert(es_symbols_stack_top(symbols, &top));
    ck_assert_uint_eq(top, 0x40000);
    ck_assert_uint_eq(test_variable(symbols, NULL, "__stack_top")->address, top);
    ck_assert(es_symbols_value(symbols, "asm_word", &value));
    ck_assert_uint_eq(test_variable(symbols, NULL, "asm_word")->address, value);
    ck_assert_uint_eq(test_word(symbols, value), 0x12345678);
    ck_assert(!es_symbols_value(symbols, "no_such_symbol", &value));
    es_symbols_close(symbols);
}
END_TEST

/* At -O0 every plain local is in the frame: offsets as readelf prints them. GCC's frame base is the CFA. */
START_TEST(locals_agree_with_readelf)
{
    const char *path = test_programs[_i];
    es_symbols *symbols = test_open(path);
    FILE *readelf = test_tool("readelf", "--debug-dump=info -W", path);
    char line[512], name[128] = "", procedure[128] = "";
    unsigned checked = 0;
    bool subprogram = false;
    while (fgets(line, sizeof line, readelf)) {
        char *tag = strstr(line, "(DW_TAG_"), *text = strstr(line, "DW_AT_name"),
             *fbreg = strstr(line, "(DW_OP_fbreg: ");
        if (tag) {
            subprogram = strstr(tag, "DW_TAG_subprogram");
            name[0] = 0;
        }
        if (text) { /* "<7b>   DW_AT_name        : (indirect string, offset: 0x12): result", or ": result" */
            line[strcspn(line, "\n")] = 0;
            while (line[strlen(line) - 1] == ' ' || line[strlen(line) - 1] == '\t')
                line[strlen(line) - 1] = 0;
            char *start = strrchr(line, ' ') + 1;
            snprintf(name, sizeof name, "%s", start);
            if (subprogram)
                snprintf(procedure, sizeof procedure, "%s", start);
        }
        int offset, end = 0;
        if (!fbreg || sscanf(fbreg, "(DW_OP_fbreg: %d%n", &offset, &end) != 1 || fbreg[end] != ')' || !name[0])
            continue; /* none, or one with more operations */
        const es_variable *found[8];
        size_t count = es_symbols_find(symbols, NULL, name, found, 8);
        bool agrees = false;
        for (size_t i = 0; i < count && i < 8; i++)
            if (test_is_in(found[i], procedure))
                agrees |= found[i]->place == ES_PLACE_FRAME ? found[i]->cfa_offset == offset
                                                            : strstr(found[i]->why, "shares") != NULL;
        ck_assert_msg(agrees, "%s in %s: readelf has %d", name, procedure, offset);
        checked++;
    }
    ck_assert_int_eq(pclose(readelf), 0);
    ck_assert_uint_ge(checked, 30);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(find_by_procedure)
{
    es_symbols *symbols = test_open(test_programs[TEST_O0]);
    const es_variable *found[8];
    const es_procedure *blocks = es_symbols_procedure_named(symbols, "blocks");
    ck_assert_ptr_nonnull(blocks);
    ck_assert_uint_eq(es_symbols_find(symbols, blocks, "sum", found, 8), 1);
    ck_assert_ptr_eq(found[0]->procedure, blocks);
    ck_assert_uint_eq(es_symbols_find(symbols, blocks, "inner", found, 8), 1);
    ck_assert_uint_eq(es_symbols_find(symbols, blocks, "plant", found, 8), 0);
    ck_assert_uint_eq(es_symbols_find(symbols, blocks, "result", found, 8), 0);
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "result", found, 8), 3);
    es_symbols_close(symbols);
}
END_TEST

static const char *why(const es_symbols *symbols, const char *procedure, const char *name)
{
    const es_variable *variable = test_variable(symbols, procedure, name);
    ck_assert_msg(variable->place == ES_PLACE_NONE, "%s in %s is said to be observable", name, procedure);
    ck_assert_ptr_nonnull(variable->why);
    return variable->why;
}

static void contains(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part), "\"%s\" does not say \"%s\"", text, part);
}

START_TEST(shared_slots_are_not_observable)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    contains(why(symbols, "blocks", "first"), "shares its place in the stack frame with 'other'");
    contains(why(symbols, "blocks", "other"), "shares its place in the stack frame with 'first'");
    es_symbols_close(symbols);
}
END_TEST

/* Whatever the compiler did: no two variables of a procedure that count as observable overlap. */
START_TEST(no_overlap)
{
    static const char *const names[] = {"sum",  "first", "other", "i",  "inner", "n",      "room",
                                        "kept", "k",     "value", "lo", "hi",    "result", "local"};
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_variable *all[64];
    size_t count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const es_variable *found[8];
        size_t some = es_symbols_find(symbols, NULL, names[i], found, 8);
        for (size_t k = 0; k < some && k < 8 && count < 64; k++)
            if (found[k]->place == ES_PLACE_FRAME)
                all[count++] = found[k];
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            ck_assert(all[i]->procedure != all[k]->procedure ||
                      all[i]->cfa_offset + (int)all[i]->type->size <= all[k]->cfa_offset ||
                      all[k]->cfa_offset + (int)all[k]->type->size <= all[i]->cfa_offset);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(reasons_at_o0)
{
    es_symbols *symbols = test_open(test_programs[TEST_O0]);
    char range[64];
    const char *text = why(symbols, "main", "in_register");
    contains(text, "is in register s1 in tests/symbols/program.c:");
    contains(text, ": make it an ordinary or static variable");
    snprintf(range, sizeof range, "tests/symbols/program.c:%u", test_line("program.c", "room") - 1);
    contains(why(symbols, "varying", "room"), range);
    contains(why(symbols, "many", "big"), "lies in memory that register");
    text = why(symbols, "always", "product");
    contains(text, "was inlined into main (tests/symbols/program.c:");
    const es_variable *product = test_variable(symbols, "always", "product");
    ck_assert_uint_eq(product->procedure->low, product->procedure->high);
    ck_assert_ptr_null(es_symbols_procedure_named(symbols, "always"));
    contains(es_symbols_inlined(symbols, "always"), "was inlined into main");
    ck_assert_ptr_null(es_symbols_inlined(symbols, "main"));
    es_symbols_close(symbols);
}
END_TEST

START_TEST(reasons_at_o2)
{
    es_symbols *symbols = test_open(test_programs[TEST_O2]);
    const char *text = why(symbols, "blocks", "sum");
    contains(text, "is in register a");
    contains(text, " in tests/symbols/program.c:");
    contains(text, ": compile this file with -O0, or make it volatile or static");
    contains(why(symbols, "choose", "k"), "copy it into a volatile or static variable");
    contains(why(symbols, "clamp", "result"), "was inlined into");
    const es_variable *kept = test_variable(symbols, "choose", "kept"); /* volatile: stays in memory */
    ck_assert_int_eq(kept->place, ES_PLACE_FRAME);
    ck_assert_uint_eq(kept->line, test_line("program.c", "kept"));
    es_symbols_close(symbols);
}
END_TEST

START_TEST(removed_by_the_linker)
{
    es_symbols *symbols = test_open(test_path("removed.elf"));
    const es_variable *found[2];
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "unused_local", found, 2), 0);
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "unused_static", found, 2), 0);
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "unused_value", found, 2), 1);
    contains(found[0]->why, "the linker removed it as unused");
    ck_assert_int_eq(test_variable(symbols, NULL, "used_value")->place, ES_PLACE_STATIC);
    ck_assert_ptr_null(es_symbols_procedure_named(symbols, "unused"));
    const es_procedure *start = es_symbols_procedure_at(symbols, 0);
    ck_assert_str_eq(start->name, "_start");
    const char *file;
    unsigned line;
    ck_assert(!es_symbols_line(symbols, 0, &file, &line));
    es_symbols_close(symbols);
}
END_TEST

START_TEST(near_names)
{
    static const struct {
        const char *written, *meant;
    } cases[] = {
        {"plnat", "plant"},       {"Plant", "plant"},         {"PLANT", "plant"}, {"hiden", "hidden"},
        {"matrx", "matrix"},      {"ARMD", "ARMED"},          {"armed", "ARMED"}, {"opertaion", "operation"},
        {"incomp", "incomplete"}, {"factorail", "factorial"},
    };
    es_symbols *symbols = test_open(test_programs[TEST_O0]);
    const char *near[3];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = es_symbols_near(symbols, cases[i].written, true, near, 3);
        ck_assert_msg(count && strcmp(near[0], cases[i].meant) == 0, "%s: %s", cases[i].written,
                      count ? near[0] : "nothing");
    }
    ck_assert_uint_eq(es_symbols_near(symbols, "factorail", false, near, 3), 0);
    ck_assert_uint_eq(es_symbols_near(symbols, "qzqzqzqz", true, near, 3), 0);
    ck_assert_uint_eq(es_symbols_near(symbols, "", true, near, 3), 0);
    ck_assert_uint_le(es_symbols_near(symbols, "a", true, near, 3), 3);
    ck_assert_uint_eq(es_symbols_near(symbols, "plnat", true, near, 0), 0);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(libraries_stay_in_the_background)
{
    es_symbols *symbols = test_open(test_path("library.elf"));
    const es_variable *found[8];
    /* in libgcc's division too */
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "q0", found, 8), 1);
    ck_assert_str_eq(found[0]->procedure->name, "scale");
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "q1", found, 8), 0);
    ck_assert_uint_gt(es_symbols_find(symbols, es_symbols_procedure_named(symbols, "malloc"), "ptr", found, 8), 0);
    ck_assert_ptr_nonnull(strstr(found[0]->file, "malloc"));
    ck_assert_uint_eq(es_symbols_find(symbols, NULL, "__malloc_free_list", found, 8), 1);
    /* only the own names are offered, however near others are */
    const char *near[8];
    size_t count = es_symbols_near(symbols, "free_cont", true, near, 8);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(near[0], "free_count");
    ck_assert_uint_eq(es_symbols_near(symbols, "__malloc_free_lst", true, near, 8), 0);
    ck_assert_uint_eq(es_symbols_near(symbols, "vfprintff", true, near, 8), 0);
    ck_assert_uint_eq(es_symbols_near(symbols, "__muldf", true, near, 8), 0);
    ck_assert_uint_eq(es_symbols_near(symbols, "mani", true, near, 8), 1);
    /* they can be named all the same */
    ck_assert_ptr_nonnull(es_symbols_procedure_named(symbols, "malloc"));
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("variables");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, addresses_agree_with_nm, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, same_name_in_two_files, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, static_local_and_declared, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, locals_agree_with_readelf, TEST_O0, TEST_O0 + 1);
    tcase_add_loop_test(all, locals_agree_with_readelf, TEST_DWARF2, TEST_DWARF4 + 1);
    tcase_add_test(all, find_by_procedure);
    tcase_add_loop_test(all, shared_slots_are_not_observable, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, no_overlap, 0, TEST_PROGRAMS);
    tcase_add_test(all, reasons_at_o0);
    tcase_add_test(all, reasons_at_o2);
    tcase_add_test(all, removed_by_the_linker);
    tcase_add_test(all, near_names);
    tcase_add_test(all, libraries_stay_in_the_background);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
