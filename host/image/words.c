#include "image/words.h"

#include <stddef.h>
#include <string.h>

#include "image/codegen.h"
#include "image/compound.h"
#include "image/deadline.h"
#include "image/order.h"
#include "image/holds.h"
#include "image/parts.h"
#include "image/paths.h"
#include "image/pointers.h"
#include "image/routine.h"
#include "image/times.h"
#include "image/written.h"

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
    bool across; /* some variable lies across words: a write of all lanes need not complete it */
    bool old; /* some statement takes an old value */
    bool falls;      /* the last statement's routine comes right behind the word's code: */
    unsigned behind; /* label there */
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
    while (next < word->end && next->statement == write->statement)
        next++;
    return next;
}

/* --- pieces of code ---------------------------------------------------------------------------------------- */

static void move(rv_code *code, unsigned rd, unsigned rs)
{
    es_rv_i(code, RV_ADDI, rd, rs, 0);
}

static void store_ram(image_builder *b, enum rv_op op, unsigned rs, uint32_t offset)
{
    int32_t low;
    unsigned base = es_codegen_ram(&b->code, &b->plan, offset, RV_T6, &low);
    es_rv_store(&b->code, op, rs, base, low);
}

static void address_ram(image_builder *b, unsigned rd, uint32_t offset)
{
    int32_t low;
    unsigned base = es_codegen_ram(&b->code, &b->plan, offset, rd, &low);
    es_rv_i(&b->code, RV_ADDI, rd, base, low);
}

static void hand_events(image_builder *b, size_t statement, uint32_t events)
{
    if (b->plan.statements[statement].has_events)
        es_rv_li(&b->code, RV_A0, events);
}

/* t1 becomes not 0 when the hit completes the lanes, else 0. */
static void complete(image_builder *b, const plan_write *write)
{
    rv_code *code = &b->code;
    if (!plan_in_parts(write)) {
        es_rv_i(code, RV_LW, RV_T1, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
        es_rv_i(code, RV_ANDI, RV_T1, RV_T1, write->lanes << FLAGS_LANE);
        return;
    }
    if (!write->cover) {
        es_parts_complete(b, write);
        return;
    }
    es_rv_li(code, RV_T3, (uint32_t)write->lanes << FLAGS_LANE);
    address_ram(b, RV_T2, write->pending);
    es_rv_call(code, RV_T0, b->routines.part);
}

/* Makes the word just written known. The hit holds the FIFO's output, so the word is as the hit tells it. */
static void know(image_builder *b)
{
    rv_code *code = &b->code;
    es_rv_i(code, RV_LW, RV_T2, RV_REGS, (int32_t)ES_REG_HIT_ADDR);
    es_rv_li(code, RV_T3, ES_PHANTOM_BASE - b->limits->window_base);
    es_rv_r(code, RV_ADD, RV_T2, RV_T2, RV_T3);
    es_rv_i(code, RV_LW, RV_T3, RV_REGS, (int32_t)ES_REG_HIT_NEW);
    es_rv_store(code, RV_SW, RV_T3, RV_T2, 0);
}

/* Words' code is entered with ra = pop, but for words that a slot lies over: their code is called. */
static void keep_way_on(image_builder *b)
{
    if (b->plan.slot_count)
        es_rv_store(&b->code, RV_SW, RV_RA, RV_ZERO, (int32_t)b->routines.going_on);
}

static void find_way_on(image_builder *b)
{
    if (b->plan.slot_count)
        es_rv_i(&b->code, RV_LW, RV_RA, RV_ZERO, (int32_t)b->routines.going_on);
    else
        es_rv_li(&b->code, RV_RA, b->routines.pop);
}

/* --- words ----------------------------------------------------------------------------------------------------- */

/* Calls a statement's routine; with rd RV_ZERO it goes on at ra. */
static void call_statement(image_builder *b, const word_plan *word, size_t statement, unsigned rd)
{
    if (word->falls && statement == word->end[-1].statement)
        es_rv_link(&b->code, rd, word->behind);
    else
        es_rv_call(&b->code, rd, b->routine_at[statement]);
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
        hand_events(b, write->statement, events);
        if (!last || !word->falls)
            call_statement(b, word, write->statement, last ? RV_ZERO : RV_RA);
    }
}

