/* The address maps: which words are armed and what they mean. */
#include "image/tables/maps.h"

#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "image/paths/quiet.h"
#include "image/plan/moved.h"
#include "image/plan/plan.h"
#include "image/plan/position.h"
#include "image/plan/reads.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "image/tables/map.h"
#include "image/tables/reads.h"
#include "image/tables/words.h"
#include "ir/ir.h"
#include "isa/flow.h"
#include "symbols/code.h"

/* --- address maps ---------------------------------------------------------------------------------------- */

typedef struct map_keys {
    map_key *keys;
    size_t count;
    bool fetches; /* and reads */
} map_keys;

/* REG_HIT_CELL: of fetches, the halves of a word have columns of their own. */
static uint32_t column_of(const map_keys *keys, uint32_t address)
{
    uint32_t column = address >> ES_CELL_COLUMN_SHIFT;
    return keys->fetches ? 2 * column + (address >> 1 & 1) : column;
}

static void note_key(image_builder *b, uint32_t address, bool fetch, const es_procedure *frame, int32_t cfa_offset)
{
    es_image *image = b->image;
    if ((image->key_count & (image->key_count - 1)) == 0)
        image->keys = es_realloc(image->keys, (image->key_count ? 2 * image->key_count : 1) * sizeof *image->keys);
    image->keys[image->key_count++] = (es_image_key){address, fetch, frame, cfa_offset};
}

static void add_key(image_builder *b, map_keys *keys, uint32_t address, struct es_mi_cell cell)
{
    keys->keys = es_arena_grow(b->arena, keys->keys, keys->count, sizeof *keys->keys);
    keys->keys[keys->count++] =
        (map_key){address >> 2 & (ES_ROWS - 1), column_of(keys, address) - column_of(keys, b->limits->window_base),
                  cell.first | (uint32_t)cell.second << 16};
}

/* Writes the cells; the map's rows are the ES_ROWS from `row` on. */
static void write_map(image_builder *b, map_keys *keys, uint16_t *rows)
{
    map_packed map;
    uint32_t columns = (b->limits->window_size >> ES_CELL_COLUMN_SHIFT) + 1;
    es_map_pack(&map, b->arena, keys->keys, keys->count, ES_ROWS, keys->fetches ? 2 * columns : columns, false);
    uint32_t cells_at = es_layout_put(b, map.cells, map.cell_count * sizeof *map.cells);
    uint32_t base_column = column_of(keys, b->limits->window_base);
    for (uint32_t row = 0; row < ES_ROWS; row++)
        rows[row] = (uint16_t)(cells_at + sizeof *map.cells * ((uint32_t)map.rows[row] - base_column));
}

/* Writes an arm list of ascending addresses; *count gets its length. */
static uint16_t write_arms(image_builder *b, const plane_arm *arms, size_t arm_count, unsigned shift, uint16_t *count)
{
    uint32_t list = ES_IMAGE_BASE + (uint32_t)b->size;
    uint32_t last = b->limits->window_base;
    uint16_t *steps = NULL;
    size_t step_count = 0;
    for (size_t i = 0; i < arm_count; i++) {
        uint32_t step = (arms[i].address - last) >> shift;
        for (; step >= ES_MI_ARM_SKIP; step -= ES_MI_ARM_SKIP) {
            steps = es_arena_grow(b->arena, steps, step_count, sizeof *steps);
            steps[step_count++] = ES_MI_ARM_SKIP;
        }
        steps = es_arena_grow(b->arena, steps, step_count, sizeof *steps);
        steps[step_count++] = (uint16_t)(step | (arms[i].lock ? ES_MI_ARM_LOCK : 0));
        last = arms[i].address;
    }
    es_layout_put(b, steps, step_count * sizeof *steps);
    *count = (uint16_t)step_count;
    return (uint16_t)list;
}

void es_layout_start(image_builder *b, const plane_arm *data, size_t data_count, const plane_arm *fetch,
                     size_t fetch_count, struct es_mi_header *header)
{
    uint16_t data_length, fetch_length;
    uint32_t rows = es_layout_put(b, b->rows, sizeof *b->rows * 2 * ES_ROWS);
    uint16_t data_at = write_arms(b, data, data_count, ES_MI_ARM_DATA_SHIFT, &data_length);
    uint16_t fetch_at = write_arms(b, fetch, fetch_count, ES_MI_ARM_FETCH_SHIFT, &fetch_length);
    header->rows_at = (uint16_t)rows;
    header->data_arms_at = data_at;
    header->data_arm_count = data_length;
    header->fetch_arms_at = fetch_at;
    header->fetch_arm_count = fetch_length;
}

