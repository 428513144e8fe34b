/* Statements in groups, of which each has an image of its own: for the replay, where any number of probes in software
 * hears the same bus. Together they find what one probe would find that could hold all statements.
 *
 * Statements that depend on each other are in one group: by a counter that one of them asks for, shows or sets, or
 * because one enables or disables another. A counter that is only counted may be in several: what they counted is
 * added up. Where deadlines have to be told in their order (image/times/order.h), and where a statement says `stop`,
 * all are in one group, if they fit. */
#ifndef ES_IMAGE_GROUPS_H
#define ES_IMAGE_GROUPS_H

#include "base/arena.h"
#include "image/image.h"

typedef struct es_image_group {
    es_program program;       /* its statements, and the counters that they use */
    const size_t *statements; /* by statement of it: the number in the whole program, ascending */
    const size_t *counters;   /* by counter of it */
    es_image image;
} es_image_group;

typedef struct es_image_groups {
    es_image_group *groups;
    size_t count; /* at least 1 */
    es_arena *arena;
} es_image_groups;

/* One group of all statements. Errors as es_image_build. */
bool es_image_groups_one(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                         es_image_groups *groups, es_error *err);

/* As many groups as it takes. most: statements in each at most, 0: as many as fit. Fails with ES_USAGE where statements
 * that have to be in one group do not fit, or where one of them cannot be had at all. */
bool es_image_groups_build(const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
                           size_t most, es_image_groups *groups, es_error *err);

void es_image_groups_free(es_image_groups *groups);

/* The figures of all (es_image_figures) from those of each, in words of the whole program. words: by group. */
void es_image_groups_figures(const es_image_groups *groups, const es_program *program, const uint32_t *const *words,
                             uint32_t *all);

#endif
