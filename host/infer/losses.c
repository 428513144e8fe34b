#include "infer/losses.h"

typedef es_infer_gap_told gap;

void es_infer_losses_add(es_infer_losses *losses, const es_infer_loss *loss, double rate)
{
    double time = (double)loss->begin - (double)losses->recent[losses->event_count % ES_INFER_RECENT];
    bool known = losses->event_count >= ES_INFER_RECENT && time > 0;
    int64_t over = losses->gap_count ? losses->gaps[(losses->gap_count - 1) % ES_INFER_GAPS_MAX].over : INT64_MIN;
    losses->gaps[losses->gap_count++ % ES_INFER_GAPS_MAX] =
        (gap){*loss, loss->end > over ? loss->end : over, known ? ES_INFER_RECENT / time : rate, 0};
}

void es_infer_losses_event(es_infer_losses *losses, int64_t time)
{
    if (!losses->event_count)
        losses->first_time = time;
    losses->recent[losses->event_count++ % ES_INFER_RECENT] = time;
}

static uint64_t oldest_of(const es_infer_losses *losses)
{
    return losses->gap_count > ES_INFER_GAPS_MAX ? losses->gap_count - ES_INFER_GAPS_MAX : 0;
}

void es_infer_losses_kept(es_infer_losses *losses, int64_t time)
{
    for (uint64_t i = losses->gap_count, oldest = oldest_of(losses); i > oldest; i--) {
        gap *g = &losses->gaps[(i - 1) % ES_INFER_GAPS_MAX];
        if (time >= g->over)
            break;
        g->kept += time > g->loss.begin && time < g->loss.end;
    }
}

double es_infer_losses_of_others(const es_infer_losses *losses, const es_infer_scenario *scenario)
{
    double share = losses->event_count ? 1 - (double)scenario->events / (double)losses->event_count : 0.5;
    return share > 0 ? share : 0;
}

void es_infer_losses_between(const es_infer_losses *losses, const es_infer_machine *machine,
                             const es_infer_scenario *scenario, int64_t begin, int64_t end, es_infer_between *between)
{
    uint64_t oldest = oldest_of(losses), kept = 0;
    bool any = false, counted = true, listed = true;
    *between = (es_infer_between){.told = true, .may_lose = true, .rate = 1};
    for (uint64_t i = losses->gap_count; i > oldest; i--) {
        const gap *g = &losses->gaps[(i - 1) % ES_INFER_GAPS_MAX];
        if (g->over <= begin)
            break;
        if (g->loss.begin >= end || g->loss.end <= begin || es_infer_loss_spares(&g->loss, machine, scenario->key))
            continue;
        between->begin = any && between->begin < g->loss.begin ? between->begin : g->loss.begin;
        between->end = any && between->end > g->loss.end ? between->end : g->loss.end;
        int64_t low = g->loss.begin > begin ? g->loss.begin : begin, high = g->loss.end < end ? g->loss.end : end;
        between->others += g->rate * (double)(high - low);
        double all = (double)g->loss.end - (double)g->loss.begin;
        between->outside += all > 0 ? (double)g->loss.count * (1 - (double)(high - low) / all) : 0;
        listed = listed && between->window_count < ES_INFER_WINDOWS_MAX;
        if (listed) {
            between->windows[between->window_count][0] = low;
            between->windows[between->window_count++][1] = high;
        }
        between->count += g->loss.count;
        counted = counted && g->loss.count;
        kept += g->kept;
        any = true;
    }
    if (!any) {
        between->begin = begin;
        between->end = end;
    }
    if (kept)
        between->rate = counted ? (double)between->count / (double)(between->count + kept) : 0.5;
    if (!counted)
        between->count = 0, between->outside = 0;
    if (!listed)
        between->window_count = 0;
    between->others *= between->rate * es_infer_losses_of_others(losses, scenario);
    between->more = between->rate;
}

double es_infer_losses_expected(const es_infer_losses *losses, const es_infer_scenario *scenario,
                                const es_infer_between *between)
{
    double others = es_infer_losses_of_others(losses, scenario);
    if (between->count)
        return ((double)between->count - between->outside) * (1 - others);
    return others > 0.01 ? between->others * (1 - others) / others : between->others;
}
