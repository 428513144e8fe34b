/* libFuzzer's entry: any bytes, cut anywhere, are tokens or an error; the same ones however they are cut; and what is
 * taken is written as bytes that are the same token. */
#include <stdlib.h>
#include <string.h>

#include "replay/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(const es_stream_token *a, const es_stream_token *b)
{
    return a->kind == b->kind && a->detail == b->detail && a->value == b->value && a->fetches == b->fetches &&
           a->time == b->time && a->sum == b->sum && a->sums == b->sums;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    size_t piece = data[0] % 16 + 1u;
    es_stream_token_reader whole = {0}, cut = {0};
    const uint8_t *at = data + 1, *end = data + size, *cut_at = data + 1, *cut_end = cut_at;
    for (int left = 1; left;) {
        es_stream_token one = {0}, other = {0}, again = {0};
        es_error err;
        int first = es_stream_token_next(&whole, &at, end, &one, &err), second;
        while ((second = es_stream_token_next(&cut, &cut_at, cut_end, &other, &err)) == 0 && cut_end < end)
            cut_end += (size_t)(end - cut_end) < piece ? (size_t)(end - cut_end) : piece;
        if (first != second || (first == 1 && !same(&one, &other)) || whole.offset != cut.offset)
            abort();
        if (first == 1) {
            uint8_t bytes[ES_TOKEN_LARGEST];
            es_stream_token_reader reader = {0};
            const uint8_t *put = bytes;
            size_t count = es_stream_token_put(bytes, &one);
            if (es_stream_token_next(&reader, &put, bytes + count, &again, &err) != 1 || !same(&one, &again))
                abort();
        }
        left = first == 1;
    }
    return 0;
}
