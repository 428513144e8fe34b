#include "cli/net/mark_source.h"

#include <stdlib.h>
#include <string.h>

#include "access/fit.h"
#include "base/arena.h"
#include "cli/signals.h"
#include "image/image.h"
#include "multi/calibration_run.h"
#include "multi/multi_port.h"
#include "net/marks/table.h"
#include "probe/boot.h"

#define HELLO_MS 2000
#define CLOSING_MS 3000
#define PUMP_MS 50
#define TAP_DELAY \
    1200u /* clocks in which an elastic probe has surely told what its taps saw (sim/multi/marks_probe.cpp) */

/* One ELF file: its table of marks, by the address of the store, which is each mark's last instruction. */
typedef struct table {
    es_net_mark_place *places;
    size_t count;
    uint32_t *order; /* sites by `end` */
    es_calibration measured;
    const es_net_cost *costs;
    size_t cost_count;
} table;

struct es_mark_source {
    es_mark_source_options options;
    table tables[ES_MULTI_CORES];
    es_recorder *recorder;   /* SIM */
    es_transport *transport; /* all but `taps` */
    es_link *link;           /* all but FILE and `taps` */
    es_decoder *decoder;     /* FILE */
    es_symbols *symbols;
    es_image image;
    bool built, hello, done, faulted, exited, lost;
    uint32_t checksum, fault, fault_detail;
    uint64_t seen, clocks;
    bool failed;
    es_error err; /* of what came */
};

/* --- what comes ----------------------------------------------------------------------------------------- */

static void fail(es_mark_source *s, const es_error *err)
{
    if (!s->failed)
        s->err = *err;
    s->failed = true;
}

static unsigned cores_of(const es_mark_source *s)
{
    return (1u << s->options.target.cores) - 1;
}

static void tell_gap(es_mark_source *s, uint64_t lost, uint64_t first, uint64_t last, unsigned cores, const char *where)
{
    cores &= cores_of(s);
    es_mark_gap gap = {lost, (int64_t)first, last == ES_TIME_UNKNOWN ? INT64_MAX : (int64_t)last,
                       cores ? cores : cores_of(s), where};
    s->lost = true;
    if (s->options.on_gap)
        s->options.on_gap(s->options.target.context, &gap);
}

static void take_gap(es_mark_source *s, const es_event *event)
{
    bool bus = event->lost_what == ES_GAP_BUS, events = event->lost_what == ES_GAP_EVENTS;
    tell_gap(s, event->lost, event->time, event->time_last, event->lost_cores,
             bus      ? "bus"
             : events ? "events"
                      : "link");
}

/* The site of the mark whose store is at pc, or SIZE_MAX. */
static size_t site_at(const table *t, uint32_t pc)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->places[t->order[middle]].end < pc + 4)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->count && t->places[t->order[low]].end == pc + 4 ? t->order[low] : SIZE_MAX;
}

/* The mark's delay, which is seen where its store is all of it; -1 when it is not known. */
static int64_t delay_of(const table *t, size_t site, uint32_t fetched)
{
    if (t->places[site].end - t->places[site].begin == 4)
        return fetched == UINT32_MAX >> ES_MARKED_FETCH_SHIFT ? -1 : (int64_t)fetched;
    const es_net_cost *cost = es_net_cost_of(t->costs, t->cost_count, (uint32_t)site);
    return cost ? cost->delay : -1;
}

