/* What nodes of expressions name. */
#ifndef ES_IMAGE_PLAN_NAMED_H
#define ES_IMAGE_PLAN_NAMED_H

#include "lang/statement.h"

/* Whether a node of an expression names a reference of the statement: its value, old value, age, or an event of it. */
bool es_named_reference(const es_expr *expr);

/* Whether a node is about values of variables and counters, and not about an event, a path, or a time. */
bool es_named_value(const es_expr *expr);

/* A counter that an index names and a statement changes; NULL: there is none. */
const es_expr *es_named_changed_by(const es_statement *statement, const es_expr *index);

#endif
