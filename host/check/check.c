#include "check/checker.h"

#include <stdlib.h>
#include <string.h>

#include <image.h>

#include "check/lines.h"
#include "probe_defs.h"

/* From a transaction at the tap to its record at the FIFO's output, to the hit queue's head, and the soft core's waking. */
#define LATENCY 24 /* soft core clocks */

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
            sum += (double)checker_write_cost(c, c->program.entry, c->image->keys[i].address, true);
    return sum;
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
    if (!checker_find_sending(c))
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
    check_costs costs = { .fetch = checker_fetch_cost, .back = checker_back_cost, .store = checker_store_cost, .context = c, .interrupt_gap = c->options->interrupt_gap,
                          .per_transaction = c->options->single_port ? 2 : 1 };
    checker_find_depth(c);
    if (!checker_find_sending(c))
        return false;
    checker_list_events(c);
    if (c->failed)
        return false;
    checker_find_holding(c, &costs);
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
    for (size_t i = 0; i < program->statement_count; i++) {
        const es_statement *statement = &program->statements[i];
        bool waits = statement->features & (ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR));
        if (waits || statement->features & ES_FEATURE(READ)) {
            no(&c, waits ? "a statement waits for time to pass, and what the probe does at the time's marks is not counted here"
                         : "a statement waits for reads of a variable, and what the probe does at these is not counted here",
               es_arena_format(report->arena, "%s:%u (%s)", statement->source.file, statement->source.line,
                               statement->name), "check the other statements without it");
            report->observability = CHECK_NOT_OBSERVABLE;
            return true;
        }
    }
    c.service = check_service_new(report->arena, image, limits);
    checker_take_keys(&c);
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
