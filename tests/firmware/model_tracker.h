/* The model's tracker: hits that the probe deals with beside the soft core (rtl/core/es_tracker.v). */
#ifndef TESTS_FIRMWARE_MODEL_TRACKER_H
#define TESTS_FIRMWARE_MODEL_TRACKER_H

#include "model.h"

/* Whether the hit at the head, whose REG_HIT_CELL is given, is the tracker's; then it has done what is to be done. */
bool model_track(model *m, uint32_t hit_cell);

#endif
