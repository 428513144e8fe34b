/* What was lost, inferred: the most likely transitions between the last certain state before a loss and the first
 * certain one after it. Never facts: each result has its probability, or comes from the paper's method, which has
 * none. */
#ifndef ES_INFER_INFER_H
#define ES_INFER_INFER_H

#include "infer/learn.h"

#define ES_INFER_OBSERVED_MAX 256u    /* events of a scenario without a certain state between them */
#define ES_INFER_LOST_MAX 64u         /* inferred events between two observed ones */
#define ES_INFER_ALTERNATIVES_MAX 16u /* that are told */

enum es_infer_method {
    ES_INFER_JOINT, /* several paths at once, by what came before and by time */
    ES_INFER_PAPER, /* Martin and Dagenais: the most frequent last transition, then the shortest path to it */
};

/* A transition between the ends of a segment: observed or inferred. */
typedef struct es_infer_passed {
    uint16_t transition;
    bool lost;               /* inferred */
    uint32_t observed;       /* which of the segment's observed events; of a lost one, which comes after it */
    int64_t low, time, high; /* ns; of a lost one the most likely time, and between which nine of ten are */
} es_infer_passed;

typedef struct es_infer_alternative {
    double probability; /* 0 to 1; negative: the method says nothing of it */
    const es_infer_passed *passed;
    uint32_t count, lost;
} es_infer_alternative;

/* What happened to a scenario between two certain states. */
typedef struct es_infer_result {
    const es_infer_machine *machine;
    uint32_t machine_number;
    es_infer_value key;
    uint16_t from, to; /* states; `to` after the last observed event */
    /* Certain. Otherwise, where losses may be hidden: the states if nothing else was lost than what showed. */
    bool from_certain, to_certain;
    int64_t begin, end;
    bool told;           /* the trace says that something was lost; otherwise an event did not fit */
    bool too_long;       /* more may be lost than can be inferred: no alternatives */
    uint64_t count_told; /* events that the trace says were lost in this time, of all scenarios; 0: not said */
    const es_infer_event *observed;
    uint32_t observed_count;
    const es_infer_alternative *alternatives; /* most likely first */
    uint32_t alternative_count;
    double other; /* probability of all that are not told */
} es_infer_result;

typedef struct es_infer_options {
    enum es_infer_method method;
    double loss_rate;      /* of losses that nobody told: before which part of all events */
    bool hidden;           /* as for es_infer_check_options */
    bool own;              /* `learned` is of the same trace */
    double event_rate;     /* events of the whole trace, per ns */
    uint32_t alternatives; /* that are told; 0: 3 */
    bool (*found)(void *context, const es_infer_result *result); /* false ends it */
    void *context;
} es_infer_options;

typedef struct es_infer es_infer;

/* model and learned must outlive it; the latter is finished, and changed meanwhile. */
es_infer *es_infer_new(const es_infer_model *model, es_infer_learned *learned, const es_infer_options *options);
void es_infer_free(es_infer *infer); /* NULL is fine */

/* For es_infer_check_options.step, with the es_infer as its context. */
bool es_infer_take_step(void *infer, const es_infer_step *step, es_infer_scenario *scenario);

/* For each scenario at the end: frees what is kept of it. Was something lost that no certain state came after? */
bool es_infer_leave(es_infer_scenario *scenario);

/* After the last step: tells what waits for others in the time of the same losses. False: `found` has ended it. */
bool es_infer_finish(es_infer *infer);

/* Each event of the trace, before its steps, also those that no machine names: how many come in which time. */
void es_infer_event_came(es_infer *infer, int64_t time);

/* A loss that the trace tells, before the events after it. */
void es_infer_lost(es_infer *infer, const es_infer_loss *loss);

#endif
