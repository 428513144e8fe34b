/* Statements as trees, made by hand: helpers for tests of host/image and of the firmware. Memory is never freed. */
#ifndef TESTS_IMAGE_TREES_H
#define TESTS_IMAGE_TREES_H

#include "lang/statement.h"

extern const es_type tree_int, tree_uint, tree_short, tree_ushort, tree_schar, tree_uchar;

es_expr *tree_const(uint32_t value);
es_expr *tree_ref(size_t index);
es_expr *tree_old(size_t index);
es_expr *tree_write(size_t index);
es_expr *tree_enter(const es_procedure *procedure);
es_expr *tree_leave(const es_procedure *procedure);
es_expr *tree_unary(enum es_op op, es_expr *lhs);
es_expr *tree_binary(enum es_op op, es_expr *lhs, es_expr *rhs); /* signed */

es_reference tree_static(const es_type *type, uint32_t address);
/* What lies `offset` bytes from where the reference number `base` points to. */
es_reference tree_through(const es_type *type, size_t base, int32_t offset);
es_reference tree_local(const es_type *type, const es_procedure *frame, int32_t offset);

/* Adds an action to a statement of these trees. */
void tree_action(es_statement *statement, es_action action);

/* Adds a statement `when predicate { print first `prints` references }`; prints < 0: no print. All references count
 * as the predicate's. */
es_statement *tree_statement(es_program *program, es_expr *predicate, const es_reference *references, size_t count,
                             int prints);
/* Whether the expression names a reference as a value, in old(), age() or write(): then writes to it are the
 * statement's events, otherwise (it is in read(), or only printed) they are not. */
bool tree_names(const es_expr *expr, size_t reference);
void tree_count(es_statement *statement, es_program *program, size_t counter);

#endif
