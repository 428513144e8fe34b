#include "image/groups.h"

#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "image/clusters.h"
#include "probe_defs.h"

#define FIRST_MOST 256u /* statements that are tried at first, where there are more */
#define MOST 2048u      /* that can fit, however small they are */
#define ROOM (ES_MI_ADDRESS_END - ES_IMAGE_BASE)

typedef struct splitting {
    const es_symbols *symbols;
    const es_program *program;
    const es_probe_limits *limits;
    es_image_groups *out;
    es_image_clusters clusters;
} splitting;

/* --- some statements as a program of their own --- */

static void note_counter(void *context, size_t counter, bool needs)
{
    (void)needs;
    ((bool *)context)[counter] = true;
}

static void take_counters(const es_program *all, es_image_group *group, es_arena *arena)
{
    es_program *some = &group->program;
    bool *used = es_arena_alloc(arena, all->counter_count + 1);
    size_t *numbers = es_arena_alloc(arena, (all->counter_count + 1) * sizeof *numbers), count = 0;
    for (size_t i = 0; i < some->statement_count; i++)
        es_linked_counters(&some->statements[i], note_counter, used);
    for (size_t i = 0; i < all->counter_count; i++)
        count += used[i];
    size_t *counters = es_arena_alloc(arena, (count + 1) * sizeof *counters);
    some->counters = es_arena_alloc(arena, (count + 1) * sizeof *some->counters);
    some->counter_count = 0;
    for (size_t i = 0; i < all->counter_count; i++) {
        if (!used[i])
            continue;
        numbers[i] = some->counter_count;
        counters[some->counter_count] = i;
        some->counters[some->counter_count++] = all->counters[i];
    }
    some->counter_numbers = numbers;
    group->counters = counters;
}

/* Actions that name other statements name them by the group's numbers. */
static void rename_statements(es_statement *statement, const size_t *numbers, size_t count, es_arena *arena)
{
    bool any = false;
    for (size_t i = 0; i < statement->action_count; i++)
        any |= statement->actions[i].kind == ES_ACTION_ENABLE || statement->actions[i].kind == ES_ACTION_DISABLE;
    if (!any)
        return;
    es_action *actions = es_arena_alloc(arena, statement->action_count * sizeof *actions);
    memcpy(actions, statement->actions, statement->action_count * sizeof *actions);
    statement->actions = actions;
    for (size_t i = 0; i < statement->action_count; i++) {
        size_t low = 0, high = count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (numbers[middle] < actions[i].statement)
                low = middle + 1;
            else
                high = middle;
        }
        if (actions[i].kind == ES_ACTION_ENABLE || actions[i].kind == ES_ACTION_DISABLE)
            actions[i].statement = low;
    }
}

