/* earshot predict: what a program with threads would take on other machines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/predict/private.h"
#include "predict/file.h"
#include "predict/from_hits.h"
#include "predict/from_recording.h"
#include "predict/hits.h"
#include "predict/library.h"
#include "replay/recording.h"

enum { LISTS = 7 };

static void add_case(predict_job *job, const uint32_t at[LISTS])
{
    const predict_request *q = job->request;
    predict_case *c = &job->cases[job->count++];
    *c = (predict_case){.machine = q->base};
    c->machine.cores = q->cores.values[at[0]];
    c->machine.memory = q->ports.values[at[1]];
    c->machine.wait = q->wait.values[at[2]];
    c->machine.latency = q->own_latency ? job->trace->costs.latency : q->latency.values[at[3]];
    c->machine.bell = q->bell.values[at[4]];
    uint32_t kernel = q->kernel.values[at[5]];
    c->machine.free_kernel = kernel == 0;
    c->machine.kernel = kernel == 100 ? 0 : kernel;
    for (unsigned k = 0; q->speed_count && k < c->machine.cores; k++)
        c->machine.speeds[k] = q->speeds[at[6]];
    c->speed = q->speed_count ? q->speed_texts[at[6]] : NULL;
}

/* All combinations, the cores' number changing fastest. */
static void make_cases(predict_job *job)
{
    const predict_request *q = job->request;
    size_t counts[LISTS] = {q->cores.count,
                            q->ports.count,
                            q->wait.count,
                            q->latency.count,
                            q->bell.count,
                            q->kernel.count,
                            q->speed_count ? q->speed_count : 1};
    size_t all = 1;
    uint32_t at[LISTS] = {0};
    for (unsigned i = 0; i < LISTS; i++)
        all *= counts[i];
    job->cases = es_malloc(all * sizeof *job->cases);
    while (job->count < all) {
        add_case(job, at);
        for (unsigned i = 0; i < LISTS && ++at[i] == counts[i]; i++)
            at[i] = 0;
    }
}

/* The one that the library has had in the run. */
static enum es_predict_scheduler usual_scheduler(const predict_job *job)
{
    const es_predict_trace *trace = job->trace;
    es_predict_library library;
    if (es_predict_library_find(job->symbols, &library, NULL) && library.ready_counts)
        return ES_PREDICT_WORK;
    for (size_t i = 1; i < trace->thread_count; i++)
        if (trace->threads[i].priority != trace->threads[0].priority)
            return ES_PREDICT_PRIORITY;
    return ES_PREDICT_FIFO;
}

static bool run_cases(predict_job *job, es_error *err)
{
    for (size_t i = 0; i < job->count; i++) {
        predict_case *c = &job->cases[i];
        if (!es_predict_run(job->steps, &c->machine, NULL, &c->result, err) ||
            !es_predict_bounds_of(job->steps, &c->machine, &c->bounds, err))
            return false;
        c->makespan = es_predict_makespan(job->trace, &c->machine, &c->result);
    }
    es_predict_machine one = {.cores = 1, .scheduler = usual_scheduler(job)};
    es_predict_result result;
    bool good = es_predict_run(job->steps, &one, NULL, &result, err);
    job->alone = good ? es_predict_makespan(job->trace, &one, &result) : 0;
    es_predict_result_free(&result);
    return good;
}

/* Who is woken from a condition by a thread that barges would have to look at it again, which no trace tells. */
static bool may_barge(const predict_job *job, es_error *err)
{
    const es_predict_trace *trace = job->trace;
    if (job->request->base.barge)
        for (size_t i = 0; i < trace->object_count; i++) {
            uint8_t kind = trace->objects[i].kind;
            if (kind == ES_PREDICT_WAIT || kind == ES_PREDICT_SIGNAL || kind == ES_PREDICT_BROADCAST)
                return es_fail(err, ES_USAGE, "--barge is for programs without conditions, and this one has %s",
                               trace->objects[i].name ? trace->objects[i].name : "some");
        }
    return true;
}

