#include "predict/hits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "net/formats/trace_json.h"
#include "predict/points.h"

enum { MOST = 1 << 30 }; /* bytes of a file */

bool es_predict_hits_are(const char *path)
{
    char start[256];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file)
        fclose(file);
    start[size] = 0;
    return start[strspn(start, " \t\r\n")] == '{' || (size == 0 && file);
}

/* --- one line --------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *with, const char **rest)
{
    size_t length = strlen(with);
    bool good = strncmp(text, with, length) == 0;
    if (good)
        *rest = text + length;
    return good;
}

static bool is_statement(const char *name, es_predict_hit *hit)
{
    static const char *const starts_with[] = {
        [ES_PREDICT_HITS_PLACE] = ES_PREDICT_HIT_AT,          [ES_PREDICT_HITS_OBJECT] = ES_PREDICT_HIT_OBJECT,
        [ES_PREDICT_HITS_RUNS] = ES_PREDICT_HIT_RUNS,         [ES_PREDICT_HITS_READY] = ES_PREDICT_HIT_READY,
        [ES_PREDICT_HITS_JOINS] = ES_PREDICT_HIT_JOINS,       [ES_PREDICT_HITS_BODY] = ES_PREDICT_HIT_BODY,
        [ES_PREDICT_HITS_PRIORITY] = ES_PREDICT_HIT_PRIORITY,
    };
    for (size_t i = 0; i < sizeof starts_with / sizeof *starts_with; i++) {
        const char *number;
        char *end;
        if (!starts(name, starts_with[i], &number))
            continue;
        hit->kind = (uint8_t)i;
        hit->address = (uint32_t)strtoul(number, &end, 16);
        return end != number && !*end;
    }
    return false;
}

static bool ends(const char *text, const char *with)
{
    size_t a = strlen(text), b = strlen(with);
    return a >= b && strcmp(text + a - b, with) == 0;
}

/* "running[0]=0x00020480 <threads>", "0x000204a4", "threads[3].over=0" */
static void take_text(es_predict_hit *hit, const char *text, const es_predict_library *library)
{
    const char *equals = strchr(text, '='), *index = strchr(text, '[');
    const char *value = equals ? equals + 1 : text;
    if (hit->kind == ES_PREDICT_HITS_JOINS) {
        hit->known = index != NULL;
        hit->value = library->threads + (index ? (uint32_t)strtoul(index + 1, NULL, 10) * library->thread_size : 0);
        return;
    }
    if (hit->kind == ES_PREDICT_HITS_PRIORITY) {
        hit->known = index && equals;
        hit->address = library->threads + (index ? (uint32_t)strtoul(index + 1, NULL, 10) * library->thread_size : 0);
        hit->value = (uint8_t)strtoul(value, NULL, 10);
        return;
    }
    hit->known = value[0] == '0' && value[1] == 'x';
    hit->value = hit->known ? (uint32_t)strtoul(value, NULL, 16) : 0;
}

/* What a hit has printed. */
static bool take_values(es_predict_hit *hit, const es_json_reader *line, const es_predict_library *library)
{
    es_json_reader values = {0};
    bool good =
        line->kind == ES_JSON_OBJECT && es_json_open(&values, line->value, (size_t)(line->value_end - line->value));
    while (good && es_json_member(&values)) {
        const char *key = values.key.text ? values.key.text : "";
        bool counts = hit->kind == ES_PREDICT_HITS_OBJECT
                          ? ends(key, ".count") || ends(key, ".value") || ends(key, ".size")
                          : hit->kind == ES_PREDICT_HITS_READY;
        if (values.kind == ES_JSON_STRING && hit->kind != ES_PREDICT_HITS_OBJECT)
            take_text(hit, values.string.text ? values.string.text : "", library);
        else if (values.kind == ES_JSON_INTEGER && counts) {
            hit->known = true;
            hit->value = (uint32_t)values.integer;
        }
    }
    good = good && !values.problem;
    es_json_close(&values);
    return good;
}

