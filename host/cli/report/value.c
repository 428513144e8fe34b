#include "cli/report/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "image/image.h"

#define TEXT_SHOWN 40 /* bytes of a constant text */

static const es_type counter_type = {.kind = ES_TYPE_INT, .name = "int", .size = 4, .is_signed = true};
static const es_reference counter_reference = {.text = "", .type = &counter_type, .size = 4};

static const es_reference *reference_of(const es_statement *statement, const es_print_item *item)
{
    return item->kind == ES_ITEM_VALUE ? &statement->references[item->index] : &counter_reference;
}

static uint64_t joined(const es_statement *statement, const es_print_item *item, const uint32_t *words)
{
    return es_image_value_words(statement, item) == 2 ? words[0] | (uint64_t)words[1] << 32 : words[0];
}

/* The value in its own width: sign or zero extended. */
static int64_t widen(const es_type *type, unsigned bit_size, uint64_t word)
{
    unsigned bits = bit_size ? bit_size : type->size * 8u;
    uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t value = word & mask;
    if (type->is_signed && value >> (bits - 1))
        value |= ~mask;
    return (int64_t)value;
}

static float as_float(uint64_t word)
{
    uint32_t bits = (uint32_t)word;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double as_double(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static const char *enumerator_name(const es_type *type, int64_t value)
{
    for (size_t i = 0; i < type->enumerator_count; i++)
        if (type->enumerators[i].value == value)
            return type->enumerators[i].name;
    return NULL;
}

/* A|B, when all enumerators are single bits and some of them make up the value. */
static bool add_flags(es_text_buffer *out, const es_type *type, int64_t value)
{
    int64_t rest = value;
    for (size_t i = 0; i < type->enumerator_count; i++) {
        int64_t bit = type->enumerators[i].value;
        if (bit < 0 || (bit & (bit - 1)) != 0)
            return false;
        rest &= ~bit;
    }
    if (value <= 0 || rest != 0)
        return false;
    for (size_t i = 0; i < type->enumerator_count; i++)
        if (type->enumerators[i].value & value) {
            es_text_format(out, "%s%s", rest ? "|" : "", type->enumerators[i].name);
            value &= ~type->enumerators[i].value; /* two names for one bit: the first is shown */
            rest = 1;
        }
    return true;
}

/* As C writes it between quotes of that kind. */
static void add_escaped(es_text_buffer *out, unsigned char c, char quote)
{
    static const char letters[] = "abtnvfr";
    if (c == (unsigned char)quote || c == '\\')
        es_text_format(out, "\\%c", c);
    else if (c >= ' ' && c < 0x7F)
        es_text_format(out, "%c", c);
    else if (c >= '\a' && c <= '\r')
        es_text_format(out, "\\%c", letters[c - '\a']);
    else if (c == 0)
        es_text_format(out, "\\0");
    else
        es_text_format(out, "\\x%02x", c);
}

static void add_character(es_text_buffer *out, unsigned char c)
{
    es_text_add(out, "'", 1);
    add_escaped(out, c, '\'');
    es_text_add(out, "'", 1);
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

/* The text at an address that the program never writes, as far as it is one: printable, and with an end. */
static void add_constant_text(es_text_buffer *out, const es_symbols *symbols, uint32_t address)
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
                return;
        es_text_add(out, " \"", 2);
        for (const uint8_t *at = text; at < end && at < text + TEXT_SHOWN; at++)
            add_escaped(out, *at, '"');
        es_text_format(out, "\"%s", end > text + TEXT_SHOWN ? "..." : "");
        return;
    }
}

/* With the name of what begins exactly there, or the text that a char pointer points at. */
static void add_pointer(es_text_buffer *out, const es_symbols *symbols, const es_type *type, uint32_t address)
{
    if (address == 0) {
        es_text_format(out, "NULL");
        return;
    }
    es_text_format(out, "0x%08x", (unsigned)address);
    const es_variable *variable = es_symbols_variable_at(symbols, address);
    const es_procedure *procedure = es_symbols_procedure_at(symbols, address);
    if (variable)
        es_text_format(out, " <%s>", variable->name);
    else if (procedure && procedure->low == address && procedure->name)
        es_text_format(out, " <%s>", procedure->name);
    else if (type->of && type->of->kind == ES_TYPE_CHAR)
        add_constant_text(out, symbols, address);
}

void es_scalar_text(es_text_buffer *out, const es_symbols *symbols, const es_type *type, unsigned bit_size,
                    uint64_t word)
{
    int64_t value = widen(type, bit_size, word);
    const char *name;
    switch (type->kind) {
    case ES_TYPE_CHAR: add_character(out, (unsigned char)value); return;
    case ES_TYPE_BOOL:
        if (value == 0 || value == 1)
            es_text_format(out, "%s", value ? "true" : "false");
        else
            es_text_format(out, "%" PRId64, value);
        return;
    case ES_TYPE_FLOAT:
        add_float(out, type->size == 8 ? as_double(word) : (double)as_float(word), type->size == 8);
        return;
    case ES_TYPE_ENUM:
        name = enumerator_name(type, value);
        if (name)
            es_text_format(out, "%s", name);
        else if (!add_flags(out, type, value))
            es_text_format(out, "%" PRId64, value);
        return;
    case ES_TYPE_POINTER: add_pointer(out, symbols, type, (uint32_t)value); return;
    default:
        if (type->is_signed)
            es_text_format(out, "%" PRId64, value);
        else
            es_text_format(out, "%" PRIu64, (uint64_t)value);
        return;
    }
}

void es_scalar_json(es_json *json, const es_type *type, unsigned bit_size, uint64_t word)
{
    int64_t value = widen(type, bit_size, word);
    const char *name = type->kind == ES_TYPE_ENUM ? enumerator_name(type, value) : NULL;
    if (type->kind == ES_TYPE_FLOAT && type->size == 8)
        es_json_double(json, as_double(word));
    else if (type->kind == ES_TYPE_FLOAT)
        es_json_float(json, as_float(word));
    else if (type->kind == ES_TYPE_BOOL && (value == 0 || value == 1))
        es_json_bool(json, value == 1);
    else if (name)
        es_json_string(json, name);
    else if (type->is_signed)
        es_json_int(json, value);
    else
        es_json_uint(json, (uint64_t)value);
}

void es_value_text(es_text_buffer *out, const es_symbols *symbols, const es_statement *statement,
                   const es_print_item *item, const uint32_t *words)
{
    const es_reference *reference = reference_of(statement, item);
    es_scalar_text(out, symbols, reference->type, reference->bit_size, joined(statement, item, words));
}

void es_value_json(es_json *json, const es_statement *statement, const es_print_item *item, const uint32_t *words)
{
    const es_reference *reference = reference_of(statement, item);
    es_scalar_json(json, reference->type, reference->bit_size, joined(statement, item, words));
}

uint64_t es_time_ns(uint64_t clocks, uint64_t hz)
{
    const uint64_t billion = 1000000000u;
    return clocks / hz * billion + clocks % hz * billion / hz; /* the rest is below hz <= 10^10 */
}

uint64_t es_time_clocks(uint64_t ns, uint64_t hz)
{
    const uint64_t billion = 1000000000u;
    return ns / billion * hz + (ns % billion * hz + billion - 1) / billion; /* neither term is above 10^19 */
}

void es_time_text(es_text_buffer *out, uint64_t ns, bool utf8)
{
    if (ns < 1000000u)
        es_text_format(out, "%9.3f %s", (double)ns / 1e3, utf8 ? "\u00b5s" : "us");
    else if (ns < 1000000000u)
        es_text_format(out, "%9.4f ms", (double)ns / 1e6);
    else
        es_text_format(out, "%9.6f s ", (double)ns / 1e9);
}

bool es_value_is_time(const es_print_item *item)
{
    return item->kind == ES_ITEM_ELAPSED || item->kind == ES_ITEM_AGE;
}

void es_length_text(es_text_buffer *out, uint64_t ns, bool utf8)
{
    if (ns < 1000u)
        es_text_format(out, "%uns", (unsigned)ns);
    else if (ns < 1000000u)
        es_text_format(out, "%.9g%s", (double)ns / 1e3, utf8 ? "\u00b5s" : "us");
    else if (ns < 1000000000u)
        es_text_format(out, "%.9gms", (double)ns / 1e6);
    else
        es_text_format(out, "%.12gs", (double)ns / 1e9);
}

bool es_time_parse(const char *option, const char *text, uint64_t *ns, es_error *err)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {
        {"ns", 1},       {"us", 1000},      {"\u00b5s", 1000},    {"\u03bcs", 1000},
        {"ms", 1000000}, {"s", 1000000000}, {"min", 60000000000},
    };
    uint64_t whole = 0, fraction = 0, scale = 1;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++)
        whole = whole > ES_TIME_MAX_NS ? whole : whole * 10 + (uint64_t)(*at - '0');
    bool digits = at > text;
    if (digits && *at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++)
            if (scale < 1000000000) {
                fraction = fraction * 10 + (uint64_t)(*at - '0');
                scale *= 10;
            }
    for (size_t i = 0; digits && i < sizeof units / sizeof *units; i++) {
        if (strcmp(at, units[i].unit) != 0)
            continue;
        *ns = whole > ES_TIME_MAX_NS / units[i].ns
                  ? UINT64_MAX
                  : whole * units[i].ns + (uint64_t)((double)fraction / (double)scale * (double)units[i].ns);
        return (*ns > 0 && *ns <= ES_TIME_MAX_NS) ||
               es_fail(err, ES_USAGE, "%s takes a time from 1ns to 1000000000s, not '%s'", option, text);
    }
    return es_fail(err, ES_USAGE, "%s takes a time with its unit, like 500us, 5ms or 2s, not '%s'", option, text);
}

size_t es_path_entries(const es_symbols *symbols, const es_event *event, es_path_entry entries[ES_PATH_MAX])
{
    for (size_t i = 0; i < event->path_count; i++) {
        uint32_t inside = i + 1 < event->path_count ? event->path[i + 1] & ~(uint32_t)ES_SITE_INTERRUPT : event->pc;
        const es_procedure *procedure = es_symbols_procedure_at(symbols, inside);
        entries[i] =
            (es_path_entry){procedure ? procedure->name : NULL, inside, (event->path[i] & ES_SITE_INTERRUPT) != 0};
    }
    return event->path_count;
}
