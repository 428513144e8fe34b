#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "daemon/daemon.h"

#define STATEMENTS_MAX (16u << 20)

es_run *es_daemon_find(const es_daemon *daemon, const char *name)
{
    char number[16];
    for (es_owned_run *at = daemon->runs; at; at = at->next) {
        snprintf(number, sizeof number, "%u", es_run_number(at->run));
        if (strcmp(es_run_name(at->run), name) == 0 || strcmp(number, name) == 0)
            return at->run;
    }
    return NULL;
}

/* The name that was asked for, or one made of it that no other run has. */
static void make_distinct(const es_daemon *daemon, char **name)
{
    es_text_buffer text = {0};
    es_text_format(&text, "%s", *name);
    for (unsigned i = 2; es_daemon_find(daemon, text.text); i++) {
        es_text_clear(&text);
        es_text_format(&text, "%s-%u", *name, i);
    }
    free(*name);
    *name = text.text; /* the buffer's memory is the name's now */
}

/* DIRECTORY/NAME-20261122T171500Z: what is no letter or digit in the name becomes a dash. */
static char *trace_directory(const es_daemon *daemon, const char *name)
{
    es_text_buffer path = {0};
    time_t now = time(NULL);
    struct tm utc;
    char stamp[32];
    es_text_format(&path, "%s/", daemon->config.directory);
    for (; *name; name++)
        es_text_add(&path, isalnum((unsigned char)*name) || *name == '_' ? name : "-", 1);
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    es_text_format(&path, "-%s", stamp);
    size_t length = path.length;
    struct stat there;
    for (unsigned i = 2; stat(path.text, &there) == 0; i++) {
        path.length = length;
        es_text_format(&path, "-%u", i);
    }
    return path.text;
}

static bool check_probe(const es_daemon *daemon, const es_run_options *options, es_error *err)
{
    if (options->access.choice.probe == ES_PROBE_SIM || options->access.choice.probe == ES_PROBE_FILE)
        return true;
    for (es_owned_run *at = daemon->runs; at; at = at->next)
        if (strcmp(es_run_probe(at->run), options->probe) == 0)
            return es_fail(err, ES_PROBE, "%s is monitored already, by the run '%s': join that one, or stop it",
                           options->probe, es_run_name(at->run));
    return true;
}

/* Whoever asked for a run was answered what is wrong with its statements: that is no run to be looked for later. Of the
 * configuration's, nobody was. */
static bool is_to_be_noted(const es_owned_run *owned)
{
    const char *text;
    return es_run_began(owned->run) || owned->configured || es_run_end(owned->run, &text) != ES_USAGE;
}

/* A run that nobody began, and that cannot go on, is told in the daemon's log. */
static void log_failure(const es_owned_run *owned)
{
    const char *text, *wrong = es_run_wrong(owned->run);
    if (owned->configured && es_run_end(owned->run, &text) != ES_OK && text)
        fprintf(stderr, "earshotd: [monitor %s] has ended: %s%s\n", es_run_name(owned->run), wrong ? wrong : "", text);
}

static void on_ended(void *context, es_run *run)
{
    es_daemon *daemon = context;
    daemon->on_end(daemon, run);
    for (es_owned_run **at = &daemon->runs; *at; at = &(*at)->next) {
        es_owned_run *owned = *at;
        if (owned->run != run)
            continue;
        if (is_to_be_noted(owned))
            es_daemon_note_end(daemon, run);
        log_failure(owned);
        *at = owned->next;
        free(owned);
        break;
    }
    daemon->run_count--;
    es_run_free(run);
    if (daemon->ending && !daemon->run_count)
        uv_stop(daemon->loop);
}

es_run *es_daemon_start(es_daemon *daemon, es_run_options *options, bool record, es_peer *owner, es_error *err)
{
    es_run_events events = {daemon->on_lines, on_ended, daemon};
    bool good = daemon->run_count < ES_RUNS_MAX || es_fail(err, ES_USAGE, "there are %u runs already", ES_RUNS_MAX);
    good = good && (!daemon->ending || es_fail(err, ES_USAGE, "the daemon is ending"));
    good = good && check_probe(daemon, options, err);
    if (good && record && !daemon->config.directory)
        good = es_fail(err, ES_USAGE,
                       "the daemon keeps no traces: name a directory with --directory, or in its "
                       "configuration's [trace]");
    if (!good) {
        es_run_options_free(options);
        return NULL;
    }
    make_distinct(daemon, &options->name);
    if (record)
        options->directory = trace_directory(daemon, options->name);
    options->rotate_bytes = daemon->config.rotate_bytes;
    options->rotate_ns = daemon->config.rotate_ns;
    options->keep_bytes = daemon->config.keep_bytes;
    options->keep_ns = daemon->config.keep_ns;
    es_run *run = es_run_start(daemon->loop, ++daemon->last_number, options, &events, err);
    if (!run)
        return NULL;
    es_owned_run *owned = es_malloc(sizeof *owned);
    *owned = (es_owned_run){.next = daemon->runs, .run = run, .owner = owner};
    daemon->runs = owned;
    daemon->run_count++;
    return run;
}

static bool start_monitor(es_daemon *daemon, const es_monitor_config *m, es_error *err)
{
    es_text_buffer statements = {0};
    es_run_options options = {
        .name = strdup(m->name),
        .probe = strdup(m->probe),
        .program = strdup(m->program),
        .path = strdup(m->program),
        .program_file = -1,
        .texts = es_malloc(sizeof *options.texts),
        .returns = true,
        .session = {.clock_hz = m->clock_hz ? m->clock_hz : ES_SIM_BUS_HZ, .attach = m->attach, .loaded = m->loaded}};
    char *choice = strdup(m->probe); /* parsing changes it, and names point into it */
    bool good = es_text_read_file(&statements, m->statements, STATEMENTS_MAX, err) &&
                es_probe_parse(choice, &options.access.choice, err);
    options.access.choice.name = good && options.access.choice.name ? strdup(options.access.choice.name) : NULL;
    free(choice);
    options.access.seed = 1;
    if (!good) {
        es_text_free(&statements);
        es_run_options_free(&options);
        return es_fail_in(err, "[monitor %s]", m->name);
    }
    options.texts[0] = (es_text){strdup(m->statements), statements.text};
    options.text_count = 1;
    if (!es_daemon_start(daemon, &options, m->record, NULL, err))
        return false;
    daemon->runs->configured = true;
    return true;
}

bool es_daemon_start_monitors(es_daemon *daemon, es_error *err)
{
    for (size_t i = 0; i < daemon->config.monitor_count; i++)
        if (!start_monitor(daemon, &daemon->config.monitors[i], err))
            return false;
    return true;
}

void es_daemon_end(es_daemon *daemon)
{
    daemon->ending = true;
    for (es_owned_run *at = daemon->runs; at; at = at->next)
        es_run_stop(at->run);
    if (!daemon->run_count)
        uv_stop(daemon->loop);
}
