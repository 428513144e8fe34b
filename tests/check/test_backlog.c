/* The backlog's bound against brute force: all paths of small random programs, with a stack of returns, step by
 * step. */
#include <string.h>

#include "check/queues/backlog.h"
#include "check/queues/waiting.h"
#include "check/target/loops.h"
#include "check_main.h"

enum { PROCEDURES = 4, NODES_EACH = 7, STACK = 4, LOOPS_MAX = 24 };

static uint32_t seed;

static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

/* --- programs ----------------------------------------------------------------------------------------------- */

static es_procedure described[PROCEDURES];
static es_check_procedure procedures[PROCEDURES];
static es_check_node nodes[PROCEDURES * NODES_EACH];
static es_check_edge edges[PROCEDURES * NODES_EACH * 2];
static int64_t fetch_cost[PROCEDURES * NODES_EACH], store_cost[PROCEDURES * NODES_EACH];
static const es_store some_store = {.kind = ES_STORE_UNKNOWN};

static es_check_program program;

static int64_t fetch(void *context, uint32_t from, uint32_t word, uint32_t address)
{
    (void)context, (void)from, (void)word;
    return fetch_cost[address / 4];
}

static int64_t back(void *context, const es_check_node *call, size_t callee, uint32_t address)
{
    (void)call, (void)callee;
    return fetch(context, 0, 0, address);
}

static int64_t store(void *context, const es_check_node *node)
{
    (void)context;
    return store_cost[node->address / 4];
}

static const es_check_costs costs = {.fetch = fetch, .back = back, .store = store};

static void add(es_check_edge edge)
{
    edges[program.edge_count++] = edge;
    nodes[edge.from].edge_count++;
}

static void blank(es_arena *arena, size_t procedure_count, size_t nodes_each)
{
    memset(fetch_cost, 0, sizeof fetch_cost);
    memset(store_cost, 0, sizeof store_cost);
    memset(nodes, 0, sizeof nodes);
    program = (es_check_program){.isa = es_isa_of_soft_core(),
                                 .arena = arena,
                                 .nodes = nodes,
                                 .edges = edges,
                                 .procedures = procedures,
                                 .procedure_count = procedure_count,
                                 .node_count = procedure_count * nodes_each};
    for (size_t p = 0; p < procedure_count; p++) {
        described[p] = (es_procedure){
            .name = "p", .low = (uint32_t)(4 * p * nodes_each), .high = (uint32_t)(4 * (p + 1) * nodes_each)};
        procedures[p] = (es_check_procedure){
            .procedure = &described[p], .first_node = p * nodes_each, .node_count = nodes_each, .reached = true};
    }
    for (size_t i = 0; i < program.node_count; i++)
        nodes[i] = (es_check_node){.address = (uint32_t)(4 * i), .clocks = 2, .procedure = i / nodes_each};
}

/* Procedure p calls only those after it. The last node leaves it; procedure 0 goes round for ever. */
static void random_program(es_arena *arena)
{
    blank(arena, PROCEDURES, NODES_EACH);
    for (size_t i = 0; i < program.node_count; i++) {
        size_t p = i / NODES_EACH, own = i % NODES_EACH, first = p * NODES_EACH;
        nodes[i].clocks = 2 + draw(4);
        nodes[i].transactions = 1;
        if (!draw(6))
            fetch_cost[i] = draw(20);
        if (!draw(6)) {
            nodes[i].store = &some_store;
            nodes[i].transactions = 2;
            store_cost[i] = draw(16);
        }
        nodes[i].first_edge = program.edge_count;
        if (own == NODES_EACH - 1) {
            if (p == 0)
                add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = i, .to = 0});
            else
                add((es_check_edge){.kind = CHECK_EDGE_EXIT, .from = i});
            continue;
        }
        size_t callee = p + 1 + draw(2);
        if (callee < PROCEDURES && !draw(3)) {
            if (draw(8) || p == 0)
                add((es_check_edge){.kind = CHECK_EDGE_CALL, .from = i, .to = i + 1, .callee = callee});
            else
                add((es_check_edge){.kind = CHECK_EDGE_TAIL, .from = i, .callee = callee});
            continue;
        }
        add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = i, .to = i + 1});
        if (!draw(3))
            add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = i, .to = first + draw(NODES_EACH)});
    }
}

