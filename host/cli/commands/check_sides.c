#include "cli/commands/check_sides.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands/check_replay.h"

#define NAME_WIDTH 32 /* that names are brought to, at most */

void es_check_sides_progress(size_t done, size_t count)
{
    if (done == count)
        fputs("\r\033[K", stderr);
    else if (done == 0)
        fprintf(stderr, "\rchecking %zu %s\033[K", count, es_plural(count, "statement", "statements"));
    else
        fprintf(stderr, "\rchecking %zu statements, each alone: %zu done\033[K", count, done);
}

static const char *word(const es_check_side *side)
{
    return side->alone ? "alone" : side->guaranteed ? "guaranteed" : "not guaranteed";
}

static void print_reason(const char *which, const es_check_side *side)
{
    if (side->guaranteed)
        return;
    printf("    %s: %s\n", which, side->why ? side->why : "nothing can be said about it");
    if (side->place)
        printf("      at      %s\n", side->place);
    if (side->advice)
        printf("      advice  %s\n", side->advice);
}

void es_check_sides_print(const es_check_sides *s)
{
    int width = 9;
    for (size_t k = 0; k < s->count; k++)
        if ((int)strlen(s->statements[k].name) > width)
            width = (int)strlen(s->statements[k].name);
    width = width > NAME_WIDTH ? NAME_WIDTH : width;
    printf("  %-*s  %-14s  %s\n", width, "statement", "monitor", "replay");
    for (size_t k = 0; k < s->count; k++) {
        const es_check_statement *statement = &s->statements[k];
        printf("  %-*s  %-14s  %s\n", width, statement->name, word(&statement->monitor), word(&statement->replay));
        print_reason("monitor", &statement->monitor);
        if (!statement->monitor.guaranteed || !s->monitor.guaranteed)
            print_reason("replay", &statement->replay);
    }
    printf("\n");
}

static void print_counts(const es_check_sides *s)
{
    printf("%zu of %zu %s by the monitor%s, %zu more by the replay, %zu by neither", s->by_monitor, s->count,
           es_plural(s->count, "statement", "statements"), s->count > 1 ? " (each alone)" : "", s->by_replay,
           s->by_neither);
}

void es_check_sides_verdict(const es_check_sides *s)
{
    if (s->side == ES_CHECK_REPLAY) {
        printf("guaranteed on the replay: it sees the whole run, whatever the program does, as long as %s\n",
               s->replay.condition);
        printf("  that is ");
        print_counts(s);
        printf("\n  advice  earshot watch --guaranteed takes the side that misses nothing\n");
        return;
    }
    printf("not guaranteed: ");
    print_counts(s);
    printf("\n");
    if (s->judged && s->count > 1 && s->monitor.why)
        printf("  all at once on the monitor: %s\n", s->monitor.why);
    if (!s->by_neither)
        printf("  advice  no side has them all: check and watch those of the monitor and the others in two runs\n");
}

/* --- JSON ------------------------------------------------------------------------------------------------------- */

static void put_side(es_json *json, const char *key, const es_check_side *side)
{
    es_json_key(json, key);
    es_json_begin(json, '{');
    es_json_put_bool(json, "guaranteed", side->guaranteed);
    es_json_put_bool(json, "alone", side->alone);
    es_json_put_string(json, "why", side->why);
    es_json_put_string(json, "place", side->place);
    es_json_put_string(json, "advice", side->advice);
    es_json_end(json, '}');
}

void es_check_sides_json(es_json *json, const es_check_sides *s, const es_probe_limits *limits,
                         const es_check_options *options)
{
    static const char *const sides[] = {
        [ES_CHECK_NEITHER] = NULL, [ES_CHECK_MONITOR] = "monitor", [ES_CHECK_REPLAY] = "replay"};
    const es_check_recorder_options recorder = es_check_recorder_of(limits, options);
    es_json_put_string(json, "side", sides[s->side]);
    es_json_key(json, "statements");
    es_json_begin(json, '[');
    for (size_t k = 0; k < s->count; k++) {
        const es_check_statement *statement = &s->statements[k];
        es_json_begin(json, '{');
        es_json_put_string(json, "name", statement->name);
        es_json_put_string(json, "side",
                           sides[statement->monitor.guaranteed  ? ES_CHECK_MONITOR
                                 : statement->replay.guaranteed ? ES_CHECK_REPLAY
                                                                : ES_CHECK_NEITHER]);
        put_side(json, "monitor", &statement->monitor);
        put_side(json, "replay", &statement->replay);
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
    es_json_key(json, "replay");
    es_check_replay_json(json, &s->replay, &recorder);
}
