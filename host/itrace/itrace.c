#include "itrace/itrace.h"

#include <errno.h>
#include <string.h>

#include "base/endian.h"
#include "isa/arch.h"
#include "itrace/private.h"
#include "symbols/code.h"

#define WRITE_AT (1u << 18)

typedef struct writer {
    es_itrace trace;
    enum es_itrace_format format;
    FILE *file;
    es_machine *machine;
    es_itrace_insn insn; /* the last one, which may not be over */
    bool any, failed;
    int error;
    uint64_t moment; /* of the next instruction */
} writer;

static void write_out(writer *w)
{
    es_text_buffer *out = &w->trace.out;
    if (!w->failed && out->length && fwrite(out->text, 1, out->length, w->file) != out->length) {
        w->failed = true;
        w->error = errno;
        es_machine_stop_soon(w->machine);
    }
    if (out->text)
        es_text_clear(out);
}

/* The last instruction is over. */
static void end_insn(writer *w)
{
    if (!w->any)
        return;
    w->any = false;
    if (w->format == ES_ITRACE_SPIKE)
        es_itrace_spike(&w->trace, &w->insn);
    else
        es_itrace_text(&w->trace, &w->insn);
    if (w->trace.out.length >= WRITE_AT)
        write_out(w);
}

static void begin_insn(writer *w, const es_machine_access *fetch)
{
    end_insn(w);
    w->insn.moment = w->moment++;
    w->insn.pc = fetch->address;
    w->insn.word = fetch->data;
    w->insn.user = es_machine_in_user_mode(w->machine);
    w->insn.set_count = w->insn.access_count = 0;
    w->any = true;
}

static void on_access(void *context, const es_machine_access *access)
{
    writer *w = context;
    if (access->kind == ES_KIND_FETCH) {
        begin_insn(w, access);
        return;
    }
    if (w->insn.access_count == ES_ITRACE_MOST)
        return; /* never: no instruction makes so many */
    unsigned first = (unsigned)__builtin_ctz(access->lanes), size = (unsigned)__builtin_popcount(access->lanes);
    es_itrace_access it = {.write = access->kind == ES_KIND_WRITE,
                           .size = (uint8_t)size,
                           .address = access->address + first,
                           .value = access->data >> 8 * first,
                           .unknown = access->unknown >> 8 * first};
    if (es_machine_big_endian(w->machine)) {
        it.value = (uint32_t)es_endian_turned(it.value, size);
        it.unknown = (uint32_t)es_endian_turned(it.unknown, size);
    }
    w->insn.accesses[w->insn.access_count++] = it;
}

static void on_sets(void *context, unsigned reg)
{
    writer *w = context;
    if (w->insn.set_count == ES_ITRACE_MOST)
        return; /* never: no instruction sets so many */
    es_itrace_set it = {.reg = (uint8_t)reg};
    es_machine_register(w->machine, reg, &it.value, &it.unknown);
    w->insn.sets[w->insn.set_count++] = it;
}

static void on_trap(void *context, uint32_t cause)
{
    writer *w = context;
    uint32_t from = 0, unknown = 0;
    es_machine_control(w->machine, w->trace.isa->interrupted, &from, &unknown);
    bool raised = !(cause >> 31) && w->any && w->insn.pc == from; /* by this instruction, which was not executed */
    if (raised && w->format == ES_ITRACE_SPIKE)
        w->any = false;
    end_insn(w);
    if (w->format == ES_ITRACE_TEXT)
        es_itrace_text_trap(&w->trace, cause);
}

static void on_restart(void *context)
{
    writer *w = context;
    end_insn(w);
    if (w->format == ES_ITRACE_TEXT)
        es_itrace_text_reset(&w->trace);
}

static bool run(writer *w, es_timeline *timeline, uint64_t to, bool (*asked)(void), es_error *err)
{
    const es_replay_anchor *anchors;
    size_t count;
    uint64_t now;
    while ((now = es_timeline_now(timeline)) < to && !w->failed && !(asked && asked())) {
        if (!es_timeline_anchors(timeline, now, &anchors, &count, err))
            return false;
        end_insn(w); /* its time is of the stretch before */
        es_replay_pace_between(anchors, count, now, &w->trace.pace);
        w->moment = now;
        uint64_t border = es_timeline_border(timeline, now),
                 end = w->trace.pace.end < border ? w->trace.pace.end : border;
        enum es_machine_stop stop = es_timeline_run(timeline, end < to ? end : to, err);
        if (stop == ES_MACHINE_STRANGE)
            return false;
    }
    return true;
}

bool es_itrace_write(FILE *file, enum es_itrace_format format, es_timeline *timeline, const es_symbols *symbols,
                     uint64_t from, uint64_t to, bool (*asked)(void), uint64_t *reached, es_error *err)
{
    es_machine *machine = es_timeline_machine(timeline);
    writer w = {.format = format, .file = file, .machine = machine};
    w.trace = (es_itrace){.symbols = symbols,
                          .isa = es_symbols_isa(symbols),
                          .machine = machine,
                          .hz = es_timeline_hz(timeline),
                          .wide = es_arch_names(es_symbols_arch(symbols), "d")};
    es_machine_listener listener = {.access = on_access, .sets = on_sets, .trap = on_trap, .context = &w};
    *reached = from;
    if (!es_timeline_seek(timeline, from, err))
        return false;
    es_machine_listen(machine, &listener);
    es_timeline_hear_restarts(timeline, on_restart, &w);
    bool good = run(&w, timeline, to, asked, err);
    es_machine_listen(machine, NULL);
    es_timeline_hear_restarts(timeline, NULL, NULL);
    end_insn(&w);
    write_out(&w);
    es_text_free(&w.trace.out);
    es_itrace_text_end(&w.trace);
    *reached = es_timeline_now(timeline);
    errno = w.error;
    if (good && w.failed)
        return es_fail(err, ES_OUTPUT, "%s", strerror(w.error)), errno = w.error, false;
    return good;
}
