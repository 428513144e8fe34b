#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "byte_port.h"
#include "image/image.h"
#include "probe/boot.h"

#define FIGURES_MAX 64

static struct {
    char name[64];
    double value;
} figures[FIGURES_MAX];
static unsigned figure_count;

void bench_fail(const es_error *err)
{
    fprintf(stderr, "sim-bench: %s\n", err->text);
    exit(1);
}

double bench_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void bench_open(bench *b, const char *path, const es_text *text)
{
    es_error err;
    *b = (bench){.path = path};
    b->symbols = es_symbols_open(path, &err);
    if (!b->symbols || !es_program_parse(b->symbols, text, 1, &b->program, &err))
        bench_fail(&err);
}

void bench_close(bench *b)
{
    es_program_free(&b->program);
    es_symbols_close(b->symbols);
}

static void on_event(void *context, const es_event *event)
{
    bench *b = context;
    if (event->kind == ES_EVENT_HIT) {
        b->hits++;
    }
}

void bench_start(bench *b, bench_run *run, enum es_sim_world world, unsigned ratio)
{
    es_error err;
    es_sim_config config = {.world = world, .seed = 1, .ratio = ratio};
    run->sim = es_sim_new(&config, &err);
    if (!run->sim)
        bench_fail(&err);
    const es_segment *segments;
    size_t count = es_symbols_segments(b->symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(run->sim, segments[i].address, segments[i].bytes, segments[i].size))
            bench_fail(&(es_error){ES_USAGE, "the program does not fit the target's memory"});
    run->transport = es_transport_sim(run->sim);
    run->link = es_link_new(run->transport, on_event, b);
    b->hits = 0;
}

void bench_boot(bench *b, bench_run *run)
{
    es_error err;
    es_probe_info info;
    es_image image;
    size_t phantom;
    if (!es_probe_info_read(run->link, &info, &err))
        bench_fail(&err);
    es_probe_limits limits = es_probe_info_limits(&info);
    limits.bus_hz = ES_SIM_BUS_HZ;
    if (!es_image_build(b->symbols, &b->program, &limits, &image, &err) ||
        !es_probe_boot(run->link, &info, &image, b->symbols, &phantom, &err))
        bench_fail(&err);
    es_image_free(&image);
}

void bench_listen(bench_run *run)
{
    es_error err;
    int got;
    while ((got = es_link_pump(run->link, 0, &err)) > 0)
        continue;
    if (got == -1)
        bench_fail(&err);
}

void bench_end(bench_run *run)
{
    es_link_free(run->link);
    run->transport->ops->close(run->transport);
    es_sim_free(run->sim);
}

void bench_figure(const char *name, double value)
{
    if (figure_count == FIGURES_MAX)
        bench_fail(&(es_error){ES_PROBE, "too many figures"});
    /* cppcheck-suppress arrayIndexOutOfBoundsCond; bench_fail never returns */
    snprintf(figures[figure_count].name, sizeof figures->name, "%s", name);
    figures[figure_count++].value = value;
}

bool bench_write_json(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    for (unsigned i = 0; i < figure_count; i++)
        fprintf(file, "%s\"%s\": %.6g", i ? ",\n  " : "{\n  ", figures[i].name, figures[i].value);
    fprintf(file, "\n}\n");
    return fclose(file) == 0;
}
