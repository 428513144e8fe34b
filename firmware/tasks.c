/* Tasks: whose stack the target runs on.
 *
 * A write to the current-task pointer says who is next, not when. Until then the scheduler goes on where it is, so the
 * activations stay as they are and a switch is *pending*. It happens with the mret that ends the interrupt in which the
 * pointer was written, with a return that the next task awaits, or where a procedure begins to which a return leads. */
#include "firmware.h"

#pragma GCC optimize("Os") /* switches are rare, and memory is short */

_Static_assert(offsetof(struct es_mi_flow, depth) == ES_MI_FLOW_DEPTH, "task_depth loads it");

#define TASKS AT(const struct es_mi_tasks, HEADER->tasks_at)

/* es_mi_flow.kind: how the task was left, which is how it goes on. */
enum { FLOW_FREE, FLOW_MRET, FLOW_RETURN, FLOW_LOST };

/* es_mi_flow.marks */
#define MARK_UNKNOWN 1u   /* the path */
#define MARK_NO_FRAMES 4u /* no frame of fixed place is kept */
#define MARK_BOOT 2u      /* start-up code's stack, which was no task's so far */

/* The flow's parts behind its record: frame addresses by frame, then by activation, which pointers do not rest, then
 * the activations, and the marks of their locals. */
static inline uint32_t *cells_of(struct es_mi_flow *flow)
{
    return (uint32_t *)(flow + 1);
}

static inline uint32_t *lives_of(struct es_mi_flow *flow)
{
    return TASKS->lives ? cells_of(flow) + TASKS->frame_count + TASKS->cfas : NULL;
}

static inline struct activation *saved_of(struct es_mi_flow *flow)
{
    return (struct activation *)(cells_of(flow) + TASKS->frame_count + TASKS->cfas + TASKS->lives);
}

static inline uint32_t marks_of(const struct es_mi_flow *flow)
{
    return (uint32_t)(uintptr_t)flow + TASKS->marks;
}

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

/* Records that are free are a list: `task` leads to the next one. */
static void release(struct es_mi_flow *flow)
{
    flow->kind = FLOW_FREE;
    flow->task = (uint32_t)(uintptr_t)es.task_free;
    es.task_free = flow;
    if (es.task_boot == flow)
        es.task_boot = NULL;
}

/* A record for a task that stops running; NULL, and counted, when all are taken. */
static struct es_mi_flow *take(uint32_t task, uint32_t kind)
{
    struct es_mi_flow *flow = es.task_free;
    if (!flow) {
        es.tasks_lost++;
        return NULL;
    }
    es.task_free = AT(struct es_mi_flow, flow->task);
    flow->task = task;
    flow->kind = (uint16_t)kind;
    flow->depth = flow->unknown_above = 0;
    flow->node_at = HEADER->root_node_at;
    flow->resume_pc = flow->resume_insn = 0;
    flow->marks = kind == FLOW_LOST ? MARK_UNKNOWN | MARK_NO_FRAMES : 0;
    return flow;
}

/* --- frames: a task's locals exist while it runs ----------------------------------------------------------------- */

static void frames_leave(uint32_t *cells)
{
    const struct es_mi_task_frame *frame = AT(const struct es_mi_task_frame, TASKS->frames_at);
    for (uint32_t left = TASKS->frame_count; left; left--, frame++) {
        uint32_t cfa = *AT(uint32_t, frame->cell_at);
        if (cfa)
            run_frame(AT(const struct es_mi_frame, frame->frame_at)->leave_at, cfa);
        if (cells)
            *cells++ = cfa;
    }
}

static void frames_resume(const uint32_t *cells)
{
    const struct es_mi_task_frame *frame = AT(const struct es_mi_task_frame, TASKS->frames_at);
    for (uint32_t left = TASKS->frame_count; left; left--, frame++, cells++)
        if (*cells)
            run_frame(AT(const struct es_mi_frame, frame->frame_at)->resume_at, *cells);
}

/* --- switches ---------------------------------------------------------------------------------------------------- */

/* An interrupt's activation takes a second place, for where it came. */
static void save(struct es_mi_flow *flow, struct interruption resume, bool cut)
{
    struct activation *to = saved_of(flow);
    const struct activation *entry = stack;
    uint32_t room_left = TASKS->places;
    flow->node_at = (uint16_t)(uintptr_t)node;
    while (entry != top) {
        uint32_t places = is_interrupt(entry) ? 2 : 1;
        if (places > room_left) { /* the rest is not known when it goes on */
            flow->node_at = entry->caller_node_at;
            cut = true;
            break;
        }
        room_left -= places;
        flow->last_at = (uint16_t)(uintptr_t)to;
        *to++ = *entry;
        if (places == 2)
            *(struct interruption *)to++ = interruptions[entry - stack];
        entry++;
    }
    uint32_t depth = (uint32_t)(entry - stack);
    flow->depth = flow->unknown_above = (uint16_t)depth;
    if (es.flags & ES_HITF_PATH_UNKNOWN && es.unknown_top < entry)
        flow->unknown_above = (uint16_t)(es.unknown_top - stack);
    if (es.boot)
        es.task_boot = flow;
    flow->marks = (uint16_t)((cut                               ? MARK_UNKNOWN | MARK_NO_FRAMES
                              : es.flags & ES_HITF_PATH_UNKNOWN ? MARK_UNKNOWN
                                                                : 0) |
                             (es.boot ? MARK_BOOT : 0));
    flow->resume_pc = resume.pc;
    flow->resume_insn = resume.insn;
    uint32_t *lives = lives_of(flow);
    if (lives) /* what is freed while the task does not run is not seen */
        *lives++ = HEADER->allocator_count || cut ? 0 : TASKS->pointers & ~pointers_resting(TASKS->pointers);
    frames_leave(cells_of(flow));
    if (TASKS->cfas)
        frames_save(cells_of(flow) + TASKS->frame_count, depth, lives, marks_of(flow));
}

