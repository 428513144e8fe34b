#include "store/decode.h"

#include <string.h>

void es_decoder_begin(es_decoder *decoder, const es_schema *schema)
{
    size_t fields = 1, objects = 1;
    for (size_t i = 0; i < schema->statement_count; i++) {
        fields = schema->statements[i].field_count > fields ? schema->statements[i].field_count : fields;
        objects = schema->statements[i].object_count > objects ? schema->statements[i].object_count : objects;
    }
    *decoder = (es_decoder){.schema = schema, .arena = es_arena_new(), .format = ES_TRACE_FORMAT};
    decoder->layouts = es_hit_layouts(schema, decoder->arena);
    decoder->values = es_arena_alloc(decoder->arena, fields * sizeof *decoder->values);
    decoder->objects = es_arena_alloc(decoder->arena, objects * sizeof *decoder->objects);
    decoder->numbers = es_arena_alloc(decoder->arena, (schema->statement_count + 1) * sizeof *decoder->numbers);
}

void es_decoder_end(es_decoder *decoder)
{
    es_arena_free(decoder->summary_arena);
    es_arena_free(decoder->arena);
}

/* Where an event is read, and its end. */
typedef struct input {
    const uint8_t *at, *end;
} input;

static inline bool has(const input *in, size_t bytes)
{
    return (size_t)(in->end - in->at) >= bytes;
}

/* Those below are only called for what is there. */
static inline uint32_t take32(input *in)
{
    in->at += 4;
    return es_get32(in->at - 4);
}

static inline uint64_t take64(input *in)
{
    in->at += 8;
    return es_get64(in->at - 8);
}