/* --- data map: MSEL -------------------------------------------------------------------------------------- */

/* A word of the plan at its place in target memory. */
typedef struct placed {
    uint32_t address;
    const plan_write *word; /* the first of its writes; NULL: a word of a stack, */
    size_t stack;           /* ... of the statement with this number */
    uint32_t cfa;           /* of the word's frame, if it stands in one */
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->word < b->word ? -1 : a->word > b->word;
}

/* Paths of different length to the same procedure can put its frame at the same place: one entry serves them all. */
static bool same_entry(const placed *a, const placed *b)
{
    return a->address == b->address && a->word == b->word;
}

/* All words of what `stack` watches. What moves about in memory might come to lie there. */
static bool place_stacks(image_builder *b, placed **all, size_t *count)
{
    for (size_t i = 0; i < b->plan.program->statement_count; i++) {
        const es_stack *stack = b->plan.statements[i].stack;
        if (!stack)
            continue;
        const es_statement *statement = b->plan.statements[i].statement;
        if (stack->low - b->limits->window_base >= b->limits->window_size ||
            stack->size > b->limits->window_size - (stack->low - b->limits->window_base))
            return es_plan_fail(&b->plan, statement, b->err,
                                "the stack %s, from 0x%08x to 0x%08x, lies outside of the probe's phantom memory",
                                stack->name, (unsigned)stack->low, (unsigned)(stack->low + stack->size));
        if (b->plan.slot_count)
            return es_plan_fail(&b->plan, statement, b->err,
                                "other statements follow pointers, or locals whose place is not fixed, which may lead "
                                "into the stack %s: watch these in a run of their own",
                                stack->name);
        for (uint32_t at = 0; at < stack->size; at += 4) {
            *all = es_arena_grow(b->arena, *all, *count, sizeof **all);
            (*all)[(*count)++] = (placed){.address = stack->low + at, .stack = i};
        }
    }
    return true;
}

static bool place_words(image_builder *b, placed **out, size_t *out_count)
{
    placed *all = NULL;
    size_t count = 0;
    const plan_write *end = b->plan.writes + b->plan.write_count;
    for (const plan_write *word = b->plan.writes; word < end; word = es_words_end(b, word)) {
        if (word->slot)
            continue;
        if (!word->frame) {
            all = es_arena_grow(b->arena, all, count, sizeof *all);
            all[count++] = (placed){.address = word->word, .word = word};
        }
        for (size_t n = 1; n < b->ppat.count && word->frame; n++) {
            if (!b->ppat.nodes[n].frame || b->ppat.nodes[n].frame->procedure != word->frame)
                continue;
            uint32_t address = b->ppat.nodes[n].cfa + word->word;
            if (address - b->limits->window_base >= b->limits->window_size)
                return es_plan_fail(&b->plan, b->plan.statements[b->plan.handlers[word->handler].statement].statement,
                                    b->err,
                                    "a local of %s at 0x%08x "
                                    "lies outside of the probe's phantom "
                                    "memory",
                                    word->frame->name, (unsigned)address);
            all = es_arena_grow(b->arena, all, count, sizeof *all);
            all[count++] = (placed){.address = address, .word = word, .cfa = b->ppat.nodes[n].cfa};
        }
    }
    if (!place_stacks(b, &all, &count))
        return false;
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

/* Fails where a stack's word holds a variable that a statement watches, too: its code could not do for both. */
static bool stands_alone(const image_builder *b, const placed *entries, size_t count)
{
    const placed *stack = entries;
    const plan_write *other = NULL;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].word)
            other = entries[i].word;
        else
            stack = &entries[i];
    }
    if (!other)
        return true;
    const es_statement *statement = b->plan.statements[stack->stack].statement;
    const es_statement *watches = b->plan.statements[b->plan.handlers[other->handler].statement].statement;
    return es_plan_fail(&b->plan, statement, b->err,
                        "'%s' watches 0x%08x, which lies in the stack %s: watch that in a run of its own",
                        watches->name, (unsigned)stack->address, b->plan.statements[stack->stack].stack->name);
}

/* The cell for what stands at one address. A word that only one frame can put there is armed only while this frame is
 * there: nothing has to be compared then. */
