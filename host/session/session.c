/* One run of monitoring, from program and statements to the summary. */
#include <image.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lang/remembers.h"
#include "session/expect.h"
#include "session/private.h"
#include "session/switches.h"
#include "session/task.h"

#define NO_MONITOR "this probe has no monitor: statements are evaluated on the replay of the inputs that it records"
#define CLOSING_MS 3000
#define TRIES_HEARD 25   /* of a command, 10 s, where the probe has answered before */
#define TRIES_UNHEARD 10 /* 4 s, where it has not: it may well have no power */
#define CLOSING_TRIES 3  /* the frames with the closing figures may get lost */

/* --- opening ------------------------------------------------------------------------------------ */

/* While the run goes on, a probe that does not answer is only listened to. Before and after it, nothing can be done
 * without an answer: damage on the way may take many in a row, and a probe that was heard is worth waiting for. */
static bool on_waiting(void *context, unsigned tries)
{
    session *s = context;
    uint64_t frames, bad;
    es_link_totals(s->link, &frames, &bad);
    if (tries == 2 && !s->stands_still)
        es_session_note(s, "the probe has not answered yet (%llu good and %llu damaged %s came): asking again",
                        (unsigned long long)frames, (unsigned long long)bad, es_plural(bad, "frame", "frames"));
    bool given_up = !s->closing_run && s->options->stop(s->options->context);
    return !s->monitoring && !given_up && tries < (frames ? TRIES_HEARD : TRIES_UNHEARD);
}

static bool meet_probe(session *s, es_error *err)
{
    s->link = es_link_new(s->probe.transport, es_session_event, s);
    if (!s->link)
        return es_fail(err, ES_PROBE, "out of memory");
    es_link_on_waiting(s->link, on_waiting, s);
    return es_probe_info_read(s->link, &s->info, err);
}

static void tell_armed(session *s)
{
    const es_image_groups *groups = &s->groups;
    size_t statements = s->program.statement_count, data = 0, fetch = 0;
    for (size_t g = 0; g < groups->count; g++) {
        data += groups->groups[g].image.keys_data + groups->groups[g].image.keys_read;
        fetch += groups->groups[g].image.keys_fetch;
    }
    es_text_buffer apart = {0};
    es_text_format(&apart, groups->count > 1 ? ", by %zu probes in software side by side" : "", groups->count);
    es_session_note(s, "%zu %s armed: %zu data and %zu fetch %s%s", statements,
                    es_plural(statements, "statement", "statements"), data, fetch,
                    es_plural(fetch, "address", "addresses"), apart.length ? apart.text : "");
    es_text_free(&apart);
}

static bool start_probe(session *s, es_error *err)
{
    size_t phantom_bytes;
    es_session_warn_of_image(s);
    enum es_probe_start_mode mode = s->probe.target                  ? ES_PROBE_START_WITH
                                    : s->options->attach || s->blind ? ES_PROBE_START_RUNNING
                                                                     : ES_PROBE_START_AT_RESET;
    if (!es_probe_load(s->link, &s->info, &s->groups.groups[0].image, s->symbols,
                       !s->probe.target && !s->options->loaded, &phantom_bytes, err) ||
        !es_probe_set_start(s->link, mode, err) || !es_session_groups_load(s, err))
        return false;
    if (!s->probe.target)
        s->match = es_match_new(s->link, &s->info, s->symbols);
    if (phantom_bytes == 0)
        es_session_warn(
            s, "nothing of the program lies in the probe's window, 0x%08x to 0x%08x: values stay unknown until written",
            (unsigned)s->info.window_base, (unsigned)(s->info.window_base + s->info.window_size - 1));
    tell_armed(s);
    s->waiting = mode == ES_PROBE_START_AT_RESET;
    return es_session_start(s, err);
}

/* Deadlines between the last MARK_EPOCH and the end are told at the flush: the end is the target's, where somebody
 * knows it. */
