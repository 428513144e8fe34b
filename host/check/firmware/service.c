#include "check/firmware/service_inside.h"
#include "check/firmware/tracked.h"

#include <stdio.h>
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

/* --- one event ---------------------------------------------------------------------------------------------- */

typedef struct event {
    const es_check_service *service;
    enum es_check_event_kind kind;
    uint32_t address, cell;
    const es_check_situation *situation;
    uint32_t *gathered; /* a bit for each routine that is noted to be run; NULL: that is not asked */
} event;

static es_check_word hit_flags(const event *e)
{
    if (e->kind == ES_CHECK_EPOCH)
        return (es_check_word){ES_KIND_MARK | ES_MARK_EPOCH << ES_HIT_LANES_SHIFT,
                               ES_HIT_KIND_MASK | 15u << ES_HIT_LANES_SHIFT};
    if (e->kind == ES_CHECK_READ)
        return (es_check_word){ES_KIND_READ, ES_HIT_KIND_MASK};
    bool fetch = e->kind >= ES_CHECK_CALL;
    uint32_t kind = fetch ? ES_KIND_FETCH : ES_KIND_WRITE;
    uint32_t known = ES_HIT_KIND_MASK;
    uint32_t bits = kind;
    /* all lanes; of an instruction of two bytes some, as the tap has them */
    if (e->kind == ES_CHECK_WRITE || (fetch && e->service->target->smallest == 4)) {
        bits |= 15u << ES_HIT_LANES_SHIFT;
        known |= 15u << ES_HIT_LANES_SHIFT;
    }
    if (fetch) {
        bits |= ES_HIT_OLD_KNOWN;
        known |= ES_HIT_OLD_KNOWN;
    }
    return (es_check_word){bits & known, known};
}

/* REG_HIT_PC: of OTHER, which is a fetch, the site of what was fetched before. */
static es_check_word last_pc(const event *e)
{
    const es_check_situation *now = e->situation;
    uint32_t size_bit = e->service->target->evidence.size_bit;
    if (e->kind != ES_CHECK_OTHER || !now->from)
        return (es_check_word){0, 1};
    return check_known(es_isa_site(now->from, now->word & size_bit ? 4 : 2));
}

/* Of an event; e NULL: of any. */
static es_check_word read_register(void *context, uint32_t address)
{
    static const es_check_word unknown = {0, 0};
    const event *e = context;
    if (address == ES_REG_BASE + ES_REG_UNKNOWN)
        return (es_check_word){0, ~1u};
    if (address == ES_REG_BASE + ES_REG_EV_ROOM)
        return check_known(0xFFFF); /* check.c makes sure that there always is enough */
    if (!e)
        return unknown;
    const es_check_situation *now = e->situation;
    const es_isa_evidence *evidence = &e->service->target->evidence;
    if (now->stored.known && e->kind <= ES_CHECK_WRITE_PART &&
        address == e->address - e->service->header.window_base + ES_PHANTOM_BASE)
        return now->stored;
    if (address < ES_REG_BASE || address >= ES_PHANTOM_BASE)
        return unknown;
    switch (address - ES_REG_BASE) {
    case ES_REG_HIT_CELL:
    case ES_REG_HIT_NEXT: return check_known(e->cell);
    case ES_REG_HIT_FLAGS: return hit_flags(e);
    case ES_REG_HIT_ADDR: return now->slots && !e->address ? unknown : check_known(e->address);
    case ES_REG_HIT_NEW: return now->stored;
    case ES_REG_HIT_OLD:
        if (e->kind == ES_CHECK_CALL)
            return word_masked(evidence->call_bits, e->service->target->smallest < 4 ? ~evidence->size_bit : ~0u);
        if (e->kind == ES_CHECK_RETURN)
            return word_masked(evidence->a_return, es_isa_return_mask(e->service->target));
        return e->kind == ES_CHECK_OTHER && now->from ? check_known(now->word) : unknown;
    case ES_REG_HIT_PC: return last_pc(e);
    default: return unknown;
    }
}

