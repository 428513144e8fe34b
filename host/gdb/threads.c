#include "gdb/threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "gdb/freertos.h"
#include "gdb/threadx.h"

#define REST_BACK (UINT64_C(1) << 16) /* instructions before a switch that are looked at, to know what it has left */
#define RESTS_MOST 4096u              /* that are kept; then it begins anew */

bool es_gdb_threads_init(es_gdb_threads *threads, es_past *past, const es_symbols *symbols, const char *variable,
                         es_error *err)
{
    memset(threads, 0, sizeof *threads);
    if (!es_gdb_tasks_init(&threads->tasks, symbols, variable, err))
        return false;
    es_gdb_switches_init(&threads->switches, past, &threads->tasks, symbols);
    return true;
}

void es_gdb_threads_free(es_gdb_threads *threads)
{
    es_gdb_switches_free(&threads->switches);
    es_gdb_tasks_free(&threads->tasks);
    free(threads->rests);
    memset(threads, 0, sizeof *threads);
}

static const es_machine *machine(const es_gdb_threads *t)
{
    return es_timeline_machine(t->switches.past->timeline);
}

static uint64_t present(const es_gdb_threads *t)
{
    return es_timeline_now(t->switches.past->timeline);
}

static bool has_kernel(const es_gdb_threads *t)
{
    return t->tasks.program.task != NULL;
}

/* --- where they stand --------------------------------------------------------------------------------------------- */

/* What was left by the switch at `left`; where that does not tell it, by the one at `before`, to a stack that no task
 * has. The timeline is where it was. */
static const es_gdb_rest *rest_of(es_gdb_threads *t, uint64_t left, uint64_t before)
{
    for (size_t i = 0; i < t->rest_count; i++)
        if (t->rests[i].left == left && t->rests[i].before == before)
            return &t->rests[i].rest;
    if (t->rest_count == RESTS_MOST)
        t->rest_count = 0;
    if (!t->rests)
        t->rests = es_malloc(RESTS_MOST * sizeof *t->rests);
    es_gdb_left *made = &t->rests[t->rest_count++];
    uint64_t now = present(t);
    *made = (es_gdb_left){.left = left, .before = before};
    es_gdb_rest_find(&made->rest, &t->switches, left > REST_BACK ? left - REST_BACK : 0, left);
    if (!made->rest.known && before < left)
        es_gdb_rest_find(&made->rest, &t->switches, before > REST_BACK ? before - REST_BACK : 0, before);
    es_past_go(t->switches.past, now);
    return &made->rest;
}

const es_gdb_rest *es_gdb_threads_rest(es_gdb_threads *threads, const es_gdb_thread *thread)
{
    static const es_gdb_rest unknown;
    return thread->has_run && !thread->runs ? rest_of(threads, thread->left, thread->before) : &unknown;
}

/* --- which one runs ----------------------------------------------------------------------------------------------- */

/* No switch has come to the stack that runs: it is the one of the task that the variable names at first, of main. It
 * may name another one already, to which the next switch leads. */
static uint32_t first_one(es_gdb_threads *t, uint32_t named)
{
    const es_gdb_switch *next = es_gdb_switches_next(&t->switches, REST_BACK);
    uint64_t moment = next ? next->moment : 0;
    const es_gdb_rest *rest = next ? rest_of(t, moment, moment) : NULL;
    bool already = rest && rest->known && rest->changed && rest->changed <= present(t);
    return already && rest->before != ES_GDB_NO_TASK ? rest->before : named;
}

/* The kernel's variable may name the next one already: until the stack is another one, it is the one before. */
static uint32_t running(es_gdb_threads *t, size_t from, size_t to)
{
    uint32_t named = es_gdb_tasks_current(&t->tasks, machine(t));
    uint32_t switched = from < to ? t->switches.all[to - 1].task : ES_GDB_NO_TASK;
    if (named == ES_GDB_NO_TASK || switched != ES_GDB_NO_TASK)
        return named == ES_GDB_NO_TASK ? named : switched;
    return es_gdb_switches_from_start(&t->switches, present(t)) ? first_one(t, named) : named;
}

uint32_t es_gdb_threads_running(es_gdb_threads *threads)
{
    size_t from, to;
    if (!has_kernel(threads))
        return ES_GDB_PROCESSOR;
    es_gdb_switches_look(&threads->switches);
    es_gdb_switches_before(&threads->switches, present(threads), &from, &to);
    uint32_t task = running(threads, from, to);
    return task == ES_GDB_NO_TASK ? ES_GDB_PROCESSOR : task;
}

