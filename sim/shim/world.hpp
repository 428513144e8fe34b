// What every simulated world has in common: the target's clock, its console and end, and the log of retired
// instructions.
//
// The Verilated models differ in type but have the same target ports, so the classes here are templates over the model;
// the inner loops are compiled once per world, without indirection. Outputs of a model are looked at after the clock
// edge that changed them, that is in the clock whose number is then `cycles`.
#ifndef ES_SIM_WORLD_HPP
#define ES_SIM_WORLD_HPP

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <verilated.h>

extern "C" {
#include "probe_defs.h"
#include "sim.h"
}

#include "pins.hpp"

// One simulated world with the C API; sim.h documents the functions of the same names.
struct es_sim {
    explicit es_sim(const es_sim_config &settings) : config(settings) {}
    virtual ~es_sim() = default;
    virtual uint32_t *memory() = 0; // words: ROM, then RAM
    virtual void start() = 0;
    virtual bool hold() { return false; }
    virtual bool reset_probe() { return false; }
    virtual void step(uint64_t clocks, size_t bytes) = 0;
    virtual bool idle() const { return true; }
    virtual bool records() const { return false; }
    virtual size_t read(uint8_t *, size_t) { return 0; }
    virtual size_t write(const uint8_t *, size_t) { return 0; }
    virtual uint32_t pc() const = 0;
    virtual es_sim_core core_work() const { return {}; }
    virtual uint64_t time() const { return 0; }

    uint32_t rom_size = ES_TARGET_ROM_SIZE, ram_base = ES_TARGET_RAM_BASE, ram_size = ES_TARGET_RAM_SIZE;
    es_sim_config config;
    enum es_sim_state state = ES_SIM_RUNNING;
    bool started = false;
    uint64_t cycles = 0; // clocks out of reset that are over: the number of the clock that is now
    uint64_t probe_clocks = 0;
    uint64_t pulses[8] = {}; // by trigger pin
    int exit_code = 0;
    std::string trap; // why the target stopped: a sentence
};

// Bytes on their way, oldest first. Taking from the front is cheap however many there are.
class byte_queue
{
  public:
    bool empty() const { return first == bytes.size(); }
    size_t size() const { return bytes.size() - first; }
    uint8_t front() const { return bytes[first]; }
    void push(uint8_t byte) { bytes.push_back(byte); }
    void push(const uint8_t *more, size_t count) { bytes.insert(bytes.end(), more, more + count); }
    void pop()
    {
        if (++first == bytes.size())
            drop();
    }
    size_t pop(uint8_t *to, size_t count)
    {
        count = count < size() ? count : size();
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), count, to);
        first += count;
        if (first == bytes.size() || first >= 65536)
            drop();
        return count;
    }

  private:
    void drop()
    {
        bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(first));
        first = 0;
    }
    std::vector<uint8_t> bytes;
    size_t first = 0;
};

// Evaluating a model costs more than the work that an edge of a clock makes: several looks at all clocks, and the same
// again for the falling edge, at which nothing happens in these models. Where no input but clocks goes to anything but
// registers, only what hangs on the rising edges needs to be evaluated: ES_RISING_EDGES_ONLY says so of a model and
// names all its clocks. A model's first evaluation has to be a whole one.
template <class Model> void evaluate_rise(Model &top)
{
    top.eval();
}

template <class Model> void evaluate_fall(Model &top)
{
    top.eval();
}

// Which clock sets off each of the model's triggers, by trying. Flip-flops of foreign processors that are also reset
// asynchronously have triggers of their own, which their clock sets off too. Triggers that no clock sets off, or more
// than one (processes with lists of what they depend on), need whole evaluations: then `whole`.
template <size_t size> struct clock_triggers {
    std::array<size_t, size> clock = {};
    bool whole = false;
};

