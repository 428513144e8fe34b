#include "image/tables/words.h"

#include <stddef.h>
#include <string.h>

#include "image/lower/compound_due.h"
#include "image/lower/deadline.h"
#include "image/lower/generator.h"
#include "image/lower/paths.h"
#include "image/lower/routine.h"
#include "image/lower/routines.h"
#include "image/lower/written.h"
#include "image/paths/automaton.h"
#include "image/plan/plan.h"
#include "image/plan/tells.h"
#include "image/plan/writes.h"
#include "image/tables/dump.h"
#include "image/tables/filter.h"
#include "image/tables/layout.h"
#include "image/tables/narrow.h"
#include "image/tables/order.h"
#include "image/tables/parts.h"
#include "ir/ir.h"

#define FLAGS_LANE 4 /* bit of HIT_FLAGS with lane 0 */

_Static_assert(ES_HIT_LANES_SHIFT == FLAGS_LANE, "lanes in HIT_FLAGS");

#define SETS_MAX 10 /* sets of neighbouring lanes in a word */

/* The writes to one word that are of the same bytes. */
typedef struct word_set {
    const plan_write *write; /* the first one */
} word_set;

typedef struct word_plan {
    const plan_write *first, *statements, *end; /* covers stand before `statements` */
    word_set sets[SETS_MAX];
    size_t set_count;
    bool across;      /* some variable lies across words: a write of all lanes need not complete it */
    bool old;         /* some statement takes an old value */
    bool falls;       /* the last statement's routine comes right after the word's code: */
    unsigned routine; /* label there */
} word_plan;

const plan_write *es_words_end(const image_builder *b, const plan_write *write)
{
    const plan_write *end = b->plan.writes + b->plan.write_count, *next = write;
    while (next < end && plan_same_word(next, write))
        next++;
    return next;
}

static word_plan look_at(const image_builder *b, const plan_write *first)
{
    word_plan word = {.first = first, .statements = first, .end = es_words_end(b, first)};
    while (word.statements < word.end && word.statements->cover)
        word.statements++;
    for (const plan_write *write = word.statements; write < word.end; write++) {
        size_t i = 0;
        while (i < word.set_count && !plan_same_bytes(word.sets[i].write, write))
            i++;
        if (i == word.set_count)
            word.sets[word.set_count++] = (word_set){write};
        word.old |= write->old;
        word.across |= write->bytes != 0;
    }
    return word;
}

static const plan_write *statement_end(const word_plan *word, const plan_write *write)
{
    const plan_write *next = write;
    while (next < word->end && next->handler == write->handler)
        next++;
    return next;
}

/* --- pieces of code ---------------------------------------------------------------------------------------- */

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

/* --- words ----------------------------------------------------------------------------------------------------- */

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

/* Labels at which a word's code is entered. */
typedef struct word_entries {
    uint32_t first, second; /* all of the word was written; some of it */
    bool nothing;           /* there is nothing to do when all of it was */
} word_entries;

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

/* Generates the code of a word into b->code. */
static word_entries generate_word(image_builder *b, const word_plan *word)
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

static void title_word(image_builder *b, const word_plan *word, const word_entries *entries)
{
    const plan_write *write = word->first;
    const char *place =
        write->slot    ? es_arena_format(b->arena, "byte %d of slot %u", (int)write->word, write->slot - 1u)
        : write->frame ? es_arena_format(b->arena, "byte %d of the frame of %s", (int)write->word, write->frame->name)
                       : es_arena_format(b->arena, "0x%08x", (unsigned)write->word);
    es_dump_title(b, "word %s: written as a whole it begins at L%u, in parts at L%u%s", place, entries->first,
                  entries->second, word->falls ? ", and goes on with what follows" : "");
}

/* For the probe's tracker, before the word's code. */
static bool has_filter(const image_builder *b, const word_plan *word, struct es_mi_filter *filter, bool *narrow)
{
    *narrow = false;
    return b->limits->tracker && !b->plan.slot_count && !b->plan.store && !word->across && word->set_count == 1 &&
           word->first == word->statements && es_filter_of(&b->plan, word->statements, word->end, filter, narrow);
}

/* Lists the words by their last handlers, those without any after all others. */
static void list_words(image_builder *b)
{
    const image_plan *plan = &b->plan;
    size_t *last = es_arena_alloc(b->arena, (plan->handler_count + 1) * sizeof *last);
    b->first_word = es_arena_alloc(b->arena, (plan->handler_count + 1) * sizeof *b->first_word);
    b->next_word = es_arena_alloc(b->arena, (plan->write_count + 1) * sizeof *b->next_word);
    for (size_t i = 0; i < plan->write_count;) {
        word_plan word = look_at(b, &plan->writes[i]);
        size_t handler = word.statements < word.end ? word.end[-1].handler : plan->handler_count;
        *(last[handler] ? &b->next_word[last[handler] - 1] : &b->first_word[handler]) = i + 1;
        last[handler] = i + 1;
        i = (size_t)(word.end - plan->writes);
    }
}

