// The world whose probe ends at its byte port: target and probe in lockstep, or with an elastic clock.
//
// Elastic clock: the probe runs until it is idle before the target goes on. So nothing is ever lost, whatever the
// firmware has to do, and the probe costs nothing while there is nothing to do. There are short cuts for transactions
// that concern nobody (bypass.hpp) and for the firmware's plain instructions (core_cut.hpp).
//
// Target and probe are two models: each is evaluated only when it has a clock.
#include "bypass.hpp"
#include "core_cut.hpp"
#include "probed.hpp"

#include "Ves_world_bare.h"
#include "Ves_world_bare___024root.h"
#include "Ves_world_shared.h"
#include "Ves_world_shared___024root.h"

template <> void evaluate_rise(Ves_world_bare &top); // bare.cpp has them
template <> void evaluate_fall(Ves_world_bare &top);
template <> void evaluate_rise(Ves_world_shared &top); // shared.cpp has them
template <> void evaluate_fall(Ves_world_shared &top);

ES_RISING_EDGES_ONLY(Ves_world_bytes, &root::clk_tap, &root::clk_pipe, &root::clk_soc, &root::clk_link, &root::clk_cpu)

void Ves_world_bytes___024root___eval_ico(Ves_world_bytes___024root *);

namespace
{

// probe clocks in one step beyond 64 per bus clock: then the caller is asked
constexpr uint64_t PROBE_BUDGET = 200000;
constexpr size_t WRITE_ROOM = 1 << 16; // bytes that wait for the probe at most

uint32_t *memory_of(const Ves_world_bare &top)
{
    return &top.rootp->es_world_bare__DOT__target__DOT__g_core__BRA__0__KET____DOT__node__DOT__memory__DOT__words[0];
}

uint32_t *memory_of(const Ves_world_shared &top)
{
    return &top.rootp->es_world_shared__DOT__target__DOT__memory__DOT__words[0];
}

// Both models as one: clk_bus is the target's clock and, unless tap_rests, the tap's.
template <class Target> struct bytes_model : Target {
    bytes_model(VerilatedContext *context, const char *name)
        : Target(context, name), probe(context, "probe"), rst(probe.rst), idle(probe.idle), trigger(probe.trigger),
          halt(probe.halt)
    {
    }

    void eval()
    {
        Target::eval();
        probe.eval();
    }

    void final()
    {
        Target::final();
        probe.final();
    }

    // A clock of the tap. It hears the bus as it was before the edge that it shares with the target, or none.
    void clock_tap(bool hears)
    {
        probe.rst_tap = this->rst_bus;
        probe.bus_valid = hears && this->bus_valid;
        probe.bus_ready = this->bus_ready;
        probe.bus_fetch = this->bus_fetch;
        probe.bus_addr = this->bus_addr;
        probe.bus_wdata = this->bus_wdata;
        probe.bus_wstrb = this->bus_wstrb;
        probe.bus_lanes = this->bus_lanes;
        probe.bus_rdata = this->bus_rdata;
        probe.rootp->__VicoTriggered.at(0) = true; // what hangs on inputs directly
        Ves_world_bytes___024root___eval_ico(probe.rootp);
        probe.clk_tap = 1;
        evaluate_rise(probe);
        probe.clk_tap = 0;
        evaluate_fall(probe);
    }

    Ves_world_bytes probe;
    CData &rst, &idle, &trigger, &halt;
    bool tap_rests = false;
};

template <class Target> void raise(bytes_model<Target> &top, bool every_clock)
{
    raise_probe(top.probe, every_clock, top.probe.rx_put);
}

template <class Target> void lower(bytes_model<Target> &top)
{
    lower_probe(top.probe);
}

template <class Target> void rise(bytes_model<Target> &top)
{
    if (!top.clk_bus) {
        evaluate_rise(top.probe);
        return;
    }
    if (!top.tap_rests)
        top.clock_tap(true);
    evaluate_rise<Target>(top);
}

} // namespace

template <> void evaluate_rise(bytes_model<Ves_world_bare> &top)
{
    rise(top);
}

template <> void evaluate_fall(bytes_model<Ves_world_bare> &top)
{
    evaluate_fall<Ves_world_bare>(top);
}

template <> void evaluate_rise(bytes_model<Ves_world_shared> &top)
{
    rise(top);
}

template <> void evaluate_fall(bytes_model<Ves_world_shared> &top)
{
    evaluate_fall<Ves_world_shared>(top);
}

