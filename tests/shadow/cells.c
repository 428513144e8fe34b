/* cells PROGRAM RECORD: executes what gdb has stopped in (in_gdb.py) on the machine, with a cell for each local, and holds the cells
 * against what gdb said at the same moments, and against what the program itself says (programs/note.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "replay/shadow.h"
#include "symbols/code.h"
#include "symbols/values.h"

enum { CELLS = 0x70000000, CELLS_SIZE = 0x100000, MEMORY = 0x10000, MEMORY_SIZE = 0x40000, STACK = 0x20000 };

static uint8_t cells[CELLS_SIZE], unknown[CELLS_SIZE];
static unsigned long writes, pokes, same, none, entry_only, convention, bad, visited, begins, torn, early;
static es_shadow_tracker *telling;

static void put(uint32_t address, uint32_t word, uint32_t not_known)
{
    for (unsigned i = 0; i < 4; i++) {
        cells[address - CELLS + i] = (uint8_t)(es_shadow_tracker_marked(telling, word, not_known) >> 8 * i);
        unknown[address - CELLS + i] = (uint8_t)(not_known >> 8 * i);
    }
}

static uint8_t assigned[CELLS_SIZE / 4]; /* by word: since the last note of it */

static void on_write(void *context, uint32_t address, uint32_t word, uint32_t not_known)
{
    (void)context;
    writes++;
    assigned[(address - CELLS) / 4] = 1;
    put(address, word, not_known);
}

static void on_poke(void *context, uint32_t address, uint32_t word, uint32_t not_known, bool freed)
{
    (void)context;
    (void)freed;
    pokes++;
    put(address, word, not_known);
}

/* --- what the program says: NOTE(x) in a line of its source --------------------------------------------------------- */

enum { DEVICE = 0x10000000, DEVICE_SIZE = 4096, LINES = DEVICE_SIZE / 4 };
static char notes[LINES][64]; /* by line: the variable's name */
static unsigned long note_same, note_unknown, note_bad, note_written, note_elsewhere;

static void read_notes(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];
    for (unsigned number = 1; file && number < LINES && fgets(line, sizeof line, file); number++) {
        const char *at = strstr(line, "NOTE(");
        if (at)
            sscanf(at, "NOTE(%63[a-z_])", notes[number]);
    }
    if (file)
        fclose(file);
}

static const es_variable *noted(const es_symbols *symbols, unsigned line)
{
    const es_variable *const *all, *best = NULL;
    size_t count = es_symbols_variables(symbols, &all);
    for (size_t i = 0; i < count; i++)
        if (all[i]->procedure && strcmp(all[i]->name, notes[line]) == 0 && all[i]->line <= line &&
            (!best || all[i]->line > best->line))
            best = all[i];
    return best;
}

static void note(const es_symbols *symbols, const es_machine_access *access, uint32_t pc)
{
    static char read[256];
    const char *file;
    unsigned line = (access->address - DEVICE) / 4, at;
    if (es_symbols_line(symbols, pc, &file, &at) && strcmp(read, file) != 0) {
        snprintf(read, sizeof read, "%s", file);
        read_notes(file);
    }
    const es_variable *v = noted(symbols, line);
    if (!v || !v->shadow) {
        note_elsewhere++;
        return;
    }
    uint32_t size = v->type->size < 4 ? v->type->size : 4, cell = v->address - CELLS, value = 0, not_known = 0;
    for (uint32_t i = 0; i < size; i++) {
        value |= (uint32_t)cells[cell + i] << 8 * i;
        not_known |= unknown[cell + i];
    }
    uint32_t shift = 32 - 8 * size;
    value = v->type->is_signed ? (uint32_t)((int32_t)(value << shift) >> shift) : value;
    bool equal = value == access->data;
    note_unknown += not_known != 0;
    note_same += !not_known && equal;
    note_written += !not_known && equal && assigned[cell / 4];
    note_bad += !not_known && !equal;
    if (!not_known && !equal)
        printf("pc %x line %u: %s is %x, the cell %x\n", pc, line, v->name, access->data, value);
    else if (not_known ? getenv("VERBOSE") != NULL : !assigned[cell / 4] && getenv("VERBOSE"))
        printf("# pc %x line %u: %s %s\n", pc, line, v->name, not_known ? "is not known" : "was not assigned");
    assigned[cell / 4] = 0;
}

