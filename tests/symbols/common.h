/* What the tests of host/symbols share. */
#ifndef TESTS_SYMBOLS_COMMON_H
#define TESTS_SYMBOLS_COMMON_H

#include <stdio.h>

#include "symbols/symbols.h"

/* The test program, compiled in several ways; NULL ends the list. */
extern const char *const test_programs[];
enum { TEST_O0, TEST_OG, TEST_O2, TEST_DWARF2, TEST_DWARF4, TEST_COMPRESSED, TEST_NORELAX, TEST_PROGRAMS };

const char *test_path(const char *name); /* in the folder of built programs; valid until the next call */
es_symbols *test_open(const char *path); /* fails the test with the message when that does not work */

/* The one variable of that name, in program.c's procedure called so (NULL: file scope of any file); fails the test when
 * there is not exactly one. */
const es_variable *test_variable(const es_symbols *symbols, const char *procedure, const char *name);

/* Whether a variable belongs to a procedure that is called so in its file. */
bool test_is_in(const es_variable *variable, const char *procedure);

/* The line of tests/symbols/program.c (or another file) that holds "@mark". */
unsigned test_line(const char *file, const char *mark);

/* A word of the program's loaded bytes. */
uint32_t test_word(const es_symbols *symbols, uint32_t address);

/* Runs one of the tools, e.g. test_tool("nm", "-n", path). */
FILE *test_tool(const char *tool, const char *options, const char *path);

/* A copy of a file with some bytes at an offset replaced, cut to `size` bytes (0: whole); the path of the copy. */
const char *test_patched(const char *path, long offset, const void *bytes, size_t count, size_t size);

#endif
