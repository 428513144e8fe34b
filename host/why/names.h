/* What registers and memory are called in the source, and values as it would write them. */
#ifndef ES_WHY_NAMES_H
#define ES_WHY_NAMES_H

#include "base/text.h"
#include "symbols/symbols.h"
#include "symbols/values.h"
#include "why/slice.h"

/* How a machine's registers and memory are read by debug information. */
es_value_context es_why_context(es_machine *machine);

/* Where a local's value is before the instruction at an address; NULL: nowhere. *scope: bytes of code in which the name
 * means this variable there, the less the further in; 0: it does not mean it there. May be NULL. */
const es_value *es_why_found(const es_symbols *symbols, const es_variable *variable, uint32_t pc, uint32_t *scope);

/* Adds what a place is called as the machine is now, in code of `procedure` (NULL: only what is of static storage is
 * looked for). Returns the type of what is there; where the place is a part of a number (", bytes 4 to 7"), or
 * of several (" and 3 bytes after it"), one by which its bits are shown. NULL, and false in *named: it has no name; its
 * register or address was added. */
const es_type *es_why_name(es_text_buffer *out, const es_symbols *symbols, es_machine *machine, const es_isa *isa,
                           const es_procedure *procedure, es_why_place place, bool *named);

/* Adds a value of up to 8 bytes. type NULL: a whole number, without one that is known. */
void es_why_value(es_text_buffer *out, const es_type *type, uint64_t value, unsigned bytes);

#endif
