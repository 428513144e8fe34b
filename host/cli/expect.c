#include "cli/expect.h"

#include <inttypes.h>

#include "cli/value.h"

static void add_times(es_text_buffer *why, uint64_t hits, uint64_t first, uint64_t clock_hz)
{
    es_text_format(why, "it occurred %" PRIu64 " %s", hits, hits == 1 ? "time" : "times");
    if (first != ES_EXPECT_NO_TIME)
        es_text_format(why, ", first at %.6g ms", (double)es_time_ns(first, clock_hz) / 1e6);
}

bool es_expect_met(const es_statement *statement, uint64_t hits, uint64_t first, uint64_t clock_hz, es_text_buffer *why)
{
    es_text_buffer text = { 0 };
    bool met = true;
    if (statement->expect == ES_EXPECT_NEVER && hits) {
        met = false;
        add_times(&text, hits, first, clock_hz);
    } else if (statement->expect >= ES_EXPECT_EVENTUALLY && !hits) {
        met = false;
        es_text_format(&text, "it did not occur");
    } else if (statement->expect == ES_EXPECT_WITHIN && first != ES_EXPECT_NO_TIME &&
               first > es_duration_cycles(statement->expect_within, clock_hz)) {
        met = false;
        es_text_format(&text, "it occurred first at %.6g ms", (double)es_time_ns(first, clock_hz) / 1e6);
    }
    if (!met && why)
        es_text_add(why, text.text, text.length);
    es_text_free(&text);
    return met;
}
