#include "replayed/parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "replayed/part.h"

#define PART (UINT64_C(1) << 18) /* instructions; a few MB of accesses */
#define JOBS_MAX 64

enum part_state { FREE, TAKEN, EXECUTED, DONE };

typedef struct place {
    es_bus_part part;
    es_shadow_notes notes; /* for the cells */
    enum part_state state;
} place;

typedef struct worker {
    es_bus_parts *parts;
    es_timeline *timeline;
    es_shadow_noter *noter; /* NULL: there are no cells */
    pthread_t thread;
    bool runs;
} worker;

struct es_bus_parts {
    worker workers[JOBS_MAX];
    unsigned jobs;
    uint64_t size;         /* of a part, instructions */
    bool threads;          /* false: there are none, and one worker */
    es_timeline *timeline; /* where parts end; without threads, the worker's */
    es_bus_cells *cells;   /* NULL: there are none */
    place *places;         /* as a ring */
    size_t place_count;
    uint64_t begun, followed, given; /* parts so far; followed: whose cells are told, where there are any */
    bool following;                  /* a worker tells those of the next one */
    uint64_t next;                   /* moment where the next one begins */
    bool stopping;
    pthread_mutex_t mutex; /* of all but `workers` and `cells` */
    pthread_cond_t changed;
};

/* --- all of them ----------------------------------------------------------------------------- */

/* The next one to be made; NULL: there is none, or no place for it. */
static place *begin_next(es_bus_parts *p)
{
    uint64_t last = es_timeline_end(p->timeline);
    if (p->next >= last || p->places[p->begun % p->place_count].state != FREE)
        return NULL;
    place *it = &p->places[p->begun++ % p->place_count];
    it->part.first = p->next;
    uint64_t end = p->next + p->size, border = es_timeline_border(p->timeline, p->next);
    it->part.end = end < border ? end : border;
    it->state = TAKEN;
    p->next = it->part.end;
    return it;
}

/* The next one whose cells are to be told; NULL: it is not executed yet, or somebody tells them. What they are follows
 * from the parts before: so that is done in their order, by one at a time. */
static place *next_to_follow(es_bus_parts *p)
{
    place *it = &p->places[p->followed % p->place_count];
    return p->cells && !p->following && p->followed < p->begun && it->state == EXECUTED ? it : NULL;
}

static void *work(void *context)
{
    worker *w = context;
    es_bus_parts *p = w->parts;
    pthread_mutex_lock(&p->mutex);
    while (!p->stopping) {
        place *it;
        if ((it = next_to_follow(p))) {
            p->following = true;
            pthread_mutex_unlock(&p->mutex);
            es_bus_cells_follow(p->cells, &it->part, &it->notes);
            pthread_mutex_lock(&p->mutex);
            p->following = false;
            p->followed++;
            it->state = DONE;
            pthread_cond_broadcast(&p->changed);
        } else if ((it = begin_next(p))) {
            pthread_mutex_unlock(&p->mutex);
            es_bus_part_make(&it->part, w->timeline, w->noter, &it->notes);
            pthread_mutex_lock(&p->mutex);
            it->state = p->cells ? EXECUTED : DONE;
            pthread_cond_broadcast(&p->changed);
        } else if (p->next >= es_timeline_end(p->timeline) && (!p->cells || p->followed == p->begun)) {
            break;
        } else {
            pthread_cond_wait(&p->changed, &p->mutex);
        }
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
            es_bus_part_make(&it->part, p->timeline, p->workers[0].noter, &it->notes);
        if (it && p->cells)
            es_bus_cells_follow(p->cells, &it->part, &it->notes);
    } else if (p->given < p->begun || p->next < es_timeline_end(p->timeline)) {
        it = &p->places[p->given % p->place_count];
        while (it->state != DONE)
            pthread_cond_wait(&p->changed, &p->mutex);
    }
    p->given += it != NULL;
    pthread_mutex_unlock(&p->mutex);
    return it ? &it->part : NULL;
}

/* The cells that statements have named. */
static bool follow_cells(es_bus_parts *p, const es_bus_parts_options *options, es_error *err)
{
    if (!es_symbols_has_shadows(options->symbols))
        return true;
    p->cells = es_bus_cells_new(options->path, options->symbols, options->first, err);
    for (unsigned i = 0; i < p->jobs && p->cells; i++)
        p->workers[i].noter = es_bus_cells_noter(p->cells, p->workers[i].timeline);
    return p->cells;
}

static bool start(es_bus_parts *p, const es_bus_parts_options *options, es_error *err)
{
    for (unsigned i = 0; i < p->jobs; i++) {
        worker *w = &p->workers[i];
        w->parts = p;
        w->timeline = es_timeline_open(options->path, options->symbols, err);
        if (!w->timeline)
            return false;
    }
    p->timeline = p->threads ? es_timeline_open(options->path, options->symbols, err) : p->workers[0].timeline;
    if (!p->timeline)
        return false;
    if (!follow_cells(p, options, err))
        return false;
    for (unsigned i = 0; i < p->jobs && p->threads; i++) {
        worker *w = &p->workers[i];
        w->runs = pthread_create(&w->thread, NULL, work, w) == 0;
        if (!w->runs && !i)
            return es_fail(err, ES_OUTPUT, "no thread can be made for reading %s", options->path);
    }
    return true;
}

es_bus_parts *es_bus_parts_open(const es_bus_parts_options *options, es_error *err)
{
    es_bus_parts *p = es_malloc(sizeof *p);
    memset(p, 0, sizeof *p);
    p->next = options->first;
    p->size = options->size ? options->size : PART;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    p->jobs = options->jobs ? options->jobs : cores > 0 ? (unsigned)cores : 1;
    if (p->jobs > JOBS_MAX)
        p->jobs = JOBS_MAX;
    p->threads = p->jobs > 1;
    p->place_count = 2 * p->jobs + 1;
    p->places = es_malloc(p->place_count * sizeof *p->places);
    memset(p->places, 0, p->place_count * sizeof *p->places);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->changed, NULL);
    if (start(p, options, err))
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
    es_bus_cells_free(p->cells);
    if (p->threads)
        es_timeline_close(p->timeline);
    for (unsigned i = 0; i < p->jobs; i++) {
        es_shadow_noter_free(p->workers[i].noter);
        es_timeline_close(p->workers[i].timeline);
    }
    for (size_t i = 0; i < p->place_count; i++) {
        es_bus_part_free(&p->places[i].part);
        es_shadow_notes_free(&p->places[i].notes);
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
