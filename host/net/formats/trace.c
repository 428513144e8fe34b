#include "net/formats/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net/formats/trace_json.h"

struct es_net_trace {
    const char *path;
    const es_net *net;
    FILE *file;
    char *line;
    size_t room;
    uint64_t number;
    es_json_reader json;
    es_text_buffer event, transition;
    int32_t *processes;
    size_t process_count, process_room;
};

es_net_trace *es_net_trace_open(const char *path, const es_net *net, es_error *err)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    if (!file) {
        es_fail(err, ES_USAGE, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    return es_net_trace_from(file, file == stdin ? "standard input" : path, net);
}

es_net_trace *es_net_trace_from(FILE *file, const char *name, const es_net *net)
{
    es_net_trace *trace = es_malloc(sizeof *trace);
    *trace = (es_net_trace){.path = name, .net = net, .file = file};
    return trace;
}

void es_net_trace_close(es_net_trace *trace)
{
    if (!trace)
        return;
    if (trace->file != stdin)
        fclose(trace->file);
    free(trace->line);
    free(trace->processes);
    es_json_close(&trace->json);
    es_text_free(&trace->event);
    es_text_free(&trace->transition);
    free(trace);
}

static bool fail_at(const es_net_trace *trace, es_error *err, const char *at, const char *what, const char *detail)
{
    return es_fail(err, ES_USAGE, "%s:%llu:%zu: error: %s%s", trace->path, (unsigned long long)trace->number,
                   (size_t)(at - trace->json.start) + 1, what, detail);
}

/* Reads a line into trace->line. 0 at the end, -1 with an error. Lines too long are refused before they fill the
 * memory. */
static int read_line(es_net_trace *trace, size_t *length, es_error *err)
{
    *length = 0;
    int c = EOF;
    while ((c = getc_unlocked(trace->file)) != EOF && c != '\n') {
        if (*length + 1 >= trace->room) {
            trace->room = trace->room ? trace->room * 2 : 256;
            trace->line = es_realloc(trace->line, trace->room);
        }
        trace->line[(*length)++] = (char)c;
        if (*length > ES_NET_TRACE_LINE_MAX) {
            es_fail(err, ES_USAGE, "%s:%llu:1: error: a line of more than %u bytes: this is no trace", trace->path,
                    (unsigned long long)trace->number + 1, ES_NET_TRACE_LINE_MAX);
            return -1;
        }
    }
    if (ferror(trace->file)) {
        es_fail(err, ES_USAGE, "%s: cannot be read: %s", trace->path, strerror(errno));
        return -1;
    }
    if (*length)
        trace->line[*length] = 0;
    trace->number++;
    return c == '\n' || *length;
}

static bool take_processes(es_net_trace *trace, es_error *err)
{
    const char *at = NULL;
    int64_t number;
    trace->process_count = 0;
    while (es_json_integers(&trace->json, &at, &number)) {
        if (number < 0 || number > UINT16_MAX)
            return fail_at(trace, err, trace->json.value, "a process has a number from 0 to 65535", "");
        if (trace->process_count == trace->process_room) {
            trace->process_room = trace->process_room ? trace->process_room * 2 : 8;
            trace->processes = es_realloc(trace->processes, trace->process_room * sizeof *trace->processes);
        }
        trace->processes[trace->process_count++] = (int32_t)number;
    }
    return !trace->json.problem;
}

struct fields {
    bool has_event, has_transition, has_time, has_processes;
    const char *transition_at, *time_at;
};

static bool is_key(const es_net_trace *trace, const char *key)
{
    return strcmp(trace->json.key.text, key) == 0;
}

/* Time and mark: whole ticks, a mark not below 0. null is as good as nothing. */
static bool take_ticks(const es_net_trace *trace, int64_t least, int64_t *ticks, es_error *err)
{
    const es_json_reader *json = &trace->json;
    if (json->kind == ES_JSON_NULL)
        return true;
    if (json->kind != ES_JSON_INTEGER || json->integer < least || json->integer > ES_NET_TICKS_MAX)
        return fail_at(trace, err, json->value,
                       least == 0 ? "a mark takes a whole number of ticks, 0 or more: "
                                  : "a time is a whole number of ticks: ",
                       json->key.text);
    *ticks = json->integer;
    return true;
}

static bool take_member(es_net_trace *trace, es_net_record *record, struct fields *fields, es_error *err)
{
    es_json_reader *json = &trace->json;
    if (is_key(trace, "event") && json->kind == ES_JSON_STRING) {
        fields->has_event = true;
        es_text_clear(&trace->event);
        es_text_add(&trace->event, json->string.text, json->string.length);
    } else if (is_key(trace, "transition") && json->kind == ES_JSON_STRING) {
        fields->has_transition = true;
        fields->transition_at = json->value;
        es_text_clear(&trace->transition);
        es_text_add(&trace->transition, json->string.text, json->string.length);
    } else if (is_key(trace, "time")) {
        fields->has_time = json->kind != ES_JSON_NULL;
        fields->time_at = json->value;
        return take_ticks(trace, -ES_NET_TICKS_MAX, &record->time, err);
    } else if (is_key(trace, "mark")) {
        return take_ticks(trace, 0, &record->mark, err);
    } else if (is_key(trace, "complete")) {
        record->complete = json->kind == ES_JSON_TRUE;
    } else if (is_key(trace, "processes") && json->kind == ES_JSON_ARRAY) {
        return take_processes(trace, err);
    }
    return true;
}

/* What the members say together. False with an error; *skip when the line is of another kind of event. */
static bool conclude(es_net_trace *trace, es_net_record *record, const struct fields *fields, bool *skip, es_error *err)
{
    static const struct {
        const char *name;
        enum es_net_record_kind kind;
    } kinds[] = {{"firing", ES_NET_RECORD_FIRING},
                 {"gap", ES_NET_RECORD_GAP},
                 {"time", ES_NET_RECORD_TIME},
                 {"end", ES_NET_RECORD_END}};
    if (!fields->has_event)
        return fail_at(trace, err, trace->json.start, "an \"event\" is needed in each line", "");
    *skip = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(trace->event.text, kinds[i].name) == 0) {
            record->kind = kinds[i].kind;
            *skip = false;
        }
    if (*skip)
        return true;
    if ((record->kind == ES_NET_RECORD_FIRING || record->kind == ES_NET_RECORD_TIME) && !fields->has_time)
        return fail_at(trace, err, trace->json.start, "a \"time\" is needed in this line", "");
    if (record->kind == ES_NET_RECORD_FIRING) {
        if (!fields->has_transition)
            return fail_at(trace, err, trace->json.start, "a \"transition\" is needed in this line", "");
        record->transition = es_net_transition_find(trace->net, trace->transition.text);
        if (record->transition == ES_NET_NONE)
            return fail_at(trace, err, fields->transition_at,
                           "the net has no such transition: ", trace->transition.text);
    }
    record->processes = trace->processes;
    record->process_count = trace->process_count;
    return true;
}

