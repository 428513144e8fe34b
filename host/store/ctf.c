#include "store/ctf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/text.h"
#include "store/ctf_metadata.h"
#include "store/packet.h"

struct stream {
    FILE *file;
    es_text_buffer packet; /* the open one, its head left empty; no bytes: none is open */
    uint64_t begin, last, packets, discarded;
};

struct es_ctf {
    es_ctf_options options;
    char *directory;
    struct stream *streams[ES_CTF_STREAMS_MAX];
};

static void put(es_text_buffer *out, uint64_t value, unsigned bytes)
{
    char little[8];
    for (unsigned i = 0; i < bytes; i++)
        little[i] = (char)(value >> 8 * i & 0xFF);
    es_text_add(out, little, bytes);
}

/* Fails naming a file of the trace. */
static bool fail(const es_ctf *ctf, const char *name, es_error *err)
{
    return es_fail(err, ES_OUTPUT, "%s%s%s: cannot be written: %s", ctf->directory, *name ? "/" : "", name,
                   strerror(errno));
}

static FILE *open_file(const es_ctf *ctf, const char *name)
{
    es_text_buffer path = {0};
    es_text_format(&path, "%s/%s", ctf->directory, name);
    FILE *file = fopen(path.text, "wxe");
    es_text_free(&path);
    return file;
}

static void free_all(es_ctf *ctf)
{
    for (unsigned i = 0; i < ES_CTF_STREAMS_MAX; i++) {
        if (!ctf->streams[i])
            continue;
        if (ctf->streams[i]->file)
            fclose(ctf->streams[i]->file);
        es_text_free(&ctf->streams[i]->packet);
        free(ctf->streams[i]);
    }
    free(ctf->directory);
    free(ctf);
}

/* Readers take every file there, but hidden ones, to be one of the trace's. */
static bool is_empty(const char *directory, es_error *err)
{
    DIR *dir = opendir(directory);
    if (!dir)
        return es_fail(err, ES_OUTPUT, "%s: no trace can be written there: %s", directory, strerror(errno));
    bool trace = false, other = false;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        trace |= strcmp(entry->d_name, "metadata") == 0;
        other |= *entry->d_name != '.';
    }
    closedir(dir);
    return !other || es_fail(err, ES_OUTPUT, "%s: %s choose another directory", directory,
                             trace ? "holds a trace already; remove it or"
                                   : "holds other files, which readers would take for parts of the trace;");
}

es_ctf *es_ctf_create(const char *directory, const es_ctf_options *options, es_error *err)
{
    es_ctf *ctf = es_malloc(sizeof *ctf);
    *ctf = (es_ctf){.options = *options};
    ctf->directory = es_malloc(strlen(directory) + 1);
    memcpy(ctf->directory, directory, strlen(directory) + 1);
    es_text_buffer text = {0};
    es_ctf_metadata(options, &text);
    bool good = (mkdir(directory, 0777) == 0 || errno == EEXIST) || fail(ctf, "", err);
    good = good && is_empty(directory, err);
    FILE *file = good ? open_file(ctf, "metadata") : NULL;
    if (good && !file)
        good = fail(ctf, "metadata", err);
    if (file) {
        good = fwrite(text.text, 1, text.length, file) == text.length;
        good = fclose(file) == 0 && good;
        if (!good)
            fail(ctf, "metadata", err);
    }
    es_text_free(&text);
    if (good)
        return ctf;
    free_all(ctf);
    return NULL;
}

static bool open_packet(es_ctf *ctf, unsigned number, uint64_t begin, es_error *err)
{
    struct stream *s = ctf->streams[number];
    if (!s) {
        s = es_malloc(sizeof *s);
        *s = (struct stream){0};
        ctf->streams[number] = s;
    }
    if (!s->file) {
        char name[32];
        snprintf(name, sizeof name, "stream_%u", number);
        s->file = open_file(ctf, name);
        if (!s->file)
            return fail(ctf, name, err);
    }
    if (s->packet.length == 0) {
        static const char blank[ES_PACKET_HEAD];
        es_text_add(&s->packet, blank, sizeof blank);
        s->begin = begin;
    }
    return true;
}

