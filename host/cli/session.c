#include "cli/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "byte_port.h"
#include "cli/cli.h"
#include "cli/record.h"
#include "cli/report.h"
#include "probe/boot.h"

#define SIM_STEP_CLOCKS 100000u /* between looks at signals: 10 ms of the target's time */
#define SIM_STEP_BYTES 64u         /* about a hit: it is shown before the target goes on */
#define HELLO_MS 2000
#define CLOSING_MS 3000
#define CLOSING_WALL_S 60.0

typedef struct session {
    const es_session_options *options;
    es_symbols *symbols;
    es_program program;
    bool parsed;
    es_image image;
    bool built;
    es_sim *sim;
    es_transport *transport; /* what the link uses: the recorder, if there is one */
    es_link *link;
    es_report *report;
    es_summary summary;
    uint32_t *totals;        /* by statement: how often it was true, as the firmware counted until it was asked */
    uint64_t cutoff;         /* first time that is beyond --for */
    uint64_t gap_bus, gap_events;
    bool hello, faulted, listening, enough, odd_statement;
    uint32_t hello_checksum, fault, fault_detail;
} session;

/* --- signals ------------------------------------------------------------------------------------ */

static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
    if (stop_signal)
        _exit(128 + number); /* the user does not want to wait for the summary */
    stop_signal = number;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static double wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- events ------------------------------------------------------------------------------------- */

static void take_hit(session *s, const es_event *event)
{
    if (event->statement >= s->program.statement_count) {
        if (!s->odd_statement)
            es_report_warn(s->report, "the probe reported a statement that does not exist (number %u)", event->statement);
        s->odd_statement = true;
        return;
    }
    if (s->enough || event->time >= s->cutoff)
        return;
    s->summary.hits++;
    s->summary.statement_hits[event->statement]++;
    es_report_hit(s->report, event);
    s->enough = s->options->count && s->summary.hits == s->options->count;
}

static void take_gap(session *s, const es_event *event)
{
    if (s->enough || event->time >= s->cutoff)
        return;
    if (event->lost_what == ES_GAP_BUS)
        s->gap_bus += event->lost;
    else if (event->lost_what == ES_GAP_EVENTS)
        s->gap_events += event->lost;
    else
        s->summary.lost_link += event->lost;
    es_report_gap(s->report, event);
}

static void take_closing_figures(session *s, const es_event *event)
{
    if (event->word_count < 3)
        return;
    s->summary.lost_bus = event->words[0];
    s->summary.lost_events = event->words[1];
    s->summary.unknown = event->words[2];
    s->summary.complete = true;
}

/* The program's counters, and behind them how often each statement was true: more than the hits shown where it only counts. */
static void take_counters(session *s, const es_event *event)
{
    for (size_t i = 0; i < event->word_count; i++) {
        size_t index = event->first_index + i;
        if (index < s->program.counter_count)
            s->summary.counters[index] = event->words[i];
        else if (index - s->program.counter_count < s->program.statement_count)
            s->totals[index - s->program.counter_count] = event->words[i];
    }
}

static void on_event(void *context, const es_event *event)
{
    session *s = context;
    switch (event->kind) {
    case ES_EVENT_HELLO:
        if (event->word_count >= 2) {
            s->hello = true;
            s->hello_checksum = event->words[1];
        }
        break;
    case ES_EVENT_HIT:
        if (s->listening)
            take_hit(s, event);
        break;
    case ES_EVENT_GAP:
        if (s->listening)
            take_gap(s, event);
        break;
    case ES_EVENT_COUNTERS:
        take_counters(s, event);
        break;
    case ES_EVENT_DONE:
        take_closing_figures(s, event);
        break;
    case ES_EVENT_FAULT:
        s->faulted = true;
        s->fault = event->word_count > 0 ? event->words[0] : 0;
        s->fault_detail = event->word_count > 1 ? event->words[1] : 0;
        break;
    case ES_EVENT_STATUS:
    case ES_EVENT_RESPONSE:
        break;
    }
}

static void on_console(void *context, const char *bytes, size_t size)
{
    session *s = context;
    if (s->report && !s->enough && es_sim_cycles(s->sim) < s->cutoff)
        es_report_console(s->report, bytes, size);
}

