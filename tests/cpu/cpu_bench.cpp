#include "cpu_bench.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

uint32_t Random::word()
{
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<uint32_t>(state_ * 0x2545f4914f6cdd1du >> 32);
}

std::map<std::string, unsigned> read_cycles(const char *path)
{
    std::map<std::string, unsigned> cycles;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string name;
        unsigned clocks;
        if (words >> name >> clocks)
            cycles[name] = clocks;
    }
    return cycles;
}

static const char *const class_names[RV32_CLASSES] = {"alu",  "shift", "auipc", "load", "store", "branch", "jal",
                                                      "jalr", "wfi",   "csr",   "mret", "mul",   "div",    "system"};

Bench::Bench(const std::map<std::string, unsigned> &cycles, uint64_t seed)
    : random(seed), context_(new VerilatedContext), cycles_(cycles)
{
    context_->randReset(2); // no help from registers that happen to start at 0
    context_->randSeed(static_cast<int>(seed & 0x7fffffff) + 1);
    top_.reset(new Vcpu(context_.get()));
    std::memset(&model, 0, sizeof model);
    model.has = (TRAPS ? RV32_TRAPS : 0u) | (COMPRESSED ? RV32_COMPRESSED : 0u) | (MULDIV ? RV32_MULDIV : 0u);
    for (unsigned i = 0; i < RV32_MEM_SIZE; i++)
        model.mem[i] = memory_[i] = static_cast<uint8_t>(random.word());
    top_->clk = 0;
    top_->put = 0; // nobody works beside it
    reset();
}

Bench::~Bench()
{
    top_->final();
}

void Bench::fail(const char *what, uint64_t got, uint64_t want)
{
    if (failures_++ < 4)
        std::printf("  %s: got %" PRIx64 ", want %" PRIx64 " (clock %" PRIu64 ", instruction %" PRIu64
                    ", pc %08x, word %08x, %s)\n",
                    what, got, want, clocks, retired, last.pc, word_, last.insn ? last.insn->name : "illegal");
}

void Bench::reset()
{
    top_->rst = 1;
    top_->ack = 0;
    for (int i = 0; i < 2; i++) {
        top_->clk = 0;
        top_->eval();
        if (i == 1 && (top_->req || top_->trapped || top_->sleeping || top_->rvfi_valid))
            fail("active in reset", top_->req, 0);
        top_->clk = 1;
        top_->eval();
    }
    top_->rst = 0;
    rv32_reset(&model, reset_pc);
    pending_ = fed_ = expect_intr_ = cycles_valid_ = data_seen_ = false;
    order_ = waits_ = 0;
}

uint32_t Bench::memory_read(uint32_t address) const
{
    const uint8_t *p = memory_ + address % RV32_MEM_SIZE / 4 * 4;
    return p[0] | p[1] << 8 | p[2] << 16 | static_cast<uint32_t>(p[3]) << 24;
}

uint32_t Bench::next_insn()
{
    if (!queue_.empty()) {
        uint32_t word = queue_.front();
        queue_.pop_front();
        return word;
    }
    return insn ? insn(*this) : nop;
}

// A request in this clock: allowed, and what the contract says it is?
void Bench::check_request()
{
    if (pending_ || top_->sleeping || top_->trapped)
        fail("request while one is open, asleep or stopped", 1, 0);
    unsigned middle = COMPRESSED && top_->req_fetch ? top_->req_addr & 2 : 0;
    if (top_->req_addr & 3 & ~middle)
        fail("request address", top_->req_addr, top_->req_addr & ~3u);
    if (top_->req_wstrb != 0 && top_->req_wstrb != top_->req_lanes)
        fail("write strobes are not the lanes", top_->req_wstrb, top_->req_lanes);
    pending_ = true;
    pending_fetch_ = top_->req_fetch;
    wait_ = max_wait ? random.below(max_wait + 1) : 0;
    if (top_->req_fetch) {
        unsigned lanes = middle ? 12 : 15;
        if (top_->req_lanes != lanes || top_->req_wstrb != 0)
            fail("lanes of a fetch", top_->req_lanes << 4 | top_->req_wstrb, lanes << 4);
        fetch_addr_ = top_->req_addr;
        last_request_clock_ = request_clock_;
        request_clock_ = clocks;
        waits_taken_ = waits_;
        waits_ = 0;
        return;
    }
    if (data_seen_)
        fail("second data request", 1, 0);
    data_seen_ = true;
    data_addr_ = top_->req_addr;
    data_wstrb_ = top_->req_wstrb;
    data_lanes_ = top_->req_lanes;
    data_wdata_ = top_->req_wdata;
    pending_rdata_ = memory_read(data_addr_);
    for (unsigned i = 0; i < 4; i++)
        if (data_wstrb_ >> i & 1)
            memory_[(data_addr_ + i) % RV32_MEM_SIZE] = static_cast<uint8_t>(data_wdata_ >> 8 * i);
}

