/* Lays out the monitor image: interface/image.h says what the firmware expects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/codegen.h"
#include "image/map.h"
#include "image/ppat.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the image is written as little endian structs"
#endif

#define INSN_MRET 0x30200073u

typedef struct builder {
    const es_symbols *symbols;
    const es_probe_limits *limits;
    image_plan plan;
    image_ppat ppat;
    es_arena *arena;
    uint8_t *bytes; /* the image; grows past what addresses can name, so that the size can be told */
    size_t size, room;
    const es_procedure *const *procedures;
    size_t procedure_count;
    uint32_t procedures_at, statements_at;
    struct es_mi_procedure *control_of; /* by procedure: what will be written, filled in piece by piece */
    es_image *image;
    es_error *err;
} builder;

/* --- memory ---------------------------------------------------------------------------------------------- */

/* Room for `size` zero bytes; returns its soft core address. */
static uint32_t reserve(builder *b, size_t size)
{
    size_t aligned = (size + 3) & ~(size_t)3;
    if (b->size + aligned > b->room) {
        size_t room = (b->size + aligned) * 2;
        b->bytes = es_realloc(b->bytes, room);
        memset(b->bytes + b->room, 0, room - b->room);
        b->room = room;
    }
    uint32_t at = ES_IMAGE_BASE + (uint32_t)b->size;
    b->size += aligned;
    return at;
}

static void *at(builder *b, uint32_t address)
{
    return b->bytes + (address - ES_IMAGE_BASE);
}

static uint32_t put(builder *b, const void *bytes, size_t size)
{
    uint32_t address = reserve(b, size);
    if (size)
        memcpy(at(b, address), bytes, size);
    return address;
}

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

static size_t procedure_index(const builder *b, const es_procedure *procedure)
{
    size_t low = 0, high = b->procedure_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->procedures[middle]->low < procedure->low)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint16_t procedure_at(const builder *b, const es_procedure *procedure)
{
    if (!procedure)
        return 0;
    return (uint16_t)(b->procedures_at + procedure_index(b, procedure) * sizeof(struct es_mi_procedure));
}

static uint16_t statement_at(const builder *b, size_t number)
{
    return (uint16_t)(b->statements_at + number * sizeof(struct es_mi_statement));
}

static int compare_controls(const void *left, const void *right)
{
    const plan_control *a = left, *b = right;
    if (a->procedure != b->procedure)
        return a->procedure->low < b->procedure->low ? -1 : 1;
    if (a->leave != b->leave)
        return a->leave ? 1 : -1;
    return a->statement < b->statement ? -1 : a->statement > b->statement;
}

static void write_controls(builder *b)
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
        uint32_t list = reserve(b, (end - i) * sizeof(struct es_mi_control));
        struct es_mi_control *entries = at(b, list);
        struct es_mi_procedure *procedure = &b->control_of[procedure_index(b, controls[i].procedure)];
        if (controls[i].leave)
            procedure->leave_at = (uint16_t)list;
        else
            procedure->enter_at = (uint16_t)list;
        for (struct es_mi_control *entry = entries; i < end; i++, entry++)
            *entry = (struct es_mi_control){statement_at(b, controls[i].statement), controls[i].events,
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

static bool write_statement(builder *b, size_t number, rv_code *code)
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
        print_at = put(b, code->words, code->count * 4);
    }
    if (!codegen_evaluate(&b->plan, number, b->limits, print_at, code, b->err))
        return false;
    struct es_mi_statement out = {
        .evaluate_at = (uint16_t)put(b, code->words, code->count * 4),
        .number = (uint16_t)number,
        .frame_word = (uint32_t)(words - 1) << 8 | ES_FRAME_HIT,
    };
    memcpy(at(b, b->statements_at + (uint32_t)(number * sizeof out)), &out, sizeof out);
    return true;
}

static bool write_statements(builder *b)
{
    rv_code code = {0};
    bool ok = true;
    for (size_t i = 0; i < b->plan.program->statement_count && ok; i++)
        ok = write_statement(b, i, &code);
    rv_free(&code);
    return ok;
}

/* --- PPAT ------------------------------------------------------------------------------------------------ */

static bool needs_lock(const builder *b, const plan_write *first, const plan_write *end)
{
    for (; first < end; first++)
        if (!b->plan.statements[first->statement].direct)
            return true;
    return false;
}

