#include "predict/experiment.h"

#include <string.h>

#include "predict/follow.h"
#include "predict/rehearse.h"

enum { FETCHES = 20000000, CORES = 8 };

static void put_word(es_machine *machine, uint32_t address, uint32_t word)
{
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    es_machine_poke(machine, address, bytes, NULL, 4);
}

/* A core that is woken: first it finds nothing, twice, then a thread. */
static void as_another_core(es_machine *machine, es_predict_follower *f, const es_predict_library *library)
{
    es_predict_follow_core(f);
    for (unsigned slept = 0; slept < 8 && !es_predict_follow_picked(f) && !es_predict_follow_wrong(f); slept++) {
        if (es_machine_run(machine, es_machine_fetches(machine) + 10000) != ES_MACHINE_WAITS)
            return;
        if (slept == 3) {
            put_word(machine, library->ready, library->threads);
            put_word(machine, library->ready + 4, library->threads);
        }
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

static es_predict_section copied(es_predict_trace *to, const es_predict_trace *from, const es_predict_section *s)
{
    uint32_t items[64];
    size_t count = s->count < 64 ? s->count : 64;
    for (size_t i = 0; i < count; i++) {
        const es_predict_block *b = &from->blocks[from->kernel_items[s->first + i]];
        items[i] = es_predict_add_block(to, b->address, b->end, from->gaps + b->first_gap, b->accesses);
    }
    es_predict_section section = es_predict_add_section(to, items, count);
    section.clocks = s->clocks;
    return section;
}

static uint32_t sum(uint32_t a, uint32_t b, uint32_t less)
{
    return a + b > less ? a + b - less : 1;
}

static void take_over(es_predict_trace *trace, const es_predict_trace *other, const es_predict_trace *first)
{
    es_predict_costs *costs = &trace->costs;
    costs->pick = copied(trace, other, &other->costs.pick);
    costs->empty = copied(trace, other, &other->costs.empty);
    costs->begin = other->costs.begin;
    costs->notice = copied(trace, other, &other->costs.notice);
    costs->notice_first = copied(trace, other, &other->costs.notice_first);
    costs->bell = first->costs.bell;
    costs->tail = first->costs.tail;
    if (!costs->take.count)
        costs->take = copied(trace, other, &other->costs.pick);
    /* the ways to nothing and to a thread part at the same place, wherever the core came from */
    if (costs->pick.clocks && costs->empty.clocks)
        costs->idle = es_predict_plain_section(trace, sum(costs->take.clocks, costs->empty.clocks, costs->pick.clocks));
}

/* The loop in which kernel_enter waits: from the lock's read back to itself. */
static void find_spin(const es_predict_code *code, es_predict_trace *trace)
{
    const es_procedure *p = es_symbols_procedure_named(code->symbols, "kernel_enter");
    es_insn insn;
    for (uint32_t a = p ? p->low : 0; p && a < p->high && es_symbols_insn(code->symbols, a, &insn); a += insn.size) {
        uint8_t gaps[16];
        size_t count = 0;
        if (insn.kind != ES_INSN_BRANCH || insn.imm > 0 || a + (uint32_t)insn.imm < p->low)
            continue;
        for (uint32_t b = a + (uint32_t)insn.imm; b <= a && count < 14;) {
            const es_predict_insn *at = es_predict_insn_at(code, b);
            if (!at)
                return;
            gaps[count++] = ES_PREDICT_FETCH | at->fetch;
            if (at->data)
                gaps[count++] = ES_PREDICT_DEVICE | at->data;
            b += at->size;
        }
        uint32_t item = es_predict_add_block(trace, a + (uint32_t)insn.imm, a, gaps, count);
        trace->costs.spin = es_predict_add_section(trace, &item, 1);
        return;
    }
}

static es_predict_trace *attempt(const es_replay_program *program, const es_predict_code *code,
                                 const es_predict_library *library, bool first, es_error *err)
{
    es_predict_surroundings around = {first ? 0 : 1, first ? 2 : CORES, !first, 0};
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
    if (first)
        take_over(trace, other, first);
    find_spin(code, trace);
    es_predict_trace_free(other);
    es_predict_trace_free(first);
    return first != NULL;
}
