/* What has to happen for a statement to be looked at, in words. */
#ifndef ES_SESSION_WAITS_H
#define ES_SESSION_WAITS_H

#include "base/text.h"
#include "lang/statement.h"

/* Adds "writes to temp (control.c:4) or mode (control.c:3), calls of clamp (control.c:8)". */
void es_waits_for(es_text_buffer *out, const es_statement *statement);

#endif
