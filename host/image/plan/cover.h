/* Statements of `cover`: each of their addresses is told once. Where nothing else is armed in its word, the word is
 * disarmed then, and what runs there costs nothing any more; else a byte of RAM says that it has been told. They ask
 * for no path, so calls are not followed for their sake. */
#ifndef ES_IMAGE_PLAN_COVER_H
#define ES_IMAGE_PLAN_COVER_H

#include "image/plan/plan.h"

/* So many words must be free in the event queue: then a hit goes there whatever has to be sent before it (a path of the
 * shadow stack's depth, gaps, a task). With less room the place stays armed, and is told another time. */
#define COVER_ROOM 128u

/* Whether all statements of a program are of this kind, and there are any. */
bool es_cover_only(const es_program *program);

/* Gives them their RAM, from `at` on; returns its end. */
uint32_t es_cover_place(image_plan *plan, uint32_t at);

/* plan_control.covered of a control at an address where it is one of a cover, else 0. */
uint32_t es_cover_byte(const image_plan *plan, const plan_control *control, uint32_t address);

#endif
