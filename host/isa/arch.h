/* Names of instruction sets, as ELF attributes and -march have them: "rv32i2p1_m2p0_zicsr2p0". */
#ifndef ES_ISA_ARCH_H
#define ES_ISA_ARCH_H

#include <stdbool.h>
#include <stddef.h>

/* Where the list of extensions begins in a name; NULL: it is none. */
const char *es_arch_extensions(const char *arch);

/* The name of the extension that begins at *at, which moves after it and its version; its length, 0 at the end.
 * "i2p1_m2p0_zicsr2p0" holds i, m, zicsr: one letter each at first, and words of several that an underscore
 * separates. */
size_t es_arch_next(const char **at, const char **name);

/* Whether an instruction set has the extension, in lower case, by its name. arch: NULL, or any text. */
bool es_arch_names(const char *arch, const char *extension);

#endif
