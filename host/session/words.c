#include "session/words.h"

#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "image/image.h"
#include "record/path.h"
#include "record/value.h"
#include "session/pointee.h"
#include "session/task.h"
#include "session/told.h"

/* What is looked up once, by hash: places and paths, tasks; powers of two. */
#define KEPT 1024u
#define TASKS_KEPT 64u

/* What an address of code is in the source, for a statement. */
typedef struct place {
    uint32_t pc, statement;
    bool valid;
    uint32_t file, line, inlined;
} place;

/* A path's name by its call sites and the address that it ends with. */
typedef struct known_path {
    uint32_t *sites; /* of `count` + 1 words: the last is the address */
    size_t count;
    uint32_t name;
} known_path;

/* A task's name by all that it is made from. */
typedef struct known_task {
    bool valid;
    uint32_t task, unknown, words[ES_TASK_NAME_WORDS];
    size_t count;
    uint32_t name;
} known_task;

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
    place places[KEPT];
    known_path paths[KEPT];
    known_task tasks[TASKS_KEPT];
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
    words->told = es_told_all(program, words->arena);
    words->hit.values = words->values;
    words->hit.objects = words->objects;
    return words;
}

void es_words_set_base(es_words *words, uint64_t time_base)
{
    words->time_base = time_base;
}

void es_words_free(es_words *words)
{
    if (!words)
        return;
    for (size_t i = 0; i < KEPT; i++)
        free(words->paths[i].sites);
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

/* --- where ----------------------------------------------------------------------------------------------------- */

static uint32_t hash_of(const uint32_t *sites, size_t count, uint32_t hash)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ sites[i]) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

static const place *place_of(es_words *words, const es_event *event)
{
    uint32_t pc = event->pc, statement = event->statement;
    place *p = &words->places[hash_of(&statement, 1, pc * 0x9E3779B1u) & (KEPT - 1)];
    if (p->valid && p->pc == pc && p->statement == statement)
        return p;
    const char *file, *inlined = es_statement_inlined(&words->program->statements[statement], pc);
    unsigned line;
    *p = (place){.pc = pc, .statement = statement, .valid = true};
    if (es_symbols_line(words->symbols, pc, &file, &line)) {
        p->file = es_names_add(words->schema->names, file, strlen(file));
        p->line = line;
    }
    if (inlined)
        p->inlined = es_names_add(words->schema->names, inlined, strlen(inlined));
    return p;
}

/* The activations that the call sites led to. The start-up code is not part of it. */
static uint32_t name_of_path(es_words *words, const es_event *event)
{
    es_text_clear(&words->text);
    for (size_t i = 0; i < event->path_count; i++) {
        uint32_t inside = i + 1 < event->path_count ? event->path[i + 1] & ~(uint32_t)ES_SITE_INTERRUPT : event->pc;
        const es_procedure *procedure = es_symbols_procedure_at(words->symbols, inside);
        es_path_part part = {procedure ? procedure->name : NULL, inside, (event->path[i] & ES_SITE_INTERRUPT) != 0};
        es_path_add(&words->text, &part);
    }
    return name_of(words);
}

static uint32_t path_of(es_words *words, const es_event *event)
{
    size_t count = event->path_count, size = (count + 1) * sizeof *event->path;
    known_path *path = &words->paths[hash_of(event->path, count, event->pc) & (KEPT - 1)];
    if (path->sites && path->count == count && memcmp(path->sites, event->path, count * sizeof *event->path) == 0 &&
        path->sites[count] == event->pc)
        return path->name;
    path->sites = es_realloc(path->sites, size);
    memcpy(path->sites, event->path, count * sizeof *event->path);
    path->sites[count] = event->pc;
    path->count = count;
    return path->name = name_of_path(words, event);
}

static void add_where(es_words *words, const es_event *event)
{
    es_hit *hit = &words->hit;
    if (event->pc == ES_HIT_NOWHERE) { /* a time has passed: that is nowhere */
        hit->flags |= ES_HIT_TIMED;
        if (!event->path_known || (event->flags & ES_HITF_PATH_UNKNOWN))
            hit->flags |= ES_HIT_NO_PATH;
        return;
    }
    if (!event->path_known || (event->flags & ES_HITF_PATH_UNKNOWN) ||
        es_statement_cover(&words->program->statements[event->statement])) /* which follows no calls */
        hit->flags |= ES_HIT_NO_PATH;
    else
        hit->path = path_of(words, event);
    if (event->flags & ES_HITF_PATH_CUT)
        hit->flags |= ES_HIT_CUT_PATH;
    const place *p = place_of(words, event);
    hit->file = p->file;
    hit->line = p->line;
    hit->inlined = p->inlined;
}

