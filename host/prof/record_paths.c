#include "prof/record_paths.h"

#include <stdlib.h>
#include <string.h>

#include "record/path.h"

#define DEEPEST 64u     /* activations */
#define MOST (1u << 16) /* paths: beyond, all but the outermost and the last activation are left out */

void es_prof_paths_begin(es_prof_paths *paths, es_names *names)
{
    *paths = (es_prof_paths){.names = names};
    paths->paths = es_prof_grow(NULL, 0, sizeof *paths->paths);
    paths->paths[paths->count++] = (es_prof_path){0};
}

void es_prof_paths_end(es_prof_paths *paths)
{
    free(paths->paths);
    es_prof_numbers_free(&paths->numbers);
}

static uint32_t outermost(const es_prof_paths *p, uint32_t path)
{
    while (p->paths[path].depth > 1)
        path = p->paths[path].parent;
    return path;
}

static uint32_t name_of(const es_prof_paths *p, uint32_t parent, const es_prof_step *step)
{
    es_text_buffer text = {0};
    const char *before = es_names_text(p->names, p->paths[parent].name);
    if (before)
        es_text_add(&text, before, strlen(before));
    es_path_add(&text, &(es_path_part){.name = step->name, .interrupt = step->interrupt});
    uint32_t name = es_names_add(p->names, text.text, text.length);
    es_text_free(&text);
    return name;
}

/* Of these two, with nothing left out between them but what was before (cut). */
static uint32_t path_of(es_prof_paths *p, uint32_t parent, const es_prof_step *step, bool cut)
{
    bool partial = p->paths[parent].partial || (!parent && step->partial);
    uint32_t part = step->procedure * 8 + 4 * cut + 2 * step->interrupt + partial;
    uint32_t *found = es_prof_number(&p->numbers, parent, part), number = (uint32_t)p->count;
    if (*found != UINT32_MAX)
        return *found;
    if (p->count >= MOST && p->paths[parent].depth > 1) {
        *found = 0; /* the table may move */
        number = path_of(p, outermost(p, parent), step, true);
        return *es_prof_number(&p->numbers, parent, part) = number;
    }
    *found = number;
    p->paths = es_prof_grow(p->paths, p->count, sizeof *p->paths);
    p->paths[p->count++] = (es_prof_path){.parent = parent,
                                          .name = name_of(p, parent, step),
                                          .depth = (uint16_t)(p->paths[parent].depth + 1),
                                          .cut = cut,
                                          .partial = partial};
    return number;
}

uint32_t es_prof_path_with(es_prof_paths *paths, uint32_t parent, const es_prof_step *step)
{
    const es_prof_path *before = &paths->paths[parent];
    bool cut = before->cut || before->depth == DEEPEST;
    return path_of(paths, cut ? before->parent : parent, step, cut);
}
