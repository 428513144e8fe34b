#include "cli/list/entries.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "symbols/values.h"

typedef struct gathering {
    const es_symbols *symbols;
    const char *pattern;
    bool libraries;
    es_arena *arena;
    es_entries entries;
} gathering;

static bool matches(const char *pattern, const char *name)
{
    if (!pattern)
        return true;
    /* a backslash is a part of names */
    return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, FNM_NOESCAPE) == 0 : strstr(name, pattern) != NULL;
}

static void add(gathering *g, es_entry entry)
{
    if (!matches(g->pattern, entry.name))
        return;
    g->entries.items = es_arena_grow(g->arena, g->entries.items, g->entries.count, sizeof entry);
    g->entries.items[g->entries.count++] = entry;
}

/* --- variables ------------------------------------------------------------------------------------------------- */

static const char *whole_name(const gathering *g, const es_variable *variable)
{
    const char *scoped = es_symbols_scoped(g->symbols, variable);
    return scoped ? scoped : variable->name;
}

static bool counts(const gathering *g, const es_variable *variable)
{
    return g->libraries || !es_symbols_variable_in_library(variable);
}

/* Several files may have a variable of that name: those of one name stand beside each other. */
static bool is_shared(const gathering *g, const es_variable *const *all, size_t count, size_t at)
{
    size_t same = 0, first = at;
    while (first > 0 && strcmp(all[first - 1]->name, all[at]->name) == 0)
        first--;
    for (size_t i = first; i < count && strcmp(all[i]->name, all[at]->name) == 0; i++)
        same += !all[i]->procedure && counts(g, all[i]) && strcmp(whole_name(g, all[i]), whole_name(g, all[at])) == 0;
    return same > 1;
}

static const char *in_file(const gathering *g, const char *file, const char *name)
{
    const char *base = es_base_name(file);
    const char *quote = es_is_plain_file(base) ? "" : "\"";
    return es_arena_format(g->arena, "%s%s%s\\%s", quote, base, quote, name);
}

static bool on_replay(const gathering *g, const es_variable *variable)
{
    return variable->place == ES_PLACE_NONE && es_symbols_has_value(g->symbols, variable);
}

static void add_variables(gathering *g)
{
    const es_variable *const *all;
    size_t count = es_symbols_variables(g->symbols, &all);
    for (size_t i = 0; i < count; i++) {
        const es_variable *variable = all[i];
        if (!counts(g, variable))
            continue;
        if (variable->procedure) {
            const es_procedure *procedure = variable->procedure;
            /* what was inlined everywhere has no activations that could be named */
            bool alone = variable->place == ES_PLACE_STATIC && procedure->low == procedure->high;
            const char *name =
                alone ? variable->name : es_arena_format(g->arena, "%s\\%s", procedure->name, variable->name);
            add(g, (es_entry){
                       .kind = ES_ENTRY_LOCAL, .name = name, .variable = variable, .replay = on_replay(g, variable)});
            continue;
        }
        const char *name = whole_name(g, variable);
        if (variable->file && is_shared(g, all, count, i))
            name = in_file(g, variable->file, name);
        add(g, (es_entry){
                   .kind = ES_ENTRY_VARIABLE, .name = name, .variable = variable, .replay = on_replay(g, variable)});
    }
}

/* --- procedures ------------------------------------------------------------------------------------------------ */

static void add_procedures(gathering *g)
{
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(g->symbols, &all);
    for (size_t i = 0; i < count; i++)
        if (g->libraries || (all[i]->has_debug && !es_symbols_procedure_in_library(g->symbols, all[i])))
            add(g, (es_entry){.kind = ES_ENTRY_PROCEDURE, .name = all[i]->name, .procedure = all[i]});
    count = es_symbols_inlined_procedures(g->symbols, &all);
    for (size_t i = 0; i < count; i++)
        if (all[i]->low == all[i]->high)
            add(g, (es_entry){.kind = ES_ENTRY_PROCEDURE, .name = all[i]->name, .procedure = all[i]});
}

/* Of several procedures that were made of one of the source, the first is the one and the others are its clones. */
static void find_clones(gathering *g)
{
    for (size_t i = 1; i < g->entries.count; i++) {
        es_entry *entry = &g->entries.items[i];
        for (size_t k = i; k > 0 && entry->kind == ES_ENTRY_PROCEDURE && !entry->clone_of; k--) {
            const es_entry *before = &g->entries.items[k - 1];
            if (before->kind != ES_ENTRY_PROCEDURE || strcmp(before->name, entry->name) != 0)
                break;
            if (!before->clone_of && es_symbols_same_source(g->symbols, before->procedure, entry->procedure))
                entry->clone_of = before->procedure;
        }
    }
}

/* --- all of it ------------------------------------------------------------------------------------------------- */

static uint32_t where(const es_entry *entry)
{
    return entry->procedure ? entry->procedure->low : entry->variable->line;
}

static int by_name(const void *a, const void *b)
{
    const es_entry *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order ? order : (where(x) > where(y)) - (where(x) < where(y));
}

es_entries es_entries_gather(const es_symbols *symbols, const char *pattern, bool libraries, es_arena *arena)
{
    gathering g = {symbols, pattern, libraries, arena, {NULL, 0}};
    add_variables(&g);
    add_procedures(&g);
    if (g.entries.count)
        qsort(g.entries.items, g.entries.count, sizeof *g.entries.items, by_name);
    find_clones(&g);
    return g.entries;
}
