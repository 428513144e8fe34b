/* A program executed by itself, in surroundings that answer 0: how often it passes what, and which instructions are
 * about devices. No more than a guess at what another run does; nothing that depends on it makes a way wrong. */
#ifndef ES_PREDICT_REHEARSE_H
#define ES_PREDICT_REHEARSE_H

#include "machine/machine.h"
#include "predict/code.h"
#include "predict/library.h"
#include "replay/run.h"

/* Of an instruction. */
typedef struct es_predict_rehearsed {
    uint64_t passed;
    bool device, runs; /* its access is one of a device; it says which thread a core runs */
    es_machine_access access;
} es_predict_rehearsed;

typedef struct es_predict_rehearsal {
    const es_predict_code *code;
    const es_predict_library *library;
    es_predict_rehearsed *insns; /* as those of the code */
    bool ended;                  /* the program has come to its end */
} es_predict_rehearsal;

/* What a program hears of its surroundings: it is core `self` of `cores`, the lock is free, its bell rings. */
typedef struct es_predict_surroundings {
    uint32_t self, cores;
    bool bell;
    uint32_t clock;
    uint32_t listening; /* cores whose bells it will ring when it has seen that: once */
} es_predict_surroundings;

/* Makes a machine in such surroundings, at its reset (es_execution_free). */
bool es_predict_execute(es_execution *run, const es_replay_program *program, es_predict_surroundings *around,
                        uint32_t reset_pc, es_error *err);

/* Into its memory, all bits known. */
void es_predict_put_word(es_machine *machine, uint32_t address, uint32_t word);

/* A thread is ready, where none was before. */
void es_predict_put_ready(es_machine *machine, const es_predict_library *library, uint32_t thread);

bool es_predict_rehearse(es_predict_rehearsal *rehearsal, const es_predict_code *code,
                         const es_predict_library *library, const es_replay_program *program, es_error *err);
void es_predict_rehearsal_free(es_predict_rehearsal *rehearsal);

/* What was seen of the instruction at an address; NULL: there is none. */
const es_predict_rehearsed *es_predict_rehearsed_at(const es_predict_rehearsal *rehearsal, uint32_t address);

#endif
