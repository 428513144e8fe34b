#include "driven.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <image.h>

#include "../firmware/model.h"
#include "check/pointed.h"
#include "check/service.h"
#include "image/firmware.h"

#define FAR UINT32_MAX

enum { EPISODE = 10000, STACK_MAX = 256, GOAL_STEPS = 3000, LOOSE = 125, TRIES = 8 };

/* What a walk may do at a node. */
typedef struct place {
    uint32_t *writes, *reads; /* armed words that its store or load may touch */
    const es_image_key **keys; /* of `writes` */
    int32_t *sub;             /* of `writes`: the first byte's place in the word; -1: any */
    size_t write_count, read_count;
} place;

typedef struct activation {
    size_t back; /* node to go on at */
    bool interrupt;
} activation;

struct driven {
    es_arena *arena;
    const es_symbols *symbols;
    const es_image *image;
    const es_probe_limits *limits;
    const check_program *program;
    check_aims *aims;
    check_service *service;
    uint32_t loop; /* where the firmware looks for the next hit */
    model *m;
    uint32_t random;
    uint32_t *pool; /* values worth storing */
    const check_pointed *pointed;
    size_t pool_count;
    place *places;
    uint32_t *leave; /* by node: least steps to its procedure's end */
    uint32_t *tried; /* by node: how often it was the goal */
    uint32_t **far;  /* by goal: NULL, or by node the least steps to it */
    const uint32_t *near; /* those to the goal at hand */
    size_t *goals;   /* nodes at which there may be events */
    size_t goal_count;
    size_t *dives;   /* recursive calls */
    size_t dive_count;
    size_t *handlers;
    size_t handler_count;
    activation stack[STACK_MAX];
    uint32_t depth, nest;
    uint32_t most;   /* the greater depth of this instruction and the one before */
    size_t goal, at;
    bool ending;     /* on the way out of everything */
    uint32_t dive_to;
    driven_hit hits[DRIVEN_HITS];
    size_t hit_count;
    const driven_hit *said;
    size_t said_count;
    model *saved;
};

static uint32_t next_random(driven *d)
{
    d->random ^= d->random << 13;
    d->random ^= d->random >> 17;
    d->random ^= d->random << 5;
    return d->random;
}

static uint32_t below(driven *d, size_t n)
{
    return n ? (uint32_t)(next_random(d) % n) : 0;
}

static bool chance(driven *d, unsigned percent)
{
    return below(d, 100) < percent;
}

/* --- the bus ---------------------------------------------------------------------------------------------------- */

/* The soft core stands in its loop, as if it had just removed another hit. */
static void prepare(driven *d)
{
    d->m->pc = d->loop;
    d->m->hit_clocks = 0;
    d->m->room = 100000;
    d->m->frame_count = 0;
}

/* How many hundredths of what was seen are said; 0: nothing is. */
static uint32_t excess(const driven *d, uint8_t kind, bool part, uint32_t address)
{
    uint32_t said = 0, seen = 1;
    for (size_t i = 0; i < d->said_count && !said; i++)
        if (d->said[i].kind == kind && d->said[i].address == address && d->said[i].part == part)
            said = d->said[i].clocks;
    for (size_t i = 0; i < d->hit_count && said; i++)
        if (d->hits[i].kind == kind && d->hits[i].address == address && d->hits[i].part == part)
            seen = d->hits[i].clocks;
    return said > 100000 ? 100000 : 100 * said / seen;
}

static void note(driven *d, uint8_t kind, bool part, uint32_t address)
{
    uint32_t clocks = (uint32_t)d->m->hit_clocks;
    size_t i = 0;
    if (!clocks || d->most > d->nest)
        return;
    while (i < d->hit_count && (d->hits[i].kind != kind || d->hits[i].address != address || d->hits[i].part != part))
        i++;
    if (i == d->hit_count && i < DRIVEN_HITS)
        d->hits[d->hit_count++] = (driven_hit){ .kind = kind, .address = address, .part = part };
    if (i < d->hit_count && clocks > d->hits[i].clocks)
        d->hits[i].clocks = clocks;
}

/* What the host may ask for at any time, and is as if no hit had come so far. */
static void forget_path(driven *d)
{
    if (!d->depth || !chance(d, 30))
        return;
    d->m->pc = d->loop;
    model_mail(d->m, ES_MAIL_RESYNC);
}

