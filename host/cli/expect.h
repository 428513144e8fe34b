/* Expectations: statements that a run has to meet (docs/statements.md). */
#ifndef ES_CLI_EXPECT_H
#define ES_CLI_EXPECT_H

#include "base/text.h"
#include "lang/statement.h"

#define ES_EXPECT_NO_TIME UINT64_MAX

/* Whether the statement's expectation is met at the end of a run in which it occurred `hits` times, first at bus clock `first`
 * (ES_EXPECT_NO_TIME: not known, or never). Statements that expect nothing are always met. When it is not and `why` is not
 * NULL, says why there: "it occurred 3 times, first at 1.5 ms". */
bool es_expect_met(const es_statement *statement, uint64_t hits, uint64_t first, uint64_t clock_hz, es_text_buffer *why);

#endif