static bool predict(predict_job *job, es_error *err)
{
    es_arena *texts = es_arena_new();
    bool good = es_predict_check_kept(job, err) && may_barge(job, err);
    if (good) {
        job->steps = es_predict_reduce(job->trace, job->request->keep ? es_predict_keeps : NULL, job);
        make_cases(job);
        good = run_cases(job, err);
    }
    if (good && job->count == 1)
        good = es_predict_critical_of(job->steps, &job->cases[0].machine, job->symbols, texts, &job->critical, err) &&
               es_predict_find_changes(job, texts, err);
    if (good && job->request->verify)
        good = es_predict_verify(job, err);
    good = good && es_predict_write_files(job, err);
    if (good) {
        if (job->request->costs && !job->request->json)
            es_predict_print_costs(job->trace);
        if (job->request->json)
            es_predict_print_json(job);
        else
            es_predict_print_text(job);
        if (job->request->verify)
            fprintf(stderr, "earshot: the reduced net and that of all blocks agree on %zu %s\n", job->count,
                    es_plural(job->count, "machine", "machines"));
    }
    for (size_t i = 0; i < job->count; i++)
        es_predict_result_free(&job->cases[i].result);
    free(job->cases);
    free(job->changes);
    es_predict_critical_free(&job->critical);
    es_predict_steps_free((es_predict_steps *)job->steps);
    es_arena_free(texts);
    return good;
}

/* Of a recording, of hits, or kept by --save. */
static es_predict_trace *open_trace(predict_job *job, const es_symbols *symbols, es_error *err)
{
    const predict_request *q = job->request;
    es_predict_trace *trace;
    if (es_predict_trace_is(q->recording)) {
        trace = es_predict_trace_read(q->recording, err);
        job->whole = trace && !(trace->depends & ES_PREDICT_CUT);
        if (trace && trace->program_hash != es_recording_hash(symbols)) {
            es_fail(err, ES_USAGE, "%s is of another program than %s, or of another version of it", q->recording,
                    q->program);
            es_predict_trace_free(trace);
            return NULL;
        }
    } else if (es_predict_hits_are(q->recording)) {
        trace = es_predict_from_hits(q->recording, symbols, &job->whole, &job->way, err);
        if (trace && !q->json)
            fprintf(stderr, "earshot: %s\n", job->way);
    } else {
        trace = es_predict_from_recording(q->recording, symbols, &job->whole, err);
    }
    if (trace && q->save && !es_predict_trace_write(trace, q->save, err)) {
        es_predict_trace_free(trace);
        return NULL;
    }
    return trace;
}

static int run(int argc, char **argv)
{
    predict_request q = {0};
    predict_job job = {.request = &q};
    es_error err = {0};
    bool good, help = false;
    if (!es_predict_request_take(&q, argc, argv, &help, &err))
        return es_cli_fail(&err);
    if (help) {
        fputs(es_predict_usage, stdout);
        return ES_OK;
    }
    es_symbols *symbols = es_symbols_open(q.program, &err);
    if (q.points) {
        good = symbols && es_predict_print_points(symbols, &err);
        es_symbols_close(symbols);
        return good ? ES_OK : es_cli_fail(&err);
    }
    es_predict_trace *trace = symbols ? open_trace(&job, symbols, &err) : NULL;
    if (trace && q.net && !es_predict_write_net(&q, symbols, &err)) {
        es_predict_trace_free(trace);
        trace = NULL;
    }
    job.symbols = symbols;
    job.trace = trace;
    if (trace && !q.scheduled)
        q.base.scheduler = usual_scheduler(&job);
    good = trace && predict(&job, &err);
    if (trace && !good && trace->depends & ES_PREDICT_UNSEEN && strstr(err.text, "nothing goes on"))
        strncat(err.text, "; " PREDICT_UNSEEN, sizeof err.text - strlen(err.text) - 1);
    free(job.way);
    es_predict_trace_free(trace);
    es_symbols_close(symbols);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_command_predict = {.name = "predict",
                                       .summary = "predicts what a program with threads takes on other machines",
                                       .usage = es_predict_usage,
                                       .run = run};
