#include "check/checker.h"

#include <image.h>

#define MRET_WORD 0x30200073u

/* --- armed words -------------------------------------------------------------------------------------------- */

key *checker_key_of(const checker *c, key *table, uint32_t address)
{
    size_t i = (address >> 2) * 2654435761u >> 7 & (c->room - 1);
    while (table[i].armed && table[i].address != address)
        i = (i + 1) & (c->room - 1);
    return &table[i];
}

void checker_take_keys(checker *c)
{
    for (c->room = 64; c->room < 4 * c->image->key_count;)
        c->room *= 2;
    c->fetches = es_arena_alloc(c->report->arena, c->room * sizeof *c->fetches);
    c->writes = es_arena_alloc(c->report->arena, c->room * sizeof *c->writes);
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        *checker_key_of(c, k->fetch ? c->fetches : c->writes, k->address) =
            (key){ .address = k->address, .armed = true, .image = k };
    }
}

/* --- costs -------------------------------------------------------------------------------------------------- */

/* Each hit sends what changed of the path since the last one. Of the ways to account for that each is sound: every hit sends
 * all of it; calls and returns pay for a frame and an entry that some later hit sends; or hits pay for the frame, and calls for the
 * entries. What was owed at the beginning is added once, in find_backlog. */
int64_t checker_cost(checker *c, enum check_event_kind kind, uint32_t address, check_situation now)
{
    uint32_t own = 0, all = 0;
    now.path_sent = c->paying != EACH_HIT_ALL;
    if (c->failed)
        return 0;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &own, c->err)) {
        c->failed = true;
        return 0;
    }
    if (c->paying == MOVES_PAY && kind >= CHECK_CALL)
        return (int64_t)own + c->frame + c->entry;
    if (c->paying != HITS_AND_CALLS_PAY)
        return own;
    now.path_sent = false;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &all, c->err)) {
        c->failed = true;
        return 0;
    }
    return (int64_t)own + (all > own ? c->frame : 0) + (kind == CHECK_CALL || kind == CHECK_OTHER ? c->entry : 0);
}

/* A depth in p at which there is an activation, and room for another. */
uint32_t checker_depth(const checker *c, size_t p)
{
    uint32_t most = p == CHECK_NONE ? c->depth : c->depth_of[p];
    most = most < ES_MI_STACK_DEPTH ? most : ES_MI_STACK_DEPTH - 1;
    return most ? most : 1;
}

static bool is_call(uint32_t word)
{
    return (word & 0xDF7) == 0x0E7;
}

int64_t checker_fetch_cost(void *context, uint32_t from, uint32_t word, uint32_t address)
{
    checker *c = context;
    if (!checker_key_of(c, c->fetches, address)->armed)
        return 0;
    check_situation now = { .depth = checker_depth(c, CHECK_NONE) };
    if (is_call(word))
        return checker_cost(c, CHECK_CALL, address, now);
    now.from = word ? (from ? from : 4) : 0;
    now.word = word;
    const es_procedure *in = es_symbols_procedure_at(c->symbols, address);
    now.interrupt = in && in->is_interrupt && address != in->low;
    if (now.interrupt && checker_key_of(c, c->fetches, in->low)->armed)
        now.inside = in->low;
    if (word == MRET_WORD && !now.interrupt)
        now.site = address - 4; /* should the interrupt have come right after a return to here */
    return checker_cost(c, CHECK_OTHER, address, now);
}

int64_t checker_back_cost(void *context, const check_node *call, size_t callee, uint32_t address)
{
    checker *c = context;
    if (!checker_key_of(c, c->fetches, address)->armed)
        return 0;
    uint32_t entry = c->program.procedures[callee].procedure->low;
    check_situation now = { .depth = checker_depth(c, callee), .site = call->address };
    now.inside = checker_key_of(c, c->fetches, entry)->armed ? entry : 0;
    now.to_do = now.inside && check_service_leaves(c->service, entry);
    return checker_cost(c, CHECK_RETURN, address, now);
}

