/* Words that help where a name means nothing, or not what was meant. Texts are the parser's arena's. */
#ifndef ES_LANG_SUGGEST_H
#define ES_LANG_SUGGEST_H

#include "lang/parser.h"

/* "did you mean ...?" for an unknown name, of a procedure or a variable; NULL when nothing is near. */
const char *es_suggest_name(es_parser *parser, const char *name, bool procedures);

/* What may help somebody who has written a name that is not known: of a local, with its procedure, else NULL. */
const char *es_suggest(es_parser *parser, const es_procedure *procedure, const char *name, bool procedures);

/* How to write which variable is meant. */
const char *es_qualified(es_parser *parser, const es_variable *variable);

#endif
