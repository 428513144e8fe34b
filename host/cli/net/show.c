/* earshot net show */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/net/private.h"
#include "net/formats/format.h"
#include "net/formats/show.h"

static const char usage[] =
    "usage: earshot net show NET [OPTION]...\n\n"
    "Draws a net: places as circles with their tokens, transitions as bars with their delays, monitors filled.\n"
    "In red, dashed: what has to be monitored in addition so that perturbations can be tracked.\n\n"
    "      --svg          a picture in SVG, drawn by graphviz (default)\n"
    "      --dot          the text for graphviz (default where FILE ends in .dot)\n"
    "      --across       from left to right instead of downwards\n"
    "      --apart        each process by itself, with what it shares dashed (default for more than 60 places)\n"
    "      --together     all of it as one net\n"
    "  -o, --output FILE  there instead of on standard output\n"
    "      --help         this text\n";

static int run(int argc, char **argv)
{
    enum { OPT_SVG = 256, OPT_DOT, OPT_ACROSS, OPT_APART, OPT_TOGETHER, OPT_HELP };
    static const struct option options[] = {
        {"svg", no_argument, NULL, OPT_SVG},       {"dot", no_argument, NULL, OPT_DOT},
        {"across", no_argument, NULL, OPT_ACROSS}, {"output", required_argument, NULL, 'o'},
        {"apart", no_argument, NULL, OPT_APART},   {"together", no_argument, NULL, OPT_TOGETHER},
        {"help", no_argument, NULL, OPT_HELP},     {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net show";
    es_net_show_options look = {0};
    es_error err = {0};
    const char *output = NULL;
    bool dot_only = false, svg_only = false, apart = false, together = false, good = true;
    int option;
    argv[0] = name;
    while (good && (option = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
        switch (option) {
        case OPT_SVG:
            svg_only = true;
            dot_only = false;
            break;
        case OPT_DOT:
            svg_only = false;
            dot_only = true;
            break;
        case OPT_ACROSS: look.across = true; break;
        case OPT_APART: apart = true; break;
        case OPT_TOGETHER: together = true; break;
        case 'o': output = optarg; break;
        case OPT_HELP: fputs(usage, stdout); return ES_OK;
        default: good = es_fail(&err, ES_USAGE, "see `earshot net show --help`");
        }
    }
    if (good && apart && together)
        good = es_fail(&err, ES_USAGE, "--apart or --together, not both");
    const char *ending = output ? strrchr(output, '.') : NULL;
    dot_only |= ending && !svg_only && strcmp(ending, ".dot") == 0;
    const char *path = good ? es_net_operand(argc, argv, "which net? earshot net show NET.pnml", &err) : NULL;
    es_net *net = path ? es_net_load(path, &err) : NULL;
    if (!net)
        return es_cli_fail(&err);
    es_arena *arena = es_arena_new();
    es_net_findings findings = es_net_check(net, arena);
    es_text_buffer dot = {0}, svg = {0};
    look.findings = &findings;
    look.apart = !together && (apart || net->place_count > ES_NET_SHOW_TOGETHER);
    es_net_show_dot(net, &look, &dot);
    good = (dot_only || es_net_show_svg(&dot, &svg, &err)) && es_cli_write_out(dot_only ? &dot : &svg, output, &err);
    es_text_free(&dot);
    es_text_free(&svg);
    es_arena_free(arena);
    es_net_free(net);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_net_command_show = {"show", "draws a net", usage, run};
