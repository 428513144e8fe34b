#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "client/connection.h"
#include "record/wire.h"

#define WAIT_MS 50 /* between looks at whether it is to end */

/* What records show on their way. */
typedef struct remote {
    es_sink sink;
    es_session_result *result;
    const es_session_options *session;
    const es_remote_options *options;
    es_connection *connection;
    char *name;  /* of the run */
    char *trace; /* its directory; NULL: none is kept */
    bool ended, stopping;
} remote;

void es_result_add(es_session_result *result, const es_schema *schema, const es_summary *summary)
{
    result->complete = summary->complete && (result->complete || !result->began);
    result->began = true;
    result->lost |= summary->lost_bus + summary->lost_events + summary->lost_link > 0;
    result->trapped |= summary->trapped;
    result->exited = summary->exited;
    result->exit_code = summary->exit_code;
    for (size_t i = 0; i < schema->statement_count; i++) {
        result->failed |= summary->judged[i].verdict == ES_VERDICT_FAILED;
        result->unknown |= summary->judged[i].verdict == ES_VERDICT_UNKNOWN;
    }
}

/* The run is begun, or waits for its probe, and goes on without this client. */
static void leave_it(remote *r, bool waits)
{
    es_text_buffer text = {0};
    es_text_format(&text, "the daemon monitors it as '%s'%s: earshot watch --run ", r->name,
                   waits ? " when its probe is there" : "");
    es_text_shell(&text, r->name);
    if (r->options->chosen) {
        es_text_format(&text, " --daemon=");
        es_text_shell(&text, r->options->chosen);
    }
    es_text_format(&text, " shows it, earshot runs --stop ");
    es_text_shell(&text, r->name);
    if (r->options->chosen) {
        es_text_format(&text, " --socket ");
        es_text_shell(&text, r->options->chosen);
    }
    es_text_format(&text, " ends it");
    es_record note = {.kind = ES_RECORD_NOTE, .text = {text.text, text.length}};
    es_sink_give(&r->sink, &note);
    es_text_free(&text);
    if (r->trace && r->options->trace)
        r->options->trace(r->options->context, r->trace);
    r->ended = true;
}

static void take(void *context, const es_record *record)
{
    remote *r = context;
    es_session_result *result = r->result;
    if (r->options->keep) {
        if (record->kind == ES_RECORD_WARNING)
            es_sink_give(&r->sink, record);
        else if (record->kind == ES_RECORD_BEGIN)
            leave_it(r, false);
        return;
    }
    if (record->kind == ES_RECORD_PROGRESS) { /* the daemon knows of its probe, not of this end */
        es_progress progress = *record->progress;
        es_record told = *record;
        progress.waiting += es_connection_waiting(r->connection);
        told.progress = &progress;
        es_sink_give(&r->sink, &told);
        return;
    }
    es_sink_give(&r->sink, record);
    if (record->kind != ES_RECORD_SUMMARY)
        return;
    es_result_add(result, record->schema, record->summary);
}

/* --- the request ----------------------------------------------------------------------------------------------- */

static void add_text(es_json *json, const char *key, const char *text)
{
    if (!text)
        return;
    es_json_key(json, key);
    es_json_string(json, text);
}

static void add_number(es_json *json, const char *key, uint64_t number)
{
    if (!number)
        return;
    es_json_key(json, key);
    es_json_uint(json, number);
}

static void add_flag(es_json *json, const char *key, bool flag)
{
    if (!flag)
        return;
    es_json_key(json, key);
    es_json_bool(json, true);
}

static void write_watch(es_text_buffer *out, const es_session_options *s, const es_access *access,
                        const es_remote_options *options)
{
    es_json json = {.out = out};
    es_text_buffer probe = {0};
    es_probe_text(&probe, &access->choice);
    es_json_begin(&json, '{');
    add_text(&json, "do", "watch");
    add_text(&json, "form", "record");
    add_text(&json, "program", s->program);
    add_text(&json, "probe", probe.text);
    add_text(&json, "name", options->name);
    es_json_key(&json, "statements");
    es_json_begin(&json, '[');
    for (size_t i = 0; i < s->text_count; i++) {
        es_json_begin(&json, '{');
        add_text(&json, "file", s->texts[i].file);
        add_text(&json, "text", s->texts[i].text);
        es_json_end(&json, '}');
    }
    es_json_end(&json, ']');
    add_number(&json, "clock_hz", s->clock_hz);
    add_number(&json, "for_ns", s->for_ns);
    add_number(&json, "count", s->count);
    add_number(&json, "ratio", access->ratio);
    es_json_key(&json, "seed");
    es_json_uint(&json, access->seed);
    add_flag(&json, "attach", s->attach);
    add_flag(&json, "loaded", s->loaded);
    add_flag(&json, "start_up", s->start_up);
    add_flag(&json, "allow_halt", s->allow_halt);
    add_flag(&json, "times", s->times);
    add_flag(&json, "replay", s->side == ES_SIDE_REPLAY);
    add_flag(&json, "probe_only", s->side == ES_SIDE_PROBE);
    add_flag(&json, "keep", options->keep);
    add_flag(&json, "record", options->record);
    add_flag(&json, "returns", options->returns);
    es_json_end(&json, '}');
    es_text_add(out, "\n", 1);
    es_text_free(&probe);
}

