#include "why/slice.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "symbols/code.h"
#include "why/decide.h"
#include "why/wanted.h"

#define REGISTERS 64
/* Instructions that are noted at once: few at first, as most values are young */
#define WINDOW_FIRST (UINT64_C(1) << 12)
#define WINDOW_MOST (UINT64_C(1) << 20)
/* Instructions that are looked at for who decided, when no value is looked for any more */
#define DECISION_MOST (UINT64_C(1) << 20)

typedef struct search {
    es_why_slice *slice;
    es_timeline *timeline;
    es_machine *machine;
    const es_isa *isa;
    const es_why_options *options;
    size_t *users[REGISTERS]; /* who waits for a register */
    size_t user_counts[REGISTERS], waiting;
    es_why_wanted wanted;
    es_why_decide decide;
    size_t *changed; /* nodes of memory that others have changed, of which it is not known yet since when */
    size_t changed_count;
    uint64_t beyond; /* instructions that were looked at for decisions, and since when, alone */
    uint32_t next;   /* address of the instruction after the one that is looked at */
} search;

/* --- the slice ---------------------------------------------------------------------------------------------------- */

static size_t add_node(search *s, es_why_node node)
{
    es_why_slice *slice = s->slice;
    if ((slice->node_count & (slice->node_count - 1)) == 0)
        slice->nodes = es_realloc(slice->nodes, (slice->node_count ? 2 * slice->node_count : 1) * sizeof node);
    slice->nodes[slice->node_count] = node;
    return slice->node_count++;
}

/* Bytes of one word between the same two are one edge. */
static void add_edge(search *s, size_t user, size_t maker, es_why_place place)
{
    es_why_slice *slice = s->slice;
    for (size_t i = slice->edge_count; i-- > 0 && slice->edges[i].maker == maker;)
        if (slice->edges[i].user == user && slice->edges[i].place.memory == place.memory &&
            slice->edges[i].place.where == place.where) {
            slice->edges[i].place.lanes |= place.lanes;
            return;
        }
    if ((slice->edge_count & (slice->edge_count - 1)) == 0)
        slice->edges = es_realloc(slice->edges, (slice->edge_count ? 2 * slice->edge_count : 1) * sizeof *slice->edges);
    slice->edges[slice->edge_count++] = (es_why_edge){user, maker, place};
}

/* An end of the search: what one user used there. */
static void add_end(search *s, size_t user, es_why_node node)
{
    add_edge(s, user, add_node(s, node), node.place);
}

/* The same of a byte, which may be another one of a word that was told before. */
static void add_byte_end(search *s, const es_why_wanted_byte *want, enum es_why_node_kind kind, uint64_t moment)
{
    unsigned lane = want->address & 3;
    uint32_t data = want->known ? (uint32_t)want->value << 8 * lane : 0, unknown = want->known ? 0 : 0xFFu << 8 * lane;
    es_why_place place = {true, (uint8_t)(1u << lane), want->address & ~3u};
    es_why_slice *slice = s->slice;
    for (size_t i = slice->edge_count; i-- > 0;) {
        es_why_node *node = &slice->nodes[slice->edges[i].maker];
        if (slice->edges[i].user == want->user && node->kind == kind && node->moment == moment &&
            node->place.where == place.where) {
            node->place.lanes |= place.lanes;
            node->data |= data;
            node->unknown |= unknown;
            slice->edges[i].place.lanes |= place.lanes;
            return;
        }
    }
    add_end(s, want->user, (es_why_node){kind, moment, 0, place, data, unknown, 0});
}

/* --- what is waited for ------------------------------------------------------------------------------------------- */

static void want_register(search *s, unsigned reg, size_t user)
{
    if (!reg)
        return;
    for (size_t i = 0; i < s->user_counts[reg]; i++)
        if (s->users[reg][i] == user)
            return;
    s->users[reg] = es_realloc(s->users[reg], (s->user_counts[reg] + 1) * sizeof *s->users[reg]);
    s->users[reg][s->user_counts[reg]++] = user;
    s->waiting++;
}

static void want_word(search *s, uint32_t address, uint8_t lanes, uint32_t data, uint32_t unknown, size_t user)
{
    size_t before = s->wanted.count;
    es_why_want_word(&s->wanted, address, lanes, data, unknown, user);
    s->waiting += s->wanted.count - before;
}

/* --- memory that others have changed ------------------------------------------------------------------------------ */

