/* What the figures of `make bench` share: a program with its statements, a simulated probe that watches it, clocks, and
 * where figures go. */
#ifndef ES_BENCH_H
#define ES_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"
#include "lang/statement.h"
#include "sim.h"
#include "transport/command.h"

/* A program, its statements, and what was heard of the last run that watched it. */
typedef struct bench {
    const char *path;
    es_symbols *symbols;
    es_program program;
    uint64_t hits;
} bench;

/* A simulated world with the bench's program in the target's memory. */
typedef struct bench_run {
    es_sim *sim;
    es_transport *transport;
    es_link *link; /* hits go to the bench */
} bench_run;

/* Prints why and ends the program: figures of a run that went wrong are worth nothing. */
_Noreturn void bench_fail(const es_error *err);

/* Seconds of a clock. */
double bench_seconds(clockid_t clock);

/* Opens a program; the statements are copied from nowhere and must stay as long as the bench. */
void bench_open(bench *b, const char *path, const es_text *text);
void bench_close(bench *b);

/* A world as sim.h has them; ratio: probe clocks per bus clock. */
void bench_start(bench *b, bench_run *run, enum es_sim_world world, unsigned ratio);
/* Loads firmware and image and starts the soft core; the target is still held. */
void bench_boot(bench *b, bench_run *run);
/* Takes all frames that have arrived. */
void bench_listen(bench_run *run);
void bench_end(bench_run *run);

/* Tells a figure under a name for machines; all of them are written by bench_write_json, in order. */
void bench_figure(const char *name, double value);
bool bench_write_json(const char *path);

/* The parts, in the order in which they are printed. */
void bench_speed(bench *b);
void bench_core(bench *b);
void bench_machine(const char *path);  /* of a program that computes */
void bench_statements(const bench *b); /* over the variables of examples/thermostat */
void bench_latency(bench *isolated, bench *busy);
void bench_first_hit(const char *earshot, const char *program, const char *statements);

#endif