/* Some of the loops come back to their heads so often at most. */
static void bound_loops(es_arena *arena)
{
    for (size_t p = 0; p < program.procedure_count; p++) {
        es_check_counted *loops;
        size_t loop_count, *order, count;
        if (!es_check_loops_natural(&program, p, &loops, &loop_count, &order, &count))
            continue;
        for (size_t i = 0; i < loop_count && program.counted_count < LOOPS_MAX; i++) {
            if (!draw(3))
                continue;
            loops[i].rounds = draw(4);
            program.counted = es_arena_grow(arena, program.counted, program.counted_count, sizeof *program.counted);
            program.counted[program.counted_count++] = loops[i];
        }
    }
}

/* --- brute force -------------------------------------------------------------------------------------------- */

/* Where execution is: a node, and the calls that it is in (as nodes to go back to + 1). */
typedef struct place {
    size_t node;
    uint8_t stack[STACK];
    unsigned depth;
    uint8_t rounds[LOOPS_MAX]; /* of each loop with a bound, since it was entered */
    int64_t value;
} place;

static place places[400000];
static size_t place_count;
static size_t table[1 << 20];

static bool rise(place p, int64_t *most)
{
    if (p.value > *most)
        *most = p.value;
    uint64_t key = p.node;
    for (unsigned i = 0; i < STACK; i++)
        key = key * 61 + (i < p.depth ? p.stack[i] : 0);
    for (size_t i = 0; i < program.counted_count; i++)
        key = key * 61 + p.rounds[i];
    size_t i = (key * 0x9E3779B97F4A7C15u) >> 44;
    for (; table[i]; i = (i + 1) & ((1 << 20) - 1)) {
        place *known = &places[table[i] - 1];
        if (known->node == p.node && known->depth == p.depth && memcmp(known->stack, p.stack, p.depth) == 0 &&
            memcmp(known->rounds, p.rounds, sizeof p.rounds) == 0) {
            if (p.value <= known->value)
                return false;
            known->value = p.value;
            return true;
        }
    }
    ck_assert(place_count < sizeof places / sizeof *places);
    places[place_count] = p;
    table[i] = ++place_count;
    return true;
}

static int64_t drained(int64_t value, uint32_t clocks, es_check_ratio ratio)
{
    int64_t left = value - (int64_t)clocks * ratio.core;
    return left > 0 ? left : 0;
}

static bool is_inside(const es_check_counted *loop, size_t node)
{
    return nodes[node].procedure == nodes[loop->head].procedure && loop->inside[node % NODES_EACH];
}

/* Counts rounds on the way from one node of a procedure to another one; CHECK_NONE: out of it. False: there are too
 * many. */
static bool count_round(place *p, size_t from, size_t to)
{
    for (size_t i = 0; i < program.counted_count; i++) {
        const es_check_counted *loop = &program.counted[i];
        if (nodes[loop->head].procedure != nodes[from].procedure)
            continue;
        bool stays = to != CHECK_NONE && is_inside(loop, from) && is_inside(loop, to);
        if (!stays)
            p->rounds[i] = 0;
        else if (to == loop->head && p->rounds[i]++ == loop->rounds)
            return false;
    }
    return true;
}

/* Goes along an edge. False: it cannot be gone now. */
static bool go_along(place *p, const es_check_edge *edge)
{
    size_t from = p->node;
    if (edge->kind == CHECK_EDGE_NEXT) {
        p->node = edge->to;
        return count_round(p, from, p->node);
    }
    if (edge->kind == CHECK_EDGE_EXIT) {
        p->node = p->stack[--p->depth] - 1u;
        count_round(p, from, CHECK_NONE);
        return count_round(p, p->node - 1, p->node); /* calls go on after */
    }
    if (edge->kind == CHECK_EDGE_CALL)
        p->stack[p->depth++] = (uint8_t)(edge->to + 1);
    else
        count_round(p, from, CHECK_NONE);
    p->node = procedures[edge->callee].first_node;
    return true;
}

