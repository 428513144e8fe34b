/* What a run of monitoring tells, in the words of the source.
 *
 * A *schema* says what can come: statements with their fields, counters, the clock. *Records* follow: hits with flat
 * values, losses, the target's console, notes, figures while it runs, the summary. They need neither the program's
 * symbols nor a probe to be shown, stored or sent: a session makes them from what the probe sends, a trace's reader
 * from the trace, a client from what the daemon sends. Whoever takes them cannot tell which.
 *
 * Texts that come again and again (paths, files, tasks, what pointers point at) are names: numbers in es_names, 0 for
 * none. Times are clocks of the tap's bus.
 */
#ifndef ES_RECORD_RECORD_H
#define ES_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "record/names.h"

/* --- schema: what can come ---------------------------------------------------------------------------------------- */

enum es_field_kind {
    ES_FIELD_INT,     /* signed or not, `bits` wide */
    ES_FIELD_CHAR,    /* shown as 'a' */
    ES_FIELD_BOOL,    /* true, false; other values as numbers */
    ES_FIELD_FLOAT,   /* bits 32 or 64: IEEE 754 */
    ES_FIELD_ENUM,    /* by its labels; several single bits as A|B */
    ES_FIELD_POINTER, /* an address; es_value.about says what is there */
    ES_FIELD_LENGTH,  /* a length of time in clocks */
    ES_FIELD_BYTE,    /* of a range of memory: shown as two hexadecimal digits */
    ES_FIELD_TEXT,    /* characters up to a NUL */
};

typedef struct es_label {
    const char *name;
    int64_t value;
} es_label;

/* A printed value, or a leaf of an object. */
typedef struct es_field {
    const char *name; /* as printed: "temp", "plant.zone[2]" */
    enum es_field_kind kind;
    uint8_t bits; /* 1 to 64 */
    bool is_signed;
    bool is_aggregated;     /* statistics alone take it: hits do not show it */
    bool is_parts;          /* TEXT: "buf[4]=61 buf[5]=0", names with values: shown without the field's own name */
    const es_label *labels; /* ENUM */
    size_t label_count;
} es_field;

/* How an object's leaves stand in each other: nodes in preorder, each LEAF and each of BYTES' bytes taking the next of
 * the object's fields. */
enum es_shape_kind { ES_SHAPE_LEAF, ES_SHAPE_STRUCT, ES_SHAPE_ARRAY, ES_SHAPE_BYTES };

typedef struct es_shape {
    enum es_shape_kind kind;
    const char *name; /* of a struct's member; NULL: an element, or an anonymous struct */
    uint32_t count;   /* STRUCT, ARRAY: nodes directly in it; BYTES: fields */
} es_shape;

/* A printed struct, array or range of memory. */
typedef struct es_composite {
    const char *name;
    bool range;            /* memory: shown with addresses */
    size_t first, count;   /* of its fields among the statement's */
    const es_shape *shape; /* of `shape_count` nodes */
    size_t shape_count;
} es_composite;

enum es_aggregate_kind {
    ES_AGGREGATE_HIST,    /* how often the value lay between which powers of two */
    ES_AGGREGATE_STATS,   /* how many, least, mean, most, percentiles */
    ES_AGGREGATE_COUNT,   /* how many hits */
    ES_AGGREGATE_PROFILE, /* calls, and how long they take: hits at a procedure's beginnings and ends */
    ES_AGGREGATE_COVER,   /* which lines ran: a hit for each place, when it was come to first */
    ES_AGGREGATE_STACK,   /* how much of a stack was in use: a hit when it was more than ever before */
};

enum es_aggregate_by {
    ES_AGGREGATE_ALL,
    ES_AGGREGATE_BY_PATH,
    ES_AGGREGATE_BY_TASK,
    ES_AGGREGATE_BY_PLACE,
    ES_AGGREGATE_BY_VALUE
};

/* Where a statement of a line begins. */
typedef struct es_cover_place {
    uint32_t pc;
    uint32_t line;
    const char *file;
    size_t function; /* whose code it is: index into the functions */
} es_cover_place;

