/* A recording, as a place in time that can be moved: what gdb's server, backward slices and queries stand on.
 *
 * A moment is a number of fetches since reset: moment n is after n instructions were fetched and executed, before the
 * next one. A recording has the moments 0 to es_timeline_end, of which all were confirmed by a heartbeat after them. */
#ifndef ES_REPLAY_TIMELINE_H
#define ES_REPLAY_TIMELINE_H

#include "machine/machine.h"
#include "replay/replay.h"
#include "symbols/symbols.h"

typedef struct es_timeline es_timeline;

/* Opens what `earshot record` has made, of the program that it was made of (told by a hash of what the ELF loads:
 * ES_USAGE when it is another one). Where it has keyframes, nothing of it is executed, and little read; the rest is
 * replayed: what comes after the last keyframe, or all of it. */
es_timeline *es_timeline_open(const char *path, const es_symbols *symbols, es_error *err);
void es_timeline_close(es_timeline *timeline);

uint64_t es_timeline_end(const es_timeline *timeline);
const char *es_timeline_ended(const es_timeline *timeline); /* why not later, in words: "the target's program ended" */

/* Whether it was written with keyframes, up to its end. */
bool es_timeline_has_keyframes(const es_timeline *timeline);

uint64_t es_timeline_hz(const es_timeline *timeline); /* clocks of the tap in a second */

/* Where it is. The machine belongs to the timeline: look at it, set marks and a listener, but move it by the functions
 * below only. */
es_machine *es_timeline_machine(es_timeline *timeline);
uint64_t es_timeline_now(const es_timeline *timeline);

/* Goes to a moment, forwards or backwards: from the nearest snapshot before it. Marks and listener are not heeded. */
bool es_timeline_seek(es_timeline *timeline, uint64_t moment, es_error *err);

/* Goes forward to at most `moment`, heeding marks and listener. UNTIL, MARK or ASKED; at the recording's end UNTIL.
 * What
 * else can come is an error: ES_MACHINE_STRANGE and *err. */
enum es_machine_stop es_timeline_run(es_timeline *timeline, uint64_t moment, es_error *err);

/* From now on, memory that others than the program have changed is told: where the program reads it, before that
 * instruction, and while the machine still has what was there before. Also while it moves to a moment. NULL: no
 * more. */
void es_timeline_hear_changes(es_timeline *timeline,
                              void (*changed)(void *context, uint32_t address, uint32_t word, uint8_t lanes),
                              void *context);

/* The target was reset: before the instruction that is executed next. Registers are what they are then. NULL: nobody
 * wants to know any more. */
void es_timeline_hear_restarts(es_timeline *timeline, void (*heard)(void *context), void *context);

/* Where what is decoded at a time ends that has this moment: es_timeline_anchors holds up to there. */
uint64_t es_timeline_border(const es_timeline *timeline, uint64_t moment);
/* The moments around there whose time the stream tells; they ascend, and belong to the timeline until its next call. */
bool es_timeline_anchors(es_timeline *timeline, uint64_t moment, const es_replay_anchor **anchors, size_t *count,
                         es_error *err);
/* What the replay that wrote the keyframes has come to. False: there are none up to the end. *failed: it ended
 * before the stream did, as es_timeline_ended says. */
bool es_timeline_summary(const es_timeline *timeline, es_replay_summary *summary, bool *failed);
bool es_timeline_is_whole(const es_timeline *timeline); /* it says itself how it ended; else it was cut off */

/* The time of a moment in the tap's clocks, as far as it is known: [*low, *high]. And the moment at a time: the last
 * one
 * of which *low is at most that. */
void es_timeline_time(es_timeline *timeline, uint64_t moment, uint64_t *low, uint64_t *high);
uint64_t es_timeline_moment(es_timeline *timeline, uint64_t clocks);

#endif
