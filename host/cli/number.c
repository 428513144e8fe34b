#include "cli/number.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/sizes.h"

bool es_option_number(const char *option, int64_t least, int64_t most, int64_t *value, es_error *err)
{
    const char *digits = optarg + (*optarg == '-');
    bool hexadecimal = strncmp(digits, "0x", 2) == 0;
    char *end;
    errno = 0;
    long long number = strtoll(optarg, &end, hexadecimal ? 16 : 10);
    if (*digits < '0' || *digits > '9' || *end || errno || number < least || number > most)
        return es_fail(err, ES_USAGE, "%s takes a number from %lld to %lld, not '%s'", option, (long long)least,
                       (long long)most, optarg);
    *value = number;
    return true;
}

bool es_option_region(const char *option, const char *value, uint32_t *base, uint32_t *size, es_error *err)
{
    const char *colon = strchr(value, ':');
    char *end = NULL;
    uint64_t bytes;
    errno = 0;
    unsigned long long address = colon ? strtoull(value, &end, 0) : 0;
    if (!colon || *value < '0' || *value > '9' || end != colon || errno || address > UINT32_MAX)
        return es_fail(err, ES_USAGE, "%s takes an address and a size, as 0x80000000:8M, not '%s'", option, value);
    if (!es_size_parse(option, colon + 1, &bytes, err))
        return false;
    if (bytes > UINT32_MAX)
        return es_fail(err, ES_USAGE, "%s takes less than 4G of memory, not '%s'", option, value);
    *base = (uint32_t)address;
    *size = (uint32_t)bytes;
    return true;
}
