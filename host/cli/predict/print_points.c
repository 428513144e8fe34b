#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "cli/predict/private.h"
#include "predict/points.h"

static void print_point(const predict_job *job, uint32_t address)
{
    const char *file = NULL;
    unsigned line = 0;
    const es_procedure *p = es_symbols_procedure_at(job->symbols, address);
    bool known = es_symbols_line(job->symbols, address, &file, &line);
    es_text_buffer out = {0};
    es_json j = {.out = &out};
    if (job->request->json) {
        es_json_begin(&j, '{');
        es_json_put_string(&j, "type", "point");
        es_json_put_uint(&j, "address", address);
        es_json_put_string(&j, "function", p ? p->name : NULL);
        es_json_put_string(&j, "file", known ? file : NULL);
        es_json_put_uint(&j, "line", line);
        es_json_end(&j, '}');
        puts(out.text);
    } else if (known) {
        printf("0x%08x  at(%s:%u)  %s\n", (unsigned)address, es_base_name(file), line, p ? p->name : "");
    } else {
        printf("0x%08x  %s\n", (unsigned)address, p ? p->name : "");
    }
    es_text_free(&out);
}

void es_predict_print_points(const predict_job *job)
{
    es_predict_points points;
    es_predict_points_find(job->symbols, job->trace, &points);
    for (size_t i = 0; i < points.count; i++)
        print_point(job, points.addresses[i]);
    if (!job->request->json)
        printf("%zu %s: %" PRIu64 " hits instead of %" PRIu64 " blocks, besides calls and returns\n", points.count,
               es_plural(points.count, "place", "places"), points.hits, points.firings);
    es_predict_points_free(&points);
}
