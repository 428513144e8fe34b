/* Which task ran when: where a recording's program goes from one stack to another, and whose control block the kernel's
 * variable names then. What was passed once is kept. */
#ifndef ES_GDB_SWITCHES_H
#define ES_GDB_SWITCHES_H

#include "gdb/tasks.h"
#include "replay/past.h"

/* So far back it is looked for tasks that have run before a moment: instructions, and switches. */
#define ES_GDB_LOOK_BACK (UINT64_C(1) << 25)
#define ES_GDB_SWITCHES_BACK (1u << 16)

/* An instruction at which the stack becomes another one, or may. */
typedef struct es_gdb_switch {
    uint64_t moment; /* before it */
    uint32_t task;   /* the variable then: whose stack it will be, but of a stack for interrupts */
} es_gdb_switch;

typedef struct es_gdb_stretch {
    uint64_t from, to;
} es_gdb_stretch;

typedef struct es_gdb_switches {
    es_past *past;
    const es_gdb_tasks *tasks;
    /* private */
    uint32_t *code; /* the instructions */
    size_t code_count;
    es_gdb_switch *all; /* by moment */
    size_t count, room;
    es_gdb_switch *fresh; /* of the stretch in which it moves: not in `all` yet */
    size_t fresh_count, fresh_room;
    es_gdb_stretch *known; /* in which all are known: apart from each other, by moment */
    size_t known_count;
} es_gdb_switches;

/* Follows movements of `past`, from now on. Both belong to the caller; tasks may be without a kernel. */
void es_gdb_switches_init(es_gdb_switches *switches, es_past *past, const es_gdb_tasks *tasks,
                          const es_symbols *symbols);
void es_gdb_switches_free(es_gdb_switches *switches);

/* Makes those known that es_gdb_switches_before tells at the present moment, and is there again. Where the replay
 * fails, they stay unknown before that. */
void es_gdb_switches_look_back(es_gdb_switches *switches);
/* The same of at least the last one before the present moment. */
void es_gdb_switches_look(es_gdb_switches *switches);

/* Those that are known without a gap before a moment, at most ES_GDB_SWITCHES_BACK and not more than ES_GDB_LOOK_BACK
 * before it: [*from, *to) of `all`. */
void es_gdb_switches_before(const es_gdb_switches *switches, uint64_t moment, size_t *from, size_t *to);

/* The next one from the present moment on, at most `most` instructions after it; NULL: there is none. Valid until the
 * next movement. The timeline is where it was. */
const es_gdb_switch *es_gdb_switches_next(es_gdb_switches *switches, uint64_t most);

/* Whether there is none before the first of es_gdb_switches_before. */
bool es_gdb_switches_from_start(const es_gdb_switches *switches, uint64_t moment);

/* Whether the instruction at an address is one. */
bool es_gdb_switches_at(const es_gdb_switches *switches, uint32_t pc);

#endif
