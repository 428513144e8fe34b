/* The host's end of the link, as a transport. */
#include <string.h>

#include "softprobe/private.h"

static es_softprobe *probe_of(const es_transport *transport)
{
    return ((const softprobe_transport *)transport)->probe;
}

static ssize_t link_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    es_softprobe *probe = probe_of(transport);
    bytes_out *out = &probe->out;
    (void)timeout_ms, (void)err;
    if (out->first == out->end)
        es_softprobe_settle(probe); /* firmware that has not come to rest yet */
    size_t count = es_softprobe_next_bytes(probe);
    count = count < size ? count : size;
    if (count)
        memcpy(bytes, out->bytes + out->first, count);
    out->first += count;
    probe->first->unread -= count;
    if (out->first == out->end)
        out->first = out->end = 0;
    return (ssize_t)count;
}

static bool link_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    es_softprobe *probe = probe_of(transport);
    uint32_t words[ES_FRAME_MAX_WORDS];
    (void)err;
    for (size_t count; size;) {
        size_t taken = es_deframer_push(&probe->deframer, bytes, size, words, &count);
        bytes += taken;
        size -= taken;
        if (count) {
            es_softprobe_command(probe, words, count);
            es_softprobe_settle(probe);
        }
    }
    return true;
}

static void link_close(es_transport *transport)
{
    (void)transport; /* the probe's */
}

static size_t link_waiting(const es_transport *transport)
{
    return es_softprobe_waiting(probe_of(transport));
}

static const struct es_transport_ops ops = {
    .name = "soft", .read = link_read, .write = link_write, .close = link_close, .waiting = link_waiting};

void es_softprobe_transport_init(es_softprobe *probe)
{
    probe->transport = (softprobe_transport){{&ops}, probe};
    es_deframer_init(&probe->deframer);
}
