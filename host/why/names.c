#include "why/names.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"

/* --- members ------------------------------------------------------------------------------------------------------ */

static bool has_byte(const es_member *m, uint32_t offset)
{
    return !m->bit_size && offset >= m->offset && offset - m->offset < m->type->size;
}

/* Whether these bytes are a number of the type, or one of its elements. */
static bool is_number(const es_type *type, uint32_t offset, uint32_t size)
{
    while (type->kind == ES_TYPE_ARRAY && type->of && type->of->size)
        type = type->of;
    return type->kind != ES_TYPE_STRUCT && type->size == size && offset % size == 0;
}

/* The member that has the byte; of a union's, one of which these bytes are a number, if there is one. */
static const es_member *member_at(const es_type *type, uint32_t offset, uint32_t size)
{
    const es_member *first = NULL;
    for (size_t i = 0; i < type->member_count; i++) {
        const es_member *m = &type->members[i];
        if (has_byte(m, offset) && is_number(m->type, offset - m->offset, size))
            return m;
        if (has_byte(m, offset) && !first)
            first = m;
    }
    return first;
}

static const es_type *add_member(es_text_buffer *out, const es_type *type, uint32_t offset, uint32_t size,
                                 uint32_t *within)
{
    while (type && (type->kind == ES_TYPE_STRUCT || type->kind == ES_TYPE_ARRAY)) {
        const es_type *inner = NULL;
        if (type->kind == ES_TYPE_ARRAY && type->of && type->of->size) {
            es_text_format(out, "[%" PRIu32 "]", offset / type->of->size);
            offset %= type->of->size;
            inner = type->of;
        }
        const es_member *m = type->kind == ES_TYPE_STRUCT ? member_at(type, offset, size) : NULL;
        if (m && m->name)
            es_text_format(out, ".%s", m->name);
        if (m) {
            offset -= m->offset;
            inner = m->type;
        }
        type = inner;
    }
    *within = offset;
    return type;
}

/* --- where debug information says that values are ----------------------------------------------------------------- */

static void read_register(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    es_machine_registers registers;
    es_machine_get(context, &registers);
    *value = reg < 32 ? registers.x[reg] : reg < 64 ? registers.f[reg - 32] : 0;
    *unknown = reg < 32 ? registers.x_unknown[reg] : reg < 64 ? registers.f_unknown[reg - 32] : UINT64_MAX;
}

static void read_entry(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    (void)context, (void)reg;
    *value = 0;
    *unknown = UINT64_MAX;
}

static void read_memory(void *context, uint32_t address, uint32_t size, uint8_t *bytes, uint8_t *unknown)
{
    for (uint32_t i = 0; i < size; i++)
        if (!es_machine_peek(context, address + i, &bytes[i], &unknown[i], 1)) {
            bytes[i] = 0;
            unknown[i] = 0xFF;
        }
}

es_value_context es_why_context(es_machine *machine)
{
    return (es_value_context){read_register, read_entry, read_memory, machine};
}

/* Bytes of the scope; 0: the address is out of it. */
static uint32_t scope_at(const es_value_copy *copy, uint32_t pc)
{
    uint32_t bytes = 0;
    bool within = false;
    for (size_t i = 0; i < copy->scope_count; i++) {
        within |= pc >= copy->scope[i].low && pc < copy->scope[i].high;
        bytes += copy->scope[i].high - copy->scope[i].low;
    }
    return within ? bytes : 0;
}

static const es_value *value_in(const es_value_copy *copy, uint32_t pc)
{
    if (copy->entry && copy->procedure && pc == copy->procedure->low)
        return copy->entry;
    const es_value_range *range = es_value_at(copy, pc);
    return range && !es_value_reason(range->value) ? range->value : NULL;
}

const es_value *es_why_found(const es_symbols *symbols, const es_variable *variable, uint32_t pc, uint32_t *scope)
{
    const es_value_copy *copies;
    const es_value *found = NULL;
    size_t count = es_symbols_value_copies(symbols, variable, &copies);
    uint32_t least = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bytes = scope_at(&copies[i], pc);
        if (!bytes || (least && bytes >= least))
            continue;
        least = bytes;
        found = value_in(&copies[i], pc);
    }
    if (scope)
        *scope = least;
    return found;
}

/* --- names of places ---------------------------------------------------------------------------------------------- */

static unsigned first_lane(es_why_place place)
{
    unsigned lane = 0;
    while (lane < 3 && !(place.lanes >> lane & 1))
        lane++;
    return lane;
}

static unsigned bytes_of(es_why_place place)
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        count += place.lanes >> lane & 1;
    return count;
}

/* Of what is no whole number its bits are shown. */
static const es_type only_bits = {.kind = ES_TYPE_POINTER, .size = 4},
                     big_endian_bits = {.kind = ES_TYPE_POINTER, .size = 4, .big_endian = true};

/* The variable's bytes from `offset` on are what the place is of. */
static const es_type *name_variable(es_text_buffer *out, const es_symbols *symbols, const es_variable *variable,
                                    uint32_t offset, unsigned size)
{
    uint32_t within;
    es_text_format(out, "%s", variable->name);
    const es_type *type = add_member(out, variable->type, offset, size, &within);
    if (type && !within && type->size == size)
        return type;
    if (within || (type && type->size > size)) { /* a part of it, or of a struct without a member there */
        es_text_format(out, size == 1 ? ", byte %" PRIu32 : ", bytes %" PRIu32 " to %" PRIu32, within,
                       within + size - 1);
    } else if (type) {
        unsigned more = size - (unsigned)type->size;
        es_text_format(out, " and %u %s after it", more, es_plural(more, "byte", "bytes"));
    }
    return es_symbols_big_endian(symbols) ? &big_endian_bits : &only_bits;
}

