/* A folder of the test's own, removed at its end. */
#ifndef TESTS_STORE_SCRATCH_H
#define TESTS_STORE_SCRATCH_H

void scratch_begin(void);
void scratch_end(void);

/* The path of something in it; valid until the next call but seven. */
const char *scratch_path(const char *name);

#endif
