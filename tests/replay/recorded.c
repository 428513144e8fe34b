#include "recorded.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe_defs.h"
#include "replay/recording.h"
#include "replay/vectors.h"

static void on_retired(void *context, const es_retired *retired)
{
    recorded *r = context;
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 65536;
        r->log = realloc(r->log, r->room * sizeof *r->log);
        ck_assert_ptr_nonnull(r->log);
    }
    r->log[r->count++] = *retired;
    encoder_retired(&r->encoder, retired);
}

static void on_console(void *context, const char *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
}

recorded *recorded_new(const char *path, uint32_t seed, unsigned period, uint64_t cycles)
{
    return recorded_new_with_handler(path, seed, period, cycles, 0);
}

recorded *recorded_new_with_handler(const char *path, uint32_t seed, unsigned period, uint64_t cycles, uint32_t handler)
{
    return recorded_new_with_quiet(path, seed, period, cycles, handler, (es_replay_region){0});
}

recorded *recorded_new_with_quiet(const char *path, uint32_t seed, unsigned period, uint64_t cycles, uint32_t handler,
                                  es_replay_region quiet)
{
    es_error err = {0};
    char full[256];
    recorded *r = calloc(1, sizeof *r);
    snprintf(full, sizeof full, TESTS_BUILD "/%s", path);
    r->symbols = es_symbols_open(full, &err);
    ck_assert_msg(r->symbols != NULL, "%s", err.text);
    es_replay_reference(&r->program, r->symbols);
    es_vectors_find(&r->program, &err);
    if (handler)
        r->program.traps = (es_replay_vector){.value = handler, .mask = UINT32_MAX, .used = true};

    encoder *e = &r->encoder;
    e->big_endian = es_symbols_big_endian(r->symbols);
    e->window_base = 0;
    e->window_size = ES_TARGET_ROM_SIZE + ES_TARGET_RAM_SIZE;
    if (quiet.size) {
        e->window_size = quiet.base; /* what is below */
        e->quiet_base = quiet.base;
        e->quiet_size = quiet.size;
        ck_assert_msg(es_replay_add_quiet(&r->program, quiet, &err) &&
                          es_replay_window(&r->program, e->window_base, e->window_size, &err),
                      "%s", err.text);
    }
    e->vector[0] = r->program.traps.used ? r->program.traps.value : 1;
    e->mask[0] = r->program.traps.mask;
    e->vector[1] = r->program.reset.value;
    e->mask[1] = r->program.reset.mask;
    e->period = period;
    encoder_begin(e, r->symbols, 0);

    es_sim_config config = {
        .world = ES_SIM_BARE, .seed = seed, .on_retired = on_retired, .on_console = on_console, .context = r};
    es_sim *sim = es_sim_new(&config, &err);
    ck_assert_msg(sim != NULL, "%s", err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(r->symbols, &segments);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size));
    es_sim_start_target(sim);
    while (r->state == ES_SIM_RUNNING && es_sim_cycles(sim) < cycles)
        r->state = es_sim_step(sim, 10000, 0);
    r->cycles = es_sim_cycles(sim);
    encoder_end(e, r->cycles);
    es_sim_free(sim);
    return r;
}

void recorded_free(recorded *r)
{
    encoder_free(&r->encoder);
    es_symbols_close(r->symbols);
    free(r->log);
    free(r);
}

void recorded_write(const recorded *r, const uint8_t *bytes, size_t size, const char *path)
{
    es_recording_info info;
    es_error err = {0};
    es_recording_info_of(&info, &r->program, ES_SIM_BUS_HZ);
    es_recording *recording = es_recording_create(path, &info, &err);
    ck_assert_msg(recording != NULL, "%s", err.text);
    ck_assert_msg(es_recording_add(recording, bytes, size, 0, 0, &err), "%s", err.text);
    ck_assert_msg(es_recording_close(recording, "the target's program ended", &err), "%s", err.text);
}

/* --- comparison ------------------------------------------------------------------------------ */

static void wrong(compared *c, const char *what, uint32_t told, uint32_t truth)
{
    if (!c->wrong++)
        snprintf(c->first, sizeof c->first,
                 "instruction %zu at 0x%08" PRIx32 ": %s 0x%08" PRIx32 ", truth 0x%08" PRIx32, c->instructions - 1,
                 c->instructions ? c->recorded->log[c->instructions - 1].pc : 0, what, told, truth);
}

/* What the instruction before should have done, and did not. */
static void close_last(compared *c)
{
    if (!c->instructions || c->instructions > c->recorded->count)
        return;
    const es_retired *last = &c->recorded->log[c->instructions - 1];
    if (last->rd && !c->set)
        wrong(c, "no register set", last->rd, last->rd_value);
    if (last->mem_wmask && !c->stored)
        wrong(c, "no store", 0, last->mem_addr);
}

static void insn(void *context, uint32_t pc)
{
    compared *c = context;
    close_last(c);
    c->set = c->stored = false;
    c->instructions++;
    if (c->instructions > c->recorded->count + c->recorded->lag)
        wrong(c, "beyond the end: pc", pc, 0);
    else if (c->instructions > c->recorded->count)
        return;
    else if (pc != c->recorded->log[c->instructions - 1].pc)
        wrong(c, "pc", pc, c->recorded->log[c->instructions - 1].pc);
}

static void sets(void *context, unsigned reg)
{
    compared *c = context;
    es_machine_registers registers;
    if (!reg || c->instructions > c->recorded->count)
        return;
    const es_retired *truth = &c->recorded->log[c->instructions - 1];
    es_machine_get(es_replay_machine(c->replay), &registers);
    c->set = true;
    if (reg != truth->rd)
        wrong(c, "register", reg, truth->rd);
    else if (registers.x_unknown[reg])
        c->unknown++;
    if (reg == truth->rd && (registers.x[reg] ^ truth->rd_value) & ~registers.x_unknown[reg])
        wrong(c, "value", registers.x[reg], truth->rd_value);
}

static void access(void *context, const es_machine_access *access)
{
    compared *c = context;
    if (access->kind != ES_KIND_WRITE || c->instructions > c->recorded->count)
        return;
    const es_retired *truth = &c->recorded->log[c->instructions - 1];
    c->stored = true;
    if (access->address != truth->mem_addr || access->lanes != truth->mem_wmask)
        wrong(c, "store to", access->address, truth->mem_addr);
    else
        for (unsigned lane = 0; lane < 4; lane++)
            if (access->lanes >> lane & 1 &&
                (uint8_t)((access->data ^ truth->mem_wdata) >> 8 * lane) & ~(uint8_t)(access->unknown >> 8 * lane))
                wrong(c, "stored", access->data, truth->mem_wdata);
}

void compared_run(compared *c, const recorded *truth, const uint8_t *bytes, size_t size, size_t piece)
{
    es_error err = {0};
    es_machine_listener machine = {.insn = insn, .access = access, .sets = sets, .context = c};
    es_replay_listener listener = {.machine = &machine};
    *c = (compared){.recorded = truth};
    c->replay = es_replay_new(&truth->program, &listener, &err);
    ck_assert_msg(c->replay != NULL, "%s", err.text);
    for (size_t at = 0; at < size; at += piece)
        if (!es_replay_push(c->replay, bytes + at, size - at < piece ? size - at : piece))
            break;
    es_replay_finish(c->replay);
    close_last(c);
}
