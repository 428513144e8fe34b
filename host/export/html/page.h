/* The page that is built into the program: scripts/embed-page makes it of page.html, style/ and script/. */
#ifndef ES_EXPORT_HTML_PAGE_H
#define ES_EXPORT_HTML_PAGE_H

#include <stddef.h>

/* What stands before the data, and after it. */
extern const char es_page_before[], es_page_after[];
extern const size_t es_page_before_size, es_page_after_size;

#endif
