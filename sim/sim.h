/* The simulated world: reference target and probe RTL (Verilator), stepped from C.
 *
 * Worlds: ES_SIM_BYTES, whose probe ends at the byte port before the FT245 pins (fast; for `--probe sim`), and
 * ES_SIM_FT245, whose probe ends at FT245 pins with their own 60 MHz clock (at the virtual FT2232H). ES_SIM_BARE has no
 * probe at all (for `make bench`). ES_SIM_BOARD has the probe with the iCEBreaker's parameters at its serial line, the
 * tap's clock as bus clock, the probe's at half of it, and a target with 32 KiB of ROM at 0 and 32 KiB of RAM after it.
 * ES_SIM_SRAM is that with the board's own tap: the same target and probe, and between them an asynchronous bus of 8
 * bits, on which each access becomes accesses of single bytes with times that vary within what es_tap_sram allows. Its
 * bus clocks are the tap's; the target's own clock waits for the bytes.
 *
 * With `shared.cores` the worlds ES_SIM_BYTES and ES_SIM_BARE have the target with shared memory (docs/target.md)
 * instead of the one with one processor; the probe hears the bus of one of its cores. */
#ifndef ES_SIM_H
#define ES_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct es_sim es_sim;

enum es_sim_world { ES_SIM_BYTES, ES_SIM_FT245, ES_SIM_BARE, ES_SIM_BOARD, ES_SIM_SRAM };

/* One retired instruction of the target, straight from the processor's retire port: the oracle's only source. */
typedef struct es_retired {
    /* bus clock in which the instruction's data access (if any) completed, else in which it retired */
    uint64_t cycle;
    /* bus clock in which its fetch completed. Both count as the tap's time does: 0 is the first clock out of reset */
    uint64_t fetch_cycle;
    uint32_t pc, next_pc, insn;
    uint32_t mem_addr;  /* word aligned */
    uint32_t mem_wdata; /* word with the bytes in their lanes */
    uint8_t mem_wmask;  /* 0: no store */
    uint8_t mem_rmask;
    uint8_t rd;        /* register written, 0: none */
    uint32_t rd_value; /* what was written to it */
    bool interrupt;    /* first instruction of a trap handler */
    uint8_t core;      /* 0 where there is one only */
} es_retired;

/* A hit that the soft core has just taken off the queue. */
typedef struct es_sim_hit {
    uint8_t kind; /* ES_KIND_* */
    uint32_t address;
    uint32_t clocks; /* probe clocks in which the soft core was awake with it at the queue's head */
    uint64_t time;   /* bus clock of the transaction, which is less than 2^16 ago */
} es_sim_hit;

/* A transaction on the target's bus. The tap's time and what it tells. */
typedef struct es_sim_access {
    uint64_t time;
    uint8_t kind, lanes;    /* ES_KIND_*; bytes concerned */
    uint32_t address, data; /* word aligned; bytes in their lanes, others as they were on the bus */
} es_sim_access;

/* Which accesses to shared memory have to wait for each other: docs/target.md. */
enum es_sim_ports { ES_SIM_PORTS_EACH, ES_SIM_PORTS_DATA, ES_SIM_PORTS_ONE };

#define ES_SIM_CORES 8u
#define ES_SIM_WAIT 255u
#define ES_SIM_BELL 255u

/* The target with shared memory; all zeros: the one with one processor. */
typedef struct es_sim_shared {
    unsigned cores; /* 1 to ES_SIM_CORES */
    unsigned core;  /* whose bus the probe and on_access hear, below `cores` */
    enum es_sim_ports ports;
    unsigned wait; /* wait states of every access, up to ES_SIM_WAIT */
    unsigned bell; /* clocks that a ring of a bell is on its way, up to ES_SIM_BELL */
} es_sim_shared;

typedef struct es_sim_config {
    enum es_sim_world world;
    es_sim_shared shared;   /* ES_SIM_BYTES and ES_SIM_BARE only */
    bool every_clock;       /* for tests: no short cuts: leave out no clock, also where it would change nothing */
    bool every_instruction; /* for tests: no short cuts for the soft core's instructions */
    /* probe clocks per bus clock; 0: elastic (ES_SIM_BYTES only). Without meaning in ES_SIM_BARE, ES_SIM_BOARD.
     * ES_SIM_SRAM: clocks of the tap for which the target lets the bus rest before each word, at most */
    unsigned ratio;
    uint32_t seed; /* of the target's RANDOM register; ES_SIM_SRAM: of the bus's times, too */
    void (*on_console)(void *context, const char *bytes, size_t size);
    void (*on_retired)(void *context,
                       const es_retired *retired); /* NULL: off. Of all cores, in each clock the lowest first */
    /* NULL: off. Not in ES_SIM_BOARD, ES_SIM_SRAM, ES_SIM_FT245; none after the target's end */
    void (*on_access)(void *context, const es_sim_access *access);
    void (*on_hit)(void *context, const es_sim_hit *hit); /* NULL: off. ES_SIM_BYTES with a ratio only */
    void *context;
} es_sim_config;

