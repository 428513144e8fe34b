/* What each statement needs: which events trigger it, how its code tells them apart, where it takes values from. */
#ifndef ES_IMAGE_PLAN_H
#define ES_IMAGE_PLAN_H

#include <image.h>

#include "base/arena.h"
#include "image/image.h"
#include "lang/statement.h"
#include "probe_defs.h"

/* A write that concerns a statement. `word` is a target address, or an offset from the CFA of `frame`.
 * With `cover` it concerns none: `lanes` are those of all referenced locals of the frame in the word, which becomes
 * known when they have been written; `statement` is one that refers to one of them. */
typedef struct plan_write {
    size_t statement;
    bool cover;
    const es_procedure *frame;
    uint32_t word;     /* multiple of 4 */
    uint8_t lanes;
    uint16_t events;   /* event bits */
    uint32_t pending;  /* offset of the pending byte in RAM */
} plan_write;

/* An enter or leave that concerns a statement. */
typedef struct plan_control {
    size_t statement;
    const es_procedure *procedure;
    bool leave;
    uint16_t events;
} plan_control;

typedef struct plan_statement {
    const es_statement *statement;
    /* Event bit numbers by reference, -1: none. write: "the event is a write to it"; old: "the event is a write to
     * its word". */
    int8_t *write_bit, *old_bit;
    /* all values lie in the same lanes of one word, whose write triggers it: they come from the hit's registers */
    bool direct;
    bool needs_known; /* the values' words have to be known: it is not direct, or takes an old value */
} plan_statement;

/* A procedure whose locals are referenced. */
typedef struct plan_frame {
    const es_procedure *procedure;
    uint32_t cell;          /* RAM offset */
    uint32_t pending_bytes; /* behind the cell */
} plan_frame;

typedef struct image_plan {
    es_arena *arena;
    const es_program *program;
    plan_statement *statements;
    plan_write *writes;
    size_t write_count;
    plan_control *controls;
    size_t control_count;
    plan_frame *frames;
    size_t frame_count;
    uint32_t unknown;  /* RAM offset of the count of evaluations that met unknown memory */
    uint32_t ram_size; /* bytes: counters, totals, that count, cells, pending bytes */
    uint32_t ram_at;   /* soft core address, once the owner has placed it */
} image_plan;

/* Fails with ES_USAGE when a statement cannot be put into an image. The plan's memory is the arena's. */
bool plan_make(image_plan *plan, es_arena *arena, const es_program *program, const es_probe_limits *limits,
               es_error *err);

/* Whether the word of a write has to be armed with lock. */
bool plan_locks(const image_plan *plan, const plan_write *write);

const plan_frame *plan_frame_of(const image_plan *plan, const es_procedure *procedure);

/* Lanes of its word that hold a reference's value. */
uint8_t plan_lanes(const es_reference *reference);

/* "file:line:column: name: " of a statement, as the start of messages about it. */
bool plan_fail(const es_statement *statement, es_error *err, const char *format,
               ...) __attribute__((format(printf, 3, 4)));

#endif
