// The probe of the multi-core target. Elastic as in the world of one core (sim/shim/bytes.cpp): it is run until it is
// idle after each batch of bus clocks, in which the taps bring far fewer records than the FIFO has places.
#include "marks_probe.hpp"

#include "../shim/probed.hpp"

#include "Ves_world_marks.h"
#include "Ves_world_marks___024root.h"

ES_RISING_EDGES_ONLY(Ves_world_marks, &root::clk_bus, &root::clk_pipe, &root::clk_soc, &root::clk_link, &root::clk_cpu)

namespace
{

constexpr unsigned TAPS = 8;
constexpr unsigned BATCH = 256;      // bus clocks: the capture writes one record in each at most; the FIFO holds 4096
constexpr unsigned TAP_DEPTH = 1200; // bus clocks that surely empty the capture: 64 rows of up to eight records, twice
constexpr size_t WRITE_ROOM = 1 << 16;

class world_marks final : public marks_probe
{
  public:
    explicit world_marks(unsigned probe_ratio) : ratio(probe_ratio), context(new VerilatedContext)
    {
        Verilated::threadContextp(context.get());
        context->randReset(0);
        top.reset(new Ves_world_marks(context.get(), "marks"));
        top->rst_bus = top->rst = 1;
        top->eval();
        for (int i = 0; i < 4; i++) {
            bus_edge();
            probe_edge();
        }
        top->rst = 0;
        probe_edge();
    }
    ~world_marks() override
    {
        Verilated::threadContextp(context.get());
        top->final();
    }

    void tap_clock(const mark_record *records, unsigned count) override
    {
        top->rst_bus = 0;
        top->mk_valid = 0;
        for (unsigned c = 0; c < count; c++)
            if (records[c].valid)
                put(c, records[c]);
        bus_edge();
        if (ratio) {
            for (unsigned i = 0; i < ratio; i++)
                probe_clock();
        } else if (++batch == BATCH) {
            run(UINT64_MAX);
        }
    }

    void tap_end() override
    {
        for (unsigned i = 0; i < TAP_DEPTH; i++)
            tap_clock(nullptr, 0);
    }

    void run(uint64_t clocks) override
    {
        batch = 0;
        for (; clocks && !idle(); clocks--)
            probe_clock();
    }

    bool idle() const override { return top->idle && input.empty(); }
    size_t read(uint8_t *bytes, size_t size) override { return output.pop(bytes, size); }
    size_t write(const uint8_t *bytes, size_t size) override
    {
        size_t room = input.size() < WRITE_ROOM ? WRITE_ROOM - input.size() : 0;
        size = size < room ? size : room;
        input.push(bytes, size);
        return size;
    }

  private:
    void put(unsigned c, const mark_record &record)
    {
        top->mk_valid |= static_cast<uint8_t>(1u << c);
        top->mk_kind =
            static_cast<uint16_t>((top->mk_kind & ~(3u << 2 * c)) | static_cast<unsigned>(record.kind) << 2 * c);
        top->mk_lanes = (top->mk_lanes & ~(15u << 4 * c)) | static_cast<uint32_t>(record.lanes) << 4 * c;
        top->mk_addr[c] = record.addr;
        top->mk_data[c] = record.data;
    }
    void bus_edge()
    {
        top->clk_bus = 1;
        evaluate_rise(*top);
        top->clk_bus = 0;
        evaluate_fall(*top);
    }
    void probe_edge()
    {
        raise_probe(*top, top->rst, top->rx_put);
        evaluate_rise(*top);
        lower_probe(*top);
        evaluate_fall(*top);
    }
    void probe_clock()
    {
        if (idle())
            return; // it would change nothing
        top->rx_put = !input.empty() && !top->rx_full;
        if (top->rx_put) {
            top->rx_byte = input.front();
            input.pop();
        }
        bool given = top->tx_byte_valid;
        uint8_t byte = top->tx_byte;
        probe_edge();
        if (given)
            output.push(byte);
    }

    unsigned ratio, batch = 0;
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Ves_world_marks> top;
    byte_queue input, output;
};

} // namespace

std::unique_ptr<marks_probe> marks_probe::make(unsigned ratio)
{
    static_assert(TAPS == 8, "as es_world_marks has them");
    return std::unique_ptr<marks_probe>(new world_marks(ratio));
}
