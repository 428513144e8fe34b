#include "check/firmware/service_inside.h"
#include "check/firmware/tracked.h"

#include <stdlib.h>
#include <string.h>

#include <image.h>

#include "isa/rv32/rv32.h"
#include "probe_defs.h"

struct memo {
    bool words;
    enum es_check_event_kind kind;
    uint32_t address;
    es_check_situation situation;
    uint32_t cost;
    size_t states;  /* that were looked at for it: what it takes of each check's budget */
    uint32_t check; /* the last one that has paid for it */
    bool fine;
    es_error err;
};

/* With tasks, a switch may be pending at any time. */
static void allow_tasks(const es_check_service *s, const es_check_situation *now, es_check_machine *machine,
                        es_check_word regs[32])
{
    if (!s->header.tasks_at)
        return;
    regs[RV32_S9] = (es_check_word){4, ~1u};
    machine->split_at = s->routines.task_depth;
    machine->split_most = s->deepest;
    machine->never[0] = s->routines.return_unawaited;
    machine->never[1] = now->switching ? 0 : s->routines.task_switch;
    machine->never[2] = now->begins ? 0 : s->routines.task_started;
}

/* --- one event, at worst --------------------------------------------------------------------------------------- */

/* Facts about activations on the shadow stack, after `count` others. Returns how many there are then. */
static size_t know_stack(const es_check_service *s, enum es_check_event_kind kind, const es_check_situation *now,
                         es_check_fact *facts, size_t count)
{
    uint32_t top = s->routines.shadow_stack + now->depth * ES_MI_ACTIVATION_SIZE;
    if (now->depth && (now->site || now->interrupt)) {
        /* what has to be done when it is left shows in its site; OTHER: perhaps */
        es_check_word site = {now->site | (now->to_do ? ES_SITE_TO_DO : 0),
                              kind == ES_CHECK_RETURN ? 0xFFFFFFFFu : ~(uint32_t)ES_SITE_TO_DO};
        facts[count++] = (es_check_fact){top - ES_MI_ACTIVATION_SIZE,
                                         now->interrupt ? (es_check_word){ES_SITE_INTERRUPT, ES_SITE_INTERRUPT} : site};
    }
    uint32_t record = now->depth && now->inside ? es_service_record(s, now->inside) : 0;
    if (record) { /* of an interrupt's activation, of a call's, or of one or the other */
        es_check_word procedure = {record | (now->interrupt ? ES_MI_AWAITS_NONE : 0), 0xFFFF};
        if (!now->interrupt && !now->site)
            procedure.known -= ES_MI_AWAITS_NONE;
        facts[count++] = (es_check_fact){top - ES_MI_ACTIVATION_SIZE + ES_MI_ACTIVATION_PROCEDURE, procedure};
    }
    for (uint32_t i = 0; i + (kind == ES_CHECK_OTHER) < now->depth; i++) /* a jump may replace the innermost one */
        if (!(now->to_do_below >> i & 1))
            facts[count++] = (es_check_fact){s->routines.shadow_stack + i * ES_MI_ACTIVATION_SIZE, {0, ES_SITE_TO_DO}};
    for (uint32_t i = 0; i < now->depth && now->no_handler; i++)
        facts[count++] = (es_check_fact){
            s->routines.shadow_stack + i * ES_MI_ACTIVATION_SIZE + ES_MI_ACTIVATION_PROCEDURE, {0, ES_MI_AWAITS_NONE}};
    return count;
}

/* The cell that the probe hands over with the event. */
static uint32_t cell_of(const es_check_service *s, enum es_check_event_kind kind, uint32_t address,
                        const es_check_situation *now, bool nowhere)
{
    uint32_t cell = kind == ES_CHECK_EPOCH || kind == ES_CHECK_IDLE || nowhere
                        ? 0
                        : es_service_cell(s, kind >= ES_CHECK_CALL, address);
    if ((kind == ES_CHECK_WRITE_PART && !nowhere) || kind == ES_CHECK_RETURN)
        cell += ES_CELL_SECOND;
    if (kind == ES_CHECK_OTHER || kind == ES_CHECK_EPOCH || kind == ES_CHECK_READ || now->slots)
        cell |= ES_CELL_SPECIAL;
    return cell;
}

static bool run(es_check_service *s, bool words, enum es_check_event_kind kind, uint32_t address,
                const es_check_situation *now, uint32_t *cost, es_error *err)
{
    uint32_t loop = s->routines.pop + 4;
    if (es_service_tracked(s, kind, address, now)) {
        *cost = words ? 0 : ES_TRACK_CLOCKS;
        return true;
    }
    service_event e = {.service = s, .kind = kind, .address = address, .situation = now};
    bool nowhere = now->slots && !address; /* no cell: what is there instead leads nowhere */
    e.cell = cell_of(s, kind, address, now, nowhere);
    es_check_word regs[32];
    es_service_registers(s, now, regs);
    if (kind == ES_CHECK_IDLE)
        regs[RV32_S10] = check_known(1); /* there is something to do */
    es_check_fact *facts = es_malloc((s->fact_count + 6 + 2 * (size_t)ES_MI_STACK_DEPTH) * sizeof *facts);
    size_t fact_count = s->fact_count;
    memcpy(facts, s->facts, fact_count * sizeof *facts);
    if (now->slots || (kind == ES_CHECK_READ && s->header.slot_count)) { /* what is noted is run after it */
        es_service_know_gathered(s, now->slots, nowhere ? 0 : es_service_codes(s, kind, address), facts);
        facts[fact_count++] = (es_check_fact){s->routines.given_back, {0, ~es_service_pointers(s, now->slots)}};
    }
    if (nowhere)
        facts[fact_count++] = (es_check_fact){0, check_known(s->routines.pop)};
    if (now->resume_known) {
        es_check_word from = {now->resume_from, now->resume_from ? 0xFFFFFFFFu : 1};
        facts[fact_count++] = (es_check_fact){s->routines.calm + ES_MI_RESUME_AT, from};
        facts[fact_count++] =
            (es_check_fact){s->routines.calm + ES_MI_RESUME_AT + 4, word_masked(now->resume_word, now->resume_known)};
    }
    fact_count = know_stack(s, kind, now, facts, fact_count);
    es_check_machine machine = es_service_machine(s, words, &e);
    machine.facts = facts;
    machine.fact_count = fact_count;
    machine.end = loop;
    machine.also_end = s->routines.hushed_loop;
    allow_tasks(s, now, &machine, regs);
    bool fine = es_check_machine_worst(&machine, now->hushed ? machine.also_end : loop, regs, cost, err);
    if (fine && !words && s->header.control & ES_CTRL_TRACK && !now->hushed && kind != ES_CHECK_IDLE)
        *cost += es_service_marked(s, kind, address, now) ? ES_TRACK_ANSWER : ES_TRACK_PASS;
    free(facts);
    return fine;
}

