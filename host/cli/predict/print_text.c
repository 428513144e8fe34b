#include <inttypes.h>
#include <stdio.h>

#include "cli/predict/private.h"

enum { SHARES = 12, OBJECTS = 8 };

void es_predict_machine_text(es_text_buffer *out, const predict_case *c)
{
    const es_predict_machine *m = &c->machine;
    es_text_format(out, "%u %s", m->cores, es_plural(m->cores, "core", "cores"));
    if (c->speed)
        es_text_format(out, ", speed %s", c->speed);
    if (m->memory != ES_PREDICT_PORTS)
        es_text_format(out, ", ports %s", es_predict_memory_name(m->memory));
    if (m->wait)
        es_text_format(out, ", %u wait states", m->wait);
    if (m->latency)
        es_text_format(out, ", latency %u", m->latency);
    if (m->bell)
        es_text_format(out, ", bell %u", m->bell);
    if (m->free_kernel)
        es_text_format(out, ", kernel 0 %%");
    else if (m->kernel)
        es_text_format(out, ", kernel %u %%", m->kernel);
    if (m->scheduler != ES_PREDICT_FIFO)
        es_text_format(out, ", %s", es_predict_scheduler_name(m->scheduler));
    if (es_predict_lock_decides(&c->machine, &c->result))
        es_text_format(out, " (much waiting for the kernel's lock: who gets it first decides)");
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_table(const predict_job *job)
{
    printf("%14s  %8s  %5s  %29s  machine\n", "makespan", "speed-up", "busy", "within");
    for (size_t i = 0; i < job->count; i++) {
        const predict_case *c = &job->cases[i];
        uint64_t busy = 0;
        es_text_buffer text = {0};
        es_predict_machine_text(&text, c);
        for (unsigned k = 0; k < c->machine.cores; k++)
            busy += c->result.runs[k] + c->result.kernel[k] + c->result.spins[k];
        printf("%14" PRIu64 "  %8.2f  %4.0f%%  %14" PRIu64 " %14" PRIu64 "  %s\n", c->makespan,
               c->makespan ? (double)job->alone / (double)c->makespan : 0,
               percent(busy, c->result.makespan * c->machine.cores), c->bounds.low, c->bounds.high, text.text);
        es_text_free(&text);
    }
}

static void print_cores(const predict_case *c)
{
    printf("\ncore   own code   library   waits for its lock   idle\n");
    for (unsigned k = 0; k < c->machine.cores; k++) {
        uint64_t sum = c->result.runs[k] + c->result.kernel[k] + c->result.spins[k];
        printf("%4u   %7.1f%%   %6.1f%%              %6.1f%%   %3.0f%%\n", k,
               percent(c->result.runs[k], c->result.makespan), percent(c->result.kernel[k], c->result.makespan),
               percent(c->result.spins[k], c->result.makespan), percent(c->result.makespan - sum, c->result.makespan));
    }
}

static void print_object(const predict_job *job, size_t object)
{
    const es_predict_waiting *w = &job->cases[0].result.objects[object];
    uint32_t scale = job->cases[0].result.scale;
    const es_predict_trace *t = job->trace;
    const char *name = object < t->object_count ? t->objects[object].name : "threads' ends";
    printf("%10" PRIu64 "  %9" PRIu64 "  %12" PRIu64 "  %10" PRIu64 "  %s%s%s\n", w->waits, w->passes, w->ticks / scale,
           w->worst / scale, name ? name : "", object < t->object_count ? ", " : "",
           object < t->object_count ? es_predict_kind_name(t->objects[object].kind) : "");
}

static void print_waiting(const predict_job *job)
{
    const es_predict_result *r = &job->cases[0].result;
    bool told[4096] = {false};
    printf("\n     waits     passes        clocks     longest  for\n");
    for (unsigned i = 0; i < OBJECTS; i++) {
        size_t best = SIZE_MAX;
        for (size_t o = 0; o < r->object_count && o < 4096; o++)
            if (!told[o] && r->objects[o].ticks && (best == SIZE_MAX || r->objects[o].ticks > r->objects[best].ticks))
                best = o;
        if (best == SIZE_MAX)
            break;
        told[best] = true;
        print_object(job, best);
    }
    printf("%10" PRIu64 "  %9" PRIu64 "  %12" PRIu64 "  %10" PRIu64 "  the kernel's lock\n", r->lock.waits,
           r->lock.passes, r->lock.ticks / r->scale, r->lock.worst / r->scale);
    printf("%10s  %9s  %12" PRIu64 "  %10s  a core, being ready\n", "", "", r->ready_ticks / r->scale, "");
}

static void print_critical(const predict_job *job)
{
    const es_predict_critical *k = &job->critical;
    printf("\ncritical path, %" PRIu32 " %s from one thread to another:\n", k->turns,
           es_plural(k->turns, "turn", "turns"));
    for (size_t i = 0; i < k->count && i < SHARES; i++)
        printf("%6.1f%%  %s\n", percent(k->shares[i].ticks, k->ticks), k->shares[i].what);
    if (k->count > SHARES)
        printf("         and %zu more\n", k->count - SHARES);
}

static void print_changes(const predict_job *job)
{
    printf("\nwhat would pay:\n");
    for (size_t i = 0; i < job->change_count; i++)
        printf("%6.1f%%  %s\n",
               100.0 * ((double)job->cases[0].makespan - (double)job->changes[i].makespan) /
                   (double)(job->cases[0].makespan ? job->cases[0].makespan : 1),
               job->changes[i].what);
}

void es_predict_print_text(const predict_job *job)
{
    const es_predict_trace *t = job->trace;
    es_text_buffer text = {0};
    printf("%s: %zu %s, %" PRIu64 " blocks of %zu, %zu events; %" PRIu64 " clocks from main on one core\n",
           job->request->recording, t->thread_count, es_plural(t->thread_count, "thread", "threads"),
           job->steps->firings, t->block_count, t->event_count, job->alone);
    if (!job->whole)
        printf("the program does not come to its end in it: what is told is of the part that was recorded\n");
    es_predict_depends_text(&text, t->depends);
    if (text.length)
        printf("on another machine it may take other ways: %s; it lies within the bounds all the same%s\n", text.text,
               t->depends & ES_PREDICT_ON_ANYBODY ? ", if all threads together do as much there, whoever does it" : "");
    es_text_free(&text);
    if (es_predict_is_unseen(t))
        printf("%s\n", PREDICT_UNSEEN);
    printf("\n");
    print_table(job);
    if (job->count != 1)
        return;
    print_cores(&job->cases[0]);
    print_waiting(job);
    print_critical(job);
    print_changes(job);
}

void es_predict_print_costs(const es_predict_trace *trace)
{
    const es_predict_costs *c = &trace->costs;
    printf("clocks    goes on   waits   lets on   both   after   after waiting   (~: not seen, estimated)\n");
    for (unsigned k = 0; k < ES_PREDICT_KINDS; k++) {
        printf("%-9s", es_predict_kind_name(k));
        for (unsigned w = 0; w < ES_PREDICT_CROWD; w++)
            printf(" %6u%s", c->hold[k][w].clocks, c->known[k][w] ? " " : "~");
        printf(" %6u %8u\n", c->after[k][0].clocks, c->after[k][1].clocks);
    }
    printf(
        "takes the next thread %u, none %u; woken: finds one %u, none %u; asks for the lock %u after being woken, the "
        "first time %u\nwaking a core %u; each further thread of a broadcast %u; waiting for the lock, again and again "
        "%u\n\n",
        c->next[ES_PREDICT_TAKE].clocks, c->next[ES_PREDICT_TAKE_NONE].clocks, c->next[ES_PREDICT_PICK].clocks,
        c->next[ES_PREDICT_PICK_NONE].clocks, c->notice.clocks, c->notice_first.clocks, c->bell, c->wake,
        c->spin.clocks);
    if (c->late)
        printf("an item arrives %u, for a thread that waits %u, or, where others are ready, %u; one more goes on that "
               "waits to send %u, %u\n\n",
               c->arrive[0].clocks, c->arrive[ES_PREDICT_ARRIVES_TO].clocks,
               c->arrive[ES_PREDICT_ARRIVES_TO | ES_PREDICT_ARRIVES_CROWD].clocks,
               c->arrive[ES_PREDICT_ARRIVES_TO | ES_PREDICT_ARRIVES_MORE].clocks,
               c->arrive[ES_PREDICT_ARRIVES_TO | ES_PREDICT_ARRIVES_MORE | ES_PREDICT_ARRIVES_CROWD].clocks);
}
