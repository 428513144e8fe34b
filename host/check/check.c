#include "check/events/checker.h"

#include <stdlib.h>
#include <string.h>

#include <image.h>

#include "base/text.h"
#include "check/target/analysis.h"
#include "check/target/lines.h"
#include "image/image.h"
#include "probe_defs.h"

/* --- verdict -------------------------------------------------------------------------------------------------- */

static void no(checker *c, const char *why, const char *place, const char *advice)
{
    es_check_report *r = c->report;
    r->guaranteed = false;
    if (!r->why) {
        r->why = why;
        r->place = place;
        r->advice = advice;
    }
}

static bool bounded_at(checker *c, const es_check_costs *costs, es_check_ratio ratio)
{
    return es_checker_backlog(c, costs, ratio) >= 0;
}

/* In quarters of a clock; core 0: not even 1000. */
static es_check_ratio least_ratio(checker *c, const es_check_costs *costs)
{
    int64_t low = 0, high = 4000;
    if (!bounded_at(c, costs, (es_check_ratio){high, 4}))
        return (es_check_ratio){0, 1};
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (bounded_at(c, costs, (es_check_ratio){middle, 4}))
            high = middle;
        else
            low = middle;
    }
    return (es_check_ratio){high, 4};
}

static void not_bounded(checker *c, const es_check_costs *costs, const es_check_backlog *backlog)
{
    es_arena *arena = c->report->arena;
    const es_check_loop *loop = &backlog->loop;
    uint32_t *addresses = es_arena_alloc(arena, (loop->count + 1) * sizeof *addresses);
    for (size_t i = 0; i < loop->count; i++)
        addresses[i] = c->program.nodes[loop->nodes[i]].address;
    const char *place = loop->count ? es_check_lines(arena, c->symbols, addresses, loop->count) : NULL;
    const char *why =
        strcmp(backlog->why, "loop") == 0
            ? es_arena_format(arena,
                              "a round of a loop brings %lld soft core clocks of work and may take only "
                              "%lld bus clocks, in which the soft core has %.0f",
                              (long long)loop->work, (long long)loop->clocks,
                              (double)loop->clocks * (double)c->options->ratio.core / (double)c->options->ratio.bus)
            : es_arena_format(arena, "the work of %s may grow without end", backlog->why);
    es_check_ratio least = c->report->least_ratio = least_ratio(c, costs);
    const char *advice =
        least.core ? es_arena_format(arena,
                                     "it fits with %.2f soft core clocks per bus clock, or without the statements that "
                                     "are evaluated there",
                                     (double)least.core / (double)least.bus)
                   : "watch less of what happens there: each event costs more than any soft core could do";
    c->report->observability = ES_CHECK_NOT_OBSERVABLE;
    no(c, why, place, advice);
}

/* The FIFO's writer learns up to three clocks later that places are free again: what comes meanwhile, two transactions,
 * finds room in the rows in front of the FIFO (es_capture). */
static void check_fifo(checker *c, const checker_bound *most)
{
    es_check_report *r = c->report;
    const es_check_options *o = c->options;
    r->backlog = most->work + ES_CHECKER_LATENCY + (double)c->idle;
    double marks =
        o->epoch_gap ? 1 + r->backlog * (double)o->ratio.bus / (double)o->ratio.core / (double)o->epoch_gap : 0;
    double records = (double)most->records + marks;
    r->fifo_needed = records < UINT32_MAX ? (uint32_t)records : UINT32_MAX;
    if (r->fifo_needed > o->fifo)
        no(c,
           es_arena_format(r->arena, "the FIFO must hold %.0f transactions while the soft core works, and holds %u",
                           records, (unsigned)o->fifo),
           r->backlog_place, "watch less at that place, or take a probe with a deeper FIFO or a faster soft core");
}

