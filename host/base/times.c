#include "base/times.h"

#include <inttypes.h>
#include <string.h>

uint64_t es_time_ns(uint64_t clocks, uint64_t hz)
{
    const uint64_t billion = 1000000000u;
    return clocks / hz * billion + clocks % hz * billion / hz; /* the rest is below hz <= 10^10 */
}

uint64_t es_time_clocks(uint64_t ns, uint64_t hz)
{
    const uint64_t billion = 1000000000u;
    return ns / billion * hz + (ns % billion * hz + billion - 1) / billion; /* neither term is above 10^19 */
}

void es_time_text(es_text_buffer *out, uint64_t ns, bool utf8)
{
    if (ns < 1000000u)
        es_text_format(out, "%9.3f %s", (double)ns / 1e3, utf8 ? "\u00b5s" : "us");
    else if (ns < 1000000000u)
        es_text_format(out, "%9.4f ms", (double)ns / 1e6);
    else
        es_text_format(out, "%9.6f s ", (double)ns / 1e9);
}

void es_time_tight(es_text_buffer *out, uint64_t ns, bool utf8)
{
    es_text_buffer time = {0};
    es_time_text(&time, ns, utf8);
    size_t begin = strspn(time.text, " "), end = time.length;
    while (end > begin && time.text[end - 1] == ' ')
        end--;
    es_text_add(out, time.text + begin, end - begin);
    es_text_free(&time);
}

void es_length_text(es_text_buffer *out, uint64_t ns, bool utf8)
{
    if (ns < 1000u)
        es_text_format(out, "%uns", (unsigned)ns);
    else if (ns < 1000000u)
        es_text_format(out, "%.9g%s", (double)ns / 1e3, utf8 ? "\u00b5s" : "us");
    else if (ns < 1000000000u)
        es_text_format(out, "%.9gms", (double)ns / 1e6);
    else
        es_text_format(out, "%.12gs", (double)ns / 1e9);
}

bool es_time_parse(const char *option, const char *text, uint64_t *ns, es_error *err)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {
        {"ns", 1},         {"us", 1000},         {"\u00b5s", 1000},    {"\u03bcs", 1000},     {"ms", 1000000},
        {"s", 1000000000}, {"min", 60000000000}, {"h", 3600000000000}, {"d", 86400000000000},
    };
    uint64_t whole = 0, fraction = 0, scale = 1;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++)
        whole = whole > ES_TIME_MAX_NS ? whole : whole * 10 + (uint64_t)(*at - '0');
    bool digits = at > text;
    if (digits && *at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++)
            if (scale < 1000000000) {
                fraction = fraction * 10 + (uint64_t)(*at - '0');
                scale *= 10;
            }
    for (size_t i = 0; digits && i < sizeof units / sizeof *units; i++) {
        if (strcmp(at, units[i].unit) != 0)
            continue;
        *ns = whole > ES_TIME_MAX_NS / units[i].ns
                  ? UINT64_MAX
                  : whole * units[i].ns + (uint64_t)((double)fraction / (double)scale * (double)units[i].ns);
        return (*ns > 0 && *ns <= ES_TIME_MAX_NS) ||
               es_fail(err, ES_USAGE, "%s takes a time from 1ns to 1000000000s, not '%s'", option, text);
    }
    return es_fail(err, ES_USAGE, "%s takes a time with its unit, like 500us, 5ms or 2s, not '%s'", option, text);
}

es_time_unit es_time_unit_of(uint64_t hz, bool is_short)
{
    es_time_unit unit = is_short ? (es_time_unit){"ms", 1000000, 0} : (es_time_unit){"s", 1000000000, 0};
    uint64_t step = unit.ns; /* nanoseconds of the last decimal */
    for (; step > 1 && step > UINT64_C(1000000000) / (hz ? hz : 1); step /= 10)
        unit.decimals++;
    return unit;
}

void es_time_in(es_text_buffer *out, es_time_unit unit, uint64_t ns, unsigned places)
{
    uint64_t step = unit.ns;
    es_text_format(out, "%*" PRIu64, (int)places, ns / unit.ns);
    for (unsigned i = 0; i < unit.decimals; i++)
        step /= 10;
    if (unit.decimals)
        es_text_format(out, ".%0*" PRIu64, (int)unit.decimals, ns % unit.ns / step);
    es_text_format(out, " %s", unit.name);
}
