#include "cli/infer/ctf_first.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0xC1FC1FC1u
#define BEGIN_FIRST 24u /* where timestamp_begin may be: after magic, uuid and stream_id, ... */
#define BEGIN_LAST 32u  /* ... and stream_instance_id */
#define METADATA_MAX (4u << 20)

/* Members of packet.context, of 8 bytes each. */
enum { TIME_BEGIN, TIME_END, CONTENT_SIZE, PACKET_SIZE, NUMBER, DISCARDED, MEMBERS };

static size_t read_file(const char *path, char *to, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(to, 1, size, file) : 0;
    if (file)
        fclose(file);
    return length;
}

/* Whether the metadata beside the file name the members in that order, with numbers of packets. */
static bool is_numbered(const char *file)
{
    static const char *const names[MEMBERS] = {"timestamp_begin", "timestamp_end",  "content_size",
                                               "packet_size",     "packet_seq_num", "events_discarded"};
    char path[4096];
    const char *slash = strrchr(file, '/');
    if (!slash || snprintf(path, sizeof path, "%.*s/metadata", (int)(slash - file), file) >= (int)sizeof path)
        return false;
    char *text = malloc(METADATA_MAX);
    size_t length = text ? read_file(path, text, METADATA_MAX) : 0;
    const char *at = text ? memmem(text, length, names[0], strlen(names[0])) : NULL;
    for (unsigned i = 1; at && i < MEMBERS; i++) {
        const char *end = memchr(at, ';', length - (size_t)(at - text));
        const char *next = end ? memchr(end + 1, ';', length - (size_t)(end + 1 - text)) : NULL;
        at = next ? memmem(end, (size_t)(next - end), names[i], strlen(names[i])) : NULL;
    }
    free(text);
    return at;
}

bool es_infer_ctf_lacks_first(const char *file, uint64_t begin)
{
    unsigned char head[BEGIN_LAST + MEMBERS * sizeof(uint64_t)];
    uint32_t magic;
    if (!file || read_file(file, (char *)head, sizeof head) < sizeof head)
        return false;
    memcpy(&magic, head, sizeof magic);
    if (le32toh(magic) != MAGIC && be32toh(magic) != MAGIC)
        return false;
    for (size_t place = BEGIN_FIRST; place <= BEGIN_LAST; place += BEGIN_LAST - BEGIN_FIRST) {
        uint64_t is[MEMBERS];
        memcpy(is, head + place, sizeof is);
        for (unsigned i = 0; i < MEMBERS; i++)
            is[i] = le32toh(magic) == MAGIC ? le64toh(is[i]) : be64toh(is[i]);
        if (is[TIME_BEGIN] == begin && is[TIME_END] >= begin && is[CONTENT_SIZE] <= is[PACKET_SIZE])
            return (is[NUMBER] || is[DISCARDED]) && is_numbered(file);
    }
    return false;
}
