#include "image/places/moving.h"

#include <stddef.h>
#include <string.h>

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/paths/calls.h"
#include "image/places/element.h"
#include "image/places/frames.h"
#include "image/places/moved.h"
#include "image/places/pointers.h"
#include "image/places/ppat.h"
#include "image/places/reads.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "lang/statement.h"
#include "symbols/code.h"

typedef struct search {
    image_plan *plan;
    const es_symbols *symbols;
    const es_probe_limits *limits;
    call_graph graph;
    bool *known;  /* by procedure: the CFA of each of its activations will be known */
    bool *surely; /* ... from its callers' */
} search;

/* --- which frames move ------------------------------------------------------------------------------------- */

/* Whether paths fix the places of frames: of one, or (frame NULL) of all that do not move. */
static bool is_fixed(const image_plan *plan, plan_frame *frame, const es_symbols *symbols,
                     const es_probe_limits *limits, es_error *why)
{
    image_plan some = *plan;
    image_ppat ppat;
    if (frame) {
        some.frames = frame;
        some.frame_count = 1;
    }
    return es_ppat_build(&ppat, symbols, &some, limits, why);
}

static void find_moved(image_plan *plan, const image_plan *all, const es_symbols *symbols,
                       const es_probe_limits *limits)
{
    plan->moved = es_arena_alloc(plan->arena, (all->frame_count + 1) * sizeof *plan->moved);
    es_error why;
    for (size_t i = 0; i < all->frame_count; i++) {
        bool reads = es_reads_locals(plan->program, all->frames[i].procedure);
        all->frames[i].moves = !is_fixed(all, &all->frames[i], symbols, limits, &why) || reads;
        if (reads)
            es_fail(&why, ES_USAGE, "reads of a local of %s are to be watched", all->frames[i].procedure->name);
        if (all->frames[i].moves)
            plan->moved[plan->moved_count++] = (plan_moved){all->frames[i].procedure, why};
    }
    if (is_fixed(all, NULL, symbols, limits, &why))
        return;
    for (size_t i = 0; i < all->frame_count; i++) /* they are too many */
        if (!all->frames[i].moves)
            plan->moved[plan->moved_count++] = (plan_moved){all->frames[i].procedure, why};
}

/* --- one frame for each path --------------------------------------------------------------------------------- */

/* Stands for the procedure in references by one path. */
typedef struct twin {
    es_procedure procedure; /* a copy */
    const es_procedure *original;
    const es_path *path;
} twin;

typedef struct twins {
    image_plan *plan;
    twin **list;
    size_t count;
} twins;

static const es_procedure *twin_of(twins *t, const es_procedure *procedure, const es_path *path)
{
    if (!procedure || !es_moving_why(t->plan, procedure))
        return procedure;
    for (size_t i = 0; i < t->count; i++)
        if (t->list[i]->original == procedure && es_paths_same(t->list[i]->path, path))
            return &t->list[i]->procedure;
    t->list = es_arena_grow(t->plan->arena, t->list, t->count, sizeof *t->list);
    twin *new = t->list[t->count++] = es_arena_alloc(t->plan->arena, sizeof *new);
    *new = (twin){*procedure, procedure, path};
    return &new->procedure;
}

/* A copy of the statements in which each path to the locals of a procedure whose frame moves has a procedure of its
 * own: so it has words, a cell and a slot of its own. */
static const es_program *separate(image_plan *plan, const es_program *program)
{
    twins t = {.plan = plan};
    es_program *copy = es_arena_alloc(plan->arena, sizeof *copy);
    *copy = *program;
    copy->statements = es_arena_alloc(plan->arena, (program->statement_count + 1) * sizeof *copy->statements);
    for (size_t s = 0; s < program->statement_count; s++) {
        es_statement *statement = &copy->statements[s];
        *statement = program->statements[s];
        es_reference *references = es_arena_alloc(plan->arena, (statement->reference_count + 1) * sizeof *references);
        es_action *actions = es_arena_alloc(plan->arena, (statement->action_count + 1) * sizeof *actions);
        for (size_t i = 0; i < statement->reference_count; i++) {
            references[i] = statement->references[i];
            references[i].frame = twin_of(&t, references[i].frame, references[i].path);
        }
        for (size_t i = 0; i < statement->action_count; i++) {
            actions[i] = statement->actions[i];
            if (!actions[i].snapshot)
                continue;
            es_snapshot *snapshot = es_arena_alloc(plan->arena, sizeof *snapshot);
            *snapshot = *actions[i].snapshot;
            snapshot->place.frame = twin_of(&t, snapshot->place.frame, snapshot->place.path);
            actions[i].snapshot = snapshot;
        }
        statement->references = references;
        statement->actions = actions;
    }
    return copy;
}