/* Before a transaction: some time goes by, with a mark at each wrap of its low bits. */
static void pass_time(driven *d)
{
    model *m = d->m;
    uint32_t now = m->time;
    if (chance(d, d->depth >= d->nest && excess(d, ES_KIND_MARK, false, 0) > LOOSE ? 30 : 1))
        now += 1u << below(d, 21);
    if (chance(d, 5))
        now += below(d, 40);
    for (; now >= 0xFFFF; now -= 0xFFFF) {
        forget_path(d);
        prepare(d);
        model_mark(m, ES_MARK_EPOCH, m->epoch + 1, 0);
        note(d, ES_KIND_MARK, false, 0);
    }
    m->time = now;
    prepare(d);
}

static void fetch(driven *d, const check_node *node)
{
    if (d->m->fetch_plane[node->address / 4 % (MODEL_WINDOW / 4)])
        forget_path(d);
    pass_time(d);
    model_fetch(d->m, node->address, node->word);
    note(d, ES_KIND_FETCH, false, node->address);
}

/* The followed pointer whose variable an armed word holds; NULL: none. */
static const es_image_pointer *pointer_at(const driven *d, const es_image_key *k)
{
    for (size_t i = 0; i < d->image->pointer_count; i++) {
        const es_image_pointer *pointer = &d->image->pointers[i];
        if (!pointer->base && !pointer->element && pointer->frame == k->frame &&
            pointer->address == (k->frame ? (uint32_t)k->cfa_offset : k->address))
            return pointer;
    }
    return NULL;
}

/* NULL, or an object of its type in one of the regions where it may lead to. */
static uint32_t some_pointer(driven *d, const es_image_pointer *pointer)
{
    const check_pointed *to = &d->pointed[pointer - d->image->pointers];
    const regions *r = &d->aims->regions;
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        count += regions_has(r, to->set, i);
    size_t chosen = below(d, count + 1);
    for (size_t i = 0; i < r->count; i++)
        if (regions_has(r, to->set, i) && chosen-- == 0) {
            uint32_t size = pointer->size ? pointer->size : 1, bytes = r->items[i].last - r->items[i].low + 1;
            return r->items[i].object ? r->items[i].low + size * below(d, bytes / size ? bytes / size : 1) : 0;
        }
    return 0;
}

static void store(driven *d, const check_node *node, const place *p)
{
    unsigned bytes = check_aims_bytes(node->word);
    if ((node->word & 0x7F) != 0x23 || (bytes != 1 && bytes != 2 && bytes != 4))
        return;
    size_t i = 0;
    for (int tries = 0; tries < 8; tries++) { /* words of frames that are not active are not armed */
        i = below(d, p->write_count);
        if (d->m->data_plane[p->writes[i] / 4 % (MODEL_WINDOW / 4)])
            break;
    }
    uint32_t address = p->writes[i] + (p->sub[i] >= 0 ? (uint32_t)p->sub[i] : below(d, 4) & ~(bytes - 1));
    if (address % bytes)
        return;
    uint32_t data = d->pool[below(d, d->pool_count)];
    if (chance(d, 20))
        data = next_random(d) >> below(d, 32);
    if (chance(d, 25))
        data = d->m->phantom[(p->writes[below(d, p->write_count)] / 4) % (MODEL_WINDOW / 4)] + below(d, 3) - 1;
    const value *range = &d->aims->stored[node - d->program->nodes];
    if (range->kind == VALUE_NUMBER) { /* what else is never stored there */
        uint32_t span = (uint32_t)range->high - (uint32_t)range->low;
        if (data - (uint32_t)range->low > span)
            data = (uint32_t)range->low + (span + 1 ? data % (span + 1) : 0);
    }
    const es_image_pointer *pointer = pointer_at(d, p->keys[i]);
    if (pointer && !d->pointed[pointer - d->image->pointers].anywhere) {
        if (bytes != 4)
            return;
        data = some_pointer(d, pointer);
    }
    forget_path(d);
    pass_time(d);
    model_store(d->m, address, bytes == 4 ? data : data & ((1u << 8 * bytes) - 1), bytes);
    note(d, ES_KIND_WRITE, bytes != 4, address & ~3u);
}

