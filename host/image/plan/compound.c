#include "image/plan/compound.h"

#include "image/image.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

#define FLAGS_MAX 32u

#define LEAVES_MAX COMPOUND_LEAVES_MAX

bool es_compound_is(const es_statement *statement)
{
    return statement->event && statement->event->kind != ES_EVENT_WHEN;
}

/* --- plan
 * ---------------------------------------------------------------------------------------------------------------- */

static bool asks_elapsed(const es_expr *expr)
{
    return expr && (expr->kind == ES_EXPR_ELAPSED || asks_elapsed(expr->lhs) || asks_elapsed(expr->rhs) ||
                    asks_elapsed(expr->condition));
}

static uint32_t take_flags(compound_event *event, unsigned count, unsigned *used)
{
    (void)event;
    uint32_t flag = *used < FLAGS_MAX ? 1u << *used : 0;
    *used += count;
    return flag;
}

static compound_node *make_node(image_plan *plan, compound_event *event, const es_event_tree *tree, uint64_t bus_hz,
                                bool last, unsigned *used)
{
    compound_node *node = es_arena_alloc(plan->arena, sizeof *node);
    node->kind = tree->kind;
    if (tree->kind == ES_EVENT_WHEN) {
        event->leaves = es_arena_grow(plan->arena, event->leaves, event->leaf_count, sizeof *event->leaves);
        node->leaves = event->leaf_count < LEAVES_MAX ? 1u << event->leaf_count : 0;
        event->last |= last ? node->leaves : 0;
        event->held |= tree->condition->holds_for.count ? node->leaves : 0;
        event->leaves[event->leaf_count++] = tree->condition;
        event->elapsed |= asks_elapsed(tree->condition->expr);
        return node;
    }
    node->first = make_node(plan, event, tree->first, bus_hz, last && tree->kind != ES_EVENT_THEN, used);
    node->second = make_node(plan, event, tree->second, bus_hz, last, used);
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
    event->root = make_node(plan, event, out->statement->event, bus_hz, true, &used);
    find_own(event->root);
    size_t count = es_image_value_count(out->statement);
    for (size_t k = 0; k < count; k++)
        event->elapsed |= es_image_value(out->statement, k)->kind == ES_ITEM_ELAPSED;
    if (used > FLAGS_MAX || event->leaf_count > LEAVES_MAX)
        return es_plan_fail(plan, out->statement, err,
                            "its event has too many parts joined by then, and, or: split it into several "
                            "statements");
    return true;
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
        at = place_node(event->root, at + (event->held ? COMPOUND_EVENT_BACK + 4 : COMPOUND_BEGAN + 8));
        event->shown = at;
        if (event->held)
            at += 4 * (uint32_t)es_image_words(&plan->program->statements[i]);
    }
    return at;
}
