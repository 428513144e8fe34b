#include "image/paths/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "image/paths/calls.h"
#include "lang/statement.h"

/* One place in a path: an activation to be met, and what may lie before it. A state of the automaton is the set of
 * places that all have been met up to; place `first` of a path is before anything was met. */
typedef struct place {
    const es_step *step;
    bool first; /* of its path */
    bool last;
    bool passes; /* other activations may come before this one is met */
    size_t path;
} place;

typedef struct builder {
    automaton *a;
    es_arena *arena;
    place *places;
    size_t place_count, words; /* of 64 bits in a set of places */
    automaton_symbol *symbols;
    uint64_t *sets; /* of states, by state */
    uint16_t *next;
    uint8_t *tells;
    const uint8_t *asked; /* by path */
    size_t most;          /* states for which there is room */
    size_t *table;        /* hash of sets: state + 1 */
    const call_graph *calls;
    bool **meets;  /* by place and procedure: it can be met on an activation of the procedure, or further in */
    uint8_t *seen; /* by state and procedure */
    size_t *pairs; /* such pairs that were seen, in order */
    size_t pair_count;
} builder;

enum { UNKNOWN = 0xFFFF, FEW_STATES = 512 /* enough for most programs of statements */ };

/* --- places and symbols ------------------------------------------------------------------------------------- */

static void add_places(builder *b, const es_path *path, size_t number)
{
    bool gap = false, first = true;
    for (size_t s = 0; s < path->count; s++) {
        const es_step *step = &path->steps[s];
        unsigned times = step->kind == ES_STEP_ANY ? 0 : step->kind == ES_STEP_NESTED ? step->nest : 1;
        for (unsigned nest = 0; nest < times; nest++) {
            b->places = es_arena_grow(b->arena, b->places, b->place_count, sizeof *b->places);
            b->places[b->place_count++] = (place){.step = step, .first = first, .path = number, .passes = gap || nest};
            first = false;
        }
        gap = step->kind == ES_STEP_ANY;
    }
    if (!first)
        b->places[b->place_count - 1].last = true;
}

static int by_place(const void *a, const void *b)
{
    const automaton_symbol *x = a, *y = b;
    uint32_t p = x->procedure->low, q = y->procedure->low;
    return p != q ? (p > q) - (p < q) : (x->site > y->site) - (x->site < y->site);
}

static void add_symbols(builder *b)
{
    size_t count = 1, most = 1;
    for (size_t i = 0; i < b->place_count; i++)
        most += es_step_copies(b->places[i].step) * (es_step_sites(b->places[i].step) + 1);
    b->symbols = es_arena_alloc(b->arena, most * sizeof *b->symbols);
    for (size_t i = 0; i < b->place_count; i++) {
        const es_step *step = b->places[i].step;
        for (size_t k = 0; k < es_step_copies(step); k++)
            b->symbols[count++] = (automaton_symbol){.procedure = es_step_copy(step, k)};
        for (size_t k = 0; k < es_step_copies(step); k++)
            for (size_t s = 0; s < es_step_sites(step); s++)
                b->symbols[count++] =
                    (automaton_symbol){.procedure = es_step_copy(step, k), .site = es_step_site(step, s)};
    }
    qsort(b->symbols + 1, count - 1, sizeof *b->symbols, by_place);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (kept == 1 || by_place(&b->symbols[i], &b->symbols[kept - 1]) != 0)
            b->symbols[kept++] = b->symbols[i];
    b->a->symbols = b->symbols;
    b->a->symbol_count = kept;
}

bool es_automaton_names(const automaton *a, const es_procedure *procedure, size_t *first, size_t *count)
{
    *count = 0;
    for (size_t i = 1; i < a->symbol_count; i++) {
        if (a->symbols[i].procedure != procedure)
            continue;
        if (!*count)
            *first = i;
        ++*count;
    }
    return *count > 0;
}

size_t es_automaton_symbol_of(const automaton *a, const es_procedure *procedure, uint32_t site)
{
    size_t first, count;
    if (!es_automaton_names(a, procedure, &first, &count))
        return 0;
    for (size_t i = first + 1; i < first + count; i++)
        if (a->symbols[i].site == site)
            return i;
    return first;
}

/* --- states ------------------------------------------------------------------------------------------------- */

static bool has(const uint64_t *set, size_t i)
{
    return set[i / 64] >> i % 64 & 1;
}

static void put(uint64_t *set, size_t i)
{
    set[i / 64] |= UINT64_C(1) << i % 64;
}

static bool fits(const es_step *step, const automaton_symbol *symbol)
{
    return es_step_means(step, symbol->procedure) && es_step_is_by(step, symbol->site);
}

/* f[k] counts: no activation of f is passed over. */
static bool passes(const place *p, const automaton_symbol *symbol)
{
    return p->passes && (p->step->kind != ES_STEP_NESTED || !es_step_means(p->step, symbol->procedure));
}

