/* Procedures, call sites, frames and lines, against objdump, nm and addr2line. */
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "common.h"
#include "symbols/code.h"

START_TEST(procedures_agree_with_nm)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_procedure *const *procedures;
    size_t count = es_symbols_procedures(symbols, &procedures);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_lt(procedures[i]->low, procedures[i]->high);
        ck_assert(i == 0 || procedures[i - 1]->high <= procedures[i]->low);
        ck_assert_ptr_eq(es_symbols_procedure_at(symbols, procedures[i]->low), procedures[i]);
        ck_assert_ptr_eq(es_symbols_procedure_at(symbols, procedures[i]->high - 2), procedures[i]);
        ck_assert_uint_eq(es_procedure_index(procedures, count, procedures[i]), i);
    }
    es_procedure other = *procedures[count / 2];
    ck_assert_uint_eq(es_procedure_index(procedures, count, &other), count);
    ck_assert_uint_eq(es_procedure_index(procedures, count, NULL), count);
    FILE *nm = test_tool("nm", "-S", test_programs[_i]);
    char line[256], sort, name[128];
    unsigned address, size, checked = 0;
    while (fgets(line, sizeof line, nm)) {
        if (sscanf(line, "%x %x %c %127s", &address, &size, &sort, name) != 4 || !strchr("Tt", sort))
            continue;
        const es_procedure *procedure = es_symbols_procedure_at(symbols, address);
        ck_assert_msg(procedure && procedure->low == address && procedure->high == address + size, "%s", name);
        checked++;
    }
    ck_assert_int_eq(pclose(nm), 0);
    ck_assert_uint_ge(checked, 13);
    ck_assert_ptr_null(es_symbols_procedure_at(symbols, 0x20000));
    ck_assert_ptr_null(es_symbols_procedure_named(symbols, "again"));
    ck_assert_ptr_null(es_symbols_procedure_named(symbols, "done"));
    ck_assert_ptr_eq(es_symbols_procedure_named(symbols, "asm_leaf"), es_symbols_procedure_named(symbols, "asm_alias"));
    es_symbols_close(symbols);
}
END_TEST

