#include "record/value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/times.h"

int64_t es_value_int(const es_field *field, const es_value *value)
{
    uint64_t mask = field->bits >= 64 ? UINT64_MAX : (UINT64_C(1) << field->bits) - 1;
    uint64_t low = value->bits & mask;
    if (field->is_signed && field->bits && low >> (field->bits - 1))
        low |= ~mask;
    return (int64_t)low;
}

static float as_float(uint64_t word)
{
    uint32_t bits = (uint32_t)word;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double es_value_double(const es_field *field, const es_value *value)
{
    double wide;
    memcpy(&wide, &value->bits, sizeof wide);
    return field->bits == 64 ? wide : (double)as_float(value->bits);
}

static const char *label_of(const es_field *field, int64_t value)
{
    for (size_t i = 0; i < field->label_count; i++)
        if (field->labels[i].value == value)
            return field->labels[i].name;
    return NULL;
}

/* A|B, when all labels are single bits and some of them make up the value. */
static bool add_flags(es_text_buffer *out, const es_field *field, int64_t value)
{
    int64_t rest = value;
    for (size_t i = 0; i < field->label_count; i++) {
        int64_t bit = field->labels[i].value;
        if (bit < 0 || (bit & (bit - 1)) != 0)
            return false;
        rest &= ~bit;
    }
    if (value <= 0 || rest != 0)
        return false;
    for (size_t i = 0; i < field->label_count; i++)
        if (field->labels[i].value & value) {
            es_text_format(out, "%s%s", rest ? "|" : "", field->labels[i].name);
            value &= ~field->labels[i].value; /* two names for one bit: the first is shown */
            rest = 1;
        }
    return true;
}

static void add_character(es_text_buffer *out, unsigned char c)
{
    es_text_add(out, "'", 1);
    es_text_escape(out, c, '\'');
    es_text_add(out, "'", 1);
}

static void add_text(es_text_buffer *out, const es_field *field, const char *text)
{
    if (field->is_parts) {
        es_text_format(out, "%s", text);
        return;
    }
    es_text_add(out, "\"", 1);
    for (; *text; text++)
        es_text_escape(out, (unsigned char)*text, '"');
    es_text_add(out, "\"", 1);
}

static void add_float(es_text_buffer *out, double value, bool is_double)
{
    char text[32];
    if (isnan(value)) {
        es_text_format(out, "nan");
    } else if (isinf(value)) {
        es_text_format(out, "%sinf", value < 0 ? "-" : "");
    } else {
        if (is_double)
            es_double_text(text, value);
        else
            es_float_text(text, (float)value);
        es_text_format(out, "%s", text);
    }
}

static void add_pointer(es_text_buffer *out, const es_schema *schema, const es_value *value)
{
    const char *about = es_names_text(schema->names, value->about);
    if (!(uint32_t)value->bits)
        es_text_format(out, "NULL");
    else
        es_text_format(out, "0x%08x%s%s", (unsigned)value->bits, about ? " " : "", about ? about : "");
}

void es_value_text(es_text_buffer *out, const es_schema *schema, const es_field *field, const es_value *value,
                   bool utf8)
{
    int64_t number = es_value_int(field, value);
    if (!value->known) {
        es_text_add(out, field->kind == ES_FIELD_BYTE ? "??" : "?", field->kind == ES_FIELD_BYTE ? 2 : 1);
        return;
    }
    switch (field->kind) {
    case ES_FIELD_CHAR: add_character(out, (unsigned char)number); return;
    case ES_FIELD_FLOAT: add_float(out, es_value_double(field, value), field->bits == 64); return;
    case ES_FIELD_POINTER: add_pointer(out, schema, value); return;
    case ES_FIELD_LENGTH: es_length_text(out, es_time_ns(value->bits, schema->clock_hz), utf8); return;
    case ES_FIELD_BYTE: es_text_format(out, "%02x", (unsigned)number & 0xFF); return;
    case ES_FIELD_TEXT: add_text(out, field, value->text); return;
    case ES_FIELD_BOOL:
        if (number == 0 || number == 1) {
            es_text_format(out, "%s", number ? "true" : "false");
            return;
        }
        break;
    case ES_FIELD_ENUM: {
        const char *label = label_of(field, number);
        if (label)
            es_text_format(out, "%s", label);
        if (label || add_flags(out, field, number))
            return;
        break;
    }
    case ES_FIELD_INT: break;
    }
    if (field->is_signed || field->kind != ES_FIELD_INT)
        es_text_format(out, "%" PRId64, number);
    else
        es_text_format(out, "%" PRIu64, (uint64_t)number);
}

void es_value_json(es_json *json, const es_schema *schema, const es_field *field, const es_value *value)
{
    int64_t number = es_value_int(field, value);
    const char *label = field->kind == ES_FIELD_ENUM ? label_of(field, number) : NULL;
    if (!value->known)
        es_json_null(json);
    else if (field->kind == ES_FIELD_TEXT)
        es_json_string(json, value->text);
    else if (field->kind == ES_FIELD_FLOAT && field->bits == 64)
        es_json_double(json, es_value_double(field, value));
    else if (field->kind == ES_FIELD_FLOAT)
        es_json_float(json, as_float(value->bits));
    else if (field->kind == ES_FIELD_LENGTH)
        es_json_uint(json, es_time_ns(value->bits, schema->clock_hz));
    else if (field->kind == ES_FIELD_BOOL && (number == 0 || number == 1))
        es_json_bool(json, number == 1);
    else if (label)
        es_json_string(json, label);
    else if (field->is_signed)
        es_json_int(json, number);
    else
        es_json_uint(json, (uint64_t)number);
}
