/* Where the program's stores may go: addresses are followed from the objects that they are made from, through
 * registers, memory and calls, over the whole program.
 *
 * An address that code makes from an object's address and an unknown number is taken to lie in that object (or in an
 * array right beside it, since compilers fold the constant part of an index into the address). This holds for every C
 * program whose behaviour is defined. Where a number is known to lie in a range, the range is used instead. */
#ifndef ES_CHECK_AIMS_H
#define ES_CHECK_AIMS_H

#include "check/target/memory.h"

#define CHECK_SP_UNKNOWN INT32_MIN

typedef struct es_check_aims {
    regions regions;
    memory memory; /* what it may hold */
    bool followed; /* false: the code is not, and nothing is known */
    /* a node that leaves its procedure with another stack pointer than it was called with (longjmp); CHECK_NONE: none
     * does */
    size_t jumps;
    bool *swaps; /* by node: it does so */
    int32_t *sp; /* by node: the stack pointer before it, from the canonical frame address; CHECK_SP_UNKNOWN */
    /* bytes that interrupt handlers have on the stack for themselves when they call something, at least */
    int32_t handler_room;
    uint32_t stacks; /* regions from whose addresses stack pointers are made other than by procedures' frames */
    bool any_stack;  /* ... of which not all are known */
    /* by node, of stores and loads: the address, displacement included. VALUE_NONE: no way leads here. VALUE_ANY: not
     * known */
    value *at;
    value *stored; /* by node, of stores: what they store */
    /* by procedure, ES_CHECK_ARGUMENTS each: what the registers for arguments may hold at its entry. VALUE_NONE: it is
     * not entered */
    value *arguments;
    /* by procedure: those registers that callees keep and it does not keep for its caller, whatever the calling
     * convention says */
    uint32_t *clobbers;
} es_check_aims;

enum { ES_CHECK_ARGUMENTS = 8 };

/* Memory is the arena's. */
void es_check_aims_find(es_check_aims *aims, es_arena *arena, const es_check_program *program);

/* Bytes that a store or load moves. */
unsigned es_check_aims_bytes(es_insn insn);

/* Whether the node's store may write some of the four bytes from `address` on: of static storage (frame: CHECK_NONE),
 * or of the frame of the procedure with that number, `address` being its place in it as an offset from the canonical
 * frame address. */
bool es_check_aims_may(const es_check_aims *aims, size_t node, size_t frame, uint32_t address);

/* Whether the node's load may read some of the four bytes from `address` on, which are static storage or some
 * frame's. */
bool es_check_aims_may_load(const es_check_aims *aims, size_t node, uint32_t address);

/* The same with tasks, whose stacks are made from the addresses of any objects: whether it may go to one of them. The
 * frame of the store's own procedure, where it is certain, does not count. */
bool es_check_aims_may_task_stack(const es_check_aims *aims, size_t node);

/* Whether a frame may lie at the static address. */
bool es_check_aims_in_stack(const es_check_aims *aims, uint32_t address);

/* Whether the node's store may go to the stack, whatever its size. */
bool es_check_aims_may_stack(const es_check_aims *aims, size_t node);

/* Whether it may go to one of the regions. */
bool es_check_aims_may_set(const es_check_aims *aims, size_t node, uint32_t set);

/* Nothing is known of where the store goes. */
bool es_check_aims_anywhere(const es_check_aims *aims, size_t node);

#endif