START_TEST(what_procedures_are)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    static const struct {
        const char *name;
        bool interrupt, taken;
    } expected[] = {
        {"main", false, false},  {"on_timer", true, false}, {"twice", false, true},       {"unused_event", false, true},
        {"handler", true, true}, {"jumper", false, true},   {"second_run", false, false}, {"large", false, false},
    };
    const es_procedure *const *procedures;
    size_t count = es_symbols_procedures(symbols, &procedures), taken = 0;
    for (size_t i = 0; i < count; i++)
        taken += procedures[i]->address_taken;
    ck_assert_uint_le(taken, 7);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const es_procedure *procedure = es_symbols_procedure_named(symbols, expected[i].name);
        ck_assert_msg(procedure, "no %s", expected[i].name);
        ck_assert_msg(procedure->is_interrupt == expected[i].interrupt, "is_interrupt of %s", expected[i].name);
        /* a constant below 2 KiB that happens to be a procedure's address may be one: no false negatives */
        ck_assert_msg(procedure->address_taken || !expected[i].taken, "address_taken of %s", expected[i].name);
    }
    const es_procedure *main_procedure = es_symbols_procedure_named(symbols, "main");
    ck_assert(main_procedure->has_debug);
    ck_assert_str_eq(main_procedure->file, "tests/symbols/program.c");
    const es_procedure *start = es_symbols_procedure_named(symbols, "_start");
    ck_assert_uint_eq(start->low, es_symbols_entry(symbols));
    ck_assert(!start->has_debug);
    ck_assert_ptr_null(start->file);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(recursion)
{
    es_symbols *symbols = test_open(test_programs[TEST_O0]);
    static const struct {
        const char *name;
        bool recursive;
    } expected[] = {
        {"factorial", true}, {"even", true},    {"odd", true},     {"main", false},
        {"clamp", false},    {"choose", false}, {"_start", false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ck_assert_msg(es_symbols_procedure_named(symbols, expected[i].name)->is_recursive == expected[i].recursive,
                      "%s", expected[i].name);
    es_symbols_close(symbols);
}
END_TEST

/* objdump resolves jal targets and, in comments, auipc pairs: "jalr 36(ra) # 1f4 <clamp>". */
START_TEST(calls_agree_with_objdump)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_call_site *sites;
    size_t count = es_symbols_calls(symbols, &sites), linking = 0;
    for (size_t i = 0; i < count; i++) {
        ck_assert(i == 0 || sites[i - 1].site < sites[i].site);
        ck_assert_ptr_eq(es_symbols_procedure_at(symbols, sites[i].site), sites[i].caller);
        ck_assert(!sites[i].is_tail || sites[i].callee != sites[i].caller);
        linking += !sites[i].is_tail;
    }
    FILE *objdump = test_tool("objdump", "-d -M no-aliases", test_programs[_i]);
    char line[256], name[32], operands[128];
    unsigned site, bytes, found = 0;
    while (fgets(line, sizeof line, objdump)) {
        if (sscanf(line, " %x: %x %31s %127[^\n]", &site, &bytes, name, operands) != 4)
            continue;
        bool jal = strcmp(name, "jal") == 0 || strcmp(name, "c.jal") == 0,
             jalr = strcmp(name, "jalr") == 0 || strcmp(name, "c.jalr") == 0;
        bool links = strcmp(name, "c.jalr") == 0 || strcmp(name, "c.jal") == 0 || strncmp(operands, "ra,", 3) == 0;
        if (!(jal || jalr) || !links)
            continue;
        const es_call_site *match = NULL;
        for (size_t i = 0; i < count; i++)
            if (sites[i].site == site)
                match = &sites[i];
        ck_assert_msg(match && !match->is_tail, "call at %x", site);
        ck_assert_uint_eq(match->size, name[0] == 'c' ? 2 : 4);
        ck_assert_uint_eq(es_symbols_site(symbols, site), site + match->size - 4);
        ck_assert_uint_eq(es_symbols_call_at(symbols, site + match->size - 4), site);
        char *target = strchr(operands, '<'), *start = target;
        if (target) {
            while (start > operands && start[-1] != ',' && start[-1] != '#' && start[-1] != '\t')
                start--;
            ck_assert_msg(match->callee && match->callee->low == strtoul(start, NULL, 16), "callee at %x", site);
        }
        found++;
    }
    ck_assert_int_eq(pclose(objdump), 0);
    ck_assert_uint_eq(found, linking);
    ck_assert_uint_ge(found, 15);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(tail_and_indirect_calls)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_call_site *sites;
    size_t count = es_symbols_calls(symbols, &sites);
    bool tail = false, indirect = false;
    for (size_t i = 0; i < count; i++) {
        tail |= sites[i].is_tail && strcmp(sites[i].caller->name, "jumper") == 0 &&
                sites[i].callee == es_symbols_procedure_named(symbols, "asm_leaf");
        indirect |= !sites[i].is_tail && strcmp(sites[i].caller->name, "choose") == 0 && !sites[i].callee;
        /* the switch's jump table is no tail call */
        ck_assert(strcmp(sites[i].caller->name, "choose") != 0 || !sites[i].is_tail || sites[i].callee);
    }
    ck_assert(tail);
    ck_assert(indirect);
    es_symbols_close(symbols);
}
END_TEST

/* Procedures that lower the stack pointer once by a constant: as objdump shows it. */
START_TEST(frame_sizes_agree_with_objdump)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    FILE *objdump = test_tool("objdump", "-d -M no-aliases,numeric", test_programs[_i]);
    char line[256], name[32], operands[128], procedure[64] = "";
    unsigned address, bytes, checked = 0, changes = 0;
    int lowered = 0;
    bool more = true;
    while (more) {
        more = fgets(line, sizeof line, objdump);
        char next[64];
        if (!more || sscanf(line, "%x <%63[^>]>:", &address, next) == 2) {
            const es_procedure *known = procedure[0] ? es_symbols_procedure_named(symbols, procedure) : NULL;
            uint32_t size;
            if (known && changes <= 1 && known->has_debug && lowered >= 0) {
                ck_assert_msg(es_symbols_frame_size(symbols, known, &size), "%s", procedure);
                ck_assert_msg(size == (uint32_t)lowered, "%s: %u, objdump shows %d", procedure, size, lowered);
                checked++;
            }
            lowered = 0;
            changes = 0;
            if (more)
                snprintf(procedure, sizeof procedure, "%s", next);
            continue;
        }
        if (sscanf(line, " %x: %x %31s %127s", &address, &bytes, name, operands) != 4 ||
            strncmp(operands, "x2,", 3) != 0 || strstr(name, "sw") || strstr(name, "lw"))
            continue;
        char *number = strrchr(operands, ',') + 1;
        bool immediate = strstr(name, "addi") &&
                         (strncmp(operands, "x2,x2,", 6) == 0 || strncmp(operands, "x2,-", 4) == 0 || name[0] == 'c');
        if (immediate && atoi(number) > 0)
            continue; /* the epilogue */
        lowered = immediate ? -atoi(number) : -1;
        changes += immediate ? 1 : 2;
    }
    ck_assert_int_eq(pclose(objdump), 0);
    ck_assert_uint_ge(checked, 8);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(hard_frames)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    uint32_t size;
    ck_assert(!es_symbols_frame_size(symbols, es_symbols_procedure_named(symbols, "varying"), &size));
    ck_assert(es_symbols_frame_size(symbols, es_symbols_procedure_named(symbols, "large"), &size));
    ck_assert_uint_ge(size, 6000);
    ck_assert_uint_le(size, 6064);
    ck_assert_uint_eq(size % 16, 0);
    ck_assert(es_symbols_frame_size(symbols, es_symbols_procedure_named(symbols, "handler"), &size)); /* no CFI */
    ck_assert_uint_eq(size, 16);
    ck_assert(es_symbols_frame_size(symbols, es_symbols_procedure_named(symbols, "asm_leaf"), &size));
    ck_assert_uint_eq(size, 0);
    /* a jump table within */
    ck_assert(es_symbols_frame_size(symbols, es_symbols_procedure_named(symbols, "choose"), &size));
    es_symbols_close(symbols);
}
END_TEST

