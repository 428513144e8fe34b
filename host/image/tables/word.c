#include "image/tables/word.h"

#include <stddef.h>

#include "image/tables/dump.h"
#include "image/tables/filter.h"
#include "image/tables/word_code.h"
#include "ir/ir.h"

const plan_write *es_word_end(const image_builder *b, const plan_write *write)
{
    const plan_write *end = b->plan.writes + b->plan.write_count, *next = write;
    while (next < end && plan_same_word(next, write))
        next++;
    return next;
}

static word_plan look_at(const image_builder *b, const plan_write *first)
{
    word_plan word = {.first = first, .statements = first, .end = es_word_end(b, first)};
    while (word.statements < word.end && word.statements->cover)
        word.statements++;
    for (const plan_write *write = word.statements; write < word.end; write++) {
        size_t i = 0;
        while (i < word.set_count && !plan_same_bytes(word.sets[i].write, write))
            i++;
        if (i == word.set_count)
            word.sets[word.set_count++] = (word_set){write};
        word.old |= write->old;
        word.across |= write->bytes != 0;
    }
    return word;
}

static void title_word(image_builder *b, const word_plan *word, const word_entries *entries)
{
    const plan_write *write = word->first;
    const char *place =
        write->slot    ? es_arena_format(b->arena, "byte %d of slot %u", (int)write->word, write->slot - 1u)
        : write->frame ? es_arena_format(b->arena, "byte %d of the frame of %s", (int)write->word, write->frame->name)
                       : es_arena_format(b->arena, "0x%08x", (unsigned)write->word);
    es_dump_title(b, "word %s: written as a whole it begins at L%u, in parts at L%u%s", place, entries->first,
                  entries->second, word->falls ? ", and goes on with what follows" : "");
}

/* For the probe's tracker, before the word's code. */
static bool has_filter(const image_builder *b, const word_plan *word, struct es_mi_filter *filter, bool *narrow)
{
    *narrow = false;
    return b->limits->tracker && !b->plan.slot_count && !b->plan.store && !word->across && word->set_count == 1 &&
           word->first == word->statements && es_filter_of(&b->plan, word->statements, word->end, filter, narrow);
}

struct es_mi_cell es_word_write(image_builder *b, const plan_write *first, bool falls)
{
    word_plan word = look_at(b, first);
    struct es_mi_filter filter;
    bool narrow, filtered = has_filter(b, &word, &filter, &narrow);
    if (filtered)
        es_layout_put(b, &filter, sizeof filter);
    es_code_begin(b);
    word.falls = falls;
    word.routine = es_ir_label(&b->code);
    word_entries entries = es_word_generate(b, &word);
    title_word(b, &word, &entries);
    es_code_put(b);
    struct es_mi_cell cell = {
        .first = (uint16_t)(entries.nothing ? b->routines.pop : es_ir_address(&b->code, entries.first)),
        .second = (uint16_t)es_ir_address(&b->code, entries.second)};
    if (filtered) {
        cell.first |= ES_MI_FILTERED;
        cell.second |= narrow ? ES_MI_NARROW : 0;
    }
    return cell;
}
