/* The coverability tree of Karp and Miller: a place that grows along a path is without bound, and is marked so in what
 * follows. */
#include <stdlib.h>
#include <string.h>

#include "net/analysis/analysis.h"

#define OMEGA UINT32_MAX /* any number of tokens */
#define MEMORY_MAX ((size_t)1 << 30)

struct tree {
    const es_net *net;
    uint32_t *markings, *parents, *next;
    size_t count, room, limit;
    uint32_t *table; /* hash table of marking number + 1 */
    size_t table_size;
    uint64_t climbed; /* ancestors compared */
    bool too_large;   /* a finite number of tokens that does not fit */
};

static uint32_t *marking_at(const struct tree *t, size_t index)
{
    return t->markings + index * t->net->place_count;
}

static size_t slot_of(const struct tree *t, const uint32_t *marking)
{
    uint64_t hash = 0;
    for (uint32_t p = 0; p < t->net->place_count; p++) {
        hash = (hash ^ marking[p]) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    size_t at = hash & (t->table_size - 1);
    while (t->table[at] && memcmp(marking_at(t, t->table[at] - 1), marking, t->net->place_count * sizeof *marking) != 0)
        at = (at + 1) & (t->table_size - 1);
    return at;
}

static void grow_table(struct tree *t)
{
    t->table_size = t->table_size ? t->table_size * 2 : 1024;
    t->table = es_realloc(t->table, t->table_size * sizeof *t->table);
    memset(t->table, 0, t->table_size * sizeof *t->table);
    for (size_t i = 0; i < t->count; i++)
        t->table[slot_of(t, marking_at(t, i))] = (uint32_t)i + 1;
}

/* Keeps t->next unless it is known. False when there is no room for it. */
static bool keep(struct tree *t, uint32_t parent)
{
    if ((t->count + 1) * 2 > t->table_size)
        grow_table(t);
    size_t at = slot_of(t, t->next);
    if (t->table[at])
        return true;
    if (t->count >= t->limit)
        return false;
    if (t->count == t->room) {
        t->room = t->room ? t->room * 2 : 64;
        t->markings = es_realloc(t->markings, t->room * ((size_t)t->net->place_count + 1) * sizeof *t->markings);
        t->parents = es_realloc(t->parents, t->room * sizeof *t->parents);
    }
    memcpy(t->markings + t->count * t->net->place_count, t->next, t->net->place_count * sizeof *t->next);
    t->parents[t->count] = parent;
    t->table[at] = (uint32_t)++t->count;
    return true;
}

static bool is_enabled(const struct tree *t, const uint32_t *marking, const es_net_transition *transition)
{
    for (uint32_t i = 0; i < transition->input_count; i++)
        if (marking[transition->inputs[i]] < t->net->arcs[transition->input_arcs[i]].weight)
            return false;
    return true;
}

/* t->next becomes the marking after the firing. */
static void fire(struct tree *t, const uint32_t *marking, const es_net_transition *transition)
{
    memcpy(t->next, marking, t->net->place_count * sizeof *t->next);
    for (uint32_t i = 0; i < transition->input_count; i++)
        if (t->next[transition->inputs[i]] != OMEGA)
            t->next[transition->inputs[i]] -= t->net->arcs[transition->input_arcs[i]].weight;
    for (uint32_t i = 0; i < transition->output_count; i++) {
        uint32_t *tokens = &t->next[transition->outputs[i]], weight = t->net->arcs[transition->output_arcs[i]].weight;
        if (*tokens == OMEGA)
            continue;
        t->too_large = t->too_large || weight >= OMEGA - *tokens;
        *tokens += weight;
    }
}

/* Places that have grown since an ancestor which is smaller everywhere grow without bound. */
static void accelerate(struct tree *t, uint32_t from)
{
    for (uint32_t at = from; at != ES_NET_NONE; at = t->parents[at]) {
        const uint32_t *old = marking_at(t, at);
        bool covers = true;
        t->climbed++;
        for (uint32_t p = 0; p < t->net->place_count && covers; p++)
            covers = old[p] <= t->next[p];
        for (uint32_t p = 0; p < t->net->place_count && covers; p++)
            if (old[p] < t->next[p])
                t->next[p] = OMEGA;
    }
}

/* False when a limit was reached. Climbing to all ancestors may take long although there are few markings. */
static bool expand(struct tree *t, uint32_t index)
{
    for (uint32_t i = 0; i < t->net->transition_count; i++) {
        const es_net_transition *transition = &t->net->transitions[i];
        if (!is_enabled(t, marking_at(t, index), transition))
            continue;
        fire(t, marking_at(t, index), transition);
        accelerate(t, index);
        if (t->too_large || t->climbed / 1000 > t->limit || !keep(t, index))
            return false;
    }
    return true;
}

es_net_bounds es_net_cover(const es_net *net, size_t limit, es_arena *arena)
{
    es_net_bounds result = {.bounded = ES_NET_UNDECIDED};
    size_t fits = MEMORY_MAX / (((size_t)net->place_count + 1) * sizeof(uint32_t));
    struct tree t = {.net = net, .limit = limit < fits ? limit : fits};
    t.limit = t.limit < UINT32_MAX - 1 ? t.limit : UINT32_MAX - 1;
    t.next = es_malloc((net->place_count + 1) * sizeof *t.next);
    for (uint32_t p = 0; p < net->place_count; p++)
        t.next[p] = net->places[p].tokens;
    bool good = keep(&t, ES_NET_NONE);
    for (size_t i = 0; good && i < t.count; i++)
        good = expand(&t, (uint32_t)i);
    bool *endless = es_arena_alloc(arena, net->place_count + 1);
    bool any = false;
    for (size_t i = 0; i < t.count; i++)
        for (uint32_t p = 0; p < net->place_count; p++) {
            uint32_t tokens = marking_at(&t, i)[p];
            endless[p] = endless[p] || tokens == OMEGA;
            any = any || tokens == OMEGA;
            result.most = tokens != OMEGA && tokens > result.most ? tokens : result.most;
        }
    uint32_t *list = NULL;
    for (uint32_t p = 0; p < net->place_count; p++)
        if (endless[p]) {
            list = es_arena_grow(arena, list, result.unbounded_count, sizeof *list);
            list[result.unbounded_count++] = p;
        }
    result.unbounded = list;
    result.markings = t.count;
    result.bounded = any ? ES_NET_NO : good ? ES_NET_YES : ES_NET_UNDECIDED;
    free(t.markings);
    free(t.parents);
    free(t.next);
    free(t.table);
    return result;
}
