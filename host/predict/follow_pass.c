/* With --order best, a thread that has to wait looks for its place among those that wait already: it passes them one
 * after the other. What it takes to pass one is a cost of its own. */
#include <string.h>

#include "follow_private.h"

static uint32_t address_of(const es_predict_follower *f, size_t i)
{
    return f->trace->blocks[f->buffer.items[i]].address;
}

/* In one of the functions that do it, of which one may be inlined in the other. */
static bool is_search(const es_predict_follower *f, size_t i)
{
    for (unsigned k = 0; k < 2; k++) {
        const es_procedure *search = f->library->searches[k];
        if (search && address_of(f, i) >= search->low && address_of(f, i) < search->high)
            return true;
    }
    return false;
}

/* The first turn of the loop in it: from the block that branches back up to where that begins again, or the loop is
 * left. False: there is none. */
static bool find_turn(const es_predict_follower *f, size_t *first, size_t *end)
{
    for (size_t i = 0; i + 1 < f->buffer.count; i++) {
        uint32_t jumps = address_of(f, i), to = address_of(f, i + 1);
        es_insn last;
        if (!is_search(f, i) || !is_search(f, i + 1) || to > jumps ||
            !es_symbols_insn(f->code->symbols, f->trace->blocks[f->buffer.items[i]].end, &last) ||
            last.kind != ES_INSN_BRANCH)
            continue;
        *first = i;
        for (*end = i + 1; *end < f->buffer.count && address_of(f, *end) >= to && address_of(f, *end) < jumps;)
            ++*end;
        return *end > i + 1;
    }
    return false;
}

void es_follow_passes(es_predict_follower *f)
{
    follow_buffer *b = &f->buffer;
    size_t first, end;
    while (f->library->searches[0] && find_turn(f, &first, &end)) {
        uint32_t clocks = 0;
        for (size_t i = first; i < end; i++)
            clocks += f->trace->blocks[b->items[i]].clocks;
        f->trace->costs.pass = clocks;
        memmove(b->items + first, b->items + end, (b->count - end) * sizeof *b->items);
        b->count -= end - first;
        b->clocks -= clocks;
    }
}