/* A write of some lanes of a word whose statements differ in what completes their variables: RV_LIST holds what is. */
static void run_some(image_builder *b, const word_plan *word)
{
    rv_code *code = &b->code;
    es_rv_i(code, RV_LW, RV_LIST, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
    es_rv_i(code, RV_ANDI, RV_LIST, RV_LIST, 15 << FLAGS_LANE);
    for (size_t i = 0; i < word->set_count; i++) {
        if (!plan_in_parts(word->sets[i].write))
            continue;
        unsigned no = es_rv_label(code);
        complete(b, word->sets[i].write);
        es_rv_branch(code, RV_BEQ, RV_T1, RV_ZERO, no);
        es_rv_i(code, RV_ORI, RV_LIST, RV_LIST, word->sets[i].write->bit);
        es_rv_place(code, no);
    }
    for (const plan_write *write = word->statements, *next; write < word->end; write = next) {
        unsigned no = es_rv_label(code);
        uint32_t bits = 0, events = 0;
        bool same = true;
        next = statement_end(word, write);
        for (const plan_write *w = write; w < next; w++) {
            bits |= w->bit;
            events |= w->events;
            same &= w->events == write->events;
        }
        es_rv_i(code, RV_ANDI, RV_T1, RV_LIST, (int32_t)bits);
        es_rv_branch(code, RV_BEQ, RV_T1, RV_ZERO, no);
        if (b->plan.statements[write->statement].has_events && !same) {
            es_rv_li(code, RV_A0, 0);
            for (const plan_write *w = write; w < next; w++) {
                unsigned not_this = es_rv_label(code);
                es_rv_i(code, RV_ANDI, RV_T1, RV_LIST, w->bit);
                es_rv_branch(code, RV_BEQ, RV_T1, RV_ZERO, not_this);
                es_rv_li(code, RV_T2, w->events);
                es_rv_r(code, RV_OR, RV_A0, RV_A0, RV_T2);
                es_rv_place(code, not_this);
            }
        } else {
            hand_events(b, write->statement, events);
        }
        call_statement(b, word, write->statement, RV_RA);
        es_rv_place(code, no);
    }
    find_way_on(b);
    es_rv_return(code, RV_RA);
}

/* Generates the code of a word into b->code. */
static struct es_mi_cell generate_word(image_builder *b, const word_plan *word)
{
    rv_code *code = &b->code;
    struct es_mi_cell cell = {(uint16_t)b->routines.pop, 0};
    unsigned all = es_rv_label(code);
    cell.second = (uint16_t)(code->base + 4 * code->count);
    const plan_write *cover = word->first < word->statements ? word->first : NULL;
    if (cover) {
        unsigned no = es_rv_label(code);
        es_written_note(code, &b->plan, cover, true);
        es_rv_i(code, RV_LW, RV_T1, RV_REGS, (int32_t)ES_REG_HIT_FLAGS);
        es_rv_i(code, RV_ANDI, RV_T1, RV_T1, cover->lanes << FLAGS_LANE);
        es_rv_branch(code, RV_BEQ, RV_T1, RV_ZERO, no); /* nobody's bytes */
        know(b);
        es_rv_place(code, no);
    }
    if (word->statements == word->end) {
        es_rv_return(code, RV_RA);
        if (b->plan.slot_count || (cover && cover->marks)) /* a slot's code is called, and `pop` does not return */
            cell.first = (uint16_t)(code->base + 4 * code->count);
        es_written_note(code, &b->plan, cover, false);
        if (cell.first != b->routines.pop)
            es_rv_return(code, RV_RA);
        return cell;
    }
    bool calls = word->across || word->set_count > 1 || word->statements->statement != word->end[-1].statement;
    if (calls)
        keep_way_on(b);
    if (word->old)
        es_rv_li(code, RV_PARTS, 0);
    if (word->across) {
        run_some(b, word);
        cell.first = cell.second;
        if (word->falls)
            es_rv_place(code, word->behind);
        return cell;
    }
    if (word->set_count == 1) {
        complete(b, word->sets[0].write);
        es_rv_branch(code, RV_BNE, RV_T1, RV_ZERO, all);
        es_rv_return(code, RV_RA);
    } else {
        run_some(b, word);
    }
    cell.first = (uint16_t)(code->base + 4 * code->count);
    if (cover)
        es_written_note(code, &b->plan, cover, false);
    if (calls)
        keep_way_on(b);
    if (word->old)
        es_rv_li(code, RV_PARTS, 0);
    for (size_t i = 0; i < word->set_count; i++)
        if (plan_in_parts(word->sets[i].write))
            store_ram(b, RV_SB, RV_ZERO, word->sets[i].write->pending);
    es_rv_place(code, all);
    run_all(b, word);
    if (word->falls)
        es_rv_place(code, word->behind);
    return cell;
}

void es_words_begin(image_builder *b)
{
    b->code.base = ES_IMAGE_BASE + (uint32_t)b->size;
    b->code.far = false;
    es_rv_reset(&b->code);
}

uint16_t es_words_put(image_builder *b)
{
    es_rv_finish(&b->code); /* words' code is short: each branch reaches */
    return (uint16_t)es_layout_put(b, b->code.words, b->code.count * 4);
}

/* Writes the words whose last statement is `number` (plan_routines: those without statement): the first one runs
 * into the statement's routine. */
static void write_words(image_builder *b, size_t number, bool falls)
{
    const plan_write *end = b->plan.writes + b->plan.write_count;
    for (const plan_write *first = b->plan.writes, *next; first < end; first = next) {
        word_plan word = look_at(b, first);
        next = word.end;
        size_t last = word.statements < word.end ? word.end[-1].statement : plan_routines(&b->plan);
        struct es_mi_cell *cell = &b->words[first - b->plan.writes];
        if (last != number || cell->first)
            continue;
        es_words_begin(b);
        word.falls = falls;
        word.behind = es_rv_label(&b->code);
        *cell = generate_word(b, &word);
        es_words_put(b);
        if (falls)
            return;
    }
}

/* The routine of a statement or note, and the words of which it is the last. */
static bool write_routine(image_builder *b, size_t number)
{
    write_words(b, number, true);
    es_words_begin(b);
    if (!es_routine_statement(&b->plan, number, b->limits, &b->routines, &b->code, b->err))
        return false;
    b->routine_at[number] = es_words_put(b);
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
        es_words_begin(b);
        if (!es_routine_late(&b->plan, number, b->limits, &b->routines, &b->code, b->err))
            return false;
        uint16_t late_at = es_words_put(b);
        es_words_begin(b);
        generator g = {.plan = &b->plan, .statement = &b->plan.statements[deadline->statement], .code = &b->code};
        es_compound_deadlines(&g, late_at);
        deadline->check_at = es_words_put(b);
    }
    return true;
}

