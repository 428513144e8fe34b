/* Interrupts of the kernel's own that the recorded run has not had: of a thread that is alone, and of one that has to
 * stop and goes on later. */
#include "predict/experiment.h"
#include "predict/follow.h"
#include "predict/rehearse.h"

enum { FETCHES = 1000000, STEP = 200, TIMER = 7 };

/* It is interrupted, where it can be, and executes some instructions. */
static bool interrupt(es_machine *machine)
{
    return (!es_predict_follow_open(machine) || es_machine_interrupt(machine, TIMER, 0)) &&
           es_machine_run(machine, es_machine_fetches(machine) + STEP) == ES_MACHINE_UNTIL;
}

/* The program by itself, interrupted again and again: at first its first thread is alone, then others are ready. */
static void try_traps(es_machine *machine, es_predict_follower *f)
{
    while (es_machine_fetches(machine) < FETCHES && !es_predict_follow_wrong(f) &&
           !(es_predict_follow_kept(f) && es_predict_follow_went_on(f)))
        if (!interrupt(machine))
            return;
}

static void learn(es_predict_trace *trace, const es_predict_trace *other)
{
    es_predict_costs *to = &trace->costs;
    const es_predict_costs *from = &other->costs;
    es_predict_section *const own[] = {&to->trap, &to->cut, &to->back, &to->keep, &to->kept};
    const es_predict_section *const seen[] = {&from->trap, &from->cut, &from->back, &from->keep, &from->kept};
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (!own[i]->count)
            *own[i] = es_predict_copy_section(trace, other, seen[i]);
    if (!to->slice_kept.accesses)
        to->slice_kept = from->slice_kept;
    if (!to->slice_after.accesses)
        to->slice_after = from->slice_after;
}

void es_predict_experiment_traps(const es_replay_program *program, const es_predict_code *code,
                                 const es_predict_library *library, es_predict_trace *trace)
{
    es_predict_surroundings around = {.cores = 1};
    es_execution run;
    if (!library->interrupted || (trace->costs.kept.count && trace->costs.cut.count && trace->costs.back.count) ||
        !es_predict_execute(&run, program, &around, program->machine.reset_pc, NULL))
        return;
    es_predict_trace *other = es_predict_trace_new();
    es_predict_follower *f = es_predict_follow(run.machine, code, library, other);
    try_traps(run.machine, f);
    if (es_predict_follow_end(f, NULL))
        learn(trace, other);
    es_execution_free(&run);
    es_predict_trace_free(other);
}
