/* A profile as others read it. Each adds to `out`. */
#ifndef ES_PROF_WRITE_H
#define ES_PROF_WRITE_H

#include <stdio.h>

#include "base/text.h"
#include "prof/profile.h"

/* For people: a flat profile, callers and callees of each function, tasks, interrupts. program: its file's name. */
void es_prof_text(es_text_buffer *out, const es_prof *profile, const char *program);

/* For callgrind_annotate, KCachegrind and others (valgrind's "Callgrind Format Specification"). */
void es_prof_callgrind(es_text_buffer *out, const es_prof *profile, const char *program);

/* A line for each path, "main;control;clamp 123", in instructions: for flame graphs. Of a profile with keep_paths. */
void es_prof_folded(es_text_buffer *out, const es_prof *profile);

/* Coverage as lcov keeps it: how often lines and procedures were executed. */
void es_prof_lcov(es_text_buffer *out, const es_prof *profile);

/* For ui.perfetto.dev: each activation as a slice on its stack's track, interrupts on the stack that they came on, and
 * which stack runs. Written while the profile is taken: `begin` before it, which gives it the hearer, and `end` after
 * it. */
typedef struct es_prof_perfetto es_prof_perfetto;
es_prof_perfetto *es_prof_perfetto_begin(FILE *file, const char *program, es_prof *profile);
/* False: not all could be written; errno says why. Frees it. */
bool es_prof_perfetto_end(es_prof_perfetto *perfetto);

#endif
