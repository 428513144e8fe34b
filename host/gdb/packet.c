#include "gdb/packet.h"

#include <string.h>

#define ESCAPE '}'
#define ESCAPED_BY 0x20
#define TEXT_PART 512 /* bytes of a text in one packet */

int es_gdb_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool es_gdb_number(const char **at, uint64_t *value)
{
    const char *begin = *at;
    *value = 0;
    for (; es_gdb_digit(**at) >= 0; ++*at) {
        if (*value >> 60)
            return false;
        *value = *value << 4 | (unsigned)es_gdb_digit(**at);
    }
    return *at != begin;
}

void es_gdb_hex(es_text_buffer *out, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    char *to = es_text_room(out, 2 * count);
    for (size_t i = 0; i < count; i++) {
        to[2 * i] = digits[bytes[i] >> 4];
        to[2 * i + 1] = digits[bytes[i] & 15];
    }
    to[2 * count] = '\0';
    out->length += 2 * count;
}

static void begin(es_gdb_reader *reader)
{
    reader->state = ES_GDB_IN_DATA;
    reader->length = 0;
    reader->sum = 0;
    reader->damaged = false;
}

static void take(es_gdb_reader *reader, uint8_t byte)
{
    if (reader->length < ES_GDB_PACKET_MAX)
        reader->data[reader->length++] = (char)byte;
    else
        reader->damaged = true;
}

static enum es_gdb_input read_between(es_gdb_reader *reader, uint8_t byte)
{
    switch (byte) {
    case '$': begin(reader); return ES_GDB_NOTHING;
    case 0x03: return ES_GDB_INTERRUPT;
    case '-': return ES_GDB_AGAIN;
    default: return ES_GDB_NOTHING; /* acknowledgements, and what else there may be */
    }
}

static enum es_gdb_input read_data(es_gdb_reader *reader, uint8_t byte)
{
    if (byte == '$') { /* the end of the one before was lost */
        begin(reader);
        return ES_GDB_NOTHING;
    }
    if (byte == '#') {
        reader->damaged |= reader->state == ES_GDB_ESCAPED;
        reader->state = ES_GDB_CHECKSUM;
        return ES_GDB_NOTHING;
    }
    reader->sum = (uint8_t)(reader->sum + byte);
    if (reader->state == ES_GDB_ESCAPED) {
        take(reader, byte ^ ESCAPED_BY);
        reader->state = ES_GDB_IN_DATA;
    } else if (byte == ESCAPE) {
        reader->state = ES_GDB_ESCAPED;
    } else {
        take(reader, byte);
    }
    return ES_GDB_NOTHING;
}

enum es_gdb_input es_gdb_read(es_gdb_reader *reader, uint8_t byte)
{
    int digit = es_gdb_digit((char)byte);
    switch (reader->state) {
    case ES_GDB_BETWEEN: return read_between(reader, byte);
    case ES_GDB_IN_DATA:
    case ES_GDB_ESCAPED: return read_data(reader, byte);
    case ES_GDB_CHECKSUM:
        reader->damaged |= digit < 0;
        reader->told = (uint8_t)((unsigned)digit << 4);
        reader->state = ES_GDB_CHECKSUM_LOW;
        return ES_GDB_NOTHING;
    case ES_GDB_CHECKSUM_LOW:
    default:
        reader->state = ES_GDB_BETWEEN;
        reader->data[reader->length] = '\0';
        return reader->damaged || digit < 0 || (reader->told | (unsigned)digit) != reader->sum ? ES_GDB_DAMAGED
                                                                                               : ES_GDB_PACKET;
    }
}

void es_gdb_frame(es_text_buffer *out, const char *data, size_t length)
{
    uint8_t sum = 0;
    es_text_add(out, "$", 1);
    for (size_t i = 0; i < length; i++) {
        char c = data[i];
        if (strchr("$#}*", c) && c) {
            char escaped[2] = {ESCAPE, (char)(c ^ ESCAPED_BY)};
            es_text_add(out, escaped, 2);
            sum = (uint8_t)(sum + (uint8_t)escaped[0] + (uint8_t)escaped[1]);
        } else {
            es_text_add(out, &c, 1);
            sum = (uint8_t)(sum + (uint8_t)c);
        }
    }
    es_text_format(out, "#%02x", sum);
}

void es_gdb_frame_text(es_text_buffer *out, const char *text, size_t length)
{
    for (size_t part; length; text += part, length -= part) {
        part = length < TEXT_PART ? length : TEXT_PART;
        es_text_buffer packet = {0};
        es_text_add(&packet, "O", 1);
        es_gdb_hex(&packet, (const uint8_t *)text, part);
        es_gdb_frame(out, packet.text, packet.length);
        es_text_free(&packet);
    }
}
