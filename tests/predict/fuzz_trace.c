/* Any bytes as a trace: read, and if it is one, run on two machines. The bytes are what would be compressed. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "predict/engine.h"
#include "predict/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(const es_predict_trace *trace, unsigned cores, enum es_predict_memory memory)
{
    es_predict_machine machine = {.cores = cores, .memory = memory};
    es_predict_steps *steps = es_predict_reduce(trace, NULL, NULL);
    es_predict_result result;
    es_error err;
    es_predict_run(steps, &machine, NULL, &result, &err);
    es_predict_result_free(&result);
    es_predict_steps_free(steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t bound = ZSTD_compressBound(size);
    uint8_t *packed = malloc(bound + 16);
    es_error err;
    memcpy(packed, "EARSHOP2", 8);
    for (unsigned i = 0; i < 8; i++)
        packed[8 + i] = (uint8_t)((uint64_t)size >> 8 * i);
    size_t count = ZSTD_compress(packed + 16, bound, data, size, 1);
    es_predict_trace *trace = es_predict_trace_parse(packed, count + 16, "fuzz", &err);
    free(packed);
    if (trace && es_predict_trace_firings(trace) < 10000) {
        run(trace, 2, ES_PREDICT_PORTS);
        run(trace, 3, ES_PREDICT_ONE);
    }
    es_predict_trace_free(trace);
    trace = es_predict_trace_parse(data, size, "fuzz", &err);
    es_predict_trace_free(trace);
    return 0;
}
