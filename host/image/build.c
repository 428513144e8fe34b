/* Lays out the monitor image: interface/image.h says what the firmware expects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/codegen.h"
#include "image/layout.h"
#include "image/map.h"

/* --- memory ---------------------------------------------------------------------------------------------- */

/* Says what is too many. Sizes as people read them: 52,300. */
static const char *thousands(char text[24], size_t number)
{
    if (number >= 1000000)
        snprintf(text, 24, "%zu,%03zu,%03zu", number / 1000000, number / 1000 % 1000, number % 1000);
    else if (number >= 1000)
        snprintf(text, 24, "%zu,%03zu", number / 1000, number % 1000);
    else
        snprintf(text, 24, "%zu", number);
    return text;
}

/* --- procedures ------------------------------------------------------------------------------------------ */

static int compare_controls(const void *left, const void *right)
{
    const plan_control *a = left, *b = right;
    if (a->procedure != b->procedure)
        return a->procedure->low < b->procedure->low ? -1 : 1;
    if (a->leave != b->leave)
        return a->leave ? 1 : -1;
    return a->statement < b->statement ? -1 : a->statement > b->statement;
}

static void write_controls(image_builder *b)
{
    plan_control *controls = b->plan.controls;
    size_t count = b->plan.control_count;
    if (count)
        qsort(controls, count, sizeof *controls, compare_controls);
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && controls[end].procedure == controls[i].procedure &&
               controls[end].leave == controls[i].leave)
            end++;
        uint32_t list = layout_reserve(b, (end - i) * sizeof(struct es_mi_control));
        struct es_mi_control *entries = layout_at(b, list);
        struct es_mi_procedure *procedure = &b->control_of[layout_procedure_index(b, controls[i].procedure)];
        if (controls[i].leave)
            procedure->leave_at = (uint16_t)list;
        else
            procedure->enter_at = (uint16_t)list;
        for (struct es_mi_control *entry = entries; i < end; i++, entry++)
            *entry = (struct es_mi_control){layout_statement(b, controls[i].statement), controls[i].events,
                                            i + 1 == end ? ES_MI_LAST : 0, 0};
    }
}

/* --- statements ------------------------------------------------------------------------------------------ */

static bool has_print(const es_statement *statement)
{
    for (size_t i = 0; i < statement->action_count; i++)
        if (statement->actions[i].kind == ES_ACTION_PRINT)
            return true;
    return false;
}

static bool write_statement(image_builder *b, size_t number, rv_code *code)
{
    const es_statement *statement = &b->plan.program->statements[number];
    size_t words = 5 + es_image_value_count(statement);
    if (words > ES_FRAME_MAX_WORDS)
        return plan_fail(statement, b->err, "it prints %zu values; at most %u fit into a hit: split it into several "
                         "statements", words - 5,
                         ES_FRAME_MAX_WORDS - 5);
    uint32_t print_at = 0;
    if (has_print(statement)) {
        if (!codegen_print(&b->plan, number, b->limits, code, b->err))
            return false;
        print_at = layout_put(b, code->words, code->count * 4);
    }
    if (!codegen_evaluate(&b->plan, number, b->limits, print_at, code, b->err))
        return false;
    struct es_mi_statement out = {
        .evaluate_at = (uint16_t)layout_put(b, code->words, code->count * 4),
        .number = (uint16_t)number,
        .frame_word = (uint32_t)(words - 1) << 8 | ES_FRAME_HIT,
    };
    memcpy(layout_at(b, b->statements_at + (uint32_t)(number * sizeof out)), &out, sizeof out);
    return true;
}

static bool write_statements(image_builder *b)
{
    rv_code code = {0};
    bool ok = true;
    for (size_t i = 0; i < b->plan.program->statement_count && ok; i++)
        ok = write_statement(b, i, &code);
    rv_free(&code);
    return ok;
}

/* --- PPAT ------------------------------------------------------------------------------------------------ */

