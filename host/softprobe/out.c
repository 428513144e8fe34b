/* Frames to the host: es_event_queue, es_framer. The queue has no end: no frame is dropped for lack of room. */
#include <string.h>

#include "base/arena.h"
#include "softprobe/private.h"

void es_softprobe_send(es_softprobe *probe, const uint32_t *words, size_t count)
{
    bytes_out *out = &probe->out;
    if (out->room - out->end < ES_FRAME_WIRE_MAX) {
        if (out->first) {
            memmove(out->bytes, out->bytes + out->first, out->end - out->first);
            out->end -= out->first;
            out->first = 0;
        }
        if (out->room / 2 < out->end + ES_FRAME_WIRE_MAX) {
            out->room = 2 * (out->room + ES_FRAME_WIRE_MAX);
            out->bytes = es_realloc(out->bytes, out->room);
        }
    }
    size_t size = es_frame_encode(words, count, out->bytes + out->end);
    out->end += size;
    probe->sent += size;
    probe->first->unread += size;
}

size_t es_softprobe_waiting(const es_softprobe *probe)
{
    return probe->first->unread;
}
