// The multi-core target: one Verilated model for each processor and one for the message device, stepped together.
//
// That the models may be stepped one after the other rests on their ports: what a processor gives to the message device
// comes from registers, and the device's answer goes into registers. A processor that waits for a message changes
// nothing but its time, so its clocks are left out (es_world_core.v).
#include "../shim/world.hpp"
#include "marks_probe.hpp"
extern "C" {
#include "multi.h"
}

#include <algorithm>
#include <cstring>
#include <new>

#include "Ves_target_messages.h"
#include "Ves_world_core.h"
#include "Ves_world_core___024root.h"

namespace
{

class core_world final : public target_world<Ves_world_core>
{
  public:
    core_world(const es_sim_config &settings, unsigned number, const es_multi_config &callbacks)
        : target_world(settings), core(number), all(callbacks), watched(ES_TARGET_ROM_SIZE / 2)
    {
    }

    uint32_t *memory() override { return &top->rootp->es_world_core__DOT__node__DOT__memory__DOT__words[0]; }
    void step(uint64_t, size_t) override {}

    bool live() const { return runs(); }
    bool requests() const { return runs() && top->msg_req; }
    bool waits() const { return top->waiting; }
    uint8_t offset() const { return top->msg_offset; }
    bool reads() const { return top->msg_read; }
    bool writes() const { return top->msg_write; }
    uint32_t written() const { return top->bus_wdata; }

    void answer(bool ack, bool none, uint32_t data)
    {
        top->msg_ack_next = ack;
        top->msg_none_next = none;
        top->msg_rdata_next = data;
    }

    // For the probe, in the clock that is now.
    mark_record record() const
    {
        return {runs() && top->mk_valid, top->mk_kind, top->mk_lanes, top->mk_addr, top->mk_data};
    }

    // The edge that ends clock `now`.
    void clock(uint64_t now)
    {
        top->cycle_next = now + 1;
        cycles = now;
        bus_clock();
        if (top->bus_fetch && top->bus_valid && top->bus_ready && all.on_fetch && top->bus_addr < ES_TARGET_ROM_SIZE &&
            watched[top->bus_addr / 2])
            all.on_fetch(all.context, core, cycles, top->bus_addr);
        if (!top->bus_fetch && top->bus_valid && top->bus_ready && all.on_message &&
            top->bus_addr - ES_TARGET_MSG_BASE < ES_TARGET_MSG_SIZE)
            all.on_message(all.context, core, cycles, pc(), top->bus_addr);
        if (top->mark && all.on_mark) {
            es_mark mark = {cycles, core, top->mark_id, top->mark_value, top->mark_pc};
            all.on_mark(all.context, &mark);
        }
    }

    bool watch(uint32_t address)
    {
        if (address >= ES_TARGET_ROM_SIZE)
            return false;
        watched[address / 2] = true;
        return true;
    }

  private:
    unsigned core;
    const es_multi_config &all;
    std::vector<bool> watched;
};

class message_device
{
  public:
    message_device(unsigned cores, unsigned latency) : context(new VerilatedContext)
    {
        Verilated::threadContextp(context.get());
        context->randReset(0);
        top.reset(new Ves_target_messages(context.get(), "messages"));
        top->cores = static_cast<uint8_t>(cores);
        top->latency = static_cast<uint8_t>(latency);
        top->rst = 1;
        edge();
        top->rst = 0;
    }
    ~message_device()
    {
        Verilated::threadContextp(context.get());
        top->final();
    }
    message_device(const message_device &) = delete;
    message_device &operator=(const message_device &) = delete;

