#include "store/encode.h"

#include <stdlib.h>
#include <string.h>

#include "store/trace_metadata.h"

void es_encoder_begin(es_encoder *encoder, const es_schema *schema)
{
    *encoder = (es_encoder){.schema = schema, .arena = es_arena_new()};
    encoder->hits = es_arena_alloc(encoder->arena, (schema->statement_count + 1) * sizeof *encoder->hits);
    const es_hit_layout *layouts = es_hit_layouts(schema, encoder->arena);
    for (size_t i = 0; i < schema->statement_count; i++)
        encoder->hits[i].layout = layouts[i];
}

void es_encoder_end(es_encoder *encoder)
{
    if (encoder->arena)
        es_arena_free(encoder->arena);
    free(encoder->numbers);
    es_text_free(&encoder->fresh);
}

void es_encoder_forget(es_encoder *encoder)
{
    encoder->names = 0;
    for (size_t i = 0; i < encoder->schema->statement_count; i++)
        encoder->hits[i].head_size = 0;
    if (encoder->numbers_room)
        memset(encoder->numbers, 0, encoder->numbers_room * sizeof *encoder->numbers);
}

static uint32_t new_number(es_encoder *e, uint32_t name);

/* A name's number in this chunk. */
static inline uint32_t number_of(es_encoder *e, uint32_t name)
{
    if (!name)
        return 0;
    if (name < e->numbers_room && e->numbers[name])
        return e->numbers[name];
    return new_number(e, name);
}

static size_t text_room(const char *text)
{
    return text ? strlen(text) : 0;
}

static size_t summary_room(const es_schema *schema, const es_summary *summary)
{
    size_t room = 256 + schema->statement_count * 19 + schema->counter_count * 4;
    for (size_t i = 0; i < schema->statement_count; i++)
        room += text_room(summary->judged[i].why);
    for (size_t i = 0; summary->switched_in && summary->switched_in[i]; i++)
        room += strlen(summary->switched_in[i]) + 1;
    for (size_t i = 0; summary->switched_by && summary->switched_by[i]; i++)
        room += strlen(summary->switched_by[i]) + 1;
    return room;
}

size_t es_encode_texts_room(const es_hit_layout *layout, const es_hit *hit)
{
    size_t room = 0;
    for (size_t i = 0; i < hit->value_count; i++)
        if (!layout->slots[i].bytes && hit->values[i].known)
            room += text_room(hit->values[i].text);
    return room;
}

size_t es_encode_other_room(const es_encoder *encoder, const es_record *record)
{
    size_t room = ES_ENCODE_ROOM;
    switch (record->kind) {
    case ES_RECORD_LOST: return room + 25;
    case ES_RECORD_INFERRED: return room + 37 + record->inferred->path_count * 12;
    case ES_RECORD_CONSOLE:
    case ES_RECORD_NOTE:
    case ES_RECORD_WARNING: return room + 5 + record->text.size;
    case ES_RECORD_PROGRESS: return room + 36 + encoder->schema->statement_count * 8;
    case ES_RECORD_CLOCK: return room + 62 + text_room(record->clock->computer);
    case ES_RECORD_SUMMARY: return room + summary_room(encoder->schema, record->summary);
    default: return room;
    }
}

static uint32_t new_number(es_encoder *e, uint32_t name)
{
    const char *text = es_names_text(e->schema->names, name);
    if (!text)
        return ES_TRACE_NO_NAME;
    if (name >= e->numbers_room) {
        size_t room = e->numbers_room ? e->numbers_room : 256;
        while (room <= name)
            room *= 2;
        e->numbers = es_realloc(e->numbers, room * sizeof *e->numbers);
        memset(e->numbers + e->numbers_room, 0, (room - e->numbers_room) * sizeof *e->numbers);
        e->numbers_room = room;
    }
    es_trace_metadata_name(&e->fresh, ++e->names, text);
    return e->numbers[name] = e->names;
}

static inline uint8_t *put_head(const es_encoder *e, uint8_t *out, unsigned class)
{
    return es_put64(es_put16(out, (uint16_t) class), e->time);
}

