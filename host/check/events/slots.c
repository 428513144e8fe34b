/* Which stores and loads may go to words whose address moves: what pointers may lead to, by all that the program ever
 * stores to them. */
#include "check/events/checker.h"

#include <image.h>

#include "check/target/pointed.h"

/* --- slots -------------------------------------------------------------------------------------------------------- */

/* Procedures that may run in interrupts: handlers, and all that they may call. */
static void find_interrupting(checker *c)
{
    const es_check_program *program = &c->program;
    c->interrupting = es_arena_alloc(c->report->arena, program->procedure_count + 1);
    for (size_t p = 0; p < program->procedure_count; p++)
        c->interrupting[p] = program->procedures[p].interrupt;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            bool call = edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL;
            if (!call || c->interrupting[edge->callee] || !c->interrupting[program->nodes[edge->from].procedure])
                continue;
            c->interrupting[edge->callee] = changed = true;
        }
    }
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

/* Loads may as stores do. */
bool es_checker_overruns(const checker *c, const es_check_node *node)
{
    return c->interrupting[node->procedure] && es_check_aims_may_stack(&c->aims, (size_t)(node - c->program.nodes));
}

/* Whether a store to `at`, so many bytes, from the stack pointer that an interrupt came upon, may go to the slot's
 * frame: when the stack pointer was not below it, as the frame was about to be made or had just been given up. */
static bool meets_dead(const checker *c, const es_checker_slot *slot, int64_t low, int64_t high)
{
    const es_check_procedure *in = &c->program.procedures[slot->frame];
    for (size_t n = in->first_node; n < in->first_node + in->node_count; n++) {
        int64_t sp = n == in->first_node ? 0 : c->aims.sp[n];
        if (sp == CHECK_SP_UNKNOWN ||
            (slot->low < sp && low + sp < (slot->high < sp ? slot->high : sp) && high + sp > slot->low))
            return true;
    }
    return false;
}

/* The same of what runs in interrupts, in its own frame. */
static bool overruns(const checker *c, const es_check_node *node, const es_checker_slot *slot)
{
    const es_check_aims *aims = &c->aims;
    value at = aims->at[node - c->program.nodes];
    if (!es_checker_overruns(c, node))
        return false;
    if (at.kind != VALUE_STACK || aims->handler_room == INT32_MAX)
        return true;
    int64_t high = (int64_t)at.high + es_check_aims_bytes(node->insn);
    if (c->program.procedures[node->procedure].interrupt)
        return meets_dead(c, slot, at.low, high);
    return meets_dead(c, slot, INT32_MIN, high - aims->handler_room);
}

static bool may_go(const checker *c, const es_check_node *node, const es_checker_slot *slot)
{
    size_t number = (size_t)(node - c->program.nodes);
    const value *aim = &c->aims.at[number];
    if (c->follows_stores && aim->kind == VALUE_NUMBER && aim->low == aim->high &&
        !es_check_service_sees(c->service, (uint32_t)aim->low))
        return false;
    if (slot->anywhere || !c->follows_stores || es_check_aims_anywhere(&c->aims, number))
        return true;
    if (slot->frame == CHECK_NONE)
        return es_check_aims_may_set(&c->aims, number, slot->set);
    for (int32_t at = slot->low; at < slot->high; at += 4)
        if (es_check_aims_may(&c->aims, number, slot->frame, (uint32_t)at))
            return true;
    return overruns(c, node, slot) || (c->tasks && es_check_aims_may_task_stack(&c->aims, number));
}

uint64_t es_checker_slots_of(const checker *c, const es_check_node *node)
{
    return c->slots_of[node - c->program.nodes] & ~c->reading;
}

uint64_t es_checker_slots_read(const checker *c, const es_check_node *node)
{
    return c->slots_of[node - c->program.nodes] & c->reading;
}

static bool has_frames(const regions *r, uint32_t set)
{
    for (size_t i = r->frames; i <= r->all_frames; i++)
        if (es_regions_has(r, set, i))
            return true;
    return false;
}

/* With tasks, frames lie in the objects that stack pointers are made from. */
static bool lies_in(const checker *c, const es_checker_slot *slot, size_t at)
{
    return es_regions_has(&c->aims.regions, slot->frame != CHECK_NONE && c->tasks ? c->aims.stacks : slot->set, at);
}