typedef struct es_cover_function {
    const char *name;
    const char *file; /* where it is declared; NULL: not known */
    unsigned line;
} es_cover_function;

/* What there is to be covered. */
typedef struct es_cover {
    const es_cover_place *places; /* by pc; several lines may begin at one */
    size_t place_count;
    const es_cover_function *functions;
    size_t function_count;
} es_cover;

/* What a statement's hits are shown as together: "hist(elapsed) by path". */
typedef struct es_aggregate {
    const char *name;
    enum es_aggregate_kind kind;
    enum es_aggregate_by by;
    size_t value, key;     /* fields: of HIST, STATS and STACK; of BY_VALUE */
    unsigned top;          /* so many groups are shown; 0: all */
    uint32_t entry;        /* PROFILE: where a hit is a beginning */
    const es_cover *cover; /* COVER; else NULL */
    uint32_t bytes;        /* STACK: how large it is */
} es_aggregate;

enum es_expectation { ES_EXPECTS_NOTHING, ES_EXPECTS_NEVER, ES_EXPECTS_EVENTUALLY, ES_EXPECTS_WITHIN };

typedef struct es_schema_statement {
    const char *name, *text; /* text: as written */
    const char *file;        /* where it stands; "-e" */
    unsigned line;
    const char *waits_for; /* "writes to temp (control.c:4)": what it is looked at for; NULL: not told */
    enum es_expectation expects;
    const es_field *fields; /* values first, then the objects' leaves */
    size_t value_count, field_count;
    const es_composite *objects;
    size_t object_count;
    const es_aggregate *aggregates;
    size_t aggregate_count;
    bool is_aggregated; /* its hits are not shown for themselves */
} es_schema_statement;

/* A local of optimised code, which is observed only at times. */
typedef struct es_schema_life {
    const char *procedure, *variable, *observed, *elsewhere;
} es_schema_life;

/* What the target is that a run is of. */
enum es_origin {
    ES_ORIGIN_HARDWARE,  /* it runs by itself */
    ES_ORIGIN_SIMULATED, /* Earshot simulates it */
    ES_ORIGIN_RECORDING, /* it has run, and was recorded */
    ES_ORIGINS,
};

typedef struct es_schema {
    const char *program; /* path of the ELF */
    uint64_t clock_hz;
    const es_schema_statement *statements;
    size_t statement_count;
    const char *const *counters;
    size_t counter_count;
    const char *tasks_by; /* the variable that names the running task; NULL: there are no tasks */
    const char *kernel;   /* whose it is, where that was found and not named by the user */
    bool task_pointers;   /* tasks are told by a pointer, not by a number */
    const es_schema_life *lives;
    size_t life_count;
    bool times; /* hits tell when they were recognised and acted on */
    enum es_origin origin;
    es_names *names;
    es_arena *arena; /* of all of it */
} es_schema;

/* The origin's name as JSON has it: "hardware", "simulated", "recording". */
const char *es_origin_name(enum es_origin origin);

/* An empty schema with its arena and names; es_schema_free frees all that hangs on it. */
es_schema *es_schema_new(void);
void es_schema_free(es_schema *schema);

/* --- records: what comes ------------------------------------------------------------------------------------------ */

typedef struct es_value {
    union {
        uint64_t bits;    /* as in memory, from bit 0; above field.bits nothing that matters */
        const char *text; /* of a TEXT */
    };
    /* name: what a POINTER points at ("<plant>", "\"text\""); of any that is not known, why ("optimised out here");
     * else 0 */
    uint32_t about;
    bool known;
} es_value;

/* An object as it was at a hit. */
typedef struct es_composite_state {
    bool found;       /* false: the pointer to it leads nowhere, ... */
    uint32_t why;     /* ... name: what is to be said of that */
    uint32_t address; /* of its first byte */
} es_composite_state;

