#include "driven_inside.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "image/firmware.h"

enum { EPISODE = 10000, GOAL_STEPS = 3000, TRIES = 8 };

driven *driven_new(const es_symbols *symbols, const es_program *statements, const es_image *image,
                   const es_probe_limits *limits, const es_check_program *program, es_check_aims *aims)
{
    driven *d = es_malloc(sizeof *d);
    memset(d, 0, sizeof *d);
    d->arena = es_arena_new();
    d->symbols = symbols;
    d->image = image;
    d->limits = limits;
    d->program = program;
    d->aims = aims;
    d->service = es_check_service_new(d->arena, image, es_symbols_isa(symbols));
    d->loop = es_firmware_routines_get().pop + 4;
    d->m = es_malloc(sizeof *d->m);
    d->saved = es_malloc(sizeof *d->saved);
    d->leave = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *d->leave);
    d->tried = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *d->tried);
    d->far = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *d->far);
    memset(d->far, 0, (program->node_count + 1) * sizeof *d->far);
    d->pointed = es_check_pointed_find(d->arena, aims, program, image);
    driven_fill_pool(d, statements);
    driven_find_places(d);
    driven_find_leave(d);
    driven_find_recursion(d);
    driven_find_goals(d);
    return d;
}

void driven_free(driven *d)
{
    free(d->m);
    free(d->saved);
    es_arena_free(d->arena);
    free(d);
}

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
    /* cleared by the start-up code, as a rule */
    for (size_t i = driven_chance(d, 10) ? driven_below(d, count) : 0; i < count; i++)
        for (uint32_t at = objects[i].address & ~3u; at < objects[i].address + objects[i].size; at += 4)
            if (at - m->window_base < MODEL_WINDOW && !m->known[(at - m->window_base) / 4])
                model_know(m, at, 0);
    model_start(m, d->image);
    m->time_bits = 16;
    d->depth = d->most = 0;
    d->at = d->program->procedures[d->program->entry].first_node;
    /* the start-up code clears memory */
    for (size_t i = driven_chance(d, 5) ? d->image->key_count : 0; i < d->image->key_count; i++) {
        const es_image_key *k = &d->image->keys[i];
        if (k->fetch || k->frame)
            continue;
        driven_pass_time(d);
        model_store(m, k->address, 0, 4);
        driven_note(d, ES_KIND_WRITE, false, k->address);
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
    const es_check_node *n = &d->program->nodes[node];
    bool part = es_check_aims_bytes(n->insn) != 4;
    uint32_t most = driven_excess(d, ES_KIND_FETCH, false, n->address);
    for (size_t i = 0; i < p->write_count && i < 8; i++) {
        uint32_t own = driven_excess(d, ES_KIND_WRITE, part, p->writes[i]);
        most = own > most ? own : most;
    }
    for (size_t i = 0; i < p->read_count && i < 8; i++) {
        uint32_t own = driven_excess(d, ES_KIND_READ, false, p->reads[i]);
        most = own > most ? own : most;
    }
    return most;
}

/* Stores several values, one after the other, from the same state of the probe. */
static void try_store(driven *d, size_t number)
{
    const es_check_node *node = &d->program->nodes[number];
    int tries = looseness(d, number) > LOOSE ? TRIES : 1;
    bool loops = false; /* it may store again at once */
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && tries > 1; e++)
        loops |=
            d->program->edges[e].kind == CHECK_EDGE_NEXT && driven_measure(d, number)[d->program->edges[e].to] != FAR;
    if (tries > 1)
        copy_model(d->saved, d->m);
    for (;;) {
        driven_store(d, node, &d->places[number]);
        if (--tries <= 0 || d->m->broken)
            return;
        if (!loops || driven_chance(d, 50))
            copy_model(d->m, d->saved);
    }
}

