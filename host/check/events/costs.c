/* What the events at armed words cost. */
#include "check/events/checker.h"
#include "check/events/stacks.h"

#include <string.h>

/* Each hit sends what changed of the path since the last one. Of the ways to account for that each is sound: every hit
 * sends all of it; calls and returns pay for a frame and an entry that some later hit sends; or hits pay for the frame,
 * and calls for the entries. What was owed at the beginning is added once, in find_backlog. */
int64_t es_checker_cost(checker *c, enum es_check_event_kind kind, uint32_t address, es_check_situation now)
{
    uint32_t own = 0, all = 0;
    now.path_sent = c->paying != EACH_HIT_ALL || (kind >= ES_CHECK_CALL && kind <= ES_CHECK_OTHER);
    if (c->failed)
        return 0;
    if (!es_check_service_cost(c->service, c->words, kind, address, &now, &own, c->err)) {
        c->failed = true;
        return 0;
    }
    if (es_check_service_stays(c->service, kind, address, &now)) /* nothing to send comes of it */
        return own;
    /* a return takes a little longer when it is known */
    if (c->paying == EACH_HIT_ALL && kind >= ES_CHECK_CALL && kind <= ES_CHECK_OTHER) {
        now.path_sent = false;
        if (!es_check_service_cost(c->service, c->words, kind, address, &now, &all, c->err)) {
            c->failed = true;
            return 0;
        }
        return larger(own, all);
    }
    if (c->paying == MOVES_PAY && kind >= ES_CHECK_CALL && kind <= ES_CHECK_OTHER)
        return (int64_t)own + c->frame + c->entry;
    if (c->paying != HITS_AND_CALLS_PAY)
        return own;
    now.path_sent = false;
    if (!es_check_service_cost(c->service, c->words, kind, address, &now, &all, c->err)) {
        c->failed = true;
        return 0;
    }
    return (int64_t)own + (all > own ? c->frame : 0) + (kind == ES_CHECK_CALL || kind == ES_CHECK_OTHER ? c->entry : 0);
}

/* The costliest over the NPs that there may be, where procedure p is the innermost one or called. */
int64_t es_checker_cost_at(checker *c, enum es_check_event_kind kind, uint32_t address, es_check_situation now,
                           size_t p, const uint32_t *nodes)
{
    int64_t most = 0;
    bool hushed = now.hushed;
    now.to_do_below = es_checker_to_do(c, p, now.depth);
    do {
        now.node = *nodes;
        now.hushed = false;
        most = larger(most, es_checker_cost(c, kind, address, now));
        now.hushed = hushed;
        most = hushed ? larger(most, es_checker_cost(c, kind, address, now)) : most;
    } while (*nodes && *++nodes);
    return most;
}

/* Where a cost is kept; what is not 0. */
es_checker_known *es_checker_known_cost(checker *c, uint64_t what, uint64_t where)
{
    if (2 * (c->known_count + 1) > c->known_room) {
        es_checker_known *old = c->known;
        size_t count = c->known_room;
        c->known_room = count ? 2 * count : 4096;
        c->known = es_arena_alloc(c->report->arena, c->known_room * sizeof *c->known);
        memset(c->known, 0, c->known_room * sizeof *c->known);
        for (size_t i = 0; i < count; i++)
            if (old[i].what)
                *es_checker_known_cost(c, old[i].what, old[i].where) = old[i];
    }
    size_t i = (what * UINT64_C(0x9E3779B97F4A7C15) ^ where * UINT64_C(0xC2B2AE3D27D4EB4F)) >> 20 & (c->known_room - 1);
    while (c->known[i].what && (c->known[i].what != what || c->known[i].where != where))
        i = (i + 1) & (c->known_room - 1);
    return &c->known[i];
}

/* What a cost depends on besides its place. */
uint64_t es_checker_what_for(const checker *c, unsigned sort, uint32_t number)
{
    return (uint64_t)number << 32 | (uint64_t)c->paying << 8 | (uint64_t)c->words << 4 | sort;
}

int64_t es_checker_keep_cost(checker *c, uint64_t what, uint64_t where, int64_t cost)
{
    if (!c->failed) {
        *es_checker_known_cost(c, what, where) = (es_checker_known){what, where, cost};
        c->known_count++;
    }
    return cost;
}

/* A store of one of the registers that are followed. */
static bool stores_register(const es_check_node *node)
{
    return node->insn.kind == ES_INSN_STORE && !node->insn.foreign;
}

/* Bits that all numbers of a range have in common. */
static es_check_word range_bits(int32_t low, int32_t high)
{
    uint32_t differ = (uint32_t)low ^ (uint32_t)high;
    uint32_t unknown = differ ? 0xFFFFFFFFu >> __builtin_clz(differ) : 0;
    return word_masked((uint32_t)low, ~unknown);
}

