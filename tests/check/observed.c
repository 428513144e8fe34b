#include "observed.h"

#include <stdlib.h>
#include <string.h>

#include "check/target/loops.h"
#include "probe_defs.h"

#define MRET_WORD 0x30200073u
#define NEVER (INT64_C(1) << 30)

observed *observed_new(const es_symbols *symbols, unsigned ratio, bool tasks)
{
    observed *o = es_malloc(sizeof *o);
    memset(o, 0, sizeof *o);
    o->arena = es_arena_new();
    o->ratio = ratio;
    o->depth = o->nest = 1;
    es_check_timing timing = es_check_timing_of_target(0);
    if (tasks)
        es_check_program_build_tasks(&o->program, o->arena, symbols, &timing);
    else
        es_check_program_build(&o->program, o->arena, symbols, &timing);
    es_check_aims_find(&o->aims, o->arena, &o->program);
    if (o->program.hub == CHECK_NONE)
        es_check_loops_find(&o->program, &o->aims, true);
    for (size_t i = 0; i < OBSERVED_DEPTH; i++)
        o->rounds[i] = es_arena_alloc(o->arena, (o->program.counted_count + 1) * sizeof *o->rounds[i]);
    for (size_t i = 0; i < o->program.node_count; i++)
        if (o->program.nodes[i].address / 2 < OBSERVED_CODE_HALVES)
            o->node_of[o->program.nodes[i].address / 2] =
                o->program.nodes[i].procedure < o->program.symbol_count ? i + 1 : 0; /* not what is there twice */
    es_object *objects;
    size_t count = es_symbols_objects(symbols, o->arena, &objects);
    o->heap = count ? objects[count - 1].address + objects[count - 1].size : 0;
    return o;
}

void observed_free(observed *o)
{
    es_arena_free(o->arena);
    free(o);
}

/* --- the program ------------------------------------------------------------------------------------------------ */

static bool may_be_frame(const es_check_aims *aims, size_t node)
{
    for (size_t p = 0; p < aims->regions.program->procedure_count; p++)
        if (es_check_aims_may(aims, node, p, (uint32_t)-4))
            return true;
    return aims->at[node].kind == VALUE_STACK;
}

static void take_store(observed *o, const es_retired *r)
{
    size_t node = r->pc / 2 < OBSERVED_CODE_HALVES ? o->node_of[r->pc / 2] : 0;
    if (!node--)
        return;
    if (o->program.nodes[node].procedure == o->program.entry)
        return; /* it clears what lies between two symbols */
    bool said =
        es_check_aims_may(&o->aims, node, CHECK_NONE, r->mem_addr) ||
        ((r->mem_addr >= o->heap || (o->program.hub != CHECK_NONE && es_check_aims_in_stack(&o->aims, r->mem_addr))) &&
         may_be_frame(&o->aims, node));
    if (!said && !o->strays++)
        o->first_stray = r->pc;
}

static bool is_inside(const observed *o, const es_check_counted *loop, size_t node)
{
    size_t p = o->program.nodes[loop->head].procedure;
    return o->program.nodes[node].procedure == p && loop->inside[node - o->program.procedures[p].first_node];
}

/* Counts the rounds of loops in an activation. */
static void take_step(observed *o, const es_retired *r)
{
    size_t node = r->pc / 2 < OBSERVED_CODE_HALVES ? o->node_of[r->pc / 2] : 0;
    if (o->depth >= OBSERVED_DEPTH)
        return;
    size_t before = o->last[o->depth];
    o->last[o->depth] = node;
    for (size_t i = 0; i < o->program.counted_count; i++) {
        const es_check_counted *loop = &o->program.counted[i];
        uint32_t *rounds = &o->rounds[o->depth][i];
        if (!node || !before || !is_inside(o, loop, node - 1) || !is_inside(o, loop, before - 1))
            *rounds = 0;
        else if (node - 1 == loop->head && ++*rounds > loop->rounds && !o->overrun++)
            o->first_overrun = r->pc;
    }
}

