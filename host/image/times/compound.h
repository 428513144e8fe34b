/* Compound events: conditions joined by `then`, `and`, `or`, each evaluated at events of its own (docs/statements.md).
 *
 * What has been seen of a statement's event is kept in RAM: a word of flags, and for each part that may be waiting for
 * more the time at which it began. At an event, first the conditions that it concerns are evaluated, then one pass over
 * the tree decides what the event means: it completes a part, is used by one, or is in the way of one. */
#ifndef ES_IMAGE_TIMES_COMPOUND_H
#define ES_IMAGE_TIMES_COMPOUND_H

#include "image/plan/plan.h"
#include "lang/statement.h"

/* One part of the tree. `or` of plain conditions only is one condition with several bits in `leaves`. */
typedef struct compound_node {
    enum es_event_tree_kind kind; /* WHEN: any of `leaves` */
    struct compound_node *first, *second;
    uint32_t leaves; /* WHEN */
    uint32_t own;    /* conditions that are events of this part; of a chain of THEN, those of the whole chain */
    /* THEN: the first has been seen. AND: the first has; flag << 1: the second has; << 2: this event was used. OR: one
     * of the sides has occurred now; flag << 1: this event was used */
    uint32_t flag;
    uint32_t flags;  /* of all parts of it */
    uint32_t began;  /* RAM offset: the first's time, two words; AND: then the second's */
    uint64_t within; /* bus clocks; 0: no limit */
} compound_node;

typedef struct compound_event {
    compound_node *root;
    const es_condition **leaves;
    size_t leaf_count;
    uint32_t held;    /* bits of those with `for`, which occur at their deadlines (host/image/times/deadline.h) */
    uint32_t stable;  /* ... of those with `unchanged for`, which are evaluated at deadlines, too */
    size_t deadlines; /* of both; 0: there are none */
    uint32_t last;    /* bits of those with which the event may be complete: what is shown has to exist then */
    bool elapsed;     /* the statement asks how long it took */
    bool limited;     /* there is a lifetime */
    uint32_t state;   /* RAM offset: flags, conditions true at this event, the beginning's time (two words) */
    uint32_t shown;   /* ... with deadlines: of copies of what is shown */
} compound_event;

#define COMPOUND_FLAGS 0u

#define COMPOUND_SEEN 4u

#define COMPOUND_BEGAN 8u

/* with deadlines: where the code that looks at deadlines goes on; what an event's routine keeps meanwhile */
#define COMPOUND_BACK 16u

#define COMPOUND_EVENTS 20u

#define COMPOUND_EVENT_BACK 24u

#define COMPOUND_LEAVES_MAX 32u

/* Whether a statement is more than one condition at its events. */
bool es_compound_is(const es_statement *statement);

/* Index of the k-th trigger of a condition that is an `unchanged for` of its own; trigger_count: there are no more. */
size_t es_compound_unchanged(const es_statement *statement, const es_condition *condition, size_t k);

/* Makes the plan of a compound statement; out->statement is set. Fails with ES_USAGE when it has too many parts. */
bool es_compound_plan(image_plan *plan, plan_statement *out, uint64_t bus_hz, es_error *err);

/* Whether any condition is to be evaluated at writes to a reference; at an enter, leave or at, on whichever path. */
/* 1 + the area of the statement whose event the condition names, write(buf) or read(buf), and of which the trigger is a
 * part; 0: none. */
size_t es_compound_area(const es_statement *statement, const es_condition *leaf, const es_trigger *trigger);

/* Whether a condition is to be evaluated at a write to the reference that no area's event tells it of. */
bool es_compound_tells_write(const struct compound_event *event, const es_statement *statement, size_t reference);

bool es_compound_has_write(const compound_event *event, size_t reference);

bool es_compound_has_read(const compound_event *event, size_t reference);

bool es_compound_has_control(const compound_event *event, const plan_control *control);

/* Places the states in RAM from `at` on; returns their end. */
uint32_t es_compound_place(image_plan *plan, uint32_t at);

#endif