static void restore(struct es_mi_flow *flow)
{
    const struct activation *from = saved_of(flow);
    struct activation *entry = stack;
    uint32_t depth = task_depth(flow);
    for (uint32_t left = depth; left; left--, entry++) {
        *entry = *from++;
        if (is_interrupt(entry))
            interruptions[entry - stack] = *(const struct interruption *)from++;
    }
    top = entry;
    node = AT(const struct es_mi_node, flow->node_at);
    es.resume = (struct interruption){flow->resume_pc, flow->resume_insn};
    es.unknown_top = stack + flow->unknown_above;
    es.boot = (flow->marks & MARK_BOOT) != 0;
    if (flow->marks & MARK_UNKNOWN)
        es.flags |= ES_HITF_PATH_UNKNOWN;
    const uint32_t *lives = lives_of(flow);
    if (!(flow->marks & MARK_NO_FRAMES)) {
        frames_resume(cells_of(flow));
        if (lives && *lives)
            pointers_update(*lives, 0);
    }
    if (TASKS->cfas)
        frames_restore(cells_of(flow) + TASKS->frame_count, depth, lives ? lives + 1 : NULL, marks_of(flow));
    release(flow);
}

static void tell_anew(void)
{
    es.tell_task = true;
    known = stack;
    sent = stack_end + 1; /* no path ends there: the next hit sends it whole */
}

/* What the target ran on so far stops: all that changes is in memory. */
__attribute__((noinline)) void task_stops(uint32_t kind, uint32_t pc, uint32_t insn, bool cut)
{
    struct es_mi_flow *flow = take(es.task, kind);
    if (flow)
        save(flow, (struct interruption){pc, insn}, cut);
    else
        frames_leave(NULL);
    if (TASKS->cfas)
        frames_rest();
}

/* From now on the target runs on the stack of the task that the pointer names. to: its record; NULL: it begins, or
 * there was none. */
__attribute__((noinline)) void task_switch(struct es_mi_flow *to, uint32_t kind, struct interruption resume)
{
    bool cut = es.beyond != 0;
    if (cut)
        forget_beyond();
    task_stops(kind, resume.pc, resume.insn, cut);
    es.task = es.task_pointer;
    es.task_pending = false;
    es.boot = false;
    es.flags &= ~ES_HITF_PATH_UNKNOWN;
    if (to) {
        restore(to);
    } else {
        top = stack;
        node = AT(const struct es_mi_node, HEADER->root_node_at);
        es.resume.insn = es.resume.pc = 0;
        es.unknown_top = stack;
        if (es.tasks_lost)
            es.flags |= ES_HITF_PATH_UNKNOWN;
    }
    tell_anew();
    set_flags(es.flags);
}

void tasks_leave_all(void)
{
    if (top == stack)
        return;
    frames_leave(NULL);
    if (TASKS->cfas)
        frames_rest();
    top = known = stack;
}

/* --- telling the host --------------------------------------------------------------------------------------------- */

uint32_t task_words(void)
{
    uint32_t name = TASKS->name_words;
    return name ? name + 3 : 2;
}

/* A word of phantom memory; false: it is not known. */
static bool peek(uint32_t offset, uint32_t *word)
{
    *word = 0;
    if (offset >= HEADER->window_size)
        return false;
    (void)REG(ES_REG_UNKNOWN);
    *word = *(const volatile uint32_t *)(uintptr_t)(ES_PHANTOM_BASE + offset);
    return !REG(ES_REG_UNKNOWN);
}

void send_task(void)
{
    REG(ES_REG_EV_HEAD) = (task_words() - 1) << 8 | ES_FRAME_TASK;
    put(es.task);
    uint32_t at = (es.task & ~3u) + TASKS->name_at - HEADER->window_base, unknown = 0, bit = 1, word;
    for (uint32_t left = TASKS->name_words; left; left--, at += 4, bit += bit) {
        if (!peek(at, &word))
            unknown |= bit;
        put(word);
    }
    if (TASKS->name_words)
        put(unknown);
    REG(ES_REG_EV_END) = 0;
    es.tell_task = false;
}

/* --- what decides ------------------------------------------------------------------------------------------------ */

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
        release(AT(struct es_mi_flow, at));
    tell_anew();
}

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
        take(es.task, FLOW_LOST);
    es.boot = false;
    es.task = es.task_pointer;
    if (flow) { /* it had been left elsewhere: how it came here was not seen */
        release(flow);
        es.unknown_top = stack;
        es.flags |= ES_HITF_PATH_UNKNOWN;
    }
    tell_anew();
}

void task_written_in_c(void)
{
    uint32_t value = REG(ES_REG_HIT_NEW) >> TASKS->shift & TASKS->mask;
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
        release(es.task_to); /* there was another task in its place */
    task_switch(NULL, FLOW_RETURN, (struct interruption){pc, INSN_RET});
}
