#include "replay/past.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/search.h"
#include "isa/debugger.h"
#include "replay/past_private.h"

#define POINTS_MAX 1024
#define CHUNK (UINT64_C(1) << 22) /* instructions between two looks at whether it is to stop: some ms */

/* --- what the machine tells --------------------------------------------------------------------------------------- */

static bool wants(enum es_past_kind kind, uint8_t access)
{
    return kind == ES_PAST_ACCESSES ? access != ES_KIND_FETCH
           : kind == ES_PAST_WRITES ? access == ES_KIND_WRITE
                                    : kind == ES_PAST_READS && access == ES_KIND_READ;
}

static void on_access(void *context, const es_machine_access *access)
{
    es_past *past = context;
    for (size_t i = 0; i < past->point_count && !past->hit_any; i++) {
        const es_past_point *point = &past->points[i];
        if (!wants(point->kind, access->kind))
            continue;
        for (unsigned lane = 0; lane < 4 && !past->hit_any; lane++)
            if (access->lanes >> lane & 1 && access->address + lane - point->address < point->size) {
                past->hit = (es_past_point){point->kind, access->address + lane, 1};
                past->hit_any = true;
                es_machine_stop_soon(past->machine);
            }
    }
}

uint32_t es_past_stack_pointer(const es_past *past)
{
    es_machine_registers registers;
    es_machine_get(past->machine, &registers);
    return registers.x[past->isa->stack];
}

es_insn es_past_insn_at(const es_past *past, uint32_t address)
{
    uint8_t bytes[4];
    if (es_machine_peek(past->machine, address, bytes, NULL, sizeof bytes))
        return past->isa->decode(bytes, sizeof bytes);
    return (es_insn){.kind = ES_INSN_UNKNOWN};
}

static void on_trap(void *context, uint32_t cause)
{
    es_past *past = context;
    if (!past->trap_any_stack && es_past_stack_pointer(past) != past->trap_stack)
        return;
    uint32_t resume = 0, unknown = 0;
    es_machine_control(past->machine, es_debugger_trap_resumes(past->isa), &resume, &unknown);
    es_insn insn = es_past_insn_at(past, resume);
    bool calls = !(cause >> 31) && past->code_count && insn.kind == ES_INSN_TRAP;
    past->trap.any = true;
    past->trap.passes = cause >> 31 || calls;
    past->trap.moment = es_machine_fetches(past->machine);
    past->trap.resume = resume + (calls ? insn.size : 0);
}

bool es_past_breaks_at(const es_past *past, uint32_t address)
{
    for (size_t i = 0; i < past->point_count; i++)
        if (past->points[i].kind == ES_PAST_AT && past->points[i].address == address)
            return true;
    return false;
}

static bool is_noted(const es_past *past, uint32_t address)
{
    size_t at = es_first_from(past->code, past->code_count, address);
    return at < past->code_count && past->code[at] == address;
}

/* As es_timeline_run, but marks of instructions that are only noted do not end it. */
static enum es_machine_stop run_noting(es_past *past, uint64_t moment, bool points)
{
    uint64_t from = es_timeline_now(past->timeline);
    enum es_machine_stop stop = ES_MACHINE_UNTIL;
    for (uint64_t now = from; now < moment; now = es_timeline_now(past->timeline)) {
        uint32_t pc = es_machine_pc(past->machine);
        if (is_noted(past, pc))
            past->met(past->note_context, now, pc);
        stop = es_timeline_run(past->timeline, moment, &past->error);
        pc = es_machine_pc(past->machine);
        bool noted = stop == ES_MACHINE_MARK && is_noted(past, pc);
        if (!noted || (points && (es_past_breaks_at(past, pc) || (past->awaits && past->awaited == pc))))
            break;
        stop = ES_MACHINE_UNTIL;
    }
    past->moved(past->note_context, from, es_timeline_now(past->timeline)); /* also before what cannot be replayed */
    return stop;
}

/* Runs with what is wanted of it; its end is one of an es_timeline_run. */
enum es_machine_stop es_past_run(es_past *past, uint64_t moment, bool points, bool traps)
{
    es_machine_listener listener = {
        .access = points && past->watch_count ? on_access : NULL, .trap = traps ? on_trap : NULL, .context = past};
    past->hit_any = false;
    es_machine_listen(past->machine, listener.access || listener.trap ? &listener : NULL);
    enum es_machine_stop stop =
        past->code_count ? run_noting(past, moment, points) : es_timeline_run(past->timeline, moment, &past->error);
    es_machine_listen(past->machine, NULL);
    return stop;
}

/* --- breakpoints and watchpoints ---------------------------------------------------------------------------------- */

void es_past_init(es_past *past, es_timeline *timeline, const es_isa *isa)
{
    memset(past, 0, sizeof *past);
    past->timeline = timeline;
    past->machine = es_timeline_machine(timeline);
    past->isa = isa;
    past->over_interrupts = true;
}

/* A mark where there is a reason for one. */
static void mark(es_past *past, uint32_t address, bool wanted)
{
    es_machine_mark(past->machine, address, wanted || is_noted(past, address));
}