/* Words that a store puts into the event queue. */
static uint32_t weigh_words(void *context, uint32_t address, es_check_word value)
{
    (void)context, (void)value;
    switch (address - ES_REG_BASE) {
    case ES_REG_EV_HIT: return 5;
    case ES_REG_EV_HEAD:
    case ES_REG_EV_DATA:
    case ES_REG_EV_LAST: return 1;
    default: return 0;
    }
}

/* Paths that come to words of slots that do not lie there are none. */
static bool enter(void *context, uint32_t gate, const es_check_word regs[32])
{
    const event *e = context;
    if (!e)
        return true;
    const es_check_service *s = e->service;
    if (gate == s->routines.slot_met && word_is_known(regs[RV32_A0]))
        return e->situation->slots >> (regs[RV32_A0].bits - s->header.slots_at) / sizeof(struct es_mi_slot) & 1;
    if (gate == s->routines.gather && e->gathered)
        for (uint32_t i = 0; i < s->header.order_count; i++)
            if (!word_is_known(regs[RV32_A1]) || regs[RV32_A1].bits == i)
                e->gathered[i / 32] |= 1u << i % 32;
    return true;
}

/* Registers as interface/image.h has them between events. */
static void set_registers(const es_check_service *s, const es_check_situation *now, es_check_word regs[32])
{
    uint32_t stack = s->routines.shadow_stack, top = stack + now->depth * ES_MI_ACTIVATION_SIZE;
    memset(regs, 0, 32 * sizeof *regs);
    regs[RV32_RA] = check_known(s->routines.pop);
    regs[RV32_SP] = check_known(s->routines.stack_pointer);
    regs[RV32_GP] = check_known(s->routines.global_pointer);
    regs[RV32_TP] = check_known(s->header.ram_at + ES_MI_RAM_POINTER);
    regs[RV32_S1] = check_known(ES_REG_BASE);
    regs[RV32_S2] = check_known(top);
    regs[RV32_S4] = check_known(now->path_sent ? top : stack);
    regs[RV32_S5] = check_known(now->path_sent ? top : stack);
    regs[RV32_S6] = check_known(ES_FRAME_MAX_WORDS);
    regs[RV32_S7] = check_known(stack + ES_MI_STACK_DEPTH * ES_MI_ACTIVATION_SIZE);
    regs[RV32_S9] = check_known(4);
    regs[RV32_S10] = (es_check_word){0, ~1u};
    regs[RV32_S11] = check_known(ES_REG_BASE);
    if (!s->header.root_node_at || now->node)
        regs[RV32_S8] = check_known(now->node); /* 0: there is no tree */
}

static es_check_machine machine_of(es_check_service *s, bool words, event *e)
{
    return (es_check_machine){
        .memory = s->memory,
        .size = sizeof s->memory,
        .constant = ES_IMAGE_BASE,
        .constant_end = s->header.ram_at,
        .stack = s->routines.stack_pointer - 512,
        .stack_end = s->routines.stack_pointer,
        .functions = &s->functions[words],
        .gates = {s->header.slot_count ? s->routines.slot_met : 0, s->header.slot_count ? s->routines.gather : 0},
        .enter = enter,
        .live = s->live,
        .code = s->code,
        .budget = s->header.slot_count || s->header.tasks_at ? &s->budget : NULL,
        .followed = s->header.slot_count ? s->routines.gathering : 0,
        .calls = s->lists,
        .jumps = s->frames,
        .read = read_register,
        .weigh = words ? weigh_words : NULL,
        .context = e};
}

/* --- what writes to words whose address moves concern --------------------------------------------------------- */

