// The world with the iCEBreaker's parameters: the probe's clock is half the tap's, which is the target's.
#include "serial.hpp"

#include "Ves_world_board.h"
#include "Ves_world_board___024root.h"

ES_RISING_EDGES_ONLY(Ves_world_board, &root::clk_bus, &root::clk, &root::clk_pipe, &root::clk_soc, &root::clk_link,
                     &root::clk_cpu)

namespace
{

class board_world final : public serial_world<Ves_world_board>
{
  public:
    using serial_world::serial_world;

    uint32_t *memory() override
    {
        return &top->rootp
                    ->es_world_board__DOT__target__DOT__g_core__BRA__0__KET____DOT__node__DOT__memory__DOT__words[0];
    }

  private:
    void tap_clock() override
    {
        if (runs())
            bus_clock();
        else
            bus_clock_after_end();
    }
};

} // namespace

std::unique_ptr<es_sim> make_board(const es_sim_config &config)
{
    return std::unique_ptr<es_sim>(new board_world(config));
}
