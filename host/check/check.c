#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <image.h>

#include "base/text.h"
#include "check/lines.h"
#include "probe_defs.h"

/* From a transaction at the tap to its record at the FIFO's output, to the hit queue's head, and the soft core's waking. */
#define LATENCY 24 /* soft core clocks */

#define MRET_WORD 0x30200073u

typedef struct key {
    uint32_t address;
    bool armed; /* false: the place is empty */
    const es_image_key *image;
} key;

typedef struct checker {
    const es_symbols *symbols;
    const es_program *statements;
    const es_image *image;
    const check_options *options;
    check_report *report;
    check_program program;
    check_service *service;
    uint32_t depth;     /* most activations that nest, as far as the shadow stack holds them */
    key *fetches;       /* hash tables of armed addresses */
    key *writes;
    size_t room;
    bool words;         /* count packets' words, not clocks */
    enum { EACH_HIT_ALL, MOVES_PAY, HITS_AND_CALLS_PAY } paying; /* for the path that is sent before a hit */
    uint32_t frame, entry; /* what its frame costs, and each activation in it */
    uint32_t *depth_of; /* by procedure: most activations at its entry, its own included */
    bool failed;
    es_error *err;
} checker;

/* --- armed words -------------------------------------------------------------------------------------------- */

static key *key_of(const checker *c, key *table, uint32_t address)
{
    size_t i = (address >> 2) * 2654435761u >> 7 & (c->room - 1);
    while (table[i].armed && table[i].address != address)
        i = (i + 1) & (c->room - 1);
    return &table[i];
}

static void take_keys(checker *c)
{
    for (c->room = 64; c->room < 4 * c->image->key_count;)
        c->room *= 2;
    c->fetches = es_arena_alloc(c->report->arena, c->room * sizeof *c->fetches);
    c->writes = es_arena_alloc(c->report->arena, c->room * sizeof *c->writes);
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        *key_of(c, k->fetch ? c->fetches : c->writes, k->address) =
            (key){ .address = k->address, .armed = true, .image = k };
    }
}

/* --- costs -------------------------------------------------------------------------------------------------- */

/* Each hit sends what changed of the path since the last one. Of the ways to account for that each is sound: every hit sends
 * all of it; calls and returns pay for a frame and an entry that some later hit sends; or hits pay for the frame, and calls for the
 * entries. What was owed at the beginning is added once, in find_backlog. */
static int64_t cost(checker *c, enum check_event_kind kind, uint32_t address, check_situation now)
{
    uint32_t own = 0, all = 0;
    now.path_sent = c->paying != EACH_HIT_ALL;
    if (c->failed)
        return 0;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &own, c->err)) {
        c->failed = true;
        return 0;
    }
    if (c->paying == MOVES_PAY && kind >= CHECK_CALL)
        return (int64_t)own + c->frame + c->entry;
    if (c->paying != HITS_AND_CALLS_PAY)
        return own;
    now.path_sent = false;
    if (!check_service_cost(c->service, c->words, kind, address, &now, &all, c->err)) {
        c->failed = true;
        return 0;
    }
    return (int64_t)own + (all > own ? c->frame : 0) + (kind == CHECK_CALL || kind == CHECK_OTHER ? c->entry : 0);
}

/* A depth in p at which there is an activation, and room for another. */
static uint32_t inner(const checker *c, size_t p)
{
    uint32_t most = p == CHECK_NONE ? c->depth : c->depth_of[p];
    most = most < ES_MI_STACK_DEPTH ? most : ES_MI_STACK_DEPTH - 1;
    return most ? most : 1;
}

static bool is_call(uint32_t word)
{
    return (word & 0xDF7) == 0x0E7;
}

