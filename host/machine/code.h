/* Instructions as the fast engine executes them: blocks, which begin where execution has come to and end with a branch,
 * a jump, the page, or before an instruction that only the precise engine executes. */
#ifndef ES_MACHINE_CODE_H
#define ES_MACHINE_CODE_H

#include "machine/private.h"

enum {
    BLOCK_INSNS = 60,
    LINE_BITS =
        2, /* of memory in which it is noted whether there are translated instructions: firmware has data between */
    LINES = PAGE_SIZE >> LINE_BITS,
    RECENT = 4096,
    DIRECTORY_BITS = 10,
    CODE_MOST = 48 << 20, /* bytes of blocks, above which all are forgotten */
};

typedef struct machine_op {
    const void *handler; /* a label of the engine's */
    uint32_t imm;
    uint8_t rd, rs1, rs2;
    uint8_t weight; /* how often its data access counts in the hash's second sum, by the block's end */
} machine_op;

/* What is looked at only where a block is left early. */
typedef struct machine_part {
    uint8_t size;
    uint8_t fetch_weight; /* as `weight`, of its fetch */
} machine_part;

typedef struct machine_block machine_block;
struct machine_block {
    uint32_t pc;
    uint32_t touches; /* registers in whose unknown bits its instructions have a part, as bits */
    uint32_t count;   /* instructions that it executes */
    uint32_t accesses;
    uint32_t sum, sums;          /* what its fetches add to the hash */
    uint32_t next_pc, taken_pc;  /* after it; where its branch or jump leads to */
    machine_block *next, *taken; /* NULL: not found yet */
    machine_part *parts;         /* after ops, as many */
    machine_op ops[];
};

typedef struct machine_code_page {
    bool lines[LINES];
    machine_block *at[PAGE_SIZE / 2];
} machine_code_page;

typedef struct machine_code_chunk {
    struct machine_code_chunk *before;
    size_t used, size;
    uint8_t bytes[];
} machine_code_chunk;

struct machine_code {
    machine_code_page **directory[1 << DIRECTORY_BITS];
    machine_block *recent[RECENT]; /* by address; never NULL */
    machine_code_chunk *chunks;
    size_t size;
    bool any;
    machine_block none; /* the last, as it ends with an array of any size */
};

/* The page's, made if there is none. */
PRIVATE machine_code_page *es_machine_code_page(es_machine *machine, uint32_t address);
/* Room for a block. */
PRIVATE machine_block *es_machine_new_block(es_machine *machine, unsigned ops);

/* translate.c: the block that begins at an address; NULL: there is no memory. */
PRIVATE machine_block *es_machine_block_at(es_machine *machine, uint32_t pc);

/* fast.c. What the fast engine does, by its labels. */
enum machine_handler {
    HANDLER_STEP, /* the next instruction is the precise engine's */
    HANDLER_MARKED,
    HANDLER_FALLS, /* to the next block */
    HANDLER_NOTHING,
    HANDLER_CONSTANT,
    HANDLER_JAL,
    HANDLER_JALR,
    HANDLER_FIRST, /* of operations: by enum es_rv32_op, and twice that with numbers as operands */
    HANDLERS = HANDLER_FIRST + 2 * ES_OPS
};
/* big_endian: of a machine whose loads and stores are. */
PRIVATE const void *const *es_machine_handlers(bool big_endian);
/* Runs whole blocks. True: the instruction at pc is for es_machine_step. False: so many fetches, or at a mark. */
PRIVATE bool es_machine_run_fast(es_machine *machine, uint64_t fetches);

#endif
