/* Runs a message-passing program on the simulated multi-core target and writes its marks as JSON Lines.
 *
 * usage: trace [-c CORES] [-l LATENCY] [-m CLOCKS] [-t MARKLESS.elf] PROGRAM.elf
 *
 * PROGRAM has marks. Without -t it runs, and the output is what the taps see of them:
 *     {"time": T, "core": C, "id": I, "value": V, "site": S, "delay": D}
 * T: clock in which the instruction behind the mark is fetched; D: clocks since the mark's own first instruction was; S: number of the mark in
 * the program's table, which tells the place in the source.
 *
 * With -t MARKLESS runs, the same program assembled without marks, and the output is the truth: when each core passed the places where the
 * marks would be, with the values that they would have had, from the processors' retire ports. The two programs' instructions correspond one
 * to one, and PROGRAM tells which jumps go to a mark and which to the instruction behind it: without the mark that is one address.
 *
 * Lines are sorted by time, then core, then program order. Exit status: 0; 1 when the run did not end well; 2 usage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "multi/multi.h"
#include "net/mark_table.h"
#include "probe_defs.h"
#include "symbols/symbols.h"

#define WORDS (ES_TARGET_ROM_SIZE / 4)

typedef struct event {
    uint64_t time;
    unsigned core;
    uint64_t serial; /* order of origin */
    uint32_t value, delay;
    size_t site;
} event;

typedef struct core {
    /* with marks */
    size_t open; /* mark whose first instruction has been fetched, or SIZE_MAX */
    uint64_t begin;
    uint32_t value;
    bool stored;
    /* without */
    uint32_t registers[32];
    uint32_t last_pc, last_next, last_insn;
} core;

typedef struct run {
    es_multi *multi;
    es_net_mark_place *marked;   /* the table of the program with marks */
    es_net_mark_place *places;   /* of the one that runs */
    size_t count;
    uint32_t *at;         /* by word of ROM: 1 + the first place in `order` that begins there, 0 none */
    uint32_t *end_at;     /* by word of ROM: there ends a mark */
    size_t *order;        /* places by address, then by address with marks */
    uint8_t *code;        /* .text of the program with marks */
    size_t code_size;
    core cores[ES_MULTI_CORES];
    event *events;
    size_t event_count, event_room;
} run;

static void fail(const char *text)
{
    fprintf(stderr, "trace: %s\n", text);
    exit(2);
}

static void *need(void *memory)
{
    if (!memory)
        fail("no memory");
    return memory;
}

static void emit(run *r, uint64_t time, unsigned number, size_t site, uint32_t value, uint32_t delay)
{
    if (r->event_count == r->event_room) {
        r->event_room = r->event_room ? 2 * r->event_room : 4096;
        r->events = need(realloc(r->events, r->event_room * sizeof *r->events));
    }
    r->events[r->event_count] = (event){time, number, r->event_count, value, delay, site};
    r->event_count++;
}

/* --- with marks: what the taps see ---------------------------------------------------------- */

static void on_mark(void *context, const es_mark *mark)
{
    run *r = context;
    core *c = &r->cores[mark->core];
    if (c->open == SIZE_MAX || r->places[c->open].id != mark->id || mark->pc != r->places[c->open].end - 4)
        fail("a store to the marker window that is no mark");
    c->value = mark->value;
    c->stored = true;
}

static void on_fetch(void *context, unsigned number, uint64_t time, uint32_t address)
{
    run *r = context;
    core *c = &r->cores[number];
    if (c->open != SIZE_MAX && c->stored && r->places[c->open].end == address) {
        emit(r, time, number, c->open, c->value, (uint32_t)(time - c->begin));
        c->open = SIZE_MAX;
    }
    uint32_t first = r->at[address / 4];
    if (first) {
        c->open = r->order[first - 1];
        c->begin = time;
        c->stored = false;
    }
}

/* --- without: what the processors did --------------------------------------------------------- */

/* Address of the instruction of the program with marks that is at `pc` without them. */
static uint32_t with_marks(const run *r, uint32_t pc)
{
    uint32_t moved = pc;
    for (size_t i = 0; i < r->count; i++)
        if (r->places[i].begin <= pc)
            moved += r->marked[i].end - r->marked[i].begin;
    return moved;
}

/* Where the jump at `address` of the program with marks goes, or 0 when it is no jump to a fixed place. */
static uint32_t jump_target(const run *r, uint32_t address)
{
    if (address + 4 > r->code_size)
        return 0;
    uint32_t insn;
    memcpy(&insn, r->code + address, sizeof insn);
    int32_t sign = (int32_t)insn >> 31;
    if ((insn & 0x7F) == 0x63)
        return address + (((uint32_t)sign & 0xFFFFF000u) | (insn << 4 & 0x800) | (insn >> 20 & 0x7E0) | (insn >> 7 & 0x1E));
    if ((insn & 0x7F) == 0x6F)
        return address + (((uint32_t)sign & 0xFFF00000u) | (insn & 0xFF000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7FE));
    return 0;
}

static void on_retired(void *context, unsigned number, const es_retired *retired)
{
    run *r = context;
    core *c = &r->cores[number];
    uint32_t first = retired->pc < ES_TARGET_ROM_SIZE ? r->at[retired->pc / 4] : 0;
    if (first) {
        /* A jump may go behind some of the marks or all. */
        uint32_t from = 0;
        if (c->last_next != c->last_pc + 4)
            from = jump_target(r, with_marks(r, c->last_pc));
        for (size_t i = first - 1; i < r->count && r->places[r->order[i]].begin == retired->pc; i++) {
            size_t site = r->order[i];
            if (r->marked[site].begin >= from)
                emit(r, retired->fetch_cycle, number, site, c->registers[r->places[site].reg], 0);
        }
    }
    if (retired->rd)
        c->registers[retired->rd] = retired->rd_value;
    c->last_pc = retired->pc;
    c->last_next = retired->next_pc;
}