static const plan_write *word_end(const builder *b, const plan_write *write)
{
    const plan_write *end = b->plan.writes + b->plan.write_count, *next = write;
    while (next < end && next->frame == write->frame && next->word == write->word)
        next++;
    return next;
}

static uint32_t write_frame(builder *b, const plan_frame *frame)
{
    size_t words = 0;
    const plan_write *end = b->plan.writes + b->plan.write_count;
    for (const plan_write *w = b->plan.writes; w < end; w = word_end(b, w))
        words += w->frame == frame->procedure;
    uint32_t out_at = reserve(b, sizeof(struct es_mi_frame) + words * sizeof(int32_t));
    struct es_mi_frame *out = at(b, out_at);
    out->cell_at = (uint16_t)(b->plan.ram_at + frame->cell);
    out->pending_words = (uint16_t)((frame->pending_bytes + 3) / 4);
    for (const plan_write *w = b->plan.writes; w < end; w = word_end(b, w))
        if (w->frame == frame->procedure)
            out->words[out->word_count++] = (int32_t)(w->word | (needs_lock(b, w, word_end(b, w)) ? 3 : 1));
    return out_at;
}

/* Nodes, their frames, and the child map. */
static uint16_t write_ppat(builder *b)
{
    size_t count = b->ppat.count;
    if (count == 0)
        return 0;
    uint32_t nodes_at = reserve(b, count * sizeof(struct es_mi_node));
    map_key *keys = es_arena_alloc(b->arena, count * sizeof *keys);
    uint32_t columns = 1; /* column 0: procedures in no node */
    for (size_t i = 1; i < count; i++) {
        struct es_mi_procedure *procedure = &b->control_of[procedure_index(b, b->ppat.nodes[i].procedure)];
        if (!procedure->column)
            procedure->column = (uint16_t)(2 * columns++);
        keys[i - 1] = (map_key){(uint32_t)b->ppat.nodes[i].parent, procedure->column / 2u,
            (uint16_t)(nodes_at + i * sizeof(struct es_mi_node))};
    }
    map_packed map;
    map_pack(&map, b->arena, keys, count - 1, (uint32_t)count, columns, true);
    uint32_t cells_at = put(b, map.cells, map.cell_count * sizeof *map.cells);
    uint32_t *frames_at = es_arena_alloc(b->arena, (b->plan.frame_count + 1) * sizeof *frames_at);
    for (size_t i = 0; i < b->plan.frame_count; i++)
        frames_at[i] = write_frame(b, &b->plan.frames[i]);
    for (size_t i = 0; i < count; i++) {
        const ppat_node *node = &b->ppat.nodes[i];
        const plan_frame *frame = i ? plan_frame_of(&b->plan, node->procedure) : NULL;
        ((struct es_mi_node *)at(b, nodes_at))[i] = (struct es_mi_node){
            .cfa = ES_PHANTOM_BASE + (node->cfa - b->limits->window_base),
            .parent_at = i ? (uint16_t)(nodes_at + node->parent * sizeof(struct es_mi_node)) : 0,
            .row_at = (uint16_t)(cells_at + 2 * (uint32_t)map.rows[i]),
            .frame_at = frame ? (uint16_t)frames_at[frame - b->plan.frames] : 0,
        };
    }
    b->image->nodes = count;
    return (uint16_t)nodes_at;
}

/* --- address maps ---------------------------------------------------------------------------------------- */

typedef struct map_keys {
    map_key *keys;
    size_t count;
} map_keys;

static void add_key(builder *b, map_keys *keys, uint32_t address, uint16_t cell)
{
    uint32_t offset = address - b->limits->window_base;
    keys->keys = es_arena_grow(b->arena, keys->keys, keys->count, sizeof *keys->keys);
    keys->keys[keys->count++] = (map_key){offset >> 2 & (ES_MI_ROWS - 1), offset >> ES_MI_ROW_SHIFT, cell};
}

static void write_map(builder *b, map_keys *keys, uint32_t map_at)
{
    map_packed map;
    map_pack(&map, b->arena, keys->keys, keys->count, ES_MI_ROWS, (b->limits->window_size >> ES_MI_ROW_SHIFT) + 1,
             false);
    uint32_t cells_at = put(b, map.cells, map.cell_count * sizeof *map.cells);
    uint32_t base_column = b->limits->window_base >> ES_MI_ROW_SHIFT;
    struct es_mi_map *out = at(b, map_at);
    for (uint32_t row = 0; row < ES_MI_ROWS; row++)
        out->rows[row] = cells_at + 2 * ((uint32_t)map.rows[row] - base_column);
}

