/* What paths of activations mean: which activation of a stack a path denotes. No other room's definition counts. */
#include "lang/statement.h"

#include <string.h>

bool es_step_means(const es_step *step, const es_procedure *procedure)
{
    for (size_t i = 0; i < step->copy_count; i++)
        if (step->copies[i] == procedure)
            return true;
    return step->procedure == procedure;
}

size_t es_step_copies(const es_step *step)
{
    return step->copy_count ? step->copy_count : step->procedure != NULL;
}

const es_procedure *es_step_copy(const es_step *step, size_t i)
{
    return step->copy_count ? step->copies[i] : step->procedure;
}

size_t es_step_sites(const es_step *step)
{
    return step->kind != ES_STEP_CALL ? 0 : step->site_count ? step->site_count : 1;
}

uint32_t es_step_site(const es_step *step, size_t i)
{
    return step->site_count ? step->sites[i] : step->site;
}

bool es_step_is_by(const es_step *step, uint32_t site)
{
    size_t count = es_step_sites(step);
    for (size_t i = 0; i < count; i++)
        if (es_step_site(step, i) == site)
            return true;
    return !count;
}

bool es_step_same_sites(const es_step *a, const es_step *b)
{
    size_t count = es_step_sites(a);
    bool same = count == es_step_sites(b);
    for (size_t i = 0; i < count && same; i++)
        same = es_step_site(a, i) == es_step_site(b, i);
    return same;
}

/* What may lie between the activation that matched last and the one that a step is to match. */
static bool may_pass(const es_path *path, size_t step, unsigned nest, const es_activation *activation)
{
    const es_step *at = &path->steps[step];
    bool gap = nest > 0 || (step > 0 && path->steps[step - 1].kind == ES_STEP_ANY);
    /* f[k] counts: no activation of f is passed over */
    return gap && (at->kind != ES_STEP_NESTED || !es_step_means(at, activation->procedure));
}

static bool fits(const es_step *step, const es_activation *activation)
{
    return es_step_means(step, activation->procedure) && es_step_is_by(step, activation->site);
}

size_t es_path_find(const es_path *path, const es_activation *stack, size_t depth)
{
    /* A path is a row of activations to be met; all lengths of its beginning that can be met so far are followed at
     * once, from the outermost activation on. */
    bool met[ES_PATH_DEPTH_MAX + 1] = {true};
    size_t found = depth;
    for (size_t i = 0; i < depth; i++) {
        bool next[ES_PATH_DEPTH_MAX + 1] = {false};
        size_t length = 0;
        for (size_t s = 0; s < path->count; s++) {
            const es_step *step = &path->steps[s];
            unsigned times = step->kind == ES_STEP_ANY ? 0 : step->kind == ES_STEP_NESTED ? step->nest : 1;
            for (unsigned nest = 0; nest < times && length < ES_PATH_DEPTH_MAX; nest++, length++) {
                next[length] |= met[length] && may_pass(path, s, nest, &stack[i]);
                next[length + 1] |= met[length] && fits(step, &stack[i]);
            }
        }
        if (next[length])
            found = i;
        memcpy(met, next, sizeof met);
    }
    return found;
}

/* Does `b` mean all procedures that `a` means? */
static bool covers(const es_step *b, const es_step *a)
{
    for (size_t i = 0; i < es_step_copies(a); i++)
        if (!es_step_means(b, es_step_copy(a, i)))
            return false;
    return true;
}

static bool same_step(const es_step *a, const es_step *b)
{
    return a->kind == b->kind && covers(a, b) && covers(b, a) && es_step_same_sites(a, b) && a->nest == b->nest;
}

/* Does an activation that fits `a` fit `b` too? */
static bool implies(const es_step *a, const es_step *b)
{
    if (same_step(a, b))
        return true;
    return b->kind == ES_STEP_NAME && (a->kind == ES_STEP_NAME || a->kind == ES_STEP_CALL) && covers(b, a);
}

bool es_path_continues(const es_path *inner, const es_path *outer)
{
    bool prefix = inner->count >= outer->count;
    for (size_t i = 0; i < outer->count && prefix; i++)
        prefix = implies(&inner->steps[i], &outer->steps[i]);
    if (prefix)
        return true;
    /* *:f follows from every path that goes through an activation of f */
    if (outer->count != 2 || outer->steps[0].kind != ES_STEP_ANY || outer->steps[1].kind != ES_STEP_NAME)
        return false;
    for (size_t i = 0; i < inner->count; i++)
        if (inner->steps[i].kind != ES_STEP_ANY && covers(&outer->steps[1], &inner->steps[i]))
            return true;
    return false;
}

unsigned es_path_depth(const es_path *path)
{
    unsigned depth = 0;
    for (size_t i = 0; i < path->count; i++)
        depth += path->steps[i].kind == ES_STEP_ANY      ? 0
                 : path->steps[i].kind == ES_STEP_NESTED ? path->steps[i].nest
                                                         : 1;
    return depth;
}

bool es_path_is_any(const es_path *path)
{
    return path->count == 2 && path->steps[0].kind == ES_STEP_ANY && path->steps[1].kind == ES_STEP_NAME;
}

const es_step *es_path_last(const es_path *path)
{
    return &path->steps[path->count - 1];
}

const es_procedure *es_path_end(const es_path *path)
{
    return es_path_last(path)->procedure;
}
