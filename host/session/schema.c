#include "session/schema.h"

#include <assert.h>
#include <string.h>

#include "image/image.h"
#include "session/waits.h"

#define DEPTH_MAX 32 /* of types within each other */

/* --- fields ---------------------------------------------------------------------------------------------------- */

static const es_type counter_type = {.kind = ES_TYPE_INT, .name = "int", .size = 4, .is_signed = true};

static const es_label *labels_of(es_arena *arena, const es_type *type)
{
    es_label *labels = es_arena_alloc(arena, type->enumerator_count * sizeof *labels);
    for (size_t i = 0; i < type->enumerator_count; i++)
        labels[i] = (es_label){type->enumerators[i].name, type->enumerators[i].value};
    return labels;
}

static es_field field_of(es_arena *arena, const char *name, const es_type *type, unsigned bit_size)
{
    static const enum es_field_kind kinds[] = {
        [ES_TYPE_INT] = ES_FIELD_INT,     [ES_TYPE_CHAR] = ES_FIELD_CHAR, [ES_TYPE_BOOL] = ES_FIELD_BOOL,
        [ES_TYPE_FLOAT] = ES_FIELD_FLOAT, [ES_TYPE_ENUM] = ES_FIELD_ENUM, [ES_TYPE_POINTER] = ES_FIELD_POINTER,
        [ES_TYPE_STRUCT] = ES_FIELD_INT,  [ES_TYPE_ARRAY] = ES_FIELD_INT, [ES_TYPE_OTHER] = ES_FIELD_INT};
    es_field field = {.name = name,
                      .kind = kinds[type->kind],
                      .bits = (uint8_t)(bit_size ? bit_size : type->size * 8u),
                      .is_signed = type->is_signed};
    if (type->kind == ES_TYPE_ENUM) {
        field.labels = labels_of(arena, type);
        field.label_count = type->enumerator_count;
    }
    return field;
}

static es_field field_of_item(es_arena *arena, const es_statement *statement, const es_print_item *item)
{
    if (item->kind == ES_ITEM_ELAPSED || item->kind == ES_ITEM_AGE)
        return (es_field){.name = item->name, .kind = ES_FIELD_LENGTH, .bits = 64};
    if (item->kind == ES_ITEM_BACKTRACE)
        return (es_field){.name = item->name, .kind = ES_FIELD_TEXT};
    if (item->kind == ES_ITEM_WHICH)
        return (es_field){.name = item->name, .kind = ES_FIELD_TEXT, .is_parts = true};
    if (item->kind != ES_ITEM_VALUE)
        return field_of(arena, item->name, &counter_type, 0);
    const es_reference *reference = &statement->references[item->index];
    return field_of(arena, item->name, reference->type, reference->bit_size);
}

/* --- objects: their shape, and with each leaf its field and its place ------------------------------------------- */

typedef struct maker {
    es_arena *arena;
    es_field *fields; /* of the statement */
    size_t field_count;
    es_leaf *leaves; /* beside its fields from the first object's on */
    size_t leaf_count;
    es_shape *shape; /* of the object at hand */
    size_t shape_count;
} maker;

static es_shape *add_node(maker *m, enum es_shape_kind kind, const char *name, uint32_t count)
{
    m->shape = es_arena_grow(m->arena, m->shape, m->shape_count, sizeof *m->shape);
    m->shape[m->shape_count] = (es_shape){kind, name, count};
    return &m->shape[m->shape_count++];
}

static void add_leaf(maker *m, es_field field, es_leaf leaf)
{
    m->fields = es_arena_grow(m->arena, m->fields, m->field_count, sizeof *m->fields);
    m->fields[m->field_count++] = field;
    m->leaves = es_arena_grow(m->arena, m->leaves, m->leaf_count, sizeof *m->leaves);
    m->leaves[m->leaf_count++] = leaf;
}

static void add_bytes(maker *m, const char *name, const char *path, uint32_t at, uint32_t count)
{
    add_node(m, ES_SHAPE_BYTES, name, count);
    for (uint32_t i = 0; i < count; i++)
        add_leaf(m,
                 (es_field){
                     .name = es_arena_format(m->arena, "%s[%u]", path, (unsigned)i), .kind = ES_FIELD_BYTE, .bits = 8},
                 (es_leaf){.at = at + i, .size = 1});
}

static bool is_scalar(const es_type *type)
{
    return type->kind != ES_TYPE_STRUCT && type->kind != ES_TYPE_ARRAY && type->kind != ES_TYPE_OTHER &&
           type->size <= 8;
}