static void write_named(es_text_buffer *out, const char *what, const char *run)
{
    es_json json = {.out = out};
    es_json_begin(&json, '{');
    add_text(&json, "do", what);
    add_text(&json, "form", "record");
    add_text(&json, "run", run);
    es_json_end(&json, '}');
    es_text_add(out, "\n", 1);
}

/* Asks for the run. */
static bool ask(es_connection *connection, const remote *r, const es_access *access, es_error *err)
{
    es_text_buffer line = {0};
    int program = -1;
    if (r->options->join) {
        write_named(&line, "join", r->options->join);
    } else {
        program = open(r->session->program, O_RDONLY | O_CLOEXEC);
        if (program < 0)
            return es_fail(err, ES_USAGE, "%s: %s", r->session->program, strerror(errno));
        write_watch(&line, r->session, access, r->options);
    }
    bool sent = es_connection_send(connection, line.text, line.length, program, err);
    if (program >= 0)
        close(program);
    es_text_free(&line);
    return sent;
}

/* --- lines that are no records --------------------------------------------------------------------------------- */

/* Of the daemon's answer to "runs": whether this one waits for its probe. */
static bool waits_for_probe(const remote *r, const json_t *runs)
{
    size_t i;
    const json_t *run;
    json_array_foreach(runs, i, run)
    {
        const char *name = json_string_value(json_object_get(run, "name"));
        const char *state = json_string_value(json_object_get(run, "state"));
        if (name && state && strcmp(name, r->name) == 0)
            return strcmp(state, "waiting") == 0;
    }
    return false;
}

/* False: the run has failed, or was refused. */
static bool take_other(remote *r, const char *line, size_t length, es_error *err)
{
    json_t *root = json_loadb(line, length, 0, NULL);
    const char *event = json_string_value(json_object_get(root, "event"));
    bool good = !es_connection_refused(root, err);
    if (good && event && strcmp(event, "reply") == 0 && !r->name) {
        const char *name = json_string_value(json_object_get(root, "probe"));
        const char *trace = json_string_value(json_object_get(root, "trace"));
        r->name = strdup(name ? name : r->options->join ? r->options->join : "");
        r->trace = trace ? strdup(trace) : NULL;
    } else if (good && event && strcmp(event, "reply") == 0 && r->options->keep && !r->ended &&
               waits_for_probe(r, json_object_get(root, "runs"))) {
        leave_it(r, true);
    }
    if (good && event && strcmp(event, "end") == 0) {
        const char *text = json_string_value(json_object_get(root, "text"));
        const char *wrong = json_string_value(json_object_get(root, "wrong"));
        r->ended = true;
        if (wrong)
            es_text_add(&r->result->wrong, wrong, strlen(wrong));
        if (text) {
            json_object_set_new(root, "event", json_string("error"));
            good = !es_connection_refused(root, err);
        }
    }
    json_decref(root);
    return good;
}

/* A run of one's own ends with its summary; one that was joined goes on without this client. */
static bool stop(remote *r, es_connection *connection, es_error *err)
{
    es_text_buffer line = {0};
    r->stopping = true;
    if (r->options->join || !r->name) {
        r->ended = true;
        return true;
    }
    write_named(&line, "stop", r->name);
    bool sent = es_connection_send(connection, line.text, line.length, -1, err);
    es_text_free(&line);
    return sent;
}

/* A run that is kept may have to wait for its probe, which is told to those who ask. */
static bool ask_for_state(const remote *r, es_connection *connection, es_error *err)
{
    static const char request[] = "{\"do\":\"runs\"}\n";
    return !r->options->keep || !r->name || es_connection_send(connection, request, sizeof request - 1, -1, err);
}

static bool follow(remote *r, es_connection *connection, es_wire_reader *reader, es_error *err)
{
    bool good = true;
    while (good && !r->ended) {
        const char *line;
        size_t length;
        bool record;
        if (!r->stopping && r->session->stop(r->session->context))
            good = stop(r, connection, err);
        int got = good && !r->ended ? es_connection_line(connection, WAIT_MS, &line, &length, err) : 0;
        if (got < 0)
            return false;
        if (!got && good && !r->ended)
            good = ask_for_state(r, connection, err);
        if (got)
            good = es_wire_read(reader, line, length, &record, err) && (record || take_other(r, line, length, err));
    }
    return good;
}

bool es_remote_run(const es_session_options *session, const es_access *access, const es_remote_options *options,
                   const es_sink *sink, es_session_result *result, es_error *err)
{
    remote r = {.sink = *sink, .result = result, .session = session, .options = options};
    es_sink own = {take, &r};
    *result = (es_session_result){0};
    es_connection *connection = es_connection_new(options->socket, err);
    if (!connection)
        return false;
    r.connection = connection;
    es_wire_reader *reader = es_wire_reader_new(&own);
    bool good = ask(connection, &r, access, err) && follow(&r, connection, reader, err);
    if (session->over)
        session->over(session->context);
    es_wire_reader_free(reader);
    es_connection_free(connection);
    free(r.name);
    free(r.trace);
    return good;
}