static void take_mark(es_mark_source *s, const es_event *event)
{
    es_error err = {0};
    const es_recorder_options *target = &s->options.target;
    if (event->core >= target->cores) {
        es_fail(&err, ES_USAGE, "a mark of core %u came, but --cores says %u", event->core, target->cores);
        fail(s, &err);
        return;
    }
    s->seen = event->time;
    if (event->pc == ES_HIT_NOWHERE) { /* it is half lost */
        tell_gap(s, 1, event->time, event->time, 1u << event->core, "end");
        return;
    }
    const table *t = &s->tables[target->count == 1 ? 0 : event->core];
    size_t site = site_at(t, event->pc);
    if (site == SIZE_MAX || t->places[site].id != event->id) {
        es_fail(&err, ES_PROBE,
                "core %u stored to the marker window at 0x%08x, time %llu, word %u: that is no mark of %s. Is it the "
                "program that the target runs?",
                event->core, (unsigned)event->pc, (unsigned long long)event->time, (unsigned)event->id,
                target->programs[target->count == 1 ? 0 : event->core]);
        fail(s, &err);
        return;
    }
    uint32_t since_store = event->counts >> ES_MARKED_STORE_SHIFT & 31,
             since_fetch = event->counts >> ES_MARKED_FETCH_SHIFT;
    es_net_mark mark = {(int64_t)event->time, delay_of(t, site, since_fetch), event->core, event->id, event->value,
                        (uint32_t)site};
    if (target->on_store && since_store && since_store < 31) {
        mark.time -= since_store;
        mark.delay = 0;
        target->on_store(target->context, &mark);
    } else if (target->on_mark && since_fetch && mark.delay >= 0) {
        target->on_mark(target->context, &mark);
    } else if (target->on_mark || target->on_store) {
        tell_gap(s, 1, event->time, event->time, 1u << event->core, "end");
    }
}

static void on_event(void *context, const es_event *event)
{
    es_mark_source *s = context;
    if (s->failed)
        return;
    switch (event->kind) {
    case ES_EVENT_HELLO:
        s->hello = true;
        s->checksum = event->word_count > 1 ? event->words[1] : 0;
        break;
    case ES_EVENT_MARK: take_mark(s, event); break;
    case ES_EVENT_GAP: take_gap(s, event); break;
    case ES_EVENT_DONE: s->done = true; break;
    case ES_EVENT_FAULT:
        s->faulted = true;
        s->fault = event->word_count ? event->words[0] : 0;
        s->fault_detail = event->word_count > 1 ? event->words[1] : 0;
        break;
    default: break;
    }
}

/* --- opening -------------------------------------------------------------------------------------------- */

static int by_end(const void *left, const void *right, void *context)
{
    const table *t = context;
    uint32_t a = t->places[*(const uint32_t *)left].end, b = t->places[*(const uint32_t *)right].end;
    return (a > b) - (a < b);
}

static bool read_table(es_mark_source *s, size_t index, es_error *err)
{
    table *t = &s->tables[index];
    const char *path = s->options.target.programs[index];
    t->places = es_net_mark_table(path, &t->count, err);
    if (!t->places)
        return false;
    t->order = es_malloc((t->count + 1) * sizeof *t->order);
    bool longer = false;
    for (size_t i = 0; i < t->count; i++) {
        t->order[i] = (uint32_t)i;
        longer = longer || t->places[i].end - t->places[i].begin > 4;
    }
    qsort_r(t->order, t->count, sizeof *t->order, by_end, t);
    t->costs = s->options.costs;
    t->cost_count = s->options.cost_count;
    if (!longer || t->costs)
        return true;
    if (s->options.probe != ES_PROBE_SIM)
        return es_fail(err, ES_USAGE,
                       "%s: has marks of several instructions, of which a probe sees the last one only: give what they "
                       "cost with --calibration (earshot net calibrate)",
                       path);
    if (!es_calibrate(&t->measured, path, err))
        return false;
    t->costs = t->measured.costs;
    t->cost_count = t->measured.count;
    return true;
}

static bool open_transport(es_mark_source *s, es_error *err)
{
    const es_mark_source_options *o = &s->options;
    s->transport = o->probe == ES_PROBE_SIM ? es_transport_multi(es_recorder_target(s->recorder))
                                            : es_choice_open(&(es_probe_choice){o->probe, o->probe_name, o->baud}, err);
    if (!s->transport || !o->record)
        return s->transport != NULL;
    es_transport *recording = es_transport_record(s->transport, o->record, err);
    s->transport = recording ? recording : s->transport;
    return recording != NULL;
}

static bool check_fault(const es_mark_source *s, es_error *err)
{
    return !s->faulted || es_fail(err, ES_PROBE, "the probe's firmware stopped: fault %u (0x%08x)", (unsigned)s->fault,
                                  (unsigned)s->fault_detail);
}

