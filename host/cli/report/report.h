/* What the user sees of a run: hits, gaps, the target's console, the summary; as text or as JSON Lines. */
#ifndef ES_CLI_REPORT_H
#define ES_CLI_REPORT_H

#include <stdio.h>

#include "cli/report/value.h"
#include "cli/session/expect.h"

typedef struct es_report_config {
    const es_symbols *symbols;
    const es_program *program;
    uint64_t clock_hz; /* of the tap's time */
    const struct es_report_form *form;
    bool quiet, color, utf8;
    bool times; /* hits have the four times */
} es_report_config;

extern const struct es_report_form es_report_text, es_report_json;

/* Totals of a run. */
typedef struct es_summary {
    uint64_t hits;
    uint64_t *statement_hits; /* by statement */
    es_evidence *evidence;    /* by statement: what expectations are judged by */
    uint32_t *counters;       /* by counter: ints */
    uint64_t lost_bus, lost_events, lost_link;
    uint64_t unknown;        /* evaluations that met unknown memory */
    uint64_t stack_switches; /* by hand: paths and locals are unknown from there on; 0 with tasks */
    uint64_t tasks_given_up; /* switches at which a task was given up because as many as can be are kept already */
    uint64_t torn; /* assignments in parts that were mixed with others or never completed: nothing was evaluated */
    bool complete; /* the probe's closing figures arrived */
    /* hits that the firmware counted and that are neither among those told nor lost; negative: too many came */
    int64_t unaccounted;
    bool exited; /* the target ended by itself, with exit_code */
    int exit_code;
    bool trapped;        /* a trap stopped it */
    bool halted;         /* an action `halt` did */
    uint64_t pulses[8];  /* by trigger pin, of the simulated probe */
    bool mismatch;       /* the target was seen to run another program */
    uint64_t cycles;     /* target clocks; 0 unknown */
    double wall_seconds; /* of the run */
    bool simulated;
} es_summary;

typedef struct es_report es_report;

es_report *es_report_new(const es_report_config *config);
void es_report_free(es_report *report);

void es_report_hit(es_report *report, const es_event *event);
void es_report_gap(es_report *report, const es_event *event);

/* Bytes that the target wrote to its console, in any portions. Shown by lines. */
void es_report_console(es_report *report, const char *bytes, size_t size);

/* A note for the user on stderr, unless quiet; a warning, always. */
void es_report_note(es_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void es_report_warn(es_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The times of a hit: occurrence, recognition, begin and end of its actions, in bus clocks. False when it does not tell
 * them. */
bool es_report_times(const es_report *report, const es_event *event, uint64_t times[4]);

void es_report_summary(es_report *report, const es_summary *summary);

/* True when stdout takes no more: its reader went away, or the disk is full. *error: errno of the first failure. */
bool es_report_closed(const es_report *report, int *error);

#endif
