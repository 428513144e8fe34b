/* What clients ask for: docs/protocol.md has it from their side. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/times.h"
#include "daemon/daemon.h"

#define PROGRAM_MAX (64u << 20)
#define STATEMENTS_MAX 65000u
#define TEXT_MAX (1u << 20)
#define NAME_BYTES 200u /* of a run's name: a trace's folder is called after it */

typedef struct request {
    es_peer *peer;
    const json_t *root;
    es_text_buffer line; /* the answer */
    es_json json;
} request;

/* --- answers --------------------------------------------------------------------------------------------------- */

static void begin_answer(request *r, const char *event)
{
    const json_t *id = json_object_get(r->root, "id");
    r->json = (es_json){.out = &r->line};
    es_json_begin(&r->json, '{');
    es_json_key(&r->json, "event");
    es_json_string(&r->json, event);
    if (json_is_integer(id)) {
        es_json_key(&r->json, "id");
        es_json_int(&r->json, json_integer_value(id));
    } else if (json_is_string(id)) {
        es_json_key(&r->json, "id");
        es_json_string(&r->json, json_string_value(id));
    }
}

static void end_answer(request *r)
{
    es_json_end(&r->json, '}');
    es_text_add(&r->line, "\n", 1);
    es_peer_tell(r->peer, &r->line);
    es_text_clear(&r->line);
}

static void refuse(request *r, const es_error *err)
{
    begin_answer(r, "error");
    es_json_key(&r->json, "code");
    es_json_string(&r->json, es_code_name(err->code));
    es_json_key(&r->json, "text");
    es_json_string(&r->json, err->text);
    end_answer(r);
}

/* --- members of a request -------------------------------------------------------------------------------------- */

static bool text_of(const request *r, const char *key, const char **out, es_error *err)
{
    const json_t *value = json_object_get(r->root, key);
    *out = json_string_value(value);
    return !value || *out || es_fail(err, ES_USAGE, "\"%s\" is a string", key);
}

static bool flag_of(const request *r, const char *key, bool *out, es_error *err)
{
    const json_t *value = json_object_get(r->root, key);
    *out = json_is_true(value);
    return !value || json_is_boolean(value) || es_fail(err, ES_USAGE, "\"%s\" is true or false", key);
}

static bool number_of(const request *r, const char *key, uint64_t most, uint64_t *out, es_error *err)
{
    const json_t *value = json_object_get(r->root, key);
    json_int_t number = json_integer_value(value);
    *out = (uint64_t)number;
    return !value || (json_is_integer(value) && number >= 0 && (uint64_t)number <= most) ||
           es_fail(err, ES_USAGE, "\"%s\" is a whole number from 0 to %llu", key, (unsigned long long)most);
}

static bool form_of(const request *r, enum es_form *form, es_error *err)
{
    const char *text = NULL;
    if (!text_of(r, "form", &text, err))
        return false;
    *form = text && strcmp(text, "record") == 0 ? ES_FORM_RECORD : ES_FORM_REPORT;
    return !text || *form == ES_FORM_RECORD || strcmp(text, "report") == 0 ||
           es_fail(err, ES_USAGE, "\"form\" is \"report\" or \"record\", not \"%s\"", text);
}

static bool run_of(const request *r, es_run **run, es_error *err)
{
    const json_t *value = json_object_get(r->root, "run");
    char number[32] = "";
    if (json_is_integer(value))
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    const char *name = json_is_string(value) ? json_string_value(value) : number;
    *run = *name ? es_daemon_find(r->peer->daemon, name) : NULL;
    const es_ended_run *ended = *run || !*name ? NULL : es_daemon_find_ended(r->peer->daemon, name);
    if (ended)
        return es_fail(err, ES_USAGE, "the run '%s' has ended%s%s", name, ended->trace ? "; its trace is in " : "",
                       ended->trace ? ended->trace : "");
    return *run || es_fail(err, ES_USAGE, "\"run\" is the number or the name of a run; there is no '%s'", name);
}

