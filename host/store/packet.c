#include "store/packet.h"

#define MAGIC 0xC1FC1FC1u

/* Four lanes, so that multiplications overlap: it costs a small part of what copying the bytes does. */
uint64_t es_packet_sum(const uint8_t *bytes, size_t count)
{
    const uint64_t prime = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t lanes[4] = {count, 1, 2, 3};
    for (; count >= 32; bytes += 32, count -= 32)
        for (unsigned i = 0; i < 4; i++) {
            lanes[i] = (lanes[i] ^ es_get64(bytes + 8 * (size_t)i)) * prime;
            lanes[i] ^= lanes[i] >> 29;
        }
    uint8_t rest[32] = {0};
    if (count)
        memcpy(rest, bytes, count);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        lanes[i] = (lanes[i] ^ es_get64(rest + 8 * (size_t)i)) * prime;
        sum = (sum ^ lanes[i] ^ lanes[i] >> 32) * prime;
    }
    return sum ^ sum >> 31;
}

void es_packet_head_put(uint8_t *out, const es_packet_head *head)
{
    out = es_put32(out, MAGIC);
    out = es_put32(out, 0); /* the one kind of streams */
    out = es_put64(out, head->stream);
    out = es_put64(out, head->begin);
    out = es_put64(out, head->end);
    out = es_put64(out, head->content * 8);
    out = es_put64(out, head->bytes * 8);
    out = es_put64(out, head->number);
    es_put64(out, head->discarded);
}

bool es_packet_head_get(const uint8_t *in, es_packet_head *head)
{
    uint64_t content = es_get64(in + 32), packet = es_get64(in + 40);
    *head = (es_packet_head){
        .stream = es_get64(in + 8),
        .begin = es_get64(in + 16),
        .end = es_get64(in + 24),
        .content = content / 8,
        .bytes = packet / 8,
        .number = es_get64(in + 48),
        .discarded = es_get64(in + 56),
    };
    return es_get32(in) == MAGIC && es_get32(in + 4) == 0 && content % 8 == 0 && packet % 8 == 0 && content <= packet &&
           head->content >= ES_PACKET_HEAD && head->begin <= head->end;
}

void es_packet_seal(uint8_t *packet, const es_packet_head *head, uint64_t earliest)
{
    es_packet_head_put(packet, head);
    uint8_t *tail = es_put64(packet + head->content, earliest);
    es_put64(tail, es_packet_sum(packet, head->content + 8));
}

bool es_packet_is_whole(const uint8_t *packet, const es_packet_head *head)
{
    return head->bytes == head->content + ES_PACKET_TAIL &&
           es_get64(packet + head->content + 8) == es_packet_sum(packet, head->content + 8);
}
