#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/arena.h"
#include "file_private.h"

enum { FILE_MOST = 1 << 30 };

/* The first number that is not there, or out of range, ends the reading. */
typedef struct reader {
    const uint8_t *at, *end;
    bool bad;
} reader;

void es_predict_single_costs(es_predict_costs *c, es_predict_section *sections, uint32_t *numbers, bool from)
{
    es_predict_section *all[ES_PREDICT_SINGLE_SECTIONS] = {&c->spin,  &c->notice, &c->notice_first, &c->ring,
                                                           &c->begin, &c->doze,   &c->trap,         &c->keep,
                                                           &c->cut,   &c->back,   &c->kept};
    uint32_t *single[ES_PREDICT_SINGLE_NUMBERS] = {&c->wake,
                                                   &c->bell,
                                                   &c->tail,
                                                   &c->slice_after.clocks,
                                                   &c->slice_first.clocks,
                                                   &c->slice_after.accesses,
                                                   &c->masked_end,
                                                   &c->slice_kept.clocks,
                                                   &c->masked_first,
                                                   &c->slice_kept.accesses,
                                                   &c->slice_first.accesses,
                                                   &c->late,
                                                   &c->latency,
                                                   &c->stamp[0].clocks,
                                                   &c->stamp[0].accesses,
                                                   &c->stamp[1].clocks,
                                                   &c->stamp[1].accesses,
                                                   &c->look[0].clocks,
                                                   &c->look[0].accesses,
                                                   &c->look[1].clocks,
                                                   &c->look[1].accesses,
                                                   &c->set[0].clocks,
                                                   &c->set[0].accesses,
                                                   &c->set[1].clocks,
                                                   &c->set[1].accesses,
                                                   &c->look_set[0].clocks,
                                                   &c->look_set[0].accesses,
                                                   &c->look_set[1].clocks,
                                                   &c->look_set[1].accesses,
                                                   &c->pass};
    for (unsigned how = 0; how < ES_PREDICT_NEXTS; how++) {
        all[11 + how] = &c->next[how];
        all[11 + ES_PREDICT_NEXTS + how] = &c->next_first[how];
    }
    for (unsigned pick = 0; pick < 2; pick++)
        all[11 + 2 * ES_PREDICT_NEXTS + ES_PREDICT_ARRIVALS + pick] = &c->looks[pick];
    for (unsigned way = 0; way < ES_PREDICT_ARRIVALS; way++)
        single[30 + way] = &c->arrive_tails[way];
    for (unsigned way = 0; way < ES_PREDICT_ARRIVALS; way++)
        all[11 + 2 * ES_PREDICT_NEXTS + way] = &c->arrive[way];
    for (unsigned i = 0; i < ES_PREDICT_SINGLE_SECTIONS; i++) {
        if (from)
            *all[i] = sections[i];
        else
            sections[i] = *all[i];
    }
    for (unsigned i = 0; i < ES_PREDICT_SINGLE_NUMBERS; i++) {
        if (from)
            *single[i] = numbers[i];
        else
            numbers[i] = *single[i];
    }
}

static uint64_t get(reader *r, uint64_t most)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (r->at == r->end)
            break;
        uint8_t byte = *r->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128)) {
            if (number <= most)
                return number;
            break;
        }
    }
    r->bad = true;
    return 0;
}

/* How many there are, each of at least so many bytes. */
static size_t get_count(reader *r, size_t bytes)
{
    return (size_t)get(r, (uint64_t)(r->end - r->at) / bytes);
}

static uint32_t get_difference(reader *r, uint32_t from)
{
    uint64_t d = get(r, UINT64_C(1) << 33);
    return d & 1 ? from - (uint32_t)((d + 1) / 2) : from + (uint32_t)(d / 2);
}

static es_predict_section get_section(reader *r, const es_predict_trace *t)
{
    es_predict_section s = {.clocks = (uint32_t)get(r, UINT32_MAX)};
    s.first = (uint32_t)get(r, t->kernel_count);
    s.count = (uint32_t)get(r, t->kernel_count);
    if (s.first + (uint64_t)s.count > t->kernel_count)
        r->bad = true;
    return s;
}

