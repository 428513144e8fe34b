/* Notes for a tracker: taken by whoever executes a part. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/shadow_private.h"

enum { CHANGES_MAX = 16 }; /* before one instruction: its fetch and its reads */

struct es_shadow_noter {
    filter filter;
    const plan *plan;
    const es_isa *isa;
    es_machine *machine;
    es_shadow_notes *notes;
    uint32_t changed[CHANGES_MAX]; /* words that will have changed before the next instruction */
    size_t changed_count;
};

es_shadow_noter *es_shadow_noter_new(const es_shadow_tracker *tracker, es_machine *machine)
{
    es_shadow_noter *n = es_malloc(sizeof *n);
    memset(n, 0, sizeof *n);
    n->plan = &tracker->plan;
    n->isa = tracker->isa;
    n->machine = machine;
    return n;
}

void es_shadow_noter_free(es_shadow_noter *noter)
{
    free(noter);
}

void es_shadow_notes_free(es_shadow_notes *notes)
{
    free(notes->notes);
    free(notes->registers);
    free(notes->stores);
    free(notes->changes);
}

void es_shadow_noter_begin(es_shadow_noter *noter, es_shadow_notes *notes)
{
    es_shadow_filter_begin(&noter->filter, noter->plan, noter->isa);
    noter->notes = notes;
    noter->changed_count = 0;
    notes->count = notes->register_count = notes->store_count = notes->change_count = 0;
}

static void add_note(es_shadow_notes *notes, es_shadow_note note)
{
    if (notes->count == notes->room) {
        notes->room = notes->room ? 2 * notes->room : 1024;
        notes->notes = es_realloc(notes->notes, notes->room * sizeof *notes->notes);
    }
    notes->notes[notes->count++] = note;
}

static void add_store(es_shadow_notes *notes, size_t at)
{
    if (notes->store_count == notes->store_room) {
        notes->store_room = notes->store_room ? 2 * notes->store_room : 1024;
        notes->stores = es_realloc(notes->stores, notes->store_room * sizeof *notes->stores);
    }
    notes->stores[notes->store_count++] = (uint32_t)at;
}

/* They are in memory now. What an instruction's fetch has brought may reach into the next word. */
static void note_changes(es_shadow_noter *n, size_t at)
{
    es_shadow_notes *notes = n->notes;
    for (size_t i = 0; i < n->changed_count; i++) {
        if (notes->change_count == notes->change_room) {
            notes->change_room = notes->change_room ? 2 * notes->change_room : 64;
            notes->changes = es_realloc(notes->changes, notes->change_room * sizeof *notes->changes);
        }
        es_shadow_memory_note *note = &notes->changes[notes->change_count++];
        *note = (es_shadow_memory_note){.access = at, .address = n->changed[i]};
        for (uint32_t k = 0; k < 2; k++) {
            uint8_t bytes[4] = {0}, unknown[4] = {0};
            es_machine_peek(n->machine, note->address + 4 * k, bytes, unknown, 4);
            memcpy(&note->words[k], bytes, 4);
            memcpy(&note->unknown[k], unknown, 4);
        }
    }
    n->changed_count = 0;
}

static void on_insn(es_shadow_noter *n, uint32_t pc, size_t at)
{
    filter *f = &n->filter;
    unsigned due = es_shadow_due(f, pc);
    bool jumps = es_shadow_ends_line(n->plan, pc);
    if (n->changed_count)
        note_changes(n, at);
    if (due || jumps) {
        bool first = !n->notes->count; /* what it looks at, the tracker knows, which has the part before */
        uint32_t interrupted = 0, unknown;
        es_shadow_filter_take(f, n->machine, !first && due & (DUE_LOOK | DUE_MOVED), n->notes);
        if ((f->trapped || first) &&
            (!es_machine_control(n->machine, n->isa->interrupted, &interrupted, &unknown) || unknown))
            interrupted = 0;
        add_note(n->notes, (es_shadow_note){.access = at,
                                            .registers = n->notes->register_count,
                                            .set = f->set,
                                            .since = es_shadow_filter_since(f),
                                            .before = f->before,
                                            .interrupted = interrupted,
                                            .looks = due & DUE_LOOK,
                                            .trapped = f->trapped,
                                            .jumps = jumps});
    }
    es_shadow_filter_next(f, pc);
}

void es_shadow_noter_access(es_shadow_noter *noter, const es_machine_access *access, size_t at)
{
    if (access->kind == ES_KIND_FETCH) {
        on_insn(noter, access->address, at);
    } else if (access->kind == ES_KIND_WRITE) {
        noter->filter.stored = true;
        if (noter->plan->memory || es_shadow_in_allocator(noter->plan, noter->filter.before))
            add_store(noter->notes, at);
    }
}

void es_shadow_noter_sets(es_shadow_noter *noter, unsigned reg)
{
    es_shadow_filter_set(&noter->filter, reg);
}

void es_shadow_noter_trap(es_shadow_noter *noter)
{
    noter->filter.trapped = true;
}

void es_shadow_noter_changed(es_shadow_noter *noter, uint32_t address)
{
    if (noter->plan->memory && noter->changed_count < CHANGES_MAX)
        noter->changed[noter->changed_count++] = address;
}

void es_shadow_noter_restarted(es_shadow_noter *noter)
{
    noter->filter.dirty = noter->filter.uncertain = noter->plan->needed;
}

void es_shadow_noter_end(es_shadow_noter *noter, size_t at)
{
    const filter *f = &noter->filter;
    note_changes(noter, at);
    noter->notes->set = f->set;
    noter->notes->since = f->since;
    noter->notes->last = f->before;
    noter->notes->stored = f->stored;
    noter->notes->trapped = f->trapped;
}
