/* Cells for what is not in memory. */
#include "symbols/shadows.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/copies.h"
#include "symbols/internal.h"
#include "symbols/values_private.h"

void es_symbols_use_shadows(es_symbols *symbols, uint32_t base, uint32_t size)
{
    symbols->shadow_next = base;
    symbols->shadow_end = base + size;
    symbols->shadowing = true;
}

bool es_symbols_uses_shadows(const es_symbols *symbols)
{
    return symbols->shadowing;
}

size_t es_symbols_shadows(const es_symbols *symbols, const es_shadow *const **shadows)
{
    *shadows = (const es_shadow *const *)symbols->shadows.items;
    return symbols->shadows.count;
}

bool es_symbols_has_shadows(const es_symbols *symbols)
{
    const es_shadow *const *shadows;
    return es_symbols_uses_shadows(symbols) && es_symbols_shadows(symbols, &shadows);
}

/* A cell of a size; NULL: there is no room. */
static es_shadow *new_cell(es_symbols *symbols, uint32_t size)
{
    uint32_t align = size >= 8 ? 8 : 4, room = (size + align - 1) & ~(align - 1);
    uint32_t at = (symbols->shadow_next + align - 1) & ~(align - 1);
    if (size == 0 || size > ES_SHADOW_SIZE_MAX || at > symbols->shadow_end || symbols->shadow_end - at < room)
        return NULL;
    es_shadow *shadow = es_arena_alloc(symbols->arena, sizeof *shadow);
    shadow->address = at;
    shadow->size = size;
    symbols->shadow_next = at + room;
    SYMBOLS_PUSH(symbols, &symbols->shadows, shadow);
    return shadow;
}

/* "is in register a5 in control.c:31-36: compile this file ..." without the advice. */
static const char *without_advice(es_symbols *symbols, const char *why)
{
    const char *end = why;
    for (const char *at = why; (at = strstr(at, ": ")); at++)
        end = at;
    return end == why ? why : es_arena_copy(symbols->arena, why, (size_t)(end - why));
}

/* A parameter that the calling convention has in registers where debug information has it in memory. */
static bool enters_in_registers(const es_symbols *symbols, const es_variable *variable)
{
    const es_value_copy *copies;
    if (variable->place != ES_PLACE_FRAME || !variable->procedure || variable->type->kind != ES_TYPE_STRUCT)
        return false;
    for (size_t i = es_symbols_value_copies(symbols, variable, &copies); i-- > 0;) {
        const es_value *value = copies[i].inlined ? NULL : es_value_at_entry(&copies[i]);
        if (value && es_value_by_convention(value))
            return true;
    }
    return false;
}

bool es_symbols_in_clones(const es_symbols *symbols, const es_variable *variable)
{
    const es_value_copy *copies;
    size_t count = variable->procedure ? es_symbols_value_copies(symbols, variable, &copies) : 0;
    for (size_t i = 0; i < count; i++)
        if (copies[i].procedure && copies[i].procedure != variable->procedure && !copies[i].inlined)
            return true;
    return false;
}

void es_symbols_name_variable(const es_symbols *symbols, const es_variable *named)
{
    es_symbols *own = (es_symbols *)symbols; /* both belong to symbols, which give cells when asked */
    es_variable *variable = (es_variable *)named;
    bool hidden =
        variable->place == ES_PLACE_NONE || variable->life ||
        (symbols->shadowing && (enters_in_registers(symbols, variable) ||
                                (variable->place == ES_PLACE_FRAME && es_symbols_in_clones(symbols, variable))));
    if (!symbols->shadowing || !hidden || variable->shadow || variable->type->incomplete ||
        variable->type->kind == ES_TYPE_OTHER || !es_symbols_has_value(symbols, variable))
        return;
    es_shadow *shadow = new_cell(own, variable->type->size);
    if (!shadow)
        return;
    shadow->kind = ES_SHADOW_VARIABLE;
    shadow->variable = variable;
    shadow->procedure = variable->procedure;
    shadow->words = variable->life                           ? variable->life->elsewhere
                    : variable->why                          ? without_advice(own, variable->why)
                    : enters_in_registers(symbols, variable) ? "is in registers when its procedure is called"
                                                             : "is in another place in each copy of its procedure";
    variable->place = ES_PLACE_STATIC;
    variable->address = shadow->address;
    variable->life = NULL;
    variable->shadow = shadow;
}

