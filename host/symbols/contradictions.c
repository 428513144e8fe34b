/* Constants that debug information has for a variable in code to which a jump brings another value.
 *
 * GCC leaves a variable's first value where a loop's jump comes back with a later one: `for (j = 0; ...)` is told to
 * be 0 from before the loop into its first instructions, each time. A place holds on every way to it. So where a
 * jump leads into the inside of a constant's range, from an instruction at which the variable has a place or a
 * constant of its own that is another one, the constant is not sure from there on. */
#include "symbols/values_private.h"

#include <dwarf.h>
#include <string.h>

static bool is_constant(const es_value *value)
{
    const value_piece *piece = value->pieces;
    if (value->reason || value->registers || value->entry || value->piece_count != 1 || piece->size)
        return false;
    for (size_t i = 0; i < piece->op_count; i++)
        if (piece->ops[i].atom != DW_OP_const8u)
            return false;
    return piece->kind == VALUE_BYTES || (piece->kind == VALUE_STACK && piece->op_count == 1);
}

/* Two that say the same; their words have the number. */
static bool same(const es_value *a, const es_value *b)
{
    return a == b || (is_constant(a) && is_constant(b) && strcmp(a->words, b->words) == 0);
}

static const es_value *value_at(const es_value_range *ranges, size_t count, uint32_t address)
{
    const es_value_copy copy = {.ranges = ranges, .count = count};
    const es_value_range *range = es_value_at(&copy, address);
    return range && !range->value->reason ? range->value : NULL;
}

/* A jump leads from `from` to `to`: the range that it contradicts, or NULL. */
static es_value_range *contradicted(es_value_range *ranges, size_t count, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < count; i++) {
        const es_value *there;
        if (to <= ranges[i].low || to >= ranges[i].high || !is_constant(ranges[i].value))
            continue;
        there = value_at(ranges, count, from);
        return there && !same(there, ranges[i].value) ? &ranges[i] : NULL;
    }
    return NULL;
}

static const char *describe(es_symbols *symbols, const es_value_range *range, const es_value *other, uint32_t to)
{
    const char *file;
    unsigned line;
    if (!es_symbols_line(symbols, to, &file, &line))
        return es_arena_format(symbols->arena, "%s, and %s where a jump leads there", range->value->words,
                               other->words);
    return es_arena_format(symbols->arena, "%s in %s:%u, and %s where a jump leads there", range->value->words,
                           es_base_name(file), line, other->words);
}

const char *es_symbols_drop_contradicted(es_symbols *symbols, const es_procedure *procedure, es_value_range *ranges,
                                         size_t count)
{
    const char *words = NULL;
    bool any = false;
    es_insn insn;
    for (size_t i = 0; i < count; i++)
        any |= is_constant(ranges[i].value);
    for (uint32_t at = procedure->low; any && at < procedure->high && es_symbols_insn(symbols, at, &insn);
         at += insn.size) {
        es_ways ways = es_insn_ways(insn, at);
        es_value_range *range = ways.jumps ? contradicted(ranges, count, at, ways.target) : NULL;
        if (!range)
            continue;
        words = words ? words : describe(symbols, range, value_at(ranges, count, at), ways.target);
        range->high = ways.target; /* what comes before is as it was said: nothing is put into its place */
    }
    return words;
}
