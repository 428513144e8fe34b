#include "image/snapshot.h"
#include "image/routines.h"

#include <stddef.h>
#include <string.h>

#include "image/image.h"
#include "image/lives.h"
#include "image/paths.h"
#include "image/times.h"

#define CHUNK 32u /* words that share a word of bits */

/* Instead of an address: why there is none. No object lies there: what leads there is outside. */
enum { NOT_KNOWN = 1, OUTSIDE = 2, FREED = 3, NOT_WRITTEN = 4 };

/* --- frames ------------------------------------------------------------------------------------------------------- */

size_t es_image_snapshot_count(const es_statement *statement)
{
    size_t count = 0;
    for (size_t i = 0; i < statement->action_count; i++)
        count += statement->actions[i].kind == ES_ACTION_SNAPSHOT;
    return count;
}

static const es_action *action_of(const es_statement *statement, size_t k)
{
    for (size_t i = 0; i < statement->action_count; i++)
        if (statement->actions[i].kind == ES_ACTION_SNAPSHOT && k-- == 0)
            return &statement->actions[i];
    return NULL;
}

const es_snapshot *es_image_snapshot(const es_statement *statement, size_t k)
{
    return action_of(statement, k)->snapshot;
}

/* Where it lies is known at the event only. */
static bool moves(const es_snapshot *snapshot)
{
    return snapshot->place.via || snapshot->place.frame;
}

/* Words of memory that are sent. Where a pointer leads to is any byte of a word. */
static uint32_t memory_words(const es_snapshot *snapshot)
{
    uint32_t before = snapshot->place.via ? 3 : snapshot->place.address & 3;
    return (before + snapshot->bytes + 3) / 4;
}

size_t es_image_snapshot_words(const es_snapshot *snapshot)
{
    if (snapshot->bytes > 4 * ES_FRAME_MAX_WORDS)
        return snapshot->bytes; /* far too many */
    uint32_t words = memory_words(snapshot);
    return moves(snapshot) + words + (words + CHUNK - 1) / CHUNK;
}

void es_image_snapshot_read(const es_snapshot *snapshot, const uint32_t *words, es_image_bytes *out)
{
    const uint32_t *at = words + moves(snapshot);
    uint32_t left = memory_words(snapshot), length = 0;
    uint8_t bytes[4 * ES_FRAME_MAX_WORDS], known[4 * ES_FRAME_MAX_WORDS];
    out->address = moves(snapshot) ? words[0] : snapshot->place.address;
    static const char *const why[] = {
        "its pointer is NULL", "its pointer is not known", "its pointer leads out of the probe's memory",
        "what its pointer led to was freed, and the pointer has not been written since",
        "its pointer has not been written in this activation, or not since what it led to was freed"};
    out->found = !snapshot->place.via || words[0] > NOT_WRITTEN;
    out->why = out->found ? NULL : why[words[0]];
    while (left) {
        uint32_t count = left < CHUNK ? left : CHUNK;
        for (uint32_t i = 0; i < count; i++, length += 4) {
            memcpy(bytes + length, at + i, 4);
            memset(known + length, !(at[count] >> i & 1), 4);
        }
        at += count + 1;
        left -= count;
    }
    memcpy(out->bytes, bytes + (out->address & 3), snapshot->bytes);
    memcpy(out->known, known + (out->address & 3), snapshot->bytes);
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

static bool fits_window(const es_snapshot *snapshot, const es_probe_limits *limits)
{
    uint32_t offset = snapshot->place.address - limits->window_base;
    return offset < limits->window_size && snapshot->bytes <= limits->window_size - offset;
}

static bool is_deadline(const es_statement *statement)
{
    return (statement->features & (ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR))) != 0;
}

bool es_snapshot_check(const image_plan *plan, const es_statement *statement, const es_probe_limits *limits,
                       es_error *err)
{
    size_t words = 5 + es_image_words(statement);
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++) {
        const es_action *action = action_of(statement, k);
        const es_snapshot *snapshot = action->snapshot;
        unsigned length = sizeof "snapshot" - 1;
        if (is_deadline(statement))
            return es_plan_refuse_at(
                plan, action->source, length, err, "print x",
                "a snapshot with `for` is not available in this version: nothing happens at that time that "
                "the probe could hold on to");
        if (snapshot->place.subscript_count)
            return es_plan_refuse_at(
                plan, action->source, length, err, "take the whole array, or one element by its number",
                "%s: a snapshot of an element with a variable index is not available in this version", snapshot->name);
        if (lives_of(&snapshot->place) ||
            (snapshot->place.via && lives_of(&statement->references[snapshot->place.base])))
            return es_plan_refuse_at(
                plan, action->source, length, err, "print it: print x",
                "%s is in memory for a part of its procedure only: a snapshot of it is not available in this version",
                snapshot->name);
        if (!moves(snapshot) && !fits_window(snapshot, limits))
            return es_plan_refuse_at(plan, action->source, length, err, NULL,
                                     "%s at 0x%08x lies outside of the probe's phantom memory (0x%08x to 0x%08x)",
                                     snapshot->name, (unsigned)snapshot->place.address, (unsigned)limits->window_base,
                                     (unsigned)(limits->window_base + limits->window_size - 1));
        if (words > ES_FRAME_MAX_WORDS)
            return es_plan_refuse_at(plan, action->source, length, err,
                                     "take a part of it, memory(ADDRESS, BYTES), or use several statements",
                                     "%s has %u bytes: what is printed and taken as snapshots fits %u bytes in all",
                                     snapshot->name, (unsigned)snapshot->bytes, 4 * (ES_FRAME_MAX_WORDS - 5 - 2));
    }
    return true;
}

