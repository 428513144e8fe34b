/* The monitor IR: what the probe does at an event, over virtual registers (docs/compiler.md).
 *
 * Passes make RV32 code of it, in the order of es_ir_finish: renumber (a register for each value), legalize (what no
 * instruction can do at once), allocate (registers), layout (branch ranges), emit. Between them the code can be printed
 * and verified; what it does can be interpreted (ir/interpret.h).
 *
 * A routine's code is a list of instructions. Registers below ES_IR_VIRTUAL are the soft core's, with the meaning that
 * interface/image.h gives them; from there on they are virtual, and as many as one likes. */
#ifndef ES_IR_IR_H
#define ES_IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "ir/ops.h"

typedef uint16_t es_ir_reg;

/* Registers of the soft core that code of the image names: what interface/image.h keeps in some, and what routines of
 * the firmware are given and give back. */
enum {
    ES_IR_ZERO = 0,
    ES_IR_RA = 1,
    ES_IR_SP = 2,
    ES_IR_TP = 4,
    ES_IR_T0 = 5,
    ES_IR_T1 = 6,
    ES_IR_T2 = 7,
    ES_IR_HIT = 9,
    ES_IR_A0 = 10,
    ES_IR_A1 = 11,
    ES_IR_A2 = 12,
    ES_IR_A3 = 13,
    ES_IR_A4 = 14,
    ES_IR_TOP = 18,
    ES_IR_LIST = 19,
    ES_IR_KNOWN = 20,
    ES_IR_SENT = 21,
    ES_IR_ROOM = 22,
    ES_IR_NP = 24,
    ES_IR_PARTS = 27,
    ES_IR_T3 = 28,
    ES_IR_T4 = 29,
    ES_IR_T5 = 30,
    ES_IR_T6 = 31,
    ES_IR_VIRTUAL = 32,
    ES_IR_RAM_BASE =
        0xFFFF, /* as the base of a load or store: the offset counts from the beginning of the image's RAM */
};

/* Bit sets of the soft core's registers. */
#define ES_IR_SET(r) (1u << (r))
#define ES_IR_ARGUMENTS 0x0003FC00u   /* a0 to a7 */
#define ES_IR_TEMPORARIES 0xF00000E0u /* t0 to t6 */
#define ES_IR_FREE (ES_IR_ARGUMENTS | ES_IR_TEMPORARIES)

typedef struct es_ir_insn {
    uint8_t op; /* enum es_ir_op */
    bool far;   /* of a BRANCH: it does not reach (found by layout); of a LABEL: code elsewhere goes there, too */
    es_ir_reg rd, a, b;
    int32_t imm;                   /* constant, offset, label or address */
    uint32_t takes, gives, spoils; /* of CALL, LINK, RETURN: sets of the soft core's registers */
} es_ir_insn;

/* What a range of RAM is called, for who prints. NULL: it has no name. */
typedef const char *es_ir_name_of(void *context, uint32_t offset, uint32_t *begin);

typedef struct es_ir_code {
    es_ir_insn *insns;
    size_t count, room;
    uint32_t label_count;
    es_ir_reg next;   /* the next virtual register */
    uint32_t base;    /* soft core address at which the code will stand */
    uint32_t ram_at;  /* ... and of the image's RAM */
    uint32_t allowed; /* set of the soft core's registers that virtual ones may become */
    uint32_t spill;   /* RAM offset of words for values for which there is no register; */
    uint32_t spilled; /* ... so many were needed */
    uint32_t library; /* the highest routine of the firmware's library that any code went to (image/routines.h) */
    /* called when it is built and after each pass, with its name; NULL: nobody looks at it */
    void (*see)(void *context, const struct es_ir_code *code, const char *pass);
    void *see_context;
    /* after es_ir_finish: */
    uint32_t *words;
    size_t word_count, word_room;
    uint32_t *label_at; /* soft core addresses by label */
    size_t label_room;
} es_ir_code;

/* Empties the code, to begin a routine at `base`. All zero is an empty one, too. */
void es_ir_begin(es_ir_code *code, uint32_t base);
void es_ir_free(es_ir_code *code);

/* --- building ---------------------------------------------------------------------------------------------------- */

es_ir_reg es_ir_new(es_ir_code *code); /* a virtual register */

