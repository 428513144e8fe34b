/* Where the report's lines go. */
#include <errno.h>
#include <stdio.h>

#include "report/private.h"

static bool write_streams(bool result, const char *bytes, size_t size)
{
    if (!result)
        fflush(stdout);
    FILE *out = result ? stdout : stderr;
    return fwrite(bytes, 1, size, out) == size && fflush(out) == 0;
}

void es_report_flush(es_report *report, bool result)
{
    const es_report_out *out = &report->config.out;
    if (report->line.length && !(result && report->closed)) {
        errno = 0;
        bool good = out->write ? out->write(out->context, result, report->line.text, report->line.length)
                               : write_streams(result, report->line.text, report->line.length);
        if (!good && result) {
            report->closed = true;
            report->closed_errno = errno;
        }
    }
    es_text_clear(&report->line);
}
