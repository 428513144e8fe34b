/* State machines that a trace is held against: states, and transitions that events take, for each key (a thread, a
 * CPU, a queue) a scenario of its own. */
#ifndef ES_INFER_MACHINE_H
#define ES_INFER_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "infer/set.h"
#include "infer/stack.h"
#include "infer/words.h"

#define ES_INFER_VARIABLES_MAX 8u       /* of a scenario */
#define ES_INFER_TRANSITIONS_MAX 16384u /* of a machine */
#define ES_INFER_TESTS_MAX 32u          /* in one condition */
#define ES_INFER_MACHINES_MAX 256u
#define ES_INFER_EXCLUSIVES_MAX 8u   /* of a machine */
#define ES_INFER_VALUES_HELD_MAX 64u /* of one of them, that are looked at */
#define ES_INFER_NO_TRANSITION UINT16_MAX

enum es_infer_truth { ES_INFER_FALSE, ES_INFER_TRUE, ES_INFER_UNKNOWN };

enum es_infer_source {
    ES_INFER_CONSTANT,
    ES_INFER_FIELD,
    ES_INFER_VARIABLE,
    ES_INFER_TIME,   /* the event's, in ns */
    ES_INFER_PUSHED, /* of a variable that is a stack: with `value` on it, ... */
    ES_INFER_TOP,    /* ... what is on it, ... */
    ES_INFER_POPPED  /* ... and without that */
};

/* What is compared or assigned: a constant, an event's field or a scenario's variable; `value` is added to the latter
 * two when they are numbers, and to the time. */
typedef struct es_infer_operand {
    enum es_infer_source source;
    uint32_t index;
    es_infer_value value;
    es_infer_stack *stacks; /* of the last three */
} es_infer_operand;

enum es_infer_op {
    ES_INFER_EQ,
    ES_INFER_NE,
    ES_INFER_LT,
    ES_INFER_LE,
    ES_INFER_GT,
    ES_INFER_GE,
    ES_INFER_AND,
    ES_INFER_OR,
    ES_INFER_NOT
};

/* One step of a condition, which is in postfix order: a comparison, or what joins the results before it. Texts are only
 * equal or not. */
typedef struct es_infer_test {
    enum es_infer_op op;
    es_infer_operand left, right;
} es_infer_test;

typedef struct es_infer_update {
    uint32_t variable;
    es_infer_operand from;
} es_infer_update;

/* Events of a name concern the scenario whose key a field of them has. */
typedef struct es_infer_role {
    uint32_t event; /* by es_infer_words */
    uint32_t key;   /* the field; ES_INFER_NONE: there is one scenario for all */
    uint32_t mute;  /* a bit for each exclusive of whose values its events say nothing; once finished */
} es_infer_role;

typedef struct es_infer_transition {
    uint16_t from, to, role;
    const es_infer_test *tests;
    const es_infer_update *updates;
    uint32_t test_count, update_count;
    uint32_t line; /* where it was written; 0: nowhere */
} es_infer_transition;

/* States in which at most one scenario is at a time: one of all, or one for each value of a field. A scenario's
 * value is that of the event that led it into the states; events that lead out of them or from one of them to
 * another have the same one, or none. Events that may leave it in one of them may be told by anybody: they say nothing
 * of the value. */
typedef struct es_infer_exclusive {
    es_infer_set states;
    uint32_t field;  /* ES_INFER_NONE: one of all */
    uint32_t values; /* how many values there are; 0: not known */
} es_infer_exclusive;

typedef struct es_infer_machine {
    const char *name;
    const char **states, **variables;
    es_infer_role *roles;
    es_infer_transition *transitions; /* once finished: by role, then by state they leave, then as written */
    uint32_t state_count, variable_count, role_count, transition_count;
    uint32_t initial;                                       /* where scenarios begin; ES_INFER_NONE: not known */
    es_infer_exclusive exclusives[ES_INFER_EXCLUSIVES_MAX]; /* no state is in two of them */
    uint32_t exclusive_count;
    /* made by es_infer_machine_finish */
    uint16_t *first;      /* [role * state_count + state]: its first transition; one more entry ends the last */
    es_infer_set *next;   /* [state]: where one transition leads from it */
    es_infer_set *reach;  /* [state]: what may be reached from it, itself too */
    es_infer_set *from;   /* [role]: where its transitions begin */
    es_infer_set *into;   /* [role]: where they lead */
    uint16_t *out;        /* transitions by the state they leave */
    uint16_t *out_first;  /* [state], and one more */
    uint32_t out_max;     /* most transitions that leave a state */
    uint32_t only_key;    /* the field that is the key in all roles; ES_INFER_NONE: they differ, or have none */
    es_infer_set staying; /* states of exclusives, of which only events that say the scenario's own value lead away */
} es_infer_machine;

