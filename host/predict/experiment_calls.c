/* Calls of the library's functions on objects as they would be on another machine: what the recorded run has not done.
 * The objects are laid out as those of examples/threads; where the outcome is another one than what was meant, nothing
 * is learnt. */
#include <string.h>

#include "predict/experiment.h"
#include "predict/follow.h"
#include "predict/rehearse.h"

enum { FETCHES = 1000000, CALL = 3000, WORDS = 12, SCRATCH = 512 };
/* Words of an object that are a thread. */
enum { SOME_THREAD = 0x1000000, OTHER_THREAD, A_ROOM };
enum { ARRIVED = 8 }; /* word of a queue whose items are on their way */

/* An object before the call, and how the call then goes. */
typedef struct situation {
    uint8_t kind, way;
    uint32_t words[WORDS];
} situation;

#define T SOME_THREAD
#define O OTHER_THREAD
#define R A_ROOM
static const situation situations[] = {
    {ES_PREDICT_LOCK, 0, {0}},
    {ES_PREDICT_LOCK, ES_PREDICT_WAITS, {1}},
    {ES_PREDICT_LOCK, ES_PREDICT_WAITS | ES_PREDICT_CROWD, {1, O, O}},
    {ES_PREDICT_UNLOCK, 0, {1}},
    {ES_PREDICT_UNLOCK, ES_PREDICT_WAKES, {1, T, T}},
    {ES_PREDICT_UNLOCK, ES_PREDICT_WAKES | ES_PREDICT_CROWD, {1, T, T}},
    {ES_PREDICT_ACQUIRE, 0, {1}},
    {ES_PREDICT_ACQUIRE, ES_PREDICT_WAITS, {0}},
    {ES_PREDICT_ACQUIRE, ES_PREDICT_WAITS | ES_PREDICT_CROWD, {0, O, O}},
    {ES_PREDICT_RELEASE, 0, {0}},
    {ES_PREDICT_RELEASE, ES_PREDICT_WAKES, {0, T, T}},
    {ES_PREDICT_RELEASE, ES_PREDICT_WAKES | ES_PREDICT_CROWD, {0, T, T}},
    {ES_PREDICT_PUT, 0, {R, 4, 0, 0}},
    {ES_PREDICT_PUT, ES_PREDICT_WRAPS, {R, 4, 2, 2}},
    {ES_PREDICT_PUT, ES_PREDICT_WAITS, {R, 4, 4, 0}},
    {ES_PREDICT_PUT, ES_PREDICT_WAITS | ES_PREDICT_CROWD, {R, 4, 4, 0, O, O}},
    {ES_PREDICT_PUT, ES_PREDICT_WAKES, {R, 4, 0, 0, 0, 0, T, T}},
    {ES_PREDICT_PUT, ES_PREDICT_WAKES | ES_PREDICT_CROWD, {R, 4, 0, 0, 0, 0, T, T}},
    {ES_PREDICT_GET, 0, {R, 4, 1, 0, [ARRIVED] = 1}},
    {ES_PREDICT_GET, ES_PREDICT_WRAPS, {R, 4, 1, 3, [ARRIVED] = 1}},
    {ES_PREDICT_GET, ES_PREDICT_WAITS, {R, 4, 0, 0}},
    {ES_PREDICT_GET, ES_PREDICT_WAITS | ES_PREDICT_CROWD, {R, 4, 0, 0, 0, 0, O, O}},
    {ES_PREDICT_GET, ES_PREDICT_WAKES, {R, 4, 4, 0, T, T, [ARRIVED] = 4}},
    {ES_PREDICT_GET, ES_PREDICT_WAKES | ES_PREDICT_CROWD, {R, 4, 4, 0, T, T, [ARRIVED] = 4}},
    {ES_PREDICT_GET, ES_PREDICT_WAKES | ES_PREDICT_WRAPS, {R, 4, 4, 3, T, T, [ARRIVED] = 4}},
    {ES_PREDICT_GET, ES_PREDICT_WAKES | ES_PREDICT_WRAPS | ES_PREDICT_CROWD, {R, 4, 4, 3, T, T, [ARRIVED] = 4}},
};
#undef T
#undef O
#undef R

static bool run_to(es_machine *machine, uint32_t pc, uint64_t most)
{
    uint64_t end = es_machine_fetches(machine) + most;
    while (es_machine_pc(machine) != pc && es_machine_fetches(machine) < end)
        if (es_machine_run(machine, es_machine_fetches(machine) + 1) != ES_MACHINE_UNTIL)
            return false;
    return es_machine_pc(machine) == pc;
}

/* It goes on in a function, which returns to where it is. */
static void call(es_machine *machine, uint32_t function, uint32_t a0, uint32_t a1)
{
    es_machine_registers r;
    es_machine_get(machine, &r);
    r.x[1] = r.pc;
    r.x[10] = a0;
    r.x[11] = a1;
    r.x_unknown[1] = r.x_unknown[10] = r.x_unknown[11] = 0;
    r.pc = function;
    es_machine_set(machine, &r);
}

/* In memory that the stack does not use yet. Returns its address. */
static uint32_t lay_out(es_machine *machine, const es_predict_library *library, const situation *s)
{
    es_machine_registers r;
    es_machine_get(machine, &r);
    uint32_t at = (r.x[2] - SCRATCH) & ~15u;
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t word = s->words[i];
        if (word == SOME_THREAD || word == OTHER_THREAD)
            word = library->threads + library->thread_size * (4 + word - SOME_THREAD);
        if (word == A_ROOM)
            word = at + 4 * WORDS;
        es_predict_put_word(machine, at + 4 * i, word);
    }
    return at;
}