/* Writes the words whose last handler is `number` (handler_count: those without any): the first one runs into the
 * handler's routine. */
static void write_words(image_builder *b, size_t number, bool falls)
{
    for (size_t i = b->first_word[number]; i; i = b->next_word[i - 1]) {
        struct es_mi_cell *cell = &b->words[i - 1];
        if (cell->first)
            continue;
        word_plan word = look_at(b, &b->plan.writes[i - 1]);
        struct es_mi_filter filter;
        bool narrow, filtered = has_filter(b, &word, &filter, &narrow);
        if (filtered)
            es_layout_put(b, &filter, sizeof filter);
        es_code_begin(b);
        word.falls = falls;
        word.routine = es_ir_label(&b->code);
        word_entries entries = generate_word(b, &word);
        title_word(b, &word, &entries);
        es_code_put(b);
        cell->first = (uint16_t)(entries.nothing ? b->routines.pop : es_ir_address(&b->code, entries.first));
        cell->second = (uint16_t)es_ir_address(&b->code, entries.second);
        if (filtered) {
            cell->first |= ES_MI_FILTERED;
            cell->second |= narrow ? ES_MI_NARROW : 0;
        }
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

/* --- control events ---------------------------------------------------------------------------------------------- */

/* Of a cover: a0 becomes the address of the byte that says that this place was told; 0: the word is to be disarmed. */
static void find_covered(image_builder *b, const plan_control *control, unsigned none)
{
    es_ir_code *code = &b->code;
    if (!control->covered) {
        es_ir_const(code, ES_IR_A0, 0);
        return;
    }
    es_ir_ram(code, ES_IR_A0, control->covered);
    es_ir_load(code, ES_IR_LOAD_BYTE, ES_IR_T1, ES_IR_A0, 0);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, none);
}

/* a0 becomes the bits of those events of a statement that happen now, as NP's paths tell. Jumps to `none` when there is
 * none. Where NP is not known all of them are tried, and the statement finds that it cannot be evaluated. */
static void gather_events(image_builder *b, const plan_control *controls, size_t count, unsigned none)
{
    es_ir_code *code = &b->code;
    unsigned all = es_ir_label(code), done = es_ir_label(code);
    uint32_t always = 0, events = 0;
    bool paths = false;
    for (size_t i = 0; i < count; i++) {
        events |= controls[i].events;
        if (controls[i].path)
            paths = true;
        else
            always |= controls[i].events;
    }
    if (paths)
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_NP, ES_IR_ZERO, all);
    es_ir_const(code, ES_IR_A0, paths ? always : events);
    for (size_t i = 0; i < count && paths; i++) {
        unsigned no = es_ir_label(code);
        if (!controls[i].path)
            continue;
        es_ir_branch(code, ES_IR_IF_NOT_LESS, es_paths_test(code, &b->plan, controls[i].path, AUTOMATON_DENOTES),
                     ES_IR_ZERO, no);
        es_ir_const(code, ES_IR_T5, controls[i].events);
        es_ir_value(code, ES_IR_OR, ES_IR_A0, ES_IR_A0, ES_IR_T5);
        es_ir_here(code, no);
    }
    if (paths) {
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_ZERO, none);
        es_ir_jump(code, done);
        es_ir_here(code, all);
        es_ir_const(code, ES_IR_A0, events);
        es_ir_here(code, done);
    }
}

uint16_t es_words_controls(image_builder *b, const plan_control *controls, size_t count)
{
    es_ir_code *code = &b->code;
    es_code_begin(b);
    bool one = controls[count - 1].handler == controls[0].handler;
    if (!one)
        move(code, ES_IR_LIST, ES_IR_RA);
    for (size_t i = 0, next; i < count; i = next) {
        unsigned none = es_ir_label(code);
        for (next = i; next < count && controls[next].handler == controls[i].handler; next++)
            ;
        if (controls[i].handler == PLAN_TELLS) { /* the last one; a return is told when it is done */
            if (!controls[i].leave && !one)
                move(code, ES_IR_RA, ES_IR_LIST);
            if (!controls[i].leave)
                es_routine_run(code, ES_IR_ZERO, b->plan.tells_at);
            continue;
        }
        if (b->plan.statements[controls[i].handler].covered)
            find_covered(b, &controls[i], none);
        else
            gather_events(b, &controls[i], next - i, none);
        if (next == count && !one)
            move(code, ES_IR_RA, ES_IR_LIST);
        es_routine_run(code, next == count ? ES_IR_ZERO : ES_IR_RA, b->routine_at[controls[i].handler]);
        es_ir_here(code, none);
    }
    es_ir_return(code, one ? ES_IR_RA : ES_IR_LIST, 0); /* the last one did not happen */
    es_dump_title(b, "%s%s%s",
                  controls->procedure ? controls->leave ? "leave(" : "enter(" : "a place in the code is reached",
                  controls->procedure ? controls->procedure->name : "", controls->procedure ? ")" : "");
    return es_code_put(b);
}
