/* earshot check: on which side each statement is guaranteed. */
#ifndef ES_CLI_COMMANDS_CHECK_SIDES_H
#define ES_CLI_COMMANDS_CHECK_SIDES_H

#include "base/json.h"
#include "check/sides.h"

/* As text: a line for each statement, and below it what a side that does not guarantee it says. */
/* On stderr: one line that says how far a check is, for es_check_options.progress; it is gone when all are done. */
void es_check_sides_progress(size_t done, size_t count);
void es_check_sides_print(const es_check_sides *sides);

/* As text, where the monitor does not guarantee all statements at once: the last lines. */
void es_check_sides_verdict(const es_check_sides *sides);

/* Into an object: what there is beside the monitor's verdict. */
void es_check_sides_json(es_json *json, const es_check_sides *sides, const es_probe_limits *limits,
                         const es_check_options *options);

#endif
