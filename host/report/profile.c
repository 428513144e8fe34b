#include "report/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/times.h"

#define STACKS_MAX 64u  /* tasks */
#define CALLS_MAX 1024u /* that are open in a task */

/* A call that has begun. */
typedef struct call {
    uint32_t statement, path;
    uint64_t begin;  /* ns */
    uint64_t inside; /* ns of calls in it that are profiled */
} call;

typedef struct stack {
    uint32_t task, pointer;
    call *calls;
    size_t count, room;
} stack;

struct es_profile {
    const es_schema *schema;
    stack stacks[STACKS_MAX];
    size_t count;
};

es_profile *es_profile_new(const es_schema *schema)
{
    es_profile *profile = es_malloc(sizeof *profile);
    *profile = (es_profile){.schema = schema};
    return profile;
}

void es_profile_free(es_profile *profile)
{
    if (!profile)
        return;
    for (size_t i = 0; i < profile->count; i++)
        free(profile->stacks[i].calls);
    free(profile);
}

/* NULL: there are too many tasks. */
static stack *stack_of(es_profile *profile, const es_hit *hit)
{
    size_t i = 0;
    while (i < profile->count &&
           (profile->stacks[i].task != hit->task || profile->stacks[i].pointer != hit->task_pointer))
        i++;
    if (i == STACKS_MAX)
        return NULL;
    if (i == profile->count)
        profile->stacks[profile->count++] = (stack){.task = hit->task, .pointer = hit->task_pointer};
    return &profile->stacks[i];
}

static void begin(stack *s, const es_hit *hit, uint64_t now)
{
    if (s->count == CALLS_MAX)
        return;
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->calls = es_realloc(s->calls, s->room * sizeof *s->calls);
    }
    s->calls[s->count++] = (call){.statement = hit->statement, .path = hit->path, .begin = now};
}

bool es_profile_take(es_profile *profile, const es_aggregate *aggregate, const es_hit *hit, bool *begins,
                     es_profiled *ended)
{
    stack *s = hit->flags & (ES_HIT_NO_PATH | ES_HIT_CUT_PATH | ES_HIT_NO_TASK) ? NULL : stack_of(profile, hit);
    uint64_t now = es_time_ns(hit->time, profile->schema->clock_hz);
    *begins = hit->pc == aggregate->entry;
    if (!s)
        return false;
    if (*begins) {
        begin(s, hit, now);
        return false;
    }
    size_t at = s->count;
    while (at > 0 && (s->calls[at - 1].statement != hit->statement || s->calls[at - 1].path != hit->path))
        at--;
    if (!at)
        return false;
    const call *of = &s->calls[--at];
    s->count = at; /* what was in it has been left with it */
    *ended = (es_profiled){.inclusive_ns = now - of->begin, .outermost = true};
    ended->self_ns = ended->inclusive_ns > of->inside ? ended->inclusive_ns - of->inside : 0;
    for (size_t i = 0; i < at; i++)
        ended->outermost &= s->calls[i].statement != hit->statement;
    if (at)
        s->calls[at - 1].inside += ended->inclusive_ns;
    return true;
}
