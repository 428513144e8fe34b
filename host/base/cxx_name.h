/* Names as C++ has them: app::Ring<int, 4>::push(int const&), Vec::operator+=, X::~X,
 * f(int)::{lambda(int)#1}::operator().
 *
 * A name is made of components that :: joins; a procedure's may end in its parameters. In its normal form there are no
 * blanks but between two words, const stands after its type, integers are spelled one way (unsigned int, long), and
 * anonymous namespaces are left out. C's names are names of one component. */
#ifndef ES_BASE_CXX_NAME_H
#define ES_BASE_CXX_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Bytes of the component that begins at text, which ends with a NUL: with its template arguments, and with parameters
 * where another component follows (f(int)::x). 0: none begins here. */
size_t es_cxx_component(const char *text);

/* Bytes of a group in brackets (one of "(<{[") that begins at text, up to its end; 0: it has none in its line. */
size_t es_cxx_group(const char *text);

/* Bytes of the components at text that :: joins, without the parameters after the last. A leading :: counts. */
size_t es_cxx_scoped(const char *text);

/* Where the last component of a name without parameters begins. */
const char *es_cxx_last(const char *name);

/* Adds the normal form of a name, or of parameters. */
void es_cxx_normal(es_text_buffer *out, const char *text, size_t length);

/* Both in normal form and without parameters: is `name` the one that `wanted` means? ES_CXX_WHOLE: all components are
 * the same. ES_CXX_PART: its last ones are. Template arguments that `wanted` leaves out may be any. A leading :: asks
 * for the whole. */
enum es_cxx_match { ES_CXX_NOT, ES_CXX_PART, ES_CXX_WHOLE };
enum es_cxx_match es_cxx_means(const char *wanted, const char *name);

/* Both in normal form: are these the same parameters? What stands after the parenthesis counts where wanted has it. */
bool es_cxx_same_parameters(const char *wanted, const char *parameters);

#endif
