/* Columns: numbers one after the other, as script/data.js reads them. */
#ifndef ES_EXPORT_HTML_COLUMN_H
#define ES_EXPORT_HTML_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "export/html/texts.h"
#include "record/record.h"

#define ES_COLUMN_EXACT (UINT64_C(1) << 52) /* up to here, twice a number is exact in JavaScript */

/* Seven bits a byte, the lowest first; all but the last byte have bit 7. */
void es_column_uint(es_text_buffer *column, uint64_t value);

/* The same of 0, -1, 1, -2 ... as 0, 1, 2, 3 ... */
void es_column_int(es_text_buffer *column, int64_t value);

/* The values of one field, a row for each hit. */
typedef struct es_value_column {
    es_text_buffer values;
    es_text_buffer known;  /* a bit for each row */
    es_text_buffer abouts; /* POINTER: numbers of texts */
    uint64_t rows, unknown;
    bool wide; /* some are beyond ES_COLUMN_EXACT */
} es_value_column;

/* Adds a row. NULL: the value did not come. */
void es_value_column_add(es_value_column *column, const es_field *field, const es_value *value, es_page_texts *texts);
size_t es_value_column_size(const es_value_column *column);
void es_value_column_free(es_value_column *column);

#endif
