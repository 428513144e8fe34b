#include "image/lower/compound.h"

#include "image/lower/compound_due.h"
#include "image/lower/copies.h"
#include "image/lower/element.h"
#include "image/lower/expected.h"
#include "image/lower/expression.h"
#include "image/lower/generator.h"
#include "image/lower/place.h"
#include "image/lower/snapshot.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "image/times/compound.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Registers of the pass over the tree: flags, conditions that are true now, the event's time, the time at which what
 * has just been found to have occurred began, and two for the moment. a0 and t6 belong to others. */
enum { FLAGS = 11, SEEN = 12, NOW_LOW = 13, NOW_HIGH = 14, BEGAN_LOW = 15, BEGAN_HIGH = 16, X = 17, Y = 5 };

/* --- flags ---------------------------------------------------------------------------------------------- */

static void clear_flags(generator *g, uint32_t flags)
{
    if (!flags)
        return;
    if (es_ir_fits(~flags)) {
        es_ir_immediate(g->code, ES_IR_AND_I, FLAGS, FLAGS, (int32_t)~flags);
        return;
    }
    es_ir_const(g->code, X, ~flags);
    es_ir_value(g->code, ES_IR_AND, FLAGS, FLAGS, X);
}

static void set_flags(generator *g, uint32_t flags)
{
    if (es_ir_fits(flags)) {
        es_ir_immediate(g->code, ES_IR_OR_I, FLAGS, FLAGS, (int32_t)flags);
        return;
    }
    es_ir_const(g->code, X, flags);
    es_ir_value(g->code, ES_IR_OR, FLAGS, FLAGS, X);
}

/* Jumps when none of the bits is set in rs. */
static void unless(generator *g, unsigned rs, uint32_t bits, unsigned label)
{
    if (es_ir_fits(bits)) {
        es_ir_immediate(g->code, ES_IR_AND_I, X, rs, (int32_t)bits);
    } else {
        es_ir_const(g->code, X, bits);
        es_ir_value(g->code, ES_IR_AND, X, X, rs);
    }
    es_ir_branch(g->code, ES_IR_IF_EQ, X, ES_IR_ZERO, label);
}

static void copy(generator *g, es_ir_reg rd, unsigned rs)
{
    es_ir_immediate(g->code, ES_IR_ADD_I, rd, rs, 0);
}

static void keep_began(generator *g, uint32_t offset)
{
    es_times_store(g, BEGAN_LOW, offset);
    es_times_store(g, BEGAN_HIGH, offset + 4);
}

/* BEGAN becomes the earlier of itself and the time at an offset. */
static void earlier(generator *g, uint32_t offset)
{
    unsigned take = es_ir_label(g->code), done = es_ir_label(g->code);
    es_times_load(g, X, offset);
    es_times_load(g, Y, offset + 4);
    es_ir_branch(g->code, ES_IR_IF_BELOW, Y, BEGAN_HIGH, take);
    es_ir_branch(g->code, ES_IR_IF_NE, Y, BEGAN_HIGH, done);
    es_ir_branch(g->code, ES_IR_IF_NOT_BELOW, X, BEGAN_LOW, done);
    es_ir_here(g->code, take);
    copy(g, BEGAN_LOW, X);
    copy(g, BEGAN_HIGH, Y);
    es_ir_here(g->code, done);
}

/* --- lifetimes ------------------------------------------------------------------------------------------ */

/* BEGAN becomes the earliest beginning of what has been seen of a part, if that is earlier. */
static void earliest(generator *g, const compound_node *node)
{
    if (!node->flags)
        return;
    unsigned past = es_ir_label(g->code), other = es_ir_label(g->code);
    if (node->kind == ES_EVENT_THEN) {
        unless(g, FLAGS, node->flag, other);
        earlier(g, node->began);
        es_ir_jump(g->code, past);
        es_ir_here(g->code, other);
        earliest(g, node->first);
        es_ir_here(g->code, past);
        return;
    }
    if (node->kind == ES_EVENT_AND) {
        unless(g, FLAGS, node->flag, other);
        earlier(g, node->began);
        es_ir_here(g->code, other);
        unless(g, FLAGS, node->flag << 1, past);
        earlier(g, node->began + 8);
        es_ir_here(g->code, past);
    }
    earliest(g, node->first);
    earliest(g, node->second);
}

static void find_beginning(generator *g, const compound_node *node)
{
    es_ir_const(g->code, BEGAN_LOW, 0xFFFFFFFFu);
    es_ir_const(g->code, BEGAN_HIGH, 0xFFFFFFFFu);
    earliest(g, node);
}