void es_past_mark_all(es_past *past, bool marked)
{
    for (size_t i = 0; i < past->point_count; i++)
        if (past->points[i].kind == ES_PAST_AT)
            mark(past, past->points[i].address, marked);
}

void es_past_note(es_past *past, const uint32_t *code, size_t count,
                  void (*met)(void *context, uint64_t moment, uint32_t pc),
                  void (*moved)(void *context, uint64_t from, uint64_t to), void *context)
{
    past->code = code;
    past->code_count = count;
    past->met = met;
    past->moved = moved;
    past->note_context = context;
    for (size_t i = 0; i < count; i++)
        es_machine_mark(past->machine, code[i], true);
}

void es_past_free(es_past *past)
{
    for (size_t i = 0; i < past->code_count; i++)
        es_machine_mark(past->machine, past->code[i], false);
    past->code_count = 0;
    es_past_mark_all(past, false);
    free(past->points);
    past->points = NULL;
    past->point_count = past->watch_count = 0;
}

bool es_past_point_set(es_past *past, es_past_point point, bool set)
{
    size_t i = 0;
    if (point.kind == ES_PAST_AT)
        point.size = 1; /* its size says nothing */
    while (i < past->point_count && memcmp(&past->points[i], &point, sizeof point) != 0)
        i++;
    if (set && i == past->point_count) {
        if (past->point_count == POINTS_MAX)
            return false;
        past->points = es_realloc(past->points, (past->point_count + 1) * sizeof point);
        past->points[past->point_count++] = point;
        past->watch_count += point.kind != ES_PAST_AT;
    } else if (!set) {
        if (i == past->point_count)
            return false;
        past->points[i] = past->points[--past->point_count];
        past->watch_count -= point.kind != ES_PAST_AT;
    }
    if (point.kind == ES_PAST_AT)
        mark(past, point.address, set);
    return true;
}

/* --- forwards ----------------------------------------------------------------------------------------------------- */

bool es_past_is_asked(const es_past *past)
{
    return past->asked && past->asked(past->asked_context);
}

/* After an instruction with a watched access: it is not to have been executed yet. */
static enum es_past_stop stop_before(es_past *past)
{
    bool good = es_timeline_seek(past->timeline, es_timeline_now(past->timeline) - 1, &past->error);
    return good ? ES_PAST_WATCH : ES_PAST_WRONG;
}

enum es_past_stop es_past_forward(es_past *past)
{
    uint64_t end = es_timeline_end(past->timeline);
    for (uint64_t now; (now = es_timeline_now(past->timeline)) < end;) {
        switch (es_past_run(past, es_past_lesser(now + CHUNK, end), true, false)) {
        case ES_MACHINE_MARK: return ES_PAST_BREAK;
        case ES_MACHINE_ASKED: return stop_before(past);
        case ES_MACHINE_UNTIL: break;
        default: return ES_PAST_WRONG;
        }
        if (es_past_is_asked(past))
            return ES_PAST_ASKED;
    }
    return ES_PAST_END;
}

enum es_past_stop es_past_await(es_past *past, uint32_t pc, uint32_t stack)
{
    bool marked = es_past_breaks_at(past, pc);
    past->awaits = true;
    past->awaited = pc;
    es_machine_mark(past->machine, pc, true);
    enum es_past_stop stop;
    do
        stop = es_past_forward(past);
    while (stop == ES_PAST_BREAK && es_machine_pc(past->machine) == pc && es_past_stack_pointer(past) != stack &&
           !marked);
    bool there = stop == ES_PAST_BREAK && es_machine_pc(past->machine) == pc && es_past_stack_pointer(past) == stack;
    past->awaits = false;
    mark(past, pc, marked);
    return there ? ES_PAST_STEPPED : stop;
}

enum es_past_stop es_past_look(es_past *past, uint64_t moment)
{
    es_past_mark_all(past, false);
    enum es_past_stop result =
        es_past_run(past, moment, false, false) == ES_MACHINE_STRANGE ? ES_PAST_WRONG : ES_PAST_STEPPED;
    es_past_mark_all(past, true);
    return result;
}

enum es_past_stop es_past_step(es_past *past)
{
    uint64_t now = es_timeline_now(past->timeline);
    if (now >= es_timeline_end(past->timeline))
        return ES_PAST_END;
    past->trap.any = false;
    past->trap_any_stack = true;
    switch (es_past_run(past, now + 1, true, true)) {
    case ES_MACHINE_ASKED: return stop_before(past);
    case ES_MACHINE_UNTIL:
    case ES_MACHINE_MARK: break;
    default: return ES_PAST_WRONG;
    }
    if (past->trap.any && past->trap.passes && past->over_interrupts &&
        !es_past_breaks_at(past, es_machine_pc(past->machine)))
        return es_past_await(past, past->trap.resume,
                             es_past_stack_pointer(past)); /* the same stack pointer again there */
    return ES_PAST_STEPPED;
}