/* Before an instruction that reads it: who waits for bytes of which one was changed waits no longer. What he has taken
 * as a whole was changed as a whole, also where some of its bytes are as before. */
static void take_changed(search *s, const es_why_event *event, uint64_t moment)
{
    es_why_wanted_byte want;
    for (size_t i = 0; i < s->wanted.count;) {
        want = s->wanted.bytes[i++];
        unsigned lane = want.address & 3;
        if ((want.address & ~3u) != event->address || !(event->which >> lane & 1) || !(event->changed >> lane & 1))
            continue;
        enum es_why_node_kind kind = event->unknown >> 8 * lane & 0xFF ? ES_WHY_FOUND : ES_WHY_OUTSIDE;
        size_t nodes = s->slice->node_count;
        i = 0;
        while (es_why_take_wanted(&s->wanted, &i, event->address, event->which, want.user, &want)) {
            add_byte_end(s, &want, kind, moment);
            s->waiting--;
        }
        if (kind == ES_WHY_OUTSIDE && s->slice->node_count > nodes) {
            s->changed = es_realloc(s->changed, (s->changed_count + 1) * sizeof *s->changed);
            s->changed[s->changed_count++] = s->slice->node_count - 1;
        }
        i = 0;
    }
}

/* When the program had it last: it was changed after that. */
static void note_access(search *s, const es_why_event *event, uint64_t moment)
{
    for (size_t i = 0; i < s->changed_count; i++) {
        es_why_node *node = &s->slice->nodes[s->changed[i]];
        if (node->place.where == event->address && node->place.lanes & event->which) {
            node->since = moment + 1;
            s->changed[i--] = s->changed[--s->changed_count];
        }
    }
}

/* --- an instruction ----------------------------------------------------------------------------------------------- */

typedef struct executed {
    uint64_t moment;
    const es_why_event *events; /* INSN first */
    size_t count;
    size_t node; /* SIZE_MAX: nothing of it is waited for, so far */
} executed;

static size_t node_of(search *s, executed *e, es_why_place place, uint32_t data, uint32_t unknown)
{
    if (e->node == SIZE_MAX)
        e->node = add_node(s, (es_why_node){ES_WHY_MADE, e->moment, e->events[0].address, place, data, unknown, 0});
    return e->node;
}

static void take_sets(search *s, executed *e, unsigned reg)
{
    es_why_place place = {false, 15, reg};
    if (reg >= REGISTERS || !s->user_counts[reg])
        return;
    size_t node = node_of(s, e, place, 0, 0);
    for (size_t i = 0; i < s->user_counts[reg]; i++)
        add_edge(s, s->users[reg][i], node, place);
    s->waiting -= s->user_counts[reg];
    s->user_counts[reg] = 0;
}

static void take_write(search *s, executed *e, const es_why_event *event)
{
    es_why_wanted_byte want;
    for (size_t at = 0; es_why_take_wanted(&s->wanted, &at, event->address, event->which, SIZE_MAX, &want);) {
        es_why_place place = {true, (uint8_t)(1u << (want.address & 3)), event->address};
        add_edge(s, want.user,
                 node_of(s, e, (es_why_place){true, event->which, event->address}, event->data, event->unknown), place);
        s->waiting--;
    }
}

static void take_read(search *s, const executed *e, const es_why_event *event)
{
    if (es_machine_in_memory(s->machine, event->address, 4))
        want_word(s, event->address, event->which, event->data, event->unknown, e->node);
    else
        add_end(s, e->node,
                (es_why_node){ES_WHY_INPUT, e->moment, e->events[0].address,
                              (es_why_place){true, event->which, event->address}, event->data, event->unknown, 0});
}

static es_insn decode(const search *s, uint32_t pc)
{
    return es_why_decode(s->machine, s->isa, pc);
}

/* Of an instruction of another kind: of floating point, as far as the instruction set tells. */
static bool want_operands(search *s, const executed *e)
{
    uint8_t bytes[4] = {0}, registers[ES_ISA_OPERANDS];
    if (!s->isa->operands || !es_machine_peek(s->machine, e->events[0].address, bytes, NULL, 4))
        return false;
    unsigned count = s->isa->operands(bytes, sizeof bytes, registers);
    for (unsigned i = 0; i < count; i++)
        want_register(s, registers[i], e->node);
    return count;
}

