/* gdb's threads: the tasks of the program's kernel at a moment, and registers of each.
 *
 * A thread is told by its task's number, and so is the same at all moments. Where no task runs, and in programs without
 * a kernel, the processor is a thread, ES_GDB_PROCESSOR; and where it was one at the last stop, as gdb cannot go on
 * from a thread that is no more. */
#ifndef ES_GDB_THREADS_H
#define ES_GDB_THREADS_H

#include "gdb/rest.h"

#define ES_GDB_PROCESSOR 1u

/* A task that is there at the present moment. */
typedef struct es_gdb_thread {
    uint32_t id;
    const char *state;     /* as it is shown: "running", "blocked", ... */
    bool runs, has_run;    /* has_run: `left` and `before` are known */
    uint64_t left, before; /* moments of the switch by which its stack was left, and of the one before that */
} es_gdb_thread;

/* What a task was left with by a switch, once it was looked for. */
typedef struct es_gdb_left {
    uint64_t left, before;
    es_gdb_rest rest;
} es_gdb_left;

typedef struct es_gdb_threads {
    es_gdb_tasks tasks;
    es_gdb_switches switches;
    uint32_t told; /* the thread of the last stop, which gdb has for alive until the next one; 0: none yet */
    /* private */
    es_gdb_thread list[ES_GDB_LISTED_MOST];
    size_t count;
    uint64_t listed_at; /* count 0: nothing is listed */
    uint32_t listed_told;
    es_gdb_left *rests; /* of `rest_count` and more */
    size_t rest_count;
} es_gdb_threads;

/* Follows movements of `past`, which belongs to the caller. variable: as es_gdb_tasks_init. */
bool es_gdb_threads_init(es_gdb_threads *threads, es_past *past, const es_symbols *symbols, const char *variable,
                         es_error *err);
void es_gdb_threads_free(es_gdb_threads *threads);

/* The thread that runs at the present moment: on whose stack the code runs. */
uint32_t es_gdb_threads_running(es_gdb_threads *threads);

/* Those that are there at the present moment, by ascending numbers; they are valid until the next call. */
size_t es_gdb_threads_list(es_gdb_threads *threads, const es_gdb_thread **list);

/* One of them; NULL: there is no such thread now. */
const es_gdb_thread *es_gdb_threads_find(es_gdb_threads *threads, uint32_t id);

/* Where it stands, of one that does not run; its `known` may be false. Valid until the next call. */
const es_gdb_rest *es_gdb_threads_rest(es_gdb_threads *threads, const es_gdb_thread *thread);

/* Adds what a thread is called; false, nothing: it has no name but what it is ("no task", "program": es_gdb_thread's
 * state). */
bool es_gdb_threads_name(es_text_buffer *out, es_gdb_threads *threads, const es_gdb_thread *thread);

#endif
