#include "store/trace_metadata.h"

#include <inttypes.h>
#include <string.h>

#include "store/field_types.h"
#include "store/layout.h"
#include "store/schema_text.h"
#include "store/tsdl.h"

#define CHECK_SIZE (sizeof "/* check 0123456789abcdef */\n" - 1)

static void put_env(es_text_buffer *out, const char *key, const char *text, size_t length)
{
    es_text_format(out, "    %s = ", key);
    es_tsdl_quoted(out, text, length);
    es_text_format(out, ";\n");
}

void es_trace_metadata_begin(es_text_buffer *out, const es_schema *schema, const es_trace_origin *origin)
{
    es_text_buffer text = {0};
    es_schema_put(&text, schema);
    es_tsdl_begin(out);
    es_text_format(out,
                   "env {\n    tracer_name = \"earshot\";\n    earshot_format = %u;\n"
                   "    earshot_chunk = %" PRIu64 ";\n    earshot_origin_ns = %" PRId64 ";\n",
                   ES_TRACE_FORMAT, origin->chunk, origin->ns);
    if (schema->program)
        put_env(out, "program", schema->program, strlen(schema->program));
    if (origin->probe)
        put_env(out, "probe", origin->probe, strlen(origin->probe));
    put_env(out, "earshot_schema", text.text, text.length);
    es_text_format(out, "};\n\n");
    es_text_free(&text);
    es_tsdl_clock(out, schema->clock_hz, origin->ns);
    es_text_format(out, "typealias enum : uint32_t { \"-\" = 0, \"?\" = %u", ES_TRACE_NO_NAME);
}

void es_trace_metadata_name(es_text_buffer *out, uint32_t number, const char *text)
{
    es_text_add(out, ",\n    ", 6);
    es_tsdl_quoted(out, text, strlen(text));
    es_text_format(out, " = %u", (unsigned)number);
}

/* All combinations of a hit's flags by name. */
static void put_flags(es_text_buffer *out)
{
    static const char *const names[] = {"uncertain",    "timed", "path_unknown", "path_cut",
                                        "task_unknown", "times", "place_unknown"};
    const unsigned count = sizeof names / sizeof *names;
    es_text_format(out, "typealias enum : uint8_t { \"-\" = 0");
    for (unsigned flags = 1; flags < 1u << count; flags++) {
        const char *separator = "";
        es_text_format(out, ", \"");
        for (unsigned i = 0; i < count; i++)
            if (flags >> i & 1) {
                es_text_format(out, "%s%s", separator, names[i]);
                separator = "|";
            }
        es_text_format(out, "\" = %u", flags);
    }
    es_text_format(out, " } := hit_flags;\n");
}

static void put_types(es_text_buffer *out)
{
    es_text_format(out, " } := name;\n\n"
                        "typealias integer { size = 8; align = 8; signed = false; base = 16; } := hex8;\n"
                        "typealias integer { size = 32; align = 8; signed = false; base = 16; } := hex32;\n"
                        "typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := character;\n"
                        "typealias enum : uint8_t { \"no\" = 0, \"yes\" = 1 } := truth;\n"
                        "typealias enum : uint8_t { \"bus_transactions\", \"events\", \"link_frames\", \"records\", "
                        "\"trace_records\" } "
                        ":= lost_what;\n"
                        "typealias enum : uint8_t { \"met\", \"failed\", \"unknown\" } := verdict;\n");
    put_flags(out);
    es_text_add(out, "\n", 1);
}

static void put_class(es_text_buffer *out, const char *name, unsigned id)
{
    es_text_format(out, "event {\n    name = ");
    es_tsdl_quoted(out, name, strlen(name));
    es_text_format(out, ";\n    id = %u;\n    stream_id = 0;\n    fields := struct {\n", id);
}

static void put_end(es_text_buffer *out)
{
    es_text_format(out, "    };\n};\n\n");
}

/* Numbers by statement or by counter. */
static void put_numbers(es_text_buffer *out, const es_schema *schema, bool counters, const char *type, const char *name)
{
    es_members members = {0};
    size_t count = counters ? schema->counter_count : schema->statement_count;
    es_text_format(out, "        struct { ");
    for (size_t i = 0; i < count; i++) {
        es_text_format(out, "%s ", type);
        es_members_add(&members, out, counters ? schema->counters[i] : schema->statements[i].name);
        es_text_format(out, "; ");
    }
    es_text_format(out, "} %s;\n", name);
    es_members_free(&members);
}

static void put_summary(es_text_buffer *out, const es_schema *schema)
{
    put_class(out, "earshot:summary", ES_TRACE_SUMMARY);
    es_text_format(out, "        uint64_t _hits;\n        uint64_t _lost_bus;\n        uint64_t _lost_events;\n"
                        "        uint64_t _lost_link;\n        uint64_t _evaluations_unknown;\n"
                        "        uint64_t _stack_switches;\n        uint64_t _tasks_given_up;\n"
                        "        uint64_t _torn;\n        int64_t _unaccounted;\n        uint64_t _cycles;\n"
                        "        double _wall_seconds;\n        int32_t _exit_code;\n        truth _complete;\n"
                        "        truth _exited;\n        truth _trapped;\n        truth _halted;\n"
                        "        truth _mismatch;\n        uint64_t _pulses[8];\n");
    put_numbers(out, schema, false, "uint64_t", "_statement_hits");
    put_numbers(out, schema, true, "int32_t", "_counters");
    put_numbers(out, schema, false, "struct { verdict _verdict; truth _explained; string _why; }", "_expectations");
    es_text_format(out, "        uint8_t _switches_told;\n        uint32_t _switched_in_count;\n"
                        "        string _switched_in[_switched_in_count];\n        uint32_t _switched_by_count;\n"
                        "        string _switched_by[_switched_by_count];\n");
    put_numbers(out, schema, false, "uint64_t", "_statement_unknown");
    put_end(out);
}

