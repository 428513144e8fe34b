/* A run's lines on their way from the session's thread to the loop, in each form that somebody wants.
 *
 * Between the two stands the run's mutex: all functions want it held. ES_LINES_BYTES of a form wait at most; hits for
 * which there is no room are left out, counted, and told as soon as there is room again.
 */
#ifndef ES_DAEMON_LINES_H
#define ES_DAEMON_LINES_H

#include "base/text.h"
#include "daemon/batch.h"
#include "record/record.h"

#define ES_LINES_BYTES (8u << 20)

enum es_form { ES_FORM_REPORT, ES_FORM_RECORD, ES_FORMS }; /* docs/protocol.md */

/* Hits for which there was no room. */
typedef struct es_left_out {
    uint64_t count, first, last;
} es_left_out;

typedef struct es_lines {
    const char *run; /* its name */
    es_batches waiting[ES_FORMS];
    es_left_out left_out[ES_FORMS];
    unsigned wanted[ES_FORMS]; /* by how many */
    es_text_buffer names;      /* all name lines since the session began */
    uint32_t told;             /* names in them */
    uint64_t dropped;          /* hits that were left out, of all forms */
} es_lines;

/* Appends a record in one form, as it is; no room is asked for. */
void es_lines_write(const es_lines *lines, enum es_form form, es_text_buffer *out, const es_record *record);

/* Appends a record, after names that it is the first to use, to what waits in each form that is wanted. */
void es_lines_add(es_lines *lines, const es_record *record);

/* Another session begins: its names are told anew. */
void es_lines_forget_names(es_lines *lines);

/* What waits is the caller's. */
void es_lines_take(es_lines *lines, es_batches rows[ES_FORMS]);

void es_lines_free(es_lines *lines);

#endif
