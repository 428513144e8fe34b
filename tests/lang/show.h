/* Trees as text, for comparing: what statement 0 of `text` became, or the error message. */
#ifndef TESTS_LANG_SHOW_H
#define TESTS_LANG_SHOW_H

/* The predicate as an S-expression: operators of unsigned kind end in u (as `<u`, `>>u`), constants carry u when unsigned, references
 * are @ADDRESS:SIZE or PROCEDURE@OFFSET:SIZE, with .BIT+BITS for bit-fields and s behind when the value's own type is signed.
 * Behind it the actions: ` | print name=reference ... | count name`. A failure gives the message. The result is static. */
const char *show(const char *text);

/* The same for several statements, one a line, each with its name before it. */
const char *show_all(const char *text);

#endif
