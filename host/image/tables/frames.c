#include "image/tables/frames.h"

#include <stddef.h>
#include <string.h>

#include "image/lower/ends.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/lower/written.h"
#include "image/places/pointers.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "image/tables/dump.h"
#include "image/tables/forget.h"
#include "image/tables/layout.h"
#include "image/tables/word.h"
#include "ir/ir.h"

/* Stores rs into the data plane's words of a frame; a1 is its CFA. */
static void write_plane(image_builder *b, const plan_frame *frame, bool arm)
{
    es_ir_code *code = &b->code;
    const plan_write *end = b->plan.writes + b->plan.write_count;
    uint32_t base = 0; /* offset from the CFA that t2 stands for, once it does */
    bool based = false, ready[4] = {false};
    for (const plan_write *write = b->plan.writes, *next; write < end; write = next) {
        next = es_word_end(b, write);
        if (write->frame != frame->procedure || write->slot)
            continue;
        unsigned value = 0;
        for (const plan_write *w = write; w < next && arm; w++)
            value |= es_plan_locks(&b->plan, w) ? 3 : 1;
        unsigned rs = value == 3 ? ES_IR_T4 : value == 1 ? ES_IR_T3 : ES_IR_ZERO;
        if (value && !ready[value])
            es_ir_const(code, rs, value);
        ready[value] = true;
        if (!based || !es_ir_fits(write->word - base)) {
            base = es_ir_fits(write->word) ? 0 : es_ir_high(write->word);
            es_ir_const(code, ES_IR_T2, base + (ES_PLANE_DATA_BASE - ES_PHANTOM_BASE));
            es_ir_value(code, ES_IR_ADD, ES_IR_T2, ES_IR_T2, ES_IR_A1);
            based = true;
        }
        es_ir_store(code, ES_IR_STORE, rs, ES_IR_T2, (int32_t)(write->word - base));
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
        es_ir_return(&b->code, ES_IR_T0, 0);
        return;
    }
    es_ir_const(&b->code, ES_IR_A0 + 2, (uint32_t)low);
    es_ir_const(&b->code, ES_IR_A0 + 3, (uint32_t)high);
    es_ir_const(&b->code, ES_IR_A0 + 4, es_pointers_in_frame(&b->plan, frame->procedure));
    es_routine_call(&b->code, &b->routines, ROUTINE_frame_changed);
}

/* What is known of the words as those of one activation. */
static void forget(image_builder *b, const plan_frame *frame)
{
    es_written_forget(&b->code, frame);
    es_words_forget(b, frame->pending, frame->pending_words);
    es_times_forget(&b->code, &b->plan, frame->procedure, 0);
}

/* Frames' code is run in the middle of calls and returns, which have values in other registers. */
static void begin_frame(image_builder *b)
{
    es_code_begin(b);
    b->code.allowed = ES_IR_TEMPORARIES & ~ES_IR_SET(ES_IR_T0);
}

uint16_t es_words_frame_left(image_builder *b, const plan_frame *frame)
{
    begin_frame(b);
    es_holds_end(&b->code, &b->plan, frame->procedure, 0);
    forget(b, frame);
    es_ir_return(&b->code, ES_IR_RA, 0);
    es_dump_title(b, "before the frame of %s is left or moves", frame->procedure->name);
    return es_code_put(b);
}

uint16_t es_words_frame(image_builder *b, const plan_frame *frame)
{
    struct es_mi_frame out = {0};
    begin_frame(b);
    es_ir_store(&b->code, ES_IR_STORE, ES_IR_A1, ES_IR_RAM_BASE, (int32_t)(frame->cell));
    forget(b, frame);
    write_plane(b, frame, true);
    frame_end(b, frame);
    es_dump_title(b, "the frame of %s begins", frame->procedure->name);
    out.enter_at = es_code_put(b);
    begin_frame(b);
    es_holds_end(&b->code, &b->plan, frame->procedure, 0);
    es_ir_store(&b->code, ES_IR_STORE, ES_IR_ZERO, ES_IR_RAM_BASE, (int32_t)(frame->cell));
    write_plane(b, frame, false);
    frame_end(b, frame);
    es_dump_title(b, "the frame of %s ends", frame->procedure->name);
    out.leave_at = es_code_put(b);
    if (b->plan.program->task) {
        begin_frame(b);
        es_ir_store(&b->code, ES_IR_STORE, ES_IR_A1, ES_IR_RAM_BASE, (int32_t)(frame->cell));
        write_plane(b, frame, true);
        frame_end(b, frame);
        es_dump_title(b, "the frame of %s is there again, with its task", frame->procedure->name);
        out.resume_at = es_code_put(b);
    }
    return (uint16_t)es_layout_put(b, &out, offsetof(struct es_mi_frame, size));
}