/* Nothing more can be learned of a path that exists, when that is all that was asked. */
static bool is_settled(const builder *b, size_t path, const uint8_t *tells)
{
    return b->asked[path] == AUTOMATON_EXISTS && tells[path] & AUTOMATON_EXISTS;
}

/* Where anything may come before a place, whatever could still be met of the path before it is of no use: what follows
 * from there on follows from this place too. (Not before f[k]: it counts from where the gap begins.) */
static void drop_implied(const builder *b, uint64_t *set)
{
    for (size_t i = b->place_count; i-- > 0;) {
        const place *p = &b->places[i];
        if (!has(set, i) || !p->passes || p->step->kind == ES_STEP_NESTED)
            continue;
        for (; i > 0 && b->places[i - 1].path == p->path; i--)
            set[(i - 1) / 64] &= ~(UINT64_C(1) << (i - 1) % 64);
    }
}

/* A set holds place i when everything before it has been met, so that it is the next one to meet. */
static void read_symbol(const builder *b, size_t state, const automaton_symbol *symbol, uint64_t *to, uint8_t *tells)
{
    const uint64_t *from = b->sets + state * b->words;
    memset(to, 0, b->words * sizeof *to);
    for (size_t i = 0; i < b->a->path_count; i++)
        tells[i] = b->tells[state * b->a->path_count + i] & AUTOMATON_EXISTS;
    for (size_t i = 0; i < b->place_count; i++)
        if (has(from, i) && b->places[i].last && fits(b->places[i].step, symbol))
            tells[b->places[i].path] |= b->asked[b->places[i].path];
    for (size_t i = 0; i < b->place_count; i++) {
        const place *p = &b->places[i];
        if (!has(from, i) || is_settled(b, p->path, tells))
            continue;
        if (passes(p, symbol))
            put(to, i);
        if (fits(p->step, symbol) && !p->last)
            put(to, i + 1);
    }
    drop_implied(b, to);
}

/* What a state is looked up by: its set, and what it tells. */
static bool same(const builder *b, size_t state, const uint64_t *set, const uint8_t *tells)
{
    return memcmp(b->sets + state * b->words, set, b->words * sizeof *set) == 0 &&
           memcmp(b->tells + state * b->a->path_count, tells, b->a->path_count) == 0;
}

static size_t slot_of(const builder *b, const uint64_t *set, const uint8_t *tells)
{
    uint64_t sum = 1469598103934665603u;
    for (size_t i = 0; i < b->words; i++)
        sum = (sum ^ set[i]) * 1099511628211u;
    for (size_t i = 0; i < b->a->path_count; i++)
        sum = (sum ^ tells[i]) * 1099511628211u;
    size_t slot = (sum ^ sum >> 31) % (4 * b->most);
    while (b->table[slot] && !same(b, b->table[slot] - 1, set, tells))
        slot = (slot + 1) % (4 * b->most);
    return slot;
}

/* The state of that set; a new one when there is room. False: there is none. */
static bool state_of(builder *b, const uint64_t *set, const uint8_t *tells, size_t *state)
{
    size_t slot = slot_of(b, set, tells);
    if (!b->table[slot]) {
        if (b->a->state_count == b->most)
            return false;
        size_t number = b->a->state_count++;
        memcpy(b->sets + number * b->words, set, b->words * sizeof *set);
        memcpy(b->tells + number * b->a->path_count, tells, b->a->path_count);
        b->table[slot] = number + 1;
    }
    *state = b->table[slot] - 1;
    return true;
}

/* --- which stacks there are ----------------------------------------------------------------------------------- */

static bool calls_place(const builder *b, size_t caller, const place *p)
{
    for (size_t k = 0; k < b->calls->edge_counts[caller]; k++) {
        const call_edge *edge = &b->calls->edges[caller][k];
        if (es_step_means(p->step, b->calls->procedures[edge->callee]) &&
            es_step_is_by(p->step, b->a->symbols[edge->symbol].site))
            return true;
    }
    return false;
}

/* Spreads to callers what their callees meet, and to all what interrupt handlers do. */
static void meet_further_in(const builder *b, bool *meets)
{
    for (bool changed = true; changed;) {
        changed = false;
        bool all = false;
        for (size_t i = 0; i < b->calls->count; i++) {
            all |= meets[i] && b->calls->procedures[i]->is_interrupt;
            for (size_t k = 0; k < b->calls->edge_counts[i] && !meets[i]; k++)
                if (meets[b->calls->edges[i][k].callee])
                    meets[i] = changed = true;
        }
        for (size_t i = 0; i < b->calls->count && all; i++) {
            changed |= !meets[i];
            meets[i] = true;
        }
    }
}

static void find_meetings(builder *b)
{
    b->meets = es_arena_alloc(b->arena, (b->place_count + 1) * sizeof *b->meets);
    for (size_t i = 0; i < b->place_count; i++) {
        const place *p = &b->places[i];
        b->meets[i] = es_arena_alloc(b->arena, b->calls->count + 1);
        for (size_t k = 0; k < b->calls->count; k++)
            b->meets[i][k] = p->step->procedure->is_interrupt || calls_place(b, k, p);
        if (p->passes)
            meet_further_in(b, b->meets[i]);
    }
}