/* All that may lie over a word, which is a frame's or not. */
static uint64_t slots_over(const checker *c, uint32_t address, bool frame)
{
    const regions *r = &c->aims.regions;
    uint64_t slots = 0;
    for (size_t i = 0; i < c->image->slot_count; i++) {
        const es_checker_slot *slot = &c->slot[i];
        bool over = slot->anywhere || (slot->frame != CHECK_NONE && frame) || (frame && has_frames(r, slot->set));
        for (size_t at = es_regions_at(r, address); !frame && !over && at < r->count && r->items[at].low < address + 4;
             at++)
            over = es_regions_has(r, slot->set, at) || !r->items[at].object ||
                   (c->tasks && slot->frame != CHECK_NONE && es_regions_has(r, c->aims.stacks, at));
        if (over)
            slots |= UINT64_C(1) << i;
    }
    return slots & c->slots;
}

uint64_t es_checker_slots_over(const checker *c, size_t which)
{
    const es_image_key *k = &c->image->keys[which];
    return slots_over(c, k->address, k->frame != NULL) & ~c->reading;
}

uint64_t es_checker_slots_read_over(const checker *c, uint32_t address)
{
    return slots_over(c, address, false) & c->reading;
}

uint64_t es_checker_slots_beside(const checker *c, size_t number)
{
    const regions *r = &c->aims.regions;
    const es_checker_slot *own = &c->slot[number];
    uint64_t slots = 0;
    for (size_t i = 0; i < c->image->slot_count; i++) {
        const es_checker_slot *slot = &c->slot[i];
        bool frames = (own->frame != CHECK_NONE || has_frames(r, own->set)) &&
                      (slot->frame != CHECK_NONE || has_frames(r, slot->set));
        bool meet = own->anywhere || slot->anywhere || frames;
        for (size_t at = 0; at < r->count && !meet; at++)
            meet = lies_in(c, own, at) && lies_in(c, slot, at);
        if (meet)
            slots |= UINT64_C(1) << i;
    }
    return slots & c->slots & ~c->reading;
}

/* --- all together ------------------------------------------------------------------------------------------------- */

void es_checker_find_slots(checker *c)
{
    find_interrupting(c);
    c->slots = es_check_service_slots(c->service);
    c->reading = es_check_service_read_slots(c->service);
    c->slot = es_arena_alloc(c->report->arena, (c->image->slot_count + 1) * sizeof *c->slot);
    const es_check_pointed *pointed = es_check_pointed_find(c->report->arena, &c->aims, &c->program, c->image);
    for (size_t i = 0; i < c->image->slot_count; i++) {
        const es_image_slot *of = &c->image->slots[i];
        es_checker_slot *slot = &c->slot[i];
        *slot = (es_checker_slot){.frame = CHECK_NONE};
        if (!es_check_service_slot(c->service, i, &slot->low, &slot->high)) {
            c->slots &= ~(UINT64_C(1) << i);
            continue;
        }
        if (of->frame) {
            slot->frame = es_check_pointed_procedure(&c->program, of->frame);
            slot->anywhere =
                !c->follows_stores || !c->aims.followed || slot->frame == CHECK_NONE || (c->tasks && c->aims.any_stack);
            continue;
        }
        es_check_pointed to = {.anywhere = !c->follows_stores || pointed[of->pointer].anywhere};
        es_check_pointed_around(&c->aims, &to, pointed[of->pointer].set, slot->low, slot->high,
                                c->image->pointers[of->pointer].size);
        slot->anywhere = to.anywhere;
        slot->set = to.set;
    }
    c->slots_of = es_arena_alloc(c->report->arena, (c->program.node_count + 1) * sizeof *c->slots_of);
    for (size_t n = 0; n < c->program.node_count; n++) {
        const es_check_node *node = &c->program.nodes[n];
        uint64_t own = c->slots & ((node->store ? ~c->reading : 0) | (node->load ? c->reading : 0));
        for (size_t i = 0; i < c->image->slot_count && own; i++)
            if (own >> i & 1 && may_go(c, node, &c->slot[i]))
                c->slots_of[n] |= UINT64_C(1) << i;
    }
}
