#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "isa/flow.h"
#include "net/program/raw_messages.h"
#include "net/program/table.h"
#include "probe_defs.h"
#include "symbols/code.h"

#define HALVES (ES_TARGET_ROM_SIZE / 2) /* of words: where instructions may begin */

/* An ELF file and, where that is another, the one that runs in its place. */
typedef struct program {
    const char *path, *runs;
    es_net_mark_place *marked; /* the table of the program with marks */
    es_net_mark_place *places; /* of the one that runs */
    size_t count;
    uint32_t *at;  /* by half: 1 + the first place in `order` that begins there, 0 none */
    bool *ends_at; /* by half: there ends a mark */
    size_t *order; /* places by address, then by address with marks */
    /* By half of the program that runs without marks: where the jump there goes in the program with marks, 0: it is
     * none to a fixed place. NULL with marks */
    uint32_t *jumps;
} program;

typedef struct event {
    es_net_mark mark;
    uint64_t serial; /* order of origin */
} event;

typedef struct core {
    const program *program;
    /* with marks */
    size_t open; /* mark whose first instruction has been fetched, or SIZE_MAX */
    uint64_t begin;
    uint32_t value;
    bool stored;
    /* without */
    uint32_t registers[32];
    uint32_t last_pc, last_next, last_after; /* of the last instruction; after it in memory */
} core;

struct es_recorder {
    es_recorder_options options;
    es_multi *multi;
    program programs[ES_MULTI_CORES];
    core cores[ES_MULTI_CORES];
    event *events; /* held back */
    size_t event_count, event_room;
    es_mark stray; /* a store to the window that is no mark */
    bool has_stray;
    struct { /* an access to the message device past examples/mp/mp.h */
        bool seen;
        unsigned core;
        uint64_t time;
        uint32_t pc;
    } raw;
};

/* --- with marks: what the taps see ---------------------------------------------------------------- */

static void on_mark(void *context, const es_mark *mark)
{
    es_recorder *r = context;
    core *c = &r->cores[mark->core];
    const es_net_mark_place *place = c->open == SIZE_MAX ? NULL : &c->program->places[c->open];
    if (!place || place->id != mark->id || mark->pc != place->end - 4) {
        if (!r->has_stray)
            r->stray = *mark;
        r->has_stray = true;
        return;
    }
    c->value = mark->value;
    c->stored = true;
    if (r->options.on_store) {
        es_net_mark told = {(int64_t)mark->time, 0, mark->core, mark->id, mark->value, (uint32_t)c->open};
        r->options.on_store(r->options.context, &told);
    }
}

static void on_fetch(void *context, unsigned number, uint64_t time, uint32_t address)
{
    es_recorder *r = context;
    core *c = &r->cores[number];
    if (c->open != SIZE_MAX && c->stored && c->program->places[c->open].end == address) {
        es_net_mark told = {(int64_t)time, (int64_t)(time - c->begin), number, c->program->places[c->open].id,
                            c->value,      (uint32_t)c->open};
        c->open = SIZE_MAX;
        if (r->options.on_mark)
            r->options.on_mark(r->options.context, &told);
    }
    uint32_t first = c->program->at[address / 2];
    if (first) {
        c->open = c->program->order[first - 1];
        c->begin = time;
        c->stored = false;
    }
}

/* Messages of which the library's marks tell nothing, beside others of which they do: a net would be wrong. */
static void on_message(void *context, unsigned number, uint64_t time, uint32_t pc, uint32_t address)
{
    es_recorder *r = context;
    const program *p = r->cores[number].program;
    if (r->raw.seen || !es_net_has_messages(p->places, p->count) ||
        es_net_message_is_known(p->places, p->count, pc, address))
        return;
    r->raw.seen = true;
    r->raw.core = number;
    r->raw.time = time;
    r->raw.pc = pc;
}

/* --- without: what the processors did --------------------------------------------------------------- */

static void hold(es_recorder *r, const es_net_mark *mark)
{
    if (r->event_count == r->event_room) {
        r->event_room = r->event_room ? 2 * r->event_room : 4096;
        r->events = es_realloc(r->events, r->event_room * sizeof *r->events);
    }
    r->events[r->event_count] = (event){*mark, r->event_count};
    r->event_count++;
}

static void on_retired(void *context, unsigned number, const es_retired *retired)
{
    es_recorder *r = context;
    core *c = &r->cores[number];
    const program *p = c->program;
    uint32_t first = retired->pc < ES_TARGET_ROM_SIZE ? p->at[retired->pc / 2] : 0;
    if (first) {
        /* A jump may go after some of the marks or all. */
        bool jumped = c->last_next != c->last_after && c->last_pc < ES_TARGET_ROM_SIZE;
        uint32_t from = jumped ? p->jumps[c->last_pc / 2] : 0;
        for (size_t i = first - 1; i < p->count && p->places[p->order[i]].begin == retired->pc; i++) {
            size_t site = p->order[i];
            es_net_mark told = {(int64_t)retired->fetch_cycle,
                                0,
                                number,
                                p->places[site].id,
                                c->registers[p->places[site].reg],
                                (uint32_t)site};
            if (p->marked[site].begin >= from)
                hold(r, &told);
        }
    }
    if (retired->rd)
        c->registers[retired->rd] = retired->rd_value;
    c->last_pc = retired->pc;
    c->last_next = retired->next_pc;
    c->last_after = retired->pc + ((retired->insn & 3) == 3 ? 4 : 2);
}

