#include "image/plan/paths.h"

#include "image/paths/automaton.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

bool es_paths_same(const es_path *a, const es_path *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const es_step *x = &a->steps[i], *y = &b->steps[i];
        if (x->kind != y->kind || x->procedure != y->procedure || !es_step_same_sites(x, y) || x->nest != y->nest ||
            es_step_copies(x) != es_step_copies(y))
            return false;
        for (size_t k = 0; k < es_step_copies(x); k++) /* they are in the order of their addresses */
            if (es_step_copy(x, k) != es_step_copy(y, k))
                return false;
    }
    return true;
}

size_t es_paths_find(const image_plan *plan, const es_path *path)
{
    size_t i = 0;
    while (i < plan->path_count && !es_paths_same(plan->paths[i].path, path))
        i++;
    return i;
}

void es_paths_ask(image_plan *plan, const es_path *path, uint8_t what)
{
    size_t i = es_paths_find(plan, path);
    if (i == plan->path_count) {
        plan->paths = es_arena_grow(plan->arena, plan->paths, plan->path_count, sizeof *plan->paths);
        plan->paths[plan->path_count++] = (plan_path){.path = path};
    }
    plan_path *asked = &plan->paths[i];
    for (unsigned k = 0; k < 2; k++)
        if (what >> k & 1 && !(asked->asked >> k & 1))
            asked->bit[k] = plan->path_bits++;
    asked->asked |= what;
}

unsigned es_paths_bit(const image_plan *plan, const es_path *path, uint8_t what)
{
    return plan->paths[es_paths_find(plan, path)].bit[what == AUTOMATON_EXISTS];
}