void es_moving_find(image_plan *plan, const es_symbols *symbols, const es_probe_limits *limits)
{
    image_plan all = {.arena = plan->arena, .program = plan->program};
    for (size_t s = 0; s < plan->program->statement_count; s++)
        es_plan_add_frames(&all, &plan->program->statements[s]);
    if (!all.frame_count)
        return;
    find_moved(plan, &all, symbols, limits);
    if (plan->moved_count)
        plan->program = separate(plan, plan->program);
}

/* --- learning ---------------------------------------------------------------------------------------------- */

/* Whether a store is to one of the procedure's locals that statements refer to. */
static bool is_watched(const image_plan *plan, const es_procedure *procedure, const es_store *store)
{
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const es_statement *statement = &plan->program->statements[s];
        for (size_t i = 0; i < statement->reference_count; i++) {
            const es_reference *reference = &statement->references[i];
            if (!reference->frame || reference->frame->low != procedure->low)
                continue;
            es_reference first = es_element_at(reference, 0),
                         last = es_element_at(reference, es_element_count(reference) - 1);
            int64_t low = (int32_t)first.address, high = (int64_t)(int32_t)last.address + reference->size;
            if (store->cfa_offset < high && store->cfa_offset + store->size > low)
                return true;
        }
    }
    return false;
}

/* The second instruction after one. */
static uint32_t after_next(const es_symbols *symbols, uint32_t address)
{
    es_insn insn;
    for (unsigned i = 0; i < 2; i++)
        address += es_symbols_insn(symbols, address, &insn) ? insn.size : es_symbols_isa(symbols)->largest;
    return address;
}

/* The first of the stores with an instruction after it that stores nothing, as long as none is to what is watched. */
static bool find_learn(const search *s, const es_procedure *procedure, struct es_mi_learn *learn)
{
    const es_store *stores;
    uint32_t end;
    size_t count = es_symbols_prologue(s->symbols, procedure, &stores, &end);
    for (size_t i = 0; i < count && !is_watched(s->plan, procedure, &stores[i]); i++) {
        uint32_t next = i + 1 < count ? stores[i + 1].site : end;
        *learn = (struct es_mi_learn){stores[i].site, after_next(s->symbols, stores[i].site), stores[i].cfa_offset};
        if (stores[i].size == 4 && !(stores[i].cfa_offset & 3) && next >= learn->point)
            return true;
    }
    return false;
}

/* --- which procedures matter --------------------------------------------------------------------------------- */

/* Of the frame's procedure, which its own may be a copy of. */
static size_t index_of(const search *s, const plan_frame *frame)
{
    return es_calls_index(&s->graph, es_moving_why(s->plan, frame->procedure)->procedure);
}

static void find_leading(const search *s)
{
    const call_graph *graph = &s->graph;
    for (size_t i = 0; i < s->plan->frame_count; i++)
        if (s->plan->frames[i].moves)
            s->plan->moving[index_of(s, &s->plan->frames[i])].leads = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < graph->count; i++)
            for (size_t k = 0; k < graph->edge_counts[i] && !s->plan->moving[i].leads && i != graph->start; k++)
                if (s->plan->moving[graph->edges[i][k].callee].leads)
                    s->plan->moving[i].leads = changed = true;
    }
}

/* Whether the program comes to the procedure at all. */
static bool is_reached(const search *s, size_t procedure)
{
    const call_graph *graph = &s->graph;
    size_t *list = es_arena_alloc(s->plan->arena, (graph->count + 1) * sizeof *list), count = 0;
    bool *seen = es_arena_alloc(s->plan->arena, graph->count + 1);
    for (size_t i = 0; i < graph->count; i++)
        if ((i == graph->start || graph->procedures[i]->is_interrupt) && !seen[i]) {
            seen[i] = true;
            list[count++] = i;
        }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < graph->edge_counts[list[i]]; k++) {
            size_t callee = graph->edges[list[i]][k].callee;
            if (!seen[callee])
                list[count++] = callee;
            seen[callee] = true;
        }
    return seen[procedure];
}

static bool frame_size(const search *s, const es_procedure *procedure, uint16_t *size)
{
    uint32_t bytes;
    *size = ES_MI_FRAME_SIZE_UNKNOWN;
    if (!es_symbols_frame_size(s->symbols, procedure, &bytes) || bytes >= ES_MI_FRAME_SIZE_UNKNOWN)
        return false;
    *size = (uint16_t)bytes;
    return true;
}

