/* Of a plan: times of writes that are kept, and what waits for a deadline. */
#ifndef ES_IMAGE_PLAN_TIMES_H
#define ES_IMAGE_PLAN_TIMES_H

#include "lang/statement.h"

/* A variable of whose writes the times are kept, for age(), and for old() of a local that is held at times. Its handler
 * runs after all others of the word but the task's, so at a write to it the age is that before. */
typedef struct plan_age {
    const es_reference *reference; /* one that stands for all of the same bytes */
    size_t pointer;                /* 1 + the pointer that it goes through; 0: none */
    size_t handler;
    uint32_t record; /* RAM offset: time of the last write, two words; PLAN_AGE_NONE or ... */
    bool stays;      /* it asks whether what was written last is still there: all bytes' writes tell it */
} plan_age;

enum { PLAN_AGE_NONE, PLAN_AGE_THERE, PLAN_AGE_GONE };

/* Event bits of a note of one that `stays`: all of it was written, some bytes were. */
enum { PLAN_AGE_WHOLE = 1, PLAN_AGE_SOME = 2 };

#define PLAN_AGE_BYTES 12

#define PLAN_AGE_WRITTEN 8

/* A reference of a statement with such a deadline. */
typedef struct plan_held {
    bool event;          /* a write to it is an event of the condition: else it is only shown */
    bool needed;         /* it has to exist, for the condition or to be shown */
    bool aged;           /* its age is asked for: its writes come after a deadline that has passed before */
    uint32_t copy;       /* offset of a copy of its value, 0: it is not needed */
    uint32_t shown;      /* of a part: offset from plan_deadline.copies of a copy to be shown; 0: it is not */
    uint32_t element;    /* with a variable index: of the element's address as of the last event; */
    uint8_t element_bit; /* ... the note's event bit of a write to what may be it */
    uint32_t initial[2]; /* its value in the program file, when it is `known` */
    bool known;
} plan_held;

/* What `x unchanged for 10ms` or `x > 3 for 10ms` of a statement waits for. Its handler, which runs before those of
 * statements, notes the events that matter to it. */
typedef struct plan_deadline {
    const es_reference *reference; /* of `unchanged for`: x */
    size_t statement;
    const es_condition *condition;
    bool holds; /* it waits for a condition to have held so long, `for` */
    bool part;  /* of a compound event, which has others */
    bool shows; /* with it the event may be complete: what is shown has to exist, and is copied */
    /* at each event what it waits for is evaluated, and what it shows is copied (host/image/times/holds.h); else x is
     * all that there is, and at most a word of static storage */
    bool evaluated;
    bool ends;         /* something may cease to exist that it needs: a local, what a pointer points to */
    bool from_start;   /* `unchanged for` of what is there all the time: it counts from the monitoring's beginning */
    uint64_t clocks;   /* of the bus */
    uint32_t record;   /* RAM offset: host/image/lower/deadline.c */
    uint32_t bytes;    /* ... of so many bytes */
    uint32_t copies;   /* ... from which plan_held.shown counts */
    uint32_t check_at; /* the statement's routine */
    uint32_t initial;  /* what the program file has at the variable's word, when it is `known` */
    bool known;
    struct plan_held *held; /* when it is evaluated: by reference */
} plan_deadline;

#endif
