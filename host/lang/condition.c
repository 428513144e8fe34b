/* Of each condition: at which events it has to be evaluated, and which activations must exist then. */
#include <string.h>

#include "lang/parser.h"
#include "symbols/shadows.h"

/* --- at which events an expression can be true -------------------------------------------------------------------- */

typedef struct truth {
    bool known, value;
} truth;

static const truth unknown = {false, false};

/* Can one event be an access to both? One store writes all variables of a word, and pointers go anywhere. */
static bool may_overlap(const es_reference *a, const es_reference *b)
{
    if (a->via || b->via || a->subscript_count || b->subscript_count || a->frame != b->frame)
        return true;
    uint32_t a_end = (a->address + a->size - 1) | 3, b_end = (b->address + b->size - 1) | 3;
    return (a->address & ~3u) <= b_end && (b->address & ~3u) <= a_end;
}

static bool same_control(const es_trigger *trigger, const es_expr *expr)
{
    return trigger->procedure == expr->procedure && trigger->path == expr->path && trigger->position == expr->position;
}

/* What is sure about an event's own truth at a trigger. */
static truth judge_event(const es_statement *statement, const es_expr *expr, const es_trigger *trigger)
{
    static const struct {
        enum es_expr_kind expr;
        enum es_trigger_kind trigger;
    } kinds[] = {{ES_EXPR_WRITE, ES_TRIGGER_WRITE}, {ES_EXPR_READ, ES_TRIGGER_READ},
                 {ES_EXPR_ENTER, ES_TRIGGER_ENTER}, {ES_EXPR_LEAVE, ES_TRIGGER_LEAVE},
                 {ES_EXPR_AT, ES_TRIGGER_AT},       {ES_EXPR_UNCHANGED, ES_TRIGGER_UNCHANGED}};
    size_t i = 0;
    while (kinds[i].expr != expr->kind)
        i++;
    if (kinds[i].trigger != trigger->kind) {
        /* execution at a procedure's first instruction is its entry too */
        bool both_fetches =
            trigger->kind >= ES_TRIGGER_ENTER && trigger->kind <= ES_TRIGGER_AT && expr->kind == ES_EXPR_AT;
        both_fetches |= trigger->kind == ES_TRIGGER_AT && (expr->kind == ES_EXPR_ENTER || expr->kind == ES_EXPR_LEAVE);
        return both_fetches ? unknown : (truth){true, false};
    }
    switch (expr->kind) {
    case ES_EXPR_WRITE:
    case ES_EXPR_READ:
        if (expr->area ? es_area_has(statement, expr->area, trigger->index) : trigger->index == expr->index)
            return (truth){true, true};
        if (expr->area)
            return unknown;
        return may_overlap(&statement->references[trigger->index], &statement->references[expr->index])
                   ? unknown
                   : (truth){true, false};
    case ES_EXPR_UNCHANGED:
        return trigger->index == expr->index && trigger->duration.count == expr->duration.count &&
                       trigger->duration.cycles == expr->duration.cycles
                   ? (truth){true, true}
                   : unknown;
    default: /* another path or place may be the same activation's */
        if (same_control(trigger, expr))
            return (truth){true, true};
        return expr->kind != ES_EXPR_AT && trigger->procedure != expr->procedure ? (truth){true, false} : unknown;
    }
}