static bool needs_lock(const image_builder *b, const plan_write *first, const plan_write *end)
{
    for (; first < end; first++)
        if (plan_locks(&b->plan, first))
            return true;
    return false;
}

static const plan_write *word_end(const image_builder *b, const plan_write *write)
{
    const plan_write *end = b->plan.writes + b->plan.write_count, *next = write;
    while (next < end && next->frame == write->frame && next->word == write->word)
        next++;
    return next;
}

static uint32_t write_frame(image_builder *b, const plan_frame *frame)
{
    size_t words = 0;
    const plan_write *end = b->plan.writes + b->plan.write_count;
    for (const plan_write *w = b->plan.writes; w < end; w = word_end(b, w))
        words += w->frame == frame->procedure;
    uint32_t out_at = layout_reserve(b, sizeof(struct es_mi_frame) + words * sizeof(int32_t));
    struct es_mi_frame *out = layout_at(b, out_at);
    out->cell_at = (uint16_t)(b->plan.ram_at + frame->cell);
    out->pending_words = (uint16_t)((frame->pending_bytes + 3) / 4);
    for (const plan_write *w = b->plan.writes; w < end; w = word_end(b, w))
        if (w->frame == frame->procedure)
            out->words[out->word_count++] = (int32_t)(w->word | (needs_lock(b, w, word_end(b, w)) ? 3 : 1));
    return out_at;
}

/* Nodes, their frames, and the child map. */
static uint16_t write_ppat(image_builder *b)
{
    size_t count = b->ppat.count;
    if (count == 0)
        return 0;
    uint32_t nodes_at = layout_reserve(b, count * sizeof(struct es_mi_node));
    map_key *keys = es_arena_alloc(b->arena, count * sizeof *keys);
    uint32_t columns = 1; /* column 0: procedures in no node */
    for (size_t i = 1; i < count; i++) {
        struct es_mi_procedure *procedure = &b->control_of[layout_procedure_index(b, b->ppat.nodes[i].procedure)];
        if (!procedure->column)
            procedure->column = (uint16_t)(2 * columns++);
        keys[i - 1] = (map_key){(uint32_t)b->ppat.nodes[i].parent, procedure->column / 2u,
            (uint16_t)(nodes_at + i * sizeof(struct es_mi_node))};
    }
    map_packed map;
    map_pack(&map, b->arena, keys, count - 1, (uint32_t)count, columns, true);
    uint32_t cells_at = layout_put(b, map.cells, map.cell_count * sizeof *map.cells);
    uint32_t *frames_at = es_arena_alloc(b->arena, (b->plan.frame_count + 1) * sizeof *frames_at);
    for (size_t i = 0; i < b->plan.frame_count; i++)
        frames_at[i] = write_frame(b, &b->plan.frames[i]);
    for (size_t i = 0; i < count; i++) {
        const ppat_node *node = &b->ppat.nodes[i];
        const plan_frame *frame = i ? plan_frame_of(&b->plan, node->procedure) : NULL;
        ((struct es_mi_node *)layout_at(b, nodes_at))[i] = (struct es_mi_node){
            .cfa = ES_PHANTOM_BASE + (node->cfa - b->limits->window_base),
            .parent_at = i ? (uint16_t)(nodes_at + node->parent * sizeof(struct es_mi_node)) : 0,
            .row_at = (uint16_t)(cells_at + 2 * (uint32_t)map.rows[i]),
            .frame_at = frame ? (uint16_t)frames_at[frame - b->plan.frames] : 0,
        };
    }
    b->image->nodes = count;
    return (uint16_t)nodes_at;
}

/* --- all of it
 * ---------------------------------------------------------------------------------------------------------------------
 * */