static bool tell_end(session *s, es_error *err)
{
    if (s->probe.target) {
        uint64_t cycles = s->summary.cycles < s->cutoff ? s->summary.cycles : s->cutoff - 1;
        uint32_t end[] = {(uint32_t)cycles, (uint32_t)(cycles >> 32)};
        return es_session_groups_write(s, ES_IMAGE_BASE + (uint32_t)offsetof(struct es_mi_header, end_low), end, 2,
                                       err);
    }
    if (s->deadlines && !(s->info.config & ES_CONFIG_TIME_NOW)) {
        unsigned bits = s->info.config >> 24 & 127;
        es_session_note(s,
                        "this probe does not know the time at which the run ends: what `for` waits for may not be told "
                        "when it comes "
                        "true in the last %.3g s",
                        (double)(1ull << (bits & 63)) / (double)s->options->clock_hz);
    }
    return true;
}

/* Asks for counters and losses after all hits so far. */
static bool close_run(session *s, es_error *err)
{
    double end = es_session_wall_seconds() + ES_SESSION_WALL_S; /* who is still busy then will be when asked again */
    s->closing_run = true;
    if (s->probe.target) /* a program that brings more than the probe can do would never let it come to an end */
        s->probe.target->stop(s->probe.target_context);
    if (!tell_end(s, err))
        return false;
    for (unsigned try = 0; !s->summary.complete && try < CLOSING_TRIES && es_session_wall_seconds() < end; try++) {
        s->done = false;
        if (!es_session_groups_flush(s, err) || !es_session_wait_for(s, &s->done, CLOSING_MS, err))
            return false;
    }
    return true;
}

/* How often statements were true is what the firmware counted, since some only count and send no hit. But its closing
 * figures reach until it was asked, which is after the end that --for or --count set: then only what was told before
 * that end counts, and of what only counts, as of its counters, all. */
static void settle(session *s)
{
    bool early = s->enough || s->onset || (s->cutoff != UINT64_MAX && !s->summary.exited);
    for (size_t i = 0; i < s->program.statement_count && s->summary.complete; i++) {
        if (early && es_image_reports(&s->program.statements[i]))
            continue;
        uint64_t counted = s->earlier[i] + s->totals[i] + (s->arrived[i] - s->before[i]);
        s->summary.hits += counted - s->summary.statement_hits[i];
        s->summary.statement_hits[i] = counted;
    }
    for (size_t i = 0; i < s->program.statement_count; i++)
        for (size_t k = 0; k < s->program.statements[i].action_count; k++)
            s->summary.halted |= s->program.statements[i].actions[k].kind == ES_ACTION_HALT && s->totals[i];
    for (unsigned pin = 0; pin < 8 && s->probe.target; pin++)
        s->summary.pulses[pin] = s->probe.target->pulses(s->probe.target_context, pin);
    if (early || s->gap_bus > s->summary.lost_bus)
        s->summary.lost_bus = s->gap_bus;
    if (early || s->gap_events > s->summary.lost_events)
        s->summary.lost_events = s->gap_events;
}

/* --- the whole ------------------------------------------------------------------------------------ */

static void *zeroed(size_t count, size_t size)
{
    void *memory = es_malloc(count * size + 1);
    memset(memory, 0, count * size);
    return memory;
}

/* Room for what is counted by statement and by counter. */
static void prepare(session *s)
{
    size_t count = s->program.statement_count;
    s->summary.statement_hits = zeroed(count, sizeof *s->summary.statement_hits);
    s->summary.statement_unknown = zeroed(count, sizeof *s->summary.statement_unknown);
    s->summary.judged = zeroed(count, sizeof *s->summary.judged);
    s->summary.counters = zeroed(s->program.counter_count, sizeof *s->summary.counters);
    s->evidence = zeroed(count, sizeof *s->evidence);
    s->needs_path = zeroed(count, sizeof *s->needs_path);
    for (size_t i = 0; i < count; i++) {
        s->evidence[i].first = ES_NO_TIME;
        s->needs_path[i] = es_image_needs_path(&s->program.statements[i]);
    }
    s->first_bus_gap = s->first_link_gap = ES_NO_TIME;
    s->closing_count = es_image_figures(&s->program);
    s->closing = zeroed(s->closing_count, sizeof *s->closing);
    s->totals = zeroed(count, sizeof *s->totals);
    s->earlier = zeroed(count, sizeof *s->earlier);
    s->arrived = zeroed(2 * count, sizeof *s->arrived);
    s->before = s->arrived + count;
    s->cutoff = UINT64_MAX;
}