/* Forgets the parts whose lifetime has ended, the inner ones first. */
static void expire(generator *g, const compound_node *node)
{
    if (node->kind == ES_EVENT_WHEN)
        return;
    expire(g, node->first);
    expire(g, node->second);
    if (!node->within)
        return;
    unsigned lives = es_ir_label(g->code), ended = es_ir_label(g->code);
    find_beginning(g, node);
    copy(g, X, NOW_LOW);
    copy(g, Y, NOW_HIGH);
    es_ir_branch(g->code, ES_IR_IF_BELOW, Y, BEGAN_HIGH, lives); /* nothing seen */
    es_times_subtract(g->code, X, Y, BEGAN_LOW, BEGAN_HIGH);
    es_ir_const(g->code, BEGAN_HIGH, (uint32_t)(node->within >> 32));
    es_ir_const(g->code, BEGAN_LOW, (uint32_t)node->within);
    es_ir_branch(g->code, ES_IR_IF_BELOW, BEGAN_HIGH, Y, ended);
    es_ir_branch(g->code, ES_IR_IF_NE, BEGAN_HIGH, Y, lives);
    es_ir_branch(g->code, ES_IR_IF_NOT_BELOW, BEGAN_LOW, X, lives);
    es_ir_here(g->code, ended);
    clear_flags(g, node->flags);
    es_ir_here(g->code, lives);
}

/* Before conditions are evaluated: lifetimes, and when the event began for those that ask. */
static void prepare(generator *g)
{
    const compound_event *event = g->statement->compound;
    unsigned now = es_ir_label(g->code), done = es_ir_label(g->code);
    if (!event->limited && !event->elapsed)
        return;
    es_times_now(g, NOW_LOW, NOW_HIGH);
    es_times_load(g, FLAGS, event->state + COMPOUND_FLAGS);
    es_ir_branch(g->code, ES_IR_IF_EQ, FLAGS, ES_IR_ZERO, now);
    if (event->limited) {
        expire(g, event->root);
        es_times_store(g, FLAGS, event->state + COMPOUND_FLAGS);
    }
    if (event->elapsed) {
        find_beginning(g, event->root);
        es_ir_branch(g->code, ES_IR_IF_NOT_BELOW, NOW_HIGH, BEGAN_HIGH, done);
        es_ir_here(g->code, now);
        copy(g, BEGAN_LOW, NOW_LOW);
        copy(g, BEGAN_HIGH, NOW_HIGH);
        es_ir_here(g->code, done);
        keep_began(g, event->state + COMPOUND_BEGAN);
    } else {
        es_ir_here(g->code, now);
    }
}

/* --- conditions ----------------------------------------------------------------------------------------- */

static uint32_t events_of(const generator *g, const es_condition *leaf)
{
    uint32_t events = 0;
    for (size_t i = 0; i < leaf->trigger_count; i++) {
        const es_trigger *trigger = &leaf->triggers[i];
        plan_control control = es_plan_control_at(trigger);
        size_t area = es_compound_area(g->statement->statement, leaf, trigger);
        const int8_t *any =
            trigger->kind == ES_TRIGGER_WRITE ? g->statement->write_any_bit : g->statement->read_any_bit;
        int bit = area                                ? any[area - 1]
                  : trigger->kind == ES_TRIGGER_WRITE ? g->statement->write_bit[trigger->index]
                  : trigger->kind == ES_TRIGGER_READ  ? g->statement->read_bit[trigger->index]
                                                      : es_codegen_control_bit(g, &control);
        if (bit >= 0)
            events |= 1u << bit;
    }
    return events;
}

/* Notes that a condition is true. */
static void note_seen(generator *g, uint32_t bit)
{
    uint32_t seen = g->statement->compound->state + COMPOUND_SEEN;
    es_times_load(g, X, seen);
    es_ir_immediate(g->code, ES_IR_OR_I, X, X, bit);
    es_times_store(g, X, seen);
}

