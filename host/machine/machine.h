/* A processor in software: executes the target's program as the target does, instruction by instruction.
 *
 * A machine has registers, control registers, and memory in regions. Everything else that a program can see of its
 * surroundings comes from `es_machine_outside`: reads beyond the regions, and control registers that change by
 * themselves. Interrupts come by es_machine_interrupt alone.
 *
 * What nobody has set is *unknown*: registers after reset, memory that was not loaded. Unknown bits spread: what is
 * made
 * of them is unknown, too. Where an address to jump to, to load from or to store to, or a branch's way, is unknown,
 * the machine stops before that instruction (ES_MACHINE_UNKNOWN), having changed nothing.
 *
 * Counting: `fetches` counts the instructions that were fetched, those that raise an exception with them: as a bus
 * shows
 * them whose fetches are executions. All runs end between two instructions. */
#ifndef ES_MACHINE_MACHINE_H
#define ES_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "isa/isa.h"
#include "machine/processor.h"

typedef struct es_machine es_machine;

enum es_machine_stop {
    ES_MACHINE_UNTIL,   /* as many fetches as asked for */
    ES_MACHINE_MARK,    /* before an instruction with a mark (the first one of a run is executed, marked or not) */
    ES_MACHINE_ASKED,   /* es_machine_stop_soon was called by one of the callbacks; after that instruction */
    ES_MACHINE_INPUT,   /* before an instruction whose input `outside` does not have (yet) */
    ES_MACHINE_WAITS,   /* after wfi; the next run goes on after it */
    ES_MACHINE_UNKNOWN, /* before an instruction that depends on something unknown: es_machine_reason */
    ES_MACHINE_STRANGE, /* before one that cannot be executed here: es_machine_reason */
};

/* What a machine does on its bus, in order: an instruction's fetch, then its own accesses. As the tap tells it: words
 * with the bytes in their lanes. Those of a push or pop (Zcmp) come from the highest address down; what a jump through
 * jvt's table (Zcmt) reads there is a fetch of the processor's own, and told nobody. */
typedef struct es_machine_access {
    uint8_t kind;     /* ES_KIND_FETCH, _READ, _WRITE */
    uint8_t lanes;    /* bytes concerned; a fetch from the middle of a word: 1100 */
    uint32_t address; /* word aligned; of a fetch the instruction's, which may be 2 more than a multiple of 4 */
    uint32_t data;    /* bytes in their lanes, others 0; a fetch: the instruction's bytes, from its first one on */
    uint32_t unknown; /* bits of data that are not known, as ones; their data are 0 */
} es_machine_access;

typedef struct es_machine_outside {
    /* What a read outside of memory gives, of `size` bytes (1, 2, 4): the byte with the lowest address in the lowest
     * bits, as on the tap, in whichever order the processor has them. *unknown: ones where it is not known. False:
     * it is not here yet; the instruction is not executed. Asked before the instruction is told. NULL: nobody knows,
     * all reads are unknown. */
    bool (*read)(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown);
    /* A write there, or to memory that is not writable; bytes in the same order. NULL: nobody wants to know. */
    void (*write)(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown);
    /* What a control register that changes by itself holds (cycle counters, pending interrupts), for each instruction
     * that names one (docs/replay.md lists them). False: not here yet. NULL: unknown. */
    bool (*control)(void *context, unsigned number, uint32_t *value, uint32_t *unknown);
    void *context;
} es_machine_outside;

/* What of the processor differs from one to the next. */
typedef struct es_machine_options {
    const es_isa *isa; /* whose programs */
    /* The extensions that it has, as compilers write them: "rv32imc_zicsr"; NULL: all that are known. Without zicsr,
     * exceptions stop it. */
    const char *arch;
    uint32_t reset_pc;
    bool known_at_reset; /* registers are 0 after reset instead of unknown */
    bool big_endian;     /* loads and stores have the most significant byte at the lowest address; fetches never do */
    /* misaligned loads and stores are made of accesses that are not; else they raise exceptions */
    bool misaligned;
    bool user_mode;                   /* there is user mode besides machine mode */
    enum es_processor_name processor; /* what its control registers hold */
    es_machine_outside outside;
} es_machine_options;

es_machine *es_machine_new(const es_machine_options *options, es_error *err);
void es_machine_free(es_machine *machine);

/* --- memory --- */

/* There is memory at [base, base + size), unknown at first. Regions do not overlap; base and size are multiples of
 * 4. */
bool es_machine_region(es_machine *machine, uint32_t base, uint32_t size, bool writable, es_error *err);
bool es_machine_in_memory(const es_machine *machine, uint32_t address, uint32_t size);

/* Sets memory, whatever was known of it; also of regions that are not writable. Instructions that change are noticed.
 * unknown NULL: all is known. False: not all of it is memory. */
bool es_machine_poke(es_machine *machine, uint32_t address, const uint8_t *bytes, const uint8_t *unknown,
                     uint32_t size);
/* The bytes of one word that `lanes` has; data and unknown as an access has them (es_machine_access). */
bool es_machine_poke_word(es_machine *machine, uint32_t address, uint32_t data, uint32_t unknown, uint8_t lanes);
bool es_machine_peek(const es_machine *machine, uint32_t address, uint8_t *bytes, uint8_t *unknown, uint32_t size);