/* Forgets places that can never be met from an activation of the procedure on. */
static void forget(const builder *b, uint64_t *set, size_t procedure)
{
    for (size_t i = 0; i < b->place_count; i++)
        if (!b->meets[i][procedure])
            set[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static void see(builder *b, size_t state, size_t procedure)
{
    size_t pair = state * b->calls->count + procedure;
    if (b->seen[pair])
        return;
    b->seen[pair] = 1;
    b->pairs[b->pair_count++] = pair;
}

static bool go(builder *b, size_t state, size_t symbol, size_t callee, uint64_t *set, uint8_t *tells)
{
    uint16_t *next = &b->next[state * b->a->symbol_count + symbol];
    size_t to;
    if (*next == UNKNOWN) {
        read_symbol(b, state, &b->a->symbols[symbol], set, tells);
        if (b->calls && symbol) /* symbol 0 is of any procedure */
            forget(b, set, callee);
        if (!state_of(b, set, tells, &to))
            return false;
        *next = (uint16_t)to;
    }
    if (b->calls)
        see(b, *next, callee);
    return true;
}

/* States that calls of the program lead to. */
static bool follow_calls(builder *b, uint64_t *set, uint8_t *tells)
{
    const call_graph *calls = b->calls;
    for (size_t i = 0; i < b->pair_count; i++) {
        size_t state = b->pairs[i] / calls->count, procedure = b->pairs[i] % calls->count;
        for (size_t k = 0; k < calls->edge_counts[procedure]; k++) {
            const call_edge *edge = &calls->edges[procedure][k];
            if (!go(b, state, edge->symbol, edge->callee, set, tells))
                return false;
        }
        for (size_t k = 0; k < calls->count; k++)
            if (calls->procedures[k]->is_interrupt &&
                !go(b, state, es_automaton_symbol_of(b->a, calls->procedures[k], 0), k, set, tells))
                return false;
    }
    return true;
}

static bool build(builder *b)
{
    automaton *a = b->a;
    uint64_t *set = es_arena_alloc(b->arena, b->words * sizeof *set);
    uint8_t *tells = es_arena_alloc(b->arena, a->path_count + 1);
    size_t to, nowhere;
    for (size_t i = 0; i < b->place_count; i++)
        if (b->places[i].first)
            put(set, i);
    if (!state_of(b, set, tells, &to))
        return false;
    if (b->calls) {
        find_meetings(b);
        see(b, 0, b->calls->start);
        if (!follow_calls(b, set, tells))
            return false;
        memset(set, 0, b->words * sizeof *set);
        memset(tells, 0, a->path_count);
        if (!state_of(b, set, tells, &nowhere))
            return false;
        for (size_t i = 0; i < a->state_count * a->symbol_count; i++)
            if (b->next[i] == UNKNOWN)
                b->next[i] = (uint16_t)nowhere;
        return true;
    }
    for (size_t state = 0; state < a->state_count; state++)
        for (size_t s = 0; s < a->symbol_count; s++)
            if (!go(b, state, s, 0, set, tells))
                return false;
    return true;
}

void es_automaton_begin(automaton *a, es_arena *arena, const es_path *const *paths, size_t path_count)
{
    *a = (automaton){.path_count = path_count};
    builder b = {.a = a, .arena = arena};
    for (size_t i = 0; i < path_count; i++)
        add_places(&b, paths[i], i);
    add_symbols(&b);
}

/* False: there are more than `most`. */
static bool make(automaton *a, es_arena *arena, const es_path *const *paths, const uint8_t *asked,
                 const call_graph *calls, size_t most)
{
    builder b = {.a = a, .arena = arena, .asked = asked, .calls = calls, .most = most};
    a->state_count = 0;
    for (size_t i = 0; i < a->path_count; i++)
        add_places(&b, paths[i], i);
    b.words = b.place_count / 64 + 1;
    b.sets = es_arena_alloc(arena, most * b.words * sizeof *b.sets);
    b.tells = es_arena_alloc(arena, most * (a->path_count + 1));
    b.next = es_arena_alloc(arena, most * a->symbol_count * sizeof *b.next);
    memset(b.next, 0xFF, most * a->symbol_count * sizeof *b.next); /* UNKNOWN */
    b.table = es_arena_alloc(arena, 4 * most * sizeof *b.table);
    if (calls) {
        b.seen = es_arena_alloc(arena, most * calls->count);
        b.pairs = es_arena_alloc(arena, most * calls->count * sizeof *b.pairs);
    }
    a->next = b.next;
    a->tells = b.tells;
    return build(&b);
}

bool es_automaton_make(automaton *a, es_arena *arena, const es_path *const *paths, const uint8_t *asked,
                       const call_graph *calls)
{
    return make(a, arena, paths, asked, calls, FEW_STATES) || make(a, arena, paths, asked, calls, AUTOMATON_STATES_MAX);
}
