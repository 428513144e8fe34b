/* "Did you mean": names of the program itself near to a misspelt one. */
#include "symbols/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 64 }; /* longer names are only compared up to here */

typedef struct suggestion {
    const char *name;
    unsigned score; /* lower is better */
} suggestion;

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours, each one step. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][MAX_LENGTH + 1];
    for (size_t k = 0; k <= b_length; k++)
        rows[0][k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            row[k] = least(least(above[k], row[k - 1]) + 1, above[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], two_above[k - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

/* How far the candidate is from what was written; false: too far to be meant. */
static bool rate(const char *written, const char *candidate, unsigned *score)
{
    char a[MAX_LENGTH], b[MAX_LENGTH];
    size_t a_length = strnlen(written, MAX_LENGTH), b_length = strnlen(candidate, MAX_LENGTH);
    for (size_t i = 0; i < a_length; i++)
        a[i] = (char)tolower((unsigned char)written[i]);
    for (size_t i = 0; i < b_length; i++)
        b[i] = (char)tolower((unsigned char)candidate[i]);
    unsigned steps = distance(a, a_length, b, b_length);
    size_t longer = a_length > b_length ? a_length : b_length;
    *score = 2 * steps;
    if (steps <= 1 + longer / 4 && steps < longer)
        return true;
    size_t shorter = a_length < b_length ? a_length : b_length;
    *score = 2 * 8 + (unsigned)(longer - shorter);
    return shorter >= 3 && memcmp(a, b, shorter) == 0; /* the start of a longer name, or with something after it */
}

static int by_score(const void *a, const void *b)
{
    const suggestion *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return strcmp(x->name, y->name);
}

typedef struct suggestions {
    suggestion *items;
    size_t count;
} suggestions;

static void offer(suggestions *s, const char *written, const char *candidate)
{
    unsigned score;
    if (strcmp(written, candidate) != 0 && rate(written, candidate, &score))
        s->items[s->count++] = (suggestion){candidate, score};
}

size_t es_symbols_near(const es_symbols *symbols, const char *name, bool procedures, const char **near, size_t max)
{
    suggestions s = {
        es_malloc((symbols->variables.count + symbols->enumerators.count + symbols->names.count + 1) * sizeof *s.items),
        0};
    for (size_t i = 0; i < symbols->variables.count; i++)
        if (!symbols->variables.items[i]->library)
            offer(&s, name, symbols->variables.items[i]->public.name);
    for (size_t i = 0; i < symbols->enumerators.count; i++)
        if (!symbols->enumerators.items[i].library)
            offer(&s, name, symbols->enumerators.items[i].enumerator->name);
    for (size_t i = 0; procedures && i < symbols->names.count; i++)
        if (!es_symbols_code_in_library(symbols, symbols->names.items[i].procedure->public.low))
            offer(&s, name, symbols->names.items[i].name);
    qsort(s.items, s.count, sizeof *s.items, by_score);
    size_t count = 0;
    for (size_t i = 0; i < s.count && count < max; i++)
        if (!count || strcmp(near[count - 1], s.items[i].name) != 0)
            near[count++] = s.items[i].name;
    free(s.items);
    return count;
}
