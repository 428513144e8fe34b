/* Whether a store or load may touch a place, by where the program's addresses were followed to. */
#include "check/target/aims.h"

bool es_check_aims_anywhere(const es_check_aims *aims, size_t node)
{
    const value *v = &aims->at[node];
    return v->kind == VALUE_ANY || v->kind == VALUE_SAVED || v->kind == VALUE_NONE ||
           (v->kind == VALUE_NUMBER && v->low == INT32_MIN && v->high == INT32_MAX);
}

static bool frame_may(const es_check_aims *aims, size_t node, size_t frame, int32_t offset)
{
    const regions *r = &aims->regions;
    const es_check_program *program = r->program;
    const value *v = &aims->at[node];
    unsigned bytes = es_check_aims_bytes(program->nodes[node].insn);
    if (v->kind == VALUE_DERIVED)
        return es_regions_has(r, v->set, r->all_frames) || es_regions_has(r, v->set, r->frames + frame);
    if (v->kind != VALUE_STACK)
        return false;
    if ((int64_t)v->high + bytes > 0) /* arguments on the stack are in the frame of whoever has called */
        return true;
    return program->nodes[node].procedure == frame && v->low < offset + 4 && (int64_t)v->high + bytes > offset;
}

bool es_check_aims_may(const es_check_aims *aims, size_t node, size_t frame, uint32_t address)
{
    const regions *r = &aims->regions;
    const value *v = &aims->at[node];
    if (es_check_aims_anywhere(aims, node))
        return true;
    if (frame != CHECK_NONE)
        return frame_may(aims, node, frame, (int32_t)address);
    if (v->kind == VALUE_STACK)
        return false;
    if (v->kind == VALUE_NUMBER)
        return v->low < (int64_t)(int32_t)address + 4 &&
               (int64_t)v->high + es_check_aims_bytes(r->program->nodes[node].insn) > (int32_t)address;
    for (size_t i = es_regions_at(r, address); i < r->count && r->items[i].low < address + 4; i++)
        if (es_regions_has(r, v->set, i))
            return true;
    return false;
}

bool es_check_aims_may_stack(const es_check_aims *aims, size_t node)
{
    const regions *r = &aims->regions;
    const value *v = &aims->at[node];
    if (es_check_aims_anywhere(aims, node) || v->kind == VALUE_STACK)
        return true;
    if (v->kind == VALUE_NUMBER) {
        size_t first = es_regions_at(r, (uint32_t)v->low);
        return !r->items[first].object || r->items[first].last < (uint32_t)v->high + 3;
    }
    bool frame = false;
    for (size_t i = r->frames; v->kind == VALUE_DERIVED && i <= r->all_frames && !frame; i++)
        frame = es_regions_has(r, v->set, i);
    return frame;
}

static bool has_frames(const regions *r, uint32_t set)
{
    for (size_t i = r->frames; i <= r->all_frames; i++)
        if (es_regions_has(r, set, i))
            return true;
    return false;
}

/* Whether a region of the set, or one that has bytes in the same words, is the one with that number. */
static bool has_beside(const regions *r, uint32_t set, size_t number)
{
    size_t i = es_regions_at(r, r->items[number].low & ~3u);
    for (; i < r->count && r->items[i].low <= (r->items[number].last | 3); i++)
        if (es_regions_has(r, set, i))
            return true;
    return false;
}

bool es_check_aims_may_set(const es_check_aims *aims, size_t node, uint32_t set)
{
    const regions *r = &aims->regions;
    const value *v = &aims->at[node];
    if (es_check_aims_anywhere(aims, node) || (has_frames(r, set) && es_check_aims_may_stack(aims, node)))
        return true;
    if (v->kind == VALUE_NUMBER && v->low < 0 && v->high >= 0)
        return true;
    uint32_t low = (uint32_t)v->low, last = (uint32_t)v->high + (es_check_aims_bytes(r->program->nodes[node].insn) - 1);
    for (size_t i = 0; i < r->count; i++)
        if (es_regions_has(r, set, i) &&
            (v->kind == VALUE_NUMBER ? low <= (r->items[i].last | 3) && last >= (r->items[i].low & ~3u)
                                     : v->kind == VALUE_DERIVED && has_beside(r, v->set, i)))
            return true;
    return false;
}

bool es_check_aims_in_stack(const es_check_aims *aims, uint32_t address)
{
    size_t at = es_regions_at(&aims->regions, address);
    return aims->any_stack || !aims->regions.items[at].object || es_regions_has(&aims->regions, aims->stacks, at);
}

bool es_check_aims_may_task_stack(const es_check_aims *aims, size_t node)
{
    const regions *r = &aims->regions;
    const value *v = &aims->at[node];
    if (es_check_aims_anywhere(aims, node))
        return true;
    if (v->kind == VALUE_STACK)
        return (int64_t)v->high + es_check_aims_bytes(r->program->nodes[node].insn) > 0;
    if (aims->any_stack)
        return true;
    for (size_t i = 0; i <= r->all_frames; i++) {
        bool stack = i >= r->frames || es_regions_has(r, aims->stacks, i);
        bool aimed = v->kind == VALUE_NUMBER ? i < r->frames && r->items[i].last >= (uint32_t)v->low &&
                                                   r->items[i].low < (uint32_t)v->high + 4
                                             : es_regions_has(r, v->set, i);
        if (stack && aimed)
            return true;
    }
    return false;
}

bool es_check_aims_may_load(const es_check_aims *aims, size_t node, uint32_t address)
{
    const regions *r = &aims->regions;
    return es_check_aims_may(aims, node, CHECK_NONE, address) ||
           (!r->items[es_regions_at(r, address)].object && aims->at[node].kind != VALUE_NUMBER &&
            es_check_aims_may_stack(aims, node));
}
