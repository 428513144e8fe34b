/* Worst-case clocks of soft core code: all paths through it from one state to a place, on values of which some bits are
 * known.
 *
 * The image's tables are constant, so loops over them end by themselves here. What is in RAM and what the target does
 * are unknown: both arms of a branch on them are taken. A loop whose end depends on unknown values has no worst case.
 * Clocks per instruction class are fixed (interface/cpu_cycles.def), so the sum along the longest way is the worst
 * case. */
#ifndef ES_CHECK_MACHINE_H
#define ES_CHECK_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "check/firmware/live.h"
#include "check/firmware/word.h"

/* A word of memory of which something is known when the run begins. It stays so: what is stored there is not
 * followed. */
typedef struct es_check_fact {
    uint32_t address;
    es_check_word word;
} es_check_fact;

/* Where a jump to an unknown place may lead. */
typedef struct es_check_targets {
    uint32_t *addresses; /* NULL: there may be no such jump */
    size_t count;
} es_check_targets;

/* Functions that change neither facts nor registers of their caller's (or only so that what comes then takes less):
 * what they do is looked at once for each of their arguments, whoever calls, with what is known in all events. */
typedef struct es_check_functions {
    uint32_t addresses[4];          /* 0: none */
    es_check_targets all_registers; /* others, which depend on the monitor's registers, not only on their arguments */
    const es_check_fact *facts;
    size_t fact_count;
    void *context;   /* for read and weigh */
    es_arena *arena; /* of what is known so far: */
    struct check_call *calls;
    size_t call_count;
} es_check_functions;

typedef struct es_check_machine {
    const uint8_t *memory;           /* of the soft core, as loaded */
    uint32_t size;                   /* bytes */
    uint32_t constant, constant_end; /* what surely never changes */
    uint32_t stack, stack_end;       /* the firmware's stack: only pushed registers and locals */
    const es_check_fact *facts;
    size_t fact_count;
    /* address of a word of RAM that is 0 at the beginning, and of which stores are followed; 0: none */
    uint32_t followed;
    /* what reading a register (address from REG_BASE on) may give */
    es_check_word (*read)(void *context, uint32_t address);
    es_check_targets calls, jumps; /* with link register ra; with t0. All others are to known places */
    /* NULL: clocks are counted. Else this is, of every store to a known address outside of memory, and nothing else */
    uint32_t (*weigh)(void *context, uint32_t address, es_check_word value);
    void *context;
    es_check_functions *functions; /* NULL: none */
    /* where `enter` is asked whether the state that comes to here can be; else the way is none. 0: no gate */
    uint32_t gates[2];
    bool (*enter)(void *context, uint32_t gate, const es_check_word regs[32]);
    /* of the code below constant_end; NULL: nothing is forgotten because it is not read again */
    const es_check_live *live;
    const es_insn *code; /* the same code's instructions, by word; NULL: they are decoded when they are run */
    /* The load at that place gives one of the numbers 0 to split_most: each is looked at by itself. 0: none */
    uint32_t split_at, split_most;
    /* places to which no way leads in the circumstances that are looked at. 0: the reset, to which none ever does */
    uint32_t never[3];
    size_t *budget;    /* states that may be looked at in this and all other runs; NULL: without bound */
    bool keeps;        /* a function's run: what its caller has in s0 has to be there at the end */
    uint32_t also_end; /* 0: there is none */
    uint32_t end;      /* the run ends when this is about to be fetched again; and at wfi */
} es_check_machine;

/* The most clocks (or what is counted instead) from the fetch at `pc` to the end. regs[0] is taken as 0. False, with
 * what stands in the way: a loop without a bound, a jump to an unknown place, too many paths. */
bool es_check_machine_worst(const es_check_machine *machine, uint32_t pc, const es_check_word regs[32],
                            uint32_t *clocks, es_error *err);

#endif
