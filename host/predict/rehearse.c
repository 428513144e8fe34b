#include "predict/rehearse.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { FETCHES = 20000000 };

static bool read_device(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    es_predict_surroundings *s = context;
    (void)size;
    *unknown = 0;
    *value = 0;
    switch (address) {
    case ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_SELF: *value = s->self | s->cores << 8; break;
    case ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_SELF + 1: *value = s->cores; break;
    case ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_BELL: *value = s->bell; break;
    case ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_LISTEN:
        *value = s->listening;
        s->listening = 0;
        break;
    case ES_TARGET_IO_BASE + ES_TARGET_IO_CYCLE: *value = s->clock += 100; break;
    case ES_TARGET_IO_BASE + ES_TARGET_IO_RANDOM: *value = s->clock = s->clock * 1664525u + 1013904223u; break;
    default: break;
    }
    return true;
}

/* Memory that nobody has set is 0, as that of a target that is switched on. */
static void clear(es_machine *machine, const es_replay_program *program)
{
    uint8_t bytes[64], unknown[64];
    for (size_t r = 0; r < program->region_count; r++)
        for (uint32_t a = 0; a + sizeof bytes <= program->regions[r].size; a += sizeof bytes) {
            uint32_t at = program->regions[r].base + a;
            if (!es_machine_peek(machine, at, bytes, unknown, sizeof bytes))
                continue;
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] &= (uint8_t)~unknown[i];
            es_machine_poke(machine, at, bytes, NULL, sizeof bytes);
        }
}

bool es_predict_execute(es_execution *run, const es_replay_program *program, es_predict_surroundings *around,
                        uint32_t reset_pc, es_error *err)
{
    es_replay_program own = *program;
    es_machine_outside outside = {.read = read_device, .context = around};
    *run = (es_execution){0};
    own.machine.known_at_reset = true;
    own.machine.reset_pc = reset_pc;
    if (!es_execution_begin_with(run, &own, &outside, err))
        return false;
    run->program = NULL; /* it has used its own copy up */
    clear(run->machine, program);
    return true;
}

void es_predict_put_word(es_machine *machine, uint32_t address, uint32_t word)
{
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    es_machine_poke(machine, address, bytes, NULL, 4);
}

void es_predict_put_ready(es_machine *machine, const es_predict_library *library, uint32_t thread)
{
    es_predict_put_word(machine, library->ready, thread);
    if (library->ready_counts)
        es_predict_put_word(machine, library->ready_counts, 1);
    else
        es_predict_put_word(machine, library->ready + 4, thread);
}

/* --- listening -------------------------------------------------------------------------------- */

typedef struct listener {
    es_predict_rehearsal *rehearsal;
    es_machine *machine;
    es_predict_rehearsed *now;
} listener;

static void on_insn(void *context, uint32_t pc)
{
    listener *l = context;
    uint32_t i = (pc - l->rehearsal->code->low) / 2;
    l->now = i < l->rehearsal->code->count ? &l->rehearsal->insns[i] : NULL;
    if (l->now)
        l->now->passed++;
}

static void on_access(void *context, const es_machine_access *a)
{
    listener *l = context;
    const es_predict_library *library = l->rehearsal->library;
    if (!l->now || a->kind == ES_KIND_FETCH)
        return;
    bool writes = a->kind == ES_KIND_WRITE;
    l->now->device = a->address - ES_TARGET_IO_BASE < 0x10000;
    l->now->runs = writes && a->address - library->running < library->running_size;
    l->now->access = *a;
    if (writes && a->address == ES_TARGET_IO_BASE + ES_TARGET_IO_EXIT) {
        l->rehearsal->ended = true;
        es_machine_stop_soon(l->machine);
    }
}

bool es_predict_rehearse(es_predict_rehearsal *rehearsal, const es_predict_code *code,
                         const es_predict_library *library, const es_replay_program *program, es_error *err)
{
    es_execution run;
    es_predict_surroundings around = {.cores = 1};
    *rehearsal = (es_predict_rehearsal){.code = code, .library = library};
    if (!es_predict_execute(&run, program, &around, program->machine.reset_pc, err))
        return false;
    size_t size = (code->count + 1) * sizeof *rehearsal->insns;
    rehearsal->insns = es_malloc(size);
    memset(rehearsal->insns, 0, size);
    listener l = {rehearsal, run.machine, NULL};
    es_machine_listener told = {.insn = on_insn, .access = on_access, .context = &l};
    es_machine_listen(run.machine, &told);
    es_machine_run(run.machine, FETCHES);
    es_execution_free(&run);
    return true;
}

void es_predict_rehearsal_free(es_predict_rehearsal *rehearsal)
{
    free(rehearsal->insns);
    rehearsal->insns = NULL;
}

const es_predict_rehearsed *es_predict_rehearsed_at(const es_predict_rehearsal *rehearsal, uint32_t address)
{
    uint32_t i = (address - rehearsal->code->low) / 2;
    return i < rehearsal->code->count ? &rehearsal->insns[i] : NULL;
}
