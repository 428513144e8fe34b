#include "session/switches.h"

#include "base/text.h"

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

static const char *const *ended(const char **texts, es_arena *arena, size_t count)
{
    texts = es_arena_grow(arena, texts, count, sizeof *texts);
    texts[count] = NULL;
    return texts;
}

void es_switches_tell(const es_symbols *symbols, es_arena *arena, es_summary *summary)
{
    told t = find(symbols);
    const char **places = NULL, **variables = NULL;
    size_t count = 0;
    for (; count < t.count && count < SHOWN; count++) {
        es_text_buffer place = {0};
        add_place(&place, symbols, &t.switches[count]);
        places = es_arena_grow(arena, places, count, sizeof *places);
        places[count] = es_arena_copy(arena, place.text, place.length);
        es_text_free(&place);
    }
    summary->switched_in = ended(places, arena, count);
    for (count = 0; count < t.candidate_count; count++) {
        variables = es_arena_grow(arena, variables, count, sizeof *variables);
        variables[count] = t.candidates[count]->name;
    }
    summary->switched_by = ended(variables, arena, count);
    es_arena_free(t.arena);
}
