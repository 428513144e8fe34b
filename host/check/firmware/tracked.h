/* Events that the probe's tracker deals with by itself (rtl/core/es_tracker.v). */
#ifndef ES_CHECK_TRACKED_H
#define ES_CHECK_TRACKED_H

#include "check/firmware/service_inside.h"

/* Whether an event surely is one of these; an image for a probe without tracker has none. */
bool es_service_tracked(const es_check_service *s, enum es_check_event_kind kind, uint32_t address,
                        const es_check_situation *now);

/* Whether the tracker looks at more than the cell before it leaves the event to the soft core. */
bool es_service_marked(const es_check_service *s, enum es_check_event_kind kind, uint32_t address,
                       const es_check_situation *now);

#endif
