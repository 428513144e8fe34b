#include "export/html/column.h"

#include "record/value.h"

void es_column_uint(es_text_buffer *column, uint64_t value)
{
    char bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (char)(value | 0x80);
    bytes[count++] = (char)value;
    es_text_add(column, bytes, count);
}

void es_column_int(es_text_buffer *column, int64_t value)
{
    es_column_uint(column, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void add_known(es_value_column *column, bool known)
{
    unsigned bit = (unsigned)(column->rows++ % 8);
    if (bit == 0)
        es_text_add(&column->known, "", 1);
    if (known)
        column->known.text[column->known.length - 1] = (char)(column->known.text[column->known.length - 1] | 1 << bit);
    else
        column->unknown++;
}

static void add_float(es_text_buffer *values, uint64_t word, unsigned size)
{
    char bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (char)(word >> 8 * i);
    es_text_add(values, bytes, size);
}

static void add_integer(es_value_column *column, const es_field *field, const es_value *value)
{
    int64_t number = field->kind == ES_FIELD_LENGTH ? (int64_t)value->bits : es_value_int(field, value);
    uint64_t size = field->is_signed && number < 0 ? -(uint64_t)number : (uint64_t)number;
    column->wide |= size > ES_COLUMN_EXACT;
    es_column_int(&column->values, number);
}

void es_value_column_add(es_value_column *column, const es_field *field, const es_value *value, es_page_texts *texts)
{
    static const es_value none = {.known = false};
    bool known = value && value->known && !(field->kind == ES_FIELD_TEXT && !value->text);
    add_known(column, known);
    if (!known)
        value = &none;
    if (field->kind == ES_FIELD_TEXT)
        es_column_uint(&column->values, es_page_text(texts, known ? value->text : NULL));
    else if (field->kind == ES_FIELD_FLOAT)
        add_float(&column->values, value->bits, field->bits / 8);
    else
        add_integer(column, field, value);
    if (field->kind == ES_FIELD_POINTER)
        es_column_uint(&column->abouts, es_page_text_of_name(texts, value->about));
}

size_t es_value_column_size(const es_value_column *column)
{
    return column->values.length + column->known.length + column->abouts.length;
}

void es_value_column_free(es_value_column *column)
{
    es_text_free(&column->values);
    es_text_free(&column->known);
    es_text_free(&column->abouts);
}
