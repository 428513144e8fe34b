/* The highest backlog: the smallest of several bounds, of which each holds. */
#include "check/events/checker.h"
#include "check/queues/waiting.h"

/* Records in the FIFO. With tasks, whose ways are not followed from one into another, by the most that can come in a
 * clock. */
static uint32_t find_waiting(const checker *c, const es_check_backlog *backlog, double credit, es_check_ratio ratio)
{
    credit += ES_CHECKER_LATENCY + (double)c->idle;
    if (!c->tasks)
        return es_check_waiting_find(&c->program, backlog, backlog->besides + credit, ratio);
    double clocks = (backlog->work + credit) * (double)ratio.bus / (double)ratio.core;
    return clocks * c->program.density + 2 < UINT32_MAX ? (uint32_t)(clocks * c->program.density) + 2 : UINT32_MAX;
}

bool es_checker_find_backlog(checker *c, const es_check_costs *costs, es_check_ratio ratio, bool fifo,
                             checker_bound *least, es_check_backlog *unbounded)
{
    bool bounded = false;
    *least = (checker_bound){.worst = CHECK_NONE, .records = UINT32_MAX};
    int ways = HITS_AND_CALLS_PAY + 1;
    /* where each entry of a loop pays for all that its stores may cause, and where each round does */
    for (int i = 0; i < (costs->sweep_count ? 2 : 1) * ways; i++) {
        int way = i % ways;
        es_check_backlog backlog;
        es_check_costs paid = *costs;
        if (i >= ways)
            paid.sweep_count = 0;
        c->paying = way;
        paid.clearing = es_checker_find_clearing(c, ratio);
        paid.epoch =
            es_checker_cost(c, ES_CHECK_EPOCH, 0, (es_check_situation){.depth = es_checker_depth(c, CHECK_NONE)});
        es_check_backlog_find(&c->program, &paid, ratio, &backlog);
        if (backlog.bounded) {
            double credit = way == EACH_HIT_ALL ? 0 : c->frame + (double)c->entry * c->depth;
            credit += backlog.outstanding * (1 + (c->handlers ? c->levels : 0));
            if (!bounded || backlog.work + credit < least->work) {
                least->work = backlog.work + credit;
                least->worst = backlog.worst;
            }
            uint32_t records = fifo ? find_waiting(c, &backlog, credit, ratio) : 0;
            least->records = records < least->records ? records : least->records;
            bounded = true;
        } else {
            *unbounded = backlog;
        }
    }
    c->paying = EACH_HIT_ALL;
    return bounded;
}

double es_checker_backlog(checker *c, const es_check_costs *costs, es_check_ratio ratio)
{
    es_check_backlog unbounded;
    checker_bound least;
    return es_checker_find_backlog(c, costs, ratio, false, &least, &unbounded) ? least.work + ES_CHECKER_LATENCY : -1;
}