#define ES_HIT_UNCERTAIN 1u /* it may not have been one: what it depends on was lost */
#define ES_HIT_TIMED 2u     /* a time had passed: that is nowhere in the program, on no path, of no task */
#define ES_HIT_NO_PATH 4u   /* the path is not known */
#define ES_HIT_CUT_PATH 8u  /* activations before the last one of the path are left out */
#define ES_HIT_NO_TASK 16u  /* the task is not known */
#define ES_HIT_TIMES 32u    /* `times` is there */
#define ES_HIT_NO_PLACE 64u /* which instruction it was is not known */

typedef struct es_hit {
    uint64_t time;
    uint32_t statement;
    uint32_t flags; /* ES_HIT_* */
    uint32_t pc;
    uint32_t path;          /* name: the activations, outermost first, as es_path_text joins them; 0: start-up code */
    uint32_t inlined;       /* name: the procedure whose inlined copy begins there */
    uint32_t task;          /* name; 0: none, or ES_HIT_NO_TASK */
    uint32_t task_pointer;  /* where schema.task_pointers */
    uint32_t file, line;    /* of the source, name; 0: not known */
    uint64_t times[3];      /* recognition, begin and end of actions */
    const es_value *values; /* of the statement's fields; of the first `value_count` of them */
    size_t value_count;
    const es_composite_state *objects; /* of those whose fields are all there: object_count */
    size_t object_count;
} es_hit;

/* Where a hit was: its members from `flags` to `line`. Hits of one place have all of them in common, mostly. */
#define ES_HIT_WHERE offsetof(es_hit, flags)
#define ES_HIT_WHERE_SIZE (offsetof(es_hit, line) + sizeof(uint32_t) - ES_HIT_WHERE)

static inline const void *es_hit_where(const es_hit *hit)
{
    return (const char *)hit + ES_HIT_WHERE;
}

enum es_lost_what {
    ES_LOST_BUS,    /* transactions, before the probe could look at them */
    ES_LOST_EVENTS, /* for lack of room in the probe */
    ES_LOST_LINK,   /* frames, on the way from the probe */
    ES_LOST_HOST,   /* records, that a client was too slow for */
    ES_LOST_DISK,   /* records, that the disk of a trace was full, failing or too slow for */
};
#define ES_LOST_KINDS ((unsigned)ES_LOST_DISK + 1)
#define ES_NO_TIME UINT64_MAX

typedef struct es_lost {
    uint64_t time, last; /* first and last lost; last may be ES_NO_TIME: it has no end yet */
    uint64_t count;
    enum es_lost_what what;
} es_lost;

#define ES_INFERRED_MAX 64u /* paths that a hit is told to have */

/* A path that a hit may have had. */
typedef struct es_inferred_path {
    uint32_t path;      /* name: as that of a hit */
    double probability; /* above 0, at most 1 */
} es_inferred_path;

/* What the call path of a hit was whose path is not known, inferred from what came before and after it: no fact, so it
 * stands beside the hit and not in it. It comes after the hit, often after others. */
typedef struct es_inferred {
    uint64_t time; /* the hit's */
    uint64_t hit;  /* which of the run's hits it is, from 1 on, as they are told */
    uint32_t statement, pc;
    bool only;                     /* the program's calls allow no other path there */
    const es_inferred_path *paths; /* the most likely one first; at least one */
    size_t path_count;
    double other; /* probability of all others */
} es_inferred;

/* Figures while it runs. */
typedef struct es_progress {
    uint64_t hits, lost;
    uint64_t time;                  /* the target's, as far as it is known */
    double wall_seconds;            /* since monitoring began */
    const uint64_t *statement_hits; /* those that were told, by statement */
    uint64_t waiting; /* bytes that have come to this computer from the probe, or to a client, and are not taken yet */
} es_progress;

/* A real probe's clock in the computer's, as it is known when it is told: about once a second. What any other time maps
 * to: es_clock_told_map. */
