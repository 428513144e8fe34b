#include "image/places/snapshot.h"

#include <stddef.h>
#include <string.h>

#include "image/hit/snapshot.h"
#include "image/image.h"
#include "image/places/element.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "lang/statement.h"

static bool fits_window(const es_snapshot *snapshot, const es_probe_limits *limits)
{
    es_reference last = es_element_at(&snapshot->place, es_element_count(&snapshot->place) - 1);
    uint32_t offset = snapshot->place.address - limits->window_base, end = last.address - limits->window_base;
    return offset <= end && end < limits->window_size && snapshot->bytes <= limits->window_size - end;
}

static bool is_deadline(const es_statement *statement)
{
    return (statement->features & (ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR))) != 0;
}

bool es_snapshot_check(const image_plan *plan, const es_statement *statement, const es_probe_limits *limits,
                       es_error *err)
{
    size_t words = 5 + es_image_words(statement);
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++) {
        const es_action *action = es_image_snapshot_action(statement, k);
        const es_snapshot *snapshot = action->snapshot;
        unsigned length = sizeof "snapshot" - 1;
        if (is_deadline(statement))
            return es_plan_refuse_at(
                plan, action->source, length, err, "print x",
                "a snapshot with `for` is not available in this version: nothing happens at that time that "
                "the probe could hold on to");
        for (size_t i = 0; i < snapshot->place.subscript_count; i++)
            if (!es_element_check_index(plan, statement, snapshot->place.subscripts[i].index, false, err))
                return false;
        if (snapshot->place.via && lives_of(&statement->references[snapshot->place.base]))
            return es_plan_refuse_at(plan, action->source, length, err, "print the pointer",
                                     "%s is in memory for a part of its procedure only: where it leads to cannot be "
                                     "followed",
                                     statement->references[snapshot->place.base].text);
        if (!snapshot->place.via && !snapshot->place.frame && !fits_window(snapshot, limits))
            return es_plan_refuse_at(plan, action->source, length, err, NULL,
                                     "%s at 0x%08x lies outside of the probe's phantom memory (0x%08x to 0x%08x)",
                                     snapshot->name, (unsigned)snapshot->place.address, (unsigned)limits->window_base,
                                     (unsigned)(limits->window_base + limits->window_size - 1));
        if (words > ES_FRAME_MAX_WORDS)
            return es_plan_refuse_at(plan, action->source, length, err,
                                     "take a part of it, memory(ADDRESS, BYTES), or use several statements",
                                     "%s has %u bytes: what is printed and taken as snapshots fits %u bytes in all",
                                     snapshot->name, (unsigned)snapshot->bytes, 4 * (ES_FRAME_MAX_WORDS - 5 - 2));
    }
    return true;
}
