/* The critical path: from the program's end back, each time to what had to be before. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "predict/answers.h"

typedef struct log_of_thread {
    es_predict_stretch *stretches;
    size_t stretch_count, stretch_room;
    es_predict_cause *causes;
    size_t cause_count, cause_room;
} log_of_thread;

typedef struct history {
    const es_predict_steps *steps;
    const es_symbols *symbols;
    es_arena *texts;
    es_predict_critical *critical;
    log_of_thread *threads;
    uint64_t *blocks; /* ticks on the path, by block */
    uint64_t kernel, spin, ready;
    uint64_t scale;
} history;

static void *grown(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 32;
    return es_realloc(items, *room * size);
}

static void take_stretch(void *context, const es_predict_stretch *s)
{
    history *h = context;
    if (s->thread == ES_PREDICT_NONE)
        return;
    log_of_thread *t = &h->threads[s->thread];
    t->stretches = grown(t->stretches, t->stretch_count, &t->stretch_room, sizeof *s);
    t->stretches[t->stretch_count++] = *s;
}

static void take_cause(void *context, const es_predict_cause *c)
{
    history *h = context;
    log_of_thread *t = &h->threads[c->thread];
    t->causes = grown(t->causes, t->cause_count, &t->cause_room, sizeof *c);
    t->causes[t->cause_count++] = *c;
}

/* A part of a thread's own code: shared out among its blocks by their length. */
static void add_step(history *h, const es_predict_stretch *s, uint64_t ticks)
{
    const es_predict_trace *trace = h->steps->trace;
    uint32_t stream = s->stream;
    if (s->step >= h->steps->counts[stream])
        return;
    const es_predict_step *step = &h->steps->of[stream][s->step];
    double whole = (double)step->clocks;
    for (uint32_t i = 0; whole > 0 && i < step->count; i++) {
        uint32_t block = trace->threads[stream].items[step->first + i];
        h->blocks[block] += (uint64_t)((double)ticks * trace->blocks[block].clocks / whole);
    }
}

/* What a thread has done in [from, to]. */
static void add_part(history *h, uint32_t thread, uint64_t from, uint64_t to)
{
    const log_of_thread *t = &h->threads[thread];
    size_t low = 0, high = t->stretch_count;
    while (low < high) { /* the first one that ends after `from` */
        size_t middle = (low + high) / 2;
        if (t->stretches[middle].end <= from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < t->stretch_count && t->stretches[low].begin < to; low++) {
        const es_predict_stretch *s = &t->stretches[low];
        uint64_t begin = s->begin > from ? s->begin : from, end = s->end < to ? s->end : to;
        if (s->doing == ES_PREDICT_RUNS)
            add_step(h, s, end - begin);
        else if (s->doing == ES_PREDICT_SPINS)
            h->spin += end - begin;
        else
            h->kernel += end - begin;
    }
    h->critical->ticks += to - from;
}

static void walk_back(history *h, uint64_t end)
{
    uint32_t thread = 0;
    uint64_t at = end;
    size_t *left = es_malloc(h->steps->trace->thread_count * sizeof *left);
    for (size_t t = 0; t < h->steps->trace->thread_count; t++)
        left[t] = h->threads[t].cause_count;
    for (;;) {
        const log_of_thread *t = &h->threads[thread];
        while (left[thread] && t->causes[left[thread] - 1].resumed > at)
            left[thread]--;
        if (!left[thread]) {
            uint64_t lead = h->steps->trace->lead * h->scale; /* before main */
            add_part(h, thread, lead < at ? lead : 0, at);
            break;
        }
        const es_predict_cause *c = &t->causes[--left[thread]];
        add_part(h, thread, c->resumed, at);
        h->ready += c->resumed - c->woken;
        h->critical->ticks += c->resumed - c->woken;
        at = c->woken;
        if (c->by != ES_PREDICT_NONE && c->by != thread) {
            thread = c->by;
            h->critical->turns++;
        }
    }
    free(left);
}

/* --- in words --------------------------------------------------------------------------------- */

static void add_share(es_predict_critical *critical, const char *what, uint32_t address, uint64_t ticks)
{
    if (!ticks)
        return;
    for (size_t i = 0; i < critical->count; i++)
        if (strcmp(critical->shares[i].what, what) == 0) {
            critical->shares[i].ticks += ticks;
            return;
        }
    if ((critical->count & (critical->count - 1)) == 0)
        critical->shares =
            es_realloc(critical->shares, (critical->count ? 2 * critical->count : 1) * sizeof *critical->shares);
    critical->shares[critical->count++] = (es_predict_share){.what = what, .ticks = ticks, .address = address};
}

static const char *line_of(const history *h, uint32_t address)
{
    const char *file;
    unsigned line;
    const es_procedure *p = h->symbols ? es_symbols_procedure_at(h->symbols, address) : NULL;
    if (h->symbols && es_symbols_line(h->symbols, address, &file, &line))
        return es_arena_format(h->texts, "%s:%u (%s)", es_base_name(file), line, p ? p->name : "?");
    return p ? es_arena_format(h->texts, "%s", p->name) : es_arena_format(h->texts, "0x%08x", (unsigned)address);
}

static int larger_first(const void *a, const void *b)
{
    const es_predict_share *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return strcmp(x->what, y->what);
}

static void name_shares(history *h)
{
    es_predict_critical *critical = h->critical;
    uint64_t told = h->kernel + h->spin + h->ready, own = 0;
    for (size_t b = 0; b < h->steps->trace->block_count; b++)
        if (h->blocks[b]) {
            add_share(critical, line_of(h, h->steps->trace->blocks[b].address), h->steps->trace->blocks[b].address,
                      h->blocks[b]);
            own += h->blocks[b];
        }
    add_share(critical, "in the library of threads", 0, h->kernel);
    add_share(critical, "waits for the kernel's lock", 0, h->spin);
    add_share(critical, "is ready, and no core has it yet", 0, h->ready);
    if (told + own < critical->ticks)
        add_share(critical, "roundings", 0, critical->ticks - told - own);
    if (critical->count)
        qsort(critical->shares, critical->count, sizeof *critical->shares, larger_first);
}

bool es_predict_critical_of(const es_predict_steps *steps, const es_predict_machine *machine, const es_symbols *symbols,
                            es_arena *texts, es_predict_critical *critical, es_error *err)
{
    size_t count = steps->trace->thread_count;
    history h = {.steps = steps, .symbols = symbols, .texts = texts, .critical = critical};
    es_predict_listener listener = {take_stretch, take_cause, &h};
    es_predict_result result;
    memset(critical, 0, sizeof *critical);
    h.threads = es_malloc(count * sizeof *h.threads);
    memset(h.threads, 0, count * sizeof *h.threads);
    h.blocks = es_malloc((steps->trace->block_count + 1) * sizeof *h.blocks);
    memset(h.blocks, 0, (steps->trace->block_count + 1) * sizeof *h.blocks);
    bool good = es_predict_run(steps, machine, &listener, &result, err);
    if (good) {
        h.scale = result.scale;
        walk_back(&h, result.makespan);
        name_shares(&h);
    }
    es_predict_result_free(&result);
    for (size_t t = 0; t < count; t++) {
        free(h.threads[t].stretches);
        free(h.threads[t].causes);
    }
    free(h.threads);
    free(h.blocks);
    return good;
}

void es_predict_critical_free(es_predict_critical *critical)
{
    free(critical->shares);
    critical->shares = NULL;
}
