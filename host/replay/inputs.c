#include "replay/inputs.h"

#include <string.h>

#define MIE 0x304u
#define MIP 0x344u

uint32_t es_execution_interrupts(const es_execution *run)
{
    return es_processor_of(run->program->machine.processor)->interrupts;
}

int es_execution_timer_due(const es_execution *run, unsigned cause, uint64_t time)
{
    int due = -1;
    for (size_t i = 0; i < run->program->timer_count; i++)
        if (run->program->timers[i].cause == cause)
            due = time - run->state.reset_time >= run->state.compare[i];
    return due;
}

static uint32_t lanes_of(uint32_t address, unsigned size)
{
    return (size >= 4 ? UINT32_MAX : (1u << 8 * size) - 1) << 8 * (address & 3);
}

/* The next expected input's word. */
static bool next_word(es_execution *run, uint32_t *word)
{
    es_execution_state *s = &run->state;
    if (!s->left) {
        const es_stream_token *token = s->cursor < run->count ? &run->tokens[s->cursor] : NULL;
        if (token && token->kind == ES_TOKEN_VALUE) {
            s->cursor++;
            s->delta = token->value - s->last;
            *word = s->last = token->value;
            return true;
        }
        if (!token || token->kind != ES_TOKEN_RUN || !token->value)
            return false;
        s->cursor++;
        s->left = token->value;
    }
    s->left--;
    *word = s->last += s->delta;
    return true;
}

static bool read_outside(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    uint32_t word;
    if (!next_word(context, &word))
        return false;
    *value = (word & lanes_of(address, size)) >> 8 * (address & 3);
    *unknown = 0;
    return true;
}

/* Timers are of 64 bits, in two words. */
static void write_outside(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    es_execution *run = context;
    for (size_t i = 0; i < run->program->timer_count; i++) {
        uint32_t offset = address - run->program->timers[i].compare;
        if (offset > 7 || size != 4 || (offset & 3))
            continue;
        uint64_t *compare = &run->state.compare[i];
        uint64_t low = unknown ? UINT32_MAX : value;
        *compare = offset ? (*compare & UINT32_MAX) | low << 32 : (*compare & ~(uint64_t)UINT32_MAX) | low;
    }
}

/* What the timers say that is pending. */
static uint32_t due(const es_execution *run, uint64_t time)
{
    uint32_t pending = 0;
    for (size_t i = 0; i < run->program->timer_count; i++)
        if (es_execution_timer_due(run, run->program->timers[i].cause, time) == 1)
            pending |= 1u << run->program->timers[i].cause;
    return pending;
}

#define READ_AFTER 2 /* clocks from an instruction's fetch to what it reads of its own processor, about */
#define EDGE 16      /* ... and how much about */

static void add_pending(es_alternatives *a, uint32_t value, uint32_t unknown)
{
    if (a->count == ES_CHOICES_MAX)
        return;
    a->value[a->count] = value & ~unknown;
    a->unknown[a->count++] = unknown;
}

/* First that nothing is known; then single bits, as programs look at one; then all. What the timers say goes first. */
static void pending_alternatives(es_execution *run, uint64_t time, es_alternatives *a)
{
    uint32_t enabled = 0, unknown = 0, all = es_execution_interrupts(run), first = due(run, time + READ_AFTER);
    a->edge = due(run, time) != due(run, time + EDGE);
    add_pending(a, 0, all);
    es_machine_control(run->machine, MIE, &enabled, &unknown);
    enabled = (enabled | 1u << 7 | 1u << 11) & all;
    for (unsigned bit = 0; bit < 32; bit++)
        if (enabled >> bit & 1) {
            add_pending(a, first, all & ~(1u << bit));
            add_pending(a, ~first & 1u << bit, all & ~(1u << bit));
        }
    add_pending(a, first & enabled, all & ~enabled);
    for (uint32_t subset = enabled; subset; subset = (subset - 1) & enabled)
        add_pending(a, (first & enabled) ^ subset, all & ~enabled);
}

#define BEFORE 4 /* clocks between a counter's reset and that of the tap's time, or the other way */

static void clock_alternatives(es_execution *run, unsigned number, uint64_t time, es_alternatives *a)
{
    bool high = number & 0x80, instructions = (number & 0x7F) == 2;
    uint64_t now = instructions ? es_machine_fetches(run->machine) : time - run->state.reset_time;
    a->count = 1;
    a->unknown[0] = UINT32_MAX;
    if ((number & 0x7F) == 1) /* time: of a clock that nobody knows */
        return;
    for (unsigned i = 0; a->count < ES_CHOICES_MAX - 1; i++)
        a->value[a->count++] = (uint32_t)(high ? (now + i - BEFORE) >> 32 : now + i - BEFORE);
}

static bool read_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    es_execution *run = context;
    es_execution_state *s = &run->state;
    if (s->left || s->cursor >= run->count || run->tokens[s->cursor].kind != ES_TOKEN_CLOCK)
        return false;
    es_alternatives a = {.kind = number == MIP ? ES_CHOICE_PENDING : ES_CHOICE_CLOCK};
    if (number == MIP)
        pending_alternatives(run, run->tokens[s->cursor].time, &a);
    else
        clock_alternatives(run, number, run->tokens[s->cursor].time, &a);
    es_choice choice = {.unknown = UINT32_MAX};
    if (!run->dry)
        choice = run->choose(run->context, &a, es_machine_fetches(run->machine));
    s->cursor++;
    *value = choice.value;
    *unknown = choice.unknown;
    return true;
}

es_machine_outside es_execution_outside(es_execution *run)
{
    return (es_machine_outside){.read = read_outside, .write = write_outside, .control = read_control, .context = run};
}
