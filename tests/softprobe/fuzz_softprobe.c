/* Fuzzer: any bytes on the link, any accesses on the bus, in any order; nothing crashes or hangs. */
#include <stdlib.h>
#include <string.h>

#include "softprobe/softprobe.h"
#include "stream/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const uint8_t *at, *end;
} input;

static uint32_t take(input *in, unsigned bytes)
{
    uint32_t value = 0;
    for (; bytes; bytes--)
        value = value << 8 | (in->at < in->end ? *in->at++ : 0);
    return value;
}

static void send(input *in, es_transport *transport, bool whole)
{
    uint8_t wire[ES_FRAME_WIRE_MAX];
    uint32_t words[ES_FRAME_MAX_WORDS];
    size_t count = 1 + take(in, 1) % 8, size = 0;
    if (whole) {
        for (size_t i = 0; i < count; i++)
            words[i] = take(in, 4);
        words[0] = (words[0] & 0xFFFF00FFu) | (uint32_t)(count - 1) << 8;
        size = es_frame_encode(words, count, wire);
    }
    for (; !whole && size < count; size++)
        wire[size] = (uint8_t)take(in, 1);
    es_transport_write(transport, wire, size, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    unsigned how = take(&in, 1);
    const es_softprobe_options options = {.isa = es_isa_of_simulated_target(),
                                          .window_base = how & 1 ? 0x80000000u : 0,
                                          .window_log2 = 12 + (how >> 1) % 17,
                                          .mem_log2 = 15,
                                          .time_w = 8 + (how >> 3) % 25,
                                          .compressed = how & 4};
    es_softprobe *probe = es_softprobe_new(&options, NULL);
    es_transport *transport = es_softprobe_transport(probe);
    uint8_t back[4096];
    uint64_t time = 0;
    while (in.at < in.end) {
        unsigned what = take(&in, 1);
        es_machine_access access = {.kind = (uint8_t)(what >> 3),
                                    .lanes = (uint8_t)take(&in, 1),
                                    .address = take(&in, 4),
                                    .data = take(&in, 4),
                                    .unknown = what & 4 ? take(&in, 4) : 0};
        time += what & 64 ? (uint64_t)access.data << (what & 16) : what & 7;
        switch (what & 7) {
        case 0:
        case 1: send(&in, transport, what & 1); break;
        case 2: es_softprobe_poke(probe, access.address, access.data, access.unknown); break;
        case 3: es_softprobe_lost(probe, access.data, time, time + access.lanes), time += access.lanes; break;
        case 6: es_softprobe_quiet(probe, time); break;
        default: es_softprobe_access(probe, &access, time);
        }
        if (es_softprobe_waiting(probe) > 100000)
            while (es_transport_read(transport, back, sizeof back, 0, NULL) > 0)
                continue;
    }
    es_softprobe_get_figures(probe);
    es_softprobe_free(probe);
    return 0;
}
