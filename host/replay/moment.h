/* Moments of a recording as people write and read them. */
#ifndef ES_REPLAY_MOMENT_H
#define ES_REPLAY_MOMENT_H

#include "base/text.h"
#include "replay/timeline.h"

/* A moment: a number of instructions ("120000"), a time with its unit ("1.5ms"; only where hz, the clocks per second,
 * is not 0), "start" or "end". At most the recording's end. False: it is none, with why in *err (ES_USAGE). */
bool es_replay_moment_parse(es_timeline *timeline, uint64_t hz, const char *text, uint64_t *moment, es_error *err);

/* Adds a moment's time: "1.2345 ms", "1.2345 ms to 1.2351 ms" where it is not known better, in clocks where hz is 0. */
void es_replay_moment_time(es_text_buffer *out, es_timeline *timeline, uint64_t hz, uint64_t moment);

#endif
