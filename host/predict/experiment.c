#include "predict/experiment.h"

#include <string.h>

#include "predict/follow.h"
#include "replay/run.h"

enum { FETCHES = 20000000, CORES = 8 };

/* What a program hears of its surroundings: it is core `self` of `cores`, the lock is free, its bell rings. */
typedef struct surroundings {
    uint32_t self, cores;
    bool bell;
    uint32_t clock;
} surroundings;

static bool read_device(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    surroundings *s = context;
    (void)size;
    *unknown = 0;
    *value = 0;
    switch (address) {
    case ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_SELF: *value = s->self | s->cores << 8; break;
    case ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_SELF + 1: *value = s->cores; break;
    case ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_BELL: *value = s->bell; break;
    case ES_TARGET_IO_BASE + ES_TARGET_IO_CYCLE: *value = s->clock += 100; break;
    case ES_TARGET_IO_BASE + ES_TARGET_IO_RANDOM: *value = s->clock = s->clock * 1664525u + 1013904223u; break;
    default: break;
    }
    return true;
}

/* Memory that nobody has set is 0, as that of a target that is switched on. */
static void clear(es_machine *machine, const es_replay_program *program)
{
    uint8_t bytes[64], unknown[64];
    for (size_t r = 0; r < program->region_count; r++)
        for (uint32_t a = 0; a + sizeof bytes <= program->regions[r].size; a += sizeof bytes) {
            uint32_t at = program->regions[r].base + a;
            if (!es_machine_peek(machine, at, bytes, unknown, sizeof bytes))
                continue;
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] &= (uint8_t)~unknown[i];
            es_machine_poke(machine, at, bytes, NULL, sizeof bytes);
        }
}

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
    es_replay_program own = *program;
    surroundings around = {first ? 0 : 1, first ? 2 : CORES, !first, 0};
    es_machine_outside outside = {.read = read_device, .context = &around};
    es_execution run = {0};
    own.machine.known_at_reset = true;
    if (!first)
        own.machine.reset_pc = ES_TARGET_OTHERS_BASE;
    if (!es_execution_begin_with(&run, &own, &outside, err))
        return NULL;
    es_predict_trace *trace = es_predict_trace_new();
    clear(run.machine, program);
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