static bool check_fault(const session *s, es_error *err)
{
    if (!s->faulted)
        return true;
    return es_fail(err, ES_PROBE, "the probe's firmware stopped: %s (0x%08x)",
                   s->fault == ES_FAULT_IMAGE ? "it does not accept the monitor image" : "it met a state that it cannot go on from",
                   (unsigned)s->fault_detail);
}

static bool check_hello(const session *s, es_error *err)
{
    if (s->hello_checksum == s->image.checksum)
        return true;
    return es_fail(err, ES_PROBE, "the firmware reports another monitor image (0x%08x) than the one for this program and these "
                                  "statements (0x%08x)%s", (unsigned)s->hello_checksum, (unsigned)s->image.checksum,
                   s->options->probe == ES_PROBE_FILE ? ": a recording is replayed with the same ELF file and statements" : "");
}

/* Pumps events until *flag, for `ms` of the link's time in which nothing comes. */
static bool wait_for(session *s, const bool *flag, int ms, es_error *err)
{
    double end = wall_seconds() + CLOSING_WALL_S;
    for (int waited = 0; !*flag && !s->faulted && waited < ms && wall_seconds() < end;) {
        int got = es_link_pump(s->link, 10, err);
        if (got < 0)
            return got == -2 ? es_fail(err, ES_PROBE, "the connection to the probe ended") : false;
        if (got == 0)
            waited += 10;
    }
    return check_fault(s, err);
}

/* --- opening ------------------------------------------------------------------------------------ */

static bool load_target(session *s, es_error *err)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(s->symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(s->sim, segments[i].address, segments[i].bytes, segments[i].size))
            return es_fail(err, ES_USAGE,
                           "%s: does not fit the simulated target: it loads %u bytes at 0x%08x, and the target has memory at 0x%08x to "
                           "0x%08x and 0x%08x to 0x%08x", s->options->program, (unsigned)segments[i].size, (unsigned)segments[i].address,
                           ES_TARGET_ROM_BASE, ES_TARGET_ROM_BASE + ES_TARGET_ROM_SIZE - 1, ES_TARGET_RAM_BASE,
                           ES_TARGET_RAM_BASE + ES_TARGET_RAM_SIZE - 1);
    return true;
}

