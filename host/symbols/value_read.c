/* Reading an es_value. */
#include "symbols/values_private.h"

#include <dwarf.h>
#include <string.h>

#include "base/endian.h"

const char *es_value_reason(const es_value *value)
{
    return value->reason;
}

const char *es_value_words(const es_value *value)
{
    return value->words;
}

bool es_value_by_convention(const es_value *value)
{
    return value->by_convention;
}

bool es_value_guarded(const es_value *value)
{
    return value->guarded;
}

bool es_value_in_frame(const es_value *value)
{
    return value->in_frame;
}

uint64_t es_value_registers(const es_value *value, uint64_t *entry)
{
    if (entry)
        *entry = value->entry;
    return value->registers;
}

static bool loads(const value_op *op)
{
    return op->atom == DW_OP_deref || op->atom == DW_OP_deref_size || op->atom == DW_OP_deref_type;
}

bool es_value_reads_memory(const es_value *value)
{
    for (size_t i = 0; i < value->piece_count; i++) {
        const value_piece *piece = &value->pieces[i];
        bool reads = piece->kind == VALUE_MEMORY;
        for (size_t k = 0; k < piece->op_count && piece->kind == VALUE_STACK; k++)
            reads |= loads(&piece->ops[k]);
        if (reads)
            return true;
    }
    return false;
}

/* The lowest bytes of a number of `have` ones, 8 at most, as `size` bytes of memory; those above are unknown. */
static void scatter(uint64_t value, uint64_t unknown, uint32_t have, bool big, uint32_t size, uint8_t *bytes,
                    uint8_t *not_known)
{
    uint32_t count = size < have ? size : have, first = big ? size - count : 0;
    es_endian_put(bytes + first, count, value, big);
    es_endian_put(not_known + first, count, unknown, big);
}

/* One piece into its bytes, which are unknown already. */
static es_value_part read_piece(const es_value *of, const value_piece *piece, const es_value_context *context,
                                uint32_t size, uint8_t *bytes, uint8_t *unknown)
{
    es_value_part part = {piece->offset, size, ES_VALUE_COMPUTED, 0};
    uint64_t value, not_known;
    value_word top;
    switch (piece->kind) {
    case VALUE_NOWHERE: part.place = ES_VALUE_NOWHERE; break;
    case VALUE_REGISTER:
        part.place = ES_VALUE_IN_REGISTER;
        part.where = piece->reg;
        context->reg(context->context, piece->reg, &value, &not_known);
        scatter(value >> 8 * piece->skip, not_known >> 8 * piece->skip, (piece->reg < 32 ? 4 : 8) - piece->skip,
                of->big_endian, size, bytes, unknown);
        break;
    case VALUE_MEMORY:
        if (!es_value_run(of, piece, context, &top) || top.unknown)
            break;
        part.place = ES_VALUE_IN_MEMORY;
        part.where = (uint32_t)top.value;
        context->memory(context->context, part.where, size, bytes, unknown);
        break;
    case VALUE_STACK:
        if (es_value_run(of, piece, context, &top))
            scatter(top.value, top.unknown, top.type.bits / 8u, of->big_endian, size, bytes, unknown);
        break;
    case VALUE_BYTES:
        for (uint32_t i = 0; i < size && i < piece->byte_count; i++) {
            bytes[i] = piece->bytes[i];
            unknown[i] = 0;
        }
        break;
    }
    return part;
}

void es_value_read(const es_value *value, const es_value_context *context, uint32_t size, uint8_t *bytes,
                   uint8_t *unknown, es_value_part *parts, size_t *part_count)
{
    size_t count = 0;
    memset(bytes, 0, size);
    memset(unknown, 0xFF, size);
    for (size_t i = 0; i < value->piece_count; i++) {
        const value_piece *piece = &value->pieces[i];
        if (piece->offset >= size)
            break;
        uint32_t left = size - piece->offset, length = piece->size && piece->size < left ? piece->size : left;
        es_value_part part = read_piece(value, piece, context, length, bytes + piece->offset, unknown + piece->offset);
        if (parts && count < ES_VALUE_PARTS)
            parts[count++] = part;
    }
    for (uint32_t i = 0; i < size; i++)
        bytes[i] &= (uint8_t)~unknown[i];
    if (part_count)
        *part_count = count;
}

const es_value_range *es_value_at(const es_value_copy *copy, uint32_t address)
{
    size_t low = 0, high = copy->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (copy->ranges[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < copy->count && copy->ranges[low].low <= address ? &copy->ranges[low] : NULL;
}

const es_value *es_value_at_entry(const es_value_copy *copy)
{
    const es_value_range *range = copy->entry || !copy->procedure ? NULL : es_value_at(copy, copy->procedure->low);
    return range ? range->value : copy->entry;
}
