// es_follow on PicoRV32's bus against the processor's own retire port: random programs, full of branches over few
// instructions, with random wait states and interrupts. What both tell is the same, one for one, in order; where the
// follower tells a loss, at most that many fetches may be missing. Usage: follow_bench [programs]; seed in ES_SEED.
#include "Vfollow.h"
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <vector>

namespace
{

constexpr unsigned size = 0x10000, code_end = 0x6000, handler = 0x10, start = 0x200;
constexpr int clocks = 24000; // of a program
enum : unsigned { read_kind, write_kind, fetch_kind, mark_kind };

std::mt19937 rng;
unsigned pick(unsigned n)
{
    return static_cast<unsigned>(rng() % n);
}

struct Record {
    unsigned kind, lanes;
    uint32_t addr, data;
    bool operator==(const Record &other) const
    {
        uint32_t seen = 0; // the bus does not say which bytes are read: the follower has them all
        for (unsigned i = 0; i < 4; i++)
            seen |= other.lanes >> i & 1 ? 0xFFu << 8 * i : 0;
        return kind == other.kind && addr == other.addr && !((data ^ other.data) & seen) &&
               (kind == read_kind || lanes == other.lanes);
    }
};

// ---- programs ----
uint32_t branch_by(int offset, unsigned funct3, unsigned rs1, unsigned rs2)
{
    unsigned u = static_cast<unsigned>(offset);
    return (u >> 12 & 1) << 31 | (u >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (u >> 1 & 15) << 8 |
           (u >> 11 & 1) << 7 | 0x63;
}

uint32_t jump_by(int offset, unsigned rd)
{
    unsigned u = static_cast<unsigned>(offset);
    return (u >> 20 & 1) << 31 | (u >> 1 & 1023) << 21 | (u >> 11 & 1) << 20 | (u >> 12 & 255) << 12 | rd << 7 | 0x6F;
}

// x1 and x5 are code addresses, x8 one of data; all others are anything
unsigned any()
{
    static const unsigned registers[] = {0, 2, 3, 4, 6, 7, 9, 10, 11, 12};
    return registers[pick(10)];
}

uint32_t instruction(bool irq)
{
    static const unsigned compare[] = {0, 1, 4, 5, 6, 7}, widths[] = {0, 1, 2, 4, 5};
    unsigned rd = any(), rs1 = any(), rs2 = any(), width = widths[pick(5)];
    unsigned place = pick(16) * 4 + (width & 3 ? (width & 3) == 1 ? pick(2) * 2 : 0 : pick(4));
    int near = static_cast<int>(pick(8)) * 4 - (pick(4) ? 0 : 16);
    switch (pick(irq ? 26 : 23)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: return branch_by(pick(2) ? 8 : near == -4 ? 4 : near, compare[pick(6)], rs1, pick(3) ? rs2 : rs1);
    case 5: return jump_by(static_cast<int>(pick(200)) * 4 - 300, pick(2));
    case 6: return jump_by(pick(2) ? 8 : 4, pick(2));
    case 7:
    case 8: // jalr: to where x5 (of auipc) or x1 leads
        return (pick(24) * 4 & 0xFFF) << 20 | 5 << 15 | pick(2) << 7 | 0x67;
    case 9: return 1 << 15 | 0x67;
    case 10:
    case 11: return 5 << 7 | 0x17;
    case 12:
    case 13:
    case 14: return place << 20 | 8 << 15 | width << 12 | rd << 7 | 0x03;
    case 15:
    case 16:
    case 17: width &= 3; return rs2 << 20 | 8 << 15 | width << 12 | (place & 31) << 7 | (place >> 5) << 25 | 0x23;
    case 18: // multiplication, division
        return 1u << 25 | rs2 << 20 | rs1 << 15 | pick(8) << 12 | rd << 7 | 0x33;
    case 19: // shifts
        return rs2 << 20 | rs1 << 15 | (pick(2) ? 1u : 5u) << 12 | rd << 7 | 0x33;
    case 20: return 0xC0002073 | rd << 7;                         // rdcycle
    case 23: return pick(4) ? 0x0800400Bu | rd << 7 : 0x00100073; // waitirq, ebreak
    case 24: return 0x0000400B | rd << 7 | pick(2) << 15;         // getq
    default: return pick(4096) << 20 | rs1 << 15 | (pick(2) ? 0u : 4u) << 12 | rd << 7 | 0x13;
    }
}

std::vector<uint32_t> program(bool irq)
{
    std::vector<uint32_t> memory(size / 4);
    for (auto &word : memory)
        word = static_cast<uint32_t>(rng());
    for (unsigned at = start; at < code_end; at += 4)
        memory[at / 4] = instruction(irq);
    for (unsigned at = code_end; at < code_end + 0x1000; at += 4) // what runs beyond the end
        memory[at / 4] = jump_by(static_cast<int>(start - at), 0);
    for (unsigned at = 0; at < start; at += 4)
        memory[at / 4] = 0x13;
    unsigned at = 0;
    memory[at++] = jump_by(0x100, 0);
    for (at = handler / 4; at < 0x20; at++) { // nothing that goes far, or takes a trap
        uint32_t insn = instruction(false);
        bool far = (insn & 0x7F) == 0x67 || (insn & 0x7F) == 0x6F || ((insn & 0x7F) == 0x63 && insn >> 31);
        memory[at] = far || (insn & 0x7F) == 0x17 ? 0x13 : insn;
    }
    for (; at < 0x28; at++)
        memory[at] = 0x0400000B; // retirq
    at = 0x100 / 4;
    memory[at++] = 0x00008437; // x8: data
    memory[at++] = 0x00000297; // x5, x1: code
    memory[at++] = 0x20028093; // addi x1,x5,0x200
    memory[at++] = 0x0600600B; // maskirq x0,x0
    memory[at] = jump_by(static_cast<int>(start - at * 4), 0);
    if (!irq)
        memory[at - 1] = 0x13;
    return memory;
}

template <class Wide> Record record_of(const Wide &wide, unsigned slot)
{
    auto field = [&](unsigned from, unsigned bits) {
        uint64_t value = 0;
        for (unsigned i = 0; i < bits; i++)
            value |= static_cast<uint64_t>(wide[(from + i) / 32] >> (from + i) % 32 & 1) << i;
        return static_cast<uint32_t>(value);
    };
    unsigned base = slot * 71;
    return {field(base + 1, 2), field(base + 67, 4), field(base + 3, 32), field(base + 35, 32)};
}

struct Totals {
    unsigned long fetches = 0, accesses = 0, lost = 0, marks = 0, interrupts = 0, left_out = 0;
};

// Both streams: equal, but for what is told as missed. Returns false with a message when they are not.
class Compare
{
  public:
    explicit Compare(bool late) : synchronised(!late) {}
    void told(const Record &one) { followed.push_back(one); }
    void done(const Record &one) { retired.push_back(one); }
    bool step(Totals &totals)
    {
        while (!followed.empty() && followed.front().kind == mark_kind) {
            if (followed.front().lanes != 1)
                return say("a mark that is none", followed.front());
            credit++, totals.marks++;
            followed.pop_front();
        }
        if (!synchronised) { // attached late: with the first fetch that is told, before it retires
            while (!followed.empty() && followed.front().kind != fetch_kind)
                followed.pop_front();
            retired.clear();
            synchronised = !followed.empty();
            credit = 0;
            return true;
        }
        while (followed.size() > 8 && retired.size() > 8) {
            if (followed.front().kind == mark_kind)
                return true;
            if (!(followed.front() == retired.front())) {
                if (credit == 0 || retired.front().kind != fetch_kind)
                    return say("different", followed.front()), say("... retired", retired.front());
                credit--, totals.lost++;
                retired.pop_front();
                continue;
            }
            if (followed.front().kind == fetch_kind) {
                totals.fetches++;
                totals.interrupts += followed.front().addr == handler;
            } else
                totals.accesses++;
            followed.pop_front(), retired.pop_front();
        }
        return followed.size() < 64 || say("far ahead", followed.front());
    }
    bool ends() const { return retired.size() < 64; }

  private:
    static bool say(const char *what, const Record &one)
    {
        printf("%s: kind %u lanes %x at %08x data %08x\n", what, one.kind, one.lanes, one.addr, one.data);
        return false;
    }
    std::deque<Record> followed, retired;
    unsigned credit = 0;
    bool synchronised;
};

// ready or not in each clock: by the program, always, often, seldom, or in stretches
bool ready_now(unsigned mode, bool &stretch)
{
    if (mode == 0)
        return true;
    if (mode == 1)
        return pick(4) != 0;
    if (mode == 2)
        return pick(4) == 0;
    if (pick(20) == 0)
        stretch = !stretch;
    return stretch || pick(3) == 0;
}

bool run(Vfollow &core, unsigned number, bool irq, Totals &totals)
{
    std::vector<uint32_t> memory = program(irq);
    unsigned mode = number % 4;
    bool late = number % 8 == 5, stretch = true;
    int attached = late ? 500 + static_cast<int>(pick(500)) : 0;
    Compare compare(late);
    for (int clock = 0; clock < clocks; clock++) {
        core.target_rst = clock < 4;
        core.rst = late ? clock < attached : clock < 2;
        core.sees_reset = !late;
        core.irq = irq && pick(60) == 0 ? 8 : 0;
        core.mem_ready = ready_now(mode, stretch);
        core.mem_rdata = memory[core.mem_addr % size / 4];
        core.eval();
        if (clock >= attached) {
            for (unsigned slot = 0; slot < 3; slot++)
                if (core.retired[slot * 71 / 32] >> slot * 71 % 32 & 1)
                    compare.done(record_of(core.retired, slot));
            if (core.followed[0] & 1)
                compare.told(record_of(core.followed, 0));
            if (!compare.step(totals)) {
                printf("program %u, clock %d\n", number, clock);
                return false;
            }
        }
        totals.left_out += core.mem_valid && core.mem_ready && core.mem_instr;
        bool writes = core.mem_valid && core.mem_ready && core.mem_wstrb && clock >= 4;
        uint32_t &word = memory[core.mem_addr % size / 4];
        uint32_t data = core.mem_wdata, strobes = core.mem_wstrb;
        core.clk = 1;
        core.eval();
        if (writes)
            for (unsigned i = 0; i < 4; i++)
                if (strobes >> i & 1)
                    word = (word & ~(0xFFu << 8 * i)) | (data & 0xFFu << 8 * i);
        core.clk = 0;
        core.eval();
        if (core.trap) {
            printf("program %u stops at clock %d, address %08x\n", number, clock, core.mem_addr);
            return false;
        }
    }
    if (!compare.ends()) {
        printf("program %u: the follower tells no more\n", number);
        return false;
    }
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    unsigned long programs = argc > 1 ? strtoul(argv[1], nullptr, 0) : 300;
    const char *seed_text = getenv("ES_SEED");
    unsigned long seed = seed_text ? strtoul(seed_text, nullptr, 0) : 1;
    int failed = 0;
    Totals totals;
    auto core = std::make_unique<Vfollow>();
    for (unsigned number = 0; number < programs && !failed; number++) {
        rng.seed(static_cast<unsigned>(seed * 1000003 + number));
        failed += !run(*core, number, ES_IRQ, totals);
    }
    printf("%s: seed %lu, %lu programs: %lu instructions and %lu accesses the same, %lu interrupts, %lu fetches on the "
           "bus, "
           "%lu told as missed (%lu of them executed)\n",
           ES_NAME, seed, programs, totals.fetches, totals.accesses, totals.interrupts, totals.left_out, totals.marks,
           totals.lost);
    if (totals.fetches < programs * 1000 || (!ES_IRQ && totals.lost) || totals.lost * 100 > totals.fetches) {
        printf("too few, or too many of them missed\n");
        failed++;
    }
    printf("%d passed, %d failed\n", !failed, failed);
    return failed != 0;
}
