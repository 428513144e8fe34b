/* Reads the text form of the monitor IR (docs/compiler.md), as es_ir_print writes it. */
#ifndef TESTS_IR_READER_H
#define TESTS_IR_READER_H

#include "ir/ir.h"

/* Builds the code that lines tell; code is emptied first, but for what lies around it (base, ram_at, spill). A line can
 * also say `allowed t1 t2`: the registers that virtual ones may become. Returns NULL, or what is wrong. */
const char *ir_read(es_ir_code *code, const char *text);

#endif
