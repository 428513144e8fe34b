// Random traffic through es_probe, with scripted soft core and loader, compared clock by clock with the model in
// model.c: the bench that the files bench_*.cpp make up, built once per set of parameters (rules.mk).
#ifndef TESTS_CORE_BENCH_HPP
#define TESTS_CORE_BENCH_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "Vbench.h"

extern "C" {
#include "model.h"
#include "probe_defs.h"
}

constexpr unsigned kBusBytes = P_DATA_W / 8;
constexpr uint32_t kWindowBytes = 1u << P_WINDOW_LOG2;
constexpr uint32_t kAddressMask = P_ADDR_W == 32 ? 0xFFFFFFFFu : (1u << (P_ADDR_W % 32)) - 1;

class Random
{
  public:
    explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0x1234567u) {}
    uint32_t word()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<uint32_t>(state_ >> 16);
    }
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(static_cast<uint64_t>(word()) * n >> 32); }
    bool chance(unsigned per_mille) { return below(1000) < per_mille; }

  private:
    uint64_t state_;
};

template <typename T> void put(T &port, unsigned low, unsigned width, uint32_t value)
{
    uint64_t mask = (uint64_t{1} << width) - 1;
    port = static_cast<T>((port & ~(mask << low)) | (static_cast<uint64_t>(value) & mask) << low);
}
template <std::size_t N> void put(VlWide<N> &port, unsigned low, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++) {
        uint32_t bit = 1u << (low + i) % 32;
        port[(low + i) / 32] = (port[(low + i) / 32] & ~bit) | (value >> i & 1 ? bit : 0);
    }
}

// What a stretch of traffic is like.
struct Weather {
    unsigned tap_period, clk_period;
    unsigned traffic; // chance of an access per tap and clock
    unsigned bus_ready;
    unsigned firmware; // chance of an access of the soft core per clock
    unsigned loader;
    unsigned pop;         // chance of a pop when there is a hit
    unsigned arm;         // chance that a plane write sets a bit
    bool only_pop;        // the soft core does nothing else
    unsigned misses = 0;  // chance that the tap misses an access
    bool still = false;   // clocks that would change nothing (`calm`) are left out; the soft core sleeps now and then
    unsigned link = 1000; // chance that the link takes a byte of the recorder
    unsigned asks = 0;    // ... that the recorder is asked for something, per access of the loader
};

struct Access {
    bool active = false, write = false, check = false, fetch = false;
    uint32_t addr = 0, data = 0, expected = 0, mask = 0xFFFFFFFF;
    uint8_t lanes = 15;
};

class Bench
{
  public:
    // bench_resets.cpp; used: a probe that has been doing something, and one clock of reset must end all of it.
    explicit Bench(uint64_t seed, std::unique_ptr<Vbench> used = nullptr);
    void leave();
    ~Bench()
    {
        model_free(model_);
        recorder_model_free(recorder_);
    }
    std::unique_ptr<Vbench> release() { return std::move(top_); }

    // bench_clocks.cpp
    void run(const Weather &weather, uint64_t transactions);
    void drain();

    // bench_units.cpp
    void registers();
    void throughput();
    void compare_memory();
    void compare_idle();
    void pins();
    void stillness();
    void time_now();

    // bench_record.cpp
    void recording();
    void polls();
    void end_recording();

    uint64_t checks = 0;
    unsigned failures = 0;
    uint64_t hits = 0, tap_clocks = 0, clocks = 0;
    uint64_t stood_still[3] = {}; // clocks left out, of each part in the order of `calm`
    model *model_;
    recorder_model *recorder_ = recorder_model_new(kAddressMask);

  private:
    void fail(const char *what, uint32_t got = 0, uint32_t want = 0)
    {
        if (failures++ < 8) {
            std::printf("  %s: got 0x%x, want 0x%x (tap clock %llu, clock %llu)\n", what, got, want,
                        static_cast<unsigned long long>(tap_clocks), static_cast<unsigned long long>(clocks));
        }
    }
    void expect(const char *what, uint32_t got, uint32_t want)
    {
        checks++;
        if (got != want)
            fail(what, got, want);
    }

    // bench_clocks.cpp
    void lower(bool tap, bool clk);
    void raise(bool tap, bool clk);
    void edge(bool tap, bool clk);
    void step();
    uint32_t access_now(uint32_t addr, bool write, uint32_t data, bool by_core);

    // bench_traffic.cpp
    uint32_t hot_word();
    uint32_t place();
    uint32_t random_instruction(uint32_t addr);
    void drive_tap();
    void choose_firmware();
    void choose_loader();
    void drive_clk();

    // bench_compare.cpp
    static bool is_register(const Access &access) { return (access.addr & 0xF0000000) == ES_REG_BASE; }
    static bool is_row(const Access &access) { return (access.addr & 0xF0000000) == ES_ROWS_BASE; }
    static bool is_memory(const Access &access) { return (access.addr & 0xF0000000) == ES_MEM_BASE; }
    void unlock();
    void begin(const Access &access, Access &acked, bool by_core);
    uint32_t expected_read(const Access &access, bool by_core);
    void apply(const Access &access);
    void executed();
    void observe_events();
    void observe_clk();

    // bench_record.cpp
    void choose_recording();
    uint32_t outside();
    void shape(model_bus &bus);
    void ask(uint32_t bits);
    void observe_frame();
    void observe_recording();
    template <class Condition> void wait(const char *what, Condition &&condition);

    // bench_resets.cpp
    void fill();

    std::unique_ptr<Vbench> top_;
    Random random_;
    bool reset_again_;
    bool keep_rows_ = false;
    unsigned fetched_ = 0; // cores that have fetched something
    Weather weather_ = {2, 2, 0, 1000, 0, 0, 0, 0, false};
    uint64_t now_ = 0, next_tap_ = 0, next_clk_ = 0, left_ = 0;
    unsigned spacing_ = 0;
    bool in_turn_ = false; // at most one tap has a transaction in a clock
    std::deque<model_hit> queue_;
    Access firmware_, acked_, loader_, loader_acked_, register_;
    bool register_by_core_ = false;
    bool just_locked_ = false, lock_pending_ = false, clear_pending_ = false, unknown_ = false, quiet_ = false,
         wrote_ = false;
    bool running_ = false; // the soft core is out of reset
    bool mail_full_ = false;
    uint32_t mail_ = 0;
    unsigned age_ = 0;  // clocks that the head of the hit queue has been there
    uint32_t cell_ = 0; // its cell, from the rows of its first clock
    bool popped_ = false;
    uint32_t time_high_ = 0;
    uint16_t flags_ = 0, sequence_ = 0;
    std::deque<uint32_t> pushes_; // words that go to the event queue, from this clock on
    bool ends_ = false, ends_next_ = false;
    bool recording_ = false, polls_ = false;
    std::vector<uint32_t> memory_ = std::vector<uint32_t>(kWindowBytes / 4); // the target's, as far as it is its own
    uint32_t input_ = 0, input_step_ = 0;
    unsigned frame_bytes_ = 0, frame_size_ = 0, frame_number_ = 0;
    uint64_t events_free_ = 0; // clock from which on REG_EV_* may be written again, and hits popped
};

#endif