enum es_sim_state {
    ES_SIM_RUNNING,
    ES_SIM_EXITED,  /* the target wrote its exit register; es_sim_exit_code is valid; the probe can still be stepped */
    ES_SIM_STOPPED, /* es_sim_stop_target was called; the probe can still be stepped */
    ES_SIM_HALTED,  /* the probe's halt pin stopped it; the probe can still be stepped */
    /* the target stopped: an exception with no handler set, or a stray access; es_sim_trap_text tells why, es_sim_pc
     * where */
    ES_SIM_TRAPPED,
};

/* What its processor executes, as compilers name it: "rv32i_zicsr". */
const char *es_sim_isa(void);

/* Whether data of the target's processor have the most significant byte first. */
bool es_sim_big_endian(void);

/* NULL with an error when the configuration is out of range or memory is short. */
es_sim *es_sim_new(const es_sim_config *config, es_error *err);
void es_sim_free(es_sim *sim);

/* Writes bytes to the target's ROM or RAM before it starts. False outside of both. */
bool es_sim_load(es_sim *sim, uint32_t address, const uint8_t *bytes, size_t size);

/* The target is held in reset until this is called. */
void es_sim_start_target(es_sim *sim);

/* ES_SIM_FT245 only, elsewhere false: what can happen to a board.
 *
 * Holding presses the target's reset button, whatever it was doing, also after its end: memory keeps what it has, the
 * probe goes on listening, and es_sim_start_target lets it run from its beginning. es_sim_cycles then counts anew; the
 * probe's time goes on.
 *
 * Resetting the probe is what loading its bitstream again does: what was in it and on its link is forgotten, and its
 * time begins at 0. The target goes on. */
bool es_sim_hold_target(es_sim *sim);
bool es_sim_reset_probe(es_sim *sim);

/* The target stalls from now on, whatever it was doing; what it has done goes on through the probe. */
void es_sim_stop_target(es_sim *sim);

/* Advances by at most `clocks` bus clocks (with the target held or ended: probe clocks only), returning early when the
 * target ends or when at least `bytes` bytes wait for es_sim_read (0: do not care). */
enum es_sim_state es_sim_step(es_sim *sim, uint64_t clocks, size_t bytes);

/* True when nothing is left to do inside the probe: FIFO, pipeline, hit queue, event queue and link are empty and the
 * soft core waits. */
bool es_sim_idle(const es_sim *sim);

/* ES_SIM_BOARD, ES_SIM_SRAM: the probe records the target's inputs. */
bool es_sim_records(const es_sim *sim);

/* The link's bytes (ES_SIM_BYTES: byte port; ES_SIM_FT245: what a FT2232H's FIFO would hand to and take from USB).
 * Never block. */
size_t es_sim_read(es_sim *sim, uint8_t *bytes, size_t size);
size_t es_sim_write(es_sim *sim, const uint8_t *bytes, size_t size);

uint64_t es_sim_cycles(const es_sim *sim); /* bus clocks since the target started */
uint64_t es_sim_probe_clocks(const es_sim *sim);

/* The probe's time: clocks of its tap since it began to listen. ES_SIM_FT245 only, elsewhere 0. */
uint64_t es_sim_time(const es_sim *sim);
uint32_t es_sim_pc(const es_sim *sim); /* of the core that trapped, else of the one whose bus is heard */
int es_sim_exit_code(const es_sim *sim);

/* Pulses that the probe's trigger pin number `pin` (0 to 7) has had so far. 0 in the worlds whose probe has no such
 * pins. */
uint64_t es_sim_pulses(const es_sim *sim, unsigned pin);

/* What the probe's soft core has done since its reset. Only counted in ES_SIM_FT245; zeros in the other worlds. */
typedef struct es_sim_core {
    uint64_t clocks;       /* probe clocks in which it was awake */
    uint64_t instructions; /* fetched, and so executed */
    uint64_t events;       /* taken off the hit queue */
} es_sim_core;
es_sim_core es_sim_core_work(const es_sim *sim);

/* After ES_SIM_TRAPPED: why, as a sentence for the user without a full stop ("the instruction at 0x00000128 wrote to
 * 0x00000000, where there is ROM"). Empty before. Belongs to the sim. */
const char *es_sim_trap_text(const es_sim *sim);

#define ES_SIM_BUS_HZ 10000000u /* the simulated bus clock's nominal frequency, for times in ns */

#endif
