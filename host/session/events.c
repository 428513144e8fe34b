/* What comes over the link: hits, gaps and figures, kept and reported; and whether it belongs to this program and these
 * statements. */
#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "session/private.h"

/* For runs whose closing figures do not arrive. */
static void note_evidence(session *s, const es_event *event)
{
    es_evidence *evidence = &s->evidence[event->statement];
    bool path = event->pc != ES_HIT_NOWHERE && s->needs_path[event->statement];
    if (event->flags & (ES_HITF_UNCERTAIN | (path ? ES_HITF_PATH_UNKNOWN : 0)))
        evidence->uncertain++;
    else if (evidence->first == ES_NO_TIME)
        evidence->first = event->time;
}

static void take_hit(session *s, const es_event *event)
{
    if (event->statement >= s->program.statement_count) {
        if (!s->odd_statement)
            es_session_warn(s, "the probe reported a statement that does not exist (number %u)", event->statement);
        s->odd_statement = true;
        return;
    }
    s->arrived[event->statement]++;
    if (event->pc != ES_HIT_NOWHERE)
        s->last_event = event->time;
    if (s->enough || event->time < s->onset || event->time >= s->cutoff)
        return;
    s->summary.hits++;
    s->summary.statement_hits[event->statement]++;
    note_evidence(s, event);
    const es_record record = {.kind = ES_RECORD_HIT, .schema = s->schema, .hit = es_words_hit(s->words, event)};
    es_sink_give(s->sink, &record);
    if (__builtin_expect(es_infer_paths_take(&s->paths, record.hit), false)) {
        const es_path_evidence evidence = {event->path, event->path_count, ES_SITE_INTERRUPT, event->path_known};
        es_infer_paths_look(&s->paths, record.hit, &evidence);
    }
    if (s->match)
        es_match_look_at(s->match, event->pc);
    s->enough = s->options->count && s->summary.hits == s->options->count;
    s->enough_at = event->time;
}

/* A gap of hits encloses the times of those that were lost. Hits at deadlines are told late, at the latest when the low
 * bits of the time have wrapped: so where there are any, one may have been lost whose time is that of the last wrap
 * before what came last. */
static es_event enclosing(const session *s, const es_event *event)
{
    es_event gap = *event;
    unsigned bits = s->info.config >> 24 & 127;
    uint64_t wrap = s->last_event >> (bits & 63) << (bits & 63);
    if (s->deadlines && gap.lost_what != ES_GAP_BUS && wrap < gap.time)
        gap.time = wrap;
    if (gap.time_last == ES_TIME_UNKNOWN && s->probe.target)
        gap.time_last = s->probe.target->cycles(s->probe.target_context);
    return gap;
}

static enum es_lost_what what_is_lost(const es_event *event)
{
    return event->lost_what == ES_GAP_BUS      ? ES_LOST_BUS
           : event->lost_what == ES_GAP_EVENTS ? ES_LOST_EVENTS
                                               : ES_LOST_LINK;
}

static void take_gap(session *s, const es_event *told)
{
    const es_event gap = enclosing(s, told), *event = &gap;
    if (event->lost_what == ES_GAP_LINK)
        s->missing += event->lost;
    else if (event->lost_what == ES_GAP_EVENTS)
        s->gaps += event->lost;
    if (s->enough || event->time >= s->cutoff)
        return;
    uint64_t *first = event->lost_what == ES_GAP_BUS ? &s->first_bus_gap : &s->first_link_gap;
    if (event->lost_what != ES_GAP_EVENTS && event->time < *first)
        *first = event->time;
    if (event->lost_what == ES_GAP_BUS)
        s->gap_bus += event->lost;
    else if (event->lost_what == ES_GAP_EVENTS)
        s->gap_events += event->lost;
    else
        s->summary.lost_link += event->lost;
    es_lost lost = {event->time, event->time_last, event->lost, what_is_lost(event)};
    if (lost.what == ES_LOST_EVENTS)
        es_infer_paths_missed(&s->paths);
    else
        es_infer_paths_lost(&s->paths, lost.what == ES_LOST_LINK ? 0 : lost.last);
    es_session_give(s, (es_record){.kind = ES_RECORD_LOST, .lost = &lost});
}

