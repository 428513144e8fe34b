#include "predict/follow.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "follow_private.h"

void es_follow_close_block(es_predict_follower *f)
{
    bool kernel = f->kernel != KERNEL_OUT;
    if (!kernel && f->now == ES_PREDICT_NONE && !f->sleeps && !f->dozes) {
        f->open = false;
        return;
    }
    uint32_t block = es_follow_block(f);
    if (f->rings)
        f->ring = block;
    f->rings = false;
    enum phase phase = f->now == ES_PREDICT_NONE ? PHASE_AFTER : f->threads[f->now].phase;
    if (!kernel && (phase == PHASE_OWN || phase == PHASE_BEFORE)) {
        es_predict_add_item(&f->trace->threads[f->now], block);
        return;
    }
    follow_buffer *b = &f->buffer;
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 64;
        b->items = es_realloc(b->items, b->room * sizeof *b->items);
    }
    b->items[b->count++] = block;
    b->clocks += f->trace->blocks[block].clocks;
}

/* --- what the machine tells ------------------------------------------------------------------- */

static void begin_block(es_predict_follower *f, uint32_t pc)
{
    f->open = true;
    f->first = pc;
    f->gap_count = 0;
}

static void look_at_functions(es_predict_follower *f, uint32_t pc)
{
    uint32_t i = (pc - f->code->low) / 2;
    uint8_t entry = i < f->code->count ? f->entries[i] : 0;
    if (f->now != ES_PREDICT_NONE && f->kernel == KERNEL_OUT) {
        const follow_thread *t = &f->threads[f->now];
        if (t->phase == PHASE_AFTER && pc == t->ra)
            es_follow_leave_function(f);
        if (pc == f->cores_entry && f->lead_known)
            f->trace->depends |= ES_PREDICT_ON_CORES;
        if (entry && t->phase == PHASE_OWN)
            es_follow_enter_function(f, entry - 1);
    }
    if (pc == f->main_entry && !f->lead_known) {
        f->lead_known = true;
        f->trace->lead = f->clocks;
        f->trace->lead_accesses = f->accesses;
    }
    if (f->library->ready_function && pc == f->library->ready_function->low) {
        es_machine_registers r;
        es_follow_registers(f, &r);
        f->ready_ra = r.x[1];
        if (f->now != ES_PREDICT_NONE)
            f->threads[f->now].made = f->threads[f->now].kind == ES_PREDICT_FORK ? r.x[10] : 0;
        if (f->ready_at && f->readied)
            es_follow_length(&f->apart, f->clocks - f->ready_at);
        f->ready_at = f->clocks;
        f->readied++;
        f->ready_count++;
    } else if (f->ready_at && pc == f->ready_ra && !f->rang) {
        es_follow_length(&f->ready, f->clocks - f->ready_at);
    }
    if (f->library->late)
        es_follow_late(f, pc);
    if (pc == f->block_entry && f->kernel == KERNEL_HOLD) {
        f->blocked_at = f->clocks;
        es_follow_length(&f->prefix, f->clocks - f->had);
    }
}

/* A thread's own code is executed. */
static bool is_own(const es_predict_follower *f)
{
    return f->now != ES_PREDICT_NONE && f->kernel == KERNEL_OUT && f->threads[f->now].phase == PHASE_OWN;
}

static void on_insn(void *context, uint32_t pc)
{
    es_predict_follower *f = context;
    const es_predict_insn *insn = es_predict_insn_at(f->code, pc);
    if (f->wrong[0])
        return;
    if (!insn) {
        es_follow_fail(f, "at 0x%08x it executes what is no code of the program", (unsigned)pc);
        return;
    }
    bool returns = f->open && f->last == f->library->trap_return && f->library->interrupted;
    bool acts = f->asked || f->released || f->stopped || f->resumed || f->trapped || returns;
    if (f->open && (acts || pc != f->next || f->ended || insn->leads || f->gap_count >= BLOCK_GAPS))
        es_follow_close_block(f);
    if (acts)
        es_follow_act(f);
    if (returns)
        es_follow_trap_ends(f);
    if (!f->open) {
        look_at_functions(f, pc);
        begin_block(f, pc);
    }
    if (f->sharing && is_own(f))
        es_predict_sharing_insn(f->sharing, f->now, f->code, pc);
    if (f->closed)
        es_follow_look_open(f);
    f->gaps[f->gap_count++] = ES_PREDICT_FETCH | insn->fetch;
    if (insn->data)
        f->gaps[f->gap_count++] = insn->data;
    f->clocks += insn->fetch + insn->data;
    f->accesses += 1u + (insn->data > 0);
    f->last = pc;
    f->next = pc + insn->size;
    f->ended = insn->ends;
}

static void on_shared_device(es_predict_follower *f, const es_machine_access *a)
{
    uint32_t offset = a->address - ES_TARGET_SHARED_BASE;
    bool writes = a->kind == ES_KIND_WRITE;
    if (offset == ES_TARGET_SHARED_LOCK) {
        f->asked = !writes && (a->data & 1) == 0;
        f->released = writes;
    } else if (offset == ES_TARGET_SHARED_BELL && writes) {
        f->rang = f->clocks;
        f->rings = true;
    } else if (offset == ES_TARGET_SHARED_WAKE_AT || offset == ES_TARGET_SHARED_WAKE_NEVER) {
        es_follow_sets_timer(f);
    }
}

