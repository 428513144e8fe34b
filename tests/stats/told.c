/* told KIND: reads lines "KEY VALUE" and prints what the statistics of each key are, for independent.py. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

static void print_value(enum es_stats_kind kind, es_stats_value value)
{
    if (kind == ES_STATS_REAL)
        printf(" %.17g", value.real);
    else if (kind == ES_STATS_INT)
        printf(" %" PRId64, value.i);
    else
        printf(" %" PRIu64, value.u);
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    enum es_stats_kind kind = strcmp(arguments[1], "int") == 0    ? ES_STATS_INT
                              : strcmp(arguments[1], "uint") == 0 ? ES_STATS_UINT
                                                                  : ES_STATS_REAL;
    es_stats *stats = es_stats_new(kind, 1000);
    char key[64], text[64];
    while (scanf("%63s %63s", key, text) == 2) {
        es_stats_value value;
        if (kind == ES_STATS_REAL)
            value.real = strtod(text, NULL);
        else if (kind == ES_STATS_INT)
            value.i = strtoll(text, NULL, 10);
        else
            value.u = strtoull(text, NULL, 10);
        es_stats_add(stats, key, value);
    }
    size_t groups;
    const es_stats_group **sorted = es_stats_sorted(stats, &groups);
    for (size_t i = 0; i < groups; i++) {
        printf("%s %" PRIu64, sorted[i]->key, sorted[i]->count);
        print_value(kind, sorted[i]->least);
        print_value(kind, sorted[i]->most);
        printf(" %.17g", es_stats_mean(stats, sorted[i]));
        static const double percents[] = {0, 1, 25, 50, 90, 99, 99.9, 100};
        for (size_t k = 0; k < sizeof percents / sizeof *percents; k++)
            print_value(kind, es_stats_percentile(stats, sorted[i], percents[k]));
        printf("\n");
    }
    free(sorted);
    es_stats_free(stats);
    return 0;
}
