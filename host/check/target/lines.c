#include "check/target/lines.h"

#include <string.h>

#include "base/text.h"

const char *es_check_line(es_arena *arena, const es_symbols *symbols, uint32_t address)
{
    return es_check_lines(arena, symbols, &address, 1);
}

const char *es_check_lines(es_arena *arena, const es_symbols *symbols, const uint32_t *addresses, size_t count)
{
    es_text_buffer text = {0};
    for (size_t i = 0; i < count; i++) {
        const es_procedure *in = es_symbols_procedure_at(symbols, addresses[i]);
        bool seen = false;
        for (size_t k = 0; k < i; k++)
            seen |= es_symbols_procedure_at(symbols, addresses[k]) == in;
        if (seen)
            continue;
        const char *file = NULL, *name = NULL;
        unsigned least = 0, most = 0, line;
        for (size_t k = i; k < count; k++) {
            if (es_symbols_procedure_at(symbols, addresses[k]) != in ||
                !es_symbols_line(symbols, addresses[k], &name, &line))
                continue;
            if (!file)
                file = name, least = most = line;
            if (strcmp(file, name) != 0)
                continue;
            least = line < least ? line : least;
            most = line > most ? line : most;
        }
        const char *procedure = in ? in->name : "?", *comma = text.length ? ", " : "";
        if (!file)
            es_text_format(&text, "%s0x%08x (%s)", comma, (unsigned)addresses[i], procedure);
        else if (least == most)
            es_text_format(&text, "%s%s:%u (%s)", comma, file, least, procedure);
        else
            es_text_format(&text, "%s%s:%u-%u (%s)", comma, file, least, most, procedure);
    }
    const char *copy = es_arena_format(arena, "%s", text.length ? text.text : "");
    es_text_free(&text);
    return copy;
}