static struct es_mi_cell data_cell(image_builder *b, const placed *entries, size_t count)
{
    if (!entries->word) /* all of a stack's words lead to the same code */
        return (struct es_mi_cell){b->routine_at[entries->stack], b->routine_at[entries->stack]};
    if (count == 1)
        return es_words_cell(b, entries[0].word);
    const plan_write **words = es_arena_alloc(b->arena, count * sizeof *words);
    uint32_t *cfas = es_arena_alloc(b->arena, count * sizeof *cfas);
    for (size_t i = 0; i < count; i++) {
        words[i] = entries[i].word;
        cfas[i] = ES_PHANTOM_BASE + (entries[i].cfa - b->limits->window_base);
    }
    return es_words_choose(b, words, cfas, count);
}

static bool locks(const image_builder *b, const plan_write *word)
{
    for (const plan_write *w = word, *end = es_words_end(b, word); w < end; w++)
        if (es_plan_locks(&b->plan, w))
            return true;
    return false;
}

bool es_layout_data_map(image_builder *b, plane_arm **arms, size_t *arm_count)
{
    placed *all = NULL;
    size_t count = 0;
    if (!place_words(b, &all, &count))
        return false;
    map_keys keys = {0};
    *arms = es_arena_alloc(b->arena, (count + 1) * sizeof **arms);
    *arm_count = 0;
    for (size_t i = 0, end; i < count; i = end) {
        bool stack = false;
        for (end = i; end < count && all[end].address == all[i].address; end++)
            stack |= !all[end].word;
        if (stack && !stands_alone(b, &all[i], end - i))
            return false;
        for (size_t n = i; n < end && !stack; n++)
            if (!all[n].word->frame != !all[i].word->frame)
                return es_fail(b->err, ES_USAGE, "the static variable at 0x%08x lies within the stack",
                               (unsigned)all[i].address);
        add_key(b, &keys, all[i].address, data_cell(b, &all[i], end - i));
        for (size_t n = i; n < end; n++) {
            const es_procedure *frame = stack ? NULL : all[n].word->frame;
            note_key(b, all[n].address, false, frame, frame ? (int32_t)all[n].word->word : 0);
        }
        if (stack || !all[i].word->frame)
            (*arms)[(*arm_count)++] = (plane_arm){all[i].address, !stack && locks(b, all[i].word)};
    }
    write_map(b, &keys, b->rows);
    b->image->keys_data = keys.count;
    return true;
}

/* --- fetch map ------------------------------------------------------------------------------------------- */

typedef struct code_word {
    uint32_t address;
    const es_procedure *enter, *inside;
    const es_procedure *learn; /* whose frame is learned there */
    uint16_t flags;            /* ES_MI_FETCH_SWITCH, ES_MI_FETCH_LONGJMP */
    bool mret, at;             /* at: statements wait for execution to come here */
    bool restart;              /* the program begins here */
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
        uint32_t step = es_symbols_isa(b->symbols)->smallest;
        for (uint32_t offset = 0; segments[i].size >= 4 && offset <= segments[i].size - 4; offset += step) {
            uint32_t address = segments[i].address + offset, word;
            memcpy(&word, segments[i].bytes + offset, sizeof word);
            if (word == es_symbols_isa(b->symbols)->evidence.trap_return && address >= procedure->low &&
                address < procedure->high)
                add_code_word(b, list, address)->mret = true;
        }
    }
}

/* The site of a compressed call at address 0 or 2 would be one of those that mean something else. */
static bool has_a_site(const es_call_site *call)
{
    return call->size >= ES_SITE_RETURN || call->site >= ES_SITE_RETURN;
}

/* Sorts and joins what stands at the same address. Fails when a word cannot be watched. */
static bool settle_code_words(image_builder *b, code_words *list)
{
    if (list->count)
        qsort(list->words, list->count, sizeof *list->words, compare_code_words);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const code_word *word = &list->words[i];
        if (word->address % es_symbols_isa(b->symbols)->smallest)
            return es_fail(b->err, ES_USAGE, "the program has code at 0x%08x, where no instruction can be",
                           (unsigned)word->address);
        if (word->address - b->limits->window_base >= b->limits->window_size)
            return es_fail(b->err, ES_USAGE,
                           "the code at 0x%08x lies outside of the probe's phantom memory (0x%08x "
                           "to 0x%08x)",
                           (unsigned)word->address, (unsigned)b->limits->window_base,
                           (unsigned)(b->limits->window_base + b->limits->window_size - 1));
        if (kept && list->words[kept - 1].address == word->address) {
            code_word *same = &list->words[kept - 1];
            same->enter = word->enter ? word->enter : same->enter;
            same->inside = word->inside ? word->inside : same->inside;
            same->learn = word->learn ? word->learn : same->learn;
            same->mret |= word->mret;
            same->restart |= word->restart;
            same->flags |= word->flags;
            same->at |= word->at;
        } else {
            list->words[kept++] = *word;
        }
    }
    list->count = kept;
    return true;
}

