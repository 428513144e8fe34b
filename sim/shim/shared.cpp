// The world without a probe whose target has shared memory: the target alone.
#include "world.hpp"

#include "Ves_world_shared.h"
#include "Ves_world_shared___024root.h"

ES_RISING_EDGES_ONLY(Ves_world_shared, &root::clk_bus)

namespace
{

class shared_world final : public target_world<Ves_world_shared>
{
  public:
    using target_world::target_world;

    uint32_t *memory() override { return &top->rootp->es_world_shared__DOT__target__DOT__memory__DOT__words[0]; }

    void step(uint64_t clocks, size_t) override
    {
        while (runs() && clocks--)
            bus_clock();
    }
};

} // namespace

std::unique_ptr<es_sim> make_shared(const es_sim_config &config)
{
    return std::unique_ptr<es_sim>(new shared_world(config));
}
