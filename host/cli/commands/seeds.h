/* Lists of seeds on the command line. */
#ifndef ES_CLI_COMMANDS_SEEDS_H
#define ES_CLI_COMMANDS_SEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct es_seeds {
    uint32_t *items; /* in the order in which they were given */
    size_t count;
} es_seeds;

#define ES_SEEDS_MAX 10000

/* "1..8", "3", "1,5,20..29": adds them. Else ES_USAGE, naming the option. */
bool es_seeds_parse(es_seeds *seeds, const char *option, const char *text, es_error *err);

void es_seeds_free(es_seeds *seeds);

#endif