typedef struct plane_arm {
    uint32_t address;
    bool lock;
} plane_arm;

/* Writes an arm list of ascending addresses; *count gets its length. */
static uint16_t write_arms(builder *b, const plane_arm *arms, size_t arm_count, uint16_t *count)
{
    uint32_t list = ES_IMAGE_BASE + (uint32_t)b->size;
    uint32_t last = b->limits->window_base;
    uint16_t *steps = NULL;
    size_t step_count = 0;
    for (size_t i = 0; i < arm_count; i++) {
        uint32_t step = (arms[i].address - last) / 4;
        for (; step >= ES_MI_ARM_SKIP; step -= ES_MI_ARM_SKIP) {
            steps = es_arena_grow(b->arena, steps, step_count, sizeof *steps);
            steps[step_count++] = ES_MI_ARM_SKIP;
        }
        steps = es_arena_grow(b->arena, steps, step_count, sizeof *steps);
        steps[step_count++] = (uint16_t)(step | (arms[i].lock ? ES_MI_ARM_LOCK : 0));
        last = arms[i].address;
    }
    put(b, steps, step_count * sizeof *steps);
    *count = (uint16_t)step_count;
    return (uint16_t)list;
}

/* --- data map: MSEL -------------------------------------------------------------------------------------- */

/* One entry of the MSEL at its place in target memory. */
typedef struct placed {
    uint32_t address;
    const plan_write *write;
    size_t order; /* keeps the entries of one statement and frame together */
    const ppat_node *node; /* NULL: a static variable */
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->write->statement != b->write->statement)
        return a->write->statement < b->write->statement ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static struct es_mi_trigger trigger_of(const builder *b, const plan_write *write, uint8_t flags)
{
    return (struct es_mi_trigger){
        .statement_at = statement_at(b, write->statement),
        .events = write->events,
        .pending_at = (uint16_t)(b->plan.ram_at + write->pending),
        .lanes = write->lanes,
        .flags = flags,
    };
}

/* Paths of different length to the same procedure can put its frame at the same place: one entry serves them all. */
static bool same_entry(const placed *a, const placed *b)
{
    return a->address == b->address && a->write == b->write;
}

static uint16_t write_triggers(builder *b, const placed *entries, size_t count)
{
    bool framed = entries[0].node != NULL;
    size_t size = framed ? sizeof(struct es_mi_frame_trigger) : sizeof(struct es_mi_trigger);
    uint32_t list = reserve(b, count * size);
    for (size_t i = 0; i < count; i++) {
        size_t statement = entries[i].write->statement;
        bool alone = (i == 0 || entries[i - 1].write->statement != statement) &&
                     (i + 1 == count || entries[i + 1].write->statement != statement);
        struct es_mi_trigger trigger =
            trigger_of(b, entries[i].write, (i + 1 == count ? ES_MI_LAST : 0) | (alone ? ES_MI_ALONE : 0));
        if (framed)
            ((struct es_mi_frame_trigger *)at(b, list))[i] = (struct es_mi_frame_trigger){
                .trigger = trigger,
                .cell_at = (uint16_t)(b->plan.ram_at + plan_frame_of(&b->plan, entries[i].write->frame)->cell),
                .cfa = ES_PHANTOM_BASE + (entries[i].node->cfa - b->limits->window_base),
            };
        else
            ((struct es_mi_trigger *)at(b, list))[i] = trigger;
    }
    return (uint16_t)(list | framed);
}

