#include "session/expect.h"

#include <inttypes.h>

#include "base/times.h"

static double milliseconds(uint64_t clocks, uint64_t clock_hz)
{
    return (double)es_time_ns(clocks, clock_hz) / 1e6;
}

/* "3 times", "1 hit": a number with its noun. */
static void add_count(es_text_buffer *out, uint64_t count, const char *one, const char *more)
{
    es_text_format(out, "%" PRIu64 " %s", count, es_plural(count, one, more));
}

/* The latest time at which a hit would still have decided it: what is not known of later times leaves nothing open. */
static uint64_t deadline(const es_statement *statement, uint64_t clock_hz)
{
    return statement->expect == ES_EXPECT_WITHIN ? es_duration_cycles(statement->expect_within, clock_hz) : UINT64_MAX;
}

/* Says what leaves it open whether there was a (or an earlier) hit; false: nothing does. */
static bool is_open(const es_statement *statement, const es_evidence *e, uint64_t clock_hz, es_text_buffer *why)
{
    uint64_t last = deadline(statement, clock_hz);
    bool eventually = statement->expect != ES_EXPECT_NEVER && e->first == ES_NO_TIME;
    if (e->lost && e->loss <= last) {
        add_count(why, e->lost, "bus transaction was", "bus transactions were");
        es_text_format(why, " lost, the first at %.6g ms: it may have occurred there, or unseen later",
                       milliseconds(e->loss, clock_hz));
    } else if (e->incomplete) {
        es_text_format(why, "the probe's closing figures did not arrive: it may have occurred unseen");
    } else if (e->uncertain && !e->lost) {
        add_count(why, e->uncertain, "hit is", "hits are");
        es_text_format(why, " not certain, as the call path was not known");
    } else if (e->unknown) {
        add_count(why, e->unknown, "evaluation", "evaluations");
        es_text_format(why, " met what was not known");
    } else if (e->torn) {
        add_count(why, e->torn, "assignment was", "assignments were");
        es_text_format(why, " torn, perhaps to one of its variables");
    } else if (e->path_unknown) {
        es_text_format(why, "the call path that it depends on was not known for a time");
    } else if (eventually && e->disabled) {
        es_text_format(why, "it was disabled in the end");
    } else if (statement->expect == ES_EXPECT_WITHIN && eventually && !e->over && e->end < last) {
        es_text_format(why, "the run ended at %.6g ms, before that time was over", milliseconds(e->end, clock_hz));
    } else {
        return false;
    }
    return true;
}

static enum es_verdict judge(const es_statement *statement, const es_evidence *e, uint64_t clock_hz,
                             es_text_buffer *why)
{
    bool hit = e->first != ES_NO_TIME;
    if (statement->expect == ES_EXPECT_NONE)
        return ES_VERDICT_MET;
    if (statement->expect == ES_EXPECT_NEVER && hit) {
        es_text_format(why, "it occurred ");
        add_count(why, e->hits, "time", "times");
        es_text_format(why, ", first at %.6g ms", milliseconds(e->first, clock_hz));
        return ES_VERDICT_FAILED;
    }
    if (statement->expect != ES_EXPECT_NEVER && hit && e->first <= deadline(statement, clock_hz))
        return ES_VERDICT_MET;
    if (is_open(statement, e, clock_hz, why))
        return ES_VERDICT_UNKNOWN;
    if (statement->expect == ES_EXPECT_NEVER)
        return ES_VERDICT_MET;
    if (hit)
        es_text_format(why, "it occurred first at %.6g ms", milliseconds(e->first, clock_hz));
    else
        es_text_format(why, "it did not occur");
    return ES_VERDICT_FAILED;
}

enum es_verdict es_expect_judge(const es_statement *statement, const es_evidence *evidence, uint64_t clock_hz,
                                es_text_buffer *why)
{
    es_text_buffer text = {0};
    enum es_verdict verdict = judge(statement, evidence, clock_hz, &text);
    if (why && text.length)
        es_text_add(why, text.text, text.length);
    es_text_free(&text);
    return verdict;
}