/* Before an event whose time is not in order, or that has not all of its values. */
static __attribute__((noinline)) uint8_t *put_exact(const es_encoder *e, uint8_t *out, uint64_t time, size_t values,
                                                    size_t objects)
{
    out = es_put64(put_head(e, out, ES_TRACE_EXACT), time);
    return es_put32(es_put32(out, (uint32_t)values), (uint32_t)objects);
}

/* --- hits --------------------------------------------------------------------------------------------------------- */

_Static_assert(ES_HIT_WHERE_SIZE == sizeof(uint32_t[8]), "nothing else of a hit is between");

static __attribute__((noinline)) void make_head(es_encoder *e, es_hit_plan *plan, const es_hit *hit)
{
    uint8_t *out = es_put16(plan->head, (uint16_t)(ES_TRACE_STATEMENTS + hit->statement));
    out = es_put64(out, 0);
    *out++ = (uint8_t)hit->flags;
    out = es_put32(out, hit->pc);
    out = es_put32(out, hit->flags & ES_HIT_NO_PATH ? ES_TRACE_NO_NAME : number_of(e, hit->path));
    out = es_put32(out, number_of(e, hit->inlined));
    out = es_put32(out, hit->flags & ES_HIT_NO_TASK ? ES_TRACE_NO_NAME : number_of(e, hit->task));
    out = es_put32(out, number_of(e, hit->file));
    out = es_put32(out, hit->line);
    if (e->schema->task_pointers)
        out = es_put32(out, hit->task_pointer);
    plan->head_size = (uint32_t)(out - plan->head);
    memcpy(plan->where, es_hit_where(hit), sizeof plan->where);
}

/* Writes the whole of plan->head, which may be a little more than the head. */
static inline uint8_t *put_hit_head(es_encoder *e, uint8_t *out, es_hit_plan *plan, const es_hit *hit)
{
    if (__builtin_expect(!plan->head_size || memcmp(plan->where, es_hit_where(hit), sizeof plan->where) != 0, false))
        make_head(e, plan, hit);
    memcpy(out, plan->head, sizeof plan->head);
    es_put64(out + 2, e->time);
    return out + plan->head_size;
}

static inline uint8_t *put_slot(uint8_t *out, const es_slot *slot, uint64_t bits)
{
    if (__builtin_expect(!slot->is_whole, false)) { /* what is above the value's bits says nothing */
        bits <<= slot->shift;
        bits = slot->is_signed ? (uint64_t)((int64_t)bits >> slot->shift) : bits >> slot->shift;
    }
    es_put64(out, bits);
    return out + slot->bytes;
}

static uint8_t *put_text(uint8_t *out, const char *text)
{
    size_t size = text_room(text) + 1;
    memcpy(out, text ? text : "", size);
    return out + size;
}

/* A field that may be of any kind; value NULL: not there. */
static uint8_t *put_any(es_encoder *e, uint8_t *out, const es_slot *slot, const es_value *value)
{
    bool known = value && value->known;
    if (!slot->bytes)
        return put_text(out, known ? value->text : NULL);
    out = put_slot(out, slot, known ? value->bits : 0);
    return slot->about ? es_put32(out, known ? number_of(e, value->about) : 0) : out;
}

static inline void set_unknown(uint8_t *unknown, size_t field)
{
    unknown[field / 8] |= (uint8_t)(1u << field % 8);
}

/* Numbers alone, all of them there. */
static inline uint8_t *put_slots(uint8_t *out, uint8_t *unknown, const es_value *values, const es_hit_layout *layout)
{
    for (size_t i = 0; i < layout->fields; i++) {
        if (__builtin_expect(!values[i].known, false))
            set_unknown(unknown, i);
        out = put_slot(out, &layout->slots[i], values[i].known ? values[i].bits : 0);
    }
    return out;
}

