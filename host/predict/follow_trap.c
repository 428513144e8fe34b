/* The kernel's own interrupts: their handler takes the lock, and the thread stops, or need not. */
#include "cpu_cycles.h"
#include "follow_private.h"

#define MSTATUS 0x300u
#define MIE_BIT 8u

static void forget(es_predict_follower *f)
{
    f->buffer.count = f->buffer.clocks = 0;
}

static es_predict_point since_begun(const es_predict_follower *f)
{
    return (es_predict_point){(uint32_t)f->clocks - f->begun.clocks, (uint32_t)f->accesses - f->begun.accesses};
}

void es_follow_trap(es_predict_follower *f)
{
    follow_thread *t = &f->threads[f->now];
    if (t->phase == PHASE_AFTER) {
        es_follow_keep(&t->kept, &f->buffer);
        if (f->closed)
            f->trace->costs.open[t->kind][t->waited] = since_begun(f); /* it was due before */
    }
    f->closed = false;
    t->before = t->phase;
    t->phase = PHASE_TRAP;
    t->cut = false;
    forget(f);
    f->buffer.clocks = CYCLES_interrupt;
}

bool es_predict_follow_kept(const es_predict_follower *f)
{
    return f->others[ES_PREDICT_SAMPLE_KEPT].count > 0;
}

bool es_predict_follow_went_on(const es_predict_follower *f)
{
    return f->others[ES_PREDICT_SAMPLE_BACK].count > 0;
}

void es_follow_trap_has_lock(es_predict_follower *f)
{
    es_follow_sample(f, &f->others[ES_PREDICT_SAMPLE_TRAP], &f->buffer);
}

void es_follow_trap_stops(es_predict_follower *f)
{
    es_follow_sample(f, &f->others[ES_PREDICT_SAMPLE_CUT], &f->buffer);
    forget(f);
    f->threads[f->now].cut = true;
    f->ready_count++; /* itself */
}

void es_follow_trap_keeps(es_predict_follower *f)
{
    es_follow_sample(f, &f->others[ES_PREDICT_SAMPLE_KEEP], &f->buffer);
}

void es_follow_trap_ends(es_predict_follower *f)
{
    follow_thread *t = f->now == ES_PREDICT_NONE ? NULL : &f->threads[f->now];
    if (!t || t->phase != PHASE_TRAP) {
        es_follow_fail(f, "the handler of interrupts returns to what it has not interrupted");
        return;
    }
    es_follow_sample(f, &f->others[t->cut ? ES_PREDICT_SAMPLE_BACK : ES_PREDICT_SAMPLE_KEPT], &f->buffer);
    t->phase = t->before;
    f->closed = false;
    forget(f);
    if (t->phase == PHASE_AFTER)
        es_follow_keep(&f->buffer, &t->kept);
}

bool es_follow_is_slice(const es_predict_follower *f)
{
    for (unsigned i = 0; f->library->interrupted && i < 3; i++) {
        const es_procedure *p = f->library->slices[i];
        if (p && f->last >= p->low && f->last < p->high)
            return true;
    }
    return false;
}

void es_follow_slice(es_predict_follower *f)
{
    const es_procedure *start = f->library->slices[2];
    const follow_thread *t = f->now == ES_PREDICT_NONE ? NULL : &f->threads[f->now];
    es_predict_point since = since_begun(f);
    if (start && f->last >= start->low && f->last < start->high)
        f->slice_first = (es_predict_point){(uint32_t)f->clocks, (uint32_t)f->accesses};
    else if (t)
        *(t->phase == PHASE_TRAP && !t->cut ? &f->slice_kept : &f->slice_after) = since;
}

bool es_predict_follow_open(const es_machine *machine)
{
    uint32_t status, unknown;
    return es_machine_control(machine, MSTATUS, &status, &unknown) && (status & MIE_BIT & ~unknown);
}

void es_follow_look_open(es_predict_follower *f)
{
    const follow_thread *t = f->now == ES_PREDICT_NONE ? NULL : &f->threads[f->now];
    if (!es_predict_follow_open(f->machine))
        return;
    f->closed = false;
    if (t && t->phase == PHASE_AFTER && f->kernel == KERNEL_OUT)
        f->trace->costs.open[t->kind][t->waited] = since_begun(f);
    if (t && t->phase == PHASE_OWN && f->kernel == KERNEL_OUT) /* it has never run */
        f->trace->costs.open[ES_PREDICT_FORK][1] = since_begun(f);
}

void es_follow_begin(es_predict_follower *f)
{
    f->closed = f->library->interrupted && !f->source.registers;
    f->begun = (es_predict_point){(uint32_t)f->clocks, (uint32_t)f->accesses};
}