/* Each before those that jump to it: what waits for deadlines, the notes of its variables' writes and of pointers, all
 * others in order. */
bool es_words_statements(image_builder *b)
{
    size_t count = plan_routines(&b->plan), notes = b->plan.program->statement_count + b->plan.age_count;
    b->words = es_arena_alloc(b->arena, (b->plan.write_count + 1) * sizeof *b->words);
    b->routine_at = es_arena_alloc(b->arena, (count + 1) * sizeof *b->routine_at);
    for (size_t i = 0; i < b->plan.deadline_count; i++)
        if (!write_deadline(b, i))
            return false;
    es_order_write(b);
    for (size_t i = notes; i + (b->plan.program->task != NULL) < count; i++)
        if (!write_routine(b, i))
            return false;
    for (size_t i = 0; i < notes; i++)
        if (!b->plan.statements[i].deadline && !write_routine(b, i))
            return false;
    if (b->plan.program->task && !write_routine(b, count - 1))
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
    es_words_begin(b);
    es_deadline_list(&b->code, &b->plan);
    return es_words_put(b);
}

struct es_mi_cell es_words_cell(const image_builder *b, const plan_write *first)
{
    return b->words[first - b->plan.writes];
}

struct es_mi_cell es_words_choose(image_builder *b, const plan_write *const *words, const uint32_t *cfas, size_t count)
{
    uint16_t at[2];
    for (int second = 0; second < 2; second++) {
        es_words_begin(b);
        for (size_t i = 0; i < count; i++) {
            struct es_mi_cell cell = es_words_cell(b, words[i]);
            unsigned no = es_rv_label(&b->code);
            int32_t low;
            unsigned base = es_codegen_ram(&b->code, &b->plan, es_plan_frame_of(&b->plan, words[i]->frame)->cell, RV_T1,
                                        &low);
            es_rv_i(&b->code, RV_LW, RV_T1, base, low);
            es_rv_li(&b->code, RV_T2, cfas[i]);
            es_rv_branch(&b->code, RV_BNE, RV_T1, RV_T2, no);
            es_rv_call(&b->code, RV_ZERO, second ? cell.second : cell.first);
            es_rv_place(&b->code, no);
        }
        es_rv_return(&b->code, RV_RA);
        at[second] = es_words_put(b);
    }
    return (struct es_mi_cell){at[0], at[1]};
}

