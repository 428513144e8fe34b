#include "store/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "store/decode.h"

#define SEARCH_ROOM 65536u

bool es_stream_open(es_stream *stream, const char *path)
{
    struct stat found;
    *stream = (es_stream){.file = open(path, O_RDONLY | O_CLOEXEC)};
    if (stream->file < 0)
        return false;
    if (fstat(stream->file, &found) != 0) {
        es_stream_close(stream);
        return false;
    }
    stream->size = (uint64_t)found.st_size;
    return true;
}

void es_stream_close(es_stream *stream)
{
    if (stream->file >= 0)
        close(stream->file);
    free(stream->bytes);
    *stream = (es_stream){.file = -1};
}

/* Reads no mapped memory: a file that becomes shorter meanwhile is an error there, and would be a signal here. */
static bool read_at(const es_stream *stream, uint8_t *bytes, size_t count, uint64_t at)
{
    while (count) {
        ssize_t got = pread(stream->file, bytes, count, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got < 0 ? errno : 0;
            return false;
        }
        bytes += got;
        at += (uint64_t)got;
        count -= (size_t)got;
    }
    return true;
}

/* Whether a packet's head is at that place, and the file has all of the packet. */
static bool has_packet(const es_stream *stream, const uint8_t *bytes, uint64_t at, es_packet_head *head)
{
    return es_packet_head_get(bytes, head) && head->bytes == head->content + ES_PACKET_TAIL &&
           head->bytes <= stream->size - at && head->number >= stream->number;
}

bool es_stream_load(es_stream *stream, const es_packet_head *head)
{
    size_t size = (size_t)head->bytes;
    if (size + ES_DECODE_SLACK > stream->room) {
        stream->room = size + ES_DECODE_SLACK;
        stream->bytes = es_realloc(stream->bytes, stream->room);
    }
    if (!read_at(stream, stream->bytes, size, stream->at - size))
        return false;
    for (size_t i = 0; i < ES_DECODE_SLACK; i++)
        stream->bytes[size + i] = 0;
    errno = 0;
    return es_packet_is_whole(stream->bytes, head);
}

uint64_t es_stream_earliest(const es_stream *stream)
{
    uint8_t bytes[8];
    return read_at(stream, bytes, sizeof bytes, stream->at - ES_PACKET_TAIL) ? es_get64(bytes) : 0;
}

/* Whether the packet at that place is whole. */
static bool is_whole(es_stream *stream, uint64_t at, const es_packet_head *head)
{
    uint64_t before = stream->at;
    stream->at = at + head->bytes;
    bool good = es_stream_load(stream, head);
    stream->at = before;
    return good;
}

/* The next whole packet after that place; the size when there is none. */
static uint64_t search(es_stream *stream, uint64_t at)
{
    static const uint8_t magic[] = {0xC1, 0x1F, 0xFC, 0xC1};
    uint8_t *bytes = es_malloc(SEARCH_ROOM);
    uint64_t found = stream->size;
    while (found == stream->size && stream->size - at > ES_PACKET_HEAD) {
        size_t count = stream->size - at < SEARCH_ROOM ? (size_t)(stream->size - at) : SEARCH_ROOM;
        if (!read_at(stream, bytes, count, at))
            break;
        size_t i = 0;
        for (; i + ES_PACKET_HEAD <= count && found == stream->size; i++) {
            es_packet_head head;
            if (memcmp(bytes + i, magic, sizeof magic) == 0 && has_packet(stream, bytes + i, at + i, &head) &&
                is_whole(stream, at + i, &head))
                found = at + i;
        }
        at += i;
    }
    free(bytes);
    return found;
}

enum es_stream_found es_stream_next(es_stream *stream, es_packet_head *head, uint64_t *skipped)
{
    uint8_t bytes[ES_PACKET_HEAD];
    uint64_t left = stream->size - stream->at;
    if (!left)
        return ES_STREAM_END;
    if (left >= ES_PACKET_HEAD) {
        if (!read_at(stream, bytes, sizeof bytes, stream->at))
            return errno ? ES_STREAM_FAILED : ES_STREAM_TORN;
        bool good = has_packet(stream, bytes, stream->at, head);
        if (good && head->bytes == left)
            good = is_whole(stream, stream->at, head);
        if (good) {
            stream->at += head->bytes;
            stream->number = head->number + 1;
            return ES_STREAM_PACKET;
        }
    }
    uint64_t next = left > ES_PACKET_HEAD ? search(stream, stream->at + 1) : stream->size;
    *skipped = next - stream->at;
    if (next == stream->size)
        return ES_STREAM_TORN;
    stream->at = next;
    return ES_STREAM_DAMAGED;
}
