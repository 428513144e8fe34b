#include <string.h>

#include "cli/predict/private.h"
#include "net/formats/pnml.h"
#include "net/formats/show.h"
#include "predict/flownet.h"

bool es_predict_write_files(const predict_job *job, es_error *err)
{
    es_text_buffer out = {0};
    bool good = true;
    if (job->request->svg) {
        if (job->count > 1)
            es_predict_draw_curve(job, &out);
        else
            good = es_predict_draw_gantt(job, &out, err);
        good = good && es_cli_write_out(&out, job->request->svg, err);
    }
    es_text_clear(&out);
    if (good && job->request->html)
        good = es_predict_draw_page(job, &out, err) && es_cli_write_out(&out, job->request->html, err);
    es_text_free(&out);
    return good;
}

static bool ends_in(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcmp(text + a - b, end) == 0;
}

bool es_predict_write_net(const predict_request *request, const es_symbols *symbols, es_error *err)
{
    const char *name = request->function ? request->function : "main";
    const es_procedure *p = es_symbols_procedure_named(symbols, name);
    es_text_buffer dot = {0}, out = {0};
    es_net_show_options options = {0};
    if (!p)
        return es_fail(err, ES_USAGE, "the program has no function '%s'", name);
    if (!ends_in(request->net, ".svg") && !ends_in(request->net, ".dot") && !ends_in(request->net, ".pnml"))
        return es_fail(err, ES_USAGE, "--net takes a file whose name ends in .svg, .dot or .pnml, not '%s'",
                       request->net);
    es_net *net = es_predict_flownet(symbols, p, err);
    bool good = net != NULL;
    if (good && ends_in(request->net, ".pnml")) {
        good = es_pnml_write(net, &out, err) && es_cli_write_out(&out, request->net, err);
    } else if (good) {
        es_net_show_dot(net, &options, &dot);
        bool svg = ends_in(request->net, ".svg");
        good = (!svg || es_net_show_svg(&dot, &out, err)) && es_cli_write_out(svg ? &out : &dot, request->net, err);
    }
    es_net_free(net);
    es_text_free(&dot);
    es_text_free(&out);
    return good;
}
