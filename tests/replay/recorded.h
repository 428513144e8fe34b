/* A program's run on the simulated target: the input stream, and the log of retired instructions as the truth. */
#ifndef TESTS_REPLAY_RECORDED_H
#define TESTS_REPLAY_RECORDED_H

#include "encoder.h"
#include "replay/replay.h"

typedef struct recorded {
    encoder encoder;
    es_symbols *symbols;
    es_replay_program program;
    es_retired *log;
    size_t count, room;
    enum es_sim_state state;
    uint64_t cycles;
    size_t lag; /* instructions that the bus may have had at the end, and the log has not: 0 for the reference target */
} recorded;

#define RECORDED_MAX_CYCLES 40000000u

/* Runs $(B)/path, for at most `cycles`, with heartbeats each 2^period clocks. */
recorded *recorded_new(const char *path, uint32_t seed, unsigned period, uint64_t cycles);
/* The same, and the recorder is given this handler, whether it is one or not. */
recorded *recorded_new_with_handler(const char *path, uint32_t seed, unsigned period, uint64_t cycles,
                                    uint32_t handler);
/* The same, with a window up to a quiet region (size 0: none). */
recorded *recorded_new_with_quiet(const char *path, uint32_t seed, unsigned period, uint64_t cycles, uint32_t handler,
                                  es_replay_region quiet);
void recorded_free(recorded *r);

/* Writes a stream as a recording of the program. */
void recorded_write(const recorded *r, const uint8_t *bytes, size_t size, const char *path);

/* A replay that is compared with the log, instruction by instruction. */
typedef struct compared {
    const recorded *recorded;
    es_replay *replay;
    size_t instructions; /* told so far */
    size_t wrong;        /* of values that were told */
    size_t unknown;      /* registers that were set to something unknown */
    char first[160];     /* what was wrong first */
    bool stored, set;
} compared;

/* Replays the bytes, in pieces of `piece`. The replay is for the caller to free. */
void compared_run(compared *c, const recorded *truth, const uint8_t *bytes, size_t size, size_t piece);

#endif
