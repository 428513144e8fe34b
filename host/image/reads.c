#include "image/reads.h"

#include <stdlib.h>
#include <string.h>

#include "lang/lexer.h"

static const es_expr *find_in(const es_expr *expr, size_t reference)
{
    if (!expr)
        return NULL;
    if (expr->kind == ES_EXPR_READ && expr->index == reference)
        return expr;
    const es_expr *found = find_in(expr->lhs, reference);
    found = found ? found : find_in(expr->rhs, reference);
    return found ? found : find_in(expr->condition, reference);
}

static const es_expr *find_in_event(const es_event_tree *event, size_t reference)
{
    if (event->kind == ES_EVENT_WHEN)
        return find_in(event->condition->expr, reference);
    const es_expr *found = find_in_event(event->first, reference);
    return found ? found : find_in_event(event->second, reference);
}

bool reads_check(const image_plan *plan, const es_statement *statement, size_t reference, bool unchanged, es_error *err)
{
    const es_reference *of = &statement->references[reference];
    const char *what = of->via && !of->variable ? "what a pointer points to is"
                       : of->subscript_count   ? "an element with a variable index is"
                       : of->frame || of->via  ? "a local is"
                       : unchanged             ? "a variable in a statement with `unchanged for` is"
                                               : NULL;
    if (!what)
        return true;
    const es_expr *expr = statement->event ? find_in_event(statement->event, reference) : find_in(statement->predicate, reference);
    es_source source = expr && expr->source.file ? expr->source : statement->source;
    const char *text = "";
    for (size_t i = 0; i < plan->program->text_count; i++)
        if (plan->program->texts[i].file == source.file)
            text = plan->program->texts[i].text;
    return es_lang_fail(err, text, source, strlen("read"), "read() of variables of static storage is; write(x) of this one is",
                        "read(%s): reading %s not watched in this version", of->text, what);
}

void reads_add(image_plan *plan, size_t statement, const es_reference *reference, uint16_t events)
{
    unsigned first = plan_first_bit(reference) / 8, last = (plan_first_bit(reference) + plan_bits(reference) - 1) / 8;
    for (unsigned word = 0; word < plan_words(reference); word++) {
        unsigned lanes = 0;
        for (unsigned byte = first; byte <= last; byte++)
            if (byte / 4 == word)
                lanes |= 1u << byte % 4;
        plan->reads = es_arena_grow(plan->arena, plan->reads, plan->read_count, sizeof *plan->reads);
        plan->reads[plan->read_count++] = (plan_read){statement, plan_first_word(reference) + 4 * word, (uint8_t)lanes, events};
    }
}

static int compare(const void *left, const void *right)
{
    const plan_read *a = left, *b = right;
    if (a->word != b->word)
        return a->word < b->word ? -1 : 1;
    if (a->statement != b->statement)
        return a->statement < b->statement ? -1 : 1;
    return a->events == b->events ? (int)a->lanes - (int)b->lanes : (int)a->events - (int)b->events;
}

void reads_settle(image_plan *plan)
{
    if (plan->read_count)
        qsort(plan->reads, plan->read_count, sizeof *plan->reads, compare);
}

const plan_read *reads_end(const image_plan *plan, const plan_read *read)
{
    const plan_read *next = read, *end = plan->reads + plan->read_count;
    while (next < end && next->word == read->word)
        next++;
    return next;
}

struct es_mi_cell reads_cell(image_builder *b, const plan_read *first)
{
    rv_code *code = &b->code;
    const plan_read *end = reads_end(&b->plan, first);
    words_begin(b);
    rv_i(code, RV_ADDI, RV_LIST, RV_RA, 0);
    for (const plan_read *read = first, *next; read < end; read = next) {
        unsigned none = rv_label(code);
        rv_li(code, RV_A0, 0);
        for (next = read; next < end && next->statement == read->statement; next++) {
            unsigned other = rv_label(code);
            rv_i(code, RV_LW, RV_T1, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
            rv_i(code, RV_ANDI, RV_T1, RV_T1, next->lanes << ES_HIT_LANES_SHIFT);
            rv_branch(code, RV_BEQ, RV_T1, RV_ZERO, other);
            rv_li(code, RV_T2, next->events);
            rv_r(code, RV_OR, RV_A0, RV_A0, RV_T2);
            rv_place(code, other);
        }
        rv_branch(code, RV_BEQ, RV_A0, RV_ZERO, none);
        rv_call(code, RV_RA, b->routine_at[read->statement]);
        rv_place(code, none);
    }
    rv_return(code, RV_LIST);
    return (struct es_mi_cell){(uint16_t)(words_put(b) | ES_MI_READ), (uint16_t)b->routines.pop};
}
