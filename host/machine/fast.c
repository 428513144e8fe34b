/* The fast engine: executes translated blocks, each instruction by a jump to what it does. It counts fetches and hash
 * for a whole block at its beginning, and puts them right where it has to leave one early.
 *
 * Unknown bits: registers that have some are `tainted`. A block that computes with one of these is left to the precise
 * engine; loads and stores only copy unknown bits, and are done here. */
#include <string.h>

#include "machine/code.h"
#include "machine/compute.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A number of so many bytes from those of memory, and the other way: loads and stores are there once for each order. */
#define LITTLE(bits, bytes) (bits)
#define BIG(bits, bytes) (__builtin_bswap32(bits) >> (32 - 8 * (bytes)))

/* Registers in which anything is unknown. */
static uint32_t tainted_registers(const es_machine *machine)
{
    uint32_t tainted = 0;
    for (unsigned i = 1; i < 32; i++)
        tainted |= (uint32_t)(machine->x_unknown[i] != 0) << i;
    return tainted;
}

/* What a block has counted at its beginning, as if it had ended before its instruction number `done`. */
static void count_part(es_machine *machine, const machine_block *block, uint32_t sum_before, unsigned done)
{
    uint32_t pc = block->pc, fetched = 0, weighted = 0;
    for (unsigned i = 0; i < done; i++) {
        fetched += pc;
        weighted += block->parts[i].fetch_weight * pc;
        pc += block->parts[i].size;
    }
    uint32_t missing = block->parts[done].fetch_weight; /* accesses that have not been made */
    uint32_t data = machine->hash_sum - sum_before - block->sum;
    machine->hash_sums += weighted - block->sums - missing * (sum_before + data + fetched);
    machine->hash_sum = sum_before + data + fetched;
    machine->fetches -= block->count - done;
    machine->pc = pc;
}

/* Where to store to an address, in a way of the moment; NULL: not here. */
static const machine_way *place_to_store(es_machine *machine, uint32_t address, machine_way *moment)
{
    const machine_way *way = es_machine_find_way(machine, address, true);
    if (way || es_machine_is_code(machine, address))
        return way;
    *moment = es_machine_way_beside_code(machine, address);
    return moment->data ? moment : NULL;
}

