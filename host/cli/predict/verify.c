/* Functions whose blocks stay places of their own, and whether a reduced net takes as long as that of all blocks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/predict/private.h"

/* Both nets on all machines. */
bool es_predict_verify(const predict_job *job, es_error *err)
{
    es_predict_steps *each = es_predict_each_block(job->trace);
    bool good = true;
    for (size_t i = 0; good && i < job->count; i++) {
        es_predict_result result;
        good = es_predict_run(each, &job->cases[i].machine, NULL, &result, err);
        if (good && result.makespan != job->cases[i].result.makespan)
            good = es_fail(err, ES_EXPECTATION,
                           "on %u cores the reduced net takes %" PRIu64 " ticks, and that of all blocks %" PRIu64,
                           job->cases[i].machine.cores, job->cases[i].result.makespan, result.makespan);
        es_predict_result_free(&result);
    }
    es_predict_steps_free(each);
    return good;
}

bool es_predict_keeps(void *context, uint32_t block)
{
    const predict_job *job = context;
    const es_procedure *p = es_symbols_procedure_at(job->symbols, job->trace->blocks[block].address);
    const char *at = job->request->keep;
    size_t length = p ? strlen(p->name) : 0;
    for (; p && at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && memcmp(at, p->name, length) == 0)
            return true;
    return false;
}

bool es_predict_check_kept(const predict_job *job, es_error *err)
{
    for (const char *at = job->request->keep; at && *at; at += strcspn(at, ","), at += *at == ',') {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!es_symbols_procedure_named(job->symbols, name))
            return es_fail(err, ES_USAGE, "--keep: the program has no function '%s'", name);
    }
    return true;
}