static bool wait_for(es_mark_source *s, const bool *flag, int ms, es_error *err)
{
    for (int waited = 0; !*flag && !s->faulted && waited < ms;) {
        int got = es_link_pump(s->link, 10, err);
        if (got < 0)
            return got == -2 ? es_fail(err, ES_PROBE, "the connection to the probe ended") : false;
        waited += got ? 0 : 10;
    }
    return check_fault(s, err);
}

/* The probe's firmware with an image in which nothing is armed: marks need none. */
static bool start_probe(es_mark_source *s, es_error *err)
{
    es_probe_info info;
    size_t phantom_bytes;
    es_program nothing = {0};
    s->link = es_link_new(s->transport, on_event, s);
    if (!s->link)
        return es_fail(err, ES_PROBE, "out of memory");
    s->symbols = es_symbols_open(s->options.target.programs[0], err);
    if (!s->symbols || !es_probe_info_read(s->link, &info, err))
        return false;
    unsigned taps = info.config >> 20 & 15;
    if (!(info.config & ES_CONFIG_MARKS))
        return es_fail(
            err, ES_PROBE,
            "this probe does not recognise marks: its bitstream has no es_tap_mark (docs/marks.md, \"From tap "
            "to host\")");
    if (es_symbols_compressed(s->symbols) && !(info.config & ES_CONFIG_COMPRESSED))
        return es_fail(err, ES_USAGE,
                       "%s: has compressed instructions, and this probe is built for instructions of four bytes: "
                       "compile it without C (-march=rv32i), or build the probe with es_probe's parameter COMPRESSED",
                       s->options.target.programs[0]);
    if (s->options.target.cores > taps)
        return es_fail(err, ES_USAGE, "the probe has %u %s, but --cores says %u", taps, es_plural(taps, "tap", "taps"),
                       s->options.target.cores);
    es_probe_limits limits = es_probe_info_limits(&info);
    s->built = es_image_build(s->symbols, &nothing, &limits, &s->image, err);
    if (!s->built || !es_probe_boot(s->link, &info, &s->image, s->symbols, &phantom_bytes, err) ||
        !wait_for(s, &s->hello, HELLO_MS, err))
        return false;
    if (!s->hello)
        return es_fail(err, ES_PROBE,
                       "the probe's firmware does not answer; does its bitstream belong to this earshot?");
    return s->checksum == s->image.checksum ||
           es_fail(err, ES_PROBE, "the firmware reports another image than was loaded");
}

static bool check_program(const char *path, es_error *err)
{
    es_symbols *symbols = es_symbols_open(path, err);
    bool good = symbols && es_fit_instructions(symbols, path, err);
    es_symbols_close(symbols);
    return good;
}

static bool open_source(es_mark_source *s, es_error *err)
{
    const es_recorder_options *target = &s->options.target;
    bool good = target->count == 1 || target->count == target->cores ||
                es_fail(err, ES_USAGE, "%zu programs for %u cores: give one for all, or one for each", target->count,
                        target->cores);
    for (size_t i = 0; good && s->options.probe == ES_PROBE_SIM && i < target->count; i++)
        good = check_program(target->programs[i], err);
    for (size_t i = 0; good && !s->options.taps && i < target->count; i++)
        good = read_table(s, i, err);
    if (good && s->options.probe == ES_PROBE_SIM) {
        es_recorder_options options = *target;
        if (!s->options.taps) {
            options.on_mark = options.on_store = NULL;
            options.probe = true;
            options.ratio = s->options.ratio;
        }
        s->recorder = es_recorder_new(&options, err);
        good = s->recorder != NULL;
    }
    if (!good || s->options.taps)
        return good;
    if (!open_transport(s, err))
        return false;
    if (s->options.probe != ES_PROBE_FILE) {
        es_cli_catch_signals();
        return start_probe(s, err);
    }
    s->decoder = es_decoder_new(on_event, s);
    return s->decoder || es_fail(err, ES_PROBE, "out of memory");
}

es_mark_source *es_mark_source_open(const es_mark_source_options *options, es_error *err)
{
    es_mark_source *s = es_malloc(sizeof *s);
    memset(s, 0, sizeof *s);
    s->options = *options;
    if (open_source(s, err))
        return s;
    es_mark_source_close(s);
    return NULL;
}

