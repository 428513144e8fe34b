/* What a probe cannot do, or may not: refused before a monitor image is built. */
#ifndef ES_IMAGE_TABLES_ALLOWED_H
#define ES_IMAGE_TABLES_ALLOWED_H

#include "image/image.h"

/* False: a statement needs what this probe has not, or is not allowed; the error points at the place in the text. */
bool es_allowed_program(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                        es_error *err);

#endif
