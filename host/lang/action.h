/* Actions: what is done when a statement's event occurs, and what hits show. */
#ifndef ES_LANG_ACTION_H
#define ES_LANG_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lang/expression.h"
#include "lang/source.h"
#include "symbols/symbols.h"

/* What `cover` counts: places where a statement of a line begins, by address. */
typedef struct es_cover_row {
    uint32_t address;
    const char *file;
    unsigned line;
    const es_procedure *procedure; /* whose code it is */
} es_cover_row;

typedef struct es_cover_rows {
    const char *pattern; /* as written: "control.c" */
    es_cover_row *rows;
    size_t count;
    es_position position; /* all of their addresses */
} es_cover_rows;

/* A stack whose use `stack` tells: its bytes, which grow down. */
typedef struct es_stack {
    const char *name; /* as written: "worker.stack"; the main stack's is "main" */
    uint32_t low, size;
    size_t counter; /* of the most bytes that were in use */
} es_stack;

enum es_action_kind {
    ES_ACTION_PRINT, /* a hit with the values of items; a bare `print` has been expanded to all the predicate reads, so
                        none means none */
    ES_ACTION_COUNT, /* increment counter */
    /* beyond the smallest statements */
    ES_ACTION_SET,       /* counter = value */
    ES_ACTION_DECREMENT, /* counter */
    ES_ACTION_ENABLE,    /* statement number `statement` */
    ES_ACTION_DISABLE,
    ES_ACTION_SNAPSHOT,  /* the bytes of `snapshot` */
    ES_ACTION_TRIGGER,   /* a pulse on pin */
    ES_ACTION_STOP,      /* end of monitoring */
    ES_ACTION_HALT,      /* halts the target */
    ES_ACTION_STATISTIC, /* the values of items go to the host, which shows them aggregated: `statistic` */
};

enum es_item_kind {
    ES_ITEM_VALUE,     /* references[index], or its old value */
    ES_ITEM_ELAPSED,   /* time since the compound event began */
    ES_ITEM_AGE,       /* time since the last write to references[index] before the event */
    ES_ITEM_COUNTER,   /* counter index, after the actions before this one */
    ES_ITEM_WHICH,     /* which members of areas[index] the event has written or read, and their values */
    ES_ITEM_BACKTRACE, /* the call path with places and inlined copies; nothing of it is in a hit's words */
};

typedef struct es_print_item {
    const char *name; /* as shown: the reference's text, or "old(x)" */
    size_t index;     /* into references, counters, areas */
    bool old;
    bool aggregated; /* statistics alone ask for it */
    enum es_item_kind kind;
} es_print_item;

enum es_statistic_kind {
    ES_STATISTIC_HIST,    /* how often the value lay between which powers of two */
    ES_STATISTIC_STATS,   /* how many, least, mean, most, percentiles */
    ES_STATISTIC_COUNT,   /* how many hits */
    ES_STATISTIC_PROFILE, /* calls of a procedure and how long they take, by hits at its beginnings and ends */
    ES_STATISTIC_COVER,   /* which lines ran: each of `rows` is told once */
    ES_STATISTIC_STACK,   /* how much of a stack was in use: each write that is deeper than all before is told */
};

enum es_statistic_by { ES_BY_NOTHING, ES_BY_PATH, ES_BY_TASK, ES_BY_PLACE, ES_BY_VALUE };

#define ES_NO_VALUE SIZE_MAX

/* Hits aggregated, apart for each path, task, place in the source or value. */
typedef struct es_statistic {
    enum es_statistic_kind kind;
    enum es_statistic_by by;
    const char *name;           /* as written: "hist(elapsed) by path" */
    size_t value;               /* number of the value among those of a hit (es_image_value); COUNT: ES_NO_VALUE */
    size_t key;                 /* VALUE: number of the value by which; else ES_NO_VALUE */
    unsigned top;               /* so many of them are shown, those with the most; 0: all */
    uint32_t entry;             /* PROFILE: address of the procedure's first instruction */
    const es_cover_rows *cover; /* COVER */
    const es_stack *stack;      /* STACK */
} es_statistic;

/* Bytes of memory. */
typedef struct es_snapshot {
    const char *name;   /* as shown: the reference's text, or "memory(0x20000,64)" */
    es_reference place; /* where they begin, as of a reference; size is 0, type NULL for a range of memory */
    uint32_t bytes;     /* >= 1 */
    bool is_text;       /* shown as characters up to a 0, as a value is; place.type is NULL */
} es_snapshot;

typedef struct es_action {
    enum es_action_kind kind;
    es_print_item *items; /* PRINT, STATISTIC */
    size_t item_count;
    size_t counter;                /* COUNT, SET, DECREMENT: index into the program's counters */
    int32_t value;                 /* SET */
    size_t statement;              /* ENABLE, DISABLE: index into the program's statements */
    const es_snapshot *snapshot;   /* SNAPSHOT */
    const es_statistic *statistic; /* STATISTIC */
    unsigned pin;                  /* TRIGGER */
    es_source source;
} es_action;

#endif
