/* Lists of events as text or JSON Lines. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "infer/source.h"

#define LINE_MAX_BYTES (1u << 20)
#define TIME_MAX (INT64_C(1) << 62)

typedef struct list {
    const char *file;
    unsigned long line;
    es_infer_words *words;
    const es_infer_sink *sink;
    es_error *err;
    bool gap_open;     /* a loss without times: it ends with the next event, ... */
    int64_t last_time; /* ... and begins with the one before it */
    bool loss_of;      /* its events had one value of the field that is the only one of `event` */
    es_infer_event event;
    es_infer_value values[ES_INFER_FIELDS_MAX];
} list;

__attribute__((format(printf, 2, 3))) static bool fail(list *l, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return es_fail(l->err, ES_USAGE, "%s:%lu: error: %s", l->file, l->line, text);
}

/* Differences of times must be numbers, too. */
static bool is_time(int64_t ns)
{
    return ns >= -TIME_MAX && ns <= TIME_MAX;
}

static bool give_loss(list *l, int64_t begin, int64_t end, int64_t count)
{
    if (!is_time(begin) || !is_time(end))
        return fail(l, "the time is more than 146 years from 0");
    if (end < begin || count < 0)
        return fail(l, "a loss ends before it begins, or is less than nothing");
    es_infer_loss loss = {.begin = begin, .end = end, .count = (uint64_t)count, .of_one = l->loss_of};
    if (l->loss_of) {
        loss.field = (uint32_t)__builtin_ctzll(l->event.present);
        loss.value = l->values[loss.field];
    }
    l->loss_of = false;
    return l->sink->loss(l->sink->context, &loss, l->err);
}

static bool give(list *l)
{
    if (!is_time(l->event.time))
        return fail(l, "the time is more than 146 years from 0");
    if (l->gap_open && !give_loss(l, l->last_time < l->event.time ? l->last_time : l->event.time, l->event.time, 0))
        return false;
    l->gap_open = false;
    l->last_time = l->event.time;
    return l->sink->event(l->sink->context, &l->event, l->err);
}

static void set_field(list *l, const char *name, size_t length, es_infer_value value)
{
    uint32_t field = es_infer_field_number(l->words, name, length, false);
    if (field == ES_INFER_NONE)
        return;
    l->values[field] = value;
    l->event.present |= UINT64_C(1) << field;
}

/* --- text ------------------------------------------------------------------------------------------------------ */

static bool number_at(char **at, int64_t *number)
{
    char *end;
    while (**at == ' ' || **at == '\t')
        (*at)++;
    errno = 0;
    *number = strtoll(*at, &end, 0);
    if (end == *at || errno || (*end && !isspace((unsigned char)*end)))
        return false;
    *at = end;
    return true;
}

/* A value up to the next blank, or between quotes; which may be taken out of where they stand. */
static es_infer_value value_at(list *l, char **at)
{
    char *begin = *at, *end;
    if (*begin == '\'' || *begin == '"') {
        char *to = begin, quote = *begin;
        for (end = begin + 1; *end && *end != quote; end++) {
            if (*end == '\\' && end[1])
                end++;
            *to++ = *end;
        }
        *at = *end ? end + 1 : end;
        return es_infer_text_value(l->words, begin, (size_t)(to - begin));
    }
    *at = begin + strcspn(begin, " \t\r\n");
    errno = 0;
    long long number = strtoll(begin, &end, 0);
    if (end == *at && end != begin && !errno)
        return es_infer_number_value(number);
    return es_infer_text_value(l->words, begin, (size_t)(*at - begin));
}

