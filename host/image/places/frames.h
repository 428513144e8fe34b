/* The frames of a plan: those of all procedures whose locals statements refer to, and their paths. */
#ifndef ES_IMAGE_PLACES_FRAMES_H
#define ES_IMAGE_PLACES_FRAMES_H

#include "base/arena.h"
#include "image/image.h"
#include "image/plan/plan.h"
#include "lang/statement.h"
#include "probe_defs.h"
#include <image.h>

/* Notes the frames that a statement's references lie in, and their paths. */
void es_plan_add_frames(image_plan *plan, const es_statement *statement);

#endif
