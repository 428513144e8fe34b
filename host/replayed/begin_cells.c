/* Cells of variables begin as they are while none of the procedures concerned is active. A result holds its last value,
 * and a register's cell what was set: so each of those has to have been told before it matters. */
#include "replayed/begin_cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/shadow.h"

struct es_begin_cells {
    const es_symbols *symbols;
    es_timeline *timeline;
    es_shadow_tracker *tracker;
    const es_shadow *const *shadows;
    size_t count, left; /* left: those that have not been told */
    bool *told;
    uint32_t *entries; /* of procedures that are active */
};

/* --- what the tracker tells --- */

static void on_told(void *context, uint32_t address, uint32_t word, uint32_t unknown)
{
    es_begin_cells *c = context;
    (void)word;
    (void)unknown;
    for (size_t i = 0; i < c->count; i++)
        if (!c->told[i] && c->shadows[i]->kind == ES_SHADOW_RESULT && address - c->shadows[i]->address < 4) {
            c->told[i] = true;
            c->left--;
        }
}

static void on_poke(void *context, uint32_t address, uint32_t word, uint32_t unknown, bool freed)
{
    (void)freed;
    on_told(context, address, word, unknown);
}

/* --- what the machine tells --- */

static void on_insn(void *context, uint32_t pc)
{
    es_shadow_tracker_insn(((es_begin_cells *)context)->tracker, pc);
}

static void on_access(void *context, const es_machine_access *access)
{
    es_shadow_tracker_access(((es_begin_cells *)context)->tracker, access);
}

static void on_sets(void *context, unsigned reg)
{
    es_begin_cells *c = context;
    es_shadow_tracker_sets(c->tracker, reg);
    for (size_t i = 0; i < c->count && c->left; i++)
        if (!c->told[i] && c->shadows[i]->kind == ES_SHADOW_REGISTER && c->shadows[i]->reg == reg) {
            c->told[i] = true;
            c->left--;
        }
}

static void on_trap(void *context, uint32_t cause)
{
    (void)cause;
    es_shadow_tracker_trap(((es_begin_cells *)context)->tracker);
}

/* --- all of it --- */

es_begin_cells *es_begin_cells_new(const es_symbols *symbols, es_timeline *timeline)
{
    if (!es_symbols_has_shadows(symbols))
        return NULL;
    es_begin_cells *c = es_malloc(sizeof *c);
    const es_shadow_told told = {on_told, on_poke, c};
    memset(c, 0, sizeof *c);
    c->symbols = symbols;
    c->timeline = timeline;
    c->tracker = es_shadow_tracker_new(symbols, es_timeline_machine(timeline), &told);
    c->count = es_symbols_shadows(symbols, &c->shadows);
    c->told = es_malloc(c->count * sizeof *c->told);
    memset(c->told, 0, c->count * sizeof *c->told);
    return c;
}

void es_begin_cells_free(es_begin_cells *cells)
{
    if (!cells)
        return;
    es_shadow_tracker_free(cells->tracker);
    free(cells->told);
    free(cells->entries);
    free(cells);
}

/* No activation is there that has a part in them. */
static bool may_begin(es_begin_cells *c, const es_called *calls, size_t count)
{
    c->entries = es_realloc(c->entries, (count + 1) * sizeof *c->entries);
    c->entries[0] = es_symbols_entry(c->symbols);
    for (size_t i = 0; i < count; i++)
        c->entries[i + 1] = calls[i].entry;
    return es_shadow_tracker_may_begin(c->tracker, c->entries, count + 1);
}

bool es_begin_cells_settle(es_begin_cells *cells, const es_called *calls, size_t count, uint64_t until)
{
    es_begin_cells *c = cells;
    if (!c)
        return true;
    if (!may_begin(c, calls, count))
        return false;
    es_shadow_tracker_begin(c->tracker);
    c->left = 0;
    for (size_t i = 0; i < c->count; i++) { /* the others are told in all cases */
        enum es_shadow_kind kind = c->shadows[i]->kind;
        c->told[i] = kind != ES_SHADOW_RESULT && kind != ES_SHADOW_REGISTER;
        c->left += !c->told[i];
    }
    const es_machine_listener listener = {on_insn, on_access, on_sets, on_trap, c};
    es_error err;
    es_machine_listen(es_timeline_machine(c->timeline), &listener);
    bool good = !c->left || es_timeline_run(c->timeline, until, &err) == ES_MACHINE_UNTIL;
    es_machine_listen(es_timeline_machine(c->timeline), NULL);
    return good && !c->left;
}
