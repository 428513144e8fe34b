#include "replay/run.h"

#include <inttypes.h>
#include <string.h>

#include "replay/inputs.h"

/* The part of a segment that lies in a region. */
static void load(es_machine *machine, const es_segment *segment, es_replay_region region)
{
    uint64_t low = segment->address > region.base ? segment->address : region.base;
    uint64_t high = (uint64_t)segment->address + segment->size, end = (uint64_t)region.base + region.size;
    if (high > end)
        high = end;
    if (low < high)
        es_machine_poke(machine, (uint32_t)low, segment->bytes + (low - segment->address), NULL,
                        (uint32_t)(high - low));
}

bool es_execution_begin(es_execution *run, const es_replay_program *program, es_error *err)
{
    es_machine_outside outside = es_execution_outside(run);
    return es_execution_begin_with(run, program, &outside, err);
}

bool es_execution_begin_with(es_execution *run, const es_replay_program *program, const es_machine_outside *outside,
                             es_error *err)
{
    es_machine_options options = program->machine;
    const es_segment *segments;
    size_t count = program->symbols ? es_symbols_segments(program->symbols, &segments) : 0;
    run->program = program;
    run->counted = SIZE_MAX;
    memset(&run->state, 0, sizeof run->state);
    for (size_t i = 0; i < ES_REPLAY_TIMERS; i++)
        run->state.compare[i] = UINT64_MAX;
    options.outside = *outside;
    run->machine = es_machine_new(&options, err);
    if (!run->machine)
        return false;
    for (size_t r = 0; r < program->region_count; r++) {
        if (!es_machine_region(run->machine, program->regions[r].base, program->regions[r].size, true, err)) {
            es_execution_free(run);
            return false;
        }
        for (size_t i = 0; i < count; i++)
            load(run->machine, &segments[i], program->regions[r]);
    }
    es_machine_reset(run->machine);
    return true;
}

void es_execution_free(es_execution *run)
{
    es_machine_free(run->machine);
    run->machine = NULL;
}

/* Why the machine stands still; wanted: what it was to do. */
static enum es_execution_end stopped(es_execution *run, enum es_machine_stop stop)
{
    switch (stop) {
    case ES_MACHINE_ASKED: return ES_EXECUTED_ASKED;
    case ES_MACHINE_UNKNOWN: es_execution_wrong(run, "%s", es_machine_reason(run->machine)); return ES_EXECUTED_UNKNOWN;
    case ES_MACHINE_INPUT:
        return es_execution_wrong(run, "the program reads an input at 0x%08" PRIx32 ", and none is left",
                                  es_machine_pc(run->machine));
    default: return es_execution_wrong(run, "%s", es_machine_reason(run->machine));
    }
}

enum es_execution_end es_execution_to(es_execution *run, uint64_t moment, bool marks)
{
    for (bool first = true;; first = false) {
        enum es_execution_end end = es_execution_settle(run);
        uint64_t now = es_machine_fetches(run->machine), next = moment;
        if (end != ES_EXECUTED_UNTIL || now >= moment)
            return end;
        if (marks && !first && es_machine_is_marked(run->machine, es_machine_pc(run->machine)))
            return ES_EXECUTED_MARK;
        const es_stream_token *token = es_execution_counted(run);
        if (token && token->fetches < next)
            next = token->fetches;
        enum es_machine_stop stop = es_machine_run(run->machine, next);
        if (stop == ES_MACHINE_UNTIL || stop == ES_MACHINE_WAITS)
            continue;
        if (stop == ES_MACHINE_INPUT && run->pauses) {
            run->pauses = false;
            run->asks(run->context);
            continue;
        }
        if (stop == ES_MACHINE_MARK) /* heeded above; the next run executes it in any case */
            continue;
        end = stopped(run, stop);
        if (end == ES_EXECUTED_ASKED) { /* after an instruction: what comes before the next one */
            enum es_execution_end settled = es_execution_settle(run);
            return settled == ES_EXECUTED_UNTIL ? end : settled;
        }
        return end;
    }
}