static int by_number(const void *left, const void *right)
{
    const size_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* A group of clusters. The arena keeps it. */
static es_image_group group_of(const splitting *s, size_t first, size_t end, es_arena *arena)
{
    const es_image_clusters *clusters = &s->clusters;
    size_t from = es_image_clusters_at(clusters, first), count = clusters->ends[end - 1] - from;
    size_t *numbers = es_arena_alloc(arena, (count + 1) * sizeof *numbers);
    memcpy(numbers, clusters->numbers + from, count * sizeof *numbers);
    qsort(numbers, count, sizeof *numbers, by_number);
    es_image_group group = {.program = *s->program, .statements = numbers};
    group.program.statement_count = count;
    group.program.statements = es_arena_alloc(arena, (count + 1) * sizeof *group.program.statements);
    for (size_t i = 0; i < count; i++) {
        group.program.statements[i] = s->program->statements[numbers[i]];
        rename_statements(&group.program.statements[i], numbers, count, arena);
    }
    take_counters(s->program, &group, arena);
    return group;
}

/* --- all of them --- */

static void add(es_image_groups *out, const es_image_group *group)
{
    out->groups = es_arena_grow(out->arena, out->groups, out->count, sizeof *out->groups);
    out->groups[out->count++] = *group;
}

bool es_image_groups_one(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                         es_image_groups *groups, es_error *err)
{
    if (program->statement_count > MOST)
        return es_fail(err, ES_USAGE,
                       "these are %zu statements, and a probe can have %u at most: the replay has room for all",
                       program->statement_count, MOST);
    *groups = (es_image_groups){.arena = es_arena_new()};
    size_t *statements = es_arena_alloc(groups->arena, (program->statement_count + 1) * sizeof *statements);
    size_t *counters = es_arena_alloc(groups->arena, (program->counter_count + 1) * sizeof *counters);
    for (size_t i = 0; i < program->statement_count; i++)
        statements[i] = i;
    for (size_t i = 0; i < program->counter_count; i++)
        counters[i] = i;
    es_image_group group = {.program = *program, .statements = statements, .counters = counters};
    if (!es_image_build(symbols, program, limits, &group.image, err)) {
        es_image_groups_free(groups);
        return false;
    }
    add(groups, &group);
    return true;
}

/* How many statements may fit, as those of this group did. */
static size_t guess(const es_image_group *group)
{
    size_t count = group->program.statement_count;
    size_t fit = group->image.size ? count * (ROOM - ROOM / 8) / group->image.size : count;
    return fit > 2 * count ? 2 * count : fit > 1 ? fit : 1;
}

/* *first: the cluster that cannot be had. */
static bool split(splitting *s, size_t most, size_t *first, es_error *err)
{
    size_t limit = most ? most : SIZE_MAX, size = limit < FIRST_MOST ? limit : FIRST_MOST;
    size_t fit = 0;    /* so many did, the last time; 0: not known */
    bool near = false; /* others did not: a few more at a time */
    *first = 0;
    while (*first < s->clusters.count) {
        size_t end = es_image_clusters_until(&s->clusters, *first, size < limit ? size : limit);
        es_arena *arena = es_arena_new();
        es_image_group group = group_of(s, *first, end, arena);
        bool good = group.program.statement_count <= MOST
                        ? es_image_build(s->symbols, &group.program, s->limits, &group.image, err)
                        : es_fail(err, ES_USAGE, "at most %u can be", MOST);
        if (good) {
            es_arena_free(arena);
            es_image image = group.image;
            group = group_of(s, *first, end, s->out->arena);
            group.image = image;
            add(s->out, &group);
            *first = end;
            fit = group.program.statement_count;
            size = guess(&group);
            if (near && size > fit + fit / 4 + 1)
                size = fit + fit / 4 + 1;
        } else {
            size_t tried = group.program.statement_count;
            size = fit && fit < tried ? fit : tried / 2;
            fit = 0;
            near = true;
            es_arena_free(arena);
            if (end - *first == 1 || err->code != ES_USAGE)
                return false;
        }
    }
    return true;
}

bool es_image_groups_build(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                           size_t most, es_image_groups *groups, es_error *err)
{
    size_t count = program->statement_count, first = 0;
    if ((!most || count <= most) && count <= FIRST_MOST && es_image_groups_one(symbols, program, limits, groups, err))
        return true;
    for (unsigned by = ES_LINKED_BY_HITS; by <= ES_LINKED_ALONE; by++) {
        *groups = (es_image_groups){.arena = es_arena_new()};
        splitting s = {.symbols = symbols, .program = program, .limits = limits, .out = groups};
        es_image_clusters_find(&s.clusters, program, (enum es_linked_by)by, groups->arena);
        if (split(&s, most, &first, err))
            return true;
        size_t from = es_image_clusters_at(&s.clusters, first), size = s.clusters.ends[first] - from;
        if (by == ES_LINKED_ALONE && size > 1 && err->code == ES_USAGE)
            es_fail_in(
                err,
                "%zu statements have to be in one group, as they depend on each other by counters or by enabling "
                "and disabling: '%s' and others",
                size, program->statements[s.clusters.numbers[from]].name);
        es_image_groups_free(groups);
        if (size == 1 || err->code != ES_USAGE)
            return false;
    }
    return false;
}

void es_image_groups_free(es_image_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        es_image_free(&groups->groups[i].image);
    if (groups->arena)
        es_arena_free(groups->arena);
    *groups = (es_image_groups){0};
}
