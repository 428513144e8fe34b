/* Whether hits tell the way: the program as a grammar of its hits (blocks are its symbols, points its terminals), which
 * must be LL(1). */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "predict/routes.h"

/* Of each block what may be hit first from its beginning on, and whether its procedure may end without a hit; of
 * each procedure what may be hit first when it has ended. Rows of bits: blocks, then procedures; the last bit: it
 * may end. */
typedef struct rows {
    const es_predict_routes *r;
    uint64_t *bits;
    size_t words;
    uint64_t *inside; /* after a point: no row that others look at */
    bool changed;
} rows;

static uint64_t *row_of(const rows *s, size_t i)
{
    return s->bits + i * s->words;
}

static bool has(const uint64_t *row, size_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

static void set(rows *s, uint64_t *row, size_t bit)
{
    s->changed = s->changed || (row != s->inside && !has(row, bit));
    row[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* All of a row, but for its end. */
static void join(rows *s, uint64_t *to, const uint64_t *from)
{
    size_t last = s->r->count;
    for (size_t w = 0; w < s->words; w++) {
        uint64_t bits = from[w];
        if (w == last / 64)
            bits &= ~((uint64_t)1 << last % 64);
        s->changed = s->changed || (to != s->inside && (bits & ~to[w]));
        to[w] |= bits;
    }
}

static void join_all(rows *s, uint64_t *to, uint32_t block)
{
    if (block == ES_PREDICT_NONE)
        return;
    join(s, to, row_of(s, block));
    if (has(row_of(s, block), s->r->count))
        set(s, to, s->r->count);
}

/* A procedure of which a block belongs to another one goes on in that one. */
static void goes_over(rows *s, const es_predict_route *from, uint32_t to)
{
    if (to != ES_PREDICT_NONE && s->r->blocks[to].procedure != from->procedure)
        join(s, row_of(s, s->r->count + s->r->blocks[to].procedure), row_of(s, s->r->count + from->procedure));
}

/* A call of a procedure, and what comes then. */
static void calls(rows *s, uint64_t *row, const es_predict_route *b, uint32_t entry)
{
    const es_predict_routes *r = s->r;
    if (entry == ES_PREDICT_NONE)
        return;
    uint64_t *after = row_of(s, r->count + r->blocks[entry].procedure);
    join(s, row, row_of(s, entry));
    if (has(row_of(s, entry), r->count))
        join_all(s, row, b->next);
    if (b->next == ES_PREDICT_NONE)
        return;
    join(s, after, row_of(s, b->next));
    if (has(row_of(s, b->next), r->count))
        join(s, after, row_of(s, r->count + b->procedure));
}

typedef struct anywhere {
    rows *s;
    uint64_t *row;
    const es_predict_route *from;
} anywhere;

static void jump_to(void *context, uint32_t to)
{
    anywhere *a = context;
    join_all(a->s, a->row, to);
    goes_over(a->s, a->from, to);
}

static void look_from(rows *s, uint32_t block)
{
    const es_predict_routes *r = s->r;
    const es_predict_route *b = &r->blocks[block];
    uint64_t *row = b->point ? s->inside : row_of(s, block);
    if (b->point) {
        memset(s->inside, 0, s->words * sizeof *s->inside);
        set(s, row_of(s, block), block);
    }
    switch (b->leaves) {
    case ES_PREDICT_RETURNS: set(s, row, r->count); break;
    case ES_PREDICT_CALLS: calls(s, row, b, b->target); break;
    case ES_PREDICT_CALLS_ANY:
        for (size_t i = 0; i < r->entry_count; i++)
            calls(s, row, b, r->entries[i]);
        break;
    case ES_PREDICT_JUMPS_ANYWHERE: {
        anywhere a = {s, row, b};
        es_predict_routes_each(r, block, jump_to, &a);
        break;
    }
    default:
        join_all(s, row, b->next);
        goes_over(s, b, b->next);
        if (b->leaves == ES_PREDICT_BRANCHES) {
            join_all(s, row, b->target);
            goes_over(s, b, b->target);
        }
    }
}

void es_predict_routes_look(es_predict_routes *r)
{
    rows s = {.r = r, .words = (r->count + 64) / 64, .changed = true};
    size_t size = (r->count + r->procedure_count + 1) * s.words * sizeof *s.bits;
    s.bits = r->looks = es_realloc(r->looks, size);
    r->words = s.words;
    memset(s.bits, 0, size);
    s.inside = row_of(&s, r->count + r->procedure_count);
    while (s.changed) {
        s.changed = false;
        for (uint32_t b = (uint32_t)r->count; b-- > 0;)
            look_from(&s, b);
    }
}

/* What may be hit next from a block on, ends of its procedure included. */
static void looks_of(const es_predict_routes *r, uint32_t block, uint64_t *row)
{
    const uint64_t *own = r->looks + block * r->words;
    const uint64_t *after = r->looks + (r->count + r->blocks[block].procedure) * r->words;
    bool ends = has(own, r->count);
    for (size_t w = 0; w < r->words; w++)
        row[w] = own[w] | (ends ? after[w] : 0);
    row[r->count / 64] &= ~((uint64_t)1 << r->count % 64);
}

bool es_predict_routes_may(const es_predict_routes *r, uint32_t block, uint32_t hit)
{
    const uint64_t *own = r->looks + block * r->words;
    const uint64_t *after = r->looks + (r->count + r->blocks[block].procedure) * r->words;
    return has(own, hit) || (has(own, r->count) && has(after, hit));
}

typedef struct apart {
    const es_predict_routes *r;
    uint64_t *all, *one;
    bool good;
} apart;

/* Of several ways, each by itself. */
static void is_apart(void *context, uint32_t to)
{
    apart *a = context;
    looks_of(a->r, to, a->one);
    for (size_t w = 0; w < a->r->words; w++) {
        a->good = a->good && !(a->all[w] & a->one[w]);
        a->all[w] |= a->one[w];
    }
}

bool es_predict_routes_tell(const es_predict_routes *r)
{
    apart a = {r, es_malloc(r->words * sizeof *a.all), es_malloc(r->words * sizeof *a.one), true};
    for (uint32_t b = 0; b < r->count && a.good; b++) {
        const es_predict_route *block = &r->blocks[b];
        memset(a.all, 0, r->words * sizeof *a.all);
        if (block->leaves == ES_PREDICT_BRANCHES && block->next != block->target) {
            if (block->next != ES_PREDICT_NONE)
                is_apart(&a, block->next);
            if (block->target != ES_PREDICT_NONE)
                is_apart(&a, block->target);
        } else if (block->leaves == ES_PREDICT_CALLS_ANY) {
            for (size_t i = 0; i < r->entry_count; i++)
                is_apart(&a, r->entries[i]);
        } else if (block->leaves == ES_PREDICT_JUMPS_ANYWHERE) {
            es_predict_routes_each(r, b, is_apart, &a);
        }
    }
    free(a.all);
    free(a.one);
    return a.good;
}
