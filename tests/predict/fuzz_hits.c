/* Any bytes as hits. */
#include "predict/hits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const es_predict_library library = {.threads = 0x20000, .thread_size = 36, .thread_count = 40};
    es_predict_hits hits;
    es_error err;
    if (es_predict_hits_parse(&hits, (const char *)data, size, &library, &err))
        es_predict_hits_free(&hits);
    return 0;
}