/* Notes whether a condition is true at this event. */
static void evaluate_leaf(generator *g, const es_condition *leaf, uint32_t bit)
{
    const compound_event *event = g->statement->compound;
    unsigned next = es_ir_label(g->code), no = es_ir_label(g->code);
    g->unknown = es_ir_label(g->code);
    g->reads = false;
    uint32_t events = events_of(g, leaf);
    if (es_ir_fits(events)) {
        es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T6, ES_IR_A0, (int32_t)events);
    } else {
        es_ir_const(g->code, ES_IR_T6, events);
        es_ir_value(g->code, ES_IR_AND, ES_IR_T6, ES_IR_T6, ES_IR_A0);
    }
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, next);
    const uint8_t *used = es_place_used(g, leaf->expr, event->last & bit);
    es_place_check(g, used, next);
    if (event->last & bit)
        es_snapshot_exists(g, next);
    if (es_element_find(g, used, no))
        es_ir_branch(g->code, ES_IR_IF_EQ, es_ir_make_immediate(g->code, ES_IR_AND_I, ES_IR_A0, events), ES_IR_ZERO,
                     no);
    es_codegen_condition(g, leaf->expr, no, false);
    if (g->reads) {
        es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
        es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, g->unknown);
    }
    note_seen(g, bit);
    es_ir_jump(g->code, next);
    es_ir_here(g->code, no);
    if (g->reads) {
        es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, next);
    } else {
        es_ir_jump(g->code, next);
    }
    es_ir_here(g->code, g->unknown);
    es_expected_count_unknown(g, X);
    es_ir_here(g->code, next);
}

/* The same of those with `unchanged for` of which a deadline has passed, with values as of then. */
static void evaluate_due(generator *g)
{
    const plan_deadline *late = g->late, *deadline;
    uint32_t bit = 0;
    for (size_t k = 0; (deadline = es_compound_part(g, k, &bit)) != NULL; k++) {
        unsigned next = es_ir_label(g->code);
        if (deadline->holds)
            continue;
        g->unknown = es_ir_label(g->code);
        g->late = deadline;
        g->decides = true;
        es_ir_branch(g->code, ES_IR_IF_EQ, es_ir_make_immediate(g->code, ES_IR_AND_I, g->due, 1u << k), ES_IR_ZERO,
                     next);
        es_holds_check_shown(g, deadline);
        es_codegen_condition(g, deadline->condition->expr, next, false);
        note_seen(g, bit);
        es_ir_jump(g->code, next);
        es_ir_here(g->code, g->unknown);
        es_expected_count_unknown(g, X);
        es_ir_here(g->code, next);
    }
    g->late = late;
    g->decides = false;
}

/* --- the pass over the tree ----------------------------------------------------------------------------- */

/* Where code goes on: the part has occurred (it began at BEGAN, and is as at the start again); it waits for more and
 * has used the event; the event is none of its own. */
typedef struct outcome {
    unsigned occurred, used, none;
} outcome;

static void step(generator *g, const compound_node *node, outcome to);

static uint32_t all_leaves(const compound_event *event)
{
    return event->leaf_count < 32 ? (1u << event->leaf_count) - 1 : 0xFFFFFFFFu;
}

static void step_then(generator *g, const compound_node *node, outcome to)
{
    outcome second = {es_ir_label(g->code), to.used, es_ir_label(g->code)},
            first = {es_ir_label(g->code), to.used, to.none};
    unsigned begin = es_ir_label(g->code);
    unless(g, FLAGS, node->flag, begin);
    step(g, node->second, second);
    es_ir_here(g->code, second.occurred);
    clear_flags(g, node->flag);
    es_times_load(g, BEGAN_LOW, node->began);
    es_times_load(g, BEGAN_HIGH, node->began + 4);
    es_ir_jump(g->code, to.occurred);
    es_ir_here(g->code, second.none);
    if (node->own != all_leaves(g->statement->compound)) /* an event of other parts is nothing to this one */
        unless(g, SEEN, node->own, to.none);
    /* another of its own in between: what was seen is forgotten */
    clear_flags(g, node->flag | node->second->flags);
    es_ir_here(g->code, begin);
    step(g, node->first, first);
    es_ir_here(g->code, first.occurred);
    set_flags(g, node->flag);
    keep_began(g, node->began);
    es_ir_jump(g->code, to.used);
}

