#include "gdb/switches.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/search.h"

#define WINDOW_FIRST (UINT64_C(1) << 13) /* looking back, instructions that are replayed at first */
#define WINDOW_MOST (UINT64_C(1) << 22)  /* ... at most at a time */
#define SWITCHES_MOST (1u << 22)         /* that are kept; then it begins anew */

/* --- what is known ------------------------------------------------------------------------------------------------ */

/* How many begin at a moment or before it. */
static size_t stretches_until(const es_gdb_switches *s, uint64_t moment)
{
    size_t low = 0, high = s->known_count;
    while (high > low) {
        size_t middle = low + (high - low) / 2;
        if (s->known[middle].from <= moment)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many are before a moment. */
static size_t switches_until(const es_gdb_switches *s, uint64_t moment)
{
    size_t low = 0, high = s->count;
    while (high > low) {
        size_t middle = low + (high - low) / 2;
        if (s->all[middle].moment < moment)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The begin of what is known without a gap up to a moment. */
static uint64_t known_from(const es_gdb_switches *s, uint64_t moment)
{
    size_t until = stretches_until(s, moment);
    return until && s->known[until - 1].to >= moment ? s->known[until - 1].from : moment;
}

static void met(void *context, uint64_t moment, uint32_t pc)
{
    es_gdb_switches *s = context;
    (void)pc;
    if (s->fresh_count && s->fresh[s->fresh_count - 1].moment == moment)
        return;
    if (s->fresh_count == s->fresh_room) {
        s->fresh_room = s->fresh_room ? 2 * s->fresh_room : 256;
        s->fresh = es_realloc(s->fresh, s->fresh_room * sizeof *s->fresh);
    }
    s->fresh[s->fresh_count++] =
        (es_gdb_switch){moment, es_gdb_tasks_current(s->tasks, es_timeline_machine(s->past->timeline))};
}

/* All of [from, to): what was known of it before is the same. */
static void keep_fresh(es_gdb_switches *s, uint64_t from, uint64_t to)
{
    size_t first = switches_until(s, from), end = switches_until(s, to), more = s->fresh_count;
    size_t count = s->count - (end - first) + more;
    if (count > s->room) {
        s->room = 2 * count;
        s->all = es_realloc(s->all, s->room * sizeof *s->all);
    }
    if (s->count > end)
        memmove(&s->all[first + more], &s->all[end], (s->count - end) * sizeof *s->all);
    if (more)
        memcpy(&s->all[first], s->fresh, more * sizeof *s->fresh);
    s->count = count;
    s->fresh_count = 0;
}

static void moved(void *context, uint64_t from, uint64_t to)
{
    es_gdb_switches *s = context;
    if (s->count > SWITCHES_MOST)
        s->count = s->known_count = 0;
    keep_fresh(s, from, to);
    if (from >= to)
        return;
    size_t first = stretches_until(s, from), end = stretches_until(s, to);
    if (first && s->known[first - 1].to >= from)
        from = s->known[--first].from;
    if (end && s->known[end - 1].to > to)
        to = s->known[end - 1].to;
    if (first == end) { /* joins none */
        s->known = es_realloc(s->known, (s->known_count + 1) * sizeof *s->known);
        memmove(&s->known[first + 1], &s->known[first], (s->known_count++ - first) * sizeof *s->known);
    } else {
        memmove(&s->known[first + 1], &s->known[end], (s->known_count - end) * sizeof *s->known);
        s->known_count -= end - first - 1;
    }
    s->known[first] = (es_gdb_stretch){from, to};
}

/* --- from outside ------------------------------------------------------------------------------------------------- */

void es_gdb_switches_init(es_gdb_switches *switches, es_past *past, const es_gdb_tasks *tasks,
                          const es_symbols *symbols)
{
    memset(switches, 0, sizeof *switches);
    switches->past = past;
    switches->tasks = tasks;
    if (!tasks->program.task)
        return;
    es_arena *arena = es_arena_new();
    es_switch *found;
    size_t count = es_symbols_switches(symbols, arena, &found);
    switches->code = es_malloc((count + 1) * sizeof *switches->code);
    for (size_t i = 0; i < count; i++)
        if (!i || found[i].address != found[i - 1].address)
            switches->code[switches->code_count++] = found[i].address;
    es_arena_free(arena);
    es_past_note(past, switches->code, switches->code_count, met, moved, switches);
}

void es_gdb_switches_free(es_gdb_switches *switches)
{
    free(switches->code);
    free(switches->all);
    free(switches->fresh);
    free(switches->known);
    memset(switches, 0, sizeof *switches);
}

/* Until what is known begins at `least`, or, if one is enough, until there is one. */
static void look(es_gdb_switches *s, uint64_t least, bool one)
{
    uint64_t now = es_timeline_now(s->past->timeline), window = WINDOW_FIRST, known;
    size_t from, to;
    bool away = false;
    while (s->code_count && (known = known_from(s, now)) > least) {
        es_gdb_switches_before(s, now, &from, &to);
        if (to - from >= (one ? 1 : ES_GDB_SWITCHES_BACK))
            break;
        uint64_t begin = known - least > window ? known - window : least;
        away = true;
        if (es_past_go(s->past, begin) == ES_PAST_WRONG || es_past_look(s->past, known) == ES_PAST_WRONG)
            break;
        window = window < WINDOW_MOST ? 2 * window : window;
    }
    if (away)
        es_past_go(s->past, now);
}

static uint64_t least_of(uint64_t moment)
{
    return moment > ES_GDB_LOOK_BACK ? moment - ES_GDB_LOOK_BACK : 0;
}

void es_gdb_switches_look_back(es_gdb_switches *switches)
{
    look(switches, least_of(es_timeline_now(switches->past->timeline)), false);
}

void es_gdb_switches_look(es_gdb_switches *switches)
{
    look(switches, least_of(es_timeline_now(switches->past->timeline)), true);
}

void es_gdb_switches_before(const es_gdb_switches *switches, uint64_t moment, size_t *from, size_t *to)
{
    uint64_t least = least_of(moment), known = known_from(switches, moment);
    *to = switches_until(switches, moment);
    *from = switches_until(switches, known > least ? known : least);
    if (*from > *to)
        *from = *to;
    if (*to - *from > ES_GDB_SWITCHES_BACK)
        *from = *to - ES_GDB_SWITCHES_BACK;
}

const es_gdb_switch *es_gdb_switches_next(es_gdb_switches *switches, uint64_t most)
{
    uint64_t now = es_timeline_now(switches->past->timeline), end = es_timeline_end(switches->past->timeline);
    uint64_t until = end - now < most ? end : now + most;
    if (known_from(switches, until) > now) {
        es_past_look(switches->past, until);
        es_past_go(switches->past, now);
    }
    size_t next = switches_until(switches, now);
    bool there = next < switches->count && switches->all[next].moment < until && known_from(switches, until) <= now;
    return there ? &switches->all[next] : NULL;
}

bool es_gdb_switches_from_start(const es_gdb_switches *switches, uint64_t moment)
{
    return !least_of(moment) && !known_from(switches, moment) &&
           switches_until(switches, moment) <= ES_GDB_SWITCHES_BACK;
}

bool es_gdb_switches_at(const es_gdb_switches *switches, uint32_t pc)
{
    size_t at = es_first_from(switches->code, switches->code_count, pc);
    return at < switches->code_count && switches->code[at] == pc;
}
