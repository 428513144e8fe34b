#include "cli/infer/ctf_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CPU_OF_PACKET "cpu_id"
#define CPU "cpu" /* as Trace Compass calls the CPU of an event, if it has no field of the name */

enum scope { PAYLOAD, SPECIFIC, COMMON, PACKET, SCOPES };

/* Where a field is: a member of the scope's structure, or a member of a member. */
typedef struct place {
    enum scope scope;
    uint64_t member, part;
    bool nested;
    uint32_t field;
} place;

typedef struct known_class {
    const bt_event_class *class;
    uint32_t event; /* ES_INFER_NONE: no machine knows it */
    place *places;
    uint32_t count;
} known_class;

struct es_infer_ctf_fields {
    es_infer_words *words;
    es_arena *arena;
    known_class **slots;
    uint32_t slot_count, count;
    es_infer_value values[ES_INFER_FIELDS_MAX];
};

es_infer_ctf_fields *es_infer_ctf_fields_new(es_infer_words *words)
{
    es_arena *arena = es_arena_new();
    es_infer_ctf_fields *fields = es_arena_alloc(arena, sizeof *fields);
    fields->words = words;
    fields->arena = arena;
    fields->slot_count = 256;
    fields->slots = es_arena_alloc(arena, fields->slot_count * sizeof(known_class *));
    return fields;
}

void es_infer_ctf_fields_free(es_infer_ctf_fields *fields)
{
    es_arena *arena = fields->arena;
    es_arena_free(arena);
}

/* --- finding them ---------------------------------------------------------------------------------------------- */

static void add_place(es_infer_ctf_fields *f, known_class *known, const char *name, place where)
{
    where.field = es_infer_field_number(f->words, name, strlen(name), false);
    if (where.field == ES_INFER_NONE)
        return;
    for (uint32_t i = 0; i < known->count; i++)
        if (known->places[i].field == where.field)
            return; /* what is nearer to the event counts */
    known->places = es_arena_grow(f->arena, known->places, known->count, sizeof *known->places);
    known->places[known->count++] = where;
}

static void find_places(es_infer_ctf_fields *f, known_class *known, enum scope scope, const bt_field_class *structure)
{
    if (!structure || bt_field_class_get_type(structure) != BT_FIELD_CLASS_TYPE_STRUCTURE)
        return;
    for (uint64_t i = 0; i < bt_field_class_structure_get_member_count(structure); i++) {
        const bt_field_class_structure_member *m = bt_field_class_structure_borrow_member_by_index_const(structure, i);
        const bt_field_class *class = bt_field_class_structure_member_borrow_field_class_const(m);
        if (bt_field_class_get_type(class) != BT_FIELD_CLASS_TYPE_STRUCTURE) {
            const char *name = bt_field_class_structure_member_get_name(m);
            add_place(f, known, name, (place){.scope = scope, .member = i});
            if (scope == PACKET && strcmp(name, CPU_OF_PACKET) == 0)
                add_place(f, known, CPU, (place){.scope = scope, .member = i});
            continue;
        }
        for (uint64_t k = 0; k < bt_field_class_structure_get_member_count(class); k++)
            add_place(f, known,
                      bt_field_class_structure_member_get_name(
                          bt_field_class_structure_borrow_member_by_index_const(class, k)),
                      (place){.scope = scope, .member = i, .part = k, .nested = true});
    }
}