static bool read_fields(list *l, char *at)
{
    l->event.present = 0;
    for (at += strspn(at, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        size_t name = strcspn(at, "= \t\r\n");
        if (at[name] != '=' || name == 0)
            return fail(l, "here should be FIELD=VALUE: '%.40s'", at);
        char *value = at + name + 1;
        es_infer_value is = value_at(l, &value);
        set_field(l, at, name, is);
        at = value;
    }
    return true;
}

static bool read_text(list *l, char *at)
{
    if (strncmp(at, "lost", 4) == 0 && isspace((unsigned char)at[4])) {
        int64_t begin, end, count = 0;
        at += 4;
        if (!number_at(&at, &begin) || !number_at(&at, &end) ||
            (at[strspn(at, " \t\r\n")] && !number_at(&at, &count)) || !read_fields(l, at))
            return fail(l, "a loss is 'lost BEGIN END [COUNT [FIELD=VALUE]]', times in ns");
        l->loss_of = l->event.present && !(l->event.present & (l->event.present - 1));
        return give_loss(l, begin, end, count);
    }
    if (!number_at(&at, &l->event.time))
        return fail(l, "an event is 'TIME EVENT FIELD=VALUE ...', the time in ns");
    at += strspn(at, " \t");
    size_t length = strcspn(at, " \t\r\n");
    if (!length)
        return fail(l, "the event's name is missing");
    l->event.event = es_infer_event_number(l->words, at, length, l->words->open);
    return read_fields(l, at + length) && give(l);
}

/* --- JSON ------------------------------------------------------------------------------------------------------ */

/* Null is no value. Others that are no integer, text or boolean cannot be compared: refused, where a machine has their
 * field. */
static bool set_fields(list *l, const json_t *object, bool of_loss)
{
    const char *key;
    const json_t *value;
    l->event.present = 0;
    json_object_foreach((json_t *)object, key, value)
    {
        if (of_loss && (!strcmp(key, "lost") || !strcmp(key, "begin") || !strcmp(key, "end")))
            continue;
        if (json_is_integer(value))
            set_field(l, key, strlen(key), es_infer_number_value(json_integer_value(value)));
        else if (json_is_string(value))
            set_field(l, key, strlen(key),
                      es_infer_text_value(l->words, json_string_value(value), json_string_length(value)));
        else if (json_is_boolean(value))
            set_field(l, key, strlen(key), json_is_true(value));
        else if (!json_is_null(value) && es_infer_field_number(l->words, key, strlen(key), false) != ES_INFER_NONE)
            return fail(l, "the field '%.40s' is no integer, text or boolean: write it as one of them", key);
    }
    return true;
}

static bool read_object(list *l, const json_t *object)
{
    const json_t *lost = json_object_get(object, "lost"), *name = json_object_get(object, "event");
    const json_t *time = json_object_get(object, "time");
    if (lost && !name) {
        const json_t *begin = json_object_get(object, "begin"), *end = json_object_get(object, "end");
        if (!json_is_integer(begin) || !json_is_integer(end))
            return fail(l, "a loss has \"begin\" and \"end\", in ns");
        if (!set_fields(l, object, true))
            return false;
        l->loss_of = l->event.present && !(l->event.present & (l->event.present - 1));
        return give_loss(l, json_integer_value(begin), json_integer_value(end), json_integer_value(lost));
    }
    if (json_is_string(name) && !strcmp(json_string_value(name), "gap") && !time)
        return l->gap_open = true; /* of `earshot net`: it has no times */
    if (json_is_string(name) && !strcmp(json_string_value(name), "end") && !time)
        return true;
    if (json_is_string(name) && !strcmp(json_string_value(name), "firing"))
        name = json_object_get(object, "transition");
    if (!json_is_integer(time) || !json_is_string(name))
        return fail(l, "an event has \"time\", in ns, and \"event\", a text");
    l->event.time = json_integer_value(time);
    l->event.event = es_infer_event_number(l->words, json_string_value(name), json_string_length(name), l->words->open);
    return set_fields(l, object, false) && give(l);
}

static bool read_json(list *l, const char *text)
{
    json_error_t where;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_object(object)) {
        json_decref(object);
        return fail(l, "this is no JSON object: %s", where.text);
    }
    bool good = read_object(l, object);
    json_decref(object);
    return good;
}

/* --- files ----------------------------------------------------------------------------------------------------- */

static bool read_lines(list *l, FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    bool good = true;
    while (good && (length = getline(&line, &size, file)) > 0) {
        l->line++;
        char *at = line + strspn(line, " \t\r\n");
        if ((size_t)length > LINE_MAX_BYTES)
            good = fail(l, "the line is longer than %u bytes", LINE_MAX_BYTES);
        else if (strlen(line) != (size_t)length)
            good = fail(l, "there is a NUL byte: this is no text");
        else if (*at == '{')
            good = read_json(l, at);
        else if (*at && *at != '#')
            good = read_text(l, at);
    }
    free(line);
    return good && (!ferror(file) || es_fail(l->err, ES_USAGE, "%s: cannot be read: %s", l->file, strerror(errno)));
}

bool es_infer_read_lines(FILE *file, const char *name, es_infer_words *words, const es_infer_sink *sink, es_error *err)
{
    list l = {.file = name, .words = words, .sink = sink, .err = err};
    l.event.values = l.values;
    return read_lines(&l, file);
}

bool es_infer_read_list(const char *path, es_infer_words *words, const es_infer_sink *sink, es_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return es_fail(err, ES_USAGE, "%s: cannot be read: %s", path, strerror(errno));
    bool good = es_infer_read_lines(file, path, words, sink, err);
    fclose(file);
    return good;
}
