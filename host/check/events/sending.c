/* What it costs to send a path: its frame, and each activation in it. */
#include "check/events/checker.h"
#include "check/events/stacks.h"

#include <image.h>

/* What one kind of event says of the cost of sending the path. */
static bool sample_sending(checker *c, enum es_check_event_kind kind, uint32_t address, es_check_situation now)
{
    uint32_t sent, one, all_sent, all;
    now.to_do_below = es_checker_to_do(c, CHECK_NONE, ES_MI_STACK_DEPTH);
    now.depth = 1;
    now.path_sent = true;
    if (!es_check_service_cost(c->service, c->words, kind, address, &now, &sent, c->err))
        return false;
    now.path_sent = false;
    if (!es_check_service_cost(c->service, c->words, kind, address, &now, &one, c->err))
        return false;
    now.depth = kind == ES_CHECK_CALL ? at_most(es_checker_depth(c, CHECK_NONE), ES_MI_STACK_DEPTH - 1)
                                      : es_checker_depth(c, CHECK_NONE);
    if (!es_check_service_cost(c->service, c->words, kind, address, &now, &all, c->err))
        return false;
    now.path_sent = true;
    if (!es_check_service_cost(c->service, c->words, kind, address, &now, &all_sent, c->err))
        return false;
    /* what the event itself takes longer with more activations, as where all are dropped, is no part of sending them */
    one = one > sent ? one - sent : 0;
    all = all > all_sent ? all - all_sent : 0;
    uint32_t more = all > one ? all - one : 0, steps = now.depth > 1 ? now.depth - 1 : 1;
    uint32_t each = (more + steps - 1) / steps, frame = one > more / steps ? one - more / steps : 0;
    c->entry = each > c->entry ? each : c->entry;
    c->frame = frame > c->frame ? frame : c->frame;
    return true;
}

/* What sending the path costs: its frame, and each activation in it. */
bool es_checker_find_sending(checker *c)
{
    es_check_situation any = {0};
    c->frame = c->entry = 0;
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        if (es_checker_is_same_stack(c, i))
            continue;
        if (!sample_sending(c, k->fetch ? ES_CHECK_CALL : ES_CHECK_WRITE, k->address, any))
            return false;
    }
    es_check_situation moving = {.slots = c->slots & ~c->reading};
    if (moving.slots && !sample_sending(c, ES_CHECK_WRITE, 0, moving))
        return false;
    moving.slots = c->slots & c->reading;
    if (moving.slots && !sample_sending(c, ES_CHECK_READ, 0, moving))
        return false;
    for (size_t i = 0; i < c->read_count; i++)
        if (!sample_sending(c, ES_CHECK_READ, c->reads[i], any))
            return false;
    for (size_t i = 0; i < c->program.edge_count; i++) { /* statements that wait for procedures' ends */
        const es_check_edge *edge = &c->program.edges[i];
        const es_check_node *from = &c->program.nodes[edge->from];
        if (edge->kind != CHECK_EDGE_CALL || edge->to == CHECK_NONE)
            continue;
        uint32_t entry = c->program.procedures[edge->callee].procedure->low, to = c->program.nodes[edge->to].address;
        es_check_situation back = {.site = es_isa_site(from->address, from->insn.size), .inside = entry, .to_do = true};
        if (es_checker_key_of(c, c->fetches, entry)->armed && es_checker_key_of(c, c->fetches, to)->armed &&
            es_check_service_leaves(c->service, entry) && !sample_sending(c, ES_CHECK_RETURN, to, back))
            return false;
    }
    return true;
}
