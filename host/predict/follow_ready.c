/* The part of an event in which a thread becomes ready, or waits: it goes another way where the list into which it
 * comes is not empty. Where only one of both was seen of an event, the other one is made of it with this part of any
 * other event. */
#include <stdlib.h>

#include "base/arena.h"
#include "follow_private.h"

typedef struct part {
    size_t first, end; /* items */
    uint32_t clocks;
} part;

/* What lies between the first and the last block of a procedure. False: it is not called, or several times. */
static bool find_part(const es_predict_follower *f, const es_procedure *of, const es_predict_samples *s, part *p)
{
    unsigned found = 0;
    *p = (part){0};
    for (size_t i = 0; of && i < s->item_count; i++) {
        uint32_t address = f->trace->blocks[s->items[i]].address;
        if (address == of->low) {
            p->first = i;
            found++;
        }
        if (found && address >= of->low && address < of->high)
            p->end = i + 1;
    }
    for (size_t i = p->first; i < p->end; i++)
        p->clocks += f->trace->blocks[s->items[i]].clocks;
    return found == 1;
}

/* Any event's whose list is as that way's. NULL: none was seen. */
static const es_predict_samples *example_of(const es_predict_follower *f, const es_procedure *of, unsigned like,
                                            part *p)
{
    unsigned same = ES_PREDICT_CROWD | ES_PREDICT_WAKES;
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
        for (unsigned way = 0; way < ES_PREDICT_WAYS; way++)
            if ((way & same) == (like & same) && find_part(f, of, &f->hold[kind][way], p))
                return &f->hold[kind][way];
    return NULL;
}

void es_follow_other_way(es_predict_follower *f, unsigned kind, unsigned way, unsigned other)
{
    es_predict_costs *costs = &f->trace->costs;
    const es_procedure *of = f->library->ready_function;
    const es_predict_samples *own = &f->hold[kind][other];
    part from, to;
    costs->known[kind][way] = true;
    costs->hold[kind][way] = costs->hold[kind][other];
    costs->tails[kind][way] = costs->tails[kind][other];
    if (!((way ^ other) & ES_PREDICT_CROWD))
        return;
    if (!(way & ES_PREDICT_WAKES))
        of = es_symbols_procedure_named(f->code->symbols, "thread_block");
    const es_predict_samples *example = example_of(f, of, way, &to);
    if (!example || !find_part(f, of, own, &from))
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
    if (way & ES_PREDICT_WAKES)
        costs->tails[kind][way] += to.clocks - from.clocks;
    free(items);
}
