/* The table of marks that earshot_mark.h leaves in a program: section .earshot_marks (docs/marks.md). */
#ifndef ES_NET_MARK_TABLE_H
#define ES_NET_MARK_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct es_net_mark_place {
    uint32_t begin, end; /* addresses of its code; equal in a program without the marks */
    uint32_t id;
    unsigned reg; /* number of the register that has its value, 0 for none */
} es_net_mark_place;

/* The marks in the order of the table, which is the same for the program with them and without; the caller frees. NULL
 * with an error. */
es_net_mark_place *es_net_mark_table(const char *path, size_t *count, es_error *err);

#endif
