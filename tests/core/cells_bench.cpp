// es_bits and es_spram, both as they are built for the iCE40 (with the device's cells as yosys simulates them) and as
// they are simulated everywhere else, clock by clock against plain arrays. What both are equal to, they are to each
// other. The device's output after a write is anything (X in yosys's cell); it is looked at again after the next read.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "Vdevice.h"
#include "Vmodel.h"
#include "verilated.h"

namespace
{

constexpr unsigned kRandomClocks = 200000;
constexpr unsigned kRows = 1024, kPlaces = 16 * kRows, kWords = 16384;
constexpr std::array<unsigned, 4> kRowsLog2 = {6, 8, 9, 10}; // of the bench's bit arrays
constexpr std::array<unsigned, 2> kWordsLog2 = {14, 5};

unsigned passed, failed;

void conclude(const std::string &what, bool good, const std::string &otherwise)
{
    (good ? passed : failed)++;
    if (!good) {
        std::printf("%s: %s\n", what.c_str(), otherwise.c_str());
    }
}

class Random
{
  public:
    uint32_t word()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<uint32_t>(state_ >> 16);
    }
    bool chance(unsigned percent) { return word() % 100 < percent; }

  private:
    uint64_t state_ = 88172645463325252u;
};

// What goes in for a clock.
struct Inputs {
    bool bits_rd_en, bits_wr_en, bits_wr_bit;
    unsigned bits_rd_index, bits_wr_row, bits_wr_mask;
    bool words_en, words_write;
    unsigned words_lanes, words_index;
    uint32_t words_wr_data;
};

// An array and what it gives: `out` is what has to come out, where `defined`.
template <typename Value> struct Expected {
    std::vector<Value> values;
    Value out = 0;
    bool defined = false;
    unsigned compared = 0, wrong = 0;
    std::string first_wrong;

    void compare(unsigned clock, uint32_t got)
    {
        if (!defined) {
            return;
        }
        compared++;
        if (got != out && wrong++ == 0) {
            char text[96];
            std::snprintf(text, sizeof text, "clock %u: got 0x%x, want 0x%x", clock, got, static_cast<unsigned>(out));
            first_wrong = text;
        }
    }
};

// One of the two ways to build the bench. `Top`: its model.
template <typename Top> class Bench
{
  public:
    explicit Bench(const char *name) : name_(name), top_(new Top)
    {
        for (unsigned i = 0; i < bits_.size(); i++) {
            bits_[i].values.resize(std::size_t{16} << kRowsLog2[i]);
        }
        for (unsigned i = 0; i < words_.size(); i++) {
            words_[i].values.resize(std::size_t{1} << kWordsLog2[i]);
        }
    }

    void clock(const Inputs &in)
    {
        drive(in);
        top_->clk = 1;
        top_->eval();
        for (auto &bits : bits_) {
            expect_bit(bits, in);
        }
        for (auto &words : words_) {
            expect_word(words, in);
        }
        compare();
        top_->clk = 0;
        top_->eval();
        compare();
        clocks_++;
    }

    void end()
    {
        for (unsigned i = 0; i < bits_.size(); i++) {
            report("es_bits, ROWS_LOG2 = " + std::to_string(kRowsLog2[i]), bits_[i]);
        }
        for (unsigned i = 0; i < words_.size(); i++) {
            report("es_spram, LOG2 = " + std::to_string(kWordsLog2[i]), words_[i]);
        }
        top_->final();
    }

  private:
    void drive(const Inputs &in)
    {
        top_->bits_rd_en = in.bits_rd_en;
        top_->bits_rd_index = static_cast<SData>(in.bits_rd_index);
        top_->bits_wr_en = in.bits_wr_en;
        top_->bits_wr_row = static_cast<SData>(in.bits_wr_row);
        top_->bits_wr_mask = static_cast<SData>(in.bits_wr_mask);
        top_->bits_wr_bit = in.bits_wr_bit;
        top_->words_en = in.words_en;
        top_->words_write = in.words_write;
        top_->words_lanes = static_cast<CData>(in.words_lanes);
        top_->words_index = static_cast<SData>(in.words_index);
        top_->words_wr_data = in.words_wr_data;
        top_->eval();
        compare(); // nothing comes through but on an edge
    }

    // A bit read in the clock of a write to it is the bit before it.
    static void expect_bit(Expected<uint8_t> &bits, const Inputs &in)
    {
        if (in.bits_rd_en) {
            bits.out = bits.values[in.bits_rd_index % bits.values.size()];
            bits.defined = true;
        }
        for (unsigned place = 0; in.bits_wr_en && place < 16; place++) {
            if (in.bits_wr_mask >> place & 1) {
                bits.values[(16 * in.bits_wr_row + place) % bits.values.size()] = in.bits_wr_bit;
            }
        }
    }

    static void expect_word(Expected<uint32_t> &words, const Inputs &in)
    {
        uint32_t &word = words.values[in.words_index % words.values.size()];
        if (in.words_en && !in.words_write) {
            words.out = word;
        }
        for (unsigned lane = 0; in.words_en && in.words_write && lane < 4; lane++) {
            if (in.words_lanes >> lane & 1) {
                uint32_t mask = 0xFFu << 8 * lane;
                word = (word & ~mask) | (in.words_wr_data & mask);
            }
        }
        words.defined = in.words_en ? !in.words_write : words.defined;
    }

    void compare()
    {
        for (unsigned i = 0; i < bits_.size(); i++) {
            bits_[i].compare(clocks_, top_->bits_rd_bit >> i & 1);
        }
        words_[0].compare(clocks_, top_->words_whole);
        words_[1].compare(clocks_, top_->words_part);
    }

    template <typename Value> void report(const std::string &what, const Expected<Value> &array) const
    {
        conclude(name_ + ", " + what, array.wrong == 0 && array.compared > kRandomClocks,
                 std::to_string(array.wrong) + " of " + std::to_string(array.compared) + " wrong; " +
                     array.first_wrong);
    }

    std::string name_;
    std::unique_ptr<Top> top_;
    std::array<Expected<uint8_t>, kRowsLog2.size()> bits_;
    std::array<Expected<uint32_t>, kWordsLog2.size()> words_;
    unsigned clocks_ = 0;
};

