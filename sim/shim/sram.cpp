// The world with the iCEBreaker's parameters and its tap: an asynchronous bus of 8 bits. The target's clock has a
// period of its own, and waits while the bytes of an access are on the pins.
#include "serial.hpp"
#include "sram_bus.hpp"

#include "Ves_world_sram.h"
#include "Ves_world_sram___024root.h"

ES_RISING_EDGES_ONLY(Ves_world_sram, &root::clk_bus, &root::clk_tap, &root::clk, &root::clk_pipe, &root::clk_soc,
                     &root::clk_link, &root::clk_cpu)

namespace
{

constexpr uint64_t TARGET_CLOCK = 1270;  // in the bus's units of time
constexpr uint32_t ON_THE_BUS = 0x10000; // addresses below it; devices beyond it are not on the pins, unless all are

class sram_world final : public serial_world<Ves_world_sram>
{
  public:
    explicit sram_world(const es_sim_config &settings) : serial_world(settings), bus(settings.seed, settings.ratio)
    {
        top->rst_tap = 1;
        for (int i = 0; i < 4; i++)
            edge(top->clk_tap);
    }

    uint32_t *memory() override
    {
        return &top->rootp
                    ->es_world_sram__DOT__target__DOT__g_core__BRA__0__KET____DOT__node__DOT__memory__DOT__words[0];
    }

    void start() override
    {
        serial_world::start();
        drive(0);
        top->rst_tap = 0;
        edge(top->clk_tap);
    }

  private:
    uint64_t now() const { return cycles * sram_bus::TAP; }

    void drive(uint64_t time)
    {
        sram_bus::pins pins = bus.sample(time);
        top->pin_addr = pins.address;
        top->pin_data = pins.data;
        top->pin_rd_n = pins.read_n;
        top->pin_wr_n = pins.write_n;
        top->pin_fetch = pins.fetch;
    }

    // The tap goes on when the target has ended, until it has surely seen all.
    void tap_clock() override
    {
        if (!started || (!runs() && tap_clocks_after_end >= TAP_DEPTH))
            return;
        while (runs() && target_due < now() + sram_bus::TAP)
            target_clock();
        cycles++;
        drive(now());
        edge(top->clk_tap);
        if (!runs())
            tap_clocks_after_end++;
    }

    // What the access on the target's bus moves. Of a fetch, the instruction's own bytes, which may go on into the next
    // word.
    uint8_t bytes() const
    {
        if (!top->bus_fetch)
            return top->bus_bytes;
        unsigned from = top->bus_addr & 2;
        bool is_short = (top->bus_data >> (8 * from) & 3) != 3;
        return static_cast<uint8_t>((is_short ? 3 : 15) << from);
    }

    void target_clock()
    {
        uint64_t done = target_due; // of a fetch: with its first byte, when the tap sees it begin
        edge(top->clk_bus);
        target_due += TARGET_CLOCK;
        if (top->bus_valid && top->bus_ready && (top->pin_all || top->bus_addr < ON_THE_BUS)) {
            done = bus.begin({top->bus_addr, top->bus_data, bytes(), top->bus_wstrb != 0, top->bus_fetch != 0},
                             target_due);
            target_due = done + 2 * sram_bus::SKEW;
            if (top->bus_fetch)
                done = bus.first_end();
        }
        if (config.on_retired)
            log(done / sram_bus::TAP);
        if (top->attention)
            attend();
    }

    sram_bus bus;
    uint64_t target_due = 0; // time of the target's next clock
};

} // namespace

std::unique_ptr<es_sim> make_sram(const es_sim_config &config)
{
    return std::unique_ptr<es_sim>(new sram_world(config));
}
