/* Whether a variable can be followed. */
#include "lang/parser.h"
#include "lang/suggest.h"

static size_t index_of(const es_procedure *const *all, size_t count, const es_procedure *wanted)
{
    size_t i = 0;
    while (i < count && all[i] != wanted)
        i++;
    return i;
}

/* "a -> b -> a": a shortest cycle of calls through the procedure, found breadth first. */
static const char *cycle_through(es_parser *parser, const es_procedure *procedure)
{
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(parser->symbols, &all);
    const es_call_site *calls;
    size_t call_count = es_symbols_calls(parser->symbols, &calls);
    size_t goal = index_of(all, count, procedure);
    if (goal == count)
        return procedure->name;
    /* from[i]: who was first seen to call i, plus one; 0 nobody yet. */
    size_t *from = es_arena_alloc(parser->arena, count * sizeof *from);
    size_t *queue = es_arena_alloc(parser->arena, count * sizeof *queue);
    size_t head = 0, tail = 0;
    queue[tail++] = goal;
    while (head < tail && !from[goal]) {
        size_t caller = queue[head++];
        for (size_t c = 0; c < call_count && !from[goal]; c++) {
            if (calls[c].caller != all[caller])
                continue;
            for (size_t callee = 0; callee < count; callee++) {
                bool reached = calls[c].callee ? calls[c].callee == all[callee] : all[callee]->address_taken;
                if (!reached || from[callee])
                    continue;
                from[callee] = caller + 1;
                if (callee != goal)
                    queue[tail++] = callee;
            }
        }
    }
    const char *text = procedure->name;
    for (size_t at = goal, steps = 0; from[at] && steps < 8; steps++) {
        at = from[at] - 1;
        text = es_arena_format(parser->arena, "%s -> %s", all[at]->name, text);
        if (at == goal)
            return text;
    }
    return from[goal] ? es_arena_format(parser->arena, "... -> %s", text) : text;
}

bool es_check_observable(es_parser *parser, es_span from, const es_variable *variable, const char **feature_text)
{
    const char *name = es_qualified(parser, variable);
    if (variable->place == ES_PLACE_NONE)
        return es_parser_fail_from(parser, from, NULL, "'%s' is not observable: %s", name,
                                   variable->why ? variable->why : "the program does not say where it is");
    if (variable->place != ES_PLACE_FRAME)
        return true;
    const es_procedure *procedure = variable->procedure;
    if (!procedure)
        return es_parser_fail_from(parser, from, NULL, "'%s' lies in a frame of no known procedure", name);
    es_warn_of_copies(parser, procedure, name);
    if (procedure->is_interrupt)
        *feature_text = es_arena_format(
            parser->arena, "'%s' is a local of an interrupt handler, whose frame lies wherever it interrupts", name);
    else if (procedure->is_recursive)
        *feature_text = es_arena_format(parser->arena, "'%s' is a local of a recursive procedure (%s)", name,
                                        cycle_through(parser, procedure));
    return true;
}
