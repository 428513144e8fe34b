/* From an execution, instruction by instruction, to a trace without times: what runs is cut into basic blocks, by
 * thread; calls of the library of threads become abstract events; what the library's kernel does for them becomes what
 * they cost. */
#ifndef ES_PREDICT_FOLLOW_H
#define ES_PREDICT_FOLLOW_H

#include "machine/machine.h"
#include "predict/code.h"
#include "predict/library.h"
#include "predict/trace.h"

typedef struct es_predict_follower es_predict_follower;

/* Listens to the machine from now on, which is at its reset. All outlive the follower. */
es_predict_follower *es_predict_follow(es_machine *machine, const es_predict_code *code,
                                       const es_predict_library *library, es_predict_trace *trace);

/* From now on it is looked at, too, whether ways hang on what threads tell each other in memory: of a machine that
 * executes. */
void es_predict_follow_memory(es_predict_follower *follower);

/* Where registers and memory come from when it is not a machine that executes. */
typedef struct es_predict_source {
    void (*registers)(void *context, es_machine_registers *registers); /* ra, a0 and a1 at the least */
    uint32_t (*word)(void *context, uint32_t address);
    void *context;
} es_predict_source;

/* From now on what is executed is told by these, in the way a machine tells it, and no machine is listened to. */
void es_predict_follow_by(es_predict_follower *follower, const es_predict_source *source);
void es_predict_follow_insn(es_predict_follower *follower, uint32_t pc);
void es_predict_follow_access(es_predict_follower *follower, const es_machine_access *access);

uint64_t es_predict_follow_clocks(const es_predict_follower *follower); /* since the reset */

/* It is a core that runs no thread yet. */
void es_predict_follow_core(es_predict_follower *follower);
/* The core has slept up to now. */
void es_predict_follow_woken(es_predict_follower *follower);
/* Everything that an experiment is made for has been seen: a thread picked; a core woken, and none woken. */
bool es_predict_follow_picked(const es_predict_follower *follower);
bool es_predict_follow_belled(const es_predict_follower *follower);

/* An event of the kind has been seen to its end, and how it went; way may be NULL. */
bool es_predict_follow_seen(const es_predict_follower *follower, enum es_predict_kind kind, unsigned *way);

/* ... and that it has come back without waiting, or from waiting. */
bool es_predict_follow_left(const es_predict_follower *follower, enum es_predict_kind kind);
bool es_predict_follow_back(const es_predict_follower *follower, enum es_predict_kind kind);

/* The machine would take an interrupt. */
bool es_predict_follow_open(const es_machine *machine);

/* An interrupt of the kernel's own has been seen to keep its thread; a thread to go on that one had stopped. */
bool es_predict_follow_kept(const es_predict_follower *follower);
bool es_predict_follow_went_on(const es_predict_follower *follower);

/* Nothing comes any more. The trace gets its last events and costs; false, ES_USAGE: the execution is none of threads
 * that can be understood. Frees the follower. */
bool es_predict_follow_end(es_predict_follower *follower, es_error *err);

/* What has been wrong so far; NULL: nothing. */
const char *es_predict_follow_wrong(const es_predict_follower *follower);

#endif