static inline double take_double(input *in)
{
    uint64_t bits = take64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t take_name(es_decoder *d, input *in)
{
    uint32_t number = take32(in);
    if (number <= d->name_count)
        return d->names[number];
    d->bad |= number != ES_TRACE_NO_NAME;
    return 0;
}

/* A text with its NUL; NULL: it has no end. */
static const char *take_text(es_decoder *d, input *in)
{
    const uint8_t *text = in->at, *end = has(in, 1) ? memchr(text, 0, (size_t)(in->end - text)) : NULL;
    if (!end) {
        d->bad = true;
        return NULL;
    }
    in->at = end + 1;
    return (const char *)text;
}

/* --- hits --------------------------------------------------------------------------------------------------------- */

static inline uint64_t take_slot(input *in, const es_slot *slot)
{
    uint64_t bits = es_get64(in->at) << (64 - 8 * slot->bytes) >> (64 - 8 * slot->bytes);
    in->at += slot->bytes;
    return bits;
}

static void take_any(es_decoder *d, input *in, const es_slot *slot, es_value *value)
{
    if (d->bad)
        return;
    if (!slot->bytes) {
        value->text = take_text(d, in);
        if (!value->known)
            value->text = NULL;
        return;
    }
    if (!has(in, slot->bytes + (slot->about ? 4u : 0))) {
        d->bad = true;
        return;
    }
    value->bits = take_slot(in, slot);
    if (slot->about)
        value->about = take_name(d, in);
}

static void take_objects(es_decoder *d, input *in, const es_schema_statement *statement, const es_hit_layout *layout)
{
    for (size_t k = 0; k < statement->object_count && !d->bad; k++) {
        const es_composite *object = &statement->objects[k];
        if (!has(in, 9)) {
            d->bad = true;
            return;
        }
        d->objects[k].found = *in->at++ != 0;
        d->objects[k].why = take_name(d, in);
        d->objects[k].address = take32(in);
        for (size_t i = object->first; i < object->first + object->count; i++)
            take_any(d, in, &layout->slots[i], &d->values[i]);
    }
}

static void take_values(es_decoder *d, input *in, const es_schema_statement *statement, const es_hit_layout *layout)
{
    const uint8_t *unknown = in->at;
    in->at += layout->unknown;
    if (layout->only_slots) {
        for (size_t i = 0; i < statement->field_count; i++)
            d->values[i] =
                (es_value){.bits = take_slot(in, &layout->slots[i]), .known = !(unknown[i / 8] >> i % 8 & 1)};
        return;
    }
    for (size_t i = 0; i < statement->field_count; i++)
        d->values[i] = (es_value){.known = !(unknown[i / 8] >> i % 8 & 1)};
    for (size_t i = 0; i < statement->value_count; i++)
        take_any(d, in, &layout->slots[i], &d->values[i]);
    take_objects(d, in, statement, layout);
}

/* Each is about a value that is not known, after the one before. */
static void take_reasons(es_decoder *d, input *in, const es_hit_layout *layout)
{
    size_t count = !d->bad && has(in, 1) ? *in->at++ : SIZE_MAX, next = 0;
    if (count > layout->reasons || !has(in, count * ES_TRACE_REASON_SIZE)) {
        d->bad = true;
        return;
    }
    for (; count && !d->bad; count--) {
        size_t value = in->at[0] | (size_t)in->at[1] << 8;
        in->at += 2;
        uint32_t why = take_name(d, in);
        if (value < next || value >= layout->reasons || d->values[value].known) {
            d->bad = true;
            return;
        }
        d->values[value].about = why;
        next = value + 1;
    }
}

static bool take_hit(es_decoder *d, input *in, uint32_t number, uint64_t time)
{
    const es_schema_statement *statement = &d->schema->statements[number];
    const es_hit_layout *layout = &d->layouts[number];
    es_hit *hit = &d->hit;
    if (!has(in, layout->least))
        return false;
    *hit = (es_hit){.time = time,
                    .statement = number,
                    .values = d->values,
                    .value_count = statement->field_count,
                    .objects = d->objects,
                    .object_count = statement->object_count};
    hit->flags = *in->at++;
    hit->pc = take32(in);
    hit->path = take_name(d, in);
    hit->inlined = take_name(d, in);
    hit->task = take_name(d, in);
    hit->file = take_name(d, in);
    hit->line = take32(in);
    if (d->schema->task_pointers)
        hit->task_pointer = take32(in);
    for (unsigned i = 0; d->schema->times && i < 3; i++)
        hit->times[i] = take64(in);
    if (!d->schema->times)
        hit->flags &= ~ES_HIT_TIMES;
    take_values(d, in, statement, layout);
    if (layout->reasons && d->format > 1)
        take_reasons(d, in, layout);
    if (d->has_exact) {
        hit->time = d->exact_time;
        hit->value_count = d->exact_values < statement->field_count ? d->exact_values : statement->field_count;
        hit->object_count = d->exact_objects < statement->object_count ? d->exact_objects : statement->object_count;
        d->has_exact = false;
    }
    return !d->bad;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

static bool take_exact(es_decoder *d, input *in)
{
    if (!has(in, 16))
        return false;
    d->exact_time = take64(in);
    d->exact_values = take32(in);
    d->exact_objects = take32(in);
    return d->has_exact = true;
}

static bool take_lost(es_decoder *d, input *in)
{
    if (!has(in, 25) || in->at[24] >= ES_LOST_KINDS)
        return false;
    d->lost.time = take64(in);
    d->lost.last = take64(in);
    d->lost.count = take64(in);
    d->lost.what = (enum es_lost_what) * in->at++;
    return true;
}

static bool take_inferred(es_decoder *d, input *in)
{
    es_inferred *inferred = &d->inferred;
    if (!has(in, 37))
        return false;
    inferred->time = take64(in);
    inferred->hit = take64(in);
    inferred->statement = take32(in);
    inferred->pc = take32(in);
    inferred->only = *in->at++ != 0;
    inferred->other = take_double(in);
    inferred->path_count = take32(in);
    if (inferred->statement >= d->schema->statement_count || inferred->path_count > ES_INFERRED_MAX ||
        !has(in, inferred->path_count * 12))
        return false;
    for (size_t i = 0; i < inferred->path_count; i++) {
        d->inferred_paths[i].path = take_name(d, in);
        d->inferred_paths[i].probability = take_double(in);
    }
    inferred->paths = d->inferred_paths;
    return !d->bad;
}

static bool take_told(input *in, es_record *record)
{
    if (!has(in, 4))
        return false;
    size_t size = take32(in); /* with the NUL */
    if (!size || !has(in, size) || in->at[size - 1])
        return false;
    record->text.bytes = (const char *)in->at;
    record->text.size = size - 1;
    in->at += size;
    return true;
}

static bool take_progress(es_decoder *d, input *in)
{
    es_progress *p = &d->progress;
    if (!has(in, 32 + d->schema->statement_count * 8))
        return false;
    p->hits = take64(in);
    p->lost = take64(in);
    p->time = take64(in);
    p->wall_seconds = take_double(in);
    for (size_t i = 0; i < d->schema->statement_count; i++)
        d->numbers[i] = take64(in);
    p->statement_hits = d->numbers;
    return true;
}

static bool take_clock(es_decoder *d, input *in)
{
    es_clock_told *c = &d->clock;
    if (!has(in, 61))
        return false;
    c->time = take64(in);
    c->steady_ns = (int64_t)take64(in);
    c->unix_ns = (int64_t)take64(in);
    c->error_ns = (int64_t)take64(in);
    c->drift_ppm = take_double(in);
    c->drift_error_ppm = take_double(in);
    c->from = take64(in);
    c->restarts = take32(in);
    c->known = *in->at++ != 0;
    c->computer = take_text(d, in);
    return true;
}

static const char *const *take_texts(es_decoder *d, input *in, bool there)
{
    if (d->bad || !has(in, 4)) {
        d->bad = true;
        return NULL;
    }
    uint32_t count = take32(in);
    if (!has(in, count)) {
        d->bad = true;
        return NULL;
    }
    const char **texts = es_arena_alloc(d->summary_arena, ((size_t)count + 1) * sizeof *texts);
    for (uint32_t i = 0; i < count && !d->bad; i++)
        texts[i] = take_text(d, in);
    return there ? texts : NULL;
}

static void take_judged(es_decoder *d, input *in, es_judged *judged)
{
    if (d->bad || !has(in, 2) || in->at[0] > ES_VERDICT_UNKNOWN) {
        d->bad = true;
        return;
    }
    judged->verdict = (enum es_verdict) * in->at++;
    bool explained = *in->at++ != 0;
    const char *why = take_text(d, in);
    judged->why = explained ? why : NULL;
}

static bool take_summary(es_decoder *d, input *in)
{
    const es_schema *schema = d->schema;
    es_summary *s = &d->summary;
    uint64_t *const numbers[] = {&s->hits,    &s->lost_bus,       &s->lost_events,    &s->lost_link,
                                 &s->unknown, &s->stack_switches, &s->tasks_given_up, &s->torn};
    bool *const truths[] = {&s->complete, &s->exited, &s->trapped, &s->halted, &s->mismatch};
    if (!has(in, 10 * 8 + 8 + 4 + 5 + 64 + schema->statement_count * 8 + schema->counter_count * 4))
        return false;
    es_arena_free(d->summary_arena);
    d->summary_arena = es_arena_new();
    *s = (es_summary){.statement_hits =
                          es_arena_alloc(d->summary_arena, (schema->statement_count + 1) * sizeof(uint64_t)),
                      .judged = es_arena_alloc(d->summary_arena, (schema->statement_count + 1) * sizeof(es_judged)),
                      .counters = es_arena_alloc(d->summary_arena, (schema->counter_count + 1) * sizeof(uint32_t))};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = take64(in);
    s->unaccounted = (int64_t)take64(in);
    s->cycles = take64(in);
    s->wall_seconds = take_double(in);
    s->exit_code = (int)take32(in);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        *truths[i] = *in->at++ != 0;
    for (unsigned i = 0; i < 8; i++)
        s->pulses[i] = take64(in);
    for (size_t i = 0; i < schema->statement_count; i++)
        s->statement_hits[i] = take64(in);
    for (size_t i = 0; i < schema->counter_count; i++)
        s->counters[i] = take32(in);
    for (size_t i = 0; i < schema->statement_count; i++)
        take_judged(d, in, &s->judged[i]);
    unsigned told = !d->bad && has(in, 1) ? *in->at++ : 0;
    s->switched_in = take_texts(d, in, told & 1);
    s->switched_by = take_texts(d, in, told & 2);
    if (!(told & 4) || d->bad)
        return !d->bad;
    if (!has(in, schema->statement_count * 8))
        return false;
    s->statement_unknown = es_arena_alloc(d->summary_arena, (schema->statement_count + 1) * sizeof(uint64_t));
    for (size_t i = 0; i < schema->statement_count; i++)
        s->statement_unknown[i] = take64(in);
    return !d->bad;
}

static bool take_other(es_decoder *d, input *in, unsigned class, es_record *record)
{
    switch (class) {
    case ES_TRACE_EXACT: record->kind = ES_RECORD_BEGIN; return take_exact(d, in);
    case ES_TRACE_LOST:
        record->kind = ES_RECORD_LOST;
        record->lost = &d->lost;
        return take_lost(d, in);
    case ES_TRACE_INFERRED:
        record->kind = ES_RECORD_INFERRED;
        record->inferred = &d->inferred;
        return take_inferred(d, in);
    case ES_TRACE_CONSOLE: record->kind = ES_RECORD_CONSOLE; return take_told(in, record);
    case ES_TRACE_NOTE: record->kind = ES_RECORD_NOTE; return take_told(in, record);
    case ES_TRACE_WARNING: record->kind = ES_RECORD_WARNING; return take_told(in, record);
    case ES_TRACE_PROGRESS:
        record->kind = ES_RECORD_PROGRESS;
        record->progress = &d->progress;
        return take_progress(d, in);
    case ES_TRACE_CLOCK:
        record->kind = ES_RECORD_CLOCK;
        record->clock = &d->clock;
        return take_clock(d, in);
    case ES_TRACE_SUMMARY:
        record->kind = ES_RECORD_SUMMARY;
        record->summary = &d->summary;
        return take_summary(d, in);
    default: return false;
    }
}

bool es_decode(es_decoder *d, const uint8_t **at, const uint8_t *end, es_record *record, uint64_t *time)
{
    input in = {*at, end};
    if (!has(&in, ES_TRACE_EVENT_HEAD))
        return false;
    unsigned class = in.at[0] | (unsigned)in.at[1] << 8;
    *time = es_get64(in.at + 2);
    in.at += ES_TRACE_EVENT_HEAD;
    record->schema = d->schema;
    bool good;
    if (class >= ES_TRACE_STATEMENTS && class - ES_TRACE_STATEMENTS < d->schema->statement_count) {
        record->kind = ES_RECORD_HIT;
        record->hit = &d->hit;
        good = take_hit(d, &in, class - ES_TRACE_STATEMENTS, *time);
        *time = d->hit.time;
    } else {
        good = take_other(d, &in, class, record);
        if (record->kind == ES_RECORD_LOST)
            *time = d->lost.time;
        else if (record->kind == ES_RECORD_INFERRED)
            *time = d->inferred.time;
    }
    *at = in.at;
    return good && !d->bad;
}
