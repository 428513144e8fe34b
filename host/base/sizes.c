#include "base/sizes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST (UINT64_C(1) << 62)

bool es_size_parse(const char *option, const char *text, uint64_t *bytes, es_error *err)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    *bytes = (uint64_t)number << shift;
    return (*text >= '0' && *text <= '9' && !errno && number && (!*end || (unit && !end[1])) &&
            number <= MOST >> shift) ||
           es_fail(err, ES_USAGE, "%s takes a number of bytes, like 500K, 16M or 2G, not '%s'", option, text);
}

void es_size_text(es_text_buffer *out, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double shown = (double)bytes;
    int unit = -1;
    while (shown >= 1024 && unit < 3) {
        shown /= 1024;
        unit++;
    }
    if (unit < 0)
        es_text_format(out, "%" PRIu64 " B", bytes);
    else
        es_text_format(out, "%.1f %s", shown, units[unit]);
}
