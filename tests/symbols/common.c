#include "common.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const test_programs[] = {
    TEST_DIR "/program-O0.elf", TEST_DIR "/program-Og.elf", TEST_DIR "/program-O2.elf", TEST_DIR "/dwarf2.elf",
    TEST_DIR "/dwarf4.elf",     TEST_DIR "/compressed.elf", TEST_DIR "/norelax.elf",    NULL,
};

const char *test_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", TEST_DIR, name);
    return path;
}

es_symbols *test_open(const char *path)
{
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols, "%s", err.text);
    return symbols;
}

bool test_is_in(const es_variable *variable, const char *procedure)
{
    const char *name = variable->procedure ? variable->procedure->name : "";
    const char *file_end = strrchr(name, '\\');
    return strcmp(file_end ? file_end + 1 : name, procedure) == 0;
}

const es_variable *test_variable(const es_symbols *symbols, const char *procedure, const char *name)
{
    const es_variable *found[8], *match = NULL;
    size_t count = es_symbols_find(symbols, NULL, name, found, 8);
    unsigned matches = 0;
    for (size_t i = 0; i < count && i < 8; i++) {
        bool fits = procedure ? test_is_in(found[i], procedure) : !found[i]->procedure;
        if (fits && (!procedure || strcmp(found[i]->file, "tests/symbols/program.c") == 0)) {
            match = found[i];
            matches++;
        }
    }
    ck_assert_msg(matches == 1, "%s in %s: found %u times", name, procedure ? procedure : "file scope", matches);
    return match;
}

unsigned test_line(const char *file, const char *mark)
{
    char path[256], text[512], wanted[64];
    snprintf(path, sizeof path, "tests/symbols/%s", file);
    snprintf(wanted, sizeof wanted, "@%s ", mark);
    FILE *source = fopen(path, "r");
    ck_assert_msg(source, "%s: run the tests from the repository's root", path);
    unsigned line = 0, found = 0;
    while (fgets(text, sizeof text, source)) {
        line++;
        if (strstr(text, wanted))
            found = line;
    }
    fclose(source);
    ck_assert_msg(found, "no mark @%s in %s", mark, path);
    return found;
}

uint32_t test_word(const es_symbols *symbols, uint32_t address)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (address - segments[i].address < segments[i].size &&
            segments[i].size - (address - segments[i].address) >= 4) {
            const uint8_t *b = segments[i].bytes + (address - segments[i].address);
            return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        }
    ck_abort_msg("no bytes at 0x%x", address);
    return 0;
}

FILE *test_tool(const char *tool, const char *options, const char *path)
{
    char command[16384];
    snprintf(command, sizeof command, "LC_ALL=C %s%s %s %s", CROSS, tool, options, path);
    FILE *pipe = popen(command, "r");
    ck_assert_msg(pipe, "%s cannot be run", command);
    return pipe;
}

const char *test_patched(const char *path, long offset, const void *bytes, size_t count, size_t size)
{
    static char copy[512];
    static char content[1 << 20];
    FILE *file = fopen(path, "rb");
    ck_assert(file);
    size_t length = fread(content, 1, sizeof content, file);
    fclose(file);
    ck_assert_uint_le((size_t)offset + count, length);
    if (count)
        memcpy(content + offset, bytes, count);
    snprintf(copy, sizeof copy, "%s/patched-%ld.elf", TEST_DIR, (long)getpid());
    file = fopen(copy, "wb");
    ck_assert(file);
    ck_assert_uint_eq(fwrite(content, 1, size ? size : length, file), size ? size : length);
    fclose(file);
    return copy;
}
