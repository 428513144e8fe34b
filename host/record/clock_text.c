#include "record/clock_text.h"

#include "base/times.h"

void es_clock_told_text(es_text_buffer *out, const es_clock_told *clock, bool utf8)
{
    const char *give_or_take = utf8 ? "\302\261" : "+-";
    if (clock->known) {
        es_text_format(out, "%+.1f ppm (%s%.1f), times %s", clock->drift_ppm, give_or_take, clock->drift_error_ppm,
                       give_or_take);
        es_length_text(out, (uint64_t)(clock->error_ns + 999) / 1000 * 1000, utf8); /* whole microseconds, rounded up */
    } else {
        es_text_format(out, "not known at present");
    }
    if (clock->restarts)
        es_text_format(out, ", restarted %u %s", (unsigned)clock->restarts,
                       es_plural(clock->restarts, "time", "times"));
}
