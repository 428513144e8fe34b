/* Frames whose place no path fixes: those of recursive procedures, of interrupt handlers and what they call, of
 * procedures that are called from frames of unknown size. Their words are a slot (host/image/places/slots.h), which the
 * firmware moves to the CFA of the activation that is meant (firmware/frames.c): it follows from the caller's CFA, or
 * is learned. */
#ifndef ES_IMAGE_PLACES_MOVING_H
#define ES_IMAGE_PLACES_MOVING_H

#include "image/image.h"
#include "image/plan/plan.h"

/* What has to be known of a procedure. */
typedef struct moving_procedure {
    bool leads;  /* it has a moving frame, or calls lead from it to one */
    bool learns; /* its CFA does not always follow from its callers', and is learned: */
    struct es_mi_learn learn;
} moving_procedure;

/* Finds the procedures of the plan's program whose frames move: plan->moved. Of these, paths that are not the same
 * denote several activations, so plan->program becomes a copy in which their references have procedures of their own
 * (with the same code). */
void es_moving_find(image_plan *plan, const es_symbols *symbols, const es_probe_limits *limits);

/* Finds what has to be known at run time: plan->moving. Fails with ES_USAGE, and says why, when the place of a frame
 * can neither be foreseen nor found at run time. */
bool es_moving_check(image_plan *plan, const es_symbols *symbols, const es_probe_limits *limits, es_error *err);

/* Bytes of RAM for a frame that moves. */
uint32_t es_moving_ram(const image_plan *plan, const plan_frame *frame);

#endif
