#include "access/open.h"

#include "access/fit.h"
#include "access/simulated.h"
#include "byte_port.h"

static bool open_simulation(es_access *access, const es_symbols *symbols, const es_session_console *console,
                            es_session_probe *probe, es_error *err)
{
    es_sim_config config = {.world = ES_SIM_BYTES,
                            .ratio = access->ratio,
                            .seed = access->seed,
                            .on_console = console->take,
                            .context = console->context};
    access->sim = es_sim_new(&config, err);
    if (!access->sim || !es_fit_load(access->sim, symbols, access->program, err))
        return false;
    probe->transport = es_transport_sim(access->sim);
    probe->target = &es_simulated_target;
    probe->target_context = access->sim;
    return true;
}

/* What the recorder has recorded, or what a probe has sent. */
static bool open_replay(es_access *access, const es_symbols *symbols, const es_session_console *console,
                        es_session_probe *probe, es_error *err)
{
    access->replayed = es_replayed_open(access->choice.name, symbols, console, probe, err);
    return access->replayed;
}

static bool is_replay(const es_probe_choice *choice)
{
    return choice->probe == ES_PROBE_FILE && es_replayed_is(choice->name);
}

static bool open_transport(es_access *access, es_session_probe *probe, es_error *err)
{
    const es_probe_choice *choice = &access->choice;
    probe->transport = es_choice_open(choice, err);
    probe->recorded = choice->probe == ES_PROBE_FILE;
    return probe->transport;
}

bool es_access_open(void *context, const es_symbols *symbols, const es_session_console *console,
                    es_session_probe *probe, es_error *err)
{
    es_access *access = context;
    bool open = access->choice.probe == ES_PROBE_SIM ? open_simulation(access, symbols, console, probe, err)
                : is_replay(&access->choice)         ? open_replay(access, symbols, console, probe, err)
                                                     : open_transport(access, probe, err);
    if (!open || !access->record)
        return open;
    es_transport *recorder = es_transport_record(probe->transport, access->record, err);
    if (recorder)
        probe->transport = recorder;
    return recorder;
}

void es_access_close(es_access *access)
{
    if (access->sim)
        es_sim_free(access->sim);
    access->sim = NULL;
    es_replayed_close(access->replayed);
    access->replayed = NULL;
}