typedef struct es_infer_model {
    es_arena *arena;
    es_infer_words words;
    es_infer_machine *machines;
    uint32_t machine_count;
    bool of_probe; /* the trace is one of Earshot's: its losses count transactions of the bus, not events */
} es_infer_model;

es_infer_model *es_infer_model_new(void);
void es_infer_model_free(es_infer_model *model); /* NULL is fine */

/* Adds an empty machine; NULL when there are ES_INFER_MACHINES_MAX. The pointer counts until the next one is added. */
es_infer_machine *es_infer_machine_add(es_infer_model *model, const char *name);

/* Numbers of what is there already by that name, or is added; ES_INFER_NONE: too many. */
uint32_t es_infer_state(es_infer_model *model, es_infer_machine *machine, const char *name, bool add);
uint32_t es_infer_variable(es_infer_model *model, es_infer_machine *machine, const char *name);
uint32_t es_infer_role_of(es_infer_model *model, es_infer_machine *machine, uint32_t event, uint32_t key);

/* Adds a transition; what it points at must live as long as the model. False: too many. */
bool es_infer_transition_add(es_infer_model *model, es_infer_machine *machine, const es_infer_transition *transition);

/* Makes the tables, once all is there. */
void es_infer_machine_finish(es_infer_model *model, es_infer_machine *machine);

/* Which of the machine's exclusives a state is in; ES_INFER_NONE: none. */
uint32_t es_infer_exclusive_of(const es_infer_machine *machine, uint32_t state);

/* An event as machines see it: the fields that they look at. */
typedef struct es_infer_event {
    int64_t time;     /* ns */
    uint32_t event;   /* by es_infer_words */
    uint64_t present; /* a bit for each field that it has */
    const es_infer_value *values;
} es_infer_event;

/* A loss that the trace tells. */
typedef struct es_infer_loss {
    int64_t begin, end; /* between which times; ns. An event at `end` comes after all of it */
    uint64_t count;     /* events lost; 0: nobody counted them */
    bool of_one;        /* all of them had the same value of a field, as those of one CPU's buffer: */
    uint32_t field;
    es_infer_value value;
    bool again; /* of a loss that was told before: more of its time, in which nobody counted */
} es_infer_loss;

/* Whether no event of a loss was of the scenario with a key, as they were all of another one. */
static inline bool es_infer_loss_spares(const es_infer_loss *loss, const es_infer_machine *machine, es_infer_value key)
{
    return loss->of_one && machine->only_key == loss->field && key != loss->value;
}

/* The value by which states of an exclusive, by its number, are a scenario's, as its event in a role says. Does it? */
static inline bool es_infer_exclusive_value(const es_infer_machine *machine, uint32_t number, uint32_t role,
                                            const es_infer_event *event, es_infer_value *value)
{
    const es_infer_exclusive *exclusive = &machine->exclusives[number];
    *value = 0;
    if (exclusive->field == ES_INFER_NONE || exclusive->values == 1)
        return true;
    if (!(event->present >> exclusive->field & 1) || machine->roles[role].mute >> number & 1)
        return false;
    *value = event->values[exclusive->field];
    return true;
}

/* Does the condition hold? `event` may be NULL: none of its fields is known. `known` has a bit for each variable that
 * is. */
enum es_infer_truth es_infer_holds(const es_infer_transition *transition, const es_infer_event *event,
                                   const es_infer_value *variables, uint32_t known);

/* Makes the transition's assignments. */
void es_infer_assign(const es_infer_transition *transition, const es_infer_event *event, es_infer_value *variables,
                     uint32_t *known);

/* Writes the machines as text that es_infer_parse reads. */
void es_infer_write(const es_infer_model *model, es_text_buffer *out);

/* Writes a condition: "prev_state != 0 and cpu == $cpu". */
void es_infer_condition_text(const es_infer_model *model, const es_infer_machine *machine,
                             const es_infer_transition *transition, es_text_buffer *out);

/* Adds the machines of a text, docs/infer.md. Fails with ES_USAGE and "file:line:column: error: ...". */
bool es_infer_parse(es_infer_model *model, const char *file, const char *text, size_t length, es_error *err);

/* Adds the state machines of a Trace Compass XML file (patterns with fsm). Fails as es_infer_parse does. */
bool es_infer_parse_xml(es_infer_model *model, const char *file, const char *text, size_t length, es_error *err);

/* Whether a file is such XML with transitions for events that it does not name one by one: then the trace's names have
 * to be in the model's words before it is read. */
bool es_infer_wants_names(const char *path);

/* Reads a file of either kind. */
bool es_infer_load(es_infer_model *model, const char *path, es_error *err);

#endif
