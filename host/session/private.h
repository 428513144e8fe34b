/* Inside of a session: what its files share. */
#ifndef ES_SESSION_PRIVATE_H
#define ES_SESSION_PRIVATE_H

#include "image/groups.h"
#include "image/image.h"
#include "infer/paths/paths.h"
#include "probe/boot.h"
#include "probe/match.h"
#include "record/clock.h"
#include "session/expect.h"
#include "session/groups.h"
#include "session/session.h"
#include "session/words.h"

/* What is known of the probe's clock. */
typedef struct session_clock {
    es_clock clock;
    bool known;        /* an answer has come of this clock: */
    uint64_t time;     /* the latest: the probe's own time, ... */
    int64_t at_ns;     /* ... and when it had come, by the computer's steady clock */
    uint64_t from;     /* times of earlier clocks are below */
    double due;        /* the next question: es_session_wall_seconds */
    unsigned wrong;    /* answers in a row that contradicted the one before */
    bool told;         /* what was told last is known */
    bool told_wrong;   /* that the clock does not run as it should */
    char computer[40]; /* whose steady clock, since which start */
} session_clock;

typedef struct session {
    const es_session_options *options; /* `taken`: what the user wants, with the clock of what is opened */
    es_session_options taken;
    es_symbols *symbols;
    es_program program;
    bool parsed;
    es_image_groups groups; /* one, but on the replay */
    bool built;
    session_group *group; /* of several */
    bool blind;           /* fetches prove nothing */
    bool deadlines;       /* some statement is true when a time has passed */
    es_probe_info info;
    es_session_probe probe;
    es_link *link;
    es_match *match; /* hardware only: what the target runs against the program */
    const es_sink *sink;
    es_schema *schema;
    es_leaves leaves;
    es_words *words;
    es_infer_paths paths;   /* after a loss */
    es_text_buffer console; /* the target's unfinished line */
    es_summary summary;
    es_evidence *evidence; /* by statement: what expectations are judged by */
    bool *needs_path;      /* by statement: its hits depend on the call path */
    double begun, told;    /* when monitoring began, and progress was told last: es_session_wall_seconds */
    uint32_t *totals;      /* by statement: how often it was true, as the firmware counted until it was asked */
    uint32_t *arrived;     /* by statement: hits that came, shown or after the end that --for or --count set */
    /* by statement: of these, how many came before its total did: a target runs on while it is asked */
    uint32_t *before;
    size_t figures;      /* how many counters and totals have arrived since the closing figures were asked for */
    uint64_t onset;      /* hits before it are not told */
    uint64_t cutoff;     /* first time that is beyond --for */
    uint64_t last_event; /* time of the latest hit that was told at its event */
    uint64_t gap_bus, gap_events;
    /* Event frames in all: that the firmware dropped, as its gaps tell; likewise before the totals came; as it says in
     * the end; and that the link's numbers lack. */
    uint64_t gaps, gaps_before, dropped, missing;
    /* what comes now is of this run: the soft core is about to start, or a recording is replayed */
    bool loaded;
    uint64_t first_bus_gap, first_link_gap; /* when something was lost there first; ES_EXPECT_NO_TIME: nothing was */
    uint32_t *closing;                      /* the firmware's closing figures (es_image_figures) */
    size_t closing_count;
    uint64_t enough_at; /* time of the hit that --count ended with */
    uint64_t latest;    /* time that was told last, ... */
    double latest_wall; /* ... and when: es_session_wall_seconds; es_session_note_latest sets it */
    bool is_latest_new; /* since then */
    /* of a probe that was without power since: what its time begins at, and hits by statement before */
    uint64_t time_base;
    uint64_t *earlier;
    session_clock clock;
    bool resumed; /* the image is one for a target that runs already */
    bool waiting; /* for the target's reset */
    bool started; /* firmware, by this session: what comes is from it */
    bool hello, faulted, listening, enough, odd_statement;
    bool monitoring; /* it is neither being loaded nor asked for its closing figures */
    bool closing_run;
    bool gone_told;    /* it ends while the probe is unplugged, and the user knows */
    bool stands_still; /* the probe does not answer for the time being */
    bool done;         /* the firmware has told all it had to tell */
    uint32_t hello_checksum, fault, fault_detail;
} session;