/* --- what gdb said ---------------------------------------------------------------------------------------------- */

typedef struct stop {
    uint32_t pc;
    long at; /* in the file: after its line */
    struct stop *next;
} stop;

enum { BUCKETS = 65536 };
static stop *stops[BUCKETS], *last[BUCKETS]; /* by pc, in the order of the visits */
static FILE *record;
static uint32_t first_sp, first_gp;

static void read_record(void)
{
    char *line = NULL;
    size_t room = 0;
    bool first = true;
    while (getline(&line, &room, record) > 0) {
        if (line[0] != 'S')
            continue;
        stop *s = calloc(1, sizeof *s);
        char *at = line + 1;
        s->pc = (uint32_t)strtoul(at, &at, 16);
        s->at = ftell(record);
        for (unsigned i = 0; i < 4 && first; i++) {
            uint32_t x = (uint32_t)strtoul(at, &at, 16);
            first_sp = i == 2 ? x : first_sp;
            first_gp = i == 3 ? x : first_gp;
        }
        first = false;
        uint32_t bucket = s->pc / 2 % BUCKETS;
        *(last[bucket] ? &last[bucket]->next : &stops[bucket]) = s;
        last[bucket] = s;
    }
    free(line);
}

static bool uses_entry(const es_symbols *symbols, const es_variable *v, uint32_t pc)
{
    const es_value_copy *copies;
    size_t count = es_symbols_value_copies(symbols, v, &copies);
    for (size_t k = 0; k < count; k++) {
        const es_value_range *range = es_value_at(&copies[k], pc);
        uint64_t entry = 0;
        if (range)
            es_value_registers(range->value, &entry);
        if (entry)
            return true;
    }
    return false;
}

/* Where gdb stops at a copy's first instruction, it shows what the call is in instead. */
static bool begins_copy(const es_symbols *symbols, const es_variable *v, uint32_t pc)
{
    const es_value_copy *copies;
    size_t count = es_symbols_value_copies(symbols, v, &copies);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < copies[k].code_count && copies[k].inlined; i++)
            if (copies[k].code[i].low == pc)
                return true;
    return false;
}

/* gdb shows what lies on the stack where nobody has stored the parameter, and constants that a jump contradicts.
 * convention.py has what it is there. */
static bool is_by_convention(const es_symbols *symbols, const es_variable *variable, uint32_t pc)
{
    const es_value_copy *copies;
    for (size_t i = es_symbols_value_copies(symbols, variable, &copies); i-- > 0;) {
        const es_value_range *range = es_value_at(&copies[i], pc);
        if (range ? es_value_by_convention(range->value) || es_value_guarded(range->value)
                  : copies[i].contradiction != NULL || copies[i].later)
            return true;
    }
    return false;
}

