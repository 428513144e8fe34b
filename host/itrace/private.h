/* What the files of an instruction trace share. */
#ifndef ES_ITRACE_PRIVATE_H
#define ES_ITRACE_PRIVATE_H

#include "base/text.h"
#include "isa/isa.h"
#include "itrace/itrace.h"
#include "replay/pace.h"

enum { ES_ITRACE_MOST = 32 }; /* registers that one instruction sets, accesses that it makes */

typedef struct es_itrace_set {
    uint8_t reg; /* 0 to 31, 32 to 63: f0 to f31 */
    uint64_t value, unknown;
} es_itrace_set;

/* As the program has it: `value` is the number, in its order of bytes. */
typedef struct es_itrace_access {
    bool write;
    uint8_t size;
    uint32_t address, value, unknown;
} es_itrace_access;

/* An instruction, and what it has done so far. */
typedef struct es_itrace_insn {
    uint64_t moment;
    uint32_t pc, word;
    bool user; /* in user mode */
    unsigned set_count, access_count;
    es_itrace_set sets[ES_ITRACE_MOST];
    es_itrace_access accesses[ES_ITRACE_MOST];
} es_itrace_insn;

/* What is the same whenever an instruction is executed. */
typedef struct es_itrace_fixed {
    uint32_t pc, word;
    bool filled;
    es_text_buffer place, source; /* address, encoding and procedure; file and line */
} es_itrace_fixed;

enum { ES_ITRACE_KEPT = 8192 }; /* of these, by their addresses */

typedef struct es_itrace {
    const es_symbols *symbols;
    const es_isa *isa;
    const es_machine *machine;
    bool wide; /* registers of floating point have 64 bits */
    uint64_t hz;
    es_replay_pace pace;
    es_text_buffer out;
    es_itrace_fixed *kept; /* of the format that has such; NULL: none yet */
} es_itrace;

/* Adds a line, or what it is in the format. */
void es_itrace_spike(es_itrace *trace, const es_itrace_insn *insn);
void es_itrace_text(es_itrace *trace, const es_itrace_insn *insn);
/* ... an interrupt or exception after the last instruction; and that the target was reset. Nothing in some formats. */
void es_itrace_text_trap(es_itrace *trace, uint32_t cause);
void es_itrace_text_reset(es_itrace *trace);
void es_itrace_text_end(es_itrace *trace); /* frees what it keeps */

/* Writes so many hexadecimal digits, ? where a bit is not known. Returns where they end. */
static inline char *es_itrace_hex(char *to, uint64_t value, uint64_t unknown, unsigned digits)
{
    for (unsigned i = digits; i-- > 0; value >>= 4, unknown >>= 4)
        to[i] = unknown & 15 ? '?' : "0123456789abcdef"[value & 15];
    return to + digits;
}

static inline unsigned es_itrace_size(uint32_t word)
{
    return (word & 3) == 3 ? 4 : 2;
}

#endif
