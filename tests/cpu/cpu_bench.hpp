// Test bench of es_cpu: feeds it one instruction per fetch, of 16 or 32 bits, plays its memory, and compares every retired instruction
// with the model. Also checked in every clock: the bus protocol, and the clocks per instruction against
// interface/cpu_cycles.def.
#ifndef CPU_BENCH_HPP
#define CPU_BENCH_HPP

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "Vcpu.h"
#include "rv32_model.h"
#include "rv32c_model.h"
#include "verilated.h"

// xorshift64*: the same sequence everywhere.
class Random
{
  public:
    explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    uint32_t word();
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(static_cast<uint64_t>(word()) * n >> 32); }
    bool one_in(uint32_t n) { return below(n) == 0; }

  private:
    uint64_t state_;
};

// Class name to clocks, as interface/cpu_cycles.def says.
std::map<std::string, unsigned> read_cycles(const char *path);

class Bench
{
  public:
    static constexpr uint32_t reset_pc = 0x00000100;
    static constexpr uint32_t nop = 0x00000013;

    Bench(const std::map<std::string, unsigned> &cycles, uint64_t seed);
    ~Bench();

    void reset();
    void clock();
    // Runs `words` in order, then nops until all have retired.
    void run(const std::deque<uint32_t> &words);
    // Runs until `count` more instructions have retired, or the core stops or fails.
    void run_random(uint64_t count);

    // A word of which only 16 bits are an instruction.
    static bool is_short(uint32_t word) { return COMPRESSED && (word & 3) != 3; }

    bool ok() const { return failures_ == 0; }
    bool stopped() const { return top_->trapped; }
    void fail(const char *what, uint64_t got, uint64_t want);

    // What the world outside does, in every clock.
    unsigned max_wait = 0;                 // acks come 0 to this many clocks late
    std::function<bool()> wake;            // unset: low
    std::function<uint32_t()> irq;         // bits of mip; unset: none
    std::function<uint32_t(Bench &)> insn; // next instruction when the queue is empty; unset: nop

    rv32 model;
    Random random;
    uint64_t retired = 0, clocks = 0, fetch_clocks = 0;
    uint64_t interrupts = 0, external_interrupts = 0; // taken: the timer's, others
    std::map<std::string, uint64_t> by_name;          // retired, the short forms also by their own
    uint64_t by_class[RV32_CLASSES] = {};             // clocks taken without waits
    rv32_effect last = {};                            // what the last retired instruction did

    Vcpu *top() { return top_.get(); }

  private:
    void check_request();
    void check_retired();
    void check_cycles();
    uint32_t next_insn();
    uint32_t memory_read(uint32_t address) const;
    uint32_t in_lanes(uint32_t word);

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vcpu> top_;
    std::map<std::string, unsigned> cycles_;
    std::deque<uint32_t> queue_;
    uint8_t memory_[RV32_MEM_SIZE];
    unsigned failures_ = 0;
    // one outstanding request
    bool pending_ = false, pending_fetch_ = false;
    unsigned wait_ = 0;
    uint32_t pending_rdata_ = 0, fetch_addr_ = 0;
    // data request of the instruction in execution
    bool data_seen_ = false;
    uint32_t data_addr_ = 0, data_wstrb_ = 0, data_lanes_ = 0, data_wdata_ = 0;
    // instruction in execution
    bool fed_ = false;
    uint32_t word_ = 0;
    uint64_t order_ = 0;
    bool expect_intr_ = false;
    uint32_t irq_now_ = 0, irq_before_ = 0;
    // clocks of the instruction between its fetch request and the next one
    uint64_t request_clock_ = 0, last_request_clock_ = 0, waits_ = 0, waits_taken_ = 0;
    bool cycles_valid_ = false;
    unsigned cycles_expected_ = 0;
    int cycles_class_ = -1;
};

#endif
