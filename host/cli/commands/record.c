/* earshot record: a session whose hits go into a trace; in the daemon, which goes on by itself. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/commands/options.h"
#include "cli/commands/record_index.h"
#include "cli/commands/record_inputs.h"
#include "cli/commands/run.h"
#include "cli/number.h"

typedef struct record_options {
    es_common_options common;
    es_inputs_options inputs;
    const char *index; /* a recording that gets keyframes */
} record_options;

static bool take_inputs(void *options, const char *value, es_error *err)
{
    (void)err;
    ((record_options *)options)->inputs.path = value;
    return true;
}

static bool take_index(void *options, const char *value, es_error *err)
{
    (void)err;
    ((record_options *)options)->index = value;
    return true;
}

static bool take_address(const char *option, uint32_t *address, bool *given, es_error *err)
{
    int64_t number;
    if (!es_option_number(option, 0, UINT32_MAX, &number, err))
        return false;
    *address = (uint32_t)number;
    *given = true;
    return true;
}

static bool take_handler(void *options, const char *value, es_error *err)
{
    es_inputs_options *inputs = &((record_options *)options)->inputs;
    (void)value; /* it is optarg */
    return take_address("--handler", &inputs->handler, &inputs->has_handler, err);
}

static bool take_reset(void *options, const char *value, es_error *err)
{
    es_inputs_options *inputs = &((record_options *)options)->inputs;
    (void)value; /* it is optarg */
    return take_address("--reset", &inputs->reset, &inputs->has_reset, err);
}

static const es_option own_options[] = {
    {"inputs", 0, false, ES_OF_RECORD, "FILE",
     "no statements: keep what the program gets from outside, so that all of its run can be replayed", take_inputs},
    {"handler", 0, false, ES_OF_RECORD, "ADDRESS",
     "with --inputs: where interrupts lead to (default: what the program's start-up code says)", take_handler},
    {"reset", 0, false, ES_OF_RECORD, "ADDRESS",
     "with --inputs: where the processor begins (default: the program's entry; of sim, what its core=N says)",
     take_reset},
    {"index", 0, false, ES_OF_RECORD, "FILE",
     "no run: replays such a recording once, and writes keyframes into it where it has none, so that it opens at once",
     take_index},
    {0},
};

static const es_option_set options = {
    "earshot record",
    "usage: earshot record PROGRAM.elf [-e STATEMENT]... [-s FILE.watch]... [OPTION]...\n"
    "       earshot record PROGRAM.elf --inputs FILE [OPTION]...\n"
    "       earshot record PROGRAM.elf --index FILE\n\n"
    "Keeps what a run tells in a trace, and shows only its summary. Where earshotd runs, it does this, goes on when "
    "this\n"
    "command has ended, and begins again when its probe comes back: earshot runs lists such runs and ends them.\n",
    "\nTo look at a trace: earshot read DIR. Everything else: man earshot-record.\n",
    ES_OF_RECORD,
    {es_common_option_table, own_options},
};

static bool take_arguments(es_common_options *o, int count, char **arguments, es_error *err)
{
    if (count > 1)
        return es_fail(err, ES_USAGE, "one program at a time: unexpected argument '%s'", arguments[1]);
    if (!es_common_options_finish(o, options.command, count ? arguments[0] : NULL, err))
        return false;
    o->run.records = true;
    return true;
}

/* There is no session: nothing is asked of the probe but its recorder's bytes. */
static bool take_inputs_arguments(es_common_options *o, int count, char **arguments, es_error *err)
{
    if (count != 1)
        return es_fail(err, ES_USAGE,
                       count ? "one program at a time" : "which program? earshot record PROGRAM.elf --inputs FILE");
    if (o->texts.count || o->run.out || o->run.daemon || o->run.json || o->session.count)
        return es_fail(
            err, ES_USAGE,
            "--inputs keeps all of a run: it takes no statements, --out, --daemon, --json or --count. What to look at "
            "is said when it is replayed");
    o->session.program = o->access.program = arguments[0];
    if (!o->session.clock_hz)
        o->session.clock_hz = ES_SIM_BUS_HZ;
    return true;
}

/* Nothing runs. */
static bool take_index_arguments(es_common_options *o, int count, char **arguments, es_error *err)
{
    if (count != 1)
        return es_fail(err, ES_USAGE,
                       count ? "one program at a time" : "which program? earshot record PROGRAM.elf --index FILE");
    if (o->texts.count || o->run.out || o->run.daemon || o->run.json || o->session.count)
        return es_fail(err, ES_USAGE, "--index is for a recording that there is: nothing is run or told");
    o->access.program = arguments[0];
    return true;
}

static int record(int argc, char **argv)
{
    record_options all = {0};
    es_common_options *o = &all.common;
    es_error err = {0};
    int rest, code = ES_OK;
    es_common_options_begin(o);
    enum es_options_read read = es_options_read(&options, argc, argv, &all, &rest, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else if (read == ES_OPTIONS_WRONG || !(all.index         ? take_index_arguments
                                           : all.inputs.path ? take_inputs_arguments
                                                             : take_arguments)(o, argc - rest, argv + rest, &err))
        code = es_cli_fail(&err);
    else if ((all.inputs.has_handler || all.inputs.has_reset) && !all.inputs.path) {
        es_fail(&err, ES_USAGE, "--%s is for recordings of inputs: add --inputs FILE",
                all.inputs.has_reset ? "reset" : "handler");
        code = es_cli_fail(&err);
    } else if (all.index)
        code = es_record_index(o->access.program, all.index);
    else
        code = all.inputs.path ? es_record_inputs(o, &all.inputs) : es_run(&o->session, &o->access, &o->run);
    es_common_options_free(o);
    return code;
}

const es_command es_command_record = {
    .name = "record",
    .summary = "keeps what a run tells in a trace",
    .run = record,
};