/* Notes the routines that a word's code notes to be run. */
static void gather_from(es_check_service *s, uint32_t code, uint32_t *gathered)
{
    enum { RETURNED = 0xFFFFFFF0 };
    uint32_t words = (s->header.order_count + 31u) / 32, clocks;
    es_check_situation now = {.depth = 1, .slots = 1};
    event e = {.service = s, .kind = ES_CHECK_WRITE_PART, .situation = &now, .gathered = gathered};
    es_check_fact *facts = es_malloc((s->fact_count + 1) * sizeof *facts);
    memcpy(facts, s->facts, s->fact_count * sizeof *facts);
    facts[s->fact_count] = (es_check_fact){s->routines.gathering, check_known(1)};
    es_check_machine machine = machine_of(s, false, &e);
    machine.facts = facts;
    machine.fact_count = s->fact_count + 1;
    machine.followed = 0;
    machine.end = RETURNED;
    es_check_word regs[32];
    es_error err;
    set_registers(s, &now, regs);
    regs[RV32_RA] = check_known(RETURNED);
    if (!es_check_machine_worst(&machine, code, regs, &clocks, &err))
        memset(gathered, 0xFF, words * sizeof *gathered);
    free(facts);
}

/* By slot: the routines of all its words. */
static const uint32_t *gathered_by(es_check_service *s, size_t number)
{
    if (s->gathered[number])
        return s->gathered[number];
    struct es_mi_slot slot = es_service_slot(s, number);
    uint32_t *gathered = s->gathered[number] =
        es_arena_alloc(s->arena, (s->header.order_count / 32u + 1) * sizeof *gathered);
    for (uint32_t i = 0; i < slot.word_count; i++) {
        struct es_mi_slot_word word;
        memcpy(&word, s->memory + slot.words_at + i * sizeof word, sizeof word);
        if (!word.cell.first)
            continue;
        gather_from(s, word.cell.first, gathered);
        if (word.cell.second != word.cell.first)
            gather_from(s, word.cell.second, gathered);
    }
    return gathered;
}

/* The two pieces of code of a word's own cell, in halves; of a data read, the first one if that is what it is for. */
static uint32_t codes_of(const es_check_service *s, enum es_check_event_kind kind, uint32_t address)
{
    uint32_t cell = es_service_cell(s, kind == ES_CHECK_READ, address), first = es_service_half(s, cell);
    if (kind == ES_CHECK_READ)
        return first & ES_MI_READ ? first - ES_MI_READ : 0;
    return (first | (uint32_t)es_service_half(s, cell + 2) << 16) & ~(ES_MI_FILTERED | ES_MI_NARROW << 16);
}

/* Facts, of which the first ones are of this: which routines may be noted at a write to or a read of words of these
 * slots, and to a word with two pieces of code (in the halves of `codes`). */
static void know_gathered(es_check_service *s, uint64_t slots, uint32_t codes, es_check_fact *facts)
{
    uint32_t words = (s->header.order_count + 31u) / 32;
    uint32_t *own = es_malloc((words + 1) * sizeof *own);
    memset(own, 0, (words + 1) * sizeof *own);
    if (codes & 0xFFFF)
        gather_from(s, codes & 0xFFFF, own);
    if (codes >> 16)
        gather_from(s, codes >> 16, own);
    for (uint32_t i = 0; i < s->header.slot_count; i++)
        for (uint32_t k = 0; slots >> i & 1 && k < words; k++)
            own[k] |= gathered_by(s, i)[k];
    for (uint32_t k = 0; k < words; k++)
        facts[k].word.known |= ~own[k];
    free(own);
}

/* Bits of the pointers that slots belong to. */
static uint32_t pointers_of(const es_check_service *s, uint64_t slots)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < s->header.slot_count; i++)
        if (slots >> i & 1 && es_service_slot(s, i).pointer)
            bits |= 1u << (es_service_slot(s, i).pointer - 1);
    return bits;
}

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

