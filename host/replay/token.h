/* The input stream's bytes as tokens (docs/replay.md, "The input stream"). */
#ifndef ES_REPLAY_TOKEN_H
#define ES_REPLAY_TOKEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "probe_defs.h"

#define ES_TOKEN_LARGEST 17 /* bytes of a HEARTBEAT */

typedef struct es_stream_token {
    uint8_t kind;       /* ES_TOKEN_* */
    uint8_t detail;     /* MEMORY: access; VECTOR: which; END: ES_END_* */
    uint32_t value;     /* VALUE: what was read; RUN: how many; MEMORY: word */
    uint64_t fetches;   /* MEMORY, VECTOR, HEARTBEAT, END; as the stream has it: modulo 2^32 */
    uint64_t time;      /* VECTOR, CLOCK, HEARTBEAT, END, BEGIN; as the stream has it: modulo 2^32 */
    uint32_t sum, sums; /* HEARTBEAT */
} es_stream_token;

/* All zero at the stream's beginning. */
typedef struct es_stream_token_reader {
    uint8_t bytes[ES_TOKEN_LARGEST];
    uint8_t have;
    uint64_t offset; /* bytes of the stream that were taken so far */
} es_stream_token_reader;

/* The next token of the bytes from *at to end, however the stream is cut. 1: *token is one, and *at is after it; 0: more
 * bytes are needed, all of these were taken; -1: these bytes cannot be a token: *err says which ones and where, and the
 * reader stands before them. NOTHING is passed over. */
int es_stream_token_next(es_stream_token_reader *reader, const uint8_t **at, const uint8_t *end, es_stream_token *token,
                         es_error *err);

/* The other way, for recordings that are cut and for tests: writes the token's bytes and returns how many. VALUE and RUN
 * take as few as they can. */
size_t es_stream_token_put(uint8_t bytes[ES_TOKEN_LARGEST], const es_stream_token *token);

#endif
