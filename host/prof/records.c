/* Calls and returns as hits of statements that nobody has written: enter_f and leave_f of each procedure f, as
 * `earshot infer` knows them. */
#include "prof/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "prof/record_paths.h"
#include "prof/record_statements.h"

#define PLACES 4096u        /* of code whose lines are kept */
#define HAS_LEFT (1u << 31) /* beside a frame's path: it has ended with a jump to what is above it */

typedef struct place {
    uint32_t pc, file, line;
    bool known;
} place;

typedef struct stack {
    uint32_t name;
    bool ended; /* its innermost trap has ended already */
} stack;

struct es_prof_records {
    const es_sink *sink;
    es_prof *profile;
    es_prof_hearer hearer;
    es_schema *schema;
    es_prof_paths paths;
    const uint32_t *entries; /* by procedure: the statement of its entry; the next one is of its end */
    stack *stacks;
    size_t stack_count;
    uint32_t start_up; /* the procedure that the program begins with */
    bool reset;
    uint64_t hits, *statement_hits;
    place places[PLACES];
    es_text_buffer text;
};

/* The code is known when it is executed first. */
static void begin(es_prof_records *r)
{
    if (r->entries)
        return;
    r->entries = es_prof_statements(r->schema, &r->profile->code, r->profile->hz);
    r->statement_hits = es_arena_alloc(r->schema->arena, r->schema->statement_count * sizeof *r->statement_hits);
    r->start_up = es_prof_procedure(&r->profile->code, es_symbols_entry(r->profile->code.symbols));
    es_sink_give(r->sink, &(es_record){.kind = ES_RECORD_BEGIN, .schema = r->schema});
}

/* --- hits --------------------------------------------------------------------------------------------------------- */

static const place *place_of(es_prof_records *r, uint32_t pc)
{
    place *p = &r->places[pc / 2 % PLACES];
    const char *file;
    unsigned line;
    if (p->known && p->pc == pc)
        return p;
    *p = (place){.pc = pc, .known = true};
    if (es_symbols_line(r->profile->code.symbols, pc, &file, &line)) {
        p->file = es_names_add(r->schema->names, file, strlen(file));
        p->line = line;
    }
    return p;
}

/* On a stack, with a path. */
static void give(es_prof_records *r, uint32_t statement, uint32_t pc, const stack *s, uint32_t path_number,
                 uint64_t cause)
{
    const es_prof_path *path = &r->paths.paths[path_number & ~HAS_LEFT];
    const place *p = place_of(r, pc);
    es_value value = {.bits = cause, .known = true};
    es_hit hit = {.time = es_prof_clock(r->profile),
                  .statement = statement,
                  .flags = (path->cut ? ES_HIT_CUT_PATH : 0) | (path->partial ? ES_HIT_NO_PATH : 0),
                  .pc = pc,
                  .path = path->partial ? 0 : path->name,
                  .file = p->file,
                  .line = p->line,
                  .values = &value,
                  .value_count = r->schema->statements[statement].value_count};
    if (r->schema->tasks_by) {
        hit.flags |= s->name ? 0 : ES_HIT_NO_TASK;
        hit.task = s->name;
    }
    r->hits++;
    r->statement_hits[statement]++;
    es_sink_give(r->sink, &(es_record){.kind = ES_RECORD_HIT, .schema = r->schema, .hit = &hit});
}

/* --- what happens ------------------------------------------------------------------------------------------------- */

static void give_trap(es_prof_records *r, const es_prof_frame *trap, bool end, uint32_t pc, const stack *s)
{
    uint32_t statement = trap->cause >> 31 ? ES_PROF_INTERRUPT : ES_PROF_EXCEPTION;
    give(r, statement + end, pc, s, trap->node, trap->cause & 0x7FFFFFFF);
}

/* Whether an activation began right there: not where a part of a recording, or a stack that is not known, goes on. */
static bool begins(const es_prof_calls *calls, const es_prof_frame *frame)
{
    return frame->site != ES_PROF_BEFORE &&
           (frame->site != ES_PROF_NOWHERE || calls->pc == calls->code->starts[frame->procedure]);
}

/* What a stack is called: as the procedure that it began with, where that has begun there. */
static void name_stack(es_prof_records *r, const es_prof_stack *s, bool known)
{
    es_text_clear(&r->text);
    es_text_format(&r->text, "%s", r->profile->code.names[s->root]);
    if (s->same)
        es_text_format(&r->text, " (%zu)", s->same + 1);
    r->stacks[r->profile->calls.now].name = known ? es_names_add(r->schema->names, r->text.text, r->text.length) : 0;
}

static void make_stacks(es_prof_records *r, const es_prof_calls *calls)
{
    for (; r->stack_count < calls->stack_count; r->stack_count++) {
        r->stacks = es_prof_grow(r->stacks, r->stack_count, sizeof *r->stacks);
        r->stacks[r->stack_count] = (stack){0};
    }
}

/* The activation below one, traps aside, that has not ended with a jump; NULL: there is none. */
static const es_prof_frame *caller_of(const es_prof_frame *first, const es_prof_frame *frame)
{
    while (frame > first && (frame[-1].kind == ES_PROF_TRAP || frame[-1].node & HAS_LEFT))
        frame--;
    return frame > first ? frame - 1 : NULL;
}