static truth judge(const es_statement *statement, const es_expr *expr, const es_trigger *trigger)
{
    truth left, right;
    switch (expr->kind) {
    case ES_EXPR_CONST: return expr->type == ES_VALUE_32 ? (truth){true, expr->value != 0} : unknown;
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
    case ES_EXPR_WRITE:
    case ES_EXPR_READ:
    case ES_EXPR_AT:
    case ES_EXPR_UNCHANGED:
        left = judge_event(statement, expr, trigger);
        /* another one may have been unchanged for as long by then */
        return trigger->kind == ES_TRIGGER_UNCHANGED && expr->kind == ES_EXPR_UNCHANGED && !left.value ? unknown : left;
    case ES_EXPR_UNARY:
        left = judge(statement, expr->lhs, trigger);
        return expr->op == ES_OP_LOGNOT && left.known ? (truth){true, !left.value} : unknown;
    case ES_EXPR_BINARY:
        if (expr->op != ES_OP_LOGAND && expr->op != ES_OP_LOGOR)
            return unknown;
        left = judge(statement, expr->lhs, trigger);
        right = judge(statement, expr->rhs, trigger);
        if (expr->op == ES_OP_LOGAND ? (left.known && !left.value) || (right.known && !right.value)
                                     : (left.known && left.value) || (right.known && right.value))
            return (truth){true, expr->op == ES_OP_LOGOR};
        return left.known && right.known ? right : unknown;
    default: return unknown;
    }
}

/* --- collecting --------------------------------------------------------------------------------------------------- */

typedef struct finder {
    es_parser *parser;
    es_trigger *triggers;
    size_t trigger_count;
    const es_path **substates; /* conditions on the control substate */
    size_t substate_count;
    const es_path **exists;
    struct es_spot *exists_at;
    size_t exists_count;
    bool without_events; /* result(f) or reg(x) is in it */
    uint8_t *needed;     /* by reference: 1 it is in here already, 2 its writes too */
} finder;

static bool same_trigger(const es_trigger *a, const es_trigger *b)
{
    return a->kind == b->kind && a->index == b->index && a->procedure == b->procedure && a->path == b->path &&
           a->position == b->position && a->duration.count == b->duration.count &&
           a->duration.cycles == b->duration.cycles;
}

static void add_trigger(finder *f, es_trigger trigger)
{
    for (size_t i = 0; i < f->trigger_count; i++)
        if (same_trigger(&f->triggers[i], &trigger))
            return;
    f->triggers = es_arena_grow(f->parser->arena, f->triggers, f->trigger_count, sizeof trigger);
    f->triggers[f->trigger_count++] = trigger;
}

static void need_path(finder *f, const es_path *path, const struct es_spot *spot)
{
    for (size_t i = 0; i < f->exists_count; i++)
        if (es_path_continues(f->exists[i], path))
            return;
    size_t kept = 0;
    for (size_t i = 0; i < f->exists_count; i++)
        if (!es_path_continues(path, f->exists[i])) {
            f->exists[kept] = f->exists[i];
            f->exists_at[kept++] = f->exists_at[i];
        }
    f->exists = es_arena_grow(f->parser->arena, f->exists, kept, sizeof *f->exists);
    f->exists_at = es_arena_grow(f->parser->arena, f->exists_at, kept, sizeof *f->exists_at);
    f->exists[kept] = path;
    f->exists_at[kept] = *spot;
    f->exists_count = kept + 1;
}

static void find(finder *f, const es_expr *expr, bool writes);

/* result(f) and reg(x) are known at events, and are none. */
static bool is_event(const es_reference *r)
{
    const es_shadow *shadow = r->variable ? r->variable->shadow : NULL;
    return !shadow || shadow->kind == ES_SHADOW_VARIABLE || shadow->kind == ES_SHADOW_COPIES;
}

/* A reference has to exist, with what it goes through; when it is of the predicate, a write to any of these matters. */
static void need_reference(finder *f, size_t index, bool writes)
{
    const es_reference *r = &f->parser->statement->references[index];
    if (writes && is_event(r))
        add_trigger(f, (es_trigger){.kind = ES_TRIGGER_WRITE, .index = index});
    f->without_events |= !is_event(r);
    uint8_t mark = writes ? 3 : 1;
    if ((f->needed[index] & mark) == mark)
        return;
    f->needed[index] |= mark;
    if (r->path || r->frame)
        need_path(f, r->path ? r->path : es_any_path(f->parser, r->frame), &f->parser->spots[index]);
    if (r->via)
        need_reference(f, r->base, writes);
    for (size_t i = 0; i < r->subscript_count; i++)
        find(f, r->subscripts[i].index, writes);
}