/* What an instruction made its result of. */
static void take_uses(search *s, const executed *e)
{
    es_insn insn = decode(s, e->events[0].address);
    es_why_node end = {ES_WHY_UNTOLD, e->moment, e->events[0].address, s->slice->nodes[e->node].place, 0, 0, 0};
    for (size_t i = 1; i < e->count; i++)
        if (e->events[i].kind == ES_WHY_READ)
            take_read(s, e, &e->events[i]);
    switch (insn.kind) {
    case ES_INSN_COMPUTE:
        want_register(s, insn.rs1, e->node);
        want_register(s, insn.immediate ? 0 : insn.rs2, e->node);
        break;
    case ES_INSN_STORE:
    case ES_INSN_ATOMIC: want_register(s, es_insn_stored(insn), e->node); break;
    case ES_INSN_CONTROL:
        end.kind = ES_WHY_CONTROL;
        add_end(s, e->node, end);
        break;
    case ES_INSN_LOAD:
    case ES_INSN_CONSTANT:
    case ES_INSN_ADDRESS:
    case ES_INSN_JUMP:
    case ES_INSN_JUMP_REGISTER:
    case ES_INSN_CALL:
    case ES_INSN_CALL_REGISTER:
    case ES_INSN_RETURN: break;
    default:
        if (!want_operands(s, e))
            add_end(s, e->node, end);
        break;
    }
    if (s->options->addresses &&
        (insn.kind == ES_INSN_LOAD || insn.kind == ES_INSN_STORE || insn.kind == ES_INSN_ATOMIC))
        want_register(s, insn.rs1, e->node);
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

static void add_compared(search *s, size_t branch, unsigned reg)
{
    const es_why_node *node = &s->slice->nodes[branch];
    if (reg && s->options->control)
        want_register(s, reg, branch);
    else if (reg)
        add_end(s, branch, (es_why_node){ES_WHY_UNASKED, node->moment, node->pc, {false, 15, reg}, 0, 0, 0});
}

static void add_decision(search *s, size_t node, size_t by)
{
    es_why_slice *slice = s->slice;
    if ((slice->decision_count & (slice->decision_count - 1)) == 0)
        slice->decisions = es_realloc(slice->decisions, (slice->decision_count ? 2 * slice->decision_count : 1) *
                                                            sizeof *slice->decisions);
    slice->decisions[slice->decision_count++] = (es_why_decision){node, by};
}

/* What the instruction decided. `next`: the address of the one that was executed after it. */
static void take_decisions(search *s, const executed *e, es_insn insn, uint32_t next)
{
    uint32_t pc = e->events[0].address;
    size_t branch = SIZE_MAX, node;
    while ((node = es_why_decided(&s->decide, pc)) != SIZE_MAX) {
        if (branch == SIZE_MAX) {
            uint32_t taken = next != pc + insn.size;
            branch = add_node(s, (es_why_node){ES_WHY_DECIDED, e->moment, pc, {0}, taken, 0, 0});
        }
        add_decision(s, node, branch);
    }
    if (branch == SIZE_MAX)
        return;
    add_compared(s, branch, insn.rs1);
    add_compared(s, branch, insn.kind == ES_INSN_BRANCH ? insn.rs2 : 0);
    if (s->options->control)
        es_why_decide_wait(&s->decide, branch, pc);
}

/* Before its data: activations that it ends or begins. */
static void take_flow(search *s, const executed *e, es_insn insn, uint32_t next)
{
    for (size_t i = 1; i < e->count; i++)
        if (e->events[i].kind == ES_WHY_TRAP)
            es_why_decide_trap(&s->decide, e->events[i].data);
    es_why_decide_enter(&s->decide, s->isa, insn, e->events[0].data);
    take_decisions(s, e, insn, next);
    if (es_insn_is_call(insn))
        es_why_decide_leave(&s->decide, e->events[0].address);
}

static void take_executed(search *s, executed *e)
{
    for (size_t i = e->count; i-- > 1;) {
        const es_why_event *event = &e->events[i];
        if (event->kind == ES_WHY_SETS)
            take_sets(s, e, event->which);
        if (event->kind == ES_WHY_READ || event->kind == ES_WHY_WRITE)
            note_access(s, event, e->moment);
        if (event->kind == ES_WHY_WRITE && es_why_wants(&s->wanted, event->address))
            take_write(s, e, event);
    }
    if (e->node == SIZE_MAX)
        return;
    take_uses(s, e);
    es_why_decide_wait(&s->decide, e->node, e->events[0].address);
}

/* --- the search --------------------------------------------------------------------------------------------------- */

static bool is_full(const search *s)
{
    return s->slice->node_count >= s->options->most;
}

static bool goes_on(const search *s)
{
    return !is_full(s) && (s->waiting || ((s->decide.count || s->changed_count) && s->beyond < DECISION_MOST));
}

static void sweep(search *s, const es_why_trace *trace)
{
    uint64_t moment = trace->to;
    size_t end = trace->count;
    for (size_t i = trace->count; i-- > 0 && goes_on(s);) {
        if (trace->events[i].kind != ES_WHY_INSN) {
            if (trace->events[i].kind == ES_WHY_CHANGED && es_why_wants(&s->wanted, trace->events[i].address))
                take_changed(s, &trace->events[i], moment);
            if (i == 0 && trace->events[i].kind == ES_WHY_TRAP) /* after the last one of the window before */
                es_why_decide_trap(&s->decide, trace->events[i].data);
            continue;
        }
        executed e = {--moment, trace->events + i, end - i, SIZE_MAX};
        es_insn insn = decode(s, e.events[0].address);
        end = i;
        s->slice->searched++;
        s->beyond += !s->waiting;
        take_flow(s, &e, insn, s->next);
        take_executed(s, &e);
        s->next = e.events[0].address;
    }
}

/* Who still waits gets an end. */
static void end_all(search *s, enum es_why_node_kind registers, enum es_why_node_kind memory)
{
    for (unsigned reg = 1; reg < REGISTERS; reg++)
        for (size_t i = 0; i < s->user_counts[reg]; i++)
            add_end(s, s->users[reg][i],
                    (es_why_node){.kind = registers, .place = {false, 15, reg}, .unknown = UINT32_MAX});
    for (size_t i = 0; i < s->wanted.count; i++)
        add_byte_end(s, &s->wanted.bytes[i], memory, 0);
}

static void ask(search *s, uint64_t moment, const es_why_place *places, size_t count)
{
    size_t root = add_node(s, (es_why_node){.kind = ES_WHY_ASKED, .moment = moment});
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4] = {0}, unknown[4] = {0};
        if (!places[i].memory) {
            want_register(s, places[i].where, root);
            continue;
        }
        es_machine_peek(s->machine, places[i].where, bytes, unknown, 4);
        for (unsigned lane = 0; lane < 4; lane++)
            want_word(s, places[i].where, places[i].lanes & 1u << lane, (uint32_t)bytes[lane] << 8 * lane,
                      (uint32_t)unknown[lane] << 8 * lane, root);
    }
}

