/* References to cells that are no variables of the program's. */
#include "lang/parser.h"
#include "lang/place.h"
#include "symbols/shadows.h"

bool es_is_copies_cell(const es_reference *reference)
{
    return reference->variable && reference->variable->shadow && reference->variable->shadow->kind == ES_SHADOW_COPIES;
}

size_t es_refer_to_cell(es_parser *parser, es_span from, const es_variable *cell)
{
    es_place p = {.variable = cell, .type = cell->type};
    p.at.variable = cell;
    p.at.address = cell->address;
    p.at.text = cell->name;
    es_place_scalar(parser, from, cell->name, &p); /* it is a word */
    return es_place_add(parser, from, &p);
}
