#include "session/where.h"

#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "record/path.h"
#include "session/task.h"
#include "symbols/code.h"

/* What is looked up once, by hash: places and paths, tasks; powers of two. */
#define KEPT 1024u
#define INLINED_MAX 16u /* copies within each other that a backtrace shows */
#define TASKS_KEPT 64u

/* A task as hits have it. */
typedef struct task_state {
    bool known;
    uint32_t task, unknown, words[ES_TASK_NAME_WORDS];
    size_t count; /* of `words` */
} task_state;

/* Where a statement was true: what an address of code is in the source, for it; and all that was said of the last hit
 * there, with what it followed from. */
typedef struct place {
    uint32_t pc, statement;
    bool valid;
    uint32_t file, line, inlined;
    bool has_last, path_known;
    uint16_t flags;
    uint32_t *path; /* call sites */
    size_t path_count;
    task_state task;
    uint8_t where[ES_HIT_WHERE_SIZE];
} place;

/* A path's name by its call sites and the address that it ends with. */
typedef struct known_path {
    uint32_t *sites; /* of `count` + 1 words: the last is the address */
    size_t count;
    uint32_t name;
} known_path;

/* A task's name by all that it is made from. */
typedef struct known_task {
    task_state state; /* known: there is one */
    uint32_t name;
} known_task;

struct es_where {
    bool blind;
    const es_symbols *symbols;
    const es_program *program;
    const es_schema *schema;
    es_text_buffer text;
    place places[KEPT];
    known_path paths[KEPT];
    known_task tasks[TASKS_KEPT];
};

es_where *es_where_new(const es_symbols *symbols, const es_program *program, const es_schema *schema)
{
    es_where *w = es_malloc(sizeof *w);
    memset(w, 0, sizeof *w);
    w->symbols = symbols;
    w->program = program;
    w->schema = schema;
    return w;
}

void es_where_free(es_where *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < KEPT; i++) {
        free(w->paths[i].sites);
        free(w->places[i].path);
    }
    es_text_free(&w->text);
    free(w);
}

static uint32_t name_of(es_where *w)
{
    return es_names_add(w->schema->names, w->text.text, w->text.length);
}

static uint32_t hash_of(const uint32_t *sites, size_t count, uint32_t hash)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ sites[i]) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

static __attribute__((noinline)) void find_place(es_where *w, place *p, uint32_t pc, uint32_t statement)
{
    const char *file, *inlined = es_statement_inlined(&w->program->statements[statement], pc);
    unsigned line;
    free(p->path);
    *p = (place){.pc = pc, .statement = statement, .valid = true};
    if (es_symbols_line(w->symbols, pc, &file, &line)) {
        p->file = es_names_add(w->schema->names, file, strlen(file));
        p->line = line;
    }
    if (inlined)
        p->inlined = es_names_add(w->schema->names, inlined, strlen(inlined));
}

/* The place of a hit; not at ES_HIT_NOWHERE. */
static inline place *place_of(es_where *w, const es_event *event)
{
    uint32_t pc = event->pc, statement = event->statement;
    place *p = &w->places[hash_of(&statement, 1, pc * 0x9E3779B1u) & (KEPT - 1)];
    if (__builtin_expect(!p->valid || p->pc != pc || p->statement != statement, false))
        find_place(w, p, pc, statement);
    return p;
}

/* Where the activation was that a site leads from. */
static uint32_t place_in(const es_where *w, uint32_t site)
{
    return site & ES_SITE_INTERRUPT ? site & ~(uint32_t)ES_SITE_INTERRUPT : es_symbols_call_at(w->symbols, site);
}

