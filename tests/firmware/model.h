/* A small model of the probe after the FIFO: soft core (RV32I interpreter with the core's clocks per instruction
 * class), register map, planes,
 * phantom memory, event queue. It runs the real firmware and a real image; the test plays the target's bus. */
#ifndef TESTS_FIRMWARE_MODEL_H
#define TESTS_FIRMWARE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"
#include "probe_defs.h"

#define MODEL_WINDOW 0x40000u
#define MODEL_FRAMES 4096

typedef struct model_hit {
    uint32_t flags, time, address, new_word, old_word, pc;
    bool dynamic; /* the word's plane has ES_PLANE_LOCK alone */
} model_hit;

typedef struct model_frame {
    uint32_t words[ES_FRAME_MAX_WORDS];
    size_t count;
} model_frame;

typedef struct model {
    uint8_t memory[ES_MEM_SIZE];
    uint32_t x[32], pc;
    uint64_t clocks;
    uint32_t phantom[MODEL_WINDOW / 4];
    uint8_t known[MODEL_WINDOW / 4], data_plane[MODEL_WINDOW / 4];
    uint8_t fetch_plane[MODEL_WINDOW / 4]; /* a bit for each half of the word */
    uint16_t rows[2 * ES_ROWS];
    uint32_t window_base, time_bits, epoch, time_high;
    bool unknown;
    model_hit hits[4]; /* queue; [0] is the head */
    size_t hit_count;
    bool locked;
    uint32_t config; /* REG_CONFIG */
    uint32_t mail;
    bool mail_full;
    bool track, track_nodes; /* CTRL_TRACK, CTRL_TRACK_NODES */
    bool next_asked;         /* REG_HIT_NEXT was read later than REG_HIT_CELL */
    bool tracked;            /* the last hit was the tracker's */
    uint64_t parts;          /* of the tracker: words with a filter that were written in part */
    bool read_hits;          /* data reads of words with the fetch plane's bit are hits */
    uint32_t triggered[8];   /* how often each pin was raised */
    bool halted;
    uint64_t arrived; /* clock in which the last hit came */
    uint32_t time, last_pc, last_insn, last_write, lost;
    uint32_t last_site; /* of last_insn: 4 bytes before its end */
    uint32_t building[ES_FRAME_MAX_WORDS];
    size_t building_count;
    uint16_t sequence, ev_flags;
    uint64_t ev_free;    /* the clock from which on REG_EV_* and REG_HIT_POP may be written again */
    uint32_t room;       /* words that the event queue takes; frames are not removed by the model */
    uint32_t room_later; /* not 0: what `room` becomes once the core has asked for it five more times */
    uint32_t room_asked;
    model_frame frames[MODEL_FRAMES];
    size_t frame_count, frame_read;
    bool eager;          /* false: non-locking hits stay in the queue until it is full or model_settle is called */
    bool flooded;        /* hits never cease: the core is stopped as soon as there is but one, and never sees none */
    uint64_t hit_clocks; /* clocks from the last hit's arrival, with the core asleep, to its removal */
    uint64_t pop_clocks;
    uint64_t max_hit_clocks;
    /* the main loop's passes without a hit: when the one began that goes on, 0: none does; and the longest one */
    uint64_t pass_began, longest_pass;
    uint32_t loop;      /* where each begins */
    const char *broken; /* why the core stopped, NULL: all is well */
    bool sleeping;
    uint32_t stack; /* sp whenever it sleeps; 0: it has not slept yet */
} model;

/* Loads firmware and image, starts the core and runs it until it sleeps. */
void model_start(model *m, const es_image *image);

/* Bus transactions. Data in their lanes. */
void model_write(model *m, uint32_t address, uint32_t data, unsigned lanes);
void model_read(model *m, uint32_t address, uint32_t data, unsigned lanes);
/* insn: as interface/rv32.def has it; only those of four bytes change phantom memory. */
void model_fetch(model *m, uint32_t address, uint32_t insn);
void model_mark(model *m, unsigned sort, uint32_t data, uint32_t time);
/* A mark of the program that the target's core made; counts: ES_MARKED_*. pc 0: not known. */
void model_program_mark(model *m, unsigned core, uint32_t counts, uint32_t value, uint32_t pc);

/* Writes a scalar of 1, 2 or 4 bytes as one store. */
void model_store(model *m, uint32_t address, uint32_t value, unsigned size);

/* Fills in phantom memory as the host does before the start. */
void model_know(model *m, uint32_t address, uint32_t word);

void model_mail(model *m, uint32_t word);
void model_settle(model *m); /* runs until the core sleeps */

/* The next frame that was sent, NULL when there is none. */
const model_frame *model_next(model *m);

#endif
