/* One run of monitoring, from program and statements to the summary. */
#include <errno.h>
#include <image.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "byte_port.h"
#include "cli/cli.h"
#include "cli/commands/fit.h"
#include "cli/commands/texts.h"
#include "cli/report/task.h"
#include "cli/session/expect.h"
#include "cli/session/private.h"
#include "cli/session/record.h"

#define HELLO_MS 2000
#define CLOSING_MS 3000
#define CLOSING_TRIES 3 /* the frames with the closing figures may get lost */

/* --- opening ------------------------------------------------------------------------------------ */

static void on_console(void *context, const char *bytes, size_t size)
{
    session *s = context;
    if (s->report && !s->enough && es_sim_cycles(s->sim) < s->cutoff)
        es_report_console(s->report, bytes, size);
}

static bool open_probe(session *s, es_error *err)
{
    const es_session_options *o = s->options;
    if (o->probe == ES_PROBE_SIM) {
        es_sim_config config = {
            .world = ES_SIM_BYTES, .ratio = o->ratio, .seed = o->seed, .on_console = on_console, .context = s};
        s->sim = es_sim_new(&config, err);
        if (!s->sim || !es_fit_load(s->sim, s->symbols, o->program, err))
            return false;
        s->transport = es_transport_sim(s->sim);
    } else if (o->probe == ES_PROBE_FTDI) {
        s->transport = es_transport_ftdi(o->probe_name, err);
    } else if (o->probe == ES_PROBE_UART) {
        s->transport = es_transport_uart(o->probe_name, o->baud, err);
    } else {
        s->transport = es_transport_file(o->probe_name, err);
    }
    if (!s->transport)
        return false;
    if (o->record) {
        es_transport *recorder = es_transport_record(s->transport, o->record, err);
        if (!recorder)
            return false;
        s->transport = recorder;
    }
    return true;
}

static void on_waiting(void *context)
{
    const session *s = context;
    uint64_t frames, bad;
    es_link_totals(s->link, &frames, &bad);
    if (!s->stands_still)
        es_report_note(s->report,
                       "the probe has not answered yet (%llu good and %llu damaged frames came): asking again",
                       (unsigned long long)frames, (unsigned long long)bad);
}

static bool start_probe(session *s, es_error *err)
{
    size_t phantom_bytes;
    enum es_probe_start_mode mode = s->options->probe == ES_PROBE_SIM ? ES_PROBE_START_WITH
                                    : s->options->attach              ? ES_PROBE_START_RUNNING
                                                                      : ES_PROBE_START_AT_RESET;
    s->link = es_link_new(s->transport, es_session_event, s);
    if (!s->link)
        return es_fail(err, ES_PROBE, "out of memory");
    es_link_on_waiting(s->link, on_waiting, s);
    if (!es_probe_info_read(s->link, &s->info, err) || !es_session_build_image(s, &s->info, err) ||
        !es_probe_load(s->link, &s->info, &s->image, s->symbols,
                       s->options->probe != ES_PROBE_SIM && !s->options->loaded, &phantom_bytes, err) ||
        !es_probe_set_start(s->link, mode, err))
        return false;
    if (s->options->probe != ES_PROBE_SIM)
        s->match = es_match_new(s->link, &s->info, s->symbols);
    if (phantom_bytes == 0)
        es_report_warn(
            s->report,
            "nothing of the program lies in the probe's window, 0x%08x to 0x%08x: values stay unknown until written",
            (unsigned)s->info.window_base, (unsigned)(s->info.window_base + s->info.window_size - 1));
    es_report_note(s->report, "%zu statement%s armed: %zu data and %zu fetch addresses", s->program.statement_count,
                   s->program.statement_count == 1 ? "" : "s", s->image.keys_data + s->image.keys_read,
                   s->image.keys_fetch);
    s->waiting = mode == ES_PROBE_START_AT_RESET;
    if (s->waiting)
        es_report_note(s->report, "waiting for the target's reset (--attach takes one that already runs)");
    s->loaded = true; /* from here on: the firmware's first frame and the first hits may come together */
    if (!es_probe_start(s->link, err) || !es_session_wait_for(s, &s->hello, HELLO_MS, err))
        return false;
    if (!s->hello)
        return es_fail(
            err, ES_PROBE,
            "the probe's firmware does not answer: its soft core was loaded and started, and no frame came. Check "
            "that the bitstream belongs to this earshot and that the probe's clock runs");
    return es_session_check_hello(s, err);
}

