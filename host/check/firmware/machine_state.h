/* Inside of the machine: the state of a walk over its code, as it is while code runs and as it is kept. */
#ifndef ES_CHECK_MACHINE_STATE_H
#define ES_CHECK_MACHINE_STATE_H

#include "base/arena.h"
#include "check/firmware/machine.h"
#include "isa/rv32/rv32.h"

enum { STACK_WORDS = 128, KEPT_MAX = 8 };

/* A return address that code keeps in RAM. */
typedef struct kept {
    uint32_t address; /* 0: none; ascending, those first */
    uint32_t to;
} kept;

typedef struct state {
    uint32_t pc;
    kept kept[KEPT_MAX];
    es_check_word followed; /* machine->followed */
    es_check_word regs[32];
    es_check_word stack[STACK_WORDS];
    uint32_t padding; /* always 0: words are packed by fours */
} state;

enum {
    STATE_WORDS = sizeof(state) / sizeof(uint32_t),
    MASKS = (STATE_WORDS + 31) / 32,
    PACKED_MAX = STATE_WORDS + MASKS + 1,
};
_Static_assert(STATE_WORDS % 4 == 0, "words are packed by fours");

/* A state as it is kept: a bit for each of its words, then those that are not 0. */
typedef struct packed {
    uint32_t count;
    const uint32_t *words;
} packed;

/* States from which the worst case is known, or being looked for. */
typedef struct memo {
    packed at;
    uint32_t worst;
    bool open; /* being looked for: meeting it again is a loop without an end */
} memo;

/* An instruction after which there are several paths, of which some have been followed. */
typedef struct fork {
    packed at;
    size_t memo;     /* number of the one that the way to here began with; NONE: the run itself */
    uint32_t clocks; /* of the way to here */
    uint32_t worst;  /* of the paths followed so far */
    uint32_t next, count;
} fork_point;

typedef struct walk {
    const es_check_machine *machine;
    memo *memos;
    size_t *table; /* hash table of them: number + 1 */
    size_t room, count;
    fork_point *forks;
    size_t fork_count, fork_room;
    es_arena *arena;
    es_error *err;
} walk;

/* The instruction at an address of the machine's memory. */
es_insn es_machine_insn(const es_check_machine *m, uint32_t pc);

/* What a load instruction finds. */
es_check_word es_machine_load(const walk *w, const state *s, es_insn insn, es_check_word address);

/* Follows a store instruction. False: w->err. */
bool es_machine_store(const walk *w, state *s, es_insn insn, es_check_word address, es_check_word value);

/* Returns how many words the packed state has. */
uint32_t es_machine_pack(const state *s, uint32_t to[PACKED_MAX]);
void es_machine_unpack(packed from, state *s);
/* A copy in the walk's arena. */
packed es_machine_keep_packed(walk *w, const uint32_t *words, uint32_t count);

/* The place of a packed state in w->table; 0 there: it is new. Makes room for it. */
size_t *es_machine_find(walk *w, const uint32_t *words, uint32_t count);

/* Forgets words of the stack that do not matter from the instruction at `pc` on; what of stack and registers does not
 * from s->pc on. So fewer states differ. */
void es_machine_forget_words(const walk *w, state *s, uint32_t pc);
void es_machine_forget_dead(const walk *w, state *s);

#endif
