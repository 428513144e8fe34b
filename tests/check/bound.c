/* bound PROGRAM.elf FILE.watch RATIO:DEPTH,DEPTH...: what happens in a run with each ratio, and what `earshot check`
 * promises of it, with a FIFO of each of the depths; as a line of JSON. Once nothing is known of the program, once how
 * deep its calls nest and how rare its interrupts are. Exit status 3: the statements are refused; without a ratio that
 * is all that is found out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "byte_port.h"
#include "check/boards.h"
#include "check/firmware/service.h"
#include "driven.h"
#include "observed.h"
#include "probe/boot.h"
#include "probe_defs.h"

#include <image.h>

enum { STEP = 2000, REFUSED = 3 /* exit status: statements that are refused */ };

typedef struct heard {
    bool hello, done;
    uint32_t lost, dropped;
    uint64_t hits;
} heard;

typedef struct run {
    es_symbols *symbols;
    es_program program;
    es_image image;
    es_probe_info info;
    es_probe_limits limits;
    observed *seen;
    driven *driven;
    size_t steps; /* of a walk */
    unsigned ratio;
    uint32_t fifo_max;
    bool exited;
    es_check_service *service; /* what is known of the costs of an image: */
    es_image service_image;
    es_arena *arena;
} run;

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

static _Noreturn void end(const es_error *err, int status)
{
    fprintf(stderr, "%s\n", err->text);
    exit(status);
}

static _Noreturn void fail(const es_error *err)
{
    end(err, 2);
}

static void pump(es_sim *sim, es_link *link, es_error *err)
{
    while (!es_sim_idle(sim)) {
        es_sim_step(sim, STEP, 0);
        while (es_link_pump(link, 0, err) == 1)
            ;
    }
}

/* What is said of the simulated probe is what its registers say. */
static void compare_board(const es_probe_info *info)
{
    const es_check_board *board = es_check_board_named("sim");
    if (info->fifo_depth == board->options.fifo && info->window_base == board->limits.window_base &&
        info->window_size == board->limits.window_size &&
        INT64_C(1) << (info->config >> 24) == board->options.epoch_gap)
        return;
    fprintf(stderr, "host/check/boards.c says of the simulated probe what it is not\n");
    exit(2);
}

/* The image, for what the probe says of itself. */
static void build(run *r, es_link *link, es_error *err)
{
    if (!es_probe_info_read(link, &r->info, err))
        fail(err);
    compare_board(&r->info);
    r->limits = es_probe_info_limits(&r->info);
    r->limits.bus_hz = ES_SIM_BUS_HZ;
    if (!es_image_build(r->symbols, &r->program, &r->limits, &r->image, err))
        end(err, REFUSED);
}

/* What costs are found of one image holds for each like it. */
static void share_costs(run *r)
{
    const es_image *known = &r->service_image;
    if (r->service && known->size == r->image.size && memcmp(known->bytes, r->image.bytes, known->size) == 0)
        return;
    if (r->service) { /* another one */
        es_image_free(&r->service_image);
        es_arena_free(r->arena);
        r->arena = es_arena_new();
    }
    r->service_image = r->image;
    r->service = es_check_service_new(r->arena, &r->service_image, es_symbols_isa(r->symbols));
}

static void watch(run *r, es_sim *sim, es_link *link, heard *h, es_error *err)
{
    size_t phantom;
    if (!es_probe_boot(link, &r->info, &r->image, r->symbols, &phantom, err))
        fail(err);
    pump(sim, link, err);
    es_sim_start_target(sim);
    enum es_sim_state state = ES_SIM_RUNNING;
    while (state == ES_SIM_RUNNING) {
        state = es_sim_step(sim, STEP, 256);
        while (es_link_pump(link, 0, err) == 1)
            ;
    }
    r->exited = state == ES_SIM_EXITED;
    pump(sim, link, err);
    uint32_t mail = ES_MAIL_FLUSH;
    if (!es_link_read(link, ES_REG_BASE + ES_REG_FIFO_MAX, &r->fifo_max, 1, err) ||
        !es_link_write(link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err))
        fail(err);
    for (int i = 0; i < 1000 && !h->done; i++)
        es_link_pump(link, 10, err);
}

static const char *truth(bool holds)
{
    return holds ? "true" : "false";
}