es_check_word es_checker_stored(const checker *c, const es_check_node *node, size_t which)
{
    uint32_t word = c->image->keys[which].address;
    size_t number = (size_t)(node - c->program.nodes);
    const value *to = &c->aims.at[number], *v = &c->aims.stored[number];
    unsigned bytes = es_check_aims_bytes(node->insn);
    bool exact = to->kind == VALUE_NUMBER && to->low == to->high;
    if (!c->follows_stores || !stores_register(node) || v->kind != VALUE_NUMBER || bytes > 4 || c->slots ||
        (bytes < 4 && !exact) || (exact && ((uint32_t)to->low % bytes || (uint32_t)to->low / 4 != word / 4)))
        return (es_check_word){0, 0};
    es_check_word stored = range_bits(v->low, v->high);
    uint32_t lanes = bytes == 4 ? 0xFFFFFFFFu : (1u << 8 * bytes) - 1;
    unsigned up = bytes == 4 ? 0 : 8 * ((uint32_t)to->low & 3);
    return word_masked((stored.bits & lanes) << up, (stored.known & lanes) << up);
}

/* Start-up code stores zeros, or what the program's file holds. */
int64_t es_checker_clear_cost(checker *c, size_t which)
{
    bool zeros = true;
    for (size_t i = 0; i < c->program.node_count; i++) {
        const es_check_node *node = &c->program.nodes[i];
        if (node->procedure == c->program.entry && node->store && node->store->kind == ES_STORE_UNKNOWN)
            zeros &= stores_register(node) && !node->insn.rs2;
    }
    return es_checker_write_cost(c, c->program.entry, which, c->slots, true,
                                 zeros && !c->slots ? check_known(0) : (es_check_word){0, 0});
}

int64_t es_checker_write_cost(checker *c, size_t p, size_t which, uint64_t slots, bool whole, es_check_word stored)
{
    enum es_check_event_kind kind = whole ? ES_CHECK_WRITE : ES_CHECK_WRITE_PART;
    es_check_situation now = {.depth = es_checker_depth(c, p), .stored = stored};
    /* what start-up code writes is dropped in a loop of its own, which takes longer than the tracker does */
    now.hushed = c->start_up[p];
    uint32_t word = c->image->keys[which].address;
    int64_t own = es_checker_cost_at(c, kind, word, now, p, es_checker_nodes_in(c, p));
    now.slots = slots & es_checker_slots_over(c, which);
    return now.slots ? larger(own, es_checker_cost_at(c, kind, word, now, p, es_checker_nodes_in(c, p))) : own;
}

int64_t es_checker_moving_cost(checker *c, size_t p, uint64_t slots, bool whole)
{
    es_check_situation now = {.depth = es_checker_depth(c, p), .slots = slots};
    return slots ? es_checker_cost_at(c, whole ? ES_CHECK_WRITE : ES_CHECK_WRITE_PART, 0, now, p,
                                      es_checker_nodes_in(c, p))
                 : 0;
}

/* A stack's words are written by whatever has a frame, and by what may go anywhere in a stack. */
static bool may_store_to_stack(const checker *c, const es_check_node *node)
{
    size_t number = (size_t)(node - c->program.nodes);
    if (node->store->kind == ES_STORE_FRAME || es_checker_overruns(c, node))
        return true;
    if (!c->follows_stores)
        return node->store->kind == ES_STORE_UNKNOWN;
    return es_check_aims_may_stack(&c->aims, number) || (c->tasks && es_check_aims_may_task_stack(&c->aims, number));
}

bool es_checker_may_store(const checker *c, const es_check_node *node, size_t which)
{
    const es_image_key *k = &c->image->keys[which];
    const es_store *store = node->store;
    size_t number = (size_t)(node - c->program.nodes), frame = c->frames[which];
    if (!store || k->fetch)
        return false;
    if (frame != CHECK_NONE && es_checker_overruns(c, node))
        return true;
    if (c->one_stack[which] != CHECK_NONE && may_store_to_stack(c, node))
        return true;
    if (c->follows_stores && !es_check_aims_anywhere(&c->aims, number))
        return es_check_aims_may(&c->aims, number, frame, frame == CHECK_NONE ? k->address : (uint32_t)k->cfa_offset);
    switch (store->kind) {
    case ES_STORE_FRAME:
        return frame == node->procedure && store->cfa_offset < k->cfa_offset + 4 &&
               store->cfa_offset + store->size > k->cfa_offset;
    case ES_STORE_CONSTANT:
        return frame == CHECK_NONE && store->address < k->address + 4 && store->address + store->size > k->address;
    default: return true;
    }
}

bool es_checker_may_load(const checker *c, const es_check_node *node, uint32_t address)
{
    size_t number = (size_t)(node - c->program.nodes);
    return node->load && (!c->follows_stores || es_check_aims_anywhere(&c->aims, number) ||
                          es_check_aims_may_load(&c->aims, number, address));
}

int64_t es_checker_read_cost(checker *c, size_t p, uint32_t address, uint64_t slots)
{
    es_check_situation now = {.depth = es_checker_depth(c, p)};
    int64_t own = es_checker_cost_at(c, ES_CHECK_READ, address, now, p, es_checker_nodes_in(c, p));
    now.slots = slots ? slots & es_checker_slots_read_over(c, address) : 0;
    return now.slots ? larger(own, es_checker_cost_at(c, ES_CHECK_READ, address, now, p, es_checker_nodes_in(c, p)))
                     : own;
}