/* Values of any kind, of which some may be missing; then objects. */
static __attribute__((noinline)) uint8_t *put_all(es_encoder *e, uint8_t *out, uint8_t *unknown, const es_hit *hit)
{
    const es_schema_statement *statement = &e->schema->statements[hit->statement];
    const es_hit_layout *layout = &e->hits[hit->statement].layout;
    size_t there = hit->value_count < layout->fields ? hit->value_count : layout->fields;
    for (size_t i = 0; i < layout->fields; i++)
        if (i >= there || !hit->values[i].known)
            set_unknown(unknown, i);
    for (size_t i = 0; i < statement->value_count; i++)
        out = put_any(e, out, &layout->slots[i], i < there ? &hit->values[i] : NULL);
    for (size_t k = 0; k < statement->object_count; k++) {
        const es_composite *object = &statement->objects[k];
        const es_composite_state *state = k < hit->object_count ? &hit->objects[k] : NULL;
        *out++ = state && state->found;
        out = es_put32(out, state ? number_of(e, state->why) : 0);
        out = es_put32(out, state ? state->address : 0);
        for (size_t i = object->first; i < object->first + object->count; i++)
            out = put_any(e, out, &layout->slots[i], i < there ? &hit->values[i] : NULL);
    }
    return out;
}

/* Why values are not known, where that is known. */
static __attribute__((noinline)) uint8_t *put_reasons(es_encoder *e, uint8_t *out, const es_hit *hit, size_t most)
{
    uint8_t *count = out++;
    *count = 0;
    for (size_t i = 0; i < most && i < hit->value_count; i++)
        if (!hit->values[i].known && hit->values[i].about) {
            out = es_put32(es_put16(out, (uint16_t)i), number_of(e, hit->values[i].about));
            ++*count;
        }
    return out;
}

static __attribute__((noinline)) uint8_t *put_times(uint8_t *out, const es_hit *hit)
{
    for (unsigned i = 0; i < 3; i++)
        out = es_put64(out, hit->flags & ES_HIT_TIMES ? hit->times[i] : 0);
    return out;
}

