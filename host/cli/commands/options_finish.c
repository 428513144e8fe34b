/* The common options together: what follows from others, what cannot be combined. */
#include <string.h>

#include "cli/commands/guaranteed.h"
#include "cli/commands/options.h"

#define TIMES_RATIO 4 /* an elastic clock of the probe has no times worth telling; earshot check assumes the same */

void es_common_options_begin(es_common_options *options)
{
    options->access.seed = 1;
}

static bool check_combinations(const es_common_options *o, es_error *err)
{
    enum es_probe_kind probe = o->access.choice.probe;
    if (probe != ES_PROBE_SIM && (o->access.ratio || o->run.pass_exit_code))
        return es_fail(err, ES_USAGE, "%s is for --probe sim only", o->access.ratio ? "--ratio" : "--exit-code");
    if (probe == ES_PROBE_SIM && (o->session.attach || o->session.loaded))
        return es_fail(err, ES_USAGE, "the simulated target starts with the probe: %s is for real ones",
                       o->session.attach ? "--attach" : "--loaded");
    if (o->session.attach && o->session.loaded)
        return es_fail(err, ES_USAGE,
                       "--attach and --loaded cannot be combined: a target that runs has changed its data");
    if (o->run.daemon &&
        (o->run.no_daemon || o->access.record || o->run.out || probe == ES_PROBE_FILE || probe == ES_PROBE_REPLAY))
        return es_fail(err, ES_USAGE, "--daemon cannot be combined with %s",
                       o->run.no_daemon   ? "--no-daemon"
                       : o->access.record ? "--record: the daemon keeps traces (earshot record)"
                       : o->run.out       ? "--out: the daemon's configuration says where traces are kept"
                                          : "--probe file:");
    if ((probe == ES_PROBE_FILE || probe == ES_PROBE_REPLAY) && o->access.record)
        return es_fail(err, ES_USAGE, "--record and --probe file: cannot be combined");
    if (probe != ES_PROBE_REPLAY && (o->access.has_from || o->access.has_to))
        return es_fail(err, ES_USAGE, "%s is for a recording of inputs: --probe file:RECORDING",
                       o->access.has_from ? "--from" : "--to");
    if ((probe == ES_PROBE_REPLAY || probe == ES_PROBE_FILE) && o->access.quiet_count)
        return es_fail(err, ES_USAGE, "--memory is for the recorder: a recording says what memory it was made with");
    if (probe == ES_PROBE_REPLAY && o->session.side == ES_SIDE_PROBE)
        return es_fail(err, ES_USAGE, "--probe-only: a recording of inputs can only be replayed");
    return true;
}

/* Of a run that goes on, with all its options. */
static bool check_joined(const es_common_options *o, const char *command, const char *program, es_error *err)
{
    const char *option = o->run.all_runs ? "--all" : "--run";
    bool joined = o->run.joined || o->run.all_runs;
    if (joined && (program || o->session.text_count))
        return es_fail(err, ES_USAGE, "%s looks at what goes on: it takes no program and no statements", option);
    if (joined && (o->session.count || o->session.for_ns))
        return es_fail(err, ES_USAGE, "%s looks at what goes on: %s is of whoever begins it", option,
                       o->session.count ? "--count" : "--for");
    if (o->run.run_count > 1 && strcmp(command, "earshot watch") != 0)
        return es_fail(err, ES_USAGE, "%s looks at one run: earshot watch shows several together", command);
    if (o->run.all_runs && o->run.joined)
        return es_fail(err, ES_USAGE, "--all looks at all runs: --run is one of them");
    if ((o->run.run_count > 1 || o->run.all_runs) && (o->run.out || o->run.lcov || o->run.every_ns))
        return es_fail(err, ES_USAGE, "%s is of one run: name it with --run",
                       o->run.out    ? "--out"
                       : o->run.lcov ? "--lcov"
                                     : "--every");
    return true;
}

bool es_common_options_finish(es_common_options *options, const char *command, const char *program, es_error *err)
{
    es_session_options *session = &options->session;
    session->program = options->access.program = program;
    session->texts = options->texts.items;
    session->text_count = options->texts.count;
    bool joined = options->run.joined || options->run.all_runs;
    if (!check_joined(options, command, program, err))
        return false;
    if (!program && !joined)
        return es_fail(err, ES_USAGE, "which program? %s PROGRAM.elf -e 'temp > 80'", command);
    if (session->text_count == 0 && !joined)
        return es_fail(err, ES_USAGE,
                       "what to watch for? give a statement with -e 'temp > 80' or a file of statements with -s");
    if (!session->clock_hz)
        session->clock_hz = ES_SIM_BUS_HZ;
    bool checked = check_combinations(options, err);
    if (checked && !options->run.out &&
        (options->run.rotate_bytes || options->run.rotate_ns || options->run.keep_bytes || options->run.keep_ns))
        return es_fail(err, ES_USAGE, "--rotate and --keep are for a trace: say where with --out DIR");
    if (options->access.choice.probe == ES_PROBE_REPLAY)
        session->side = ES_SIDE_REPLAY;
    if (session->times && options->access.choice.probe == ES_PROBE_SIM && !options->access.ratio)
        options->access.ratio = TIMES_RATIO;
    if (checked && options->guaranteed && joined)
        return es_fail(err, ES_USAGE, "--run looks at what goes on: --guaranteed is of whoever begins it");
    if (checked && options->guaranteed)
        checked = es_guaranteed_choose(session, &options->access, options->board, options->run.quiet, err);
    return checked;
}

void es_common_options_free(es_common_options *options)
{
    es_texts_free(&options->texts);
}