static known_class *class_of(es_infer_ctf_fields *f, const bt_event_class *class)
{
    uint32_t mask = f->slot_count - 1, i = (uint32_t)((uintptr_t) class * UINT64_C(0x9E3779B97F4A7C15) >> 40) & mask;
    while (f->slots[i] && f->slots[i]->class != class)
        i = (i + 1) & mask;
    if (f->slots[i])
        return f->slots[i];
    if ((f->count + 1) * 2 > f->slot_count) {
        known_class **old = f->slots;
        uint32_t count = f->slot_count;
        f->slot_count *= 2;
        f->slots = es_arena_alloc(f->arena, f->slot_count * sizeof(known_class *));
        for (uint32_t k = 0; k < count; k++) {
            if (!old[k])
                continue;
            uint32_t to =
                (uint32_t)((uintptr_t)old[k]->class * UINT64_C(0x9E3779B97F4A7C15) >> 40) & (f->slot_count - 1);
            while (f->slots[to])
                to = (to + 1) & (f->slot_count - 1);
            f->slots[to] = old[k];
        }
        return class_of(f, class);
    }
    const bt_stream_class *stream = bt_event_class_borrow_stream_class_const(class);
    const char *name = bt_event_class_get_name(class);
    known_class *known = f->slots[i] = es_arena_alloc(f->arena, sizeof *known);
    f->count++;
    known->class = class;
    known->event = name ? es_infer_event_number(f->words, name, strlen(name), f->words->open) : ES_INFER_NONE;
    if (known->event == ES_INFER_NONE)
        return known;
    find_places(f, known, PAYLOAD, bt_event_class_borrow_payload_field_class_const(class));
    find_places(f, known, SPECIFIC, bt_event_class_borrow_specific_context_field_class_const(class));
    find_places(f, known, COMMON, bt_stream_class_borrow_event_common_context_field_class_const(stream));
    if (bt_stream_class_supports_packets(stream))
        find_places(f, known, PACKET, bt_stream_class_borrow_packet_context_field_class_const(stream));
    return known;
}

/* --- reading them ---------------------------------------------------------------------------------------------- */

static const bt_field *scope_of(const bt_event *event, enum scope scope)
{
    switch (scope) {
    case PAYLOAD: return bt_event_borrow_payload_field_const(event);
    case SPECIFIC: return bt_event_borrow_specific_context_field_const(event);
    case COMMON: return bt_event_borrow_common_context_field_const(event);
    default: return bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(event));
    }
}

static es_infer_value unsigned_value(uint64_t value)
{
    return value > INT64_MAX ? es_infer_number_value((int64_t)value) : (int64_t)value;
}

static es_infer_value text_value(es_infer_words *words, const char *text)
{
    return es_infer_text_value(words, text, strlen(text));
}

/* An enumeration is the text of its label, a number where it has none. False: a field that is no single value. */
static bool value_of(es_infer_words *words, const bt_field *field, es_infer_value *value)
{
    bt_field_class_type type = bt_field_get_class_type(field);
    bt_field_class_enumeration_mapping_label_array labels;
    uint64_t count = 0;
    if (type == BT_FIELD_CLASS_TYPE_STRING)
        *value = text_value(words, bt_field_string_get_value(field));
    else if (type == BT_FIELD_CLASS_TYPE_BOOL)
        *value = bt_field_bool_get_value(field);
    else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
        *value = unsigned_value(bt_field_bit_array_get_value_as_integer(field));
    else if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION &&
             bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &count) ==
                 BT_FIELD_ENUMERATION_GET_MAPPING_LABELS_STATUS_OK &&
             count)
        *value = text_value(words, labels[0]);
    else if (type == BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION &&
             bt_field_enumeration_signed_get_mapping_labels(field, &labels, &count) ==
                 BT_FIELD_ENUMERATION_GET_MAPPING_LABELS_STATUS_OK &&
             count)
        *value = text_value(words, labels[0]);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
        *value = unsigned_value(bt_field_integer_unsigned_get_value(field));
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
        *value = es_infer_number_value(bt_field_integer_signed_get_value(field));
    else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL || type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL) {
        double real = type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL
                          ? bt_field_real_single_precision_get_value(field)
                          : bt_field_real_double_precision_get_value(field);
        if (!(fabs(real) < 9e18))
            return false;
        *value = (int64_t)real;
    } else
        return false;
    return true;
}

