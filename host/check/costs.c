#include "check/checker.h"

#include <image.h>

#define MRET_WORD 0x30200073u

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

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
    c->frames = es_arena_alloc(c->report->arena, (c->image->key_count + 1) * sizeof *c->frames);
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        *checker_key_of(c, k->fetch ? c->fetches : c->writes, k->address) =
            (key){ .address = k->address, .armed = true, .image = k };
        c->frames[i] = CHECK_NONE;
        for (size_t p = 0; p < c->program.procedure_count && k->frame && c->frames[i] == CHECK_NONE; p++)
            if (c->program.procedures[p].procedure == k->frame)
                c->frames[i] = p;
    }
    c->constants = check_service_reads(c->service);
    c->moves = check_service_moves(c->service);
    uint32_t address;
    bool read;
    for (size_t i = 0; check_service_armed(c->service, i, &address, &read); i++) {
        if (!read)
            continue;
        c->reads = es_arena_grow(c->report->arena, c->reads, c->read_count, sizeof *c->reads);
        c->reads[c->read_count++] = address;
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
    if (c->paying == MOVES_PAY && kind >= CHECK_CALL && kind <= CHECK_OTHER)
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

/* Procedures that may return in p's stead, since jumps lead from it to them; and p itself. */
static const size_t *returning(checker *c, size_t p, size_t *count)
{
    if (!c->tails)
        c->tails = es_arena_alloc(c->report->arena, (c->program.procedure_count + 1) * sizeof *c->tails);
    checker_list *list = &c->tails[p];
    if (!list->count) {
        list->items = es_arena_grow(c->report->arena, NULL, 0, sizeof *list->items);
        list->items[list->count++] = p;
        for (size_t i = 0; i < list->count; i++) {
            const check_procedure *at = &c->program.procedures[list->items[i]];
            for (size_t n = at->first_node; n < at->first_node + at->node_count; n++) {
                const check_node *node = &c->program.nodes[n];
                for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
                    const check_edge *edge = &c->program.edges[e];
                    bool known = edge->kind != CHECK_EDGE_TAIL;
                    for (size_t k = 0; k < list->count && !known; k++)
                        known = list->items[k] == edge->callee;
                    if (known)
                        continue;
                    list->items = es_arena_grow(c->report->arena, list->items, list->count, sizeof *list->items);
                    list->items[list->count++] = edge->callee;
                }
            }
        }
    }
    *count = list->count;
    return list->items;
}

int64_t checker_back_cost(void *context, const check_node *call, size_t callee, uint32_t address)
{
    checker *c = context;
    if (!checker_key_of(c, c->fetches, address)->armed)
        return 0;
    size_t count;
    int64_t most = 0;
    const size_t *last = returning(c, callee, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t entry = c->program.procedures[last[i]].procedure->low;
        check_situation now = { .depth = checker_depth(c, last[i]), .site = call->address };
        now.inside = checker_key_of(c, c->fetches, entry)->armed ? entry : 0;
        now.to_do = now.inside && check_service_leaves(c->service, entry);
        most = larger(most, checker_cost(c, CHECK_RETURN, address, now));
    }
    return most;
}

int64_t checker_write_cost(checker *c, size_t p, uint32_t word, bool whole)
{
    enum check_event_kind kind = whole ? CHECK_WRITE : CHECK_WRITE_PART;
    check_situation now = { .depth = checker_depth(c, p) };
    int64_t own = checker_cost(c, kind, word, now);
    now.moving = true;
    return c->moves ? larger(own, checker_cost(c, kind, word, now)) : own;
}

int64_t checker_moving_cost(checker *c, size_t p, bool whole)
{
    check_situation now = { .depth = checker_depth(c, p), .moving = true };
    return checker_cost(c, whole ? CHECK_WRITE : CHECK_WRITE_PART, 0, now);
}

bool checker_may_move(const checker *c, const check_node *node)
{
    return c->moves && node->store && (check_service_moves_anywhere(c->service) || !c->follows_stores ||
                                       check_aims_may_stack(&c->aims, (size_t)(node - c->program.nodes)));
}

bool checker_may_store(const checker *c, const check_node *node, size_t which)
{
    const es_image_key *k = &c->image->keys[which];
    const es_store *store = node->store;
    size_t number = (size_t)(node - c->program.nodes), frame = c->frames[which];
    if (!store || k->fetch)
        return false;
    if (c->follows_stores && !check_aims_anywhere(&c->aims, number))
        return check_aims_may(&c->aims, number, frame, frame == CHECK_NONE ? k->address : (uint32_t)k->cfa_offset);
    switch (store->kind) {
    case ES_STORE_FRAME:
        return frame == node->procedure && store->cfa_offset < k->cfa_offset + 4 &&
               store->cfa_offset + store->size > k->cfa_offset;
    case ES_STORE_CONSTANT:
        return frame == CHECK_NONE && store->address < k->address + 4 && store->address + store->size > k->address;
    default:
        return true;
    }
}

bool checker_may_load(const checker *c, const check_node *node, uint32_t address)
{
    size_t number = (size_t)(node - c->program.nodes);
    return node->load && (!c->follows_stores || check_aims_anywhere(&c->aims, number) ||
                          check_aims_may_load(&c->aims, number, address));
}

