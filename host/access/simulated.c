#include "access/simulated.h"

#include "sim.h"

static void start(void *context)
{
    es_sim_start_target(context);
}

static void stop(void *context)
{
    es_sim_stop_target(context);
}

static enum es_target_state step(void *context, uint64_t clocks, size_t bytes)
{
    static const enum es_target_state states[] = {[ES_SIM_RUNNING] = ES_TARGET_RUNNING,
                                                  [ES_SIM_EXITED] = ES_TARGET_EXITED,
                                                  [ES_SIM_STOPPED] = ES_TARGET_HALTED,
                                                  [ES_SIM_HALTED] = ES_TARGET_HALTED,
                                                  [ES_SIM_TRAPPED] = ES_TARGET_TRAPPED};
    return states[es_sim_step(context, clocks, bytes)];
}

static uint64_t cycles(void *context)
{
    return es_sim_cycles(context);
}

static int exit_code(void *context)
{
    return es_sim_exit_code(context);
}

static uint32_t pc(void *context)
{
    return es_sim_pc(context);
}

static const char *trap_text(void *context)
{
    return es_sim_trap_text(context);
}

static uint64_t pulses(void *context, unsigned pin)
{
    return es_sim_pulses(context, pin);
}

const es_session_target es_simulated_target = {.start = start,
                                               .stop = stop,
                                               .step = step,
                                               .cycles = cycles,
                                               .exit_code = exit_code,
                                               .pc = pc,
                                               .trap_text = trap_text,
                                               .pulses = pulses};