static int64_t fetch_cost(void *context, uint32_t from, uint32_t word, uint32_t address)
{
    checker *c = context;
    if (!key_of(c, c->fetches, address)->armed)
        return 0;
    check_situation now = { .depth = inner(c, CHECK_NONE) };
    if (is_call(word))
        return cost(c, CHECK_CALL, address, now);
    now.from = word ? (from ? from : 4) : 0;
    now.word = word;
    const es_procedure *in = es_symbols_procedure_at(c->symbols, address);
    now.interrupt = in && in->is_interrupt && address != in->low;
    if (now.interrupt && key_of(c, c->fetches, in->low)->armed)
        now.inside = in->low;
    if (word == MRET_WORD && !now.interrupt)
        now.site = address - 4; /* should the interrupt have come right after a return to here */
    return cost(c, CHECK_OTHER, address, now);
}

static int64_t back_cost(void *context, const check_node *call, size_t callee, uint32_t address)
{
    checker *c = context;
    if (!key_of(c, c->fetches, address)->armed)
        return 0;
    uint32_t entry = c->program.procedures[callee].procedure->low;
    check_situation now = { .depth = inner(c, callee), .site = call->address };
    now.inside = key_of(c, c->fetches, entry)->armed ? entry : 0;
    now.to_do = now.inside && check_service_leaves(c->service, entry);
    return cost(c, CHECK_RETURN, address, now);
}

static int64_t write_cost(checker *c, size_t p, uint32_t word, bool whole)
{
    check_situation now = { .depth = inner(c, p) };
    return cost(c, whole ? CHECK_WRITE : CHECK_WRITE_PART, word, now);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The dearest of all armed words that a store may touch, for stores of which no more is known. */
static int64_t any_cost(checker *c, size_t p, bool frames_only)
{
    const es_procedure *frame = c->program.procedures[p].procedure;
    int64_t most = 0;
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        if (k->fetch || (frames_only && k->frame != frame))
            continue;
        most = larger(most, larger(write_cost(c, p, k->address, true), write_cost(c, p, k->address, false)));
    }
    return most;
}

static int64_t store_cost(void *context, const check_node *node)
{
    checker *c = context;
    const es_store *store = node->store;
    if (store->kind == ES_STORE_UNKNOWN && node->procedure == c->program.entry)
        return 0; /* find_clearing */
    if (store->kind == ES_STORE_UNKNOWN && !store->in_frame)
        return any_cost(c, node->procedure, false);
    if (store->kind != ES_STORE_CONSTANT)
        return any_cost(c, node->procedure, true);
    int64_t sum = 0;
    for (uint32_t word = store->address & ~3u; word < store->address + store->size; word += 4)
        if (key_of(c, c->writes, word)->armed)
            sum += write_cost(c, node->procedure, word, store->size >= 4 && store->address % 4 == 0);
    return sum;
}

/* --- depth -------------------------------------------------------------------------------------------------- */

/* Longest chains of calls to each procedure; what is recursive counts as deep as the shadow stack. */
static void find_depth(checker *c)
{
    const check_program *program = &c->program;
    c->depth_of = es_arena_alloc(c->report->arena, (program->procedure_count + 1) * sizeof *c->depth_of);
    for (bool changed = true; changed;) {
        changed = false;
        c->depth = 0;
        for (size_t p = 0; p < program->procedure_count; p++)
            c->depth = c->depth_of[p] > c->depth ? c->depth_of[p] : c->depth;
        for (size_t i = 0; i < program->edge_count; i++) {
            const check_edge *edge = &program->edges[i];
            if (edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL)
                continue;
            uint32_t own = c->depth_of[program->nodes[edge->from].procedure] + 1;
            if (own > ES_MI_STACK_DEPTH || own <= c->depth_of[edge->callee])
                continue;
            c->depth_of[edge->callee] = own;
            changed = true;
        }
    }
    uint32_t below = c->depth;
    for (size_t p = 0; p < program->procedure_count; p++)
        if (program->procedures[p].interrupt) /* on top of whatever it interrupts; its callees likewise */
            c->depth = below + 1 + c->depth_of[p] < ES_MI_STACK_DEPTH ? below + 1 + c->depth_of[p] : ES_MI_STACK_DEPTH;
    if (c->depth > below)
        for (size_t p = 0; p < program->procedure_count; p++)
            c->depth_of[p] = c->depth;
}