static void take_closing_figures(session *s, const es_event *event)
{
    if (event->word_count < 3)
        return;
    s->summary.lost_bus = event->words[0];
    s->summary.lost_events = s->dropped = event->words[1];
    s->summary.unknown = event->words[2];
    s->summary.torn = event->word_count > 3 ? event->words[3] : 0;
    uint64_t *switches = s->program.task ? &s->summary.tasks_given_up : &s->summary.stack_switches;
    *switches = event->word_count > 4 ? event->words[4] : 0;
    s->done = true;
    s->summary.complete = es_session_figures_whole(s);
}

/* The program's counters, and after them how often each statement was true: more than the hits shown where it only
 * counts. */
static void take_counters(session *s, const es_event *event)
{
    if (event->first_index == 0) {
        s->figures = 0;
        s->gaps_before = s->gaps;
    }
    if (event->first_index == s->figures) /* else a frame between was lost */
        s->figures += event->word_count;
    for (size_t i = 0; i < event->word_count; i++) {
        size_t index = event->first_index + i;
        if (index < s->closing_count)
            s->closing[index] = event->words[i];
        if (index < s->program.counter_count)
            s->summary.counters[index] = event->words[i];
        else if (index - s->program.counter_count < s->program.statement_count) {
            index -= s->program.counter_count;
            s->totals[index] = event->words[i];
            s->before[index] = s->arrived[index];
        }
    }
}

/* The firmware's first frame: what follows is this run's, and hits may follow at once. */
static void begin_listening(session *s, uint32_t checksum)
{
    s->hello = true;
    s->hello_checksum = checksum;
    s->listening = s->hello_checksum == s->groups.groups[0].image.checksum;
    s->gaps = s->missing = s->last_event = 0;
    memset(s->arrived, 0, s->program.statement_count * sizeof *s->arrived);
    /* Not before, when a reset would pass unseen; and here, since what comes next may be that of the reset. */
    if (s->waiting && s->listening)
        es_session_note(s, "waiting for the target's reset (--attach takes one that already runs)");
    else if (s->blind && s->listening && !s->probe.target)
        es_session_note(s, "monitoring begins: this bus does not show when the target is reset");
}

void es_session_hello_lost(session *s)
{
    begin_listening(s, s->groups.groups[0].image.checksum);
}

static void take_hello(session *s, const es_event *event)
{
    if (event->word_count < 2 || !s->loaded)
        return;
    begin_listening(s, event->words[1]);
}

static void take_event(session *s, const es_event *event)
{
    if ((event->kind == ES_EVENT_HIT || event->kind == ES_EVENT_MARK) && event->time > s->latest) {
        s->latest = event->time;
        s->is_latest_new = true;
    }
    if (s->started && !s->hello && event->kind != ES_EVENT_HELLO && event->kind != ES_EVENT_FAULT)
        es_session_hello_lost(s);
    switch (event->kind) {
    case ES_EVENT_HELLO: take_hello(s, event); break;
    case ES_EVENT_HIT:
        if (s->listening)
            take_hit(s, event);
        break;
    case ES_EVENT_GAP:
        if (s->listening)
            take_gap(s, event);
        break;
    case ES_EVENT_COUNTERS: take_counters(s, event); break;
    case ES_EVENT_DONE: take_closing_figures(s, event); break;
    case ES_EVENT_FAULT:
        s->faulted = true;
        s->fault = event->word_count > 0 ? event->words[0] : 0;
        s->fault_detail = event->word_count > 1 ? event->words[1] : 0;
        break;
    case ES_EVENT_STATUS: /* nobody asks for it: the target has been reset */
        if (s->waiting)
            es_session_note(s, "the target was reset: monitoring begins");
        s->waiting = false;
        break;
    case ES_EVENT_MARK:   /* no statement speaks of it */
    case ES_EVENT_RECORD: /* nor of what is replayed */
    case ES_EVENT_RESPONSE: break;
    }
}

void es_session_event(void *context, const es_event *event)
{
    session *s = context;
    if (!s->time_base || !s->hello || (event->kind != ES_EVENT_HIT && event->kind != ES_EVENT_GAP)) {
        take_event(s, event);
        return;
    }
    es_event later = *event;
    later.time += s->time_base;
    if (later.time_last != ES_TIME_UNKNOWN)
        later.time_last += s->time_base;
    take_event(s, &later);
}

