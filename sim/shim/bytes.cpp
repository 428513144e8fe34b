// The world whose probe ends at its byte port: target and probe in lockstep, or with an elastic clock.
//
// Elastic clock: the target runs for a batch of bus clocks, far fewer than the FIFO has places; then the probe runs
// until it is idle. So nothing is ever lost, whatever the firmware has to do, and the probe costs nothing while there
// is nothing to do.
#include "probed.hpp"

#include "Ves_world_bytes.h"
#include "Ves_world_bytes___024root.h"

ES_RISING_EDGES_ONLY(Ves_world_bytes, &root::clk_bus, &root::clk_pipe, &root::clk_soc, &root::clk_link, &root::clk_cpu)

namespace
{

constexpr uint64_t BATCH = 256; // bus clocks; one transaction each at most; the FIFO holds 4096
// probe clocks in one step beyond 64 per bus clock: then the caller is asked
constexpr uint64_t PROBE_BUDGET = 200000;
constexpr size_t WRITE_ROOM = 1 << 16; // bytes that wait for the probe at most

void raise(Ves_world_bytes &top, bool every_clock)
{
    raise_probe(top, every_clock, top.rx_put);
}

class bytes_world final : public probed_world<Ves_world_bytes, raise, lower_probe>
{
  public:
    using probed_world::probed_world;

    uint32_t *memory() override
    {
        return &top->rootp
                    ->es_world_bytes__DOT__target__DOT__g_core__BRA__0__KET____DOT__node__DOT__memory__DOT__words[0];
    }
    bool idle() const override { return probed_world::idle() && input.empty(); }
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
        top->rx_put = !input.empty() && !top->rx_full;
        if (top->rx_put) {
            top->rx_byte = input.front();
            input.pop();
        }
        bool given = top->tx_byte_valid;
        uint8_t byte = top->tx_byte;
        hit_clocks += top->hit_waits && !top->cpu_sleeping;
        probe_edge(config.every_clock);
        if (config.on_hit && top->hits_done != hits_done) {
            es_sim_hit hit = {top->hit_kind, top->hit_addr, hit_clocks,
                              cycles - static_cast<uint16_t>(cycles - top->hit_time)};
            config.on_hit(config.context, &hit);
        }
        if (top->hits_done != hits_done)
            hit_clocks = 0;
        hits_done = top->hits_done;
        if (given)
            output.push(byte);
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
                probe_clock();
            }
            if (!runs() || clocks == 0 || enough(bytes))
                return;
            uint64_t batch = config.every_clock ? 1 : BATCH < clocks ? BATCH : clocks;
            clocks -= batch;
            while (batch-- && runs())
                bus_clock();
        }
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

    byte_queue input, output;
    uint32_t hits_done = 0, hit_clocks = 0;
};

} // namespace

std::unique_ptr<es_sim> make_bytes(const es_sim_config &config)
{
    return std::unique_ptr<es_sim>(new bytes_world(config));
}