static uint32_t task_of(es_words *words, const es_event *event)
{
    size_t count = event->task_name_count, size = count * sizeof *event->task_name;
    known_task *task = &words->tasks[hash_of(event->task_name, count, event->task) & (TASKS_KEPT - 1)];
    if (task->valid && task->task == event->task && task->count == count && task->unknown == event->task_name_unknown &&
        memcmp(task->words, event->task_name, size) == 0)
        return task->name;
    *task = (known_task){.valid = true, .task = event->task, .unknown = event->task_name_unknown, .count = count};
    memcpy(task->words, event->task_name, size);
    es_text_clear(&words->text);
    task->name = es_task_text(&words->text, words->symbols, words->program, event) ? name_of(words) : 0;
    return task->name;
}

static void add_task(es_words *words, const es_event *event)
{
    es_hit *hit = &words->hit;
    if (!event->task_known || event->pc == ES_HIT_NOWHERE ||
        es_statement_cover(&words->program->statements[event->statement])) {
        hit->flags |= ES_HIT_NO_TASK;
        return;
    }
    hit->task = task_of(words, event);
    hit->task_pointer = hit->task ? event->task : 0;
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

/* Returns how many of the frame's words they took; `all` when the frame is too short for one. */
static size_t add_values(es_words *words, const es_told *told, const es_event *event)
{
    const es_field *fields = words->schema->statements[event->statement].fields;
    size_t at = 0, k = 0;
    for (; k < told->value_count; k++) {
        const es_told_value *value = &told->values[k];
        if (at + value->words > event->word_count)
            break;
        uint64_t bits = event->words[at] | (value->words == 2 ? (uint64_t)event->words[at + 1] << 32 : 0);
        words->values[k] = value->is_parts ? parts_value(words, event, value->item, at, &words->texts[k])
                                           : value_of(words, value->type, &fields[k], bits);
        at += value->words;
    }
    words->hit.value_count = k;
    return k < told->value_count ? event->word_count : at;
}

static es_value leaf_value(es_words *words, const es_leaf *leaf, const es_field *field)
{
    const es_image_bytes *bytes = words->bytes;
    uint32_t first = leaf->at, last = leaf->at + leaf->size;
    uint64_t bits = 0;
    if (leaf->bit_size) {
        last = leaf->at + (leaf->bit_offset + leaf->bit_size + 7u) / 8;
        first += leaf->bit_offset / 8u;
    }
    for (uint32_t i = first; i < last; i++)
        if (i >= sizeof bytes->known || !bytes->known[i])
            return (es_value){.known = false};
    for (uint32_t i = 0; i < leaf->size && i < 8; i++)
        bits |= (uint64_t)bytes->bytes[leaf->at + i] << 8 * i;
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

static void add_times(es_words *words, const es_told *told, const es_event *event)
{
    size_t size = told->words;
    if (event->word_count != size + ES_IMAGE_TIMES)
        return;
    words->hit.flags |= ES_HIT_TIMES;
    for (size_t i = 0; i < ES_IMAGE_TIMES; i++)
        words->hit.times[i] = words->time_base + es_image_time(event->time - words->time_base, event->words[size + i]);
}

/* Each member by itself: to clear the whole of it takes longer. `times` counts only with its flag. */
static void begin_hit(es_hit *hit, const es_event *event)
{
    hit->time = event->time;
    hit->statement = event->statement;
    hit->flags = event->flags & ES_HITF_UNCERTAIN ? ES_HIT_UNCERTAIN : 0;
    hit->pc = event->pc;
    hit->path = hit->inlined = hit->task = hit->task_pointer = hit->file = hit->line = 0;
    hit->value_count = hit->object_count = 0;
}

const es_hit *es_words_hit(es_words *words, const es_event *event)
{
    const es_told *told = &words->told[event->statement];
    begin_hit(&words->hit, event);
    add_where(words, event);
    if (words->schema->tasks_by)
        add_task(words, event);
    size_t at = add_values(words, told, event);
    if (told->snapshot_count)
        add_snapshots(words, told, event, at);
    if (words->schema->times)
        add_times(words, told, event);
    return &words->hit;
}
