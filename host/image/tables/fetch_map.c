#include "image/tables/fetch_map.h"

#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "image/places/moved.h"
#include "image/places/reads.h"
#include "image/plan/plan.h"
#include "image/plan/position.h"
#include "image/plan/refuse.h"
#include "image/tables/controls.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "image/tables/map_keys.h"
#include "image/tables/quiet.h"
#include "image/tables/reads.h"
#include "ir/ir.h"
#include "isa/flow.h"
#include "symbols/code.h"

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
        struct es_mi_fetch record = {.at_at = es_controls_write(b, events, 1)};
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
            record.at_at = es_controls_write(b, events, count);
        count = es_position_begins(&b->plan, word->address, events);
        if (count)
            record.begin_at = es_controls_write(b, events, count);
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
        es_map_keys_add(b, keys, read->word, es_reads_cell(b, read));
        b->image->keys_read++;
    }
    if (*arm_count)
        qsort(*arms, *arm_count, sizeof **arms, compare_arms);
    return true;
}

bool es_fetch_map_write(image_builder *b, plane_arm **arms, size_t *arm_count)
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
        es_map_keys_add(b, &keys, list.words[i].address, fetch_cell(b, &list.words[i]));
        es_map_keys_note(b, list.words[i].address, true, NULL, 0);
    }
    b->image->keys_fetch = keys.count;
    if (!add_reads(b, &list, &keys, arms, arm_count))
        return false;
    es_map_keys_write(b, &keys, b->rows + ES_ROWS);
    return true;
}