/* The event of the report that a hit is. NULL: none. */
static const es_check_event *event_of(const es_check_report *report, uint8_t kind, bool part, uint32_t address)
{
    const es_check_event *moving = NULL;
    for (const es_check_event *e = report->events; e < report->events + report->event_count; e++) {
        bool write = e->kind == (part ? ES_CHECK_WRITE_PART : ES_CHECK_WRITE);
        if (!e->address && (kind == ES_KIND_WRITE ? write : kind == ES_KIND_READ && e->kind == ES_CHECK_READ))
            moving = e; /* of any word */
        bool same = kind == ES_KIND_MARK    ? e->kind == ES_CHECK_EPOCH
                    : kind == ES_KIND_WRITE ? write
                    : kind == ES_KIND_READ  ? e->kind == ES_CHECK_READ
                                            : e->kind >= ES_CHECK_CALL && e->kind <= ES_CHECK_OTHER;
        if (same && e->address == address)
            return e;
    }
    return moving;
}

/* Worst cases: said, seen in the run, seen on the model; 0: it did not happen. */
static void print_clocks(const run *r, const es_check_report *report, uint32_t nest)
{
    uint32_t(*seen)[2] = es_malloc((report->event_count + 1) * sizeof *seen);
    const driven_hit *walked;
    driven_hit *said = es_malloc((report->event_count + 1) * sizeof *said);
    for (size_t i = 0; i < report->event_count; i++) {
        const es_check_event *e = &report->events[i];
        uint8_t kind = e->kind == ES_CHECK_EPOCH        ? ES_KIND_MARK
                       : e->kind == ES_CHECK_READ       ? ES_KIND_READ
                       : e->kind <= ES_CHECK_WRITE_PART ? ES_KIND_WRITE
                                                        : ES_KIND_FETCH;
        said[i] = (driven_hit){kind, e->kind == ES_CHECK_WRITE_PART, e->address, e->clocks};
    }
    driven_expect(r->driven, said, report->event_count);
    const char *why = r->program.task ? "walks know no tasks" : driven_walk(r->driven, r->ratio, r->steps, nest);
    size_t count = r->program.task ? 0 : driven_hits(r->driven, &walked), strange = 0;
    bool any = false;
    memset(seen, 0, (report->event_count + 1) * sizeof *seen);
    for (size_t i = 0; i < r->seen->hit_count + count; i++) {
        bool own = i < r->seen->hit_count;
        driven_hit hit = own ? (driven_hit){r->seen->hits[i].kind, r->seen->hits[i].part, r->seen->hits[i].address,
                                            r->seen->hits[i].clocks}
                             : walked[i - r->seen->hit_count];
        const es_check_event *e = event_of(report, hit.kind, hit.part, hit.address);
        if (!e) {
            strange++;
            continue;
        }
        uint32_t *most = &seen[e - report->events][!own];
        *most = hit.clocks > *most ? hit.clocks : *most;
    }
    printf(",\"strange\":%zu,\"model\":%s%s%s,\"clocks\":[", strange, why ? "\"" : "", why ? why : "null",
           why ? "\"" : "");
    for (size_t i = 0; i < report->event_count; i++) {
        const es_check_event *e = &report->events[i];
        printf("%s[%u,%u,%u,\"%s\",\"0x%08x ", any ? "," : "", (unsigned)e->clocks, (unsigned)seen[i][0],
               (unsigned)seen[i][1], e->sort, (unsigned)e->address);
        for (const char *at = e->what; *at; at++)
            printf(*at == '\\' || *at == '"' ? "\\%c" : "%c", *at);
        printf("\"]");
        any = true;
    }
    printf("],\"pass\":[%u,%u]", (unsigned)report->idle, r->program.task ? 0 : (unsigned)driven_pass(r->driven));
    driven_expect(r->driven, NULL, 0);
    free(said);
    free(seen);
}

static void promise(const run *r, uint32_t depth, bool facts, bool first)
{
    es_error err = {0};
    es_check_options options = es_check_board_named("sim")->options;
    options.ratio = (es_check_ratio){(int64_t)r->ratio, 1};
    options.fifo = depth;
    options.service = r->service;
    if (facts) {
        options.nest = r->seen->nest;
        options.levels = r->seen->levels;
        options.interrupt_gap = r->seen->interrupt_gap;
        options.tasks = r->program.task ? r->seen->begun + 1 : 0;
    }
    es_check_report report;
    if (!es_check_run(r->symbols, &r->program, &r->image, &r->limits, &options, &report, &err))
        fail(&err);
    printf("%s{\"judged\":%s,\"depth\":%u,\"facts\":%s,\"guaranteed\":%s,\"place\":%s,\"bounded\":%s,\"fifo_needed\":%"
           "u,\"backlog\":%.0f,\"mail\":%.0f",
           first ? "" : ",", truth(report.event_count), (unsigned)depth, truth(facts), truth(report.guaranteed),
           truth(report.place != NULL), truth(report.fifo_needed), (unsigned)report.fifo_needed, report.backlog,
           report.fifo_needed ? report.mail : -1);
    print_clocks(r, &report, options.nest && options.nest < ES_MI_STACK_DEPTH ? options.nest : ES_MI_STACK_DEPTH);
    printf("}");
    es_check_report_free(&report);
}