/* Another goal among some; as often as not one that can be reached without a return, when there is one. */
static bool choose_goal(driven *d, const size_t *among, size_t count, bool here)
{
    size_t best = CHECK_NONE;
    uint32_t most = 0;
    for (int tries = 0; tries < 12; tries++) {
        size_t goal = among[driven_below(d, count)];
        /* what never becomes better is not tried for ever */
        uint32_t loose = looseness(d, goal) / (1 + d->tried[goal] / 4);
        if (here && (driven_measure(d, goal)[d->at] == FAR || goal == d->at))
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
    d->near = driven_measure(d, best);
    return true;
}

static void new_goal(driven *d)
{
    uint32_t most = d->nest < ES_MI_STACK_DEPTH ? d->nest : ES_MI_STACK_DEPTH;
    if (d->dive_count && !d->dive_to && d->depth + 1 < most && driven_chance(d, 20))
        d->dive_to = driven_chance(d, 70) && most > 3
                         ? most - driven_below(d, 3)
                         : 1 + driven_below(d, most); /* with room for what is called there */
    if (d->depth >= d->dive_to || !choose_goal(d, d->dives, d->dive_count, true)) {
        d->dive_to = 0;
        if (!choose_goal(d, d->goals, d->goal_count, driven_chance(d, 85)))
            choose_goal(d, d->goals, d->goal_count, false);
    }
}

/* The way on from a node; NULL: there is none. */
static const es_check_edge *choose(driven *d, const es_check_node *node)
{
    const es_check_edge *best = NULL;
    uint32_t least = FAR, count = 0;
    bool any = driven_chance(d, 2) && d->depth + 2 < d->nest;
    bool out = d->ending || d->near[d->at] == FAR;
    bool into = d->dive_to && d->at == d->goal;
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const es_check_edge *edge = &d->program->edges[e];
        uint32_t ends = driven_along(d, edge, d->leave, true),
                 steps = out || any ? ends : driven_along(d, edge, d->near, false);
        if (edge->kind == CHECK_EDGE_CALL && d->depth >= d->nest && steps != FAR)
            steps = FAR - 1; /* only when there is no other way */
        if (into && edge->kind == CHECK_EDGE_CALL && ends != FAR && driven_entry_of(d, edge->callee) != CHECK_NONE)
            steps = 0;
        if (steps == FAR || (any && driven_below(d, ++count)))
            continue;
        if (any || steps < least || (steps == least && driven_chance(d, 50))) {
            least = steps;
            best = edge;
        }
    }
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && !best && d->ending; e++)
        if (d->program->edges[e].kind == CHECK_EDGE_CALL &&
            driven_entry_of(d, d->program->edges[e].callee) != CHECK_NONE)
            best = &d->program->edges[e]; /* of what never returns */
    return best;
}

static bool push(driven *d, size_t back, bool interrupt)
{
    if (d->depth == STACK_MAX)
        return false;
    d->stack[d->depth++] = (activation){back, interrupt};
    return true;
}

/* From the node that was just executed to the next one. False: the walk cannot go on. */
static bool advance(driven *d)
{
    const es_check_node *node = &d->program->nodes[d->at];
    const es_check_edge *edge = choose(d, node);
    if (!edge)
        return false;
    switch (edge->kind) {
    case CHECK_EDGE_NEXT: d->at = edge->to; break;
    case CHECK_EDGE_CALL:
        d->at = driven_entry_of(d, edge->callee);
        if (!push(d, edge->to, false))
            return false;
        break;
    case CHECK_EDGE_TAIL: d->at = driven_entry_of(d, edge->callee); break;
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
    d->at = driven_entry_of(d, d->handlers[driven_below(d, d->handler_count)]);
}

const char *driven_walk(driven *d, uint32_t seed, size_t steps, uint32_t nest)
{
    size_t since = 0, to_goal = 0;
    d->random = seed * 2654435761u | 1;
    /* as host/check/events/depth.c has it */
    d->nest = d->handler_count && nest >= ES_MI_STACK_DEPTH ? ES_MI_STACK_DEPTH - 1 : nest;
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
        const es_check_node *node = &d->program->nodes[d->at];
        const place *p = &d->places[d->at];
        driven_fetch(d, node);
        d->most = d->depth;
        if (p->write_count && driven_chance(d, 95))
            try_store(d, d->at);
        if (p->read_count && driven_chance(d, 95))
            driven_load(d, node, p);
        bool dived = d->dive_to && d->at == d->goal;
        d->ending = since > EPISODE;
        /* of runs that nest deeper nothing is said */
        if (since > EPISODE + GOAL_STEPS || !advance(d) || d->depth > d->nest) {
            restart(d);
            since = 0;
            continue;
        }
        if (dived)
            new_goal(d);
        uint32_t next = d->program->nodes[d->at].address;
        if (d->handler_count && driven_chance(d, driven_armed(d, next) ? 20 : 1))
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

uint32_t driven_pass(const driven *d)
{
    return d->pass;
}
