#include "image/places/linked.h"

#define NONE SIZE_MAX

/* --- counters of a statement --- */

typedef struct counter_uses {
    es_counter_use *use;
    void *context;
} counter_uses;

static bool use_in(void *context, const es_expr *expr)
{
    const counter_uses *uses = context;
    if (expr->kind == ES_EXPR_COUNTER)
        uses->use(uses->context, expr->index, true);
    return false;
}

static void look_at_place(counter_uses *uses, const es_reference *place)
{
    for (size_t i = 0; i < place->subscript_count; i++)
        es_expr_find(place->subscripts[i].index, use_in, uses);
}

static void look_at_action(counter_uses *uses, const es_action *action)
{
    if (action->kind == ES_ACTION_COUNT || action->kind == ES_ACTION_DECREMENT || action->kind == ES_ACTION_SET)
        uses->use(uses->context, action->counter, action->kind == ES_ACTION_SET);
    for (size_t i = 0; i < action->item_count; i++)
        if (action->items[i].kind == ES_ITEM_COUNTER)
            uses->use(uses->context, action->items[i].index, true);
    if (action->snapshot)
        look_at_place(uses, &action->snapshot->place);
    if (action->statistic && action->statistic->stack)
        uses->use(uses->context, action->statistic->stack->counter, true);
}

void es_linked_counters(const es_statement *statement, es_counter_use *use, void *context)
{
    counter_uses uses = {use, context};
    es_statement_find(statement, use_in, &uses);
    for (size_t i = 0; i < statement->reference_count; i++)
        look_at_place(&uses, &statement->references[i]);
    for (size_t i = 0; i < statement->action_count; i++)
        look_at_action(&uses, &statement->actions[i]);
}

/* --- all statements --- */

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
static void use_counter(void *context, size_t counter, bool is_needed)
{
    linking *l = context;
    size_t counts = l->counts[counter], needs = l->needs[counter];
    size_t other = needs != NONE ? needs : counts;
    if (other != NONE && other != l->at) {
        l->bound[other] = l->bound[l->at] = true;
        if (is_needed || needs != NONE)
            link(l, l->at, other);
    }
    if (is_needed)
        l->needs[counter] = l->at;
    else
        l->counts[counter] = l->at;
}

static void look_at(linking *l, size_t number)
{
    const es_statement *statement = &l->program->statements[number];
    l->at = number;
    es_linked_counters(statement, use_counter, l);
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        if (action->kind != ES_ACTION_ENABLE && action->kind != ES_ACTION_DISABLE)
            continue;
        link(l, number, action->statement);
        if (number != action->statement)
            l->bound[number] = l->bound[action->statement] = true;
    }
}

static bool ends(const es_statement *statement)
{
    return statement->features & (ES_FEATURE(STOP) | ES_FEATURE(HALT));
}

static bool waits(const es_statement *statement)
{
    return statement->features & (ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR));
}

/* As image/times/order.h says, and where one ends the monitoring while others have still to be evaluated. */
static void link_ordered(linking *l, bool all)
{
    const es_program *program = l->program;
    size_t waiting = NONE;
    bool ordered = false, stops = false;
    for (size_t i = 0; i < program->statement_count; i++) {
        const es_statement *statement = &program->statements[i];
        waiting = waits(statement) ? i : waiting;
        ordered |= ends(statement) || (waits(statement) && l->bound[i]);
        stops |= (statement->features & ES_FEATURE(STOP)) != 0;
    }
    bool deadlines = waiting != NONE && ordered;
    for (size_t i = 0; i < program->statement_count; i++) {
        const es_statement *statement = &program->statements[i];
        if (all && (deadlines || stops))
            link(l, i, 0);
        else if (deadlines && (l->bound[i] || waits(statement) || ends(statement)))
            link(l, i, waiting);
    }
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
        link_ordered(&l, by == ES_LINKED_BY_HITS);
    for (size_t i = 0; i < count; i++)
        l.first[i] = find(&l, i);
    return l.first;
}
