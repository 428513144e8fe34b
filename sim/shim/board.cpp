// The world with the iCEBreaker's parameters: the probe's clock is half the tap's, and bytes go over a serial line.
#include "probed.hpp"

#include "Ves_world_board.h"
#include "Ves_world_board___024root.h"

ES_RISING_EDGES_ONLY(Ves_world_board, &root::clk_bus, &root::clk, &root::clk_pipe, &root::clk_soc, &root::clk_link,
                     &root::clk_cpu)

namespace
{

constexpr unsigned TAP_CLOCKS = 2;     // per probe clock
constexpr size_t WRITE_ROOM = 1 << 16; // bytes that wait for the line at most

void raise(Ves_world_board &top, bool every_clock)
{
    top.clk = 1;
    raise_probe(top, every_clock, false);
}

void lower(Ves_world_board &top)
{
    top.clk = 0;
    lower_probe(top);
}

class board_world final : public probed_world<Ves_world_board, raise, lower>
{
  public:
    explicit board_world(const es_sim_config &settings) : probed_world(settings)
    {
        rom_size = ram_base = ram_size = 0x8000;
    }

    uint32_t *memory() override
    {
        return &top->rootp
                    ->es_world_board__DOT__target__DOT__g_core__BRA__0__KET____DOT__node__DOT__memory__DOT__words[0];
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
        bool ran = runs();
        for (; clocks && !(bytes && output.size() >= bytes); clocks--) {
            if (runs())
                bus_clock();
            else
                bus_clock_after_end();
            if (++phase == TAP_CLOCKS) {
                phase = 0;
                probe_clock();
            }
            if (ran ? !runs() : idle())
                return;
        }
    }

  private:
    void probe_clock()
    {
        top->rx_put = !input.empty() && !top->rx_full;
        if (top->rx_put) {
            top->rx_byte = input.front();
            input.pop();
        }
        bool given = top->tx_byte_valid;
        uint8_t byte = top->tx_byte;
        probe_edge(config.every_clock);
        if (given)
            output.push(byte);
    }

    byte_queue input, output;
    unsigned phase = 0;
};

} // namespace

std::unique_ptr<es_sim> make_board(const es_sim_config &config)
{
    return std::unique_ptr<es_sim>(new board_world(config));
}
