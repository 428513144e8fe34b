#include "infer/concerns.h"

void es_infer_concerns_find(es_infer_concerns *concerns, const es_infer_model *model, es_arena *arena)
{
    uint32_t total = 0;
    concerns->event_count = es_infer_event_count(&model->words);
    for (uint32_t m = 0; m < model->machine_count; m++)
        total += model->machines[m].role_count;
    concerns->list = es_arena_alloc(arena, (total + 1) * sizeof *concerns->list);
    concerns->first = es_arena_alloc(arena, (concerns->event_count + 1) * sizeof *concerns->first);
    for (uint32_t m = 0; m < model->machine_count; m++)
        for (uint32_t r = 0; r < model->machines[m].role_count; r++)
            concerns->first[model->machines[m].roles[r].event + 1]++;
    for (uint32_t e = 0; e < concerns->event_count; e++)
        concerns->first[e + 1] += concerns->first[e];
    uint32_t *place = es_arena_alloc(arena, (concerns->event_count + 1) * sizeof *place);
    for (uint32_t m = 0; m < model->machine_count; m++)
        for (uint32_t r = 0; r < model->machines[m].role_count; r++) {
            uint32_t event = model->machines[m].roles[r].event;
            concerns->list[concerns->first[event] + place[event]++] = (es_infer_concern){m, r};
        }
}
