#include "session/words.h"

#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/endian.h"
#include "image/image.h"
#include "record/value.h"
#include "session/pointee.h"
#include "session/told.h"
#include "session/unknown.h"
#include "session/where.h"

struct es_words {
    const es_symbols *symbols;
    const es_program *program;
    const es_schema *schema;
    const es_leaves *leaves;
    uint64_t time_base;
    es_hit hit;
    es_value *values; /* as many as the largest statement has */
    es_composite_state *objects;
    es_image_bytes *bytes;
    es_arena *arena;
    const es_told *told; /* by statement */
    es_text_buffer text;
    es_text_buffer *texts; /* of values that are texts, by number of the value */
    size_t text_count;
    es_where *where;
};

es_words *es_words_new(const es_symbols *symbols, const es_program *program, const es_schema *schema,
                       const es_leaves *leaves)
{
    size_t fields = 1, objects = 1;
    for (size_t i = 0; i < schema->statement_count; i++) {
        const es_schema_statement *statement = &schema->statements[i];
        fields = statement->field_count > fields ? statement->field_count : fields;
        objects = statement->object_count > objects ? statement->object_count : objects;
    }
    es_words *words = es_malloc(sizeof *words);
    memset(words, 0, sizeof *words);
    words->symbols = symbols;
    words->program = program;
    words->schema = schema;
    words->leaves = leaves;
    words->values = es_malloc(fields * sizeof *words->values);
    words->texts = es_malloc(fields * sizeof *words->texts);
    memset(words->texts, 0, fields * sizeof *words->texts);
    words->text_count = fields;
    words->objects = es_malloc(objects * sizeof *words->objects);
    words->bytes = es_malloc(sizeof *words->bytes);
    words->arena = es_arena_new();
    words->told = es_told_all(program, schema, words->arena);
    words->where = es_where_new(symbols, program, schema);
    words->hit.values = words->values;
    words->hit.objects = words->objects;
    return words;
}

void es_words_set_base(es_words *words, uint64_t time_base)
{
    words->time_base = time_base;
}

void es_words_set_blind(es_words *words, bool blind)
{
    es_where_set_blind(words->where, blind);
}

void es_words_free(es_words *words)
{
    if (!words)
        return;
    es_where_free(words->where);
    for (size_t i = 0; i < words->text_count; i++)
        es_text_free(&words->texts[i]);
    free(words->texts);
    es_text_free(&words->text);
    free(words->values);
    free(words->objects);
    free(words->bytes);
    es_arena_free(words->arena);
    free(words);
}

static uint32_t name_of(es_words *words)
{
    return es_names_add(words->schema->names, words->text.text, words->text.length);
}

/* --- values ---------------------------------------------------------------------------------------------------- */

static es_value value_of(es_words *words, const es_type *type, const es_field *field, uint64_t bits)
{
    es_value value = {.bits = bits, .known = true};
    if (field->kind == ES_FIELD_POINTER && bits) {
        es_text_clear(&words->text);
        if (es_pointee_text(&words->text, words->symbols, type, (uint32_t)bits))
            value.about = name_of(words);
    }
    return value;
}

/* "buf[4]=61 buf[5]=?": what of an array or struct the event has written or read. */
static es_value parts_value(es_words *words, const es_event *event, const es_print_item *item, size_t at,
                            es_text_buffer *text)
{
    const es_statement *statement = &words->program->statements[event->statement];
    const es_field *fields = words->leaves->references[event->statement];
    es_image_part parts[ES_IMAGE_PARTS_MAX];
    size_t count = es_image_which(statement, item, event->words + at, parts);
    es_text_clear(text);
    es_text_add(text, "", 0);
    for (size_t i = 0; i < count; i++) {
        const es_field *field = &fields[parts[i].reference];
        es_value value = value_of(words, statement->references[parts[i].reference].type, field, parts[i].value);
        value.known = parts[i].known;
        es_text_format(text, "%s%s=", i ? " " : "", field->name);
        es_value_text(text, words->schema, field, &value, false);
    }
    return (es_value){.text = text->text, .known = true};
}

static uint64_t bits_of(const uint32_t *words, size_t count)
{
    return words[0] | (count == 2 ? (uint64_t)words[1] << 32 : 0);
}

/* Where nothing but plain values are told, and all of them are there. */
static inline void add_plain_values(es_words *words, const es_told *told, const es_event *event)
{
    const uint32_t *at = event->words;
    for (size_t k = 0; k < told->value_count; k++) {
        words->values[k].bits = bits_of(at, told->values[k].words);
        words->values[k].about = 0;
        words->values[k].known = true;
        at += told->values[k].words;
    }
    words->hit.value_count = told->value_count;
}

static bool is_unknown(const uint32_t *marks, size_t k)
{
    return marks && marks[k / 32] >> k % 32 & 1;
}

static es_value unknown_value(es_words *words, const es_event *event, const es_told_value *told, uint64_t bits)
{
    const char *why = es_unknown_why(&words->program->statements[event->statement], told->item, bits);
    return (es_value){.about = es_names_add(words->schema->names, why, strlen(why))};
}

static es_value backtrace_value(es_words *words, const es_event *event, es_text_buffer *text)
{
    const char *why = NULL;
    if (es_where_backtrace(words->where, event, text, &why))
        return (es_value){.text = text->text, .known = true};
    return (es_value){.about = es_names_add(words->schema->names, why, strlen(why))};
}

/* Where the frame tells which values are not known; NULL: all are. */
static const uint32_t *marks_of(const es_words *words, const es_told *told, const es_event *event)
{
    size_t size = told->words + (words->schema->times ? ES_IMAGE_TIMES : 0);
    return told->marks && event->word_count == size + told->marks ? event->words + size : NULL;
}

