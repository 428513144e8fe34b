#include "cli/commands/trace_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/times.h"

#define OF_ALL (ES_OF_READ | ES_OF_EXPORT | ES_OF_REPORT | ES_OF_TRACE_STATS)

static bool take_from(void *options, const char *value, es_error *err)
{
    es_trace_part *part = options;
    return es_time_parse("--from", value, &part->from_ns, err);
}

static bool take_to(void *options, const char *value, es_error *err)
{
    es_trace_part *part = options;
    return es_time_parse("--to", value, &part->to_ns, err);
}

static bool take_statement(void *options, const char *value, es_error *err)
{
    es_trace_part *part = options;
    (void)err;
    part->statements = es_arena_grow(part->arena, part->statements, part->statement_count, sizeof *part->statements);
    part->statements[part->statement_count++] = value;
    return true;
}

static bool take_task(void *options, const char *value, es_error *err)
{
    es_trace_part *part = options;
    (void)err;
    part->tasks = es_arena_grow(part->arena, part->tasks, part->task_count, sizeof *part->tasks);
    part->tasks[part->task_count++] = value;
    return true;
}

const es_option es_trace_part_table[] = {
    {"from", 0, false, OF_ALL, "TIME", "what happened at this time of the target's and later: 500us, 5ms, 2s",
     take_from},
    {"to", 0, false, OF_ALL, "TIME", "what happened until this time", take_to},
    {"statement", 0, false, OF_ALL, "NAME", "hits of this statement; may be given several times", take_statement},
    {"task", 0, false, OF_ALL, "NAME", "hits in this task; may be given several times", take_task},
    {.name = NULL},
};

void es_trace_part_begin(es_trace_part *part)
{
    part->arena = es_arena_new();
}

void es_trace_part_end(es_trace_part *part)
{
    es_arena_free(part->arena);
}

static bool choose(bool *chosen, const es_schema *schema, const char *name, es_error *err)
{
    bool found = false;
    for (size_t i = 0; i < schema->statement_count; i++)
        if (strcmp(schema->statements[i].name, name) == 0)
            chosen[i] = found = true;
    if (found)
        return true;
    es_text_buffer names = {0};
    for (size_t i = 0; i < schema->statement_count; i++)
        es_text_format(&names, "%s%s", i ? ", " : "", schema->statements[i].name);
    es_fail(err, ES_USAGE, "the trace has no statement '%s'; it has %.1000s", name, names.length ? names.text : "none");
    es_text_free(&names);
    return false;
}

/* --- tasks: a trace does not list them, its hits have them ------------------------------------------------------ */

#define TASKS_LISTED 30u

typedef struct seen_tasks {
    const es_trace_part *part;
    const es_names *names;
    uint32_t *seen; /* names */
    size_t count;
    uint32_t last;  /* the same one comes again and again */
    size_t missing; /* of the part's, not seen yet */
} seen_tasks;

static void see_task(void *context, const es_record *record)
{
    seen_tasks *s = context;
    if (record->kind != ES_RECORD_HIT || !record->hit->task || record->hit->task == s->last)
        return;
    s->last = record->hit->task;
    for (size_t i = 0; i < s->count; i++)
        if (s->seen[i] == s->last)
            return;
    s->seen = es_arena_grow(s->part->arena, s->seen, s->count, sizeof *s->seen);
    s->seen[s->count++] = s->last;
    for (size_t i = 0; i < s->part->task_count; i++)
        s->missing -= strcmp(es_names_text(s->names, s->last), s->part->tasks[i]) == 0;
}

static bool have_seen_all(void *context)
{
    return !((const seen_tasks *)context)->missing;
}

static bool is_seen(const seen_tasks *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(es_names_text(s->names, s->seen[i]), name) == 0)
            return true;
    return false;
}

static bool refuse_task(const seen_tasks *s, const char *name, es_error *err)
{
    es_text_buffer list = {0};
    if (!s->count)
        return es_fail(err, ES_USAGE, "the trace has no hits in a task '%.200s', nor in any other: they tell no tasks",
                       name);
    for (size_t i = 0; i < s->count && i < TASKS_LISTED; i++)
        es_text_format(&list, "%s%.60s", i ? ", " : "", es_names_text(s->names, s->seen[i]));
    if (s->count > TASKS_LISTED)
        es_text_format(&list, " and %zu more", s->count - TASKS_LISTED);
    es_fail(err, ES_USAGE, "the trace has no hits in a task '%.200s'; it has some in %.1500s", name, list.text);
    es_text_free(&list);
    return false;
}

/* Looks for them only until each has been seen. What hinders that is told by who reads the trace after it. */
static bool check_tasks(es_trace_part *part, es_trace_reader *reader, es_error *err)
{
    seen_tasks s = {.part = part, .names = es_trace_schema(reader)->names, .missing = part->task_count};
    es_trace_filter all = {.to = ES_NO_TIME, .stop = have_seen_all, .context = &s};
    const es_sink sink = {see_task, &s};
    es_error ignored;
    if (!part->task_count || !es_trace_read(reader, &all, &sink, &ignored))
        return true;
    for (size_t i = 0; i < part->task_count && s.missing; i++)
        if (!is_seen(&s, part->tasks[i]))
            return refuse_task(&s, part->tasks[i], err);
    return true;
}

bool es_trace_part_filter(es_trace_part *part, es_trace_reader *reader, es_trace_filter *filter, es_error *err)
{
    const es_schema *schema = es_trace_schema(reader);
    *filter = (es_trace_filter){.to = ES_NO_TIME, .tasks = part->tasks, .task_count = part->task_count};
    if (part->from_ns)
        filter->from = es_time_clocks(part->from_ns, schema->clock_hz);
    if (part->to_ns)
        filter->to = es_time_clocks(part->to_ns + 1, schema->clock_hz) - 1; /* the last that is not after it */
    if (part->to_ns && filter->from > filter->to)
        return es_fail(err, ES_USAGE, "--from is after --to: nothing lies between them");
    if (!check_tasks(part, reader, err))
        return false;
    if (!part->statement_count)
        return true;
    bool *chosen = es_arena_alloc(part->arena, (schema->statement_count + 1) * sizeof *chosen);
    filter->statements = chosen;
    for (size_t i = 0; i < part->statement_count; i++)
        if (!choose(chosen, schema, part->statements[i], err))
            return false;
    return true;
}

void es_trace_part_tell(const es_trace_reader *reader, const char *directory)
{
    const es_trace_about *about = es_trace_about_of(reader);
    if (about->first_chunk > 1)
        fprintf(stderr, "earshot: the trace's first %" PRIu64 " %s removed: it begins later than the run\n",
                about->first_chunk - 1, es_plural(about->first_chunk - 1, "chunk was", "chunks were"));
    if (about->torn_bytes)
        fprintf(stderr,
                "earshot: the last %" PRIu64 " %s a part of a packet: it is being written, or its writer was "
                "killed;\nfor other tools, `earshot read --repair %s` cuts them off\n",
                about->torn_bytes, es_plural(about->torn_bytes, "byte is", "bytes are"), directory);
    if (!about->finished)
        fprintf(stderr, "earshot: the trace has no end: it is being written, or its writer was killed\n");
}
