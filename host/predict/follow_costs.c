/* What events cost, from what was seen; what was not seen is made of what was. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "follow_private.h"

static uint32_t distance(uint32_t a, uint64_t sum, uint64_t count)
{
    uint64_t mean = count ? sum / count : 0;
    return (uint32_t)(a > mean ? a - mean : mean - a);
}

void es_follow_length(es_predict_samples *samples, uint64_t clocks)
{
    samples->count++;
    samples->sum += clocks;
}

void es_follow_keep(follow_buffer *to, const follow_buffer *from)
{
    if (from->count > to->room) {
        to->room = from->count;
        to->items = es_realloc(to->items, to->room * sizeof *to->items);
    }
    if (from->count)
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    to->count = from->count;
    to->clocks = from->clocks;
}

void es_follow_sample(es_predict_follower *f, es_predict_samples *s, const follow_buffer *buffer)
{
    (void)f;
    es_follow_length(s, buffer->clocks);
    if (s->items && distance(s->clocks, s->sum, s->count) <= distance(buffer->clocks, s->sum, s->count))
        return;
    s->items = es_realloc(s->items, (buffer->count + 1) * sizeof *s->items);
    if (buffer->count)
        memcpy(s->items, buffer->items, buffer->count * sizeof *s->items);
    s->item_count = buffer->count;
    s->clocks = buffer->clocks;
}

static uint32_t mean_of(const es_predict_samples *s)
{
    return s->count ? (uint32_t)((s->sum + s->count / 2) / s->count) : 0;
}

/* The typical one's blocks, with the mean of all as length. */
es_predict_section es_follow_section(es_predict_follower *f, const es_predict_samples *s)
{
    if (!s->count)
        return (es_predict_section){0};
    es_predict_section section = es_predict_add_section(f->trace, s->items, s->item_count);
    section.clocks = mean_of(s);
    return section;
}

static uint32_t mean_of_known(es_predict_samples (*samples)[ES_PREDICT_WAYS], unsigned way)
{
    uint64_t sum = 0, count = 0;
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
        if (samples[kind][way].count) {
            sum += mean_of(&samples[kind][way]);
            count++;
        }
    return count ? (uint32_t)(sum / count) : 0;
}

enum { READY = 24, WAITS = 60, GOES_ON = 30 }; /* clocks, where nothing of the kind was seen */

/* How long an event holds the lock that was never seen to go that way. */
static uint32_t hold_of(es_predict_follower *f, unsigned kind, unsigned way)
{
    uint32_t ready = f->ready.count ? mean_of(&f->ready) : READY;
    const es_predict_samples *s = f->hold[kind];
    unsigned other = way ^ ES_PREDICT_WAKES;
    if (s[other].count) {
        uint32_t clocks = mean_of(&s[other]);
        return way & ES_PREDICT_WAKES ? clocks + ready : clocks > ready ? clocks - ready : 1;
    }
    uint32_t more = way & ES_PREDICT_WAKES ? ready : 0;
    if (way & ES_PREDICT_WAITS) {
        if (f->block.count)
            return mean_of(&f->prefix) + mean_of(&f->block) + more;
        return WAITS + more;
    }
    uint32_t known = mean_of_known(f->hold, 0);
    return (known ? known : GOES_ON) + more;
}

/* Code like that of another kind, of another length: its blocks, for its accesses to memory. */
static es_predict_section like(es_predict_follower *f, const es_predict_samples *other, uint32_t clocks)
{
    if (!other || !other->count)
        return es_predict_plain_section(f->trace, clocks);
    size_t count = 0;
    uint32_t sum = 0;
    while (count < other->item_count && sum < clocks)
        sum += f->trace->blocks[other->items[count++]].clocks;
    es_predict_section section = es_predict_add_section(f->trace, other->items, count);
    section.clocks = clocks;
    return section;
}

/* The longest one of those that were seen. */
static const es_predict_samples *longest(const es_predict_samples *first, size_t step)
{
    const es_predict_samples *found = NULL;
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++, first += step)
        if (first->count && (!found || first->clocks > found->clocks))
            found = first;
    return found;
}

/* The nearest one that was seen of those that differ in lists and rings alone; none: itself. */
static unsigned other_way(const es_predict_follower *f, unsigned kind, unsigned way)
{
    static const unsigned bits[] = {0, ES_PREDICT_CROWD, ES_PREDICT_WRAPS, ES_PREDICT_CROWD | ES_PREDICT_WRAPS};
    for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
        if (f->hold[kind][way ^ bits[i]].count)
            return way ^ bits[i];
    return way;
}

/* A barrier's cost where only larger ones went that way, as that of the smallest: without the blocks from one thread
 * made ready to the next one. */
static void shorten(es_predict_follower *f, unsigned way)
{
    uint32_t least, most, found = 0, count = 0, clocks = 0;
    es_predict_samples *s = &f->hold[ES_PREDICT_BARRIER][way];
    if (!f->library->ready_function || !s->count || !es_predict_trace_barriers(f->trace, &least, &most) ||
        f->met[way] < least)
        return;
    uint32_t without = f->met[way] + 1 - least; /* the last ones but one */
    for (size_t i = 0; i < s->item_count; i++) {
        found += f->trace->blocks[s->items[i]].address == f->library->ready_function->low;
        if (found >= f->met[way] - without && found < f->met[way])
            clocks += f->trace->blocks[s->items[i]].clocks;
        else
            s->items[count++] = s->items[i];
    }
    s->item_count = count;
    s->clocks -= clocks;
    s->sum -= s->count * clocks;
}