/* The event queue: words of packets instead of clocks of work. */
static bool check_queue(checker *c, es_check_costs *costs)
{
    es_check_report *r = c->report;
    const es_check_options *o = c->options;
    c->words = true;
    if (!es_checker_find_sending(c) || !es_checker_find_idle(c)) {
        c->failed = true;
        return false;
    }
    es_check_costs words = *costs;
    words.per_transaction = 0;
    double rate = o->words_per_clock * (double)o->ratio.core / (double)o->ratio.bus * 1000;
    es_check_ratio ratio = {.core = rate < 1 ? 1 : (int64_t)rate, .bus = 1000};
    es_check_backlog backlog;
    checker_bound most;
    bool bounded = es_checker_find_backlog(c, &words, ratio, false, &most, &backlog);
    r->words_needed = most.work + (double)c->idle;
    c->words = false;
    if (c->failed)
        return false;
    if (!bounded) {
        r->words_needed = -1;
        uint32_t at = backlog.loop.count ? c->program.nodes[backlog.loop.nodes[0]].address : 0;
        no(c, "hits can come faster than the link takes them: packets would be dropped (and counted)",
           backlog.loop.count ? es_check_line(r->arena, c->symbols, at) : NULL,
           "print less, count instead of printing, or narrow the predicate");
        return true;
    }
    if (r->words_needed + ES_FRAME_MAX_WORDS > o->event_words)
        no(c,
           es_arena_format(r->arena,
                           "the event queue must hold %.0f words of packets with room for another, and holds %u",
                           r->words_needed, (unsigned)o->event_words),
           most.worst == CHECK_NONE ? NULL : es_check_line(r->arena, c->symbols, c->program.nodes[most.worst].address),
           "print less there, or count instead of printing");
    return true;
}

static void add_condition(es_text_buffer *text, const char *condition)
{
    es_text_format(text, "%s%s", text->length ? ", and " : "", condition);
}

/* Whether it matters where loads go. */
static bool reads_count(const checker *c)
{
    return c->read_count || c->constants;
}

/* Whether some store, a load where it matters, or where some pointer leads to, is only known by the objects that the
 * address was made from. */
static bool trusts_addresses(const checker *c)
{
    for (size_t i = 0; i < c->image->slot_count && c->follows_stores; i++)
        if (!c->image->slots[i].frame && !c->slot[i].anywhere)
            return true;
    for (size_t i = 0; i < c->program.node_count && c->follows_stores; i++) {
        const es_check_node *node = &c->program.nodes[i];
        bool reached = c->program.procedures[node->procedure].reached && node->procedure != c->program.entry;
        bool asked = (node->store && node->store->kind == ES_STORE_UNKNOWN) || (node->load && reads_count(c));
        if (reached && asked && c->aims.at[i].kind == VALUE_DERIVED)
            return true;
    }
    return false;
}

/* What the verdict takes for granted of this program. */
static void state_conditions(checker *c)
{
    es_check_report *r = c->report;
    es_text_buffer text = {0};
    if (c->handlers && c->options->interrupt_gap)
        es_text_format(&text, "interrupts come at least %lld bus clocks apart", (long long)c->options->interrupt_gap);
    if (c->levels > 1 && c->options->levels)
        add_condition(
            &text, es_arena_format(r->arena, "at most %u interrupt handlers are active at once", (unsigned)c->levels));
    if (c->tasks)
        add_condition(&text, es_arena_format(r->arena, "no more than %u tasks ever run, main's stack counted",
                                             (unsigned)c->tasks));
    if (c->tasks && c->depth >= es_check_service_places(c->service)) /* an interrupt takes two */
        add_condition(&text, es_arena_format(r->arena, "tasks are left with at most %u activations",
                                             (unsigned)es_check_service_places(c->service)));
    if (c->options->instruction)
        add_condition(&text, es_arena_format(r->arena, "the target takes at least %u bus %s for each instruction",
                                             (unsigned)c->options->instruction,
                                             es_plural(c->options->instruction, "clock", "clocks")));
    else if (c->options->other_core)
        add_condition(&text, "the target takes no fewer bus clocks for an instruction than the reference target "
                             "(--instruction 1 drops this)");
    if (c->nests)
        add_condition(&text, es_arena_format(r->arena, "calls nest at most %u deep", (unsigned)c->nest));
    if (trusts_addresses(c))
        add_condition(&text,
                      es_arena_format(r->arena,
                                      "%s and pointers stay inside the objects that their addresses were made from "
                                      "(--any-store drops this)",
                                      reads_count(c) ? "stores, loads" : "stores"));
    r->condition = text.length ? es_arena_format(r->arena, "%s", text.text) : NULL;
    es_text_free(&text);
}

