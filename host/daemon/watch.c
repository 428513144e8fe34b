/* The request that begins a run: its program, statements, probe and options. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/times.h"
#include "daemon/request.h"

#define PROGRAM_MAX (64u << 20)
#define STATEMENTS_MAX 65000u
#define TEXT_MAX (1u << 20)
#define NAME_BYTES 200u /* of a run's name: a trace's folder is called after it */

/* The daemon opens no file for a client, who may not be allowed to read it: the client opens it and passes it, or its
 * bytes. They are copied, since the file may change. Returns the copy, or -1. */
static int copy_program(const void *bytes, size_t size, es_error *err)
{
    int copy = memfd_create("program", MFD_CLOEXEC);
    const char *at = bytes;
    while (copy >= 0 && size) {
        ssize_t done = write(copy, at, size);
        if (done < 0 && errno != EINTR)
            break;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    if (copy >= 0 && !size)
        return copy;
    es_fail(err, ES_OUTPUT, "the program cannot be kept: %s", strerror(errno));
    if (copy >= 0)
        close(copy);
    return -1;
}

static int program_from_file(const es_request *r, es_error *err)
{
    struct stat there;
    int file = es_client_take_file(r->peer->client), copy = -1;
    void *bytes = MAP_FAILED;
    if (file < 0)
        es_fail(err, ES_USAGE,
                "no program came: pass its open file with the request (SCM_RIGHTS), or \"program_data\"");
    else if (fstat(file, &there) < 0 || !S_ISREG(there.st_mode) || there.st_size <= 0 || there.st_size > PROGRAM_MAX)
        es_fail(err, ES_USAGE, "the program is a regular file of 1 to %u bytes", PROGRAM_MAX);
    else if ((bytes = mmap(NULL, (size_t)there.st_size, PROT_READ, MAP_PRIVATE, file, 0)) == MAP_FAILED)
        es_fail(err, ES_USAGE, "the program cannot be read: %s", strerror(errno));
    else
        copy = copy_program(bytes, (size_t)there.st_size, err);
    if (bytes != MAP_FAILED)
        munmap(bytes, (size_t)there.st_size);
    if (file >= 0)
        close(file);
    return copy;
}

static int program_from_data(const char *data, es_error *err)
{
    size_t size;
    uint8_t *bytes = es_base64_decode(data, strlen(data), &size);
    int copy = -1;
    if (!bytes || !size)
        es_fail(err, ES_USAGE, "\"program_data\" is the program's bytes in base64");
    else
        copy = copy_program(bytes, size, err);
    free(bytes);
    return copy;
}

static bool take_program(const es_request *r, es_run_options *o, es_error *err)
{
    const char *name = NULL, *data = NULL;
    if (!es_request_text(r, "program", &name, err) || !es_request_text(r, "program_data", &data, err))
        return false;
    o->program_file = data ? program_from_data(data, err) : program_from_file(r, err);
    if (o->program_file < 0)
        return false;
    es_text_buffer path = {0};
    es_text_format(&path, "/proc/self/fd/%d", o->program_file);
    o->path = path.text;
    o->program = strdup(name ? name : "program");
    return true;
}

static bool take_statements(const es_request *r, es_run_options *o, es_error *err)
{
    const json_t *list = json_object_get(r->root, "statements");
    size_t count = json_array_size(list);
    if (!count || count > STATEMENTS_MAX)
        return es_fail(err, ES_USAGE, "\"statements\" is a list of 1 to %u objects {\"file\": NAME, \"text\": TEXT}",
                       STATEMENTS_MAX);
    o->texts = es_malloc(count * sizeof *o->texts);
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, i);
        const json_t *text = json_is_string(item) ? item : json_object_get(item, "text");
        const char *file = json_string_value(json_object_get(item, "file"));
        if (!json_is_string(text) || json_string_length(text) > TEXT_MAX)
            return es_fail(err, ES_USAGE, "\"statements\"[%zu] has no \"text\"", i);
        o->texts[o->text_count++] = (es_text){strdup(file ? file : "-e"), strdup(json_string_value(text))};
    }
    return true;
}