static void on_access(void *context, const es_machine_access *a)
{
    es_predict_follower *f = context;
    const es_predict_library *l = f->library;
    if (a->kind == ES_KIND_FETCH || f->wrong[0])
        return;
    if (a->address - ES_TARGET_IO_BASE < 0x10000 && f->gap_count)
        f->gaps[f->gap_count - 1] |= ES_PREDICT_DEVICE;
    if (f->sharing && is_own(f))
        es_predict_sharing_access(f->sharing, f->now, a);
    if (a->address - ES_TARGET_SHARED_BASE < ES_TARGET_SHARED_SIZE)
        on_shared_device(f, a);
    uint32_t io = a->address - ES_TARGET_IO_BASE;
    if (a->kind == ES_KIND_READ && (io == ES_TARGET_IO_CYCLE || io == ES_TARGET_IO_CYCLEH)) {
        if (es_follow_is_late(f))
            es_follow_reads_clock(f);
        else if (!es_follow_is_slice(f))
            f->trace->depends |= ES_PREDICT_ON_CLOCK;
        else if (io == ES_TARGET_IO_CYCLE)
            es_follow_slice(f);
    }
    if (a->kind == ES_KIND_READ && io == ES_TARGET_IO_RANDOM)
        f->trace->depends |= ES_PREDICT_ON_RANDOM;
    if (a->kind == ES_KIND_WRITE && a->address - l->running < l->running_size) {
        f->stopped = a->data - l->cores < l->cores_size;
        f->resumed = !f->stopped;
        f->resumed_pointer = a->data;
    }
}

static void on_trap(void *context, uint32_t cause)
{
    es_predict_follower *f = context;
    bool own = f->library->interrupted && cause >> 31 && f->kernel == KERNEL_OUT && f->now != ES_PREDICT_NONE;
    f->trapped = own && f->threads[f->now].phase != PHASE_TRAP;
    if (!f->trapped)
        es_follow_fail(f,
                       "an interrupt or exception comes (cause 0x%x), not for the kernel of threads: programs whose "
                       "threads are interrupted by others are not understood",
                       (unsigned)cause);
}

/* --- where it comes from ---------------------------------------------------------------------- */

void es_predict_follow_by(es_predict_follower *follower, const es_predict_source *source)
{
    es_machine_listen(follower->machine, NULL);
    follower->source = *source;
}

void es_predict_follow_insn(es_predict_follower *follower, uint32_t pc)
{
    on_insn(follower, pc);
}

void es_predict_follow_access(es_predict_follower *follower, const es_machine_access *access)
{
    on_access(follower, access);
}

uint64_t es_predict_follow_clocks(const es_predict_follower *follower)
{
    return follower->clocks;
}

/* --- begin and end ---------------------------------------------------------------------------- */

static uint32_t entry_of(const es_predict_code *code, const char *name)
{
    const es_procedure *p = es_symbols_procedure_named(code->symbols, name);
    return p ? p->low : UINT32_MAX;
}

es_predict_follower *es_predict_follow(es_machine *machine, const es_predict_code *code,
                                       const es_predict_library *library, es_predict_trace *trace)
{
    es_predict_follower *f = es_malloc(sizeof *f);
    memset(f, 0, sizeof *f);
    f->machine = machine;
    f->code = code;
    f->library = library;
    f->trace = trace;
    f->main_entry = entry_of(code, "main");
    f->block_entry = entry_of(code, "thread_block");
    f->cores_entry = entry_of(code, "thread_cores");
    f->entries = es_malloc(code->count + 1);
    memset(f->entries, 0, code->count + 1);
    for (unsigned kind = 0; kind < ES_PREDICT_KINDS; kind++)
        if (library->functions[kind])
            f->entries[(library->functions[kind]->low - code->low) / 2] = (uint8_t)(kind + 1);
    if (library->fork_priority)
        f->entries[(library->fork_priority->low - code->low) / 2] = ES_PREDICT_FORK + 1;
    f->ring = ES_PREDICT_NONE;
    f->now = es_predict_add_thread(trace, 0, 0);
    f->thread_room = 16;
    f->threads = es_malloc(f->thread_room * sizeof *f->threads);
    f->threads[0] = (follow_thread){.phase = PHASE_OWN};
    es_machine_listener listener = {.insn = on_insn, .access = on_access, .trap = on_trap, .context = f};
    es_machine_listen(machine, &listener);
    return f;
}

void es_predict_follow_memory(es_predict_follower *follower)
{
    follower->sharing = es_predict_sharing_new();
}

void es_predict_follow_core(es_predict_follower *follower)
{
    follower->now = ES_PREDICT_NONE;
}

void es_predict_follow_woken(es_predict_follower *follower)
{
    if (follower->open)
        es_follow_close_block(follower);
    if (follower->dozes)
        es_follow_sample(follower, &follower->doze, &follower->buffer);
    follower->dozes = false;
    follower->sleeps = true;
    follower->buffer.count = follower->buffer.clocks = 0;
}

const char *es_predict_follow_wrong(const es_predict_follower *follower)
{
    return follower->wrong[0] ? follower->wrong : NULL;
}
