/* Snapshots: the bytes of an object or of a range of memory in a HIT frame, after its values. */
#ifndef ES_IMAGE_HIT_SNAPSHOT_H
#define ES_IMAGE_HIT_SNAPSHOT_H

#include "lang/statement.h"

#define SNAPSHOT_CHUNK 32u /* words that share a word of bits */

/* Instead of an address: why there is none. No object lies there: what leads there is outside. The last two are of
 * those with a variable index only. */
enum {
    SNAPSHOT_NOT_KNOWN = 1,
    SNAPSHOT_OUTSIDE = 2,
    SNAPSHOT_FREED = 3,
    SNAPSHOT_NOT_WRITTEN = 4,
    SNAPSHOT_NO_ELEMENT = 5,
    SNAPSHOT_INDEX_NOT_KNOWN = 6
};

/* The last of these that a snapshot's address may be instead. */
static inline uint32_t es_image_snapshot_nowhere(const es_snapshot *snapshot)
{
    return snapshot->place.subscript_count ? SNAPSHOT_INDEX_NOT_KNOWN : SNAPSHOT_NOT_WRITTEN;
}

/* The action that sends the statement's snapshot number k. */
const es_action *es_image_snapshot_action(const es_statement *statement, size_t k);

/* Words of memory that are sent. */
uint32_t es_image_snapshot_memory(const es_snapshot *snapshot);

#endif