/* --- registers --- */

typedef struct es_machine_registers {
    uint32_t pc;
    uint32_t x[32], x_unknown[32];
    uint64_t f[32], f_unknown[32];
} es_machine_registers;

void es_machine_get(const es_machine *machine, es_machine_registers *registers);
void es_machine_set(es_machine *machine, const es_machine_registers *registers);
/* One of them: 0 to 31: x0 to x31, 32 to 63: f0 to f31. */
void es_machine_register(const es_machine *machine, unsigned reg, uint64_t *value, uint64_t *unknown);
uint32_t es_machine_pc(const es_machine *machine);
bool es_machine_big_endian(const es_machine *machine); /* es_machine_options.big_endian */
bool es_machine_in_user_mode(const es_machine *machine);
/* False: there is no such control register. */
bool es_machine_control(const es_machine *machine, unsigned number, uint32_t *value, uint32_t *unknown);
bool es_machine_set_control(es_machine *machine, unsigned number, uint32_t value, uint32_t unknown);

/* As after the pin: pc, control registers; registers are as options say. Memory stays. Counts and hash begin at 0. */
void es_machine_reset(es_machine *machine);

/* An interrupt is taken before the next instruction: mcause (with its top bit, whether or not `cause` has it), mepc,
 * mstatus, and on at the handler. cause_unknown: ones where mcause is not known. False, nothing has changed: where the
 * handler is is not known (mtvec, or with vectors the cause). */
bool es_machine_interrupt(es_machine *machine, uint32_t cause, uint32_t cause_unknown);

/* --- running --- */

/* Executes until `fetches` instructions have been fetched since reset, or something else stops it. */
enum es_machine_stop es_machine_run(es_machine *machine, uint64_t fetches);
/* Executes the next instruction, marked or not. Of one that raises an exception, `fetches` stays where the processor is
 * silent on it (es_processor). */
enum es_machine_stop es_machine_once(es_machine *machine);
const char *es_machine_reason(const es_machine *machine); /* UNKNOWN, STRANGE: in words; belongs to the machine */

uint64_t es_machine_fetches(const es_machine *machine);

/* The hash of all accesses since reset (docs/replay.md, "Heartbeats"). Accesses with unknown bits count with zeros
 * there, and es_machine_hash_unknown tells whether there were any: then it cannot be compared. */
typedef struct es_machine_hash {
    uint32_t sum, sums;
} es_machine_hash;
es_machine_hash es_machine_get_hash(const es_machine *machine);
bool es_machine_hash_unknown(const es_machine *machine);

/* From now on, registers of which no bit is known are taken to hold 0 where they are stored, and do from then on: a
 * claim, which the hash of all accesses then proves or refutes. Part of snapshots; a reset ends it. */
void es_machine_assume_zeros(es_machine *machine, bool assumed);
bool es_machine_has_assumed(
    const es_machine *machine); /* something was stored that this concerns, since it was called */

/* A mark at an instruction's address. */
void es_machine_mark(es_machine *machine, uint32_t address, bool marked);
bool es_machine_is_marked(const es_machine *machine, uint32_t address);

/* While there is one, each access is told to it, and each instruction: `insn` before its fetch is told, with the
 * machine as it is before it (es_machine_get works). Either may be NULL. Runs are slower then. */
typedef struct es_machine_listener {
    void (*insn)(void *context, uint32_t pc);
    void (*access)(void *context, const es_machine_access *access);
    /* the instruction that was told last has set this register (0 to 31; 32 to 63: f0 to f31): after it */
    void (*sets)(void *context, unsigned reg);
    /* an exception or interrupt was taken; cause as in mcause */
    void (*trap)(void *context, uint32_t cause);
    void *context;
} es_machine_listener;
void es_machine_listen(es_machine *machine, const es_machine_listener *listener);  /* NULL: no more */
bool es_machine_listens(const es_machine *machine, es_machine_listener *listener); /* false: nobody does */

/* From a callback: the run ends after this instruction. */
void es_machine_stop_soon(es_machine *machine);

/* --- snapshots --- */

/* All of a machine's state: registers, memory, counts, hash; not its marks and listener. Pages that have not changed
 * are
 * shared between the machine and its snapshots, so one costs what changed since the last. Each may be restored any
 * number of times, into a
 * machine of the same options and regions. */
typedef struct es_machine_snapshot es_machine_snapshot;
es_machine_snapshot *es_machine_save(es_machine *machine);
void es_machine_restore(es_machine *machine, const es_machine_snapshot *snapshot);
void es_machine_snapshot_free(es_machine_snapshot *snapshot);
size_t es_machine_snapshot_size(const es_machine_snapshot *snapshot); /* bytes that are its alone, about */
uint64_t es_machine_snapshot_fetches(const es_machine_snapshot *snapshot);

/* A snapshot as bytes, added to *out: what its memory differs in from another one's of the same machine. base NULL:
 * from memory of which nothing is known; then equal states are equal bytes. */
void es_machine_snapshot_pack(const es_machine_snapshot *snapshot, const es_machine_snapshot *base, es_bytes *out);
/* The other way, with the same base. NULL: these bytes are none. */
es_machine_snapshot *es_machine_snapshot_unpack(const uint8_t *bytes, size_t size, const es_machine_snapshot *base);

#endif