static uint32_t word_at(const es_machine *machine, uint32_t address)
{
    uint8_t b[4], unknown[4];
    if (!es_machine_peek(machine, address, b, unknown, 4))
        return 0;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Its thread waits: as soon as it runs no more, and before the scheduler has looked who is ready, it is made so, and
 * the call comes back. */
static void let_go_on(es_machine *machine, es_predict_follower *f, const es_predict_library *library,
                      const situation *s, uint32_t thread)
{
    uint64_t end = es_machine_fetches(machine) + CALL;
    bool ready = false;
    while (!es_predict_follow_back(f, s->kind) && es_machine_fetches(machine) < end && !es_predict_follow_wrong(f)) {
        if (!ready && word_at(machine, library->running) != thread) {
            es_predict_put_ready(machine, library, thread);
            ready = true;
        }
        if (es_machine_run(machine, es_machine_fetches(machine) + 1) != ES_MACHINE_UNTIL)
            return;
    }
}

static void try_call(es_machine *machine, es_predict_follower *f, const es_predict_library *library, const situation *s,
                     uint32_t main_entry)
{
    if (!run_to(machine, main_entry, FETCHES))
        return;
    if (s->way & ES_PREDICT_WAKES && s->way & ES_PREDICT_CROWD) { /* somebody is ready already */
        call(machine, library->functions[ES_PREDICT_FORK]->low, main_entry, 0);
        if (!run_to(machine, main_entry, CALL) ||
            es_machine_run(machine, es_machine_fetches(machine) + 1) != ES_MACHINE_UNTIL) /* its event ends there */
            return;
    }
    call(machine, library->functions[s->kind]->low, lay_out(machine, library, s), 0);
    uint32_t thread = word_at(machine, library->running);
    uint64_t end = es_machine_fetches(machine) + CALL;
    while (!es_predict_follow_seen(f, s->kind, NULL) && es_machine_fetches(machine) < end &&
           !es_predict_follow_wrong(f))
        if (es_machine_run(machine, es_machine_fetches(machine) + 1) != ES_MACHINE_UNTIL)
            return;
    if (s->way & ES_PREDICT_WAITS && thread)
        let_go_on(machine, f, library, s, thread);
    while (library->interrupted && !(s->way & ES_PREDICT_WAITS) && !es_predict_follow_left(f, s->kind) &&
           es_machine_fetches(machine) < end && !es_predict_follow_wrong(f))
        if (es_machine_run(machine, es_machine_fetches(machine) + 1) != ES_MACHINE_UNTIL)
            return;
}

/* The costs of `other` for it. False: it did not go as it was meant to. */
static bool learn(es_predict_trace *trace, const es_predict_trace *other, const situation *s, unsigned way)
{
    unsigned mask = ES_PREDICT_WAITS | ES_PREDICT_WAKES;
    es_predict_costs *costs = &trace->costs;
    if ((way & mask) != (s->way & mask))
        return false;
    if (!costs->pass)
        costs->pass = other->costs.pass;
    for (unsigned waited = costs->masked_end ? 0 : 1; waited < 2; waited++) {
        if (!other->costs.known_after[s->kind][waited] || costs->known_after[s->kind][waited])
            continue;
        costs->after[s->kind][waited] = es_predict_copy_section(trace, other, &other->costs.after[s->kind][waited]);
        costs->known_after[s->kind][waited] = true;
    }
    for (unsigned w = 0; w < ES_PREDICT_WAYS; w++) {
        if (costs->known[s->kind][w] || (w ^ s->way) & mask || (w & s->way) != s->way)
            continue;
        costs->hold[s->kind][w] = es_predict_copy_section(trace, other, &other->costs.hold[s->kind][way]);
        costs->tails[s->kind][w] = other->costs.tails[s->kind][way];
    }
    return true;
}

void es_predict_experiment_calls(const es_replay_program *program, const es_predict_code *code,
                                 const es_predict_library *library, es_predict_trace *trace)
{
    const es_procedure *start = es_symbols_procedure_named(code->symbols, "main");
    bool learnt[ES_PREDICT_KINDS][ES_PREDICT_WAYS] = {{false}};
    size_t count = start && library->thread_count > 5 ? sizeof situations / sizeof *situations : 0;
    for (size_t i = 0; i < count; i++) {
        const situation *s = &situations[i];
        es_predict_surroundings around = {.cores = 1};
        es_execution run;
        unsigned way;
        if (!library->functions[s->kind] || trace->costs.known[s->kind][s->way] ||
            !es_predict_execute(&run, program, &around, program->machine.reset_pc, NULL))
            continue;
        es_predict_trace *other = es_predict_trace_new();
        es_predict_follower *f = es_predict_follow(run.machine, code, library, other);
        try_call(run.machine, f, library, s, start->low);
        bool seen = es_predict_follow_seen(f, s->kind, &way);
        learnt[s->kind][s->way] = es_predict_follow_end(f, NULL) && seen && learn(trace, other, s, way);
        es_execution_free(&run);
        es_predict_trace_free(other);
    }
    for (unsigned k = 0; k < ES_PREDICT_KINDS; k++)
        for (unsigned w = 0; w < ES_PREDICT_WAYS; w++)
            for (unsigned l = 0; l < ES_PREDICT_WAYS && !trace->costs.known[k][w]; l++)
                trace->costs.known[k][w] = learnt[k][l] && !((l ^ w) & (ES_PREDICT_WAITS | ES_PREDICT_WAKES));
}
