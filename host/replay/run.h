/* Execution of a part of an input stream on a machine: inputs, changed memory, interrupts and restarts go where the
 * tokens say. Shared by what follows a stream and by the timeline; not for others. */
#ifndef ES_REPLAY_RUN_H
#define ES_REPLAY_RUN_H

#include "machine/machine.h"
#include "replay/program.h"
#include "replay/token.h"

/* What the stream does not tell, and was found out or left unknown. In the order of the execution. */
enum es_choice_kind {
    ES_CHOICE_CAUSE,   /* of an interrupt: mcause; 0: there was none, the machine came there by itself */
    ES_CHOICE_RESTART, /* at the reset's vector: 1: a reset; 0: the program came there by itself */
    ES_CHOICE_PENDING, /* what mip held */
    ES_CHOICE_CLOCK,   /* what a counter of clocks or instructions held */
    ES_CHOICE_KINDS,
};

typedef struct es_choice {
    uint8_t kind;
    uint64_t fetches; /* of the instruction before which, or by which */
    uint32_t value, unknown;
} es_choice;

#define ES_CHOICES_MAX 16 /* alternatives of one */
/* Costs of an alternative: 0 is as foreseen; POSSIBLE: nothing speaks against it; more: something does. */
#define ES_COST_POSSIBLE 1

typedef struct es_alternatives {
    uint8_t kind;
    uint8_t count; /* 1 to ES_CHOICES_MAX; the first is what is sure, or the least that can be said */
    uint32_t value[ES_CHOICES_MAX], unknown[ES_CHOICES_MAX];
    uint8_t cost[ES_CHOICES_MAX]; /* what costs less, all decisions together, is tried first */
} es_alternatives;

/* What of a run changes with the execution, besides the machine. */
typedef struct es_execution_state {
    size_t cursor;        /* the next token */
    uint32_t left;        /* of an open RUN: further inputs that are as predicted */
    uint32_t last, delta; /* of expected inputs */
    uint64_t reset_time;  /* of the last reset, of the tap's clock */
    uint64_t compare[ES_REPLAY_TIMERS];
    /* Learned from what was chosen, for the order of what is tried: how much is sure of the clocks from an
     * instruction's fetch to the moment at which it reads mip (by how much there are fewer at either end than at
     * first); what mip was; what a counter of clocks, and one of instructions, has more than those of the tap. */
    uint8_t read_not_before, read_not_after;
    uint32_t pending;
    int32_t counter_more[2];
    bool counter_learned[2];
} es_execution_state;

enum es_execution_end {
    ES_EXECUTED_UNTIL,   /* as far as asked for */
    ES_EXECUTED_MARK,    /* as the machine says */
    ES_EXECUTED_ASKED,   /* the same */
    ES_EXECUTED_UNKNOWN, /* the way on depends on something that is not known */
    ES_EXECUTED_WRONG,   /* inputs are left over, or none are left, or it cannot be executed */
};

typedef struct es_execution {
    es_machine *machine;
    const es_replay_program *program;
    const es_stream_token *tokens; /* VALUE, RUN, MEMORY, VECTOR, CLOCK, with 64-bit numbers */
    size_t count;
    es_execution_state state;
    /* Decides among alternatives. */
    es_choice (*choose)(void *context, const es_alternatives *alternatives, uint64_t fetches);
    /* Others have changed memory; the machine still has what was before. NULL: nobody wants to know */
    void (*poked)(void *context, uint32_t address, uint32_t word, uint8_t lanes);
    void (*restarted)(void *context); /* NULL: the same */
    /* Before an instruction for which it will be asked: the machine can be saved now. NULL: nobody wants to know. */
    void (*asks)(void *context);
    void *context;
    bool pauses;        /* private: the machine stands before such an instruction */
    uint64_t paused_at; /* private: the last one of these, plus 1 */
    bool dry;           /* private: an instruction is executed to see what it reads, and taken back */
    char why[320];      /* UNKNOWN and WRONG: in words */
    size_t counted;     /* private: the next token with a number of fetches, if it is known; SIZE_MAX: it is not */
} es_execution;

/* Makes a machine of the program, loaded, as it is before its first instruction. Its inputs come from the run. */
bool es_execution_begin(es_execution *run, const es_replay_program *program, es_error *err);
/* The same with other inputs than the tokens. */
bool es_execution_begin_with(es_execution *run, const es_replay_program *program, const es_machine_outside *outside,
                             es_error *err);
void es_execution_free(es_execution *run);

/* Goes on from another state; or the tokens have been moved. */
void es_execution_place(es_execution *run, const es_execution_state *state);

/* So many tokens are there now, here. */
void es_execution_extend(es_execution *run, const es_stream_token *tokens, size_t count);

/* Runs until `moment` instructions were fetched, and does what tokens say is to be done before the next one. Marks are
 * heeded with `marks` only. */
enum es_execution_end es_execution_to(es_execution *run, uint64_t moment, bool marks);

/* What tokens say is to be done before the next instruction; es_execution_to has done so where it ends. */
enum es_execution_end es_execution_settle(es_execution *run);

/* The next token with a number of fetches; NULL: there is none. */
const es_stream_token *es_execution_counted(es_execution *run);

/* Says why; ES_EXECUTED_WRONG. */
enum es_execution_end es_execution_wrong(es_execution *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether all tokens are used but perhaps the CLOCK of an instruction that was fetched and not executed yet. */
bool es_execution_is_used_up(const es_execution *run, bool with_clock);

#endif