/* --- code --------------------------------------------------------------------------------------------------------- */

void es_snapshot_exists(generator *g, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++) {
        const es_reference *place = &es_image_snapshot(statement, k)->place;
        if (!place->frame)
            continue;
        es_codegen_cell(g, place->frame, ES_IR_T6);
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, no);
        if (!place->path || es_plan_frame_of(g->plan, place->frame)->path)
            continue;
        es_paths_test(g->code, g->plan, place->path, AUTOMATON_EXISTS, ES_IR_T6);
        es_ir_branch(g->code, ES_IR_IF_NOT_LESS, ES_IR_T6, ES_IR_ZERO, no);
    }
}

static void put(generator *g, unsigned rs)
{
    es_ir_store(g->code, ES_IR_STORE, rs, ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
}

static void add_constant(generator *g, unsigned rd, uint32_t value)
{
    es_ir_const(g->code, ES_IR_T6, value);
    es_ir_value(g->code, ES_IR_ADD, rd, rd, ES_IR_T6);
}

/* Sends so many words from t1 on, or as many that are not known. */
static void send_words(generator *g, uint32_t words, enum image_routine routine)
{
    for (uint32_t count; words; words -= count) {
        count = words < CHUNK ? words : CHUNK;
        es_ir_const(g->code, ES_IR_T2, count);
        es_routine_call(g->code, g->routines, routine);
    }
}

/* Sends where the pointer leads to, and leaves the word's address in phantom memory in t1. Jumps to `nowhere` with
 * the reason in t3 when that is not known, not in there, or was freed. known: 1 + the number of the pointer among the
 * plan's; 0: it is not followed. */
static void follow(generator *g, const es_snapshot *snapshot, size_t known, unsigned nowhere)
{
    es_ir_code *code = g->code;
    uint32_t most = g->limits->window_size - 4 * memory_words(snapshot);
    unsigned pointer = es_codegen_register(g, 0);
    if (known) {
        es_ir_const(code, ES_IR_T3, g->plan->pointers[known - 1].reference->frame ? NOT_WRITTEN : FREED);
        es_times_load(g, pointer,
                      g->plan->pointers[known - 1].state + (uint32_t)offsetof(struct es_mi_pointer_state, rests));
        es_ir_branch(code, ES_IR_IF_NE, pointer, ES_IR_ZERO, nowhere);
    }
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN); /* from here on */
    es_codegen_reference(g, snapshot->place.base, false, pointer, es_codegen_register(g, 1));
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_ir_const(code, ES_IR_T3, NOT_KNOWN);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, nowhere);
    es_ir_const(code, ES_IR_T3, 0);
    es_ir_branch(code, ES_IR_IF_EQ, pointer, ES_IR_ZERO, nowhere);
    es_ir_const(code, ES_IR_T3, OUTSIDE);
    add_constant(g, pointer, snapshot->place.address);
    es_ir_immediate(code, ES_IR_BELOW_I, ES_IR_T6, pointer, NOT_WRITTEN + 1);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, nowhere);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, pointer, 0);
    add_constant(g, ES_IR_T2, 0u - g->limits->window_base);
    es_ir_const(code, ES_IR_T6, most > g->limits->window_size ? 0 : most);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T6, ES_IR_T2, nowhere);
    put(g, pointer);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T2, -4);
    add_constant(g, ES_IR_T1, ES_PHANTOM_BASE);
}

static void send(generator *g, const es_snapshot *snapshot, size_t known)
{
    es_ir_code *code = g->code;
    const es_reference *place = &snapshot->place;
    uint32_t words = memory_words(snapshot);
    unsigned nowhere = es_ir_label(code), done = es_ir_label(code);
    if (place->via) {
        follow(g, snapshot, known, nowhere);
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
    if (!place->via)
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
        send(g, es_image_snapshot(statement, k), g->statement->shown ? g->statement->shown[k] : 0);
}
