/* Lays out the monitor image: interface/image.h says what the firmware expects. */
#include <stdlib.h>
#include <string.h>

#include "image/firmware.h"
#include "image/image.h"
#include "image/places/ppat.h"
#include "image/plan/constants.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/planner/make.h"
#include "image/tables/allowed.h"
#include "image/tables/anew.h"
#include "image/tables/arms.h"
#include "image/tables/data_map.h"
#include "image/tables/deadline.h"
#include "image/tables/dump.h"
#include "image/tables/fetch_map.h"
#include "image/tables/fit.h"
#include "image/tables/frames.h"
#include "image/tables/layout.h"
#include "image/tables/lives.h"
#include "image/tables/moving.h"
#include "image/tables/narrow.h"
#include "image/tables/nodes.h"
#include "image/tables/parts.h"
#include "image/tables/pointers.h"
#include "image/tables/procedures.h"
#include "image/tables/slots.h"
#include "image/tables/start_up.h"
#include "image/tables/tasks.h"
#include "image/tables/tells.h"
#include "image/tables/trust.h"
#include "image/tables/words.h"
#include "image/times/deadline.h"
#include "ir/ir.h"
#include "lang/statement.h"
#include "symbols/allocator.h"

/* --- all of it ------------------------------------------------------------------------------------------- */

/* What es_ppat_build says, with a caret under the local whose frame it cannot place, or the first statement that asks
 * for paths. */
static bool refuse_paths(const image_builder *b, const es_program *program)
{
    const image_plan *plan = &b->plan;
    const es_error why = *b->err;
    for (size_t i = 0; i < plan->frame_count; i++)
        if (!plan->frames[i].moves)
            return es_plan_refuse_local(plan, plan->frames[i].procedure, b->err, "%s", why.text);
    for (size_t i = 0; plan->statements && i < program->statement_count; i++)
        if (plan->statements[i].asks_paths)
            return es_plan_fail(plan, plan->statements[i].statement, b->err, "%s", why.text);
    return false;
}

static void find_allocator(image_builder *b)
{
    es_code_piece *pieces;
    b->allocator_count = es_symbols_allocator(b->symbols, b->arena, &pieces);
    b->allocator = es_arena_alloc(b->arena, (b->allocator_count + 1) * sizeof *b->allocator);
    for (size_t i = 0; i < b->allocator_count; i++)
        b->allocator[i] = (struct es_mi_range){pieces[i].first, pieces[i].size};
}

/* Everything that is planned before anything is written. */
static bool plan_all(image_builder *b, const es_program *program)
{
    if (!es_plan_make(&b->plan, b->arena, b->symbols, program, b->limits, &b->options, b->err) ||
        !es_constants_refuse(b->symbols, &b->plan, b->err))
        return false;
    if (!es_ppat_build(&b->ppat, b->symbols, &b->plan, b->limits, b->err))
        return refuse_paths(b, program);
    b->start_up = b->limits->start_up || b->plan.untracked ? NULL : es_start_up_find(b->symbols);
    es_deadline_initial(&b->plan, b->symbols, b->start_up != NULL);
    b->plan.ram_at = b->memory - b->plan.ram_size; /* wraps when there is far too much: the sum says so in the end */
    b->procedure_count = es_symbols_procedures(b->symbols, &b->procedures);
    b->control_of = es_arena_alloc(b->arena, (b->procedure_count + 1) * sizeof *b->control_of);
    b->routines = es_firmware_routines_get();
    b->rows = es_arena_alloc(b->arena, sizeof *b->rows * 2 * ES_ROWS);
    es_dump_begin(b);
    if (b->plan.pointer_count)
        find_allocator(b);
    es_procedures_switches(b);
    return true;
}

/* Room for tables whose addresses others need, and the code of all statements. */
static bool write_statements(image_builder *b)
{
    es_layout_reserve(b, sizeof(struct es_mi_header));
    es_layout_put(b, es_firmware_library(), b->options.library);
    b->procedures_at = es_layout_reserve(b, b->procedure_count * (8 + sizeof(struct es_mi_procedure)));
    es_slots_reserve(b);
    es_lives_reserve(b);
    es_narrow_reserve(b);
    if (!es_parts_reserve(b) || !es_words_statements(b))
        return false;
    es_pointers_moved(b);
    for (size_t i = 0; i < b->plan.frame_count; i++)
        if (b->plan.frames[i].moves)
            b->plan.slots[b->plan.frames[i].slot].moved_at = es_words_frame_left(b, &b->plan.frames[i]);
    es_slots_write(b);
    return true;
}

