/* Assignments whose stores do not lie in one straight piece of code: branches that share their end (compilers that make
 * code small let them), and stores that a condition leaves out. From each store that begins an assignment in its piece,
 * this goes back along all paths that lead there, to stores that the compiler made for the same place in the source.
 * Of the branches that share an end only one has given it its place in the source. So where one has, the others' stores
 * are taken for parts of the same assignment, wherever they stand in the source.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/parts_private.h"

enum { AT_MOST = 64 }; /* pieces that are looked at before a store */

/* A store, and one of another piece that comes later for the same assignment. */
typedef struct pair {
    size_t earlier, later;
} pair;

/* The search for what comes before one store. */
typedef struct search {
    walk *w;
    straight_piece *piece;   /* the store's ... */
    size_t first, end;       /* ... with those that go on with it: all in [first, end) of its assignment */
    size_t visited[AT_MOST]; /* pieces */
    size_t visited_count;
    bool found; /* something that comes before, by its place in the source */
    pair *pairs;
    size_t pair_count;
} search;

static size_t piece_at(const walk *w, uint32_t address)
{
    size_t low = 0, high = w->piece_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (w->pieces[middle].low <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void find_before(walk *w)
{
    size_t sum = 0;
    for (size_t i = 0; i < w->piece_count; i++)
        for (size_t k = 0; k < 2; k++)
            if (w->pieces[i].next[k])
                w->pieces[piece_at(w, w->pieces[i].next[k])].before_count++;
    for (size_t i = 0; i < w->piece_count; i++) {
        w->pieces[i].before = sum;
        sum += w->pieces[i].before_count;
        w->pieces[i].before_count = 0;
    }
    w->before = es_malloc((sum + 1) * sizeof *w->before);
    for (size_t i = 0; i < w->piece_count; i++)
        for (size_t k = 0; k < 2; k++)
            if (w->pieces[i].next[k]) {
                straight_piece *next = &w->pieces[piece_at(w, w->pieces[i].next[k])];
                w->before[next->before + next->before_count++] = i;
            }
}

/* A place as of a piece's beginning becomes the same as of the end of one that goes on there; false: it has none. */
static bool back(const straight_piece *before, place *at)
{
    if (at->base == BASE_CONSTANT || at->base == BASE_FRAME)
        return true;
    if (at->base >= BASE_FIRST)
        return false;
    const place *held = &before->at_end[at->base - BASE_REGISTER];
    *at = (place){held->base, (int32_t)((uint32_t)at->offset + (uint32_t)held->offset)};
    return true;
}

/* Where a store of the assignment writes, when its first one writes to `at`. */
static place moved(const search *s, size_t i, place at)
{
    uint32_t distance = (uint32_t)es_parts_place_of(&s->w->stores[i]).offset -
                        (uint32_t)es_parts_place_of(&s->w->stores[s->first]).offset;
    return (place){at.base, (int32_t)((uint32_t)at.offset + distance)};
}

static bool belongs(const search *s, size_t i)
{
    return s->w->stores[i].part.assignment == s->w->stores[s->first].part.assignment;
}

/* Whether a store writes bytes of the assignment, or of what was found to belong to it in [after, end). */
static bool again(const search *s, size_t number, place at, size_t end)
{
    const one_store *stores = s->w->stores, *k = &stores[number];
    for (size_t i = s->first; i < s->end; i++)
        if (belongs(s, i) && es_parts_overlap(es_parts_place_of(k), k->part.size, moved(s, i, at), stores[i].part.size))
            return true;
    for (size_t i = number + 1; i < end; i++)
        if (stores[i].part.assignment != k->part.assignment &&
            es_parts_overlap(es_parts_place_of(k), k->part.size, es_parts_place_of(&stores[i]), stores[i].part.size))
            return true;
    return false;
}

static bool add_pairs(search *s, size_t earlier, place at)
{
    one_store *k = &s->w->stores[earlier];
    bool any = false;
    for (size_t i = s->first; i < s->end; i++) {
        one_store *later = &s->w->stores[i];
        uint16_t bytes = es_parts_bytes_from(es_parts_place_of(k), moved(s, i, at), later->part.size);
        if (!belongs(s, i) || !bytes)
            continue;
        k->across |= bytes;
        later->part.earlier |= es_parts_bytes_from(moved(s, i, at), es_parts_place_of(k), k->part.size);
        if (s->pair_count % 16 == 0)
            s->pairs = es_realloc(s->pairs, (s->pair_count + 16) * sizeof *s->pairs);
        s->pairs[s->pair_count++] = (pair){earlier, i};
        any = true;
    }
    return any;
}

/* The stores of a piece that may be parts of the assignment, from the last one on. `anywhere`: whatever their place in
 * the source. Returns whether what is before the piece may be instead. */
static bool look_at(search *s, const straight_piece *piece, size_t end, place at, bool anywhere)
{
    bool found = false;
    for (size_t i = end; i-- > piece->first;) {
        const one_store *k = &s->w->stores[i];
        if (es_parts_place_of(k).base != at.base)
            continue;
        if (again(s, i, at, end))
            return false;
        if (!k->part.run && (anywhere || k->location == s->w->stores[s->first].location))
            found |= add_pairs(s, i, at);
    }
    s->found |= found;
    return !found;
}

static bool visit(search *s, size_t piece)
{
    for (size_t i = 0; i < s->visited_count; i++)
        if (s->visited[i] == piece)
            return false;
    if (s->visited_count == AT_MOST)
        return false;
    s->visited[s->visited_count++] = piece;
    return true;
}

/* `anywhere`: only by branches that go on nowhere but here. */
static void go_back(search *s, const straight_piece *piece, place at, bool anywhere)
{
    for (size_t i = 0; i < piece->before_count; i++) {
        size_t number = s->w->before[piece->before + i];
        const straight_piece *before = &s->w->pieces[number];
        place there = at;
        if (!(anywhere && before->next[1]) && back(before, &there) && visit(s, number) &&
            look_at(s, before, before->first + before->count, there, anywhere))
            go_back(s, before, there, anywhere);
    }
}

/* What comes before the first of an assignment's stores in its piece. */
static void search_before(search *s)
{
    const one_store *own = &s->w->stores[s->first];
    place at = es_parts_place_of(own);
    s->end = s->piece->first + s->piece->count;
    s->found = false;
    s->visited_count = 0;
    if (!own->location || own->part.run || !look_at(s, s->piece, s->first, at, false))
        return;
    go_back(s, s->piece, at, false);
    s->visited_count = 0;
    if (s->found)
        go_back(s, s->piece, at, true);
}

/* Whether each way that a piece goes on leads to what a store of it has later. */
static bool is_sure(search *s, const straight_piece *piece, size_t store)
{
    if (!piece->next[0])
        return false;
    for (size_t n = 0; n < 2 && piece->next[n]; n++) {
        size_t number = piece_at(s->w, piece->next[n]);
        const straight_piece *next = &s->w->pieces[number];
        bool there = false;
        for (size_t i = 0; i < s->pair_count; i++)
            there |= s->pairs[i].earlier == store && s->pairs[i].later >= next->first &&
                     s->pairs[i].later < next->first + next->count;
        if (!there && visit(s, number) && !is_sure(s, next, store))
            return false;
    }
    return true;
}

void es_parts_across(walk *w)
{
    search s = {.w = w};
    find_before(w);
    for (size_t i = 0; i < w->piece_count; i++)
        for (size_t k = w->pieces[i].first; k < w->pieces[i].first + w->pieces[i].count; k++)
            if (w->stores[k].part.assignment == k) {
                s.piece = &w->pieces[i];
                s.first = k;
                search_before(&s);
            }
    for (size_t i = 0; i < w->piece_count; i++)
        for (size_t k = w->pieces[i].first; k < w->pieces[i].first + w->pieces[i].count; k++) {
            one_store *store = &w->stores[k];
            s.visited_count = 0;
            store->part.perhaps = store->across && !store->part.later && !is_sure(&s, &w->pieces[i], k);
            store->part.later |= store->across;
        }
    free(s.pairs);
    free(w->before);
}
