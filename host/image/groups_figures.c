/* What groups have counted as figures of the whole program. */
#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "image/groups.h"
#include "image/hit/expected.h"

#define DOUBTS_WORDS (sizeof(struct es_mi_doubts) / 4)

/* Where the words of each statement stand (image.h: es_image_expected_read); the doubts' after the last. */
static size_t *places_of(const es_program *program)
{
    size_t *places = es_malloc((program->statement_count + 1) * sizeof *places);
    bool *switched = es_expected_switched(program);
    size_t at = program->counter_count + program->statement_count;
    for (size_t i = 0; i < program->statement_count; i++) {
        places[i] = at;
        at += es_expected_words(&program->statements[i], switched[i]);
    }
    places[program->statement_count] = at;
    free(switched);
    return places;
}

static void add_doubts(struct es_mi_doubts *all, const struct es_mi_doubts *of)
{
    bool later = of->end_high > all->end_high || (of->end_high == all->end_high && of->end_low > all->end_low);
    all->unknown += of->unknown - of->nobodys; /* what is nobody's each has counted for itself */
    all->nobodys = of->nobodys > all->nobodys ? of->nobodys : all->nobodys;
    all->incomplete = of->incomplete > all->incomplete ? of->incomplete : all->incomplete;
    all->paths |= of->paths;
    all->end_low = later ? of->end_low : all->end_low;
    all->end_high = later ? of->end_high : all->end_high;
}

void es_image_groups_figures(const es_image_groups *groups, const es_program *program, const uint32_t *const *words,
                             uint32_t *all)
{
    size_t *places = places_of(program);
    struct es_mi_doubts doubts = {0}, of;
    memset(all, 0, (places[program->statement_count] + DOUBTS_WORDS) * sizeof *all);
    for (size_t g = 0; g < groups->count; g++) {
        const es_image_group *group = &groups->groups[g];
        size_t *own = places_of(&group->program), counters = group->program.counter_count;
        for (size_t i = 0; i < counters; i++)
            all[group->counters[i]] += words[g][i];
        for (size_t i = 0; i < group->program.statement_count; i++) {
            size_t number = group->statements[i];
            all[program->counter_count + number] = words[g][counters + i];
            memcpy(all + places[number], words[g] + own[i], (own[i + 1] - own[i]) * sizeof *all);
        }
        memcpy(&of, words[g] + own[group->program.statement_count], sizeof of);
        add_doubts(&doubts, &of);
        free(own);
    }
    doubts.unknown += doubts.nobodys;
    memcpy(all + places[program->statement_count], &doubts, sizeof doubts);
    free(places);
}
