/* The proof that the probe keeps up with a program and a set of statements (docs/check.md). */
#ifndef ES_CHECK_CHECK_H
#define ES_CHECK_CHECK_H

#include "base/arena.h"
#include "check/terms.h"
#include "image/image.h"

typedef struct es_check_options {
    es_check_ratio ratio;  /* soft core clocks per bus clock */
    int64_t interrupt_gap; /* bus clocks between two interrupts, at least; 0: not known */
    int64_t epoch_gap;     /* bus clocks between two epochs */
    /* that ever run, at most, main's stack counted; 0: not known. The probe keeps the paths of 9 */
    uint32_t tasks;
    /* activations that nest, at most, 0: not known. The probe keeps the path of ES_MI_STACK_DEPTH */
    uint32_t nest;
    uint32_t levels;      /* interrupt handlers that are active at once, at most, 0: not known */
    uint32_t wait;        /* states that each access of the target waits, at least */
    uint32_t instruction; /* bus clocks that the target takes for an instruction, at least; 0: the reference target's */
    bool other_core;      /* the target is not the reference target */
    uint32_t fifo;        /* records that the FIFO holds */
    uint32_t event_words; /* words that the event queue holds */
    double words_per_clock;   /* that the link takes from it, per soft core clock */
    uint32_t recorder_bytes;  /* that the recorder's buffer holds; 0: there is no recorder */
    unsigned recorder_period; /* log2 of the bus clocks between its heartbeats */
    bool window_is_all;       /* phantom memory covers all addresses of the bus, devices among them */
    /* stores through pointers may go anywhere, not only into objects that their address was made from */
    bool any_store;
    bool single_port;          /* phantom memory has one port: a record takes two clocks */
    es_check_service *service; /* of this image, which knows costs from earlier checks; NULL: one is made */
    /* of this program and with these options, from earlier checks (target/analysis.h); NULL: it is analysed */
    struct es_check_analysis *analysis;
    /* es_check_sides_run alone: called with done 0 at first, whenever a statement has been checked by itself, and with
     * done == count once it is over; NULL: nobody asks */
    void (*progress)(size_t done, size_t count);
} es_check_options;

/* Sorts of events, as reports name them. */
#define ES_CHECK_SORTS \
    { \
        "write", "write_part", "call", "return", "interrupt", "at", "mark", "read", "switch" \
    }

/* What the check tells of one kind of event at one place. */
typedef struct es_check_event {
    enum es_check_event_kind kind;
    const char *sort;       /* one of ES_CHECK_SORTS */
    uint32_t address;       /* armed word */
    size_t key;             /* its number among the image's keys, or (read) among the words armed for reads */
    const char *what;       /* "write plant.temp", "call control", "return into main" */
    const char *statements; /* names of those that it concerns, comma separated; "" when it only moves the path */
    uint32_t clocks;        /* worst case, soft core clocks */
    uint64_t holding;       /* shortest time to the next event, bus clocks; ES_CHECK_FOR_EVER: none follows */
    const char *place;      /* where it can come from soonest before the next one: "file:line"; NULL not known */
} es_check_event;

enum es_check_observability { ES_CHECK_OBSERVABLE, ES_CHECK_STATISTICALLY, ES_CHECK_NOT_OBSERVABLE };

typedef struct es_check_report {
    bool guaranteed;
    enum es_check_observability observability;
    es_check_event *events; /* by kind, then address */
    size_t event_count;
    const char *condition; /* guaranteed: while this holds too; NULL: always */
    const char *why;       /* not guaranteed: in a sentence */
    const char *place;     /* not guaranteed: lines at fault, "file:12-17 (name)"; NULL: none */
    const char *advice;    /* not guaranteed: what would make it fit */
    double backlog;        /* soft core clocks, when bounded */
    const char *backlog_place;
    uint32_t fifo_needed; /* records, when bounded */
    double words_needed;  /* in the event queue, when bounded */
    uint32_t idle; /* what a pass of the firmware's main loop without a hit takes, in soft core clocks at worst */
    double mail;   /* soft core clocks until there is one, at most, when bounded; below 0: no bound is known */
    /* smallest ratio at which the backlog is bounded, in quarters; core 0: none up to 1000 */
    es_check_ratio least_ratio;
    es_arena *arena;
} es_check_report;

/* Fails when the question cannot be answered at all: the program's code cannot be followed, firmware without bound. */
bool es_check_run(const es_symbols *symbols, const es_program *program, const es_image *image,
                  const es_probe_limits *limits, const es_check_options *options, es_check_report *report,
                  es_error *err);
void es_check_report_free(es_check_report *report);

#endif
