#include "session/told.h"

#include "image/image.h"

static es_told told_by(const es_statement *statement, const es_field *fields, es_arena *arena)
{
    es_told told = {.value_count = es_image_value_count(statement),
                    .snapshot_count = es_image_snapshot_count(statement),
                    .words = es_image_words(statement),
                    .marks = es_image_unknown_words(statement),
                    .is_plain = es_image_snapshot_count(statement) == 0,
                    .is_cover = es_statement_cover(statement) != NULL};
    told.values = es_arena_alloc(arena, told.value_count * sizeof *told.values + 1);
    told.snapshots = es_arena_alloc(arena, told.snapshot_count * sizeof *told.snapshots + 1);
    for (size_t k = 0; k < told.value_count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        bool is_parts = item->kind == ES_ITEM_WHICH, is_backtrace = item->kind == ES_ITEM_BACKTRACE;
        told.values[k] =
            (es_told_value){.item = item,
                            .type = item->kind == ES_ITEM_VALUE ? statement->references[item->index].type : NULL,
                            .words = es_image_value_words(statement, item),
                            .is_parts = is_parts,
                            .is_backtrace = is_backtrace,
                            .is_plain = !is_parts && !is_backtrace && fields[k].kind != ES_FIELD_POINTER};
        told.is_plain = told.is_plain && told.values[k].is_plain;
    }
    for (size_t k = 0; k < told.snapshot_count; k++)
        told.snapshots[k] = es_image_snapshot(statement, k);
    return told;
}

const es_told *es_told_all(const es_program *program, const es_schema *schema, es_arena *arena)
{
    es_told *all = es_arena_alloc(arena, program->statement_count * sizeof *all + 1);
    for (size_t i = 0; i < program->statement_count; i++)
        all[i] = told_by(&program->statements[i], schema->statements[i].fields, arena);
    return all;
}
