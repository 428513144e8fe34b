/* The machine of a program's calls: its states are the calls that are active, of the procedures that the trace has
 * events of, and its transitions their entries and returns. */
#ifndef ES_INFER_PROGRAM_H
#define ES_INFER_PROGRAM_H

#include "infer/machine.h"

#define ES_INFER_CALLS_FIELD "calls" /* the active calls, as a state is named; made from the field "path" */

typedef struct es_infer_program es_infer_program;

/* Is the file an ELF? */
bool es_infer_is_program(const char *path);

/* Adds the machine "calls" of the program at `path`, from its ELF's graph of calls. The words must know the events of
 * the trace: for each procedure f of which it has "enter_f" there are states. `key`: the field that scenarios have as
 * their key, such as "task"; NULL: there is one for all, and no tasks. A state has the innermost calls, as many as fit
 * into ES_INFER_STATES_MAX: `*depth` of them, 0: all. Where there are more, a return may lead to several states.
 * Fails with ES_USAGE: no ELF, no such events, too many procedures. Free it before the model. */
es_infer_program *es_infer_program_add(es_infer_model *model, const char *path, const char *key, uint32_t *depth,
                                       es_error *err);
void es_infer_program_free(es_infer_program *program); /* NULL is fine */

/* The event with what its call path, if it has one that is known, says of the state. The result lives until the next
 * call. */
const es_infer_event *es_infer_program_see(es_infer_program *program, const es_infer_event *event);

/* Whether events may be missing before this one, though no loss is told there: after a loss, the probe notices calls
 * and returns again one by one, until the path is known. */
bool es_infer_program_doubts(const es_infer_program *program, const es_infer_event *event);

/* Names of procedures that the trace has entered and, though it has others leave, never left; NULL: no more. They are
 * taken as never returning. */
const char *es_infer_program_endless(const es_infer_program *program, uint32_t number);

/* Names of events enter_f of the trace, f being no procedure of the program; NULL: no more. */
const char *es_infer_program_stranger(const es_infer_program *program, uint32_t number);

/* Writes the statements whose hits the machine looks at: `enter_f: when enter(f) { print }`, and leave_f, of all
 * procedures that are the program's own. Fails with ES_USAGE: no ELF, or it says of none which file it is of. */
bool es_infer_program_statements(const char *path, es_text_buffer *out, es_error *err);

#endif
