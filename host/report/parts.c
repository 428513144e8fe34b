#include "report/parts.h"

#include "base/times.h"
#include "record/composite.h"
#include "record/path.h"
#include "record/value.h"

void es_part_values(es_text_buffer *out, const es_schema *schema, const es_hit *hit, bool utf8)
{
    const es_schema_statement *statement = &schema->statements[hit->statement];
    size_t begin = out->length;
    for (size_t k = 0; k < statement->value_count && k < hit->value_count; k++) {
        if (statement->fields[k].is_aggregated)
            continue;
        es_text_add(out, " ", out->length > begin);
        if (!statement->fields[k].is_parts)
            es_text_format(out, "%s=", statement->fields[k].name);
        es_value_text(out, schema, &statement->fields[k], &hit->values[k], utf8);
    }
}

void es_part_path(es_text_buffer *out, const es_schema *schema, const es_hit *hit, bool utf8)
{
    const char *interrupt = utf8 ? " \u26a1 " : " !> ", *at = es_names_text(schema->names, hit->path);
    const char *inlined = es_names_text(schema->names, hit->inlined);
    es_text_buffer name = {0};
    es_path_part part;
    if (hit->flags & ES_HIT_NO_PATH)
        es_text_format(out, "(path unknown)");
    else if (!at)
        es_text_format(out, "(start-up)");
    for (bool first = true; !(hit->flags & ES_HIT_NO_PATH) && es_path_next(&at, &name, &part); first = false) {
        if (part.interrupt)
            es_text_format(out, "%s", first ? interrupt + 1 : interrupt);
        else if (!first)
            es_text_format(out, !*at && (hit->flags & ES_HIT_CUT_PATH) ? " > ... > " : " > ");
        if (part.name)
            es_text_format(out, "%s", part.name);
        else
            es_text_format(out, "0x%08x", (unsigned)part.address);
    }
    es_text_free(&name);
    if (inlined)
        es_text_format(out, " > %s (inlined)", inlined);
}

void es_part_place(es_text_buffer *out, const es_schema *schema, const es_hit *hit)
{
    const char *file = es_names_text(schema->names, hit->file);
    if (hit->flags & ES_HIT_NO_PLACE)
        es_text_format(out, "(place unknown)");
    else if (file)
        es_text_format(out, "%s:%u", es_base_name(file), (unsigned)hit->line);
    else
        es_text_format(out, "0x%08x", (unsigned)hit->pc);
}

const char *es_part_task(const es_schema *schema, const es_hit *hit)
{
    const char *task = es_names_text(schema->names, hit->task);
    return hit->flags & ES_HIT_NO_TASK ? "(task unknown)" : task ? task : "(no task)";
}

void es_part_line(es_text_buffer *out, const es_schema *schema, const es_hit *hit, bool utf8)
{
    const es_schema_statement *statement = &schema->statements[hit->statement];
    es_time_tight(out, es_time_ns(hit->time, schema->clock_hz), utf8);
    es_text_format(out, "  ");
    es_part_values(out, schema, hit, utf8);
    if (!(hit->flags & ES_HIT_TIMED)) {
        es_text_format(out, "%s", statement->value_count ? "  " : "");
        if (schema->tasks_by)
            es_text_format(out, "%s  ", es_part_task(schema, hit));
        es_part_path(out, schema, hit, utf8);
        es_text_format(out, "  ");
        es_part_place(out, schema, hit);
    }
    if (hit->flags & ES_HIT_UNCERTAIN)
        es_text_format(out, "  (uncertain)");
    size_t line = out->length;
    es_text_format(out, "\n");
    for (size_t k = 0; k < hit->object_count; k++) {
        const es_composite *object = &statement->objects[k];
        es_composite_text(out, schema, statement, object, &hit->objects[k], hit->values + object->first, utf8);
    }
    out->length -= out->length > line; /* the last line's end */
    out->text[out->length] = 0;
}
