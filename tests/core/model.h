/* Reference model of the probe's core: from bus transactions to hits, in plain C.
 *
 * It is written from the contracts (docs/rtl.md, interface/probe.def), not from the RTL: no clocks, no queues, only
 * what each record does, in order. Time and place of a loss depend on the RTL's queues; there the model takes the marks
 * that the RTL reports and checks them against the transactions that it was fed: nothing may be missing between marks,
 * and a gap must name exactly the transactions that are missing. */
#ifndef CORE_MODEL_H
#define CORE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder_model.h"

struct model_config {
    unsigned taps, time_w, addr_w, data_w, window_log2;
    bool big_endian, compressed;
    uint32_t window_base;
};

/* An access as it is on a bus: data and lanes in the bus's own order. */
struct model_bus {
    uint32_t addr; /* byte address */
    uint32_t data;
    uint8_t lanes; /* bit i: data bits 8i+7..8i */
    uint8_t kind;  /* ES_KIND_READ, _WRITE or _FETCH; _MARK: a mark of the program, data as told */
    bool missed;   /* the tap tells that it has missed it */
};

struct model_hit {
    uint64_t time; /* low 32 bits are what the probe shows */
    uint32_t addr, new_word, old_word, pc;
    uint8_t kind, lanes, core;
    bool old_known, locked, dynamic;
};

struct model;

struct model *model_new(const struct model_config *config);
void model_free(struct model *model);

/* The tap's side: an access of `core` at `time`, in time order; within one time in the order of cores. */
void model_bus_access(struct model *model, uint64_t time, unsigned core, const struct model_bus *bus);

/* The pipeline's side: the next record is executed. `mark` is NULL for a transaction, else what the RTL hands on.
 * Returns NULL, or what is wrong. `*is_hit` and `*hit` tell what must go to the hit queue. */
const char *model_execute(struct model *model, const struct model_hit *mark, bool *is_hit, struct model_hit *hit);

/* The soft core's and loader's side; addresses as in the soft core's map. */
void model_write(struct model *model, uint32_t addr, uint32_t data, uint8_t lanes);
uint32_t model_read(const struct model *model, uint32_t addr, bool *known);
uint32_t model_cell(const struct model *model, const struct model_hit *hit); /* REG_HIT_CELL for this hit */
void model_clear(struct model *model);
void model_reads(struct model *model, bool hits); /* whether data reads can be hits */
void model_lock(struct model *model, bool locked);
bool model_locked(const struct model *model);

uint64_t model_fed(const struct model *model);      /* transactions fed */
uint64_t model_executed(const struct model *model); /* transactions executed */
uint64_t model_lost(const struct model *model);     /* transactions reported lost */
uint64_t model_gaps(const struct model *model);
uint64_t model_epoch(const struct model *model);              /* last announced */
const struct recorded *model_last(const struct model *model); /* the record that was executed last */

#endif