static void load(driven *d, const check_node *node, const place *p)
{
    unsigned bytes = check_aims_bytes(node->word);
    uint32_t at = p->reads[below(d, p->read_count)];
    if ((node->word & 0x7F) != 0x03 || (bytes != 1 && bytes != 2 && bytes != 4))
        return;
    forget_path(d);
    pass_time(d);
    unsigned first = below(d, 4) & ~(bytes - 1);
    model_read(d->m, at, d->m->phantom[at / 4 % (MODEL_WINDOW / 4)], ((1u << bytes) - 1) << first);
    note(d, ES_KIND_READ, false, at);
}

/* --- what there is ------------------------------------------------------------------------------------------------ */

static void add_value(driven *d, uint32_t word)
{
    d->pool = es_arena_grow(d->arena, d->pool, d->pool_count, sizeof *d->pool);
    d->pool[d->pool_count++] = word;
}

static void add_constants(driven *d, const es_expr *e)
{
    if (!e)
        return;
    if (e->kind == ES_EXPR_CONST) {
        uint32_t number = e->type == ES_VALUE_64 ? (uint32_t)e->constant.wide : e->value;
        for (uint32_t i = 0; i < 3; i++)
            add_value(d, number + i - 1);
    }
    add_constants(d, e->lhs);
    add_constants(d, e->rhs);
    add_constants(d, e->condition);
}

static void add_tree(driven *d, const es_event_tree *tree)
{
    if (!tree)
        return;
    if (tree->condition)
        add_constants(d, tree->condition->expr);
    add_tree(d, tree->first);
    add_tree(d, tree->second);
}

static void fill_pool(driven *d, const es_program *statements)
{
    static const uint32_t usual[] = { 0, 1, 2, 3, 7, 0xFFFFFFFF, 0xFFFFFFFE, 100, 255, 1000, 0x7FFFFFFF, 0x80000000 };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        add_value(d, usual[i]);
    for (size_t i = 0; i < statements->statement_count; i++) {
        add_constants(d, statements->statements[i].predicate);
        add_tree(d, statements->statements[i].event);
        if (!(statements->statements[i].features & ES_FEATURE(POINTER)))
            continue;
        es_object *objects;
        size_t count = es_symbols_objects(d->symbols, d->arena, &objects);
        for (size_t k = 0; k < count; k++)
            add_value(d, objects[k].address);
    }
}

static void add_write(driven *d, place *p, const es_image_key *k, int32_t sub)
{
    if (p->write_count % 16 == 0) {
        uint32_t *writes = es_arena_alloc(d->arena, (p->write_count + 16) * sizeof *writes);
        int32_t *subs = es_arena_alloc(d->arena, (p->write_count + 16) * sizeof *subs);
        const es_image_key **keys = es_arena_alloc(d->arena, (p->write_count + 16) * sizeof *keys);
        for (size_t i = 0; i < p->write_count; i++)
            writes[i] = p->writes[i], subs[i] = p->sub[i], keys[i] = p->keys[i];
        p->writes = writes;
        p->keys = keys;
        p->sub = subs;
    }
    p->writes[p->write_count] = k->address;
    p->keys[p->write_count] = k;
    p->sub[p->write_count++] = sub;
}

static void add_read(driven *d, place *p, uint32_t address)
{
    p->reads = es_arena_grow(d->arena, p->reads, p->read_count, sizeof *p->reads);
    p->reads[p->read_count++] = address;
}

/* Where in an armed word the node's store goes; false: not there. */
static bool aims_at(const driven *d, size_t n, const es_image_key *k, size_t frame, int32_t *sub)
{
    const es_store *store = d->program->nodes[n].store;
    *sub = -1;
    if (!check_aims_may(d->aims, n, frame, frame == CHECK_NONE ? k->address : (uint32_t)k->cfa_offset))
        return false;
    value v = d->aims->at[n];
    if (store->kind == ES_STORE_CONSTANT)
        *sub = (int32_t)(store->address - k->address);
    else if (store->kind == ES_STORE_FRAME)
        *sub = store->cfa_offset - k->cfa_offset;
    else if (v.kind == VALUE_NUMBER && v.low == v.high)
        *sub = (int32_t)((uint32_t)v.low - k->address);
    else if (v.kind == VALUE_STACK && v.low == v.high)
        *sub = v.low - k->cfa_offset;
    else
        return true;
    return *sub >= 0 && *sub < 4;
}

