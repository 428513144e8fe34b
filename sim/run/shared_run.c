#include "run/shared_run.h"

#include "probe_defs.h"
#include "symbols/symbols.h"

#define EXIT_ADDRESS (ES_TARGET_IO_BASE + ES_TARGET_IO_EXIT)

typedef struct shared_run {
    const es_shared_options *options;
    es_shared_result *result;
    uint32_t main;
    bool begun;
} shared_run;

static void on_console(void *context, const char *bytes, size_t size)
{
    const shared_run *run = context;
    if (run->options->on_console)
        run->options->on_console(run->options->context, bytes, size);
}

static void on_retired(void *context, const es_retired *retired)
{
    shared_run *run = context;
    es_shared_result *result = run->result;
    result->instructions++;
    if (retired->pc == run->main && !run->begun) {
        run->begun = true;
        result->begin = retired->fetch_cycle;
    }
    if (retired->mem_wmask && retired->mem_addr == EXIT_ADDRESS) {
        result->core = retired->core;
        result->end = retired->cycle;
    }
    if (run->options->on_retired)
        run->options->on_retired(run->options->context, retired);
}

static bool load(es_sim *sim, const es_symbols *symbols, const es_shared_options *options, es_error *err)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size))
            return es_fail(err, ES_USAGE, "%s: does not fit the simulated target's memory", options->program);
    return true;
}

static bool execute(shared_run *run, es_sim *sim, es_error *err)
{
    const es_shared_options *options = run->options;
    uint64_t limit = options->clocks ? options->clocks : ES_SHARED_CLOCKS;
    es_sim_start_target(sim);
    switch (es_sim_step(sim, limit, 0)) {
    case ES_SIM_EXITED: break;
    case ES_SIM_TRAPPED: return es_fail(err, ES_PROBE, "%s: %s", options->program, es_sim_trap_text(sim));
    default:
        return es_fail(err, ES_PROBE, "%s: did not end within %llu clocks", options->program,
                       (unsigned long long)limit);
    }
    run->result->exit_code = es_sim_exit_code(sim);
    return run->begun || es_fail(err, ES_USAGE, "%s: ended before main", options->program);
}

bool es_shared_run(const es_shared_options *options, es_shared_result *result, es_error *err)
{
    *result = (es_shared_result){0};
    shared_run run = {.options = options, .result = result};
    es_symbols *symbols = es_symbols_open(options->program, err);
    if (!symbols)
        return false;
    const es_procedure *program_main = es_symbols_procedure_named(symbols, "main");
    es_sim *sim = NULL;
    bool good = program_main || es_fail(err, ES_USAGE, "%s: has no main", options->program);
    if (good) {
        run.main = program_main->low;
        es_sim_config config = {.world = ES_SIM_BARE,
                                .shared = options->target,
                                .seed = options->seed,
                                .on_console = on_console,
                                .on_retired = on_retired,
                                .context = &run};
        sim = es_sim_new(&config, err);
        good = sim && load(sim, symbols, options, err) && execute(&run, sim, err);
    }
    if (sim)
        es_sim_free(sim);
    es_symbols_close(symbols);
    return good;
}
