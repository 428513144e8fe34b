/* Lines of programs from which the linker removed procedures: what the source says, and addr2line as second witness. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_main.h"
#include "common.h"

static const char *const stay[] = {"first", "second", "main"};

/* Each instruction of what stays lies in a line of its procedure. */
static void lines_are_the_sources(const char *path)
{
    es_symbols *symbols = test_open(path);
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++) {
        const es_procedure *procedure = es_symbols_procedure_named(symbols, stay[i]);
        char end[64];
        snprintf(end, sizeof end, "%s_end", stay[i]);
        unsigned from = test_line("gc.c", stay[i]), to = test_line("gc.c", end), line;
        const char *file;
        ck_assert_msg(procedure, "%s: no %s", path, stay[i]);
        for (uint32_t at = procedure->low; at < procedure->high; at += 4) {
            ck_assert_msg(es_symbols_line(symbols, at, &file, &line), "%s: no line at %x of %s", path, at, stay[i]);
            ck_assert_str_eq(file, "tests/symbols/gc.c");
            ck_assert_msg(line >= from && line <= to, "%s: line %u at %x of %s", path, line, at, stay[i]);
        }
    }
    ck_assert_ptr_null(es_symbols_procedure_named(symbols, "removed_first"));
    ck_assert_ptr_null(es_symbols_procedure_named(symbols, "removed_last"));
    es_symbols_close(symbols);
}

/* gc-zero: the linker has put a procedure of the same unit at 0, where the removed ones claim to be. */
static const char *const programs[] = {"gc-O0.elf", "gc-O2.elf", "gc-dwarf2.elf", "gc-dwarf4.elf", "gc-zero.elf"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

START_TEST(removed_procedures_do_not_matter)
{
    lines_are_the_sources(test_path(programs[_i]));
}
END_TEST

START_TEST(they_agree_with_addr2line)
{
    es_symbols *symbols = test_open(test_path(programs[_i]));
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++) {
        const es_procedure *procedure = es_symbols_procedure_named(symbols, stay[i]);
        char options[4096], expected[512];
        int used = snprintf(options, sizeof options, "-e %s", test_path(programs[_i]));
        for (uint32_t at = procedure->low; at < procedure->high; at += 4)
            used += snprintf(options + used, sizeof options - (size_t)used, " %x", at);
        FILE *addr2line = test_tool("addr2line", options, "");
        for (uint32_t at = procedure->low; at < procedure->high; at += 4) {
            const char *file;
            unsigned line;
            ck_assert_ptr_nonnull(fgets(expected, sizeof expected, addr2line));
            ck_assert(es_symbols_line(symbols, at, &file, &line));
            ck_assert_msg((int)line == atoi(strrchr(expected, ':') + 1), "line %u at %x, addr2line has %s", line, at,
                          expected);
        }
        pclose(addr2line);
    }
    es_symbols_close(symbols);
}
END_TEST

/* Other linkers put what they remove at the end of all addresses: -1, or -2 in some tables. */
START_TEST(removed_to_the_end_of_all_addresses)
{
    static const uint8_t at_zero[] = {0, 5, 2, 0, 0, 0, 0}; /* DW_LNE_set_address 0 */
    const uint8_t mark[4] = {_i ? 0xFE : 0xFF, 0xFF, 0xFF, 0xFF};
    FILE *file = fopen(test_path("gc-O2.elf"), "rb");
    static uint8_t bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    unsigned found = 0;
    fclose(file);
    for (size_t i = 0; i + sizeof at_zero < size; i++) {
        if (memcmp(bytes + i, at_zero, sizeof at_zero) != 0)
            continue;
        memcpy(bytes + i + 3, mark, sizeof mark);
        found++;
    }
    ck_assert_uint_eq(found, 3); /* as many as gc.c has removed procedures */
    lines_are_the_sources(test_patched(test_path("gc-O2.elf"), 0, bytes, size, 0));
}
END_TEST

static void remove_copy(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/patched-%ld.elf", TEST_DIR, (long)getpid());
    unlink(path);
}

int main(void)
{
    Suite *suite = suite_create("lines");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, NULL, remove_copy);
    tcase_add_loop_test(all, removed_procedures_do_not_matter, 0, PROGRAMS);
    tcase_add_loop_test(all, they_agree_with_addr2line, 0, PROGRAMS);
    tcase_add_loop_test(all, removed_to_the_end_of_all_addresses, 0, 2);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