static void find_places(driven *d)
{
    const check_program *program = d->program;
    d->places = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *d->places);
    memset(d->places, 0, (program->node_count + 1) * sizeof *d->places);
    for (size_t i = 0; i < d->image->key_count; i++) {
        const es_image_key *k = &d->image->keys[i];
        size_t frame = CHECK_NONE;
        for (size_t p = 0; p < program->procedure_count && k->frame && frame == CHECK_NONE; p++)
            if (program->procedures[p].procedure == k->frame)
                frame = p;
        for (size_t n = 0; n < program->node_count; n++) {
            const check_node *node = &program->nodes[n];
            if (!program->procedures[node->procedure].reached || node->procedure == program->entry)
                continue;
            int32_t sub;
            if (!k->fetch && node->store && d->aims->at[n].kind != VALUE_ANY && aims_at(d, n, k, frame, &sub))
                add_write(d, &d->places[n], k, sub);
            if (k->fetch && node->load && check_service_reads(d->service) && check_aims_may_load(d->aims, n, k->address))
                add_read(d, &d->places[n], k->address);
        }
    }
    uint32_t address;
    bool read;
    for (size_t i = 0; check_service_armed(d->service, i, &address, &read); i++)
        for (size_t n = 0; n < program->node_count && read; n++)
            if (program->nodes[n].load && program->nodes[n].procedure != program->entry &&
                check_aims_may_load(d->aims, n, address))
                add_read(d, &d->places[n], address);
}

static uint32_t plus(uint32_t a, uint32_t b)
{
    return a == FAR || b == FAR ? FAR : a + b;
}

static size_t entry_of(const driven *d, size_t procedure)
{
    const check_procedure *p = &d->program->procedures[procedure];
    return p->node_count ? p->first_node : CHECK_NONE;
}

/* Least steps from an edge on: to the goal (leave: NULL), or to the procedure's end. */
static uint32_t along(const driven *d, const check_edge *edge, const uint32_t *far, bool leave)
{
    size_t entry = edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL ? entry_of(d, edge->callee) : CHECK_NONE;
    switch (edge->kind) {
    case CHECK_EDGE_NEXT:
        return plus(1, far[edge->to]);
    case CHECK_EDGE_EXIT:
        return leave ? 1 : FAR;
    case CHECK_EDGE_TAIL:
        return entry == CHECK_NONE ? FAR : plus(1, far[entry]);
    default:
        break;
    }
    if (entry == CHECK_NONE)
        return FAR;
    uint32_t over = edge->to == CHECK_NONE ? FAR : plus(d->leave[entry], plus(2, far[edge->to]));
    uint32_t in = leave ? FAR : plus(1, far[entry]);
    return in < over ? in : over;
}

/* By node, the least steps to a goal. */
static const uint32_t *measure(driven *d, size_t goal)
{
    const check_program *program = d->program;
    if (d->far[goal])
        return d->far[goal];
    uint32_t *far = d->far[goal] = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *far);
    for (size_t i = 0; i < program->node_count; i++)
        far[i] = i == goal ? 0 : FAR;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = program->node_count; i-- > 0;) {
            const check_node *node = &program->nodes[i];
            for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
                uint32_t steps = along(d, &program->edges[e], far, false);
                changed |= steps < far[i];
                far[i] = steps < far[i] ? steps : far[i];
            }
        }
    }
    return far;
}

static void find_recursion(driven *d)
{
    const check_program *program = d->program;
    size_t count = program->procedure_count;
    bool *reach = es_arena_alloc(d->arena, count * count * sizeof *reach);
    memset(reach, 0, count * count * sizeof *reach);
    for (size_t i = 0; i < program->edge_count; i++)
        if (program->edges[i].kind == CHECK_EDGE_CALL || program->edges[i].kind == CHECK_EDGE_TAIL)
            reach[program->nodes[program->edges[i].from].procedure * count + program->edges[i].callee] = true;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count && reach[i * count + k]; j++)
                reach[i * count + j] |= reach[k * count + j];
    for (size_t i = 0; i < program->edge_count; i++) {
        const check_edge *edge = &program->edges[i];
        size_t own = program->nodes[edge->from].procedure;
        if (edge->kind != CHECK_EDGE_CALL || !(edge->callee == own || reach[edge->callee * count + own]) ||
            !program->procedures[own].reached || entry_of(d, edge->callee) == CHECK_NONE)
            continue;
        d->dives = es_arena_grow(d->arena, d->dives, d->dive_count, sizeof *d->dives);
        d->dives[d->dive_count++] = edge->from;
    }
}

