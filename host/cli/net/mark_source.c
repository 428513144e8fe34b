/* Opens and closes a source of marks. */
#include "cli/net/mark_source_inside.h"

#include <stdlib.h>
#include <string.h>

#include "access/fit.h"
#include "base/arena.h"
#include "cli/signals.h"
#include "image/image.h"
#include "multi/multi_port.h"
#include "net/program/table.h"
#include "probe/boot.h"

#define HELLO_MS 2000

static int by_end(const void *left, const void *right, void *context)
{
    const mark_table *t = context;
    uint32_t a = t->places[*(const uint32_t *)left].end, b = t->places[*(const uint32_t *)right].end;
    return (a > b) - (a < b);
}

static bool read_table(es_mark_source *s, size_t index, es_error *err)
{
    mark_table *t = &s->tables[index];
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

/* The probe's firmware with an image in which nothing is armed: marks need none. */
static bool start_probe(es_mark_source *s, es_error *err)
{
    es_probe_info info;
    size_t phantom_bytes;
    es_program nothing = {0};
    s->link = es_link_new(s->transport, es_mark_source_take, s);
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
        !es_mark_source_wait_for(s, &s->hello, HELLO_MS, err))
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
    s->decoder = es_decoder_new(es_mark_source_take, s);
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