/* --- the run ------------------------------------------------------------------------------------ */

static const run *sorting;

static int by_address(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    const es_net_mark_place *p = &sorting->places[a], *q = &sorting->places[b];
    if (p->begin != q->begin)
        return p->begin < q->begin ? -1 : 1;
    return (sorting->marked[a].begin > sorting->marked[b].begin) - (sorting->marked[a].begin < sorting->marked[b].begin);
}

static int by_time(const void *left, const void *right)
{
    const event *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->core != b->core)
        return a->core < b->core ? -1 : 1;
    return (a->serial > b->serial) - (a->serial < b->serial);
}

static void index_places(run *r)
{
    r->at = need(calloc(WORDS, sizeof *r->at));
    r->end_at = need(calloc(WORDS, sizeof *r->end_at));
    r->order = need(calloc(r->count, sizeof *r->order));
    for (size_t i = 0; i < r->count; i++) {
        r->order[i] = i;
        if (r->places[i].end / 4 >= WORDS || r->places[i].begin > r->places[i].end)
            fail("a mark outside of the ROM");
        r->end_at[r->places[i].end / 4] = 1;
    }
    sorting = r;
    qsort(r->order, r->count, sizeof *r->order, by_address);
    for (size_t i = r->count; i-- > 0;)
        r->at[r->places[r->order[i]].begin / 4] = (uint32_t)i + 1;
}

static void load(run *r, unsigned cores, const char *path)
{
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(path, &err);
    if (!symbols)
        fail(err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (unsigned c = 0; c < cores; c++) {
        for (size_t i = 0; i < count; i++)
            if (!es_multi_load(r->multi, c, segments[i].address, segments[i].bytes, segments[i].size))
                fail("the program does not fit the target's memory");
        for (uint32_t word = 0; word < WORDS; word++)
            if (r->at[word] || r->end_at[word])
                es_multi_watch(r->multi, c, 4 * word);
        r->cores[c].open = SIZE_MAX;
    }
    es_symbols_close(symbols);
}

static void print(run *r)
{
    if (r->event_count)
        qsort(r->events, r->event_count, sizeof *r->events, by_time);
    for (size_t i = 0; i < r->event_count; i++) {
        const event *e = &r->events[i];
        printf("{\"time\": %llu, \"core\": %u, \"id\": %u, \"value\": %u, \"site\": %zu, \"delay\": %u}\n", (unsigned long long)e->time,
               e->core, (unsigned)r->places[e->site].id, (unsigned)e->value, e->site, (unsigned)e->delay);
    }
}

static unsigned number(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > 4000000000u)
        fail("usage: trace [-c CORES] [-l LATENCY] [-m CLOCKS] [-t MARKLESS.elf] PROGRAM.elf");
    return (unsigned)value;
}

static int usage(void)
{
    fputs("usage: trace [-c CORES] [-l LATENCY] [-m CLOCKS] [-t MARKLESS.elf] PROGRAM.elf\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    run r = {0};
    es_multi_config config = {.cores = 2, .latency = 16, .context = &r};
    const char *markless = NULL;
    unsigned limit = 50000000;
    for (int option; (option = getopt(argc, argv, "c:l:m:t:")) != -1;) {
        switch (option) {
        case 'c': config.cores = number(optarg); break;
        case 'l': config.latency = number(optarg); break;
        case 'm': limit = number(optarg); break;
        case 't': markless = optarg; break;
        default: return usage();
        }
    }
    if (optind != argc - 1)
        return usage();

    es_error err = {0};
    size_t other = 0;
    r.marked = es_net_mark_table(argv[optind], &r.count, &err);
    r.places = markless && r.marked ? es_net_mark_table(markless, &other, &err) : r.marked;
    r.code = r.places ? es_net_elf_section(argv[optind], ".text", &r.code_size, &err) : NULL;
    if (!r.code)
        fail(err.text);
    if (markless && other != r.count)
        fail("the two programs do not have the same marks");
    if (markless) {
        config.on_retired = on_retired;
    } else {
        config.on_mark = on_mark;
        config.on_fetch = on_fetch;
    }
    r.multi = es_multi_new(&config, &err);
    if (!r.multi)
        fail(err.text);
    index_places(&r);
    load(&r, config.cores, markless ? markless : argv[optind]);
    es_multi_start(r.multi);
    enum es_multi_state state = es_multi_step(r.multi, limit);
    int status = state == ES_MULTI_EXITED ? 0 : 1;
    for (unsigned c = 0; c < config.cores; c++)
        status |= es_multi_exit_code(r.multi, c) != 0;
    print(&r);
    if (status)
        fprintf(stderr, "trace: the run did not end well after %llu clocks: %s\n", (unsigned long long)es_multi_cycles(r.multi),
                state == ES_MULTI_RUNNING ? "it takes longer than -m says" : state == ES_MULTI_EXITED ? "an exit code is not 0" : es_multi_text(r.multi));
    es_multi_free(r.multi);
    if (r.places != r.marked)
        free(r.places);
    free(r.marked);
    free(r.at);
    free(r.end_at);
    free(r.order);
    free(r.code);
    free(r.events);
    return status;
}
