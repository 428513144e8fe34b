#include "report/results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/times.h"
#include "record/json.h"
#include "report/parts.h"

#define HITS_TOLD 10            /* that were never to come; of others the first one tells all */
#define NOTICES_TOLD 50         /* of a run */
#define CONSOLE_MAX (256 << 10) /* bytes of a run */

/* What the current run tells, while it does. */
struct es_results_taker {
    es_text_buffer console, notices;
    uint64_t console_left_out, notices_left_out;
    es_text_buffer *told; /* by result */
    size_t *result_of;    /* by statement, from 1 on; 0: it expects nothing */
    bool began;
};

es_results es_results_new(void)
{
    return (es_results){.arena = es_arena_new()};
}

static const char *kept(const es_results *results, es_text_buffer *text)
{
    const char *copy = es_arena_copy(results->arena, text->text ? text->text : "", text->length);
    es_text_free(text);
    return copy;
}

static es_run_results *last_run(const es_results *results)
{
    return &results->runs[results->count - 1];
}

static void begin_run(es_results *results, const es_schema *schema)
{
    struct es_results_taker *taker = results->taker;
    es_run_results *run = last_run(results);
    size_t count = schema->statement_count;
    run->results = es_arena_alloc(results->arena, (count + 1) * sizeof *run->results);
    taker->told = es_arena_alloc(results->arena, (count + 1) * sizeof *taker->told);
    taker->result_of = es_arena_alloc(results->arena, (count + 1) * sizeof *taker->result_of);
    taker->began = true;
    for (size_t i = 0; i < count; i++) {
        const es_schema_statement *statement = &schema->statements[i];
        if (statement->expects == ES_EXPECTS_NOTHING)
            continue;
        run->results[run->count++] =
            (es_result){.name = es_arena_copy(results->arena, statement->name, strlen(statement->name)),
                        .text = es_arena_copy(results->arena, statement->text, strlen(statement->text)),
                        .file = es_arena_copy(results->arena, statement->file, strlen(statement->file)),
                        .line = statement->line,
                        .expects = statement->expects,
                        .verdict = ES_VERDICT_UNKNOWN,
                        .why = "the run did not come to its end",
                        .told = ""};
        taker->result_of[i] = run->count;
    }
}

static size_t hits_told(const es_result *result)
{
    return result->expects == ES_EXPECTS_NEVER ? HITS_TOLD : 1;
}

static void take_hit(es_results *results, const es_record *record)
{
    struct es_results_taker *taker = results->taker;
    size_t number = taker->result_of[record->hit->statement];
    es_result *result = number ? &last_run(results)->results[number - 1] : NULL;
    if (!result || result->hits++ >= hits_told(result))
        return;
    es_part_line(&taker->told[number - 1], record->schema, record->hit, true);
    es_text_format(&taker->told[number - 1], "\n");
}

static void take_notice(es_results *results, const char *text)
{
    struct es_results_taker *taker = results->taker;
    if (taker->notices_left_out++ < NOTICES_TOLD)
        es_text_format(&taker->notices, "%s\n", text);
}

static void take_lost(es_results *results, const es_record *record)
{
    const es_lost *lost = record->lost;
    es_text_buffer text = {0};
    es_text_format(&text, "lost: %" PRIu64 " (%s) from ", lost->count, es_lost_name(lost->what));
    es_time_tight(&text, es_time_ns(lost->time, record->schema->clock_hz), true);
    es_text_format(&text, " on");
    take_notice(results, text.text);
    es_text_free(&text);
}

static void take_console(struct es_results_taker *taker, const es_record *record)
{
    if (taker->console.length + record->text.size >= CONSOLE_MAX) {
        taker->console_left_out++;
        return;
    }
    es_text_add(&taker->console, record->text.bytes, record->text.size);
    es_text_add(&taker->console, "\n", 1);
}

static void take_summary(es_results *results, const es_record *record)
{
    es_run_results *run = last_run(results);
    const es_summary *summary = record->summary;
    for (size_t i = 0; i < record->schema->statement_count; i++) {
        size_t result = results->taker->result_of[i];
        if (!result)
            continue;
        run->results[result - 1].verdict = summary->judged[i].verdict;
        run->results[result - 1].why =
            es_arena_copy(results->arena, summary->judged[i].why, strlen(summary->judged[i].why));
        run->results[result - 1].hits = summary->statement_hits[i];
    }
    run->lost = summary->lost_bus + summary->lost_events + summary->lost_link;
    run->time_ns = es_time_ns(summary->cycles, record->schema->clock_hz);
    run->wall_seconds = summary->wall_seconds;
}

