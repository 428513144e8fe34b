/* compare PROGRAM RECORD: holds what es_symbols_value_copies and es_value_read say of each variable against what gdb said
 * at the same place with the same registers and memory (in_gdb.py has the record's format). Prints what differs, and
 * counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/values.h"

enum { CHUNKS = 16, CHUNK = 4096 };

static struct {
    uint32_t pc, x[32], entry[32];
    bool entered;
    struct {
        uint32_t low, size;
        uint8_t bytes[CHUNK];
    } memory[CHUNKS];
    size_t chunks;
} now;

static unsigned long stops, same, more, by_convention, none, differ, less, nowhere;

static void read_register(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    (void)context;
    *value = reg < 32 ? now.x[reg] : 0;
    *unknown = reg < 32 ? 0 : UINT64_MAX;
}

static void read_entry(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    (void)context;
    *value = reg < 32 && now.entered ? now.entry[reg] : 0;
    *unknown = reg < 32 && now.entered ? 0 : UINT64_MAX;
}

static void read_memory(void *context, uint32_t address, uint32_t size, uint8_t *bytes, uint8_t *unknown)
{
    (void)context;
    for (uint32_t i = 0; i < size; i++)
        for (size_t k = 0; k < now.chunks; k++) {
            uint32_t at = address + i - now.memory[k].low;
            if (at < now.memory[k].size) {
                bytes[i] = now.memory[k].bytes[at];
                unknown[i] = 0;
            }
        }
}

static const es_value_context context = {read_register, read_entry, read_memory, NULL};

static bool is_active(const es_symbols *symbols, const es_value_copy *copy)
{
    bool in = !copy->inlined;
    for (size_t i = 0; i < copy->code_count; i++)
        in |= now.pc >= copy->code[i].low && now.pc < copy->code[i].high;
    return !copy->procedure || (in && es_symbols_procedure_at(symbols, now.pc) == copy->procedure);
}

struct wanted {
    char function[128], name[128], hex[64];
    unsigned line, offset, size;
};

static bool parse_hex(const char *hex, uint8_t *bytes, size_t room, size_t *count)
{
    unsigned byte;
    for (*count = 0; *count < room && sscanf(hex + 2 * *count, "%2x", &byte) == 1; (*count)++)
        bytes[*count] = (uint8_t)byte;
    return *count;
}

/* 0 as gdb says, 1 it says more, 2 less, 3 something else; *entry: it stands on registers at entry. */
static int compare(const es_value *value, const es_variable *variable, const struct wanted *w, bool *entry)
{
    static uint8_t bytes[65536], unknown[65536];
    uint64_t entries;
    if (value && es_value_reason(value) && strstr(es_value_reason(value), "keeps in no memory"))
        return 0; /* gdb has a pointer to something else there */
    if (!value || es_value_reason(value) || variable->type->size > sizeof bytes ||
        w->offset + w->size > variable->type->size)
        return w->hex[0] == '-' ? 0 : 1;
    es_value_registers(value, &entries);
    *entry = entries;
    es_value_read(value, &context, variable->type->size, bytes, unknown, NULL, NULL);
    bool known = true;
    for (unsigned i = 0; i < w->size; i++)
        known &= !unknown[w->offset + i];
    if (w->hex[0] == '-')
        return known ? 2 : 0;
    if (!known)
        return 1;
    uint8_t wanted[8];
    size_t count;
    return parse_hex(w->hex, wanted, sizeof wanted, &count) && count == w->size &&
                   memcmp(wanted, bytes + w->offset, count) == 0
               ? 0
               : 3;
}

static void check(const es_symbols *symbols, const struct wanted *w)
{
    const es_variable *const *all;
    size_t count = es_symbols_variables(symbols, &all);
    int best = -1;
    bool best_entry = false, convention = false;
    const es_value *shown = NULL;
    for (size_t i = 0; i < count; i++) {
        const es_variable *v = all[i];
        const es_value_copy *copies;
        if (v->line != w->line || !v->procedure || strcmp(v->name, w->name) != 0)
            continue;
        size_t copy_count = es_symbols_value_copies(symbols, v, &copies);
        for (size_t k = 0; k < copy_count; k++) {
            if (!is_active(symbols, &copies[k]))
                continue;
            const es_value_range *range = es_value_at(&copies[k], now.pc);
            bool entry = false;
            convention |= range ? es_value_by_convention(range->value) || es_value_guarded(range->value)
                                : copies[k].contradiction != NULL || copies[k].later;
            int result = compare(range ? range->value : NULL, v, w, &entry);
            if (best < 0 || result == 0) {
                best = result;
                best_entry = entry;
                shown = range ? range->value : NULL;
            }
        }
    }
    if (best > 0 && convention) { /* gdb shows what lies on the stack: convention.py has what it is */
        by_convention++;
        return;
    }
    same += best == 0 && w->hex[0] != '-';
    none += best == 0 && w->hex[0] == '-';
    more += best == 2 && best_entry;
    nowhere += best < 0;
    if (best < 0 && w->hex[0] != '-')
        best = 1;
    differ += best == 3 || (best == 2 && !best_entry);
    less += best == 1;
    if (best == 1 || best == 3 || (best == 2 && !best_entry))
        printf("pc %x: %s\\%s line %u offset %u: gdb says %s; here it %s%s%s\n", now.pc, w->function, w->name, w->line,
               w->offset, w->hex,
               best == 1   ? "is not known"
               : best == 2 ? "is known"
                           : "is something else",
               shown ? ": " : "", shown ? es_value_reason(shown) ? es_value_reason(shown) : es_value_words(shown) : "");
}

static void read_numbers(char *text, uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)strtoul(text, &text, 16);
}

int main(int argc, char **argv)
{
    es_error err = {0};
    es_symbols *symbols = argc == 3 ? es_symbols_open(argv[1], &err) : NULL;
    FILE *record = symbols ? fopen(argv[2], "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    bool ended = false;
    if (!record)
        return fprintf(stderr, "compare PROGRAM RECORD: %s\n", argc == 3 ? "cannot be read" : "two files"), 2;
    while (getline(&line, &room, record) > 0) {
        struct wanted w;
        if (strcmp(line, "END\n") == 0) {
            ended = true;
        } else if (line[0] == 'S') {
            stops++;
            now.chunks = 0;
            char *at = line + 1;
            now.pc = (uint32_t)strtoul(at, &at, 16);
            read_numbers(at, now.x, 32);
        } else if (line[0] == 'E') {
            now.entered = line[2] != '-';
            read_numbers(line + 1, now.entry, now.entered ? 32 : 0);
        } else if (line[0] == 'M' && now.chunks < CHUNKS) {
            char *at = line + 1;
            size_t count;
            now.memory[now.chunks].low = (uint32_t)strtoul(at, &at, 16);
            parse_hex(at + 1, now.memory[now.chunks].bytes, CHUNK, &count);
            now.memory[now.chunks++].size = (uint32_t)count;
        } else if (sscanf(line, "V %127s %127s %u %u %u %63s", w.function, w.name, &w.line, &w.offset, &w.size,
                          w.hex) == 6) {
            check(symbols, &w);
        }
    }
    printf(
        "%lu stops: %lu values the same, %lu optimised out in both, %lu by entry values here only, %lu by the calling "
        "convention only; %lu less than "
        "gdb, %lu "
        "different, %lu of no variable\n",
        stops, same, none, more, by_convention, less, differ, nowhere);
    free(line);
    fclose(record);
    es_symbols_close(symbols);
    return differ || less || !same || !ended;
}