/* The same copies of the same variable. */
static bool is_of_copies(const es_shadow *shadow, const es_variable *variable, const es_inlined_copy *const *copies,
                         size_t count)
{
    bool same = shadow->kind == ES_SHADOW_VARIABLE && shadow->whole == variable && shadow->copy_count == count;
    for (size_t i = 0; i < count && same; i++)
        same = shadow->copies[i] == copies[i];
    return same;
}

const es_variable *es_symbols_variable_of_copies(const es_symbols *symbols, const es_variable *variable,
                                                 const es_inlined_copy *const *copies, size_t count)
{
    es_symbols *own = (es_symbols *)symbols;
    const es_value_copy *all;
    size_t all_count = variable->procedure ? es_symbols_value_copies(symbols, variable, &all) : 0, kept = 0;
    if (!symbols->shadowing || !all_count || (variable->place == ES_PLACE_STATIC && !variable->shadow))
        return variable;
    for (size_t i = 0; i < symbols->shadows.count; i++)
        if (is_of_copies(symbols->shadows.items[i], variable, copies, count))
            return symbols->shadows.items[i]->variable;
    es_value_copy *some = es_arena_alloc(own->arena, all_count * sizeof *some);
    for (size_t i = 0; i < all_count; i++)
        for (size_t k = 0; k < count; k++)
            if (all[i].of == copies[k])
                some[kept++] = all[i];
    symbols_variable *made = es_arena_alloc(own->arena, sizeof *made);
    *made = *(const symbols_variable *)variable;
    made->copies = some;
    made->copy_count = kept;
    made->public.place = ES_PLACE_NONE;
    made->public.shadow = NULL;
    made->public.life = NULL;
    made->public.why = variable->shadow ? variable->shadow->words : variable->why;
    if (!made->public.why)
        made->public.why = "is in no memory in these inlined copies";
    es_symbols_name_variable(symbols, &made->public);
    es_shadow *shadow = (es_shadow *)made->public.shadow;
    if (shadow) {
        const es_inlined_copy **of = es_arena_alloc(own->arena, count * sizeof *of);
        memcpy((void *)of, (const void *)copies, count * sizeof *of);
        shadow->copies = of;
        shadow->copy_count = count;
        shadow->whole = variable;
    }
    return &made->public;
}

bool es_symbols_assigns(const es_symbols *symbols, const es_procedure *procedure, const es_variable *variable)
{
    const es_shadow *shadow = variable->shadow;
    const es_value_copy *copies;
    size_t count =
        shadow && shadow->kind == ES_SHADOW_VARIABLE ? es_symbols_value_copies(symbols, variable, &copies) : 0;
    for (size_t i = 0; i < count; i++)
        if (copies[i].procedure == procedure)
            return true;
    for (size_t i = 0; shadow && shadow->kind == ES_SHADOW_COPIES && i < shadow->copy_count; i++)
        if (shadow->copies[i]->caller == procedure)
            return true;
    return false;
}

static const es_variable *made_up(es_symbols *symbols, es_shadow *shadow, const char *name, const es_type *type)
{
    /* whoever asks about variables takes each for one of these */
    symbols_variable *variable = es_arena_alloc(symbols->arena, sizeof *variable);
    variable->public = (es_variable){.name = name,
                                     .type = type,
                                     .procedure = shadow->procedure,
                                     .place = ES_PLACE_STATIC,
                                     .address = shadow->address,
                                     .shadow = shadow};
    variable->copied = true; /* it has none */
    shadow->variable = &variable->public;
    return shadow->variable;
}