static bool place_writes(builder *b, placed **out, size_t *out_count)
{
    placed *all = NULL;
    size_t count = 0;
    for (size_t i = 0; i < b->plan.write_count; i++) {
        const plan_write *write = &b->plan.writes[i];
        if (!write->frame) {
            all = es_arena_grow(b->arena, all, count, sizeof *all);
            all[count++] = (placed){write->word, write, i, NULL};
        }
        for (size_t n = 1; n < b->ppat.count && write->frame; n++) {
            if (b->ppat.nodes[n].procedure != write->frame)
                continue;
            uint32_t address = b->ppat.nodes[n].cfa + write->word;
            if (address - b->limits->window_base >= b->limits->window_size)
                return plan_fail(&b->plan.program->statements[write->statement], b->err, "a local of %s at 0x%08x "
                                 "lies outside of the probe's phantom "
                                 "memory", write->frame->name, (unsigned)address);
            all = es_arena_grow(b->arena, all, count, sizeof *all);
            all[count++] = (placed){address, write, i, &b->ppat.nodes[n]};
        }
    }
    if (count)
        qsort(all, count, sizeof *all, compare_placed);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || !same_entry(&all[kept - 1], &all[i]))
            all[kept++] = all[i];
    *out = all;
    *out_count = kept;
    return true;
}

static bool write_data_map(builder *b)
{
    placed *all = NULL;
    size_t count = 0;
    if (!place_writes(b, &all, &count))
        return false;
    map_keys keys = {0};
    plane_arm *arms = es_arena_alloc(b->arena, (count + 1) * sizeof *arms);
    size_t arm_count = 0;
    for (size_t i = 0; i < count;) {
        size_t end = i;
        bool lock = false;
        for (; end < count && all[end].address == all[i].address; end++) {
            lock |= !b->plan.statements[all[end].write->statement].direct;
            if (!all[end].node != !all[i].node)
                return es_fail(b->err, ES_USAGE, "the static variable at 0x%08x lies within the stack",
                               (unsigned)all[i].address);
        }
        add_key(b, &keys, all[i].address, write_triggers(b, &all[i], end - i));
        if (!all[i].node)
            arms[arm_count++] = (plane_arm){all[i].address, lock};
        i = end;
    }
    write_map(b, &keys, ES_IMAGE_BASE + (uint32_t)offsetof(struct es_mi_image, data));
    b->image->keys_data = keys.count;
    uint16_t length, list = write_arms(b, arms, arm_count, &length);
    struct es_mi_header *header = at(b, ES_IMAGE_BASE);
    header->data_arms_at = list;
    header->data_arm_count = length;
    return true;
}

/* --- fetch map
 * -----------------------------------------------------------------------------------------------------------------
 * */

typedef struct code_word {
    uint32_t address;
    const es_procedure *enter, *inside;
    bool mret;
} code_word;

typedef struct code_words {
    code_word *words;
    size_t count;
} code_words;

static code_word *add_code_word(builder *b, code_words *list, uint32_t address)
{
    list->words = es_arena_grow(b->arena, list->words, list->count, sizeof *list->words);
    list->words[list->count].address = address;
    return &list->words[list->count++];
}

static int compare_code_words(const void *left, const void *right)
{
    const code_word *a = left, *b = right;
    return a->address < b->address ? -1 : a->address > b->address;
}

static void add_mrets(builder *b, code_words *list, const es_procedure *procedure)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(b->symbols, &segments);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t offset = 0; segments[i].size >= 4 && offset <= segments[i].size - 4; offset += 4) {
            uint32_t address = segments[i].address + offset, word;
            memcpy(&word, segments[i].bytes + offset, sizeof word);
            if (word == INSN_MRET && address >= procedure->low && address < procedure->high)
                add_code_word(b, list, address)->mret = true;
        }
    }
}

/* Sorts and joins what stands at the same address. Fails when a word cannot be watched. */
static bool settle_code_words(builder *b, code_words *list)
{
    if (list->count)
        qsort(list->words, list->count, sizeof *list->words, compare_code_words);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const code_word *word = &list->words[i];
        if (word->address & 3)
            return es_fail(b->err, ES_USAGE, "the program has an instruction at 0x%08x: compressed code cannot be "
                           "watched, compile with -march=rv32i or the "
                           "like without c", (unsigned)word->address);
        if (word->address - b->limits->window_base >= b->limits->window_size)
            return es_fail(b->err, ES_USAGE, "the code at 0x%08x lies outside of the probe's phantom memory (0x%08x "
                           "to 0x%08x)", (unsigned)word->address,
                           (unsigned)b->limits->window_base,
                               (unsigned)(b->limits->window_base + b->limits->window_size - 1));
        if (kept && list->words[kept - 1].address == word->address) {
            code_word *same = &list->words[kept - 1];
            same->enter = word->enter ? word->enter : same->enter;
            same->inside = word->inside ? word->inside : same->inside;
            same->mret |= word->mret;
        } else {
            list->words[kept++] = *word;
        }
    }
    list->count = kept;
    return true;
}

