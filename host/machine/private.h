/* What the files of the machine share. */
#ifndef ES_MACHINE_PRIVATE_H
#define ES_MACHINE_PRIVATE_H

#include "isa/rv32/operation.h"
#include "machine/machine.h"
#include "machine/value.h"

/* --- memory: pages, which machines and snapshots share until one of them is written --- */

enum {
    PAGE_BITS = 12,
    PAGE_SIZE = 1 << PAGE_BITS,
    CHUNK_PAGES = 256, /* pages whose table snapshots share as a whole */
    CHUNK_BITS = PAGE_BITS + 8,
    CHUNKS = 1 << (32 - CHUNK_BITS),
    REGIONS_MAX = 64,
};

typedef struct machine_page {
    _Atomic unsigned users;
    uint8_t *unknown; /* bits that are not known, as ones; their data are 0. NULL: all is known */
    uint8_t data[PAGE_SIZE];
} machine_page;

typedef struct machine_chunk {
    _Atomic unsigned users;
    machine_page *pages[CHUNK_PAGES]; /* NULL: nothing is known of it */
} machine_chunk;

typedef struct machine_region {
    uint32_t base, last; /* its last byte's address */
    bool writable;
} machine_region;

/* Where the fast engine finds a part of a page: `tag` is its address where all of it can be read as memory (written:
 * the page is this machine's alone, and no instructions of it are translated); else NO_TAG. */
typedef struct machine_way {
    uint32_t read_tag, write_tag;
    uintptr_t data, unknown; /* where the byte at address 0 would be, if the page were as large */
    uintptr_t all_known;     /* of its bits; there is no room for unknown ones */
} machine_way;

enum { WAY_BITS = 10, WAY_SIZE = 1 << WAY_BITS, WAYS = 256, NO_TAG = WAY_SIZE / 2 };

/* --- code --- */

typedef struct machine_code machine_code;

enum { DECODED = 1024, CONTROLS = 256 };

typedef struct machine_decoded {
    uint32_t word;
    es_rv32_operation operation;
} machine_decoded;

struct es_machine {
    /* registers; one more than there are: what instructions write to register 0 */
    uint32_t x[33], x_unknown[33];
    uint32_t pc;
    uint32_t tainted; /* registers that may have unknown bits; fewer only just after they were set */
    uint32_t hash_sum, hash_sums;
    uint64_t fetches;
    machine_way ways[WAYS];

    bool hash_unknown;
    bool zeros, has_assumed; /* es_machine_assume_zeros */
    bool stop_soon;
    unsigned silent; /* exceptions since the last instruction that was told */
    bool user;       /* mode */
    bool reserved;   /* by lr */
    uint32_t reservation;
    uint64_t f[32], f_unknown[32];
    uint32_t fcsr, fcsr_unknown;
    uint32_t control[CONTROLS], control_unknown[CONTROLS]; /* by slot (control.c) */

    machine_chunk *chunks[CHUNKS];
    uint64_t chunk_places[CHUNKS / 64]; /* where there is or has been one, a bit each: the others need no look */
    machine_region regions[REGIONS_MAX];
    unsigned region_count, region_last; /* the last one that was looked for */
    uint8_t *known_page;                /* zeros: "unknown" of pages that are all known */

    es_machine_options options;
    unsigned has; /* ES_HAS_* */
    bool listens;
    es_machine_listener listener;
    uint32_t *marks; /* addresses, hashed; 0 is an address, too: free places hold odd ones */
    unsigned mark_slots, mark_count;
    machine_code *code;
    const void *const *handlers; /* of the fast engine (code.h) */
    machine_decoded decoded[DECODED];
    char reason[256];
};

#define PRIVATE __attribute__((visibility("hidden")))

/* --- memory.c --- */

/* The region that an address is in; NULL: none. */
PRIVATE const machine_region *es_machine_region_of(es_machine *machine, uint32_t address);
/* A word's bytes, which are memory; address: a multiple of 4. */
PRIVATE machine_value es_machine_word(const es_machine *machine, uint32_t address);
PRIVATE void es_machine_put_word(es_machine *machine, uint32_t address, machine_value value, uint32_t mask);
/* A way to what is around an address, made anew; NULL: there is none for all of it. */
PRIVATE machine_way *es_machine_find_way(es_machine *machine, uint32_t address, bool write);
/* A way for one address, of whose page translated instructions are elsewhere; data 0: there is none. */
PRIVATE machine_way es_machine_way_beside_code(es_machine *machine, uint32_t address);
PRIVATE void es_machine_free_memory(es_machine *machine);
PRIVATE void es_machine_drop_chunk(machine_chunk *chunk);
PRIVATE void es_machine_drop_page(machine_page *page); /* NULL: nothing */

/* --- control.c --- */

enum step { STEP_DONE, STEP_WAITS, STEP_LATER, STEP_UNKNOWN, STEP_STRANGE };

PRIVATE void es_machine_reset_controls(es_machine *machine);

enum control_access { CONTROL_DONE, CONTROL_ILLEGAL, CONTROL_LATER, CONTROL_UNKNOWN };
/* What an instruction reads; and whether it may, with `write`. */
PRIVATE enum control_access es_machine_read_control(es_machine *machine, unsigned number, bool write,
                                                    machine_value *value);
PRIVATE void es_machine_write_control(es_machine *machine, unsigned number, machine_value value);

/* mstatus.FS: 1 not off, 0 off, -1 not known; dirty from now on, or perhaps. */
PRIVATE int es_machine_float_is_on(const es_machine *machine);
PRIVATE void es_machine_float_is_dirty(es_machine *machine, bool certain);

/* Whether an exception has a handler: STEP_DONE, else why not. */
PRIVATE enum step es_machine_can_trap(es_machine *machine, uint32_t cause);
/* Enters the handler. False, nothing has changed: the handler's address is not known. */
PRIVATE bool es_machine_trap(es_machine *machine, uint32_t cause, uint32_t cause_unknown, uint32_t value);
/* mret. `go` false: only tells whether it can be executed. */
PRIVATE bool es_machine_return_from_trap(es_machine *machine, bool go);
/* Notes the reason. Returns `why`. */
PRIVATE enum step es_machine_because(es_machine *machine, enum step why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- step.c --- */

/* Executes one instruction, in all cases. */
PRIVATE enum step es_machine_step(es_machine *machine);

/* --- code.c: instructions as they were translated for the fast engine --- */

PRIVATE void es_machine_forget_ways(es_machine *machine);
PRIVATE bool es_machine_has_code(const es_machine *machine, uint32_t page);
PRIVATE bool es_machine_is_code(const es_machine *machine, uint32_t address);
/* Bytes are about to change. */
PRIVATE void es_machine_code_changes(es_machine *machine, uint32_t address, uint32_t size);
/* A chunk is about to be replaced. */
PRIVATE void es_machine_chunk_changes(es_machine *machine, unsigned number, const machine_chunk *to);
PRIVATE void es_machine_forget_code(es_machine *machine);
PRIVATE void es_machine_free_code(es_machine *machine);

#endif