static void check(const es_symbols *symbols, uint32_t pc, const char *function, const char *name, unsigned line,
                  unsigned offset, unsigned size, const char *hex)
{
    const es_variable *const *all;
    size_t count = es_symbols_variables(symbols, &all);
    enum { NOT, WRONG, ENTRY, SAME } best = NOT;
    uint8_t wanted[8] = {0};
    for (unsigned i = 0; i < size; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) == 1)
            wanted[i] = (uint8_t)byte;
    }
    const es_variable *shown = NULL;
    bool in_parts = false, is_early = false;
    for (size_t i = 0; i < count; i++) {
        const es_variable *v = all[i];
        if (v->line != line || !v->procedure || !v->shadow || strcmp(v->name, name) != 0)
            continue;
        uint32_t at = v->address - CELLS + offset;
        bool known = true, equal = memcmp(cells + at, wanted, size) == 0;
        for (unsigned k = 0; k < size; k++)
            known &= !unknown[at + k];
        int result = hex[0] == '-'    ? (!known                       ? SAME
                                         : uses_entry(symbols, v, pc) ? ENTRY
                                                                      : WRONG)
                     : known && equal ? SAME
                                      : WRONG;
        shown = v;
        in_parts |= size == 8 && unknown[at] && cells[at] == ES_SHADOW_IN_PARTS;
        is_early |= unknown[at] && cells[at] == ES_SHADOW_EARLY;
        best = result > (int)best ? result : (int)best;
    }
    if (best == WRONG && is_by_convention(symbols, shown, pc)) {
        convention++;
        return;
    }
    if (best == WRONG && in_parts) {
        torn++; /* gdb shows a half of one value and a half of another */
        return;
    }
    if (best == WRONG && is_early) { /* gdb shows what the caller has left there */
        early++;
        return;
    }
    const es_procedure *in = es_symbols_procedure_at(symbols, pc);
    bool before_all = best == WRONG && in && in->low == pc &&
                      unknown[shown->address - CELLS + offset]; /* its first value comes after */
    if (best == WRONG && (before_all || begins_copy(symbols, shown, pc))) {
        begins++;
        return;
    }
    same += best == SAME && hex[0] != '-';
    none += best == SAME && hex[0] == '-';
    entry_only += best == ENTRY;
    bad += best == WRONG;
    if (best == WRONG) {
        uint32_t at = shown->address - CELLS + offset;
        printf("pc %x: %s\\%s line %u offset %u: gdb says %s, the cell ", pc, function, name, line, offset, hex);
        for (unsigned k = 0; k < size; k++)
            printf(unknown[at + k] ? "??" : "%02x", cells[at + k]);
        printf("\n");
    }
}

/* Copies in copies: gdb tells the innermost first, which is the one that is meant. */
static bool is_first(char *seen, size_t room, const char *key, int length)
{
    if (strstr(seen, key) || strlen(seen) + (size_t)length + 1 > room)
        return false;
    strcat(seen, key);
    return true;
}

static void compare(const es_symbols *symbols, uint32_t pc)
{
    char line[4096 * 3], function[128], name[128], hex[64];
    unsigned number, offset, size;
    stop **at = &stops[pc / 2 % BUCKETS];
    while (*at && (*at)->pc != pc)
        at = &(*at)->next;
    if (!*at)
        return;
    visited++;
    fseek(record, (*at)->at, SEEK_SET);
    *at = (*at)->next;
    char seen[16384] = "", key[300];
    while (fgets(line, sizeof line, record) && line[0] != 'S')
        if (sscanf(line, "V %127s %127s %u %u %u %63s", function, name, &number, &offset, &size, hex) == 6 &&
            is_first(seen, sizeof seen, key,
                     snprintf(key, sizeof key, "|%s %s %u %u|", function, name, number, offset)))
            check(symbols, pc, function, name, number, offset, size, hex);
}

/* --- the machine ------------------------------------------------------------------------------------------------- */

static struct {
    es_symbols *symbols;
    es_machine *machine;
    es_shadow_tracker *tracker;
    uint32_t pc;
} all;

static void insn(void *context, uint32_t pc)
{
    (void)context;
    all.pc = pc;
    es_shadow_tracker_insn(all.tracker, pc);
}

static void access(void *context, const es_machine_access *access)
{
    (void)context;
    es_shadow_tracker_access(all.tracker, access);
    if (access->kind == ES_KIND_FETCH)
        compare(all.symbols, all.pc);
    if (access->kind == ES_KIND_WRITE && access->address - DEVICE < DEVICE_SIZE)
        note(all.symbols, access, all.pc);
}

static void sets(void *context, unsigned reg)
{
    (void)context;
    es_shadow_tracker_sets(all.tracker, reg);
}

