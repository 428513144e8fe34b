#include "session/pointee.h"

#include <string.h>

#define TEXT_SHOWN 40 /* bytes of a constant text */

/* The text at an address that the program never writes, as far as it is one: printable, and with an end. */
static bool add_constant_text(es_text_buffer *out, const es_symbols *symbols, uint32_t address)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++) {
        uint32_t offset = address - segments[i].address;
        if (segments[i].writable || address < segments[i].address || offset >= segments[i].size)
            continue;
        const uint8_t *text = segments[i].bytes + offset, *end = memchr(text, 0, segments[i].size - offset);
        if (!end)
            continue;
        for (const uint8_t *at = text; at < end; at++)
            if ((*at < ' ' && *at != '\n' && *at != '\t') || *at >= 0x7F)
                return false;
        es_text_add(out, "\"", 1);
        for (const uint8_t *at = text; at < end && at < text + TEXT_SHOWN; at++)
            es_text_escape(out, *at, '"');
        es_text_format(out, "\"%s", end > text + TEXT_SHOWN ? "..." : "");
        return true;
    }
    return false;
}

bool es_pointee_text(es_text_buffer *out, const es_symbols *symbols, const es_type *type, uint32_t address)
{
    const es_variable *variable = es_symbols_variable_at(symbols, address);
    const es_procedure *procedure = es_symbols_procedure_at(symbols, address);
    if (variable)
        es_text_format(out, "<%s>", variable->name);
    else if (procedure && procedure->low == address && procedure->name)
        es_text_format(out, "<%s>", procedure->name);
    else
        return type && type->of && type->of->kind == ES_TYPE_CHAR && add_constant_text(out, symbols, address);
    return true;
}
