/* One run of monitoring: from program and statements to the summary. */
#ifndef ES_CLI_SESSION_H
#define ES_CLI_SESSION_H

#include "lang/statement.h"

enum es_probe_kind { ES_PROBE_SIM, ES_PROBE_FTDI, ES_PROBE_UART, ES_PROBE_FILE };

typedef struct es_session_options {
    const char *program;  /* path of the ELF */
    const es_text *texts; /* statements */
    size_t text_count;
    enum es_probe_kind probe;
    const char *probe_name; /* FTDI: serial number or NULL; UART: device; FILE: path */
    unsigned baud;          /* UART: 0: ES_UART_BAUD */
    unsigned ratio;         /* sim: probe clocks per bus clock, 0 elastic */
    uint32_t seed;          /* sim: of the target's random numbers */
    uint64_t for_ns;        /* ends after this time, 0: does not */
    uint64_t count;         /* ends after so many hits, 0: does not */
    uint64_t clock_hz;      /* of the tap, 0: the simulation's */
    const char *record;     /* file for the probe's bytes, or NULL */
    const char *dump_ir;    /* no run: prints the monitor IR after this pass (cli/commands/dump.h); NULL: a run */
    bool json, quiet, color, utf8;
    bool attach;         /* the target runs already, and need not be reset */
    bool loaded;         /* its data is in memory as the program file has it, until it starts */
    bool start_up;       /* what start-up code writes is an event, too */
    bool allow_halt;     /* `halt` may stop the target */
    bool times;          /* hits tell when they were recognised and acted on */
    bool allow_unknown;  /* an expectation that was not decided does not fail the run */
    bool fail_on_loss;   /* exit 4 when anything was lost */
    bool pass_exit_code; /* exit as the target's program did */
} es_session_options;

/* Runs until the target ends, the time or the number of hits is reached, a signal comes, or stdout is closed. Returns
 * the exit code; failures are told on stderr. */
int es_session_run(const es_session_options *options);

#endif
