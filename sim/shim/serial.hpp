// What the worlds with the iCEBreaker's probe share: bytes go over a serial line, and the tap has two clocks to one of
// the probe's.
#ifndef ES_SIM_SERIAL_HPP
#define ES_SIM_SERIAL_HPP

#include "probed.hpp"

template <class Model> void raise_serial(Model &top, bool every_clock)
{
    top.clk = 1;
    raise_probe(top, every_clock, false);
}

template <class Model> void lower_serial(Model &top)
{
    top.clk = 0;
    lower_probe(top);
}

template <class Model> class serial_world : public probed_world<Model, raise_serial<Model>, lower_serial<Model>>
{
    using base = probed_world<Model, raise_serial<Model>, lower_serial<Model>>;

  public:
    explicit serial_world(const es_sim_config &settings) : base(settings)
    {
        this->rom_size = this->ram_base = this->ram_size = 0x8000;
    }

    bool idle() const override { return base::idle() && input.empty(); }
    bool records() const override { return top->recording; }
    size_t read(uint8_t *bytes, size_t size) override { return output.pop(bytes, size); }

    size_t write(const uint8_t *bytes, size_t size) override
    {
        size_t room = input.size() < WRITE_ROOM ? WRITE_ROOM - input.size() : 0;
        size = size < room ? size : room;
        input.push(bytes, size);
        return size;
    }

    // A step is a clock of the tap.
    void step(uint64_t clocks, size_t bytes) override
    {
        bool ran = this->runs();
        for (; clocks && !(bytes && output.size() >= bytes); clocks--) {
            tap_clock();
            if (++phase == TAP_CLOCKS) {
                phase = 0;
                probe_clock();
            }
            if (ran ? !this->runs() : idle())
                return;
        }
    }

  protected:
    using base::top;

    virtual void tap_clock() = 0; // of the target, too, where it is due

  private:
    static constexpr unsigned TAP_CLOCKS = 2;     // per probe clock
    static constexpr size_t WRITE_ROOM = 1 << 16; // bytes that wait for the line at most

    void probe_clock()
    {
        top->rx_put = !input.empty() && !top->rx_full;
        if (top->rx_put) {
            top->rx_byte = input.front();
            input.pop();
        }
        bool given = top->tx_byte_valid;
        uint8_t byte = top->tx_byte;
        this->probe_edge(this->config.every_clock);
        if (given)
            output.push(byte);
    }

    byte_queue input, output;
    unsigned phase = 0;
};

#endif
