#include "check/checker.h"
#include "check/stacks.h"

#include <string.h>

#include <image.h>

#define MRET_WORD 0x30200073u
#define RET_WORD 0x00008067u
#define RET_REGISTER 0x00020000u /* set: through x5, else x1 */

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
    checker_find_slots(c);
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
    now.path_sent = c->paying != EACH_HIT_ALL || (kind >= CHECK_CALL && kind <= CHECK_OTHER);
    if (c->failed)
        return 0;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &own, c->err)) {
        c->failed = true;
        return 0;
    }
    if (c->paying == EACH_HIT_ALL && kind >= CHECK_CALL && kind <= CHECK_OTHER) { /* a return takes a little longer when it is known */
        now.path_sent = false;
        if (!check_service_cost(c->service, c->words, kind, address, &now, &all, c->err)) {
            c->failed = true;
            return 0;
        }
        return larger(own, all);
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

/* The dearest over the NPs that there may be, where procedure p is the innermost one or called. */
static int64_t cost_at(checker *c, enum check_event_kind kind, uint32_t address, check_situation now, size_t p, const uint32_t *nodes)
{
    int64_t most = 0;
    now.to_do_below = checker_to_do(c, p, now.depth);
    do {
        now.node = *nodes;
        most = larger(most, checker_cost(c, kind, address, now));
    } while (*nodes && *++nodes);
    return most;
}

/* Where a cost is kept; what is not 0. */
static checker_known *known_cost(checker *c, uint64_t what, uint64_t where)
{
    if (2 * (c->known_count + 1) > c->known_room) {
        checker_known *old = c->known;
        size_t count = c->known_room;
        c->known_room = count ? 2 * count : 4096;
        c->known = es_arena_alloc(c->report->arena, c->known_room * sizeof *c->known);
        memset(c->known, 0, c->known_room * sizeof *c->known);
        for (size_t i = 0; i < count; i++)
            if (old[i].what)
                *known_cost(c, old[i].what, old[i].where) = old[i];
    }
    size_t i = (what * UINT64_C(0x9E3779B97F4A7C15) ^ where * UINT64_C(0xC2B2AE3D27D4EB4F)) >> 20 & (c->known_room - 1);
    while (c->known[i].what && (c->known[i].what != what || c->known[i].where != where))
        i = (i + 1) & (c->known_room - 1);
    return &c->known[i];
}

/* What a cost depends on besides its place. */
static uint64_t what_for(const checker *c, unsigned sort, uint32_t number)
{
    return (uint64_t)number << 32 | (uint64_t)c->paying << 8 | (uint64_t)c->words << 4 | sort;
}

static int64_t keep_cost(checker *c, uint64_t what, uint64_t where, int64_t cost)
{
    if (!c->failed) {
        *known_cost(c, what, where) = (checker_known){ what, where, cost };
        c->known_count++;
    }
    return cost;
}

static uint32_t at_most(uint32_t depth, uint32_t most)
{
    return depth < most ? depth : most;
}

uint32_t checker_depth(const checker *c, size_t p)
{
    return at_most(p == CHECK_NONE ? c->depth : c->depth_of[p], ES_MI_STACK_DEPTH);
}

/* An interrupt may come when a procedure has returned and that has not been seen: its activation still counts then. */
static uint32_t shadow_depth(const checker *c)
{
    return c->nest + c->handlers;
}

/* Before an activation more, for which there is room. */
static uint32_t depth_below(const checker *c, uint32_t depth)
{
    depth = at_most(depth, shadow_depth(c));
    return depth ? depth - 1 : 0;
}

/* jal, jalr with link register x1 or x5 */
#define LINK_MASK 0xDF7u
#define LINK_BITS 0x0E7u

static bool is_call(uint32_t word)
{
    return (word & LINK_MASK) == LINK_BITS;
}

/* The procedure in whose code an address lies; CHECK_NONE: in no symbol's. */
static size_t procedure_at(const checker *c, uint32_t address)
{
    const es_procedure *in = es_symbols_procedure_at(c->symbols, address);
    size_t low = 0, high = c->program.symbol_count;
    while (in && low < high) {
        size_t middle = (low + high) / 2;
        if (c->program.procedures[middle].procedure == in)
            return middle;
        if (c->program.procedures[middle].procedure->low < in->low)
            low = middle + 1;
        else
            high = middle;
    }
    return CHECK_NONE;
}

/* --- task switches ------------------------------------------------------------------------------------------ */

static const uint32_t any_node[] = { 0 };

/* The same where the target may go on with another task. A later hit then sends all of that task's path. */
static int64_t switch_cost(checker *c, enum check_event_kind kind, uint32_t address, check_situation now)
{
    now.switching = true;
    if (c->slots) /* what is known of the stack's entries holds for one of the tasks only */
        now.inside = 0;
    int64_t cost = cost_at(c, kind, address, now, CHECK_NONE, any_node);
    return cost + (c->paying == EACH_HIT_ALL ? 0 : c->frame + (int64_t)c->entry * c->depth);
}

bool checker_begins(const checker *c, uint32_t address)
{
    if (!c->tasks)
        return false;
    const check_node *hub = &c->program.nodes[c->program.procedures[c->program.hub].first_node];
    for (size_t e = hub->first_edge; e < hub->first_edge + hub->edge_count; e++)
        if (c->program.procedures[c->program.edges[e].callee].procedure->low == address)
            return true;
    return false;
}

/* Each task begins once, so when it does after an mret, nothing is kept of it. */
static int64_t begin_cost(checker *c, uint32_t word, uint32_t address)
{
    check_situation now = { .from = 4, .word = word, .begins = true };
    if (word == MRET_WORD)
        return cost_at(c, CHECK_OTHER, address, now, CHECK_NONE, any_node);
    now.depth = checker_depth(c, CHECK_NONE);
    return switch_cost(c, CHECK_OTHER, address, now);
}

bool checker_switches_at(const checker *c, uint32_t address)
{
    for (size_t i = 0; i < c->program.node_count && c->tasks; i++)
        if (c->program.nodes[i].address == address && c->program.switches[i])
            return true;
    return false;
}

static bool is_called(const checker *c, size_t p)
{
    for (size_t i = 0; i < c->program.edge_count; i++)
        if (c->program.edges[i].kind == CHECK_EDGE_CALL && c->program.edges[i].callee == p)
            return true;
    return false;
}

/* An mret in procedure p that may go on with another task: of a handler, and of what is called. */
static int64_t mret_cost(checker *c, size_t p, uint32_t address, check_situation now)
{
    int64_t most = now.interrupt ? switch_cost(c, CHECK_OTHER, address, now) : 0;
    if (now.interrupt && !is_called(c, p))
        return most;
    now.interrupt = false;
    now.no_handler = true;
    now.inside = 0;
    return larger(most, switch_cost(c, CHECK_OTHER, address, now));
}

/* --- fetches ------------------------------------------------------------------------------------------------- */

/* The fetch of a place after an instruction that is neither a call nor, as far as is known, a return. */
static int64_t other_cost(checker *c, uint32_t address, check_situation now)
{
    const key *at = checker_key_of(c, c->fetches, address);
    size_t p = procedure_at(c, address);
    const check_procedure *in = p == CHECK_NONE ? NULL : &c->program.procedures[p];
    bool entry = in && in->procedure->low == address;
    if (in && in->interrupt && entry) { /* it comes on top of anything */
        now.depth = depth_below(c, at->depth);
        return cost_at(c, CHECK_OTHER, address, now, p, checker_nodes_before(c, p));
    }
    /* an activation that returns to here, or is replaced */
    now.depth = at_most(at->depth + at->back, checker_depth(c, CHECK_NONE));
    now.interrupt = in && in->interrupt;
    if (now.interrupt && checker_key_of(c, c->fetches, in->procedure->low)->armed)
        now.inside = in->procedure->low;
    if (checker_switches_at(c, address))
        return mret_cost(c, p, address, now);
    bool within = in && !entry && !at->back && !at->elsewhere;
    return cost_at(c, CHECK_OTHER, address, now, within ? p : CHECK_NONE, within ? checker_nodes_in(c, p) : any_node);
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

/* Behind the call at that address, the target may have come from another task. */
bool checker_returns_switched(checker *c, uint32_t call)
{
    for (size_t i = 0; i < c->program.edge_count && c->tasks; i++) {
        const check_edge *edge = &c->program.edges[i];
        if (edge->kind != CHECK_EDGE_CALL || c->program.nodes[edge->from].address != call)
            continue;
        size_t count;
        const size_t *last = returning(c, edge->callee, &count);
        for (size_t k = 0; k < count; k++)
            if (c->switches.swaps[last[k]])
                return true;
    }
    return false;
}

/* resumed: an interrupt came right after the return. */
static int64_t back_cost(checker *c, const check_node *call, size_t callee, uint32_t address, bool resumed)
{
    if (!checker_key_of(c, c->fetches, address)->armed)
        return 0;
    size_t count;
    int64_t most = 0;
    const size_t *last = returning(c, callee, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t entry = c->program.procedures[last[i]].procedure->low;
        check_situation now = { .depth = at_most(checker_depth(c, last[i]), c->depth_of[call->procedure] + 1),
                                .site = call->address };
        now.inside = checker_key_of(c, c->fetches, entry)->armed ? entry : 0;
        now.to_do = now.inside && check_service_leaves(c->service, entry);
        if (resumed) {
            now.from = 4;
            now.word = MRET_WORD;
            now.resume_word = RET_WORD;
            now.resume_known = ~RET_REGISTER;
        }
        enum check_event_kind kind = resumed ? CHECK_OTHER : CHECK_RETURN;
        if (c->tasks && c->switches.swaps[last[i]]) { /* to the task that goes on, from whichever one was left */
            now.depth = checker_depth(c, last[i]);
            now.site = 0;
            now.to_do = false;
            most = larger(most, switch_cost(c, kind, address, now));
            continue;
        }
        most = larger(most, cost_at(c, kind, address, now, last[i], checker_nodes_behind(c, call, last[i])));
    }
    return most;
}

int64_t checker_back_cost(void *context, const check_node *call, size_t callee, uint32_t address)
{
    checker *c = context;
    uint64_t what = what_for(c, 2, address), where = (uint64_t)callee << 32 | call->address;
    const checker_known *known = known_cost(c, what, where);
    return known->what ? known->cost : keep_cost(c, what, where, back_cost(c, call, callee, address, false));
}

/* Right after an mret. What had been fetched before the interrupt is what can lead to the place; or, where a core fetches ahead, the
 * instruction there. */
static int64_t resumed_cost(checker *c, uint32_t address)
{
    const check_program *program = &c->program;
    const key *at = checker_key_of(c, c->fetches, address);
    check_situation now = { .from = 4, .word = MRET_WORD };
    uint32_t word;
    bool called = false;
    if (at->handler && c->nested) /* of what an interrupted handler was about to do, nothing is known */
        return other_cost(c, address, now);
    int64_t most = checker_begins(c, address) ? larger(begin_cost(c, MRET_WORD, address), other_cost(c, address, now)) : 0;
    if (!(c->handlers || c->switches.by_mret) || (!at->outside && !c->nested) || !es_symbols_word(c->symbols, address, &word))
        return most;
    now.resume_from = address;
    now.resume_word = word;
    now.resume_known = 0xFFFFFFFFu;
    most = larger(most, other_cost(c, address, now));
    for (size_t i = 0; i < program->edge_count; i++) {
        const check_edge *edge = &program->edges[i];
        const check_node *from = &program->nodes[edge->from];
        bool call = edge->kind == CHECK_EDGE_CALL;
        if (call && edge->to != CHECK_NONE && program->nodes[edge->to].address == address)
            most = larger(most, back_cost(c, from, edge->callee, address, true));
        if (edge->kind == CHECK_EDGE_NEXT ? program->nodes[edge->to].address != address
            : edge->kind == CHECK_EDGE_EXIT || program->procedures[edge->callee].procedure->low != address || (call && called))
            continue;
        called |= call;
        now.resume_from = call ? 0 : from->address;
        now.resume_word = call ? LINK_BITS : from->word;
        now.resume_known = call ? LINK_MASK : 0xFFFFFFFFu;
        most = larger(most, other_cost(c, address, now));
    }
    return most;
}

int64_t checker_fetch_cost(void *context, uint32_t from, uint32_t word, uint32_t address)
{
    checker *c = context;
    const key *at = checker_key_of(c, c->fetches, address);
    if (!at->armed)
        return 0;
    uint64_t what = what_for(c, 1, address), where = is_call(word) ? word : (uint64_t)from << 32 | word;
    const checker_known *known = known_cost(c, what, where);
    if (known->what)
        return known->cost;
    int64_t most;
    if (from >= CHECK_HUB_ADDRESS) {
        most = begin_cost(c, word, address);
    } else if (is_call(word)) {
        size_t p = procedure_at(c, address);
        most = cost_at(c, CHECK_CALL, address, (check_situation){ .depth = depth_below(c, at->depth) }, p, checker_nodes_before(c, p));
    } else if (word == MRET_WORD && !from) {
        most = resumed_cost(c, address);
    } else {
        most = other_cost(c, address, (check_situation){ .from = word ? (from ? from : 4) : 0, .word = word });
    }
    return keep_cost(c, what, where, most);
}

/* Bits that all numbers of a range have in common. */
static check_word range_bits(int32_t low, int32_t high)
{
    uint32_t differ = (uint32_t)low ^ (uint32_t)high;
    uint32_t unknown = differ ? 0xFFFFFFFFu >> __builtin_clz(differ) : 0;
    return word_masked((uint32_t)low, ~unknown);
}

check_word checker_stored(const checker *c, const check_node *node, size_t which)
{
    uint32_t word = c->image->keys[which].address;
    size_t number = (size_t)(node - c->program.nodes);
    const value *to = &c->aims.at[number], *v = &c->aims.stored[number];
    unsigned bytes = check_aims_bytes(node->word);
    bool exact = to->kind == VALUE_NUMBER && to->low == to->high;
    if (!c->follows_stores || (node->word & 0x7F) != 0x23 || v->kind != VALUE_NUMBER || bytes > 4 || c->slots ||
        (bytes < 4 && !exact) || (exact && ((uint32_t)to->low % bytes || (uint32_t)to->low / 4 != word / 4)))
        return (check_word){ 0, 0 };
    check_word stored = range_bits(v->low, v->high);
    uint32_t lanes = bytes == 4 ? 0xFFFFFFFFu : (1u << 8 * bytes) - 1;
    unsigned up = bytes == 4 ? 0 : 8 * ((uint32_t)to->low & 3);
    return word_masked((stored.bits & lanes) << up, (stored.known & lanes) << up);
}

/* Start-up code stores zeros, or what the program's file holds. */
int64_t checker_clear_cost(checker *c, size_t which)
{
    bool zeros = true;
    for (size_t i = 0; i < c->program.node_count; i++) {
        const check_node *node = &c->program.nodes[i];
        if (node->procedure == c->program.entry && node->store && node->store->kind == ES_STORE_UNKNOWN)
            zeros &= (node->word & 0x7F) == 0x23 && !(node->word >> 20 & 31);
    }
    return checker_write_cost(c, c->program.entry, which, c->slots, true, zeros && !c->slots ? check_known(0) : (check_word){ 0, 0 });
}

int64_t checker_write_cost(checker *c, size_t p, size_t which, uint64_t slots, bool whole, check_word stored)
{
    enum check_event_kind kind = whole ? CHECK_WRITE : CHECK_WRITE_PART;
    check_situation now = { .depth = checker_depth(c, p), .stored = stored };
    uint32_t word = c->image->keys[which].address;
    int64_t own = cost_at(c, kind, word, now, p, checker_nodes_in(c, p));
    now.slots = slots & checker_slots_over(c, which);
    return now.slots ? larger(own, cost_at(c, kind, word, now, p, checker_nodes_in(c, p))) : own;
}

int64_t checker_moving_cost(checker *c, size_t p, uint64_t slots, bool whole)
{
    check_situation now = { .depth = checker_depth(c, p), .slots = slots };
    return slots ? cost_at(c, whole ? CHECK_WRITE : CHECK_WRITE_PART, 0, now, p, checker_nodes_in(c, p)) : 0;
}

bool checker_may_store(const checker *c, const check_node *node, size_t which)
{
    const es_image_key *k = &c->image->keys[which];
    const es_store *store = node->store;
    size_t number = (size_t)(node - c->program.nodes), frame = c->frames[which];
    if (!store || k->fetch)
        return false;
    if (frame != CHECK_NONE && checker_overruns(c, node))
        return true;
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

int64_t checker_read_cost(checker *c, size_t p, uint32_t address)
{
    return cost_at(c, CHECK_READ, address, (check_situation){ .depth = checker_depth(c, p) }, p, checker_nodes_in(c, p));
}

/* Of loads, too, the dearest that it may be. */
static int64_t load_cost(checker *c, const check_node *node)
{
    int64_t most = 0;
    for (size_t i = 0; i < c->read_count; i++)
        if (checker_may_load(c, node, c->reads[i]))
            most = larger(most, checker_read_cost(c, node->procedure, c->reads[i]));
    for (size_t i = 0; i < c->image->key_count && c->constants; i++)
        if (c->image->keys[i].fetch && checker_may_load(c, node, c->image->keys[i].address))
            most = larger(most, checker_read_cost(c, node->procedure, c->image->keys[i].address));
    bool word = (node->word & 0x707F) == 0x2003; /* what else is moved in one */
    unsigned bytes = check_aims_bytes(node->word);
    return word || ((node->word & 0x7F) == 0x03 && bytes < 4) ? most : 2 * most;
}

void checker_lanes(const check_node *node, bool *whole, bool *part)
{
    const es_store *to = node->store;
    unsigned bytes = check_aims_bytes(node->word);
    bool aligned = bytes == 4 && to && !(to->kind == ES_STORE_CONSTANT && to->address % 4);
    bool any = (node->word & 0x7F) != 0x23; /* an atomic, or of a coprocessor: any size */
    *whole = aligned || any;
    *part = !aligned || any;
}

/* A store writes one word, or what it may be made of where its address is not aligned: the dearest that it may be. */
static int64_t store_cost(checker *c, const check_node *node)
{
    const es_store *store = node->store;
    int64_t loaded = node->load ? load_cost(c, node) : 0;
    if (!store)
        return loaded;
    unsigned bytes = check_aims_bytes(node->word);
    bool entry = node->procedure == c->program.entry && store->kind == ES_STORE_UNKNOWN; /* find_clearing */
    bool whole, part;
    int64_t most = 0;
    uint64_t slots = checker_slots_of(c, node);
    checker_lanes(node, &whole, &part);
    if (!entry) {
        most = whole ? checker_moving_cost(c, node->procedure, slots, true) : 0;
        most = part ? larger(most, checker_moving_cost(c, node->procedure, slots, false)) : most;
    }
    for (size_t i = 0; i < c->image->key_count && !entry; i++) {
        if (!checker_may_store(c, node, i))
            continue;
        if (whole)
            most = larger(most, checker_write_cost(c, node->procedure, i, slots, true, checker_stored(c, node, i)));
        if (part)
            most = larger(most, checker_write_cost(c, node->procedure, i, slots, false, checker_stored(c, node, i)));
    }
    return loaded + (bytes == 8 || (bytes == 4 && part) || (whole && part) ? 2 * most : most);
}

int64_t checker_store_cost(void *context, const check_node *node)
{
    checker *c = context;
    uint64_t what = what_for(c, 3, 0), where = (uint64_t)(node - c->program.nodes);
    const checker_known *known = known_cost(c, what, where);
    return known->what ? known->cost : keep_cost(c, what, where, store_cost(c, node));
}

/* --- depth -------------------------------------------------------------------------------------------------- */

/* The same for calls from procedures that are not handlers (interrupts: false), or from handlers. Not noted are calls of procedures whose entry
 * is not armed; a tail call replaces an activation, unless there is none. */
static void nest_calls(checker *c, const bool *interrupts)
{
    const check_program *program = &c->program;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const check_edge *edge = &program->edges[i];
            size_t caller = program->nodes[edge->from].procedure;
            if ((edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL) || !interrupts[caller])
                continue;
            const check_procedure *callee = &program->procedures[edge->callee];
            bool noted = callee->procedure && checker_key_of(c, c->fetches, callee->procedure->low)->armed;
            uint32_t own = c->depth_of[caller];
            if (edge->kind == CHECK_EDGE_CALL || !own)
                own += noted;
            c->nests |= own > c->nest;
            own = at_most(own, shadow_depth(c));
            if (own <= c->depth_of[edge->callee])
                continue;
            c->depth_of[edge->callee] = own;
            changed = true;
        }
    }
}

/* An instruction that may let interrupts come again in a handler: it writes mstatus. */
static bool allows_interrupts(uint32_t word)
{
    bool reads = (word >> 12 & 2) && !(word >> 15 & 31); /* csrrs, csrrc with x0 or 0 */
    return (word & 0x7F) == 0x73 && (word >> 12 & 3) && word >> 20 == 0x300 && !reads;
}

/* By procedure, whether it may run outside of handlers; or, when `handlers`, in one. */
static bool *runs_in(const checker *c, bool handlers)
{
    const check_program *program = &c->program;
    bool *in = es_arena_alloc(c->report->arena, (program->procedure_count + 1) * sizeof *in);
    for (size_t p = 0; p < program->procedure_count; p++)
        in[p] = handlers ? program->procedures[p].interrupt : p == program->entry || (c->tasks && p == program->hub);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const check_edge *edge = &program->edges[i];
            if ((edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL) || in[edge->callee] ||
                !in[program->nodes[edge->from].procedure])
                continue;
            in[edge->callee] = changed = true;
        }
    }
    return in;
}

