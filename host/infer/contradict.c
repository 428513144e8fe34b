#include "infer/contradict.h"

#include <math.h>

#define PATHS_MAX 24u /* of another stretch that are looked at */
#define AGAINST 1e-4  /* instead of 0: the machine may be wrong */

/* A stay in exclusive states by a known value: when it begins and ends at the earliest, and at the latest; ns. */
typedef struct held {
    uint32_t exclusive;
    es_infer_value value;
    int64_t begin[2], end[2];
} held;

typedef struct path_held {
    held *list;
    uint32_t count;
} path_held;

/* When a path's transition was, at the earliest and at the latest. */
static void bounds_of(const es_infer_segment *segment, const es_infer_passed *passed, int64_t bounds[2])
{
    const es_infer_between *between = &segment->between[passed->observed];
    int64_t begin = passed->observed ? segment->observed[passed->observed - 1].time : segment->begin;
    bounds[0] = bounds[1] = segment->observed[passed->observed].time;
    if (!passed->lost)
        return;
    bounds[0] = between->told && between->begin > begin ? between->begin : begin;
    if (between->told && between->end < bounds[1])
        bounds[1] = between->end;
}

static path_held held_by(const es_infer_model *model, const es_infer_solved *solved, const es_infer_path *path,
                         es_arena *arena)
{
    const es_infer_segment *segment = solved->segment;
    path_held found = {.list = es_arena_alloc(arena, (path->count + 1) * sizeof(held))};
    es_infer_stay *stays = es_arena_alloc(arena, (path->count + 1) * sizeof *stays);
    es_infer_find_stays(model, segment, &solved->excluded, path, stays);
    for (uint32_t i = 0; i < path->count; i++) { /* what follows after the last one is others' fact already */
        if (stays[i].exclusive == ES_INFER_NONE || !stays[i].known)
            continue;
        held h = {stays[i].exclusive, stays[i].value, {segment->begin, segment->begin}, {0, 0}};
        if (i)
            bounds_of(segment, &path->passed[i - 1], h.begin);
        bounds_of(segment, &path->passed[i], h.end);
        bool goes_on = found.count && i && stays[i - 1].exclusive == h.exclusive;
        if (goes_on) {
            found.list[found.count - 1].end[0] = h.end[0];
            found.list[found.count - 1].end[1] = h.end[1];
        } else {
            found.list[found.count++] = h;
        }
    }
    return found;
}

/* Would both be there at the same time, whenever each of them began and ended? */
static bool collide(const held *a, const held *b)
{
    if (a->exclusive != b->exclusive || a->value != b->value)
        return false;
    int64_t begin = a->begin[1] > b->begin[1] ? a->begin[1] : b->begin[1];
    int64_t end = a->end[0] < b->end[0] ? a->end[0] : b->end[0];
    if (begin < end)
        return true;
    return (a->begin[1] <= b->begin[0] && a->end[0] >= b->end[1] && b->begin[0] < b->end[1]) ||
           (b->begin[1] <= a->begin[0] && b->end[0] >= a->end[1] && a->begin[0] < a->end[1]);
}

static bool contradict(const path_held *a, const path_held *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (collide(&a->list[i], &b->list[k]))
                return true;
    return false;
}

/* One other stretch: what is said against each path of ours is the weight of its paths that rule it out. */
static void weigh(const es_infer_model *model, es_infer_solved *weighed, const path_held *ours,
                  const es_infer_solved *other)
{
    es_arena *arena = es_arena_new();
    uint32_t paths = other->path_count < PATHS_MAX ? other->path_count : PATHS_MAX;
    double weights[PATHS_MAX], total = 0, best = other->paths[0].cost + other->paths[0].time_cost;
    path_held theirs[PATHS_MAX];
    for (uint32_t k = 0; k < paths; k++) {
        theirs[k] = held_by(model, other, &other->paths[k], arena);
        total += weights[k] = exp(best - other->paths[k].cost - other->paths[k].time_cost);
    }
    for (uint32_t i = 0; i < weighed->path_count; i++) {
        double fits = AGAINST;
        for (uint32_t k = 0; k < paths; k++)
            fits += contradict(&ours[i], &theirs[k]) ? 0 : weights[k] / total;
        weighed->paths[i].cost -= log(fits);
    }
    es_arena_free(arena);
}

void es_infer_weigh_exclusive(const es_infer_model *model, es_infer_solved *weighed, es_infer_solved *const *others,
                              uint32_t other_count)
{
    if (!model->machines[weighed->result.machine_number].exclusive_count)
        return;
    path_held *ours = es_arena_alloc(weighed->arena, (weighed->path_count + 1) * sizeof *ours);
    for (uint32_t i = 0; i < weighed->path_count; i++)
        ours[i] = held_by(model, weighed, &weighed->paths[i], weighed->arena);
    for (uint32_t i = 0; i < other_count; i++) {
        const es_infer_result *r = &others[i]->result;
        if (r->machine_number == weighed->result.machine_number && r->key != weighed->result.key &&
            others[i]->path_count && r->begin < weighed->result.end && r->end > weighed->result.begin)
            weigh(model, weighed, ours, others[i]);
    }
}
