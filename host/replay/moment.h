/* Moments of a recording as people write and read them. */
#ifndef ES_REPLAY_MOMENT_H
#define ES_REPLAY_MOMENT_H

#include "base/text.h"
#include "replay/timeline.h"

/* As it is written, whatever recording it is of. */
typedef struct es_replay_moment {
    enum { ES_MOMENT_INSTRUCTIONS, ES_MOMENT_TIME, ES_MOMENT_END } kind;
    uint64_t value; /* instructions; nanoseconds */
} es_replay_moment;

/* A moment: a number of instructions ("120000"), a time with its unit ("1.5ms"), "start" or "end". `option` is for
 * messages: "--from"; NULL: it is of none. False: it is none, with why in *err (ES_USAGE). */
bool es_replay_moment_read(const char *option, const char *text, es_replay_moment *moment, es_error *err);

/* Whether a recording can have it: that it has so many instructions, and hz where it is a time. Else ES_USAGE. */
bool es_replay_moment_check(const es_timeline *timeline, uint64_t hz, const es_replay_moment *read, es_error *err);

/* Of a recording: *moment, at most its end. A time needs hz, the clocks per second, not to be 0. Else ES_USAGE: also
 * for a number of instructions that it does not have. */
bool es_replay_moment_of(es_timeline *timeline, uint64_t hz, const es_replay_moment *read, uint64_t *moment,
                         es_error *err);
/* The same as a time in clocks, of the kind that hits have: of a number of instructions, the time that a hit at the
 * next one has. */
bool es_replay_moment_clock(es_timeline *timeline, uint64_t hz, const es_replay_moment *read, uint64_t *clock,
                            es_error *err);

/* False: the time is after the recording's end; *err says when that is (ES_USAGE). */
bool es_replay_moment_within(es_timeline *timeline, uint64_t hz, uint64_t clock, es_error *err);

/* Both: reads, and finds the moment. */
bool es_replay_moment_parse(es_timeline *timeline, uint64_t hz, const char *text, uint64_t *moment, es_error *err);

/* The last moment before which nothing can have happened at this time or later. */
uint64_t es_replay_moment_before(es_timeline *timeline, uint64_t clock);

/* The time that is given to the next instruction (pace.h). */
bool es_replay_moment_pace(es_timeline *timeline, uint64_t moment, uint64_t *clock, es_error *err);

/* Adds a moment's time: "1.2345 ms", "1.2345 ms to 1.2351 ms" where it is not known better, in clocks where hz is 0. */
void es_replay_moment_time(es_text_buffer *out, es_timeline *timeline, uint64_t hz, uint64_t moment);

#endif
