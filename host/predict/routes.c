#include "predict/routes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "isa/flow.h"

/* --- blocks ----------------------------------------------------------------------------------- */

uint32_t es_predict_route_at(const es_predict_routes *routes, uint32_t address)
{
    size_t low = 0, high = routes->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (routes->blocks[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < routes->count && routes->blocks[low].address == address ? (uint32_t)low : ES_PREDICT_NONE;
}

static void add_block(es_predict_routes *r, uint32_t address, uint32_t procedure)
{
    if ((r->count & (r->count - 1)) == 0)
        r->blocks = es_realloc(r->blocks, (r->count ? 2 * r->count : 1) * sizeof *r->blocks);
    r->blocks[r->count++] = (es_predict_route){.address = address,
                                               .end = address,
                                               .next = ES_PREDICT_NONE,
                                               .target = ES_PREDICT_NONE,
                                               .procedure = procedure,
                                               .point = true};
}

static int by_address(const void *a, const void *b)
{
    const es_predict_route *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* Blocks of all code. Of procedures that share it, the first one has it. */
static void cut(es_predict_routes *r, const es_procedure *const *procedures)
{
    for (uint32_t p = 0; p < r->procedure_count; p++) {
        const es_predict_insn *insn;
        bool begins = true;
        for (uint32_t a = procedures[p]->low; a < procedures[p]->high; a += insn->size) {
            insn = es_predict_insn_at(r->code, a);
            if (!insn)
                break;
            if (begins || insn->leads)
                add_block(r, a, p);
            r->blocks[r->count - 1].end = a;
            begins = insn->ends;
        }
    }
    if (r->count)
        qsort(r->blocks, r->count, sizeof *r->blocks, by_address);
    size_t kept = r->count > 0;
    for (size_t i = 1; i < r->count; i++)
        if (r->blocks[i].address != r->blocks[kept - 1].address)
            r->blocks[kept++] = r->blocks[i];
    r->count = kept;
}

static void find_ways(es_predict_routes *r, es_predict_route *b)
{
    es_insn insn;
    const es_predict_insn *last = es_predict_insn_at(r->code, b->end);
    if (!last || !es_symbols_insn(r->code->symbols, b->end, &insn))
        return;
    es_ways ways = es_insn_ways(insn, b->end);
    uint32_t after = b->end + last->size;
    b->return_to = after;
    if (ways.next)
        b->next = es_predict_route_at(r, after);
    if (ways.jumps || ways.calls)
        b->target = es_predict_route_at(r, ways.target);
    if (insn.kind == ES_INSN_RETURN || insn.kind == ES_INSN_TRAP_RETURN)
        b->leaves = ES_PREDICT_RETURNS;
    else if (insn.kind == ES_INSN_CALL_REGISTER)
        b->leaves = ES_PREDICT_CALLS_ANY;
    else if (insn.kind == ES_INSN_JUMP_REGISTER)
        b->leaves = ES_PREDICT_JUMPS_ANYWHERE;
    else if (ways.calls)
        b->leaves = ES_PREDICT_CALLS;
    else if (ways.jumps && ways.next)
        b->leaves = ES_PREDICT_BRANCHES;
    else if (ways.jumps)
        b->next = b->target;
    bool calls = b->leaves == ES_PREDICT_CALLS_ANY || b->leaves == ES_PREDICT_CALLS;
    if (calls)
        b->next = es_predict_route_at(r, after);
    if (calls && b->next != ES_PREDICT_NONE && r->blocks[b->next].procedure != b->procedure)
        b->next = ES_PREDICT_NONE; /* it never comes back: here begins another procedure */
}

static void mark_led(void *context, uint32_t to)
{
    ((bool *)context)[to] = true;
}

void es_predict_routes_each(const es_predict_routes *r, uint32_t block, void (*each)(void *context, uint32_t to),
                            void *context)
{
    const es_predict_route *b = &r->blocks[block];
    if (b->leaves != ES_PREDICT_RETURNS && b->leaves != ES_PREDICT_JUMPS_ANYWHERE) {
        if (b->next != ES_PREDICT_NONE)
            each(context, b->next);
        if (b->target != ES_PREDICT_NONE && b->leaves != ES_PREDICT_GOES_ON)
            each(context, b->target);
    }
    if (b->leaves == ES_PREDICT_CALLS_ANY || b->leaves == ES_PREDICT_JUMPS_ANYWHERE)
        for (size_t i = 0; i < r->entry_count; i++)
            each(context, r->entries[i]);
    if (b->leaves != ES_PREDICT_JUMPS_ANYWHERE)
        return;
    uint32_t first = block;
    while (first && r->blocks[first - 1].procedure == b->procedure)
        first--;
    for (uint32_t i = first; i < r->count && r->blocks[i].procedure == b->procedure; i++)
        if (r->blocks[i].bare)
            each(context, i);
}

/* Blocks that nothing leads to, as far as the code says: where tables lead. */
static void find_bare(es_predict_routes *r, const es_procedure *const *procedures)
{
    bool *led = es_malloc(r->count + 1);
    memset(led, 0, r->count + 1);
    for (uint32_t b = 0; b < r->count; b++)
        es_predict_routes_each(r, b, mark_led, led);
    for (uint32_t b = 0; b < r->count; b++)
        r->blocks[b].bare = !led[b] && r->blocks[b].address != procedures[r->blocks[b].procedure]->low;
    free(led);
}

/* --- what is reached -------------------------------------------------------------------------- */

typedef struct search {
    bool *reached;
    uint32_t *stack;
    size_t depth;
} search;

static void reach_block(void *context, uint32_t to)
{
    search *s = context;
    if (s->reached[to])
        return;
    s->reached[to] = true;
    s->stack[s->depth++] = to;
}

static void renumber(es_predict_routes *r, const bool *reached)
{
    uint32_t *number = es_malloc((r->count + 1) * sizeof *number);
    size_t kept = 0, entries = 0;
    for (uint32_t b = 0; b < r->count; b++) {
        number[b] = reached[b] ? (uint32_t)kept : ES_PREDICT_NONE;
        if (reached[b])
            r->blocks[kept++] = r->blocks[b];
    }
    for (size_t b = 0; b < kept; b++) {
        es_predict_route *block = &r->blocks[b];
        block->next = block->next == ES_PREDICT_NONE ? block->next : number[block->next];
        block->target = block->target == ES_PREDICT_NONE ? block->target : number[block->target];
    }
    for (size_t i = 0; i < r->entry_count; i++)
        if (number[r->entries[i]] != ES_PREDICT_NONE)
            r->entries[entries++] = number[r->entries[i]];
    r->entry_count = entries;
    r->count = kept;
    free(number);
}

/* From main, from where its callers go on, and from where threads and their scheduler begin. */
static void keep_reached(es_predict_routes *r, const es_procedure *main)
{
    static const char *const beginnings[] = {"thread_begin", "scheduler"};
    search s = {es_malloc(r->count + 1), es_malloc((r->count + 1) * sizeof(uint32_t)), 0};
    memset(s.reached, 0, r->count + 1);
    uint32_t entry = es_predict_route_at(r, main->low);
    if (entry != ES_PREDICT_NONE)
        reach_block(&s, entry);
    for (uint32_t b = 0; b < r->count && entry != ES_PREDICT_NONE; b++)
        if (r->blocks[b].leaves == ES_PREDICT_CALLS && r->blocks[b].target == entry &&
            r->blocks[b].next != ES_PREDICT_NONE)
            reach_block(&s, r->blocks[b].next);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        const es_procedure *p = es_symbols_procedure_named(r->code->symbols, beginnings[i]);
        uint32_t at = p ? es_predict_route_at(r, p->low) : ES_PREDICT_NONE;
        if (at != ES_PREDICT_NONE)
            reach_block(&s, at);
    }
    while (s.depth)
        es_predict_routes_each(r, s.stack[--s.depth], reach_block, &s);
    renumber(r, s.reached);
    free(s.reached);
    free(s.stack);
}

bool es_predict_routes_find(es_predict_routes *routes, const es_predict_code *code, es_error *err)
{
    const es_procedure *const *procedures;
    const es_procedure *main = es_symbols_procedure_named(code->symbols, "main");
    *routes = (es_predict_routes){.code = code, .procedure_count = es_symbols_procedures(code->symbols, &procedures)};
    if (!main)
        return es_fail(err, ES_USAGE, "the program has no function main");
    cut(routes, procedures);
    for (size_t b = 0; b < routes->count; b++)
        find_ways(routes, &routes->blocks[b]);
    routes->entries = es_malloc((routes->procedure_count + 1) * sizeof *routes->entries);
    for (size_t p = 0; p < routes->procedure_count; p++) {
        uint32_t at = es_predict_route_at(routes, procedures[p]->low);
        if (procedures[p]->address_taken && !procedures[p]->is_interrupt && at != ES_PREDICT_NONE)
            routes->entries[routes->entry_count++] = at;
    }
    find_bare(routes, procedures);
    keep_reached(routes, main);
    return true;
}

void es_predict_routes_free(es_predict_routes *routes)
{
    free(routes->blocks);
    free(routes->entries);
    free(routes->looks);
    *routes = (es_predict_routes){0};
}
