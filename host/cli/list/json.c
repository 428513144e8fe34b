/* The list as JSON Lines: an object for each thing, keys as earshot-list(1) says. */
#include <stdio.h>

#include "base/json.h"
#include "cli/list/members.h"
#include "cli/list/print.h"

static void add_string(es_json *json, const char *key, const char *text)
{
    es_json_key(json, key);
    es_json_string(json, text);
}

static void add_uint(es_json *json, const char *key, uint64_t value)
{
    es_json_key(json, key);
    es_json_uint(json, value);
}

static void add_true(es_json *json, const char *key)
{
    es_json_key(json, key);
    es_json_bool(json, true);
}

static void add_declared(es_json *json, const char *file, unsigned line)
{
    if (!file)
        return;
    add_string(json, "file", file);
    add_uint(json, "line", line);
}

static void add_place(es_json *json, const es_entry *entry)
{
    const es_variable *variable = entry->variable;
    static const char *const places[] = {
        [ES_PLACE_STATIC] = "memory", [ES_PLACE_FRAME] = "stack", [ES_PLACE_NONE] = "none"};
    add_string(json, "place", places[variable->place]);
    if (variable->place == ES_PLACE_STATIC)
        add_uint(json, "address", variable->address);
    if (variable->place == ES_PLACE_NONE)
        add_string(json, "why", variable->why);
    if (variable->place == ES_PLACE_NONE) {
        es_json_key(json, "replay");
        es_json_bool(json, entry->replay);
    }
    if (variable->place != ES_PLACE_FRAME)
        return;
    es_json_key(json, "cfa_offset");
    es_json_int(json, variable->cfa_offset);
    if (!variable->life)
        return;
    add_string(json, "observed", variable->life->observed);
    add_string(json, "elsewhere", variable->life->elsewhere);
    add_string(json, "advice", variable->life->advice);
}

static void add_member(void *context, const es_list_member *member)
{
    es_json *json = context;
    es_json_begin(json, '{');
    add_string(json, "name", member->name);
    add_string(json, "type", member->type->name);
    add_uint(json, "size", member->type->size);
    add_uint(json, "offset", member->offset);
    if (member->bit_size) {
        add_uint(json, "bit_offset", member->bit_offset);
        add_uint(json, "bits", member->bit_size);
    }
    es_json_end(json, '}');
}

static void add_variable(es_json *json, const es_entry *entry, bool members)
{
    const es_variable *variable = entry->variable;
    add_string(json, "kind", entry->kind == ES_ENTRY_LOCAL ? "local" : "variable");
    add_string(json, "name", entry->name);
    add_string(json, "type", variable->type->name);
    add_uint(json, "size", variable->type->size);
    if (variable->procedure)
        add_string(json, "procedure", variable->procedure->name);
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
    add_string(json, "kind", "procedure");
    add_string(json, "name", entry->name);
    if (procedure->low != procedure->high) {
        add_uint(json, "address", procedure->low);
        add_uint(json, "size", procedure->high - procedure->low);
    }
    add_declared(json, procedure->file, procedure->line);
    if (procedure->is_interrupt)
        add_true(json, "interrupt");
    if (procedure->is_recursive)
        add_true(json, "recursive");
    if (entry->clone_of)
        add_uint(json, "clone_of", entry->clone_of->low);
    if (inlined)
        add_string(json, "inlined", inlined);
}

static void add_tasks(es_json *json, const es_program *program)
{
    es_json_begin(json, '{');
    add_string(json, "kind", "tasks");
    add_string(json, "by", program->task->text);
    add_string(json, "kernel", program->kernel);
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
