#include "image/hit/snapshot.h"
#include "probe_defs.h"

#include <stddef.h>
#include <string.h>

#include "image/image.h"
#include "lang/statement.h"

size_t es_image_snapshot_count(const es_statement *statement)
{
    size_t count = 0;
    for (size_t i = 0; i < statement->action_count; i++)
        count += statement->actions[i].kind == ES_ACTION_SNAPSHOT;
    return count;
}

const es_action *es_image_snapshot_action(const es_statement *statement, size_t k)
{
    for (size_t i = 0; i < statement->action_count; i++)
        if (statement->actions[i].kind == ES_ACTION_SNAPSHOT && k-- == 0)
            return &statement->actions[i];
    return NULL;
}

const es_snapshot *es_image_snapshot(const es_statement *statement, size_t k)
{
    return es_image_snapshot_action(statement, k)->snapshot;
}

/* Where it lies is known at the event only. */
static bool moves(const es_snapshot *snapshot)
{
    return snapshot->place.via || snapshot->place.frame || snapshot->place.subscript_count;
}

/* Words of memory that are sent. Where a pointer leads to is any byte of a word, and so may be where elements lie. */
uint32_t es_image_snapshot_memory(const es_snapshot *snapshot)
{
    bool any = snapshot->place.via;
    for (size_t i = 0; i < snapshot->place.subscript_count; i++)
        any |= snapshot->place.subscripts[i].stride % 4 != 0;
    return ((any ? 3 : snapshot->place.address & 3) + snapshot->bytes + 3) / 4;
}

size_t es_image_snapshot_words(const es_snapshot *snapshot)
{
    if (snapshot->bytes > 4 * ES_FRAME_MAX_WORDS)
        return snapshot->bytes; /* far too many */
    uint32_t words = es_image_snapshot_memory(snapshot);
    return moves(snapshot) + words + (words + SNAPSHOT_CHUNK - 1) / SNAPSHOT_CHUNK;
}

void es_image_snapshot_read(const es_snapshot *snapshot, const uint32_t *words, es_image_bytes *out)
{
    const uint32_t *at = words + moves(snapshot);
    uint32_t left = es_image_snapshot_memory(snapshot), length = 0;
    uint8_t bytes[4 * ES_FRAME_MAX_WORDS], known[4 * ES_FRAME_MAX_WORDS];
    out->address = moves(snapshot) ? words[0] : snapshot->place.address;
    static const char *const why[] = {
        "its pointer is NULL",
        "its pointer is not known",
        "its pointer leads out of the probe's memory",
        "what its pointer led to was freed, and the pointer has not been written since",
        "its pointer has not been written in this activation, or not since what it led to was freed",
        "its index is none of the array's",
        "its index is not known"};
    out->found =
        !(snapshot->place.via || snapshot->place.subscript_count) || words[0] > es_image_snapshot_nowhere(snapshot);
    out->why = out->found ? NULL : why[words[0]];
    while (left) {
        uint32_t count = left < SNAPSHOT_CHUNK ? left : SNAPSHOT_CHUNK;
        for (uint32_t i = 0; i < count; i++, length += 4) {
            memcpy(bytes + length, at + i, 4);
            memset(known + length, !(at[count] >> i & 1), 4);
        }
        at += count + 1;
        left -= count;
    }
    memcpy(out->bytes, bytes + (out->address & 3), snapshot->bytes);
    memcpy(out->known, known + (out->address & 3), snapshot->bytes);
}