/* The probe that listens to the program, as it is before it starts. */
static void set_up(run *r, const es_sim_config *config, es_sim **sim, es_error *err)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(r->symbols, &segments);
    *sim = es_sim_new(config, err);
    if (!*sim)
        fail(err);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(*sim, segments[i].address, segments[i].bytes, segments[i].size))
            exit(2);
}

/* A run, and what is promised of it with each of the depths (comma separated; NULL: only whether the statements are
 * refused). */
static void one_ratio(run *r, const char *depths)
{
    es_error err = {0};
    es_sim *sim;
    heard h = {0};
    r->seen = observed_new(r->symbols, r->ratio, r->program.task != NULL);
    es_sim_config config = {.world = ES_SIM_BYTES,
                            .ratio = r->ratio,
                            .seed = 1,
                            .on_retired = observed_retired,
                            .on_hit = observed_taken,
                            .context = r->seen};
    set_up(r, &config, &sim, &err);
    es_transport *transport = es_transport_sim(sim);
    es_link *link = es_link_new(transport, on_event, &h);
    build(r, link, &err);
    if (depths) {
        watch(r, sim, link, &h, &err);
        share_costs(r);
        r->driven = driven_new(r->symbols, &r->program, &r->image, &r->limits, &r->seen->program, &r->seen->aims);
        printf("{\"fifo_max\":%u,\"lost\":%u,\"dropped\":%u,\"hits\":%llu,\"exited\":%s,\"done\":%s,\"strays\":%u,"
               "\"stray\":%u,"
               "\"overruns\":%u,\"overrun\":%u,\"backlog\":%.0f,\"busy\":%.0f,\"nest\":%u,\"gap\":%lld,\"checks\":[",
               (unsigned)r->fifo_max, (unsigned)h.lost, (unsigned)h.dropped, (unsigned long long)h.hits,
               truth(r->exited), truth(h.done), (unsigned)r->seen->strays, (unsigned)r->seen->first_stray,
               (unsigned)r->seen->overrun, (unsigned)r->seen->first_overrun, r->seen->most, r->seen->busy,
               (unsigned)r->seen->nest, (long long)r->seen->interrupt_gap);
        for (const char *at = depths, *separator = ""; *at; separator = ",") {
            char *rest;
            uint32_t depth = (uint32_t)strtoul(at, &rest, 10);
            printf("%s", separator);
            promise(r, depth, false, true);
            promise(r, depth, true, false);
            at = rest + (*rest == ',');
        }
        printf("]}\n");
        driven_free(r->driven);
    }
    if (r->service_image.bytes != r->image.bytes)
        es_image_free(&r->image);
    es_link_free(link);
    es_transport_close(transport);
    es_sim_free(sim);
    observed_free(r->seen);
}

int main(int argc, char **argv)
{
    es_error err = {0};
    es_text_buffer text = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: bound PROGRAM.elf FILE.watch [RATIO:DEPTH[,DEPTH]...]...\n");
        return 2;
    }
    const char *steps = getenv("EARSHOT_STEPS");
    run r = {.steps = steps ? strtoul(steps, NULL, 10) : 100000, .symbols = es_symbols_open(argv[1], &err)};
    if (!r.symbols || !es_text_read_file(&text, argv[2], 1 << 20, &err))
        fail(&err);
    es_text source = {argv[2], text.text};
    if (!es_program_parse(r.symbols, &source, 1, &r.program, &err))
        end(&err, REFUSED);
    r.arena = es_arena_new();
    r.ratio = 160;
    if (argc == 3)
        one_ratio(&r, NULL);
    for (int i = 3; i < argc; i++) {
        char *depths;
        r.ratio = (unsigned)strtoul(argv[i], &depths, 10);
        if (*depths != ':') {
            fprintf(stderr, "bound: '%s' is no RATIO:DEPTH\n", argv[i]);
            return 2;
        }
        one_ratio(&r, depths + 1);
        fflush(stdout);
    }
    es_arena_free(r.arena);
    if (r.service)
        es_image_free(&r.service_image);
    es_program_free(&r.program);
    es_text_free(&text);
    es_symbols_close(r.symbols);
    return 0;
}
