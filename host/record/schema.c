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

const char *es_origin_name(enum es_origin origin)
{
    static const char *const names[] = {[ES_ORIGIN_HARDWARE] = "hardware",
                                        [ES_ORIGIN_SIMULATED] = "simulated",
                                        [ES_ORIGIN_RECORDING] = "recording"};
    return names[origin];
}