static bool judge(checker *c)
{
    es_check_report *r = c->report;
    es_checker_find_depth(c);
    es_checker_find_start_up(c);
    es_check_service_set_deepest(c->service, c->depth);
    es_checker_find_parts(c);
    es_checker_find_sweeps(c);
    es_check_costs costs = {.fetch = es_checker_fetch_cost,
                            .back = es_checker_back_cost,
                            .store = es_checker_store_cost,
                            .context = c,
                            .tasks = c->tasks,
                            .cuts_handlers = c->switches.cuts_handlers,
                            .interrupt_gap = c->options->interrupt_gap,
                            .levels = c->levels,
                            .sweeps = c->sweeps,
                            .sweep_count = c->sweep_count,
                            .nest = c->tasks ? 0 : c->nest,
                            .epoch_gap = c->options->epoch_gap,
                            .per_transaction = c->options->single_port ? 2 : 1};
    if (!es_checker_find_sending(c) || !es_checker_find_idle(c)) {
        c->failed = true;
        return false;
    }
    r->idle = (uint32_t)c->idle;
    es_checker_list_events(c);
    if (c->failed)
        return false;
    es_checker_find_holding(c, &costs);
    checker_bound most;
    r->guaranteed = true;
    es_check_backlog unbounded;
    bool bounded = es_checker_find_backlog(c, &costs, c->options->ratio, true, &most, &unbounded);
    if (!bounded)
        not_bounded(c, &costs, &unbounded);
    if (c->failed || !bounded)
        return !c->failed;
    if (most.worst != CHECK_NONE)
        r->backlog_place = es_check_line(r->arena, c->symbols, c->program.nodes[most.worst].address);
    const es_check_node *last = most.worst != CHECK_NONE ? &c->program.nodes[most.worst] : NULL;
    if (last && last->procedure == c->program.entry && last->store && last->store->kind == ES_STORE_UNKNOWN)
        r->backlog_place = "the start-up code, when it clears memory";
    check_fifo(c, &most);
    r->mail = es_checker_mail_waits(c, &costs);
    state_conditions(c);
    return check_queue(c, &costs);
}

/* What statements are made of whose worst cases are found here. Whatever is new is refused until someone has thought
 * about it. */
#define JUDGED \
    (ES_FEATURE(EXPECT) | ES_FEATURE(COUNTER) | ES_FEATURE(PRINT) | ES_FEATURE(SET) | ES_FEATURE(ENABLE) | \
     ES_FEATURE(STOP) | ES_FEATURE(THEN) | ES_FEATURE(AND) | ES_FEATURE(OR) | ES_FEATURE(WITHIN) | \
     ES_FEATURE(ELAPSED) | ES_FEATURE(WIDE) | ES_FEATURE(MISALIGNED) | ES_FEATURE(FLOAT) | ES_FEATURE(MULTIPLY) | \
     ES_FEATURE(DIVIDE) | ES_FEATURE(CHOICE) | ES_FEATURE(INDEX) | ES_FEATURE(AGE) | ES_FEATURE(PATH) | \
     ES_FEATURE(NESTED) | ES_FEATURE(SUBSTATE) | ES_FEATURE(UNCHANGED) | ES_FEATURE(AT) | ES_FEATURE(LIFE) | \
     ES_FEATURE(READ) | ES_FEATURE(POINTER) | ES_FEATURE(RECURSIVE) | ES_FEATURE(INTERRUPT) | ES_FEATURE(FOR) | \
     ES_FEATURE(FLOAT_SUM) | ES_FEATURE(SNAPSHOT) | ES_FEATURE(TRIGGER) | ES_FEATURE(HALT))

/* False: a statement holds what is not judged; the report says so. */
static bool can_judge(checker *c)
{
    es_arena *arena = c->report->arena;
    for (size_t i = 0; i < c->statements->statement_count; i++) {
        const es_statement *statement = &c->statements->statements[i];
        if (es_statement_cover(statement)) { /* the model finds a state in which a place takes longer than its bound */
            no(c, "what `cover` costs is not proven", statement->name, "check the other statements without it");
            c->report->observability = ES_CHECK_NOT_OBSERVABLE;
            return false;
        }
        for (size_t u = 0; u < statement->use_count; u++) {
            const es_source *source = &statement->uses[u].source;
            if (UINT64_C(1) << statement->uses[u].feature & JUDGED)
                continue;
            no(c, "a statement has something whose cost cannot be judged",
               es_arena_format(arena, "%s:%u:%u (%s)", source->file, source->line, source->column, statement->name),
               "check the other statements without it");
            c->report->observability = ES_CHECK_NOT_OBSERVABLE;
            return false;
        }
    }
    return true;
}

