/* Threads that are interrupted, and what the handler of an interrupt then does. What a thread executes that may be
 * interrupted: its own code, and what comes after an event. */
#include "engine_private.h"

/* The first place in blocks. */
static spot spot_of(const engine *e, const uint32_t *items, size_t count)
{
    spot s = {.at = {.item = items, .item_end = items + count}};
    if (count) {
        es_predict_enter_block(e, &s.at);
        es_predict_next_block(e, &s.at);
    }
    return s;
}

/* From its thread's spot on. */
static void run_spot(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    spot *s = &e->threads[k->thread].at_spot;
    k->spot_at = e->now;
    k->cut_at = NEVER;
    if (e->machine->memory == ES_PREDICT_PORTS || s->at.item == s->at.item_end || s->at.gap == s->at.gap_end) {
        k->until = e->now + s->clocks * k->tick + s->accesses * e->machine->wait * e->scale;
        es_predict_find_cut(e, c);
        return;
    }
    k->more = 0;
    es_predict_walk_on(e, c, &s->at, 0);
}

void es_predict_run_step(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    const es_predict_step *step = &e->steps->of[t->stream][t->at];
    es_predict_enter(e, c, CORE_RUN);
    t->at_spot = spot_of(e, e->trace->threads[t->stream].items + step->first, step->count);
    t->at_spot.clocks = step->clocks;
    t->at_spot.accesses = step->accesses;
    if (!t->at && k->thread && !e->machine->free_kernel)
        t->closed = e->trace->costs.open[ES_PREDICT_FORK][1].accesses;
    k->closed = t->closed;
    t->closed -= t->closed < step->accesses ? t->closed : (uint32_t)step->accesses;
    e->result->firings += step->count;
    run_spot(e, c);
}

void es_predict_start_after(engine *e, unsigned c, unsigned kind, bool waited)
{
    token *t = &e->threads[e->cores[c].thread];
    const es_predict_costs *costs = &e->trace->costs;
    const es_predict_section *s = t->cut && costs->back.clocks ? &costs->back : &costs->after[kind][waited];
    uint32_t open = e->trace->costs.open[kind][waited].accesses;
    e->cores[c].closed = ES_PREDICT_CLOSED;
    if (!open || t->cut || e->machine->kernel || e->machine->free_kernel) {
        es_predict_start_section(e, c, s, 0);
        return;
    }
    t->at_spot = spot_of(e, e->trace->kernel_items + s->first, s->count);
    t->at_spot.clocks = s->clocks;
    t->at_spot.accesses = es_predict_section_accesses(e, s);
    e->cores[c].closed = open;
    run_spot(e, c);
}

void es_predict_go_on(engine *e, unsigned c)
{
    token *t = &e->threads[e->cores[c].thread];
    es_predict_enter(e, c, t->after ? CORE_AFTER : CORE_RUN);
    t->cut = t->after = false;
    e->cores[c].closed = 0;
    run_spot(e, c);
}

void es_predict_is_cut(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    token *t = &e->threads[k->thread];
    t->cut = true;
    t->after = k->state == CORE_AFTER;
    t->kind = ES_PREDICT_YIELD;
    e->cuts++;
    k->until = k->cut_at = k->due = NEVER;
    es_predict_enter(e, c, CORE_TRAP);
    es_predict_start_section(e, c, &e->trace->costs.trap, 0);
}

void es_predict_has_trapped(engine *e, unsigned c)
{
    const es_predict_costs *costs = &e->trace->costs;
    processor *k = &e->cores[c];
    uint32_t best = es_predict_ready_best(e);
    const es_predict_thread *threads = e->trace->threads;
    if (best != ES_PREDICT_NONE &&
        (e->machine->scheduler == ES_PREDICT_ROUND || threads[best].priority < threads[k->thread].priority)) {
        es_predict_enter(e, c, CORE_CUT);
        es_predict_start_section(e, c, costs->cut.clocks ? &costs->cut : &costs->next[ES_PREDICT_PICK], 0);
    } else {
        k->asked = false;
        es_predict_enter(e, c, CORE_KEEP);
        es_predict_start_section(e, c, &costs->keep, 0);
    }
}

void es_predict_keep_thread(engine *e, unsigned c)
{
    es_predict_enter(e, c, CORE_KEPT);
    es_predict_slice_begins(e, c, e->trace->costs.slice_kept);
    es_predict_start_section(e, c, &e->trace->costs.kept, 0);
}

void es_predict_thread_kept(engine *e, unsigned c)
{
    if (e->cores[c].due > e->now)
        e->cuts -= e->cuts > 0; /* it gets on */
    es_predict_go_on(e, c);
}

void es_predict_slice_begins(engine *e, unsigned c, es_predict_point after)
{
    processor *k = &e->cores[c];
    if (e->machine->scheduler != ES_PREDICT_ROUND)
        return;
    if (e->machine->free_kernel)
        after = (es_predict_point){0};
    k->slice_in = e->machine->memory == ES_PREDICT_PORTS ? 0 : after.accesses;
    k->due = e->now + after.clocks * k->tick + (uint64_t)after.accesses * e->machine->wait * e->scale +
             (uint64_t)e->machine->quantum * e->scale;
    if (k->slice_in)
        k->due = NEVER; /* when it comes there */
}