static void make_machine(void)
{
    es_error err = {0};
    es_machine_options options = {.isa = es_symbols_isa(all.symbols),
                                  .reset_pc = es_symbols_entry(all.symbols),
                                  .known_at_reset = true,
                                  .misaligned = true};
    uint32_t stack = (first_sp & ~0xFFFu) + 0x1000 - STACK;
    all.machine = es_machine_new(&options, &err);
    if (!all.machine || !es_machine_region(all.machine, MEMORY, MEMORY_SIZE, true, &err) ||
        !es_machine_region(all.machine, stack, STACK, true, &err) ||
        !es_machine_region(all.machine, DEVICE, DEVICE_SIZE, true, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(2);
    }
    uint8_t *zeros = calloc(1, MEMORY_SIZE);
    es_machine_poke(all.machine, MEMORY, zeros, NULL, MEMORY_SIZE);
    es_machine_poke(all.machine, stack, zeros, NULL, STACK);
    es_machine_poke(all.machine, DEVICE, zeros, NULL, DEVICE_SIZE);
    free(zeros);
    const es_segment *segments;
    size_t count = es_symbols_segments(all.symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_machine_poke(all.machine, segments[i].address, segments[i].bytes, NULL, segments[i].size))
            exit((fprintf(stderr, "segment at %x\n", segments[i].address), 2));
    es_machine_reset(all.machine);
    es_machine_registers registers;
    es_machine_get(all.machine, &registers);
    registers.x[2] = first_sp;
    es_machine_set(all.machine, &registers);
}

/* Linux's calls: write takes all, exit ends. */
static bool call_linux(void)
{
    es_machine_registers registers;
    es_machine_get(all.machine, &registers);
    if (registers.x[17] != 64)
        return false;
    registers.x[10] = registers.x[12];
    registers.pc += 4;
    es_machine_set(all.machine, &registers);
    return true;
}

static void mark_calls(void)
{
    uint32_t word;
    for (uint32_t at = MEMORY; at < MEMORY + MEMORY_SIZE; at += 2)
        if (es_symbols_word(all.symbols, at, &word) && word == 0x73)
            es_machine_mark(all.machine, at, true);
}

int main(int argc, char **argv)
{
    es_error err = {0};
    all.symbols = argc == 3 ? es_symbols_open(argv[1], &err) : NULL;
    record = all.symbols ? fopen(argv[2], "r") : NULL;
    if (!record)
        return fprintf(stderr, "cells PROGRAM RECORD: %s\n", err.text), 2;
    es_symbols_use_shadows(all.symbols, CELLS, CELLS_SIZE);
    const es_variable *const *variables;
    size_t count = es_symbols_variables(all.symbols, &variables);
    for (size_t i = 0; i < count; i++)
        if (variables[i]->procedure)
            es_symbols_name_variable(all.symbols, variables[i]);
    read_record();
    make_machine();
    mark_calls();
    const es_shadow_told told = {on_write, on_poke, NULL};
    all.tracker = es_shadow_tracker_new(all.symbols, all.machine, &told);
    telling = all.tracker;
    es_shadow_tracker_begin(all.tracker);
    const es_machine_listener listener = {.insn = insn, .access = access, .sets = sets};
    es_machine_listen(all.machine, &listener);
    enum es_machine_stop why;
    do
        why = es_machine_run(all.machine, 200000000);
    while (why == ES_MACHINE_MARK && call_linux());
    if (why != ES_MACHINE_MARK && why != ES_MACHINE_UNTIL)
        printf("the machine stopped: %d %s\n", (int)why, es_machine_reason(all.machine));
    unsigned long left = 0;
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct stop *s = stops[i]; s; s = s->next)
            left++;
    printf("%lu moments of %llu instructions: %lu values the same, %lu unknown in both, %lu by entry values here only, "
           "%lu by the calling convention only, %lu torn, %lu too early, %lu wrong; %lu "
           "writes, %lu pokes; %lu at a first instruction; %lu moments not met\n",
           visited, (unsigned long long)es_machine_fetches(all.machine), same, none, entry_only, convention, torn,
           early, bad, writes, pokes, begins, left);
    printf("%lu notes the same, %lu of them assigned since the one before; %lu of what is not known, %lu of what is in "
           "memory; %lu "
           "wrong\n",
           note_same, note_written, note_unknown, note_elsewhere, note_bad);
    es_shadow_tracker_free(all.tracker);
    es_machine_free(all.machine);
    es_symbols_close(all.symbols);
    fclose(record);
    return bad || note_bad || !same || torn + early > same / 10 || left > visited / 10;
}