static const es_variable *known_shadow(const es_symbols *symbols, enum es_shadow_kind kind,
                                       const es_procedure *procedure, unsigned reg)
{
    for (size_t i = 0; i < symbols->shadows.count; i++) {
        const es_shadow *shadow = symbols->shadows.items[i];
        if (shadow->kind == kind && shadow->procedure == procedure && shadow->reg == reg)
            return shadow->variable;
    }
    return NULL;
}

static const char no_room[] = "has no room among the shadow cells";

static void keep_copies(es_symbols *symbols, es_shadow *shadow, const es_inlined_copy *const *copies, size_t count)
{
    const es_inlined_copy **kept = es_arena_alloc(symbols->arena, (count + 1) * sizeof *kept);
    const es_copy_ends **ends = es_arena_alloc(symbols->arena, (count + 1) * sizeof *ends);
    for (size_t i = 0; i < count; i++) {
        kept[i] = copies[i];
        ends[i] = es_symbols_copy_ends(symbols, copies[i]);
    }
    shadow->copies = kept;
    shadow->ends = ends;
    shadow->copy_count = count;
}

/* What a procedure's inlined copies return is its result, too. */
static void keep_copies_of(es_symbols *symbols, es_shadow *shadow)
{
    SYMBOLS_LIST(const es_inlined_copy *) copies = {0};
    const es_procedure *of = shadow->procedure;
    for (size_t i = 0; i < symbols->copies.count; i++) {
        const es_inlined_copy *copy = &symbols->copies.items[i]->public;
        if (copy->declared_line == of->line && strcmp(copy->name, of->name) == 0 &&
            (copy->file == of->file || (copy->file && of->file && strcmp(copy->file, of->file) == 0)))
            SYMBOLS_PUSH(symbols, &copies, copy);
    }
    keep_copies(symbols, shadow, copies.items, copies.count);
}

/* The same procedures return it. */
static bool same_sources(const es_shadow *shadow, const es_procedure *const *procedures, size_t count)
{
    bool same = shadow->kind == ES_SHADOW_RESULT && shadow->source_count == count;
    for (size_t i = 0; i < count && same; i++)
        same = shadow->sources[i].procedure == procedures[i];
    return same;
}

const es_variable *es_symbols_result_shadow(const es_symbols *symbols, const es_procedure *const *procedures,
                                            size_t count, const char **why)
{
    es_symbols *own = (es_symbols *)symbols;
    for (size_t i = 0; i < symbols->shadows.count; i++)
        if (same_sources(symbols->shadows.items[i], procedures, count))
            return symbols->shadows.items[i]->variable;
    es_shadow_source *sources = es_arena_alloc(own->arena, count * sizeof *sources);
    es_result result = {.why = "returns nothing"}; /* of the first one that has one */
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        es_result of = es_symbols_result(symbols, procedures[i]);
        if (!of.why && !es_symbols_keeps_result(symbols, procedures[i], of.reg, of.in_memory))
            of.why = "has no result that a caller of it is seen to take: the compiler may have left it out";
        sources[i] = (es_shadow_source){procedures[i], of.why};
        bool other = any && !of.why &&
                     (of.reg != result.reg || of.in_memory != result.in_memory || of.type->size != result.type->size);
        if (other)
            sources[i].why = "returns something of another type";
        if (!any)
            result = of;
        any |= !of.why;
    }
    es_shadow *shadow = any ? new_cell(own, result.type->size) : NULL;
    if (!shadow) {
        *why = any ? no_room : result.why;
        return NULL;
    }
    shadow->kind = ES_SHADOW_RESULT;
    shadow->procedure = procedures[0];
    shadow->sources = sources;
    shadow->source_count = count;
    shadow->reg = result.reg;
    shadow->in_memory = result.in_memory;
    keep_copies_of(own, shadow);
    return made_up(own, shadow, es_arena_format(own->arena, "result(%s)", procedures[0]->name), result.type);
}