static bool open_probe(session *s, es_error *err)
{
    const es_session_options *o = s->options;
    if (o->probe == ES_PROBE_SIM) {
        es_sim_config config = {
            .world = ES_SIM_BYTES, .ratio = o->ratio, .seed = o->seed, .on_console = on_console, .context = s};
        s->sim = es_sim_new(&config, err);
        if (!s->sim || !load_target(s, err))
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

static bool build_image(session *s, const es_probe_info *info, es_error *err)
{
    es_probe_limits limits = es_probe_info_limits(info);
    s->built = es_image_build(s->symbols, &s->program, &limits, &s->image, err);
    return s->built;
}

static bool start_probe(session *s, es_error *err)
{
    es_probe_info info;
    size_t phantom_bytes;
    s->link = es_link_new(s->transport, on_event, s);
    if (!s->link)
        return es_fail(err, ES_PROBE, "out of memory");
    if (!es_probe_info_read(s->link, &info, err) || !build_image(s, &info, err) ||
        !es_probe_boot(s->link, &info, &s->image, s->symbols, &phantom_bytes, err) || !wait_for(s, &s->hello, HELLO_MS, err))
        return false;
    if (!s->hello)
        return es_fail(err, ES_PROBE, "the probe's firmware does not answer: its soft core was loaded and started, and no frame came. Check "
                                      "that the bitstream belongs to this earshot and that the probe's clock runs");
    if (!check_hello(s, err))
        return false;
    if (phantom_bytes == 0)
        es_report_warn(s->report, "nothing of the program lies in the probe's window, 0x%08x to 0x%08x: values stay unknown until written",
                       (unsigned)info.window_base, (unsigned)(info.window_base + info.window_size - 1));
    es_report_note(s->report, "%zu statement%s armed: %zu data and %zu fetch addresses", s->program.statement_count,
                   s->program.statement_count == 1 ? "" : "s", s->image.keys_data, s->image.keys_fetch);
    return true;
}

/* --- running ------------------------------------------------------------------------------------ */

static bool stopped(const session *s)
{
    int error;
    return stop_signal || s->enough || es_report_closed(s->report, &error);
}

/* Takes all that has arrived. */
static bool take_arrived(session *s, es_error *err)
{
    int got;
    do
        got = es_link_pump(s->link, 0, err);
    while (got > 0 && !stopped(s));
    return got >= 0 && check_fault(s, err);
}

static bool run_simulation(session *s, es_error *err)
{
    uint64_t limit = s->options->for_ns ? s->options->for_ns / (1000000000u / ES_SIM_BUS_HZ) : UINT64_MAX;
    s->cutoff = limit;
    es_sim_start_target(s->sim);
    enum es_sim_state state = ES_SIM_RUNNING;
    while (state == ES_SIM_RUNNING && !stopped(s) && es_sim_cycles(s->sim) < limit) {
        uint64_t left = limit - es_sim_cycles(s->sim);
        state = es_sim_step(s->sim, left < SIM_STEP_CLOCKS ? left : SIM_STEP_CLOCKS, SIM_STEP_BYTES);
        if (!take_arrived(s, err))
            return false;
    }
    s->summary.cycles = es_sim_cycles(s->sim);
    s->summary.exited = state == ES_SIM_EXITED;
    s->summary.trapped = state == ES_SIM_TRAPPED;
    s->summary.exit_code = s->summary.exited ? es_sim_exit_code(s->sim) : 0;
    if (state == ES_SIM_TRAPPED) {
        const char *file;
        unsigned line;
        uint32_t pc = es_sim_pc(s->sim);
        if (es_symbols_line(s->symbols, pc, &file, &line))
            es_report_warn(s->report, "the target stopped at 0x%08x (%s:%u): %s", (unsigned)pc, file, line, es_sim_trap_text(s->sim));
        else
            es_report_warn(s->report, "the target stopped at 0x%08x: %s", (unsigned)pc, es_sim_trap_text(s->sim));
    }
    return true;
}

static bool run_hardware(session *s, es_error *err)
{
    double end = s->options->for_ns ? wall_seconds() + (double)s->options->for_ns * 1e-9 : 0;
    while (!stopped(s) && (end == 0 || wall_seconds() < end)) {
        int got = es_link_pump(s->link, 50, err);
        if (got == -2)
            return es_fail(err, ES_PROBE, "the connection to the probe ended");
        if (got < 0 || !check_fault(s, err))
            return false;
    }
    return true;
}

/* Asks for counters and losses behind all hits so far. */
static bool close_run(session *s, es_error *err)
{
    uint32_t mail = ES_MAIL_FLUSH;
    return es_link_write(s->link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err) &&
           wait_for(s, &s->summary.complete, CLOSING_MS, err);
}

/* --- replay: no probe to command; its answers are in the file -------------------------------------- */

typedef struct replay {
    session *s;
    es_error *err;
    bool failed;
} replay;

static void on_replayed(void *context, const es_event *event)
{
    replay *r = context;
    session *s = r->s;
    if (r->failed)
        return;
    if (event->kind == ES_EVENT_RESPONSE) {
        es_probe_info info;
        if (!s->built && event->word_count == 1 + ES_PROBE_INFO_WORDS && event->words[0] == ES_RESP_OK)
            r->failed = !es_probe_info_take(&info, event->words + 1, r->err) || !build_image(s, &info, r->err);
        return;
    }
    if (!s->built) {
        r->failed = !es_fail(r->err, ES_USAGE, "%s: is not a recording from its start: the probe's description is missing",
                             s->options->probe_name);
        return;
    }
    on_event(s, event);
    if (event->kind == ES_EVENT_HELLO && !check_hello(s, r->err)) {
        r->err->code = ES_USAGE;
        r->failed = true;
    }
    s->listening = true;
}

static bool run_replay(session *s, es_error *err)
{
    replay context = {s, err, false};
    es_decoder *decoder = es_decoder_new(on_replayed, &context);
    if (!decoder)
        return es_fail(err, ES_PROBE, "out of memory");
    uint8_t bytes[8192];
    ssize_t got = 0;
    if (s->options->for_ns) {
        uint64_t hz = s->options->clock_hz ? s->options->clock_hz : ES_SIM_BUS_HZ;
        s->cutoff = (uint64_t)((double)s->options->for_ns * (double)hz / 1e9);
    }
    while (!context.failed && !stopped(s) && (got = es_transport_read(s->transport, bytes, sizeof bytes, 0, err)) > 0)
        es_decoder_push(decoder, bytes, (size_t)got);
    es_decoder_free(decoder);
    if (context.failed || got == -1)
        return false;
    if (!s->hello && !stopped(s))
        return es_fail(err, ES_USAGE, "%s: is not a recording of a run: no firmware reports in it", s->options->probe_name);
    return check_fault(s, err);
}

/* How often statements were true is what the firmware counted, since some only count and send no hit. But its closing figures reach until it
 * was asked, which is after the end that --for or --count set: then only what was told before that end counts. */
static void settle(session *s)
{
    bool early = s->enough || (s->cutoff != UINT64_MAX && !s->summary.exited);
    if (!early && s->summary.complete) {
        s->summary.hits = 0;
        for (size_t i = 0; i < s->program.statement_count; i++)
            s->summary.hits += s->summary.statement_hits[i] = s->totals[i];
    }
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
    s->parsed = es_program_parse(s->symbols, o->texts, o->text_count, &s->program, err);
    if (!s->parsed)
        return false;
    s->summary.statement_hits = es_malloc(s->program.statement_count * sizeof *s->summary.statement_hits);
    memset(s->summary.statement_hits, 0, s->program.statement_count * sizeof *s->summary.statement_hits);
    s->totals = es_malloc(s->program.statement_count * sizeof *s->totals);
    memset(s->totals, 0, s->program.statement_count * sizeof *s->totals);
    s->summary.counters = es_malloc(s->program.counter_count * sizeof *s->summary.counters);
    memset(s->summary.counters, 0, s->program.counter_count * sizeof *s->summary.counters);
    es_report_config config = {.symbols = s->symbols, .program = &s->program, .json = o->json, .quiet = o->quiet, .color = o->color,
                               .utf8 = o->utf8, .clock_hz = o->clock_hz ? o->clock_hz : ES_SIM_BUS_HZ};
    s->report = es_report_new(&config);
    s->cutoff = UINT64_MAX;
    s->summary.simulated = o->probe == ES_PROBE_SIM;
    catch_signals();
    if (!open_probe(s, err))
        return false;
    double start = wall_seconds();
    bool good;
    if (o->probe == ES_PROBE_FILE) {
        good = run_replay(s, err);
    } else {
        if (!start_probe(s, err))
            return false;
        s->listening = true;
        start = wall_seconds();
        good = o->probe == ES_PROBE_SIM ? run_simulation(s, err) : run_hardware(s, err);
        good = good && close_run(s, err);
    }
    s->summary.wall_seconds = wall_seconds() - start;
    settle(s);
    if (s->hello) /* after a failure too: what was seen until then */
        es_report_summary(s->report, &s->summary);
    if (o->record && good)
        good = es_transport_record_flush(s->transport, err);
    return good;
}

static int exit_code(const session *s)
{
    int error;
    if (es_report_closed(s->report, &error) && error != EPIPE) {
        es_error err;
        es_fail(&err, ES_USAGE, "results cannot be written: %s", strerror(error));
        return es_cli_fail(&err);
    }
    if (s->options->fail_on_loss && s->summary.lost_bus + s->summary.lost_events + s->summary.lost_link > 0)
        return ES_LOST;
    if (s->summary.trapped)
        return ES_EXPECTATION; /* no check may pass on a program that crashed */
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
    es_link_free(s.link);
    es_transport_close(s.transport);
    if (s.sim)
        es_sim_free(s.sim);
    if (s.built)
        es_image_free(&s.image);
    free(s.summary.statement_hits);
    free(s.totals);
    free(s.summary.counters);
    if (s.parsed)
        es_program_free(&s.program);
    es_symbols_close(s.symbols);
    return code;
}