/* Whether interrupts may nest: a core holds them back in a handler until that lets them come. */
static bool find_nesting(const checker *c)
{
    const check_program *program = &c->program;
    const bool *in = runs_in(c, true);
    for (size_t i = 0; i < program->node_count; i++)
        if (in[program->nodes[i].procedure] && allows_interrupts(program->nodes[i].word))
            return true;
    return false;
}

/* Longest chains of calls to each procedure; what is recursive counts as deep as calls nest at most. An interrupt comes on top of whatever
 * it interrupts: of the deepest procedure or, where interrupts nest, of any depth. */
void checker_find_depth(checker *c)
{
    const check_program *program = &c->program;
    size_t count = program->procedure_count;
    bool *first = es_arena_alloc(c->report->arena, (count + 1) * sizeof *first), *all = es_arena_alloc(c->report->arena, (count + 1) * sizeof *all);
    uint32_t most = ES_MI_STACK_DEPTH - c->handlers;
    c->nest = c->options->nest && c->options->nest < most ? c->options->nest : most;
    c->depth_of = es_arena_alloc(c->report->arena, (count + 1) * sizeof *c->depth_of);
    for (size_t p = 0; p < count; p++) {
        c->depth_of[p] = 0;
        all[p] = true;
        first[p] = !program->procedures[p].interrupt;
    }
    c->nested = find_nesting(c);
    c->levels = !c->nested ? 1 : c->options->levels && c->options->levels < c->nest ? c->options->levels : c->nest;
    c->nests |= c->nested;
    nest_calls(c, first);
    for (size_t p = 0; p < count; p++)
        c->depth = c->depth_of[p] > c->depth ? c->depth_of[p] : c->depth;
    uint32_t below = c->depth;
    for (size_t p = 0; p < count && c->handlers; p++)
        if (program->procedures[p].interrupt)
            c->depth_of[p] = c->nested ? shadow_depth(c) : at_most(below + 1, shadow_depth(c));
    nest_calls(c, all);
    for (size_t p = 0; p < count; p++)
        c->depth = c->depth_of[p] > c->depth ? c->depth_of[p] : c->depth;
    const bool *outside = runs_in(c, false);
    for (size_t i = 0; i < program->node_count; i++) {
        key *at = checker_key_of(c, c->fetches, program->nodes[i].address);
        uint32_t own = c->depth_of[program->nodes[i].procedure];
        at->depth = at->armed && own > at->depth ? own : at->depth;
        at->outside |= at->armed && outside[program->nodes[i].procedure];
        at->handler = at->armed && program->procedures[program->nodes[i].procedure].interrupt;
        at->elsewhere |= program->nodes[i].procedure >= program->symbol_count;
    }
    for (size_t i = 0; i < program->edge_count; i++) {
        const check_edge *edge = &program->edges[i];
        if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE)
            checker_key_of(c, c->fetches, program->nodes[edge->to].address)->back = true; /* of a place that is not armed: unused */
    }
    checker_find_stacks(c);
}

/* What one kind of event says of the cost of sending the path. */
static bool sample_sending(checker *c, enum check_event_kind kind, uint32_t address, check_situation now)
{
    uint32_t sent, one, all;
    now.to_do_below = checker_to_do(c, CHECK_NONE, ES_MI_STACK_DEPTH);
    now.depth = 1;
    now.path_sent = true;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &sent, c->err))
        return false;
    now.path_sent = false;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &one, c->err))
        return false;
    now.depth = kind == CHECK_CALL ? at_most(checker_depth(c, CHECK_NONE), ES_MI_STACK_DEPTH - 1) : checker_depth(c, CHECK_NONE);
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
    check_situation moving = { .slots = c->slots };
    if (c->slots && !sample_sending(c, CHECK_WRITE, 0, moving))
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