bool es_net_trace_next(es_net_trace *trace, es_net_record *record, bool *at_end, es_error *err)
{
    *at_end = false;
    for (;;) {
        size_t length;
        int got = read_line(trace, &length, err);
        *at_end = got == 0;
        if (got <= 0)
            return false;
        if (length == 0 || strspn(trace->line, " \t\r") == length)
            continue;
        struct fields fields = {0};
        bool skip = false;
        *record = (es_net_record){.line = trace->number, .mark = ES_NET_UNKNOWN};
        trace->process_count = 0;
        if (es_json_open(&trace->json, trace->line, length))
            while (es_json_member(&trace->json))
                if (!take_member(trace, record, &fields, err))
                    return trace->json.problem ? fail_at(trace, err, trace->json.at, trace->json.problem, "") : false;
        if (trace->json.problem)
            return fail_at(trace, err, trace->json.at, trace->json.problem, "");
        if (!conclude(trace, record, &fields, &skip, err))
            return false;
        if (!skip)
            return true;
    }
}

void es_net_trace_write(es_json *json, const es_net *net, const es_net_firing *firing)
{
    const es_net_transition *transition = &net->transitions[firing->transition];
    es_json_begin(json, '{');
    es_json_key(json, "event");
    es_json_string(json, "firing");
    es_json_key(json, "transition");
    es_json_string(json, transition->id);
    es_json_key(json, "number");
    es_json_uint(json, firing->number);
    es_json_key(json, "time");
    es_json_int(json, firing->time);
    if (transition->monitor) {
        es_json_key(json, "mark");
        es_json_int(json, firing->mark);
    }
    if (transition->monitor && firing->mark != transition->mark) {
        es_json_key(json, "calibrated");
        es_json_int(json, transition->mark);
    }
    es_json_end(json, '}');
}