static void take(void *context, const es_record *record)
{
    es_results *results = context;
    switch (record->kind) {
    case ES_RECORD_BEGIN: begin_run(results, record->schema); break;
    case ES_RECORD_HIT: take_hit(results, record); break;
    case ES_RECORD_LOST: take_lost(results, record); break;
    case ES_RECORD_CONSOLE: take_console(results->taker, record); break;
    case ES_RECORD_WARNING: take_notice(results, record->text.bytes); break;
    case ES_RECORD_SUMMARY: take_summary(results, record); break;
    case ES_RECORD_INFERRED:
    case ES_RECORD_NOTE:
    case ES_RECORD_CLOCK:
    case ES_RECORD_PROGRESS: break;
    }
}

es_sink es_results_begin(es_results *results, const char *program, bool seeded, uint32_t seed)
{
    results->runs = es_arena_grow(results->arena, results->runs, results->count, sizeof *results->runs);
    results->runs[results->count++] =
        (es_run_results){.program = program, .seeded = seeded, .seed = seed, .console = "", .notices = ""};
    results->taker = es_arena_alloc(results->arena, sizeof *results->taker);
    return (es_sink){take, results};
}

void es_results_end(es_results *results)
{
    struct es_results_taker *taker = results->taker;
    es_run_results *run = last_run(results);
    for (size_t i = 0; i < run->count; i++) {
        uint64_t hits = run->results[i].hits;
        if (taker->told[i].length && run->results[i].expects == ES_EXPECTS_NEVER && hits > HITS_TOLD)
            es_text_format(&taker->told[i], "... and %" PRIu64 " more\n", hits - HITS_TOLD);
        run->results[i].told = kept(results, &taker->told[i]);
    }
    if (taker->console_left_out)
        es_text_format(&taker->console, "... and %" PRIu64 " more %s\n", taker->console_left_out,
                       es_plural(taker->console_left_out, "line", "lines"));
    if (taker->notices_left_out > NOTICES_TOLD)
        es_text_format(&taker->notices, "... and %" PRIu64 " more\n", taker->notices_left_out - NOTICES_TOLD);
    run->console = kept(results, &taker->console);
    run->notices = kept(results, &taker->notices);
}

void es_results_cut(es_results *results, const char *why)
{
    es_run_results *run = last_run(results);
    for (size_t i = 0; i < run->count; i++) {
        es_result *result = &run->results[i];
        bool came = result->verdict == (result->expects == ES_EXPECTS_NEVER ? ES_VERDICT_FAILED : ES_VERDICT_MET);
        if (came || result->verdict == ES_VERDICT_UNKNOWN || result->expects == ES_EXPECTS_WITHIN)
            continue; /* what has happened has; and that a time was over is judged as it is */
        result->verdict = ES_VERDICT_UNKNOWN;
        result->why = es_arena_copy(results->arena, why, strlen(why));
    }
}

void es_results_trouble(es_results *results, enum es_code code, const char *why)
{
    es_run_results *run = last_run(results);
    if (run->trouble)
        return;
    run->trouble = es_arena_copy(results->arena, why, strlen(why));
    run->code = code;
}

es_tally es_results_tally(const es_results *results, const es_run_results *run)
{
    es_tally tally = {0};
    for (size_t i = 0; i < results->count; i++) {
        const es_run_results *each = &results->runs[i];
        if (run && each != run)
            continue;
        tally.troubles += each->trouble != NULL;
        for (size_t k = 0; k < each->count; k++) {
            tally.met += each->results[k].verdict == ES_VERDICT_MET;
            tally.failed += each->results[k].verdict == ES_VERDICT_FAILED;
            tally.unknown += each->results[k].verdict == ES_VERDICT_UNKNOWN;
        }
    }
    return tally;
}

void es_results_name(es_text_buffer *out, const es_run_results *run)
{
    es_text_format(out, "%s", es_base_name(run->program));
    if (run->seeded)
        es_text_format(out, " seed %" PRIu32, run->seed);
}

void es_results_free(es_results *results)
{
    es_arena_free(results->arena);
    *results = (es_results){0};
}