/* Where what start-up code calls and jumps to has its CFA. Assembly that says nothing about its frame has none. */
static void find_root(const search *s)
{
    uint32_t top, size;
    if (s->graph.start == s->graph.count || !es_symbols_stack_top(s->symbols, &top) || top & 3 ||
        top - s->limits->window_base > s->limits->window_size)
        return;
    if (!es_symbols_frame_size(s->symbols, s->graph.procedures[s->graph.start], &size))
        size = 0;
    s->plan->root_jump_cfa = top;
    s->plan->root_cfa = size < top - s->limits->window_base ? top - size : 0;
}

/* Whether a caller's activations tell where those of what it calls have their CFA. */
static bool tells(const search *s, size_t caller)
{
    uint16_t size;
    if (caller == s->graph.start)
        return s->plan->root_cfa && s->plan->root_jump_cfa;
    return s->known[caller] && frame_size(s, s->graph.procedures[caller], &size);
}

static void find_known(search *s)
{
    const call_graph *graph = &s->graph;
    moving_procedure *moving = s->plan->moving;
    bool *learns = es_arena_alloc(s->plan->arena, graph->count + 1);
    s->known = es_arena_alloc(s->plan->arena, graph->count + 1);
    s->surely = es_arena_alloc(s->plan->arena, graph->count + 1);
    for (size_t i = 0; i < graph->count; i++) {
        s->known[i] = moving[i].leads;
        learns[i] = moving[i].leads && find_learn(s, graph->procedures[i], &moving[i].learn);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < graph->count; i++)
            s->surely[i] =
                moving[i].leads && !graph->procedures[i]->is_interrupt &&
                !(s->plan->program->task && graph->procedures[i]->address_taken); /* a task may begin with it */
        for (size_t i = 0; i < graph->count; i++)
            for (size_t k = 0; k < graph->edge_counts[i]; k++)
                if (!tells(s, i))
                    s->surely[graph->edges[i][k].callee] = false;
        for (size_t i = 0; i < graph->count; i++)
            if (s->known[i] && !s->surely[i] && !learns[i]) {
                s->known[i] = false;
                changed = true;
            }
    }
    for (size_t i = 0; i < graph->count; i++)
        moving[i].learns = learns[i] && !s->surely[i];
}

/* --- refusals and slots -------------------------------------------------------------------------------------- */

static bool check(const search *s, const plan_frame *frame, es_error *err)
{
    const char *why = es_moving_why(s->plan, frame->procedure)->why.text;
    if (s->graph.start == s->graph.count || !is_reached(s, index_of(s, frame)))
        return es_plan_refuse_local(s->plan, frame->procedure, err, "%s", why);
    if (!s->known[index_of(s, frame)])
        return es_plan_refuse_local(
            s->plan, frame->procedure, err,
            "%s; and it cannot be found while the program runs, as %s, or "
            "a procedure that calls it, does not begin with a store into its own frame: compile its file with -O0, or "
            "copy the value to a global",
            why, frame->procedure->name);
    return true;
}

bool es_moving_check(image_plan *plan, const es_symbols *symbols, const es_probe_limits *limits, es_error *err)
{
    if (!plan->moved_count)
        return true;
    search s = {.plan = plan, .symbols = symbols, .limits = limits};
    automaton paths;
    const es_path **list = es_arena_alloc(plan->arena, (plan->path_count + 1) * sizeof *list);
    for (size_t i = 0; i < plan->path_count; i++)
        list[i] = plan->paths[i].path;
    es_automaton_begin(&paths, plan->arena, list, plan->path_count);
    es_calls_make(&s.graph, symbols, plan->arena, &paths, plan->program->task != NULL);
    plan->moving = es_arena_alloc(plan->arena, (s.graph.count + 1) * sizeof *plan->moving);
    find_leading(&s);
    find_root(&s);
    find_known(&s);
    if (plan->slot_count > ES_MI_SLOTS_MAX)
        return es_fail(
            err, ES_USAGE,
            "the statements refer to locals by paths that do not tell where a frame lies, and to what pointers "
            "point to: together %zu places that move, and the probe follows at most %u: watch fewer at once",
            plan->slot_count, ES_MI_SLOTS_MAX);
    for (size_t i = 0; i < plan->frame_count; i++)
        if (plan->frames[i].moves && !check(&s, &plan->frames[i], err))
            return false;
    return true;
}

uint32_t es_moving_ram(const image_plan *plan, const plan_frame *frame)
{
    return (uint32_t)sizeof(struct es_mi_meant) +
           (es_pointers_in_frame(plan, frame->procedure) ? 4 * ES_MI_STACK_DEPTH : 0);
}
