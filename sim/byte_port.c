#include "byte_port.h"

#include <stdlib.h>

#include "base/arena.h"

#define CLOCKS_PER_MS (ES_SIM_BUS_HZ / 1000)
#define WRITE_TRIES 10000 /* milliseconds of the target's time in which the probe takes no byte */

typedef struct sim_transport {
    es_transport base;
    es_sim *sim;
} sim_transport;

static ssize_t sim_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    es_sim *sim = ((sim_transport *)transport)->sim;
    (void)err;
    size_t got = es_sim_read(sim, bytes, size);
    for (int ms = 0; !got && ms < timeout_ms; ms++) {
        uint64_t before = es_sim_cycles(sim);
        es_sim_step(sim, CLOCKS_PER_MS, 1);
        got = es_sim_read(sim, bytes, size);
        if (!got && es_sim_cycles(sim) == before && es_sim_idle(sim))
            break; /* the target is held or has ended, and the probe is through with all it did */
    }
    return (ssize_t)got;
}

static bool sim_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    es_sim *sim = ((sim_transport *)transport)->sim;
    unsigned tries = 0;
    while (size) {
        size_t taken = es_sim_write(sim, bytes, size);
        bytes += taken;
        size -= taken;
        if (taken) {
            tries = 0;
        } else {
            if (++tries > WRITE_TRIES)
                return es_fail(err, ES_PROBE, "the simulated probe takes no bytes");
            es_sim_step(sim, CLOCKS_PER_MS, 0);
        }
    }
    return true;
}

static void sim_close(es_transport *transport)
{
    free(transport);
}

static const struct es_transport_ops sim_ops = {
    .name = "sim", .read = sim_read, .write = sim_write, .close = sim_close};

es_transport *es_transport_sim(es_sim *sim)
{
    sim_transport *transport = es_malloc(sizeof *transport);
    *transport = (sim_transport){{&sim_ops}, sim};
    return &transport->base;
}