/* --- events for the report ---------------------------------------------------------------------------------- */

static bool covers(const checker *c, const es_reference *reference, const es_image_key *k)
{
    (void)c;
    if (reference->frame || k->frame)
        return reference->frame == k->frame;
    return reference->address < k->address + 4 && reference->address + reference->size > k->address;
}

static void add_name(es_text_buffer *text, const char *name)
{
    if (!text->length || !strstr(text->text, name))
        es_text_format(text, "%s%s", text->length ? ", " : "", name);
}

/* Which variables and statements a data word is about. */
static void name_write(const checker *c, const es_image_key *k, check_event *event)
{
    es_text_buffer what = { 0 }, who = { 0 };
    for (size_t i = 0; i < c->statements->statement_count; i++) {
        const es_statement *statement = &c->statements->statements[i];
        bool any = false;
        for (size_t r = 0; r < statement->predicate_count; r++) {
            if (covers(c, &statement->references[r], k)) {
                add_name(&what, statement->references[r].text);
                any = true;
            }
        }
        if (any)
            add_name(&who, statement->name);
    }
    event->what = es_arena_format(c->report->arena, "write %s%s", what.length ? what.text : "beside a local",
                                  event->kind == CHECK_WRITE_PART ? " (in part)" : "");
    event->statements = es_arena_format(c->report->arena, "%s", who.length ? who.text : "");
    es_text_free(&what);
    es_text_free(&who);
}

static void add_event(checker *c, enum check_event_kind kind, const es_image_key *k, int64_t clocks, const char *what)
{
    check_report *r = c->report;
    r->events = es_arena_grow(r->arena, r->events, r->event_count, sizeof *r->events);
    check_event *event = &r->events[r->event_count++];
    *event = (check_event){ .kind = kind, .address = k->address, .clocks = (uint32_t)clocks, .holding = CHECK_FOR_EVER,
                            .what = what, .statements = "" };
    if (!what)
        name_write(c, k, event);
}

static void add_fetch_events(checker *c, const es_image_key *k)
{
    const es_procedure *in = es_symbols_procedure_at(c->symbols, k->address);
    const char *name = in ? in->name : "?";
    check_situation now = { .depth = inner(c, CHECK_NONE) };
    es_arena *arena = c->report->arena;
    if (in && in->low == k->address && in->is_interrupt)
        add_event(c, CHECK_OTHER, k, fetch_cost(c, 0, 0, k->address), es_arena_format(arena, "interrupt %s", name));
    else if (in && in->low == k->address)
        add_event(c, CHECK_CALL, k, cost(c, CHECK_CALL, k->address, now), es_arena_format(arena, "call %s", name));
    else if (in && in->is_interrupt)
        add_event(c, CHECK_OTHER, k, fetch_cost(c, 4, 0x13, k->address), es_arena_format(arena, "end of interrupt %s", name));
    else {
        int64_t most = 0;
        for (size_t i = 0; i < c->program.edge_count; i++) {
            const check_edge *edge = &c->program.edges[i];
            if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE &&
                c->program.nodes[edge->to].address == k->address)
                most = larger(most, back_cost(c, &c->program.nodes[edge->from], edge->callee, k->address));
        }
        add_event(c, CHECK_RETURN, k, most, es_arena_format(arena, "return into %s", name));
    }
}

static void list_events(checker *c)
{
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        if (k->fetch) {
            add_fetch_events(c, k);
            continue;
        }
        add_event(c, CHECK_WRITE, k, write_cost(c, CHECK_NONE, k->address, true), NULL);
        add_event(c, CHECK_WRITE_PART, k, write_cost(c, CHECK_NONE, k->address, false), NULL);
    }
}

/* --- holding times ------------------------------------------------------------------------------------------- */