static void get_costs(reader *r, es_predict_trace *t)
{
    es_predict_section sections[ES_PREDICT_SINGLE_SECTIONS];
    uint32_t numbers[ES_PREDICT_SINGLE_NUMBERS];
    for (unsigned k = 0; k < ES_PREDICT_KINDS; k++) {
        for (unsigned way = 0; way < ES_PREDICT_WAYS; way++) {
            t->costs.known[k][way] = get(r, 1) != 0;
            t->costs.hold[k][way] = get_section(r, t);
            t->costs.tails[k][way] = (uint32_t)get(r, 1000000);
        }
        t->costs.after[k][0] = get_section(r, t);
        t->costs.after[k][1] = get_section(r, t);
        for (unsigned waited = 0; waited < 2; waited++) {
            t->costs.open[k][waited].clocks = (uint32_t)get(r, UINT32_MAX);
            t->costs.open[k][waited].accesses = (uint32_t)get(r, UINT32_MAX);
        }
    }
    for (unsigned i = 0; i < ES_PREDICT_SINGLE_SECTIONS; i++)
        sections[i] = get_section(r, t);
    for (unsigned i = 0; i < ES_PREDICT_SINGLE_NUMBERS; i++)
        numbers[i] = (uint32_t)get(r, i < 3 ? 1000000 : UINT32_MAX);
    es_predict_single_costs(&t->costs, sections, numbers, true);
}

static void get_blocks(reader *r, es_predict_trace *t)
{
    uint32_t address = 0;
    uint8_t gaps[1024];
    for (size_t i = get_count(r, 3); i > 0 && !r->bad; i--) {
        address = get_difference(r, address);
        uint32_t end = address + (uint32_t)get(r, UINT32_MAX);
        size_t count = (size_t)get(r, sizeof gaps);
        for (size_t g = 0; g < count; g++) {
            gaps[g] = (uint8_t)get(r, 255);
            r->bad = r->bad || !(gaps[g] & ES_PREDICT_GAP); /* an access takes a clock */
        }
        if (!r->bad)
            es_predict_add_block(t, address, end, gaps, count);
    }
}

static void get_objects(reader *r, es_predict_trace *t)
{
    for (size_t i = get_count(r, 4); i > 0 && !r->bad; i--) {
        char name[512];
        uint32_t address = (uint32_t)get(r, UINT32_MAX);
        enum es_predict_kind kind = (enum es_predict_kind)get(r, ES_PREDICT_KINDS - 1);
        uint32_t value = (uint32_t)get(r, UINT32_MAX);
        size_t length = (size_t)get(r, sizeof name - 1);
        for (size_t k = 0; k < length; k++) {
            name[k] = (char)get(r, 255);
            r->bad = r->bad || !name[k];
        }
        name[length] = 0;
        if (!r->bad)
            es_predict_add_object(t, address, kind, value, length ? name : NULL);
    }
}

static void get_tables(reader *r, es_predict_trace *t)
{
    get_blocks(r, t);
    for (size_t i = get_count(r, 3); i > 0 && !r->bad; i--) {
        es_predict_event event = {.kind = (uint8_t)get(r, ES_PREDICT_KINDS - 1)};
        event.object = (uint32_t)(get(r, UINT64_C(1) << 32) - 1);
        event.arg = (uint32_t)(get(r, UINT64_C(1) << 32) - 1);
        es_predict_add_event(t, event);
    }
    get_objects(r, t);
    for (size_t i = get_count(r, 1); i > 0 && !r->bad; i--) {
        uint32_t item = (uint32_t)get(r, t->block_count ? t->block_count - 1 : 0);
        if (!r->bad && item < t->block_count)
            es_predict_add_section(t, &item, 1);
        else
            r->bad = true;
    }
}

