/* parts RECORDING PROGRAM [unknown]: what several threads tell of a recording that they execute in parts, of whatever sizes, is
 * what one machine tells that executes all of it, and a tracker that looks at it: each access on the bus, and every
 * shadow cell that the program can have, in their order. unknown: the recording is changed to one of a processor of whose
 * registers nothing is known after a reset. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "probe_defs.h"
#include "replay/recording_private.h"
#include "replay/shadow.h"
#include "replayed/parts.h"
#include "symbols/values.h"

#define CELLS 0x7FF00000u
#define CELLS_SIZE 0x80000u
#define PARTS_MOST 20000u /* accesses with which parts of few instructions are tried, by their instructions */

typedef struct story {
    es_machine_access *told;
    size_t count, room;
} story;

typedef struct teller {
    story *story;
    es_shadow_tracker *tracker;
} teller;

static void add(story *s, const es_machine_access *access)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 1 << 16;
        s->told = es_realloc(s->told, s->room * sizeof *s->told);
    }
    s->told[s->count++] = *access;
}

/* --- one machine ------------------------------------------------------------------------------- */

static void tell(teller *t, uint8_t kind, uint32_t address, uint32_t word, uint32_t unknown, uint8_t lanes)
{
    add(t->story, &(es_machine_access){.kind = kind,
                                       .lanes = lanes,
                                       .address = address,
                                       .data = es_shadow_tracker_marked(t->tracker, word, unknown),
                                       .unknown = unknown});
}

static void on_write(void *context, uint32_t address, uint32_t word, uint32_t unknown)
{
    tell(context, ES_BUS_ASSIGNED, address, word, unknown, 0xF);
}

static void on_poke(void *context, uint32_t address, uint32_t word, uint32_t unknown, bool freed)
{
    tell(context, ES_BUS_MOVED, address, word, unknown, freed ? ES_BUS_FREED : 0);
}

static void on_insn(void *context, uint32_t pc)
{
    es_shadow_tracker_insn(((teller *)context)->tracker, pc);
}

static void on_access(void *context, const es_machine_access *access)
{
    teller *t = context;
    add(t->story, access);
    es_shadow_tracker_access(t->tracker, access);
}

static void on_sets(void *context, unsigned reg)
{
    es_shadow_tracker_sets(((teller *)context)->tracker, reg);
}

static void on_trap(void *context, uint32_t cause)
{
    (void)cause;
    es_shadow_tracker_trap(((teller *)context)->tracker);
}

static bool tell_whole(story *s, const char *path, const es_symbols *symbols, es_error *err)
{
    teller t = {.story = s};
    const es_shadow_told told = {on_write, on_poke, &t};
    const es_machine_listener listener = {on_insn, on_access, on_sets, on_trap, &t};
    es_timeline *timeline = es_timeline_open(path, symbols, err);
    if (!timeline || !es_timeline_seek(timeline, 0, err))
        return false;
    t.tracker = es_shadow_tracker_new(symbols, es_timeline_machine(timeline), &told);
    es_shadow_tracker_begin(t.tracker);
    es_machine_listen(es_timeline_machine(timeline), &listener);
    bool good = es_timeline_run(timeline, es_timeline_end(timeline), err) == ES_MACHINE_UNTIL;
    es_shadow_tracker_free(t.tracker);
    es_timeline_close(timeline);
    return good;
}

/* --- in parts ---------------------------------------------------------------------------------- */

static void add_part(story *s, const es_bus_part *part)
{
    size_t cell = 0;
    for (size_t i = 0; i <= part->count; i++) {
        for (; cell < part->cell_count && part->cells[cell].before == i; cell++)
            if (part->cells[cell].access.kind != ES_BUS_NEXT)
                add(s, &part->cells[cell].access);
        if (i < part->count)
            add(s, &part->accesses[i]);
    }
}

static bool same_access(const es_machine_access *a, const es_machine_access *b)
{
    return a->kind == b->kind && a->lanes == b->lanes && a->address == b->address && a->data == b->data &&
           a->unknown == b->unknown;
}

