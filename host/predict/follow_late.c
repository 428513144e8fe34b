/* Items of queues that are on their way: a core that looks for a thread finds what has arrived, one item after the
 * other, and each may let threads go on. */
#include <stdlib.h>

#include "base/arena.h"
#include "follow_private.h"

enum { PLAIN = 60 }; /* clocks, where none was seen */

bool es_follow_is_late(const es_predict_follower *f)
{
    const es_predict_library *l = f->library;
    const es_procedure *const where[] = {l->look, l->functions[ES_PREDICT_PUT], l->functions[ES_PREDICT_GET]};
    for (unsigned i = 0; l->late && i < sizeof where / sizeof *where; i++)
        if (where[i] && f->last >= where[i]->low && f->last < where[i]->high)
            return true;
    return false;
}

/* Of code with the lock, up to the instruction. */
static void point(const es_predict_follower *f, es_predict_point of_events[2], es_predict_point of_looks[2])
{
    es_predict_point since = {(uint32_t)(f->clocks - f->had), (uint32_t)(f->accesses - f->had_accesses)};
    if (f->kernel == KERNEL_HOLD)
        of_events[f->threads[f->now].kind == ES_PREDICT_GET] = since;
    else if (f->kernel != KERNEL_OUT && !f->arrival.any)
        of_looks[f->kernel == KERNEL_PICK] = since;
}

void es_follow_reads_clock(es_predict_follower *f)
{
    f->arrival.any = false;
    point(f, f->trace->costs.stamp, f->trace->costs.look);
}

void es_follow_sets_timer(es_predict_follower *f)
{
    point(f, f->trace->costs.set, f->trace->costs.look_set);
}

/* The function that is called now: an item arrives. */
static void arrives(es_predict_follower *f)
{
    es_machine_registers r;
    es_follow_registers(f, &r);
    f->arrival = (follow_arrival){.under_way = true,
                                  .ra = r.x[1],
                                  .queue = r.x[10],
                                  .begin = f->arrival.begin,
                                  .readied = f->readied,
                                  .any = true,
                                  .crowd = f->ready_count > 0};
}

/* It is over, and it has been looked whether there is one more: what that took is no part of looking for a thread. The
 * next one begins here. */
static void has_arrived(es_predict_follower *f)
{
    follow_arrival *a = &f->arrival;
    follow_buffer *all = &f->buffer, part = {0};
    uint32_t count = f->readied - a->readied;
    a->under_way = a->over = false;
    if (a->begin > all->count)
        return;
    part.items = all->items + a->begin;
    part.count = all->count - a->begin;
    for (size_t i = 0; i < part.count; i++)
        part.clocks += f->trace->blocks[part.items[i]].clocks;
    unsigned way = (count ? ES_PREDICT_ARRIVES_TO : 0) | (count > 1 ? ES_PREDICT_ARRIVES_MORE : 0) |
                   (count && a->crowd ? ES_PREDICT_ARRIVES_CROWD : 0);
    es_follow_sample(f, &f->arrived[way], &part);
    if (count > 1 || (count && a->crowd))
        es_follow_length(&f->arrived_tails[way], f->clocks - f->ready_at);
    es_follow_handed_over(f, a->queue, count);
    all->count = a->begin;
    all->clocks -= part.clocks;
}

void es_follow_late(es_predict_follower *f, uint32_t pc)
{
    const es_predict_library *l = f->library;
    if (f->kernel != KERNEL_TAKE && f->kernel != KERNEL_PICK)
        return;
    if (f->arrival.over && pc != f->arrival.ra)
        has_arrived(f);
    if (f->arrival.looks) {
        if (f->scheduled) /* not with what is done the first time */
            es_follow_sample(f, &f->looks[f->kernel == KERNEL_PICK], &f->buffer);
        f->arrival = (follow_arrival){.any = f->arrival.any, .begin = f->buffer.count};
    }
    if (pc == l->look->low) {
        f->arrival = (follow_arrival){.looks = true};
    } else if (pc == l->arrives->low) {
        arrives(f);
    } else if (f->arrival.under_way && pc == f->arrival.ra) {
        f->arrival.over = true;
    } else if (f->arrival.under_way && pc == l->ready_here->low && !f->ready_count) {
        f->readied++; /* nobody else is ready: this core sees to it */
        f->ready_count++;
    }
}

void es_follow_late_costs(es_predict_follower *f)
{
    es_predict_costs *costs = &f->trace->costs;
    costs->late = f->library->late;
    if (!costs->late)
        return;
    if (!costs->set[1].accesses) { /* it is the same code */
        costs->set[1].clocks = costs->stamp[1].clocks + costs->set[0].clocks - costs->stamp[0].clocks;
        costs->set[1].accesses = costs->stamp[1].accesses + costs->set[0].accesses - costs->stamp[0].accesses;
    }
    costs->latency = es_follow_word(f, f->library->latency);
    for (unsigned way = 0; way < ES_PREDICT_ARRIVALS; way++) {
        const es_predict_samples *tails = &f->arrived_tails[way];
        costs->arrive[way] = es_follow_section(f, &f->arrived[way]);
        costs->arrive_tails[way] = tails->count ? (uint32_t)(tails->sum / tails->count) : 0;
    }
    for (unsigned pick = 0; pick < 2; pick++)
        costs->looks[pick] = es_follow_section(f, &f->looks[pick]);
    static const unsigned nearest[] = {ES_PREDICT_ARRIVES_CROWD, ES_PREDICT_ARRIVES_MORE, ES_PREDICT_ARRIVES_TO};
    for (unsigned i = 0; i < sizeof nearest / sizeof *nearest; i++)
        for (unsigned way = 0; way < ES_PREDICT_ARRIVALS; way++)
            if (!costs->arrive[way].count) {
                costs->arrive[way] = costs->arrive[way ^ nearest[i]];
                costs->arrive_tails[way] = costs->arrive_tails[way ^ nearest[i]];
            }
    for (unsigned way = 0; way < ES_PREDICT_ARRIVALS; way++)
        if (!costs->arrive[way].count)
            costs->arrive[way] = es_predict_plain_section(f->trace, PLAIN);
}
