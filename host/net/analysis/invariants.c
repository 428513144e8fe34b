/* Minimal-support invariants by Farkas' algorithm. A row is a combination of nodes (the left part of Farkas' matrix)
 * together with what it does to the nodes of the other kind (the right part). Column by column, the right part is made
 * zero by adding rows of opposite sign. */
#include <stdlib.h>
#include <string.h>

#include "net/analysis/analysis.h"

#define WORK_PER_CANDIDATE 10000u

struct cell {
    uint32_t column; /* left part: 0 .. nodes - 1, right part after it */
    int64_t value;   /* not 0 */
};

struct row {
    struct cell *cells;   /* ascending columns */
    uint64_t *support;    /* bits of the left part */
    uint32_t count, left; /* cells, cells of the left part */
};

struct farkas {
    struct row *rows;
    size_t count, size, limit;
    uint64_t work; /* words of supports compared; more than limit * WORK_PER_CANDIDATE is too large */
    uint32_t nodes, others, words;
};

static void free_row(struct row *row)
{
    free(row->cells);
    free(row->support);
}

static void add_row(struct farkas *f, struct row row)
{
    if (f->count == f->size) {
        f->size = f->size ? f->size * 2 : 64;
        f->rows = es_realloc(f->rows, f->size * sizeof *f->rows);
    }
    f->rows[f->count++] = row;
}

