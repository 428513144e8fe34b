/* What it costs to send a path: its frame, and each activation in it. */
#include "check/checker.h"
#include "check/stacks.h"

#include <image.h>

/* What one kind of event says of the cost of sending the path. */
static bool sample_sending(checker *c, enum check_event_kind kind, uint32_t address, check_situation now)
{
    uint32_t sent, one, all;
    now.to_do_below = checker_to_do(c, CHECK_NONE, ES_MI_STACK_DEPTH);
    now.depth = 1;
    now.path_sent = true;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &sent, c->err))
        return false;
    now.path_sent = false;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &one, c->err))
        return false;
    now.depth = kind == CHECK_CALL ? at_most(checker_depth(c, CHECK_NONE), ES_MI_STACK_DEPTH - 1)
                                   : checker_depth(c, CHECK_NONE);
    if (!check_service_cost(c->service, c->words, kind, address, &now, &all, c->err))
        return false;
    uint32_t each = now.depth > 1 ? (all - one + now.depth - 2) / (now.depth - 1) : 0;
    uint32_t frame = one > sent + each ? one - sent - each : 0;
    c->entry = each > c->entry ? each : c->entry;
    c->frame = frame > c->frame ? frame : c->frame;
    return true;
}

/* What sending the path costs: its frame, and each activation in it. */
bool checker_find_sending(checker *c)
{
    check_situation any = { 0 };
    c->frame = c->entry = 0;
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        if (!sample_sending(c, k->fetch ? CHECK_CALL : CHECK_WRITE, k->address, any))
            return false;
    }
    check_situation moving = { .slots = c->slots & ~c->reading };
    if (moving.slots && !sample_sending(c, CHECK_WRITE, 0, moving))
        return false;
    moving.slots = c->slots & c->reading;
    if (moving.slots && !sample_sending(c, CHECK_READ, 0, moving))
        return false;
    for (size_t i = 0; i < c->read_count; i++)
        if (!sample_sending(c, CHECK_READ, c->reads[i], any))
            return false;
    for (size_t i = 0; i < c->program.edge_count; i++) { /* statements that wait for procedures' ends */
        const check_edge *edge = &c->program.edges[i];
        const check_node *from = &c->program.nodes[edge->from];
        if (edge->kind != CHECK_EDGE_CALL || edge->to == CHECK_NONE)
            continue;
        uint32_t entry = c->program.procedures[edge->callee].procedure->low, to = c->program.nodes[edge->to].address;
        check_situation back = { .site = from->address, .inside = entry, .to_do = true };
        if (checker_key_of(c, c->fetches, entry)->armed && checker_key_of(c, c->fetches, to)->armed &&
            check_service_leaves(c->service, entry) && !sample_sending(c, CHECK_RETURN, to, back))
            return false;
    }
    return true;
}