/* The same as below, with the result in a new register. */
es_ir_reg es_ir_make(es_ir_code *code, enum es_ir_op op, es_ir_reg a, es_ir_reg b);
es_ir_reg es_ir_make_immediate(es_ir_code *code, enum es_ir_op op, es_ir_reg a, uint32_t imm);
es_ir_reg es_ir_make_const(es_ir_code *code, uint32_t value);
es_ir_reg es_ir_make_load(es_ir_code *code, enum es_ir_op op, es_ir_reg base, uint32_t offset);

void es_ir_value(es_ir_code *code, enum es_ir_op op, es_ir_reg rd, es_ir_reg a, es_ir_reg b);
void es_ir_immediate(es_ir_code *code, enum es_ir_op op, es_ir_reg rd, es_ir_reg a, uint32_t imm);
void es_ir_const(es_ir_code *code, es_ir_reg rd, uint32_t value);
void es_ir_copy(es_ir_code *code, es_ir_reg rd, es_ir_reg a);
void es_ir_load(es_ir_code *code, enum es_ir_op op, es_ir_reg rd, es_ir_reg base, int32_t offset);
void es_ir_store(es_ir_code *code, enum es_ir_op op, es_ir_reg value, es_ir_reg base, int32_t offset);
void es_ir_ram(es_ir_code *code, es_ir_reg rd, uint32_t offset); /* rd = the soft core address of a place in RAM */

uint32_t es_ir_label(es_ir_code *code);
void es_ir_here(es_ir_code *code, uint32_t label);  /* places it */
void es_ir_entry(es_ir_code *code, uint32_t label); /* the same of one that code elsewhere goes to */
void es_ir_branch(es_ir_code *code, enum es_ir_op op, es_ir_reg a, es_ir_reg b, uint32_t label);
void es_ir_jump(es_ir_code *code, uint32_t label);

/* Goes to a label, an entry, and comes back to rd. What lies there takes and gives these registers; it may use all
 * others that virtual ones may become, so it spoils them. */
void es_ir_link(es_ir_code *code, es_ir_reg rd, uint32_t label, uint32_t takes, uint32_t gives, uint32_t spoils);
/* The same of an address. With rd zero it goes on there. */
void es_ir_call(es_ir_code *code, es_ir_reg rd, uint32_t address, uint32_t takes, uint32_t gives, uint32_t spoils);
/* Goes on at a register; the caller takes these. */
void es_ir_return(es_ir_code *code, es_ir_reg a, uint32_t takes);

/* --- passes ------------------------------------------------------------------------------------------------------- */

/* What each instruction does to registers: sets of operands. */
enum es_ir_form es_ir_form(enum es_ir_op op);
const char *es_ir_text(enum es_ir_op op);

/* Gives each value a virtual register of its own, where the code uses one name for several. */
void es_ir_renumber(es_ir_code *code);

/* Splits what no instruction can do at once: constants and offsets that are too large. */
void es_ir_legalize(es_ir_code *code);

/* Gives each virtual register one of the soft core's, or words of RAM from code->spill on; `spilled` says how many
 * that takes. Removes copies that have become useless. */
void es_ir_allocate(es_ir_code *code);

/* Finds branches that do not reach, and the labels' addresses. */
void es_ir_layout(es_ir_code *code);

/* Makes words of it. */
void es_ir_emit(es_ir_code *code);

/* All of them. */
void es_ir_finish(es_ir_code *code);

/* Names of passes by number, "build" first; NULL: there are no more. */
const char *es_ir_pass(size_t number);

/* Soft core address of a label, after es_ir_finish. */
uint32_t es_ir_address(const es_ir_code *code, uint32_t label);

/* As es_ir_code.see, of all code. For tests. */
extern void (*es_ir_check)(const es_ir_code *code, const char *pass);

/* For tests and people, after any pass. NULL: the code is well formed; else what is wrong, for as long as `why`. */
const char *es_ir_verify(const es_ir_code *code, char why[120]);
void es_ir_print(const es_ir_code *code, es_text_buffer *out, es_ir_name_of *name_of, void *context);

/* A signed 12-bit immediate. */
static inline bool es_ir_fits(uint32_t value)
{
    return value + 2048u < 4096u;
}

/* Upper part of an address such that a signed 12-bit offset reaches it, and that offset. */
static inline uint32_t es_ir_high(uint32_t value)
{
    return (value + 0x800u) & 0xFFFFF000u;
}

static inline int32_t es_ir_low(uint32_t value)
{
    return (int32_t)(value - es_ir_high(value));
}

#endif
