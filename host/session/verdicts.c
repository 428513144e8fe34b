/* What the run has shown of each statement, for those that expect something. The firmware's own figures are what
 * counts, however the run ended: not every hit has a frame, and frames may be lost. */
#include <stdlib.h>

#include "base/arena.h"
#include "session/private.h"

/* The end of what the user sees of the run: hits after it are none of this run's. */
static uint64_t shown_until(const session *s)
{
    uint64_t end = s->cutoff == UINT64_MAX ? UINT64_MAX : s->cutoff - 1;
    return s->enough && s->enough_at < end ? s->enough_at : end;
}

static uint64_t first_loss(const session *s)
{
    if (!s->summary.lost_bus)
        return ES_NO_TIME;
    if (s->summary.lost_bus <= s->gap_bus)
        return s->first_bus_gap;
    return s->first_link_gap == ES_NO_TIME ? 0 : s->first_link_gap; /* who reported it was lost itself */
}

/* Of one statement, by the firmware's figures. */
static void take_figures(const session *s, size_t i, const es_image_expected *expected, es_image_doubts doubts,
                         es_evidence *e)
{
    const es_statement *statement = &s->program.statements[i];
    /* what only counts is counted until the probe has answered, as its counters are */
    uint64_t last = es_image_reports(statement) || !s->enough ? shown_until(s) : UINT64_MAX;
    bool path = es_image_needs_path(statement);
    uint64_t first = s->time_base + expected->first;
    if (expected->hit && first >= s->onset && first <= last && first < e->first)
        e->first = first;
    if (e->first != ES_NO_TIME && !e->hits)
        e->hits = 1; /* its frame was lost, or the end was in between */
    e->uncertain = expected->uncertain;
    e->unknown = (uint64_t)expected->unknown + (path ? doubts.nobodys : 0);
    e->path_unknown = path && doubts.paths;
    e->disabled = expected->disabled;
}

/* Whether a variable of the statement may be written in parts. */
static bool has_parts(const es_statement *statement)
{
    for (size_t i = 0; i < statement->reference_count; i++)
        if (statement->references[i].size > 1)
            return true;
    return false;
}

void es_session_judge(session *s)
{
    size_t count = s->program.statement_count;
    es_image_expected *expected = es_malloc((count + 1) * sizeof *expected);
    es_image_doubts doubts = es_image_expected_read(&s->program, s->closing, expected);
    uint64_t end = s->summary.cycles > s->time_base + doubts.end ? s->summary.cycles : s->time_base + doubts.end;
    if (s->latest > end)
        end = s->latest;
    if (shown_until(s) < end)
        end = shown_until(s);
    for (size_t i = 0; i < count; i++) {
        s->summary.statement_unknown[i] = s->summary.complete ? expected[i].unknown : 0;
        es_evidence *e = &s->evidence[i];
        e->hits = s->summary.statement_hits[i];
        e->incomplete = !s->summary.complete;
        if (s->summary.complete)
            take_figures(s, i, &expected[i], doubts, e);
        e->torn = has_parts(&s->program.statements[i]) ? s->summary.torn : 0;
        e->lost = s->summary.lost_bus;
        e->loss = first_loss(s);
        e->end = end;
        e->over = s->summary.exited || s->summary.trapped;
        es_text_buffer why = {0};
        enum es_verdict verdict = es_expect_judge(&s->program.statements[i], e, s->options->clock_hz, &why);
        s->summary.judged[i] = (es_judged){verdict, es_arena_copy(s->schema->arena, why.text, why.length)};
        es_text_free(&why);
    }
    free(expected);
}
