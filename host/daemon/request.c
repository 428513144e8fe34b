#include "daemon/request.h"

#include <string.h>

/* --- answers --------------------------------------------------------------------------------------------------- */

void es_answer_begin(es_request *r, const char *event)
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

void es_answer_end(es_request *r)
{
    es_json_end(&r->json, '}');
    es_text_add(&r->line, "\n", 1);
    es_peer_tell(r->peer, &r->line);
    es_text_clear(&r->line);
}

void es_answer_refusal(es_request *r, const es_error *err)
{
    es_answer_begin(r, "error");
    es_json_key(&r->json, "code");
    es_json_string(&r->json, es_code_name(err->code));
    es_json_key(&r->json, "text");
    es_json_string(&r->json, err->text);
    es_answer_end(r);
}

/* --- members of a request -------------------------------------------------------------------------------------- */

bool es_request_text(const es_request *r, const char *key, const char **out, es_error *err)
{
    const json_t *value = json_object_get(r->root, key);
    *out = json_string_value(value);
    return !value || *out || es_fail(err, ES_USAGE, "\"%s\" is a string", key);
}

bool es_request_flag(const es_request *r, const char *key, bool *out, es_error *err)
{
    const json_t *value = json_object_get(r->root, key);
    *out = json_is_true(value);
    return !value || json_is_boolean(value) || es_fail(err, ES_USAGE, "\"%s\" is true or false", key);
}

bool es_request_number(const es_request *r, const char *key, uint64_t most, uint64_t *out, es_error *err)
{
    const json_t *value = json_object_get(r->root, key);
    json_int_t number = json_integer_value(value);
    *out = (uint64_t)number;
    return !value || (json_is_integer(value) && number >= 0 && (uint64_t)number <= most) ||
           es_fail(err, ES_USAGE, "\"%s\" is a whole number from 0 to %llu", key, (unsigned long long)most);
}

bool es_request_form(const es_request *r, enum es_form *form, es_error *err)
{
    const char *text = NULL;
    if (!es_request_text(r, "form", &text, err))
        return false;
    *form = text && strcmp(text, "record") == 0 ? ES_FORM_RECORD : ES_FORM_REPORT;
    return !text || *form == ES_FORM_RECORD || strcmp(text, "report") == 0 ||
           es_fail(err, ES_USAGE, "\"form\" is \"report\" or \"record\", not \"%s\"", text);
}

bool es_request_run(const es_request *r, es_run **run, es_error *err)
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
