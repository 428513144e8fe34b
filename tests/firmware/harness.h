/* One run of the firmware: an image, the model, and what must be sent. */
#ifndef TESTS_FIRMWARE_HARNESS_H
#define TESTS_FIRMWARE_HARNESS_H

#include "../image/trees.h"
#include "check_main.h"
#include "target.h"

#define X 0x20000u /* a global */
#define PROCEDURE(name) (&target_procedures[name])

extern model *m;
extern es_program program;
extern es_image image;

void harness_setup(void);
void harness_teardown(void);

/* Builds the image, starts the firmware and checks its greeting. */
void start(void);
void start_on(const es_probe_limits *limits); /* another probe than target_limits */

/* The next frame, which must be of this kind and in sequence. */
const model_frame *expect(uint32_t kind);
void expect_nothing(void);

/* A PATH frame with `keep` and the sites up to a 0xFFFFFFFF. */
void expect_path(uint32_t keep, const uint32_t *sites);
#define PATH(keep, ...) expect_path(keep, (const uint32_t[]){__VA_ARGS__, 0xFFFFFFFFu})
#define PATH_CUT_TO(keep) expect_path(keep, (const uint32_t[]){0xFFFFFFFFu})

void expect_hit(unsigned statement, uint32_t flags, uint32_t pc, size_t values, uint32_t value);

/* One with so many values, of which those with bits in `unknown` are not known. */
void expect_unknown(unsigned statement, uint32_t pc, size_t values, uint32_t unknown);

/* Flushes; the summary tells so many evaluations that met unknown memory and variables left half-written. */
void expect_summary(uint32_t unknown, uint32_t incomplete);

/* `x > limit { print x }` */
void statement_x_above(uint32_t limit);

#endif
