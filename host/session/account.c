/* Does a run add up? What the firmware counted against what came. */
#include <inttypes.h>

#include "session/private.h"

bool es_session_figures_whole(const session *s)
{
    return s->figures == s->closing_count;
}

/* Hits that the firmware counted and that did not come, over all statements whose hits are sent. *extra: hits that came
 * and that it did not count. */
static int64_t missing_hits(const session *s, int64_t *extra)
{
    int64_t missing = 0;
    *extra = 0;
    for (size_t i = 0; i < s->program.statement_count; i++) {
        if (!es_image_reports(&s->program.statements[i]))
            continue;
        int64_t less = (int64_t)s->totals[i] - s->before[i];
        missing += less;
        if (less < 0)
            *extra -= less;
    }
    return missing;
}

bool es_session_account(session *s, es_error *err)
{
    if (!s->hello || !s->summary.complete)
        return true; /* nobody knows, and the summary says so */
    int64_t extra, lacking = missing_hits(s, &extra);
    /* where marks are among what was dropped: nobody knows */
    int64_t least = s->info.config & ES_CONFIG_MARKS ? 0 : (int64_t)s->gaps_before;
    int64_t most = (int64_t)(s->dropped + s->missing);
    if (extra)
        s->summary.unaccounted = -extra;
    else if (lacking < least)
        s->summary.unaccounted = lacking - least;
    else if (lacking > most && s->missing)
        s->summary.lost_link += (uint64_t)(lacking - most); /* frames' numbers come again after 65,536 of them */
    else if (lacking > most)
        s->summary.unaccounted = lacking - most;
    if (!s->summary.unaccounted && !s->odd_statement)
        return true;
    if (s->odd_statement)
        return es_fail(
            err, ES_PROBE,
            "hits of statements that do not exist were reported: this is an error of earshot's or of its probe. "
            "Please report it, with a recording (--record)");
    return es_fail(err, ES_PROBE,
                   "the hits do not add up: the probe's firmware counted %" PRId64
                   " %s than were reported or are known to be lost. This is an "
                   "error of earshot's or of its probe: do not rely on this run, and please report it, with a "
                   "recording (--record)",
                   s->summary.unaccounted > 0 ? s->summary.unaccounted : -s->summary.unaccounted,
                   s->summary.unaccounted > 0 ? "more" : "fewer");
}
