/* Snapshots: whether what a statement asks for can be read, and fits into a frame. */
#ifndef ES_IMAGE_PLACES_SNAPSHOT_H
#define ES_IMAGE_PLACES_SNAPSHOT_H

#include "image/image.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

/* Fails with ES_USAGE and a caret for what cannot be read or does not fit into a frame. */
bool es_snapshot_check(const image_plan *plan, const es_statement *statement, const es_probe_limits *limits,
                       es_error *err);

#endif
