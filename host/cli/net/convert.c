/* earshot net convert */
#include <getopt.h>
#include <stdio.h>

#include "cli/net/private.h"
#include "net/formats/format.h"

static const char usage[] =
    "usage: earshot net convert IN OUT\n\n"
    "Rewrites a net in the format that OUT's ending names: .pnml or .net. Nothing that Earshot knows of the net is\n"
    "lost.\n\n"
    "      --help  this text\n";

static int convert(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    static char name[] = "earshot net convert";
    es_error err = {0};
    int option;
    argv[0] = name;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return ES_OK;
        }
        es_fail(&err, ES_USAGE, "see `earshot net convert --help`");
        return es_cli_fail(&err);
    }
    const char *from = optind < argc ? argv[optind++] : NULL;
    const char *to =
        from ? es_net_operand(argc, argv, "to which file? earshot net convert IN.pnml OUT.net", &err) : NULL;
    enum es_net_format format;
    if (!from)
        es_fail(&err, ES_USAGE, "which net? earshot net convert IN.pnml OUT.net");
    if (!to || !es_net_format_of(to, &format, &err))
        return es_cli_fail(&err);
    es_net *net = es_net_load(from, &err);
    es_text_buffer text = {0};
    bool good = net && es_net_print(net, format, &text, &err) && es_cli_write_out(&text, to, &err);
    es_text_free(&text);
    es_net_free(net);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_net_command_convert = {"convert", "rewrites a net in another format", usage, convert};
