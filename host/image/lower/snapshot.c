#include "image/lower/snapshot.h"

#include <stddef.h>
#include <string.h>

#include "image/hit/snapshot.h"
#include "image/image.h"
#include "image/lower/expression.h"
#include "image/lower/generator.h"
#include "image/lower/lives.h"
#include "image/lower/multiply.h"
#include "image/lower/paths.h"
#include "image/lower/place.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/paths/automaton.h"
#include "image/plan/writes.h"
#include "ir/ir.h"
#include "lang/statement.h"

void es_snapshot_exists(generator *g, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++) {
        const es_reference *place = &es_image_snapshot(statement, k)->place;
        es_lives_check_place(g, place, no);
        if (!place->frame)
            continue;
        es_codegen_cell(g, place->frame, ES_IR_T6);
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, no);
        if (!place->path || es_plan_frame_of(g->plan, place->frame)->path)
            continue;
        es_ir_branch(g->code, ES_IR_IF_NOT_LESS, es_paths_test(g->code, g->plan, place->path, AUTOMATON_EXISTS),
                     ES_IR_ZERO, no);
    }
}

/* Where the k-th snapshot, which has a variable index, has its record. */
static uint32_t shot_at(const generator *g, size_t k)
{
    uint32_t at = g->plan->shots;
    while (k-- > 0)
        at += es_image_snapshot(g->statement->statement, k)->place.subscript_count ? PLAN_SHOT_BYTES : 0;
    return at;
}

static void clear_unknown(generator *g)
{
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN); /* from here on */
}

static void find_element(generator *g, const es_reference *place, uint32_t record)
{
    es_ir_code *code = g->code;
    unsigned outside = es_ir_label(code), unknown = es_ir_label(code), other = g->unknown, done = es_ir_label(code);
    es_ir_reg sum = ES_IR_ZERO, why = es_ir_new(code);
    g->unknown = unknown;
    clear_unknown(g);
    for (size_t i = 0; i < place->subscript_count; i++) {
        const es_subscript *subscript = &place->subscripts[i];
        es_ir_reg index = es_codegen_value(g, subscript->index).low;
        if (subscript->count)
            es_ir_branch(code, ES_IR_IF_NOT_BELOW, index, es_ir_make_const(code, subscript->count), outside);
        es_ir_reg distance = es_multiply_constant(g, index, subscript->stride);
        sum = i ? es_ir_make(code, ES_IR_ADD, sum, distance) : distance;
    }
    es_times_store(g, sum, record);
    es_ir_const(code, why, 0);
    es_ir_jump(code, done);
    es_ir_here(code, outside);
    es_ir_const(code, why, SNAPSHOT_NO_ELEMENT);
    es_ir_here(code, done);
    es_times_store(g, why, record + 4);
    unsigned known = es_ir_label(code);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, known);
    es_ir_here(code, unknown);
    es_times_store(g, es_ir_make_const(code, SNAPSHOT_INDEX_NOT_KNOWN), record + 4);
    es_ir_here(code, known);
    g->unknown = other;
}

void es_snapshot_find(generator *g)
{
    const es_statement *statement = g->statement->statement;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        if (es_image_snapshot(statement, k)->place.subscript_count)
            find_element(g, &es_image_snapshot(statement, k)->place, shot_at(g, k));
}

