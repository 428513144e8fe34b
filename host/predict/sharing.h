/* What threads tell each other in memory, outside of the library's events: whether a way through the code hangs on it.
 *
 * Of a thread that reads what another one has written, the events may say that this came before (the thread was made or
 * joined, they met at a barrier, an item or a semaphore went from one to the other). Then it does on every machine. A
 * mutex says only that one came before the other, and nothing at all says less: on another machine it may be another
 * value. So it is where a thread looks into the library's objects itself. Where a branch is taken by it, or by what was
 * computed of it, the way depends on time. But for a few instructions that it may leave out (as in `most = now > most
 * ? now : most`): they take no time that counts, and what they change is in doubt, too. */
#ifndef ES_PREDICT_SHARING_H
#define ES_PREDICT_SHARING_H

#include "machine/machine.h"
#include "predict/code.h"
#include "predict/trace.h"

typedef struct es_predict_sharing es_predict_sharing;

es_predict_sharing *es_predict_sharing_new(void);
void es_predict_sharing_free(es_predict_sharing *sharing); /* NULL is fine */

/* A thread's own code, outside of the library: an instruction, then its accesses. */
void es_predict_sharing_insn(es_predict_sharing *sharing, uint32_t thread, const es_predict_code *code, uint32_t pc);
void es_predict_sharing_access(es_predict_sharing *sharing, uint32_t thread, const es_machine_access *access);

/* A thread calls one of the library's functions, and comes back: with all that the event says then. object NULL: it is
 * about none. */
void es_predict_sharing_enter(es_predict_sharing *sharing, uint32_t thread, const es_predict_event *event,
                              const es_predict_object *object);
void es_predict_sharing_leave(es_predict_sharing *sharing, uint32_t thread, const es_predict_event *event,
                              const es_predict_object *object);

/* A way hung on what another thread had written, and nothing but time decides when. */
bool es_predict_sharing_decides(const es_predict_sharing *sharing);

#endif