/* Deadlines between the last MARK_EPOCH and the end are told at the flush: the end is the target's, where somebody
 * knows it. */
static bool tell_end(session *s, es_error *err)
{
    if (s->sim) {
        uint64_t cycles = s->summary.cycles < s->cutoff ? s->summary.cycles : s->cutoff - 1;
        uint32_t end[] = {(uint32_t)cycles, (uint32_t)(cycles >> 32)};
        return es_link_write(s->link, ES_IMAGE_BASE + (uint32_t)offsetof(struct es_mi_header, end_low), end, 2, err);
    }
    if (s->deadlines && !(s->info.config & ES_CONFIG_TIME_NOW)) {
        unsigned bits = s->info.config >> 24 & 127;
        es_report_note(s->report,
                       "this probe does not know the time at which the run ends: what `for` waits for may not be told "
                       "when it comes "
                       "true in the last %.3g s",
                       (double)(1ull << (bits & 63)) / (double)es_session_bus_hz(s->options));
    }
    return true;
}

/* Asks for counters and losses after all hits so far. */
static bool close_run(session *s, es_error *err)
{
    uint32_t mail = ES_MAIL_FLUSH;
    if (s->sim) /* a program that brings more than the probe can do would never let it come to an end */
        es_sim_stop_target(s->sim);
    if (!tell_end(s, err))
        return false;
    for (unsigned try = 0; !s->summary.complete && try < CLOSING_TRIES; try++) {
        s->done = false;
        if (!es_link_write(s->link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err) ||
            !es_session_wait_for(s, &s->done, CLOSING_MS, err))
            return false;
    }
    return true;
}

/* How often statements were true is what the firmware counted, since some only count and send no hit. But its closing
 * figures reach until it was asked, which is after the end that --for or --count set: then only what was told before
 * that end counts, and of what only counts, as of its counters, all. */
static void settle(session *s)
{
    bool early = s->enough || (s->cutoff != UINT64_MAX && !s->summary.exited);
    for (size_t i = 0; i < s->program.statement_count && s->summary.complete; i++) {
        if (early && es_image_reports(&s->program.statements[i]))
            continue;
        uint64_t counted = s->totals[i] + (s->arrived[i] - s->before[i]);
        s->summary.hits += counted - s->summary.statement_hits[i];
        s->summary.statement_hits[i] = counted;
    }
    for (size_t i = 0; i < s->program.statement_count; i++)
        for (size_t k = 0; k < s->program.statements[i].action_count; k++)
            s->summary.halted |= s->program.statements[i].actions[k].kind == ES_ACTION_HALT && s->totals[i];
    for (unsigned pin = 0; pin < 8 && s->sim; pin++)
        s->summary.pulses[pin] = es_sim_pulses(s->sim, pin);
    if (early || s->gap_bus > s->summary.lost_bus)
        s->summary.lost_bus = s->gap_bus;
    if (early || s->gap_events > s->summary.lost_events)
        s->summary.lost_events = s->gap_events;
}

/* --- the whole ------------------------------------------------------------------------------------ */

