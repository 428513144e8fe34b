/* The program's instructions, for those who walk its code themselves. */
#ifndef ES_SYMBOLS_CODE_H
#define ES_SYMBOLS_CODE_H

#include "isa/isa.h"
#include "symbols/symbols.h"

/* The instruction set that the program was compiled for. */
const es_isa *es_symbols_isa(const es_symbols *symbols);

/* The instruction at an address; false: the program has none there, or not all of it. */
bool es_symbols_insn(const es_symbols *symbols, uint32_t address, es_insn *insn);

/* The call at an address as the probe tells it: its site (es_isa_site). */
uint32_t es_symbols_site(const es_symbols *symbols, uint32_t address);
/* ... and back: the address of the call with that site. */
uint32_t es_symbols_call_at(const es_symbols *symbols, uint32_t site);

/* Code that gives the caller's registers back to it, with the stack pointer, and returns: a helper of the compiler's,
 * to which procedures jump as their end. What they return is in its registers already. */
bool es_symbols_only_restores(const es_symbols *symbols, uint32_t address);

#endif
