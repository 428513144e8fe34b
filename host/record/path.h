/* Call paths as texts: "main:control:!uart_isr:0x00001234", in the statements' own way of writing. A ! is before what
 * an interrupt entered; an activation whose procedure is not known is an address of its code. */
#ifndef ES_RECORD_PATH_H
#define ES_RECORD_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* One activation. */
typedef struct es_path_part {
    const char *name; /* of the procedure; NULL: not known */
    uint32_t address; /* then: an address in its code */
    bool interrupt;   /* entered by an interrupt */
} es_path_part;

/* Adds an activation to a path's text. A single colon in a name, as some of C++ have, gets a \ before it. */
void es_path_add(es_text_buffer *path, const es_path_part *part);

/* Takes the next activation from a path's text at *at, which moves on; false: there is none. The name goes to `name`,
 * which is cleared, and lives there. */
bool es_path_next(const char **at, es_text_buffer *name, es_path_part *part);

#endif
