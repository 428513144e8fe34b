#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/arena.h"
#include "file_private.h"

typedef struct writer {
    uint8_t *bytes;
    size_t count, room;
} writer;

static void put(writer *w, uint64_t number)
{
    if (w->count + 10 > w->room) {
        w->room = w->room ? 2 * w->room : 4096;
        w->bytes = es_realloc(w->bytes, w->room);
    }
    for (; number > 127; number >>= 7)
        w->bytes[w->count++] = (uint8_t)(number | 128);
    w->bytes[w->count++] = (uint8_t)number;
}

/* A difference of either sign. */
static void put_difference(writer *w, uint32_t from, uint32_t to)
{
    int32_t d = (int32_t)(to - from);
    put(w, d < 0 ? (uint64_t)(-(int64_t)d) * 2 - 1 : (uint64_t)d * 2);
}

static void put_section(writer *w, const es_predict_section *s)
{
    put(w, s->clocks);
    put(w, s->first);
    put(w, s->count);
}

static void put_costs(writer *w, const es_predict_costs *c)
{
    es_predict_section sections[ES_PREDICT_SINGLE_SECTIONS];
    uint32_t numbers[ES_PREDICT_SINGLE_NUMBERS];
    es_predict_single_costs((es_predict_costs *)c, sections, numbers, false);
    for (unsigned k = 0; k < ES_PREDICT_KINDS; k++) {
        for (unsigned way = 0; way < ES_PREDICT_WAYS; way++) {
            put(w, c->known[k][way]);
            put_section(w, &c->hold[k][way]);
            put(w, c->tails[k][way]);
        }
        put_section(w, &c->after[k][0]);
        put_section(w, &c->after[k][1]);
        for (unsigned waited = 0; waited < 2; waited++) {
            put(w, c->open[k][waited].clocks);
            put(w, c->open[k][waited].accesses);
        }
    }
    for (unsigned i = 0; i < ES_PREDICT_SINGLE_SECTIONS; i++)
        put_section(w, &sections[i]);
    for (unsigned i = 0; i < ES_PREDICT_SINGLE_NUMBERS; i++)
        put(w, numbers[i]);
}

static void put_tables(writer *w, const es_predict_trace *t)
{
    uint32_t before = 0;
    put(w, t->block_count);
    for (size_t i = 0; i < t->block_count; i++) {
        const es_predict_block *b = &t->blocks[i];
        put_difference(w, before, b->address);
        put(w, b->end - b->address);
        put(w, b->accesses);
        for (uint32_t g = 0; g < b->accesses; g++)
            put(w, t->gaps[b->first_gap + g]);
        before = b->address;
    }
    put(w, t->event_count);
    for (size_t i = 0; i < t->event_count; i++) {
        put(w, t->events[i].kind);
        put(w, (uint64_t)t->events[i].object + 1);
        put(w, (uint64_t)t->events[i].arg + 1);
    }
    put(w, t->object_count);
    for (size_t i = 0; i < t->object_count; i++) {
        const es_predict_object *o = &t->objects[i];
        size_t length = o->name ? strlen(o->name) : 0;
        put(w, o->address);
        put(w, o->kind);
        put(w, o->value);
        put(w, length);
        for (size_t k = 0; k < length; k++)
            put(w, (uint8_t)o->name[k]);
    }
    put(w, t->kernel_count);
    for (size_t i = 0; i < t->kernel_count; i++)
        put(w, t->kernel_items[i]);
}

static void put_threads(writer *w, const es_predict_trace *t)
{
    put(w, t->thread_count);
    for (size_t i = 0; i < t->thread_count; i++) {
        const es_predict_thread *thread = &t->threads[i];
        uint32_t block = 0, event = 0;
        put(w, thread->entry);
        put(w, thread->priority);
        put(w, thread->count);
        for (size_t k = 0; k < thread->count; k++) {
            uint32_t item = thread->items[k], number = item & ~ES_PREDICT_IS_EVENT;
            bool is_event = item & ES_PREDICT_IS_EVENT;
            uint32_t from = is_event ? event : block;
            int64_t d = (int64_t)number - from;
            put(w, (d < 0 ? (uint64_t)-d * 2 - 1 : (uint64_t)d * 2) * 2 + is_event);
            if (is_event)
                event = number;
            else
                block = number;
        }
    }
}

bool es_predict_trace_write(const es_predict_trace *trace, const char *path, es_error *err)
{
    writer w = {0};
    put(&w, trace->program_hash);
    put(&w, trace->clocks);
    put(&w, trace->lead);
    put(&w, trace->lead_accesses);
    put(&w, trace->depends);
    put_tables(&w, trace);
    put_costs(&w, &trace->costs);
    put_threads(&w, trace);
    size_t bound = ZSTD_compressBound(w.count);
    uint8_t *packed = es_malloc(bound + 16);
    for (unsigned i = 0; i < 8; i++)
        packed[i] = (uint8_t)ES_PREDICT_MAGIC[i];
    for (unsigned i = 0; i < 8; i++)
        packed[8 + i] = (uint8_t)((uint64_t)w.count >> 8 * i);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size_t size = ZSTD_compress2(context, packed + 16, bound, w.bytes, w.count);
    ZSTD_freeCCtx(context);
    free(w.bytes);
    FILE *file = ZSTD_isError(size) ? NULL : fopen(path, "wb");
    bool good = file && fwrite(packed, 1, size + 16, file) == size + 16;
    if (file && fclose(file))
        good = false;
    free(packed);
    return good || es_fail(err, ES_OUTPUT, "%s cannot be written: %s", path, strerror(errno));
}
