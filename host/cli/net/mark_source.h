/* Where the marks of a program come from: the simulated multi-core target, through its probe or straight from its taps;
 * a probe on a board; a recording of what a probe sent (docs/marks.md, "From tap to host"). */
#ifndef ES_CLI_MARK_SOURCE_H
#define ES_CLI_MARK_SOURCE_H

#include "access/choice.h"
#include "multi/recorder.h"
#include "net/marks/calibration.h"

/* Marks that were lost between two that came. */
typedef struct es_mark_gap {
    uint64_t lost; /* how many records; of a mark that came without its end 1 */
    /* times between which they were lost, both included; last INT64_MAX: no mark came after them */
    int64_t first, last;
    unsigned cores;    /* bit c: of core c. Never 0: where it is not known whose, all have theirs */
    const char *where; /* "bus", "events", "link" or "end": a mark came, but not its place or end */
} es_mark_gap;

typedef struct es_mark_source_options {
    enum es_probe_kind probe;
    const char *probe_name; /* FTDI: serial number or NULL; UART: device; FILE: path */
    unsigned baud;          /* UART: 0: ES_UART_BAUD */
    bool taps;              /* SIM: no probe; what the taps see is told at once */
    unsigned ratio;         /* SIM: probe clocks per bus clock, 0 elastic */
    const char *record;     /* file for the probe's bytes, or NULL */
    /* What each mark costs, or NULL: for marks of several instructions, of which a tap hands on the last one only. For
     * the simulated target it is measured where it is needed and not given. */
    const es_net_cost *costs;
    size_t cost_count;
    es_recorder_options target; /* also its callbacks. `markless` only with `taps`; latency only for SIM */
    /* Marks were lost. In the order of the marks: between those before and those after. */
    void (*on_gap)(void *context, const es_mark_gap *gap);
} es_mark_source_options;

typedef struct es_mark_source es_mark_source;

/* Opens the source and makes it ready for the first clock; a board's target runs already. NULL with an error. The
 * strings and costs of the options must outlive it. */
es_mark_source *es_mark_source_open(const es_mark_source_options *options, es_error *err);
void es_mark_source_close(es_mark_source *source); /* NULL is fine */

/* Goes on for at most so many clocks (SIM), or some milliseconds or bytes. *ended once nothing more will come: all
 * cores have exited, the recording is over, or a signal came. Errors as of es_recorder_run, and ES_PROBE, ES_USAGE when
 * what comes does not fit the programs. */
bool es_mark_source_run(es_mark_source *source, uint64_t clocks, bool *ended, es_error *err);

/* Nothing more is wanted of the target: tells all that is still under way. */
bool es_mark_source_finish(es_mark_source *source, es_error *err);

uint64_t es_mark_source_clocks(const es_mark_source *source); /* of the target, as far as is known */
/* all marks before this clock have been told, or were lost */
uint64_t es_mark_source_seen(const es_mark_source *source);
bool es_mark_source_complete(const es_mark_source *source); /* the program itself has ended, and all its marks came */

#endif