    // True while an edge can change something.
    bool active() const { return top->req || top->ack; }
    void no_requests() { top->req = 0; }
    void request(unsigned core, const core_world &from)
    {
        const uint8_t bit = static_cast<uint8_t>(1u << core);
        top->req |= bit;
        top->read = static_cast<uint8_t>((top->read & ~bit) | (from.reads() ? bit : 0));
        top->write = static_cast<uint8_t>((top->write & ~bit) | (from.writes() ? bit : 0));
        top->offset = (top->offset & ~(0xFFull << 8 * core)) | static_cast<uint64_t>(from.offset()) << 8 * core;
        top->wdata[core] = from.written();
    }
    void clock(uint64_t now)
    {
        top->cycle = now;
        edge();
    }
    bool ack(unsigned core) const { return top->ack >> core & 1; }
    bool none(unsigned core) const { return top->none >> core & 1; }
    uint32_t data(unsigned core) const { return top->rdata[core]; }

  private:
    void edge()
    {
        top->clk = 1;
        top->eval();
        top->clk = 0;
        top->eval();
    }
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Ves_target_messages> top;
};

struct core_context {
    es_multi *multi;
    unsigned core;
};

} // namespace

struct es_multi {
    explicit es_multi(const es_multi_config &settings) : config(settings), device(settings.cores, settings.latency)
    {
        contexts.resize(config.cores);
        for (unsigned c = 0; c < config.cores; c++) {
            contexts[c] = {this, c};
            es_sim_config own = {};
            own.world = ES_SIM_BARE;
            own.seed = config.seed + c;
            own.on_console = config.on_console ? console : nullptr;
            own.on_retired = config.on_retired ? retired : nullptr;
            own.context = &contexts[c];
            cores.emplace_back(new core_world(own, c, config));
        }
        if (config.probe)
            probe = marks_probe::make(config.ratio);
    }

    bool clock();
    void step(uint64_t clocks);
    void end_stuck();

    static void console(void *context, const char *bytes, size_t size)
    {
        const auto *from = static_cast<const core_context *>(context);
        from->multi->config.on_console(from->multi->config.context, from->core, bytes, size);
    }
    static void retired(void *context, const es_retired *instruction)
    {
        const auto *from = static_cast<const core_context *>(context);
        from->multi->config.on_retired(from->multi->config.context, from->core, instruction);
    }

    es_multi_config config;
    message_device device;
    std::vector<core_context> contexts;
    std::vector<std::unique_ptr<core_world>> cores;
    std::unique_ptr<marks_probe> probe; // or none
    enum es_multi_state state = ES_MULTI_RUNNING;
    bool started = false;
    uint64_t cycles = 0;
    uint64_t idle = 0; // clocks in a row in which all cores waited
    std::string text;
};

// One clock of everything. True while any core did something.
bool es_multi::clock()
{
    bool moved = false;
    if (probe) {
        mark_record records[ES_MULTI_CORES];
        const unsigned count = std::min(config.cores, ES_MULTI_CORES);
        for (unsigned c = 0; c < count; c++)
            records[c] = cores[c]->record();
        probe->tap_clock(records, count);
    }
    device.no_requests();
    for (unsigned c = 0; c < config.cores; c++)
        if (cores[c]->requests())
            device.request(c, *cores[c]);
    if (device.active())
        device.clock(cycles);
    for (unsigned c = 0; c < config.cores; c++) {
        core_world &core = *cores[c];
        if (!core.live() || (core.waits() && !device.ack(c) && !device.none(c)))
            continue;
        core.answer(device.ack(c), device.none(c), device.data(c));
        core.clock(cycles);
        moved = true;
        if (core.state == ES_SIM_TRAPPED && state == ES_MULTI_RUNNING) {
            state = ES_MULTI_TRAPPED;
            text = "core " + std::to_string(c) + ": " + core.trap;
        }
    }
    cycles++;
    return moved;
}

void es_multi::step(uint64_t clocks)
{
    const uint64_t patience = 2 * ES_MULTI_LATENCY; // by then, whatever was on its way has arrived
    while (state == ES_MULTI_RUNNING && clocks--) {
        if (clock()) {
            idle = 0;
            continue;
        }
        bool any = false;
        for (auto &core : cores)
            any |= core->live();
        if (!any) {
            state = ES_MULTI_EXITED;
            cycles--; // nobody was there for this clock
        } else if (++idle > patience) {
            end_stuck();
        }
    }
}

