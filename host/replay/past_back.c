/* Backwards: stretches before the present moment are replayed, which get longer until one has a stop in it. */
#include "replay/past_private.h"

/* So many instructions are replayed at first, and up to so many when nothing was found */
#define WINDOW_FIRST (UINT64_C(1) << 13)
#define WINDOW_MOST (UINT64_C(1) << 22)

enum es_past_stop es_past_go(es_past *past, uint64_t moment)
{
    moment = es_past_lesser(moment, es_timeline_end(past->timeline));
    return es_timeline_seek(past->timeline, moment, &past->error) ? ES_PAST_STEPPED : ES_PAST_WRONG;
}

/* The last stop in a window. */
typedef struct last_stop {
    bool any;
    enum es_past_stop stop;
    uint64_t moment;
    es_past_point hit;
} last_stop;

static void note_break(const es_past *past, last_stop *last)
{
    if (es_past_breaks_at(past, es_machine_pc(past->machine)))
        *last = (last_stop){true, ES_PAST_BREAK, es_timeline_now(past->timeline), {0}};
}

/* All of [from, to), moments of stops; the machine is at `to` then, or where the replay failed. */
static bool search_window(es_past *past, uint64_t from, uint64_t to, last_stop *last)
{
    if (!es_timeline_seek(past->timeline, from, &past->error))
        return false;
    note_break(past, last); /* the first instruction of a run is executed, marked or not */
    while (es_timeline_now(past->timeline) < to) {
        enum es_machine_stop stop = es_past_run(past, to, true, false);
        uint64_t now = es_timeline_now(past->timeline);
        if (stop == ES_MACHINE_ASKED)
            *last = (last_stop){true, ES_PAST_WATCH, now, past->hit};
        else if (stop != ES_MACHINE_MARK && stop != ES_MACHINE_UNTIL)
            return false;
        if (stop != ES_MACHINE_UNTIL && now < to)
            note_break(past, last);
    }
    return true;
}

/* Back to the last stop in [least, now), or to `least`: STEPPED. */
static enum es_past_stop search_back(es_past *past, uint64_t least)
{
    uint64_t to = es_timeline_now(past->timeline), window = WINDOW_FIRST;
    for (last_stop last = {0}; to > least; window = es_past_lesser(2 * window, WINDOW_MOST)) {
        uint64_t from = to - es_past_lesser(to - least, window);
        if (!search_window(past, from, to, &last))
            return ES_PAST_WRONG;
        if (last.any) {
            past->hit = last.hit;
            return es_past_go(past, last.moment) == ES_PAST_WRONG ? ES_PAST_WRONG : last.stop;
        }
        to = from;
        if (to > least && es_past_is_asked(past))
            return es_past_go(past, to) == ES_PAST_WRONG ? ES_PAST_WRONG : ES_PAST_ASKED;
    }
    return es_past_go(past, least);
}

enum es_past_stop es_past_backward(es_past *past)
{
    enum es_past_stop stop = past->point_count ? search_back(past, 0) : es_past_go(past, 0);
    return stop == ES_PAST_STEPPED ? ES_PAST_BEGIN : stop;
}

enum es_past_stop es_past_back_to(es_past *past, uint64_t moment)
{
    return past->point_count ? search_back(past, moment) : es_past_go(past, moment);
}

/* The last trap before a moment that was taken with this stack pointer: into past->trap. */
static enum es_past_stop find_trap(es_past *past, uint64_t to, uint32_t stack)
{
    past->trap.any = false;
    past->trap_any_stack = false;
    past->trap_stack = stack;
    es_past_mark_all(past, false);
    enum es_past_stop result = ES_PAST_STEPPED;
    for (uint64_t window = WINDOW_FIRST; to > 0 && !past->trap.any && result == ES_PAST_STEPPED;
         to -= es_past_lesser(to, window), window = es_past_lesser(2 * window, WINDOW_MOST)) {
        uint64_t from = to - es_past_lesser(to, window);
        if (!es_timeline_seek(past->timeline, from, &past->error) ||
            es_past_run(past, to, false, true) != ES_MACHINE_UNTIL)
            result = ES_PAST_WRONG;
        else if (es_past_is_asked(past))
            result = ES_PAST_ASKED;
    }
    es_past_mark_all(past, true);
    return result;
}

static bool at_trap_return(const es_past *past)
{
    return es_past_insn_at(past, es_machine_pc(past->machine)).kind == ES_INSN_TRAP_RETURN;
}

/* At the end of a handler, which the interrupted code went on after, at `pc` with `stack`: to the last instruction
 * before the interrupt. Stays where it is, if it was none. */
static enum es_past_stop pass_interrupt_back(es_past *past, uint32_t pc, uint32_t stack)
{
    uint64_t here = es_timeline_now(past->timeline);
    enum es_past_stop stop = ES_PAST_STEPPED;
    do {
        stop = find_trap(past, es_timeline_now(past->timeline), stack);
        if (stop != ES_PAST_STEPPED || !past->trap.any || !past->trap.passes || past->trap.resume != pc ||
            !past->trap.moment)
            break;
        here = past->trap.moment - 1;
        stop = es_past_go(past, here);
    } while (stop == ES_PAST_STEPPED && at_trap_return(past)); /* one interrupt came right after another */
    return stop == ES_PAST_WRONG || es_past_go(past, here) == ES_PAST_WRONG ? ES_PAST_WRONG : stop;
}

enum es_past_stop es_past_step_back(es_past *past)
{
    uint64_t now = es_timeline_now(past->timeline);
    if (now == 0)
        return ES_PAST_BEGIN;
    uint32_t pc = es_machine_pc(past->machine), stack = es_past_stack_pointer(past);
    enum es_past_stop stop = es_past_go(past, now - 1);
    if (past->watch_count && stop == ES_PAST_STEPPED) {
        if (es_past_run(past, now, true, false) == ES_MACHINE_ASKED)
            return ES_PAST_WATCH; /* where it was */
        stop = es_past_go(past, now - 1);
    }
    if (stop == ES_PAST_STEPPED && past->over_interrupts && at_trap_return(past))
        stop = pass_interrupt_back(past, pc, stack);
    return stop;
}
