#include "report/waits.h"

#define TOLD 10

void es_waits_text(es_text_buffer *out, const es_schema *schema)
{
    for (size_t i = 0; i < schema->statement_count && i < TOLD; i++) {
        const es_schema_statement *statement = &schema->statements[i];
        es_text_format(out, "%s waits for %s\n", statement->name,
                       statement->waits_for ? statement->waits_for : statement->text);
    }
    if (schema->statement_count > TOLD)
        es_text_format(out, "... and %zu more\n", schema->statement_count - TOLD);
}
