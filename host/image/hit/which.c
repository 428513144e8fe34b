#include "image/hit/which.h"

#include <stddef.h>

#include "image/bits.h"
#include "image/image.h"

#define AROUND 2u /* words before and after the hit's that an 8-byte member may lie in */

uint32_t es_image_which_memory(const es_statement *statement, const es_print_item *item)
{
    const es_area *area = &statement->areas[item->index];
    for (size_t i = 0; i < area->count; i++) {
        if (plan_is_large(&statement->references[area->members[i]]))
            return 2 * AROUND + 1;
    }
    return 1;
}

/* Where a member lies, from the area's first one. */
static int64_t offset_of(const es_statement *statement, const es_area *area, const es_reference *member)
{
    const es_reference *first = &statement->references[area->members[0]];
    return (int32_t)(plan_first_byte(member) - first->address);
}

typedef struct touched {
    int64_t word;         /* the hit's word, from the first member */
    unsigned lanes;       /* of it */
    int64_t begin;        /* of the memory that is told */
    uint32_t count, mask; /* words; of those that are not known */
    const uint32_t *words;
} touched;

static bool is_accessed(const touched *t, int64_t byte)
{
    return byte >= t->word && byte < t->word + 4 && t->lanes >> (byte - t->word) & 1;
}

/* How many of a member's bytes were accessed. */
static unsigned accessed(const touched *t, int64_t offset, unsigned bytes)
{
    unsigned count = 0;
    for (unsigned i = 0; i < bytes; i++)
        count += is_accessed(t, offset + i);
    return count;
}

static bool take(const touched *t, int64_t byte, bool whole, uint64_t *value, unsigned at)
{
    int64_t from = byte - t->begin;
    if (from < 0 || from >= 4 * (int64_t)t->count || at >= 64)
        return false;
    *value |= (uint64_t)(t->words[from / 4] >> from % 4 * 8 & 0xFF) << at;
    return whole || !(t->mask >> from / 4 & 1);
}

/* Its value, when it was accessed as a whole or is what memory holds: another member beside it, of which only some
 * bytes were, may be half-written, and a local's bytes that were not may be an earlier activation's. */
static es_image_part value_of(const touched *t, const es_reference *member, int64_t offset, bool alone)
{
    unsigned bytes = plan_byte_count(member);
    bool whole = accessed(t, offset, bytes) == bytes;
    uint64_t value = 0;
    es_image_part part = {.known = whole || (alone && !member->frame)};
    for (unsigned i = 0; i < bytes && part.known; i++)
        part.known = take(t, offset + i, whole, &value, 8 * (plan_is_turned(member) ? bytes - 1 - i : i));
    part.value = value >> member->bit_offset % 8;
    return part;
}

size_t es_image_which(const es_statement *statement, const es_print_item *item, const uint32_t *words,
                      es_image_part parts[ES_IMAGE_PARTS_MAX])
{
    const es_area *area = &statement->areas[item->index];
    touched t = {.word = (int32_t)words[0] >> WHICH_LANES, .lanes = words[0] & 15, .words = words + 1};
    t.count = es_image_which_memory(statement, item);
    t.begin = t.word - (t.count > 1 ? 4 * (int64_t)AROUND : 0);
    t.mask = words[1 + t.count];
    size_t count = 0;
    for (size_t i = 0; i < area->count && count < ES_IMAGE_PARTS_MAX; i++) {
        const es_reference *member = &statement->references[area->members[i]];
        if (accessed(&t, offset_of(statement, area, member), plan_byte_count(member)))
            parts[count++].reference = area->members[i];
    }
    for (size_t i = 0; i < count; i++) {
        const es_reference *member = &statement->references[parts[i].reference];
        size_t reference = parts[i].reference;
        parts[i] = value_of(&t, member, offset_of(statement, area, member), count == 1);
        parts[i].reference = reference;
    }
    return count;
}
