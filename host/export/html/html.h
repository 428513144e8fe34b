/* A run as one self-contained HTML page: timelines, values, latencies, tables, without a server.
 *
 * The page (page.html, style/, script/) is part of the program. What was recorded goes into it as one block: a head
 * in JSON and columns of numbers, deflated, in base64. Nothing of it is markup or script, whatever the program's
 * names are. The same records make the same bytes.
 */
#ifndef ES_EXPORT_HTML_HTML_H
#define ES_EXPORT_HTML_HTML_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "record/record.h"

typedef struct es_html es_html;

/* What is known of the records besides themselves. Texts may be NULL. */
typedef struct es_html_about {
    const char *probe;
    const char *part;    /* "--from 5ms", where the page shows a part of what was recorded */
    int64_t origin_ns;   /* since 1970 at time 0; 0: not known */
    uint64_t removed;    /* chunks before the first one, which are no longer there */
    uint64_t torn_bytes; /* at its end, that were left out */
    bool unfinished;     /* the recording has no end of its own */
} es_html_about;

es_html *es_html_new(void);
void es_html_free(es_html *html);

/* Takes records, from BEGIN on. The schema must live until es_html_write is done. */
es_sink es_html_sink(es_html *html);

/* More than a page can hold: es_html_write will refuse, and more records are not taken. */
bool es_html_is_full(const es_html *html);

/* Writes the page. Fails with ES_USAGE where there is more than a page can show, or with ES_OUTPUT. */
bool es_html_write(es_html *html, const es_html_about *about, FILE *out, es_error *err);

#endif
