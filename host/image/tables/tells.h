/* Code that is run where the truth of paths that lasting conditions name may have changed (host/image/times/tells.h):
 * at the end of entry lists of procedures with such control events, and after all that came to C (header.tells_at).
 *
 * It compares what NP tells with what is kept. Where that is another: deadlines of `unchanged for` that have passed by
 * now are told first, as of the path before; then what NP tells is kept, and the notes of conditions with `for` that
 * name one of the changed paths evaluate them. When NP is not known, or doubtful, these conditions are not evaluable,
 * and end. */
#ifndef ES_IMAGE_TABLES_TELLS_H
#define ES_IMAGE_TABLES_TELLS_H

#include "image/tables/layout.h"

/* Writes it; plan->tells_at tells where it is, 0: nothing asks for it. */
void es_tells_write(image_builder *b);

#endif
