/* A chunk's stream as packets, one after the other. */
#ifndef ES_STORE_STREAM_H
#define ES_STORE_STREAM_H

#include "store/layout.h"

typedef struct es_stream {
    int file;
    uint64_t at, size; /* the next packet; bytes that are looked at */
    uint64_t number;   /* that the next packet must have */
    uint8_t *bytes;    /* the packet at hand, with slack after it */
    size_t room;
} es_stream;

enum es_stream_found {
    ES_STREAM_PACKET,
    ES_STREAM_END,     /* and nothing after it */
    ES_STREAM_TORN,    /* what is left is no packet, and no packet comes later */
    ES_STREAM_DAMAGED, /* bytes were left out before the next packet, which comes with the next call */
    ES_STREAM_FAILED   /* errno */
};

/* False: errno. Looks at no more than the file has now. */
bool es_stream_open(es_stream *stream, const char *path);
void es_stream_close(es_stream *stream);

/* The head of the next packet, which the stream moves over. Its content is not looked at, unless that of the last one,
 * so that a torn end is found. TORN, DAMAGED: *skipped bytes. */
enum es_stream_found es_stream_next(es_stream *stream, es_packet_head *head, uint64_t *skipped);

/* The earliest time that a record of the packet has that es_stream_next found last; 0: that is not known. */
uint64_t es_stream_earliest(const es_stream *stream);

/* Reads the packet that es_stream_next found last to stream->bytes. False: it cannot be read (errno), or is damaged
 * (errno 0). */
bool es_stream_load(es_stream *stream, const es_packet_head *head);

#endif
