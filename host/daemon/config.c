#include "daemon/config.h"

#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "base/sizes.h"
#include "base/text.h"
#include "base/times.h"

#define MONITOR "monitor "
#define TOKEN_MAX 4096
#define TOKEN_LEAST 16

typedef struct reading {
    es_daemon_config *config;
    es_error *err;
    const char *path;
    bool failed;
} reading;

/* --- values ---------------------------------------------------------------------------------------------------- */

static bool take_text(reading *r, const char *value, const char **out)
{
    *out = *value ? es_arena_copy(r->config->arena, value, strlen(value)) : NULL;
    return *out || es_fail(r->err, ES_USAGE, "needs a value");
}

static bool take_flag(reading *r, const char *value, bool *out)
{
    *out = strcmp(value, "yes") == 0;
    return *out || strcmp(value, "no") == 0 || es_fail(r->err, ES_USAGE, "takes yes or no, not '%s'", value);
}

static bool take_hertz(reading *r, const char *value, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    *out = number;
    return (*value >= '0' && *value <= '9' && !errno && !*end && number && number <= UINT64_C(10000000000)) ||
           es_fail(r->err, ES_USAGE, "takes a frequency from 1 to 10000000000 (Hz), not '%s'", value);
}

/* ADDRESS:PORT */
static bool take_address(reading *r, const char *value)
{
    const char *colon = strrchr(value, ':');
    char *end = NULL;
    unsigned long port = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (!colon || colon == value || !port || port > 65535 || *end)
        return es_fail(r->err, ES_USAGE, "takes ADDRESS:PORT, like 127.0.0.1:7470, not '%s'", value);
    r->config->tcp_address = es_arena_copy(r->config->arena, value, (size_t)(colon - value));
    r->config->tcp_port = (unsigned)port;
    return true;
}

static bool take_token(reading *r, const char *path)
{
    es_text_buffer text = {0};
    if (!es_text_read_file(&text, path, TOKEN_MAX, r->err))
        return false;
    size_t length = strcspn(text.text, "\r\n");
    bool good =
        length >= TOKEN_LEAST ||
        es_fail(r->err, ES_USAGE, "%s: its first line is the token, of %d characters at least", path, TOKEN_LEAST);
    if (good)
        r->config->token = es_arena_copy(r->config->arena, text.text, length);
    es_text_free(&text);
    return good;
}

/* --- sections -------------------------------------------------------------------------------------------------- */

static bool unknown(reading *r, const char *known)
{
    return es_fail(r->err, ES_USAGE, "is not known here; there are %s", known);
}

static bool take_daemon(reading *r, const char *name, const char *value)
{
    es_daemon_config *c = r->config;
    if (strcmp(name, "socket") == 0)
        return take_text(r, value, &c->socket);
    if (strcmp(name, "group") == 0)
        return take_text(r, value, &c->group);
    return unknown(r, "socket, group");
}

static bool take_trace(reading *r, const char *name, const char *value)
{
    es_daemon_config *c = r->config;
    if (strcmp(name, "directory") == 0)
        return take_text(r, value, &c->directory);
    if (strcmp(name, "rotate_bytes") == 0)
        return es_size_parse("it", value, &c->rotate_bytes, r->err);
    if (strcmp(name, "rotate_age") == 0)
        return es_time_parse("it", value, &c->rotate_ns, r->err);
    if (strcmp(name, "keep_bytes") == 0)
        return es_size_parse("it", value, &c->keep_bytes, r->err);
    if (strcmp(name, "keep_age") == 0)
        return es_time_parse("it", value, &c->keep_ns, r->err);
    return unknown(r, "directory, rotate_bytes, rotate_age, keep_bytes, keep_age");
}

static bool take_tcp(reading *r, const char *name, const char *value)
{
    if (strcmp(name, "listen") == 0)
        return take_address(r, value);
    if (strcmp(name, "token_file") == 0)
        return take_token(r, value);
    return unknown(r, "listen, token_file");
}

