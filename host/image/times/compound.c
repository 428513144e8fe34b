#include "image/times/compound.h"

#include "image/image.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

#define FLAGS_MAX 32u

#define LEAVES_MAX COMPOUND_LEAVES_MAX

static bool is_unchanged(const es_trigger *trigger)
{
    return trigger->kind == ES_TRIGGER_UNCHANGED;
}

/* The same variable for the same length of time. */
static bool same_unchanged(const es_statement *statement, const es_trigger *a, const es_trigger *b)
{
    return es_plan_same_variable(statement, a->index, b->index) && a->duration.count == b->duration.count &&
           a->duration.cycles == b->duration.cycles;
}

size_t es_compound_unchanged(const es_statement *statement, const es_condition *condition, size_t k)
{
    size_t count = condition->trigger_count;
    for (size_t i = 0; i < count; i++) {
        bool first = is_unchanged(&condition->triggers[i]);
        for (size_t other = 0; other < i && first; other++)
            first = !is_unchanged(&condition->triggers[other]) ||
                    !same_unchanged(statement, &condition->triggers[i], &condition->triggers[other]);
        if (first && k-- == 0)
            return i;
    }
    return count;
}

/* A condition with `unchanged for` that has other events, too, of whatever kind. */
static bool is_mixed(const es_statement *statement)
{
    const es_condition *condition = statement->event->condition;
    bool some = false, others = false;
    for (size_t i = 0; i < condition->trigger_count; i++) {
        some |= is_unchanged(&condition->triggers[i]);
        others |= !is_unchanged(&condition->triggers[i]);
    }
    return some && !condition->holds_for.count &&
           (others || es_compound_unchanged(statement, condition, 1) < condition->trigger_count);
}

bool es_compound_is(const es_statement *statement)
{
    return statement->event && (statement->event->kind != ES_EVENT_WHEN || is_mixed(statement));
}

static bool is_elapsed(void *context, const es_expr *expr)
{
    (void)context;
    return expr->kind == ES_EXPR_ELAPSED;
}

static uint32_t take_flags(compound_event *event, unsigned count, unsigned *used)
{
    (void)event;
    uint32_t flag = *used < FLAGS_MAX ? 1u << *used : 0;
    *used += count;
    return flag;
}

static compound_node *make_node(image_plan *plan, compound_event *event, const es_statement *statement,
                                const es_event_tree *tree, uint64_t bus_hz, bool last, unsigned *used)
{
    compound_node *node = es_arena_alloc(plan->arena, sizeof *node);
    node->kind = tree->kind;
    if (tree->kind == ES_EVENT_WHEN) {
        event->leaves = es_arena_grow(plan->arena, event->leaves, event->leaf_count, sizeof *event->leaves);
        node->leaves = event->leaf_count < LEAVES_MAX ? 1u << event->leaf_count : 0;
        event->last |= last ? node->leaves : 0;
        bool held = tree->condition->holds_for.count > 0;
        event->held |= held ? node->leaves : 0;
        event->deadlines += held;
        for (size_t k = 0; es_compound_unchanged(statement, tree->condition, k) < tree->condition->trigger_count; k++) {
            event->stable |= node->leaves;
            event->deadlines++;
        }
        event->leaves[event->leaf_count++] = tree->condition;
        event->elapsed |= es_expr_find(tree->condition->expr, is_elapsed, NULL) != NULL;
        return node;
    }
    node->first = make_node(plan, event, statement, tree->first, bus_hz, last && tree->kind != ES_EVENT_THEN, used);
    node->second = make_node(plan, event, statement, tree->second, bus_hz, last, used);
    if (tree->kind == ES_EVENT_OR && node->first->kind == ES_EVENT_WHEN && node->second->kind == ES_EVENT_WHEN) {
        node->kind = ES_EVENT_WHEN;
        node->leaves = node->first->leaves | node->second->leaves;
        return node;
    }
    unsigned flags = tree->kind == ES_EVENT_THEN ? 1 : tree->kind == ES_EVENT_AND ? 3 : 2;
    node->flag = take_flags(event, flags, used);
    node->flags = node->flag * ((1u << flags) - 1) | node->first->flags | node->second->flags;
    node->within = tree->within.count ? es_duration_cycles(tree->within, bus_hz) : 0;
    event->limited |= node->within > 0;
    return node;
}

/* The conditions of a chain `A then B then C`, to whose parts any of these in between means that what was seen is
 * forgotten; of a part that is no chain, its own. */
static uint32_t find_own(compound_node *node)
{
    if (node->kind == ES_EVENT_WHEN)
        return node->own = node->leaves;
    node->own = find_own(node->first) | find_own(node->second);
    for (compound_node *link = node; link->kind == ES_EVENT_THEN && link->first->kind == ES_EVENT_THEN;
         link = link->first)
        link->first->own = node->own;
    return node->own;
}

