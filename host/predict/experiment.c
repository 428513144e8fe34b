#include "predict/experiment.h"

#include <string.h>

#include "predict/follow.h"
#include "predict/rehearse.h"

enum { FETCHES = 20000000, CORES = 8 };

/* A core that is woken: first it finds nothing, twice, then a thread. */
static void as_another_core(es_machine *machine, es_predict_follower *f, const es_predict_library *library)
{
    es_predict_follow_core(f);
    for (unsigned slept = 0; slept < 8 && !es_predict_follow_picked(f) && !es_predict_follow_wrong(f); slept++) {
        if (es_machine_run(machine, es_machine_fetches(machine) + 10000) != ES_MACHINE_WAITS)
            return;
        if (slept == 3)
            es_predict_put_ready(machine, library, library->threads);
        es_predict_follow_woken(f);
        /* after a thread was picked, it has no stack: that goes wrong soon, and is of no interest */
        for (unsigned i = 0; slept == 3 && i < 200 && !es_predict_follow_picked(f); i++)
            if (es_machine_run(machine, es_machine_fetches(machine) + 1) != ES_MACHINE_UNTIL)
                return;
    }
}

/* Core 0 of two: the first thread that it makes wakes the other core, the second one does not. */
static void as_the_first_core(es_machine *machine, es_predict_follower *f)
{
    while (es_machine_fetches(machine) < FETCHES && !es_predict_follow_belled(f) && !es_predict_follow_wrong(f))
        if (es_machine_run(machine, es_machine_fetches(machine) + 100) != ES_MACHINE_UNTIL)
            return;
}

static uint32_t sum(uint32_t a, uint32_t b, uint32_t less)
{
    return a + b > less ? a + b - less : 1;
}

/* Of events that were seen to make a thread ready, it is known how long they take from that on; from the ring on it is
 * as much less as of a fork. */
static void from_the_ring(es_predict_costs *costs)
{
    uint32_t ready = costs->tails[ES_PREDICT_FORK][ES_PREDICT_WAKES];
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
        for (unsigned way = 0; way < ES_PREDICT_WAYS; way++) {
            uint32_t *tail = &costs->tails[kind][way];
            if (*tail)
                *tail = sum(*tail, costs->tail, ready);
        }
    for (unsigned way = 0; way < ES_PREDICT_ARRIVALS; way++)
        if (costs->arrive_tails[way])
            costs->arrive_tails[way] = sum(costs->arrive_tails[way], costs->tail, ready);
}

static bool same_block(const es_predict_trace *t, uint32_t a, uint32_t b)
{
    const es_predict_block *x = &t->blocks[t->kernel_items[a]], *y = &t->blocks[t->kernel_items[b]];
    return x->address == y->address && x->end == y->end;
}

/* A thread has stopped, and there is none: as if it took one up to where that is decided; then as a core that was woken
 * for nothing. */
static es_predict_section idle_of(es_predict_trace *trace)
{
    const es_predict_costs *costs = &trace->costs;
    const es_predict_section *take = &costs->next[ES_PREDICT_TAKE], *pick = &costs->next[ES_PREDICT_PICK],
                             *empty = &costs->next[ES_PREDICT_PICK_NONE];
    uint32_t end = 0, begin = 0, items[64], count = 0;
    while (end < take->count && end < pick->count &&
           same_block(trace, take->first + take->count - 1 - end, pick->first + pick->count - 1 - end))
        end++;
    while (begin < empty->count && begin < pick->count && same_block(trace, pick->first + begin, empty->first + begin))
        begin++;
    /* what all three have before it is decided: in `end` and in `begin` */
    uint32_t both = end + begin > pick->count ? end + begin - pick->count : 0;
    for (uint32_t i = 0; i + end < take->count + both && count < 64; i++)
        items[count++] = trace->kernel_items[take->first + i];
    for (uint32_t i = begin; i < empty->count && count < 64; i++)
        items[count++] = trace->kernel_items[empty->first + i];
    es_predict_section section = es_predict_add_section(trace, items, count);
    section.clocks = sum(costs->next[ES_PREDICT_TAKE].clocks, costs->next[ES_PREDICT_PICK_NONE].clocks,
                         costs->next[ES_PREDICT_PICK].clocks);
    return section;
}

