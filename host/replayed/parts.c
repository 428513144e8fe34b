#include "replayed/parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "probe_defs.h"
#include "replay/shadow.h"

#define PART (UINT64_C(1) << 18) /* instructions; a few MB of accesses */
#define JOBS_MAX 64

enum part_state { FREE, TAKEN, DONE };

typedef struct place {
    es_bus_part part;
    enum part_state state;
} place;

typedef struct worker {
    es_bus_parts *parts;
    es_timeline *timeline;
    pthread_t thread;
    bool runs;
} worker;

struct es_bus_parts {
    worker workers[JOBS_MAX];
    unsigned jobs;
    bool threads;               /* false: there are none, and one worker */
    es_timeline *timeline;      /* where parts end; without threads, the worker's */
    es_shadow_tracker *shadows; /* NULL: there are no cells. The one worker's */
    es_bus_part *told;          /* the part to which it adds */
    place *places;              /* as a ring */
    size_t place_count;
    uint64_t begun, given; /* parts so far */
    uint64_t next;         /* moment where the next one begins */
    bool stopping;
    pthread_mutex_t mutex; /* of all but `workers` */
    pthread_cond_t changed;
};

/* --- one part -------------------------------------------------------------------------------- */

static void add_access(es_bus_part *part, const es_machine_access *access)
{
    if (part->count == part->room) {
        part->room = part->room ? 2 * part->room : PART + PART / 2;
        part->accesses = es_realloc(part->accesses, part->room * sizeof *part->accesses);
    }
    part->accesses[part->count++] = *access;
}

static void on_access(void *context, const es_machine_access *access)
{
    es_bus_parts *p = context;
    add_access(p->told, access);
    es_shadow_tracker_access(p->shadows, access);
}

static void on_access_alone(void *context, const es_machine_access *access)
{
    add_access(context, access);
}

static void on_insn(void *context, uint32_t pc)
{
    es_bus_parts *p = context;
    size_t before = p->told->count;
    add_access(p->told, &(es_machine_access){.kind = ES_BUS_NEXT, .address = pc});
    es_shadow_tracker_insn(p->shadows, pc);
    if (p->told->count == before + 1) /* there is nothing to tell */
        p->told->count = before;
}

static void on_sets(void *context, unsigned reg)
{
    es_shadow_tracker_sets(((es_bus_parts *)context)->shadows, reg);
}

static void on_trap(void *context, uint32_t cause)
{
    (void)cause;
    es_shadow_tracker_trap(((es_bus_parts *)context)->shadows);
}

static void tell_cell(es_bus_parts *p, uint8_t kind, uint32_t address, uint32_t word, uint32_t unknown, uint8_t lanes)
{
    add_access(p->told, &(es_machine_access){.kind = kind,
                                             .lanes = lanes,
                                             .address = address,
                                             .data = es_shadow_tracker_marked(p->shadows, word, unknown),
                                             .unknown = unknown});
}

static void on_assigned(void *context, uint32_t address, uint32_t word, uint32_t unknown, uint8_t lanes)
{
    tell_cell(context, ES_BUS_ASSIGNED, address, word, unknown, lanes);
}

static void on_moved(void *context, uint32_t address, uint32_t word, uint32_t unknown, bool freed)
{
    tell_cell(context, ES_BUS_MOVED, address, word, unknown, freed ? ES_BUS_FREED : 0);
}

static void add_pace(es_bus_part *part, const es_replay_pace *pace)
{
    if (part->pace_count == part->pace_room) {
        part->pace_room = part->pace_room ? 2 * part->pace_room : 256;
        part->paces = es_realloc(part->paces, part->pace_room * sizeof *part->paces);
    }
    part->paces[part->pace_count++] = *pace;
}

