/* earshot net: timed Petri nets. Finds the subcommand's subcommand and runs it. */
#include <stdio.h>
#include <string.h>

#include "cli/net/private.h"

static const es_command *const commands[] = {
    &es_net_command_record, &es_net_command_calibrate, &es_net_command_from_program,
    &es_net_command_check,  &es_net_command_simulate,  &es_net_command_recover,
    &es_net_command_watch,  &es_net_command_show,      &es_net_command_convert,
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const char usage[] =
    "usage: earshot net COMMAND [OPTION]...\n\n"
    "Timed Petri nets of monitored programs, and what would have been without the monitoring.\n\n"
    "  record PROGRAM        records the marks of a message-passing program on the simulated target\n"
    "  calibrate PROGRAM     measures what each mark of a program costs\n"
    "  from-program PROGRAM  makes the net of a message-passing program\n"
    "  check NET             says whether perturbations can be tracked in a net, and what to monitor in addition\n"
    "  simulate NET          plays a net and prints its firings\n"
    "  recover TRACE -n NET  computes the times that a trace would have had without monitoring\n"
    "  watch PROGRAM         does so while a program runs on the simulated target\n"
    "  show NET              draws a net\n"
    "  convert IN OUT        rewrites a net in another format\n\n"
    "A net is a file in PNML (.pnml) or in TINA's format (.net). `earshot net COMMAND --help` tells more.\n"
    "Everything: man earshot-net.\n";

static int net(int argc, char **argv)
{
    if (argc < 2) {
        fputs(usage, stderr);
        return ES_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(usage, stdout);
        return ES_OK;
    }
    bool help = strcmp(argv[1], "help") == 0 && argc > 2;
    const char *name = argv[help ? 2 : 1];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) != 0)
            continue;
        if (!help)
            return commands[i]->run(argc - 1, argv + 1);
        fputs(commands[i]->usage, stdout);
        return ES_OK;
    }
    es_error err;
    es_fail(&err, ES_USAGE, "there is no command 'net %s'; `earshot net --help` lists them", name);
    return es_cli_fail(&err);
}

const es_command es_command_net = {"net", "checks, simulates, recovers, draws and converts timed Petri nets", usage,
                                   net};
