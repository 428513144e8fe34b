/* Places in code, access by access, and where an interrupt comes: before the first instruction that begins when it is
 * due, outside of where interrupts are kept out. */
#include "engine_private.h"

void es_predict_enter_block(const engine *e, walk *w)
{
    const es_predict_block *block = &e->trace->blocks[*w->item];
    w->gap = e->trace->gaps + block->first_gap;
    w->gap_end = w->gap + block->accesses;
}

bool es_predict_next_block(const engine *e, walk *w)
{
    while (w->gap == w->gap_end) {
        if (w->item == w->item_end || ++w->item == w->item_end)
            return false;
        es_predict_enter_block(e, w);
    }
    return true;
}

/* The next access is the fetch of an instruction before which an interrupt may come. */
static bool may_be_cut(const engine *e, const walk *w)
{
    const es_predict_costs *costs = &e->trace->costs;
    if (w->item == w->item_end || w->gap == w->gap_end || !(*w->gap & ES_PREDICT_FETCH))
        return false;
    const es_predict_block *block = &e->trace->blocks[*w->item];
    bool first = block->address == costs->masked_first && w->gap == e->trace->gaps + block->first_gap;
    return first || block->address < costs->masked_first || block->address >= costs->masked_end;
}

/* Over one access. False: it was the last one. */
static bool step_on(const engine *e, processor *k, spot *s)
{
    if (s->at.item == s->at.item_end || s->at.gap == s->at.gap_end)
        return false;
    uint64_t gap = *s->at.gap++ & ES_PREDICT_GAP;
    k->spot_at += gap * k->tick + e->machine->wait * e->scale;
    s->clocks -= gap < s->clocks ? gap : s->clocks;
    s->accesses -= s->accesses > 0;
    k->closed -= k->closed > 0;
    return es_predict_next_block(e, &s->at);
}

void es_predict_find_cut(engine *e, unsigned c)
{
    processor *k = &e->cores[c];
    spot *s = &e->threads[k->thread].at_spot;
    k->cut_at = NEVER;
    if (k->due >= k->until)
        return;
    while (k->spot_at < k->due || k->closed || !may_be_cut(e, &s->at))
        if (!step_on(e, k, s))
            return;
    k->cut_at = k->spot_at;
}

void es_predict_interrupt_at(engine *e, unsigned c, uint64_t time)
{
    processor *k = &e->cores[c];
    bool runs = (k->state == CORE_RUN || k->state == CORE_AFTER) && !k->walks && k->closed != ES_PREDICT_CLOSED;
    k->due = time;
    if (runs)
        es_predict_find_cut(e, c);
}

bool es_predict_cuts_walk(engine *e, unsigned c, uint64_t time)
{
    processor *k = &e->cores[c];
    if ((k->state != CORE_RUN && k->state != CORE_AFTER) || k->closed || !may_be_cut(e, &k->walk_at))
        return false;
    e->threads[k->thread].at_spot = (spot){.at = k->walk_at};
    k->walks = false;
    e->walking--;
    k->until = NEVER;
    k->cut_at = time;
    return true;
}
