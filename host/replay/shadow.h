/* What the shadow cells hold (symbols/shadows.h) while a machine executes the program: each assignment to a variable
 * that is not in memory as a write to its cell, each change of what is known of it as a poke. What counts as an
 * assignment: docs/replay.md, "Shadow cells".
 *
 * The tracker is fed with what a machine tells its listener, and looks at the machine then. What an instruction has
 * done is told when the next one is about to be executed: after the one's accesses, before the other's fetch. */
#ifndef ES_REPLAY_SHADOW_H
#define ES_REPLAY_SHADOW_H

#include "machine/machine.h"
#include "symbols/shadows.h"

typedef struct es_shadow_tracker es_shadow_tracker;

typedef struct es_shadow_told {
    /* An assignment: the word at this address is this now; bits that are not known are ones in `unknown` and zeros in
     * `word`. All of it is written, also where the variable has fewer bytes: nobody else has the rest, and a word of
     * which a part was never told would not be known. */
    void (*write)(void *context, uint32_t address, uint32_t word, uint32_t unknown);
    /* The word has become this, and that is no assignment. freed: what it points to, if it is a pointer, has been given
     * back to the allocator since it was assigned. */
    void (*poke)(void *context, uint32_t address, uint32_t word, uint32_t unknown, bool freed);
    void *context;
} es_shadow_told;

/* Where in a part of the execution something belongs that the tracker tells (shadow_notes.h). */
typedef struct es_shadow_place {
    size_t access; /* told before this access, an index into the part's */
    bool follows;  /* with the one before; else before an instruction's fetch, which is that access */
} es_shadow_place;

/* While one of these is called: the word with why bits are unknown (es_shadow_why) in bytes that are unknown as a
 * whole. */
uint32_t es_shadow_tracker_marked(const es_shadow_tracker *tracker, uint32_t word, uint32_t unknown);

/* For all cells that somebody has named so far. Machine and symbols have to live as long as it does. */
es_shadow_tracker *es_shadow_tracker_new(const es_symbols *symbols, const es_machine *machine,
                                         const es_shadow_told *told);
void es_shadow_tracker_free(es_shadow_tracker *tracker);

/* Before anything is executed, and after the machine was moved to another moment: nothing is known of activations,
 * all cells but those of registers and of constants are unknown, and are told so. An activation that is on the stack
 * already becomes known when execution comes back to it. */
void es_shadow_tracker_begin(es_shadow_tracker *tracker);

/* Whether all that it tells after a beginning in the middle of an execution is what it tells after one at the start,
 * but for results and registers, until those have been told. For a moment at which code of the procedures with these
 * first instructions has activations, and no other, nor interrupts. */
bool es_shadow_tracker_may_begin(const es_shadow_tracker *tracker, const uint32_t *entries, size_t count);

/* As es_machine_listener's: `insn` before the fetch is shown to anybody, `access` after it was: at a return, whoever
 * hears its fetch sees the variables as the procedure has left them; what its caller has is told afterwards. */
void es_shadow_tracker_insn(es_shadow_tracker *tracker, uint32_t pc);
void es_shadow_tracker_access(es_shadow_tracker *tracker, const es_machine_access *access);
void es_shadow_tracker_sets(es_shadow_tracker *tracker, unsigned reg);
void es_shadow_tracker_trap(es_shadow_tracker *tracker);

#endif
