#include "image/tables/map_keys.h"

#include "image/image.h"

/* REG_HIT_CELL: of fetches, the halves of a word have columns of their own. */
static uint32_t column_of(const map_keys *keys, uint32_t address)
{
    uint32_t column = address >> ES_CELL_COLUMN_SHIFT;
    return keys->fetches ? 2 * column + (address >> 1 & 1) : column;
}

void es_map_keys_note(image_builder *b, uint32_t address, bool fetch, const es_procedure *frame, int32_t cfa_offset)
{
    es_image *image = b->image;
    if ((image->key_count & (image->key_count - 1)) == 0)
        image->keys = es_realloc(image->keys, (image->key_count ? 2 * image->key_count : 1) * sizeof *image->keys);
    image->keys[image->key_count++] = (es_image_key){address, fetch, frame, cfa_offset};
}

void es_map_keys_add(image_builder *b, map_keys *keys, uint32_t address, struct es_mi_cell cell)
{
    keys->keys = es_arena_grow(b->arena, keys->keys, keys->count, sizeof *keys->keys);
    keys->keys[keys->count++] =
        (map_key){address >> 2 & (ES_ROWS - 1), column_of(keys, address) - column_of(keys, b->limits->window_base),
                  cell.first | (uint32_t)cell.second << 16};
}

void es_map_keys_write(image_builder *b, map_keys *keys, uint16_t *rows)
{
    map_packed map;
    uint32_t columns = (b->limits->window_size >> ES_CELL_COLUMN_SHIFT) + 1;
    es_map_pack(&map, b->arena, keys->keys, keys->count, ES_ROWS, keys->fetches ? 2 * columns : columns, false);
    uint32_t cells_at = es_layout_put(b, map.cells, map.cell_count * sizeof *map.cells);
    uint32_t base_column = column_of(keys, b->limits->window_base);
    for (uint32_t row = 0; row < ES_ROWS; row++)
        rows[row] = (uint16_t)(cells_at + sizeof *map.cells * ((uint32_t)map.rows[row] - base_column));
}
