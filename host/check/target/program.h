/* The target program's instructions as a graph: what can follow what, how long it takes at least, what it stores.
 *
 * Procedures are the graph's parts. Calls are edges with a callee; `ret` is an exit. What cannot be followed is noted
 * as a flaw, with its place: nothing can be guaranteed for such a program. */
#ifndef ES_CHECK_PROGRAM_H
#define ES_CHECK_PROGRAM_H

#include "base/arena.h"
#include "check/target/timing.h"
#include "symbols/code.h"
#include "symbols/symbols.h"

enum es_check_edge_kind {
    CHECK_EDGE_NEXT, /* the next instruction, a branch or a jump within the procedure */
    CHECK_EDGE_CALL, /* into callee, and back to `to` (CHECK_NONE: the callee does not come back to here) */
    CHECK_EDGE_TAIL, /* a jump into callee, which returns in this procedure's stead */
    CHECK_EDGE_EXIT, /* a return */
};

#define CHECK_NONE ((size_t)-1)

/* The hub's nodes, from there on: addresses at which no code is. They are fetched after a return. */
#define CHECK_HUB_ADDRESS 0xFFFFFF00u

typedef struct es_check_edge {
    enum es_check_edge_kind kind;
    size_t from, to; /* nodes; to: NEXT, CALL */
    size_t callee;   /* procedure; CALL, TAIL */
} es_check_edge;

typedef struct es_check_node {
    uint32_t address;
    uint32_t word;         /* the instruction, as the probe has it for evidence */
    es_insn insn;          /* what it does */
    uint32_t clocks;       /* of the bus, at least */
    uint32_t transactions; /* on the bus, at most: the fetch's, and a load's or store's */
    uint32_t accesses;     /* ... those of the load or store */
    size_t procedure;
    size_t first_edge, edge_count; /* its out-edges */
    const es_store *store;         /* what is known of where it stores; NULL: no store */
    bool load;
    bool uninterrupted; /* no interrupt can come here: none has been enabled yet, or this is a handler's */
} es_check_node;

typedef struct es_check_procedure {
    const es_procedure *procedure;
    size_t first_node, node_count; /* the first one is its entry; count 0: no code to follow */
    bool reached;                  /* from the program's entry, or by interrupts */
    bool interrupt;                /* a handler: it may run between any two instructions of others */
} es_check_procedure;

#define CHECK_ROUNDS_UNKNOWN UINT32_MAX

/* A loop of a procedure that is entered through its head alone. */
typedef struct es_check_counted {
    size_t head;        /* node */
    const bool *inside; /* by node of the procedure (0: its first one): is part of the loop */
    size_t count;       /* of its nodes */
    uint32_t rounds;    /* each time that it is entered, it comes back to its head so often at most */
} es_check_counted;

typedef struct es_check_program {
    const es_symbols *symbols;
    const es_isa *isa;
    es_arena *arena;
    es_check_node *nodes;
    size_t node_count;
    es_check_edge *edges;
    size_t edge_count;
    es_check_procedure *procedures;
    size_t procedure_count;
    /* the first so many are those of the symbols, by address; after them rests of procedures, jumped into */
    size_t symbol_count;
    size_t entry; /* procedure of the ELF's entry */
    size_t hub;   /* with tasks: a procedure of no code from which they begin; CHECK_NONE: none do */
    /* with tasks, by node: a return that may go on with another task (switches.h); NULL: none does */
    bool *switches;
    /* loops with a bound, an inner one before those around it; found by es_check_loops_find (loops.h) */
    es_check_counted *counted;
    size_t counted_count;
    const char *flaw; /* why the program's code cannot be followed, with the place; NULL: it can */
    double density;   /* most transactions per clock that an instruction makes */
} es_check_program;

/* Builds the graph. It belongs to the arena. */
void es_check_program_build(es_check_program *program, es_arena *arena, const es_symbols *symbols,
                            const es_check_timing *timing);
/* The same of a program with tasks. They begin where a return or mret leads to a procedure whose address is taken, and
 * such a procedure may return to another one: for that there is a procedure `hub`, which calls one of them, and then
 * another. */
void es_check_program_build_tasks(es_check_program *program, es_arena *arena, const es_symbols *symbols,
                                  const es_check_timing *timing);

#endif
