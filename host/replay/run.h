/* Execution of a part of an input stream on a machine: inputs, changed memory, interrupts and restarts go where the
 * tokens say. Shared by what follows a stream and by the timeline; not for others. */
#ifndef ES_REPLAY_RUN_H
#define ES_REPLAY_RUN_H

#include "machine/machine.h"
#include "replay/program.h"
#include "replay/token.h"

/* What the stream does not tell, and was found out or left unknown. In the order of the execution, all but
 * ES_CHOICE_REGISTERS. */
enum es_choice_kind {
    ES_CHOICE_REGISTERS, /* of the reset: value 0, unknown 0: they hold 0; unknown ~0: unknown */
    ES_CHOICE_CAUSE,     /* of an interrupt: mcause; 0: there was none, the machine came there by itself */
    ES_CHOICE_RESTART,   /* at the reset's vector: 1: a reset; 0: the program came there by itself */
    ES_CHOICE_PENDING,   /* what mip held */
    ES_CHOICE_CLOCK,     /* what a counter of clocks or instructions held */
    ES_CHOICE_KINDS,
};

typedef struct es_choice {
    uint8_t kind;
    uint64_t fetches; /* of the instruction before which, or by which */
    uint32_t value, unknown;
} es_choice;

#define ES_CHOICES_MAX 16 /* alternatives of one */

typedef struct es_alternatives {
    uint8_t kind;
    uint8_t count; /* 1 to ES_CHOICES_MAX; the first is what is sure, or the least that can be said */
    bool between;  /* asked for between two instructions: the machine can be saved */
    uint32_t value[ES_CHOICES_MAX], unknown[ES_CHOICES_MAX];
} es_alternatives;

/* What of a run changes with the execution, besides the machine. */
typedef struct es_run_state {
    size_t cursor;        /* the next token */
    uint32_t left;        /* of an open RUN: further inputs that are as predicted */
    uint32_t last, delta; /* of expected inputs */
    uint64_t reset_time;  /* of the last reset, of the tap's clock */
    uint64_t compare[ES_REPLAY_TIMERS];
} es_run_state;

enum es_run_end {
    ES_RUN_UNTIL,   /* as far as asked for */
    ES_RUN_MARK,    /* as the machine says */
    ES_RUN_ASKED,   /* the same */
    ES_RUN_UNKNOWN, /* the way on depends on something that is not known */
    ES_RUN_WRONG,   /* inputs are left over, or none are left, or it cannot be executed */
};

typedef struct es_run {
    es_machine *machine;
    const es_replay_program *program;
    const es_token *tokens; /* VALUE, RUN, MEMORY, VECTOR, CLOCK, with 64-bit numbers */
    size_t count;
    es_run_state state;
    /* Decides among alternatives. */
    es_choice (*choose)(void *context, const es_alternatives *alternatives, uint64_t fetches);
    void (*poked)(void *context, uint32_t address, uint32_t word, uint8_t lanes); /* NULL: nobody wants to know */
    void (*restarted)(void *context);                                             /* the same */
    void *context;
    bool dry;       /* private: an instruction is executed to see what it reads, and taken back */
    char why[320];  /* UNKNOWN and WRONG: in words */
    size_t counted; /* private: the next token with a number of fetches, if it is known; SIZE_MAX: it is not */
} es_run;

/* Makes a machine of the program, loaded, as it is before its first instruction. Its inputs come from the run. */
bool es_run_begin(es_run *run, const es_replay_program *program, es_error *err);
/* The same with other inputs than the tokens. */
bool es_run_begin_with(es_run *run, const es_replay_program *program, const es_machine_outside *outside, es_error *err);
void es_run_end(es_run *run);

/* Registers that are not known hold 0. */
void es_run_clear_registers(es_run *run);

/* Goes on from another state; or the tokens have been moved. */
void es_run_place(es_run *run, const es_run_state *state);

/* So many tokens are there now, here. */
void es_run_extend(es_run *run, const es_token *tokens, size_t count);

/* Runs until `moment` instructions were fetched, and does what tokens say is to be done before the next one. Marks are
 * heeded with `marks` only. */
enum es_run_end es_run_to(es_run *run, uint64_t moment, bool marks);

/* What tokens say is to be done before the next instruction; es_run_to has done so where it ends. */
enum es_run_end es_run_settle(es_run *run);

/* The next token with a number of fetches; NULL: there is none. */
const es_token *es_run_counted(es_run *run);

/* Says why; ES_RUN_WRONG. */
enum es_run_end es_run_wrong(es_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether all tokens are used but perhaps the CLOCK of an instruction that was fetched and not executed yet. */
bool es_run_is_used_up(const es_run *run, bool with_clock);

#endif
