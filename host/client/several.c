/* Several runs of the daemon over one connection. Each run's lines wait in a row of their own, in their order; the
 * earliest of those in front is next, when all rows have one, or when one has waited long enough. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "client/connection.h"
#include "client/row.h"
#include "record/wire.h"

#define LOOK_MS 50                /* between looks at whether it is to end */
#define ASK_NS INT64_C(500000000) /* between looks for runs that have begun */

typedef struct member {
    struct several *all;
    size_t number;
    char *name;
    es_wire_reader *reader;
    es_row row;
    bool asked; /* for its lines */
    bool over;  /* its end has had its turn */
} member;

typedef struct several {
    const es_several *options;
    es_connection *connection;
    es_session_result *result;
    member members[ES_SEVERAL_MAX];
    size_t count;
    const es_row_item *given; /* the one whose turn it is */
    bool late;
    es_row_order order;
    bool expired;     /* one in front has waited long enough: what has come meanwhile is read first */
    size_t unread;    /* ... bytes of it that are left */
    int64_t asked_ns; /* for runs */
    bool named;       /* they were; else all are looked at */
} several;

static int64_t now_ns(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

/* --- requests ----------------------------------------------------------------------------------------------------- */

static bool ask(es_connection *connection, const char *what, const member *m, es_error *err)
{
    es_text_buffer line = {0};
    es_json json = {.out = &line};
    es_json_begin(&json, '{');
    es_json_key(&json, "do");
    es_json_string(&json, what);
    if (m) {
        es_json_key(&json, "id");
        es_json_uint(&json, m->number);
        es_json_key(&json, "form");
        es_json_string(&json, "record");
        es_json_key(&json, "run");
        es_json_string(&json, m->name);
    }
    es_json_end(&json, '}');
    es_text_add(&line, "\n", 1);
    bool sent = es_connection_send(connection, line.text, line.length, -1, err);
    es_text_free(&line);
    return sent;
}

static void take_record(void *context, const es_record *record);

static bool join(several *s, const char *name, es_error *err)
{
    member *m = NULL;
    for (size_t i = 0; i < s->count && !m; i++)
        if (strcmp(s->members[i].name, name) == 0)
            m = &s->members[i];
    if (m && !m->over)
        return true;
    if (!m && s->count == ES_SEVERAL_MAX)
        return es_fail(err, ES_USAGE, "at most %u runs can be looked at together", ES_SEVERAL_MAX);
    if (!m) {
        m = &s->members[s->count];
        *m = (member){.all = s, .number = s->count++, .name = strdup(name)};
        es_row_init(&m->row);
        m->reader = es_wire_reader_new(&(es_sink){take_record, m});
        s->options->add(s->options->context, name);
    }
    m->over = false;
    m->asked = true;
    return ask(s->connection, "join", m, err);
}

/* Of the answer to "runs". */
static bool join_all(several *s, const json_t *runs, es_error *err)
{
    size_t i;
    const json_t *run;
    bool good = true;
    json_array_foreach(runs, i, run)
    {
        const char *name = json_string_value(json_object_get(run, "name"));
        const char *state = json_string_value(json_object_get(run, "state"));
        if (good && name && state && strcmp(state, "ended") != 0)
            good = join(s, name, err);
    }
    return good;
}

/* --- a record's turn ---------------------------------------------------------------------------------------------- */

static void take_record(void *context, const es_record *record)
{
    const member *m = context;
    const several *s = m->all;
    if (record->kind == ES_RECORD_SUMMARY)
        es_result_add(s->result, record->schema, record->summary);
    s->options->take(s->options->context, m->number, record, s->given->timed ? &s->given->at : NULL, s->late);
}

static void end_member(member *m, const json_t *line)
{
    const char *text = json_string_value(json_object_get(line, "text"));
    es_error failure = {0};
    json_t *error = json_copy((json_t *)line);
    json_object_set_new(error, "event", json_string("error"));
    if (text)
        es_connection_refused(error, &failure);
    json_decref(error);
    m->over = true;
    m->asked = false;
    es_row_forget_clock(&m->row);
    m->all->options->ended(m->all->options->context, m->number, text ? &failure : NULL,
                           json_string_value(json_object_get(line, "wrong")));
}

static bool give(member *m, es_error *err)
{
    several *s = m->all;
    bool record;
    es_row_item item = es_row_take(&m->row);
    const char *event = json_string_value(json_object_get(item.line, "event"));
    s->given = &item;
    s->late = es_row_is_late(&s->order, &item);
    bool good = es_wire_take(m->reader, item.line, &record, err);
    if (good && !record && event && strcmp(event, "end") == 0)
        end_member(m, item.line);
    json_decref(item.line);
    return good;
}

/* Whether one in front has waited long enough, and what came in that time has been read: on a busy machine an earlier
 * one may be among it. */
static bool has_waited(several *s, int64_t now)
{
    bool expired = false;
    for (size_t i = 0; i < s->count; i++) {
        const es_row_item *front = es_row_front(&s->members[i].row);
        expired = expired || (front && now - front->came_ns >= ES_SEVERAL_WAIT_NS);
    }
    if (!expired)
        s->unread = 0;
    else if (!s->expired)
        s->unread = es_connection_waiting(s->connection);
    s->expired = expired;
    return expired && !s->unread;
}

/* Gives on what has its turn; `all`: everything. */
static bool give_ready(several *s, bool all, es_error *err)
{
    int64_t now = now_ns();
    for (;;) {
        member *first = NULL;
        bool whole = true, waited = all || has_waited(s, now);
        size_t waiting = 0;
        for (size_t i = 0; i < s->count; i++) {
            member *m = &s->members[i];
            const es_row_item *front = es_row_front(&m->row);
            waiting += m->row.count;
            whole = whole && (front || m->over);
            if (front && (!first || es_row_due(front) < es_row_due(es_row_front(&first->row))))
                first = m;
        }
        if (!first || !(whole || waited || waiting > ES_ROWS_MAX || es_row_due(es_row_front(&first->row)) == INT64_MIN))
            return true;
        if (!give(first, err))
            return false;
    }
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static member *find(several *s, const json_t *line)
{
    const char *name = json_string_value(json_object_get(line, "probe"));
    for (size_t i = 0; name && i < s->count; i++)
        if (strcmp(s->members[i].name, name) == 0)
            return &s->members[i];
    return NULL;
}

/* An answer. A run that has ended between being listed and being asked for is none that was named. */
static bool take_answer(several *s, const json_t *line, es_error *err)
{
    const json_t *id = json_object_get(line, "id");
    if (json_object_get(line, "runs"))
        return join_all(s, json_object_get(line, "runs"), err);
    if (!es_connection_refused(line, err))
        return true;
    if (s->named || !json_is_integer(id) || (uint64_t)json_integer_value(id) >= s->count)
        return false;
    s->members[json_integer_value(id)].over = true;
    *err = (es_error){0};
    return true;
}

static bool take_line(several *s, const char *text, size_t length, es_error *err)
{
    json_error_t wrong;
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
    const char *event = json_string_value(json_object_get(line, "event"));
    bool answer = event && (strcmp(event, "reply") == 0 || strcmp(event, "error") == 0);
    member *m = answer ? NULL : find(s, line);
    bool good = line || es_fail(err, ES_PROBE, "the daemon sent a line that cannot be read: %s", wrong.text);
    if (answer)
        good = take_answer(s, line, err);
    else if (m && m->asked)
        es_row_add(&m->row, json_incref(line), now_ns(), &s->order);
    json_decref(line);
    return good;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static bool is_over(const several *s)
{
    bool over = s->named;
    for (size_t i = 0; i < s->count; i++)
        over = over && s->members[i].over;
    return over;
}

static bool look_for_runs(several *s, es_error *err)
{
    int64_t now = now_ns();
    if (s->named || now - s->asked_ns < ASK_NS)
        return true;
    s->asked_ns = now;
    return ask(s->connection, "runs", NULL, err);
}

/* How long the first of those that wait may still do so. */
static int patience_ms(const several *s)
{
    int64_t left = LOOK_MS * INT64_C(1000000), now = now_ns();
    if (s->unread) /* the rest of a line is still to come */
        return LOOK_MS;
    for (size_t i = 0; i < s->count; i++) {
        const es_row_item *front = es_row_front(&s->members[i].row);
        if (front && front->came_ns + ES_SEVERAL_WAIT_NS - now < left)
            left = front->came_ns + ES_SEVERAL_WAIT_NS - now;
    }
    return left > 0 ? (int)(left / 1000000 + 1) : 0;
}

static bool follow(several *s, es_error *err)
{
    bool good = true;
    while (good && !is_over(s) && !s->options->stop(s->options->context)) {
        const char *line;
        size_t length;
        int got = es_connection_line(s->connection, patience_ms(s), &line, &length, err);
        if (got > 0)
            s->unread -= s->unread < length + 1 ? s->unread : length + 1;
        good =
            got >= 0 && (!got || take_line(s, line, length, err)) && give_ready(s, false, err) && look_for_runs(s, err);
    }
    es_error late = {0};
    return give_ready(s, true, good ? err : &late) && good;
}

bool es_several_run(const es_several *options, es_session_result *result, es_error *err)
{
    several *s = es_malloc(sizeof *s);
    memset(s, 0, sizeof *s);
    s->options = options;
    s->result = result;
    s->named = options->count > 0;
    *result = (es_session_result){0};
    s->connection = es_connection_new(options->socket, err);
    bool good = s->connection;
    for (size_t i = 0; i < options->count && good; i++)
        good = join(s, options->names[i], err);
    s->asked_ns = now_ns() - ASK_NS;
    good = good && follow(s, err);
    for (size_t i = 0; i < s->count; i++) {
        es_row_free(&s->members[i].row);
        es_wire_reader_free(s->members[i].reader);
        free(s->members[i].name);
    }
    es_connection_free(s->connection);
    free(s);
    return good;
}
