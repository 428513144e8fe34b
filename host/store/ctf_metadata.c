#include "store/ctf_metadata.h"

#include <inttypes.h>

/* A string literal: quotes, backslashes and control characters escaped. */
static void put_quoted(es_text_buffer *out, const char *text)
{
    es_text_add(out, "\"", 1);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            es_text_format(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ' || *text == 0x7F)
            es_text_add(out, " ", 1);
        else
            es_text_add(out, text, 1);
    }
    es_text_add(out, "\"", 1);
}

static void put_field(es_text_buffer *out, const es_ctf_field *field)
{
    static const char *const types[] = {"uint64_t", "int64_t", "double", "string", ""};
    if (field->type != ES_CTF_ENUM) {
        /* The underscore keeps names from being words of TSDL; readers take it away. */
        es_text_format(out, "        %s _%s;\n", types[field->type], field->name);
        return;
    }
    es_text_format(out, "        enum : uint8_t {");
    for (size_t i = 0; field->labels[i]; i++) {
        es_text_format(out, i ? ", " : " ");
        put_quoted(out, field->labels[i]);
        es_text_format(out, " = %zu", i);
    }
    es_text_format(out, " } _%s;\n", field->name);
}

static void put_class(es_text_buffer *out, const es_ctf_class *class, size_t id)
{
    es_text_format(out, "event {\n    name = ");
    put_quoted(out, class->name);
    es_text_format(out, ";\n    id = %zu;\n    stream_id = 0;\n    fields := struct {\n", id);
    for (size_t i = 0; i < class->field_count; i++)
        put_field(out, &class->fields[i]);
    es_text_format(out, "    };\n};\n\n");
}

void es_ctf_metadata(const es_ctf_options *options, es_text_buffer *out)
{
    es_text_format(
        out, "/* CTF 1.8 */\n\n"
             "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
             "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
             "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
             "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
             "typealias floating_point { exp_dig = 11; mant_dig = 53; byte_order = le; align = 8; } := double;\n\n"
             "trace {\n    major = 1;\n    minor = 8;\n    byte_order = le;\n"
             "    packet.header := struct {\n        uint32_t magic;\n        uint32_t stream_id;\n"
             "        uint64_t stream_instance_id;\n    };\n};\n\n");
    es_text_format(out, "env {\n    tracer_name = \"earshot\";\n");
    for (size_t i = 0; options->env && options->env[i]; i += 2) {
        es_text_format(out, "    %s = ", options->env[i]);
        put_quoted(out, options->env[i + 1]);
        es_text_format(out, ";\n");
    }
    es_text_format(out, "};\n\nclock {\n    name = target;\n    freq = %" PRIu64 ";\n", options->clock_hz);
    if (options->offset_s)
        es_text_format(out, "    offset_s = %" PRId64 ";\n    absolute = true;\n", options->offset_s);
    es_text_format(
        out,
        "};\n\n"
        "typealias integer { size = 64; align = 8; signed = false; map = clock.target.value; } := target_time;\n\n"
        "stream {\n    id = 0;\n    packet.context := struct {\n"
        "        target_time timestamp_begin;\n        target_time timestamp_end;\n        uint64_t content_size;\n"
        "        uint64_t packet_size;\n        uint64_t packet_seq_num;\n        uint64_t events_discarded;\n    };\n"
        "    event.header := struct {\n        uint32_t id;\n        target_time timestamp;\n    };\n};\n\n");
    for (size_t i = 0; i < options->class_count; i++)
        put_class(out, &options->classes[i], i);
}
