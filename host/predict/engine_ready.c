/* Lists of threads, and who of the ready ones is next. */
#include "engine_private.h"

void es_predict_list_add(engine *e, list *l, uint32_t thread)
{
    e->threads[thread].next = ES_PREDICT_NONE;
    e->threads[thread].before = l->count ? l->tail : ES_PREDICT_NONE;
    if (l->count)
        e->threads[l->tail].next = thread;
    else
        l->head = thread;
    l->tail = thread;
    l->count++;
}

void es_predict_list_remove(engine *e, list *l, uint32_t thread)
{
    token *t = &e->threads[thread];
    if (t->before == ES_PREDICT_NONE)
        l->head = t->next;
    else
        e->threads[t->before].next = t->next;
    if (t->next == ES_PREDICT_NONE)
        l->tail = t->before;
    else
        e->threads[t->next].before = t->before;
    l->count--;
}

/* The first one of the highest priority. */
static uint32_t best_of(const engine *e, const list *l)
{
    uint32_t best = ES_PREDICT_NONE;
    uint32_t at = l->count ? l->head : ES_PREDICT_NONE;
    for (; at != ES_PREDICT_NONE; at = e->threads[at].next)
        if (best == ES_PREDICT_NONE || e->trace->threads[at].priority < e->trace->threads[best].priority)
            best = at;
    return best;
}

uint32_t es_predict_list_choose(engine *e, list *l)
{
    uint32_t chosen;
    if (!l->count)
        return ES_PREDICT_NONE;
    switch (e->machine->order) {
    case ES_PREDICT_LAST: chosen = l->tail; break;
    case ES_PREDICT_BEST: chosen = best_of(e, l); break;
    default: chosen = l->head; break;
    }
    es_predict_list_remove(e, l, chosen);
    return chosen;
}

/* A core with the worst thread is asked to let a better one run, where no core sleeps that is woken for it. */
static void ask(engine *e, uint32_t thread)
{
    const es_predict_thread *threads = e->trace->threads;
    unsigned worst = ES_PREDICT_CORES;
    if (e->machine->scheduler != ES_PREDICT_PREEMPTIVE || es_predict_idle(e) >= e->fresh)
        return;
    for (unsigned c = 0; c < e->machine->cores; c++) {
        const processor *k = &e->cores[c];
        if (k->thread != ES_PREDICT_NONE && !k->asked &&
            (worst == ES_PREDICT_CORES || threads[k->thread].priority > threads[e->cores[worst].thread].priority))
            worst = c;
    }
    if (worst == ES_PREDICT_CORES || threads[e->cores[worst].thread].priority <= threads[thread].priority)
        return;
    e->cores[worst].asked = true;
    uint32_t i = 0;
    while (i < e->ask_count && e->asks[i].number != e->fresh - 1)
        i++;
    e->asks[i].number = e->fresh - 1;
    e->asks[i].core = worst;
    e->ask_count += i == e->ask_count;
}

void es_predict_ready_add(engine *e, uint32_t thread, unsigned core)
{
    bool sees = e->looks && !e->ready_count;
    es_predict_ready_put(e, thread, core);
    if (sees)
        e->fresh--;
    else
        ask(e, thread);
}

void es_predict_ready_put(engine *e, uint32_t thread, unsigned core)
{
    unsigned queue = e->machine->scheduler == ES_PREDICT_WORK ? core : 0;
    e->threads[thread].state = THREAD_READY;
    e->threads[thread].home = (uint16_t)queue;
    es_predict_list_add(e, &e->ready[queue], thread);
    e->ready_count++;
    e->fresh++;
}

uint32_t es_predict_ready_best(const engine *e)
{
    return best_of(e, &e->ready[0]);
}

uint32_t es_predict_ready_take(engine *e, unsigned core)
{
    list *from = &e->ready[0];
    uint32_t thread;
    if (!e->ready_count)
        return ES_PREDICT_NONE;
    if (e->machine->scheduler == ES_PREDICT_WORK) {
        from = &e->ready[core];
        if (from->count) {
            thread = from->head;
        } else { /* the newest of the longest queue */
            for (unsigned c = 0; c < e->machine->cores; c++)
                if (e->ready[c].count > from->count)
                    from = &e->ready[c];
            thread = from->tail;
        }
    } else {
        bool best = e->machine->scheduler == ES_PREDICT_PRIORITY || e->machine->scheduler == ES_PREDICT_PREEMPTIVE;
        thread = best ? best_of(e, from) : from->head;
    }
    es_predict_list_remove(e, from, thread);
    e->ready_count--;
    return thread;
}
