#include "predict/walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { DEPTH = 4096, ALONE = 1000000 };

/* A thread, or a core's scheduler. */
typedef struct es_predict_walk_thread {
    uint32_t pointer;
    uint32_t *stack; /* where its calls return to */
    size_t depth, room;
    bool begun;
} walk_thread;

enum step { GOES, ENDS, FAILS };

/* --- hits ------------------------------------------------------------------------------------- */

/* The next hit of a kind. NULL: there is none. */
static const es_predict_hit *next_of(const es_predict_walk *w, enum es_predict_hit_kind kind)
{
    for (size_t i = w->next; i < w->hits->count; i++)
        if (w->hits->items[i].kind == kind)
            return &w->hits->items[i];
    return NULL;
}

/* A hit of a kind in the call of the library that has just begun. NULL: it is missing, or the hits end in that call. */
static const es_predict_hit *told_in_call(es_predict_walk *w, enum es_predict_hit_kind kind, const char *what)
{
    for (size_t i = w->next; i < w->hits->count; i++) {
        const es_predict_hit *hit = &w->hits->items[i];
        enum es_predict_kind other;
        if (hit->kind == kind)
            return hit;
        bool inner = w->library->fork_priority && hit->address == w->library->fork_priority->low;
        if (hit->kind == ES_PREDICT_HITS_PLACE && !inner &&
            es_predict_library_event(w->library, hit->address, &other)) {
            if (w->err->code == ES_OK)
                es_fail(w->err, ES_USAGE, "hit %zu: %s is not told: hits are missing", w->next, what);
            return NULL;
        }
    }
    w->over = true;
    return NULL;
}

static const es_predict_shared *shared_at(const es_predict_walk *w, uint32_t address)
{
    for (size_t i = 0; i < w->shareds->count; i++)
        if (w->shareds->items[i].address == address)
            return &w->shareds->items[i];
    return NULL;
}

/* The object of a kind that is asked for in the call of the library that has just begun. */
static uint32_t object_of(es_predict_walk *w, enum es_predict_kind kind)
{
    for (size_t i = w->next; i < w->hits->count; i++) {
        const es_predict_hit *hit = &w->hits->items[i];
        enum es_predict_kind other;
        if (hit->kind == ES_PREDICT_HITS_PLACE && es_predict_library_event(w->library, hit->address, &other))
            return 0;
        const es_predict_shared *shared = hit->kind == ES_PREDICT_HITS_OBJECT ? shared_at(w, hit->address) : NULL;
        if (shared && shared->kind == kind)
            return hit->address;
    }
    w->over = true;
    return 0;
}

/* --- registers and memory --------------------------------------------------------------------- */

static enum es_predict_kind shared_kind(unsigned kind)
{
    switch (kind) {
    case ES_PREDICT_UNLOCK: return ES_PREDICT_LOCK;
    case ES_PREDICT_SIGNAL:
    case ES_PREDICT_BROADCAST: return ES_PREDICT_WAIT;
    case ES_PREDICT_RELEASE: return ES_PREDICT_ACQUIRE;
    case ES_PREDICT_GET: return ES_PREDICT_PUT;
    default: return kind;
    }
}

/* Arguments of the call of the library that begins here. */
static void arguments(es_predict_walk *w, unsigned kind, es_machine_registers *r)
{
    const es_predict_hit *hit;
    if (es_predict_kind_has_object(kind)) {
        r->x[10] = object_of(w, shared_kind(kind));
        r->x[11] = kind == ES_PREDICT_WAIT ? object_of(w, ES_PREDICT_LOCK) : 0;
        if (!r->x[10] && !w->over && w->err->code == ES_OK)
            es_fail(w->err, ES_USAGE,
                    "hit %zu: which %s is asked for is not told: it is no variable of static storage, or its statement "
                    "was left out",
                    w->next, kind == ES_PREDICT_LOCK || kind == ES_PREDICT_UNLOCK ? "mutex" : "object");
    } else if (kind == ES_PREDICT_JOIN) {
        hit = told_in_call(w, ES_PREDICT_HITS_JOINS, "which thread is joined");
        r->x[10] = hit ? hit->value : w->made;
    } else if (kind == ES_PREDICT_FORK) {
        hit = told_in_call(w, ES_PREDICT_HITS_BODY, "where a thread begins");
        r->x[10] = hit ? hit->value : 0;
        hit = told_in_call(w, ES_PREDICT_HITS_READY, "which thread is made");
        w->made = hit ? hit->value : 0;
        hit = next_of(w, ES_PREDICT_HITS_PRIORITY);
        w->priority = hit ? hit->value : 0;
    }
}

static void registers(void *context, es_machine_registers *r)
{
    es_predict_walk *w = context;
    const walk_thread *t = &w->threads[w->now];
    memset(r, 0, sizeof *r);
    r->pc = w->pc;
    r->x[1] = t->depth ? t->stack[t->depth - 1] : 0;
    r->x[10] = w->made;
    enum es_predict_kind kind;
    if (es_predict_library_event(w->library, w->pc, &kind))
        arguments(w, kind, r);
}