static bool find_code_words(builder *b, code_words *list)
{
    uint32_t entry = es_symbols_entry(b->symbols);
    for (size_t i = 0; i < b->procedure_count; i++) {
        const es_procedure *procedure = b->procedures[i];
        if (procedure->low != entry && procedure->high > procedure->low)
            add_code_word(b, list, procedure->low)->enter = procedure;
        if (procedure->is_interrupt)
            add_mrets(b, list, procedure);
    }
    const es_call_site *sites;
    size_t count = es_symbols_calls(b->symbols, &sites);
    for (size_t i = 0; i < count; i++)
        if (!sites[i].is_tail && sites[i].caller)
            add_code_word(b, list, sites[i].site + 4)->inside = sites[i].caller;
    return settle_code_words(b, list);
}

static uint16_t fetch_cell(builder *b, const code_word *word)
{
    if (!word->mret && !word->inside && !word->enter->is_interrupt)
        return (uint16_t)(procedure_at(b, word->enter) | ES_MI_CELL_ENTRY);
    if (!word->mret && !word->enter)
        return (uint16_t)(procedure_at(b, word->inside) | ES_MI_CELL_BACK);
    struct es_mi_fetch record = {procedure_at(b, word->enter), procedure_at(b, word->inside), word->mret, 0};
    return (uint16_t)put(b, &record, sizeof record);
}

static bool write_fetch_map(builder *b)
{
    code_words list = {0};
    if (!find_code_words(b, &list))
        return false;
    plane_arm *arms = es_arena_alloc(b->arena, (list.count + 1) * sizeof *arms);
    for (size_t i = 0; i < list.count; i++)
        arms[i] = (plane_arm){list.words[i].address, false};
    uint16_t length, arms_at = write_arms(b, arms, list.count, &length);
    map_keys keys = {0};
    for (size_t i = 0; i < list.count; i++)
        add_key(b, &keys, list.words[i].address, fetch_cell(b, &list.words[i]));
    write_map(b, &keys, ES_IMAGE_BASE + (uint32_t)offsetof(struct es_mi_image, fetch));
    b->image->keys_fetch = keys.count;
    struct es_mi_header *header = at(b, ES_IMAGE_BASE);
    header->fetch_arms_at = arms_at;
    header->fetch_arm_count = length;
    return true;
}

/* --- all of it
 * ---------------------------------------------------------------------------------------------------------------------
 * */

static bool build(builder *b, const es_program *program)
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
    reserve(b, sizeof(struct es_mi_image));
    b->procedures_at = reserve(b, b->procedure_count * sizeof(struct es_mi_procedure));
    b->statements_at = reserve(b, program->statement_count * sizeof(struct es_mi_statement));
    if (!write_statements(b))
        return false;
    write_controls(b);
    uint16_t root_node = write_ppat(b);
    if (!write_data_map(b) || !write_fetch_map(b))
        return false;
    for (size_t i = 0; i < b->procedure_count; i++) {
        b->control_of[i].size = b->procedures[i]->high - b->procedures[i]->low;
        b->control_of[i].flags = b->procedures[i]->is_interrupt ? ES_MI_PROCEDURE_INTERRUPT : 0;
    }
    if (b->procedure_count)
        memcpy(at(b, b->procedures_at), b->control_of, b->procedure_count * sizeof *b->control_of);

    size_t need = b->size + b->plan.ram_size;
    char needs[24], has[24];
    if (need > memory - ES_IMAGE_BASE)
        return es_fail(b->err, ES_USAGE, "the statements need %s bytes of tables, the probe has %s: watch fewer "
                       "variables or procedures (%zu armed data words, "
                       "%zu armed code words, %zu paths to locals)", thousands(needs, need),
                           thousands(has, memory - ES_IMAGE_BASE), b->image->keys_data,
                       b->image->keys_fetch, b->image->nodes);
    struct es_mi_header *header = at(b, ES_IMAGE_BASE);
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
    header->root_at = procedure_at(b, root);
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
    builder b = {.symbols = symbols, .limits = limits, .arena = es_arena_new(), .image = image, .err = err};
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
