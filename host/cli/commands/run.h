/* A session in the foreground: its records as a report, its end as an exit code. */
#ifndef ES_CLI_COMMANDS_RUN_H
#define ES_CLI_COMMANDS_RUN_H

#include "access/open.h"
#include "client/client.h"
#include "report/report.h"
#include "session/session.h"

typedef struct es_run_options {
    bool json, quiet, no_color;
    bool statistics;                  /* they alone are shown */
    uint64_t every_ns;                /* statistics are shown so often, in the target's time; 0: at the end */
    bool allow_unknown;               /* an expectation that was not decided does not fail the run */
    bool fail_on_loss;                /* exit 4 when anything was lost */
    bool pass_exit_code;              /* exit as the target's program did */
    bool daemon, no_daemon;           /* the daemon is to run it; it is not to */
    const char *socket;               /* the daemon's; NULL: where it usually is */
    const char *joined;               /* a run of the daemon that is looked at; NULL: one of one's own */
    const char *runs[ES_SEVERAL_MAX]; /* those that were named: the last is `joined` */
    size_t run_count;
    bool all_runs;                                         /* all of the daemon's are looked at */
    const char *out;                                       /* directory of a trace; NULL: none is kept */
    const char *lcov;                                      /* file for which lines ran; NULL: none */
    uint64_t rotate_bytes, rotate_ns, keep_bytes, keep_ns; /* of it: es_trace_options */
    bool records;     /* hits go into a trace and are not shown; in the daemon, which goes on by itself */
    const char *name; /* of a run in the daemon; NULL: as its probe */
} es_run_options;

/* Runs until the target ends, the time or the number of hits is reached, a signal comes, or stdout is closed. Returns
 * the exit code; failures are told on stderr. */
int es_run(const es_session_options *given, es_access *access, const es_run_options *options);

/* How it is shown: on stdout and stderr. */
es_report_config es_run_report(const es_run_options *options);

/* The exit code of a run that went well itself; tells on stderr when the report could not be written. */
int es_run_exit_code(const es_session_result *result, const es_run_options *options, const es_report *report,
                     bool simulated);

/* The same of what the run has shown, whatever became of the report. */
int es_run_result_code(const es_session_result *result, const es_run_options *options);

/* Whether results on stdout are to have colours: it is a terminal that has them, and nobody has said no. */
bool es_run_shows_color(const es_run_options *options);

#endif
