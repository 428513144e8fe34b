#include "cli/commands/seeds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* A number at *at, which moves after it. */
static bool take_number(const char **at, uint32_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(*at, &end, 10);
    if (**at < '0' || **at > '9' || errno || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    *at = end;
    return true;
}

/* "3" or "1..8" at *at. */
static bool take_range(const char **at, uint32_t *first, uint32_t *last)
{
    if (!take_number(at, first))
        return false;
    *last = *first;
    if (strncmp(*at, "..", 2) != 0)
        return true;
    *at += 2;
    return take_number(at, last) && *last >= *first;
}

bool es_seeds_parse(es_seeds *seeds, const char *option, const char *text, es_error *err)
{
    const char *at = text;
    for (bool more = true; more; more = *at++ == ',') {
        uint32_t first, last;
        if (!take_range(&at, &first, &last) || (*at && *at != ','))
            return es_fail(err, ES_USAGE, "%s takes seeds as 1..8 or 1,5,9, each from 0 to 4294967295, not '%s'",
                           option, text);
        if (last - first >= ES_SEEDS_MAX - seeds->count)
            return es_fail(err, ES_USAGE, "%s: more than %d seeds", option, ES_SEEDS_MAX);
        size_t count = (size_t)(last - first) + 1;
        seeds->items = es_realloc(seeds->items, (seeds->count + count) * sizeof *seeds->items);
        for (size_t i = 0; i < count; i++)
            seeds->items[seeds->count++] = first + (uint32_t)i;
    }
    return true;
}

void es_seeds_free(es_seeds *seeds)
{
    free(seeds->items);
    *seeds = (es_seeds){0};
}