#define FIRST_ADDRESS 0x7F0u /* a little before the first procedure: examples/target/link.ld */

START_TEST(lines_agree_with_addr2line)
{
    es_symbols *symbols = test_open(test_programs[_i]);
    const es_procedure *main_procedure = es_symbols_procedure_named(symbols, "main");
    char options[8192];
    int used = snprintf(options, sizeof options, "-e %s", test_programs[_i]);
    uint32_t step = _i == TEST_COMPRESSED ? 2 : 4;
    unsigned count = 0;
    for (uint32_t at = FIRST_ADDRESS; at < main_procedure->high + 40 && count < 400; at += step, count++)
        used += snprintf(options + used, sizeof options - (size_t)used, " %x", at);
    FILE *addr2line = test_tool("addr2line", options, "");
    char expected[512];
    unsigned known = 0;
    for (unsigned i = 0; i < count; i++) {
        ck_assert_ptr_nonnull(fgets(expected, sizeof expected, addr2line));
        const char *file = "??";
        unsigned line = 0;
        bool found = es_symbols_line(symbols, FIRST_ADDRESS + i * step, &file, &line);
        char *colon = strrchr(expected, ':');
        ck_assert_ptr_nonnull(colon);
        *colon = 0;
        ck_assert_msg(found == (colon[1] != '?' && atoi(colon + 1) != 0), "address %x: addr2line has %s:%s",
                      FIRST_ADDRESS + i * step, expected, colon + 1);
        if (!found)
            continue;
        size_t length = strlen(expected), own = strlen(file);
        ck_assert_msg(own <= length && strcmp(expected + length - own, file) == 0, "%s, addr2line has %s", file,
                      expected);
        ck_assert_msg(line == (unsigned)atoi(colon + 1), "line %u at %x, addr2line has %s", line,
                      FIRST_ADDRESS + i * step, colon + 1);
        ck_assert_int_ne(file[0], '/');
        known++;
    }
    pclose(addr2line);
    ck_assert_uint_ge(known, 100);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(what_is_loaded)
{
    es_symbols *symbols = test_open(test_programs[TEST_O0]);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(segments[0].address, 0);
    ck_assert(segments[0].executable);
    ck_assert_uint_eq(segments[1].address, 0x20000);
    ck_assert(!segments[1].executable);
    ck_assert_msg(strncmp(es_symbols_arch(symbols), "rv32i2p", 7) == 0, "%s", es_symbols_arch(symbols));
    ck_assert_ptr_nonnull(strstr(es_symbols_arch(symbols), "_zicsr"));
    es_symbols_close(symbols);
    symbols = test_open(test_programs[TEST_COMPRESSED]);
    ck_assert_msg(strstr(es_symbols_arch(symbols), "_c2p0"), "%s", es_symbols_arch(symbols));
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("code");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, procedures_agree_with_nm, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, what_procedures_are, 0, TEST_PROGRAMS);
    tcase_add_test(all, recursion);
    tcase_add_loop_test(all, calls_agree_with_objdump, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, tail_and_indirect_calls, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, frame_sizes_agree_with_objdump, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, hard_frames, 0, TEST_PROGRAMS);
    tcase_add_loop_test(all, lines_agree_with_addr2line, 0, TEST_PROGRAMS);
    tcase_add_test(all, what_is_loaded);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
