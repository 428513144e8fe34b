#include "cli/list/members.h"

#include <string.h>

#define DEPTH_MAX 16 /* of types in types */

typedef struct walk {
    es_text_buffer name;
    es_list_each *each;
    void *context;
} walk;

static void tell(walk *w, const es_type *type, uint32_t offset, const es_member *member, unsigned depth)
{
    size_t length = w->name.length;
    if (depth > DEPTH_MAX)
        return;
    if (type->kind == ES_TYPE_ARRAY && type->of && type->count) {
        es_text_format(&w->name, "[0..%u]", (unsigned)type->count - 1);
        tell(w, type->of, offset, NULL, depth + 1);
    } else if (type->kind == ES_TYPE_STRUCT) {
        for (size_t i = 0; i < type->member_count; i++) {
            const es_member *inner = &type->members[i];
            if (inner->name) /* what is in an anonymous one is named without it */
                es_text_format(&w->name, ".%s", inner->name);
            if (inner->type)
                tell(w, inner->type, offset + inner->offset, inner, depth + 1);
            w->name.length = length;
            w->name.text[length] = 0;
        }
    } else if (depth > 0 && type->kind != ES_TYPE_ARRAY && type->kind != ES_TYPE_OTHER) {
        es_list_member told = {w->name.text, type, offset, member ? member->bit_offset : 0,
                               member ? member->bit_size : 0};
        w->each(w->context, &told);
    }
    w->name.length = length;
    w->name.text[length] = 0;
}

void es_list_members(const char *name, const es_type *type, es_list_each *each, void *context)
{
    walk w = {.each = each, .context = context};
    es_text_format(&w.name, "%s", name);
    if (type)
        tell(&w, type, 0, NULL, 0);
    es_text_free(&w.name);
}
