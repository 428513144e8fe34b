#include "transport/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

struct record {
    es_transport base;
    es_transport *inner;
    int file;
    char *path;
};

static bool refuse_write(const struct record *record, es_error *err)
{
    return es_fail(err, ES_OUTPUT, "%s: cannot be written: %s", record->path, strerror(errno));
}

/* Nothing is held back: whatever ends this process, what it has seen is in the file. */
static bool keep(const struct record *record, const uint8_t *bytes, size_t size)
{
    while (size) {
        ssize_t done = write(record->file, bytes, size);
        if (done < 0 && errno != EINTR)
            return false;
        bytes += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static ssize_t record_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    struct record *record = (struct record *)transport;
    ssize_t got = record->inner->ops->read(record->inner, bytes, size, timeout_ms, err);
    if (got > 0 && !keep(record, bytes, (size_t)got)) {
        refuse_write(record, err);
        return -1;
    }
    return got;
}

static bool record_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    struct record *record = (struct record *)transport;
    return record->inner->ops->write(record->inner, bytes, size, err);
}

static bool record_gone(const es_transport *transport)
{
    return es_transport_gone(((const struct record *)transport)->inner);
}

static enum es_reopened record_reopen(es_transport *transport, int timeout_ms, es_error *err)
{
    static const uint8_t end[1] = {0};
    struct record *record = (struct record *)transport;
    enum es_reopened reopened = es_transport_reopen(record->inner, timeout_ms, err);
    /* what came of a frame before is no part of one now. A full disk is reported with the next bytes */
    if (reopened == ES_REOPEN_DONE)
        keep(record, end, sizeof end);
    return reopened;
}

static int record_presence_fd(es_transport *transport)
{
    return es_transport_presence_fd(((struct record *)transport)->inner);
}

static void record_close(es_transport *transport)
{
    struct record *record = (struct record *)transport;
    record->inner->ops->close(record->inner);
    close(record->file);
    free(record->path);
    free(record);
}

static size_t record_waiting(const es_transport *base)
{
    return es_transport_waiting(((const struct record *)base)->inner);
}

static const struct es_transport_ops record_ops = {.name = "record",
                                                   .read = record_read,
                                                   .write = record_write,
                                                   .close = record_close,
                                                   .gone = record_gone,
                                                   .reopen = record_reopen,
                                                   .presence_fd = record_presence_fd,
                                                   .waiting = record_waiting};

es_transport *es_transport_record(es_transport *inner, const char *path, es_error *err)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        es_fail(err, ES_OUTPUT, "%s: cannot be written: %s", path, strerror(errno));
        return NULL;
    }
    struct record *record = es_malloc(sizeof *record);
    *record = (struct record){.base = {&record_ops}, .inner = inner, .file = file, .path = es_malloc(strlen(path) + 1)};
    memcpy(record->path, path, strlen(path) + 1);
    return &record->base;
}