// Writes everything, so that nothing unwritten is read later: the rows with 0, and each word.
Inputs fill(Random &random, unsigned clock)
{
    Inputs in = {};
    in.bits_wr_en = true;
    in.bits_wr_row = clock % kRows;
    in.bits_wr_mask = clock < kRows ? 0xFFFF : random.word() & 0xFFFF;
    in.bits_wr_bit = clock >= kRows && random.chance(50);
    in.words_en = in.words_write = true;
    in.words_lanes = 15;
    in.words_index = clock;
    in.words_wr_data = random.word();
    return in;
}

// Traffic in a small part of the arrays, another one every 512 clocks, so that reads often meet writes.
Inputs traffic(Random &random, unsigned clock)
{
    static unsigned near;
    if (clock % 512 == 0) {
        near = random.word();
    }
    auto somewhere = [&random](unsigned range) {
        // part of the address differs in one bit from all others, as often a high one as a low one
        unsigned bit = random.word() % 14;
        return (near ^ (random.chance(50) ? 1u << bit : 0) ^ (random.word() & 3)) % range;
    };
    Inputs in = {};
    in.bits_rd_en = random.chance(70);
    in.bits_rd_index = (16 * somewhere(kRows)) + random.word() % 16;
    in.bits_wr_en = random.chance(60);
    in.bits_wr_row = somewhere(kRows);
    in.bits_wr_mask = random.chance(50) ? 1u << random.word() % 16 : random.word() & 0xFFFF;
    in.bits_wr_bit = random.chance(50);
    in.words_en = random.chance(80);
    in.words_write = random.chance(40);
    in.words_lanes = random.word() % 16;
    in.words_index = somewhere(kWords);
    in.words_wr_data = random.word();
    return in;
}

// Reads everything.
Inputs read_back(unsigned clock)
{
    Inputs in = {};
    in.bits_rd_en = in.words_en = true;
    in.bits_rd_index = clock % kPlaces;
    in.words_index = clock % kWords;
    return in;
}

} // namespace

int main()
{
    Verilated::randReset(2); // what Verilog leaves open is random
    Bench<Vdevice> device("device");
    Bench<Vmodel> model("model");
    Random random;
    unsigned met = 0, held = 0;
    auto clock = [&](const Inputs &in) {
        met += in.bits_rd_en && in.bits_wr_en && in.bits_rd_index / 16 == in.bits_wr_row &&
               (in.bits_wr_mask >> in.bits_rd_index % 16 & 1);
        held += !in.bits_rd_en && !in.words_en;
        device.clock(in);
        model.clock(in);
    };
    for (unsigned i = 0; i < kWords; i++) {
        clock(fill(random, i));
    }
    for (unsigned i = 0; i < kRandomClocks; i++) {
        clock(traffic(random, i));
    }
    for (unsigned i = 0; i < kWords; i++) {
        clock(read_back(i));
    }
    device.end();
    model.end();
    conclude("bits read in the clock of their write", met > 1000, "only " + std::to_string(met));
    conclude("clocks without a read", held > 1000, "only " + std::to_string(held));
    std::printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
