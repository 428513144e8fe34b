#include "image/plan/linked.h"

#define NONE SIZE_MAX

/* How a statement uses a counter. */
enum { COUNTS = 1, NEEDS = 2 };

typedef struct linking {
    const es_program *program;
    size_t *first;          /* by statement: one before it that it is with, or itself */
    size_t *counts, *needs; /* by counter: a statement that counts it, that needs it; NONE */
    size_t at;              /* the statement that is looked at */
    bool *bound;            /* by statement: another makes a difference to it, or it to another */
    bool ordered;
} linking;

static size_t find(linking *l, size_t i)
{
    while (l->first[i] != i) {
        l->first[i] = l->first[l->first[i]];
        i = l->first[i];
    }
    return i;
}

static void link(linking *l, size_t a, size_t b)
{
    size_t first = find(l, a), other = find(l, b);
    if (first < other)
        l->first[other] = first;
    else
        l->first[first] = other;
}

/* Of the statement that is looked at. Who only counts does not mind others that do. */
static void use(linking *l, size_t counter, unsigned how)
{
    size_t counts = l->counts[counter], needs = l->needs[counter];
    size_t other = needs != NONE ? needs : counts;
    if (other != NONE && other != l->at) {
        l->bound[other] = l->bound[l->at] = true;
        if (how == NEEDS || needs != NONE)
            link(l, l->at, other);
    }
    if (how == NEEDS)
        l->needs[counter] = l->at;
    else
        l->counts[counter] = l->at;
}

static bool use_in(void *context, const es_expr *expr)
{
    if (expr->kind == ES_EXPR_COUNTER)
        use(context, expr->index, NEEDS);
    return false;
}

static void look_at_place(linking *l, const es_reference *place)
{
    for (size_t i = 0; i < place->subscript_count; i++)
        es_expr_find(place->subscripts[i].index, use_in, l);
}

static void look_at_action(linking *l, const es_action *action)
{
    switch (action->kind) {
    case ES_ACTION_COUNT:
    case ES_ACTION_DECREMENT: use(l, action->counter, COUNTS); break;
    case ES_ACTION_SET: use(l, action->counter, NEEDS); break;
    case ES_ACTION_ENABLE:
    case ES_ACTION_DISABLE:
        link(l, l->at, action->statement);
        if (l->at != action->statement)
            l->bound[l->at] = l->bound[action->statement] = true;
        break;
    default: break;
    }
    for (size_t i = 0; i < action->item_count; i++)
        if (action->items[i].kind == ES_ITEM_COUNTER)
            use(l, action->items[i].index, NEEDS);
    if (action->snapshot)
        look_at_place(l, &action->snapshot->place);
    if (action->statistic && action->statistic->stack)
        use(l, action->statistic->stack->counter, NEEDS);
}

static void look_at(linking *l, size_t number)
{
    const es_statement *statement = &l->program->statements[number];
    l->at = number;
    es_statement_find(statement, use_in, l);
    for (size_t i = 0; i < statement->reference_count; i++)
        look_at_place(l, &statement->references[i]);
    for (size_t i = 0; i < statement->action_count; i++)
        look_at_action(l, &statement->actions[i]);
}

static bool ends(const es_statement *statement)
{
    return statement->features & (ES_FEATURE(STOP) | ES_FEATURE(HALT));
}

static bool waits(const es_statement *statement)
{
    return statement->features & (ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR));
}

/* As image/plan/order.h says. */
static void link_deadlines(linking *l, bool all)
{
    const es_program *program = l->program;
    size_t waiting = NONE, ending = NONE;
    bool ordered = false;
    for (size_t i = 0; i < program->statement_count; i++) {
        const es_statement *statement = &program->statements[i];
        waiting = waits(statement) ? i : waiting;
        ending = ends(statement) ? i : ending;
        ordered |= waits(statement) && l->bound[i];
        all |= waits(statement) && ends(statement);
    }
    if (waiting == NONE || !(ordered || ending != NONE))
        return;
    for (size_t i = 0; i < program->statement_count; i++)
        if (all || l->bound[i] || waits(&program->statements[i]) || ends(&program->statements[i]))
            link(l, i, waiting);
}

size_t *es_linked_find(const es_program *program, es_arena *arena, enum es_linked_by by)
{
    size_t count = program->statement_count, counters = program->counter_count;
    linking l = {.program = program,
                 .first = es_arena_alloc(arena, (count + 1) * sizeof *l.first),
                 .counts = es_arena_alloc(arena, (counters + 1) * sizeof *l.counts),
                 .needs = es_arena_alloc(arena, (counters + 1) * sizeof *l.needs),
                 .bound = es_arena_alloc(arena, count + 1)};
    for (size_t i = 0; i < count; i++)
        l.first[i] = i;
    for (size_t i = 0; i < counters; i++)
        l.counts[i] = l.needs[i] = NONE;
    for (unsigned pass = 0; pass < 2; pass++) /* in the second it is known of each counter who needs it */
        for (size_t i = 0; i < count; i++)
            look_at(&l, i);
    if (by != ES_LINKED_ALONE)
        link_deadlines(&l, by == ES_LINKED_BY_HITS);
    for (size_t i = 0; i < count; i++)
        l.first[i] = find(&l, i);
    return l.first;
}