static void take_over(es_predict_trace *trace, const es_predict_trace *other, const es_predict_trace *first)
{
    es_predict_costs *costs = &trace->costs;
    costs->next[ES_PREDICT_PICK] = es_predict_copy_section(trace, other, &other->costs.next[ES_PREDICT_PICK]);
    costs->next[ES_PREDICT_PICK_NONE] = es_predict_copy_section(trace, other, &other->costs.next[ES_PREDICT_PICK_NONE]);
    costs->begin = es_predict_copy_section(trace, other, &other->costs.begin);
    costs->begin_before = other->costs.begin_before;
    costs->notice = es_predict_copy_section(trace, other, &other->costs.notice);
    costs->doze = es_predict_copy_section(trace, other, &other->costs.doze);
    costs->notice_first = es_predict_copy_section(trace, other, &other->costs.notice_first);
    for (unsigned how = 0; how < 2; how++) {
        if (!costs->look[how].accesses)
            costs->look[how] = other->costs.look[how];
        if (!costs->look_set[how].accesses)
            costs->look_set[how] = other->costs.look_set[how];
        if (!costs->looks[how].count)
            costs->looks[how] = es_predict_copy_section(trace, other, &other->costs.looks[how]);
    }
    costs->bell = first->costs.bell;
    costs->tail = first->costs.tail;
    costs->ring = es_predict_copy_section(trace, first, &first->costs.ring);
    from_the_ring(costs);
    if (!costs->next[ES_PREDICT_TAKE].count)
        costs->next[ES_PREDICT_TAKE] = es_predict_copy_section(trace, other, &other->costs.next[ES_PREDICT_PICK]);
    /* the ways to nothing and to a thread part at the same place, wherever the core came from */
    if (costs->next[ES_PREDICT_PICK].clocks && costs->next[ES_PREDICT_PICK_NONE].clocks)
        costs->next[ES_PREDICT_TAKE_NONE] = idle_of(trace);
    es_predict_add_begin(trace);
}

static size_t add_gaps(uint8_t *gaps, size_t count, const es_predict_insn *insn)
{
    gaps[count++] = ES_PREDICT_FETCH | insn->fetch;
    if (insn->data)
        gaps[count++] = ES_PREDICT_DEVICE | insn->data;
    return count;
}

/* The loop in which kernel_enter waits: from where the lock was read in vain, so with the branch back, to where it has
 * been read again. */
static void find_spin(const es_predict_code *code, es_predict_trace *trace)
{
    const es_procedure *p = es_symbols_procedure_named(code->symbols, "kernel_enter");
    es_insn insn;
    for (uint32_t a = p ? p->low : 0; p && a < p->high && es_symbols_insn(code->symbols, a, &insn); a += insn.size) {
        uint8_t gaps[16];
        size_t count = 0;
        if (insn.kind != ES_INSN_BRANCH || insn.imm > 0 || a + (uint32_t)insn.imm < p->low)
            continue;
        const es_predict_insn *at = es_predict_insn_at(code, a);
        if (!at)
            return;
        count = add_gaps(gaps, count, at);
        for (uint32_t b = a + (uint32_t)insn.imm; b < a && count < 14; b += at->size) {
            if (!(at = es_predict_insn_at(code, b)))
                return;
            count = add_gaps(gaps, count, at);
        }
        uint32_t item = es_predict_add_block(trace, a + (uint32_t)insn.imm, a, gaps, count);
        trace->costs.spin = es_predict_add_section(trace, &item, 1);
        return;
    }
}

static es_predict_trace *attempt(const es_replay_program *program, const es_predict_code *code,
                                 const es_predict_library *library, bool first, es_error *err)
{
    es_predict_surroundings around = {first ? 0 : 1, first ? 2 : CORES, !first, 0, first ? 2 : 0};
    es_execution run;
    if (!es_predict_execute(&run, program, &around, first ? program->machine.reset_pc : ES_TARGET_OTHERS_BASE, err))
        return NULL;
    es_predict_trace *trace = es_predict_trace_new();
    es_predict_follower *f = es_predict_follow(run.machine, code, library, trace);
    if (first)
        as_the_first_core(run.machine, f);
    else
        as_another_core(run.machine, f, library);
    es_predict_follow_end(f, NULL);
    es_execution_free(&run);
    return trace;
}

bool es_predict_experiment(const es_replay_program *program, const es_predict_code *code,
                           const es_predict_library *library, es_predict_trace *trace, es_error *err)
{
    es_predict_trace *other = attempt(program, code, library, false, err);
    es_predict_trace *first = other ? attempt(program, code, library, true, err) : NULL;
    if (first) {
        es_predict_experiment_calls(program, code, library, trace);
        es_predict_experiment_traps(program, code, library, trace);
        take_over(trace, other, first);
    }
    find_spin(code, trace);
    es_predict_trace_free(other);
    es_predict_trace_free(first);
    return first != NULL;
}