void es_mark_source_close(es_mark_source *s)
{
    if (!s)
        return;
    es_link_free(s->link);
    es_decoder_free(s->decoder);
    es_transport_close(s->transport);
    es_recorder_free(s->recorder);
    if (s->built)
        es_image_free(&s->image);
    es_symbols_close(s->symbols);
    for (size_t i = 0; i < ES_MULTI_CORES; i++) {
        free(s->tables[i].places);
        free(s->tables[i].order);
        es_calibration_free(&s->tables[i].measured);
    }
    free(s);
}

/* --- running -------------------------------------------------------------------------------------------- */

static bool settle(const es_mark_source *s, es_error *err)
{
    if (s->failed)
        *err = s->err;
    return !s->failed && check_fault(s, err);
}

/* Takes all that has arrived. */
static bool take_arrived(es_mark_source *s, es_error *err)
{
    int got;
    do
        got = es_link_pump(s->link, 0, err);
    while (got > 0 && !s->failed);
    return (got >= 0 || got == -2) && settle(s, err);
}

static bool run_target(es_mark_source *s, uint64_t clocks, bool *ended, es_error *err)
{
    es_error own = {0};
    bool good = es_recorder_run(s->recorder, clocks, ended, &own);
    s->clocks = es_recorder_clocks(s->recorder);
    if (s->options.taps) {
        s->seen = s->clocks + *ended;
        s->exited = good && *ended;
        if (!good)
            *err = own;
        return good;
    }
    if (!take_arrived(s, err))
        return false;
    if (s->options.ratio == 0 && s->clocks > TAP_DELAY && s->seen < s->clocks - TAP_DELAY)
        s->seen = s->clocks - TAP_DELAY;
    s->exited = good && *ended;
    if (!good || *ended)
        es_mark_source_finish(s, good ? err : &own);
    if (!good)
        *err = own;
    return good && settle(s, err);
}

static bool run_file(es_mark_source *s, bool *ended, es_error *err)
{
    uint8_t bytes[4096];
    ssize_t got = es_transport_read(s->transport, bytes, sizeof bytes, 0, err);
    if (got == -1)
        return false;
    if (got > 0)
        es_decoder_push(s->decoder, bytes, (size_t)got);
    *ended = got <= 0;
    if (*ended)
        es_decoder_finish(s->decoder);
    s->clocks = s->seen;
    if (*ended && !s->hello)
        return es_fail(err, ES_USAGE, "%s: is not a recording of a probe: no firmware reports in it",
                       s->options.probe_name);
    return settle(s, err);
}

bool es_mark_source_run(es_mark_source *s, uint64_t clocks, bool *ended, es_error *err)
{
    *ended = false;
    if (s->options.probe == ES_PROBE_SIM)
        return run_target(s, clocks, ended, err);
    if (s->options.probe == ES_PROBE_FILE)
        return run_file(s, ended, err);
    int got = es_link_pump(s->link, PUMP_MS, err);
    s->clocks = s->seen;
    *ended = es_cli_stop_asked() || s->done;
    if (got == -2)
        return es_fail(err, ES_PROBE, "the connection to the probe ended");
    return got >= 0 && settle(s, err);
}

bool es_mark_source_finish(es_mark_source *s, es_error *err)
{
    uint32_t mail = ES_MAIL_FLUSH;
    if (s->recorder && s->options.taps)
        es_recorder_flush(s->recorder);
    if (!s->link || s->done)
        return settle(s, err);
    bool good = es_link_write(s->link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err) &&
                wait_for(s, &s->done, CLOSING_MS, err) && take_arrived(s, err);
    if (good && !s->done)
        good = es_fail(err, ES_PROBE, "the probe did not confirm that it sent all marks");
    if (good && s->exited)
        s->seen = s->clocks + 1;
    return good;
}

uint64_t es_mark_source_clocks(const es_mark_source *s)
{
    return s->clocks;
}

uint64_t es_mark_source_seen(const es_mark_source *s)
{
    return s->seen;
}

bool es_mark_source_complete(const es_mark_source *s)
{
    return s->exited && !s->lost;
}