/* --- which there are ---------------------------------------------------------------------------------------------- */

static es_gdb_thread *listed(es_gdb_threads *t, uint32_t id)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->list[i].id == id)
            return &t->list[i];
    return NULL;
}

static void add(es_gdb_threads *t, es_gdb_thread thread)
{
    if (thread.id != ES_GDB_NO_TASK && t->count < ES_GDB_LISTED_MOST && !listed(t, thread.id))
        t->list[t->count++] = thread;
}

/* Those that have run. The first one that leaves a stack may be main's, which no switch has come to. */
static void add_past_ones(es_gdb_threads *t, size_t from, size_t to)
{
    const es_gdb_switch *all = t->switches.all;
    for (size_t k = to; k-- > from;) {
        uint64_t left = k + 1 < to ? all[k + 1].moment : all[k].moment;
        add(t, (es_gdb_thread){all[k].task, "not running", false, true, left, all[k].moment});
        if (all[k].task == ES_GDB_NO_TASK || (k > from && all[k - 1].task != ES_GDB_NO_TASK) ||
            (k == from && !es_gdb_switches_from_start(&t->switches, present(t))))
            continue;
        const es_gdb_rest *rest = rest_of(t, all[k].moment, all[k].moment);
        if (rest->known)
            add(t, (es_gdb_thread){rest->before, "not running", false, true, all[k].moment, all[k].moment});
        all = t->switches.all;
    }
}

/* What the kernel says of them, if it is one whose lists are known: those that it does not have are no more. */
static void add_kernels(es_gdb_threads *t)
{
    es_gdb_listed tasks[ES_GDB_LISTED_MOST];
    size_t count = es_gdb_freertos_tasks(&t->tasks, machine(t), tasks), kept = 0;
    if (!count)
        count = es_gdb_threadx_tasks(&t->tasks, machine(t), tasks);
    if (!count)
        return;
    for (size_t i = 0; i < t->count; i++) {
        const char *state = t->list[i].runs ? t->list[i].state : NULL;
        for (size_t k = 0; k < count && !state; k++)
            if (tasks[k].task == t->list[i].id)
                state = tasks[k].state;
        if (state) {
            t->list[kept] = t->list[i];
            t->list[kept++].state = state;
        }
    }
    t->count = kept;
    for (size_t k = 0; k < count; k++)
        add(t, (es_gdb_thread){.id = tasks[k].task, .state = tasks[k].state});
}

static int by_id(const void *left, const void *right)
{
    const es_gdb_thread *a = left, *b = right;
    return a->id < b->id ? -1 : a->id > b->id;
}

size_t es_gdb_threads_list(es_gdb_threads *threads, const es_gdb_thread **list)
{
    size_t from, to;
    *list = threads->list;
    if (threads->count && threads->listed_at == present(threads) && threads->listed_told == threads->told)
        return threads->count;
    threads->count = 0;
    threads->listed_told = threads->told;
    threads->listed_at = present(threads);
    if (!has_kernel(threads)) {
        add(threads, (es_gdb_thread){.id = ES_GDB_PROCESSOR, .state = "program", .runs = true});
        return threads->count;
    }
    es_gdb_switches_look_back(&threads->switches);
    es_gdb_switches_before(&threads->switches, present(threads), &from, &to);
    uint32_t runs = running(threads, from, to);
    if (runs == ES_GDB_NO_TASK)
        add(threads, (es_gdb_thread){.id = ES_GDB_PROCESSOR, .state = "no task", .runs = true});
    else
        add(threads, (es_gdb_thread){.id = runs, .state = "running", .runs = true});
    add_past_ones(threads, from, to);
    add_kernels(threads);
    if (threads->told == ES_GDB_PROCESSOR)
        add(threads, (es_gdb_thread){.id = ES_GDB_PROCESSOR, .state = "processor", .runs = true});
    else
        add(threads, (es_gdb_thread){.id = threads->told, .state = "not there"});
    qsort(threads->list, threads->count, sizeof *threads->list, by_id);
    return threads->count;
}

const es_gdb_thread *es_gdb_threads_find(es_gdb_threads *threads, uint32_t id)
{
    const es_gdb_thread *list;
    es_gdb_threads_list(threads, &list);
    return listed(threads, id);
}

bool es_gdb_threads_name(es_text_buffer *out, es_gdb_threads *threads, const es_gdb_thread *thread)
{
    if (thread->id == ES_GDB_PROCESSOR)
        return false;
    es_gdb_task_name(out, &threads->tasks, machine(threads), thread->id);
    return true;
}
