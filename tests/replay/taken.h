/* A program's run under a probe's own recorder: its frames' bytes, and the log of retired instructions as the truth. */
#ifndef TESTS_REPLAY_TAKEN_H
#define TESTS_REPLAY_TAKEN_H

#include "recorded.h"
#include "replay/recorder.h"
#include "sim.h"

typedef struct taken {
    es_sim_shared shared; /* set before: the target with shared memory, and whose bus is heard */
    recorded truth;       /* its log, of that core, and program */
    uint8_t *bytes;
    size_t size, room;
    const char *lost;
    int exit_code; /* of the target's program */
} taken;

/* What is known of a processor, but for the handler: for taken_record. */
typedef void taken_processor(es_replay_program *program, const es_symbols *symbols);

/* Runs $(B)/name for at most `cycles`, and takes what the recorder sends. ratio 0: an elastic probe. */
void taken_record(taken *t, const char *name, taken_processor *processor, unsigned ratio, uint64_t cycles);
void taken_free(taken *t);

/* Its parts, for whoever follows a run. */
void taken_load(es_sim *sim, const es_symbols *symbols);
void taken_pump(es_input_recorder *recorder, int timeout_ms); /* until there is nothing more */
void taken_ignore_console(void *context, const char *bytes, size_t size);

#endif