static void release(session *s)
{
    free(s->summary.statement_hits);
    free(s->summary.statement_unknown);
    free(s->summary.judged);
    free(s->summary.counters);
    free(s->evidence);
    free(s->needs_path);
    free(s->closing);
    free(s->totals);
    free(s->earlier);
    free(s->arrived);
    s->summary.statement_hits = NULL;
    s->summary.statement_unknown = NULL;
    s->summary.judged = NULL;
    s->summary.counters = NULL;
    s->evidence = NULL;
    s->needs_path = NULL;
    s->closing = NULL;
    s->totals = NULL;
    s->earlier = NULL;
    s->arrived = s->before = NULL;
}

static void tell_inferred(void *context, const es_inferred *inferred)
{
    es_session_give(context, (es_record){.kind = ES_RECORD_INFERRED, .inferred = inferred});
}

static void begin_records(session *s)
{
    s->schema = es_session_schema(&s->program, &s->leaves);
    s->schema->program = es_session_program_name(s);
    s->schema->clock_hz = s->options->clock_hz;
    s->schema->times = s->options->times;
    s->schema->origin = s->probe.origin;
    s->words = es_words_new(s->symbols, &s->program, s->schema, &s->leaves);
    es_words_set_blind(s->words, s->blind);
    es_infer_paths_begin(&s->paths, s->symbols, s->schema, tell_inferred, s);
    es_session_give(s, (es_record){.kind = ES_RECORD_BEGIN});
}

/* A probe that is not there cannot say what it has. What no probe could do with these statements is told all the same,
 * and not when the probe comes, perhaps tomorrow. */
static bool check_without_probe(session *s, es_error *err)
{
    const es_probe_info most = {.config = ES_CONFIG_READS | ES_CONFIG_OUTPUTS | ES_CONFIG_TIME_NOW | 32u << 8,
                                .window_size = UINT32_MAX & ~3u,
                                .memory_size = ES_MEM_SIZE};
    es_error wrong;
    if (err->code == ES_PROBE && !s->options->checked && !es_session_build_image(s, &most, &wrong) &&
        wrong.code == ES_USAGE)
        *err = wrong;
    return false;
}

/* A probe that cannot evaluate the statements: what it records is asked for, and replayed. */
static bool move_to_replay(session *s, const es_session_console *console, es_text_buffer *wrong, es_error *err)
{
    es_link_free(s->link);
    es_transport_close(s->probe.transport);
    s->link = NULL;
    s->probe = (es_session_probe){0};
    if (!es_session_move_to_replay(s, wrong, err))
        return false;
    release(s);
    prepare(s);
    return s->options->open(s->options->context, s->symbols, console, &s->probe, err) && meet_probe(s, err);
}

/* The image for the probe; where that cannot hold or do what the statements need, the replay can, if there is one. */
static bool build_image(session *s, const es_session_console *console, es_error *err)
{
    const es_session_options *o = s->options;
    if (es_session_build_image(s, &s->info, err))
        return true;
    if (err->code != ES_USAGE || o->side != ES_SIDE_EITHER || !o->shadows || o->attach || s->probe.replay)
        return false;
    es_error probe = *err, late;
    es_text_buffer wrong = {0};
    bool good = move_to_replay(s, console, &wrong, &late) && es_session_build_image(s, &s->info, &late);
    es_text_free(&wrong);
    if (good) {
        es_session_note(s, "evaluated on the replay, as the probe cannot do it: %s", probe.text);
        return true;
    }
    *err = probe;
    size_t used = strlen(err->text);
    if (strcmp(late.text, probe.text) != 0)
        snprintf(err->text + used, sizeof err->text - used, "\nnote: on the replay neither: %s", late.text);
    return false;
}

