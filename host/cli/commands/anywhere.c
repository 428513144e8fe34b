#include "cli/commands/anywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/client.h"
#include "store/trace.h"

/* The daemon's socket, for the caller to free; NULL: the session runs here. Real probes are the daemon's where there is
 * one: it has them open. */
static char *socket_of(const es_access *access, const es_run_options *options)
{
    bool real = access->choice.probe != ES_PROBE_SIM && access->choice.probe != ES_PROBE_FILE &&
                access->choice.probe != ES_PROBE_REPLAY;
    bool wanted =
        options->daemon || options->joined || ((real || options->records) && !access->record && !options->out);
    if (options->socket)
        return strdup(options->socket);
    return wanted && !options->no_daemon ? es_daemon_socket() : NULL;
}

static void tell_trace(void *context, const char *directory)
{
    es_report_trace(context, directory, false);
}

static bool run_remotely(const es_session_options *session, const es_access *access, const es_run_options *options,
                         const char *socket, es_report *report, const es_sink *sink, es_session_result *result,
                         es_error *err)
{
    es_remote_options remote = {.socket = socket,
                                .chosen = options->socket,
                                .join = options->joined,
                                .name = options->name,
                                .keep = options->records,
                                .record = options->records,
                                .returns = options->records,
                                .trace = report ? tell_trace : NULL,
                                .context = report};
    if (!socket)
        return es_fail(err, ES_PROBE, "no daemon runs: start earshotd, or name its socket with --daemon=PATH");
    return es_remote_run(session, access, &remote, sink, result, err);
}

/* --- a trace beside the report ----------------------------------------------------------------------------------- */

typedef struct both {
    es_sink shown, kept;
} both;

/* What is kept first may be shown: a reader who looks at the trace then finds it. */
static void take(void *context, const es_record *record)
{
    const both *b = context;
    es_sink_give(&b->kept, record);
    es_sink_give(&b->shown, record);
}

static void on_trouble(void *context, enum es_trace_trouble trouble, const char *text)
{
    const both *b = context;
    es_record record = {.kind = trouble == ES_TRACE_RECOVERS ? ES_RECORD_NOTE : ES_RECORD_WARNING,
                        .text = {text, strlen(text)}};
    es_sink_give(&b->shown, &record);
}

static bool run_here(const es_session_options *session, const es_access *access, const es_run_options *options,
                     es_report *report, const es_sink *sink, es_session_result *result, es_error *err)
{
    enum es_probe_kind probe = access->choice.probe;
    both b = {.shown = *sink};
    if (options->records && !options->out)
        return es_fail(err, ES_USAGE,
                       "no daemon runs that could keep a trace: say where one is to be kept with --out DIR");
    if (!options->out)
        return es_session_run(session, sink, result, err);
    es_trace_options trace_options = {.directory = options->out,
                                      .probe = session->probe_name,
                                      .rotate_bytes = options->rotate_bytes,
                                      .rotate_ns = options->rotate_ns,
                                      .keep_bytes = options->keep_bytes,
                                      .keep_ns = options->keep_ns,
                                      .waits =
                                          probe == ES_PROBE_SIM || probe == ES_PROBE_FILE || probe == ES_PROBE_REPLAY,
                                      .tell = on_trouble,
                                      .context = &b};
    es_trace *trace = es_trace_create(&trace_options, err);
    if (!trace)
        return false;
    b.kept = es_trace_sink(trace);
    if (report && options->records)
        es_report_trace(report, options->out, false);
    es_sink both_sinks = {take, &b};
    es_error trace_err = {0};
    bool good = es_session_run(session, &both_sinks, result, err);
    bool kept = es_trace_close(trace, &trace_err);
    if (report && options->records && result->began && kept)
        es_report_trace(report, options->out, true);
    if (good && !kept)
        *err = trace_err;
    return good && kept;
}

bool es_run_anywhere(const es_session_options *session, es_access *access, const es_run_options *options,
                     es_report *report, const es_sink *sink, es_session_result *result, es_error *err)
{
    char *socket = socket_of(access, options);
    *result = (es_session_result){0};
    bool good = socket || options->daemon || options->joined
                    ? run_remotely(session, access, options, socket, report, sink, result, err)
                    : run_here(session, access, options, report, sink, result, err);
    free(socket);
    return good;
}
