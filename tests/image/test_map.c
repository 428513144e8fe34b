/* Maps of addresses: every key is found, none by another one. */
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "image/tables/map.h"

static uint32_t seed = 7;

static uint32_t draw(uint32_t range)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % range;
}

START_TEST(every_key_is_found)
{
    enum { ROWS = 256, COLUMNS = 64 };
    for (int round = 0; round < 200; round++) {
        static bool taken[ROWS][COLUMNS];
        memset(taken, 0, sizeof taken);
        size_t want = draw(round % 2 ? 3000 : 60), count = 0;
        map_key *keys = malloc((want + 1) * sizeof *keys);
        for (size_t i = 0; i < want; i++) {
            uint32_t row = draw(round % 3 ? ROWS : 5), column = draw(COLUMNS);
            if (taken[row][column])
                continue;
            taken[row][column] = true;
            keys[count++] = (map_key){row, column, (uint16_t)(1 + draw(65535))};
        }
        bool anchored = draw(2);
        es_arena *arena = es_arena_new();
        map_packed map;
        es_map_pack(&map, arena, keys, count, ROWS, COLUMNS, anchored);
        size_t used = 0;
        for (size_t i = 0; i < count; i++) {
            int64_t cell = (int64_t)map.rows[keys[i].row] + keys[i].column;
            ck_assert(cell >= 0 && cell < (int64_t)map.cell_count);
            ck_assert_uint_eq(map.cells[cell], keys[i].cell);
        }
        for (size_t i = 0; i < map.cell_count; i++)
            used += map.cells[i] != 0;
        ck_assert_uint_eq(used, count); /* no cell serves two keys */
        for (uint32_t row = 0; row < ROWS && anchored; row++)
            ck_assert(map.rows[row] >= 0 && (size_t)map.rows[row] + COLUMNS <= map.cell_count);
        if (count > 2000)
            ck_assert_uint_lt(map.cell_count, count * 3 / 2);
        es_arena_free(arena);
        free(keys);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("map");
    TCase *tests = tcase_create("map");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, every_key_is_found);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