static int by_time(const void *left, const void *right)
{
    const event *a = left, *b = right;
    if (a->mark.time != b->mark.time)
        return a->mark.time < b->mark.time ? -1 : 1;
    if (a->mark.core != b->mark.core)
        return a->mark.core < b->mark.core ? -1 : 1;
    return (a->serial > b->serial) - (a->serial < b->serial);
}

void es_recorder_flush(es_recorder *r)
{
    if (r->event_count)
        qsort(r->events, r->event_count, sizeof *r->events, by_time);
    for (size_t i = 0; i < r->event_count; i++)
        if (r->options.on_mark)
            r->options.on_mark(r->options.context, &r->events[i].mark);
    r->event_count = 0;
}

/* --- programs ------------------------------------------------------------------------------------------ */

static int by_address(const void *left, const void *right, void *context)
{
    const program *p = context;
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    if (p->places[a].begin != p->places[b].begin)
        return p->places[a].begin < p->places[b].begin ? -1 : 1;
    return (p->marked[a].begin > p->marked[b].begin) - (p->marked[a].begin < p->marked[b].begin);
}

static bool index_places(program *p, es_error *err)
{
    p->at = es_malloc(HALVES * sizeof *p->at);
    p->ends_at = es_malloc(HALVES * sizeof *p->ends_at);
    p->order = es_malloc((p->count + 1) * sizeof *p->order);
    memset(p->at, 0, HALVES * sizeof *p->at);
    memset(p->ends_at, 0, HALVES * sizeof *p->ends_at);
    for (size_t i = 0; i < p->count; i++) {
        const es_net_mark_place *place = &p->places[i];
        if (place->end / 2 >= HALVES || place->begin > place->end || (place->begin | place->end) % 2)
            return es_fail(err, ES_USAGE, "%s: a mark at 0x%x is outside of the target's ROM", p->runs,
                           (unsigned)place->begin);
        p->order[i] = i;
        p->ends_at[place->end / 2] = true;
    }
    qsort_r(p->order, p->count, sizeof *p->order, by_address, p);
    for (size_t i = p->count; i-- > 0;)
        p->at[p->places[p->order[i]].begin / 2] = (uint32_t)i + 1;
    return true;
}

/* The first mark with code of the program with marks that begins in these addresses, or NULL. */
static const es_net_mark_place *mark_in(const program *p, uint32_t low, uint32_t high)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->marked[i].begin >= low && p->marked[i].begin < high && p->marked[i].end > p->marked[i].begin)
            return &p->marked[i];
    return NULL;
}

/* Goes along one procedure in both programs: the instructions are the same ones, but for the marks. How long a jump is
 * may differ, since the way is longer with marks. */
static bool pair(program *p, const es_symbols *marked, const es_procedure *with, const es_symbols *bare,
                 const es_procedure *without)
{
    uint32_t at = with->low, there = without->low;
    for (es_insn insn, other; there < without->high && there < ES_TARGET_ROM_SIZE;
         at += insn.size, there += other.size) {
        for (const es_net_mark_place *mark; (mark = mark_in(p, at, at + 1)) != NULL;)
            at = mark->end;
        if (!es_symbols_insn(marked, at, &insn) || !es_symbols_insn(bare, there, &other) || insn.kind != other.kind)
            return false;
        es_ways ways = es_insn_ways(insn, at);
        p->jumps[there / 2] = ways.jumps || ways.calls ? ways.target : 0;
    }
    return true;
}

/* Jumps from procedures without marks go to places before all marks: to where procedures begin. */
static bool read_jumps(program *p, es_error *err)
{
    es_symbols *marked = es_symbols_open(p->path, err), *bare = marked ? es_symbols_open(p->runs, err) : NULL;
    const es_procedure *const *with, *const *without;
    bool good = bare != NULL;
    size_t count = good ? es_symbols_procedures(bare, &without) : 0;
    bool alike = good && es_symbols_procedures(marked, &with) == count;
    p->jumps = es_malloc(HALVES * sizeof *p->jumps);
    memset(p->jumps, 0, HALVES * sizeof *p->jumps);
    for (size_t i = 0; alike && i < count; i++)
        if (mark_in(p, with[i]->low, with[i]->high))
            alike = strcmp(with[i]->name, without[i]->name) == 0 && pair(p, marked, with[i], bare, without[i]);
    es_symbols_close(marked);
    es_symbols_close(bare);
    return good &&
           (alike || es_fail(err, ES_USAGE,
                             "%s and %s differ in more than their marks: they are not made from one compiler output",
                             p->path, p->runs));
}