namespace
{

template <class Target> class bytes_world final : public probed_world<bytes_model<Target>, raise<Target>, lower<Target>>
{
    using base = probed_world<bytes_model<Target>, raise<Target>, lower<Target>>;
    using base::bus_clock, base::bus_clock_after_end, base::probe_edge, base::runs;
    using base::config, base::cycles, base::probe_clocks, base::top;

  public:
    explicit bytes_world(const es_sim_config &settings) : base(settings), probe(top->probe), past(probe), core(probe) {}

    uint32_t *memory() override { return memory_of(*top); }
    bool idle() const override { return base::idle() && input.empty(); }
    size_t read(uint8_t *bytes, size_t size) override { return output.pop(bytes, size); }

    size_t write(const uint8_t *bytes, size_t size) override
    {
        size_t room = input.size() < WRITE_ROOM ? WRITE_ROOM - input.size() : 0;
        size = size < room ? size : room;
        input.push(bytes, size);
        return size;
    }

    void step(uint64_t clocks, size_t bytes) override
    {
        if (config.ratio == 0)
            elastic(clocks, bytes);
        else
            lockstep(clocks, bytes);
    }

  private:
    bool enough(size_t bytes) const { return bytes && output.size() >= bytes; }

    void probe_clock()
    {
        probe.rx_put = !input.empty() && !probe.rx_full;
        if (probe.rx_put) {
            probe.rx_byte = input.front();
            input.pop();
        }
        bool given = probe.tx_byte_valid;
        uint8_t byte = probe.tx_byte;
        hit_clocks += probe.hit_waits && !probe.cpu_sleeping;
        probe_edge(config.every_clock);
        if (given)
            output.push(byte);
        if (probe.hits_done != hits_done)
            end_hit();
    }

    // The soft core has taken a hit off the queue.
    void end_hit()
    {
        es_sim_hit hit = {probe.hit_kind, probe.hit_addr, hit_clocks,
                          cycles - static_cast<uint16_t>(cycles - probe.hit_time)};
        if (config.on_hit)
            config.on_hit(config.context, &hit);
        hits_done = probe.hits_done;
        hit_clocks = 0;
    }

    void elastic(uint64_t clocks, size_t bytes)
    {
        uint64_t budget = clocks < UINT64_MAX / 128 ? 64 * clocks + PROBE_BUDGET : UINT64_MAX;
        if (!runs()) {
            for (; clocks && !idle() && !enough(bytes); clocks--) {
                bus_clock_after_end();
                probe_clock();
            }
            return;
        }
        for (;;) {
            for (; !(top->idle && input.empty()); budget--) {
                if (budget == 0)
                    return; // a probe that never comes to rest: the drain goes on in the next step
                budget -= instructions(budget - 1);
                probe_clock();
            }
            if (!runs() || clocks == 0 || enough(bytes))
                return;
            if (!config.every_clock && past.open())
                clocks -= without_probe(clocks);
            if (!runs() || clocks == 0)
                return;
            bus_clock();
            clocks--;
            if (!config.every_clock && past.far_from_wrap())
                empty_tap();
        }
    }

    // Clocks of the firmware's plain instructions, `most` at most. Returns how many.
    uint64_t instructions(uint64_t most)
    {
        if (config.every_clock || config.every_instruction || !input.empty() || !core.open())
            return 0;
        uint64_t clocks = core.run(most);
        probe_clocks += clocks;
        hit_clocks += probe.hit_waits ? static_cast<uint32_t>(clocks) : 0;
        return clocks;
    }

    // Bus clocks whose transactions concern nobody, `clocks` at most. Returns how many.
    uint64_t without_probe(uint64_t clocks)
    {
        uint64_t most = past.longest() < clocks ? past.longest() : clocks, done = 0;
        top->tap_rests = true;
        for (; done < most && runs() && past.take(*top); done++)
            bus_clock();
        top->tap_rests = false;
        past.settle();
        if (done) {
            past.skip_time(static_cast<int64_t>(done));
            top->clock_tap(false);
        }
        return done;
    }

    // Hands what the tap holds on to the FIFO, while the target waits and the time stands still.
    void empty_tap()
    {
        int64_t clocks = 0;
        for (; !past.tap_is_empty(); clocks++)
            top->clock_tap(false);
        past.skip_time(-clocks);
        top->clock_tap(false);
    }

    void lockstep(uint64_t clocks, size_t bytes)
    {
        bool ran = runs();
        for (; clocks && !enough(bytes); clocks--) {
            if (runs())
                bus_clock();
            else
                bus_clock_after_end();
            for (unsigned i = 0; i < config.ratio; i++) {
                if (config.every_clock || !top->idle || !input.empty())
                    probe_clock();
                else
                    probe_clocks++; // one that changes nothing
            }
            if (ran ? !runs() : idle())
                return;
        }
    }

    Ves_world_bytes &probe;
    bypass past; // the probe
    core_cut core;
    byte_queue input, output;
    uint32_t hits_done = 0, hit_clocks = 0;
};

} // namespace

std::unique_ptr<es_sim> make_bytes(const es_sim_config &config)
{
    if (config.shared.cores)
        return std::unique_ptr<es_sim>(new bytes_world<Ves_world_shared>(config));
    return std::unique_ptr<es_sim>(new bytes_world<Ves_world_bare>(config));
}
