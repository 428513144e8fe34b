#include "replay/inputs.h"

#include <string.h>

#include "base/endian.h"

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
        uint64_t low = unknown ? UINT32_MAX : run->program->machine.big_endian ? es_endian_turned(value, size) : value;
        *compare = offset ? (*compare & UINT32_MAX) | low << 32 : (*compare & ~(uint64_t)UINT32_MAX) | low;
    }
}

enum {
    READ_AFTER = 3, /* clocks from an instruction's fetch to what it reads of its own processor, most likely, */
    READ_MORE = 16, /* ... and so many more or less; a reset's with them */
    NEAR = 4,       /* clocks from what is most likely */
    POSSIBLE = ES_COST_POSSIBLE,
    UNLIKELY = 2,   /* it changed about then */
    UNLIKELIER = 3, /* ... not just then */
    STRANGE = 4,    /* it contradicts what is known */
};

typedef struct bounds {
    int64_t first, last; /* clocks from an instruction's fetch to what it reads */
} bounds;

static bounds read_bounds(const es_execution_state *s)
{
    return (bounds){READ_AFTER - READ_MORE + s->read_not_before, READ_AFTER + READ_MORE - s->read_not_after};
}

static int64_t most_likely(bounds read)
{
    return READ_AFTER < read.first ? read.first : READ_AFTER > read.last ? read.last : READ_AFTER;
}

/* Clocks from a fetch until a timer is due, which may be long ago. */
static int64_t clocks_left(const es_execution_state *s, size_t timer, uint64_t time)
{
    uint64_t now = time - s->reset_time, due = s->compare[timer];
    uint64_t most = UINT64_C(1) << 32;
    return due > now ? (int64_t)(due - now < most ? due - now : most) : -(int64_t)(now - due < most ? now - due : most);
}

/* What mip holds most likely, and what it costs if a bit of it is another one. */
typedef struct foreseen {
    uint32_t bits;
    uint8_t cost[32];
} foreseen;

static foreseen foresee(const es_execution *run, uint64_t time)
{
    const es_execution_state *s = &run->state;
    foreseen p = {.bits = s->pending};
    bounds read = read_bounds(s);
    int64_t likely = most_likely(read);
    memset(p.cost, POSSIBLE, sizeof p.cost);
    for (size_t i = 0; i < run->program->timer_count; i++) {
        int64_t left = clocks_left(s, i, time), off = left > likely ? left - likely : likely - left;
        unsigned bit = run->program->timers[i].cause;
        p.bits = left <= likely ? p.bits | 1u << bit : p.bits & ~(1u << bit);
        p.cost[bit] = left <= read.first || left > read.last ? STRANGE : off <= NEAR ? UNLIKELY : UNLIKELIER;
    }
    return p;
}

static void add(es_alternatives *a, uint32_t value, uint32_t unknown, unsigned cost)
{
    if (a->count == ES_CHOICES_MAX)
        return;
    a->value[a->count] = value & ~unknown;
    a->unknown[a->count] = unknown;
    a->cost[a->count++] = (uint8_t)cost;
}

static unsigned cost_of_bits(const foreseen *p, uint32_t bits)
{
    unsigned cost = 0;
    for (unsigned bit = 0; bit < 32; bit++)
        cost += bits >> bit & 1 ? p->cost[bit] : 0;
    return cost;
}

/* First that nothing is known; then single bits, as programs look at one; then all. What is foreseen goes first. */
static void pending_alternatives(es_execution *run, uint64_t time, es_alternatives *a)
{
    uint32_t enabled = 0, unknown = 0, all = es_execution_interrupts(run);
    foreseen p = foresee(run, time);
    p.bits &= all;
    add(a, 0, all, 0);
    es_machine_control(run->machine, MIE, &enabled, &unknown);
    enabled = (enabled | 1u << 7 | 1u << 11) & all;
    for (unsigned bit = 0; bit < 32; bit++)
        if (enabled >> bit & 1) {
            add(a, p.bits, all & ~(1u << bit), 0);
            add(a, ~p.bits & all, all & ~(1u << bit), p.cost[bit]);
        }
    add(a, p.bits, all & ~enabled, 0);
    for (uint32_t subset = enabled; subset; subset = (subset - 1) & enabled)
        add(a, p.bits ^ subset, all & ~enabled, cost_of_bits(&p, subset));
}