void Bench::clock()
{
    if (top_->rvfi_valid)
        check_retired();

    bool ack = pending_ && wait_ == 0;
    if (pending_ && !ack) {
        wait_--;
        waits_++;
    }
    top_->ack = ack;
    top_->rdata = random.word();
    top_->rdata_early = random.word();
    top_->insn = random.word(); // only the acknowledged clock's data counts
    if (ack) {
        if (pending_fetch_) {
            check_cycles();
            if (fed_)
                fail("fetch before the last instruction retired", 1, 0);
            if (fetch_addr_ != model.pc)
                fail("fetch address", fetch_addr_, model.pc);
            fetch_clocks++;
            fed_ = true;
            word_ = next_insn();
            if (is_short(word_))
                word_ &= 0xffff;
            data_seen_ = false;
        }
        if (pending_fetch_) {
            top_->insn = in_lanes(word_);
        } else { // each bit in one of the two parts, or in both
            uint32_t early = random.word();
            top_->rdata_early = pending_rdata_ & early;
            top_->rdata = pending_rdata_ & (~early | random.word());
        }
    }
    irq_before_ = irq_now_;
    irq_now_ = irq ? irq() : 0;
    top_->irq_timer = (irq_now_ & RV32_MTI) != 0;
    top_->irq_external = (irq_now_ & RV32_MEI) != 0;
    top_->wake = wake && wake();
    top_->clk = 0;
    top_->eval();
    if (ack)
        pending_ = false;
    if (top_->sleeping && !top_->wake && !(irq_now_ & model.mie))
        waits_++;
    if (top_->req)
        check_request();
    top_->clk = 1;
    top_->eval();
    clocks++;
}

// An instruction as memory gives it: each byte in the lane of its address, and whatever comes after a short one.
uint32_t Bench::in_lanes(uint32_t word)
{
    if (is_short(word))
        word |= random.word() << 16;
    return fetch_addr_ & 2 ? word << 16 | word >> 16 : word;
}

// Clocks from the last instruction's fetch request to this one's.
void Bench::check_cycles()
{
    if (!cycles_valid_)
        return;
    cycles_valid_ = false;
    uint64_t taken = request_clock_ - last_request_clock_ - waits_taken_;
    if (taken != cycles_expected_)
        fail("clocks", taken, cycles_expected_);
    if (cycles_class_ >= 0)
        by_class[cycles_class_] += taken;
}

