/* Programs made of procedures of 256 bytes at 0, 0x100, ...; number 0 is the root. One at a time, and what is built of
 * it. */
#ifndef ES_TEST_BLOCKS_H
#define ES_TEST_BLOCKS_H

#include <image.h>

#include "fake_symbols.h"
#include "image/image.h"
#include "lang/statement.h"

#define PROCEDURES_MAX 1200

extern es_procedure procedures[PROCEDURES_MAX];
extern int frames[PROCEDURES_MAX];
extern es_call_site sites[8 * PROCEDURES_MAX];
extern es_symbols symbols;
extern es_probe_limits limits;
extern es_program program;
extern es_image image;
extern es_error err;

/* No procedures, no statements. */
void setup(void);
void add_procedures(size_t count);
/* The caller's next call; callee: a procedure's number, or -1 through a pointer. */
void add_call(size_t caller, int callee, bool tail);
/* A statement about a local of that procedure. */
void watch_local(size_t procedure);
bool build(void);
/* The program is refused by a message that has the part. */
void refused(const char *part);
/* Of the image that was built. */
const struct es_mi_header *header(void);

#endif