static void find_goals(driven *d)
{
    const check_program *program = d->program;
    for (size_t n = 0; n < program->node_count; n++) {
        const check_node *node = &program->nodes[n];
        bool event = d->places[n].write_count || d->places[n].read_count;
        if (!program->procedures[node->procedure].reached)
            continue;
        for (size_t i = 0; i < d->image->key_count && !event; i++)
            event = d->image->keys[i].fetch && d->image->keys[i].address == node->address;
        if (!event)
            continue;
        d->goals = es_arena_grow(d->arena, d->goals, d->goal_count, sizeof *d->goals);
        d->goals[d->goal_count++] = n;
    }
    for (size_t p = 0; p < program->procedure_count; p++) {
        if (!program->procedures[p].interrupt || entry_of(d, p) == CHECK_NONE)
            continue;
        d->handlers = es_arena_grow(d->arena, d->handlers, d->handler_count, sizeof *d->handlers);
        d->handlers[d->handler_count++] = p;
    }
}

driven *driven_new(const es_symbols *symbols, const es_program *statements, const es_image *image, const es_probe_limits *limits,
                   const check_program *program, check_aims *aims)
{
    driven *d = es_malloc(sizeof *d);
    memset(d, 0, sizeof *d);
    d->arena = es_arena_new();
    d->symbols = symbols;
    d->image = image;
    d->limits = limits;
    d->program = program;
    d->aims = aims;
    d->service = check_service_new(d->arena, image, limits);
    d->loop = firmware_routines_get().pop + 4;
    d->m = es_malloc(sizeof *d->m);
    d->saved = es_malloc(sizeof *d->saved);
    d->leave = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *d->leave);
    d->tried = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *d->tried);
    d->far = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *d->far);
    memset(d->far, 0, (program->node_count + 1) * sizeof *d->far);
    d->pointed = check_pointed_find(d->arena, aims, program, image);
    fill_pool(d, statements);
    find_places(d);
    for (size_t i = 0; i < program->node_count; i++)
        d->leave[i] = FAR;
    for (bool changed = true; changed;) { /* callees' lengths are needed for those of their callers */
        changed = false;
        for (size_t i = program->node_count; i-- > 0;) {
            const check_node *node = &program->nodes[i];
            for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
                uint32_t steps = along(d, &program->edges[e], d->leave, true);
                changed |= steps < d->leave[i];
                d->leave[i] = steps < d->leave[i] ? steps : d->leave[i];
            }
        }
    }
    find_recursion(d);
    find_goals(d);
    return d;
}

void driven_free(driven *d)
{
    free(d->m);
    free(d->saved);
    es_arena_free(d->arena);
    free(d);
}

/* --- walking ------------------------------------------------------------------------------------------------------ */

static void restart(driven *d)
{
    model *m = d->m;
    memset(m, 0, sizeof *m);
    m->window_base = d->limits->window_base;
    const es_segment *segments;
    size_t count = es_symbols_segments(d->symbols, &segments);
    for (size_t i = 0; i < count; i++)
        for (uint32_t at = 0; at + 4 <= segments[i].size; at += 4) {
            uint32_t word;
            memcpy(&word, segments[i].bytes + at, 4);
            if ((segments[i].address + at - m->window_base) < MODEL_WINDOW)
                model_know(m, segments[i].address + at, word);
        }
    es_object *objects;
    count = es_symbols_objects(d->symbols, d->arena, &objects);
    for (size_t i = chance(d, 10) ? below(d, count) : 0; i < count; i++) /* cleared by the start-up code, as a rule */
        for (uint32_t at = objects[i].address & ~3u; at < objects[i].address + objects[i].size; at += 4)
            if (at - m->window_base < MODEL_WINDOW && !m->known[(at - m->window_base) / 4])
                model_know(m, at, 0);
    model_start(m, d->image);
    m->time_bits = 16;
    d->depth = d->most = 0;
    d->at = d->program->procedures[d->program->entry].first_node;
    for (size_t i = chance(d, 5) ? d->image->key_count : 0; i < d->image->key_count; i++) { /* the start-up code clears memory */
        const es_image_key *k = &d->image->keys[i];
        if (k->fetch || k->frame)
            continue;
        pass_time(d);
        model_store(m, k->address, 0, 4);
        note(d, ES_KIND_WRITE, false, k->address);
    }
    d->ending = false;
    d->goal = CHECK_NONE;
    d->dive_to = 0;
}

