/* Who may run while somebody else is active. */
#include "lang/parser.h"

bool es_leads_to(es_parser *parser, const es_procedure *from, const es_procedure *to)
{
    const es_procedure *const *all;
    const es_call_site *sites;
    size_t count = es_symbols_procedures(parser->symbols, &all), site_count = es_symbols_calls(parser->symbols, &sites);
    const es_procedure **reached = es_arena_alloc(parser->arena, (count + 1) * sizeof *reached);
    size_t reached_count = 0;
    reached[reached_count++] = from;
    for (size_t next = 0; next < reached_count; next++)
        for (size_t s = 0; s < site_count; s++)
            for (size_t i = 0; i < count && sites[s].caller == reached[next]; i++) {
                bool called = sites[s].callee ? sites[s].callee == all[i] : all[i]->address_taken, known = false;
                if (called && all[i] == to)
                    return true;
                for (size_t k = 0; k < reached_count && called && !known; k++)
                    known = reached[k] == all[i];
                if (called && !known && reached_count < count)
                    reached[reached_count++] = all[i];
            }
    return false;
}
