/* What all parts share: the state, the shadow stack's memory, and the registers that follow from both. */
#include "firmware.h"
#include "offsets.h"

_Static_assert(offsetof(struct state, resume) == ES_MI_RESUME_AT, "as interface/routines.h says");
_Static_assert(offsetof(struct state, root_jump) == STATE_ROOT_JUMP, "as assembly reads it");
_Static_assert(offsetof(struct es_mi_header, tasks_at) == HEADER_TASKS_AT, "as assembly reads it");
_Static_assert(SITE_ROOT_JUMP == (uint32_t)SITE_ROOT_JUMP_SIGNED && SITE_TASK == (uint32_t)SITE_TASK_SIGNED,
               "as assembly reads it");
struct state es;
struct activation stack_and_end[1 + ES_MI_STACK_DEPTH];
struct interruption interruptions[ES_MI_STACK_DEPTH];

void set_flags(uint32_t flags)
{
    es.flags = flags;
    REG(ES_REG_EV_FLAGS) = flags;
    /* where nothing below is known to be right, a return tells nothing of it */
    bool doubtful = flags & ES_HITF_PATH_UNKNOWN && es.unknown_top != stack;
    distance = doubtful || es.beyond || es.task_pending ? RETURN_NEVER : RETURN_DISTANCE;
    if (flags & ES_HITF_PATH_UNKNOWN)
        AT(struct es_mi_doubts, unknown_at)->paths = 1;
}

void set_busy(void)
{
    busy = (es.owed & ~OWED_DOUBT) || es.flush;
}

void doubt_nobodys(uint32_t by)
{
    struct es_mi_doubts *doubts = AT(struct es_mi_doubts, unknown_at);
    doubts->unknown += by;
    doubts->nobodys += by;
}
