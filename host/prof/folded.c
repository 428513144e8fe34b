/* Paths with what they took, one a line: what flamegraph.pl, speedscope and others read. */
#include <stdlib.h>

#include "prof/write.h"

enum { DEEPEST = 1024 };

static void put_path(es_text_buffer *out, const es_prof *p, uint32_t node)
{
    uint32_t path[DEEPEST];
    size_t count = 0;
    bool cut = false;
    for (uint32_t at = node; count < DEEPEST; at = p->nodes[at].parent) {
        path[count++] = at;
        cut = p->nodes[at].parent != at;
        if (!cut)
            break;
    }
    if (cut)
        es_text_format(out, "...;");
    else if (p->nodes[path[count - 1]].handler)
        es_text_format(out, "(interrupt);");
    while (count-- > 0)
        es_text_format(out, "%s%s", p->code.names[p->nodes[path[count]].procedure], count ? ";" : " ");
}

void es_prof_folded(es_text_buffer *out, const es_prof *profile)
{
    for (uint32_t i = 0; i < profile->node_count; i++) {
        if (!profile->nodes[i].self.instructions)
            continue;
        put_path(out, profile, i);
        es_text_uint(out, profile->nodes[i].self.instructions);
        es_text_add(out, "\n", 1);
    }
}
