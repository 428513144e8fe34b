/* What a tracker of shadow cells (shadow.h) looks at while a part of the program is executed, noted: so that machines
 * of their own can execute the parts at the same time, and one tracker follows the parts' notes in their order. It
 * then tells what it tells of a machine that executes all of them.
 *
 * What matters is known before: where debug information changes a variable's place, what sets the registers and
 * memory on which values stand, calls, returns, traps. So a note needs no activation, and nothing of the parts
 * before. */
#ifndef ES_REPLAY_SHADOW_NOTES_H
#define ES_REPLAY_SHADOW_NOTES_H

#include "replay/shadow.h"

/* A register as it is at a note, that may have changed since the one before. */
typedef struct es_shadow_register_note {
    uint64_t value, unknown;
    unsigned reg;
} es_shadow_register_note;

/* Before an instruction there is something to look at. */
typedef struct es_shadow_note {
    size_t access;        /* the instruction's fetch, an index into the part's accesses */
    size_t registers;     /* noted up to here */
    uint64_t set;         /* registers that the instruction before has set */
    uint64_t since;       /* ... and all that were set since the note before */
    uint32_t before;      /* ... its address */
    uint32_t interrupted; /* what the trap between them has interrupted; 0: that is not known */
    bool looks, trapped;
    bool jumps; /* where that matters: the instruction is a jump */
} es_shadow_note;

/* Memory that others than the program have changed. */
typedef struct es_shadow_memory_note {
    size_t access; /* the next one */
    uint32_t address, words[2], unknown[2];
} es_shadow_memory_note;

/* Of one part. All zeros: none. */
typedef struct es_shadow_notes {
    es_shadow_note *notes; /* the first one is of the part's first instruction, and has nothing of the one before */
    size_t count, room;
    es_shadow_register_note *registers;
    size_t register_count, register_room;
    uint32_t *stores; /* indexes of accesses; only where memory matters, and of the allocator */
    size_t store_count, store_room;
    es_shadow_memory_note *changes; /* the same */
    size_t change_count, change_room;
    uint64_t set;   /* by the part's last instruction */
    uint64_t since; /* by those since the last note, before it */
    uint32_t last;  /* ... its address */
    bool stored, trapped;
} es_shadow_notes;

void es_shadow_notes_free(es_shadow_notes *notes);

/* --- while a part is executed --- */

typedef struct es_shadow_noter es_shadow_noter;

/* It notes what this tracker would look at, on a machine. Both live as long as it does; nothing of the tracker changes,
 * so that others may use it meanwhile. */
es_shadow_noter *es_shadow_noter_new(const es_shadow_tracker *tracker, es_machine *machine);
void es_shadow_noter_free(es_shadow_noter *noter);

/* Before the part's first instruction is executed; the notes are emptied. */
void es_shadow_noter_begin(es_shadow_noter *noter, es_shadow_notes *notes);
/* As es_machine_listener's; `at`: the access's index in the part. A fetch stands for its instruction. */
void es_shadow_noter_access(es_shadow_noter *noter, const es_machine_access *access, size_t at);
void es_shadow_noter_sets(es_shadow_noter *noter, unsigned reg);
void es_shadow_noter_trap(es_shadow_noter *noter);
/* As es_timeline_hear_changes' and _restarts'. */
void es_shadow_noter_changed(es_shadow_noter *noter, uint32_t address);
void es_shadow_noter_restarted(es_shadow_noter *noter);
/* After its last instruction; `at`: how many accesses it has. */
void es_shadow_noter_end(es_shadow_noter *noter, size_t at);

/* --- afterwards --- */

/* Made without a machine (es_shadow_tracker_new). memory: a machine that has the memory as it is before the first part,
 * in which the tracker keeps it; NULL is fine where es_shadow_tracker_needs_memory says no. */
bool es_shadow_tracker_needs_memory(const es_shadow_tracker *tracker);
void es_shadow_tracker_use_memory(es_shadow_tracker *tracker, es_machine *memory);

/* The next part: its notes and accesses. Begins with the first one. */
void es_shadow_tracker_follow(es_shadow_tracker *tracker, const es_shadow_notes *notes,
                              const es_machine_access *accesses, size_t count);

/* While it tells: where that belongs. */
es_shadow_place es_shadow_tracker_place(const es_shadow_tracker *tracker);

#endif