static void step_and(generator *g, const compound_node *node, outcome to)
{
    uint32_t flag = node->flag, used = flag << 2;
    const compound_node *sides[] = {node->first, node->second};
    clear_flags(g, used);
    for (int i = 0; i < 2; i++) {
        outcome side = {es_ir_label(g->code), es_ir_label(g->code), es_ir_label(g->code)};
        step(g, sides[i], side);
        es_ir_here(g->code, side.occurred);
        set_flags(g, flag << i);
        keep_began(g, node->began + 8 * (uint32_t)i);
        es_ir_here(g->code, side.used);
        set_flags(g, used);
        es_ir_here(g->code, side.none);
    }
    unsigned not_both = es_ir_label(g->code);
    unless(g, FLAGS, flag, not_both);
    unless(g, FLAGS, flag << 1, not_both);
    clear_flags(g, node->flags);
    es_times_load(g, BEGAN_LOW, node->began);
    es_times_load(g, BEGAN_HIGH, node->began + 4);
    earlier(g, node->began + 8);
    es_ir_jump(g->code, to.occurred);
    es_ir_here(g->code, not_both);
    unless(g, FLAGS, used, to.none);
    es_ir_jump(g->code, to.used);
}

static void step_or(generator *g, const compound_node *node, outcome to)
{
    uint32_t now = node->flag, used = now << 1;
    outcome first = {es_ir_label(g->code), es_ir_label(g->code), es_ir_label(g->code)};
    outcome second = {es_ir_label(g->code), es_ir_label(g->code), es_ir_label(g->code)};
    unsigned only = es_ir_label(g->code), done = es_ir_label(g->code), first_not = es_ir_label(g->code);
    clear_flags(g, now | used);
    step(g, node->first, first);
    es_ir_here(g->code, first.occurred);
    keep_began(g, node->began);
    set_flags(g, now);
    es_ir_here(g->code, first.used);
    set_flags(g, used);
    es_ir_here(g->code, first.none);
    step(g, node->second, second);
    es_ir_here(g->code, second.occurred);
    unless(g, FLAGS, now, done);
    earlier(g, node->began);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, second.used);
    set_flags(g, used);
    es_ir_here(g->code, second.none);
    unless(g, FLAGS, now, first_not);
    es_ir_here(g->code, only);
    es_times_load(g, BEGAN_LOW, node->began);
    es_times_load(g, BEGAN_HIGH, node->began + 4);
    es_ir_here(g->code, done);
    clear_flags(g, node->flags);
    es_ir_jump(g->code, to.occurred);
    es_ir_here(g->code, first_not);
    unless(g, FLAGS, used, to.none);
    es_ir_jump(g->code, to.used);
}

static void step(generator *g, const compound_node *node, outcome to)
{
    switch (node->kind) {
    case ES_EVENT_THEN: step_then(g, node, to); break;
    case ES_EVENT_AND: step_and(g, node, to); break;
    case ES_EVENT_OR: step_or(g, node, to); break;
    default:
        unless(g, SEEN, node->leaves, to.none);
        copy(g, BEGAN_LOW, NOW_LOW);
        copy(g, BEGAN_HIGH, NOW_HIGH);
        es_ir_jump(g->code, to.occurred);
        break;
    }
}

/* What the conditions that are true now mean to the event. */
static void decide(generator *g, unsigned no)
{
    const compound_event *event = g->statement->compound;
    es_times_load(g, SEEN, event->state + COMPOUND_SEEN);
    es_ir_branch(g->code, ES_IR_IF_EQ, SEEN, ES_IR_ZERO, no);
    es_times_load(g, FLAGS, event->state + COMPOUND_FLAGS);
    es_times_now(g, NOW_LOW, NOW_HIGH);
    outcome to = {es_ir_label(g->code), es_ir_label(g->code), es_ir_label(g->code)};
    step(g, event->root, to);
    es_ir_here(g->code, to.used);
    es_ir_here(g->code, to.none);
    es_times_store(g, FLAGS, event->state + COMPOUND_FLAGS);
    es_ir_jump(g->code, no);
    es_ir_here(g->code, to.occurred);
    es_times_store(g, FLAGS, event->state + COMPOUND_FLAGS);
    if (event->elapsed)
        keep_began(g, event->state + COMPOUND_BEGAN);
}

void es_compound_step(generator *g, unsigned no)
{
    prepare(g);
    decide(g, no);
}

void es_compound_evaluate(generator *g, unsigned no)
{
    const compound_event *event = g->statement->compound;
    unsigned unknown = g->unknown;
    prepare(g);
    if (g->late)
        evaluate_due(g);
    else
        es_times_store(g, ES_IR_ZERO, event->state + COMPOUND_SEEN);
    for (size_t i = 0; i < event->leaf_count && !g->late; i++)
        if (!(event->held & 1u << i) && events_of(g, event->leaves[i]))
            evaluate_leaf(g, event->leaves[i], 1u << i);
    g->unknown = unknown;
    g->reads = false;
    decide(g, no);
}
