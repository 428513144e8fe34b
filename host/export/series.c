#include <string.h>

#include "export/private.h"

static bool is_same(const es_field *a, const es_field *b)
{
    return a->kind == b->kind && a->bits == b->bits && a->is_signed == b->is_signed && strcmp(a->name, b->name) == 0;
}

static bool has_name(const es_all_series *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, name) == 0)
            return true;
    return false;
}

static size_t series_of(es_all_series *all, const es_field *field, es_arena *arena)
{
    for (size_t i = 0; i < all->count; i++)
        if (is_same(all->items[i].field, field))
            return i;
    const char *suffix = field->kind == ES_FIELD_LENGTH ? "_ns" : "";
    const char *name = es_arena_format(arena, "%s%s", field->name, suffix);
    for (unsigned i = 2; has_name(all, name); i++)
        name = es_arena_format(arena, "%s%s_%u", field->name, suffix, i);
    all->items = es_arena_grow(arena, all->items, all->count, sizeof *all->items);
    all->items[all->count] = (es_series){name, field};
    return all->count++;
}

es_all_series es_series_of(const es_schema *schema, es_arena *arena)
{
    es_all_series all = {.of_field = es_arena_alloc(arena, (schema->statement_count + 1) * sizeof *all.of_field)};
    for (size_t i = 0; i < schema->statement_count; i++) {
        const es_schema_statement *statement = &schema->statements[i];
        all.of_field[i] = es_arena_alloc(arena, (statement->field_count + 1) * sizeof **all.of_field);
        for (size_t k = 0; k < statement->field_count; k++)
            all.of_field[i][k] = series_of(&all, &statement->fields[k], arena);
    }
    return all;
}

void es_export_word(es_text_buffer *out, const char *text)
{
    size_t begin = out->length;
    for (; *text; text++) {
        char c = *text;
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
        if (word)
            es_text_add(out, &c, 1);
        else if (out->length > begin && out->text[out->length - 1] != '_')
            es_text_add(out, "_", 1);
    }
    while (out->length > begin + 1 && out->text[out->length - 1] == '_')
        out->text[--out->length] = 0;
    if (out->length == begin)
        es_text_add(out, "_", 1);
}
