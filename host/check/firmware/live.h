/* Which registers and words of the stack may still be read after each instruction of the soft core's code.
 *
 * Paths through code that differ in nothing else come together again where what they left after is forgotten. To forget
 * is always sound, as an unknown value stands for all: so what is guessed here of calls costs no soundness. */
#ifndef ES_CHECK_LIVE_H
#define ES_CHECK_LIVE_H

#include "base/arena.h"

#include <stdint.h>

#include "isa/insn.h"

/* Before the instruction: a bit by register; a bit by word from the stack pointer on, the last one for all further
 * ones. */
typedef struct es_check_live {
    uint32_t regs;
    uint64_t words;
} es_check_live;

/* The soft core's instructions of so many bytes, by word. The result belongs to the arena. */
const es_insn *es_check_code(es_arena *arena, const uint8_t *code, uint32_t size);

/* The same by word of the code, which begins at address 0. The result belongs to the arena. */
const es_check_live *es_check_live_find(es_arena *arena, const es_insn *code, uint32_t size);

/* Registers of the soft core that pass nothing into a function or out of it, and are not kept: a bit each. */
uint32_t es_check_temporaries(void);

#endif
