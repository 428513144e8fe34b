/* A tracker that follows notes: registers and memory become what they were, from note to note. */
#include <string.h>

#include "probe_defs.h"
#include "replay/shadow_private.h"

typedef struct follower {
    es_shadow_tracker *t;
    const es_shadow_notes *notes;
    const es_machine_access *accesses;
    size_t count;
    size_t store, change, reg; /* the next ones */
    size_t last;               /* after the last store's access; 0: it was in the part before */
} follower;

bool es_shadow_tracker_needs_memory(const es_shadow_tracker *tracker)
{
    return tracker->plan.memory;
}

void es_shadow_tracker_use_memory(es_shadow_tracker *tracker, es_machine *memory)
{
    tracker->memory = memory;
}

es_shadow_place es_shadow_tracker_place(const es_shadow_tracker *tracker)
{
    return tracker->place;
}

/* --- memory --- */

/* What others have changed before an access. */
static void take_changes(follower *f, size_t until)
{
    for (; f->change < f->notes->change_count && f->notes->changes[f->change].access <= until; f->change++) {
        const es_shadow_memory_note *it = &f->notes->changes[f->change];
        for (uint32_t k = 0; k < 2; k++)
            es_machine_poke_word(f->t->memory, it->address + 4 * k, it->words[k], it->unknown[k], 0xF);
    }
}

/* The first fetch in accesses [from, until); `until`: there is none. */
static size_t next_fetch(const follower *f, size_t from, size_t until)
{
    while (from < until && f->accesses[from].kind != ES_KIND_FETCH)
        from++;
    return from;
}

/* The last store's instruction is over before an access: where nothing else of it is looked at, its stores are. */
static void end_stores(follower *f, size_t until)
{
    es_shadow_tracker *t = f->t;
    if (!t->store_count)
        return;
    size_t fetch = next_fetch(f, f->last, until);
    if (fetch == until)
        return;
    if (t->watched_hit) {
        take_changes(f, fetch);
        t->place = (es_shadow_place){.access = fetch};
        es_shadow_look_at_memory(t);
    }
    t->store_count = 0;
    t->many_stores = t->watched_hit = false;
}

/* The instruction that makes an access. */
static uint32_t making(const follower *f, size_t access)
{
    while (f->accesses[access].kind != ES_KIND_FETCH)
        access--;
    return f->accesses[access].address;
}

static void take_stores(follower *f, size_t until)
{
    for (; f->store < f->notes->store_count && f->notes->stores[f->store] < until; f->store++) {
        size_t at = f->notes->stores[f->store];
        const es_machine_access *access = &f->accesses[at];
        end_stores(f, at);
        take_changes(f, at);
        f->t->before = making(f, at);
        es_shadow_tracker_access(f->t, access);
        if (f->t->memory)
            es_machine_poke_word(f->t->memory, access->address, access->data, access->unknown, access->lanes);
        f->last = at + 1;
    }
    end_stores(f, until);
    take_changes(f, until);
}

/* --- registers --- */

static void take_registers(follower *f, const es_shadow_note *note)
{
    es_machine_registers *r = &f->t->registers;
    for (; f->reg < note->registers; f->reg++) {
        const es_shadow_register_note *it = &f->notes->registers[f->reg];
        if (it->reg < 32) {
            r->x[it->reg] = (uint32_t)it->value;
            r->x_unknown[it->reg] = (uint32_t)it->unknown;
        } else {
            r->f[it->reg - 32] = it->value;
            r->f_unknown[it->reg - 32] = it->unknown;
        }
    }
}

/* --- notes --- */

/* The part's first one, with what the part before has left. */
static bool take_first(es_shadow_tracker *t, const es_shadow_note *note, uint32_t pc)
{
    if (!t->begun) {
        t->place = (es_shadow_place){.follows = true};
        es_shadow_tracker_begin(t);
        t->begun = true;
    }
    t->trapped |= note->trapped;
    t->interrupted = note->interrupted;
    t->since |= t->set;
    const segment *at = t->at;
    return at && pc >= at->low && pc <= at->last && (t->set & at->registers || t->filter.stored);
}

static bool take_note(es_shadow_tracker *t, const es_shadow_note *note)
{
    t->before = note->before;
    t->set = note->set;
    t->since |= note->since;
    t->trapped = note->trapped;
    t->interrupted = note->interrupted;
    return note->looks;
}

void es_shadow_tracker_follow(es_shadow_tracker *tracker, const es_shadow_notes *notes,
                              const es_machine_access *accesses, size_t count)
{
    es_shadow_tracker *t = tracker;
    follower f = {.t = t, .notes = notes, .accesses = accesses, .count = count};
    for (size_t i = 0; i < notes->count; i++) {
        const es_shadow_note *note = &notes->notes[i];
        uint32_t pc = accesses[note->access].address;
        take_stores(&f, note->access);
        take_registers(&f, note);
        bool looks = i ? take_note(t, note) : take_first(t, note, pc);
        t->place = (es_shadow_place){.access = note->access};
        t->jumps = t->in_parts && note->jumps;
        t->in_parts &= !t->jumps;
        es_shadow_step(t, pc, looks || t->jumps);
        es_shadow_done(t, pc);
        if (t->late || t->begins)
            t->place = (es_shadow_place){.access = note->access + 1, .follows = true};
        if (t->late)
            es_shadow_arrive_late(t);
        else
            es_shadow_begin_copies(t, es_shadow_running(t));
        t->jumps = false;
    }
    take_stores(&f, count);
    t->before = notes->last;
    t->set = notes->set;
    t->since |= notes->since;
    t->trapped = notes->trapped;
    t->filter.stored = notes->stored;
}