/* Whose stores an assignment's are is not told apart among tasks: said, as a value may be shown that was never
 * assigned. */
static void warn_of_mixtures(session *s)
{
    for (size_t i = 0; s->program.task && i < s->program.statement_count; i++) {
        const es_statement *statement = &s->program.statements[i];
        for (size_t k = 0; k < statement->reference_count; k++) {
            const es_reference *reference = &statement->references[k];
            if (reference->size <= 4 || reference->frame)
                continue;
            es_session_warn(
                s,
                "%s has two words: where two tasks are both interrupted between the two stores of one place in "
                "the code, a mixture of their values may be shown (docs/statements.md, \"Writes in parts\"); "
                "an assignment that nothing interrupts is right",
                reference->text);
            return;
        }
    }
}

void es_session_warn_of_image(session *s)
{
    const es_variable *variable;
    warn_of_mixtures(s);
    if (s->blind)
        es_session_warn(s,
                        "the processor on this probe's bus fetches ahead of what it executes: which instruction wrote, "
                        "on which path and in which task, is not told, and what start-up code writes counts "
                        "(docs/attach-core.md, \"What a fetch proves\")");
    for (size_t k = 0; k < s->program.warning_count; k++)
        es_session_warn(s, "%s", s->program.warnings[k]);
    for (size_t k = 0; (variable = es_program_life(&s->program, k)); k++)
        es_session_warn(s, "%s\\%s is observed only while the stack holds it, in %s; in the rest of %s it %s: %s",
                        variable->procedure->name, variable->name, variable->life->observed, variable->procedure->name,
                        variable->life->elsewhere, variable->life->advice);
}

/* For tests, which compare groups with one probe. */
static size_t most_in_group(void)
{
    const char *most = getenv("EARSHOT_GROUP_STATEMENTS");
    return most ? strtoul(most, NULL, 10) : 0;
}

bool es_session_build_image(session *s, const es_probe_info *info, es_error *err)
{
    es_probe_limits limits = es_probe_info_limits(info);
    limits.bus_hz = s->options->clock_hz;
    limits.times = s->options->times;
    limits.start_up = s->options->start_up;
    limits.running = s->options->attach || s->resumed;
    if (!s->options->allow_halt)
        limits.lacks |= ES_LACKS_LEAVE;
    s->deadlines = false;
    if (limits.running && s->program.task)
        return es_fail(err, ES_USAGE,
                       "--attach cannot tell which task of a program runs that was not seen to start: leave it out, "
                       "and reset the target");
    s->blind = es_image_blindness(&limits, s->symbols) != NULL;
    if (s->words) /* not while the statements alone are checked, for want of a probe */
        es_words_set_blind(s->words, s->blind);
    limits.unsure = s->probe.replay || (s->probe.target && s->probe.target->unsure);
    s->built = s->probe.replay
                   ? es_image_groups_build(s->symbols, &s->program, &limits, most_in_group(), &s->groups, err)
                   : es_image_groups_one(s->symbols, &s->program, &limits, &s->groups, err);
    for (size_t g = 0; s->built && g < s->groups.count; g++) {
        struct es_mi_header header;
        memcpy(&header, s->groups.groups[g].image.bytes, sizeof header);
        s->deadlines |= header.marks_at != 0;
    }
    return s->built;
}

bool es_session_check_fault(const session *s, es_error *err)
{
    if (!s->faulted)
        return true;
    return es_fail(err, ES_PROBE, "the probe's firmware stopped: %s (0x%08x)",
                   s->fault == ES_FAULT_IMAGE ? "it does not accept the monitor image"
                                              : "it reached a state that it cannot continue from",
                   (unsigned)s->fault_detail);
}

/* Pumps events until *flag, for `ms` of the link's time in which nothing comes. */
bool es_session_wait_for(session *s, const bool *flag, int ms, es_error *err)
{
    double end = es_session_wall_seconds() + ES_SESSION_WALL_S;
    for (int waited = 0; !*flag && !s->faulted && waited < ms && es_session_wall_seconds() < end;) {
        int got = es_session_groups_pump(s, 10, err);
        if (got < 0)
            return got == -2 ? es_fail(err, ES_PROBE, "the connection to the probe ended") : false;
        if (got == 0)
            waited += 10;
    }
    return es_session_check_fault(s, err);
}