static void note_holding(checker *c, check_event *event, uint64_t clocks, uint32_t at)
{
    if (clocks < event->holding) {
        event->holding = clocks;
        event->place = check_line(c->report->arena, c->symbols, at);
    }
}

static bool may_store(const checker *c, const check_node *node, const es_image_key *k)
{
    const es_store *store = node->store;
    if (!store || (store->kind == ES_STORE_UNKNOWN && !store->in_frame))
        return store != NULL;
    if (store->kind != ES_STORE_CONSTANT)
        return k->frame == c->program.procedures[node->procedure].procedure;
    return store->address < k->address + 4 && store->address + store->size > k->address;
}

static void find_holding(checker *c, const check_costs *costs)
{
    check_holding holding;
    check_holding_find(&c->program, costs, &holding);
    check_report *r = c->report;
    r->observability = CHECK_OBSERVABLE;
    for (size_t i = 0; i < r->event_count; i++) {
        check_event *event = &r->events[i];
        bool write = event->kind <= CHECK_WRITE_PART;
        const es_image_key *k = key_of(c, write ? c->writes : c->fetches, event->address)->image;
        for (size_t n = 0; n < c->program.node_count; n++) {
            const check_node *node = &c->program.nodes[n];
            if (!c->program.procedures[node->procedure].reached)
                continue;
            if (write ? may_store(c, node, k) : node->address == event->address)
                note_holding(c, event, write ? holding.after_store[n] : holding.after_fetch[n], node->address);
        }
        double available = (double)event->holding * (double)c->options->ratio.core / (double)c->options->ratio.bus;
        if (event->holding != CHECK_FOR_EVER && available <= event->clocks)
            r->observability = CHECK_STATISTICALLY;
    }
}

/* --- verdict -------------------------------------------------------------------------------------------------- */

static void no(checker *c, const char *why, const char *place, const char *advice)
{
    check_report *r = c->report;
    r->guaranteed = false;
    if (!r->why) {
        r->why = why;
        r->place = place;
        r->advice = advice;
    }
}

static bool find_backlog(checker *c, const check_costs *costs, check_ratio ratio, double *work, size_t *worst,
                         check_backlog *unbounded);

static bool bounded_at(checker *c, const check_costs *costs, check_ratio ratio)
{
    check_backlog unbounded;
    double work;
    size_t worst;
    return find_backlog(c, costs, ratio, &work, &worst, &unbounded);
}

/* In quarters of a clock; core 0: not even 1000. */
static check_ratio least_ratio(checker *c, const check_costs *costs)
{
    int64_t low = 0, high = 4000;
    if (!bounded_at(c, costs, (check_ratio){ high, 4 }))
        return (check_ratio){ 0, 1 };
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (bounded_at(c, costs, (check_ratio){ middle, 4 }))
            high = middle;
        else
            low = middle;
    }
    return (check_ratio){ high, 4 };
}

static void not_bounded(checker *c, const check_costs *costs, const check_backlog *backlog)
{
    es_arena *arena = c->report->arena;
    const check_loop *loop = &backlog->loop;
    uint32_t *addresses = es_arena_alloc(arena, (loop->count + 1) * sizeof *addresses);
    for (size_t i = 0; i < loop->count; i++)
        addresses[i] = c->program.nodes[loop->nodes[i]].address;
    const char *place = loop->count ? check_lines(arena, c->symbols, addresses, loop->count) : NULL;
    const char *why = strcmp(backlog->why, "loop") == 0
                          ? es_arena_format(arena, "a round of a loop brings %lld soft core clocks of work and may take only "
                                            "%lld bus clocks, in which the soft core has %.0f", (long long)loop->work,
                                            (long long)loop->clocks, (double)loop->clocks *
                                            (double)c->options->ratio.core / (double)c->options->ratio.bus)
                          : es_arena_format(arena, "the work of %s may grow without end", backlog->why);
    check_ratio least = c->report->least_ratio = least_ratio(c, costs);
    const char *advice =
        least.core ? es_arena_format(arena, "it fits with %.2f soft core clocks per bus clock, or without the statements that "
                                     "are evaluated there", (double)least.core / (double)least.bus)
                   : "watch less of what happens there: each event costs more than any soft core could do";
    c->report->observability = CHECK_NOT_OBSERVABLE;
    no(c, why, place, advice);
}

