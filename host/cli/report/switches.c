#include "cli/report/switches.h"

#include <inttypes.h>

#define SHOWN 3u /* places and variables; more are not told */

typedef struct told {
    es_arena *arena;
    es_switch *switches;
    size_t count;
    const es_variable *candidates[SHOWN];
    size_t candidate_count;
} told;

/* longjmp is reported only where nothing else switches stacks. */
static told find(const es_symbols *symbols)
{
    told t = {.arena = es_arena_new()};
    size_t count = es_symbols_switches(symbols, t.arena, &t.switches);
    bool own = false;
    for (size_t i = 0; i < count; i++)
        own |= !t.switches[i].longjmp;
    for (size_t i = 0; i < count; i++)
        if (t.switches[i].longjmp != own && (!t.count || t.switches[i].procedure != t.switches[t.count - 1].procedure))
            t.switches[t.count++] = t.switches[i];
    t.candidate_count = es_symbols_switched_by(symbols, t.candidates, SHOWN);
    return t;
}

/* "swap (co.c:12)" */
static void add_place(es_text_buffer *out, const es_symbols *symbols, const es_switch *at)
{
    const char *file;
    unsigned line;
    es_text_format(out, "%s", at->procedure ? at->procedure->name : "code");
    if (es_symbols_line(symbols, at->address, &file, &line))
        es_text_format(out, " (%s:%u)", file, line);
    else
        es_text_format(out, " (0x%08x)", (unsigned)at->address);
}

void es_switches_text(es_text_buffer *out, const es_symbols *symbols, uint64_t count)
{
    told t = find(symbols);
    es_text_format(out, "stacks were switched %" PRIu64 " %s", count, count == 1 ? "time" : "times");
    for (size_t i = 0; i < t.count && i < SHOWN; i++) {
        es_text_format(out, i ? ", " : ", in ");
        add_place(out, symbols, &t.switches[i]);
    }
    es_text_format(out, ": paths and locals are unknown from the first on; ");
    if (t.candidate_count) {
        es_text_format(out, "if one of these says whose stack it is, name it:");
        for (size_t i = 0; i < t.candidate_count; i++)
            es_text_format(out, " --task %s", t.candidates[i]->name);
    } else {
        es_text_format(
            out, "let a variable say whose stack it is, write it before each switch, and name it: --task VARIABLE");
    }
    es_arena_free(t.arena);
}

void es_switches_json(es_json *json, const es_symbols *symbols, uint64_t count)
{
    told t = find(symbols);
    es_json_key(json, "stack_switches");
    es_json_uint(json, count);
    es_json_key(json, "switched_in");
    es_json_begin(json, '[');
    for (size_t i = 0; i < t.count && i < SHOWN; i++) {
        es_text_buffer place = {0};
        add_place(&place, symbols, &t.switches[i]);
        es_json_string(json, place.text);
        es_text_free(&place);
    }
    es_json_end(json, ']');
    es_json_key(json, "task_candidates");
    es_json_begin(json, '[');
    for (size_t i = 0; i < t.candidate_count; i++)
        es_json_string(json, t.candidates[i]->name);
    es_json_end(json, ']');
    es_arena_free(t.arena);
}
