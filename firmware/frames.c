/* NP and the frames of procedures whose locals statements refer to. */
#include "firmware.h"

/* Where NP goes on a call of `procedure`; NULL: out of the tree. */
const struct es_mi_node *child_node(const struct es_mi_node *node, const struct es_mi_procedure *procedure)
{
    uint32_t column = procedure->column;
    if (!node || !column || !node->row_at)
        return NULL;
    const struct es_mi_node *child = AT(const struct es_mi_node, *AT(const uint16_t, node->row_at + column));
    return child && AT(const struct es_mi_node, child->parent_at) == node ? child : NULL;
}

void frame_enter(const struct es_mi_node *node)
{
    const struct es_mi_frame *frame = AT(const struct es_mi_frame, node->frame_at);
    uint32_t *cell = AT(uint32_t, frame->cell_at);
    *cell = node->cfa;
    for (uint32_t count = frame->pending_words; count; count--)
        *++cell = 0;
    uint32_t plane = node->cfa + (ES_PLANE_DATA_BASE - ES_PHANTOM_BASE);
    const int32_t *word = frame->words;
    for (uint32_t count = frame->word_count; count; count--, word++)
        *AT(volatile uint32_t, plane + ((uint32_t)*word & ~3u)) = (uint32_t)*word & 3u;
}

void frame_leave(const struct es_mi_node *node)
{
    const struct es_mi_frame *frame = AT(const struct es_mi_frame, node->frame_at);
    *AT(uint32_t, frame->cell_at) = 0;
    uint32_t plane = node->cfa + (ES_PLANE_DATA_BASE - ES_PHANTOM_BASE);
    const int32_t *word = frame->words;
    for (uint32_t count = frame->word_count; count; count--, word++)
        *AT(volatile uint32_t, plane + ((uint32_t)*word & ~3u)) = 0;
}