void es_multi::end_stuck()
{
    state = ES_MULTI_STUCK;
    cycles -= idle;
    for (unsigned c = 0; c < config.cores; c++) {
        if (!cores[c]->live())
            continue;
        char line[160];
        unsigned at = cores[c]->offset(), peer = at >> 2 & 7;
        const char *what = at >= ES_TARGET_MSG_TAKEN  ? "until a message is taken by"
                           : at >= ES_TARGET_MSG_SEND ? "to send to"
                                                      : "for a message from";
        if (at == ES_TARGET_MSG_ANY)
            snprintf(line, sizeof line, "core %u waits for a message from any core at 0x%08x", c, cores[c]->pc());
        else
            snprintf(line, sizeof line, "core %u waits %s core %u at 0x%08x", c, what, peer, cores[c]->pc());
        text += (text.empty() ? "" : "; ") + std::string(line);
    }
}

es_multi *es_multi_new(const es_multi_config *config, es_error *err)
{
    if (config->cores < 1 || config->cores > ES_MULTI_CORES) {
        es_fail(err, ES_USAGE, "a simulated target has 1 to %u cores, not %u", ES_MULTI_CORES, config->cores);
        return nullptr;
    }
    if (config->latency < 1 || config->latency > ES_MULTI_LATENCY) {
        es_fail(err, ES_USAGE, "a simulated message takes 1 to %u clocks, not %u", ES_MULTI_LATENCY, config->latency);
        return nullptr;
    }
    try {
        return new es_multi(*config);
    } catch (const std::bad_alloc &) {
        es_fail(err, ES_PROBE, "no memory for the simulation");
    }
    return nullptr;
}

void es_multi_free(es_multi *multi)
{
    delete multi;
}

bool es_multi_load(es_multi *multi, unsigned core, uint32_t address, const uint8_t *bytes, size_t size)
{
    return core < multi->config.cores && !multi->started && es_sim_load(multi->cores[core].get(), address, bytes, size);
}

bool es_multi_watch(es_multi *multi, unsigned core, uint32_t address)
{
    return core < multi->config.cores && multi->cores[core]->watch(address);
}

void es_multi_start(es_multi *multi)
{
    if (multi->started)
        return;
    multi->started = true;
    for (auto &core : multi->cores)
        core->start();
}

enum es_multi_state es_multi_step(es_multi *multi, uint64_t clocks)
{
    if (multi->started && multi->state == ES_MULTI_RUNNING) {
        multi->step(clocks);
        if (multi->probe && multi->state != ES_MULTI_RUNNING)
            multi->probe->tap_end();
    }
    return multi->state;
}

size_t es_multi_read(es_multi *multi, uint8_t *bytes, size_t size)
{
    return multi->probe ? multi->probe->read(bytes, size) : 0;
}

size_t es_multi_write(es_multi *multi, const uint8_t *bytes, size_t size)
{
    return multi->probe ? multi->probe->write(bytes, size) : 0;
}

bool es_multi_probe_run(es_multi *multi, uint64_t clocks)
{
    const bool runs = multi->started && multi->state == ES_MULTI_RUNNING;
    if (!multi->probe || (runs && multi->config.ratio)) // its clocks go with the target's
        return false;
    multi->probe->run(clocks);
    return !multi->probe->idle();
}

uint64_t es_multi_cycles(const es_multi *multi)
{
    return multi->cycles;
}

int es_multi_exit_code(const es_multi *multi, unsigned core)
{
    return core < multi->config.cores ? multi->cores[core]->exit_code : 0;
}

const char *es_multi_text(const es_multi *multi)
{
    return multi->text.c_str();
}
