/* What a pointer points at, in words. */
#ifndef ES_SESSION_POINTEE_H
#define ES_SESSION_POINTEE_H

#include "base/text.h"
#include "symbols/symbols.h"

/* "<plant>": what begins exactly there; or the text that a char pointer points at, in quotes. False: nothing that is
 * known. */
bool es_pointee_text(es_text_buffer *out, const es_symbols *symbols, const es_type *type, uint32_t address);

#endif
