#include "multi_port.h"

#include <stdlib.h>

#include "base/arena.h"

#define PROBE_CLOCKS 100000u /* that the probe gets for bytes to come or to be taken */
#define WRITE_TRIES 100u

typedef struct multi_transport {
    es_transport base;
    es_multi *multi;
} multi_transport;

static ssize_t multi_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    es_multi *multi = ((multi_transport *)transport)->multi;
    (void)err;
    size_t got = es_multi_read(multi, bytes, size);
    for (int i = 0; !got && i <= timeout_ms; i++) {
        bool more = es_multi_probe_run(multi, PROBE_CLOCKS);
        got = es_multi_read(multi, bytes, size);
        if (!more)
            break;
    }
    return (ssize_t)got;
}

static bool multi_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    es_multi *multi = ((multi_transport *)transport)->multi;
    for (unsigned tries = 0; size; tries++) {
        size_t taken = es_multi_write(multi, bytes, size);
        bytes += taken;
        size -= taken;
        if (taken)
            tries = 0;
        if (tries > WRITE_TRIES)
            return es_fail(err, ES_PROBE, "the simulated probe takes no bytes");
        if (size)
            es_multi_probe_run(multi, PROBE_CLOCKS);
    }
    return true;
}

static void multi_close(es_transport *transport)
{
    free(transport);
}

static const struct es_transport_ops multi_ops = {
    .name = "sim", .read = multi_read, .write = multi_write, .close = multi_close};

es_transport *es_transport_multi(es_multi *multi)
{
    multi_transport *transport = es_malloc(sizeof *transport);
    *transport = (multi_transport){{&multi_ops}, multi};
    return &transport->base;
}