static bool build(image_builder *b, const es_program *program)
{
    uint32_t memory = b->limits->memory_size < ES_MI_ADDRESS_END ? b->limits->memory_size : ES_MI_ADDRESS_END;
    if (memory <= ES_IMAGE_BASE)
        return es_fail(b->err, ES_USAGE, "the probe has %u bytes of soft core memory and no room for a monitor image",
                       (unsigned)memory);
    if (!plan_make(&b->plan, b->arena, program, b->limits, b->err) ||
        !ppat_build(&b->ppat, b->symbols, &b->plan, b->limits, b->err))
        return false;
    b->plan.ram_at = memory - b->plan.ram_size; /* wraps when there is far too much: the sum below says so */
    b->procedure_count = es_symbols_procedures(b->symbols, &b->procedures);
    b->control_of = es_arena_alloc(b->arena, (b->procedure_count + 1) * sizeof *b->control_of);
    layout_reserve(b, sizeof(struct es_mi_image));
    b->procedures_at = layout_reserve(b, b->procedure_count * sizeof(struct es_mi_procedure));
    b->statements_at = layout_reserve(b, program->statement_count * sizeof(struct es_mi_statement));
    if (!write_statements(b))
        return false;
    write_controls(b);
    uint16_t root_node = write_ppat(b);
    if (!layout_data_map(b) || !layout_fetch_map(b))
        return false;
    for (size_t i = 0; i < b->procedure_count; i++) {
        b->control_of[i].size = b->procedures[i]->high - b->procedures[i]->low;
        b->control_of[i].flags = b->procedures[i]->is_interrupt ? ES_MI_PROCEDURE_INTERRUPT : 0;
    }
    if (b->procedure_count)
        memcpy(layout_at(b, b->procedures_at), b->control_of, b->procedure_count * sizeof *b->control_of);

    size_t need = b->size + b->plan.ram_size;
    char needs[24], has[24];
    if (need > memory - ES_IMAGE_BASE)
        return es_fail(b->err, ES_USAGE, "the statements need %s bytes of tables, the probe has %s: watch fewer "
                       "variables or procedures (%zu armed data words, "
                       "%zu armed code words, %zu paths to locals)", thousands(needs, need),
                           thousands(has, memory - ES_IMAGE_BASE), b->image->keys_data,
                       b->image->keys_fetch, b->image->nodes);
    struct es_mi_header *header = layout_at(b, ES_IMAGE_BASE);
    header->magic = ES_MI_MAGIC;
    header->version = ES_MI_VERSION;
    header->size = (uint32_t)b->size;
    header->window_base = b->limits->window_base;
    header->ram_at = (uint16_t)b->plan.ram_at;
    header->ram_words = (uint16_t)(b->plan.ram_size / 4);
    header->counters_at = (uint16_t)b->plan.ram_at;
    header->counter_count = (uint16_t)program->counter_count;
    header->statement_count = (uint16_t)program->statement_count;
    const es_procedure *root = es_symbols_procedure_at(b->symbols, es_symbols_entry(b->symbols));
    header->root_at = layout_procedure(b, root);
    header->root_node_at = root_node;
    header->unknown_at = (uint16_t)(b->plan.ram_at + b->plan.unknown);
    uint32_t sum = 0;
    for (size_t i = 0; i < b->size; i += 4) {
        uint32_t word;
        memcpy(&word, b->bytes + i, sizeof word);
        sum = es_mi_checksum(sum, word);
    }
    header->checksum = b->image->checksum = sum;
    return true;
}

bool es_image_build(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                    es_image *image, es_error *err)
{
    *image = (es_image){0};
    if (!es_program_require(program, ES_IMAGE_FEATURES, err))
        return false;
    image_builder b = {.symbols = symbols, .limits = limits, .arena = es_arena_new(), .image = image, .err = err};
    bool ok = build(&b, program);
    es_arena_free(b.arena);
    if (!ok) {
        free(b.bytes);
        *image = (es_image){0};
        return false;
    }
    image->bytes = b.bytes;
    image->size = b.size;
    return true;
}

void es_image_free(es_image *image)
{
    free(image->bytes);
    *image = (es_image){0};
}
