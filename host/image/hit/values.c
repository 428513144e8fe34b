#include <string.h>

#include "image/hit/which.h"
#include "image/image.h"
#include "lang/statement.h"

static bool shows(const es_action *action)
{
    return action->kind == ES_ACTION_PRINT || action->kind == ES_ACTION_STATISTIC;
}

bool es_image_reports(const es_statement *statement)
{
    for (size_t i = 0; i < statement->action_count; i++)
        if (shows(&statement->actions[i]) || statement->actions[i].kind == ES_ACTION_SNAPSHOT)
            return true;
    return false;
}

size_t es_image_value_count(const es_statement *statement)
{
    size_t count = 0;
    for (size_t i = 0; i < statement->action_count; i++)
        if (shows(&statement->actions[i]))
            count += statement->actions[i].item_count;
    return count;
}

const es_print_item *es_image_value(const es_statement *statement, size_t k)
{
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        if (!shows(action))
            continue;
        if (k < action->item_count)
            return &action->items[k];
        k -= action->item_count;
    }
    return NULL;
}

size_t es_image_value_words(const es_statement *statement, const es_print_item *item)
{
    if (item->kind == ES_ITEM_WHICH)
        return es_image_which_memory(statement, item) + 2;
    if (item->kind == ES_ITEM_BACKTRACE)
        return 0;
    if (item->kind == ES_ITEM_ELAPSED || item->kind == ES_ITEM_AGE)
        return 2;
    if (item->kind != ES_ITEM_VALUE)
        return 1;
    const es_reference *reference = &statement->references[item->index];
    return reference->bit_size > 32 || (reference->size == 8 && !reference->bit_size) ? 2 : 1;
}

size_t es_image_words(const es_statement *statement)
{
    size_t count = es_image_value_count(statement), words = 0;
    for (size_t k = 0; k < count; k++)
        words += es_image_value_words(statement, es_image_value(statement, k));
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        words += es_image_snapshot_words(es_image_snapshot(statement, k));
    return words;
}

size_t es_image_unknown_words(const es_statement *statement)
{
    return (es_image_value_count(statement) + 31) / 32;
}
