/* earshot net calibrate */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "cli/net/private.h"
#include "multi/calibration_run.h"
#include "symbols/code.h"

static const char usage[] =
    "usage: earshot net calibrate PROGRAM.elf [OPTION]...\n\n"
    "Measures on the simulated target what each mark of a program costs by itself: every mark's code back to back, "
    "without\n"
    "anything between, so that its stores are its own delay apart; held against the fetches of its instructions.\n\n"
    "  -o, --output FILE   write the costs as JSON Lines, for `earshot net from-program --calibration`\n"
    "  -j, --json          write them to stdout so\n"
    "      --help          this text\n";

static void add_json(es_text_buffer *out, const es_net_cost *cost, uint32_t instructions, uint32_t runs,
                     const char *source)
{
    es_json j = {.out = out};
    es_json_begin(&j, '{');
    es_json_key(&j, "event");
    es_json_string(&j, "cost");
    const struct {
        const char *key;
        int64_t value;
    } members[] = {{"site", cost->site}, {"id", cost->id},       {"delay", cost->delay},         {"least", cost->least},
                   {"most", cost->most}, {"after", cost->after}, {"instructions", instructions}, {"measured", runs}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        es_json_key(&j, members[i].key);
        es_json_int(&j, members[i].value);
    }
    es_json_key(&j, "source");
    es_json_string(&j, source);
    es_json_end(&j, '}');
    es_text_add(out, "\n", 1);
}

static void add_text(es_text_buffer *out, const es_net_cost *cost, uint32_t instructions, const char *source)
{
    es_text_format(out, "%5u %4u %13u %6" PRId64, (unsigned)cost->site, (unsigned)cost->id, (unsigned)instructions,
                   cost->delay);
    if (cost->least != cost->most)
        es_text_format(out, " (%" PRId64 " to %" PRId64 ")", cost->least, cost->most);
    es_text_format(out, "  %s\n", source ? source : "");
}

static uint32_t instructions_of(const es_symbols *symbols, const es_net_mark_place *place)
{
    uint32_t count = 0;
    es_insn insn;
    for (uint32_t at = place->begin; at < place->end && es_symbols_insn(symbols, at, &insn); at += insn.size)
        count++;
    return count;
}

static void report(const es_calibration *c, const es_symbols *symbols, bool json, es_text_buffer *out)
{
    int64_t least = INT64_MAX, most = 0;
    if (!json)
        es_text_format(out, " site   id  instructions clocks  place\n");
    for (size_t i = 0; i < c->count; i++) {
        const es_net_cost *cost = &c->costs[i];
        uint32_t instructions = instructions_of(symbols, &c->places[i]);
        const char *file;
        unsigned line;
        es_text_buffer source = {0};
        if (es_symbols_line(symbols, c->places[i].begin, &file, &line))
            es_text_format(&source, "%s:%u", file, line);
        if (json)
            add_json(out, cost, instructions, ES_CALIBRATION_RUNS, source.text);
        else
            add_text(out, cost, instructions, source.text);
        es_text_free(&source);
        least = cost->least < least ? cost->least : least;
        most = cost->most > most ? cost->most : most;
    }
    if (!json && least == most)
        es_text_format(out, "%zu %s, each measured %u times: all take %" PRId64 " %s\n", c->count,
                       es_plural(c->count, "mark", "marks"), ES_CALIBRATION_RUNS, most,
                       es_plural((uint64_t)most, "clock", "clocks"));
    else if (!json)
        es_text_format(out, "%zu %s, each measured %u times: %" PRId64 " to %" PRId64 " clocks\n", c->count,
                       es_plural(c->count, "mark", "marks"), ES_CALIBRATION_RUNS, least, most);
}

static bool calibrate(const char *path, const char *output, bool json, es_error *err)
{
    es_calibration calibration = {0};
    es_symbols *symbols = es_symbols_open(path, err);
    es_text_buffer text = {0};
    bool good = symbols && es_calibrate(&calibration, path, err);
    if (good) {
        report(&calibration, symbols, json, &text);
        fwrite(text.text, 1, text.length, stdout);
    }
    if (good && output) {
        es_text_clear(&text);
        report(&calibration, symbols, true, &text);
        good = es_cli_write_out(&text, output, err);
    }
    es_text_free(&text);
    es_calibration_free(&calibration);
    es_symbols_close(symbols);
    return good;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static char name[] = "earshot net calibrate";
    es_error err = {0};
    const char *output = NULL;
    bool json = false;
    argv[0] = name;
    for (int option; (option = getopt_long(argc, argv, "o:j", options, NULL)) != -1;) {
        switch (option) {
        case 'o': output = optarg; break;
        case 'j': json = true; break;
        case 'h': fputs(usage, stdout); return ES_OK;
        default: es_fail(&err, ES_USAGE, "see `earshot net calibrate --help`"); return es_cli_fail(&err);
        }
    }
    const char *path = es_net_operand(argc, argv, "which program? earshot net calibrate PROGRAM.elf -o FILE", &err);
    return path && calibrate(path, output, json, &err) ? ES_OK : es_cli_fail(&err);
}

const es_command es_net_command_calibrate = {"calibrate", "measures what each mark of a program costs", usage, run};
