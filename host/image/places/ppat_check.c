/* What is asked of a tree that is complete. */
#include "image/places/ppat_inside.h"

/* There is one cell for a procedure's frame: two of its activations that are meant must not exist at once. */
static bool refuse_nested(const ppat_builder *b)
{
    const image_ppat *ppat = b->ppat;
    size_t *list = es_arena_alloc(b->plan->arena, (ppat->count + 1) * sizeof *list);
    for (size_t from = 1; from < ppat->count; from++) {
        const es_procedure *procedure = ppat->nodes[from].procedure; /* NULL: none that a path names */
        if (!ppat->nodes[from].frame || !procedure || !procedure->is_recursive)
            continue;
        bool *seen = es_arena_alloc(b->plan->arena, ppat->count);
        size_t count = 0;
        list[count++] = from;
        for (size_t i = 0; i < count; i++) {
            for (size_t m = 0; m < ppat->move_count; m++) {
                size_t to = ppat->moves[m].to;
                if (ppat->moves[m].from != list[i] || seen[to] || !ppat->nodes[to].procedure)
                    continue;
                if (ppat->nodes[to].frame == ppat->nodes[from].frame)
                    return es_fail(b->err, ES_USAGE,
                                   "locals of two activations of %s that exist at once cannot be "
                                   "watched in one run: leave out one of the paths",
                                   ppat->nodes[from].procedure->name);
                seen[to] = true;
                list[count++] = to;
            }
        }
    }
    return true;
}

bool es_ppat_check_frames(const ppat_builder *b)
{
    const image_ppat *ppat = b->ppat;
    for (size_t at = 1; at < ppat->count; at++) {
        uint32_t offset = ppat->nodes[at].cfa - b->limits->window_base;
        if (ppat->nodes[at].procedure && (offset & 3 || offset > b->limits->window_size))
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: a frame of %s at 0x%08x lies outside "
                           "of the probe's phantom memory",
                           es_ppat_wanted(b), ppat->nodes[at].procedure->name, (unsigned)ppat->nodes[at].cfa);
    }
    for (size_t i = 0; i < b->plan->frame_count; i++) {
        size_t at = 1;
        if (b->plan->frames[i].moves)
            continue;
        while (at < ppat->count && ppat->nodes[at].frame != &b->plan->frames[i])
            at++;
        if (at >= ppat->count)
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: no path of calls from the program's "
                           "entry leads to it",
                           b->plan->frames[i].path ? b->plan->frames[i].path->text
                                                   : b->plan->frames[i].procedure->name);
    }
    return refuse_nested(b);
}