/* Of registers and depths: cells have the program's order of bytes. */
static const es_type *word_type(const es_symbols *symbols)
{
    static const es_type words[] = {{.kind = ES_TYPE_INT, .name = "uint32_t", .size = 4},
                                    {.kind = ES_TYPE_INT, .name = "uint32_t", .size = 4, .big_endian = true}};
    return &words[symbols->big_endian];
}

/* DWARF's number of a register by its name, or as xN; 64: there is none. */
static unsigned register_number(const es_symbols *symbols, const char *name)
{
    char *end = NULL;
    bool by_number = name[0] == 'x' && name[1] >= '0' && name[1] <= '9';
    unsigned long number = by_number ? strtoul(name + 1, &end, 10) : 64;
    if (end && !*end && number < symbols->isa->registers)
        return (unsigned)number;
    if (strcmp(name, "fp") == 0)
        name = "s0";
    for (unsigned i = 0; i < symbols->isa->registers; i++) {
        const char *known = es_isa_register_name(symbols->isa, i);
        if (known && strcmp(known, name) == 0)
            return i;
    }
    return 64;
}

const es_variable *es_symbols_register_shadow(const es_symbols *symbols, const char *name, const char **why)
{
    es_symbols *own = (es_symbols *)symbols;
    unsigned reg = register_number(symbols, name);
    if (reg == 64) {
        *why = "is no register";
        return NULL;
    }
    const es_variable *known = known_shadow(symbols, ES_SHADOW_REGISTER, NULL, reg);
    es_shadow *shadow = known ? NULL : new_cell(own, word_type(symbols)->size);
    if (known || !shadow) {
        *why = no_room;
        return known;
    }
    shadow->kind = ES_SHADOW_REGISTER;
    shadow->reg = reg;
    return made_up(own, shadow, es_arena_format(own->arena, "reg(%s)", es_isa_register_name(symbols->isa, reg)),
                   word_type(symbols));
}

const es_variable *es_symbols_stack_shadow(const es_symbols *symbols, bool peak, const char **why)
{
    es_symbols *own = (es_symbols *)symbols;
    const es_variable *known = known_shadow(symbols, ES_SHADOW_STACK, NULL, peak);
    es_shadow *shadow = known ? NULL : new_cell(own, word_type(symbols)->size);
    if (known || !shadow) {
        *why = no_room;
        return known;
    }
    shadow->kind = ES_SHADOW_STACK;
    shadow->reg = peak;
    return made_up(own, shadow, peak ? "stackpeak" : "stackdepth", word_type(symbols));
}

static bool same_copies(const es_shadow *shadow, const es_inlined_copy *const *copies, size_t count,
                        enum es_shadow_copies what)
{
    bool same = shadow->kind == ES_SHADOW_COPIES && shadow->reg == what && shadow->copy_count == count;
    for (size_t i = 0; i < count && same; i++)
        same = shadow->copies[i] == copies[i];
    return same;
}

const es_variable *es_symbols_copies_shadow(const es_symbols *symbols, const es_inlined_copy *const *copies,
                                            size_t count, enum es_shadow_copies what, const char *text,
                                            const char **why)
{
    es_symbols *own = (es_symbols *)symbols;
    for (size_t i = 0; i < symbols->shadows.count; i++)
        if (same_copies(symbols->shadows.items[i], copies, count, what))
            return symbols->shadows.items[i]->variable;
    es_shadow *shadow = new_cell(own, word_type(symbols)->size);
    if (!shadow) {
        *why = no_room;
        return NULL;
    }
    shadow->kind = ES_SHADOW_COPIES;
    keep_copies(own, shadow, copies, count);
    shadow->reg = what;
    return made_up(own, shadow, es_arena_format(own->arena, "%s", text), word_type(symbols));
}
