/* The list as JSON Lines: an object for each thing, keys as earshot-list(1) says. */
#include <stdio.h>

#include "base/json.h"
#include "cli/list/members.h"
#include "cli/list/print.h"

static void add_true(es_json *json, const char *key)
{
    es_json_key(json, key);
    es_json_bool(json, true);
}

static void add_declared(es_json *json, const char *file, unsigned line)
{
    if (!file)
        return;
    es_json_put_string(json, "file", file);
    es_json_put_uint(json, "line", line);
}

static void add_place(es_json *json, const es_entry *entry)
{
    const es_variable *variable = entry->variable;
    static const char *const places[] = {
        [ES_PLACE_STATIC] = "memory", [ES_PLACE_FRAME] = "stack", [ES_PLACE_NONE] = "none"};
    es_json_put_string(json, "place", places[variable->place]);
    if (variable->place == ES_PLACE_STATIC)
        es_json_put_uint(json, "address", variable->address);
    if (variable->place == ES_PLACE_NONE)
        es_json_put_string(json, "why", variable->why);
    if (variable->place == ES_PLACE_NONE) {
        es_json_put_bool(json, "replay", entry->replay);
    }
    if (variable->place != ES_PLACE_FRAME)
        return;
    es_json_key(json, "cfa_offset");
    es_json_int(json, variable->cfa_offset);
    if (!variable->life)
        return;
    es_json_put_string(json, "observed", variable->life->observed);
    es_json_put_string(json, "elsewhere", variable->life->elsewhere);
    es_json_put_string(json, "advice", variable->life->advice);
}

static void add_member(void *context, const es_list_member *member)
{
    es_json *json = context;
    es_json_begin(json, '{');
    es_json_put_string(json, "name", member->name);
    es_json_put_string(json, "type", member->type->name);
    es_json_put_uint(json, "size", member->type->size);
    es_json_put_uint(json, "offset", member->offset);
    if (member->bit_size) {
        es_json_put_uint(json, "bit_offset", member->bit_offset);
        es_json_put_uint(json, "bits", member->bit_size);
    }
    if (member->type->big_endian && member->type->size > 1)
        es_json_put_bool(json, "big_endian", true);
    es_json_end(json, '}');
}

static void add_variable(es_json *json, const es_entry *entry, bool members)
{
    const es_variable *variable = entry->variable;
    es_json_put_string(json, "kind", entry->kind == ES_ENTRY_LOCAL ? "local" : "variable");
    es_json_put_string(json, "name", entry->name);
    es_json_put_string(json, "type", variable->type->name);
    es_json_put_uint(json, "size", variable->type->size);
    if (variable->procedure)
        es_json_put_string(json, "procedure", variable->procedure->name);
    add_place(json, entry);
    add_declared(json, variable->file, variable->line);
    if (!members)
        return;
    es_json_key(json, "members");
    es_json_begin(json, '[');
    es_list_members(entry->name, variable->type, add_member, json);
    es_json_end(json, ']');
}

static void add_procedure(es_json *json, const es_entry *entry)
{
    const es_procedure *procedure = entry->procedure;
    const char *inlined = entry->clone_of ? NULL : es_symbols_inlined_into(procedure);
    es_json_put_string(json, "kind", "procedure");
    es_json_put_string(json, "name", entry->name);
    if (procedure->low != procedure->high) {
        es_json_put_uint(json, "address", procedure->low);
        es_json_put_uint(json, "size", procedure->high - procedure->low);
    }
    add_declared(json, procedure->file, procedure->line);
    if (procedure->is_interrupt)
        add_true(json, "interrupt");
    if (procedure->is_recursive)
        add_true(json, "recursive");
    if (entry->clone_of)
        es_json_put_uint(json, "clone_of", entry->clone_of->low);
    if (inlined)
        es_json_put_string(json, "inlined", inlined);
}

static void add_tasks(es_json *json, const es_program *program)
{
    es_json_begin(json, '{');
    es_json_put_string(json, "kind", "tasks");
    es_json_put_string(json, "by", program->task->text);
    es_json_put_string(json, "kernel", program->kernel);
    es_json_end(json, '}');
}

static void print_line(es_text_buffer *out)
{
    es_text_add(out, "\n", 1);
    fwrite(out->text, 1, out->length, stdout);
    es_text_clear(out);
}

void es_list_json(const es_entries *entries, const es_program *program, bool members)
{
    es_text_buffer out = {0};
    for (size_t i = 0; i < entries->count; i++) {
        es_json json = {.out = &out};
        es_json_begin(&json, '{');
        if (entries->items[i].kind == ES_ENTRY_PROCEDURE)
            add_procedure(&json, &entries->items[i]);
        else
            add_variable(&json, &entries->items[i], members);
        es_json_end(&json, '}');
        print_line(&out);
    }
    if (program && program->task) {
        es_json json = {.out = &out};
        add_tasks(&json, program);
        print_line(&out);
    }
    es_text_free(&out);
}
