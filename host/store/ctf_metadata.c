#include "store/ctf_metadata.h"

#include <inttypes.h>
#include <string.h>

#include "store/tsdl.h"

static void put_quoted(es_text_buffer *out, const char *text)
{
    es_tsdl_quoted(out, text, strlen(text));
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
    es_tsdl_begin(out);
    es_text_format(out, "env {\n    tracer_name = \"earshot\";\n");
    for (size_t i = 0; options->env && options->env[i]; i += 2) {
        es_text_format(out, "    %s = ", options->env[i]);
        put_quoted(out, options->env[i + 1]);
        es_text_format(out, ";\n");
    }
    es_text_format(out, "};\n\n");
    es_tsdl_clock(out, options->clock_hz, options->offset_s * 1000000000);
    es_tsdl_stream(out, "uint32_t");
    for (size_t i = 0; i < options->class_count; i++)
        put_class(out, &options->classes[i], i);
}
