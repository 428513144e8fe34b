/* What cannot be used is refused with a message that says what it is and what to do. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_main.h"
#include "common.h"

static void refused(const char *path, const char *what, const char *advice)
{
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(!symbols, "%s was opened", path);
    ck_assert_int_eq(err.code, ES_USAGE);
    ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "\"%s\" does not start with the file's name", err.text);
    ck_assert_msg(strstr(err.text, what), "\"%s\" does not say \"%s\"", err.text, what);
    ck_assert_msg(strstr(err.text, advice), "\"%s\" does not say \"%s\"", err.text, advice);
}

static const char *good(void)
{
    return test_programs[TEST_O0];
}

START_TEST(no_file)
{
    refused("tests/symbols/nothing.elf", "cannot be read: No such file", "");
    refused("tests/symbols", "is not a file", "name the program's ELF file");
    refused("tests/symbols/program.c", "is not an ELF file", "as the linker made it");
    refused("/dev/null", "is not a file", "");
    ck_assert_ptr_null(es_symbols_open("tests/symbols/nothing.elf", NULL));
    es_symbols_close(NULL);
}
END_TEST

START_TEST(other_machines)
{
    refused("/proc/self/exe", "is a", "Earshot needs a 32-bit RISC-V executable");
    refused(test_patched(good(), 18, (uint8_t[]){EM_X86_64, 0}, 2, 0), "is an x86-64 executable", "32-bit RISC-V");
    refused(test_patched(good(), 18, (uint8_t[]){EM_ARM, 0}, 2, 0), "is an ARM executable", "RISC-V");
    refused(test_patched(good(), 18, (uint8_t[]){0x34, 0x12}, 2, 0), "machine number 4660", "RISC-V");
    refused(test_patched(good(), EI_CLASS, (uint8_t[]){ELFCLASS64}, 1, 0), "64-bit RISC-V", "-march=rv32i");
    refused(test_patched(good(), EI_CLASS, (uint8_t[]){ELFCLASS64, ELFDATA2LSB}, 2, 0), "64-bit RISC-V", "-mabi=ilp32");
    refused(test_patched(good(), EI_DATA, (uint8_t[]){9}, 1, 0), "byte order 9", "link the program again");
}
END_TEST

START_TEST(big_endian)
{
    static const uint8_t header[] = {ELFDATA2MSB, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ET_EXEC, 0, EM_RISCV};
    refused(test_patched(good(), EI_DATA, header, sizeof header, 0), "another machine", "32-bit RISC-V");
}
END_TEST

START_TEST(not_an_executable)
{
    refused(test_path("object.o"), "is an object file", "link it first");
    refused(test_patched(good(), 16, (uint8_t[]){ET_CORE, 0}, 2, 0), "core dump", "");
    refused(test_patched(good(), 16, (uint8_t[]){ET_DYN, 0}, 2, 0), "position independent", "-no-pie");
    refused(test_patched(good(), 16, (uint8_t[]){77, 0}, 2, 0), "ELF type 77", "link");
    refused(test_path("nodebug.elf"), "has no debug information", "compile with -g");
}
END_TEST

START_TEST(truncated)
{
    refused(test_patched(good(), 0, NULL, 0, 3), "is not an ELF file", "");
    refused(test_patched(good(), 0, NULL, 0, 40), "truncated", "link the program again");
    refused(test_patched(good(), 0, NULL, 0, 52), "truncated", "link the program again");
    refused(test_patched(good(), 0, NULL, 0, 0x1100), "truncated", "link the program again");
}
END_TEST

/* Whatever is missing: a file that is only as long as its headers say is taken. */
START_TEST(every_truncation_is_refused)
{
    FILE *file = fopen(good(), "rb");
    ck_assert(file && fseek(file, 0, SEEK_END) == 0);
    size_t whole = (size_t)ftell(file);
    fclose(file);
    refused(test_patched(good(), 0, NULL, 0, whole - 1), "is truncated: it has ", "copy it completely or link");
    for (size_t size = 100; size < whole; size += 191) {
        es_error err = {0};
        es_symbols *symbols = es_symbols_open(test_patched(good(), 0, NULL, 0, size), &err);
        ck_assert_msg(!symbols, "opened with only %zu bytes", size);
        ck_assert_int_eq(err.code, ES_USAGE);
    }
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
    Suite *suite = suite_create("open");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, NULL, remove_copy);
    tcase_add_test(all, no_file);
    tcase_add_test(all, other_machines);
    tcase_add_test(all, big_endian);
    tcase_add_test(all, not_an_executable);
    tcase_add_test(all, truncated);
    tcase_add_test(all, every_truncation_is_refused);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