static bool open_all(session *s, es_session_result *result, es_error *err)
{
    const es_session_options *o = s->options;
    s->symbols = es_symbols_open(o->program, err);
    if (!s->symbols)
        return false;
    if (!es_session_parse(s, &result->wrong, err))
        return false;
    prepare(s);
    es_program_remembers(&s->program, &s->probe.remembers);
    es_text_buffer tasks = {0};
    if (es_task_default(&tasks, &s->program))
        es_session_note(s, "%s", tasks.text);
    es_text_free(&tasks);
    es_session_console console = {es_session_console_bytes, s};
    if (!o->open(o->context, s->symbols, &console, &s->probe, err))
        return check_without_probe(s, err);
    if (s->probe.clock_hz)
        s->taken.clock_hz = s->probe.clock_hz;
    if (!s->probe.recorded && !meet_probe(s, err))
        return false;
    if (!s->probe.recorded && !es_probe_has_monitor(&s->info)) {
        if (!move_to_replay(s, &console, &result->wrong, err))
            return false;
        es_session_note(s, NO_MONITOR);
    }
    if (!s->probe.recorded && !build_image(s, &console, err))
        return false;
    begin_records(s);
    es_session_tell_shadows(s);
    s->onset = s->probe.from;
    if (s->probe.earlier)
        es_session_note(s, "what is before the stretch is evaluated, too, which takes its time: %s", s->probe.earlier);
    return true;
}

static bool monitor(session *s, es_error *err)
{
    if (s->probe.recorded)
        return es_session_run_replay(s, err);
    bool good = s->probe.target ? es_session_run_simulation(s, err) : es_session_run_hardware(s, err);
    if (!good)
        return false;
    if (!es_transport_gone(s->probe.transport) && close_run(s, err))
        return true;
    if (!es_transport_gone(s->probe.transport))
        return false;
    es_session_ends_without(s);
    return true;
}

/* After a failure too: what was seen until then. A recording may have lost the firmware's hello and nothing else. */
static void summarise(session *s, bool good)
{
    settle(s);
    es_session_judge(s);
    if (s->summary.stack_switches)
        es_switches_tell(s->symbols, s->schema->arena, &s->summary);
    if (!s->hello && !(good && s->listening))
        return;
    es_session_console_end(s);
    es_infer_paths_over(&s->paths);
    es_session_give(s, (es_record){.kind = ES_RECORD_SUMMARY, .summary = &s->summary});
}

static bool run(session *s, es_session_result *result, es_error *err)
{
    if (!open_all(s, result, err))
        return false;
    s->begun = es_session_wall_seconds();
    if (!s->probe.recorded && !start_probe(s, err))
        return false;
    s->begun = es_session_wall_seconds();
    bool good = monitor(s, err);
    s->summary.wall_seconds = es_session_wall_seconds() - s->begun;
    if (s->link)
        es_link_finish(s->link);
    es_session_groups_finish(s);
    good = good && es_session_account(s, err);
    summarise(s, good);
    return good;
}

static void tell_result(const session *s, es_session_result *result)
{
    const es_summary *summary = &s->summary;
    result->began = s->hello || s->listening;
    result->lost = summary->lost_bus + summary->lost_events + summary->lost_link > 0;
    result->complete = summary->complete;
    result->trapped = summary->trapped;
    result->exited = summary->exited;
    result->exit_code = summary->exit_code;
    for (size_t i = 0; s->parsed && i < s->program.statement_count; i++) {
        result->failed |= summary->judged[i].verdict == ES_VERDICT_FAILED;
        result->unknown |= summary->judged[i].verdict == ES_VERDICT_UNKNOWN;
    }
}

bool es_session_run(const es_session_options *options, const es_sink *sink, es_session_result *result, es_error *err)
{
    session s = {.taken = *options, .sink = sink};
    s.options = &s.taken;
    *result = (es_session_result){0};
    bool good = run(&s, result, err);
    if (options->over)
        options->over(options->context);
    tell_result(&s, result);
    es_text_free(&s.console);
    es_words_free(s.words);
    es_infer_paths_end(&s.paths);
    es_match_free(s.match);
    es_session_groups_free(&s);
    es_link_free(s.link);
    es_transport_close(s.probe.transport);
    if (s.built)
        es_image_groups_free(&s.groups);
    release(&s);
    es_schema_free(s.schema);
    if (s.parsed)
        es_program_free(&s.program);
    es_symbols_close(s.symbols);
    return good;
}