typedef struct es_clock_told {
    bool known;        /* false: from here on nobody knows, until the next one is told; what is not about places is 0 */
    uint64_t time;     /* the probe's, and when that was: */
    int64_t steady_ns; /* by the computer's steady clock, which runs from its start and is never set */
    int64_t unix_ns;   /* by its time of day */
    int64_t error_ns;  /* by so much both may be wrong, at most; the computer's own error aside */
    double drift_ppm, drift_error_ppm; /* how much faster than its clock_hz the probe's clock is */
    uint64_t from;                     /* this is of times from here on; those of an earlier clock are below */
    uint32_t restarts;    /* clocks before this one: the probe was without power, or its clock stood still */
    const char *computer; /* whose steady clock, and since which of its starts: equal texts, equal clocks */
} es_clock_told;

enum es_verdict { ES_VERDICT_MET, ES_VERDICT_FAILED, ES_VERDICT_UNKNOWN };

typedef struct es_judged {
    enum es_verdict verdict;
    const char *why; /* not met: "it occurred 3 times, first at 1.5 ms" */
} es_judged;

/* Totals of a run. */
typedef struct es_summary {
    uint64_t hits;
    uint64_t *statement_hits; /* by statement */
    /* by statement: evaluations that met what is not known; NULL: that was not kept (old traces) */
    uint64_t *statement_unknown;
    es_judged *judged;  /* by statement */
    uint32_t *counters; /* by counter: ints */
    uint64_t lost_bus, lost_events, lost_link;
    uint64_t unknown;               /* evaluations that met unknown memory */
    uint64_t stack_switches;        /* by hand: paths and locals are unknown from there on; 0 with tasks */
    const char *const *switched_in; /* places of these, and variables that may name the stack: NULL ends; may be NULL */
    const char *const *switched_by;
    uint64_t tasks_given_up; /* switches at which a task was given up because as many as can be are kept already */
    uint64_t torn; /* assignments in parts that were mixed with others or never completed: nothing was evaluated */
    bool complete; /* the probe's closing figures arrived */
    /* hits that the firmware counted and that are neither among those told nor lost; negative: too many came */
    int64_t unaccounted;
    bool exited; /* the target ended by itself, with exit_code */
    int exit_code;
    bool trapped;        /* a trap stopped it */
    bool halted;         /* an action `halt` did */
    uint64_t pulses[8];  /* by trigger pin, of the simulated probe */
    bool mismatch;       /* the target was seen to run another program */
    uint64_t cycles;     /* target clocks; 0 unknown */
    double wall_seconds; /* of the run */
} es_summary;

enum es_record_kind {
    ES_RECORD_BEGIN, /* the schema: once, first */
    ES_RECORD_HIT,
    ES_RECORD_LOST,
    ES_RECORD_INFERRED, /* of a hit before it */
    ES_RECORD_CONSOLE,  /* a line of the target's, without its end */
    ES_RECORD_NOTE,     /* for the user */
    ES_RECORD_WARNING,  /* the same, never to be left out */
    ES_RECORD_PROGRESS, /* now and then */
    ES_RECORD_CLOCK,    /* now and then, of a real probe that knows its time */
    ES_RECORD_SUMMARY,  /* once, last; missing where monitoring never began */
};

typedef struct es_record {
    enum es_record_kind kind;
    const es_schema *schema; /* NULL before BEGIN: of notes and warnings */
    union {
        const es_hit *hit;
        const es_lost *lost;
        const es_inferred *inferred;
        struct {
            const char *bytes; /* `size` of them, and a NUL */
            size_t size;
        } text; /* CONSOLE, NOTE, WARNING */
        const es_progress *progress;
        const es_clock_told *clock;
        const es_summary *summary;
    };
} es_record;

/* Who takes records. What they point to is valid during the call; the schema from BEGIN to after the summary. */
typedef struct es_sink {
    void (*take)(void *context, const es_record *record);
    void *context;
} es_sink;

static inline void es_sink_give(const es_sink *sink, const es_record *record)
{
    sink->take(sink->context, record);
}

#endif