static void find(finder *f, const es_expr *expr, bool writes)
{
    if (!expr)
        return;
    const es_statement *statement = f->parser->statement;
    size_t members = es_expr_members(statement, expr);
    switch (expr->kind) {
    case ES_EXPR_WRITE:
        for (size_t i = 0; i < members; i++)
            need_reference(f, es_expr_member(statement, expr, i), writes);
        break;
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD:
    case ES_EXPR_AGE: need_reference(f, expr->index, writes); break;
    case ES_EXPR_READ:
        for (size_t i = 0; i < members; i++) {
            need_reference(f, es_expr_member(statement, expr, i), false);
            add_trigger(f, (es_trigger){.kind = ES_TRIGGER_READ, .index = es_expr_member(statement, expr, i)});
        }
        break;
    case ES_EXPR_UNCHANGED:
        need_reference(f, expr->index, false);
        add_trigger(f, (es_trigger){.kind = ES_TRIGGER_UNCHANGED, .index = expr->index, .duration = expr->duration});
        break;
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
        add_trigger(f, (es_trigger){.kind = expr->kind == ES_EXPR_ENTER ? ES_TRIGGER_ENTER : ES_TRIGGER_LEAVE,
                                    .procedure = expr->procedure,
                                    .path = expr->path});
        break;
    case ES_EXPR_AT:
        add_trigger(f, (es_trigger){.kind = ES_TRIGGER_AT, .path = expr->path, .position = expr->position});
        break;
    case ES_EXPR_ACTIVE:
        f->substates = es_arena_grow(f->parser->arena, f->substates, f->substate_count, sizeof *f->substates);
        f->substates[f->substate_count++] = expr->path;
        break;
    default:
        find(f, expr->condition, writes);
        find(f, expr->lhs, writes);
        find(f, expr->rhs, writes);
        break;
    }
}

/* --- what excludes each other ------------------------------------------------------------------------------------- */

static bool apart(const es_step *x, const es_step *y)
{
    for (size_t i = 0; i < es_step_copies(x); i++)
        if (es_step_means(y, es_step_copy(x, i)))
            return false;
    return true;
}

/* Both say by which call, and none is of both. */
static bool other_calls(const es_step *x, const es_step *y)
{
    for (size_t i = 0; i < es_step_sites(x); i++)
        if (es_step_is_by(y, es_step_site(x, i)))
            return false;
    return es_step_sites(x) && es_step_sites(y);
}

/* Can no stack have activations of both? Sure only for paths from main on, without gaps. */
static bool exclude(const es_path *a, const es_path *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        const es_step *x = &a->steps[i], *y = &b->steps[i];
        if (x->kind == ES_STEP_ANY || y->kind == ES_STEP_ANY)
            return false;
        if (apart(x, y) || other_calls(x, y))
            return true;
        if (x->kind == ES_STEP_NESTED || y->kind == ES_STEP_NESTED)
            return false;
    }
    return false;
}

