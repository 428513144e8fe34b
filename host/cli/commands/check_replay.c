#include "cli/commands/check_replay.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "check/recorder.h"
#include "replay/recorder.h"

static void print_text(const es_check_recorder_report *r, const es_check_recorder_options *o)
{
    printf("  inputs    %zu %s may read from devices, %zu read counters of their own\n", r->inputs,
           es_plural(r->inputs, "instruction", "instructions"), r->clocks);
    if (r->bytes >= 0 && r->records)
        printf("  buffer    at most %.0f of %" PRIu32 " bytes wait for the link%s%s\n"
               "  FIFO      at most %" PRIu32 " of %" PRIu32 " records\n",
               r->bytes, o->buffer, r->bytes_place ? ", after " : "", r->bytes_place ? r->bytes_place : "", r->records,
               o->fifo);
    if (r->guaranteed) {
        printf("\nguaranteed: the replay sees the whole run, whatever the program does, as long as %s\n", r->condition);
        return;
    }
    printf("\nnot guaranteed: %s\n", r->why);
    if (r->place)
        printf("  at      %s\n", r->place);
    if (r->advice)
        printf("  advice  %s\n", r->advice);
}

static void print_json(const es_check_recorder_report *r, const es_check_recorder_options *o)
{
    es_text_buffer text = {0};
    es_json json = {.out = &text};
    es_json_begin(&json, '{');
    es_json_put_bool(&json, "guaranteed", r->guaranteed);
    es_json_put_string(&json, "condition", r->condition);
    es_json_put_string(&json, "why", r->why);
    es_json_put_string(&json, "place", r->place);
    es_json_put_string(&json, "advice", r->advice);
    es_json_put_uint(&json, "inputs", r->inputs);
    es_json_put_uint(&json, "clocks", r->clocks);
    if (r->bytes >= 0)
        es_json_put_uint(&json, "bytes_needed", (uint64_t)(r->bytes + 0.5));
    es_json_put_uint(&json, "bytes", o->buffer);
    es_json_put_uint(&json, "fifo_needed", r->records);
    es_json_put_uint(&json, "fifo", o->fifo);
    es_json_end(&json, '}');
    puts(text.text);
    es_text_free(&text);
}

bool es_check_replay(const char *program, const es_probe_limits *limits, const es_check_options *options, bool json,
                     bool *guaranteed, es_error *err)
{
    es_symbols *symbols = es_symbols_open(program, err);
    if (!symbols)
        return false;
    const es_check_recorder_options recorder = {.memory_base = limits->window_base,
                                                .memory_size = limits->window_size,
                                                .devices_inside = options->window_is_all,
                                                .ratio = options->ratio,
                                                .bytes_per_clock = 4 * options->words_per_clock,
                                                .buffer = options->recorder_bytes,
                                                .fifo = options->fifo,
                                                .period = ES_RECORDER_PERIOD,
                                                .interrupt_gap = options->interrupt_gap,
                                                .levels = options->levels,
                                                .nest = options->nest,
                                                .wait = options->wait,
                                                .instruction = options->instruction};
    es_check_recorder_report report;
    es_check_recorder(symbols, &recorder, &report);
    if (json)
        print_json(&report, &recorder);
    else
        print_text(&report, &recorder);
    *guaranteed = report.guaranteed;
    es_check_recorder_report_free(&report);
    es_symbols_close(symbols);
    return true;
}
