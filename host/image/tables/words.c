#include "image/tables/words.h"

#include "image/lower/compound_due.h"
#include "image/lower/deadline.h"
#include "image/lower/generator.h"
#include "image/lower/routine.h"
#include "image/lower/routines.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "image/tables/order.h"
#include "image/tables/word.h"
#include "ir/ir.h"

/* Lists the words by their last handlers, those without any after all others. */
static void list_words(image_builder *b)
{
    const image_plan *plan = &b->plan;
    const plan_write *end = plan->writes + plan->write_count;
    size_t *last = es_arena_alloc(b->arena, (plan->handler_count + 1) * sizeof *last);
    b->first_word = es_arena_alloc(b->arena, (plan->handler_count + 1) * sizeof *b->first_word);
    b->next_word = es_arena_alloc(b->arena, (plan->write_count + 1) * sizeof *b->next_word);
    for (const plan_write *first = plan->writes, *next; first < end; first = next) {
        next = es_word_end(b, first);
        size_t i = (size_t)(first - plan->writes) + 1;
        size_t handler = next[-1].cover ? plan->handler_count : next[-1].handler; /* covers stand before statements */
        *(last[handler] ? &b->next_word[last[handler] - 1] : &b->first_word[handler]) = i;
        last[handler] = i;
    }
}

/* Writes the words whose last handler is `number` (handler_count: those without any): the first one runs into the
 * handler's routine. */
static void write_words(image_builder *b, size_t number, bool falls)
{
    for (size_t i = b->first_word[number]; i; i = b->next_word[i - 1]) {
        if (b->words[i - 1].first)
            continue;
        b->words[i - 1] = es_word_write(b, &b->plan.writes[i - 1], falls);
        if (falls)
            return;
    }
}

/* The routine of a handler, and the words of which it is the last. */
static bool write_routine(image_builder *b, size_t number)
{
    write_words(b, number, true);
    es_code_begin(b);
    if (!es_routine_write(&b->plan, number, b->limits, &b->routines, &b->code, b->err))
        return false;
    es_dump_title(b, "%s", es_dump_routine(b, number));
    b->routine_at[number] = es_code_put(b);
    write_words(b, number, false);
    return true;
}

/* What is done when a deadline may have passed: the statement's routine; of the parts of a compound event, which are
 * looked at together, a routine beside it. */
static bool write_deadline(image_builder *b, size_t number)
{
    plan_deadline *deadline = &b->plan.deadlines[number];
    if (!deadline->part) {
        if (!write_routine(b, deadline->statement))
            return false;
        deadline->check_at = b->routine_at[deadline->statement];
    } else if (number && deadline[-1].statement == deadline->statement) {
        deadline->check_at = deadline[-1].check_at;
    } else {
        es_code_begin(b);
        if (!es_routine_late(&b->plan, number, b->limits, &b->routines, &b->code, b->err))
            return false;
        es_dump_title(b, "%s: a deadline is over", es_dump_routine(b, deadline->statement));
        uint16_t late_at = es_code_put(b);
        es_code_begin(b);
        generator g = {.plan = &b->plan, .statement = &b->plan.statements[deadline->statement], .code = &b->code};
        es_compound_deadlines(&g, late_at);
        es_dump_title(b, "%s: whether one of its deadlines is over", es_dump_routine(b, deadline->statement));
        deadline->check_at = es_code_put(b);
    }
    return true;
}

/* Each before those that jump to it: what waits for deadlines, the notes of its variables' writes and of pointers, all
 * others in order. */
bool es_words_statements(image_builder *b)
{
    size_t count = b->plan.handler_count;
    b->words = es_arena_alloc(b->arena, (b->plan.write_count + 1) * sizeof *b->words);
    b->routine_at = es_arena_alloc(b->arena, (count + 1) * sizeof *b->routine_at);
    list_words(b);
    for (size_t i = 0; i < b->plan.deadline_count; i++)
        if (!write_deadline(b, i))
            return false;
    es_order_write(b);
    for (int purpose = PLAN_POINTER; purpose <= PLAN_TASK; purpose++)
        for (size_t i = 0; i < count; i++)
            if ((int)b->plan.handlers[i].purpose == purpose &&
                (purpose != PLAN_STATEMENT || !b->plan.statements[i].deadline) && !write_routine(b, i))
                return false;
    write_words(b, count, false);
    return true;
}

uint16_t es_words_marks(image_builder *b)
{
    if (!b->plan.deadline_count)
        return 0;
    if (b->plan.ordered)
        return (uint16_t)b->plan.ordered_at;
    es_code_begin(b);
    es_deadline_list(&b->code, &b->plan);
    es_dump_title(b, "all deadlines");
    return es_code_put(b);
}

struct es_mi_cell es_words_cell(const image_builder *b, const plan_write *first)
{
    return b->words[first - b->plan.writes];
}

struct es_mi_cell es_words_choose(image_builder *b, const plan_write *const *words, const uint32_t *cfas, size_t count)
{
    uint16_t at[2];
    for (int second = 0; second < 2; second++) {
        es_code_begin(b);
        for (size_t i = 0; i < count; i++) {
            struct es_mi_cell cell = es_words_cell(b, words[i]);
            unsigned no = es_ir_label(&b->code);
            es_ir_load(&b->code, ES_IR_LOAD, ES_IR_T1, ES_IR_RAM_BASE,
                       (int32_t)es_plan_frame_of(&b->plan, words[i]->frame)->cell);
            es_ir_const(&b->code, ES_IR_T2, cfas[i]);
            es_ir_branch(&b->code, ES_IR_IF_NE, ES_IR_T1, ES_IR_T2, no);
            es_routine_run(&b->code, ES_IR_ZERO, (second ? cell.second : cell.first) & ~ES_MI_FILTERED);
            es_ir_here(&b->code, no);
        }
        es_ir_return(&b->code, ES_IR_RA, 0);
        es_dump_title(b, "a word of several frames: which of them exists");
        at[second] = es_code_put(b);
    }
    return (struct es_mi_cell){at[0], at[1]};
}
