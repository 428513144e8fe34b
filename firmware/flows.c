/* Tasks that do not run: what is kept of each, and how one stack is put in another one's place. */
#include "tasks.h"

_Static_assert(offsetof(struct es_mi_flow, depth) == ES_MI_FLOW_DEPTH, "task_depth loads it");

/* es_mi_flow.marks, besides MARK_BOOT */
#define MARK_UNKNOWN 1u   /* the path */
#define MARK_NO_FRAMES 4u /* no frame of fixed place is kept */

/* The flow's parts after its record: frame addresses by frame, then by activation, which pointers do not rest, then
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

/* --- records ------------------------------------------------------------------------------------------------------ */

/* Records that are free are a list: `task` leads to the next one. */
void flow_release(struct es_mi_flow *flow)
{
    flow->kind = FLOW_FREE;
    flow->task = (uint32_t)(uintptr_t)es.task_free;
    es.task_free = flow;
    if (es.task_boot == flow)
        es.task_boot = NULL;
}

/* A record for a task that stops running; NULL, and counted, when all are taken. */
struct es_mi_flow *flow_take(uint32_t task, uint32_t kind)
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

/* --- frames: a task's locals exist while it runs ------------------------------------------------------------------ */

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

/* --- switches ----------------------------------------------------------------------------------------------------- */

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
    flow_release(flow);
}

void task_tell_anew(void)
{
    es.tell_task = true;
    known = stack;
    sent = stack_end + 1; /* no path ends there: the next hit sends it whole */
}

/* What the target ran on so far stops: all that changes is in memory. */
__attribute__((noinline)) void task_stops(uint32_t kind, uint32_t pc, uint32_t insn, bool cut)
{
    struct es_mi_flow *flow = flow_take(es.task, kind);
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
    task_tell_anew();
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
