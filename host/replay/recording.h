/* A recording on disk: an input stream, with what is needed to replay it but the program.
 *
 * A header, then blocks, each with its sizes, a checksum and a moment, compressed with zstd: of stream bytes, with the
 * last heartbeat up to their end; of keyframes, from which the replay can go on (keyframe.h), each anywhere after the
 * one before it; one with the end of what is confirmed; and one that says how it ended. After that a table of all
 * blocks, and where that is: so any block is found without reading the others. Where there is no table, as the
 * recording was cut, the blocks' heads tell the same. All numbers little endian. A recording that was cut is good up
 * to its last whole block. Version 1 has blocks of stream bytes only, and the end. */
#ifndef ES_REPLAY_RECORDING_H
#define ES_REPLAY_RECORDING_H

#include "replay/program.h"

/* What stands in the header. */
typedef struct es_recording_info {
    uint64_t program_hash; /* of what the ELF loads: es_recording_hash */
    uint64_t clock_hz;     /* of the tap */
    uint32_t reset_pc;
    enum es_processor_name processor;
    bool known_at_reset, misaligned;
    es_replay_region regions[ES_REPLAY_REGIONS];
    size_t region_count;
    es_replay_vector traps, reset;
    es_replay_timer timers[ES_REPLAY_TIMERS];
    size_t timer_count;
} es_recording_info;

uint64_t es_recording_hash(const es_symbols *symbols);
void es_recording_info_of(es_recording_info *info, const es_replay_program *program, uint64_t clock_hz);

/* The other way, for the program's ELF. Fails with ES_USAGE when the recording is of another one. */
bool es_recording_program(const es_recording_info *info, const es_symbols *symbols, es_replay_program *program,
                          es_error *err);

/* --- writing: fails with ES_OUTPUT; what was written until then stays a recording --- */

typedef struct es_recording es_recording;
es_recording *es_recording_create(const char *path, const es_recording_info *info, es_error *err);
/* `fetches` and `time`: of the last heartbeat that these bytes have brought; 0: of none yet. */
bool es_recording_add(es_recording *recording, const uint8_t *bytes, size_t size, uint64_t fetches, uint64_t time,
                      es_error *err);
bool es_recording_flush(es_recording *recording, es_error *err);
/* The same, when something has waited for ES_RECORDING_WAITS_MS of this computer's time: so that no more is lost
 * when the writer is killed. To be called all the time. */
#define ES_RECORDING_WAITS_MS 200u
bool es_recording_flush_due(es_recording *recording, es_error *err);
/* What is known of all blocks, so that they are found at once: at the end, before it is closed without how it ended.
 * es_recording_close does it otherwise. */
bool es_recording_seal(es_recording *recording, es_error *err);
#define ES_RECORDING_TRAPPED "the target stopped: an exception without a handler, or an access to nothing"

/* ended: how, in words; ES_RECORDING_TRAPPED where the program crashed. Frees it, also when it fails. */
bool es_recording_close(es_recording *recording, const char *ended, es_error *err);
uint64_t es_recording_size(const es_recording *recording); /* bytes written so far */

/* --- reading --- */

typedef struct es_recording_reader es_recording_reader;
/* Whether it is a plain file, can be read and begins as a recording does. Never waits. */
bool es_recording_is(const char *path);
/* Whether such a file has keyframes up to its end. */
bool es_recording_has_keyframes(const char *path);
/* ES_USAGE: it cannot be read, or is none. */
es_recording_reader *es_recording_open(const char *path, es_error *err);
void es_recording_reader_free(es_recording_reader *reader);
const es_recording_info *es_recording_get_info(const es_recording_reader *reader);
/* The next block's bytes, which are valid until the next call. False: there is none; *ended says how it ended:
 * "the recording is cut off there" where it does not say so itself. */
bool es_recording_next(es_recording_reader *reader, const uint8_t **bytes, size_t *size, const char **ended);
/* After its end: whether it says itself how it ended. Else it was cut off. */
bool es_recording_is_whole(const es_recording_reader *reader);

#endif
