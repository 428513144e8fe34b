#include "net/formats/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/formats/digits.h"
#include "net/formats/trace_json.h"

#define CHUNK 65536 /* bytes that are read at once at most */
#define SLACK 64    /* bytes after them that may be looked at, though they are no part of the text: zeros */

#define KNOWN_IDS 4096 /* so many that two of a net seldom have the same place */

/* Eight bytes that begin with an id and the quote after it; 0: none yet. */
typedef struct known_id {
    uint64_t bytes;
    uint32_t transition;
} known_id;

struct es_net_trace {
    const char *path;
    const es_net *net;
    FILE *file;
    char *text; /* of the file; what of it has not been read yet: */
    size_t at, filled, room;
    char *line; /* in it, */
    bool cut;   /* and the text ends there, without a line's end */
    uint64_t number;
    es_json_reader json;
    es_text_buffer event, transition;
    int32_t *processes;
    size_t process_count, process_room;
    unsigned number_length, time_length; /* digits of the last ones */
    known_id known[KNOWN_IDS];
};

static void make_room(es_net_trace *trace, size_t room)
{
    trace->text = es_realloc(trace->text, room + SLACK);
    trace->room = room;
}

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
    make_room(trace, CHUNK);
    return trace;
}

void es_net_trace_close(es_net_trace *trace)
{
    if (!trace)
        return;
    if (trace->file != stdin)
        fclose(trace->file);
    free(trace->text);
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

static bool fail_in_line(const es_net_trace *trace, es_error *err)
{
    return fail_at(trace, err, trace->json.at, trace->json.problem,
                   trace->cut && trace->json.at >= trace->json.end ? "; the trace ends in the middle of this line"
                                                                   : "");
}

/* Takes more of the file, after what is left of it. 0 at the end, -1 with an error. What a pipe has is taken at once,
 * without waiting for more. */
static ssize_t fill(es_net_trace *trace)
{
    memmove(trace->text, trace->text + trace->at, trace->filled - trace->at);
    trace->filled -= trace->at;
    trace->at = 0;
    if (trace->room - trace->filled < CHUNK)
        make_room(trace, trace->filled + CHUNK);
    char *to = trace->text + trace->filled;
    int descriptor = fileno(trace->file); /* negative: a file in memory */
    ssize_t got;
    if (descriptor < 0) {
        got = (ssize_t)fread(to, 1, CHUNK, trace->file);
        got = ferror(trace->file) ? -1 : got;
    } else {
        do
            got = read(descriptor, to, CHUNK);
        while (got < 0 && errno == EINTR);
    }
    trace->filled += got > 0 ? (size_t)got : 0;
    memset(trace->text + trace->filled, 0, SLACK);
    return got;
}

/* The next line, in trace->line. 0 at the end, -1 with an error. Lines too long are refused before they fill the
 * memory. */
static int read_line(es_net_trace *trace, size_t *length, es_error *err)
{
    size_t looked = 0; /* no line's end in so many bytes */
    ssize_t got = 1;
    const char *end = NULL;
    while (got > 0 && looked <= ES_NET_TRACE_LINE_MAX) {
        const char *begin = trace->text + trace->at;
        size_t left = trace->filled - trace->at;
        end = left > looked ? memchr(begin + looked, '\n', left - looked) : NULL;
        if (end)
            break;
        looked = left;
        got = looked <= ES_NET_TRACE_LINE_MAX ? fill(trace) : got;
    }
    if (got < 0) {
        es_fail(err, ES_USAGE, "%s: cannot be read: %s", trace->path, strerror(errno));
        return -1;
    }
    trace->line = trace->text + trace->at;
    *length = end ? (size_t)(end - trace->line) : trace->filled - trace->at;
    trace->cut = !end;
    trace->number++;
    if (*length > ES_NET_TRACE_LINE_MAX) {
        es_fail(err, ES_USAGE, "%s:%llu:1: error: a line of more than %u bytes: this is no trace", trace->path,
                (unsigned long long)trace->number, ES_NET_TRACE_LINE_MAX);
        return -1;
    }
    trace->line[*length] = 0; /* there is room for it after the last line, too */
    trace->at += *length + (end ? 1 : 0);
    return end || *length;
}

/* A loss that is not in the net would be nobody's, and all would be called certain. */
static bool is_in_net(const es_net *net, int64_t process)
{
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (net->transitions[i].process == process)
            return true;
    return process < net->process_count;
}

static bool take_processes(es_net_trace *trace, es_error *err)
{
    const char *at = NULL;
    int64_t number;
    trace->process_count = 0;
    while (es_json_integers(&trace->json, &at, &number)) {
        if (number < 0 || number > UINT16_MAX)
            return fail_at(trace, err, trace->json.value, "a process has a number from 0 to 65535", "");
        if (!is_in_net(trace->net, number))
            return fail_at(trace, err, trace->json.value, "one of these processes is not in the net", "");
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
    return trace->json.key.text[0] == key[0] && strcmp(trace->json.key.text, key) == 0;
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

/* Text that has to come next; after a line there is SLACK, so that it may be compared at once. */
static inline bool pass(const char **at, const char *text, size_t length)
{
    if (memcmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

#define PASS(at, text) pass(at, text, sizeof(text) - 1)

static inline known_id *known_at(es_net_trace *trace, uint64_t bytes)
{
    return &trace->known[bytes * UINT64_C(0x9E3779B97F4A7C15) >> 52 & (KNOWN_IDS - 1)];
}

/* The highest bit of each of eight bytes that is a quote; below the first one it is exact. */
static inline uint64_t quotes_in(uint64_t eight)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t others = eight ^ ones * '"';
    return (others - ones) & ~others & ones << 7;
}

/* Any id without what is to be written in another way. */
static __attribute__((noinline)) bool pass_id(es_net_trace *trace, const char **at, uint32_t *transition)
{
    char *id = trace->text + (*at - trace->text);
    size_t length = 0;
    while (id[length] >= ' ' && id[length] != '"' && id[length] != '\\' && id[length] != 0x7F)
        length++;
    *at += length;
    if (id[length] != '"')
        return false;
    id[length] = 0;
    *transition = es_net_transition_find(trace->net, id);
    id[length] = '"';
    if (length < 8 && *transition != ES_NET_NONE)
        *known_at(trace, eight_at(id)) = (known_id){eight_at(id), *transition};
    return *transition != ES_NET_NONE;
}

/* Takes the next line where it is a firing as es_net_trace_write has it, which nearly all are: without a look for its
 * end before, or a reader that takes everything. False: nothing was taken. It is another line, right or wrong, or not
 * all of it is there yet, so that zeros end it. */
static __attribute__((noinline)) bool take_plain_firing(es_net_trace *trace, es_net_observation *firing)
{
    const char *line = trace->text + trace->at, *at = line, *filled = trace->text + trace->filled;
    int64_t unused;
    if (!PASS(&at, "{\"event\":\"firing\",\"transition\":\""))
        return false;
    if (!pass_id(trace, &at, &firing->transition))
        return false;
    if (!PASS(&at, "\",\"number\":") || !pass_number(&at, &unused) || !PASS(&at, ",\"time\":"))
        return false;
    bool minus = PASS(&at, "-");
    const char *time = at;
    if (!pass_number(&at, &firing->time))
        return false;
    trace->time_length = (unsigned)(at - time);
    firing->time = minus ? -firing->time : firing->time;
    firing->mark = ES_NET_UNKNOWN;
    if (PASS(&at, ",\"mark\":") && !pass_short(&at, &firing->mark))
        return false;
    if (PASS(&at, ",\"calibrated\":") && !pass_short(&at, &unused))
        return false;
    if (!PASS(&at, "}\n") || at > filled || at - line > ES_NET_TRACE_LINE_MAX)
        return false;
    firing->serial = ++trace->number;
    trace->at += (size_t)(at - line);
    return true;
}

/* The same of a line like nearly all: its id is known, its time has as many digits as the last one, its mark has one.
 * Returns the line's end; NULL when it is another one, of which that says nothing. Zeros after the text end each
 * comparison. */
static inline const char *pass_alike_firing(es_net_trace *trace, const char *at, es_net_observation *firing)
{
    uint64_t time;
    if (!PASS(&at, "{\"event\":\"firing\",\"transition\":\""))
        return NULL;
    uint64_t id = eight_at(at);
    const known_id *known = known_at(trace, id);
    uint64_t quotes = quotes_in(id); /* rather than a length that stands with the id: what follows needs not wait */
    if (!quotes || known->bytes != id)
        return NULL;
    at += (unsigned)__builtin_ctzll(quotes) / 8;
    if (!PASS(&at, "\",\"number\":") || !pass_digits(&at, &trace->number_length) || !PASS(&at, ",\"time\":") ||
        !pass_so_many(&at, trace->time_length, &time) || !PASS(&at, ",\"mark\":"))
        return NULL;
    unsigned mark = (unsigned char)*at++ - (unsigned)'0';
    if (mark > 9)
        return NULL;
    if (PASS(&at, ",\"calibrated\":") && (unsigned char)*at++ - (unsigned)'0' > 9)
        return NULL;
    if (!PASS(&at, "}\n"))
        return NULL;
    firing->transition = known->transition;
    firing->time = (int64_t)time;
    firing->mark = mark;
    return at;
}

_Static_assert(ES_NET_TICKS_MAX > 999999999999999999, "a number of 18 digits is a time");

size_t es_net_trace_firings(es_net_trace *trace, es_net_observation *firings, size_t most)
{
    size_t count = 0;
    while (count < most && trace->at < trace->filled) {
        const char *at = trace->text + trace->at, *filled = trace->text + trace->filled, *end;
        uint64_t number = trace->number;
        while (count < most && (end = pass_alike_firing(trace, at, &firings[count])) != NULL && end <= filled) {
            firings[count++].serial = ++number;
            at = end;
        }
        trace->at = (size_t)(at - trace->text);
        trace->number = number;
        if (count == most || !take_plain_firing(trace, &firings[count]))
            break;
        count++;
    }
    return count;
}

bool es_net_trace_next(es_net_trace *trace, es_net_record *record, bool *at_end, es_error *err)
{
    *at_end = false;
    for (;;) {
        size_t length;
        es_net_observation firing;
        if (es_net_trace_firings(trace, &firing, 1)) {
            *record = (es_net_record){.kind = ES_NET_RECORD_FIRING,
                                      .line = firing.serial,
                                      .transition = firing.transition,
                                      .time = firing.time,
                                      .mark = firing.mark};
            return true;
        }
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
                    return trace->json.problem ? fail_in_line(trace, err) : false;
        if (trace->json.problem)
            return fail_in_line(trace, err);
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
