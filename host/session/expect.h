/* Expectations: statements that a run has to meet (docs/statements.md). */
#ifndef ES_SESSION_EXPECT_H
#define ES_SESSION_EXPECT_H

#include "base/text.h"
#include "lang/statement.h"
#include "record/record.h"

/* What a run has shown of a statement. Times are bus clocks. */
typedef struct es_evidence {
    uint64_t hits;      /* all that were counted */
    uint64_t first;     /* the first one that is certain; ES_NO_TIME: none */
    uint64_t uncertain; /* hits that may not have been any */
    uint64_t unknown;   /* evaluations that met what was not known */
    uint64_t torn;      /* assignments that were not seen whole, where it has variables that can be written in parts */
    bool incomplete;    /* the probe's closing figures did not arrive: there may have been more hits than these */
    bool path_unknown;  /* it depends on the call path, which was unknown for a time */
    bool disabled;      /* it was, in the end */
    uint64_t lost;      /* bus transactions, ... */
    uint64_t loss;      /* ... the first of them */
    uint64_t end;       /* the run went on so long at least */
    bool over;          /* the program has come to its own end: nothing was to follow */
} es_evidence;

/* Whether the statement's expectation is met at the end of a run. Unknown: what was seen does not tell. Statements that
 * expect nothing are always met. When it is not met and `why` is not NULL, says why there: "it occurred 3 times, first
 * at 1.5 ms". */
enum es_verdict es_expect_judge(const es_statement *statement, const es_evidence *evidence, uint64_t clock_hz,
                                es_text_buffer *why);

#endif
