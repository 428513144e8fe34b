/* Where statements use a construct. */
#ifndef TESTS_LANG_REQUIRED_H
#define TESTS_LANG_REQUIRED_H

#include "lang/statement.h"

/* Fails with the place and the name of the first construct that is not in the set of ES_FEATURE bits. */
bool required(const es_program *program, uint64_t features, es_error *err);

#endif