static void get_threads(reader *r, es_predict_trace *t)
{
    for (size_t i = get_count(r, 4); i > 0 && !r->bad; i--) {
        uint32_t entry = (uint32_t)get(r, UINT32_MAX), block = 0, event = 0;
        uint32_t number = es_predict_add_thread(t, entry, (uint8_t)get(r, 255));
        for (size_t k = get_count(r, 1); k > 0 && !r->bad; k--) {
            uint64_t code = get(r, UINT64_C(1) << 35), d = code >> 1;
            uint32_t *from = code & 1 ? &event : &block;
            *from = d & 1 ? *from - (uint32_t)((d + 1) / 2) : *from + (uint32_t)(d / 2);
            r->bad = r->bad || *from >= ES_PREDICT_IS_EVENT;
            es_predict_add_item(&t->threads[number], *from | (code & 1 ? ES_PREDICT_IS_EVENT : 0));
        }
    }
}

static bool unpack(const uint8_t *bytes, size_t size, const char *name, uint8_t **plain, size_t *count, es_error *err)
{
    uint64_t length = 0;
    if (size < 16 || memcmp(bytes, ES_PREDICT_MAGIC, 8) != 0)
        return es_fail(err, ES_USAGE, "%s is no trace of earshot predict", name);
    for (unsigned i = 0; i < 8; i++)
        length |= (uint64_t)bytes[8 + i] << 8 * i;
    if (length > FILE_MOST)
        return es_fail(err, ES_USAGE, "%s is damaged: it says that it holds %llu bytes", name,
                       (unsigned long long)length);
    if (ZSTD_getFrameContentSize(bytes + 16, size - 16) != length)
        return es_fail(err, ES_USAGE, "%s is damaged, or cut off", name);
    *plain = es_malloc(length + 1);
    *count = ZSTD_decompress(*plain, length, bytes + 16, size - 16);
    if (!ZSTD_isError(*count) && *count == length)
        return true;
    free(*plain);
    *plain = NULL;
    return es_fail(err, ES_USAGE, "%s is damaged, or cut off", name);
}

es_predict_trace *es_predict_trace_parse(const uint8_t *bytes, size_t size, const char *name, es_error *err)
{
    uint8_t *plain = NULL;
    size_t count = 0;
    if (!unpack(bytes, size, name, &plain, &count, err))
        return NULL;
    reader r = {plain, plain + count, false};
    es_predict_trace *t = es_predict_trace_new();
    t->program_hash = get(&r, UINT64_MAX);
    t->clocks = get(&r, UINT64_MAX >> 8);
    t->lead = get(&r, UINT64_MAX >> 8);
    t->lead_accesses = get(&r, UINT64_MAX >> 8);
    t->depends = (uint32_t)get(&r, ES_PREDICT_DEPENDS_MAX);
    get_tables(&r, t);
    get_costs(&r, t);
    get_threads(&r, t);
    bool good = !r.bad && r.at == r.end;
    free(plain);
    if (!good)
        es_fail(err, ES_USAGE, "%s is damaged: a number is out of range", name);
    else if (!es_predict_trace_check(t, err))
        good = es_fail_in(err, "%s", name);
    if (good)
        return t;
    es_predict_trace_free(t);
    return NULL;
}

bool es_predict_trace_is(const char *path)
{
    char head[8];
    FILE *file = fopen(path, "rb");
    bool is = file && fread(head, 1, 8, file) == 8 && memcmp(head, ES_PREDICT_MAGIC, 8) == 0;
    if (file)
        fclose(file);
    return is;
}

es_predict_trace *es_predict_trace_read(const char *path, es_error *err)
{
    FILE *file = fopen(path, "rb");
    es_predict_trace *trace = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || size > FILE_MOST || fseek(file, 0, SEEK_SET)) {
        es_fail(err, ES_USAGE, "%s cannot be read: %s", path, file ? "it is no plain file" : strerror(errno));
    } else {
        uint8_t *bytes = es_malloc((size_t)size + 1);
        if (fread(bytes, 1, (size_t)size, file) == (size_t)size)
            trace = es_predict_trace_parse(bytes, (size_t)size, path, err);
        else
            es_fail(err, ES_USAGE, "%s cannot be read", path);
        free(bytes);
    }
    if (file)
        fclose(file);
    return trace;
}
