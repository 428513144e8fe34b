/* MSEL and MSL: which statements an event concerns, their evaluation, their actions. */
#include "firmware.h"

/* Evaluates a statement, which also runs its counting actions, and sends what is to be printed. */
static inline void run(const struct es_mi_statement *statement, uint32_t events, uint32_t pc)
{
    uint32_t print_at = AT(evaluate_routine, statement->evaluate_at)(events, ES_REG_BASE);
    if (print_at)
        send_hit(statement, print_at, events, pc);
}

void run_controls(uint32_t list_at, uint32_t pc)
{
    for (const struct es_mi_control *control = AT(const struct es_mi_control, list_at);; control++) {
        run(AT(const struct es_mi_statement, control->statement_at), control->events, pc);
        if (control->flags & ES_MI_LAST)
            return;
    }
}

/* True when a write to `lanes` completes the variable; else what was written is remembered. */
static inline bool completes(const struct es_mi_trigger *trigger, uint32_t lanes)
{
    uint32_t missing = trigger->lanes & ~lanes;
    if (unlikely(missing)) {
        uint8_t *pending = AT(uint8_t, trigger->pending_at);
        if (missing == trigger->lanes)
            return false; /* another variable's bytes */
        uint32_t written = *pending | (trigger->lanes & lanes);
        *pending = (uint8_t)(written == trigger->lanes ? 0 : written);
        return written == trigger->lanes;
    }
    *AT(uint8_t, trigger->pending_at) = 0;
    return true;
}

static inline bool frame_is_there(const struct es_mi_frame_trigger *frame)
{
    return *AT(const uint32_t, frame->cell_at) == frame->cfa;
}

/* Makes the word just written known. The hit holds the FIFO's output, so the word is as the hit tells it. */
static void know_word(void)
{
    uint32_t offset = REG(ES_REG_HIT_ADDR) - IMAGE->header.window_base;
    *AT(volatile uint32_t, ES_PHANTOM_BASE + offset) = REG(ES_REG_HIT_NEW);
}

/* Walks one list of triggers; `size` of an entry. Consecutive triggers of one statement make one evaluation. */
static inline void walk(uint32_t at, uint32_t lanes, uint32_t size)
{
    uint32_t pc = REG(ES_REG_HIT_PC);
    uint32_t due = 0, events = 0; /* the statement to evaluate, and its event bits so far */
    for (;; at += size) {
        const struct es_mi_trigger *trigger = AT(const struct es_mi_trigger, at);
        if ((size == sizeof *trigger || frame_is_there((const struct es_mi_frame_trigger *)trigger)) &&
            completes(trigger, lanes)) {
            if (likely(trigger->flags & ES_MI_ALONE) && !due) {
                run(AT(const struct es_mi_statement, trigger->statement_at), trigger->events, pc);
                if (likely(trigger->flags & ES_MI_LAST))
                    return;
                continue;
            }
            if (size != sizeof *trigger && trigger->flags & ES_MI_COVER) {
                know_word();
            } else {
                if (due != trigger->statement_at) {
                    if (due)
                        run(AT(const struct es_mi_statement, due), events, pc);
                    due = trigger->statement_at;
                    events = 0;
                }
                events |= trigger->events;
            }
        }
        if (trigger->flags & ES_MI_LAST)
            break;
    }
    if (due)
        run(AT(const struct es_mi_statement, due), events, pc);
}

void on_write(uint32_t hit_flags)
{
    uint32_t cell = map_cell(&IMAGE->data, REG(ES_REG_HIT_ADDR));
    uint32_t lanes = hit_flags >> ES_HIT_LANES_SHIFT & 15;
    if (cell & 1)
        walk(cell - 1, lanes, sizeof(struct es_mi_frame_trigger));
    else if (cell)
        walk(cell, lanes, sizeof(struct es_mi_trigger));
}