/* False: the program's switches of tasks cannot be followed; the report says so. */
static bool take_switches(checker *c)
{
    es_check_report *r = c->report;
    uint32_t kept = es_check_service_tasks(c->service);
    const char *task = c->statements->task->text;
    es_check_switches_find(&c->switches, &c->program, &c->aims);
    c->tasks = c->options->tasks && c->options->tasks < kept ? c->options->tasks : kept;
    r->observability = ES_CHECK_NOT_OBSERVABLE;
    if (c->options->tasks > kept)
        no(c,
           es_arena_format(r->arena, "the probe keeps the paths of %u tasks, and there may be %u", (unsigned)kept,
                           (unsigned)c->options->tasks),
           task, "check with fewer tasks");
    else if (c->switches.longjmp != CHECK_NONE)
        no(c, "the program leaves procedures otherwise than by returning, as longjmp does",
           es_check_line(r->arena, c->symbols, c->program.nodes[c->switches.longjmp].address),
           "nothing can be said about such code");
    else if (!c->switches.any)
        no(c, "no place was found where the program switches to another task", task,
           "check without it if the program has no tasks");
    else
        return true;
    return false;
}

/* The first statement with words whose address moves. */
static const char *moving_place(const checker *c)
{
    const uint64_t moving = ES_FEATURE(POINTER) | ES_FEATURE(RECURSIVE) | ES_FEATURE(INTERRUPT);
    for (size_t i = 0; i < c->statements->statement_count; i++) {
        const es_statement *statement = &c->statements->statements[i];
        for (size_t u = 0; u < statement->use_count; u++) {
            const es_source *source = &statement->uses[u].source;
            if (UINT64_C(1) << statement->uses[u].feature & moving)
                return es_arena_format(c->report->arena, "%s:%u:%u (%s)", source->file, source->line, source->column,
                                       statement->name);
        }
    }
    return c->statements->statements[0].name;
}

/* Where stacks are switched by hand, what may name the one that runs. */
static const char *advise_tasks(const checker *c)
{
    const es_variable *variable;
    if (!es_symbols_switched_by(c->symbols, &variable, 1))
        return "nothing can be said about such code";
    return es_arena_format(c->report->arena, "if %s says whose stack it is, name it: --task %s", variable->name,
                           variable->name);
}

bool es_check_run(const es_symbols *symbols, const es_program *program, const es_image *image,
                  const es_probe_limits *limits, const es_check_options *options, es_check_report *report,
                  es_error *err)
{
    *report = (es_check_report){.arena = es_arena_new()};
    checker c = {.symbols = symbols,
                 .statements = program,
                 .image = image,
                 .options = options,
                 .report = report,
                 .err = err,
                 .narrow = limits->narrow};
    es_check_timing timing = options->instruction ? es_check_timing_of_any(options->instruction, options->wait)
                                                  : es_check_timing_of_target(options->wait);
    timing.narrow = limits->narrow;
    es_check_analysis own = {.arena = report->arena};
    es_check_analysis *analysis = options->analysis ? options->analysis : &own;
    c.program = es_check_analysis_program(analysis, symbols, &timing, program->task);
    if (c.program.flaw) {
        no(&c, "the program's code cannot be followed", c.program.flaw, "nothing can be said about such code");
        report->observability = ES_CHECK_NOT_OBSERVABLE;
        return true;
    }
    if (!can_judge(&c))
        return true;
    for (size_t p = 0; p < c.program.procedure_count; p++)
        c.handlers |= c.program.procedures[p].interrupt && c.program.procedures[p].node_count;
    c.service = options->service;
    if (!c.service)
        c.service = es_check_service_new(report->arena, image, es_symbols_isa(symbols));
    else
        es_check_service_begin(c.service);
    c.follows_stores = !options->any_store;
    c.aims = es_check_analysis_aims(analysis);
    if (program->task && !take_switches(&c))
        return true;
    if (c.aims.jumps != CHECK_NONE && !program->task) {
        no(&c, "the program leaves procedures otherwise than by returning, as longjmp does",
           es_check_line(report->arena, symbols, c.program.nodes[c.aims.jumps].address), advise_tasks(&c));
        report->observability = ES_CHECK_NOT_OBSERVABLE;
        return true;
    }
    if (!c.tasks)
        c.program = es_check_analysis_loops(analysis, c.follows_stores);
    es_checker_take_keys(&c);
    if (judge(&c))
        return true;
    if (c.slots && c.failed) {
        report->event_count = 0;
        report->guaranteed = false;
        report->why = NULL;
        no(&c, es_arena_format(report->arena, "%s", c.err->text), moving_place(&c),
           "watch fewer pointers, or fewer locals of recursive procedures");
        report->observability = ES_CHECK_NOT_OBSERVABLE;
        return true;
    }
    es_check_report_free(report);
    return false;
}

void es_check_report_free(es_check_report *report)
{
    es_arena_free(report->arena);
    *report = (es_check_report){0};
}
