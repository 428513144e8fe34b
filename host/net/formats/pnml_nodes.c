/* Numbers, references and Earshot's own sections, for all that read PNML. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net/formats/pnml_private.h"

bool es_pnml_number(es_pnml_reader *r, const es_pnml_node *user, const char *what, const char *text, int64_t least,
                    int64_t most, int64_t *value)
{
    char *end = NULL;
    errno = 0;
    *value = text && *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : 0;
    if (!end || *end || errno || *value < least || *value > most)
        return es_pnml_fail(&r->tree, user, r->err, "%s has to be a number from %lld to %lld, not '%.60s'", what,
                            (long long)least, (long long)most, text ? text : "");
    return true;
}

const es_pnml_node *es_pnml_tool(const es_pnml_node *node)
{
    return es_pnml_child(node, "toolspecific");
}

static const es_pnml_entry *entry_of(const es_pnml_reader *r, const char *id)
{
    size_t low = 0, high = r->entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(r->entries[middle].id, id);
        if (order == 0)
            return &r->entries[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const es_pnml_entry *es_pnml_follow(const es_pnml_reader *r, const char *id)
{
    const es_pnml_entry *entry = entry_of(r, id);
    for (size_t steps = 0; entry && entry->index == ES_NET_NONE; steps++)
        entry = steps < r->entry_count ? entry_of(r, entry->other) : NULL;
    return entry;
}

const es_pnml_entry *es_pnml_find(es_pnml_reader *r, const es_pnml_node *user, const char *id, enum es_pnml_kind kind)
{
    const es_pnml_entry *entry = id ? es_pnml_follow(r, id) : NULL;
    if (entry && entry->kind == kind)
        return entry;
    es_pnml_fail(&r->tree, user, r->err, "there is no %s with the id '%.60s'",
                 kind == ES_PNML_PLACE ? "place" : "transition", id ? id : "");
    return NULL;
}
