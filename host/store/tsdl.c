#include "store/tsdl.h"

#include <inttypes.h>
#include <string.h>

void es_tsdl_quoted(es_text_buffer *out, const char *text, size_t length)
{
    es_text_add(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            es_text_format(out, "\\%c", c);
        else if (c == '\n')
            es_text_add(out, "\\n", 2);
        else if (c < ' ' || c == 0x7F)
            es_text_format(out, "\\%03o", c);
        else
            es_text_add(out, text + i, 1);
    }
    es_text_add(out, "\"", 1);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

void es_tsdl_name(es_text_buffer *out, const char *text)
{
    size_t begin = out->length;
    for (; *text; text++)
        if (is_word(*text) || *text == '_') {
            if (out->length == begin)
                es_text_add(out, "_", 1);
            es_text_add(out, text, 1);
        } else if (out->length > begin && out->text[out->length - 1] != '_') {
            es_text_add(out, "_", 1);
        }
    while (out->length > begin + 1 && out->text[out->length - 1] == '_')
        out->text[--out->length] = 0;
    if (out->length <= begin + 1)
        es_text_format(out, "%s", out->length == begin ? "_value" : "value");
}

void es_tsdl_begin(es_text_buffer *out)
{
    es_text_format(out, "/* CTF 1.8 */\n\n");
    for (unsigned bits = 8; bits <= 64; bits *= 2)
        es_text_format(out,
                       "typealias integer { size = %u; align = 8; signed = false; } := uint%u_t;\n"
                       "typealias integer { size = %u; align = 8; signed = true; } := int%u_t;\n",
                       bits, bits, bits, bits);
    es_text_format(
        out, "typealias floating_point { exp_dig = 8; mant_dig = 24; byte_order = le; align = 8; } := float;\n"
             "typealias floating_point { exp_dig = 11; mant_dig = 53; byte_order = le; align = 8; } := double;\n\n"
             "trace {\n    major = 1;\n    minor = 8;\n    byte_order = le;\n"
             "    packet.header := struct {\n        uint32_t magic;\n        uint32_t stream_id;\n"
             "        uint64_t stream_instance_id;\n    };\n};\n\n");
}

void es_tsdl_clock(es_text_buffer *out, uint64_t hz, int64_t origin_ns)
{
    const int64_t billion = 1000000000;
    es_text_format(out, "clock {\n    name = target;\n    freq = %" PRIu64 ";\n", hz);
    if (origin_ns > 0) /* the product below is less than 10^19: hz is at most 10^10 */
        es_text_format(out, "    offset_s = %" PRId64 ";\n    offset = %" PRIu64 ";\n    absolute = true;\n",
                       origin_ns / billion, (uint64_t)(origin_ns % billion) * hz / (uint64_t)billion);
    es_text_format(out, "};\n\ntypealias integer { size = 64; align = 8; signed = false; map = clock.target.value; } "
                        ":= target_time;\n\n");
}

void es_tsdl_stream(es_text_buffer *out, const char *id_type)
{
    es_text_format(
        out,
        "stream {\n    id = 0;\n    packet.context := struct {\n"
        "        target_time timestamp_begin;\n        target_time timestamp_end;\n        uint64_t content_size;\n"
        "        uint64_t packet_size;\n        uint64_t packet_seq_num;\n        uint64_t events_discarded;\n    };\n"
        "    event.header := struct {\n        %s id;\n        target_time timestamp;\n    };\n};\n\n",
        id_type);
}
