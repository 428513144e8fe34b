/* Runs that have ended: who asks later finds how they did, and where their traces are. */
#include <stdlib.h>
#include <string.h>

#include "daemon/daemon.h"

static void forget(es_ended_run *ended)
{
    free(ended->name);
    free(ended->trace);
    es_text_free(&ended->json);
    *ended = (es_ended_run){0};
}

void es_daemon_note_end(es_daemon *daemon, es_run *run)
{
    es_ended_run *ended = &daemon->ended[daemon->ended_count++ % ES_ENDED_MAX];
    const char *trace = es_run_trace(run);
    forget(ended);
    ended->name = strdup(es_run_name(run));
    ended->number = es_run_number(run);
    ended->trace = trace ? strdup(trace) : NULL;
    es_json json = {.out = &ended->json};
    es_run_json(run, &json);
}

const es_ended_run *es_daemon_ended(const es_daemon *daemon, unsigned before)
{
    if (before >= daemon->ended_count || before >= ES_ENDED_MAX)
        return NULL;
    return &daemon->ended[(daemon->ended_count - 1 - before) % ES_ENDED_MAX];
}

const es_ended_run *es_daemon_find_ended(const es_daemon *daemon, const char *name)
{
    char number[16];
    const es_ended_run *ended;
    for (unsigned i = 0; (ended = es_daemon_ended(daemon, i)); i++) {
        snprintf(number, sizeof number, "%u", ended->number);
        if (strcmp(ended->name, name) == 0 || strcmp(number, name) == 0)
            return ended;
    }
    return NULL;
}

void es_daemon_forget_ended(es_daemon *daemon)
{
    for (unsigned i = 0; i < ES_ENDED_MAX; i++)
        forget(&daemon->ended[i]);
}
