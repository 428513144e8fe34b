#include <string.h>

#include "predict/answers.h"

uint64_t es_predict_makespan(const es_predict_trace *trace, const es_predict_machine *machine,
                             const es_predict_result *result)
{
    es_predict_speed speed = machine->speeds[0];
    double tick = speed.over ? (double)speed.under / speed.over : 1;
    double lead = (double)trace->lead * tick + (double)trace->lead_accesses * machine->wait;
    double clocks = (double)result->makespan / result->scale - lead;
    return clocks > 0 ? (uint64_t)(clocks + 0.5) : 0;
}

bool es_predict_lock_decides(const es_predict_machine *machine, const es_predict_result *result)
{
    uint64_t spins = 0, work = 0;
    for (unsigned c = 0; c < machine->cores; c++) {
        spins += result->spins[c];
        work += result->runs[c] + result->kernel[c] + result->spins[c];
    }
    return spins > work / 5;
}

/* How often threads become ready that were not: at most so often a core is woken. */
static uint64_t wakes_of(const es_predict_trace *trace, const es_predict_result *result)
{
    uint64_t wakes = trace->thread_count;
    for (size_t o = 0; o < result->object_count; o++)
        wakes += result->objects[o].waits;
    return wakes;
}

/* wakes may be NULL. */
static bool makespan_of(const es_predict_steps *steps, const es_predict_machine *machine, uint64_t *clocks,
                        uint64_t *wakes, es_error *err)
{
    es_predict_result result;
    bool good = es_predict_run(steps, machine, NULL, &result, err);
    *clocks = good ? es_predict_makespan(steps->trace, machine, &result) : 0;
    if (wakes)
        *wakes = good ? wakes_of(steps->trace, &result) : 0;
    es_predict_result_free(&result);
    return good;
}

static uint64_t accesses_of(const es_predict_trace *trace)
{
    uint64_t sum = 0;
    for (size_t t = 0; t < trace->thread_count; t++)
        for (size_t i = 0; i < trace->threads[t].count; i++)
            if (!(trace->threads[t].items[i] & ES_PREDICT_IS_EVENT))
                sum += trace->blocks[trace->threads[t].items[i]].accesses;
    return sum - trace->lead_accesses;
}

static uint32_t longer(uint32_t clocks, const es_predict_section *section)
{
    return section->clocks > clocks ? section->clocks : clocks;
}

/* What events take if each of them goes the longest way, lets a core go to another thread, and one more be woken. */
static double events_at_worst(const es_predict_trace *trace, const es_predict_machine *machine)
{
    const es_predict_costs *c = &trace->costs;
    uint32_t hold = 0, after = 0, next = 0, least, most;
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++) {
        for (unsigned way = 0; way < ES_PREDICT_WAYS; way++)
            hold = longer(hold, &c->hold[kind][way]);
        if (kind == ES_PREDICT_BARRIER && es_predict_trace_barriers(trace, &least, &most))
            hold += (most - least) * c->wake;
        after = longer(longer(after, &c->after[kind][0]), &c->after[kind][1]);
    }
    for (unsigned how = 0; how < ES_PREDICT_NEXTS; how++)
        next = longer(next, &c->next[how]);
    double all = (double)hold + after + next + c->bell + c->doze.clocks + c->notice.clocks + machine->bell;
    return all * (double)trace->event_count * (machine->kernel ? machine->kernel : 100) / 100;
}

bool es_predict_bounds_of(const es_predict_steps *steps, const es_predict_machine *machine, es_predict_bounds *bounds,
                          es_error *err)
{
    es_predict_machine one = *machine, all = *machine, ideal;
    uint64_t work, alone, chain, least, own, wakes;
    double speeds = 0, fastest = 0, n = machine->cores;
    for (unsigned c = 0; c < machine->cores; c++) {
        es_predict_speed s = machine->speeds[c];
        double speed = s.over ? (double)s.over / s.under : 1;
        speeds += speed;
        fastest = speed > fastest ? speed : fastest;
    }
    one.cores = 1;
    one.speeds[0] = machine->speeds[0];
    all.cores = ES_PREDICT_CORES;
    for (unsigned c = machine->cores; c < all.cores; c++)
        all.speeds[c] = machine->speeds[0];
    ideal = all;
    ideal.free_kernel = true;
    ideal.memory = ES_PREDICT_PORTS;
    ideal.bell = 0; /* who has just become idle needs none */
    es_predict_machine work_only = one;
    work_only.free_kernel = true;
    if (!makespan_of(steps, &one, &alone, NULL, err) || !makespan_of(steps, &work_only, &work, NULL, err) ||
        !makespan_of(steps, &all, &chain, NULL, err) || !makespan_of(steps, &ideal, &least, NULL, err) ||
        !makespan_of(steps, machine, &own, &wakes, err))
        return false;
    double slow =
        speeds > 0 ? (machine->speeds[0].over ? (double)machine->speeds[0].over / machine->speeds[0].under : 1) : 1;
    double share = (double)work * slow / speeds;
    bool anybody = steps->trace->depends & ES_PREDICT_ON_ANYBODY;
    least = anybody ? 0 : least;
    bounds->low = share > (double)least ? (uint64_t)share : least;
    double high = (double)alone * slow / speeds + (double)chain * (1 - 1 / n);
    high += (double)wakes * machine->bell / n; /* a core sleeps so long while a thread is ready */
    if (machine->memory != ES_PREDICT_PORTS)   /* at worst, everybody waits for each access of all others */
        high += (double)accesses_of(steps->trace) * (1 + machine->wait);
    if (anybody) /* at worst, one after the other, and everybody waits for everything */
        high = (high > (double)alone ? high : (double)alone) + events_at_worst(steps->trace, machine) * slow;
    if (steps->trace->depends & ~(uint32_t)ES_PREDICT_UNSEEN)
        high *= 1.05;
    bounds->high = (uint64_t)high + 1;
    if (own < bounds->low)
        bounds->low = own;
    if (own > bounds->high)
        bounds->high = own;
    bounds->low -= bounds->low / 100; /* what events cost is not known better */
    bounds->high += bounds->high / 100;
    return true;
}

void es_predict_depends_text(es_text_buffer *out, uint32_t depends)
{
    static const struct {
        uint32_t bit;
        const char *text;
    } reasons[] = {
        {ES_PREDICT_ON_TRY, "locks are tried"},
        {ES_PREDICT_ON_CLOCK, "the program reads the clock"},
        {ES_PREDICT_ON_ITEMS, "several threads share a queue, and time decides who gets which item"},
        {ES_PREDICT_ON_YIELD, "threads give way, perhaps to poll"},
        {ES_PREDICT_ON_WAIT, "conditions are waited for: how often, time decides"},
        {ES_PREDICT_ON_RANDOM, "random numbers are drawn, and time decides who draws which"},
        {ES_PREDICT_ON_MEMORY, "branches hang on what other threads have written, and time decides when"},
        {ES_PREDICT_ON_CORES, "the program asks how many cores there are"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (depends & reasons[i].bit) {
            es_text_format(out, "%s%s", any ? "; " : "", reasons[i].text);
            any = true;
        }
}