bool es_why_slice_take(es_why_slice *slice, es_timeline *timeline, const es_symbols *symbols, uint64_t moment,
                       const es_why_place *places, size_t place_count, const es_why_options *options, es_error *err)
{
    es_machine *machine = es_timeline_machine(timeline);
    search s = {
        .slice = slice, .timeline = timeline, .machine = machine, .isa = es_symbols_isa(symbols), .options = options};
    es_why_decide_begin(&s.decide, symbols);
    es_why_trace trace = {0};
    memset(slice, 0, sizeof *slice);
    bool good = es_timeline_seek(timeline, moment, err);
    if (good)
        ask(&s, moment, places, place_count);
    for (uint64_t to = moment, window = WINDOW_FIRST; good && to > 0 && goes_on(&s) && !slice->stopped;) {
        uint64_t from = to > window ? to - window : 0;
        good = es_why_trace_take(&trace, timeline, s.isa, from, to, err);
        if (good)
            sweep(&s, &trace);
        to = from;
        window = window < WINDOW_MOST ? 2 * window : window;
        slice->stopped = options->asked && options->asked();
    }
    /* who still waits although all was looked at was executed whatever any branch decided */
    slice->undecided =
        s.decide.undecided || (s.decide.count && (is_full(&s) || slice->stopped || s.beyond >= DECISION_MOST));
    if (good && (is_full(&s) || slice->stopped))
        end_all(&s, ES_WHY_CUT, ES_WHY_CUT);
    else if (good)
        end_all(&s, ES_WHY_RESET, ES_WHY_START);
    es_why_trace_free(&trace);
    es_why_decide_end(&s.decide);
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        free(s.users[reg]);
    es_why_wanted_free(&s.wanted);
    free(s.changed);
    if (!good)
        es_why_slice_free(slice);
    return good;
}

void es_why_slice_free(es_why_slice *slice)
{
    free(slice->nodes);
    free(slice->edges);
    free(slice->decisions);
    memset(slice, 0, sizeof *slice);
}
