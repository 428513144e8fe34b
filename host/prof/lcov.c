/* Coverage as lcov keeps it (geninfo(1)), with counts: of a line how often the place of it was executed that was most
 * often, of a procedure its calls. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "prof/tables.h"
#include "prof/write.h"

typedef struct row {
    const char *file;
    unsigned line;
    uint64_t count;
    const char *procedure; /* a procedure begins there; NULL: a line */
} row;

typedef struct rows {
    const es_prof *profile;
    row *items;
    size_t count;
} rows;

static uint64_t executed(const es_prof *p, uint32_t pc)
{
    const es_prof_cell *cell = es_prof_cell_at(&p->code, pc);
    return cell ? cell->count : 0;
}

static void add_row(rows *all, row it)
{
    all->items = es_prof_grow(all->items, all->count, sizeof *all->items);
    all->items[all->count++] = it;
}

static void take_row(void *context, const es_begin_row *it)
{
    rows *all = context;
    if (it->file && it->line)
        add_row(all, (row){it->file, it->line, executed(all->profile, it->address), NULL});
}

static void take_procedures(rows *all)
{
    const es_prof *p = all->profile;
    const es_procedure *const *procedures;
    size_t count = es_symbols_procedures(p->code.symbols, &procedures);
    for (size_t i = 0; i < count; i++) {
        const es_procedure *it = procedures[i];
        uint64_t calls = 0;
        const char *file = NULL;
        unsigned line;
        if (!it->has_debug || !it->line || !es_symbols_line(p->code.symbols, it->low, &file, &line) || !file)
            continue;
        for (size_t k = 0; k < p->arc_count; k++)
            calls += p->arcs[k].procedure == i ? p->arcs[k].calls : 0;
        add_row(all, (row){file, it->line, calls, it->name});
    }
}

/* By file; procedures before lines; by line. */
static int by_place(const void *left, const void *right)
{
    const row *a = left, *b = right;
    int files = strcmp(a->file, b->file);
    if (files)
        return files;
    if (!a->procedure != !b->procedure)
        return a->procedure ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->procedure ? strcmp(a->procedure, b->procedure) : 0;
}

static const row *put_functions(es_text_buffer *out, const row *from, const row *end)
{
    const row *after = from;
    size_t ran = 0;
    for (; after < end && after->procedure; after++)
        es_text_format(out, "FN:%u,%s\n", after->line, after->procedure);
    for (const row *it = from; it < after; it++) {
        es_text_format(out, "FNDA:%" PRIu64 ",%s\n", it->count, it->procedure);
        ran += it->count > 0;
    }
    es_text_format(out, "FNF:%td\nFNH:%zu\n", after - from, ran);
    return after;
}

static void put_file(es_text_buffer *out, const row *from, const row *end)
{
    size_t lines = 0, ran = 0;
    es_text_format(out, "TN:\nSF:%s\n", from->file);
    for (const row *it = put_functions(out, from, end); it < end;) {
        uint64_t most = 0;
        const row *first = it;
        for (; it < end && it->line == first->line; it++)
            most = it->count > most ? it->count : most;
        es_text_format(out, "DA:%u,%" PRIu64 "\n", first->line, most);
        lines++;
        ran += most > 0;
    }
    es_text_format(out, "LF:%zu\nLH:%zu\nend_of_record\n", lines, ran);
}

void es_prof_lcov(es_text_buffer *out, const es_prof *profile)
{
    rows all = {.profile = profile};
    es_symbols_each_statement(profile->code.symbols, 0, UINT32_MAX, take_row, &all);
    take_procedures(&all);
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_place);
    for (size_t i = 0, end; i < all.count; i = end) {
        for (end = i; end < all.count && strcmp(all.items[end].file, all.items[i].file) == 0;)
            end++;
        put_file(out, &all.items[i], &all.items[end]);
    }
    free(all.items);
}