static void put_others(es_text_buffer *out, const es_schema *schema)
{
    static const char *const texts[] = {"earshot:console", "earshot:note", "earshot:warning"};
    put_class(out, "earshot:exact", ES_TRACE_EXACT);
    es_text_format(out, "        uint64_t _time;\n        uint32_t _values;\n        uint32_t _objects;\n");
    put_end(out);
    put_class(out, "earshot:lost", ES_TRACE_LOST);
    es_text_format(out, "        uint64_t _first;\n        uint64_t _last;\n        uint64_t _count;\n"
                        "        lost_what _what;\n");
    put_end(out);
    for (unsigned i = 0; i < 3; i++) {
        put_class(out, texts[i], ES_TRACE_CONSOLE + i);
        es_text_format(out, "        uint32_t _size;\n        character _text[_size];\n");
        put_end(out);
    }
    put_class(out, "earshot:progress", ES_TRACE_PROGRESS);
    es_text_format(out, "        uint64_t _hits;\n        uint64_t _lost;\n        uint64_t _time;\n"
                        "        double _wall_seconds;\n");
    put_numbers(out, schema, false, "uint64_t", "_statement_hits");
    put_end(out);
    put_class(out, "earshot:clock", ES_TRACE_CLOCK);
    es_text_format(
        out,
        "        uint64_t _time;\n        int64_t _steady_ns;\n        int64_t _unix_ns;\n"
        "        int64_t _error_ns;\n        double _drift_ppm;\n        double _drift_error_ppm;\n"
        "        uint64_t _from;\n        uint32_t _restarts;\n        truth _known;\n        string _computer;\n");
    put_end(out);
    put_class(out, "earshot:inferred", ES_TRACE_INFERRED);
    es_text_format(out, "        uint64_t _time;\n        uint64_t _hit;\n        uint32_t _statement;\n"
                        "        hex32 _pc;\n        truth _only;\n        double _other;\n"
                        "        uint32_t _path_count;\n"
                        "        struct { name _path; double _probability; } _inferred[_path_count];\n");
    put_end(out);
    put_summary(out, schema);
}

/* Which values are not known, and why. */
static void put_reasons(es_text_buffer *out, const es_schema_statement *statement, size_t most)
{
    if (!most)
        return;
    es_text_format(out, "        uint8_t _unknown_count;\n        struct { enum : uint16_t {");
    for (size_t i = 0; i < most; i++) {
        const char *name = statement->fields[i].name;
        unsigned earlier = 0; /* with that name: a variable may be printed twice */
        es_text_buffer label = {0};
        for (size_t k = 0; k < i; k++)
            earlier += strcmp(statement->fields[k].name, name) == 0;
        es_text_format(&label, "%s", name);
        if (earlier)
            es_text_format(&label, " (%u)", earlier + 1);
        es_text_format(out, i ? ", " : " ");
        es_tsdl_quoted(out, label.text, label.length);
        es_text_format(out, " = %zu", i);
        es_text_free(&label);
    }
    es_text_format(out, " } _value; name _why; } _unknown_why[_unknown_count];\n");
}

static void put_hit(es_text_buffer *out, const es_schema *schema, size_t number, const es_hit_layout *layout)
{
    size_t unknown = layout->unknown;
    const es_schema_statement *statement = &schema->statements[number];
    put_class(out, statement->name, ES_TRACE_STATEMENTS + (unsigned)number);
    es_text_format(out, "        hit_flags _flags;\n        hex32 _pc;\n        name _path;\n        name _inlined;\n"
                        "        name _task;\n        name _file;\n        uint32_t _line;\n");
    if (schema->task_pointers)
        es_text_format(out, "        hex32 _task_pointer;\n");
    if (schema->times)
        es_text_format(out, "        uint64_t _recognised;\n        uint64_t _acting;\n"
                            "        uint64_t _done;\n");
    if (unknown > 8)
        es_text_format(out, "        uint64_t _unknown[%zu];\n", unknown / 8);
    else if (unknown)
        es_text_format(out, "        integer { size = %zu; align = 8; signed = false; base = 2; } _unknown;\n",
                       unknown * 8);
    es_field_types(out, statement);
    put_reasons(out, statement, layout->reasons);
    put_end(out);
}

static void add_check(es_text_buffer *out)
{
    uint64_t sum = es_packet_sum((const uint8_t *)out->text, out->length);
    es_text_format(out, "/* check %016" PRIx64 " */\n", sum);
}

bool es_trace_metadata_is_whole(const char *text, size_t length)
{
    es_text_buffer again = {0};
    bool good = length > CHECK_SIZE;
    if (good) {
        es_text_add(&again, text, length - CHECK_SIZE);
        add_check(&again);
        good = memcmp(again.text + length - CHECK_SIZE, text + length - CHECK_SIZE, CHECK_SIZE) == 0;
    }
    es_text_free(&again);
    return good;
}

void es_trace_metadata_end(es_text_buffer *out, const es_schema *schema)
{
    es_arena *arena = es_arena_new();
    const es_hit_layout *layouts = es_hit_layouts(schema, arena);
    put_types(out);
    es_tsdl_stream(out, "uint16_t");
    put_others(out, schema);
    for (size_t i = 0; i < schema->statement_count; i++)
        put_hit(out, schema, i, &layouts[i]);
    es_arena_free(arena);
    add_check(out);
}