static void enter(observed *o)
{
    if (++o->depth < OBSERVED_DEPTH)
        o->last[o->depth] = 0;
}

static void take_interrupt(observed *o, const es_retired *r)
{
    int64_t since = (int64_t)(r->fetch_cycle - o->last_interrupt);
    if (!o->interrupt_gap)
        o->interrupt_gap = NEVER;
    else if (since < o->interrupt_gap)
        o->interrupt_gap = since;
    o->last_interrupt = r->fetch_cycle;
}

/* A return led to a procedure's first instruction, which is where a task begins. What was left still waits for a
 * return. */
static void take_begin(observed *o, const es_retired *r)
{
    const es_procedure *in = es_symbols_procedure_at(o->program.symbols, r->pc);
    if (!o->left_by || r->interrupt || !in || in->low != r->pc || !in->address_taken)
        return;
    o->begun++;
    o->depth += o->left_by == MRET_WORD ? 1 : 2;
}

/* A call or a return, by the manual's encodings; of two bytes: c.jal, c.jalr, c.jr. */
static void find_flow(uint32_t insn, bool *calls, bool *returns)
{
    unsigned opcode = insn & 0x7F, rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;
    if (opcode % 4 == 3) {
        *calls = (opcode == 0x6F || opcode == 0x67) && (rd == 1 || rd == 5);
        *returns = opcode == 0x67 && rd == 0 && (rs1 == 1 || rs1 == 5);
        return;
    }
    unsigned form = insn & 0xF07F;
    *calls = (insn & 0xE003) == 0x2001 || (form == 0x9002 && rd != 0);
    *returns = form == 0x8002 && (rd == 1 || rd == 5);
}

void observed_retired(void *context, const es_retired *r)
{
    observed *o = context;
    bool calls, leaves;
    if (r->mem_wmask)
        take_store(o, r);
    if (r->mem_wmask && r->mem_wmask != 15)
        o->partial[r->cycle % OBSERVED_STORES] = r->cycle;
    if (r->interrupt) {
        take_interrupt(o, r);
        enter(o);
        o->handlers++;
        o->levels = o->handlers > o->levels ? o->handlers : o->levels;
    } else if (r->insn == MRET_WORD && o->handlers) {
        o->handlers--;
    }
    take_step(o, r);
    if (o->program.hub != CHECK_NONE)
        take_begin(o, r);
    find_flow(r->insn, &calls, &leaves);
    leaves |= r->insn == MRET_WORD;
    o->left_by = leaves ? r->insn : 0;
    if (calls)
        enter(o);
    else if (leaves && o->depth)
        o->depth--;
    o->nest = o->depth > o->nest ? o->depth : o->nest;
}

/* --- the probe -------------------------------------------------------------------------------------------------- */

void observed_taken(void *context, const es_sim_hit *hit)
{
    observed *o = context;
    uint32_t address = hit->kind == ES_KIND_MARK ? 0 : hit->address;
    bool part = hit->kind == ES_KIND_WRITE && hit->time && o->partial[hit->time % OBSERVED_STORES] == hit->time;
    size_t i = 0;
    while (i < o->hit_count &&
           (o->hits[i].kind != hit->kind || o->hits[i].address != address || o->hits[i].part != part))
        i++;
    if (i == o->hit_count && i < OBSERVED_HITS)
        o->hits[o->hit_count++] = (observed_hit){.kind = hit->kind, .part = part, .address = address};
    if (i < o->hit_count && hit->clocks > o->hits[i].clocks)
        o->hits[i].clocks = hit->clocks;
    o->backlog -= (double)(hit->time - o->last_hit) * o->ratio;
    if (o->backlog <= 0)
        o->busy_since = hit->time;
    o->backlog = (o->backlog > 0 ? o->backlog : 0) + hit->clocks;
    double busy = (double)(hit->time - o->busy_since) * o->ratio + o->backlog;
    o->busy = busy > o->busy ? busy : o->busy;
    o->most = o->backlog > o->most ? o->backlog : o->most;
    o->last_hit = hit->time;
}
