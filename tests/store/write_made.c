/* write-made DIR all|plain COUNT [SEED [OPTION=VALUE]...]: writes a trace of records that were made up.
 * write-made schema all|plain: prints the schema of such a trace, as its metadata has it.
 *
 * Prints all of them as JSON Lines (all), or now and then how many were given (plain). COUNT 0: until it is killed.
 * Options: rotate-bytes, keep-bytes, queue-bytes, pause-us after every 100 records, waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw.h"
#include "made.h"
#include "store/schema_text.h"
#include "store/trace.h"

static void tell(void *context, enum es_trace_trouble trouble, const char *text)
{
    (void)context;
    static const char *const names[] = {"fails", "loses", "recovers"};
    fprintf(stderr, "%s: %s\n", names[trouble], text);
}

static unsigned take_options(es_trace_options *options, int argc, char **argv)
{
    unsigned pause_us = 0;
    for (int i = 5; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        unsigned long number = value ? strtoul(value + 1, NULL, 10) : 0;
        if (strncmp(argv[i], "rotate-bytes", 12) == 0)
            options->rotate_bytes = number;
        else if (strncmp(argv[i], "keep-bytes", 10) == 0)
            options->keep_bytes = number;
        else if (strncmp(argv[i], "queue-bytes", 11) == 0)
            options->queue_bytes = number;
        else if (strncmp(argv[i], "pause-us", 8) == 0)
            pause_us = (unsigned)number;
        else if (strncmp(argv[i], "waits", 5) == 0)
            options->waits = number != 0;
    }
    return pause_us;
}

static int print_schema(bool all)
{
    es_text_buffer text = {0};
    es_schema *schema = all ? made_schema() : made_plain_schema();
    es_schema_put(&text, schema);
    fwrite(text.text, 1, text.length, stdout);
    es_text_free(&text);
    es_schema_free(schema);
    return 0;
}

int main(int argc, char **argv)
{
    es_error err = {0};
    bool all = argc > 2 && strcmp(argv[2], "all") == 0;
    if (argc == 3 && strcmp(argv[1], "schema") == 0)
        return print_schema(all);
    if (argc < 4)
        return 2;
    unsigned long count = strtoul(argv[3], NULL, 10);
    draw_seed = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) + 1 : 1;
    es_trace_options options = {.directory = argv[1], .probe = "made", .tell = tell};
    unsigned pause_us = take_options(&options, argc, argv);
    es_trace *trace = es_trace_create(&options, &err);
    if (!trace) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    es_schema *schema = all ? made_schema() : made_plain_schema();
    es_record begin = {.kind = ES_RECORD_BEGIN, .schema = schema};
    es_text_buffer lines = {0};
    es_sink sink = es_trace_sink(trace), text = made_lines(&lines);
    es_sink_give(&sink, &begin);
    for (unsigned long i = 0; !count || i < count; i++) {
        const es_record *record = all ? made_record(schema) : made_plain_hit(schema, (uint32_t)i);
        es_sink_give(&sink, record);
        if (all) {
            es_sink_give(&text, record);
            fputs(lines.text, stdout);
            es_text_clear(&lines);
        } else if (i % 1000 == 0) {
            printf("%lu\n", i);
            fflush(stdout);
        }
        if (pause_us && i % 100 == 99)
            usleep(pause_us);
    }
    if (all)
        es_sink_give(&sink, made_summary(schema));
    if (!es_trace_close(trace, &err))
        fprintf(stderr, "%s\n", err.text);
    es_schema_free(schema);
    es_text_free(&lines);
    return err.code != ES_OK;
}
