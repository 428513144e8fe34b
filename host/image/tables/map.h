/* Row displacement: a sparse table's rows laid over one another in one array so that no two used cells meet. */
#ifndef ES_IMAGE_TABLES_MAP_H
#define ES_IMAGE_TABLES_MAP_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct map_key {
    uint32_t row, column;
    uint32_t cell; /* what to find there; not 0 */
} map_key;

typedef struct map_packed {
    int32_t *rows;   /* displacement by row; cell of a key: rows[row] + column */
    uint32_t *cells; /* 0: unused */
    size_t cell_count;
} map_packed;

/* Packs keys (distinct; sorts them). With `anchored`, displacements are not negative and cells reach as far as any
 * row's displacement + columns - 1,
 * so that keys that are not in the map can be looked up too. */
void es_map_pack(map_packed *map, es_arena *arena, map_key *keys, size_t key_count, uint32_t row_count,
                 uint32_t columns, bool anchored);

#endif