static bool read_program(program *p, const char *path, const char *runs, es_error *err)
{
    size_t other = 0;
    p->path = path;
    p->runs = runs ? runs : path;
    p->marked = es_net_mark_table(path, &p->count, err);
    if (!p->marked)
        return false;
    p->places = runs ? es_net_mark_table(runs, &other, err) : p->marked;
    if (!p->places)
        return false;
    if (runs && other != p->count)
        return es_fail(err, ES_USAGE, "%s has %zu marks and %s %zu: they are not made from one compiler output", path,
                       p->count, runs, other);
    size_t empty = 0;
    for (size_t i = 0; i < p->count; i++)
        empty += p->marked[i].begin == p->marked[i].end;
    if (empty == p->count)
        return es_fail(err, ES_USAGE, "%s: its marks have no code; is it a build without marks?", path);
    return index_places(p, err) && (!runs || read_jumps(p, err));
}

static bool load(es_recorder *r, unsigned number, const program *p, es_error *err)
{
    es_symbols *symbols = es_symbols_open(p->runs, err);
    if (!symbols)
        return false;
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    bool fits = true;
    for (size_t i = 0; i < count; i++)
        fits = fits && es_multi_load(r->multi, number, segments[i].address, segments[i].bytes, segments[i].size);
    es_symbols_close(symbols);
    if (!fits)
        return es_fail(err, ES_USAGE, "%s does not fit the target's memory; link it with scripts/target-cc", p->runs);
    for (uint32_t half = 0; half < HALVES; half++)
        if (p->at[half] || p->ends_at[half])
            es_multi_watch(r->multi, number, 2 * half);
    r->cores[number].program = p;
    r->cores[number].open = SIZE_MAX;
    return true;
}

es_recorder *es_recorder_new(const es_recorder_options *options, es_error *err)
{
    if (options->count < 1 || options->count > ES_MULTI_CORES ||
        (options->count != 1 && options->count != options->cores)) {
        es_fail(err, ES_USAGE, "%zu programs for %u cores: give one for all, or one for each of 1 to %u",
                options->count, options->cores, ES_MULTI_CORES);
        return NULL;
    }
    es_recorder *r = es_malloc(sizeof *r);
    memset(r, 0, sizeof *r);
    r->options = *options;
    es_multi_config config = {.cores = options->cores,
                              .latency = options->latency,
                              .probe = options->probe,
                              .ratio = options->ratio,
                              .context = r};
    if (options->markless) {
        config.on_retired = on_retired;
    } else {
        config.on_mark = on_mark;
        config.on_fetch = on_fetch;
        config.on_message = on_message;
    }
    r->multi = es_multi_new(&config, err);
    bool good = r->multi != NULL;
    for (size_t i = 0; good && i < options->count; i++)
        good =
            read_program(&r->programs[i], options->programs[i], options->markless ? options->markless[i] : NULL, err);
    for (unsigned c = 0; good && c < options->cores; c++)
        good = load(r, c, &r->programs[options->count == 1 ? 0 : c], err);
    if (!good) {
        es_recorder_free(r);
        return NULL;
    }
    return r;
}

void es_recorder_free(es_recorder *r)
{
    if (!r)
        return;
    es_multi_free(r->multi);
    for (size_t i = 0; i < ES_MULTI_CORES; i++) {
        program *p = &r->programs[i];
        if (p->places != p->marked)
            free(p->places);
        free(p->marked);
        free(p->at);
        free(p->ends_at);
        free(p->order);
        free(p->jumps);
    }
    free(r->events);
    free(r);
}

/* --- the run --------------------------------------------------------------------------------------------- */

static bool end_well(const es_recorder *r, es_error *err)
{
    for (unsigned c = 0; c < r->options.cores; c++)
        if (es_multi_exit_code(r->multi, c) != 0)
            return es_fail(err, ES_PROBE, "core %u exited with %d", c, es_multi_exit_code(r->multi, c));
    return true;
}

bool es_recorder_run(es_recorder *r, uint64_t clocks, bool *ended, es_error *err)
{
    es_multi_start(r->multi);
    enum es_multi_state state = es_multi_step(r->multi, clocks);
    *ended = state != ES_MULTI_RUNNING;
    if (*ended)
        es_recorder_flush(r);
    if (r->has_stray)
        return es_fail(err, ES_PROBE,
                       "core %u stored to the marker window at 0x%08x, time %llu: that is no mark of the program's "
                       "table",
                       r->stray.core, (unsigned)r->stray.pc, (unsigned long long)r->stray.time);
    if (r->raw.seen)
        return es_fail(
            err, ES_PROBE,
            "core %u used the message device at 0x%08x, time %llu, past examples/mp/mp.h: a net knows nothing "
            "of these messages; use the library's calls",
            r->raw.core, (unsigned)r->raw.pc, (unsigned long long)r->raw.time);
    if (state == ES_MULTI_TRAPPED || state == ES_MULTI_STUCK)
        return es_fail(err, ES_PROBE, "the run ended after %llu clocks: %s",
                       (unsigned long long)es_multi_cycles(r->multi), es_multi_text(r->multi));
    return state == ES_MULTI_RUNNING || end_well(r, err);
}

es_multi *es_recorder_target(const es_recorder *r)
{
    return r->multi;
}

uint64_t es_recorder_clocks(const es_recorder *r)
{
    return es_multi_cycles(r->multi);
}