void Bench::check_retired()
{
    if (!fed_)
        fail("retired without a fetch", 1, 0);
    fed_ = false;
    retired++;

    // mip is read in EXEC, two clocks before rvfi_valid for a CSR instruction; interrupts are looked at in the clock
    // before.
    model.mip = irq_before_;
    rv32_step(&model, word_, &last);
    model.mip = irq_now_;
    const rv32_effect &e = last;

    struct {
        const char *what;
        uint64_t got, want;
    } checks[] = {
        {"order", top_->rvfi_order, order_++},
        {"insn", top_->rvfi_insn, word_},
        {"pc_rdata", top_->rvfi_pc_rdata, e.pc},
        {"pc_wdata", top_->rvfi_pc_wdata, e.next_pc},
        {"trap", top_->rvfi_trap, e.trap},
        {"halt", top_->rvfi_halt, e.halt},
        {"trapped", top_->trapped, e.halt && !TRAPS},
        {"intr", top_->rvfi_intr, expect_intr_},
        {"mode, ixl", static_cast<uint64_t>(top_->rvfi_mode << 2 | top_->rvfi_ixl), 13},
        {"rd", top_->rvfi_rd_addr, e.rd},
        {"rd value", top_->rvfi_rd_wdata, e.rd_value},
        {"rs1", top_->rvfi_rs1_addr, e.trap ? top_->rvfi_rs1_addr : e.rs1},
        {"rs2", top_->rvfi_rs2_addr, e.trap ? top_->rvfi_rs2_addr : e.rs2},
        {"rs1 value", top_->rvfi_rs1_rdata, e.trap ? top_->rvfi_rs1_rdata : e.rs1_value},
        {"rs2 value", top_->rvfi_rs2_rdata, e.trap ? top_->rvfi_rs2_rdata : e.rs2_value},
        {"rmask", top_->rvfi_mem_rmask, e.rmask},
        {"wmask", top_->rvfi_mem_wmask, e.wmask},
        {"data request", data_seen_, (e.rmask | e.wmask) != 0},
    };
    for (const auto &c : checks)
        if (c.got != c.want)
            fail(c.what, c.got, c.want);

    if (e.rmask | e.wmask) {
        if (top_->rvfi_mem_addr != e.mem_addr || data_addr_ != e.mem_addr)
            fail("memory address", top_->rvfi_mem_addr, e.mem_addr);
        if (data_lanes_ != (e.rmask | e.wmask) || data_wstrb_ != e.wmask)
            fail("lanes", data_lanes_ << 4 | data_wstrb_, (e.rmask | e.wmask) << 4 | e.wmask);
        if (e.rmask && top_->rvfi_mem_rdata != e.rdata)
            fail("memory data read", top_->rvfi_mem_rdata, e.rdata);
        for (unsigned i = 0; i < 4; i++) {
            uint32_t want = e.wdata >> 8 * i & 0xff;
            if (e.wmask >> i & 1 &&
                ((top_->rvfi_mem_wdata >> 8 * i & 0xff) != want || (data_wdata_ >> 8 * i & 0xff) != want))
                fail("memory data written", top_->rvfi_mem_wdata, e.wdata);
        }
        if (memory_read(e.mem_addr) != rv32_load_word(&model, e.mem_addr))
            fail("memory", memory_read(e.mem_addr), rv32_load_word(&model, e.mem_addr));
    }

    expect_intr_ = e.trap;
    cycles_valid_ = !e.halt;
    cycles_class_ = -1;
    if (e.trap) {
        bool go_to = e.insn && (e.insn->class_ == RV32_JAL || e.insn->class_ == RV32_BRANCH);
        cycles_expected_ = cycles_.at(go_to ? "exception_goto" : "exception");
        return;
    }
    by_name[e.insn->name]++;
    if (e.compressed)
        by_name[e.compressed->name]++;
    cycles_expected_ = cycles_.at(class_names[e.insn->class_]);
    if (rv32_irq(&model)) {
        rv32_interrupt(&model);
        (model.mcause & 0x7fffffff) == 11 ? external_interrupts++ : interrupts++;
        expect_intr_ = true;
        cycles_expected_ += cycles_.at("interrupt");
        cycles_valid_ = model.mtvec != 0;
    } else
        cycles_class_ = e.insn->class_;
}

void Bench::run(const std::deque<uint32_t> &words)
{
    uint64_t end = retired + words.size();
    queue_ = words;
    for (unsigned patience = 0; ok() && !stopped() && retired < end && patience < 100000; patience++)
        clock();
    if (stopped())
        clock(); // the last instruction's retirement shows with the stop
    if (ok() && retired < end && !stopped())
        fail("instructions retired", retired, end);
    queue_.clear();
}

void Bench::run_random(uint64_t count)
{
    run(std::deque<uint32_t>());
    uint64_t end = retired + count, limit = clocks + count * (20 + 10 * max_wait);
    while (ok() && !stopped() && retired < end && clocks < limit)
        clock();
    if (stopped())
        clock();
    if (clocks >= limit)
        fail("clocks for so many instructions", clocks, limit);
}