/* Names are shown on terminals, in lines and columns. */
static bool check_name(const char *key, const char *name, es_error *err)
{
    if (name && strlen(name) > NAME_BYTES)
        return es_fail(err, ES_USAGE, "\"%s\" has at most %u bytes", key, NAME_BYTES);
    for (const char *c = name ? name : ""; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return es_fail(err, ES_USAGE, "\"%s\" has no line ends and other control characters", key);
    return true;
}

static bool take_probe(const es_request *r, es_run_options *o, es_error *err)
{
    const char *probe = NULL, *name = NULL;
    uint64_t ratio = 0, seed = 1;
    if (!es_request_text(r, "probe", &probe, err) || !es_request_text(r, "name", &name, err) ||
        !check_name("probe", probe, err) || !check_name("name", name, err) ||
        !es_request_number(r, "ratio", 1000, &ratio, err))
        return false;
    if (json_object_get(r->root, "seed") && !es_request_number(r, "seed", UINT32_MAX, &seed, err))
        return false;
    o->probe = strdup(probe ? probe : "sim");
    o->name = strdup(name && *name ? name : o->probe);
    o->access.ratio = (unsigned)ratio;
    o->access.seed = (uint32_t)seed;
    char *choice = strdup(o->probe);
    bool good = es_probe_parse(choice, &o->access.choice, err);
    o->access.choice.name = good && o->access.choice.name ? strdup(o->access.choice.name) : NULL;
    if (good && (o->access.choice.probe == ES_PROBE_FILE || o->access.choice.probe == ES_PROBE_REPLAY))
        good = es_fail(err, ES_USAGE, "the daemon opens no recordings: replay them with `earshot watch`");
    free(choice);
    return good;
}

static bool take_side(const es_request *r, es_session_options *s, es_error *err)
{
    bool replay = false, probe = false;
    if (!es_request_flag(r, "replay", &replay, err) || !es_request_flag(r, "probe_only", &probe, err))
        return false;
    if (replay && probe)
        return es_fail(err, ES_USAGE, "\"replay\" and \"probe_only\" cannot be combined");
    s->side = replay ? ES_SIDE_REPLAY : probe ? ES_SIDE_PROBE : ES_SIDE_EITHER;
    return true;
}

static bool take_options(const es_request *r, es_run_options *o, es_error *err)
{
    es_session_options *s = &o->session;
    s->clock_hz = ES_SIM_BUS_HZ;
    if (json_object_get(r->root, "clock_hz") &&
        !es_request_number(r, "clock_hz", UINT64_C(10000000000), &s->clock_hz, err))
        return false;
    if (!s->clock_hz)
        return es_fail(err, ES_USAGE, "\"clock_hz\" is not 0");
    return es_request_number(r, "for_ns", ES_TIME_MAX_NS, &s->for_ns, err) &&
           es_request_number(r, "count", INT64_MAX, &s->count, err) && es_request_flag(r, "attach", &s->attach, err) &&
           es_request_flag(r, "loaded", &s->loaded, err) && es_request_flag(r, "start_up", &s->start_up, err) &&
           es_request_flag(r, "allow_halt", &s->allow_halt, err) && es_request_flag(r, "times", &s->times, err) &&
           es_request_flag(r, "returns", &o->returns, err) && take_side(r, s, err);
}

void es_request_watch(es_request *r)
{
    es_run_options o = {.program_file = -1};
    es_error err = {0};
    enum es_form form;
    bool keep = false, record = false, silent = false;
    bool good = es_request_form(r, &form, &err) && es_request_flag(r, "keep", &keep, &err) &&
                es_request_flag(r, "record", &record, &err) && es_request_flag(r, "silent", &silent, &err) &&
                take_program(r, &o, &err) && take_statements(r, &o, &err) && take_probe(r, &o, &err) &&
                take_options(r, &o, &err);
    if (!good)
        es_run_options_free(&o);
    es_run *run = good ? es_daemon_start(r->peer->daemon, &o, record, keep ? NULL : r->peer, &err) : NULL;
    if (!run) {
        es_answer_refusal(r, &err);
        return;
    }
    es_answer_begin(r, "reply");
    es_json_key(&r->json, "run");
    es_json_uint(&r->json, es_run_number(run));
    es_json_key(&r->json, "probe");
    es_json_string(&r->json, es_run_name(run));
    if (es_run_trace(run)) {
        es_json_key(&r->json, "trace");
        es_json_string(&r->json, es_run_trace(run));
    }
    es_answer_end(r);
    if (!silent)
        es_peer_join(r->peer, run, form);
}