/* Returns how many of the frame's words they took; `all` when the frame is too short for one. */
static size_t add_values(es_words *words, const es_told *told, const es_event *event)
{
    const es_field *fields = words->schema->statements[event->statement].fields;
    const uint32_t *marks = marks_of(words, told, event);
    size_t at = 0, k = 0;
    for (; k < told->value_count; k++) {
        const es_told_value *value = &told->values[k];
        if (at + value->words > event->word_count)
            break;
        if (value->is_backtrace)
            words->values[k] = backtrace_value(words, event, &words->texts[k]);
        else if (value->is_parts)
            words->values[k] = parts_value(words, event, value->item, at, &words->texts[k]);
        else if (is_unknown(marks, k))
            words->values[k] = unknown_value(words, event, value, bits_of(event->words + at, value->words));
        else
            words->values[k] = value_of(words, value->type, &fields[k], bits_of(event->words + at, value->words));
        at += value->words;
    }
    words->hit.value_count = k;
    return k < told->value_count ? event->word_count : at;
}

static es_value leaf_value(es_words *words, const es_leaf *leaf, const es_field *field)
{
    const es_image_bytes *bytes = words->bytes;
    uint32_t first = leaf->at, last = leaf->at + leaf->size, size = leaf->size < 8 ? leaf->size : 8;
    if (leaf->bit_size) {
        unsigned begin = es_type_first_bit(leaf->type, leaf->size, leaf->bit_offset, leaf->bit_size);
        last = leaf->at + (begin + leaf->bit_size + 7u) / 8;
        first += begin / 8u;
    }
    for (uint32_t i = first; i < last; i++)
        if (i >= sizeof bytes->known || !bytes->known[i])
            return (es_value){.known = false};
    uint64_t bits = es_endian_get(bytes->bytes + leaf->at, size, leaf->type && leaf->type->big_endian);
    return value_of(words, leaf->type, field, leaf->bit_size ? bits >> leaf->bit_offset : bits);
}

/* Characters up to a 0, when all of them are known. */
static es_value text_value(const es_image_bytes *bytes, uint32_t most, es_text_buffer *text)
{
    es_text_clear(text);
    es_text_add(text, "", 0);
    for (uint32_t i = 0; i < most; i++) {
        if (!bytes->found || !bytes->known[i])
            return (es_value){.known = false};
        if (!bytes->bytes[i])
            break;
        es_text_add(text, (const char *)&bytes->bytes[i], 1);
    }
    return (es_value){.text = text->text, .known = true};
}

static void add_object(es_words *words, const es_event *event, size_t number)
{
    const es_schema_statement *schema = &words->schema->statements[event->statement];
    const es_composite *object = &schema->objects[number];
    es_composite_state *state = &words->objects[number];
    *state = (es_composite_state){.found = words->bytes->found, .address = words->bytes->address};
    if (!state->found && words->bytes->why)
        state->why = es_names_add(words->schema->names, words->bytes->why, strlen(words->bytes->why));
    const es_leaf *leaves = words->leaves->statements[event->statement];
    for (size_t i = object->first; i < object->first + object->count; i++)
        words->values[i] = state->found ? leaf_value(words, &leaves[i - schema->value_count], &schema->fields[i])
                                        : (es_value){.known = false};
    words->hit.value_count = object->first + object->count;
    words->hit.object_count = number + 1;
}

/* What was taken as bytes: texts, which are values after those of items, and objects. */
static void add_snapshots(es_words *words, const es_told *told, const es_event *event, size_t at)
{
    const es_schema_statement *schema = &words->schema->statements[event->statement];
    size_t text = told->value_count, object = 0;
    if (words->hit.value_count == text && text < schema->value_count) {
        for (size_t i = text; i < schema->value_count; i++)
            words->values[i] = (es_value){.known = false};
        words->hit.value_count = schema->value_count;
    }
    for (size_t k = 0; k < told->snapshot_count; k++) {
        const es_snapshot *snapshot = told->snapshots[k];
        size_t size = es_image_snapshot_words(snapshot);
        if (at + size > event->word_count)
            return;
        es_image_snapshot_read(snapshot, event->words + at, words->bytes);
        if (snapshot->is_text) {
            words->values[text] = text_value(words->bytes, snapshot->bytes, &words->texts[text]);
            text++;
        } else {
            add_object(words, event, object++);
        }
        at += size;
    }
}

static __attribute__((noinline)) void add_times(es_words *words, const es_told *told, const es_event *event)
{
    size_t size = told->words;
    if (event->word_count != size + ES_IMAGE_TIMES && event->word_count != size + ES_IMAGE_TIMES + told->marks)
        return;
    words->hit.flags |= ES_HIT_TIMES;
    for (size_t i = 0; i < ES_IMAGE_TIMES; i++)
        words->hit.times[i] = words->time_base + es_image_time(event->time - words->time_base, event->words[size + i]);
}

/* Whatever is told. */
static __attribute__((noinline)) void add_all_values(es_words *words, const es_told *told, const es_event *event)
{
    size_t at = add_values(words, told, event);
    if (told->snapshot_count)
        add_snapshots(words, told, event, at);
}

const es_hit *es_words_hit(es_words *words, const es_event *event)
{
    const es_told *told = &words->told[event->statement];
    es_hit *hit = &words->hit; /* `times` counts only with its flag */
    hit->time = event->time;
    hit->statement = event->statement;
    hit->object_count = 0;
    es_where_add(words->where, told->is_cover, event, hit);
    size_t size = told->words + (words->schema->times ? ES_IMAGE_TIMES : 0);
    if (__builtin_expect(told->is_plain && event->word_count == size, true))
        add_plain_values(words, told, event);
    else
        add_all_values(words, told, event);
    if (words->schema->times)
        add_times(words, told, event);
    return hit;
}