/* A scalar, a struct or an array within the object. `name`: of a member; `path`: how it is written. */
static void add_part(maker *m, const char *name, const char *path, es_leaf part, unsigned depth)
{
    const es_type *type = part.type;
    bool array = type->kind == ES_TYPE_ARRAY;
    size_t count = array ? type->count : type->kind == ES_TYPE_STRUCT ? type->member_count : 0;
    if (is_scalar(type)) {
        part.size = type->size;
        add_node(m, ES_SHAPE_LEAF, name, 0);
        add_leaf(m, field_of(m->arena, path, type, part.bit_size), part);
        return;
    }
    if (type->kind == ES_TYPE_OTHER || (array && !type->of) || depth > DEPTH_MAX || !count) {
        add_bytes(m, name, path, part.at, type->size);
        return;
    }
    add_node(m, array ? ES_SHAPE_ARRAY : ES_SHAPE_STRUCT, name, (uint32_t)count);
    for (size_t i = 0; i < count && array; i++)
        add_part(m, NULL, es_arena_format(m->arena, "%s[%zu]", path, i),
                 (es_leaf){.type = type->of, .at = part.at + (uint32_t)i * type->of->size}, depth + 1);
    for (size_t i = 0; i < count && !array; i++) {
        const es_member *member = &type->members[i];
        const char *inner = member->name ? es_arena_format(m->arena, "%s.%s", path, member->name) : path;
        add_part(m, member->name, inner,
                 (es_leaf){.type = member->type,
                           .at = part.at + member->offset,
                           .bit_offset = member->bit_offset,
                           .bit_size = member->bit_size},
                 depth + 1);
    }
}

static void add_text(maker *m, const es_snapshot *snapshot)
{
    m->fields = es_arena_grow(m->arena, m->fields, m->field_count, sizeof *m->fields);
    m->fields[m->field_count++] = (es_field){.name = snapshot->name, .kind = ES_FIELD_TEXT};
}

static es_composite object_of(maker *m, const es_snapshot *snapshot)
{
    es_composite object = {.name = snapshot->name, .range = !snapshot->place.type, .first = m->field_count};
    m->shape = NULL;
    m->shape_count = 0;
    if (object.range)
        add_bytes(m, NULL, snapshot->name, 0, snapshot->bytes);
    else
        add_part(m, NULL, snapshot->name,
                 (es_leaf){.type = snapshot->place.type,
                           .bit_offset = snapshot->place.bit_offset,
                           .bit_size = snapshot->place.bit_size},
                 0);
    object.count = m->field_count - object.first;
    object.shape = m->shape;
    object.shape_count = m->shape_count;
    return object;
}

/* --- statements ------------------------------------------------------------------------------------------------ */

static enum es_expectation expectation_of(const es_statement *statement)
{
    static const enum es_expectation kinds[] = {[ES_EXPECT_NONE] = ES_EXPECTS_NOTHING,
                                                [ES_EXPECT_NEVER] = ES_EXPECTS_NEVER,
                                                [ES_EXPECT_EVENTUALLY] = ES_EXPECTS_EVENTUALLY,
                                                [ES_EXPECT_WITHIN] = ES_EXPECTS_WITHIN};
    return kinds[statement->expect];
}

static size_t function_number(es_arena *arena, es_cover *cover, es_cover_function **functions,
                              const es_procedure *procedure)
{
    for (size_t i = *functions ? cover->function_count : 0; i-- > 0;)
        if (strcmp((*functions)[i].name, procedure->name) == 0)
            return i;
    *functions = es_arena_grow(arena, *functions, cover->function_count, sizeof **functions);
    (*functions)[cover->function_count] = (es_cover_function){procedure->name, procedure->file, procedure->line};
    return cover->function_count++;
}

static const es_cover *cover_of(es_arena *arena, const es_cover_rows *rows)
{
    if (!rows)
        return NULL;
    es_cover *cover = es_arena_alloc(arena, sizeof *cover);
    es_cover_place *places = es_arena_alloc(arena, rows->count * sizeof *places);
    es_cover_function *functions = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const es_cover_row *row = &rows->rows[i];
        places[i] = (es_cover_place){row->address, row->line, row->file,
                                     function_number(arena, cover, &functions, row->procedure)};
    }
    cover->places = places;
    cover->place_count = rows->count;
    cover->functions = functions;
    return cover;
}

