/* What a recording's program did as records, which a trace keeps (store/trace.h): each call and return, interrupts, and
 * which stack runs. */
#ifndef ES_PROF_RECORDS_H
#define ES_PROF_RECORDS_H

#include "prof/profile.h"
#include "record/record.h"

#define ES_PROF_RECORDS_PROCEDURES \
    32000u /* of a program at most: each has two statements, whose numbers have 16 bits */

typedef struct es_prof_records es_prof_records;

/* Before the profile is taken, which gets the hearer. program: its file's path. */
es_prof_records *es_prof_records_begin(const es_sink *sink, const char *program, es_prof *profile);

/* After it, and before the profile is freed: gives the summary, and frees. The sink has nothing of it any more. */
void es_prof_records_end(es_prof_records *records);

#endif
