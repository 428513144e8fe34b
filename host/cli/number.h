/* Numbers as values of options. */
#ifndef ES_CLI_NUMBER_H
#define ES_CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* optarg as a number from least to most, decimal or 0x and hexadecimal. Else ES_USAGE, naming the option. */
bool es_option_number(const char *option, int64_t least, int64_t most, int64_t *value, es_error *err);

/* ADDRESS:SIZE, as 0x80000000:8M: a part of the target's memory. Else ES_USAGE, naming the option. */
bool es_option_region(const char *option, const char *value, uint32_t *base, uint32_t *size, es_error *err);

#endif