/* events.c: takes one event of the link; context is the session. */
void es_session_event(void *context, const es_event *event);
/* tell.c: what the user is told besides hits. */
void es_session_note(session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void es_session_warn(session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void es_session_give(const session *s, es_record record); /* with the schema */
void es_session_console_bytes(void *context, const char *bytes, size_t size);
void es_session_console_end(session *s); /* a line that has no end */
void es_session_progress(session *s);    /* often: it is told now and then */
void es_session_note_latest(session *s); /* after events have come, or not: once for all of them */

/* resume.c: after a failure of the link because the probe was unplugged. Waits until it is back and goes on; true, too,
 * when the run is to end before that: by `stop`, or at `end` (es_session_wall_seconds). */
bool es_session_resume(session *s, double end, es_error *err);

/* The run has ended and the probe is gone: tells what that means, once. */
void es_session_ends_without(session *s);
/* What the link has lost since the latest time, up to `last`: nobody knows how much. */
void es_session_tell_link_loss(session *s, uint64_t last);

#define ES_SESSION_HELLO_MS 2000
#define ES_SESSION_WALL_S 60.0 /* the most that is waited for an answer while other things come */

/* side.c: checks the statements, and decides what evaluates them. *wrong gets the messages of all wrong ones but the
 * last. */
bool es_session_parse(session *s, es_text_buffer *wrong, es_error *err);
/* The probe that was met has no monitor: has the statements evaluated on the replay. Fails with ES_USAGE where that is
 * not wanted, or cannot be. */
bool es_session_move_to_replay(session *s, es_text_buffer *wrong, es_error *err);
void es_session_tell_shadows(session *s); /* what is evaluated on the replay, and why */

/* events.c: the image for the probe that was met. */
bool es_session_build_image(session *s, const es_probe_info *info, es_error *err);
void es_session_warn_of_image(session *s); /* what is to be known of what it observes */
bool es_session_check_fault(const session *s, es_error *err);

/* start.c: starts firmware that has been loaded and waits until it runs. Its first frame may get lost on the way: that
 * is one more frame missing, and no more. */
bool es_session_start(session *s, es_error *err);
bool es_session_check_hello(const session *s, es_error *err);
/* events.c: the first frame is lost; what comes from here on is this run's all the same. */
void es_session_hello_lost(session *s);

/* events.c: pumps events until *flag, for `ms` of the link's time in which nothing comes, and ES_SESSION_WALL_S at
 * most. */
bool es_session_wait_for(session *s, const bool *flag, int ms, es_error *err);

/* tell.c: of a clock that nothing sets. */
double es_session_wall_seconds(void);
static inline const char *es_session_program_name(const session *s)
{
    return s->options->program_name ? s->options->program_name : s->options->program;
}

/* account.c: whether all figures that the firmware ends with are here. */
bool es_session_figures_whole(const session *s);
/* Each hit that the firmware counted must have arrived or be counted as lost. Fails with ES_PROBE where that is not so.
 * To be asked after a whole run; adds to the link's losses what these can have hidden. */
bool es_session_account(session *s, es_error *err);
/* clock.c: of probes that are asked. Begins it; the probe's time begins at 0 again, which is the session's time_base;
 * and often, or `now`, in the end: asks the probe for its time when that is due, and tells. False: the link failed. */
void es_session_clock_begin(session *s);
void es_session_clock_restart(session *s);
bool es_session_clock(session *s, bool now, es_error *err);
/* verdicts.c: what the run has shown of each statement, once its figures are settled. */
void es_session_judge(session *s);

/* runs.c */
/* Run until the target ends, the time or the number of hits is reached, a signal comes, or stdout is closed. */
bool es_session_run_simulation(session *s, es_error *err);
bool es_session_run_hardware(session *s, es_error *err);
bool es_session_run_replay(session *s, es_error *err);

#endif
