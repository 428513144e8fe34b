/* bound PROGRAM.elf RATIO FILE.watch: what `earshot check` promises of a run, and what then happens in one, as a line of JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "byte_port.h"
#include "check/check.h"
#include "probe/boot.h"
#include "probe_defs.h"
#include "sim.h"

enum { EVENT_WORDS = 2048, STEP = 2000 };

typedef struct heard {
    bool hello, done;
    uint32_t lost, dropped;
    uint64_t hits;
} heard;

static void on_event(void *context, const es_event *event)
{
    heard *h = context;
    if (event->kind == ES_EVENT_HELLO)
        h->hello = true;
    h->hits += event->kind == ES_EVENT_HIT;
    if (event->kind == ES_EVENT_DONE && event->word_count >= 2) {
        h->lost = event->words[0];
        h->dropped = event->words[1];
        h->done = true;
    }
}

static _Noreturn void fail(const es_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    exit(2);
}

static void pump(es_sim *sim, es_link *link, es_error *err)
{
    while (!es_sim_idle(sim)) {
        es_sim_step(sim, STEP, 0);
        while (es_link_pump(link, 0, err) == 1)
            ;
    }
}

int main(int argc, char **argv)
{
    es_error err = { 0 };
    es_text_buffer text = { 0 };
    if (argc != 4) {
        fprintf(stderr, "usage: bound PROGRAM.elf RATIO FILE.watch\n");
        return 2;
    }
    unsigned ratio = (unsigned)strtoul(argv[2], NULL, 10);
    es_symbols *symbols = es_symbols_open(argv[1], &err);
    es_program program;
    if (!symbols || !es_text_read_file(&text, argv[3], 1 << 20, &err))
        fail(&err);
    es_text source = { argv[3], text.text };
    if (!es_program_parse(symbols, &source, 1, &program, &err))
        fail(&err);
    es_sim_config config = { .world = ES_SIM_BYTES, .ratio = ratio, .seed = 1 };
    es_sim *sim = es_sim_new(&config, &err);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; sim && i < count; i++)
        if (!es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size))
            return 2;
    heard h = { 0 };
    es_transport *transport = es_transport_sim(sim);
    es_link *link = es_link_new(transport, on_event, &h);
    es_probe_info info;
    es_image image;
    size_t phantom;
    if (!sim || !es_probe_info_read(link, &info, &err))
        fail(&err);
    es_probe_limits limits = es_probe_info_limits(&info);
    limits.bus_hz = ES_SIM_BUS_HZ;
    if (!es_image_build(symbols, &program, &limits, &image, &err))
        fail(&err);

    check_options options = { .ratio = { (int64_t)ratio, 1 }, .fifo = info.fifo_depth, .event_words = EVENT_WORDS,
                              .words_per_clock = 0.2 };
    check_report report;
    if (!check_run(symbols, &program, &image, &limits, &options, &report, &err))
        fail(&err);

    if (!es_probe_boot(link, &info, &image, symbols, &phantom, &err))
        fail(&err);
    pump(sim, link, &err);
    es_sim_start_target(sim);
    enum es_sim_state state = ES_SIM_RUNNING;
    while (state == ES_SIM_RUNNING) {
        state = es_sim_step(sim, STEP, 256);
        while (es_link_pump(link, 0, &err) == 1)
            ;
    }
    pump(sim, link, &err);
    uint32_t fifo_max = 0, mail = ES_MAIL_FLUSH;
    if (!es_link_read(link, ES_REG_BASE + ES_REG_FIFO_MAX, &fifo_max, 1, &err) ||
        !es_link_write(link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, &err))
        fail(&err);
    for (int i = 0; i < 1000 && !h.done; i++)
        es_link_pump(link, 10, &err);
    printf("{\"guaranteed\":%s,\"place\":%s,\"fifo_needed\":%u,\"fifo_max\":%u,\"lost\":%u,\"dropped\":%u,\"hits\":%llu,"
           "\"bounded\":%s,\"exited\":%s,\"done\":%s}\n",
           report.guaranteed ? "true" : "false", report.place ? "true" : "false", (unsigned)report.fifo_needed,
           (unsigned)fifo_max, (unsigned)h.lost, (unsigned)h.dropped, (unsigned long long)h.hits,
           report.fifo_needed ? "true" : "false", state == ES_SIM_EXITED ? "true" : "false", h.done ? "true" : "false");
    check_report_free(&report);
    es_image_free(&image);
    es_link_free(link);
    es_transport_close(transport);
    es_sim_free(sim);
    es_program_free(&program);
    es_text_free(&text);
    es_symbols_close(symbols);
    return 0;
}
