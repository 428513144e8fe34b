/* Where the report's lines go. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/private.h"

#define LOOK_MS 100      /* between looks at whether the run is to end, while who reads takes nothing */
#define PATIENCE_MS 2000 /* for who takes nothing, once it is to end; less than signals.c has */

static bool is_pipe(es_report *report)
{
    struct stat about;
    if (!report->out_known)
        report->out_is_pipe = fstat(STDOUT_FILENO, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
    report->out_known = true;
    return report->out_is_pipe;
}

/* Waits until some of PIPE_BUF bytes can be written without waiting. False, with ETIMEDOUT: the run is to end, and
 * nobody takes anything. */
static bool wait_for_room(const es_report *report, int file)
{
    struct pollfd room = {.fd = file, .events = POLLOUT};
    for (int waited = 0;;) {
        if (poll(&room, 1, LOOK_MS) > 0)
            return true;
        bool ends = report->config.stopped && report->config.stopped();
        waited += ends ? LOOK_MS : 0;
        if (waited > PATIENCE_MS)
            break;
    }
    errno = ETIMEDOUT;
    return false;
}

static bool write_pipe(const es_report *report, int file, const char *bytes, size_t size)
{
    while (size) {
        if (!wait_for_room(report, file))
            return false;
        ssize_t done = write(file, bytes, size < PIPE_BUF ? size : PIPE_BUF);
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        bytes += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static bool write_streams(es_report *report, bool result, const char *bytes, size_t size)
{
    FILE *out = result ? stdout : stderr;
    if (!result && !report->closed)
        fflush(stdout);
    if (result && is_pipe(report))
        return fflush(stdout) == 0 && write_pipe(report, STDOUT_FILENO, bytes, size);
    return fwrite(bytes, 1, size, out) == size && fflush(out) == 0;
}

const char *es_report_closed_why(int error)
{
    return error == ETIMEDOUT ? "who reads them takes no more" : strerror(error);
}

void es_report_flush(es_report *report, bool result)
{
    const es_report_out *out = &report->config.out;
    if (result && report->closed && report->line.length)
        report->unwritten++;
    if (report->line.length && !(result && report->closed)) {
        errno = 0;
        bool good = out->write ? out->write(out->context, result, report->line.text, report->line.length)
                               : write_streams(report, result, report->line.text, report->line.length);
        if (!good && result) {
            report->closed = true;
            report->closed_errno = errno;
            report->unwritten++;
        }
    }
    es_text_clear(&report->line);
}
