#include "check/target/pointed.h"

static void add_region(es_check_aims *aims, es_check_pointed *to, size_t number)
{
    to->set = es_regions_union(&aims->regions, to->set, es_regions_one(&aims->regions, number));
}

/* Static regions between two addresses. */
static void add_between(es_check_aims *aims, es_check_pointed *to, int64_t low, int64_t high)
{
    const regions *r = &aims->regions;
    low = low < 0 ? 0 : low;
    high = high > UINT32_MAX ? UINT32_MAX : high;
    for (size_t i = es_regions_at(r, (uint32_t)low); i < r->count && r->items[i].low <= high; i++)
        add_region(aims, to, i);
}

void es_check_pointed_around(es_check_aims *aims, es_check_pointed *to, uint32_t set, int64_t low, int64_t high,
                             uint32_t size)
{
    const regions *r = &aims->regions;
    to->set = es_regions_union(&aims->regions, to->set, set);
    if (low >= 0 && high <= size)
        return;
    for (size_t i = 0; i < r->count; i++)
        if (es_regions_has(r, set, i))
            add_between(aims, to, r->items[i].low + low, r->items[i].last + high);
    for (size_t i = r->frames; i <= r->all_frames; i++)
        if (es_regions_has(r, set, i))
            add_region(aims, to, r->all_frames);
}

/* Where a value may lead to, as a set of regions. */
static void add_value(es_check_aims *aims, es_check_pointed *to, value v)
{
    regions *r = &aims->regions;
    if (v.kind == VALUE_ANY || v.kind == VALUE_SAVED || (v.kind == VALUE_NUMBER && v.low < 0 && v.high != v.low)) {
        to->anywhere = true;
    } else if (v.kind == VALUE_NUMBER && (v.low || v.high)) {
        uint32_t low = (uint32_t)v.low, high = (uint32_t)v.high;
        add_between(aims, to, low, high);
        for (size_t i = es_regions_at(r, low); i < r->count && r->items[i].low <= high; i++)
            if (!r->items[i].object) /* it may be the stack's */
                add_region(aims, to, r->all_frames);
    } else if (v.kind != VALUE_NONE) {
        to->set = es_regions_union(r, to->set, es_value_made_from(r, 0, v));
    }
}

/* What a pointer variable that is reached through another one may hold. In memory that is not an object's from the
 * beginning there may be anything before the program has stored to it. */
static value value_through(es_check_aims *aims, const es_image_pointer *pointer, const es_check_pointed *base,
                           uint32_t size, bool *anywhere)
{
    const regions *r = &aims->regions;
    es_check_pointed at = {0};
    es_check_pointed_around(aims, &at, base->set, (int32_t)pointer->address, (int64_t)(int32_t)pointer->address + 4,
                            size);
    *anywhere = base->anywhere;
    for (size_t i = 0; i <= r->all_frames; i++)
        *anywhere |= es_regions_has(r, at.set, i) && (i >= r->count || !r->items[i].object);
    static const value nothing = {.kind = VALUE_NONE};
    return *anywhere ? nothing : es_memory_load(&aims->memory, 0, es_value_derived(at.set), 4, false);
}

size_t es_check_pointed_procedure(const es_check_program *program, const es_procedure *procedure)
{
    for (size_t p = 0; p < program->symbol_count && procedure; p++)
        if (program->procedures[p].procedure->low == procedure->low)
            return p;
    return CHECK_NONE;
}

/* An element of what a pointer leads to (base NULL: of an object of static storage), whichever of its array. */
static void find_element(es_check_aims *aims, es_check_pointed *to, const es_image_pointer *pointer,
                         const es_check_pointed *base)
{
    to->anywhere |= !pointer->bounded || pointer->frame || (base && base->anywhere);
    if (base)
        to->set = base->set;
    else
        add_between(aims, to, pointer->address, (int64_t)pointer->address + pointer->size - 1);
}

const es_check_pointed *es_check_pointed_find(es_arena *arena, es_check_aims *aims, const es_check_program *program,
                                              const es_image *image)
{
    es_check_pointed *to = es_arena_alloc(arena, (image->pointer_count + 1) * sizeof *to);
    for (size_t i = 0; i < image->pointer_count; i++) {
        const es_image_pointer *pointer = &image->pointers[i];
        size_t frame = es_check_pointed_procedure(program, pointer->frame);
        value variable = value_constant(pointer->address);
        to[i] = (es_check_pointed){.anywhere = !aims->followed || (pointer->frame && frame == CHECK_NONE)};
        if (pointer->element) {
            find_element(aims, &to[i], pointer, pointer->base ? &to[pointer->base - 1] : NULL);
            continue;
        }
        if (to[i].anywhere)
            continue;
        if (pointer->base) {
            bool anywhere;
            add_value(aims, &to[i],
                      value_through(aims, pointer, &to[pointer->base - 1], image->pointers[pointer->base - 1].size,
                                    &anywhere));
            to[i].anywhere |= anywhere;
            continue;
        }
        if (pointer->frame)
            variable =
                (value){.kind = VALUE_STACK, .low = (int32_t)pointer->address, .high = (int32_t)pointer->address};
        add_value(aims, &to[i], es_memory_load(&aims->memory, pointer->frame ? frame : 0, variable, 4, false));
    }
    return to;
}