int64_t es_checker_moving_read_cost(checker *c, size_t p, uint64_t slots)
{
    es_check_situation now = {.depth = es_checker_depth(c, p), .slots = slots};
    return slots ? es_checker_cost_at(c, ES_CHECK_READ, 0, now, p, es_checker_nodes_in(c, p)) : 0;
}

/* Of loads, too, the costliest that it may be. */
static int64_t load_cost(checker *c, const es_check_node *node)
{
    uint64_t slots = es_checker_slots_read(c, node);
    int64_t most = es_checker_moving_read_cost(c, node->procedure, slots);
    for (size_t i = 0; i < c->read_count; i++)
        if (es_checker_may_load(c, node, c->reads[i]))
            most = larger(most, es_checker_read_cost(c, node->procedure, c->reads[i], slots));
    for (size_t i = 0; i < c->image->key_count && c->constants; i++) /* by the bit of a word's first instruction */
        if (c->image->keys[i].fetch && c->image->keys[i].address % 4 == 0 &&
            es_checker_may_load(c, node, c->image->keys[i].address))
            most = larger(most, es_checker_read_cost(c, node->procedure, c->image->keys[i].address, slots));
    unsigned bytes = es_check_aims_bytes(node->insn);
    if (c->narrow) /* each byte may be a hit */
        return most * node->accesses;
    return node->insn.kind == ES_INSN_LOAD && !node->insn.foreign && bytes <= 4 ? most : 2 * most;
}

void es_checker_lanes(const es_check_node *node, bool *whole, bool *part)
{
    const es_store *to = node->store;
    unsigned bytes = es_check_aims_bytes(node->insn);
    bool aligned = bytes == 4 && to && !(to->kind == ES_STORE_CONSTANT && to->address % 4);
    bool any = !stores_register(node); /* an atomic, or of a coprocessor: any size */
    *whole = aligned || any;
    *part = !aligned || any;
}

/* Whether variables that the tracker has filters for may be written in part. */
void es_checker_find_parts(checker *c)
{
    bool partly = false;
    for (size_t i = 0; i < c->image->key_count && !partly; i++) {
        const es_image_key *k = &c->image->keys[i];
        unsigned bytes = k->fetch ? 0 : es_check_service_filtered(c->service, k->address);
        for (size_t n = 0; n < c->program.node_count && bytes && !partly; n++) {
            const es_check_node *node = &c->program.nodes[n];
            bool whole, part;
            if (!c->program.procedures[node->procedure].reached || !es_checker_may_store(c, node, i))
                continue;
            es_checker_lanes(node, &whole, &part);
            partly = bytes == 4 ? part : es_check_aims_bytes(node->insn) < bytes;
        }
    }
    es_check_service_set_partly(c->service, partly);
}

/* A store writes one word, or what it may be made of where its address is not aligned: the costliest that it may be. */
static int64_t store_cost(checker *c, const es_check_node *node)
{
    const es_store *store = node->store;
    int64_t loaded = node->load ? load_cost(c, node) : 0;
    if (!store)
        return loaded;
    unsigned bytes = es_check_aims_bytes(node->insn);
    bool entry = node->procedure == c->program.entry && store->kind == ES_STORE_UNKNOWN; /* find_clearing */
    bool whole, part;
    int64_t most = 0;
    size_t asked = CHECK_NONE; /* the stack whose words were counted already: all cost the same */
    uint64_t slots = es_checker_slots_of(c, node);
    es_checker_lanes(node, &whole, &part);
    if (!entry) {
        most = whole ? es_checker_moving_cost(c, node->procedure, slots, true) : 0;
        most = part ? larger(most, es_checker_moving_cost(c, node->procedure, slots, false)) : most;
    }
    for (size_t i = 0; i < c->image->key_count && !entry; i++) {
        if (!es_checker_may_store(c, node, i) || (c->one_stack[i] != CHECK_NONE && c->one_stack[i] == asked))
            continue;
        asked = c->one_stack[i];
        if (whole)
            most =
                larger(most, es_checker_write_cost(c, node->procedure, i, slots, true, es_checker_stored(c, node, i)));
        if (part)
            most =
                larger(most, es_checker_write_cost(c, node->procedure, i, slots, false, es_checker_stored(c, node, i)));
    }
    if (c->narrow) /* each byte is a hit */
        return loaded + most * node->accesses;
    return loaded + (bytes == 8 || (bytes == 4 && part) || (whole && part) ? 2 * most : most);
}

int64_t es_checker_store_cost(void *context, const es_check_node *node)
{
    checker *c = context;
    uint64_t what = es_checker_what_for(c, 3, 0), where = (uint64_t)(node - c->program.nodes);
    const es_checker_known *known = es_checker_known_cost(c, what, where);
    return known->what ? known->cost : es_checker_keep_cost(c, what, where, store_cost(c, node));
}
