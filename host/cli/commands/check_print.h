/* What `earshot check` prints of a report on the monitor: text for people, JSON for programs. */
#ifndef ES_CLI_COMMANDS_CHECK_PRINT_H
#define ES_CLI_COMMANDS_CHECK_PRINT_H

#include "check/sides.h"
#include "cli/commands/texts.h"

/* What the user has asked for. */
typedef struct es_check_request {
    const char *program;
    es_texts texts;
    es_probe_limits limits;
    es_check_options options;
    bool events, json, replay, probe_only;
} es_check_request;

/* As text: worst cases, of all events or of each kind, and what waits at most. */
void es_check_print_figures(const es_check_report *r, const es_check_request *q);

/* As text: whether it is guaranteed; if not, why, where, and what would make it fit. */
void es_check_print_verdict(const es_check_report *r, const es_check_request *q);

/* As one JSON object; with what either side says of each statement, unless that is NULL. */
void es_check_print_json(const es_check_report *r, const es_check_request *q, const es_check_sides *sides);

#endif
