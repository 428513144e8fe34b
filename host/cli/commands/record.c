/* earshot record: a session whose hits go into a trace; in the daemon, which goes on by itself. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/commands/options.h"
#include "cli/commands/run.h"

static const es_option_set options = {
    "earshot record",
    "usage: earshot record PROGRAM.elf [-e STATEMENT]... [-s FILE.watch]... [OPTION]...\n\n"
    "Keeps what a run tells in a trace, and shows only its summary. Where earshotd runs, it does this, goes on when "
    "this\n"
    "command has ended, and begins again when its probe comes back: earshot runs lists such runs and ends them.\n",
    "\nTo look at a trace: earshot read DIR. Everything else: man earshot-record.\n",
    ES_OF_RECORD,
    {es_common_option_table},
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

static int record(int argc, char **argv)
{
    es_common_options o = {0};
    es_error err = {0};
    int rest, code = ES_OK;
    es_common_options_begin(&o);
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else if (read == ES_OPTIONS_WRONG || !take_arguments(&o, argc - rest, argv + rest, &err))
        code = es_cli_fail(&err);
    else
        code = es_run(&o.session, &o.access, &o.run);
    es_common_options_free(&o);
    return code;
}

const es_command es_command_record = {
    .name = "record",
    .summary = "keeps what a run tells in a trace",
    .run = record,
};