static es_monitor_config *monitor_named(reading *r, const char *name)
{
    es_daemon_config *c = r->config;
    for (size_t i = 0; i < c->monitor_count; i++)
        if (strcmp(c->monitors[i].name, name) == 0)
            return &c->monitors[i];
    c->monitors = es_arena_grow(c->arena, c->monitors, c->monitor_count, sizeof *c->monitors);
    c->monitors[c->monitor_count] = (es_monitor_config){.name = es_arena_copy(c->arena, name, strlen(name))};
    return &c->monitors[c->monitor_count++];
}

static bool take_monitor(reading *r, const char *section, const char *name, const char *value)
{
    es_monitor_config *m = monitor_named(r, section + strlen(MONITOR));
    if (strcmp(name, "program") == 0)
        return take_text(r, value, &m->program);
    if (strcmp(name, "statements") == 0)
        return take_text(r, value, &m->statements);
    if (strcmp(name, "probe") == 0)
        return take_text(r, value, &m->probe);
    if (strcmp(name, "clock") == 0)
        return take_hertz(r, value, &m->clock_hz);
    if (strcmp(name, "attach") == 0)
        return take_flag(r, value, &m->attach);
    if (strcmp(name, "loaded") == 0)
        return take_flag(r, value, &m->loaded);
    if (strcmp(name, "record") == 0)
        return take_flag(r, value, &m->record);
    return unknown(r, "program, statements, probe, clock, attach, loaded, record");
}

static int take(void *context, const char *section, const char *name, const char *value)
{
    reading *r = context;
    bool good;
    if (r->failed)
        return 1;
    if (strcmp(section, "daemon") == 0)
        good = take_daemon(r, name, value);
    else if (strcmp(section, "trace") == 0)
        good = take_trace(r, name, value);
    else if (strcmp(section, "tcp") == 0)
        good = take_tcp(r, name, value);
    else if (strncmp(section, MONITOR, strlen(MONITOR)) == 0 && section[strlen(MONITOR)])
        good = take_monitor(r, section, name, value);
    else
        good = es_fail(r->err, ES_USAGE,
                       "section [%s] is not known; there are [daemon], [trace], [tcp], [monitor NAME]", section);
    if (!good)
        es_fail_in(r->err, "%s", name);
    r->failed = !good;
    return good;
}

bool es_daemon_config_check(const es_daemon_config *c, es_error *err)
{
    if (c->tcp_address && !c->token)
        return es_fail(err, ES_USAGE, "[tcp] listen needs a token_file: whoever reaches the port could use the probes");
    for (size_t i = 0; i < c->monitor_count; i++) {
        const es_monitor_config *m = &c->monitors[i];
        if (!m->program || !m->statements || !m->probe)
            return es_fail(err, ES_USAGE, "[monitor %s] needs program, statements and probe", m->name);
        if (m->record && !c->directory)
            return es_fail(err, ES_USAGE, "[monitor %s] record: [trace] directory says where to", m->name);
    }
    return true;
}

bool es_daemon_config_read(es_daemon_config *config, const char *path, es_error *err)
{
    *config = (es_daemon_config){
        .arena = es_arena_new(), .rotate_bytes = UINT64_C(256) << 20, .keep_bytes = UINT64_C(4) << 30};
    reading r = {config, err, path, false};
    if (!path)
        return true;
    int line = ini_parse(path, take, &r);
    if (line == 0)
        return true;
    if (line < 0)
        return es_fail(err, ES_USAGE, "%s: cannot be read", path);
    if (!r.failed)
        es_fail(err, ES_USAGE, "this is neither a [section] nor NAME = VALUE");
    return es_fail_in(err, "%s:%d", path, line);
}

void es_daemon_config_free(es_daemon_config *config)
{
    es_arena_free(config->arena);
}
