/* From a write on the target's bus to the hit's packet at the FT245 pins.
 *
 * Isolated: the probe has had nothing to do for long, so this is what the way itself takes. Busy: the first hit of a
 * program in which calls and other writes still wait in the probe. Times are counted in whole bus clocks; the packet's
 * bytes go over the pins at 60 MHz. */
#include <stdio.h>

#include "bench.h"
#include "stream/event.h"

#define BUS_MHZ (ES_SIM_BUS_HZ / 1e6)

typedef struct packet {
    uint64_t written, first, last; /* bus clocks: of the write, of the first and the last byte of what tells it */
    bool complete;
} packet;

static void on_event(void *context, const es_event *event)
{
    packet *p = context;
    if (event->kind == ES_EVENT_HIT && !p->complete) {
        p->complete = true;
        p->written = event->time;
    }
}

/* The program's first hit, with `ratio` probe clocks per bus clock. */
static packet first_hit(bench *b, unsigned ratio)
{
    bench_run run;
    packet p = {0};
    bench_start(b, &run, ES_SIM_FT245, ratio);
    bench_boot(b, &run);
    while (!es_sim_idle(run.sim))
        es_sim_step(run.sim, 100, 0);
    bench_listen(&run);
    es_decoder *decoder = es_decoder_new(on_event, &p);
    es_sim_start_target(run.sim);
    while (!p.complete && es_sim_step(run.sim, 1, 0) == ES_SIM_RUNNING) {
        uint8_t bytes[16];
        size_t count = es_sim_read(run.sim, bytes, sizeof bytes);
        if (count && !p.first)
            p.first = es_sim_cycles(run.sim);
        es_decoder_push(decoder, bytes, count);
    }
    if (!p.complete)
        bench_fail(&(es_error){ES_PROBE, "no hit to measure"});
    p.last = es_sim_cycles(run.sim);
    es_decoder_free(decoder);
    bench_end(&run);
    return p;
}

void bench_latency(bench *isolated, bench *busy)
{
    static const unsigned ratios[] = {1, 3, 6};
    char name[64];
    printf("  isolated write on the bus (%u MHz) to its hit at the FT245 pins:\n", (unsigned)BUS_MHZ);
    for (unsigned i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        packet p = first_hit(isolated, ratios[i]);
        uint64_t first = p.first - p.written, last = p.last - p.written;
        unsigned mhz = (unsigned)(ratios[i] * BUS_MHZ);
        printf("    probe at %2u MHz: %4llu bus clocks, %4llu probe clocks, %5.1f us to the packet's last byte (first "
               "byte after %.1f us)\n",
               mhz, (unsigned long long)last, (unsigned long long)last * ratios[i], (double)last / BUS_MHZ,
               (double)first / BUS_MHZ);
        snprintf(name, sizeof name, "isolated_hit_at_%u_mhz_bus_clocks", mhz);
        bench_figure(name, (double)last);
        snprintf(name, sizeof name, "isolated_hit_at_%u_mhz_probe_clocks", mhz);
        bench_figure(name, (double)last * ratios[i]);
        snprintf(name, sizeof name, "isolated_hit_at_%u_mhz_us", mhz);
        bench_figure(name, (double)last / BUS_MHZ);
    }
    packet p = first_hit(busy, 3);
    printf("  the same for the first hit of %s, backlog included: %.1f us at 30 MHz\n", busy->path,
           (double)(p.last - p.written) / BUS_MHZ);
    bench_figure("first_hit_at_30_mhz_us", (double)(p.last - p.written) / BUS_MHZ);
}
