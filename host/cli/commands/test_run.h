/* One run of a test: a program with a seed. */
#ifndef ES_CLI_COMMANDS_TEST_RUN_H
#define ES_CLI_COMMANDS_TEST_RUN_H

#include "cli/commands/lcov.h"
#include "cli/commands/options.h"
#include "report/results.h"

typedef struct es_test_run_config {
    const es_common_options *common;
    uint64_t limit_ns;      /* it ends then, on this computer's clock; 0: it does not */
    es_lcov *lcov;          /* of all runs */
    const char *recordings; /* folder for what the probe sends; NULL: it is not kept */
    bool progress;          /* how far it is, on stderr */
} es_test_run_config;

/* Runs it and adds what came out to the results, whatever that is. With common->run.json its records are printed. */
void es_test_run(const es_test_run_config *config, es_results *results, const char *program, bool seeded,
                 uint32_t seed);

/* Adds a run that did not take place. */
void es_test_skip(const es_test_run_config *config, es_results *results, const char *program, bool seeded,
                  uint32_t seed, const char *why);

#endif
