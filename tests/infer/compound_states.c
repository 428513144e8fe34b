/* Takes a list of "TIME EVENT" on stdin through the machines of statements' compound events, and prints when they occur:
 * compound_states PROGRAM.elf FILE.watch. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "infer/compound.h"

typedef struct scenario {
    uint32_t state, known;
    es_infer_value variables[ES_INFER_VARIABLES_MAX];
} scenario;

static void take(const es_infer_model *model, uint32_t number, scenario *s, const es_infer_event *event)
{
    const es_infer_machine *m = &model->machines[number];
    uint32_t role = 0;
    while (role < m->role_count && m->roles[role].event != event->event)
        role++;
    if (role == m->role_count)
        return;
    for (uint32_t i = m->first[role * m->state_count + s->state]; i < m->first[role * m->state_count + s->state + 1];
         i++) {
        const es_infer_transition *t = &m->transitions[i];
        enum es_infer_truth holds = es_infer_holds(t, event, s->variables, s->known);
        if (holds == ES_INFER_FALSE)
            continue;
        if (holds == ES_INFER_UNKNOWN)
            printf("unknown\n");
        es_infer_assign(t, event, s->variables, &s->known);
        s->state = t->to;
        if (strstr(m->states[s->state], " occurs"))
            printf("%" PRId64 " %s\n", event->time, m->name);
        return;
    }
    printf("none\n");
}

int main(int argc, char **argv)
{
    char line[256], name[200];
    es_error err;
    es_infer_model *model = es_infer_model_new();
    if (argc != 3 || !es_infer_compound_add(model, argv[2], argv[1], &err)) {
        fprintf(stderr, "%s\n", argc == 3 ? err.text : "usage");
        return 1;
    }
    scenario *scenarios = calloc(model->machine_count, sizeof *scenarios);
    for (uint32_t i = 0; scenarios && i < model->machine_count; i++)
        scenarios[i].state = model->machines[i].initial;
    while (scenarios && fgets(line, sizeof line, stdin)) {
        es_infer_event event = {0};
        if (sscanf(line, "%" SCNd64 " %199s", &event.time, name) != 2)
            return 1;
        event.event = es_infer_event_number(&model->words, name, strlen(name), false);
        for (uint32_t i = 0; i < model->machine_count; i++)
            take(model, i, &scenarios[i], &event);
    }
    free(scenarios);
    es_infer_model_free(model);
    return 0;
}
