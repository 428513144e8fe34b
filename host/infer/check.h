/* The consistency check: an event after the other moves the scenarios of machines, each of which is in one of a set
 * of states. What no transition can take where the scenario is, is inconsistent; after a loss a scenario is
 * uncertain until an event leaves one state. */
#ifndef ES_INFER_CHECK_H
#define ES_INFER_CHECK_H

#include "infer/machine.h"

#define ES_INFER_CONTEXT 3u /* transitions before the next one that are kept */

enum es_infer_verdict {
    ES_INFER_FOREIGN,      /* no transition of the machine takes the event, whatever was lost */
    ES_INFER_CERTAIN,      /* its state is the only possible one */
    ES_INFER_UNCERTAIN,    /* several states are possible after it */
    ES_INFER_INCONSISTENT, /* no transition of the states where the scenario could be takes it: something was lost */
    ES_INFER_VERDICTS
};

typedef struct es_infer_segment es_infer_segment;

/* A machine's run for one key. */
typedef struct es_infer_scenario {
    es_infer_value key;
    es_infer_set states;                /* where it may be, ... */
    es_infer_set *anywhere;             /* ... whatever was lost untold; NULL: all losses are told */
    uint16_t only;                      /* its state, if there is one only; otherwise ES_INFER_STATES_MAX */
    int64_t time;                       /* of its last event; ns */
    es_infer_segment *segment;          /* for who infers: what happened since it was certain last */
    uint32_t epoch;                     /* losses that it knows, ... */
    uint32_t uncounted;                 /* ... of these those that nobody has counted, ... */
    uint64_t lost;                      /* ... and events lost in the others */
    uint32_t known;                     /* variables that are */
    uint32_t events;                    /* of its own, so far */
    uint16_t context[ES_INFER_CONTEXT]; /* the last transitions, newest first, without a doubt between them; then
                                           ES_INFER_NO_TRANSITION */
    bool begun;                         /* an event of its own has come */
    bool ousted;                        /* another one has come to where it alone could be: it has left unseen */
    es_infer_value variables[];
} es_infer_scenario;

/* What an event did to a scenario. `before` is the scenario as it was. */
typedef struct es_infer_step {
    const es_infer_machine *machine;
    uint32_t machine_number, role;
    const es_infer_event *event;
    enum es_infer_verdict verdict;
    bool doubt;         /* something may have been lost between the scenario's last event and this one */
    bool loss_told;     /* ... because the trace says so */
    bool hidden_before; /* before it the scenario may have been elsewhere, by losses that were not told */
    bool hidden_after;
    const es_infer_set *after;          /* states after it; as many as are possible */
    const es_infer_set *certain_before; /* states as they were after the event before it */
    int64_t time_before;                /* of the scenario's event before it */
    uint16_t transition;                /* the one that was taken; ES_INFER_NO_TRANSITION: not known */
} es_infer_step;

typedef struct es_infer_totals {
    int64_t first_time, last_time;                                                    /* ns */
    uint64_t events, steps, verdicts[ES_INFER_VERDICTS], gaps, lost, scenarios, back; /* back: events before others */
    uint64_t late;   /* losses that are told after events of their time, of which they then say nothing */
    uint64_t ousted; /* scenarios that must have left exclusive states unseen */
} es_infer_totals;

typedef struct es_infer_check_options {
    /* Losses that the trace does not tell are possible anywhere: only what an event makes certain by itself is. */
    bool hidden;
    uint32_t scenarios_max; /* 0: ES_INFER_SCENARIOS_MAX */
    /* Called for each step of a scenario; NULL: nobody. False ends the check. */
    bool (*step)(void *context, const es_infer_step *step, es_infer_scenario *scenario);
    void *context;
} es_infer_check_options;

#define ES_INFER_SCENARIOS_MAX (4u << 20)

typedef struct es_infer_check es_infer_check;

/* The model must outlive it, and its machines are finished. */
es_infer_check *es_infer_check_new(const es_infer_model *model, const es_infer_check_options *options);
void es_infer_check_free(es_infer_check *check); /* NULL is fine */

/* The next event. Fails with ES_USAGE when there are too many scenarios, or `step` returned false (nothing in *err). */
bool es_infer_check_event(es_infer_check *check, const es_infer_event *event, es_error *err);

/* A loss, before the events after it. */
void es_infer_check_loss(es_infer_check *check, const es_infer_loss *loss);

const es_infer_totals *es_infer_check_totals(const es_infer_check *check);

/* Calls for each scenario of a machine. */
void es_infer_check_each(es_infer_check *check, uint32_t machine,
                         void (*call)(void *context, es_infer_scenario *scenario), void *context);

#endif
