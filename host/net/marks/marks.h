/* From a trace of marks to the firings of a net's monitors.
 *
 * A mark tells of one transition at its end, of another one at its beginning, or of both; and some monitors have no
 * mark, because their time follows from those before (templates.h, enum es_net_seen). What recovery needs is all of
 * them, in order. The net's own token game finds them: it is simulated as the monitored program, with each mark's
 * firing at its observed time. */
#ifndef ES_NET_MARKS_H
#define ES_NET_MARKS_H

#include "net/model/engine.h"
#include "net/program/templates.h"

/* A mark as the tap saw it: docs/marks.md. */
typedef struct es_net_mark {
    int64_t time;  /* at its end */
    int64_t delay; /* from its beginning to its end */
    unsigned core;
    uint32_t id, value, site;
} es_net_mark;

typedef struct es_net_marks_options {
    /* All transitions that marks show: those of es_net_mp_steps and, as ES_NET_SEEN_END, the program's own. */
    const es_net_mp_step *steps;
    size_t step_count;
    /* Each firing of a monitor, with times and marks as observed, in the order of the net. `index` is the mark's
     * place in the trace, or SIZE_MAX for a firing that is seen at a mark's beginning or computed. */
    void (*on_firing)(void *context, const es_net_firing *firing, size_t index);
    /* Marks of these processes were lost before the next firing: what es_net_recovery_gap takes. For a core that
     * es_net_marks_gap named, and for each that then does what the net cannot follow any more. May be NULL. */
    void (*on_gap)(void *context, const int32_t *processes, size_t count);
    void *context;
} es_net_marks_options;

typedef struct es_net_marks es_net_marks;

/* Takes marks as they come. The net and the options' steps must outlive it. NULL with ES_USAGE when the net cannot
 * be simulated. */
es_net_marks *es_net_marks_new(const es_net *net, const es_net_marks_options *options, es_error *err);
void es_net_marks_free(es_net_marks *marks); /* NULL is fine */

/* Takes the next mark; times do not decrease. Its firing, and all others up to its time, are told once a later time
 * is known. A transition whose step names no site is never a mark of its own. The value of a mark counts only for
 * the library's marks that name a peer. Free places go where the core's next mark is. Fails with ES_USAGE, naming
 * the mark, when it is not the one that the net lets the core come to next, or comes earlier than the net allows.
 * Nothing is kept of marks whose firings have been told. */
bool es_net_marks_push(es_net_marks *marks, const es_net_mark *mark, es_error *err);

/* Says that marks of these cores (bit c: core c) were lost between the last one pushed of each and its next one. From
 * here on the game does not follow them. Where the program only sends and receives, each of their marks is told, and
 * with it what it shows at its beginning; but nothing that is computed. So is what a core does that then needs
 * something of them; and all firings are told later, by the time of the longest such mark. Where it does more, that
 * core is lost as well, and of a lost core only the marks are told. All others go on as before. */
bool es_net_marks_gap(es_net_marks *marks, unsigned cores, es_error *err);

/* Says that all marks that end before `time` have been pushed. */
bool es_net_marks_advance(es_net_marks *marks, int64_t time, es_error *err);

/* No firing before this time will be told any more. */
int64_t es_net_marks_settled(const es_net_marks *marks);

/* Says that the trace ends: tells all firings up to the last mark's time that have not been told. */
bool es_net_marks_finish(es_net_marks *marks, es_error *err);

/* A whole trace without losses: all of the above. Firings up to the last mark's time are told. */
bool es_net_marks_fire(const es_net *net, const es_net_mark *marks, size_t count, const es_net_marks_options *options,
                       es_error *err);

#endif
