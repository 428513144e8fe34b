/* What one instruction does, in words that all instruction sets share. Analyses of code look at this and at the roles
 * of registers (isa/isa.h), never at encodings.
 *
 * Register 0 is the one that always holds 0, or stands for none: an instruction set without such a register numbers
 * its own from 1 on. */
#ifndef ES_ISA_INSN_H
#define ES_ISA_INSN_H

#include <stdbool.h>
#include <stdint.h>

typedef enum es_insn_kind {
    ES_INSN_UNKNOWN,  /* an instruction that is not known here: it may store anywhere, and change rd */
    ES_INSN_ILLEGAL,  /* none: execution never goes on after it */
    ES_INSN_OTHER,    /* changes rd in a way that is not told, and no memory */
    ES_INSN_CONSTANT, /* rd = imm */
    ES_INSN_ADDRESS,  /* rd = the instruction's address + imm */
    ES_INSN_COMPUTE,  /* rd = rs1 op rs2, or rs1 op imm */
    ES_INSN_LOAD,     /* rd = what is at rs1 + imm */
    ES_INSN_STORE,    /* rs2 to rs1 + imm */
    ES_INSN_ATOMIC,   /* rd = what is at rs1, or whether it was stored there; what is there is changed, or may be */
    ES_INSN_SEVERAL,  /* does what several instructions do, which is not told: it may store, load, change any
                            * registers and, with `untold`, jump or return. Whoever follows code gives up there */
    ES_INSN_BRANCH,   /* perhaps to its address + imm */
    ES_INSN_JUMP,     /* to its address + imm; rd = next: not the register of a return address */
    ES_INSN_JUMP_REGISTER, /* to rs1 + imm (of computed targets, the lowest bit does not count); rd = next: not the
                            * register of a return address */
    ES_INSN_CALL,          /* to its address + imm; rd, which is for return addresses, = next */
    ES_INSN_CALL_REGISTER, /* to rs1 + imm; rd, which is for return addresses, = next */
    ES_INSN_RETURN,        /* to rs1 + imm, rs1 being a register for return addresses; rd = next: not one of these */
    ES_INSN_TRAP_RETURN,   /* the end of an interrupt or exception */
    ES_INSN_CONTROL,       /* rd = a control register, which may be changed */
    ES_INSN_FENCE,         /* orders accesses to memory */
    ES_INSN_TRAP,          /* calls the system, or what else of it is not told */
    ES_INSN_BREAK,         /* for debuggers */
    ES_INSN_WAIT,          /* for an interrupt */
} es_insn_kind;

/* Of a COMPUTE. Shifts are by the lowest bits of the second operand, as many as tell the bits of a register apart. */
typedef enum es_insn_op {
    ES_ALU_OTHER, /* something made of both operands and nothing else */
    ES_ALU_ADD,
    ES_ALU_SHIFT_ADD, /* (rs1 << imm) + rs2 */
    ES_ALU_SUBTRACT,
    ES_ALU_MULTIPLY,
    ES_ALU_MULTIPLY_HIGH, /* the product's upper half, signed or not */
    ES_ALU_DIVIDE,        /* quotient or remainder, signed or not */
    ES_ALU_AND,
    ES_ALU_OR,
    ES_ALU_XOR,
    ES_ALU_SHIFT_LEFT,
    ES_ALU_SHIFT_RIGHT,      /* zeros come in */
    ES_ALU_SHIFT_ARITHMETIC, /* to the right, copies of the sign come in */
    ES_ALU_LESS,             /* 1 or 0, signed */
    ES_ALU_LESS_UNSIGNED,
} es_insn_op;

/* Of a BRANCH, which is taken when it holds of rs1 and rs2. The numbers of opposites differ in bit 0. */
typedef enum es_insn_condition {
    ES_IF_EQUAL,
    ES_IF_NOT_EQUAL,
    ES_IF_LESS, /* signed */
    ES_IF_NOT_LESS,
    ES_IF_LESS_UNSIGNED,
    ES_IF_NOT_LESS_UNSIGNED,
    ES_IF_SOMETHING, /* another condition */
} es_insn_condition;

/* Of a CONTROL: what the register is for. */
typedef enum es_insn_control {
    ES_CONTROL_ANYTHING,   /* a program may keep an address of data in it */
    ES_CONTROL_NUMBER,     /* numbers or addresses of code */
    ES_CONTROL_INTERRUPTS, /* numbers, one of which lets interrupts come */
    ES_CONTROL_HANDLER,    /* where interrupts lead to */
} es_insn_control;

/* Registers of another file (of floating point), where one number stands for a register of either. */
enum { ES_INSN_FOREIGN = 32 };