/* Highest backlog: the smallest of three bounds, of which each holds. */
static bool find_backlog(checker *c, const check_costs *costs, check_ratio ratio, double *work, size_t *worst,
                         check_backlog *unbounded)
{
    bool bounded = false;
    for (int way = EACH_HIT_ALL; way <= HITS_AND_CALLS_PAY; way++) {
        check_backlog backlog;
        c->paying = way;
        check_backlog_find(&c->program, costs, ratio, &backlog);
        if (backlog.bounded) {
            double credit = way == EACH_HIT_ALL ? 0 : c->frame + (double)c->entry * c->depth;
            if (!bounded || backlog.work + credit < *work) {
                *work = backlog.work + credit;
                *worst = backlog.worst;
            }
            bounded = true;
        } else {
            *unbounded = backlog;
        }
    }
    c->paying = EACH_HIT_ALL;
    return bounded;
}

/* The start-up code (the root) clears memory: it writes each armed word at most once, perhaps one after the other. */
static double find_clearing(checker *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->image->key_count; i++)
        if (!c->image->keys[i].fetch && !c->image->keys[i].frame)
            sum += (double)write_cost(c, c->program.entry, c->image->keys[i].address, true);
    return sum;
}

/* What sending the path costs: its frame, and each activation in it. */
static bool find_sending(checker *c)
{
    c->frame = c->entry = 0;
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        enum check_event_kind kind = k->fetch ? CHECK_CALL : CHECK_WRITE;
        uint32_t sent, one, all;
        check_situation now = { .depth = 1, .path_sent = true };
        if (!check_service_cost(c->service, c->words, kind, k->address, &now, &sent, c->err))
            return false;
        now.path_sent = false;
        if (!check_service_cost(c->service, c->words, kind, k->address, &now, &one, c->err))
            return false;
        now.depth = inner(c, CHECK_NONE);
        if (!check_service_cost(c->service, c->words, kind, k->address, &now, &all, c->err))
            return false;
        uint32_t each = now.depth > 1 ? (all - one + now.depth - 2) / (now.depth - 1) : 0;
        uint32_t frame = one > sent + each ? one - sent - each : 0;
        c->entry = each > c->entry ? each : c->entry;
        c->frame = frame > c->frame ? frame : c->frame;
    }
    return true;
}

static void check_fifo(checker *c, double work)
{
    check_report *r = c->report;
    const check_options *o = c->options;
    r->backlog = work + LATENCY;
    double bus_clocks = r->backlog * (double)o->ratio.bus / (double)o->ratio.core;
    r->fifo_needed = (uint32_t)(bus_clocks * c->program.density) + 2;
    if (r->fifo_needed > o->fifo)
        no(c, es_arena_format(r->arena, "the FIFO must hold %u transactions while the soft core works, and holds %u",
                              (unsigned)r->fifo_needed, (unsigned)o->fifo),
           r->backlog_place, "watch less at that place, or take a probe with a deeper FIFO or a faster soft core");
}

