/* What subcommands of `earshot net` read from the command line. */
#include "cli/net/private.h"
#include <getopt.h>

const char *es_net_operand(int argc, char **argv, const char *what, es_error *err)
{
    if (optind >= argc) {
        es_fail(err, ES_USAGE, "%s", what);
        return NULL;
    }
    const char *operand = argv[optind++];
    if (optind < argc) {
        es_fail(err, ES_USAGE, "unexpected argument '%s'", argv[optind]);
        return NULL;
    }
    return operand;
}
