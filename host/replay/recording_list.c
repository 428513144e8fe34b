/* The blocks of a recording, found without reading them, and read one by one. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zstd.h>

#include "base/arena.h"
#include "replay/recording_private.h"

typedef struct listing {
    es_recording_block *blocks;
    size_t count, room;
    uint64_t at, offset; /* of the next block */
} listing;

static void add(listing *l, es_recording_block block)
{
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->blocks = es_realloc(l->blocks, l->room * sizeof *l->blocks);
    }
    block.at = l->at;
    block.offset = l->offset;
    l->at += ES_RECORDING_BLOCK_HEAD + block.packed;
    l->offset += block.kind == ES_RECORDING_BYTES ? block.raw : 0;
    l->blocks[l->count++] = block;
}

static bool read_at(es_recording_reader *r, uint64_t at, void *to, size_t size)
{
    return fseeko(r->file, (off_t)at, SEEK_SET) == 0 && fread(to, 1, size, r->file) == size;
}

/* A pipe's bytes become a file's. */
static bool make_seekable(es_recording_reader *r, es_error *err)
{
    uint8_t bytes[BUFSIZ];
    struct stat status;
    if (fstat(fileno(r->file), &status) == 0 && S_ISREG(status.st_mode))
        return true;
    FILE *copy = tmpfile();
    uint8_t header[ES_RECORDING_HEADER];
    es_recording_put_header(header, &r->info);
    bool good = copy && fwrite(header, 1, sizeof header, copy) == sizeof header;
    for (size_t got; good && (got = fread(bytes, 1, sizeof bytes, r->file)) > 0;)
        good = fwrite(bytes, 1, got, copy) == got;
    good = good && fflush(copy) == 0;
    if (!good) {
        es_fail(err, ES_OUTPUT, "%s is no file, and cannot be kept in one meanwhile: %s", r->path, strerror(errno));
        if (copy)
            fclose(copy);
        return false;
    }
    fclose(r->file);
    r->file = copy;
    return true;
}

/* --- with a table ---------------------------------------------------------------------------- */

/* Where the trailer says that it is. */
static bool find_table(es_recording_reader *r, uint64_t size, es_recording_block *table)
{
    uint8_t trailer[ES_RECORDING_TRAILER], head[ES_RECORDING_BLOCK_HEAD];
    if (size < ES_RECORDING_HEADER + ES_RECORDING_TRAILER ||
        !read_at(r, size - ES_RECORDING_TRAILER, trailer, sizeof trailer) ||
        memcmp(trailer + 16, ES_RECORDING_TRAILER_MAGIC, 8) != 0)
        return false;
    uint64_t at = es_get_u64(trailer);
    if (at < ES_RECORDING_HEADER || at > size || !read_at(r, at, head, sizeof head) ||
        es_get_u64(trailer + 8) != es_recording_sum(ES_RECORDING_SUM, head, sizeof head) ||
        !es_recording_get_head(head, table) || table->kind != ES_RECORDING_TABLE)
        return false;
    table->at = at;
    return at + ES_RECORDING_BLOCK_HEAD + table->packed + ES_RECORDING_TRAILER == size;
}

static bool list_table(es_recording_reader *r, uint64_t size, listing *l)
{
    es_recording_block table, block;
    es_bytes heads = {0};
    bool good = find_table(r, size, &table) && es_recording_load(r, &table, &heads) &&
                heads.size % ES_RECORDING_BLOCK_HEAD == 0;
    for (size_t i = 0; good && i < heads.size; i += ES_RECORDING_BLOCK_HEAD) {
        good = es_recording_get_head(heads.data + i, &block);
        if (good)
            add(l, block);
    }
    es_bytes_free(&heads);
    return good && l->at == table.at;
}

/* --- without --------------------------------------------------------------------------------- */

static void list_heads(es_recording_reader *r, uint64_t size, listing *l)
{
    uint8_t head[ES_RECORDING_BLOCK_HEAD];
    es_recording_block block;
    bool ended = false;
    while (!ended && size - l->at >= sizeof head && read_at(r, l->at, head, sizeof head) &&
           es_recording_get_head(head, &block) && block.packed <= size - l->at - sizeof head) {
        ended = block.kind == ES_RECORDING_ENDED;
        add(l, block);
    }
}

bool es_recording_list(es_recording_reader *reader, es_recording_block **blocks, size_t *count, es_error *err)
{
    listing l = {.at = ES_RECORDING_HEADER};
    struct stat status;
    if (!make_seekable(reader, err))
        return false;
    if (fstat(fileno(reader->file), &status) != 0)
        return es_fail(err, ES_USAGE, "%s cannot be read: %s", reader->path, strerror(errno));
    uint64_t size = (uint64_t)status.st_size;
    if (!list_table(reader, size, &l)) {
        l.count = 0;
        l.at = ES_RECORDING_HEADER;
        l.offset = 0;
        list_heads(reader, size, &l);
    }
    *blocks = l.blocks;
    *count = l.count;
    return true;
}

bool es_recording_load(es_recording_reader *reader, const es_recording_block *block, es_bytes *out)
{
    uint8_t head[ES_RECORDING_BLOCK_HEAD];
    es_recording_block found;
    struct stat status;
    out->size = 0;
    if (!read_at(reader, block->at, head, sizeof head) || !es_recording_get_head(head, &found) ||
        found.kind != block->kind || found.raw != block->raw || found.packed != block->packed ||
        found.fetches != block->fetches || found.time != block->time ||
        fstat(fileno(reader->file), &status) != 0 || found.packed > (uint64_t)status.st_size)
        return false;
    if (found.packed > reader->room) {
        reader->room = found.packed;
        reader->packed = es_realloc(reader->packed, reader->room);
    }
    if (fread(reader->packed, 1, found.packed, reader->file) != found.packed ||
        !es_recording_is_good(head, reader->packed, found.packed) ||
        ZSTD_getFrameContentSize(reader->packed, found.packed) != found.raw)
        return false;
    uint8_t *to = es_bytes_add(out, found.raw);
    return ZSTD_decompress(to, found.raw, reader->packed, found.packed) == found.raw;
}
