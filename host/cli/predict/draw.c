/* Pictures: the curve of speed-ups with their bounds, and who has run when. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/predict/private.h"

enum { WIDTH = 900, HEIGHT = 420, LEFT = 60, TOP = 20, LANE = 26, STRETCHES = 20000, COLOURS = 6 };

static const char style[] =
    "<style>text{font:13px sans-serif;fill:#222}.axis{stroke:#888}.curve{fill:none;stroke:#1565c0;"
    "stroke-width:2}.bounds{fill:#1565c0;fill-opacity:.12}.run0{fill:#1565c0}.run1{fill:#2e7d32}"
    ".run2{fill:#ef6c00}.run3{fill:#6a1b9a}.run4{fill:#00838f}.run5{fill:#ad1457}.library{fill:#777}"
    ".spin{fill:#d50000}</style>\n";

static double speed_up(const predict_job *job, uint64_t makespan)
{
    return makespan ? (double)job->alone / (double)makespan : 0;
}

/* Speed-up over the number of cores: of the first speed, memory and so on alone. */
void es_predict_draw_curve(const predict_job *job, es_text_buffer *out)
{
    size_t count = job->request->cores.count;
    double most_cores = 1, most = 1;
    for (size_t i = 0; i < count; i++) {
        most_cores = job->cases[i].machine.cores > most_cores ? job->cases[i].machine.cores : most_cores;
        double high = speed_up(job, job->cases[i].bounds.low);
        most = high > most ? high : most;
    }
    most = most > 1.5 * most_cores ? 1.5 * most_cores : most;
    double sx = (WIDTH - LEFT - 20) / most_cores, sy = (HEIGHT - TOP - 40) / most;
    es_text_format(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n%s", WIDTH, HEIGHT, style);
    es_text_format(out, "<polygon class=\"bounds\" points=\"");
    for (size_t i = 0; i < count; i++) {
        double y = speed_up(job, job->cases[i].bounds.low);
        es_text_format(out, "%.1f,%.1f ", LEFT + sx * job->cases[i].machine.cores,
                       HEIGHT - 40 - sy * (y < most ? y : most));
    }
    for (size_t i = count; i-- > 0;)
        es_text_format(out, "%.1f,%.1f ", LEFT + sx * job->cases[i].machine.cores,
                       HEIGHT - 40 - sy * speed_up(job, job->cases[i].bounds.high));
    es_text_format(out, "\"/>\n<polyline class=\"curve\" points=\"");
    for (size_t i = 0; i < count; i++)
        es_text_format(out, "%.1f,%.1f ", LEFT + sx * job->cases[i].machine.cores,
                       HEIGHT - 40 - sy * speed_up(job, job->cases[i].makespan));
    es_text_format(out, "\"/>\n<path class=\"axis\" fill=\"none\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - 40,
                   WIDTH - 20);
    for (size_t i = 0; i < count; i++)
        es_text_format(out,
                       "<circle r=\"3\" fill=\"#1565c0\" cx=\"%.1f\" cy=\"%.1f\"/><text text-anchor=\"middle\" "
                       "x=\"%.1f\" y=\"%d\">%u"
                       "</text>\n",
                       LEFT + sx * job->cases[i].machine.cores,
                       HEIGHT - 40 - sy * speed_up(job, job->cases[i].makespan),
                       LEFT + sx * job->cases[i].machine.cores, HEIGHT - 22, job->cases[i].machine.cores);
    double step = most > 10 ? 5 : most > 4 ? 1 : 0.5;
    for (unsigned i = 0; i * step <= most; i++)
        es_text_format(out, "<text text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%g</text>\n", LEFT - 8,
                       HEIGHT - 36 - sy * i * step, i * step);
    es_text_format(
        out, "<text x=\"%d\" y=\"%d\">cores</text><text x=\"%d\" y=\"14\">speed-up, within its bounds</text>\n</svg>\n",
        WIDTH / 2, HEIGHT - 5, LEFT);
}

typedef struct gantt {
    es_text_buffer *out;
    double scale; /* of a tick */
    uint64_t lead;
    size_t told;
    uint64_t cut; /* nothing is drawn from then on; 0: all is */
} gantt;

static void draw_stretch(void *context, const es_predict_stretch *s)
{
    gantt *g = context;
    if (s->doing == ES_PREDICT_IDLES || s->end <= g->lead)
        return;
    uint64_t begin = s->begin > g->lead ? s->begin - g->lead : 0;
    double width = g->scale * (double)(s->end - g->lead - begin);
    if (width < 0.02)
        return;
    if (g->told++ > STRETCHES) {
        g->cut = g->cut && g->cut < begin ? g->cut : begin + !begin;
        return;
    }
    char kind[16];
    snprintf(kind, sizeof kind, "run%u", (unsigned)(s->thread % COLOURS));
    const char *class = s->doing == ES_PREDICT_RUNS ? kind : s->doing == ES_PREDICT_SPINS ? "spin" : "library";
    es_text_format(g->out, "<rect class=\"%s\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"><title>", class,
                   LEFT + g->scale * (double)begin, TOP + LANE * s->core, width, LANE - 6);
    if (s->thread != ES_PREDICT_NONE)
        es_text_format(g->out, "thread %u, ", (unsigned)s->thread);
    es_text_format(g->out, "%" PRIu64 " to %" PRIu64 "</title></rect>\n", begin, s->end - g->lead);
}

bool es_predict_draw_gantt(const predict_job *job, es_text_buffer *out, es_error *err)
{
    const predict_case *c = &job->cases[0];
    uint64_t span = c->makespan * c->result.scale;
    gantt g = {.out = out,
               .scale = (double)(WIDTH - LEFT - 20) / (double)(span ? span : 1),
               .lead = c->result.makespan - span};
    es_predict_listener listener = {.stretch = draw_stretch, .context = &g};
    es_predict_result result;
    int height = TOP + LANE * (int)c->machine.cores + 30;
    es_text_format(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n%s", WIDTH, height, style);
    for (unsigned k = 0; k < c->machine.cores; k++)
        es_text_format(out, "<text x=\"4\" y=\"%d\">core %u</text>\n", TOP + LANE * (int)k + 15, k);
    bool good = es_predict_run(job->steps, &c->machine, &listener, &result, err);
    es_predict_result_free(&result);
    es_text_format(out,
                   "<text x=\"%d\" y=\"%d\">0 to %" PRIu64 " clocks; %s, grey: the library, red: waits for its lock",
                   LEFT, height - 8, c->makespan,
                   job->trace->thread_count > COLOURS ? "six colours for threads" : "a colour for each thread");
    if (g.cut)
        es_text_format(out, "; not drawn from %" PRIu64 " on", g.cut / c->result.scale);
    es_text_format(out, "</text>\n</svg>\n");
    return good;
}
