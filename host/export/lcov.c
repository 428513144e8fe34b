/* Coverage as lcov keeps it (geninfo(1)): for lcov, genhtml and what else reads such files. Counts are 1 or 0: a line
 * has run, or it has not been seen to. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "export/private.h"
#include "record/cover.h"

typedef struct lcov {
    es_covered *covered;
    const es_schema *schema;
    bool lost;
} lcov;

static void *lcov_begin(es_text_buffer *out, const es_schema *schema, int64_t origin_ns)
{
    lcov *l = es_malloc(sizeof *l);
    (void)out, (void)schema, (void)origin_ns;
    *l = (lcov){.covered = es_covered_new()};
    return l;
}

static void lcov_take(void *state, es_text_buffer *out, const es_record *record)
{
    lcov *l = state;
    (void)out;
    if (record->kind == ES_RECORD_BEGIN) {
        l->schema = record->schema;
        es_covered_add_schema(l->covered, l->schema);
    } else if (record->kind == ES_RECORD_HIT) {
        es_covered_take(l->covered, l->schema, record->hit);
    } else if (record->kind == ES_RECORD_LOST) {
        l->lost = true;
    }
}

/* FN before FNDA, and both before lines; sums after each kind. */
static void put_functions(es_text_buffer *out, const es_covered *covered, const char *file)
{
    const es_covered_function *all;
    size_t count = es_covered_functions(covered, &all), found = 0, ran = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].file, file) == 0)
            es_text_format(out, "FN:%u,%s\n", all[i].line, all[i].name);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].file, file) != 0)
            continue;
        found++;
        ran += all[i].ran;
        es_text_format(out, "FNDA:%d,%s\n", all[i].ran, all[i].name);
    }
    es_text_format(out, "FNF:%zu\nFNH:%zu\n", found, ran);
}

static void lcov_end(void *state, es_text_buffer *out)
{
    lcov *l = state;
    const es_covered_line *lines;
    size_t count = es_covered_lines(l->covered, &lines);
    for (size_t i = 0, end; i < count; i = end) {
        size_t ran = 0;
        es_text_format(out, "TN:%s\nSF:%s\n", l->lost ? "with_losses" : "", lines[i].file);
        put_functions(out, l->covered, lines[i].file);
        for (end = i; end < count && strcmp(lines[end].file, lines[i].file) == 0; end++) {
            es_text_format(out, "DA:%u,%d\n", lines[end].line, lines[end].ran);
            ran += lines[end].ran;
        }
        es_text_format(out, "LF:%zu\nLH:%zu\nend_of_record\n", end - i, ran);
    }
    es_covered_free(l->covered);
    free(l);
}

const es_export_form es_export_lcov = {lcov_begin, lcov_take, lcov_end};