static bool step(place p, es_check_ratio ratio, int64_t *most)
{
    const es_check_node *node = &nodes[p.node];
    bool any = false, stores = node->store != NULL;
    int64_t value = drained(p.value, node->clocks - stores, ratio) + (stores ? store_cost[p.node] * ratio.bus : 0);
    if (value > *most)
        *most = value;
    value = drained(value, stores, ratio); /* a store is on the bus a clock before the next fetch */
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const es_check_edge *edge = &edges[e];
        place next = p;
        if (!go_along(&next, edge))
            continue;
        next.value = value + fetch_cost[next.node] * ratio.bus;
        any |= rise(next, most);
    }
    return any;
}

/* Highest value after so many rounds; *still: it goes on rising. */
static int64_t brute(es_check_ratio ratio, unsigned rounds, bool *still)
{
    int64_t most = 0;
    memset(table, 0, sizeof table);
    place_count = 0;
    rise((place){.value = 0}, &most);
    *still = true;
    for (unsigned i = 0; i < rounds && *still; i++) {
        *still = false;
        for (size_t k = 0; k < place_count; k++)
            *still |= step(places[k], ratio, &most);
    }
    return most;
}

/* --- the FIFO ----------------------------------------------------------------------------------------------- */

enum { QUEUE = 4096, WALK = 1000 };

/* A FIFO whose records wait until the work of those before them is done. */
typedef struct fifo {
    int64_t starts[QUEUE]; /* when they are taken: soft core clocks * ratio.bus */
    size_t first, end;     /* modulo QUEUE */
    int64_t free;          /* when all work is done */
    uint32_t most;
} fifo;

static void arrive(fifo *f, int64_t clocks, int64_t work, es_check_ratio ratio)
{
    int64_t now = clocks * ratio.core;
    while (f->first < f->end && f->starts[f->first % QUEUE] <= now)
        f->first++;
    f->free = f->free > now ? f->free : now;
    ck_assert(f->end - f->first < QUEUE);
    f->starts[f->end++ % QUEUE] = f->free;
    f->free += work * ratio.bus;
    uint32_t held = (uint32_t)(f->end - f->first);
    f->most = held > f->most ? held : f->most;
}

/* The most that the FIFO holds on a random way through the program. */
static uint32_t walk(es_check_ratio ratio)
{
    static fifo f;
    f.first = f.end = 0;
    f.free = 0;
    f.most = 0;
    place p = {0};
    int64_t now = 0;
    arrive(&f, 0, 0, ratio);
    for (unsigned i = 0; i < WALK; i++) {
        const es_check_node *node = &nodes[p.node];
        if (node->store)
            arrive(&f, now + node->clocks - 1, store_cost[p.node], ratio);
        now += node->clocks;
        place next = p;
        bool gone = false;
        for (unsigned tries = 0; tries < 8 && !gone && node->edge_count; tries++) {
            next = p;
            gone = go_along(&next, &edges[node->first_edge + draw((uint32_t)node->edge_count)]);
        }
        if (!gone)
            break;
        p = next;
        arrive(&f, now, fetch_cost[p.node], ratio);
    }
    return f.most;
}

/* --- tests -------------------------------------------------------------------------------------------------- */

START_TEST(equals_all_paths)
{
    unsigned bounded = 0, unbounded = 0;
    for (unsigned round = 0; round < 400; round++) {
        uint32_t own = (uint32_t)_i * 10000 + round + 1;
        seed = own;
        es_arena *arena = es_arena_new();
        random_program(arena);
        if (round % 2)
            bound_loops(arena);
        es_check_ratio ratio = {.core = 1 + draw(4), .bus = 1 + draw(2)};
        es_check_backlog found;
        es_check_backlog_find(&program, &costs, ratio, &found);
        bool still;
        int64_t most = brute(ratio, 400, &still);
        ck_assert_msg(found.bounded != still, "seed %u: bounded %d, still rising %d", own, found.bounded, still);
        if (found.bounded) {
            bounded++;
            ck_assert_msg((int64_t)(found.work * (double)ratio.bus + 0.5) == most, "seed %u: %f, all paths %f", own,
                          found.work, (double)most / (double)ratio.bus);
        } else {
            unbounded++;
            ck_assert_msg(found.loop.count > 0 && found.loop.work * ratio.bus > found.loop.clocks * ratio.core,
                          "seed %u: the loop's work %d in %d clocks is not too much", own, (int)found.loop.work,
                          (int)found.loop.clocks);
        }
        es_arena_free(arena);
    }
    ck_assert_msg(bounded > 40 && unbounded > 40, "%u bounded, %u not", bounded, unbounded);
}
END_TEST