typedef struct position_words {
    image_builder *b;
    code_words *list;
} position_words;

static void add_position(void *context, uint32_t address)
{
    const position_words *words = context;
    add_code_word(words->b, words->list, address)->at = true;
}

static bool find_code_words(image_builder *b, code_words *list)
{
    uint32_t entry = es_symbols_entry(b->symbols);
    const bool *quiet = es_quiet_procedures(b->symbols, &b->plan, &b->ppat);
    for (size_t i = 0; i < b->procedure_count; i++) {
        const es_procedure *procedure = b->procedures[i];
        if (!quiet[i] && procedure->low != entry && procedure->high > procedure->low)
            add_code_word(b, list, procedure->low)->enter = procedure;
        if (procedure->is_interrupt && !b->plan.untracked)
            add_mrets(b, list, procedure);
        if (es_moving_of(&b->plan, i)->learns)
            add_code_word(b, list, es_moving_of(&b->plan, i)->learn.point)->learn = procedure;
    }
    const es_call_site *sites;
    size_t count = b->plan.untracked ? 0 : es_symbols_calls(b->symbols, &sites);
    for (size_t i = 0; i < count; i++)
        if (!sites[i].is_tail && !has_a_site(&sites[i]))
            return es_fail(b->err, ES_USAGE,
                           "the call at 0x%08x cannot be followed, as it is compressed: begin the program with a jump",
                           (unsigned)sites[i].site);
    for (size_t i = 0; i < count; i++)
        if (!sites[i].is_tail && sites[i].caller &&
            !(sites[i].callee && quiet[es_layout_procedure_index(b, sites[i].callee)]))
            add_code_word(b, list, sites[i].site + sites[i].size)->inside = sites[i].caller;
    es_position_each(&b->plan, add_position, &(position_words){b, list});
    if (!b->plan.blind && entry % es_symbols_isa(b->symbols)->smallest == 0 &&
        entry - b->limits->window_base < b->limits->window_size)
        add_code_word(b, list, entry)->restart = true;
    for (size_t i = 0; i < b->switch_count; i++)
        add_code_word(b, list, b->switches[i].address)->flags =
            b->switches[i].longjmp ? ES_MI_FETCH_LONGJMP : ES_MI_FETCH_SWITCH;
    return settle_code_words(b, list);
}

/* The instruction jumps to itself: then another fetch of it is another execution. */
static bool goes_to_itself(const image_builder *b, uint32_t address)
{
    es_insn insn;
    if (!es_symbols_insn(b->symbols, address, &insn))
        return false;
    es_ways ways = es_insn_ways(insn, address);
    return ways.jumps && ways.target == address;
}

static struct es_mi_cell special_cell(image_builder *b, const struct es_mi_fetch *record)
{
    es_code_begin(b);
    es_ir_call(&b->code, ES_IR_A0, b->routines.special, 0, 0, 0);
    uint16_t code = es_code_put(b);
    es_layout_put(b, record, sizeof *record);
    return (struct es_mi_cell){code, code};
}

/* A place that `cover` waits for and nothing else does: all of a statement are told by the same code, which disarms
 * them. False: the word is something else, too. */
static bool cover_cell(image_builder *b, const code_word *word, plan_control *events, struct es_mi_cell *cell)
{
    if (!word->at || word->enter || word->inside || word->learn || word->mret || word->restart || word->flags ||
        es_position_begins(&b->plan, word->address, events) ||
        es_position_events(&b->plan, word->address, NULL, events) != 1 || !events->covered)
        return false;
    if (!b->cover_cells)
        b->cover_cells = es_arena_alloc(b->arena, (b->plan.program->statement_count + 1) * sizeof *b->cover_cells);
    struct es_mi_cell *made = &b->cover_cells[events->handler];
    if (!made->first) {
        events->covered = 0;
        struct es_mi_fetch record = {.at_at = es_words_controls(b, events, 1)};
        es_dump_title(b, "a line of %s", b->plan.program->statements[events->handler].text);
        *made = special_cell(b, &record);
    }
    *cell = *made;
    return true;
}

/* Calls of the procedure move the shadow stack's top and NP, and do nothing else. */
static bool is_only_noted(const image_builder *b, const es_procedure *procedure)
{
    size_t number = es_layout_procedure_index(b, procedure);
    const struct es_mi_procedure *record = &b->control_of[number];
    return !record->enter_at && !record->leave_at && !record->frame_at && !(record->column & ES_MI_COLUMN_BY_SITE) &&
           !es_moving_of(&b->plan, number)->leads;
}

