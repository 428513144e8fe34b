/* Instruction sets: what analyses of code have to know of one. Each has a folder of its own here, which holds all that
 * the host knows of its encodings and calling convention. How to add one: docs/instruction-sets.md. */
#ifndef ES_ISA_ISA_H
#define ES_ISA_ISA_H

#include <stddef.h>

#include "isa/insn.h"
#include "probe_defs.h"

/* Where an ELF file of the instruction set says for what it was compiled ("build attributes"). */
typedef struct es_isa_attributes {
    uint32_t section;   /* type of the section; 0: there is none */
    const char *vendor; /* whose attributes */
    uint32_t tag;       /* of the attribute's text */
} es_isa_attributes;

/* By what the probe tells why a place was fetched: the instruction that had been fetched before it. Encodings of four
 * bytes, as which the probe tells all; its hardware and firmware have them from the same definition (interface/). */
typedef struct es_isa_evidence {
    uint32_t call_mask, call_bits; /* of all calls */
    uint32_t a_return;             /* returns as compilers write them, but for the bits of return_varies */
    uint32_t return_varies;
    uint32_t trap_return;
    uint32_t size_bit; /* of a word as the probe tells it: clear for instructions of two bytes */
} es_isa_evidence;

typedef struct es_isa {
    const char *name;           /* "RV32I" */
    const char *executable;     /* what a program for it is: "32-bit RISC-V executable" */
    const char *family;         /* whose executables: "RISC-V" */
    const char *options;        /* with which compilers make one: "-march=rv32i -mabi=ilp32" */
    uint16_t machine;           /* ELF's e_machine */
    uint32_t flags, flags_mask; /* ELF's e_flags & flags_mask of programs for it */
    es_isa_attributes attributes;
    bool (*is_for)(const char *arch); /* ... and whose attributes it wants besides; NULL: any. arch may be NULL */
    uint8_t smallest;                 /* bytes of the smallest instruction: all addresses of code are multiples of it */
    uint8_t largest;                  /* ... of the largest one, at most ES_ISA_LARGEST */
    unsigned registers;               /* how many, register 0 (insn.h) with them; at most 32 */
    const char *const *names;         /* by DWARF's number of a register, the first name_count of them */
    unsigned name_count;
    uint8_t foreign;        /* DWARF's number of the first register of another file (insn.h), of 32; 0: there is none */
    const uint8_t *numbers; /* by DWARF's number, of the first name_count, the register's number here; NULL: the same */

    /* Roles of registers. 0: none has it */
    uint8_t stack, frame; /* pointers; the stack grows downwards */
    uint8_t data;         /* points to data all the time: has the value of data_symbol */
    const char *data_symbol;
    uint8_t link;                /* return addresses of calls */
    uint8_t helper_link;         /* ... of calls of a compiler's helpers, which have a convention of their own */
    const char *epilogue;        /* names of those that return in their caller's stead begin so; NULL: there are none */
    uint8_t argument, arguments; /* the first register for arguments, and how many */
    uint8_t results;             /* so many registers of them return something */
    /* Bits by register: those that callees keep for their callers; and with them those that are the same everywhere */
    uint32_t saved, kept;
    uint32_t foreign_saved; /* ... of the other file, the first of them */
    uint16_t interrupted;   /* the control register that holds where an interrupt has come, or an exception */
    const char *untold;     /* whose instructions go where the probe does not tell; NULL: there are none */

    es_isa_evidence evidence;

    /* The instruction that begins with these bytes. Its size may be more than count, then nothing else of it is told;
     * count is smallest at least. */
    es_insn (*decode)(const uint8_t *bytes, size_t count);

    /* The registers (of any file: es_insn_stored) whose values an instruction of floating point computes with, in
     * `registers`; how many, at most ES_ISA_OPERANDS. 0: it is none. NULL: there are none */
    unsigned (*operands)(const uint8_t *bytes, size_t count, uint8_t *registers);

    /* The instruction as assemblers write it, at most size - 1 characters; "" where it is not known. pc: its address;
     * arch: what the program was compiled for, or NULL. NULL: nobody can */
    void (*disassemble)(char *text, size_t size, uint32_t word, uint32_t pc, const char *arch);

    /* An instruction of fewer than four bytes as the probe tells it, by what it does to the flow. NULL: there are
     * none */
    uint32_t (*expand)(es_insn insn);
} es_isa;

enum { ES_ISA_LARGEST = 8, ES_ISA_OPERANDS = 6 };

/* The instruction set of programs with this in their ELF header and attributes (arch NULL: none, or not read yet);
 * NULL: none that is known. */
const es_isa *es_isa_of(uint16_t machine, uint32_t flags, const char *arch);
/* The same, whatever the flags; for messages. */
const es_isa *es_isa_of_machine(uint16_t machine);

/* Appends what programs can be, for messages: "32-bit RISC-V executable", or several, with " or a "
 * between them. */
void es_isa_executables(char *text, size_t size);

/* That of the simulated target, which the programs for it have all of or less. */
const es_isa *es_isa_of_simulated_target(void);

/* That of the probe's soft core. */
const es_isa *es_isa_of_soft_core(void);

/* An instruction of which four bytes are at hand. */
es_insn es_isa_decode(const es_isa *isa, uint32_t word);
/* The same as the probe tells it. */
uint32_t es_isa_told(const es_isa *isa, uint32_t word);

/* Bits of a_return that all returns as compilers write them have, in programs for the instruction set. */
static inline uint32_t es_isa_return_mask(const es_isa *isa)
{
    return ~(isa->evidence.return_varies | (isa->smallest < 4 ? isa->evidence.size_bit : 0));
}

/* What the probe tells of a call, in place of its address: a return address lies ES_SITE_RETURN after it, whatever the
 * call's size. */
static inline uint32_t es_isa_site(uint32_t address, unsigned size)
{
    return address + size - ES_SITE_RETURN;
}

/* Bit `reg` of a set of registers. */
static inline bool es_isa_has(uint32_t registers, unsigned reg)
{
    return reg < 32 && registers >> reg & 1;
}

static inline bool es_isa_is_argument(const es_isa *isa, unsigned reg)
{
    return reg >= isa->argument && reg < (unsigned)isa->argument + isa->arguments;
}

/* A call of a compiler's helper. */
static inline bool es_isa_calls_helper(const es_isa *isa, es_insn insn)
{
    return es_insn_is_call(insn) && isa->helper_link && insn.rd == isa->helper_link;
}

/* The register that DWARF gives this number; -1: none that is followed. */
int es_isa_register(const es_isa *isa, unsigned dwarf);
/* The same of a register of any file, those of the other one from ES_INSN_FOREIGN on. */
int es_isa_any_register(const es_isa *isa, unsigned dwarf);
/* Whether callees keep a register of any file. */
bool es_isa_keeps(const es_isa *isa, unsigned reg);
/* Its name, also of one that is not followed: "a0", "fa0"; NULL: it has none. */
const char *es_isa_register_name(const es_isa *isa, unsigned dwarf);

#endif