START_TEST(fifo_holds)
{
    unsigned held = 0, said = 0;
    for (unsigned round = 0; round < 150; round++) {
        uint32_t own = (uint32_t)_i * 10000 + round + 5001;
        seed = own;
        es_arena *arena = es_arena_new();
        random_program(arena);
        if (round % 2)
            bound_loops(arena);
        es_check_ratio ratio = {.core = 1 + draw(4), .bus = 1 + draw(2)};
        es_check_backlog found;
        es_check_backlog_find(&program, &costs, ratio, &found);
        if (found.bounded) {
            uint32_t bound = es_check_waiting_find(&program, &found, 0, ratio), most = 0;
            for (unsigned i = 0; i < 8; i++) {
                uint32_t seen = walk(ratio);
                most = seen > most ? seen : most;
            }
            ck_assert_msg(most <= bound, "seed %u: %u records, at most %u said", own, most, bound);
            held += most;
            said += bound;
        }
        es_arena_free(arena);
    }
    ck_assert_msg(held * 3 > said, "%u of %u records that were said", held, said);
}
END_TEST

/* A handler of 20 clocks with 8 of work, in a loop without any. */
START_TEST(interrupts)
{
    es_arena *arena = es_arena_new();
    blank(arena, 2, 2);
    nodes[0].first_edge = 0;
    add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = 0, .to = 1});
    nodes[1].first_edge = 1;
    add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = 1, .to = 0});
    nodes[2].first_edge = 2;
    add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = 2, .to = 3});
    nodes[3].first_edge = 3;
    add((es_check_edge){.kind = CHECK_EDGE_EXIT, .from = 3});
    nodes[3].clocks = 18;
    nodes[3].store = &some_store;
    store_cost[3] = 8;
    fetch_cost[2] = 10;
    procedures[1].interrupt = true;
    es_check_backlog found;
    es_check_backlog_find(&program, &costs, (es_check_ratio){1, 1}, &found);
    ck_assert(found.bounded);                    /* 18 of work in 20 clocks */
    ck_assert_double_eq(found.work, 8 - 1 + 10); /* one handler's last store, and the next one's entry a clock later */
    es_check_costs nested = costs;
    nested.levels = 2; /* the second one's entry right after the first one's, or its first instruction */
    es_check_backlog_find(&program, &nested, (es_check_ratio){1, 1}, &found);
    ck_assert(found.bounded);
    ck_assert_double_ge(found.work, 8 - 1 + 10 - 2 + 10);
    ck_assert_double_le(found.work, 8 + 10 + 10);
    nodes[2].clocks = 18, nodes[3].clocks = 2; /* what the inner one leaves behind waits when the outer one stores */
    es_check_backlog_find(&program, &costs, (es_check_ratio){1, 1}, &found);
    ck_assert_double_eq(found.work, 8 - 1 + 10);
    es_check_backlog_find(&program, &nested, (es_check_ratio){1, 1}, &found);
    ck_assert_double_ge(found.work, 8 - 2 + 8 - 1 + 10);
    nested.levels = 3;
    es_check_backlog_find(&program, &nested, (es_check_ratio){1, 1}, &found);
    ck_assert_double_ge(found.work, 8 - 2 + 8 - 2 + 8 - 1 + 10);
    nodes[2].clocks = 2, nodes[3].clocks = 18;
    fetch_cost[2] = 13;
    es_check_backlog_find(&program, &costs, (es_check_ratio){1, 1}, &found);
    ck_assert(!found.bounded);
    ck_assert_str_eq(found.why, "interrupts that come back to back");
    es_check_costs rare = costs;
    rare.interrupt_gap = 40; /* 21 of work in 20 clocks, at most every 40: the one too many is gone by then */
    es_check_backlog_find(&program, &rare, (es_check_ratio){1, 1}, &found);
    ck_assert(found.bounded);
    ck_assert_double_ge(found.work, 13 + 7);
    ck_assert_double_le(found.work, 13 + 8 + 2);
    store_cost[3] = 200;
    es_check_backlog_find(&program, &rare, (es_check_ratio){1, 1}, &found);
    ck_assert(!found.bounded);
    ck_assert_str_eq(found.why, "interrupts that come so often");
    es_arena_free(arena);
}
END_TEST