/* All that a walk may change, but the frames that were sent. */
static void copy_model(model *to, const model *from)
{
    size_t first = offsetof(model, frames), rest = offsetof(model, frame_count);
    memcpy(to, from, first);
    memcpy((char *)to + rest, (const char *)from + rest, sizeof *to - rest);
}

/* How far what is said of a node's events is above what has been seen of them. */
static uint32_t looseness(const driven *d, size_t node)
{
    const place *p = &d->places[node];
    const check_node *n = &d->program->nodes[node];
    bool part = check_aims_bytes(n->word) != 4;
    uint32_t most = excess(d, ES_KIND_FETCH, false, n->address);
    for (size_t i = 0; i < p->write_count && i < 8; i++) {
        uint32_t own = excess(d, ES_KIND_WRITE, part, p->writes[i]);
        most = own > most ? own : most;
    }
    for (size_t i = 0; i < p->read_count && i < 8; i++) {
        uint32_t own = excess(d, ES_KIND_READ, false, p->reads[i]);
        most = own > most ? own : most;
    }
    return most;
}

/* Stores several values, one after the other, from the same state of the probe. */
static void try_store(driven *d, size_t number)
{
    const check_node *node = &d->program->nodes[number];
    int tries = looseness(d, number) > LOOSE ? TRIES : 1;
    bool loops = false; /* it may store again at once */
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && tries > 1; e++)
        loops |= d->program->edges[e].kind == CHECK_EDGE_NEXT && measure(d, number)[d->program->edges[e].to] != FAR;
    if (tries > 1)
        copy_model(d->saved, d->m);
    for (;;) {
        store(d, node, &d->places[number]);
        if (--tries <= 0 || d->m->broken)
            return;
        if (!loops || chance(d, 50))
            copy_model(d->m, d->saved);
    }
}

/* Another goal among some; as often as not one that can be reached without a return, when there is one. */
static bool choose_goal(driven *d, const size_t *among, size_t count, bool here)
{
    size_t best = CHECK_NONE;
    uint32_t most = 0;
    for (int tries = 0; tries < 12; tries++) {
        size_t goal = among[below(d, count)];
        uint32_t loose = looseness(d, goal) / (1 + d->tried[goal] / 4); /* what never becomes better is not tried for ever */
        if (here && (measure(d, goal)[d->at] == FAR || goal == d->at))
            continue;
        if (best == CHECK_NONE || (loose > most && tries % 3)) {
            best = goal;
            most = loose;
        }
    }
    if (best == CHECK_NONE)
        return false;
    d->goal = best;
    d->tried[best]++;
    d->near = measure(d, best);
    return true;
}

static void new_goal(driven *d)
{
    uint32_t most = d->nest < ES_MI_STACK_DEPTH ? d->nest : ES_MI_STACK_DEPTH;
    if (d->dive_count && !d->dive_to && d->depth + 1 < most && chance(d, 20))
        d->dive_to = chance(d, 70) && most > 3 ? most - below(d, 3) : 1 + below(d, most); /* with room for what is called there */
    if (d->depth >= d->dive_to || !choose_goal(d, d->dives, d->dive_count, true)) {
        d->dive_to = 0;
        if (!choose_goal(d, d->goals, d->goal_count, chance(d, 85)))
            choose_goal(d, d->goals, d->goal_count, false);
    }
}