static void add_beat(es_bus_part *part, const es_replay_anchor *beat)
{
    if (part->beat_count == part->beat_room) {
        part->beat_room = part->beat_room ? 2 * part->beat_room : 256;
        part->beats = es_realloc(part->beats, part->beat_room * sizeof *part->beats);
    }
    part->beats[part->beat_count++] = *beat;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool take_times(es_bus_part *part, es_timeline *timeline)
{
    const es_replay_anchor *anchors;
    size_t count;
    for (uint64_t first = part->first, end; first < part->end; first = end) {
        if (!es_timeline_anchors(timeline, first, &anchors, &count, &part->error))
            return false;
        end = lesser(es_timeline_border(timeline, first), part->end);
        es_replay_pace pace;
        for (uint64_t fetch = first; fetch < end; fetch = pace.end) {
            es_replay_pace_between(anchors, count, fetch, &pace);
            add_pace(part, &pace);
        }
        for (size_t i = 0; i < count; i++)
            if (!anchors[i].exact && anchors[i].fetches > first && anchors[i].fetches <= end)
                add_beat(part, &anchors[i]);
    }
    return true;
}

static void make(es_bus_parts *p, es_bus_part *part, es_timeline *timeline)
{
    const es_machine_listener alone = {.access = on_access_alone, .context = part},
                              with_cells = {on_insn, on_access, on_sets, on_trap, p};
    es_machine *machine = es_timeline_machine(timeline);
    part->count = part->pace_count = part->beat_count = 0;
    part->failed = !es_timeline_seek(timeline, part->first, &part->error);
    if (!part->failed) {
        p->told = p->shadows ? part : NULL;
        if (p->shadows && part->first == 0)
            es_shadow_tracker_begin(p->shadows);
        es_machine_listen(machine, p->shadows ? &with_cells : &alone);
        part->failed = es_timeline_run(timeline, part->end, &part->error) != ES_MACHINE_UNTIL;
        es_machine_listen(machine, NULL);
    }
    part->failed = part->failed || !take_times(part, timeline);
    if (part->failed)
        part->count = part->pace_count = part->beat_count = 0;
}

/* --- all of them ----------------------------------------------------------------------------- */

/* The next one to be made; NULL: there is none. */
static place *begin_next(es_bus_parts *p)
{
    uint64_t last = es_timeline_end(p->timeline);
    if (p->next >= last)
        return NULL;
    place *it = &p->places[p->begun++ % p->place_count];
    it->part.first = p->next;
    it->part.end = lesser(p->next + PART, es_timeline_border(p->timeline, p->next));
    it->state = TAKEN;
    p->next = it->part.end;
    return it;
}

static void *work(void *context)
{
    worker *w = context;
    es_bus_parts *p = w->parts;
    pthread_mutex_lock(&p->mutex);
    for (;;) {
        while (!p->stopping && p->places[p->begun % p->place_count].state != FREE)
            pthread_cond_wait(&p->changed, &p->mutex);
        place *it = p->stopping ? NULL : begin_next(p);
        if (!it)
            break;
        pthread_mutex_unlock(&p->mutex);
        make(p, &it->part, w->timeline);
        pthread_mutex_lock(&p->mutex);
        it->state = DONE;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

const es_bus_part *es_bus_parts_next(es_bus_parts *parts)
{
    es_bus_parts *p = parts;
    place *it = NULL;
    pthread_mutex_lock(&p->mutex);
    if (p->given) { /* the last one can be used anew */
        p->places[(p->given - 1) % p->place_count].state = FREE;
        pthread_cond_broadcast(&p->changed);
    }
    if (!p->threads) {
        it = begin_next(p);
        if (it)
            make(p, &it->part, p->timeline);
    } else if (p->given < p->begun || p->next < es_timeline_end(p->timeline)) {
        it = &p->places[p->given % p->place_count];
        while (it->state != DONE)
            pthread_cond_wait(&p->changed, &p->mutex);
    }
    p->given += it != NULL;
    pthread_mutex_unlock(&p->mutex);
    return it ? &it->part : NULL;
}

/* The cells that statements have named: the worker executes all parts one after the other, and they are told as what
 * happens in its parts. */
static void follow_cells(es_bus_parts *p, const es_symbols *symbols)
{
    const es_shadow_told told = {on_assigned, on_moved, p};
    if (es_symbols_has_shadows(symbols))
        p->shadows = es_shadow_tracker_new(symbols, es_timeline_machine(p->workers[0].timeline), &told);
}

static bool start(es_bus_parts *p, const char *path, const es_symbols *symbols, es_error *err)
{
    for (unsigned i = 0; i < p->jobs; i++) {
        worker *w = &p->workers[i];
        w->parts = p;
        w->timeline = es_timeline_open(path, symbols, err);
        if (!w->timeline)
            return false;
    }
    p->timeline = p->threads ? es_timeline_open(path, symbols, err) : p->workers[0].timeline;
    if (!p->timeline)
        return false;
    follow_cells(p, symbols);
    for (unsigned i = 0; i < p->jobs && p->threads; i++) {
        worker *w = &p->workers[i];
        w->runs = pthread_create(&w->thread, NULL, work, w) == 0;
        if (!w->runs && !i)
            return es_fail(err, ES_OUTPUT, "no thread can be made for reading %s", path);
    }
    return true;
}

es_bus_parts *es_bus_parts_open(const char *path, const es_symbols *symbols, unsigned jobs, uint64_t first,
                                es_error *err)
{
    es_bus_parts *p = es_malloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->next = first;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    p->jobs = jobs ? jobs : cores > 0 ? (unsigned)cores : 1;
    if (p->jobs > JOBS_MAX)
        p->jobs = JOBS_MAX;
    p->threads = p->jobs > 1;
    if (es_symbols_has_shadows(symbols))
        p->jobs = 1;
    p->place_count = 2 * p->jobs + 1;
    p->places = es_malloc(p->place_count * sizeof *p->places);
    memset(p->places, 0, p->place_count * sizeof *p->places);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->changed, NULL);
    if (start(p, path, symbols, err))
        return p;
    es_bus_parts_close(p);
    return NULL;
}

void es_bus_parts_close(es_bus_parts *parts)
{
    es_bus_parts *p = parts;
    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    p->stopping = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->mutex);
    for (unsigned i = 0; i < p->jobs; i++)
        if (p->workers[i].runs)
            pthread_join(p->workers[i].thread, NULL);
    es_shadow_tracker_free(p->shadows);
    if (p->threads)
        es_timeline_close(p->timeline);
    for (unsigned i = 0; i < p->jobs; i++)
        es_timeline_close(p->workers[i].timeline);
    for (size_t i = 0; i < p->place_count; i++) {
        free(p->places[i].part.accesses);
        free(p->places[i].part.paces);
        free(p->places[i].part.beats);
    }
    free(p->places);
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->changed);
    free(p);
}

const es_timeline *es_bus_parts_timeline(const es_bus_parts *parts)
{
    return parts->timeline;
}
