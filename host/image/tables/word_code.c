#include "image/tables/word_code.h"

#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/lower/written.h"
#include "image/tables/narrow.h"
#include "image/tables/parts.h"
#include "ir/ir.h"

#define FLAGS_LANE 4 /* bit of HIT_FLAGS with lane 0 */

_Static_assert(ES_HIT_LANES_SHIFT == FLAGS_LANE, "lanes in HIT_FLAGS");

static const plan_write *statement_end(const word_plan *word, const plan_write *write)
{
    const plan_write *next = write;
    while (next < word->end && next->handler == write->handler)
        next++;
    return next;
}

/* --- pieces of code -------------------------------------------------------------------------------------------- */

static void move(es_ir_code *code, es_ir_reg rd, unsigned rs)
{
    es_ir_immediate(code, ES_IR_ADD_I, rd, rs, 0);
}

static void hand_events(image_builder *b, size_t handler, uint32_t events)
{
    if (b->plan.handlers[handler].has_events)
        es_ir_const(&b->code, ES_IR_A0, events);
}

/* t1 becomes not 0 when the hit completes the lanes, else 0. */
static void complete(image_builder *b, const plan_write *write)
{
    es_ir_code *code = &b->code;
    if (!plan_in_parts(write)) {
        codegen_store store = es_codegen_store(&b->plan);
        es_ir_load(code, ES_IR_LOAD, ES_IR_T1, store.base, store.flags);
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T1, write->lanes << FLAGS_LANE);
        return;
    }
    if (!write->cover) {
        es_parts_complete(b, write);
        return;
    }
    es_ir_const(code, ES_IR_T3, (uint32_t)write->lanes << FLAGS_LANE);
    es_ir_ram(&b->code, ES_IR_T2, write->pending);
    es_routine_call(code, &b->routines, ROUTINE_part);
}

/* Makes the word just written known. The hit holds the FIFO's output, so the word is as the hit tells it. */
static void know(image_builder *b)
{
    es_ir_code *code = &b->code;
    es_ir_load(code, ES_IR_LOAD, ES_IR_T2, ES_IR_HIT, (int32_t)ES_REG_HIT_ADDR);
    es_ir_const(code, ES_IR_T3, ES_PHANTOM_BASE - b->limits->window_base);
    es_ir_value(code, ES_IR_ADD, ES_IR_T2, ES_IR_T2, ES_IR_T3);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T3, ES_IR_HIT, (int32_t)ES_REG_HIT_NEW);
    es_ir_store(code, ES_IR_STORE, ES_IR_T3, ES_IR_T2, 0);
}

/* Words' code is entered with ra = pop, but for words that a slot lies over: their code is called. */
static void keep_way_on(image_builder *b)
{
    if (b->plan.slot_count)
        es_ir_store(&b->code, ES_IR_STORE, ES_IR_RA, ES_IR_ZERO, (int32_t)b->routines.going_on);
}

static void find_way_on(image_builder *b)
{
    if (b->plan.slot_count)
        es_ir_load(&b->code, ES_IR_LOAD, ES_IR_RA, ES_IR_ZERO, (int32_t)b->routines.going_on);
    else
        es_ir_const(&b->code, ES_IR_RA, b->routines.pop);
}

/* --- the word ---------------------------------------------------------------------------------------------------- */

/* Calls a handler's routine; with rd ES_IR_ZERO it goes on at ra. */
static void call_handler(image_builder *b, const word_plan *word, size_t handler, es_ir_reg rd)
{
    if (word->falls && handler == word->end[-1].handler)
        es_routine_run_label(&b->code, rd, word->routine);
    else
        es_routine_run(&b->code, rd, b->routine_at[handler]);
}

/* Whether its code calls anything, and so has to keep where it goes on. */
static bool calls(const word_plan *word)
{
    return word->across || word->set_count > 1 || word->statements->handler != word->end[-1].handler;
}

/* All statements, one after the other, with the bits of all their events. */
static void run_all(image_builder *b, const word_plan *word)
{
    for (const plan_write *write = word->statements, *next; write < word->end; write = next) {
        uint32_t events = 0;
        next = statement_end(word, write);
        for (const plan_write *w = write; w < next; w++)
            events |= w->events;
        bool last = next == word->end;
        if (last && write != word->statements)
            find_way_on(b);
        hand_events(b, write->handler, events);
        if (!last || !word->falls)
            call_handler(b, word, write->handler, last ? ES_IR_ZERO : ES_IR_RA);
    }
}

/* A write of some lanes of a word whose statements differ in what completes their variables: ES_IR_LIST holds what
 * is. */