/* The activations that the call sites led to. The start-up code is not part of it. */
static uint32_t name_of_path(es_where *w, const es_event *event)
{
    es_text_clear(&w->text);
    for (size_t i = 0; i < event->path_count; i++) {
        uint32_t inside = i + 1 < event->path_count ? place_in(w, event->path[i + 1]) : event->pc;
        const es_procedure *procedure = es_symbols_procedure_at(w->symbols, inside);
        es_path_part part = {procedure ? procedure->name : NULL, inside, (event->path[i] & ES_SITE_INTERRUPT) != 0};
        es_path_add(&w->text, &part);
    }
    return name_of(w);
}

/* --- backtraces ------------------------------------------------------------------------------------------------- */

static void add_place(es_text_buffer *out, const char *file, unsigned line)
{
    if (file && line)
        es_text_format(out, " (%s:%u)", es_base_name(file), line);
}

/* A procedure and the inlined copies within it, down to an instruction. */
static void add_activation(const es_where *w, uint32_t address, es_text_buffer *out)
{
    const es_procedure *procedure = es_symbols_procedure_at(w->symbols, address);
    const es_inlined_copy *copies[INLINED_MAX];
    size_t count = es_symbols_inlined_at(w->symbols, address, copies, INLINED_MAX);
    const char *file = NULL;
    unsigned line = 0;
    if (!es_symbols_line(w->symbols, address, &file, &line))
        file = NULL;
    if (procedure)
        es_text_format(out, "%s", procedure->name);
    else
        es_text_format(out, "0x%08x", (unsigned)address);
    for (size_t i = 0; i < count; i++) {
        add_place(out, copies[i]->call_file, copies[i]->call_line);
        es_text_format(out, " > %s inlined", copies[i]->name);
    }
    add_place(out, file, line);
}

bool es_where_backtrace(const es_where *w, const es_event *event, es_text_buffer *out, const char **why)
{
    es_text_clear(out);
    if (event->pc == ES_HIT_NOWHERE || w->blind) {
        *why =
            w->blind ? "this bus does not show what is executed" : "a time had passed: that is nowhere in the program";
        return false;
    }
    if (!event->path_known || event->flags & ES_HITF_PATH_UNKNOWN) {
        *why = "the call path is not known";
        return false;
    }
    es_text_add(out, "", 0);
    for (size_t i = 0; i < event->path_count; i++) {
        uint32_t inside = i + 1 < event->path_count ? place_in(w, event->path[i + 1]) : event->pc;
        bool cut = i && i + 1 == event->path_count && event->flags & ES_HITF_PATH_CUT;
        if (event->path[i] & ES_SITE_INTERRUPT)
            es_text_format(out, "%s!> ", i ? " " : "");
        else if (i)
            es_text_format(out, cut ? " > ... > " : " > ");
        add_activation(w, inside, out);
    }
    if (!event->path_count)
        add_activation(w, event->pc, out);
    return true;
}

static uint32_t path_of(es_where *w, const es_event *event)
{
    size_t count = event->path_count, size = (count + 1) * sizeof *event->path;
    known_path *path = &w->paths[hash_of(event->path, count, event->pc) & (KEPT - 1)];
    if (path->sites && path->count == count && memcmp(path->sites, event->path, count * sizeof *event->path) == 0 &&
        path->sites[count] == event->pc)
        return path->name;
    path->sites = es_realloc(path->sites, size);
    memcpy(path->sites, event->path, count * sizeof *event->path);
    path->sites[count] = event->pc;
    path->count = count;
    return path->name = name_of_path(w, event);
}

static bool is_task_of(const task_state *state, const es_event *event)
{
    if (!state->known || !event->task_known)
        return state->known == event->task_known;
    return state->task == event->task && state->count == event->task_name_count &&
           state->unknown == event->task_name_unknown &&
           memcmp(state->words, event->task_name, state->count * sizeof *state->words) == 0;
}

static task_state task_state_of(const es_event *event)
{
    task_state state = {.known = event->task_known,
                        .task = event->task,
                        .unknown = event->task_name_unknown,
                        .count = event->task_name_count};
    memcpy(state.words, event->task_name, state.count * sizeof *state.words);
    return state;
}

