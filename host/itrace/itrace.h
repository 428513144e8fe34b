/* Every instruction of a recording, or of a part of it, as text: in the form of Spike's commit log, or with procedures
 * and places in the source. It is written while it is executed: nothing grows with its length. */
#ifndef ES_ITRACE_ITRACE_H
#define ES_ITRACE_ITRACE_H

#include <stdio.h>

#include "replay/timeline.h"
#include "symbols/symbols.h"

enum es_itrace_format {
    ES_ITRACE_SPIKE, /* as `spike --log-commits` writes it, but for control registers */
    ES_ITRACE_TEXT,  /* for people */
};

/* Writes [from, to). Bits that are not known are shown as ?, by hexadecimal digits. `asked`: looked at now and then,
 * true ends it; may be NULL. *reached: up to where. False: the replay failed, or (ES_OUTPUT) the file could not be
 * written, with errno. */
bool es_itrace_write(FILE *file, enum es_itrace_format format, es_timeline *timeline, const es_symbols *symbols,
                     uint64_t from, uint64_t to, bool (*asked)(void), uint64_t *reached, es_error *err);

#endif