void es_infer_ctf_fields_read(es_infer_ctf_fields *f, const bt_event *event, es_infer_event *to)
{
    const known_class *known = class_of(f, bt_event_borrow_class_const(event));
    to->event = known->event;
    to->values = f->values;
    to->present = 0;
    for (uint32_t i = 0; i < known->count; i++) {
        const place *p = &known->places[i];
        const bt_field *field = scope_of(event, p->scope);
        field = field ? bt_field_structure_borrow_member_field_by_index_const(field, p->member) : NULL;
        if (field && p->nested)
            field = bt_field_structure_borrow_member_field_by_index_const(field, p->part);
        if (field && value_of(f->words, field, &f->values[p->field]))
            to->present |= UINT64_C(1) << p->field;
    }
}

/* --- of packets ------------------------------------------------------------------------------------------------ */

/* Does a scope have a field of the name, in a part of it or not? */
static bool has_name(const bt_field_class *class, const char *name, bool parts)
{
    if (!class || bt_field_class_get_type(class) != BT_FIELD_CLASS_TYPE_STRUCTURE)
        return false;
    for (uint64_t i = 0; i < bt_field_class_structure_get_member_count(class); i++) {
        const bt_field_class_structure_member *m = bt_field_class_structure_borrow_member_by_index_const(class, i);
        if (strcmp(bt_field_class_structure_member_get_name(m), name) == 0 ||
            (parts && has_name(bt_field_class_structure_member_borrow_field_class_const(m), name, false)))
            return true;
    }
    return false;
}

/* Do events of the stream have one of the name themselves? */
static bool have_events(const bt_stream_class *stream, const char *name)
{
    bool any = has_name(bt_stream_class_borrow_event_common_context_field_class_const(stream), name, true);
    for (uint64_t i = 0; i < bt_stream_class_get_event_class_count(stream) && !any; i++) {
        const bt_event_class *class = bt_stream_class_borrow_event_class_by_index_const(stream, i);
        any = has_name(bt_event_class_borrow_payload_field_class_const(class), name, true) ||
              has_name(bt_event_class_borrow_specific_context_field_class_const(class), name, true);
    }
    return any;
}

uint32_t es_infer_ctf_fields_of_packet(const es_infer_ctf_fields *f, const bt_stream_class *stream)
{
    const bt_field_class *class = bt_stream_class_supports_packets(stream)
                                      ? bt_stream_class_borrow_packet_context_field_class_const(stream)
                                      : NULL;
    for (uint64_t i = 0; class && i < bt_field_class_structure_get_member_count(class); i++) {
        const char *name =
            bt_field_class_structure_member_get_name(bt_field_class_structure_borrow_member_by_index_const(class, i));
        uint32_t field = es_infer_field_number(f->words, name, strlen(name), false);
        if (field == ES_INFER_NONE && strcmp(name, CPU_OF_PACKET) == 0)
            field = es_infer_field_number(f->words, name = CPU, strlen(CPU), false);
        if (field != ES_INFER_NONE && !have_events(stream, name))
            return field;
    }
    return ES_INFER_NONE;
}

bool es_infer_ctf_fields_packet_value(es_infer_ctf_fields *f, const bt_packet *packet, uint32_t field,
                                      es_infer_value *value)
{
    const bt_field *context = bt_packet_borrow_context_field_const(packet);
    const bt_field_class *class = context ? bt_field_borrow_class_const(context) : NULL;
    for (uint64_t i = 0; class && i < bt_field_class_structure_get_member_count(class); i++) {
        const char *name =
            bt_field_class_structure_member_get_name(bt_field_class_structure_borrow_member_by_index_const(class, i));
        if (es_infer_field_number(f->words, name, strlen(name), false) == field ||
            (strcmp(name, CPU_OF_PACKET) == 0 && es_infer_field_number(f->words, CPU, strlen(CPU), false) == field))
            return value_of(f->words, bt_field_structure_borrow_member_field_by_index_const(context, i), value);
    }
    return false;
}
