/* libFuzzer target: any bytes through the decoder. Built and run by `make fuzz-stream`.
 *
 * The first byte says how. Odd: the bytes are the stream. Even: they are frames' contents (a length, then words), which
 * are given a good CRC, so that the fuzzer reaches what lies after it. */
#include <stdlib.h>
#include <string.h>

#include "stream/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_event(void *context, const es_event *event)
{
    uint32_t *sum = context;
    if (event->path_count > ES_PATH_MAX || event->word_count >= ES_FRAME_MAX_WORDS)
        abort();
    if (event->kind == ES_EVENT_HIT && !event->path_known && event->path_count)
        abort();
    for (size_t i = 0; i < event->word_count; i++)
        *sum += event->words[i]; /* reads all that is promised */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t sum = 0;
    es_decoder *decoder = es_decoder_new(on_event, &sum);
    if (!decoder || !size) {
        es_decoder_free(decoder);
        return 0;
    }
    bool raw = *data & 1;
    data++;
    size--;
    if (raw) {
        es_decoder_push(decoder, data, size / 3);
        es_decoder_push(decoder, data + size / 3, size - size / 3);
    }
    while (!raw && size > 4) {
        size_t count = 1 + *data % ES_FRAME_MAX_WORDS;
        size_t bytes = size - 1 < count * 4 ? size - 1 : count * 4;
        uint32_t words[ES_FRAME_MAX_WORDS] = {0};
        memcpy(words, data + 1, bytes);
        words[0] = (words[0] & 0xFFFF00FF) | (uint32_t)(count - 1) << 8;
        uint8_t wire[ES_FRAME_WIRE_MAX];
        es_decoder_push(decoder, wire, es_frame_encode(words, count, wire));
        data += 1 + bytes;
        size -= 1 + bytes;
    }
    es_decoder_wants_resync(decoder);
    es_decoder_free(decoder);
    return 0;
}