static bool find_static(const es_symbols *symbols, uint32_t address, const es_variable **found)
{
    const es_variable *const *variables;
    size_t count = es_symbols_variables(symbols, &variables);
    for (size_t i = 0; i < count; i++)
        if (variables[i]->place == ES_PLACE_STATIC && address - variables[i]->address < variables[i]->type->size) {
            *found = variables[i];
            return true;
        }
    return false;
}

/* Where in a local the place is; false: it is not. */
static bool is_part(const es_symbols *symbols, es_machine *machine, const es_variable *variable, es_why_place place,
                    uint32_t *offset)
{
    uint8_t bytes[256], unknown[256];
    es_value_part parts[ES_VALUE_PARTS];
    size_t count = 0;
    es_value_context context = es_why_context(machine);
    const es_value *value = es_why_found(symbols, variable, es_machine_pc(machine), NULL);
    if (!value || variable->type->size > sizeof bytes)
        return false;
    es_value_read(value, &context, variable->type->size, bytes, unknown, parts, &count);
    uint32_t address = place.where + first_lane(place);
    for (size_t i = 0; i < count && i < ES_VALUE_PARTS; i++) {
        bool there = place.memory ? parts[i].place == ES_VALUE_IN_MEMORY && address - parts[i].where < parts[i].size
                                  : parts[i].place == ES_VALUE_IN_REGISTER && place.where == parts[i].where;
        if (there) {
            *offset = parts[i].offset + (place.memory ? address - parts[i].where : 0);
            return true;
        }
    }
    return false;
}

static bool find_local(const es_symbols *symbols, es_machine *machine, es_why_place place, const es_variable **found,
                       uint32_t *offset)
{
    const es_variable *const *variables;
    size_t count = es_symbols_variables(symbols, &variables);
    for (size_t i = 0; i < count; i++)
        if (variables[i]->procedure && variables[i]->place != ES_PLACE_STATIC &&
            is_part(symbols, machine, variables[i], place, offset)) {
            *found = variables[i];
            return true;
        }
    return false;
}

const es_type *es_why_name(es_text_buffer *out, const es_symbols *symbols, es_machine *machine, const es_isa *isa,
                           const es_procedure *procedure, es_why_place place, bool *named)
{
    const es_variable *variable;
    uint32_t offset, pc = es_machine_pc(machine);
    *named = true;
    if (place.memory && find_static(symbols, place.where + first_lane(place), &variable))
        return name_variable(out, symbols, variable, place.where + first_lane(place) - variable->address,
                             bytes_of(place));
    if (procedure && pc >= procedure->low && pc < procedure->high &&
        find_local(symbols, machine, place, &variable, &offset)) {
        /* a register has a small number with its sign or zeros before it */
        unsigned size = !place.memory && variable->type->size < 4 ? variable->type->size : bytes_of(place);
        return name_variable(out, symbols, variable, offset, size);
    }
    *named = false;
    const char *name = place.memory ? NULL : es_isa_register_name(isa, place.where);
    if (place.memory)
        es_text_format(out, "0x%08" PRIx32, place.where + first_lane(place));
    else
        es_text_format(out, "%s", name ? name : "a register");
    return NULL;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static bool add_enumerator(es_text_buffer *out, const es_type *type, uint64_t value)
{
    for (size_t i = 0; i < type->enumerator_count; i++)
        if ((uint32_t)type->enumerators[i].value == (uint32_t)value) {
            es_text_format(out, "%s", type->enumerators[i].name);
            return true;
        }
    return false;
}

void es_why_value(es_text_buffer *out, const es_type *type, uint64_t value, unsigned bytes)
{
    char text[32];
    unsigned bits = 8 * bytes;
    value = bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
    int64_t with_sign =
        bits < 64 && value >> (bits - 1) & 1 ? (int64_t)(value - (UINT64_C(1) << bits)) : (int64_t)value;
    if (type && type->kind == ES_TYPE_FLOAT && bytes == 4) {
        float number;
        memcpy(&number, &(uint32_t){(uint32_t)value}, 4);
        es_float_text(text, number);
        es_text_format(out, "%s", text);
    } else if (type && type->kind == ES_TYPE_FLOAT && bytes == 8) {
        double number;
        memcpy(&number, &value, 8);
        es_double_text(text, number);
        es_text_format(out, "%s", text);
    } else if (type && type->kind == ES_TYPE_ENUM && add_enumerator(out, type, value)) {
        return;
    } else if (type && type->kind == ES_TYPE_BOOL && value < 2) {
        es_text_format(out, value ? "true" : "false");
    } else if (type && type->kind == ES_TYPE_POINTER) {
        es_text_format(out, "0x%0*" PRIx64, (int)(2 * bytes), value);
    } else if (type && !type->is_signed) {
        es_text_format(out, "%" PRIu64, value);
    } else if (type || bytes == 4) {
        es_text_format(out, "%" PRId64, with_sign);
    } else {
        es_text_format(out, "%" PRIu64, value);
    }
}