/* Writes the open packet, if any. It ends at the stream's last time. */
static bool close_packet(es_ctf *ctf, unsigned number, es_error *err)
{
    struct stream *s = ctf->streams[number];
    if (!s || s->packet.length == 0)
        return true;
    uint64_t size = s->packet.length;
    es_packet_head head = {number, s->begin, s->last, size, size, s->packets++, s->discarded};
    es_packet_head_put((uint8_t *)s->packet.text, &head);
    bool good = fwrite(s->packet.text, 1, s->packet.length, s->file) == s->packet.length;
    es_text_clear(&s->packet);
    char name[32];
    snprintf(name, sizeof name, "stream_%u", number);
    return good || fail(ctf, name, err);
}

static bool check_time(const es_ctf *ctf, unsigned stream, uint64_t time, es_error *err)
{
    if (stream >= ES_CTF_STREAMS_MAX)
        return es_fail(err, ES_USAGE, "a trace has at most %u streams", ES_CTF_STREAMS_MAX);
    if (time < es_ctf_last_time(ctf, stream))
        return es_fail(err, ES_USAGE, "an event at time %llu after one at time %llu of the same stream",
                       (unsigned long long)time, (unsigned long long)es_ctf_last_time(ctf, stream));
    return true;
}

static void put_value(es_text_buffer *out, const es_ctf_field *field, const es_ctf_value *value)
{
    uint64_t bits;
    switch (field->type) {
    case ES_CTF_U64: put(out, value->u, 8); break;
    case ES_CTF_I64: put(out, (uint64_t)value->i, 8); break;
    case ES_CTF_F64:
        memcpy(&bits, &value->f, sizeof bits);
        put(out, bits, 8);
        break;
    case ES_CTF_STRING:
        if (value->s)
            es_text_add(out, value->s, strlen(value->s));
        put(out, 0, 1);
        break;
    case ES_CTF_ENUM: put(out, value->u, 1); break;
    }
}

bool es_ctf_event(es_ctf *ctf, unsigned stream, uint64_t time, unsigned class, const es_ctf_value *values,
                  es_error *err)
{
    if (!check_time(ctf, stream, time, err) || !open_packet(ctf, stream, time, err))
        return false;
    struct stream *s = ctf->streams[stream];
    const es_ctf_class *c = &ctf->options.classes[class];
    s->last = time;
    put(&s->packet, class, 4);
    put(&s->packet, time, 8);
    for (size_t i = 0; i < c->field_count; i++)
        put_value(&s->packet, &c->fields[i], &values[i]);
    return s->packet.length < ES_CTF_PACKET_SIZE - 1024 || close_packet(ctf, stream, err);
}

bool es_ctf_lost(es_ctf *ctf, unsigned stream, uint64_t time, uint64_t count, es_error *err)
{
    /* An empty packet of its own, so that the loss lies between the last event and `time`. */
    if (!check_time(ctf, stream, time, err) || !close_packet(ctf, stream, err) ||
        !open_packet(ctf, stream, es_ctf_last_time(ctf, stream), err))
        return false;
    ctf->streams[stream]->last = time;
    ctf->streams[stream]->discarded += count;
    return close_packet(ctf, stream, err);
}

uint64_t es_ctf_last_time(const es_ctf *ctf, unsigned stream)
{
    return stream < ES_CTF_STREAMS_MAX && ctf->streams[stream] ? ctf->streams[stream]->last : 0;
}

bool es_ctf_flush(es_ctf *ctf, es_error *err)
{
    for (unsigned i = 0; i < ES_CTF_STREAMS_MAX; i++)
        if (ctf->streams[i] &&
            (!close_packet(ctf, i, err) || (fflush(ctf->streams[i]->file) != 0 && !fail(ctf, "", err))))
            return false;
    return true;
}

bool es_ctf_close(es_ctf *ctf, es_error *err)
{
    bool good = es_ctf_flush(ctf, err);
    for (unsigned i = 0; i < ES_CTF_STREAMS_MAX; i++) {
        if (!ctf->streams[i] || !ctf->streams[i]->file)
            continue;
        bool closed = fclose(ctf->streams[i]->file) == 0;
        ctf->streams[i]->file = NULL;
        if (good && !closed)
            good = fail(ctf, "", err);
    }
    free_all(ctf);
    return good;
}