/* handlers not NULL: nothing is done but that these are set, for data of either order. */
static bool run(es_machine *machine, uint64_t fetches, const void *const *handlers[2])
{
#define OF(name) [HANDLER_FIRST + ES_OP_##name] = &&op_##name,
#define OF_BIG(name) [HANDLER_FIRST + ES_OP_##name] = &&big_##name,
#define BY_NUMBER(name) [HANDLER_FIRST + ES_OPS + ES_OP_##name] = &&by_number_##name,
#define OF_BOTH \
    [HANDLER_STEP] = &&steps, [HANDLER_MARKED] = &&marked, [HANDLER_FALLS] = &&falls, [HANDLER_NOTHING] = &&nothing, \
    [HANDLER_CONSTANT] = &&constant, [HANDLER_JAL] = &&jal, [HANDLER_JALR] = &&jalr, \
    ES_OP_COMPUTES(OF) ES_OP_COMPUTES(BY_NUMBER) ES_OP_BRANCHES(OF)
    /* cppcheck-suppress internalAstError */
    static const void *const little[HANDLERS] = {OF_BOTH ES_OP_LOADS(OF) ES_OP_STORES(OF)};
    static const void *const big[HANDLERS] = {OF_BOTH ES_OP_LOADS(OF_BIG) ES_OP_STORES(OF_BIG)};
    if (handlers) {
        handlers[0] = little;
        handlers[1] = big;
        return false;
    }

    uint32_t *const x = machine->x;
    uint32_t sum = machine->hash_sum, sums = machine->hash_sums, sum_before, to = machine->pc;
    uint32_t tainted = machine->tainted ? tainted_registers(machine) : 0;
    uint64_t left = fetches - machine->fetches;
    machine_block *block, *next;
    const machine_op *op;
    const machine_way *way;
    machine_way moment;
    bool steps;

#define NEXT \
    do { \
        op++; \
        goto * op->handler; \
    } while (0)
#define ENTER(to_block) \
    do { \
        block = (to_block); \
        if (UNLIKELY(block->touches & tainted) || UNLIKELY(block->count > left)) \
            goto before_block; \
        left -= block->count; \
        sum_before = sum; \
        sums += block->accesses * sum + block->sums; \
        sum += block->sum; \
        op = block->ops; \
        goto * op->handler; \
    } while (0)

find:
    block = machine->code ? machine->code->recent[to / 2 % RECENT] : NULL;
    if (!block || UNLIKELY(block->pc != to))
        block = es_machine_block_at(machine, to);
    if (UNLIKELY(!block)) {
        machine->pc = to;
        steps = true;
        goto out;
    }
    ENTER(block);

nothing:
    NEXT;
constant:
    x[op->rd] = op->imm;
    NEXT;

#define COMPUTE(name, result, unknown) \
    op_##name: \
    { \
        uint32_t a = x[op->rs1], b = x[op->rs2]; \
        (void)b; \
        x[op->rd] = (result); \
        NEXT; \
    } \
    by_number_##name: \
    { \
        uint32_t a = x[op->rs1], b = op->imm; \
        (void)b; \
        x[op->rd] = (result); \
        NEXT; \
    }
    COMPUTE_LIST(COMPUTE)

#define BRANCH(name, holds, of_values) \
    op_##name: \
    { \
        uint32_t a = x[op->rs1], b = x[op->rs2]; \
        if (holds) { \
            next = block->taken; \
            if (LIKELY(next)) \
                ENTER(next); \
            goto find_taken; \
        } \
        next = block->next; \
        if (LIKELY(next)) \
            ENTER(next); \
        goto find_next; \
    }
    BRANCH_LIST(BRANCH)

jal:
    x[op->rd] = block->next_pc;
    next = block->taken;
    if (LIKELY(next))
        ENTER(next);
find_taken:
    to = block->taken_pc;
    next = es_machine_block_at(machine, to);
    block->taken = next;
    goto found;

falls:
    next = block->next;
    if (LIKELY(next))
        ENTER(next);
find_next:
    to = block->next_pc;
    next = es_machine_block_at(machine, to);
    block->next = next;
found:
    if (UNLIKELY(!next)) {
        machine->pc = to;
        steps = true;
        goto out;
    }
    ENTER(next);

jalr:
    to = (x[op->rs1] + op->imm) & ~1u;
    if (UNLIKELY(to & 2) && !(machine->has & ES_HAS_C))
        goto leave;
    x[op->rd] = block->next_pc;
    next = machine->code->recent[to / 2 % RECENT];
    if (LIKELY(next->pc == to))
        ENTER(next);
    goto find;

#define LOAD_AS(label, ORDERED, bytes, result) \
    label : { \
        uint32_t address = x[op->rs1] + op->imm, a, bits = 0, unknown = 0, word = address & ~3u, told; \
        way = &machine->ways[address >> WAY_BITS & (WAYS - 1)]; \
        if (UNLIKELY(way->read_tag != (address & (~(uint32_t)(WAY_SIZE - 1) | ((bytes)-1))))) { \
            way = address & ((bytes)-1) ? NULL : es_machine_find_way(machine, address, false); \
            if (!way) \
                goto leave; \
        } \
        memcpy(&unknown, (void *)(way->unknown + address), bytes); \
        if (UNLIKELY(unknown)) { \
            if (block->touches >> (op->rd & 31) & 1) \
                goto leave; \
            tainted |= (op->rd & 31) ? 1u << (op->rd & 31) : 0; \
            machine->hash_unknown = true; \
            a = ORDERED(unknown, bytes); \
            unknown = (result); \
        } \
        memcpy(&bits, (void *)(way->data + address), bytes); \
        told = (word << 8 | word >> 24) ^ ((bytes) == 4 ? bits : bits << 8 * (address & 3)); \
        sum += told; \
        sums += op->weight * told; \
        a = ORDERED(bits, bytes); \
        x[op->rd] = (result) & ~unknown; \
        machine->x_unknown[op->rd] = unknown; \
        NEXT; \
    }
#define LOAD(name, bytes, result) \
    LOAD_AS(op_##name, LITTLE, bytes, result) \
    LOAD_AS(big_##name, BIG, bytes, result)
    LOAD_LIST(LOAD)

#define STORE_AS(label, ORDERED, bytes) \
    label : { \
        uint32_t address = x[op->rs1] + op->imm, word = address & ~3u, told; \
        uint32_t mask = UINT32_MAX >> (32 - 8 * (bytes)); \
        uint32_t value = ORDERED(x[op->rs2], bytes) & mask; \
        uint32_t unknown = ORDERED(machine->x_unknown[op->rs2], bytes) & mask; \
        way = &machine->ways[address >> WAY_BITS & (WAYS - 1)]; \
        if (UNLIKELY(way->write_tag != (address & (~(uint32_t)(WAY_SIZE - 1) | ((bytes)-1))))) { \
            way = address & ((bytes)-1) ? NULL : place_to_store(machine, address, &moment); \
            if (!way) \
                goto leave; \
        } \
        if (UNLIKELY(unknown)) { \
            if (way->all_known || machine->zeros) \
                goto leave; \
            machine->hash_unknown = true; \
        } \
        memcpy((void *)(way->data + address), &value, bytes); \
        memcpy((void *)(way->unknown + address), &unknown, bytes); \
        told = (word << 16 | word >> 16) ^ ((bytes) == 4 ? value : value << 8 * (address & 3)); \
        sum += told; \
        sums += op->weight * told; \
        NEXT; \
    }
#define STORE(name, bytes) STORE_AS(op_##name, LITTLE, bytes) STORE_AS(big_##name, BIG, bytes)
    STORE_LIST(STORE)

steps:
    machine->pc = block->next_pc;
    steps = true;
    goto out;
marked:
    machine->pc = block->pc;
    steps = false;
    goto out;
before_block:
    machine->pc = block->pc;
    steps = true;
    goto out;
leave:
    machine->fetches = fetches - left;
    machine->hash_sum = sum;
    machine->hash_sums = sums;
    machine->tainted = tainted;
    count_part(machine, block, sum_before, (unsigned)(op - block->ops));
    return true;
out:
    machine->fetches = fetches - left;
    machine->hash_sum = sum;
    machine->hash_sums = sums;
    machine->tainted = tainted;
    return steps && left;
}

const void *const *es_machine_handlers(bool big_endian)
{
    const void *const *handlers[2];
    run(NULL, 0, handlers);
    return handlers[big_endian];
}

bool es_machine_run_fast(es_machine *machine, uint64_t fetches)
{
    if (machine->code && machine->code->size > CODE_MOST)
        es_machine_forget_code(machine);
    return run(machine, fetches, NULL);
}