static struct es_mi_cell fetch_cell(image_builder *b, const code_word *word)
{
    struct es_mi_cell covers;
    plan_control *events = es_arena_alloc(b->arena, (b->plan.control_count + 1) * sizeof *events);
    if (cover_cell(b, word, events, &covers))
        return covers;
    uint16_t nothing = (uint16_t)b->routines.pop;
    bool one = !word->mret && !word->at && !word->learn && !word->restart && !word->flags;
    bool plain = one && !word->inside && !word->enter->is_interrupt;
    /* a return may lead there: a task begins or ends */
    bool task = (b->plan.program->task || b->switch_count || b->limits->running) && plain && word->enter->address_taken;
    uint16_t tracked = b->limits->tracker ? ES_MI_PLAIN : 0;
    if (plain && !task)
        return (struct es_mi_cell){(uint16_t)(es_layout_procedure(b, word->enter) - 4),
                                   nothing | (is_only_noted(b, word->enter) ? tracked : 0)};
    if (one && !word->enter && word->inside != b->start_up)
        return (struct es_mi_cell){nothing, (uint16_t)(es_layout_procedure(b, word->inside) - 8) | tracked};
    struct es_mi_fetch record = {
        es_layout_procedure(b, word->enter),
        es_layout_procedure(b, word->inside),
        (uint16_t)(word->flags | (word->mret ? ES_MI_FETCH_MRET : 0) | (word->restart ? ES_MI_FETCH_RESTART : 0)),
        0,
        es_layout_procedure(b, word->learn),
        0};
    if (word->at) {
        size_t count = es_position_events(&b->plan, word->address, NULL, events);
        if (count)
            record.at_at = es_words_controls(b, events, count);
        count = es_position_begins(&b->plan, word->address, events);
        if (count)
            record.begin_at = es_words_controls(b, events, count);
        if (goes_to_itself(b, word->address))
            record.flags |= ES_MI_FETCH_TO_ITSELF;
    }
    es_dump_title(b, "fetches of 0x%08x", (unsigned)word->address);
    struct es_mi_cell cell = special_cell(b, &record);
    if (task)
        cell.first = (uint16_t)(es_layout_procedure(b, word->enter) - 4);
    return cell;
}

static int compare_arms(const void *left, const void *right)
{
    const plane_arm *a = left, *b = right;
    return a->address < b->address ? -1 : a->address > b->address;
}

/* Data words that are armed for reads. */
static bool add_reads(image_builder *b, const code_words *code, map_keys *keys, plane_arm **arms, size_t *arm_count)
{
    const plan_read *end = b->plan.reads + b->plan.read_count;
    for (const plan_read *read = b->plan.reads; read < end; read = es_reads_end(&b->plan, read)) {
        if (read->slot)
            continue;
        for (size_t i = 0; i < code->count; i++)
            if (code->words[i].address == read->word)
                return es_plan_fail(&b->plan, b->plan.statements[read->handler].statement, b->err,
                                    "reads of the word at 0x%08x cannot be watched: it is an instruction",
                                    (unsigned)read->word);
        *arms = es_arena_grow(b->arena, *arms, *arm_count, sizeof **arms);
        (*arms)[(*arm_count)++] = (plane_arm){read->word, false};
        add_key(b, keys, read->word, es_reads_cell(b, read));
        b->image->keys_read++;
    }
    if (*arm_count)
        qsort(*arms, *arm_count, sizeof **arms, compare_arms);
    return true;
}

bool es_layout_fetch_map(image_builder *b, plane_arm **arms, size_t *arm_count)
{
    code_words list = {0};
    if (!find_code_words(b, &list))
        return false;
    map_keys keys = {.fetches = true};
    *arms = NULL;
    *arm_count = 0;
    for (size_t i = 0; i < list.count; i++) {
        *arms = es_arena_grow(b->arena, *arms, *arm_count, sizeof **arms);
        (*arms)[(*arm_count)++] = (plane_arm){list.words[i].address, false};
        add_key(b, &keys, list.words[i].address, fetch_cell(b, &list.words[i]));
        note_key(b, list.words[i].address, true, NULL, 0);
    }
    b->image->keys_fetch = keys.count;
    if (!add_reads(b, &list, &keys, arms, arm_count))
        return false;
    write_map(b, &keys, b->rows + ES_ROWS);
    return true;
}
