#include <stdio.h>
#include "cli/cli.h"
#include "predict/from_recording.h"
#include "predict/engine.h"
#include <inttypes.h>
#include <stdlib.h>
static int run(int argc, char **argv)
{
    es_error err = {0};
    es_symbols *s = es_symbols_open(argv[1], &err);
    bool whole = false;
    es_predict_trace *t = s ? es_predict_from_recording(argv[2], s, &whole, &err) : NULL;
    if (!t)
        return es_cli_fail(&err);
    printf("clocks %" PRIu64 " lead %" PRIu64 " blocks %zu events %zu threads %zu objects %zu whole %d\n", t->clocks, t->lead, t->block_count, t->event_count, t->thread_count, t->object_count, whole);
    es_predict_costs *c = &t->costs;
    for (unsigned k = 0; k < ES_PREDICT_KINDS; k++) {
        printf("%s hold", es_predict_kind_name(k));
        for (unsigned w = 0; w < 4; w++)
            printf(" %u%s", c->hold[k][w].clocks, c->known[k][w] ? "" : "?");
        printf(" after %u %u\n", c->after[k][0].clocks, c->after[k][1].clocks);
    }
    printf("take %u idle %u pick %u empty %u spin %u wake %u bell %u tail %u notice %u %u\n", c->take.clocks, c->idle.clocks, c->pick.clocks, c->empty.clocks, c->spin.clocks, c->wake, c->bell, c->tail, c->notice.clocks, c->notice_first.clocks);
    es_predict_steps *steps = es_predict_reduce(t, NULL, NULL);
    for (int i = 3; i + 2 < argc; i += 3) {
        es_predict_machine m = {.cores = (unsigned)atoi(argv[i]), .memory = (unsigned)atoi(argv[i + 1]), .wait = (unsigned)atoi(argv[i+2])};
        es_predict_result r;
        if (!es_predict_run(steps, &m, NULL, &r, &err))
            return es_cli_fail(&err);
        printf("%s %s %s: %" PRIu64 "\n", argv[i], argv[i + 1], argv[i+2], r.makespan - t->lead - t->lead_accesses * m.wait);
        es_predict_result_free(&r);
    }
    return 0;
}
const es_command es_command_predict = {.name = "predict", .summary = "what a program with threads would take on other machines", .usage = NULL, .run = run};