static const es_aggregate *aggregates_of(es_arena *arena, const es_statement *statement, size_t *count, bool *alone)
{
    es_aggregate *made = NULL;
    *count = 0;
    *alone = true;
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_statistic *statistic = statement->actions[i].statistic;
        *alone &= statement->actions[i].kind != ES_ACTION_PRINT && statement->actions[i].kind != ES_ACTION_SNAPSHOT;
        if (!statistic)
            continue;
        made = es_arena_grow(arena, made, *count, sizeof *made);
        made[(*count)++] = (es_aggregate){.name = statistic->name,
                                          .kind = (enum es_aggregate_kind)statistic->kind,
                                          .by = (enum es_aggregate_by)statistic->by,
                                          .value = statistic->value == ES_NO_VALUE ? 0 : statistic->value,
                                          .key = statistic->key == ES_NO_VALUE ? 0 : statistic->key,
                                          .top = statistic->top,
                                          .entry = statistic->entry,
                                          .cover = cover_of(arena, statistic->cover),
                                          .bytes = statistic->stack ? statistic->stack->size : 0};
    }
    *alone &= *count > 0;
    return made;
}

static_assert((int)ES_AGGREGATE_STACK == (int)ES_STATISTIC_STACK && (int)ES_AGGREGATE_BY_VALUE == (int)ES_BY_VALUE,
              "kinds of statistics and of aggregates stand in the same order");

static es_schema_statement statement_of(es_arena *arena, const es_statement *statement, const es_leaf **leaves)
{
    maker m = {.arena = arena};
    size_t objects = es_image_snapshot_count(statement);
    es_composite *made = es_arena_alloc(arena, objects * sizeof *made);
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        m.fields = es_arena_grow(arena, m.fields, m.field_count, sizeof *m.fields);
        m.fields[m.field_count] = field_of_item(arena, statement, es_image_value(statement, k));
        m.fields[m.field_count++].is_aggregated = es_image_value(statement, k)->aggregated;
    }
    size_t object_count = 0;
    for (size_t k = 0; k < objects; k++)
        if (es_image_snapshot(statement, k)->is_text)
            add_text(&m, es_image_snapshot(statement, k));
    size_t values = m.field_count;
    for (size_t k = 0; k < objects; k++)
        if (!es_image_snapshot(statement, k)->is_text)
            made[object_count++] = object_of(&m, es_image_snapshot(statement, k));
    *leaves = m.leaves;
    es_text_buffer waits = {0};
    es_waits_for(&waits, statement);
    const char *waits_for = waits.length ? es_arena_copy(arena, waits.text, waits.length) : NULL;
    es_text_free(&waits);
    size_t aggregates;
    bool alone;
    const es_aggregate *all = aggregates_of(arena, statement, &aggregates, &alone);
    return (es_schema_statement){.waits_for = waits_for,
                                 .name = statement->name,
                                 .text = statement->text,
                                 .file = statement->source.file,
                                 .line = statement->source.line,
                                 .expects = expectation_of(statement),
                                 .fields = m.fields,
                                 .value_count = values,
                                 .field_count = m.field_count,
                                 .objects = made,
                                 .object_count = object_count,
                                 .aggregates = all,
                                 .aggregate_count = aggregates,
                                 .is_aggregated = alone};
}

/* Of what the parts of an array or a struct are shown as. */
static const es_field *fields_of_references(es_arena *arena, const es_statement *statement)
{
    es_field *fields = es_arena_alloc(arena, statement->reference_count * sizeof *fields);
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        fields[i] = field_of(arena, reference->text, reference->type, reference->bit_size);
    }
    return fields;
}

static void add_lives(es_schema *schema, const es_program *program)
{
    const es_variable *variable;
    es_schema_life *lives = NULL;
    for (size_t k = 0; (variable = es_program_life(program, k)); k++) {
        lives = es_arena_grow(schema->arena, lives, k, sizeof *lives);
        lives[k] = (es_schema_life){variable->procedure->name, variable->name, variable->life->observed,
                                    variable->life->elsewhere};
        schema->life_count = k + 1;
    }
    schema->lives = lives;
}

es_schema *es_session_schema(const es_program *program, es_leaves *leaves)
{
    es_schema *schema = es_schema_new();
    es_schema_statement *statements = es_arena_alloc(schema->arena, program->statement_count * sizeof *statements);
    leaves->statements = es_arena_alloc(schema->arena, program->statement_count * sizeof *leaves->statements);
    leaves->references = es_arena_alloc(schema->arena, program->statement_count * sizeof *leaves->references);
    for (size_t i = 0; i < program->statement_count; i++)
        if (program->statements[i].area_count)
            leaves->references[i] = fields_of_references(schema->arena, &program->statements[i]);
    for (size_t i = 0; i < program->statement_count; i++)
        statements[i] = statement_of(schema->arena, &program->statements[i], &leaves->statements[i]);
    schema->statements = statements;
    schema->statement_count = program->statement_count;
    schema->counters = program->counters;
    schema->counter_count = program->counter_count;
    if (program->task) {
        schema->tasks_by = program->task->text;
        schema->kernel = program->kernel;
        schema->task_pointers = program->task->type->kind == ES_TYPE_POINTER;
    }
    add_lives(schema, program);
    return schema;
}
