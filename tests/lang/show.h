/* Trees as text, for comparing: what statement 0 of `text` became, or the error message. */
#ifndef TESTS_LANG_SHOW_H
#define TESTS_LANG_SHOW_H

#include <stdint.h>

#include "base/text.h"
#include "lang/statement.h"

/* The event as an S-expression: (then A B within 5000ns), (and A B), (or A B), (for 3000ns A); conditions:: operators
 * of unsigned kind end in u (as `<u`, `>>u`), constants carry u when unsigned, references are @ADDRESS:SIZE or
 * PROCEDURE@OFFSET:SIZE, with .BIT+BITS for bit-fields and s after when the value's own type is signed. 64-bit
 * operators and constants have a q (as `+q`, 5q), float ones f, double ones d, times t. A path stands in <> with >
 * between its steps: a name, name#SITE for a call, * and name[k]. REF->OFFSET:SIZE goes through a pointer,
 * [INDEX*STRIDE<COUNT] is a variable index. After it the actions: ` | print name=reference ... | count name`. A
 * failure gives the message. The result is static. */
const char *show(const char *text);

/* The same for several statements, one a line, each with its name before it. */
const char *show_all(const char *text);

/* Of statement 0's last condition: events of interest and evaluation condition, ` @ trigger, ... while path, ...`. */
const char *show_condition(const char *text);

/* The same of trees at hand. */
void show_statement(es_text_buffer *out, const es_program *program, const es_statement *statement);
void show_last_condition(es_text_buffer *out, const es_statement *statement);

/* What required(features) says of the statements, or "good". */
const char *show_required(const char *text, uint64_t features);

#endif
