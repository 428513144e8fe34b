/* The address maps: which words are armed and what they mean. */
#include <stdlib.h>
#include <string.h>

#include "image/layout.h"
#include "image/map.h"
#include "image/quiet.h"

#define INSN_MRET 0x30200073u

/* --- address maps ---------------------------------------------------------------------------------------- */

typedef struct map_keys {
    map_key *keys;
    size_t count;
} map_keys;

static void add_key(image_builder *b, map_keys *keys, uint32_t address, uint16_t cell)
{
    uint32_t offset = address - b->limits->window_base;
    keys->keys = es_arena_grow(b->arena, keys->keys, keys->count, sizeof *keys->keys);
    keys->keys[keys->count++] = (map_key){offset >> 2 & (ES_MI_ROWS - 1), offset >> ES_MI_ROW_SHIFT, cell};
}

static void write_map(image_builder *b, map_keys *keys, uint32_t map_at)
{
    map_packed map;
    map_pack(&map, b->arena, keys->keys, keys->count, ES_MI_ROWS, (b->limits->window_size >> ES_MI_ROW_SHIFT) + 1,
             false);
    uint32_t cells_at = layout_put(b, map.cells, map.cell_count * sizeof *map.cells);
    uint32_t base_column = b->limits->window_base >> ES_MI_ROW_SHIFT;
    struct es_mi_map *out = layout_at(b, map_at);
    for (uint32_t row = 0; row < ES_MI_ROWS; row++)
        out->rows[row] = cells_at + 2 * ((uint32_t)map.rows[row] - base_column);
}

typedef struct plane_arm {
    uint32_t address;
    bool lock;
} plane_arm;

/* Writes an arm list of ascending addresses; *count gets its length. */
static uint16_t write_arms(image_builder *b, const plane_arm *arms, size_t arm_count, uint16_t *count)
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
    layout_put(b, steps, step_count * sizeof *steps);
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
    if (a->write->cover != b->write->cover)
        return a->write->cover ? -1 : 1;
    if (a->write->statement != b->write->statement)
        return a->write->statement < b->write->statement ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static struct es_mi_trigger trigger_of(const image_builder *b, const plan_write *write, uint8_t flags)
{
    return (struct es_mi_trigger){
        .statement_at = write->cover ? 0 : layout_statement(b, write->statement),
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

/* Whether two entries of a list make one evaluation. */
static bool together(const placed *a, const placed *b)
{
    return !a->write->cover && !b->write->cover && a->write->statement == b->write->statement;
}

static uint16_t write_triggers(image_builder *b, const placed *entries, size_t count)
{
    bool framed = entries[0].node != NULL;
    size_t size = framed ? sizeof(struct es_mi_frame_trigger) : sizeof(struct es_mi_trigger);
    uint32_t list = layout_reserve(b, count * size);
    for (size_t i = 0; i < count; i++) {
        bool cover = entries[i].write->cover;
        bool alone = !cover && (i == 0 || !together(&entries[i - 1], &entries[i])) &&
                     (i + 1 == count || !together(&entries[i + 1], &entries[i]));
        uint8_t flags = (i + 1 == count ? ES_MI_LAST : 0) | (alone ? ES_MI_ALONE : 0) | (cover ? ES_MI_COVER : 0);
        struct es_mi_trigger trigger = trigger_of(b, entries[i].write, flags);
        if (entries[i].node) /* all or none of a list */
            ((struct es_mi_frame_trigger *)layout_at(b, list))[i] = (struct es_mi_frame_trigger){
                .trigger = trigger,
                .cell_at = (uint16_t)(b->plan.ram_at + plan_frame_of(&b->plan, entries[i].write->frame)->cell),
                .cfa = ES_PHANTOM_BASE + (entries[i].node->cfa - b->limits->window_base),
            };
        else
            ((struct es_mi_trigger *)layout_at(b, list))[i] = trigger;
    }
    return (uint16_t)(list | framed);
}

static bool place_writes(image_builder *b, placed **out, size_t *out_count)
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

bool layout_data_map(image_builder *b)
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
            lock |= plan_locks(&b->plan, all[end].write);
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
    struct es_mi_header *header = layout_at(b, ES_IMAGE_BASE);
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

static code_word *add_code_word(image_builder *b, code_words *list, uint32_t address)
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

static void add_mrets(image_builder *b, code_words *list, const es_procedure *procedure)
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
static bool settle_code_words(image_builder *b, code_words *list)
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

static bool find_code_words(image_builder *b, code_words *list)
{
    uint32_t entry = es_symbols_entry(b->symbols);
    const bool *quiet = quiet_procedures(b->symbols, &b->plan, &b->ppat);
    for (size_t i = 0; i < b->procedure_count; i++) {
        const es_procedure *procedure = b->procedures[i];
        if (!quiet[i] && procedure->low != entry && procedure->high > procedure->low)
            add_code_word(b, list, procedure->low)->enter = procedure;
        if (procedure->is_interrupt)
            add_mrets(b, list, procedure);
    }
    const es_call_site *sites;
    size_t count = es_symbols_calls(b->symbols, &sites);
    for (size_t i = 0; i < count; i++)
        if (!sites[i].is_tail && sites[i].caller &&
            !(sites[i].callee && quiet[layout_procedure_index(b, sites[i].callee)]))
            add_code_word(b, list, sites[i].site + 4)->inside = sites[i].caller;
    return settle_code_words(b, list);
}

static uint16_t fetch_cell(image_builder *b, const code_word *word)
{
    if (!word->mret && !word->inside && !word->enter->is_interrupt)
        return (uint16_t)(layout_procedure(b, word->enter) | ES_MI_CELL_ENTRY);
    if (!word->mret && !word->enter)
        return (uint16_t)(layout_procedure(b, word->inside) | ES_MI_CELL_BACK);
    struct es_mi_fetch record = {layout_procedure(b, word->enter), layout_procedure(b, word->inside), word->mret, 0};
    return (uint16_t)layout_put(b, &record, sizeof record);
}

bool layout_fetch_map(image_builder *b)
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
    struct es_mi_header *header = layout_at(b, ES_IMAGE_BASE);
    header->fetch_arms_at = arms_at;
    header->fetch_arm_count = length;
    return true;
}
