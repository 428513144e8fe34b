#include "image/clusters.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct cluster {
    const char *listens; /* to what, in words that begin alike where much is in common */
    size_t first;        /* its first statement */
    size_t at, count;    /* its statements in the order of their clusters' first ones */
} cluster;

static void add_path(es_text_buffer *out, const es_path *path)
{
    es_text_format(out, "%s ", path ? path->text : "");
}

/* What a statement's first event is: the paths that it is on, then the procedure, place or variable. */
static const char *listens(const es_statement *statement, es_arena *arena, es_text_buffer *text)
{
    const es_condition *condition = es_statement_condition(statement, 0);
    es_text_clear(text);
    if (!condition || !condition->trigger_count)
        return "";
    const es_trigger *trigger = &condition->triggers[0];
    add_path(text, condition->exists_count ? condition->exists[0] : trigger->path);
    switch (trigger->kind) {
    case ES_TRIGGER_ENTER:
    case ES_TRIGGER_LEAVE: es_text_format(text, "%s", trigger->procedure->name); break;
    case ES_TRIGGER_AT: es_text_format(text, "%s", trigger->position->text); break;
    default: es_text_format(text, "%s", statement->references[trigger->index].text);
    }
    return es_arena_copy(arena, text->text, text->length);
}

static int by_what_they_listen_to(const void *left, const void *right)
{
    const cluster *a = left, *b = right;
    int order = strcmp(a->listens, b->listens);
    return order ? order : a->first < b->first ? -1 : a->first > b->first;
}

void es_image_clusters_find(es_image_clusters *clusters, const es_program *program, enum es_linked_by by,
                            es_arena *arena)
{
    size_t count = program->statement_count, found = 0, at = 0;
    size_t *first = es_linked_find(program, arena, by);
    size_t *numbers = es_arena_alloc(arena, (count + 1) * sizeof *numbers);
    size_t *of = es_arena_alloc(arena, (count + 1) * sizeof *of); /* by first statement: its cluster */
    cluster *all = es_arena_alloc(arena, (count + 1) * sizeof *all);
    es_text_buffer text = {0};
    for (size_t i = 0; i < count; i++) {
        if (first[i] == i) {
            of[i] = found;
            all[found++] = (cluster){.listens = listens(&program->statements[i], arena, &text), .first = i};
        }
        all[of[first[i]]].count++;
    }
    es_text_free(&text);
    for (size_t k = 0; k < found; k++) {
        all[k].at = at;
        at += all[k].count;
    }
    for (size_t i = 0; i < count; i++)
        numbers[all[of[first[i]]].at++] = i;
    qsort(all, found, sizeof *all, by_what_they_listen_to);
    *clusters = (es_image_clusters){.numbers = es_arena_alloc(arena, (count + 1) * sizeof *clusters->numbers),
                                    .ends = es_arena_alloc(arena, (found + 1) * sizeof *clusters->ends),
                                    .count = found};
    at = 0;
    for (size_t k = 0; k < found; k++) {
        memcpy(clusters->numbers + at, numbers + all[k].at - all[k].count, all[k].count * sizeof *numbers);
        clusters->ends[k] = at += all[k].count;
    }
}

size_t es_image_clusters_until(const es_image_clusters *clusters, size_t first, size_t most)
{
    size_t from = es_image_clusters_at(clusters, first), end = first + 1;
    while (end < clusters->count && clusters->ends[end] - from <= most)
        end++;
    return end;
}
