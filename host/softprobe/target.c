#include "softprobe/target.h"

static void start(void *context)
{
    (void)context; /* it does, with the first step */
}

static void stop(void *context)
{
    es_softprobe_target *target = context;
    target->stopped = true;
}

static uint64_t cycles(void *context)
{
    const es_softprobe_target *target = context;
    return target->source->cycles(target->context);
}

static enum es_target_state step(void *context, uint64_t clocks, size_t bytes)
{
    es_softprobe_target *target = context;
    uint64_t now = cycles(context);
    if (target->stopped || target->halted)
        return ES_TARGET_HALTED;
    target->bytes = bytes;
    enum es_target_state state = ES_TARGET_RUNNING;
    if (!es_softprobe_target_enough(target))
        state = target->source->advance(target->context, target, clocks < UINT64_MAX - now ? now + clocks : UINT64_MAX);
    bool may_come = state == ES_TARGET_RUNNING && target->source->quiet;
    es_softprobe_quiet(target->probe, may_come ? target->source->quiet(target->context) : cycles(context));
    return target->halted ? ES_TARGET_HALTED : state;
}

static int exit_code(void *context)
{
    const es_softprobe_target *target = context;
    return target->source->exit_code(target->context);
}

static uint32_t pc(void *context)
{
    const es_softprobe_target *target = context;
    return target->source->pc(target->context);
}

static const char *trap_text(void *context)
{
    const es_softprobe_target *target = context;
    return target->source->trap_text(target->context);
}

static uint64_t pulses(void *context, unsigned pin)
{
    const es_softprobe_target *target = context;
    return target->pulses[pin & 7];
}

static void tell(void *context, es_text_buffer *note, es_text_buffer *warning)
{
    const es_softprobe_target *target = context;
    if (target->source->tell)
        target->source->tell(target->context, note, warning);
}

static void rank(void *context, const es_target_rank *ranks, size_t count)
{
    es_softprobe_set_ranks(((es_softprobe_target *)context)->probe, ranks, count);
}

static es_transport *beside(void *context, const es_target_rank *ranks, size_t count, es_error *err)
{
    es_softprobe *probe = es_softprobe_beside(((es_softprobe_target *)context)->probe, err);
    if (!probe)
        return NULL;
    es_softprobe_set_ranks(probe, ranks, count);
    return es_softprobe_transport(probe);
}

static size_t next(void *context)
{
    return es_softprobe_next(((es_softprobe_target *)context)->probe);
}

static void hold(void *context, bool on)
{
    es_softprobe_hold(((es_softprobe_target *)context)->probe, on);
}

const es_session_target es_soft_target = {start,  stop, step, cycles, exit_code, pc,   trap_text,
                                          pulses, tell, true, rank,   beside,    next, hold};

static void on_pulses(void *context, unsigned pins)
{
    es_softprobe_target *target = context;
    for (unsigned pin = 0; pin < 8; pin++)
        target->pulses[pin] += pins >> pin & 1;
}

static void on_halt(void *context, bool level)
{
    es_softprobe_target *target = context;
    target->halted |= level;
}

void es_softprobe_target_pins(es_softprobe_target *target, es_softprobe_options *options)
{
    options->on_pulses = on_pulses;
    options->on_halt = on_halt;
    options->context = target;
}
