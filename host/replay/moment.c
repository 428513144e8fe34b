#include "replay/moment.h"

#include <inttypes.h>
#include <string.h>

#include "base/times.h"

bool es_replay_moment_parse(es_timeline *timeline, uint64_t hz, const char *text, uint64_t *moment, es_error *err)
{
    uint64_t end = es_timeline_end(timeline), ns;
    size_t digits = strspn(text, "0123456789");
    *moment = 0;
    if (strcmp(text, "start") == 0)
        return true;
    if (strcmp(text, "end") == 0) {
        *moment = end;
        return true;
    }
    if (digits && !text[digits]) {
        for (; *text; text++)
            *moment = *moment > end ? *moment : *moment * 10 + (uint64_t)(*text - '0');
        return *moment <= end || es_fail(err, ES_USAGE, "the recording ends at instruction %" PRIu64, end);
    }
    if (!digits)
        return es_fail(err, ES_USAGE, "'%s' is no moment: a number of instructions, a time as 1.5ms, start or end",
                       text);
    if (!hz)
        return es_fail(err, ES_USAGE, "the target's clock is not known: say a moment as a number of instructions");
    if (!es_time_parse("a moment", text, &ns, err))
        return false;
    *moment = es_timeline_moment(timeline, es_time_clocks(ns, hz));
    return true;
}

static void add_time(es_text_buffer *out, uint64_t hz, uint64_t clocks)
{
    if (hz)
        es_time_tight(out, es_time_ns(clocks, hz), true);
    else
        es_text_format(out, "clock %" PRIu64, clocks);
}

void es_replay_moment_time(es_text_buffer *out, es_timeline *timeline, uint64_t hz, uint64_t moment)
{
    uint64_t low, high;
    es_timeline_time(timeline, moment, &low, &high);
    es_text_buffer to = {0};
    size_t begin = out->length;
    add_time(out, hz, low);
    add_time(&to, hz, high);
    if (strcmp(out->text + begin, to.text) != 0)
        es_text_format(out, " to %s", to.text);
    es_text_free(&to);
}