static bool run(es_check_service *s, bool words, enum es_check_event_kind kind, uint32_t address,
                const es_check_situation *now, uint32_t *cost, es_error *err)
{
    uint32_t loop = s->routines.pop + 4;
    if (es_service_tracked(s, kind, address, now)) {
        *cost = words ? 0 : ES_TRACK_CLOCKS;
        return true;
    }
    event e = {.service = s, .kind = kind, .address = address, .situation = now};
    bool nowhere = now->slots && !address; /* no cell: what is there instead leads nowhere */
    e.cell = kind == ES_CHECK_EPOCH || kind == ES_CHECK_IDLE || nowhere
                 ? 0
                 : es_service_cell(s, kind >= ES_CHECK_CALL, address);
    if ((kind == ES_CHECK_WRITE_PART && !nowhere) || kind == ES_CHECK_RETURN)
        e.cell += ES_CELL_SECOND;
    if (kind == ES_CHECK_OTHER || kind == ES_CHECK_EPOCH || kind == ES_CHECK_READ || now->slots)
        e.cell |= ES_CELL_SPECIAL;
    es_check_word regs[32];
    set_registers(s, now, regs);
    if (kind == ES_CHECK_IDLE)
        regs[RV32_S10] = check_known(1); /* there is something to do */
    es_check_fact *facts = es_malloc((s->fact_count + 6 + 2 * (size_t)ES_MI_STACK_DEPTH) * sizeof *facts);
    size_t fact_count = s->fact_count;
    memcpy(facts, s->facts, fact_count * sizeof *facts);
    if (now->slots || (kind == ES_CHECK_READ && s->header.slot_count)) { /* what is noted is run after it */
        know_gathered(s, now->slots, nowhere ? 0 : codes_of(s, kind, address), facts);
        facts[fact_count++] = (es_check_fact){s->routines.given_back, {0, ~pointers_of(s, now->slots)}};
    }
    if (nowhere)
        facts[fact_count++] = (es_check_fact){0, check_known(s->routines.pop)};
    if (now->resume_known) {
        es_check_word from = {now->resume_from, now->resume_from ? 0xFFFFFFFFu : 1};
        facts[fact_count++] = (es_check_fact){s->routines.calm + ES_MI_RESUME_AT, from};
        facts[fact_count++] =
            (es_check_fact){s->routines.calm + ES_MI_RESUME_AT + 4, word_masked(now->resume_word, now->resume_known)};
    }
    uint32_t top = s->routines.shadow_stack + now->depth * ES_MI_ACTIVATION_SIZE;
    if (now->depth && (now->site || now->interrupt)) {
        /* what has to be done when it is left shows in its site; OTHER: perhaps */
        es_check_word site = {now->site | (now->to_do ? ES_SITE_TO_DO : 0),
                              kind == ES_CHECK_RETURN ? 0xFFFFFFFFu : ~(uint32_t)ES_SITE_TO_DO};
        facts[fact_count++] = (es_check_fact){
            top - ES_MI_ACTIVATION_SIZE, now->interrupt ? (es_check_word){ES_SITE_INTERRUPT, ES_SITE_INTERRUPT} : site};
    }
    uint32_t record = now->depth && now->inside ? es_service_record(s, now->inside) : 0;
    if (record) { /* of an interrupt's activation, of a call's, or of one or the other */
        es_check_word procedure = {record | (now->interrupt ? ES_MI_AWAITS_NONE : 0), 0xFFFF};
        if (!now->interrupt && !now->site)
            procedure.known -= ES_MI_AWAITS_NONE;
        facts[fact_count++] = (es_check_fact){top - ES_MI_ACTIVATION_SIZE + ES_MI_ACTIVATION_PROCEDURE, procedure};
    }
    for (uint32_t i = 0; i + (kind == ES_CHECK_OTHER) < now->depth; i++) /* a jump may replace the innermost one */
        if (!(now->to_do_below >> i & 1))
            facts[fact_count++] =
                (es_check_fact){s->routines.shadow_stack + i * ES_MI_ACTIVATION_SIZE, {0, ES_SITE_TO_DO}};
    for (uint32_t i = 0; i < now->depth && now->no_handler; i++)
        facts[fact_count++] = (es_check_fact){
            s->routines.shadow_stack + i * ES_MI_ACTIVATION_SIZE + ES_MI_ACTIVATION_PROCEDURE, {0, ES_MI_AWAITS_NONE}};
    es_check_machine machine = machine_of(s, words, &e);
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