static uint32_t task_of(es_where *w, const es_event *event)
{
    known_task *task = &w->tasks[hash_of(event->task_name, event->task_name_count, event->task) & (TASKS_KEPT - 1)];
    if (task->state.known && is_task_of(&task->state, event))
        return task->name;
    task->state = task_state_of(event);
    es_text_clear(&w->text);
    task->name = es_task_text(&w->text, w->symbols, w->program, event) ? name_of(w) : 0;
    return task->name;
}

static void add_task(es_where *w, bool is_cover, const es_event *event, es_hit *hit)
{
    if (!event->task_known || event->pc == ES_HIT_NOWHERE || is_cover) {
        hit->flags |= ES_HIT_NO_TASK;
        return;
    }
    hit->task = task_of(w, event);
    hit->task_pointer = hit->task ? event->task : 0;
}

/* p NULL: nowhere, a time has passed. Each member of the hit by itself: to clear the whole of it takes longer. */
static __attribute__((noinline)) void find_where(es_where *w, bool is_cover, const es_event *event, const place *p,
                                                 es_hit *hit)
{
    bool is_path_known = event->path_known && !(event->flags & ES_HITF_PATH_UNKNOWN) && !(p && is_cover);
    hit->flags = (event->flags & ES_HITF_UNCERTAIN ? ES_HIT_UNCERTAIN : 0) | (p ? 0 : ES_HIT_TIMED) |
                 (is_path_known ? 0 : ES_HIT_NO_PATH) | (p && event->flags & ES_HITF_PATH_CUT ? ES_HIT_CUT_PATH : 0);
    hit->pc = event->pc;
    hit->path = p && is_path_known ? path_of(w, event) : 0;
    hit->file = p ? p->file : 0;
    hit->line = p ? p->line : 0;
    hit->inlined = p ? p->inlined : 0;
    hit->task = hit->task_pointer = 0;
    if (w->schema->tasks_by)
        add_task(w, is_cover, event, hit);
}

/* Whether the last hit of the place had all in common with this one that where it was follows from. */
static bool is_as_before(const es_where *w, const place *p, const es_event *event)
{
    if (!p->has_last || p->flags != event->flags || p->path_known != event->path_known ||
        p->path_count != event->path_count)
        return false;
    for (size_t i = 0; i < p->path_count; i++)
        if (p->path[i] != event->path[i])
            return false;
    return !w->schema->tasks_by || is_task_of(&p->task, event);
}

static __attribute__((noinline)) void keep_where(place *p, const es_event *event, const es_hit *hit)
{
    if (!p->path || p->path_count < event->path_count)
        p->path = es_realloc(p->path, (event->path_count + 1) * sizeof *p->path);
    memcpy(p->path, event->path, event->path_count * sizeof *p->path);
    p->path_count = event->path_count;
    p->path_known = event->path_known;
    p->flags = event->flags;
    p->task = task_state_of(event);
    memcpy(p->where, es_hit_where(hit), sizeof p->where);
    p->has_last = true;
}

void es_where_set_blind(es_where *w, bool blind)
{
    w->blind = blind;
}

void es_where_add(es_where *w, bool is_cover, const es_event *event, es_hit *hit)
{
    if (w->blind && event->pc != ES_HIT_NOWHERE) {
        find_where(w, is_cover, event, NULL, hit);
        hit->flags = (hit->flags & ~ES_HIT_TIMED) | ES_HIT_NO_PLACE | ES_HIT_NO_PATH;
        hit->pc = 0;
        return;
    }
    if (event->pc == ES_HIT_NOWHERE) {
        find_where(w, is_cover, event, NULL, hit);
        return;
    }
    place *p = place_of(w, event);
    if (__builtin_expect(is_as_before(w, p, event), true)) {
        memcpy((char *)hit + ES_HIT_WHERE, p->where, sizeof p->where);
        return;
    }
    find_where(w, is_cover, event, p, hit);
    keep_where(p, event, hit);
}
