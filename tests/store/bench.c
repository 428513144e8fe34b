/* bench DIR COUNT: stores so many hits, in chunks' packets on the disk, and reads them back; prints what each took, by the clock
 * and by the processor.
 *
 * The records are there before the clock starts: what is measured is the store alone. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "made.h"
#include "store/trace.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The processor's time of all threads. */
static double worked(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void sum_up(void *context, const es_record *record)
{
    uint64_t *sum = context;
    if (record->kind == ES_RECORD_HIT)
        *sum += record->hit->values[0].bits;
}

static void fail(const es_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static double store(const char *directory, uint32_t count, const es_schema *schema)
{
    es_error err = {0};
    es_trace_options options = {.directory = directory, .waits = true};
    double begun = seconds();
    es_trace *trace = es_trace_create(&options, &err);
    if (!trace)
        fail(&err);
    es_sink sink = es_trace_sink(trace);
    es_record begin = {.kind = ES_RECORD_BEGIN, .schema = schema};
    es_sink_give(&sink, &begin);
    es_hit hit = *made_plain_hit(schema, 0)->hit;
    es_value value = {.known = true};
    es_record record = {.kind = ES_RECORD_HIT, .schema = schema, .hit = &hit};
    hit.values = &value;
    for (uint32_t i = 0; i < count; i++) {
        hit.time = i;
        value.bits = i;
        es_sink_give(&sink, &record);
    }
    if (!es_trace_close(trace, &err))
        fail(&err);
    return seconds() - begun;
}

static double read_back(const char *directory, uint32_t count)
{
    es_error err = {0};
    uint64_t sum = 0;
    double begun = seconds();
    es_trace_reader *reader = es_trace_open(directory, &err);
    es_sink sink = {sum_up, &sum};
    es_trace_filter all = {.to = ES_NO_TIME};
    if (!reader || !es_trace_read(reader, &all, &sink, &err))
        fail(&err);
    es_trace_reader_free(reader);
    if (sum != (uint64_t)count * (count - 1) / 2)
        exit(1);
    return seconds() - begun;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
    es_schema *schema = made_plain_schema();
    double begun = worked(), stored = store(argv[1], count, schema);
    double between = worked(), read = read_back(argv[1], count);
    printf("%.6f %.6f %.6f %.6f\n", stored, read, between - begun, worked() - between);
    es_schema_free(schema);
    return 0;
}