static bool refuse_exclusion(finder *f)
{
    for (size_t i = 1; i < f->exists_count; i++)
        for (size_t k = 0; k < i; k++)
            if (exclude(f->exists[i], f->exists[k]))
                return es_lang_fail(
                    f->parser->err, f->parser->lexer.text, f->exists_at[i].source, f->exists_at[i].length,
                    "variables of one condition have to lie on one path of calls, as 1:3\\x and 1:3:1\\a do",
                    "the activations %s and %s exclude each other, so this can never be evaluated", f->exists[k]->text,
                    f->exists[i]->text);
    return true;
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

/* What actions show has to exist when the event is complete. */
static void need_actions(finder *f)
{
    const es_statement *statement = f->parser->statement;
    for (size_t a = 0; a < statement->action_count; a++) {
        const es_action *action = &statement->actions[a];
        for (size_t i = 0; i < action->item_count; i++)
            if (action->items[i].kind == ES_ITEM_VALUE || action->items[i].kind == ES_ITEM_AGE)
                need_reference(f, action->items[i].index, false);
        if (!action->snapshot)
            continue;
        const es_reference *place = &action->snapshot->place;
        struct es_spot spot = {action->source, 0, NULL};
        if (place->path || place->frame)
            need_path(f, place->path ? place->path : es_any_path(f->parser, place->frame), &spot);
        if (place->via)
            need_reference(f, place->base, false);
        for (size_t i = 0; i < place->subscript_count; i++)
            find(f, place->subscripts[i].index, false);
    }
}

static bool finish_condition(es_parser *parser, es_condition *condition, bool last)
{
    finder f = {.parser = parser};
    f.needed = es_arena_alloc(parser->arena, parser->statement->reference_count + 1);
    find(&f, condition->expr, true);
    /* A path is no event but a condition; where there is nothing else, its beginning is one. */
    if (f.trigger_count == 0)
        for (size_t i = 0; i < f.substate_count; i++)
            for (size_t k = 0; k < es_step_copies(es_path_last(f.substates[i])); k++)
                add_trigger(&f, (es_trigger){.kind = ES_TRIGGER_ENTER,
                                             .procedure = es_step_copy(es_path_last(f.substates[i]), k),
                                             .path = es_path_is_any(f.substates[i]) ? NULL : f.substates[i]});
    if (f.trigger_count == 0)
        return es_parser_fail_node(
            parser, (const es_node *)condition->expr,
            f.without_events
                ? "result(f), reg(x) and stackdepth are values and no events: say when, as in leave(f) && result(f) > "
                  "80, or "
                  "at(main.c:12) && reg(a0) > 80"
                : "name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered",
            "this predicate names no variable and no event, so it would never be evaluated");
    if (last)
        need_actions(&f);
    if (!refuse_exclusion(&f))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < f.trigger_count; i++) {
        truth sure = judge(parser->statement, condition->expr, &f.triggers[i]);
        /* what has to stay true for a time is also to be asked where it ends */
        if (!sure.known || sure.value || condition->holds_for.count)
            f.triggers[kept++] = f.triggers[i];
    }
    if (kept == 0)
        return es_parser_fail_node(
            parser, (const es_node *)condition->expr,
            "an event is one write, one enter or one leave: join events with ||, or one after the other with then",
            "at each of its events this predicate is false, so it would never be true");
    condition->triggers = f.triggers;
    condition->trigger_count = kept;
    condition->exists = f.exists;
    condition->exists_count = f.exists_count;
    return true;
}

static bool is_elapsed(void *context, const es_expr *expr)
{
    (void)context;
    return expr->kind == ES_EXPR_ELAPSED;
}

/* first: nothing of the compound event has happened before; last: it may complete the event. */
static bool finish(es_parser *parser, const es_event_tree *event, bool first, bool last)
{
    if (event->kind == ES_EVENT_WHEN) {
        const es_expr *expr = event->condition->expr;
        if (first && es_expr_find(expr, is_elapsed, NULL))
            return es_parser_fail_node(parser, (const es_node *)expr, "enter(f) then leave(f) && elapsed > 50us",
                                       "elapsed counts from an event before this one, and there is none");
        return finish_condition(parser, (es_condition *)event->condition, last);
    }
    bool then = event->kind == ES_EVENT_THEN;
    return finish(parser, event->first, first && event->kind != ES_EVENT_AND, last && !then) &&
           finish(parser, event->second, first && event->kind == ES_EVENT_OR, last);
}

bool es_finish_events(es_parser *parser, es_event_tree *event)
{
    return finish(parser, event, true, true);
}