/* --- watch ----------------------------------------------------------------------------------------------------- */

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

static int program_from_file(const request *r, es_error *err)
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

static bool take_program(const request *r, es_run_options *o, es_error *err)
{
    const char *name = NULL, *data = NULL;
    if (!text_of(r, "program", &name, err) || !text_of(r, "program_data", &data, err))
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

static bool take_statements(const request *r, es_run_options *o, es_error *err)
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

static bool take_probe(const request *r, es_run_options *o, es_error *err)
{
    const char *probe = NULL, *name = NULL;
    uint64_t ratio = 0, seed = 1;
    if (!text_of(r, "probe", &probe, err) || !text_of(r, "name", &name, err) || !check_name("probe", probe, err) ||
        !check_name("name", name, err) || !number_of(r, "ratio", 1000, &ratio, err))
        return false;
    if (json_object_get(r->root, "seed") && !number_of(r, "seed", UINT32_MAX, &seed, err))
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

static bool take_side(const request *r, es_session_options *s, es_error *err)
{
    bool replay = false, probe = false;
    if (!flag_of(r, "replay", &replay, err) || !flag_of(r, "probe_only", &probe, err))
        return false;
    if (replay && probe)
        return es_fail(err, ES_USAGE, "\"replay\" and \"probe_only\" cannot be combined");
    s->side = replay ? ES_SIDE_REPLAY : probe ? ES_SIDE_PROBE : ES_SIDE_EITHER;
    return true;
}

static bool take_options(const request *r, es_run_options *o, es_error *err)
{
    es_session_options *s = &o->session;
    s->clock_hz = ES_SIM_BUS_HZ;
    if (json_object_get(r->root, "clock_hz") && !number_of(r, "clock_hz", UINT64_C(10000000000), &s->clock_hz, err))
        return false;
    if (!s->clock_hz)
        return es_fail(err, ES_USAGE, "\"clock_hz\" is not 0");
    return number_of(r, "for_ns", ES_TIME_MAX_NS, &s->for_ns, err) &&
           number_of(r, "count", INT64_MAX, &s->count, err) && flag_of(r, "attach", &s->attach, err) &&
           flag_of(r, "loaded", &s->loaded, err) && flag_of(r, "start_up", &s->start_up, err) &&
           flag_of(r, "allow_halt", &s->allow_halt, err) && flag_of(r, "times", &s->times, err) &&
           flag_of(r, "returns", &o->returns, err) && take_side(r, s, err);
}

static void do_watch(request *r)
{
    es_run_options o = {.program_file = -1};
    es_error err = {0};
    enum es_form form;
    bool keep = false, record = false, silent = false;
    bool good = form_of(r, &form, &err) && flag_of(r, "keep", &keep, &err) && flag_of(r, "record", &record, &err) &&
                flag_of(r, "silent", &silent, &err) && take_program(r, &o, &err) && take_statements(r, &o, &err) &&
                take_probe(r, &o, &err) && take_options(r, &o, &err);
    if (!good)
        es_run_options_free(&o);
    es_run *run = good ? es_daemon_start(r->peer->daemon, &o, record, keep ? NULL : r->peer, &err) : NULL;
    if (!run) {
        refuse(r, &err);
        return;
    }
    begin_answer(r, "reply");
    es_json_key(&r->json, "run");
    es_json_uint(&r->json, es_run_number(run));
    es_json_key(&r->json, "probe");
    es_json_string(&r->json, es_run_name(run));
    if (es_run_trace(run)) {
        es_json_key(&r->json, "trace");
        es_json_string(&r->json, es_run_trace(run));
    }
    end_answer(r);
    if (!silent)
        es_peer_join(r->peer, run, form);
}

/* --- the others ------------------------------------------------------------------------------------------------ */

static void answer_empty(request *r)
{
    begin_answer(r, "reply");
    end_answer(r);
}

static void do_runs(request *r)
{
    begin_answer(r, "reply");
    es_json_key(&r->json, "runs");
    es_json_begin(&r->json, '[');
    for (es_owned_run *at = r->peer->daemon->runs; at; at = at->next)
        es_run_json(at->run, &r->json);
    es_json_end(&r->json, ']');
    es_json_key(&r->json, "ended");
    es_json_begin(&r->json, '[');
    const es_ended_run *ended;
    for (unsigned i = 0; (ended = es_daemon_ended(r->peer->daemon, i)); i++)
        es_json_raw(&r->json, ended->json.text);
    es_json_end(&r->json, ']');
    end_answer(r);
}

static void do_join(request *r)
{
    es_error err = {0};
    enum es_form form;
    es_run *run;
    if (!form_of(r, &form, &err) || !run_of(r, &run, &err)) {
        refuse(r, &err);
        return;
    }
    answer_empty(r);
    es_peer_join(r->peer, run, form);
}

static void do_leave(request *r)
{
    es_error err = {0};
    es_run *run;
    if (!run_of(r, &run, &err)) {
        refuse(r, &err);
        return;
    }
    es_peer_leave(r->peer, run);
    answer_empty(r);
}

static void do_stop(request *r)
{
    es_error err = {0};
    es_run *run;
    if (!run_of(r, &run, &err)) {
        refuse(r, &err);
        return;
    }
    es_run_stop(run);
    answer_empty(r);
}

static void do_ping(request *r)
{
    answer_empty(r);
}

/* The token of TCP clients. Takes as long whatever is wrong with it. */
static bool is_token(const char *wanted, const char *told)
{
    size_t length = strlen(wanted), told_length = strlen(told);
    unsigned different = length != told_length;
    for (size_t i = 0; i < length; i++)
        different |= (unsigned char)wanted[i] ^ (unsigned char)told[told_length ? i % told_length : 0];
    return !different;
}

static void do_authenticate(request *r)
{
    const char *token = json_string_value(json_object_get(r->root, "token")), *wanted = r->peer->daemon->config.token;
    r->peer->trusted |= token && wanted && is_token(wanted, token);
    if (r->peer->trusted) {
        es_client_limit(r->peer->client, ES_CLIENT_LINE_MAX);
        answer_empty(r);
        return;
    }
    es_error err = {0};
    es_fail(&err, ES_USAGE, "this is not the daemon's token");
    refuse(r, &err);
    es_client_finish(r->peer->client);
}

static const struct {
    const char *name;
    void (*function)(request *r);
} requests[] = {{"watch", do_watch}, {"runs", do_runs}, {"join", do_join},
                {"leave", do_leave}, {"stop", do_stop}, {"ping", do_ping}};

static void carry_out(request *r)
{
    const char *what = json_string_value(json_object_get(r->root, "do"));
    es_error err = {0};
    if (what && strcmp(what, "authenticate") == 0) {
        do_authenticate(r);
        return;
    }
    if (!r->peer->trusted) {
        es_fail(&err, ES_USAGE, "say who you are first: {\"do\": \"authenticate\", \"token\": TOKEN}");
        refuse(r, &err);
        es_client_finish(r->peer->client);
        return;
    }
    for (size_t i = 0; what && i < sizeof requests / sizeof *requests; i++)
        if (strcmp(requests[i].name, what) == 0) {
            requests[i].function(r);
            return;
        }
    es_fail(&err, ES_USAGE, "\"do\" is watch, runs, join, leave, stop, ping or authenticate%s%s", what ? ", not " : "",
            what ? what : "");
    refuse(r, &err);
}

void es_peer_request(es_peer *peer, const char *line, size_t length)
{
    json_error_t wrong;
    json_t *root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &wrong);
    request r = {.peer = peer, .root = root};
    if (json_is_object(root)) {
        carry_out(&r);
    } else {
        es_error err = {0};
        es_fail(&err, ES_USAGE, "a request is a JSON object in one line: %s",
                root ? "this is something else" : wrong.text);
        refuse(&r, &err);
    }
    json_decref(root);
    es_text_free(&r.line);
}