/* --- control events ---------------------------------------------------------------------------------------------- */

/* a0 becomes the bits of those events of a statement that happen now, as NP's paths tell. Jumps to `none` when there is
 * none. Where NP is not known all of them are tried, and the statement finds that it cannot be evaluated. */
static void gather_events(image_builder *b, const plan_control *controls, size_t count, unsigned none)
{
    rv_code *code = &b->code;
    unsigned all = es_rv_label(code), done = es_rv_label(code);
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
        es_rv_branch(code, RV_BEQ, RV_NP, RV_ZERO, all);
    es_rv_li(code, RV_A0, paths ? always : events);
    for (size_t i = 0; i < count && paths; i++) {
        unsigned no = es_rv_label(code);
        if (!controls[i].path)
            continue;
        es_paths_test(code, &b->plan, controls[i].path, AUTOMATON_DENOTES, RV_T6);
        es_rv_branch(code, RV_BGE, RV_T6, RV_ZERO, no);
        es_rv_li(code, RV_T5, controls[i].events);
        es_rv_r(code, RV_OR, RV_A0, RV_A0, RV_T5);
        es_rv_place(code, no);
    }
    if (paths) {
        es_rv_branch(code, RV_BEQ, RV_A0, RV_ZERO, none);
        es_rv_jump(code, done);
        es_rv_place(code, all);
        es_rv_li(code, RV_A0, events);
        es_rv_place(code, done);
    }
}

uint16_t es_words_controls(image_builder *b, const plan_control *controls, size_t count)
{
    rv_code *code = &b->code;
    es_words_begin(b);
    bool one = controls[count - 1].statement == controls[0].statement;
    if (!one)
        move(code, RV_LIST, RV_RA);
    for (size_t i = 0, next; i < count; i = next) {
        unsigned none = es_rv_label(code);
        for (next = i; next < count && controls[next].statement == controls[i].statement; next++)
            ;
        gather_events(b, &controls[i], next - i, none);
        if (next == count && !one)
            move(code, RV_RA, RV_LIST);
        es_rv_call(code, next == count ? RV_ZERO : RV_RA, b->routine_at[controls[i].statement]);
        es_rv_place(code, none);
    }
    es_rv_return(code, one ? RV_RA : RV_LIST); /* the last one did not happen */
    return es_words_put(b);
}

