/* Frames and stacks: what begins and ends, and what it took. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "prof/calls.h"

es_prof_stack *es_prof_stack_now(es_prof_calls *calls)
{
    return &calls->stacks[calls->now];
}

es_prof_frame *es_prof_top(es_prof_calls *calls)
{
    es_prof_stack *s = es_prof_stack_now(calls);
    return s->count ? &s->frames[s->count - 1] : NULL;
}

static es_prof_cost less(es_prof_cost a, es_prof_cost b)
{
    return (es_prof_cost){a.instructions - b.instructions, a.clocks - b.clocks};
}

static void add(es_prof_cost *to, es_prof_cost cost)
{
    to->instructions += cost.instructions;
    to->clocks += cost.clocks;
}

size_t es_prof_last_trap(const es_prof_stack *s)
{
    size_t i = s->traps ? s->count : 0;
    while (i > 0 && s->frames[i - 1].kind != ES_PROF_TRAP)
        i--;
    return i;
}

static void begin_stack(es_prof_calls *calls, es_prof_stack *s, uint32_t procedure)
{
    s->root = procedure;
    s->same = 0;
    for (size_t i = 0; i < calls->stack_count; i++)
        s->same += &calls->stacks[i] != s && calls->stacks[i].times && calls->stacks[i].root == procedure;
    s->times += !s->times;
}

void es_prof_push(es_prof_calls *calls, es_prof_frame frame)
{
    es_prof_stack *s = es_prof_stack_now(calls);
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->frames = es_realloc(s->frames, s->room * sizeof *s->frames);
    }
    frame.begin = calls->total;
    if (frame.kind == ES_PROF_TRAP) {
        s->traps++;
    } else {
        if (!s->count)
            begin_stack(calls, s, frame.procedure);
        frame.before = s->active[frame.procedure];
        frame.outermost = frame.before <= es_prof_last_trap(s);
        if (frame.outermost)
            s->active[frame.procedure] = (uint32_t)s->count + 1;
    }
    s->frames[s->count++] = frame;
    if (calls->hearer.entered)
        calls->hearer.entered(calls->hearer.context, calls, &s->frames[s->count - 1]);
}

static void pop(es_prof_calls *calls)
{
    es_prof_stack *s = es_prof_stack_now(calls);
    es_prof_frame *frame = &s->frames[s->count - 1];
    es_prof_cost all = less(calls->total, frame->begin), cost = less(all, frame->away);
    es_prof_frame *below = s->count > 1 ? frame - 1 : NULL;
    if (calls->hearer.left)
        calls->hearer.left(calls->hearer.context, calls, frame, cost);
    if (frame->kind == ES_PROF_TRAP)
        s->traps--;
    else if (frame->outermost)
        s->active[frame->procedure] = frame->before;
    if (below)
        add(&below->away, frame->kind == ES_PROF_TRAP ? all : frame->away);
    else
        add(&s->self, cost);
    s->count--;
}

void es_prof_pop_to(es_prof_calls *calls, size_t count)
{
    while (es_prof_stack_now(calls)->count > count)
        pop(calls);
    if (calls->switching > count)
        calls->switching = 0;
}

void es_prof_switch_to(es_prof_calls *calls, size_t stack)
{
    size_t from = calls->now;
    es_prof_stack *s = &calls->stacks[from];
    bool after_trap = s->count && s->frames[s->count - 1].kind == ES_PROF_TRAP;
    calls->switching = 0;
    if (from == stack)
        return;
    s->left = calls->total;
    calls->now = stack;
    s = &calls->stacks[stack];
    if (s->count)
        add(&s->frames[s->count - 1].away, less(calls->total, s->left));
    s->times += !calls->ending;
    if (calls->hearer.switched)
        calls->hearer.switched(calls->hearer.context, calls, from, after_trap);
}

size_t es_prof_free_stack(es_prof_calls *calls)
{
    calls->stacks = es_realloc(calls->stacks, (calls->stack_count + 1) * sizeof *calls->stacks);
    es_prof_stack *s = &calls->stacks[calls->stack_count];
    *s = (es_prof_stack){.active = calloc(calls->code->procedure_count, sizeof *s->active)};
    if (!s->active)
        abort();
    return calls->stack_count++;
}

void es_prof_end_all(es_prof_calls *calls)
{
    size_t last = calls->now;
    calls->ending = true;
    for (size_t i = 0; i < calls->stack_count; i++)
        if (i != last && calls->stacks[i].count) {
            es_prof_switch_to(calls, i);
            es_prof_pop_to(calls, 0);
        }
    es_prof_switch_to(calls, last);
    es_prof_pop_to(calls, 0);
    calls->last = NULL;
    calls->trapped = calls->ending = false;
    calls->procedure = (uint32_t)calls->code->procedure_count;
}

void es_prof_calls_init(es_prof_calls *calls, es_prof_code *code, const es_machine *machine,
                        const es_prof_hearer *hearer)
{
    *calls = (es_prof_calls){.code = code, .machine = machine, .hearer = *hearer};
    calls->procedure = (uint32_t)code->procedure_count;
    calls->now = es_prof_free_stack(calls);
}

void es_prof_calls_free(es_prof_calls *calls)
{
    for (size_t i = 0; i < calls->stack_count; i++) {
        free(calls->stacks[i].frames);
        free(calls->stacks[i].active);
    }
    free(calls->stacks);
    memset(calls, 0, sizeof *calls);
}
