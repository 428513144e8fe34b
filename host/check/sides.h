/* On which side statements are guaranteed: by the monitor, which is the probe's own firmware (check.h), or by the
 * replay of what its recorder sends (recorder.h). docs/check.md, "Either side". */
#ifndef ES_CHECK_SIDES_H
#define ES_CHECK_SIDES_H

#include "base/text.h"
#include "check/check.h"
#include "check/recorder.h"

/* What one side says of one statement. */
typedef struct es_check_side {
    bool guaranteed;
    bool alone;         /* guaranteed: only without the other statements of the run */
    const char *why;    /* not guaranteed: in a sentence */
    const char *place;  /* not guaranteed: lines at fault; NULL: none */
    const char *advice; /* not guaranteed: what would make it fit; NULL: nothing is known */
} es_check_side;

typedef struct es_check_statement {
    const char *name;
    es_check_side monitor, replay;
} es_check_statement;

enum es_check_chosen { ES_CHECK_NEITHER, ES_CHECK_MONITOR, ES_CHECK_REPLAY };

typedef struct es_check_sides {
    enum es_check_chosen side; /* that guarantees all statements in one run: the monitor where both do */
    es_check_report monitor;   /* of all statements at once. Not `judged`: nothing but `why` */
    bool judged;               /* the monitor can take them all at once, however fast */
    es_check_recorder_report replay;
    es_check_statement *statements;
    size_t count;
    size_t by_monitor, by_replay, by_neither; /* statements; by_replay: and not by the monitor */
    const es_program *program;                /* the statements */
    struct es_check_reading *readings[2];     /* private */
    es_arena *arena;
} es_check_sides;

/* What check.h asks of a probe as recorder.h does. */
es_check_recorder_options es_check_recorder_of(const es_probe_limits *limits, const es_check_options *options);

/* Fails with ES_USAGE where statements are wrong whichever side evaluates them, and where es_check_run fails. *earlier
 * gets the messages of all wrong statements but the last, as of es_program_parse_all. */
bool es_check_sides_run(const char *program, const es_text *texts, size_t count, const es_probe_limits *limits,
                        const es_check_options *options, es_check_sides *sides, es_text_buffer *earlier, es_error *err);
void es_check_sides_free(es_check_sides *sides);

#endif