START_TEST(recursion_with_too_much_work)
{
    es_arena *arena = es_arena_new();
    blank(arena, 2, 3);
    add((es_check_edge){.kind = CHECK_EDGE_CALL, .from = 0, .to = 1, .callee = 1});
    nodes[1].first_edge = program.edge_count;
    add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = 1, .to = 0});
    nodes[3].first_edge = program.edge_count; /* entry of p: calls itself, or leaves */
    add((es_check_edge){.kind = CHECK_EDGE_CALL, .from = 3, .to = 4, .callee = 1});
    add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = 3, .to = 5});
    nodes[4].first_edge = program.edge_count;
    add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = 4, .to = 5});
    nodes[5].first_edge = program.edge_count;
    add((es_check_edge){.kind = CHECK_EDGE_EXIT, .from = 5});
    fetch_cost[3] = 5; /* every call: 5 of work, in 2 clocks */
    es_check_backlog found;
    es_check_backlog_find(&program, &costs, (es_check_ratio){1, 1}, &found);
    ck_assert(!found.bounded);
    ck_assert_str_eq(found.why, "recursion");
    es_check_backlog_find(&program, &costs, (es_check_ratio){3, 1}, &found);
    ck_assert(found.bounded);
    es_arena_free(arena);
}
END_TEST

/* Each activation makes two: with 60 of them inside each other, 2^60 calls, which no number here may pass over. */
START_TEST(recursion_that_doubles)
{
    es_arena *arena = es_arena_new();
    blank(arena, 2, 3);
    add((es_check_edge){.kind = CHECK_EDGE_CALL, .from = 0, .to = 1, .callee = 1});
    nodes[1].first_edge = program.edge_count;
    add((es_check_edge){.kind = CHECK_EDGE_EXIT, .from = 1});
    nodes[3].first_edge = program.edge_count; /* entry of p: calls itself twice, or leaves */
    add((es_check_edge){.kind = CHECK_EDGE_CALL, .from = 3, .to = 4, .callee = 1});
    add((es_check_edge){.kind = CHECK_EDGE_NEXT, .from = 3, .to = 5});
    nodes[4].first_edge = program.edge_count;
    add((es_check_edge){.kind = CHECK_EDGE_CALL, .from = 4, .to = 5, .callee = 1});
    nodes[5].first_edge = program.edge_count;
    add((es_check_edge){.kind = CHECK_EDGE_EXIT, .from = 5});
    fetch_cost[3] = 20;
    es_check_backlog found;
    es_check_costs nested = costs;
    double last = 0;
    for (nested.nest = 4; nested.nest <= 40; nested.nest += 4) {
        es_check_backlog_find(&program, &nested, (es_check_ratio){1, 1}, &found);
        ck_assert(found.bounded);
        ck_assert_msg(found.work > 10 * last, "%u: %g after %g", (unsigned)nested.nest, found.work, last);
        last = found.work;
    }
    for (nested.nest = 56; nested.nest <= 1000; nested.nest += 1 + nested.nest / 8) {
        es_check_backlog_find(&program, &nested, (es_check_ratio){1, 1}, &found);
        ck_assert_msg(!found.bounded, "%u: %g", (unsigned)nested.nest, found.work);
        ck_assert_str_eq(found.why, "recursion");
    }
    es_arena_free(arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backlog");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, equals_all_paths, 0, 4);
    tcase_add_loop_test(all, fifo_holds, 0, 4);
    tcase_add_test(all, interrupts);
    tcase_add_test(all, recursion_with_too_much_work);
    tcase_add_test(all, recursion_that_doubles);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
