/* Call paths that are not known after a loss, inferred from what follows, while a run goes on: which paths the hits may
 * have had, and how likely each is. By what the program's graph of calls allows, what the probe has seen pushed and
 * returned from since the loss, and how paths followed each other where they were known (docs/infer.md, "Paths after a
 * loss").
 *
 * Without a loss it costs a store for each hit: what was seen is looked at when something has been lost. */
#ifndef ES_INFER_PATHS_PATHS_H
#define ES_INFER_PATHS_PATHS_H

#include "record/record.h"
#include "symbols/symbols.h"

#define ES_INFER_SEEN 32768u      /* hits before a loss that are learned from; a power of two */
#define ES_INFER_AWAITED 256u     /* hits after a loss that wait for what follows */
#define ES_INFER_AFTER_LOSS 2048u /* hits after one loss that are inferred, before a path is known again */
#define ES_INFER_TOLD 4u          /* paths that a hit is told to have */

/* A hit as it is learned from. */
typedef struct es_seen_hit {
    uint32_t pc, statement;
    uint32_t path; /* name; 0: the sequence breaks off here */
    uint32_t task;
} es_seen_hit;

/* What is inferred from. */
typedef struct es_path_evidence {
    const uint32_t *sites; /* the probe's call sites, outermost first, of which the outer ones may be wrong */
    size_t count;
    uint32_t interrupt; /* bit of a site: an interrupt came there */
    bool known;         /* false: they are not there, as what the link lost is missing */
} es_path_evidence;

/* Gets a hit's paths. Valid during the call. */
typedef void es_infer_told_fn(void *context, const es_inferred *inferred);

typedef struct es_infer_paths {
    es_seen_hit *seen;
    uint64_t count, learned; /* hits in `seen`, of which the first so many have been learned */
    uint64_t number;         /* of hits in all */
    bool lost;               /* paths are not known */
    struct es_path_guess *guess;
} es_infer_paths;

/* All must outlive it; names that come up are added to the schema's. */
void es_infer_paths_begin(es_infer_paths *paths, const es_symbols *symbols, const es_schema *schema,
                          es_infer_told_fn *told, void *context);
void es_infer_paths_end(es_infer_paths *paths); /* all zero is fine */

/* Something was lost up to a time (ES_NO_TIME: that is not known): of what waits is told what is known. */
void es_infer_paths_lost(es_infer_paths *paths, uint64_t last);

/* Hits were lost that the probe had seen: its paths are as known as before, but not how they followed each other. */
void es_infer_paths_missed(es_infer_paths *paths);

/* The run has ended: of what waits is told what is known. */
void es_infer_paths_over(es_infer_paths *paths);

/* Takes a hit, in the order in which they come, after it was told. True: it is after a loss, and to be looked at. */
static inline bool es_infer_paths_take(es_infer_paths *paths, const es_hit *hit)
{
    paths->number++;
    if (!__builtin_expect(paths->lost, false) && paths->seen)
        paths->seen[paths->count++ & (ES_INFER_SEEN - 1)] =
            (es_seen_hit){hit->pc, hit->statement, hit->flags & ES_HIT_NO_PATH ? 0 : hit->path, hit->task};
    return paths->lost;
}

/* Looks at such a hit. */
void es_infer_paths_look(es_infer_paths *paths, const es_hit *hit, const es_path_evidence *evidence);

#endif