/* Of loads, too, the dearest that it may be. */
static int64_t load_cost(checker *c, const check_node *node)
{
    int64_t most = 0;
    check_situation now = { .depth = checker_depth(c, node->procedure) };
    for (size_t i = 0; i < c->read_count; i++)
        if (checker_may_load(c, node, c->reads[i]))
            most = larger(most, checker_cost(c, CHECK_READ, c->reads[i], now));
    for (size_t i = 0; i < c->image->key_count && c->constants; i++)
        if (c->image->keys[i].fetch && checker_may_load(c, node, c->image->keys[i].address))
            most = larger(most, checker_cost(c, CHECK_READ, c->image->keys[i].address, now));
    bool word = (node->word & 0x707F) == 0x2003; /* what else is moved in one */
    unsigned bytes = check_aims_bytes(node->word);
    return word || ((node->word & 0x7F) == 0x03 && bytes < 4) ? most : 2 * most;
}

/* A store writes one word, or what it may be made of where its address is not aligned: the dearest that it may be. */
int64_t checker_store_cost(void *context, const check_node *node)
{
    checker *c = context;
    const es_store *store = node->store;
    int64_t loaded = node->load ? load_cost(c, node) : 0;
    if (!store)
        return loaded;
    unsigned bytes = check_aims_bytes(node->word);
    bool entry = node->procedure == c->program.entry && store->kind == ES_STORE_UNKNOWN; /* find_clearing */
    bool aligned = bytes == 4 && !(store->kind == ES_STORE_CONSTANT && store->address % 4);
    bool any = (node->word & 0x7F) != 0x23; /* an atomic, or of a coprocessor: any size */
    int64_t most = 0;
    if (!entry && checker_may_move(c, node)) {
        most = aligned || any ? checker_moving_cost(c, node->procedure, true) : 0;
        most = aligned ? most : larger(most, checker_moving_cost(c, node->procedure, false));
    }
    for (size_t i = 0; i < c->image->key_count && !entry; i++) {
        if (!checker_may_store(c, node, i))
            continue;
        uint32_t word = c->image->keys[i].address;
        if (aligned || any)
            most = larger(most, checker_write_cost(c, node->procedure, word, true));
        if (!aligned || any)
            most = larger(most, checker_write_cost(c, node->procedure, word, false));
    }
    return loaded + (bytes == 8 || (bytes == 4 && !aligned) || any ? 2 * most : most);
}

/* --- depth -------------------------------------------------------------------------------------------------- */

/* Longest chains of calls to each procedure; what is recursive counts as deep as calls nest at most. */
void checker_find_depth(checker *c)
{
    const check_program *program = &c->program;
    c->nest = c->options->nest && c->options->nest < ES_MI_STACK_DEPTH ? c->options->nest : ES_MI_STACK_DEPTH;
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
            c->nests |= own > c->nest;
            if (own > c->nest || own <= c->depth_of[edge->callee])
                continue;
            c->depth_of[edge->callee] = own;
            changed = true;
        }
    }
    uint32_t below = c->depth;
    for (size_t p = 0; p < program->procedure_count; p++)
        if (program->procedures[p].interrupt) /* on top of whatever it interrupts; its callees likewise */
            c->depth = below + 1 + c->depth_of[p] < c->nest ? below + 1 + c->depth_of[p] : c->nest;
    if (c->depth > below)
        for (size_t p = 0; p < program->procedure_count; p++)
            c->depth_of[p] = c->depth;
}

/* What one kind of event says of the cost of sending the path. */
static bool sample_sending(checker *c, enum check_event_kind kind, uint32_t address, check_situation now)
{
    uint32_t sent, one, all;
    now.depth = 1;
    now.path_sent = true;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &sent, c->err))
        return false;
    now.path_sent = false;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &one, c->err))
        return false;
    now.depth = checker_depth(c, CHECK_NONE);
    if (!check_service_cost(c->service, c->words, kind, address, &now, &all, c->err))
        return false;
    uint32_t each = now.depth > 1 ? (all - one + now.depth - 2) / (now.depth - 1) : 0;
    uint32_t frame = one > sent + each ? one - sent - each : 0;
    c->entry = each > c->entry ? each : c->entry;
    c->frame = frame > c->frame ? frame : c->frame;
    return true;
}

/* What sending the path costs: its frame, and each activation in it. */
bool checker_find_sending(checker *c)
{
    check_situation any = { 0 };
    c->frame = c->entry = 0;
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        if (!sample_sending(c, k->fetch ? CHECK_CALL : CHECK_WRITE, k->address, any))
            return false;
    }
    check_situation moving = { .moving = true };
    if (c->moves && !sample_sending(c, CHECK_WRITE, 0, moving))
        return false;
    for (size_t i = 0; i < c->read_count; i++)
        if (!sample_sending(c, CHECK_READ, c->reads[i], any))
            return false;
    for (size_t i = 0; i < c->program.edge_count; i++) { /* statements that wait for procedures' ends */
        const check_edge *edge = &c->program.edges[i];
        const check_node *from = &c->program.nodes[edge->from];
        if (edge->kind != CHECK_EDGE_CALL || edge->to == CHECK_NONE)
            continue;
        uint32_t entry = c->program.procedures[edge->callee].procedure->low, to = c->program.nodes[edge->to].address;
        check_situation back = { .site = from->address, .inside = entry, .to_do = true };
        if (checker_key_of(c, c->fetches, entry)->armed && checker_key_of(c, c->fetches, to)->armed &&
            check_service_leaves(c->service, entry) && !sample_sending(c, CHECK_RETURN, to, back))
            return false;
    }
    return true;
}
