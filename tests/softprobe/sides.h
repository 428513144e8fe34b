/* One program with its statements on two probes: the RTL (the simulated world) and the one in software, which is fed with
 * what the target did on its bus. What both send is to be the same. */
#ifndef TESTS_SOFTPROBE_SIDES_H
#define TESTS_SOFTPROBE_SIDES_H

#include "lang/statement.h"
#include "sim.h"
#include "softprobe/softprobe.h"
#include "symbols/symbols.h"

/* All event frames of a run, as words; RESPONSEs apart. */
typedef struct frame_log {
    uint32_t *words;
    size_t count, room;
    size_t hits, paths, others;
    bool hello, done;
} frame_log;

/* What happened on the bus, as softprobes take it. */
typedef struct bus_log {
    es_machine_access *accesses;
    uint64_t *times;
    size_t count, room;
    uint64_t cycles; /* in all */
    int state;       /* es_sim_state */
} bus_log;

typedef struct run_options {
    const char *program; /* path */
    const es_text *texts;
    size_t text_count;
    uint32_t seed;
    uint64_t clocks_most; /* the target is stopped then; 0: it ends by itself */
    unsigned rounds;      /* software: so many times the same again, as if the target were reset; 0: once */
} run_options;

/* Both fail with a message in *err: wrong statements (ES_USAGE), or what should not be. */
bool run_on_rtl(const run_options *options, frame_log *frames, bus_log *traffic, es_error *err);
bool run_on_software(const run_options *options, const bus_log *traffic, frame_log *frames, es_error *err);

void frames_free(frame_log *frames);
void traffic_free(bus_log *traffic);
void traffic_add(bus_log *traffic, const es_sim_access *access);

/* Index of the first word that differs; SIZE_MAX: none. */
size_t frames_differ(const frame_log *a, const frame_log *b);

/* As the simulated probe's parameters. */
es_softprobe_options softprobe_as_simulated(void);

#endif