static void put(generator *g, unsigned rs)
{
    es_ir_store(g->code, ES_IR_STORE, rs, ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
}

static void add_constant(generator *g, es_ir_reg rd, uint32_t value)
{
    es_ir_const(g->code, ES_IR_T6, value);
    es_ir_value(g->code, ES_IR_ADD, rd, rd, ES_IR_T6);
}

/* Sends so many words from t1 on, or as many that are not known. */
static void send_words(generator *g, uint32_t words, enum image_routine routine)
{
    for (uint32_t count; words; words -= count) {
        count = words < SNAPSHOT_CHUNK ? words : SNAPSHOT_CHUNK;
        es_ir_const(g->code, ES_IR_T2, count);
        es_routine_call(g->code, g->routines, routine);
    }
}

/* Sends where the pointer leads to, and leaves the word's address in phantom memory in t1. Jumps to `nowhere` with
 * the reason in t3 when that is not known, not in there, or was freed. known: 1 + the number of the pointer among the
 * plan's; 0: it is not followed. */
static void follow(generator *g, const es_snapshot *snapshot, uint32_t record, size_t known, unsigned nowhere)
{
    es_ir_code *code = g->code;
    uint32_t most = g->limits->window_size - 4 * es_image_snapshot_memory(snapshot);
    es_ir_reg pointer = es_ir_new(code);
    if (known) {
        es_ir_const(code, ES_IR_T3,
                    g->plan->pointers[known - 1].reference->frame ? SNAPSHOT_NOT_WRITTEN : SNAPSHOT_FREED);
        es_times_load(g, pointer,
                      g->plan->pointers[known - 1].state + (uint32_t)offsetof(struct es_mi_pointer_state, rests));
        es_ir_branch(code, ES_IR_IF_NE, pointer, ES_IR_ZERO, nowhere);
    }
    clear_unknown(g);
    es_ir_copy(code, pointer, es_place_value(g, snapshot->place.base, false).low);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_ir_const(code, ES_IR_T3, SNAPSHOT_NOT_KNOWN);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, nowhere);
    es_ir_const(code, ES_IR_T3, 0);
    es_ir_branch(code, ES_IR_IF_EQ, pointer, ES_IR_ZERO, nowhere);
    es_ir_const(code, ES_IR_T3, SNAPSHOT_OUTSIDE);
    add_constant(g, pointer, snapshot->place.address);
    if (snapshot->place.subscript_count) {
        es_times_load(g, ES_IR_T6, record);
        es_ir_value(code, ES_IR_ADD, pointer, pointer, ES_IR_T6);
    }
    es_ir_immediate(code, ES_IR_BELOW_I, ES_IR_T6, pointer, es_image_snapshot_nowhere(snapshot) + 1);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, nowhere);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, pointer, 0);
    add_constant(g, ES_IR_T2, 0u - g->limits->window_base);
    es_ir_const(code, ES_IR_T6, most > g->limits->window_size ? 0 : most);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T6, ES_IR_T2, nowhere);
    put(g, pointer);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T2, -4);
    add_constant(g, ES_IR_T1, ES_PHANTOM_BASE);
}

/* Sends where an element of a variable lies, and leaves the word's address in phantom memory in t1. */
static void find_word(generator *g, const es_reference *place, uint32_t record)
{
    es_ir_code *code = g->code;
    es_times_load(g, ES_IR_T1, record);
    if (place->frame) {
        es_codegen_cell(g, place->frame, ES_IR_T2);
        es_ir_value(code, ES_IR_ADD, ES_IR_T1, ES_IR_T1, ES_IR_T2);
    }
    add_constant(g, ES_IR_T1, place->address + (place->frame ? g->limits->window_base - ES_PHANTOM_BASE : 0));
    put(g, ES_IR_T1);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T1, -4);
    add_constant(g, ES_IR_T1, ES_PHANTOM_BASE - g->limits->window_base);
}

/* record: of one with a variable index. */
static void send(generator *g, const es_snapshot *snapshot, uint32_t record, size_t known)
{
    es_ir_code *code = g->code;
    const es_reference *place = &snapshot->place;
    uint32_t words = es_image_snapshot_memory(snapshot);
    unsigned nowhere = es_ir_label(code), done = es_ir_label(code);
    if (place->subscript_count) {
        es_times_load(g, ES_IR_T3, record + 4);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T3, ES_IR_ZERO, nowhere);
    }
    if (place->via) {
        follow(g, snapshot, record, known, nowhere);
    } else if (place->subscript_count) {
        find_word(g, place, record);
    } else if (place->frame) {
        es_codegen_cell(g, place->frame, ES_IR_T1);
        es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, ES_IR_T1, 0);
        add_constant(g, ES_IR_T2, place->address + g->limits->window_base - ES_PHANTOM_BASE);
        put(g, ES_IR_T2);
        add_constant(g, ES_IR_T1, place->address & ~3u);
    } else {
        es_ir_const(code, ES_IR_T1, ES_PHANTOM_BASE + ((place->address & ~3u) - g->limits->window_base));
    }
    send_words(g, words, ROUTINE_snapshot);
    if (!place->via && !place->subscript_count)
        return;
    es_ir_jump(code, done);
    es_ir_here(code, nowhere);
    put(g, ES_IR_T3);
    send_words(g, words, ROUTINE_snapshot_of_nothing);
    es_ir_here(code, done);
}

void es_snapshot_send(generator *g)
{
    const es_statement *statement = g->statement->statement;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        send(g, es_image_snapshot(statement, k), shot_at(g, k), g->statement->shown ? g->statement->shown[k] : 0);
}
