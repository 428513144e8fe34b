#include "store/chunk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define METADATA_NEW ".metadata" /* readers pass over what begins with a dot */

void es_chunk_path(es_text_buffer *out, const char *directory, uint64_t number, const char *name)
{
    es_text_clear(out);
    es_text_format(out, "%s/chunk-%06" PRIu64 "%s%s", directory, number, name ? "/" : "", name ? name : "");
}

static bool write_all(int file, const uint8_t *bytes, size_t count, uint64_t at)
{
    while (count) {
        ssize_t written = pwrite(file, bytes, count, (off_t)at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written < 0 ? errno : ENOSPC;
            return false;
        }
        bytes += written;
        at += (uint64_t)written;
        count -= (size_t)written;
    }
    return true;
}

/* A new name in a folder is on the disk when the folder is. */
static bool sync_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    bool good = fsync(folder) == 0 || errno == EINVAL; /* not every file system can */
    close(folder);
    return good;
}

/* The metadata is replaced as a whole, so that readers find the old one or the new one. */
static bool write_metadata(es_chunk *chunk)
{
    es_text_buffer text = {0}, path = {0}, final = {0}, folder = {0};
    es_trace_metadata_begin(&text, chunk->schema, &chunk->origin);
    if (chunk->names.length)
        es_text_add(&text, chunk->names.text, chunk->names.length);
    es_trace_metadata_end(&text, chunk->schema);
    es_chunk_path(&path, chunk->directory, chunk->origin.chunk, METADATA_NEW);
    es_chunk_path(&final, chunk->directory, chunk->origin.chunk, "metadata");
    es_chunk_path(&folder, chunk->directory, chunk->origin.chunk, NULL);
    int file = open(path.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = file >= 0 && write_all(file, (const uint8_t *)text.text, text.length, 0) && fsync(file) == 0;
    int error = errno;
    if (file >= 0)
        close(file);
    errno = error;
    good = good && rename(path.text, final.text) == 0 && sync_folder(folder.text);
    error = errno;
    es_text_free(&text);
    es_text_free(&path);
    es_text_free(&final);
    es_text_free(&folder);
    errno = error;
    return good;
}

/* The folder, the metadata, then the stream's file: as far as they are not there yet. */
static bool make_files(es_chunk *chunk)
{
    es_text_buffer path = {0};
    es_chunk_path(&path, chunk->directory, chunk->origin.chunk, NULL);
    bool good = (mkdir(path.text, 0777) == 0 || errno == EEXIST) && sync_folder(chunk->directory);
    if (good && chunk->stale_metadata) {
        good = write_metadata(chunk);
        chunk->stale_metadata = !good;
    }
    if (good && !chunk->is_open) {
        es_chunk_path(&path, chunk->directory, chunk->origin.chunk, "stream_0");
        chunk->stream = open(path.text, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        chunk->is_open = good = chunk->stream >= 0;
    }
    int error = errno;
    es_text_free(&path);
    errno = error;
    return good;
}

bool es_chunk_begin(es_chunk *chunk, uint64_t number)
{
    if (chunk->origin.chunk != number) {
        if (chunk->is_open && !es_chunk_sync(chunk))
            return false;
        es_chunk_end(chunk);
        chunk->origin.chunk = number;
        chunk->stale_metadata = true;
    }
    return make_files(chunk);
}

bool es_chunk_add(es_chunk *chunk, const uint8_t *bytes, size_t count, es_text_buffer *fresh)
{
    if (fresh->length) {
        es_text_add(&chunk->names, fresh->text, fresh->length);
        es_text_clear(fresh);
        chunk->stale_metadata = true;
    }
    if ((chunk->stale_metadata || !chunk->is_open) && !make_files(chunk))
        return false;
    if (!count)
        return true;
    if (!write_all(chunk->stream, bytes, count, chunk->bytes)) {
        int error = errno;
        /* Nothing but whole packets: other readers take a part of one for damage. */
        if (ftruncate(chunk->stream, (off_t)chunk->bytes) != 0)
            error = errno;
        errno = error;
        return false;
    }
    chunk->bytes += count;
    chunk->unsynced = true;
    return true;
}

bool es_chunk_sync(es_chunk *chunk)
{
    if (!chunk->unsynced)
        return true;
    chunk->unsynced = false; /* a failure is told once: what failed is not tried again by the system */
    return fdatasync(chunk->stream) == 0;
}

void es_chunk_end(es_chunk *chunk)
{
    if (chunk->is_open)
        close(chunk->stream);
    chunk->is_open = false;
    chunk->unsynced = false;
    chunk->bytes = 0;
    if (chunk->names.length)
        es_text_clear(&chunk->names);
}