/* An activation's path; ES_PROF_NO_PATH: it is that of the start-up code. */
static void find_path(es_prof_records *r, const es_prof_calls *calls, es_prof_frame *frame, bool began)
{
    const es_prof_frame *caller = caller_of(calls->stacks[calls->now].frames, frame);
    bool handler = frame->site == ES_PROF_HANDLER;
    es_prof_step step = {frame->procedure, calls->code->names[frame->procedure], handler,
                         !began || (handler && !caller && r->profile->from)};
    frame->node = caller ? caller->node : ES_PROF_NO_PATH;
    if (caller || !began || handler || frame->procedure != r->start_up)
        frame->node = es_prof_path_with(&r->paths, frame->node, &step);
}

/* It ends with a jump to what begins above it: so `leave` has it in statements, too. */
static void leave_by_jump(es_prof_records *r, const es_prof_calls *calls, es_prof_frame *frame)
{
    if (frame->node != ES_PROF_NO_PATH)
        give(r, r->entries[frame->procedure] + 1, calls->last_pc, &r->stacks[calls->now], frame->node, 0);
    frame->node |= HAS_LEFT;
}

static void entered(void *context, const es_prof_calls *calls, es_prof_frame *frame)
{
    es_prof_records *r = context;
    const es_prof_stack *s = &calls->stacks[calls->now];
    begin(r);
    make_stacks(r, calls);
    const stack *now = &r->stacks[calls->now];
    if (frame->kind == ES_PROF_TRAP) {
        const es_prof_frame *caller = caller_of(s->frames, frame);
        frame->node = caller ? caller->node : ES_PROF_NO_PATH;
        give_trap(r, frame, false, frame->resume, now);
        return;
    }
    bool began = begins(calls, frame);
    if (frame->tail)
        leave_by_jump(r, calls, frame - 1);
    find_path(r, calls, frame, began);
    if (s->count == 1)
        name_stack(r, s, began);
    if (r->reset)
        give(r, ES_PROF_RESET, calls->pc, now, ES_PROF_NO_PATH, 0);
    r->reset = false;
    if (s->count == 1 && r->schema->tasks_by)
        give(r, ES_PROF_RUNS, calls->pc, now, frame->node, 0);
    if (began && frame->node != ES_PROF_NO_PATH)
        give(r, r->entries[frame->procedure], calls->pc, now, frame->node, 0);
}

static void left(void *context, const es_prof_calls *calls, const es_prof_frame *frame, es_prof_cost cost)
{
    es_prof_records *r = context;
    stack *s = &r->stacks[calls->now];
    bool trap = frame->kind == ES_PROF_TRAP, ended = trap ? s->ended : frame->node & HAS_LEFT;
    (void)cost;
    s->ended = s->ended && !trap;
    r->reset = r->reset || calls->ending;
    if (calls->ending || ended)
        return;
    if (trap)
        give_trap(r, frame, true, calls->last_pc, s);
    else if (calls->unwinding)
        give(r, ES_PROF_UNWOUND, calls->last_pc, s, frame->node, 0);
    else if (frame->node != ES_PROF_NO_PATH)
        give(r, r->entries[frame->procedure] + 1, calls->last_pc, s, frame->node, 0);
}

static void again(void *context, const es_prof_calls *calls, es_prof_frame *frame, uint32_t site)
{
    es_prof_records *r = context;
    (void)site;
    frame->node &= ~HAS_LEFT; /* by the jump to what has just ended */
    give(r, r->entries[frame->procedure], calls->pc, &r->stacks[calls->now], frame->node, 0);
}

static void switched(void *context, const es_prof_calls *calls, size_t from, bool after_trap)
{
    es_prof_records *r = context;
    const es_prof_stack *s = &calls->stacks[calls->now], *before = &calls->stacks[from];
    if (calls->ending)
        return;
    make_stacks(r, calls);
    if (after_trap && !r->stacks[from].ended) {
        give_trap(r, &before->frames[before->count - 1], true, calls->last_pc, &r->stacks[from]);
        r->stacks[from].ended = true;
    }
    if (s->count && r->schema->tasks_by)
        give(r, ES_PROF_RUNS, calls->pc, &r->stacks[calls->now], s->frames[s->count - 1].node, 0);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

es_prof_records *es_prof_records_begin(const es_sink *sink, const char *program, es_prof *profile)
{
    es_prof_records *r = es_malloc(sizeof *r);
    memset(r, 0, sizeof *r);
    r->sink = sink;
    r->profile = profile;
    r->hearer = (es_prof_hearer){entered, left, again, switched, r};
    r->schema = es_schema_new();
    r->schema->program = es_arena_copy(r->schema->arena, program, strlen(program));
    es_prof_paths_begin(&r->paths, r->schema->names);
    profile->hearer = &r->hearer;
    return r;
}

void es_prof_records_end(es_prof_records *records)
{
    es_prof_records *r = records;
    if (r->entries) {
        size_t count = r->schema->statement_count;
        es_summary summary = {.hits = r->hits,
                              .statement_hits = r->statement_hits,
                              .judged = es_arena_alloc(r->schema->arena, count * sizeof *summary.judged),
                              .complete = true,
                              .cycles = r->profile->last};
        es_sink_give(r->sink, &(es_record){.kind = ES_RECORD_SUMMARY, .schema = r->schema, .summary = &summary});
    }
    r->profile->hearer = NULL;
    es_prof_paths_end(&r->paths);
    es_schema_free(r->schema);
    free(r->stacks);
    es_text_free(&r->text);
    free(r);
}