int64_t checker_write_cost(checker *c, size_t p, uint32_t word, bool whole)
{
    check_situation now = { .depth = checker_depth(c, p) };
    return checker_cost(c, whole ? CHECK_WRITE : CHECK_WRITE_PART, word, now);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The dearest of all armed words that a store may touch, for stores of which no more is known. */
static int64_t any_cost(checker *c, size_t p, bool frames_only)
{
    const es_procedure *frame = c->program.procedures[p].procedure;
    int64_t most = 0;
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        if (k->fetch || (frames_only && k->frame != frame))
            continue;
        most = larger(most, larger(checker_write_cost(c, p, k->address, true), checker_write_cost(c, p, k->address, false)));
    }
    return most;
}

int64_t checker_store_cost(void *context, const check_node *node)
{
    checker *c = context;
    const es_store *store = node->store;
    if (store->kind == ES_STORE_UNKNOWN && node->procedure == c->program.entry)
        return 0; /* find_clearing */
    if (store->kind == ES_STORE_UNKNOWN && !store->in_frame)
        return any_cost(c, node->procedure, false);
    if (store->kind != ES_STORE_CONSTANT)
        return any_cost(c, node->procedure, true);
    int64_t sum = 0;
    for (uint32_t word = store->address & ~3u; word < store->address + store->size; word += 4)
        if (checker_key_of(c, c->writes, word)->armed)
            sum += checker_write_cost(c, node->procedure, word, store->size >= 4 && store->address % 4 == 0);
    return sum;
}

/* --- depth -------------------------------------------------------------------------------------------------- */

/* Longest chains of calls to each procedure; what is recursive counts as deep as the shadow stack. */
void checker_find_depth(checker *c)
{
    const check_program *program = &c->program;
    c->depth_of = es_arena_alloc(c->report->arena, (program->procedure_count + 1) * sizeof *c->depth_of);
    for (bool changed = true; changed;) {
        changed = false;
        c->depth = 0;
        for (size_t p = 0; p < program->procedure_count; p++)
            c->depth = c->depth_of[p] > c->depth ? c->depth_of[p] : c->depth;
        for (size_t i = 0; i < program->edge_count; i++) {
            const check_edge *edge = &program->edges[i];
            if (edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL)
                continue;
            uint32_t own = c->depth_of[program->nodes[edge->from].procedure] + 1;
            if (own > ES_MI_STACK_DEPTH || own <= c->depth_of[edge->callee])
                continue;
            c->depth_of[edge->callee] = own;
            changed = true;
        }
    }
    uint32_t below = c->depth;
    for (size_t p = 0; p < program->procedure_count; p++)
        if (program->procedures[p].interrupt) /* on top of whatever it interrupts; its callees likewise */
            c->depth = below + 1 + c->depth_of[p] < ES_MI_STACK_DEPTH ? below + 1 + c->depth_of[p] : ES_MI_STACK_DEPTH;
    if (c->depth > below)
        for (size_t p = 0; p < program->procedure_count; p++)
            c->depth_of[p] = c->depth;
}

/* What sending the path costs: its frame, and each activation in it. */
bool checker_find_sending(checker *c)
{
    c->frame = c->entry = 0;
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        enum check_event_kind kind = k->fetch ? CHECK_CALL : CHECK_WRITE;
        uint32_t sent, one, all;
        check_situation now = { .depth = 1, .path_sent = true };
        if (!check_service_cost(c->service, c->words, kind, k->address, &now, &sent, c->err))
            return false;
        now.path_sent = false;
        if (!check_service_cost(c->service, c->words, kind, k->address, &now, &one, c->err))
            return false;
        now.depth = checker_depth(c, CHECK_NONE);
        if (!check_service_cost(c->service, c->words, kind, k->address, &now, &all, c->err))
            return false;
        uint32_t each = now.depth > 1 ? (all - one + now.depth - 2) / (now.depth - 1) : 0;
        uint32_t frame = one > sent + each ? one - sent - each : 0;
        c->entry = each > c->entry ? each : c->entry;
        c->frame = frame > c->frame ? frame : c->frame;
    }
    return true;
}
