#include "replay/moment.h"

#include <inttypes.h>
#include <string.h>

#include "base/times.h"

#define INSTRUCTIONS_MAX (UINT64_MAX / 10 - 1)

bool es_replay_moment_read(const char *option, const char *text, es_replay_moment *moment, es_error *err)
{
    size_t digits = strspn(text, "0123456789");
    *moment = (es_replay_moment){ES_MOMENT_INSTRUCTIONS, 0};
    if (strcmp(text, "start") == 0)
        return true;
    if (strcmp(text, "end") == 0) {
        moment->kind = ES_MOMENT_END;
        return true;
    }
    if (!digits && !option)
        return es_fail(err, ES_USAGE, "'%s' is no moment: a number of instructions, a time as 1.5ms, start or end",
                       text);
    if (!digits)
        return es_fail(err, ES_USAGE,
                       "%s takes a moment: a number of instructions, a time as 1.5ms, start or end, not '%s'", option,
                       text);
    if (text[digits]) {
        moment->kind = ES_MOMENT_TIME;
        return es_time_parse(option ? option : "a moment", text, &moment->value, err);
    }
    for (; *text; text++)
        if (moment->value <= INSTRUCTIONS_MAX)
            moment->value = moment->value * 10 + (uint64_t)(*text - '0');
    return true;
}

bool es_replay_moment_check(const es_timeline *timeline, uint64_t hz, const es_replay_moment *read, es_error *err)
{
    uint64_t end = es_timeline_end(timeline);
    if (read->kind == ES_MOMENT_INSTRUCTIONS && read->value > end)
        return es_fail(err, ES_USAGE, "the recording ends at instruction %" PRIu64, end);
    return read->kind != ES_MOMENT_TIME || hz ||
           es_fail(err, ES_USAGE, "the target's clock is not known: say a moment as a number of instructions");
}

bool es_replay_moment_within(es_timeline *timeline, uint64_t hz, uint64_t clock, es_error *err)
{
    uint64_t low, last;
    es_timeline_time(timeline, es_timeline_end(timeline), &low, &last);
    if (clock <= last)
        return true;
    es_text_buffer end = {0};
    es_replay_moment_time(&end, timeline, hz, es_timeline_end(timeline));
    es_fail(err, ES_USAGE, "the recording ends at %s", end.text);
    es_text_free(&end);
    return false;
}

bool es_replay_moment_of(es_timeline *timeline, uint64_t hz, const es_replay_moment *read, uint64_t *moment,
                         es_error *err)
{
    uint64_t clocks = read->kind == ES_MOMENT_TIME && hz ? es_time_clocks(read->value, hz) : 0;
    if (!es_replay_moment_check(timeline, hz, read, err) || !es_replay_moment_within(timeline, hz, clocks, err))
        return false;
    *moment = read->kind == ES_MOMENT_TIME  ? es_timeline_moment(timeline, clocks)
              : read->kind == ES_MOMENT_END ? es_timeline_end(timeline)
                                            : read->value;
    return true;
}

bool es_replay_moment_parse(es_timeline *timeline, uint64_t hz, const char *text, uint64_t *moment, es_error *err)
{
    es_replay_moment read;
    return es_replay_moment_read(NULL, text, &read, err) && es_replay_moment_of(timeline, hz, &read, moment, err);
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
