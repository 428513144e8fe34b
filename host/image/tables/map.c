#include "image/tables/map.h"

#include <stdlib.h>
#include <string.h>

typedef struct map_row {
    uint32_t number;
    const map_key *keys;
    size_t count;
} map_row;

static int compare_keys(const void *left, const void *right)
{
    const map_key *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

static int compare_rows(const void *left, const void *right) /* fullest first: they are the hardest to place */
{
    const map_row *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static bool fits(const map_packed *map, const map_row *row, int64_t displacement)
{
    for (size_t i = 0; i < row->count; i++) {
        size_t cell = (size_t)(displacement + row->keys[i].column);
        if (cell < map->cell_count && map->cells[cell])
            return false;
    }
    return true;
}

static void place(map_packed *map, const map_row *row, int64_t displacement)
{
    map->rows[row->number] = (int32_t)displacement;
    for (size_t i = 0; i < row->count; i++) {
        size_t cell = (size_t)(displacement + row->keys[i].column);
        map->cells[cell] = row->keys[i].cell;
        if (cell >= map->cell_count)
            map->cell_count = cell + 1;
    }
}

void es_map_pack(map_packed *map, es_arena *arena, map_key *keys, size_t key_count, uint32_t row_count,
                 uint32_t columns, bool anchored)
{
    map->rows = es_arena_alloc(arena, (row_count + 1) * sizeof *map->rows);
    /* a row can always be placed after all others, so no more than this is ever used */
    size_t room = anchored ? columns : 1;
    map_row *rows = es_arena_alloc(arena, (row_count + 1) * sizeof *rows);
    size_t used = 0;
    if (key_count)
        qsort(keys, key_count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < key_count; i++) {
        if (i == 0 || keys[i].row != keys[i - 1].row)
            rows[used++] = (map_row){keys[i].row, &keys[i], 0};
        rows[used - 1].count++;
    }
    for (size_t i = 0; i < used; i++)
        room += rows[i].keys[rows[i].count - 1].column - (anchored ? 0 : rows[i].keys[0].column) + 1u;
    map->cells = es_arena_alloc(arena, room * sizeof *map->cells);
    map->cell_count = 0;
    if (used)
        qsort(rows, used, sizeof *rows, compare_rows);
    size_t free_from = 0; /* no free cell before this one */
    for (size_t i = 0; i < used; i++) {
        while (free_from < map->cell_count && map->cells[free_from])
            free_from++;
        int64_t displacement = (int64_t)free_from - rows[i].keys[0].column;
        if (anchored && displacement < 0)
            displacement = 0;
        while (!fits(map, &rows[i], displacement))
            displacement++;
        place(map, &rows[i], displacement);
    }
    if (anchored) {
        size_t end = columns;
        for (size_t i = 0; i < used; i++)
            if ((size_t)map->rows[rows[i].number] + columns > end)
                end = (size_t)map->rows[rows[i].number] + columns;
        if (end > map->cell_count)
            map->cell_count = end;
    }
}
