// The world without a probe: the target alone.
#include "world.hpp"

#include "Ves_world_bare.h"
#include "Ves_world_bare___024root.h"

ES_RISING_EDGES_ONLY(Ves_world_bare, &root::clk_bus)

namespace
{

class bare_world final : public target_world<Ves_world_bare>
{
  public:
    using target_world::target_world;

    uint32_t *memory() override
    {
        return &top->rootp
                    ->es_world_bare__DOT__target__DOT__g_core__BRA__0__KET____DOT__node__DOT__memory__DOT__words[0];
    }

    void step(uint64_t clocks, size_t) override
    {
        while (runs() && clocks--)
            bus_clock();
    }
};

} // namespace

std::unique_ptr<es_sim> make_bare(const es_sim_config &config)
{
    return std::unique_ptr<es_sim>(new bare_world(config));
}
