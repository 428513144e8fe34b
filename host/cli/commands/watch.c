/* earshot watch: a session whose hits are shown as they come. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/dump.h"
#include "cli/commands/options.h"
#include "cli/commands/run.h"
#include "cli/commands/watch_several.h"
#include "cli/net/private.h"

static const es_option_set options = {
    "earshot watch",
    "usage: earshot watch PROGRAM.elf [-e STATEMENT]... [-s FILE.watch]... [OPTION]...\n"
    "       earshot watch --run NAME [--run NAME]... | --all [OPTION]...\n"
    "       earshot watch PROGRAM.elf... --net NET [OPTION]...       see `earshot net watch --help`\n\n"
    "Runs the program on the simulated target, or listens to a real one, and reports when statements become true.\n",
    "\nStatements: docs/statements.md. Everything else: man earshot-watch.\n",
    ES_OF_WATCH,
    {es_common_option_table},
};

/* Whether it is the times without marks that are asked for, of several cores: `earshot net watch`. */
static bool names_net(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--net") == 0 || strncmp(argv[i], "--net=", 6) == 0)
            return true;
    return false;
}

/* The program is the only argument besides the options. */
static bool take_arguments(es_common_options *o, int count, char **arguments, es_error *err)
{
    if (count > 1)
        return es_fail(err, ES_USAGE, "one program at a time: unexpected argument '%s'%s", arguments[1],
                       strpbrk(arguments[1], "<>={") ? " (a statement goes after -e)" : "");
    return es_common_options_finish(o, options.command, count ? arguments[0] : NULL, err);
}

static int watch(int argc, char **argv)
{
    if (names_net(argc, argv))
        return es_net_command_watch.run(argc, argv);
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
        code = o.dump_ir                               ? es_dump_run(&o.session, o.dump_ir)
               : o.run.all_runs || o.run.run_count > 1 ? es_watch_several(&o.run)
                                                       : es_run(&o.session, &o.access, &o.run);
    es_common_options_free(&o);
    return code;
}

const es_command es_command_watch = {
    .name = "watch",
    .summary = "runs or listens to a target and reports when statements become true",
    .run = watch,
};