typedef struct es_insn {
    es_insn_kind kind : 8;
    uint8_t size;         /* bytes of the instruction: the next one is at its address + size */
    uint8_t rd, rs1, rs2; /* 0: none */
    uint8_t foreign_rd;   /* the register of another file that is changed, counted from ES_INSN_FOREIGN on; 0: none */
    uint8_t bytes;        /* LOAD, STORE, ATOMIC: that are moved; 0: not told */
    union {
        uint8_t op;        /* COMPUTE: es_insn_op */
        uint8_t condition; /* BRANCH: es_insn_condition */
        uint8_t control;   /* CONTROL: es_insn_control */
    };
    bool immediate : 1; /* COMPUTE: the second operand is imm */
    bool is_signed : 1; /* LOAD of less than a register: its sign fills the rest */
    bool foreign : 1;   /* LOAD, STORE: of a register of another file (rd is 0, rs2 its number there) */
    bool writes : 1;    /* CONTROL: the control register is changed */
    bool untold : 1;    /* SEVERAL: where it leads to the probe does not tell */
    int32_t imm;
} es_insn;

/* rd = rs1 + imm. */
static inline bool es_insn_adds(es_insn insn)
{
    return insn.kind == ES_INSN_COMPUTE && insn.op == ES_ALU_ADD && insn.immediate;
}

/* rd = rs1. */
static inline bool es_insn_copies(es_insn insn)
{
    return es_insn_adds(insn) && insn.rs1 && insn.imm == 0;
}

/* It does nothing, and is meant to. */
static inline bool es_insn_is_nop(es_insn insn)
{
    return es_insn_adds(insn) && !insn.rd && !insn.rs1 && insn.imm == 0;
}

/* rd = rs1 + rs2. */
static inline bool es_insn_sums(es_insn insn)
{
    return insn.kind == ES_INSN_COMPUTE && insn.op == ES_ALU_ADD && !insn.immediate;
}

/* rd = (rs1 << imm) + rs2. */
static inline bool es_insn_shifts_and_adds(es_insn insn)
{
    return insn.kind == ES_INSN_COMPUTE && insn.op == ES_ALU_SHIFT_ADD;
}

/* rd = rs1 - rs2. */
static inline bool es_insn_subtracts(es_insn insn)
{
    return insn.kind == ES_INSN_COMPUTE && insn.op == ES_ALU_SUBTRACT && !insn.immediate;
}

static inline bool es_insn_shifts(es_insn insn)
{
    return insn.kind == ES_INSN_COMPUTE && insn.op >= ES_ALU_SHIFT_LEFT && insn.op <= ES_ALU_SHIFT_ARITHMETIC;
}

static inline bool es_insn_multiplies(es_insn insn)
{
    return insn.kind == ES_INSN_COMPUTE && (insn.op == ES_ALU_MULTIPLY || insn.op == ES_ALU_MULTIPLY_HIGH);
}

/* The quotient or the remainder. */
static inline bool es_insn_divides(es_insn insn)
{
    return insn.kind == ES_INSN_COMPUTE && insn.op == ES_ALU_DIVIDE;
}

static inline bool es_insn_is_call(es_insn insn)
{
    return insn.kind == ES_INSN_CALL || insn.kind == ES_INSN_CALL_REGISTER;
}

/* Execution goes on elsewhere, and does not come back as after a call. Returns from traps are none. */
static inline bool es_insn_is_jump(es_insn insn)
{
    return insn.kind == ES_INSN_JUMP || insn.kind == ES_INSN_JUMP_REGISTER || insn.kind == ES_INSN_RETURN;
}

/* What a STORE stores, as one number for registers of all files. */
static inline unsigned es_insn_stored(es_insn insn)
{
    return insn.foreign ? ES_INSN_FOREIGN + insn.rs2 : insn.rs2;
}

/* It changes the register, of any file, and is no call. */
static inline bool es_insn_changes(es_insn insn, unsigned reg)
{
    return reg && (insn.kind == ES_INSN_SEVERAL || insn.rd == reg || insn.foreign_rd == reg);
}

/* A branch, jump, call or return. */
static inline bool es_insn_is_transfer(es_insn insn)
{
    return insn.kind >= ES_INSN_BRANCH && insn.kind <= ES_INSN_RETURN;
}

/* A transfer to where a register says. */
static inline bool es_insn_by_register(es_insn insn)
{
    return insn.kind == ES_INSN_JUMP_REGISTER || insn.kind == ES_INSN_CALL_REGISTER || insn.kind == ES_INSN_RETURN;
}

static inline bool es_insn_loads(es_insn insn)
{
    return insn.kind == ES_INSN_LOAD || insn.kind == ES_INSN_ATOMIC;
}

/* It changes memory, or may. */
static inline bool es_insn_stores(es_insn insn)
{
    return insn.kind == ES_INSN_STORE || insn.kind == ES_INSN_ATOMIC || insn.kind == ES_INSN_SEVERAL ||
           insn.kind == ES_INSN_UNKNOWN;
}

/* Something happens that is no part of the program's code. */
static inline bool es_insn_traps(es_insn insn)
{
    return insn.kind >= ES_INSN_TRAP;
}

/* Execution may go on with the next instruction: also because a call comes back. */
static inline bool es_insn_falls(es_insn insn)
{
    return !es_insn_is_jump(insn) && insn.kind != ES_INSN_TRAP_RETURN && insn.kind != ES_INSN_ILLEGAL;
}

#endif
