/* --lcov FILE: which lines ran in one run, or in several one after the other. */
#ifndef ES_CLI_COMMANDS_LCOV_H
#define ES_CLI_COMMANDS_LCOV_H

#include <stdio.h>

#include "export/export.h"

typedef struct es_lcov {
    const char *path; /* NULL: nothing is to be written */
    FILE *file;
    es_export *export;
    es_sink shown; /* who else takes the records */
    bool covers;   /* some statement tells which lines ran */
} es_lcov;

/* Opens the file, so that an earlier run's does not stay. path may be NULL. False with ES_OUTPUT. */
bool es_lcov_begin(es_lcov *lcov, const char *path, es_error *err);

/* A sink that gives records to the file and to `shown`. */
es_sink es_lcov_sink(es_lcov *lcov, const es_sink *shown);

/* Writes it, and closes it. False with ES_OUTPUT; with ES_USAGE where no statement says which lines ran. */
bool es_lcov_end(es_lcov *lcov, es_error *err);

#endif
