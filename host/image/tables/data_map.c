#include "image/tables/data_map.h"

#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "image/tables/layout.h"
#include "image/tables/map_keys.h"
#include "image/tables/word.h"
#include "image/tables/words.h"

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
    for (const plan_write *word = b->plan.writes; word < end; word = es_word_end(b, word)) {
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
    for (const plan_write *w = word, *end = es_word_end(b, word); w < end; w++)
        if (es_plan_locks(&b->plan, w))
            return true;
    return false;
}

bool es_data_map_write(image_builder *b, plane_arm **arms, size_t *arm_count)
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
        es_map_keys_add(b, &keys, all[i].address, data_cell(b, &all[i], end - i));
        for (size_t n = i; n < end; n++) {
            const es_procedure *frame = stack ? NULL : all[n].word->frame;
            es_map_keys_note(b, all[n].address, false, frame, frame ? (int32_t)all[n].word->word : 0);
        }
        if (stack || !all[i].word->frame)
            (*arms)[(*arm_count)++] = (plane_arm){all[i].address, !stack && locks(b, all[i].word)};
    }
    es_map_keys_write(b, &keys, b->rows);
    b->image->keys_data = keys.count;
    return true;
}
