#include "record/record.h"

es_schema *es_schema_new(void)
{
    es_arena *arena = es_arena_new();
    es_schema *schema = es_arena_alloc(arena, sizeof *schema);
    schema->arena = arena;
    schema->names = es_names_new();
    return schema;
}

void es_schema_free(es_schema *schema)
{
    if (!schema)
        return;
    es_names_free(schema->names);
    es_arena_free(schema->arena); /* the schema itself is in it */
}