bool es_compound_plan(image_plan *plan, plan_statement *out, uint64_t bus_hz, es_error *err)
{
    compound_event *event = out->compound = es_arena_alloc(plan->arena, sizeof *event);
    unsigned used = 0;
    event->root = make_node(plan, event, out->statement, out->statement->event, bus_hz, true, &used);
    find_own(event->root);
    size_t count = es_image_value_count(out->statement);
    for (size_t k = 0; k < count; k++)
        event->elapsed |= es_image_value(out->statement, k)->kind == ES_ITEM_ELAPSED;
    if (used > FLAGS_MAX || event->leaf_count > LEAVES_MAX || event->deadlines > LEAVES_MAX)
        return es_plan_fail(plan, out->statement, err,
                            "its event has too many parts joined by then, and, or: split it into several "
                            "statements");
    return true;
}

typedef struct area_search {
    const es_statement *statement;
    const es_trigger *trigger;
} area_search;

static bool is_area_with(void *context, const es_expr *expr)
{
    const area_search *of = context;
    enum es_expr_kind kind = of->trigger->kind == ES_TRIGGER_WRITE ? ES_EXPR_WRITE : ES_EXPR_READ;
    return expr->kind == kind && expr->area && es_area_has(of->statement, expr->area, of->trigger->index);
}

size_t es_compound_area(const es_statement *statement, const es_condition *leaf, const es_trigger *trigger)
{
    area_search of = {statement, trigger};
    bool access = trigger->kind == ES_TRIGGER_WRITE || trigger->kind == ES_TRIGGER_READ;
    const es_expr *found = access ? es_expr_find(leaf->expr, is_area_with, &of) : NULL;
    return found ? found->area : 0;
}

bool es_compound_tells_write(const compound_event *event, const es_statement *statement, size_t reference)
{
    for (size_t i = 0; i < event->leaf_count; i++)
        for (size_t k = 0; k < event->leaves[i]->trigger_count && !(event->held & 1u << i); k++)
            if (event->leaves[i]->triggers[k].kind == ES_TRIGGER_WRITE &&
                event->leaves[i]->triggers[k].index == reference &&
                !es_compound_area(statement, event->leaves[i], &event->leaves[i]->triggers[k]))
                return true;
    return false;
}

bool es_compound_has_write(const compound_event *event, size_t reference)
{
    for (size_t i = 0; i < event->leaf_count; i++)
        for (size_t k = 0; k < event->leaves[i]->trigger_count && !(event->held & 1u << i); k++)
            if (event->leaves[i]->triggers[k].kind == ES_TRIGGER_WRITE &&
                event->leaves[i]->triggers[k].index == reference)
                return true;
    return false;
}

bool es_compound_has_read(const compound_event *event, size_t reference)
{
    for (size_t i = 0; i < event->leaf_count; i++)
        for (size_t k = 0; k < event->leaves[i]->trigger_count; k++)
            if (event->leaves[i]->triggers[k].kind == ES_TRIGGER_READ &&
                event->leaves[i]->triggers[k].index == reference)
                return true;
    return false;
}

static bool is_control(const es_trigger *trigger)
{
    return trigger->kind == ES_TRIGGER_ENTER || trigger->kind == ES_TRIGGER_LEAVE || trigger->kind == ES_TRIGGER_AT;
}

bool es_compound_has_control(const compound_event *event, const plan_control *control)
{
    for (size_t i = 0; i < event->leaf_count; i++)
        for (size_t k = 0; k < event->leaves[i]->trigger_count && !(event->held & 1u << i); k++) {
            plan_control of = es_plan_control_at(&event->leaves[i]->triggers[k]);
            of.path = control->path;
            if (is_control(&event->leaves[i]->triggers[k]) && es_plan_same_control(&of, control))
                return true;
        }
    return false;
}

static uint32_t place_node(compound_node *node, uint32_t at)
{
    if (node->kind == ES_EVENT_WHEN)
        return at;
    node->began = at;
    at = place_node(node->first, at + (node->kind == ES_EVENT_AND ? 16 : 8));
    return place_node(node->second, at);
}

uint32_t es_compound_place(image_plan *plan, uint32_t at)
{
    for (size_t i = 0; i < plan->program->statement_count; i++) {
        compound_event *event = plan->statements[i].compound;
        if (!event)
            continue;
        event->state = at;
        at = place_node(event->root, at + (event->deadlines ? COMPOUND_EVENT_BACK + 4 : COMPOUND_BEGAN + 8));
        event->shown = at;
        if (event->deadlines)
            at += 4 * (uint32_t)es_image_words(&plan->program->statements[i]);
    }
    return at;
}