/* Stores rs into the data plane's words of a frame; a1 is its CFA. */
static void write_plane(image_builder *b, const plan_frame *frame, bool arm)
{
    rv_code *code = &b->code;
    const plan_write *end = b->plan.writes + b->plan.write_count;
    uint32_t base = 0; /* offset from the CFA that t2 stands for, once it does */
    bool based = false, ready[4] = {false};
    for (const plan_write *write = b->plan.writes, *next; write < end; write = next) {
        next = es_words_end(b, write);
        if (write->frame != frame->procedure || write->slot)
            continue;
        unsigned value = 0;
        for (const plan_write *w = write; w < next && arm; w++)
            value |= es_plan_locks(&b->plan, w) ? 3 : 1;
        unsigned rs = value == 3 ? RV_T4 : value == 1 ? RV_T3 : RV_ZERO;
        if (value && !ready[value])
            es_rv_li(code, rs, value);
        ready[value] = true;
        if (!based || !rv_fits(write->word - base)) {
            base = rv_fits(write->word) ? 0 : rv_high(write->word);
            es_rv_li(code, RV_T2, base + (ES_PLANE_DATA_BASE - ES_PHANTOM_BASE));
            es_rv_r(code, RV_ADD, RV_T2, RV_T2, RV_A1);
            based = true;
        }
        es_rv_store(code, RV_SW, rs, RV_T2, (int32_t)(write->word - base));
    }
}

void es_words_forget(image_builder *b, uint32_t pending, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        unsigned none = es_rv_label(&b->code);
        address_ram(b, RV_T2, pending + 4 * i);
        es_rv_i(&b->code, RV_LW, RV_T1, RV_T2, 0);
        es_rv_branch(&b->code, RV_BEQ, RV_T1, RV_ZERO, none);
        es_rv_call(&b->code, RV_T3, b->routines.abandon);
        es_rv_place(&b->code, none);
        store_ram(b, RV_SW, RV_ZERO, pending + b->plan.tags + 4 * i);
    }
}

/* Slots may lie over the words that have just been armed or disarmed. */
static void frame_end(image_builder *b, const plan_frame *frame)
{
    const plan_write *end = b->plan.writes + b->plan.write_count;
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (const plan_write *write = b->plan.writes; write < end; write++) {
        if (write->frame != frame->procedure || write->slot)
            continue;
        low = (int32_t)write->word < low ? (int32_t)write->word : low;
        high = (int32_t)write->word + 4 > high ? (int32_t)write->word + 4 : high;
    }
    if (!b->plan.slot_count || low >= high) {
        es_rv_return(&b->code, RV_T0);
        return;
    }
    es_rv_li(&b->code, RV_A0 + 2, (uint32_t)low);
    es_rv_li(&b->code, RV_A0 + 3, (uint32_t)high);
    es_rv_li(&b->code, RV_A0 + 4, es_pointers_in_frame(&b->plan, frame->procedure));
    es_rv_call(&b->code, RV_ZERO, b->routines.frame_changed);
}

/* What is known of the words as those of one activation. */
static void forget(image_builder *b, const plan_frame *frame)
{
    es_written_forget(&b->code, &b->plan, frame);
    es_words_forget(b, frame->pending, frame->pending_words);
    es_times_forget(&b->code, &b->plan, frame->procedure, 0);
}

uint16_t es_words_frame_left(image_builder *b, const plan_frame *frame)
{
    es_words_begin(b);
    es_holds_end(&b->code, &b->plan, frame->procedure, 0);
    forget(b, frame);
    es_rv_return(&b->code, RV_RA);
    return es_words_put(b);
}

uint16_t es_words_frame(image_builder *b, const plan_frame *frame)
{
    struct es_mi_frame out = {0};
    es_words_begin(b);
    store_ram(b, RV_SW, RV_A1, frame->cell);
    forget(b, frame);
    write_plane(b, frame, true);
    frame_end(b, frame);
    out.enter_at = es_words_put(b);
    es_words_begin(b);
    es_holds_end(&b->code, &b->plan, frame->procedure, 0);
    store_ram(b, RV_SW, RV_ZERO, frame->cell);
    write_plane(b, frame, false);
    frame_end(b, frame);
    out.leave_at = es_words_put(b);
    if (b->plan.program->task) {
        es_words_begin(b);
        store_ram(b, RV_SW, RV_A1, frame->cell);
        write_plane(b, frame, true);
        frame_end(b, frame);
        out.resume_at = es_words_put(b);
    }
    return (uint16_t)es_layout_put(b, &out, offsetof(struct es_mi_frame, size));
}