static void run_some(image_builder *b, const word_plan *word)
{
    es_ir_code *code = &b->code;
    codegen_store store = es_codegen_store(&b->plan);
    es_ir_load(code, ES_IR_LOAD, ES_IR_LIST, store.base, store.flags);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_LIST, ES_IR_LIST, 15 << FLAGS_LANE);
    for (size_t i = 0; i < word->set_count; i++) {
        if (!plan_in_parts(word->sets[i].write))
            continue;
        unsigned no = es_ir_label(code);
        complete(b, word->sets[i].write);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, no);
        es_ir_immediate(code, ES_IR_OR_I, ES_IR_LIST, ES_IR_LIST, word->sets[i].write->bit);
        es_ir_here(code, no);
    }
    for (const plan_write *write = word->statements, *next; write < word->end; write = next) {
        unsigned no = es_ir_label(code);
        uint32_t bits = 0, events = 0;
        bool same = true;
        next = statement_end(word, write);
        for (const plan_write *w = write; w < next; w++) {
            bits |= w->bit;
            events |= w->events;
            same &= w->events == write->events;
        }
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_LIST, (int32_t)bits);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, no);
        if (b->plan.handlers[write->handler].has_events && !same) {
            es_ir_const(code, ES_IR_A0, 0);
            for (const plan_write *w = write; w < next; w++) {
                unsigned not_this = es_ir_label(code);
                es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_LIST, w->bit);
                es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, not_this);
                es_ir_const(code, ES_IR_T2, w->events);
                es_ir_value(code, ES_IR_OR, ES_IR_A0, ES_IR_A0, ES_IR_T2);
                es_ir_here(code, not_this);
            }
        } else {
            hand_events(b, write->handler, events);
        }
        call_handler(b, word, write->handler, ES_IR_RA);
        es_ir_here(code, no);
    }
    find_way_on(b);
    es_ir_return(code, ES_IR_RA, 0);
}

/* All of a word was written at once; none of its variables lies across words. */
static void enter_whole(image_builder *b, const word_plan *word, const plan_write *cover, uint32_t entry)
{
    es_ir_code *code = &b->code;
    es_ir_entry(code, entry);
    if (cover)
        es_written_note(code, &b->plan, cover, false, ES_IR_ZERO);
    if (calls(word))
        keep_way_on(b);
    if (word->old)
        es_ir_const(code, ES_IR_PARTS, 0);
    for (size_t i = 0; i < word->set_count; i++)
        if (plan_in_parts(word->sets[i].write))
            es_ir_store(&b->code, ES_IR_STORE_BYTE, ES_IR_ZERO, ES_IR_RAM_BASE,
                        (int32_t)(word->sets[i].write->pending));
}

/* Some lanes of a frame's word were written. begins: as of es_written_note. */
static void note_some(image_builder *b, const plan_write *cover, es_ir_reg begins)
{
    es_ir_code *code = &b->code;
    unsigned no = es_ir_label(code);
    es_written_note(code, &b->plan, cover, true, begins);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T1, cover->lanes << FLAGS_LANE);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, no); /* nobody's bytes */
    know(b);
    es_ir_here(code, no);
}

/* On a narrow bus: goes on with the last write of a store only. */
static void wait_for_last(image_builder *b, const plan_write *cover)
{
    es_ir_code *code = &b->code;
    unsigned last = es_ir_label(code);
    es_ir_reg begins = es_ir_new(code), ends = es_ir_new(code);
    es_narrow_look(b);
    move(code, begins, ES_IR_T2);
    move(code, ends, ES_IR_T1);
    if (cover)
        note_some(b, cover, begins);
    es_ir_branch(code, ES_IR_IF_NE, ends, ES_IR_ZERO, last);
    es_ir_return(code, ES_IR_RA, 0);
    es_ir_here(code, last);
}

word_entries es_word_generate(image_builder *b, const word_plan *word)
{
    es_ir_code *code = &b->code;
    unsigned all = es_ir_label(code);
    word_entries cell = {.first = es_ir_label(code), .second = es_ir_label(code)};
    es_ir_entry(code, cell.second);
    const plan_write *cover = word->first < word->statements ? word->first : NULL;
    bool narrow = b->plan.store && word->statements < word->end;
    if (narrow)
        wait_for_last(b, cover);
    else if (cover)
        note_some(b, cover, ES_IR_ZERO);
    if (word->statements == word->end) {
        es_ir_return(code, ES_IR_RA, 0);
        /* a slot's code is called, and `pop` does not return */
        cell.nothing = !b->plan.slot_count && !(cover && cover->marks);
        es_ir_entry(code, cell.first);
        es_written_note(code, &b->plan, cover, false, ES_IR_ZERO);
        if (!cell.nothing)
            es_ir_return(code, ES_IR_RA, 0);
        return cell;
    }
    if (calls(word))
        keep_way_on(b);
    if (word->old)
        es_ir_const(code, ES_IR_PARTS, 0);
    if (word->across || (narrow && word->set_count > 1)) {
        run_some(b, word);
        cell.first = cell.second;
        if (word->falls)
            es_ir_entry(code, word->routine);
        return cell;
    }
    if (word->set_count == 1) {
        complete(b, word->sets[0].write);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, all);
        es_ir_return(code, ES_IR_RA, 0);
    } else {
        run_some(b, word);
    }
    if (narrow)
        cell.first = cell.second;
    else
        enter_whole(b, word, cover, cell.first);
    es_ir_here(code, all);
    run_all(b, word);
    if (word->falls)
        es_ir_entry(code, word->routine);
    return cell;
}
