// The C API of sim.h on top of the worlds.
#include "world.hpp"

#include <cstring>
#include <new>

static bool check_shared(const es_sim_config &c, es_error *err)
{
    const es_sim_shared &s = c.shared;
    if (s.cores == 0) {
        if (s.core || s.wait || s.bell || s.ports != ES_SIM_PORTS_EACH)
            return es_fail(
                err, ES_USAGE,
                "a simulated target without a number of cores has no core, ports, wait states or bells to choose");
        return true;
    }
    if (c.world != ES_SIM_BYTES && c.world != ES_SIM_BARE)
        return es_fail(err, ES_USAGE, "this simulated world has a target of one core only");
    if (s.cores > ES_SIM_CORES)
        return es_fail(err, ES_USAGE, "a simulated target has 1 to %u cores, not %u", ES_SIM_CORES, s.cores);
    if (s.core >= s.cores)
        return es_fail(err, ES_USAGE, "the simulated target has no core %u: its cores are 0 to %u", s.core,
                       s.cores - 1);
    if (s.ports > ES_SIM_PORTS_ONE)
        return es_fail(err, ES_USAGE, "there are no ports of number %d", static_cast<int>(s.ports));
    if (s.wait > ES_SIM_WAIT)
        return es_fail(err, ES_USAGE, "a simulated access has up to %u wait states, not %u", ES_SIM_WAIT, s.wait);
    if (s.bell > ES_SIM_BELL)
        return es_fail(err, ES_USAGE, "a simulated bell is up to %u clocks on its way, not %u", ES_SIM_BELL, s.bell);
    return true;
}

es_sim *es_sim_new(const es_sim_config *config, es_error *err)
{
    const es_sim_config &c = *config;
    if (!check_shared(c, err))
        return nullptr;
    if (c.world == ES_SIM_FT245 && c.ratio == 0) {
        es_fail(err, ES_USAGE, "the simulated FT245 pins need a fixed clock ratio: give one of 1 or more");
        return nullptr;
    }
    try {
        switch (c.world) {
        case ES_SIM_BYTES: return make_bytes(c).release();
        case ES_SIM_FT245: return make_ft245(c).release();
        case ES_SIM_BARE: return (c.shared.cores ? make_shared(c) : make_bare(c)).release();
        case ES_SIM_BOARD: return make_board(c).release();
        case ES_SIM_SRAM: return make_sram(c).release();
        }
        es_fail(err, ES_USAGE, "there is no simulated world of number %d", static_cast<int>(c.world));
    } catch (const std::bad_alloc &) {
        es_fail(err, ES_PROBE, "no memory for the simulation");
    }
    return nullptr;
}

void es_sim_free(es_sim *sim)
{
    delete sim;
}

bool es_sim_load(es_sim *sim, uint32_t address, const uint8_t *bytes, size_t size)
{
    uint32_t rom = address - ES_TARGET_ROM_BASE, ram = address - sim->ram_base;
    uint32_t at;
    if (rom < sim->rom_size && size <= sim->rom_size - rom)
        at = rom;
    else if (ram < sim->ram_size && size <= sim->ram_size - ram)
        at = sim->rom_size + ram;
    else
        return size == 0;
    uint32_t *words = sim->memory();
    for (size_t i = 0; i < size; i++, at++) {
        unsigned shift = 8 * (at & 3);
        words[at / 4] = (words[at / 4] & ~(0xFFu << shift)) | static_cast<uint32_t>(bytes[i]) << shift;
    }
    return true;
}

void es_sim_start_target(es_sim *sim)
{
    if (!sim->started)
        sim->start();
}

bool es_sim_hold_target(es_sim *sim)
{
    return sim->hold();
}

bool es_sim_reset_probe(es_sim *sim)
{
    return sim->reset_probe();
}

void es_sim_stop_target(es_sim *sim)
{
    if (sim->started && sim->state == ES_SIM_RUNNING)
        sim->state = ES_SIM_STOPPED;
}

enum es_sim_state es_sim_step(es_sim *sim, uint64_t clocks, size_t bytes)
{
    sim->step(clocks, bytes);
    return sim->state;
}

bool es_sim_idle(const es_sim *sim)
{
    return sim->idle();
}

bool es_sim_records(const es_sim *sim)
{
    return sim->records();
}

size_t es_sim_read(es_sim *sim, uint8_t *bytes, size_t size)
{
    return sim->read(bytes, size);
}

size_t es_sim_write(es_sim *sim, const uint8_t *bytes, size_t size)
{
    return sim->write(bytes, size);
}

uint64_t es_sim_cycles(const es_sim *sim)
{
    return sim->cycles;
}

uint64_t es_sim_probe_clocks(const es_sim *sim)
{
    return sim->probe_clocks;
}

uint32_t es_sim_pc(const es_sim *sim)
{
    return sim->pc();
}

int es_sim_exit_code(const es_sim *sim)
{
    return sim->exit_code;
}

uint64_t es_sim_pulses(const es_sim *sim, unsigned pin)
{
    return sim->pulses[pin & 7];
}

uint64_t es_sim_time(const es_sim *sim)
{
    return sim->time();
}

es_sim_core es_sim_core_work(const es_sim *sim)
{
    return sim->core_work();
}

const char *es_sim_trap_text(const es_sim *sim)
{
    return sim->trap.c_str();
}
