/* One run of monitoring: from program and statements to records.
 *
 * A run blocks whoever calls it, and gives all it has to tell to a sink, from the same thread. Several may go on at the
 * same time, each in a thread of its own. */
#ifndef ES_SESSION_SESSION_H
#define ES_SESSION_SESSION_H

#include "base/text.h"
#include "lang/statement.h"
#include "record/record.h"
#include "session/target.h"
#include "transport/transport.h"

/* How a run comes to its probe. */
typedef struct es_session_probe {
    es_transport *transport;         /* open; the session closes it */
    const es_session_target *target; /* a simulated one that the session has to run; NULL: it runs by itself */
    void *target_context;
    enum es_origin origin;
    uint64_t clock_hz; /* of the tap, where what is opened knows it: a recording of inputs; 0: as the options say */
    bool recorded;     /* the transport plays a recording of a run: nothing answers */
    bool replay;       /* set by the session: statements are to be evaluated on the replay */
    /* set by the session: what a statement's hits depend on besides memory and path, in words; NULL: nothing */
    const char *remembers;
    uint64_t from, to;   /* of a recording of inputs: hits in [from, to) are told, in clocks; to 0: until its end */
    const char *earlier; /* why what was before is evaluated, too, in words; NULL: it need not be */
    bool live; /* what is replayed is a target that runs by itself: time goes on while nothing is heard of it */
} es_session_probe;

/* What evaluates the statements. */
enum es_session_side {
    ES_SIDE_EITHER, /* the probe where it can see all that they need, else the replay */
    ES_SIDE_PROBE,
    ES_SIDE_REPLAY,
};

typedef struct es_session_options {
    const char *program;      /* path of the ELF */
    const char *program_name; /* how the user calls it; NULL: by its path */
    const es_text *texts;     /* statements */
    size_t text_count;
    const char *probe_name; /* for messages: "file:run.rec" */
    uint64_t clock_hz;      /* of the tap */
    uint64_t for_ns;        /* ends after this time, 0: does not */
    uint64_t count;         /* ends after so many hits, 0: does not */
    bool attach;            /* the target runs already, and need not be reset */
    bool loaded;            /* its data is in memory as the program file has it, until it starts */
    bool start_up;          /* what start-up code writes is an event, too */
    bool allow_halt;        /* `halt` may stop the target */
    bool times;             /* hits tell when they were recognised and acted on */
    bool checked;           /* an earlier try has found nothing wrong with the statements: its probe was missing */

    enum es_session_side side;
    /* Where shadow cells may be (symbols/shadows.h). False: there is no replay, and *err says why. NULL: never is */
    bool (*shadows)(void *context, const es_symbols *symbols, uint32_t *base, uint32_t *size, es_error *err);
    /* Opens the probe, when program and statements are good. `console` is to be called with what a simulated target
     * writes to its console. */
    bool (*open)(void *context, const es_symbols *symbols, const es_session_console *console, es_session_probe *probe,
                 es_error *err);
    bool (*stop)(void *context); /* asked often: whether the run is to end now, with its summary */
    void (*over)(void *context); /* no more records come, and the schema is still there; NULL: nobody wants to know */
    void *context;
} es_session_options;

/* What a command needs to know of a run besides its records. */
typedef struct es_session_result {
    es_text_buffer wrong; /* messages of all wrong statements but the last, each with a line's end; for the caller to
                             free */
    bool began;           /* there is a summary */
    bool lost, complete;  /* anything was lost; the closing figures arrived */
    bool trapped, exited; /* how a simulated target ended */
    int exit_code;
    bool failed, unknown; /* an expectation was not met; of one it is open */
} es_session_result;

/* Runs until the target ends, the time or the number of hits is reached, or `stop` says so. */
bool es_session_run(const es_session_options *options, const es_sink *sink, es_session_result *result, es_error *err);

#endif
