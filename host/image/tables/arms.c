#include "image/tables/arms.h"

/* Writes an arm list of ascending addresses; *count gets its length. */
static uint16_t write_arms(image_builder *b, const plane_arm *arms, size_t arm_count, unsigned shift, uint16_t *count)
{
    uint32_t list = ES_IMAGE_BASE + (uint32_t)b->size;
    uint32_t last = b->limits->window_base;
    uint16_t *steps = NULL;
    size_t step_count = 0;
    for (size_t i = 0; i < arm_count; i++) {
        uint32_t step = (arms[i].address - last) >> shift;
        for (; step >= ES_MI_ARM_SKIP; step -= ES_MI_ARM_SKIP) {
            steps = es_arena_grow(b->arena, steps, step_count, sizeof *steps);
            steps[step_count++] = ES_MI_ARM_SKIP;
        }
        steps = es_arena_grow(b->arena, steps, step_count, sizeof *steps);
        steps[step_count++] = (uint16_t)(step | (arms[i].lock ? ES_MI_ARM_LOCK : 0));
        last = arms[i].address;
    }
    es_layout_put(b, steps, step_count * sizeof *steps);
    *count = (uint16_t)step_count;
    return (uint16_t)list;
}

void es_arms_write(image_builder *b, const plane_arm *data, size_t data_count, const plane_arm *fetch,
                   size_t fetch_count, struct es_mi_header *header)
{
    uint16_t data_length, fetch_length;
    uint32_t rows = es_layout_put(b, b->rows, sizeof *b->rows * 2 * ES_ROWS);
    uint16_t data_at = write_arms(b, data, data_count, ES_MI_ARM_DATA_SHIFT, &data_length);
    uint16_t fetch_at = write_arms(b, fetch, fetch_count, ES_MI_ARM_FETCH_SHIFT, &fetch_length);
    header->rows_at = (uint16_t)rows;
    header->data_arms_at = data_at;
    header->data_arm_count = data_length;
    header->fetch_arms_at = fetch_at;
    header->fetch_arm_count = fetch_length;
}
