/* Segments: what was observed of a scenario between two certain states; and who solves them. */
#ifndef ES_INFER_SEGMENT_H
#define ES_INFER_SEGMENT_H

#include "infer/facts.h"
#include "infer/infer.h"

#define ES_INFER_WINDOWS_MAX 8u

/* Between an observed event and the one before it. */
typedef struct es_infer_between {
    bool may_lose;                            /* something may have been lost */
    bool told;                                /* the trace says so, and when */
    bool certain;                             /* the state after the observed event is, whatever was lost untold */
    int64_t begin, end;                       /* when, at most */
    int64_t windows[ES_INFER_WINDOWS_MAX][2]; /* when, exactly; none: all of it */
    uint32_t window_count;
    double others;  /* how many events of other scenarios would be lost in that time */
    double outside; /* how many of `count` would be of the same losses' time outside of this one */
    double rate;    /* part of the events in that time that were lost; 1: all */
    double more;    /* the same right after one that was lost; not told: for the search */
    uint64_t count; /* how many were, of all scenarios, so at most of this one, with those outside; 0: not said */
    es_infer_lesson lesson; /* what was learned from the observed event, where losses are not told */
} es_infer_between;

struct es_infer_segment {
    uint32_t machine_number;
    uint16_t state, context[ES_INFER_CONTEXT]; /* at its beginning */
    bool certain;                              /* ... it is that state, whatever was lost untold */
    bool fresh;                                /* ... the scenario's, before its first event */
    int64_t begin;
    uint32_t known;
    es_infer_value variables[ES_INFER_VARIABLES_MAX];
    es_infer_value key;
    bool needed, too_long; /* needed: something was lost; otherwise it is kept because that may still turn out */
    uint32_t quiet;        /* observed since the last doubt */
    uint32_t count, room;  /* room: of each of the following */
    es_infer_event *observed;
    uint32_t *roles;
    es_infer_between *between; /* before each of them */
    es_infer_value *values;    /* [observed][field] */
};

/* A segment that begins before the step's event, in the state that was certain last; values have so many fields. */
es_infer_segment *es_infer_segment_new(uint32_t fields, const es_infer_step *step, const es_infer_scenario *scenario);
void es_infer_segment_free(es_infer_segment *segment); /* NULL is fine */

/* Adds the step's event. Where there are too many, it takes the last one's place, and the segment is too long.
 * Returns what is between it and the one before it, to be filled in. */
es_infer_between *es_infer_segment_add(es_infer_segment *segment, uint32_t fields, const es_infer_step *step);

/* The only transition that the oldest observed event can take from the segment's beginning, or
 * ES_INFER_NO_TRANSITION. */
uint16_t es_infer_segment_first(const es_infer_segment *segment, const es_infer_machine *machine);

/* While a loss may turn out later, the last events since a certain state are kept: the oldest goes, by its
 * transition. */
void es_infer_segment_forget(es_infer_segment *segment, uint32_t fields, const es_infer_machine *machine,
                             uint16_t transition);

/* A path through a segment and what it costs: the negative logarithm of its probability. */
typedef struct es_infer_path {
    double cost, time_cost;
    double runs_cost; /* what of `cost` is for how many were lost in a row where that is not told */
    es_infer_passed *passed;
    uint32_t count, lost;
} es_infer_path;

/* Cheapest first. */
void es_infer_sort_paths(es_infer_path *paths, uint32_t count);

/* A stay in one of a path's states, between two of its transitions. */
typedef struct es_infer_stay {
    uint32_t exclusive; /* that its state is in; ES_INFER_NONE: none */
    bool known;         /* by which value */
    es_infer_value value;
} es_infer_stay;

#define ES_INFER_PATHS_MAX 256u
#define ES_INFER_TIMED_PATHS 24u     /* whose times are looked at exactly, ... */
#define ES_INFER_EXCLUSIVE_PATHS 48u /* ... where times decide what is possible at all */

typedef struct es_infer_solver {
    const es_infer_model *model;
    const es_infer_learned *learned;
    const es_infer_options *options;
    es_arena *arena;                  /* for the paths, until the next segment */
    struct es_infer_kernel *kernels;  /* of this segment */
    es_infer_facts *facts;            /* NULL: no states are exclusive */
    es_infer_excluded excluded;       /* of this segment */
    struct es_infer_hypothesis *pool; /* kept from segment to segment */
    size_t pool_size;
    double *
        *ahead; /* [machine][role * states + state]: least cost until the role's event is taken; NAN: not yet known */
    bool too_long;
} es_infer_solver;

/* The paths of the paper's method (one, or none), or ours; in `paths`, cheapest first. Returns how many. */
uint32_t es_infer_solve_paper(es_infer_solver *solver, const es_infer_segment *segment, es_infer_path *paths);
uint32_t es_infer_solve_joint(es_infer_solver *solver, const es_infer_segment *segment, es_infer_path *paths);

/* What it costs that so many of an interval's lost events are the scenario's, by how many others' are to be
 * expected. */
double es_infer_count_cost(const es_infer_between *between, uint32_t lost);

/* The same where so many lost events are no scenario's that is known. */
double es_infer_rest_cost(const es_infer_between *between, double rest);

/* By which values the path is in exclusive states: stays[i] before its transition i, and one after the last. A value
 * that one event shows holds as long as the scenario stays in them. Returns what it costs that another event shows
 * another one: 0, if none does. */
double es_infer_find_stays(const es_infer_model *model, const es_infer_segment *segment,
                           const es_infer_excluded *excluded, const es_infer_path *path, es_infer_stay *stays);

/* Looks at when things may have happened: the path's time_cost from the distributions of all its delays; with `place`,
 * the times of its lost events, too. */
void es_infer_time_path(const es_infer_solver *solver, const es_infer_segment *segment, es_infer_path *path,
                        bool place);

#endif