static bool run(session *s, es_error *err)
{
    const es_session_options *o = s->options;
    s->symbols = es_symbols_open(o->program, err);
    if (!s->symbols)
        return false;
    s->parsed = es_texts_parse(s->symbols, o->texts, o->text_count, &s->program, err);
    if (!s->parsed)
        return false;
    s->summary.statement_hits = es_malloc(s->program.statement_count * sizeof *s->summary.statement_hits);
    memset(s->summary.statement_hits, 0, s->program.statement_count * sizeof *s->summary.statement_hits);
    s->summary.evidence = es_malloc(s->program.statement_count * sizeof *s->summary.evidence);
    for (size_t i = 0; i < s->program.statement_count; i++)
        s->summary.evidence[i] = (es_evidence){.first = ES_EXPECT_NO_TIME};
    s->first_bus_gap = s->first_link_gap = ES_EXPECT_NO_TIME;
    s->closing_count = es_image_figures(&s->program);
    s->closing = es_malloc(s->closing_count * sizeof *s->closing);
    memset(s->closing, 0, s->closing_count * sizeof *s->closing);
    s->totals = es_malloc(s->program.statement_count * sizeof *s->totals);
    memset(s->totals, 0, s->program.statement_count * sizeof *s->totals);
    s->arrived = es_malloc(2 * s->program.statement_count * sizeof *s->arrived);
    memset(s->arrived, 0, 2 * s->program.statement_count * sizeof *s->arrived);
    s->before = s->arrived + s->program.statement_count;
    s->summary.counters = es_malloc(s->program.counter_count * sizeof *s->summary.counters);
    memset(s->summary.counters, 0, s->program.counter_count * sizeof *s->summary.counters);
    es_report_config config = {.symbols = s->symbols,
                               .program = &s->program,
                               .form = o->json ? &es_report_json : &es_report_text,
                               .quiet = o->quiet,
                               .color = o->color,
                               .utf8 = o->utf8,
                               .times = o->times,
                               .clock_hz = es_session_bus_hz(o)};
    s->report = es_report_new(&config);
    s->cutoff = UINT64_MAX;
    s->summary.simulated = o->probe == ES_PROBE_SIM;
    es_text_buffer tasks = {0};
    if (es_task_default(&tasks, &s->program))
        es_report_note(s->report, "%s", tasks.text);
    es_text_free(&tasks);
    es_session_catch_signals();
    if (!open_probe(s, err))
        return false;
    double start = es_session_wall_seconds();
    bool good;
    if (o->probe == ES_PROBE_FILE) {
        good = es_session_run_replay(s, err);
    } else {
        if (!start_probe(s, err))
            return false;
        start = es_session_wall_seconds();
        good = o->probe == ES_PROBE_SIM ? es_session_run_simulation(s, err) : es_session_run_hardware(s, err);
        good = good && close_run(s, err);
    }
    s->summary.wall_seconds = es_session_wall_seconds() - start;
    if (s->link)
        es_link_finish(s->link);
    good = good && es_session_account(s, err);
    settle(s);
    es_session_judge(s);
    /* After a failure too: what was seen until then. A recording may have lost the firmware's hello and nothing
     * else. */
    if (s->hello || (good && s->listening))
        es_report_summary(s->report, &s->summary);
    return good;
}

static bool expectations_met(const session *s)
{
    for (size_t i = 0; i < s->program.statement_count; i++) {
        enum es_verdict verdict =
            es_expect_judge(&s->program.statements[i], &s->summary.evidence[i], es_session_bus_hz(s->options), NULL);
        if (verdict == ES_VERDICT_FAILED || (verdict == ES_VERDICT_UNKNOWN && !s->options->allow_unknown))
            return false;
    }
    return true;
}

static int exit_code(const session *s)
{
    int error;
    if (es_report_closed(s->report, &error) && error != EPIPE) {
        es_error err;
        es_fail(&err, ES_OUTPUT, "results cannot be written: %s", strerror(error));
        return es_cli_fail(&err);
    }
    bool lost = s->summary.lost_bus + s->summary.lost_events + s->summary.lost_link > 0;
    if (s->options->fail_on_loss && (lost || !s->summary.complete)) /* without closing figures nobody knows */
        return ES_LOST;
    if (s->summary.trapped)
        return ES_EXPECTATION; /* no check may pass on a program that crashed */
    if (!expectations_met(s))
        return ES_EXPECTATION;
    if (s->options->pass_exit_code && s->summary.simulated)
        return s->summary.exited ? s->summary.exit_code & 0xFF : ES_EXPECTATION;
    return ES_OK;
}

int es_session_run(const es_session_options *options)
{
    session s = {.options = options};
    es_error err = {0};
    int code = run(&s, &err) ? exit_code(&s) : es_cli_fail(&err);
    es_report_free(s.report);
    es_match_free(s.match);
    es_link_free(s.link);
    es_transport_close(s.transport);
    if (s.sim)
        es_sim_free(s.sim);
    if (s.built)
        es_image_free(&s.image);
    free(s.summary.statement_hits);
    free(s.summary.evidence);
    free(s.closing);
    free(s.totals);
    free(s.arrived);
    free(s.summary.counters);
    if (s.parsed)
        es_program_free(&s.program);
    es_symbols_close(s.symbols);
    return code;
}
