/* Tasks: whose stack the target runs on.
 *
 * A write to the current-task pointer says who is next, not when. Until then the scheduler goes on where it is, so the
 * activations stay as they are and a switch is *pending*. It happens with the mret that ends the interrupt in which the
 * pointer was written, with a return that the next task awaits, or where a procedure begins to which a return leads. */
#include "tasks.h"
#include "evidence.h"

/* The record of a task that stopped; NULL: there is none. */
static struct es_mi_flow *find(uint32_t task)
{
    uint32_t at = TASKS->flows_at, step = TASKS->flow_bytes;
    for (uint32_t left = TASKS->flow_count; left; left--, at += step) {
        struct es_mi_flow *flow = AT(struct es_mi_flow, at);
        if (flow->kind != FLOW_FREE && flow->task == task)
            return flow;
    }
    return NULL;
}

/* --- start -------------------------------------------------------------------------------------------------------- */

void tasks_start(void)
{
    if (!HEADER->tasks_at)
        return;
    es.task = es.task_pointer = TASKS->first;
    es.boot = true;
    es.task_pending = es.task_resumed = false;
    es.task_to = es.task_free = es.task_boot = NULL;
    uint32_t at = TASKS->flows_at, step = TASKS->flow_bytes;
    for (uint32_t left = TASKS->flow_count; left; left--, at += step)
        flow_release(AT(struct es_mi_flow, at));
    task_tell_anew();
}

/* --- what decides ------------------------------------------------------------------------------------------------- */

/* The innermost activation of an interrupt; the stack's end for one beyond it, NULL when there is none. */
static const struct activation *innermost_interrupt(void)
{
    if (es.beyond_interrupts || es.deep_interrupts)
        return stack_end;
    for (const struct activation *entry = top; entry-- != stack;)
        if (is_interrupt(entry))
            return entry;
    return NULL;
}

/* An interrupt came while the pointer named a task that no switch was seen to: then what it came upon is that task's
 * stack. So main becomes a task. */
static void adopt(void)
{
    struct es_mi_flow *flow = es.task_to;
    if (!es.boot)
        flow_take(es.task, FLOW_LOST);
    es.boot = false;
    es.task = es.task_pointer;
    if (flow) { /* it had been left elsewhere: how it came here was not seen */
        flow_release(flow);
        es.unknown_top = stack;
        es.flags |= ES_HITF_PATH_UNKNOWN;
    }
    task_tell_anew();
}

void task_written_in_c(uint32_t value)
{
    const struct activation *inside = innermost_interrupt();
    if (es.task_pending && !es.task_inside && inside)
        adopt();
    es.task_pointer = value;
    es.task_pending = value != es.task;
    es.task_inside = inside;
    es.task_to = find(value);
    set_flags(es.flags);
}

void task_mret(const struct activation *ended, uint32_t address)
{
    if (!es.task_pending || (ended && (!es.task_inside || ended > es.task_inside)))
        return;
    /* without an interrupt, the task called what ends in mret: it goes on as after a return */
    struct interruption resume = es.resume;
    if (!ended)
        resume = (struct interruption){address, INSN_RET};
    task_switch(es.task_to, FLOW_MRET, resume);
    es.task_resumed = true;
}

/* A task was left by a return, and its innermost activation waits for one to the address; of_at: of that procedure.
 * 0: of any. */
static bool waits(const struct es_mi_flow *flow, uint32_t address, uint32_t of_at)
{
    const struct activation *last = AT(const struct activation, flow->last_at);
    return flow->kind == FLOW_RETURN && flow->depth && !is_interrupt(last) && awaits(last, address) &&
           (!of_at || last->procedure_at == of_at);
}

/* The one task that waits for a return from the procedure to the address. */
static struct es_mi_flow *find_waiting(uint32_t address, uint32_t procedure_at)
{
    struct es_mi_flow *found = NULL;
    uint32_t at = TASKS->flows_at, step = TASKS->flow_bytes;
    for (uint32_t left = TASKS->flow_count; left; left--, at += step) {
        struct es_mi_flow *flow = AT(struct es_mi_flow, at);
        if (!waits(flow, address, procedure_at))
            continue;
        if (found)
            return NULL; /* several: not decided here */
        found = flow;
    }
    return found;
}

bool task_return(uint32_t address, bool awaited, uint32_t procedure_at, uint32_t pc)
{
    struct es_mi_flow *to;
    bool there = true; /* the innermost activation will be the one that the return is from */
    if (es.task_pending) {
        to = es.task_to;
        if (!to && es.task_boot && waits(es.task_boot, address, procedure_at)) {
            to = es.task_boot; /* main became a task */
            to->task = es.task_pointer;
            to->marks &= (uint16_t)~MARK_BOOT;
        } else if (!to || to->kind == FLOW_LOST) {
            if (awaited || (!to && !es.tasks_lost))
                return false;
            there = false;
        } else if (!waits(to, address, awaited ? procedure_at : 0)) {
            return false;
        }
    } else {
        to = awaited ? NULL : find_waiting(address, procedure_at); /* the switch comes before the write */
        if (!to)
            return false;
        es.task_pointer = to->task;
    }
    task_switch(to, FLOW_RETURN, (struct interruption){pc, INSN_RET});
    return there;
}

void task_begins_by_return(uint32_t pc)
{
    if (!es.task_pending)
        return;
    if (es.task_to)
        flow_release(es.task_to); /* there was another task in its place */
    task_switch(NULL, FLOW_RETURN, (struct interruption){pc, INSN_RET});
}