static void holds(es_predict_follower *f)
{
    es_predict_costs *costs = &f->trace->costs;
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++) {
        bool used = f->library->functions[kind] != NULL;
        for (unsigned way = 0; used && way < ES_PREDICT_WAYS; way++) {
            if (other_way(f, kind, way) != way)
                continue; /* it is made of that one */
            if (kind == ES_PREDICT_BARRIER)
                shorten(f, way);
            costs->known[kind][way] = f->hold[kind][way].count > 0;
            costs->tails[kind][way] = mean_of(&f->from_ready[kind][way]);
            costs->hold[kind][way] = costs->known[kind][way]
                                         ? es_follow_section(f, &f->hold[kind][way])
                                         : like(f, longest(&f->hold[0][way], ES_PREDICT_WAYS), hold_of(f, kind, way));
        }
        for (unsigned way = 0; used && way < ES_PREDICT_WAYS; way++) {
            unsigned other = other_way(f, kind, way);
            if (other != way)
                es_follow_other_way(f, kind, way, other);
        }
    }
}

static void afters(es_predict_follower *f)
{
    for (unsigned waited = 0; waited < 2; waited++) {
        uint64_t sum = 0, count = 0;
        for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
            if (f->after[kind][waited].count) {
                sum += mean_of(&f->after[kind][waited]);
                count++;
            }
        uint32_t mean = count ? (uint32_t)(sum / count) : waited ? WAITS : GOES_ON / 2;
        for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
            f->trace->costs.known_after[kind][waited] = f->after[kind][waited].count > 0;
        for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
            if (f->library->functions[kind])
                f->trace->costs.after[kind][waited] = f->after[kind][waited].count
                                                          ? es_follow_section(f, &f->after[kind][waited])
                                                          : like(f, longest(&f->after[0][waited], 2), mean);
    }
}

/* What the way `a`, of the first time, has that `b` has not: without the blocks that both begin and end with, and as
 * many more as the other one has in between. */
static void find_begin(es_predict_follower *f, const es_predict_samples *a, const es_predict_samples *b)
{
    es_predict_costs *costs = &f->trace->costs;
    uint32_t more = mean_of(a) > mean_of(b) ? mean_of(a) - mean_of(b) : 0;
    size_t first = 0, end = a->item_count, other = b->item_count;
    while (first < end && first < other && a->items[first] == b->items[first])
        first++;
    while (end > first && other > 0 && a->items[end - 1] == b->items[other - 1]) {
        end--;
        other--;
    }
    uint32_t between = 0;
    for (size_t i = first; i < other; i++)
        between += f->trace->blocks[b->items[i]].clocks;
    while (first < end && f->trace->blocks[a->items[first]].clocks <= between)
        between -= f->trace->blocks[a->items[first++]].clocks;
    costs->begin = es_predict_add_section(f->trace, a->items + first, end - first);
    costs->begin.clocks = more;
    costs->begin_before = end < a->item_count ? f->trace->blocks[a->items[end]].address : 0;
}

/* Where the library's functions let interrupts come is the same in all of them. */
static void opens(es_predict_follower *f)
{
    es_predict_costs *costs = &f->trace->costs;
    for (unsigned waited = 0; waited < 2; waited++) {
        es_predict_point seen = {0};
        for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
            if (costs->open[kind][waited].accesses && !(kind == ES_PREDICT_FORK && waited))
                seen = costs->open[kind][waited];
        for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
            if (!costs->open[kind][waited].accesses && !(kind == ES_PREDICT_FORK && waited))
                costs->open[kind][waited] = seen;
    }
}

void es_follow_costs(es_predict_follower *f)
{
    opens(f);
    es_predict_costs *costs = &f->trace->costs;
    holds(f);
    afters(f);
    costs->next[ES_PREDICT_TAKE] = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_TAKE]);
    costs->next[ES_PREDICT_TAKE_NONE] = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_IDLE]);
    costs->next[ES_PREDICT_PICK] = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_PICK]);
    costs->next[ES_PREDICT_PICK_NONE] = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_EMPTY]);
    if (f->others[ES_PREDICT_SAMPLE_FIRST].count && costs->next[ES_PREDICT_PICK_NONE].clocks)
        find_begin(f, &f->others[ES_PREDICT_SAMPLE_FIRST], &f->others[ES_PREDICT_SAMPLE_EMPTY]);
    if (!costs->next[ES_PREDICT_PICK_NONE].clocks) /* it is the recorded run's core 0 */
        costs->next_first[ES_PREDICT_TAKE] = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_FIRST]);
    costs->trap = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_TRAP]);
    costs->cut = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_CUT]);
    costs->back = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_BACK]);
    costs->keep = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_KEEP]);
    costs->kept = es_follow_section(f, &f->others[ES_PREDICT_SAMPLE_KEPT]);
    costs->slice_after = f->slice_after;
    costs->slice_kept = f->slice_kept;
    costs->slice_first = f->slice_first;
    const es_procedure *enter = es_symbols_procedure_named(f->code->symbols, "kernel_enter");
    if (enter && f->library->interrupted) {
        costs->masked_first = enter->low;
        costs->masked_end = enter->high;
    }
    costs->wake = mean_of(&f->apart);
    costs->tail = mean_of(&f->tail);
    if (f->ring != ES_PREDICT_NONE)
        costs->ring = es_predict_add_section(f->trace, &f->ring, 1);
    costs->notice = es_follow_section(f, &f->notice);
    costs->doze = es_follow_section(f, &f->doze);
    costs->notice_first = es_follow_section(f, &f->notice_first);
    const es_predict_samples *alone = &f->hold[ES_PREDICT_FORK][ES_PREDICT_WAKES];
    if (!alone->count)
        alone += ES_PREDICT_CROWD;
    if (f->belled.count && alone->count) {
        uint32_t with = mean_of(&f->belled), without = mean_of(alone);
        costs->bell = with > without ? with - without : 0;
    }
}
