#include "image/places/written.h"

#include <stdlib.h>

#include "image/places/element.h"
#include "image/plan/plan.h"
#include "image/plan/plan_private.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

/* --- which statements may meet a local that is not written ------------------------------------------------------ */

/* Whether a place is one of a frame that nobody has written when the procedure is entered. What lies above the frame is
 * there before; where optimised code has a local is known otherwise (host/image/places/lives.h). */
static bool is_new(const es_reference *reference)
{
    return reference->frame && !lives_of(reference) && (int32_t)reference->address < 0;
}

static bool is_same(const es_reference *reference, const plan_write *write)
{
    if (write->frame != reference->frame || write->pointer || reference->subscript_count)
        return false;
    if (write->bytes)
        return write->start == plan_first_byte(reference) && write->bytes == plan_byte_count(reference);
    return write->word == plan_first_word(reference) && write->lanes == es_plan_lanes(reference);
}

/* Whether it is an argument that the prologue puts away in whole words. */
static bool is_argument(const image_plan *plan, const es_reference *reference)
{
    if (reference->subscript_count)
        return false;
    for (unsigned word = 0; word < plan_words(reference); word++)
        if (es_plan_lanes_in(reference, word) != 15)
            return false;
    const es_procedure *procedure = es_symbols_procedure_at(plan->symbols, reference->frame->low);
    return procedure && es_symbols_begins_written(plan->symbols, procedure, (int32_t)plan_first_word(reference),
                                                  4 * plan_words(reference));
}

/* Whether an event finds the prologue of each activation of the procedure done: not in one itself, nor in an interrupt
 * of one. */
static bool is_behind(const image_plan *plan, const plan_control *control, const es_procedure *procedure)
{
    if (control->begin && control->instead == procedure->low)
        return true;
    if (plan->traps || plan->program->task || control->begin)
        return false;
    if (!control->position)
        return control->leave || control->procedure->low != procedure->low;
    for (size_t i = 0; i < control->position->count; i++)
        if (es_symbols_procedure_at(plan->symbols, control->position->addresses[i])->low == procedure->low)
            return false;
    return true;
}

/* Whether a statement's local is surely written whenever it is evaluated. */
static bool is_written(const image_plan *plan, size_t statement, const es_reference *reference)
{
    bool argument = is_argument(plan, reference);
    bool innermost = !reference->path || !plan->traps; /* an outer activation may be interrupted in its prologue */
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *write = &plan->writes[i];
        if (write->handler != statement || is_same(reference, write))
            continue;
        if (plan->traps || plan->program->task || write->pointer || !argument ||
            (write->frame && write->frame->low == reference->frame->low))
            return false;
    }
    for (size_t i = 0; i < plan->control_count; i++)
        if (plan->controls[i].handler == statement &&
            (!argument || !innermost || !is_behind(plan, &plan->controls[i], reference->frame)))
            return false;
    for (size_t i = 0; i < plan->read_count; i++)
        if (plan->reads[i].handler == statement)
            return false;
    return true;
}

static uint8_t checks_of(const image_plan *plan, size_t number, size_t index)
{
    const plan_statement *planned = &plan->statements[number];
    const es_reference *reference = &planned->statement->references[index];
    if (!is_new(reference))
        return 0;
    bool sure = planned->direct || (!planned->deadline && !planned->compound && is_written(plan, number, reference));
    return (uint8_t)((sure ? 0 : WRITTEN_CHECK_NOW) |
                     (planned->olds && planned->olds[index] ? WRITTEN_CHECK_BEFORE : 0));
}

/* --- covers ------------------------------------------------------------------------------------------------------ */

typedef struct local_words {
    plan_write *list;
    size_t count;
} local_words;

/* The words of a local, as what covers would have. */
static void note_local(const image_plan *plan, local_words *words, size_t statement, const es_procedure *frame,
                       const es_reference *reference, uint8_t checks)
{
    const plan_statement *planned = &plan->statements[statement];
    plan_write cover = {.handler = statement,
                        .cover = true,
                        .frame = frame,
                        .slot = es_plan_slot_of(plan, frame),
                        .marks = checks != 0 && frame == reference->frame,
                        .old = checks & WRITTEN_CHECK_BEFORE && frame == reference->frame,
                        .needed = planned->needs_known || planned->deadline};
    size_t count = es_element_count(reference);
    es_reference last = es_element_at(reference, count - 1);
    cover.until = cover.marks ? plan_first_word(&last) + 4 * plan_words(&last) : 0;
    for (size_t n = count; n-- > 0;) {
        es_reference element = es_element_at(reference, n);
        for (unsigned word = 0; word < plan_words(&element); word++) {
            cover.word = plan_first_word(&element) + 4 * word;
            cover.lanes = es_plan_lanes_in(&element, word);
            words->list = es_arena_grow(plan->arena, words->list, words->count, sizeof cover);
            words->list[words->count] = cover;
            /* the rest of it the caller may have put there */
            words->list[words->count++].marks &= (int32_t)cover.word < 0;
        }
    }
}

