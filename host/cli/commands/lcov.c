#include "cli/commands/lcov.h"

#include <errno.h>
#include <string.h>

bool es_lcov_begin(es_lcov *lcov, const char *path, es_error *err)
{
    *lcov = (es_lcov){.path = path};
    if (!path)
        return true;
    lcov->file = fopen(path, "we");
    if (!lcov->file)
        return es_fail(err, ES_OUTPUT, "%s: cannot be written: %s", path, strerror(errno));
    lcov->export = es_export_new(ES_EXPORT_LCOV, lcov->file, 0);
    return true;
}

static void take(void *context, const es_record *record)
{
    es_lcov *lcov = context;
    for (size_t i = 0; record->kind == ES_RECORD_BEGIN && i < record->schema->statement_count; i++)
        for (size_t k = 0; k < record->schema->statements[i].aggregate_count; k++)
            lcov->covers |= record->schema->statements[i].aggregates[k].cover != NULL;
    es_sink sink = es_export_sink(lcov->export);
    es_sink_give(&sink, record);
    es_sink_give(&lcov->shown, record);
}

es_sink es_lcov_sink(es_lcov *lcov, const es_sink *shown)
{
    lcov->shown = *shown;
    return lcov->path ? (es_sink){take, lcov} : *shown;
}

bool es_lcov_end(es_lcov *lcov, es_error *err)
{
    if (!lcov->file)
        return true;
    bool good = es_export_end(lcov->export, lcov->path, err);
    errno = 0;
    if (fclose(lcov->file) != 0 && errno != EPIPE && good)
        good = es_fail(err, ES_OUTPUT, "%s: cannot be written: %s", lcov->path, strerror(errno));
    lcov->file = NULL;
    if (good && !lcov->covers)
        return es_fail(err, ES_USAGE, "%s is empty: no statement says which lines ran; add -e 'cover control.c'",
                       lcov->path);
    return good;
}
