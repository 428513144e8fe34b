#include "cli/commands/number.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

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
