// The world whose probe ends at FT245 pins, with a model of the FT2232H's FIFO side on the other end of them.
//
// The chip's rules (data sheet, "FT245 synchronous FIFO"): its outputs change after the rising edge of ft_clk, the
// probe's are sampled at it. RXF# low: there is a byte, which is on the data wires while OE# is low, and is taken at an
// edge with RD# low. TXE# low: there is room; at an edge with WR# low the byte on the wires is taken.
#include "probed.hpp"

#include "Ves_world_ft245.h"
#include "Ves_world_ft245___024root.h"

namespace
{

constexpr size_t CHIP_BUFFER = 4096; // bytes in each direction, as in the FT2232H
constexpr unsigned RESET_CLOCKS = 8;
constexpr unsigned FT_CLOCKS = 6; // 60 MHz per 10 MHz bus clock
static_assert(FT_CLOCKS * ES_SIM_BUS_HZ == 60000000u, "ft_clk is 60 MHz");

void raise(Ves_world_ft245 &top, bool every_clock)
{
    top.clk = 1;
    raise_probe(top, every_clock, false);
}

void lower(Ves_world_ft245 &top)
{
    top.clk = 0;
    lower_probe(top);
}

class ft245_world final : public probed_world<Ves_world_ft245, raise, lower>
{
  public:
    explicit ft245_world(const es_sim_config &settings) : probed_world(settings)
    {
        top->ft_rxf_n = 1;
        top->ft_txe_n = 1;
        top->eval();
    }

    uint32_t *memory() override
    {
        return &top->rootp
                    ->es_world_ft245__DOT__target__DOT__g_core__BRA__0__KET____DOT__node__DOT__memory__DOT__words[0];
    }
    bool idle() const override { return probed_world::idle() && to_probe.empty(); }
    es_sim_core core_work() const override { return {top->core_clocks, top->core_instructions, top->core_events}; }

    uint64_t time() const override { return tap_time; }

    void start() override
    {
        top->tap_runs = 1;
        tap_clocks_after_end = 0;
        probed_world::start();
    }

    bool hold() override
    {
        started = false;
        state = ES_SIM_RUNNING;
        exit_code = 0;
        trap.clear();
        top->rst_bus = 1;
        for (unsigned i = 0; i < RESET_CLOCKS; i++)
            edge(top->clk_bus);
        tap_time += top->tap_runs ? RESET_CLOCKS : 0;
        return true;
    }

    bool reset_probe() override
    {
        CData ran = top->tap_runs;
        top->rst = 1;
        top->tap_runs = 0;
        for (unsigned i = 0; i < RESET_CLOCKS; i++) {
            if (runs())
                bus_clock();
            else
                edge(top->clk_bus);
            probe_edge(true);
            ft_clock();
        }
        top->rst = 0;
        top->tap_runs = ran;
        probe_edge(true);
        to_probe = {};
        to_host = {};
        tap_time = 0;
        return true;
    }

    size_t read(uint8_t *bytes, size_t size) override { return to_host.pop(bytes, size); }

    size_t write(const uint8_t *bytes, size_t size) override
    {
        size_t room = CHIP_BUFFER - to_probe.size();
        size = size < room ? size : room;
        to_probe.push(bytes, size);
        return size;
    }

    void step(uint64_t clocks, size_t bytes) override
    {
        bool ran = runs();
        for (; clocks && !(bytes && to_host.size() >= bytes); clocks--) {
            tap_time += top->tap_runs && (!started || runs() || ticks_after_end());
            if (runs())
                bus_clock();
            else if (!started && top->tap_runs)
                edge(top->clk_bus); // held again: a board's tap goes on
            else
                bus_clock_after_end();
            // The clocks interleave evenly: `phase` runs through the bus clock in steps of 1 / (ratio * FT_CLOCKS).
            for (unsigned phase = 0; phase < config.ratio * FT_CLOCKS; phase++) {
                if (phase % FT_CLOCKS == 0)
                    probe_edge(config.every_clock);
                if (phase % config.ratio == 0)
                    ft_clock();
            }
            if (ran && !runs())
                return;
        }
    }

  private:
    void ft_clock()
    {
        bool sent = !top->ft_wr_n && !top->ft_txe_n && top->ft_data_oe;
        bool taken = !top->ft_rd_n && !top->ft_rxf_n && !top->ft_oe_n;
        uint8_t byte = top->ft_data_o;
        edge(top->ft_clk);
        if (sent)
            to_host.push(byte);
        if (taken)
            to_probe.pop();
        top->ft_txe_n = to_host.size() >= CHIP_BUFFER;
        top->ft_rxf_n = to_probe.empty();
        top->ft_data_i = top->ft_oe_n || to_probe.empty() ? 0 : to_probe.front();
        top->eval();
    }

    // Clocks of the tap: it is in reset for the first of them, so it may be one ahead.
    uint64_t tap_time = 0;
    byte_queue to_probe, to_host;
};

} // namespace

std::unique_ptr<es_sim> make_ft245(const es_sim_config &config)
{
    return std::unique_ptr<es_sim>(new ft245_world(config));
}