static int64_t value_at(const struct row *row, uint32_t column)
{
    uint32_t low = row->left, high = row->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (row->cells[middle].column < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < row->count && row->cells[low].column == column ? row->cells[low].value : 0;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t size_of(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static void mark_support(struct farkas *f, struct row *row)
{
    row->support = es_malloc(f->words * sizeof *row->support);
    memset(row->support, 0, f->words * sizeof *row->support);
    for (row->left = 0; row->left < row->count && row->cells[row->left].column < f->nodes; row->left++)
        row->support[row->cells[row->left].column / 64] |= UINT64_C(1) << row->cells[row->left].column % 64;
}

/* a * one + b * other, divided by the common divisor. False on overflow. */
static bool combine(struct farkas *f, const struct row *one, int64_t a, const struct row *other, int64_t b,
                    struct row *sum)
{
    *sum = (struct row){.cells = es_malloc(((size_t)one->count + other->count) * sizeof *sum->cells)};
    uint32_t i = 0, k = 0;
    uint64_t divisor = 0;
    while (i < one->count || k < other->count) {
        uint32_t left = i < one->count ? one->cells[i].column : UINT32_MAX,
                 right = k < other->count ? other->cells[k].column : UINT32_MAX;
        struct cell cell = {left < right ? left : right, 0};
        int64_t product;
        bool over = false;
        if (left == cell.column)
            over = __builtin_mul_overflow(a, one->cells[i++].value, &cell.value);
        if (right == cell.column)
            over = over || __builtin_mul_overflow(b, other->cells[k++].value, &product) ||
                   __builtin_add_overflow(cell.value, product, &cell.value);
        if (over || cell.value == INT64_MIN) {
            free(sum->cells);
            return false;
        }
        if (cell.value) {
            sum->cells[sum->count++] = cell;
            divisor = common_divisor(divisor, size_of(cell.value));
        }
    }
    for (uint32_t c = 0; divisor > 1 && c < sum->count; c++)
        sum->cells[c].value /= (int64_t)divisor;
    mark_support(f, sum);
    return true;
}

static bool is_subset(const struct farkas *f, const uint64_t *small, const uint64_t *large)
{
    for (uint32_t w = 0; w < f->words; w++)
        if (small[w] & ~large[w])
            return false;
    return true;
}

/* Adds the row unless the support of another one lies within its own; removes those whose support contains its own. */
static void add_minimal(struct farkas *f, struct row row)
{
    f->work += (f->count + 1) * f->words;
    for (size_t i = 0; i < f->count; i++)
        if (is_subset(f, f->rows[i].support, row.support)) {
            free_row(&row);
            return;
        }
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (is_subset(f, row.support, f->rows[i].support))
            free_row(&f->rows[i]);
        else
            f->rows[kept++] = f->rows[i];
    }
    f->count = kept;
    add_row(f, row);
}

/* Makes the column zero in all rows. False when the limit was reached. */
static bool eliminate(struct farkas *f, uint32_t column)
{
    struct farkas next = {
        .nodes = f->nodes, .others = f->others, .words = f->words, .limit = f->limit, .work = f->work};
    size_t touched = 0;
    struct row *rest = es_malloc((f->count + 1) * sizeof *rest);
    for (size_t i = 0; i < f->count; i++) {
        if (value_at(&f->rows[i], column))
            rest[touched++] = f->rows[i];
        else
            add_row(&next, f->rows[i]); /* they are minimal among each other already */
    }
    bool good = true;
    for (size_t i = 0; i < touched && good; i++)
        for (size_t k = i + 1; k < touched && good; k++) {
            int64_t a = value_at(&rest[i], column), b = value_at(&rest[k], column);
            struct row sum;
            if ((a < 0) == (b < 0))
                continue;
            int64_t divisor = (int64_t)common_divisor(size_of(a), size_of(b));
            good = combine(f, &rest[i], (int64_t)size_of(b) / divisor, &rest[k], (int64_t)size_of(a) / divisor, &sum);
            if (good) {
                add_minimal(&next, sum);
                good = next.count <= next.limit && next.work / WORK_PER_CANDIDATE <= next.limit;
            }
        }
    for (size_t i = 0; i < touched; i++)
        free_row(&rest[i]);
    free(rest);
    free(f->rows);
    *f = next;
    return good;
}

/* The column that makes the fewest new rows, or UINT32_MAX when all are zero. */
static uint32_t cheapest(const struct farkas *f, uint32_t *plus, uint32_t *minus)
{
    memset(plus, 0, f->others * sizeof *plus);
    memset(minus, 0, f->others * sizeof *minus);
    for (size_t i = 0; i < f->count; i++)
        for (uint32_t c = f->rows[i].left; c < f->rows[i].count; c++)
            (f->rows[i].cells[c].value > 0 ? plus : minus)[f->rows[i].cells[c].column - f->nodes]++;
    uint32_t best = UINT32_MAX;
    int64_t least = INT64_MAX;
    for (uint32_t c = 0; c < f->others; c++) {
        int64_t cost = (int64_t)plus[c] * minus[c] - plus[c] - minus[c];
        if (plus[c] + minus[c] && cost < least) {
            least = cost;
            best = c + f->nodes;
        }
    }
    return best;
}

static int by_column(const void *a, const void *b)
{
    const struct cell *one = a, *other = b;
    return one->column < other->column ? -1 : one->column > other->column;
}

/* The row of one node: itself, and what it does to the nodes of the other kind. */
static struct row first_row(struct farkas *f, const es_net *net, bool places, uint32_t node)
{
    const es_net_place *p = places ? &net->places[node] : NULL;
    const es_net_transition *t = places ? NULL : &net->transitions[node];
    uint32_t in = p ? p->input_count : t->input_count, out = p ? p->output_count : t->output_count;
    struct row row = {.cells = es_malloc((1 + (size_t)in + out) * sizeof *row.cells), .count = 1};
    row.cells[0] = (struct cell){node, 1};
    for (uint32_t i = 0; i < in + out; i++) {
        uint32_t arc = i < in ? (p ? p->input_arcs : t->input_arcs)[i] : (p ? p->output_arcs : t->output_arcs)[i - in];
        uint32_t other = places ? net->arcs[arc].transition : net->arcs[arc].place;
        int64_t weight = net->arcs[arc].to_place ? (int64_t)net->arcs[arc].weight : -(int64_t)net->arcs[arc].weight;
        row.cells[row.count++] = (struct cell){f->nodes + other, weight};
    }
    qsort(row.cells, row.count, sizeof *row.cells, by_column);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < row.count;
         i++) { /* arcs of both directions between the same two add up, perhaps to nothing */
        if (kept && row.cells[kept - 1].column == row.cells[i].column)
            row.cells[kept - 1].value += row.cells[i].value;
        else
            row.cells[kept++] = row.cells[i];
        if (row.cells[kept - 1].value == 0)
            kept--;
    }
    row.count = kept;
    mark_support(f, &row);
    return row;
}

static int by_support(const void *a, const void *b)
{
    const es_net_invariant *one = a, *other = b;
    for (uint32_t i = 0; i < one->count && i < other->count; i++)
        if (one->terms[i].node != other->terms[i].node)
            return one->terms[i].node < other->terms[i].node ? -1 : 1;
    return one->count < other->count ? -1 : one->count > other->count;
}

static es_net_invariant invariant_of(const es_net *net, bool places, const struct row *row, es_arena *arena)
{
    es_net_term *terms = es_arena_alloc(arena, row->count * sizeof *terms);
    es_net_invariant invariant = {.terms = terms, .count = row->count};
    for (uint32_t i = 0; i < row->count; i++) {
        terms[i] = (es_net_term){row->cells[i].column, (uint64_t)row->cells[i].value};
        if (places)
            invariant.tokens += terms[i].weight * net->places[terms[i].node].tokens;
    }
    return invariant;
}

/* A node without arcs is an invariant by itself, and in no other. */
static bool is_alone(const es_net *net, bool places, uint32_t node)
{
    return places ? !net->places[node].input_count && !net->places[node].output_count
                  : !net->transitions[node].input_count && !net->transitions[node].output_count;
}

static es_net_invariant invariant_alone(const es_net *net, bool places, uint32_t node, es_arena *arena)
{
    es_net_term *term = es_arena_alloc(arena, sizeof *term);
    *term = (es_net_term){node, 1};
    return (es_net_invariant){.terms = term, .count = 1, .tokens = places ? net->places[node].tokens : 0};
}

static es_net_invariants invariants_of(const es_net *net, bool places, size_t limit, es_arena *arena)
{
    struct farkas f = {.limit = limit};
    f.nodes = places ? net->place_count : net->transition_count;
    f.others = places ? net->transition_count : net->place_count;
    f.words = f.nodes / 64 + 1;
    es_net_invariants result = {.complete = f.nodes <= limit};
    uint32_t *counts = es_malloc((2 * (size_t)f.others + 1) * sizeof *counts);
    size_t alone = 0;
    for (uint32_t node = 0; node < f.nodes && result.complete; node++) {
        if (is_alone(net, places, node))
            alone++;
        else
            add_row(&f, first_row(&f, net, places, node));
    }
    while (result.complete) {
        uint32_t column = cheapest(&f, counts, counts + f.others);
        if (column == UINT32_MAX)
            break;
        result.complete = eliminate(&f, column);
    }
    if (result.complete && f.count + alone) {
        es_net_invariant *list = es_arena_alloc(arena, (f.count + alone) * sizeof *list);
        for (size_t i = 0; i < f.count; i++)
            list[i] = invariant_of(net, places, &f.rows[i], arena);
        result.count = f.count;
        for (uint32_t node = 0; node < f.nodes && alone; node++)
            if (is_alone(net, places, node))
                list[result.count++] = invariant_alone(net, places, node, arena);
        qsort(list, result.count, sizeof *list, by_support);
        result.list = list;
    }
    for (size_t i = 0; i < f.count; i++)
        free_row(&f.rows[i]);
    free(f.rows);
    free(counts);
    return result;
}

es_net_invariants es_net_p_invariants(const es_net *net, size_t limit, es_arena *arena)
{
    return invariants_of(net, true, limit, arena);
}

es_net_invariants es_net_t_invariants(const es_net *net, size_t limit, es_arena *arena)
{
    return invariants_of(net, false, limit, arena);
}
