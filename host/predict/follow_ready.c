/* The part of an event in which a thread becomes ready: it goes another way where others are ready already, as it then
 * comes into a list that is not empty. Where only one of both was seen of an event, the other one is made of it with
 * this part of any other event. */
#include <stdlib.h>

#include "base/arena.h"
#include "follow_private.h"

typedef struct part {
    size_t first, end; /* items */
    uint32_t clocks;
} part;

/* False: there is none, or several. */
static bool find_part(const es_predict_follower *f, const es_predict_samples *s, part *p)
{
    const es_procedure *ready = f->library->ready_function;
    unsigned found = 0;
    *p = (part){0};
    for (size_t i = 0; ready && i < s->item_count; i++) {
        uint32_t address = f->trace->blocks[s->items[i]].address;
        if (address == ready->low) {
            p->first = i;
            found++;
        }
        if (found && address >= ready->low && address < ready->high)
            p->end = i + 1;
    }
    for (size_t i = p->first; i < p->end; i++)
        p->clocks += f->trace->blocks[s->items[i]].clocks;
    return found == 1;
}

/* Any event's that goes so. NULL: none was seen. */
static const es_predict_samples *example_of(const es_predict_follower *f, unsigned crowd, part *p)
{
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
        for (unsigned way = 0; way < ES_PREDICT_WAYS; way++)
            if ((way & ES_PREDICT_CROWD) == crowd && find_part(f, &f->hold[kind][way], p))
                return &f->hold[kind][way];
    return NULL;
}

void es_follow_other_crowd(es_predict_follower *f, unsigned kind, unsigned way)
{
    es_predict_costs *costs = &f->trace->costs;
    unsigned other = way ^ ES_PREDICT_CROWD;
    const es_predict_samples *own = &f->hold[kind][other];
    part from, to;
    costs->known[kind][way] = true;
    costs->hold[kind][way] = costs->hold[kind][other];
    costs->tails[kind][way] = costs->tails[kind][other];
    const es_predict_samples *example = example_of(f, way & ES_PREDICT_CROWD, &to);
    if (!example || !find_part(f, own, &from))
        return;
    size_t count = 0;
    uint32_t *items = es_malloc((own->item_count + example->item_count + 1) * sizeof *items);
    for (size_t i = 0; i < from.first; i++)
        items[count++] = own->items[i];
    for (size_t i = to.first; i < to.end; i++)
        items[count++] = example->items[i];
    for (size_t i = from.end; i < own->item_count; i++)
        items[count++] = own->items[i];
    costs->hold[kind][way] = es_predict_add_section(f->trace, items, count);
    costs->hold[kind][way].clocks = costs->hold[kind][other].clocks + to.clocks - from.clocks;
    costs->tails[kind][way] += to.clocks - from.clocks;
    free(items);
}