static int by_place(const void *left, const void *right)
{
    const plan_write *a = left, *b = right;
    if (a->frame != b->frame)
        return (uintptr_t)a->frame < (uintptr_t)b->frame ? -1 : 1;
    return a->word == b->word ? 0 : a->word < b->word ? -1 : 1;
}

static void add_covers(image_plan *plan, local_words *words)
{
    if (words->count)
        qsort(words->list, words->count, sizeof *words->list, by_place);
    for (size_t i = 0; i < words->count;) {
        plan_write cover = words->list[i];
        bool filled = false;
        for (; i < words->count && !by_place(&words->list[i], &cover); i++) {
            filled |= words->list[i].lanes == 15;
            cover.needed |= words->list[i].needed;
            cover.marks |= words->list[i].marks;
            cover.old |= words->list[i].old;
            cover.lanes |= words->list[i].lanes;
            if (words->list[i].marks && (int32_t)(words->list[i].until - cover.until) > 0)
                cover.until = words->list[i].until;
        }
        if (cover.marks || (cover.needed && !filled))
            es_plan_add_write(plan, &cover);
    }
}

void es_written_plan(image_plan *plan)
{
    local_words words = {0};
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const es_statement *statement = &plan->program->statements[s];
        uint8_t *checks = plan->statements[s].checks = es_arena_alloc(plan->arena, statement->reference_count + 1);
        for (size_t i = 0; i < statement->reference_count; i++)
            checks[i] = checks_of(plan, s, i);
    }
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const es_statement *statement = &plan->program->statements[s];
        for (size_t i = 0; i < statement->reference_count; i++) {
            const es_reference *reference = &statement->references[i];
            for (size_t k = 0; reference->frame && k < plan->frame_count; k++) /* several, when they move */
                if (plan->frames[k].procedure->low == reference->frame->low)
                    note_local(plan, &words, s, plan->frames[k].procedure, reference, plan->statements[s].checks[i]);
        }
    }
    add_covers(plan, &words);
}

uint32_t es_written_place(image_plan *plan, plan_frame *frame, uint32_t at)
{
    uint32_t count = 0, word = 0, until = 0;
    bool old = false;
    frame->marks = at;
    for (size_t i = 0; i < plan->write_count; i++) {
        plan_write *write = &plan->writes[i];
        if (!write->cover || !write->marks || write->frame != frame->procedure)
            continue;
        if (count && (int32_t)(until - write->word) > 0) /* among elements, whose marks stand as they do */
            count += (write->word - word) / 4 - 1;
        word = write->word;
        until = count && (int32_t)(until - write->until) > 0 ? until : write->until;
        write->pending = at + count++;
        old |= write->old;
    }
    frame->mark_words = (count + 3) / 4;
    at += 4 * frame->mark_words;
    frame->before = old ? at : 0;
    return at + (old ? 4 : 0);
}

#define KEPT_WORDS_MAX 16u /* marks of more words of one frame are not kept: they would take a whole board's memory */

uint32_t es_written_keep(image_plan *plan, uint32_t at)
{
    uint32_t most = 0;
    for (size_t i = 0; i < plan->frame_count; i++) {
        plan_frame *frame = &plan->frames[i];
        if (!frame->moves || !frame->mark_words || frame->mark_words > KEPT_WORDS_MAX)
            continue;
        frame->kept = at;
        for (frame->kept_shift = 2; 4 * frame->mark_words > 1u << frame->kept_shift; frame->kept_shift++)
            ;
        at += ES_MI_STACK_DEPTH << frame->kept_shift;
        for (size_t k = 0; k < i; k++) /* several of one procedure, by its paths */
            if (plan->frames[k].kept && plan->frames[k].procedure->low == frame->procedure->low)
                frame->saved = plan->frames[k].saved + 4 * plan->frames[k].mark_words;
        if (frame->saved + 4 * frame->mark_words > most)
            most = frame->saved + 4 * frame->mark_words;
    }
    for (plan->marks_shift = most ? 2 : 0; most > 4 && most > 1u << plan->marks_shift; plan->marks_shift++)
        ;
    return at;
}