static void learn_pending(es_execution *run, uint64_t time, es_choice choice)
{
    es_execution_state *s = &run->state;
    s->pending = (s->pending & choice.unknown) | choice.value;
    for (size_t i = 0; i < run->program->timer_count; i++) {
        uint32_t bit = 1u << run->program->timers[i].cause;
        int64_t left = clocks_left(s, i, time);
        bounds read = read_bounds(s);
        if (choice.unknown & bit || left <= READ_AFTER - READ_MORE || left > READ_AFTER + READ_MORE)
            continue;
        if (choice.value & bit && left > read.first) {
            read.first = left;
            read.last = read.last < left ? left : read.last;
        } else if (!(choice.value & bit) && left <= read.last) {
            read.last = left - 1;
            read.first = read.first > read.last ? read.last : read.first;
        }
        s->read_not_before = (uint8_t)(read.first - (READ_AFTER - READ_MORE));
        s->read_not_after = (uint8_t)(READ_AFTER + READ_MORE - read.last);
    }
}

#define BEFORE 4 /* clocks between a counter's reset and that of the tap's time, or the other way */

static bool counts_instructions(unsigned number)
{
    return (number & 0x7F) == 2;
}

static uint64_t counted(const es_execution *run, unsigned number, uint64_t time)
{
    return counts_instructions(number) ? es_machine_fetches(run->machine) : time - run->state.reset_time;
}

static uint32_t half_of(unsigned number, uint64_t count)
{
    return (uint32_t)(number & 0x80 ? count >> 32 : count);
}

/* Once a counter was found to have so much more than the clock, it has so the next time; the one that was chosen first
 * is to be blamed where that is wrong. */
static void clock_alternatives(es_execution *run, unsigned number, uint64_t time, es_alternatives *a)
{
    const es_execution_state *s = &run->state;
    uint64_t now = counted(run, number, time);
    unsigned which = counts_instructions(number);
    add(a, 0, UINT32_MAX, 0);
    if ((number & 0x7F) == 1) /* time: of a clock that nobody knows */
        return;
    if (s->counter_learned[which])
        add(a, half_of(number, now + (uint64_t)(int64_t)s->counter_more[which]), 0, 0);
    for (int more = -BEFORE; a->count < ES_CHOICES_MAX - 1; more++) {
        uint32_t value = half_of(number, now + (uint64_t)(int64_t)more);
        bool again = false;
        for (unsigned i = 1; i < a->count; i++)
            again |= a->value[i] == value;
        if (!again)
            add(a, value, 0, s->counter_learned[which] ? STRANGE : a->count > 1 ? POSSIBLE : 0);
        else if (number & 0x80)
            break;
    }
}

static void learn_clock(es_execution *run, unsigned number, uint64_t time, es_choice choice)
{
    unsigned which = counts_instructions(number);
    if (choice.unknown || number & 0x80 || (number & 0x7F) == 1)
        return;
    run->state.counter_more[which] = (int32_t)(choice.value - (uint32_t)counted(run, number, time));
    run->state.counter_learned[which] = true;
}

/* Before the first instruction of these that is asked for anew: whoever decides saves the machine as it is then. */
static bool pauses(es_execution *run)
{
    uint64_t here = es_machine_fetches(run->machine) + 1;
    if (run->dry || !run->asks || run->paused_at == here)
        return false;
    run->paused_at = here;
    run->pauses = true;
    return true;
}

static bool read_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    es_execution *run = context;
    es_execution_state *s = &run->state;
    if (s->left || s->cursor >= run->count || run->tokens[s->cursor].kind != ES_TOKEN_CLOCK || pauses(run))
        return false;
    bool pending = number == MIP;
    uint64_t time = run->tokens[s->cursor].time;
    es_alternatives a = {.kind = pending ? ES_CHOICE_PENDING : ES_CHOICE_CLOCK};
    if (pending)
        pending_alternatives(run, time, &a);
    else
        clock_alternatives(run, number, time, &a);
    es_choice choice = {.unknown = UINT32_MAX};
    if (!run->dry)
        choice = run->choose(run->context, &a, es_machine_fetches(run->machine));
    if (pending)
        learn_pending(run, time, choice);
    else
        learn_clock(run, number, time, choice);
    s->cursor++;
    *value = choice.value;
    *unknown = choice.unknown;
    return true;
}

es_machine_outside es_execution_outside(es_execution *run)
{
    return (es_machine_outside){.read = read_outside, .write = write_outside, .control = read_control, .context = run};
}
