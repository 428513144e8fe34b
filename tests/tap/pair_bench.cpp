// Two taps of a retire port that tells two instructions in a clock, against what the instructions have done, one after the
// other: what comes to the FIFO are their fetches and accesses, in that order, with the time of their clock. What is lost,
// because more comes than can leave, is counted in its place.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>

#include "Vpair.h"
#include "probe_defs.h"
#include "verilated.h"

namespace
{

struct Told {
    uint32_t time, kind, addr, lanes, data; // of the data, the bytes in its lanes
};

struct Instruction {
    bool trapped, is_short;
    uint32_t pc, insn, address, reads, writes; // bytes from the address on, a bit for each
    uint32_t read, written;
};

Vpair top;
std::mt19937 draw;
std::deque<Told> due; // has been retired, and is neither in the FIFO nor lost
unsigned told, lost, pairs, wrong;

bool chance(unsigned percent)
{
    return draw() % 100 < percent;
}

// Some instruction that a processor may retire: compressed or not, anywhere; what it accesses may cross a word's end, or be
// read and written by an atomic one; with a trap (an interrupt displaces it, or it is an illegal one) it has accessed nothing.
Instruction some_instruction()
{
    Instruction made = {};
    made.is_short = chance(40);
    made.pc = (draw() % 0x8000) & ~1u;
    made.insn = made.is_short ? (draw() & 0xFFFC) | draw() % 3 : draw() | 3;
    made.trapped = chance(8);
    made.address = draw() % 0x20000;
    made.read = draw();
    made.written = draw();
    uint32_t bytes = chance(40) ? 15 : chance(50) ? 3 : 1;
    unsigned what = draw() % 8;
    if (what < 2) {
        made.reads = bytes;
    } else if (what < 4) {
        made.writes = bytes;
    } else if (what == 4) {
        made.address &= ~3u;
        made.reads = made.writes = 15;
    }
    return made;
}

// Its bytes in memory, word by word, as they were read or written.
void access(uint32_t time, uint32_t kind, uint32_t address, uint32_t bytes, uint32_t value)
{
    Told word = {time, kind, 0, 0, 0};
    for (unsigned i = 0; i < 4 && bytes >> i; i++) {
        uint32_t at = address + i;
        if (word.lanes && at / 4 != word.addr) {
            due.push_back(word);
            word.lanes = word.data = 0;
        }
        word.addr = at / 4;
        word.lanes |= 1u << (at % 4);
        word.data |= (value >> (8 * i) & 0xFF) << (8 * (at % 4));
    }
    if (word.lanes)
        due.push_back(word);
}

void retired(uint32_t time, const Instruction &it)
{
    bool upper = it.pc & 2;
    Told fetch = {time, ES_KIND_FETCH, it.pc / 4, upper ? 12u : it.is_short ? 3u : 15u, it.insn};
    if (upper) // the other half is the next word's: any lanes
        fetch.data = it.insn << 16 | it.insn >> 16;
    due.push_back(fetch);
    if (it.trapped)
        return;
    access(time, ES_KIND_READ, it.address, it.reads, it.read);
    access(time, ES_KIND_WRITE, it.address, it.writes, it.written);
}

void put(unsigned channel, const Instruction &it)
{
    auto set = [channel](uint64_t &wires, uint32_t value) {
        wires = (wires & ~(0xFFFFFFFFull << (32 * channel))) | static_cast<uint64_t>(value) << (32 * channel);
    };
    auto mask = [channel](uint8_t &wires, uint32_t value) {
        wires = static_cast<uint8_t>((wires & ~(15u << (4 * channel))) | value << (4 * channel));
    };
    uint64_t insn = top.rvfi_insn, pc = top.rvfi_pc_rdata, at = top.rvfi_mem_addr, read = top.rvfi_mem_rdata,
             written = top.rvfi_mem_wdata;
    uint8_t reads = top.rvfi_mem_rmask, writes = top.rvfi_mem_wmask;
    set(insn, it.insn);
    set(pc, it.pc);
    set(at, it.address);
    set(read, it.read);
    set(written, it.written);
    mask(reads, it.reads);
    mask(writes, it.writes);
    top.rvfi_insn = insn;
    top.rvfi_pc_rdata = pc;
    top.rvfi_mem_addr = at;
    top.rvfi_mem_rdata = read;
    top.rvfi_mem_wdata = written;
    top.rvfi_mem_rmask = reads;
    top.rvfi_mem_wmask = writes;
    top.rvfi_valid = static_cast<uint8_t>(top.rvfi_valid | 1u << channel);
    top.rvfi_trap = static_cast<uint8_t>((top.rvfi_trap & ~(1u << channel)) | (it.trapped ? 1u : 0u) << channel);
}

void complain(const char *what, uint32_t got, uint32_t want)
{
    if (wrong++ < 10)
        std::printf("record %u: %s 0x%x, not 0x%x\n", told, what, got, want);
}

uint32_t bytes_of(uint32_t data, uint32_t lanes)
{
    uint32_t kept = 0;
    for (unsigned i = 0; i < 4; i++)
        kept |= lanes >> i & 1 ? data & 0xFFu << (8 * i) : 0;
    return kept;
}

void written()
{
    if (top.wr_kind == ES_KIND_MARK) {
        if (top.wr_lanes == ES_MARK_GAP_FIRST) {
            if (top.wr_data == 0 || top.wr_data > due.size())
                complain("lost", top.wr_data, static_cast<uint32_t>(due.size()));
            else if (top.wr_time != due.front().time)
                complain("time of the first lost one", top.wr_time, due.front().time);
            for (uint32_t i = 0; i < top.wr_data && !due.empty(); i++, lost++)
                due.pop_front();
        }
        return;
    }
    if (due.empty()) {
        complain("something that was not retired, at", top.wr_addr, 0);
        return;
    }
    Told want = due.front();
    uint32_t lanes = want.kind == ES_KIND_FETCH ? 15 : want.lanes;
    due.pop_front();
    told++;
    if (top.wr_time != want.time)
        complain("time", top.wr_time, want.time);
    if (top.wr_kind != want.kind)
        complain("kind", top.wr_kind, want.kind);
    if (top.wr_addr != want.addr)
        complain("address", top.wr_addr, want.addr);
    if (top.wr_lanes != want.lanes)
        complain("lanes", top.wr_lanes, want.lanes);
    if (bytes_of(top.wr_data, lanes) != bytes_of(want.data, lanes))
        complain("data", top.wr_data, want.data);
}

// busy: percent of clocks in which something retires; both: of these, with two; slow: percent of clocks in which the FIFO is read
void run(unsigned clocks, unsigned busy, unsigned both, unsigned slow)
{
    static uint32_t time;
    static unsigned held;

    for (unsigned i = 0; i < clocks; i++) {
        top.rvfi_valid = 0;
        if (chance(busy)) {
            bool two = chance(both), second = chance(20); // a single one may stand in either channel
            for (unsigned channel = 0; channel < 2; channel++) {
                if (!two && channel != (second ? 1u : 0u))
                    continue;
                Instruction it = some_instruction();
                put(channel, it);
                retired(time, it);
            }
            pairs += two;
        }
        top.wr_room = static_cast<uint8_t>(32 - held);
        top.clk = 0;
        top.eval();
        if (top.wr_en) {
            written();
            held++;
        }
        if (held && chance(slow))
            held--;
        top.clk = 1;
        top.eval();
        time++;
        if (wrong > 50)
            return;
    }
}

unsigned check(const char *name, bool good)
{
    if (!good)
        std::printf("FAIL %s: %u told, %u lost, %zu neither, %u wrong\n", name, told, lost, due.size(), wrong);
    return good ? 0 : 1;
}

} // namespace

int main()
{
    unsigned failed = 0;
    const char *seed = std::getenv("EARSHOT_SEED");

    draw.seed(seed ? static_cast<unsigned>(std::atol(seed)) : 1);
    top.rst = 1;
    top.clk = 0;
    top.eval();
    top.clk = 1;
    top.eval();
    top.rst = 0;
    run(200000, 12, 60, 100); // less than what can leave
    run(100, 0, 0, 100);
    failed += check("nothing is lost", !wrong && !lost && due.empty() && told > 50000 && pairs > 10000);
    unsigned before = pairs;
    run(200000, 60, 60, 90); // more
    run(1000, 0, 0, 100);
    failed += check("what is lost is counted", !wrong && lost > 10000 && due.empty() && pairs - before > 50000);
    std::printf("two instructions in a clock, %u times: %u transactions in order, %u counted as lost\n", pairs, told,
                lost);
    std::printf("%u passed, %u failed\n", 2 - failed, failed);
    return failed != 0;
}
