#include "replay/token.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

/* By kind: bytes after the first, or VARIABLE as its lower half says; and the highest lower half. */
enum { VARIABLE = 255 };
static const struct {
    uint8_t bytes, lowest, highest;
    const char *name;
} kinds[] = {
    [ES_TOKEN_NOTHING] = {0, 0, 0, "NOTHING"},      [ES_TOKEN_VALUE] = {VARIABLE, 0, 3, "VALUE"},
    [ES_TOKEN_RUN] = {VARIABLE, 0, 3, "RUN"},       [ES_TOKEN_MEMORY] = {8, 0, 3, "MEMORY"},
    [ES_TOKEN_VECTOR] = {8, 0, 1, "VECTOR"},        [ES_TOKEN_CLOCK] = {4, 0, 0, "CLOCK"},
    [ES_TOKEN_HEARTBEAT] = {16, 0, 0, "HEARTBEAT"}, [ES_TOKEN_END] = {8, ES_END_FULL, ES_END_ASKED, "END"},
    [ES_TOKEN_BEGIN] = {4, 0, 0, "BEGIN"},
};

static bool first_is_good(uint8_t first, uint64_t offset, es_error *err)
{
    unsigned kind = first >> ES_TOKEN_KIND_SHIFT, low = first & 15;
    if (kind >= sizeof kinds / sizeof *kinds)
        return es_fail(err, ES_PROBE, "byte %" PRIu64 " of the input stream is 0x%02x, which begins no token", offset,
                       first);
    if (low < kinds[kind].lowest || low > kinds[kind].highest)
        return es_fail(err, ES_PROBE, "byte %" PRIu64 " of the input stream is 0x%02x: there is no %s token like this",
                       offset, first, kinds[kind].name);
    return true;
}

static size_t size_of(uint8_t first)
{
    unsigned kind = first >> ES_TOKEN_KIND_SHIFT;
    return kinds[kind].bytes == VARIABLE ? 2u + (first & 15u) : 1u + kinds[kind].bytes;
}

static uint32_t number(const uint8_t *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

static void put_number(uint8_t *bytes, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void take(const uint8_t *bytes, size_t size, es_stream_token *token)
{
    const uint8_t *rest = bytes + 1;
    *token = (es_stream_token){.kind = bytes[0] >> ES_TOKEN_KIND_SHIFT, .detail = bytes[0] & 15};
    switch (token->kind) {
    case ES_TOKEN_VALUE:
    case ES_TOKEN_RUN:
        token->detail = 0;
        token->value = number(rest, size - 1);
        break;
    case ES_TOKEN_MEMORY:
        token->fetches = number(rest, 4);
        token->value = number(rest + 4, 4);
        break;
    case ES_TOKEN_VECTOR:
    case ES_TOKEN_END:
        token->fetches = number(rest, 4);
        token->time = number(rest + 4, 4);
        break;
    case ES_TOKEN_HEARTBEAT:
        token->fetches = number(rest, 4);
        token->sum = number(rest + 4, 4);
        token->sums = number(rest + 8, 4);
        token->time = number(rest + 12, 4);
        break;
    default: /* CLOCK, BEGIN */ token->time = number(rest, 4); break;
    }
}

int es_stream_token_next(es_stream_token_reader *reader, const uint8_t **at, const uint8_t *end, es_stream_token *token,
                         es_error *err)
{
    while (*at < end) {
        if (!reader->have) {
            if (**at == 0) { /* NOTHING */
                ++*at;
                reader->offset++;
                continue;
            }
            if (!first_is_good(**at, reader->offset, err))
                return -1;
        }
        reader->bytes[reader->have++] = *(*at)++;
        reader->offset++;
        size_t size = size_of(reader->bytes[0]);
        if (reader->have == size) {
            reader->have = 0;
            take(reader->bytes, size, token);
            return 1;
        }
    }
    return 0;
}

size_t es_stream_token_put(uint8_t bytes[ES_TOKEN_LARGEST], const es_stream_token *token)
{
    unsigned detail = token->detail;
    if (kinds[token->kind].bytes == VARIABLE)
        for (detail = 0; detail < 3 && token->value >> 8 * (detail + 1);)
            detail++;
    bytes[0] = (uint8_t)(token->kind << ES_TOKEN_KIND_SHIFT | detail);
    switch (token->kind) {
    case ES_TOKEN_VALUE:
    case ES_TOKEN_RUN: put_number(bytes + 1, token->value, detail + 1); break;
    case ES_TOKEN_MEMORY:
        put_number(bytes + 1, token->fetches, 4);
        put_number(bytes + 5, token->value, 4);
        break;
    case ES_TOKEN_VECTOR:
    case ES_TOKEN_END:
        put_number(bytes + 1, token->fetches, 4);
        put_number(bytes + 5, token->time, 4);
        break;
    case ES_TOKEN_HEARTBEAT:
        put_number(bytes + 1, token->fetches, 4);
        put_number(bytes + 5, token->sum, 4);
        put_number(bytes + 9, token->sums, 4);
        put_number(bytes + 13, token->time, 4);
        break;
    case ES_TOKEN_CLOCK:
    case ES_TOKEN_BEGIN: put_number(bytes + 1, token->time, 4); break;
    default: break;
    }
    return size_of(bytes[0]);
}