template <class Root, size_t count, size_t size>
clock_triggers<size> find_triggers(Root &root, void (*triggers)(Root *), const std::array<CData Root::*, count> &clocks,
                                   VlTriggerVec<size> &fired)
{
    std::array<CData, count> now;
    std::array<size_t, size> owners = {};
    clock_triggers<size> found;
    for (size_t i = 0; i < count; i++) {
        now[i] = root.*clocks[i];
        root.*clocks[i] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        triggers(&root);
        root.*clocks[i] = 1;
        triggers(&root);
        root.*clocks[i] = 0;
        for (size_t t = 0; t < size; t++)
            if (fired.at(t)) {
                found.clock[t] = i;
                owners[t]++;
            }
    }
    for (size_t i = 0; i < count; i++)
        root.*clocks[i] = now[i];
    for (size_t owner : owners)
        found.whole |= owner != 1;
    return found;
}

#define ES_RISING_EDGES_ONLY(model, ...) \
    void model##___024root___eval_triggers__act(model##___024root *); \
    void model##___024root___eval_nba(model##___024root *); \
    static auto &triggers_of(model &top) \
    { \
        using root = model##___024root; \
        static constexpr std::array clocks = {__VA_ARGS__}; \
        static const auto found = \
            find_triggers(*top.rootp, model##___024root___eval_triggers__act, clocks, top.rootp->__VactTriggered); \
        return found; \
    } \
    template <> void evaluate_rise(model &top) \
    { \
        using root = model##___024root; \
        static constexpr std::array clocks = {__VA_ARGS__}; \
        const auto &triggers = triggers_of(top); \
        if (triggers.whole) { \
            top.eval(); \
            return; \
        } \
        for (size_t t = 0; t < triggers.clock.size(); t++) \
            top.rootp->__VnbaTriggered.at(t) = top.rootp->*clocks[triggers.clock[t]]; \
        model##___024root___eval_nba(top.rootp); \
    } \
    template <> void evaluate_fall(model &top) \
    { \
        if (triggers_of(top).whole) \
            top.eval(); \
    }

// Whether a model has several cores: es_world_shared.
template <class Model, class = void> struct shows_cores : std::false_type {
};
template <class Model>
struct shows_cores<Model, std::void_t<decltype(std::declval<Model &>().all_rvfi_valid)>> : std::true_type {
};

// Whether a model's ports show all of what the target's bus does.
template <class Model, class = void> struct shows_bus : std::false_type {
};
template <class Model>
struct shows_bus<Model, std::void_t<decltype(std::declval<Model &>().bus_lanes + std::declval<Model &>().bus_rdata)>>
    : std::true_type {
};

template <class Model> class target_world : public es_sim
{
  public:
    explicit target_world(const es_sim_config &settings) : es_sim(settings), context(new VerilatedContext), top(nullptr)
    {
        Verilated::threadContextp(context.get());
        context->randReset(0);
        top.reset(new Model(context.get(), "top"));
        top->seed = config.seed;
        if constexpr (shows_cores<Model>::value) {
            top->cores = static_cast<CData>(config.shared.cores);
            top->ports = static_cast<CData>(config.shared.ports);
            top->wait_states = static_cast<CData>(config.shared.wait);
            top->bell_latency = static_cast<CData>(config.shared.bell);
            top->which = static_cast<CData>(config.shared.core);
        }
        top->rst_bus = 1;
        top->eval();
        for (int i = 0; i < 4; i++)
            edge(top->clk_bus);
    }
    // The model's destructor goes to the thread's current context, which may be that of another world, even of one long
    // gone.
    ~target_world() override
    {
        Verilated::threadContextp(context.get());
        top->final();
    }

    void start() override
    {
        started = true;
        cycles = 0;
        top->rst_bus = 0;
        edge(top->clk_bus); // the last clock in reset: the worlds' tops sample it
    }

    uint32_t pc() const override
    {
        if constexpr (shows_cores<Model>::value)
            return state == ES_SIM_TRAPPED ? top->all_fetch_pc[trapped_core] : top->fetch_pc;
        return top->fetch_pc;
    }

  protected:
    // One whole clock of a clock input.
    void edge(CData &clock)
    {
        clock = 1;
        rise();
        clock = 0;
        fall();
    }

    // Evaluates rising edges; falling edges only have to be noticed.
    void rise() { evaluate_rise(*top); }
    void fall() { evaluate_fall(*top); }

    bool runs() const { return started && state == ES_SIM_RUNNING; }

    // One bus clock, with the target running or not.
    void bus_clock()
    {
        if constexpr (shows_bus<Model>::value)
            if (config.on_access && top->bus_valid && top->bus_ready)
                tell_access();
        edge(top->clk_bus);
        if (!runs())
            return;
        cycles++;
        if (config.on_retired)
            log(cycles);
        if (top->attention)
            attend();
    }

    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Model> top;

    // The retire port speaks of the clock before; the bus of this one, which may already be the next instruction's
    // fetch. done: when the access on the bus is completed, if it is in this clock of the target.
    void log(uint64_t done)
    {
        if constexpr (shows_cores<Model>::value) {
            for (unsigned c = 0; c < config.shared.cores; c++) {
                if (top->all_rvfi_valid >> c & 1)
                    tell_retired(retired_of(*top, c));
                if (top->all_valid & top->all_ready & 1u << c)
                    (top->all_fetch >> c & 1 ? fetch_cycle : data_cycle)[c] = done;
            }
        } else {
            if (top->rvfi_valid)
                tell_retired(retired_of(*top));
            if (top->bus_valid && top->bus_ready)
                (top->bus_fetch ? fetch_cycle : data_cycle)[0] = done;
        }
    }

    void attend()
    {
        if constexpr (shows_cores<Model>::value) {
            for (unsigned c = 0; c < config.shared.cores; c++)
                attend(core_end(*top, c));
        } else {
            attend(core_end(*top));
        }
    }

  private:
    // The access on the bus in the clock that is about to end, as es_tap_memvalid tells it.
    void tell_access() const
    {
        bool write = top->bus_wstrb != 0;
        es_sim_access access = {};
        access.time = cycles;
        access.kind = top->bus_fetch ? ES_KIND_FETCH : write ? ES_KIND_WRITE : ES_KIND_READ;
        access.lanes = write ? top->bus_wstrb : top->bus_lanes;
        access.address = top->bus_addr & ~3u;
        access.data = write ? top->bus_wdata : top->bus_rdata;
        config.on_access(config.context, &access);
    }

    void tell_retired(es_retired retired)
    {
        retired.cycle = retired.mem_wmask || retired.mem_rmask ? data_cycle[retired.core] : cycles - 1;
        retired.fetch_cycle = fetch_cycle[retired.core];
        config.on_retired(config.context, &retired);
    }

    void attend(const core_end &core)
    {
        if (core.console_valid && config.on_console)
            config.on_console(config.context, &core.console_byte, 1);
        if (state != ES_SIM_RUNNING)
            return; // another core has ended the run in this clock
        trap = core.why(rom_size, shows_cores<Model>::value);
        if (core.exited) {
            exit_code = core.exit_code;
            state = ES_SIM_EXITED;
        } else if (!trap.empty()) {
            trapped_core = core.core;
            state = ES_SIM_TRAPPED;
        }
    }

    std::array<uint64_t, ES_SIM_CORES> fetch_cycle = {}, data_cycle = {};
    unsigned trapped_core = 0;
};

std::unique_ptr<es_sim> make_bare(const es_sim_config &config);
std::unique_ptr<es_sim> make_shared(const es_sim_config &config); // ES_SIM_BARE with cores
std::unique_ptr<es_sim> make_bytes(const es_sim_config &config);
std::unique_ptr<es_sim> make_board(const es_sim_config &config);
std::unique_ptr<es_sim> make_sram(const es_sim_config &config);
std::unique_ptr<es_sim> make_ft245(const es_sim_config &config);

#endif
