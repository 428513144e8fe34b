#include "predict/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

typedef struct order {
    uint64_t passed;
    uint32_t block;
} order;

static int often_first(const void *a, const void *b)
{
    const order *x = a, *y = b;
    if (x->passed != y->passed)
        return x->passed > y->passed ? -1 : 1;
    return x->block < y->block ? 1 : -1;
}

static void keep(es_predict_routes *routes, const es_procedure *p)
{
    uint32_t at = p ? es_predict_route_at(routes, p->low) : ES_PREDICT_NONE;
    if (at != ES_PREDICT_NONE)
        routes->blocks[at].kept = true;
}

void es_predict_points_choose(es_predict_routes *routes, const es_predict_rehearsal *rehearsal)
{
    static const char *const kept[] = {"main", "_exit", "thread_switch"};
    order *orders = es_malloc((routes->count + 1) * sizeof *orders);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        keep(routes, es_symbols_procedure_named(routes->code->symbols, kept[i]));
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
        keep(routes, rehearsal->library->functions[kind]);
    keep(routes, rehearsal->library->fork_priority);
    for (uint32_t b = 0; b < routes->count; b++) {
        const es_predict_rehearsed *seen = es_predict_rehearsed_at(rehearsal, routes->blocks[b].address);
        routes->blocks[b].point = true;
        routes->blocks[b].passed = seen ? seen->passed : 0;
        orders[b] = (order){routes->blocks[b].passed, b};
    }
    if (routes->count)
        qsort(orders, routes->count, sizeof *orders, often_first);
    for (size_t i = 0; i < routes->count; i++) {
        es_predict_route *b = &routes->blocks[orders[i].block];
        if (b->kept)
            continue;
        b->point = false;
        es_predict_routes_look(routes);
        b->point = !es_predict_routes_tell(routes);
    }
    es_predict_routes_look(routes);
    free(orders);
}
