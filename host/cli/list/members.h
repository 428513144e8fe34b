/* The scalars that an object is made of, by the names that statements give them. */
#ifndef ES_CLI_LIST_MEMBERS_H
#define ES_CLI_LIST_MEMBERS_H

#include "base/text.h"
#include "symbols/symbols.h"

typedef struct es_list_member {
    const char *name; /* "plant.zone[0..3].reading" */
    const es_type *type;
    uint32_t offset; /* bytes from the object's beginning; of an array's first element */
    uint8_t bit_offset, bit_size;
} es_list_member;

typedef void es_list_each(void *context, const es_list_member *member);

/* Calls `each` for all of them, in the order of the type; none of a scalar, which is one itself. */
void es_list_members(const char *name, const es_type *type, es_list_each *each, void *context);

#endif
