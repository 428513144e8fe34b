/* libFuzzer's entry: any bytes must be read as a trace or refused. */
#include <stdlib.h>

#include "net/formats/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static es_net *net;
    if (!net) {
        net = es_net_new("n");
        es_net_transition_add(net, "t", NULL, 1, NULL, NULL);
    }
    es_error err;
    es_net_record record;
    bool at_end;
    FILE *file = fmemopen((void *)(uintptr_t)data, size, "r");
    if (!file)
        return 0;
    es_net_trace *trace = es_net_trace_from(file, "fuzz", net);
    while (es_net_trace_next(trace, &record, &at_end, &err))
        if (record.kind == ES_NET_RECORD_FIRING && record.transition >= net->transition_count)
            abort();
    es_net_trace_close(trace);
    return 0;
}