/* --- memo --------------------------------------------------------------------------------------------------- */

static bool same_situation(const es_check_situation *a, const es_check_situation *b)
{
    return a->depth == b->depth && a->path_sent == b->path_sent && a->site == b->site && a->to_do == b->to_do &&
           a->interrupt == b->interrupt && a->slots == b->slots && a->inside == b->inside && a->node == b->node &&
           a->stored.bits == b->stored.bits && a->stored.known == b->stored.known && a->to_do_below == b->to_do_below &&
           a->from == b->from && a->word == b->word && a->resume_from == b->resume_from &&
           a->resume_word == b->resume_word && a->resume_known == b->resume_known && a->switching == b->switching &&
           a->begins == b->begins && a->no_handler == b->no_handler && a->hushed == b->hushed;
}

static memo *find(es_check_service *s, bool words, enum es_check_event_kind kind, uint32_t address,
                  const es_check_situation *now)
{
    size_t i = ((address * 2654435761u) ^ (now->site * 40503u) ^ (now->from * 9973u) ^ (now->resume_from * 7919u) ^
                (now->node * 31u) ^ (now->stored.bits * 17u) ^ kind * 131u ^ now->path_sent ^ words * 7u) &
               (s->memo_room - 1);
    for (; s->memos[i].fine || s->memos[i].err.code; i = (i + 1) & (s->memo_room - 1))
        if (s->memos[i].words == words && s->memos[i].kind == kind && s->memos[i].address == address &&
            same_situation(&s->memos[i].situation, now))
            break;
    return &s->memos[i];
}

static void grow(es_check_service *s)
{
    if (2 * (s->memo_count + 1) <= s->memo_room)
        return;
    memo *old = s->memos;
    size_t count = s->memo_room;
    s->memo_room = count ? 2 * count : 1024;
    s->memos = es_arena_alloc(s->arena, s->memo_room * sizeof *s->memos);
    for (size_t i = 0; i < count; i++)
        if (old[i].fine || old[i].err.code)
            *find(s, old[i].words, old[i].kind, old[i].address, &old[i].situation) = old[i];
}

static void forget(es_check_service *s)
{
    s->memos = NULL;
    s->memo_count = s->memo_room = 0;
    for (size_t i = 0; i < sizeof s->functions / sizeof *s->functions; i++) {
        s->functions[i].calls = NULL;
        s->functions[i].call_count = 0;
    }
}

void es_check_service_set_deepest(es_check_service *s, uint32_t depth)
{
    uint32_t deepest = depth < s->tasks.places ? depth : s->tasks.places;
    if (deepest != s->deepest)
        forget(s); /* what was found for another depth */
    s->deepest = deepest;
}

void es_check_service_set_partly(es_check_service *s, bool partly)
{
    if (s->partly != partly)
        forget(s);
    s->partly = partly;
}

static const char *const kinds[ES_CHECK_KINDS] = {"a write",  "a write of some lanes", "a call",
                                                  "a return", "an interrupt or jump",  "an epoch of the clock",
                                                  "a read",   "mail of the host"};

bool es_check_service_cost(es_check_service *s, bool words, enum es_check_event_kind kind, uint32_t address,
                           const es_check_situation *situation, uint32_t *cost, es_error *err)
{
    es_check_situation now = *situation;
    if (kind == ES_CHECK_WRITE || kind == ES_CHECK_WRITE_PART || kind == ES_CHECK_CALL || kind == ES_CHECK_EPOCH ||
        kind == ES_CHECK_READ || kind == ES_CHECK_IDLE) {
        now.site = now.from = now.word = now.inside = now.resume_from = now.resume_word = now.resume_known = 0;
        now.to_do = now.switching = now.begins = now.no_handler = false;
    }
    grow(s);
    memo *m = find(s, words, kind, address, &now);
    bool found = m->fine || m->err.code;
    if (found && m->check != s->checks && m->states <= s->budget) { /* known from an earlier check */
        s->budget -= m->states;
        m->check = s->checks;
    }
    if (!found || m->check != s->checks) {
        size_t before = s->budget;
        s->memo_count += !found;
        *m = (memo){.words = words, .kind = kind, .address = address, .situation = now, .check = s->checks};
        m->fine = run(s, words, kind, address, &now, &m->cost, &m->err);
        m->states = before - s->budget;
    }
    *cost = m->cost;
    if (!m->fine && err) {
        *err = m->err;
        es_fail_in(err, "no worst case is known for %s at 0x%08x", kinds[kind], (unsigned)address);
    }
    return m->fine;
}
