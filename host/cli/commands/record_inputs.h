/* earshot record --inputs: what the target's program got from outside, so that its run can be replayed. */
#ifndef ES_CLI_COMMANDS_RECORD_INPUTS_H
#define ES_CLI_COMMANDS_RECORD_INPUTS_H

#include "cli/commands/options.h"

typedef struct es_inputs_options {
    const char *path; /* of the recording */
    uint32_t handler; /* where interrupts lead to, with has_handler */
    bool has_handler;
    uint32_t reset; /* where the processor begins, with has_reset */
    bool has_reset;
} es_inputs_options;

/* Records until the target's program ends, the time is over, or a signal comes. Returns the exit code. */
int es_record_inputs(es_common_options *options, const es_inputs_options *inputs);

#endif