static bool compare(const story *whole, const es_bus_parts_options *options, es_error *err)
{
    story s = {0};
    es_bus_parts *parts = es_bus_parts_open(options, err);
    if (!parts)
        return false;
    bool good = true;
    for (const es_bus_part *part; (part = es_bus_parts_next(parts));) {
        good = good && (!part->failed || es_fail(err, ES_USAGE, "%s", part->error.text));
        add_part(&s, part);
    }
    es_bus_parts_close(parts);
    size_t at = 0;
    while (at < s.count && at < whole->count && same_access(&s.told[at], &whole->told[at]))
        at++;
    if (good && (at < s.count || at < whole->count)) {
        const es_machine_access none = {0}, *a = at < whole->count ? &whole->told[at] : &none,
                                *b = at < s.count ? &s.told[at] : &none;
        good = es_fail(err, ES_USAGE,
                       "%u threads, parts of %u: %zu of %zu: kind %u 0x%08x 0x%08x (0x%08x unknown) is kind %u 0x%08x "
                       "0x%08x (0x%08x unknown)",
                       options->jobs, (unsigned)options->size, at, whole->count, a->kind, (unsigned)a->address,
                       (unsigned)a->data, (unsigned)a->unknown, b->kind, (unsigned)b->address, (unsigned)b->data,
                       (unsigned)b->unknown);
    }
    free(s.told);
    return good;
}

/* --- cells ------------------------------------------------------------------------------------- */

/* set: 0: all variables and results, all registers, the stack's depths; 1: variables alone; 2: registers alone. */
static void name_cells(const es_symbols *symbols, unsigned set)
{
    const es_variable *const *variables;
    const es_procedure *const *procedures;
    const char *why;
    size_t count = set < 2 ? es_symbols_variables(symbols, &variables) : 0;
    for (size_t i = 0; i < count; i++)
        es_symbols_name_variable(symbols, variables[i]);
    count = set == 0 ? es_symbols_procedures(symbols, &procedures) : 0;
    for (size_t i = 0; i < count; i++)
        es_symbols_result_shadow(symbols, &procedures[i], 1, &why);
    static const char *const registers[] = {"sp", "ra", "a0", "a1", "a5", "s0", "s1", "t0"};
    for (size_t i = 0; i < sizeof registers / sizeof *registers && set != 1; i++)
        es_symbols_register_shadow(symbols, registers[i], &why);
    for (int peak = 0; peak < 2 && set != 1; peak++)
        es_symbols_stack_shadow(symbols, peak, &why);
}

static bool check(const char *path, const char *program, unsigned set, es_error *err)
{
    static const struct {
        unsigned jobs, size;
    } tried[] = {{1, 0}, {3, 0}, {2, 10007}, {1, 997}, {4, 131}, {1, 7}, {3, 1}};
    story whole = {0};
    es_symbols *symbols = es_symbols_open(program, err);
    if (!symbols)
        return false;
    es_symbols_use_shadows(symbols, CELLS, CELLS_SIZE);
    name_cells(symbols, set);
    bool good = tell_whole(&whole, path, symbols, err);
    size_t assigned = 0, moved = 0, times = 0;
    for (size_t i = 0; i < whole.count; i++) {
        assigned += whole.told[i].kind == ES_BUS_ASSIGNED;
        moved += whole.told[i].kind == ES_BUS_MOVED;
    }
    for (size_t i = set; i < sizeof tried / sizeof *tried && good; i += set ? 3 : 1) {
        if (tried[i].size && whole.count / tried[i].size > PARTS_MOST)
            continue;
        const es_bus_parts_options options = {
            .path = path, .symbols = symbols, .jobs = tried[i].jobs, .size = tried[i].size};
        good = compare(&whole, &options, err);
        times++;
    }
    if (good)
        printf("%s, cells %u: %zu accesses, %zu assignments, %zu changes, the same %zu times\n", program, set,
               whole.count - assigned - moved, assigned, moved, times);
    free(whole.told);
    es_symbols_close(symbols);
    return good && (moved || es_fail(err, ES_USAGE, "no cell was told"));
}

static bool forget_registers(const char *path)
{
    uint8_t header[ES_RECORDING_HEADER];
    es_recording_info info;
    FILE *file = fopen(path, "r+b");
    bool good = file && fread(header, sizeof header, 1, file) == 1 && es_recording_get_header(header, &info);
    info.known_at_reset = false;
    if (good)
        es_recording_put_header(header, &info);
    good = good && fseek(file, 0, SEEK_SET) == 0 && fwrite(header, sizeof header, 1, file) == 1;
    return (!file || fclose(file) == 0) && good;
}

int main(int argc, char **argv)
{
    es_error err = {0};
    bool unknown = argc == 4 && strcmp(argv[3], "unknown") == 0;
    if ((argc != 3 && !unknown) || (unknown && !forget_registers(argv[1])))
        return fprintf(stderr, "parts RECORDING PROGRAM [unknown]\n"), 2;
    for (unsigned set = 0; set < 3; set++)
        if (!check(argv[1], argv[2], set, &err))
            return fprintf(stderr, "%s, cells %u: %s\n", argv[2], set, err.text), 1;
    return 0;
}
