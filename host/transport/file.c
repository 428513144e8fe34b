/* Replay: what a probe sent, recorded in a file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/transport.h"

typedef struct file_transport {
    es_transport base;
    FILE *file;
    char *path;
} file_transport;

static ssize_t file_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    file_transport *file = (file_transport *)transport;
    (void)timeout_ms;
    size_t got = fread(bytes, 1, size, file->file);
    if (got)
        return (ssize_t)got;
    if (ferror(file->file)) {
        es_fail(err, ES_PROBE, "%s: cannot be read: %s", file->path, strerror(errno));
        return -1;
    }
    return -2;
}

static bool file_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    (void)transport;
    (void)bytes;
    (void)size;
    (void)err;
    return true;
}

static void file_close(es_transport *transport)
{
    file_transport *file = (file_transport *)transport;
    fclose(file->file);
    free(file->path);
    free(file);
}

static const struct es_transport_ops file_ops = {
    .name = "replay", .one_way = true, .read = file_read, .write = file_write, .close = file_close};

es_transport *es_transport_file(const char *path, es_error *err)
{
    file_transport *file = calloc(1, sizeof *file);
    char *copy = strdup(path);
    if (!file || !copy) {
        es_fail(err, ES_PROBE, "out of memory");
        goto failed;
    }
    file->base.ops = &file_ops;
    file->path = copy;
    file->file = fopen(path, "rb");
    if (!file->file) {
        es_fail(err, ES_USAGE, "%s: cannot be opened: %s", path, strerror(errno));
        goto failed;
    }
    return &file->base;

failed:
    free(file);
    free(copy);
    return NULL;
}
