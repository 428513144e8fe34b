/* Where pointers that statements follow may lead to, by all that the program ever stores to their variables. */
#ifndef ES_CHECK_POINTED_H
#define ES_CHECK_POINTED_H

#include "check/target/aims.h"
#include "image/image.h"

typedef struct es_check_pointed {
    bool anywhere;
    uint32_t set; /* regions of the program's memory */
} es_check_pointed;

/* By pointer of the image. The result belongs to the arena. */
const es_check_pointed *es_check_pointed_find(es_arena *arena, es_check_aims *aims, const es_check_program *program,
                                              const es_image *image);

/* Adds what lies from `low` to below `high` bytes after each place of the regions. Within the object that a pointer
 * leads to (`size` bytes) these are the regions themselves. */
void es_check_pointed_around(es_check_aims *aims, es_check_pointed *to, uint32_t set, int64_t low, int64_t high,
                             uint32_t size);

/* Number of a procedure of the image among the program's; CHECK_NONE: NULL, or not found. */
size_t es_check_pointed_procedure(const es_check_program *program, const es_procedure *procedure);

#endif
