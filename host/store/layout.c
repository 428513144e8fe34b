#include "store/layout.h"

es_slot es_slot_of(const es_field *field)
{
    if (field->kind == ES_FIELD_TEXT)
        return (es_slot){.bytes = 0};
    unsigned bits = field->kind == ES_FIELD_LENGTH ? 64u : field->bits ? field->bits : 1u;
    uint8_t bytes = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    return (es_slot){
        .bytes = bytes,
        .is_whole = bits == bytes * 8u,
        .shift = (uint8_t)(64 - bits),
        .is_signed = field->is_signed,
        .about = field->kind == ES_FIELD_POINTER,
    };
}

static size_t unknown_bytes(size_t fields)
{
    return fields == 0 ? 0 : fields <= 8 ? 1 : fields <= 16 ? 2 : fields <= 32 ? 4 : (fields + 63) / 64 * 8;
}

static es_hit_layout layout_of(const es_schema *schema, const es_schema_statement *statement, es_arena *arena)
{
    es_hit_layout layout = {.unknown = unknown_bytes(statement->field_count),
                            .fields = statement->field_count,
                            .objects = statement->object_count,
                            .reasons = statement->value_count < ES_TRACE_REASONS_MAX ? statement->value_count
                                                                                     : ES_TRACE_REASONS_MAX,
                            .only_slots = !statement->object_count};
    /* flags, pc, path, inlined, task, file, line */
    layout.least = 1 + 6 * 4 + (schema->task_pointers ? 4 : 0) + (schema->times ? 3 * 8 : 0) + layout.unknown;
    layout.slots = es_arena_alloc(arena, (statement->field_count + 1) * sizeof *layout.slots);
    for (size_t i = 0; i < statement->field_count; i++) {
        es_slot slot = layout.slots[i] = es_slot_of(&statement->fields[i]);
        layout.only_slots = layout.only_slots && slot.bytes && !slot.about;
        layout.least += (slot.bytes ? slot.bytes : 1u) + (slot.about ? 4u : 0);
    }
    layout.least += statement->object_count * 9; /* found, why, address */
    return layout;
}

es_hit_layout *es_hit_layouts(const es_schema *schema, es_arena *arena)
{
    es_hit_layout *layouts = es_arena_alloc(arena, (schema->statement_count + 1) * sizeof *layouts);
    for (size_t i = 0; i < schema->statement_count; i++)
        layouts[i] = layout_of(schema, &schema->statements[i], arena);
    return layouts;
}
