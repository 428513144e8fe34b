// What the worlds with a probe have in common: the soft core's clock, which may stand still, and the end of the
// target's run.
#ifndef ES_SIM_PROBED_HPP
#define ES_SIM_PROBED_HPP

#include "world.hpp"

// Sets those clocks of es_probe to 1 in whose parts an edge would change something: what its `calm` and `cpu_` outputs
// tell. incoming: a byte is put in before the link with this edge.
template <class Model> void raise_probe(Model &top, bool every_clock, bool incoming)
{
    constexpr unsigned CALM_PIPELINE = 1, CALM_SOC = 2, CALM_LINK = 4;
    bool soc = every_clock || !(top.calm & CALM_SOC);
    top.clk_pipe = every_clock || !(top.calm & CALM_PIPELINE);
    top.clk_soc = soc;
    top.clk_link = every_clock || incoming || !(top.calm & CALM_LINK);
    top.clk_cpu = soc && (every_clock || !top.cpu_sleeping || top.cpu_wake);
}

template <class Model> void lower_probe(Model &top)
{
    top.clk_pipe = top.clk_soc = top.clk_link = top.clk_cpu = 0;
}

// raise: sets the probe's clocks that are to have an edge; lower: all of them to 0.
template <class Model, void (*raise)(Model &, bool every_clock), void (*lower)(Model &)>
class probed_world : public target_world<Model>
{
  public:
    explicit probed_world(const es_sim_config &settings) : target_world<Model>(settings)
    {
        top->rst = 1;
        for (int i = 0; i < 4; i++) {
            this->edge(top->clk_bus);
            probe_edge(true);
        }
        top->rst = 0;
        probe_edge(true);
        this->probe_clocks = 0;
    }

    // In the tap, rows wait for some clocks before they are in the FIFO, where `idle` sees them.
    bool idle() const override
    {
        return top->idle && !(this->started && tap_clocks_after_end < TAP_DEPTH && this->state != ES_SIM_RUNNING);
    }

  protected:
    using target_world<Model>::top;

    static constexpr unsigned TAP_DEPTH = 32; // bus clocks that surely empty tap and capture

    // One clock of the probe, without its link. Clocks of parts in which they would change nothing are left out.
    void probe_edge(bool every_clock)
    {
        raise(*top, every_clock);
        this->rise();
        lower(*top);
        this->fall();
        this->probe_clocks++;
        look_at_pins();
    }

    // A bus clock of a target that has ended: the tap goes on. One that was stopped or halted would go on itself, so it
    // gets no more than the tap needs.
    void bus_clock_after_end()
    {
        if (ticks_after_end()) {
            this->edge(top->clk_bus);
            if (tap_clocks_after_end < TAP_DEPTH)
                tap_clocks_after_end++;
        }
    }

    bool ticks_after_end() const
    {
        return this->started && this->state != ES_SIM_RUNNING &&
               ((this->state != ES_SIM_STOPPED && this->state != ES_SIM_HALTED) || tap_clocks_after_end < TAP_DEPTH);
    }

    unsigned tap_clocks_after_end = 0;

  private:
    // The pins towards the target: the one that halts it does so at once.
    void look_at_pins()
    {
        if (top->trigger != trigger_before) {
            for (unsigned pin = 0; pin < 8; pin++)
                this->pulses[pin] += top->trigger >> pin & ~trigger_before >> pin & 1;
            trigger_before = top->trigger;
        }
        if (top->halt && this->runs())
            this->state = ES_SIM_HALTED;
    }

    unsigned trigger_before = 0;
};

#endif