/* The way on from a node; NULL: there is none. */
static const check_edge *choose(driven *d, const check_node *node)
{
    const check_edge *best = NULL;
    uint32_t least = FAR, count = 0;
    bool any = chance(d, 2) && d->depth + 2 < d->nest;
    bool out = d->ending || d->near[d->at] == FAR;
    bool into = d->dive_to && d->at == d->goal;
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const check_edge *edge = &d->program->edges[e];
        uint32_t ends = along(d, edge, d->leave, true), steps = out || any ? ends : along(d, edge, d->near, false);
        if (edge->kind == CHECK_EDGE_CALL && d->depth >= d->nest && steps != FAR)
            steps = FAR - 1; /* only when there is no other way */
        if (into && edge->kind == CHECK_EDGE_CALL && ends != FAR && entry_of(d, edge->callee) != CHECK_NONE)
            steps = 0;
        if (steps == FAR || (any && below(d, ++count)))
            continue;
        if (any || steps < least || (steps == least && chance(d, 50))) {
            least = steps;
            best = edge;
        }
    }
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && !best && d->ending; e++)
        if (d->program->edges[e].kind == CHECK_EDGE_CALL && entry_of(d, d->program->edges[e].callee) != CHECK_NONE)
            best = &d->program->edges[e]; /* of what never returns */
    return best;
}

static bool push(driven *d, size_t back, bool interrupt)
{
    if (d->depth == STACK_MAX)
        return false;
    d->stack[d->depth++] = (activation){ back, interrupt };
    return true;
}

/* From the node that was just executed to the next one. False: the walk cannot go on. */
static bool advance(driven *d)
{
    const check_node *node = &d->program->nodes[d->at];
    const check_edge *edge = choose(d, node);
    if (!edge)
        return false;
    switch (edge->kind) {
    case CHECK_EDGE_NEXT:
        d->at = edge->to;
        break;
    case CHECK_EDGE_CALL:
        d->at = entry_of(d, edge->callee);
        if (!push(d, edge->to, false))
            return false;
        break;
    case CHECK_EDGE_TAIL:
        d->at = entry_of(d, edge->callee);
        break;
    case CHECK_EDGE_EXIT:
        if (!d->depth)
            return false;
        d->at = d->stack[--d->depth].back;
        break;
    }
    return d->at != CHECK_NONE;
}

static void interrupt(driven *d)
{
    size_t next = d->at;
    for (uint32_t i = 0; i < d->depth; i++)
        if (d->stack[i].interrupt)
            return;
    if (d->depth >= d->nest || !push(d, next, true))
        return;
    d->at = entry_of(d, d->handlers[below(d, d->handler_count)]);
}

const char *driven_walk(driven *d, uint32_t seed, size_t steps, uint32_t nest)
{
    size_t since = 0, to_goal = 0;
    d->random = seed * 2654435761u | 1;
    d->nest = d->handler_count && nest >= ES_MI_STACK_DEPTH ? ES_MI_STACK_DEPTH - 1 : nest; /* as host/check/costs.c has it */
    d->hit_count = 0;
    memset(d->tried, 0, (d->program->node_count + 1) * sizeof *d->tried);
    if (!d->goal_count)
        return NULL;
    restart(d);
    for (; steps && !d->m->broken; steps--, since++) {
        if (d->goal == CHECK_NONE || d->at == d->goal || to_goal++ > GOAL_STEPS) {
            if (!(d->dive_to && d->at == d->goal))
                new_goal(d);
            to_goal = 0;
        }
        const check_node *node = &d->program->nodes[d->at];
        const place *p = &d->places[d->at];
        fetch(d, node);
        d->most = d->depth;
        if (p->write_count && chance(d, 95))
            try_store(d, d->at);
        if (p->read_count && chance(d, 95))
            load(d, node, p);
        bool dived = d->dive_to && d->at == d->goal;
        d->ending = since > EPISODE;
        if (since > EPISODE + GOAL_STEPS || !advance(d) || d->depth > d->nest) { /* of runs that nest deeper nothing is said */
            restart(d);
            since = 0;
            continue;
        }
        if (dived)
            new_goal(d);
        uint32_t next = d->program->nodes[d->at].address;
        if (d->handler_count && chance(d, d->m->fetch_plane[next / 4 % (MODEL_WINDOW / 4)] ? 20 : 1))
            interrupt(d);
        d->most = d->depth > d->most ? d->depth : d->most;
    }
    return d->m->broken;
}

void driven_expect(driven *d, const driven_hit *said, size_t count)
{
    d->said = said;
    d->said_count = count;
}

size_t driven_hits(const driven *d, const driven_hit **hits)
{
    *hits = d->hits;
    return d->hit_count;
}