static uint32_t word(void *context, uint32_t address)
{
    const es_predict_walk *w = context;
    const es_predict_shared *shared = shared_at(w, address);
    if (!shared && address - w->library->threads < w->library->thread_count * w->library->thread_size)
        return w->priority << 8 * ((w->made + w->library->priority) & 3); /* of the thread that was made last */
    uint32_t value = 0, at = shared ? address : address - 4;              /* a queue's size is its second word */
    for (size_t i = 0; i < w->hits->count; i++) {
        const es_predict_hit *hit = &w->hits->items[i];
        if (hit->kind == ES_PREDICT_HITS_OBJECT && hit->address == at && hit->known)
            return hit->value;
    }
    return es_symbols_word(w->routes->code->symbols, address, &value) ? value : 0;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void push(es_predict_walk *w, uint32_t address)
{
    walk_thread *t = &w->threads[w->now];
    if (t->depth == t->room) {
        t->room = t->room ? 2 * t->room : 16;
        t->stack = es_realloc(t->stack, t->room * sizeof *t->stack);
    }
    t->stack[t->depth++] = address;
}

static size_t thread_of(es_predict_walk *w, uint32_t pointer)
{
    for (size_t i = 0; i < w->thread_count; i++)
        if (w->threads[i].pointer == pointer)
            return i;
    w->threads = es_realloc(w->threads, (w->thread_count + 1) * sizeof *w->threads);
    w->threads[w->thread_count] = (walk_thread){.pointer = pointer};
    return w->thread_count++;
}

static enum step fail(es_predict_walk *w, const char *what, uint32_t address)
{
    if (w->err->code == ES_OK)
        es_fail(w->err, ES_USAGE,
                "hit %zu, at 0x%x: %s: these are no hits of a run of this program on one core, from its start on and "
                "by the statements that --points writes",
                w->next, (unsigned)address, what);
    return FAILS;
}

static enum step goes_to(es_predict_walk *w, uint32_t block, uint32_t from)
{
    w->block = block;
    return block == ES_PREDICT_NONE ? fail(w, "the way leads out of what is known", from) : GOES;
}

static uint32_t entry_of(const es_predict_walk *w, const char *name)
{
    const es_procedure *p = es_symbols_procedure_named(w->routes->code->symbols, name);
    return p ? es_predict_route_at(w->routes, p->low) : ES_PREDICT_NONE;
}

/* After the end of thread_switch, on the stack of whom `running` now names. A thread that was made anew begins. */
static enum step switches(es_predict_walk *w, uint32_t from)
{
    bool core = w->runs - w->library->cores < w->library->cores_size;
    w->now = thread_of(w, w->runs);
    walk_thread *t = &w->threads[w->now];
    if (t->begun && t->depth)
        return goes_to(w, es_predict_route_at(w->routes, t->stack[--t->depth]), from);
    t->begun = true;
    return goes_to(w, entry_of(w, core ? "scheduler" : "thread_begin"), from);
}

/* --- one block -------------------------------------------------------------------------------- */

/* `running` is written: by the next hit that says so. */
static void runs(es_predict_walk *w, es_machine_access access)
{
    const es_predict_hit *hit = next_of(w, ES_PREDICT_HITS_RUNS);
    if (!hit)
        return;
    access.data = w->runs = hit->value;
    es_predict_follow_access(w->follower, &access);
    w->next = (size_t)(hit - w->hits->items) + 1;
}

static enum step walk_block(es_predict_walk *w, const es_predict_route *b)
{
    const es_predict_insn *insn;
    for (uint32_t a = b->address; a <= b->end; a += insn->size) {
        insn = es_predict_insn_at(w->routes->code, a);
        const es_predict_rehearsed *seen = es_predict_rehearsed_at(w->rehearsal, a);
        if (!insn)
            return fail(w, "there is no code", a);
        w->pc = a;
        es_predict_follow_insn(w->follower, a);
        if (w->over)
            return ENDS;
        if (!seen)
            continue;
        if (seen->runs)
            runs(w, seen->access);
        else if (seen->device)
            es_predict_follow_access(w->follower, &seen->access);
        if (seen->device && seen->access.kind == ES_KIND_WRITE &&
            seen->access.address == ES_TARGET_IO_BASE + ES_TARGET_IO_EXIT) {
            w->ended = true;
            return ENDS;
        }
    }
    w->blocks++;
    return w->err->code == ES_OK ? GOES : FAILS;
}

/* --- where it goes on ------------------------------------------------------------------------- */

typedef struct choice {
    es_predict_walk *walk;
    uint32_t hit, found;
} choice;

static void try_way(void *context, uint32_t to)
{
    choice *c = context;
    if (c->found == ES_PREDICT_NONE && es_predict_routes_may(c->walk->routes, to, c->hit))
        c->found = to;
}

/* Of several ways, the one that the next hit tells. */
static enum step choose(es_predict_walk *w, uint32_t block)
{
    const es_predict_route *b = &w->routes->blocks[block];
    const es_predict_hit *hit = next_of(w, ES_PREDICT_HITS_PLACE);
    if (!hit)
        return ENDS;
    choice c = {w, es_predict_route_at(w->routes, hit->address), ES_PREDICT_NONE};
    if (c.hit == ES_PREDICT_NONE)
        return fail(w, "no basic block begins there", hit->address);
    if (b->leaves == ES_PREDICT_CALLS_ANY)
        for (size_t i = 0; i < w->routes->entry_count; i++)
            try_way(&c, w->routes->entries[i]);
    else
        es_predict_routes_each(w->routes, block, try_way, &c);
    return c.found == ES_PREDICT_NONE ? fail(w, "no way leads there", hit->address) : goes_to(w, c.found, b->end);
}

static enum step returns(es_predict_walk *w, const es_predict_route *b)
{
    walk_thread *t = &w->threads[w->now];
    if (b->procedure == w->switches)
        return switches(w, b->end);
    if (!t->depth)
        return fail(w, "a thread returns from where it has begun", b->end);
    return goes_to(w, es_predict_route_at(w->routes, t->stack[--t->depth]), b->end);
}

static enum step leave(es_predict_walk *w, uint32_t block)
{
    const es_predict_route *b = &w->routes->blocks[block];
    bool calls = b->leaves == ES_PREDICT_CALLS || b->leaves == ES_PREDICT_CALLS_ANY;
    if (calls && w->threads[w->now].depth >= DEPTH)
        return fail(w, "calls are too deep", b->end);
    enum step step;
    switch (b->leaves) {
    case ES_PREDICT_RETURNS: return returns(w, b);
    case ES_PREDICT_CALLS: step = goes_to(w, b->target, b->end); break;
    case ES_PREDICT_GOES_ON: step = goes_to(w, b->next, b->end); break;
    case ES_PREDICT_BRANCHES: step = b->next == b->target ? goes_to(w, b->next, b->end) : choose(w, block); break;
    default: step = choose(w, block);
    }
    if (calls && step == GOES)
        push(w, b->return_to);
    return step;
}

/* Time tells of hits that are missing where the way alone does not: of a loop's, a round. */
static void look_at_time(es_predict_walk *w, size_t hit)
{
    uint64_t heard = w->hits->items[hit].cycle, walked = es_predict_follow_clocks(w->follower);
    if (!w->told) {
        w->begun_heard = heard;
        w->begun_walked = walked;
    }
    w->heard = heard - w->begun_heard;
    w->walked = walked - w->begun_walked;
    if (w->heard != w->walked && w->apart == SIZE_MAX)
        w->apart = hit;
}

/* A point is passed: its hit is the next one. */
static enum step pass(es_predict_walk *w, const es_predict_route *b)
{
    const es_predict_hit *hit = next_of(w, ES_PREDICT_HITS_PLACE);
    if (!hit)
        return ENDS;
    if (hit->address != b->address)
        return fail(w, "no way leads there", hit->address);
    size_t at = (size_t)(hit - w->hits->items);
    if (w->routes->blocks[w->block].procedure == w->switches) /* one that no rehearsal has seen */
        for (size_t i = w->next; i < at; i++)
            if (w->hits->items[i].kind == ES_PREDICT_HITS_RUNS)
                runs(w, (es_machine_access){.kind = ES_KIND_WRITE, .lanes = 15, .address = w->library->running});
    look_at_time(w, at);
    w->next = at + 1;
    w->told++;
    w->alone = 0;
    return GOES;
}

bool es_predict_walk_run(es_predict_walk *w, uint32_t self, uint32_t ra, es_error *err)
{
    es_predict_source source = {registers, word, w};
    const es_predict_hit *hit = NULL;
    enum step step = GOES;
    w->err = err;
    w->apart = SIZE_MAX;
    err->code = ES_OK;
    w->switches = entry_of(w, "thread_switch");
    if (w->switches != ES_PREDICT_NONE)
        w->switches = w->routes->blocks[w->switches].procedure;
    w->now = thread_of(w, self);
    w->threads[w->now].begun = true;
    push(w, ra);
    w->block = entry_of(w, "main");
    while ((hit = next_of(w, ES_PREDICT_HITS_PLACE)) && hit->address != w->routes->blocks[w->block].address)
        w->next = (size_t)(hit - w->hits->items) + 1;
    if (!hit)
        step = fail(w, "main is never entered", w->routes->blocks[w->block].address);
    es_predict_follow_by(w->follower, &source);
    while (step == GOES && !es_predict_follow_wrong(w->follower)) {
        uint32_t block = w->block;
        const es_predict_route *b = &w->routes->blocks[block];
        if (b->point)
            step = pass(w, b);
        if (step == GOES)
            step = walk_block(w, b);
        if (step == GOES && w->alone++ == ALONE)
            step = next_of(w, ES_PREDICT_HITS_PLACE) ? fail(w, "it goes round without a hit", b->address) : ENDS;
        if (step == GOES)
            step = leave(w, block);
    }
    for (size_t i = 0; i < w->thread_count; i++)
        free(w->threads[i].stack);
    free(w->threads);
    return step != FAILS;
}
