/* Clocks of the target's bus that instructions take at least. */
#ifndef ES_CHECK_TIMING_H
#define ES_CHECK_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"

/* How fast the target can be at most: clocks of its bus that each instruction takes at least. */
typedef struct es_check_timing {
    /* clocks, all transactions without wait */
    uint32_t alu, shift, multiply, divide, auipc, load, store, branch, jump, jump_register, csr, mret;
    uint32_t wait; /* clocks that each transaction takes more */
    bool narrow;   /* the bus has 8 or 16 bits: a word takes several transactions */
} es_check_timing;

/* es_cpu, the reference target's core (interface/cpu_cycles.def), at the given wait states, on a bus of 32 bits. */
es_check_timing es_check_timing_of_target(uint32_t wait);
/* A core that takes so many clocks for each instruction, at least, whichever it is. */
es_check_timing es_check_timing_of_any(uint32_t clocks, uint32_t wait);
/* Clocks of an instruction with its transactions, all of them without wait. */
uint32_t es_check_timing_clocks(const es_check_timing *timing, es_insn insn);

#endif
