/* What a recorder's input stream is of: the program, its processor and memory, and what the recorder was told. */
#ifndef ES_REPLAY_PROGRAM_H
#define ES_REPLAY_PROGRAM_H

#include "machine/machine.h"
#include "symbols/symbols.h"

/* Memory as the recorder takes it: the phantom window and the quiet regions. Everything else is input. */
typedef struct es_replay_region {
    uint32_t base, size;
} es_replay_region;

#define ES_REPLAY_REGIONS 4
#define ES_REPLAY_QUIET 2u /* that a recorder has */
#define ES_REPLAY_QUIET_STEP 4096u

/* An address A belongs to a vector when (A ^ value) & mask is 0. */
typedef struct es_replay_vector {
    uint32_t value, mask;
    bool used;
} es_replay_vector;

/* A timer whose compare register the program writes (64 bits, lower word first): an interrupt is pending while its time
 * is not before that. It only says which causes are tried first. */
typedef struct es_replay_timer {
    uint32_t compare; /* address */
    uint8_t cause;    /* of its interrupt, without the top bit */
} es_replay_timer;

#define ES_REPLAY_TIMERS 4

typedef struct es_replay_program {
    es_machine_options machine; /* `outside` is the replay's */
    const es_symbols *symbols;  /* what is loaded, and lines for messages; outlives the replay */
    es_replay_region regions[ES_REPLAY_REGIONS];
    size_t region_count;
    es_replay_region
        quiet[ES_REPLAY_QUIET]; /* wanted beyond the probe's window: es_replay_window makes regions of them */
    size_t quiet_count;
    es_replay_vector traps, reset;
    es_replay_timer timers[ES_REPLAY_TIMERS];
    size_t timer_count;
} es_replay_program;

#define ES_REPLAY_REFERENCE_ARCH "rv32imc_zicsr_zifencei"

/* The simulated reference target and its probe. Data have the program's order of bytes, here and below. */
void es_replay_reference(es_replay_program *program, const es_symbols *symbols);

/* The processor begins there, not where the other functions here say. */
void es_replay_begins_at(es_replay_program *program, uint32_t address);

/* A quiet region more: memory beyond the window that nobody but the program writes. Fails with ES_USAGE where there are
 * ES_REPLAY_QUIET already, or it is not a power of two of bytes, ES_REPLAY_QUIET_STEP at least, at a multiple of
 * that. */
bool es_replay_add_quiet(es_replay_program *program, es_replay_region region, es_error *err);

/* The probe's window and the quiet regions become the regions. Fails with ES_USAGE where they overlap. */
bool es_replay_window(es_replay_program *program, uint32_t base, uint32_t size, es_error *err);

/* Any other processor, that starts where the program file says: what its memory is, the probe tells. */
void es_replay_processor(es_replay_program *program, const es_symbols *symbols, enum es_processor_name name);

#endif