uint8_t *es_encode_hit(es_encoder *e, uint8_t *out, const es_hit *hit)
{
    es_hit_plan *plan = &e->hits[hit->statement];
    const es_hit_layout *layout = &plan->layout;
    bool is_all_there = hit->value_count >= layout->fields && hit->object_count >= layout->objects;
    if (hit->time > e->time)
        e->time = hit->time;
    if (__builtin_expect(hit->time != e->time || !is_all_there, false))
        out = put_exact(e, out, hit->time, hit->value_count, hit->object_count);
    out = put_hit_head(e, out, plan, hit);
    if (__builtin_expect(e->schema->times, false))
        out = put_times(out, hit);
    uint8_t *unknown = out;
    for (size_t at = 0; at < layout->unknown; at += 8)
        es_put64(unknown + at, 0);
    out += layout->unknown;
    if (__builtin_expect(layout->only_slots && is_all_there, true))
        out = put_slots(out, unknown, hit->values, layout);
    else
        out = put_all(e, out, unknown, hit);
    return layout->reasons ? put_reasons(e, out, hit, layout->reasons) : out;
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

static uint8_t *put_lost(es_encoder *e, uint8_t *out, const es_lost *lost)
{
    /* What comes next comes after it. */
    if (lost->time > e->time)
        e->time = lost->time;
    if (lost->last != ES_NO_TIME && lost->last > e->time)
        e->time = lost->last;
    out = put_head(e, out, ES_TRACE_LOST);
    out = es_put64(es_put64(es_put64(out, lost->time), lost->last), lost->count);
    *out++ = (uint8_t)lost->what;
    return out;
}

static uint8_t *put_double(uint8_t *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return es_put64(out, bits);
}

static uint8_t *put_progress(const es_encoder *e, uint8_t *out, const es_progress *p)
{
    out = put_head(e, out, ES_TRACE_PROGRESS);
    out = put_double(es_put64(es_put64(es_put64(out, p->hits), p->lost), p->time), p->wall_seconds);
    for (size_t i = 0; i < e->schema->statement_count; i++)
        out = es_put64(out, p->statement_hits[i]);
    return out;
}

static uint8_t *put_clock(const es_encoder *e, uint8_t *out, const es_clock_told *c)
{
    out = es_put64(put_head(e, out, ES_TRACE_CLOCK), c->time);
    out = es_put64(es_put64(out, (uint64_t)c->steady_ns), (uint64_t)c->unix_ns);
    out = put_double(put_double(es_put64(out, (uint64_t)c->error_ns), c->drift_ppm), c->drift_error_ppm);
    out = es_put32(es_put64(out, c->from), c->restarts);
    *out++ = c->known;
    return put_text(out, c->computer);
}

static uint8_t *put_inferred(es_encoder *e, uint8_t *out, const es_inferred *inferred)
{
    out = es_put64(es_put64(put_head(e, out, ES_TRACE_INFERRED), inferred->time), inferred->hit);
    out = es_put32(es_put32(out, inferred->statement), inferred->pc);
    *out++ = inferred->only;
    out = es_put32(put_double(out, inferred->other), (uint32_t)inferred->path_count);
    for (size_t i = 0; i < inferred->path_count; i++)
        out = put_double(es_put32(out, number_of(e, inferred->paths[i].path)), inferred->paths[i].probability);
    return out;
}

static uint8_t *put_texts(uint8_t *out, const char *const *texts)
{
    uint32_t count = 0;
    while (texts && texts[count])
        count++;
    out = es_put32(out, count);
    for (uint32_t i = 0; i < count; i++)
        out = put_text(out, texts[i]);
    return out;
}

static uint8_t *put_summary(const es_encoder *e, uint8_t *out, const es_summary *s)
{
    const uint64_t numbers[] = {
        s->hits,           s->lost_bus, s->lost_events,           s->lost_link, s->unknown, s->stack_switches,
        s->tasks_given_up, s->torn,     (uint64_t)s->unaccounted, s->cycles};
    const bool truths[] = {s->complete, s->exited, s->trapped, s->halted, s->mismatch};
    out = put_head(e, out, ES_TRACE_SUMMARY);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        out = es_put64(out, numbers[i]);
    out = es_put32(put_double(out, s->wall_seconds), (uint32_t)s->exit_code);
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        *out++ = truths[i];
    for (unsigned i = 0; i < 8; i++)
        out = es_put64(out, s->pulses[i]);
    for (size_t i = 0; i < e->schema->statement_count; i++)
        out = es_put64(out, s->statement_hits[i]);
    for (size_t i = 0; i < e->schema->counter_count; i++)
        out = es_put32(out, s->counters[i]);
    for (size_t i = 0; i < e->schema->statement_count; i++) {
        *out++ = (uint8_t)s->judged[i].verdict;
        *out++ = s->judged[i].why != NULL;
        out = put_text(out, s->judged[i].why);
    }
    /* 4: what follows them is there */
    *out++ = (uint8_t)((s->switched_in ? 1 : 0) | (s->switched_by ? 2 : 0) | 4u);
    out = put_texts(put_texts(out, s->switched_in), s->switched_by);
    for (size_t i = 0; i < e->schema->statement_count; i++)
        out = es_put64(out, s->statement_unknown ? s->statement_unknown[i] : 0);
    return out;
}

uint8_t *es_encode_other(es_encoder *e, uint8_t *out, const es_record *record)
{
    switch (record->kind) {
    case ES_RECORD_HIT: return es_encode_hit(e, out, record->hit);
    case ES_RECORD_LOST: return put_lost(e, out, record->lost);
    case ES_RECORD_CONSOLE:
    case ES_RECORD_NOTE:
    case ES_RECORD_WARNING:
        out = put_head(e, out, ES_TRACE_CONSOLE + (unsigned)(record->kind - ES_RECORD_CONSOLE));
        out = es_put32(out, (uint32_t)record->text.size + 1);
        memcpy(out, record->text.bytes, record->text.size);
        out[record->text.size] = 0;
        return out + record->text.size + 1;
    case ES_RECORD_INFERRED: return put_inferred(e, out, record->inferred);
    case ES_RECORD_PROGRESS: return put_progress(e, out, record->progress);
    case ES_RECORD_CLOCK: return put_clock(e, out, record->clock);
    case ES_RECORD_SUMMARY: return put_summary(e, out, record->summary);
    default: return out;
    }
}