/* The event queue: words of packets instead of clocks of work. */
static bool check_queue(checker *c, check_costs *costs)
{
    check_report *r = c->report;
    const check_options *o = c->options;
    c->words = true;
    if (!find_sending(c))
        return false;
    check_costs words = *costs;
    words.per_transaction = 0;
    double rate = o->words_per_clock * (double)o->ratio.core / (double)o->ratio.bus * 1000;
    check_ratio ratio = { .core = rate < 1 ? 1 : (int64_t)rate, .bus = 1000 };
    check_backlog backlog;
    size_t worst = CHECK_NONE;
    bool bounded = find_backlog(c, &words, ratio, &r->words_needed, &worst, &backlog);
    c->words = false;
    if (c->failed)
        return false;
    if (!bounded) {
        r->words_needed = -1;
        uint32_t at = backlog.loop.count ? c->program.nodes[backlog.loop.nodes[0]].address : 0;
        no(c, "hits can come faster than the link takes them: packets would be dropped (and counted)",
           backlog.loop.count ? check_line(r->arena, c->symbols, at) : NULL,
           "print less, count instead of printing, or narrow the predicate");
        return true;
    }
    if (r->words_needed + ES_FRAME_MAX_WORDS > o->event_words)
        no(c, es_arena_format(r->arena, "the event queue must hold %.0f words of packets with room for another, and holds %u",
                              r->words_needed,
                              (unsigned)o->event_words),
           worst == CHECK_NONE ? NULL : check_line(r->arena, c->symbols, c->program.nodes[worst].address),
           "print less there, or count instead of printing");
    return true;
}

/* What the verdict takes for granted of this program. */
static void state_conditions(checker *c)
{
    check_report *r = c->report;
    bool interrupts = false, recursive = false;
    for (size_t p = 0; p < c->program.procedure_count; p++) {
        interrupts |= c->program.procedures[p].interrupt && c->program.procedures[p].node_count;
        recursive |= c->program.procedures[p].reached && c->program.procedures[p].procedure->is_recursive;
    }
    const char *rare = interrupts && c->options->interrupt_gap
                           ? es_arena_format(r->arena, "interrupts come at least %lld bus clocks apart",
                                             (long long)c->options->interrupt_gap)
                           : NULL;
    const char *flat = recursive ? es_arena_format(r->arena, "calls nest at most %u deep", ES_MI_STACK_DEPTH) : NULL;
    r->condition = rare && flat ? es_arena_format(r->arena, "%s and %s", rare, flat) : rare ? rare : flat;
}

static bool judge(checker *c)
{
    check_report *r = c->report;
    check_costs costs = { .fetch = fetch_cost, .back = back_cost, .store = store_cost, .context = c, .interrupt_gap = c->options->interrupt_gap,
                          .per_transaction = c->options->single_port ? 2 : 1 };
    find_depth(c);
    if (!find_sending(c))
        return false;
    list_events(c);
    if (c->failed)
        return false;
    find_holding(c, &costs);
    double work = 0;
    size_t worst = CHECK_NONE;
    r->guaranteed = true;
    check_backlog unbounded;
    bool bounded = find_backlog(c, &costs, c->options->ratio, &work, &worst, &unbounded);
    if (!bounded)
        not_bounded(c, &costs, &unbounded);
    if (c->failed || !bounded)
        return !c->failed;
    if (worst != CHECK_NONE)
        r->backlog_place = check_line(r->arena, c->symbols, c->program.nodes[worst].address);
    double clearing = find_clearing(c);
    if (clearing > work) {
        work = clearing;
        r->backlog_place = "the start-up code, when it clears memory";
    }
    check_fifo(c, work);
    state_conditions(c);
    return check_queue(c, &costs);
}

bool check_run(const es_symbols *symbols, const es_program *program, const es_image *image, const es_probe_limits *limits,
               const check_options *options, check_report *report, es_error *err)
{
    *report = (check_report){ .arena = es_arena_new() };
    checker c = { .symbols = symbols, .statements = program, .image = image, .options = options, .report = report,
                  .err = err };
    check_timing timing = check_timing_of_target(options->wait);
    check_program_build(&c.program, report->arena, symbols, &timing);
    if (c.program.flaw) {
        no(&c, "the program's code cannot be followed", c.program.flaw, "nothing can be said about such code");
        report->observability = CHECK_NOT_OBSERVABLE;
        return true;
    }
    c.service = check_service_new(report->arena, image, limits);
    take_keys(&c);
    if (judge(&c))
        return true;
    check_report_free(report);
    return false;
}

void check_report_free(check_report *report)
{
    es_arena_free(report->arena);
    *report = (check_report){ 0 };
}