typedef struct heard {
    es_predict_hit hit;
    bool is_hit, ours, lost;
} heard;

static bool read_line(es_json_reader *reader, const char *text, size_t length, const es_predict_library *library,
                      heard *line)
{
    bool good = es_json_open(reader, text, length);
    es_json_reader values = {0};
    bool summary = false, gap = false;
    int64_t lost = 0;
    while (good && es_json_member(reader)) {
        const char *key = reader->key.text ? reader->key.text : "";
        const char *string = reader->kind == ES_JSON_STRING && reader->string.text ? reader->string.text : "";
        if (strcmp(key, "event") == 0) {
            line->is_hit = strcmp(string, "hit") == 0;
            summary = strcmp(string, "summary") == 0;
            gap = strcmp(string, "gap") == 0 || strcmp(string, "lost") == 0;
        } else if (strcmp(key, "statement") == 0) {
            line->ours = is_statement(string, &line->hit);
        } else if (strcmp(key, "cycle") == 0 && reader->kind == ES_JSON_INTEGER) {
            line->hit.cycle = (uint64_t)reader->integer;
        } else if (strcmp(key, "lost") == 0 && reader->kind == ES_JSON_INTEGER) {
            lost = reader->integer;
        } else if (strcmp(key, "values") == 0) {
            values.kind = reader->kind;
            values.value = reader->value;
            values.value_end = reader->value_end;
        }
    }
    line->lost = gap || (summary && lost);
    good = good && !reader->problem;
    if (good && line->is_hit && line->ours && values.value && line->hit.kind != ES_PREDICT_HITS_PLACE)
        good = take_values(&line->hit, &values, library);
    return good;
}

/* --- all -------------------------------------------------------------------------------------- */

static void add(es_predict_hits *hits, const es_predict_hit *hit)
{
    if ((hits->count & (hits->count - 1)) == 0)
        hits->items = es_realloc(hits->items, (hits->count ? 2 * hits->count : 1) * sizeof *hits->items);
    hits->items[hits->count++] = *hit;
}

bool es_predict_hits_parse(es_predict_hits *hits, const char *text, size_t length, const es_predict_library *library,
                           es_error *err)
{
    es_json_reader reader = {0};
    bool good = true;
    *hits = (es_predict_hits){0};
    size_t number = 0, places = 0;
    for (const char *at = text, *end = text + length; good && at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((stop ? stop : end) - at);
        heard line = {0};
        size_t blank = 0;
        while (blank < size && strchr(" \t\r", at[blank]))
            blank++;
        if (blank < size)
            good = read_line(&reader, at, size, library, &line) ||
                   es_fail(err, ES_USAGE, "line %zu is no JSON object: %s", number + 1,
                           reader.problem ? reader.problem : "its values are none");
        if (good && line.lost)
            good = es_fail(err, ES_USAGE, "line %zu: something was lost, and from then on the hits do not tell the way",
                           number + 1);
        if (good && line.is_hit && line.ours) {
            add(hits, &line.hit);
            places += line.hit.kind == ES_PREDICT_HITS_PLACE;
        }
        at += size + 1;
    }
    es_json_close(&reader);
    if (good && !places)
        good = es_fail(err, ES_USAGE,
                       "there are no hits of the statements that `earshot predict PROGRAM.elf --points` writes");
    if (!good)
        es_predict_hits_free(hits);
    return good;
}

bool es_predict_hits_read(es_predict_hits *hits, const char *path, const es_predict_library *library, es_error *err)
{
    es_text_buffer text = {0};
    *hits = (es_predict_hits){0};
    if (!es_text_read_file(&text, path, MOST, err))
        return false;
    bool good = es_predict_hits_parse(hits, text.text ? text.text : "", text.length, library, err) ||
                es_fail_in(err, "%s", path);
    es_text_free(&text);
    return good;
}

void es_predict_hits_free(es_predict_hits *hits)
{
    free(hits->items);
    *hits = (es_predict_hits){0};
}