/* All other tables. What the header says of them is in *header, which is no part of the image yet. */
static bool write_tables(image_builder *b, struct es_mi_header *header)
{
    plane_arm *data_arms, *fetch_arms;
    size_t data_count, fetch_count;
    if (!es_pointers_write(b, header))
        return false;
    es_tells_write(b);
    es_procedures_controls(b);
    header->marks_at = es_words_marks(b);
    header->anew_at = es_anew_write(b);
    es_deadline_tell(&b->plan, b->image);
    if (!es_nodes_write(b, &header->root_node_at))
        return false;
    uint16_t moving_at = es_moving_write(b);
    es_procedures_write(b);
    header->tasks_at = es_tasks_write(b);
    if (!es_data_map_write(b, &data_arms, &data_count) || !es_fetch_map_write(b, &fetch_arms, &fetch_count))
        return false;
    es_trust_write(b, data_arms, data_count, fetch_arms, fetch_count, header);
    size_t need = b->size + b->plan.ram_size;
    es_arms_write(b, data_arms, data_count, fetch_arms, fetch_count, header);
    need = need < b->size ? b->size : need;
    if (need > b->memory - ES_IMAGE_BASE)
        return es_fit_refuse(b, need);
    es_slots_header(b, header);
    es_moving_header(b, moving_at, header);
    return true;
}

static void write_header(image_builder *b, const es_program *program, struct es_mi_header header)
{
    const image_plan *plan = &b->plan;
    const es_procedure *root = es_symbols_procedure_at(b->symbols, es_symbols_entry(b->symbols));
    header.magic = ES_MI_MAGIC;
    header.version = ES_MI_VERSION;
    header.size = (uint32_t)b->size;
    header.window_base = b->limits->window_base;
    header.window_size = b->limits->window_size;
    header.ram_at = (uint16_t)plan->ram_at;
    header.ram_words = (uint16_t)(plan->ram_size / 4);
    header.counters_at = (uint16_t)plan->ram_at;
    header.counter_count = (uint16_t)program->counter_count;
    header.statement_count = (uint16_t)program->statement_count;
    header.root_at = es_layout_procedure(b, root);
    header.unknown_at = (uint16_t)(plan->ram_at + plan->unknown);
    header.figure_count = (uint16_t)es_image_figures(program);
    header.incomplete_at = (uint16_t)(plan->ram_at + plan->incomplete);
    header.pending_at = (uint16_t)(plan->ram_at + plan->pending);
    header.pending_words = (uint16_t)plan->pending_words;
    header.hush = b->start_up != NULL;
    header.tells_at = (uint16_t)plan->tells_at;
    header.control = plan->read_count ? ES_CTRL_READS : 0;
    if (b->limits->tracker)
        header.control |= ES_CTRL_TRACK | (header.root_node_at ? ES_CTRL_TRACK_NODES : 0);
    header.switches = es_procedures_switches_header(b);
    memcpy(es_layout_at(b, ES_IMAGE_BASE), &header, sizeof header);
    uint32_t sum = 0;
    for (size_t i = 0; i < b->size; i += 4) {
        uint32_t word;
        memcpy(&word, b->bytes + i, sizeof word);
        sum = es_mi_checksum(sum, word);
    }
    ((struct es_mi_header *)es_layout_at(b, ES_IMAGE_BASE))->checksum = b->image->checksum = sum;
}

static bool build(image_builder *b, const es_program *program)
{
    struct es_mi_header header = {0};
    b->memory = b->limits->memory_size < ES_MI_ADDRESS_END ? b->limits->memory_size : ES_MI_ADDRESS_END;
    if (b->memory <= ES_IMAGE_BASE)
        return es_fail(b->err, ES_USAGE, "the probe has %u bytes of soft core memory and no room for a monitor image",
                       (unsigned)b->memory);
    if (!plan_all(b, program) || !write_statements(b) || !write_tables(b, &header))
        return false;
    write_header(b, program, header);
    return true;
}

static bool build_or_dump(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                          es_image *image, image_dump *dump, es_error *err)
{
    *image = (es_image){0};
    if (!es_allowed_program(symbols, program, limits, err))
        return false;
    plan_options options = {.task_places = TASK_PLACES};
    bool ok = false, again = true;
    while (!ok && again) { /* less is kept, of tasks or for losses, where memory is short; more is needed */
        image_builder b = {.symbols = symbols,
                           .limits = limits,
                           .arena = es_arena_new(),
                           .image = image,
                           .err = err,
                           .dump = dump,
                           .options = options};
        ok = build(&b, program);
        es_arena_free(b.arena);
        again = es_fit_more(&b, &options);
        ok = ok && !again;
        again = again || (b.too_large && es_fit_less(&options, program));
        es_ir_free(&b.code);
        if (ok) {
            image->bytes = b.bytes;
            image->size = b.size;
        } else {
            free(b.bytes);
            es_image_free(image);
        }
    }
    return ok;
}

bool es_image_build(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                    es_image *image, es_error *err)
{
    return build_or_dump(symbols, program, limits, image, NULL, err);
}

bool es_image_dump(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                   const char *pass, es_text_buffer *out, es_error *err)
{
    es_image image;
    image_dump dump = {.pass = pass};
    bool ok = build_or_dump(symbols, program, limits, &image, &dump, err);
    if (ok) {
        es_text_add(out, dump.out.text, dump.out.length);
        es_image_free(&image);
    }
    es_text_free(&dump.out);
    es_text_free(&dump.title);
    return ok;
}

void es_image_free(es_image *image)
{
    free(image->bytes);
    free(image->keys);
    free(image->pointers);
    free(image->slots);
    free(image->deadlines);
    *image = (es_image){0};
}
