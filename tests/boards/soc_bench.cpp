// rtl/boards/ulx3s_soc.v from pin to pin: the target runs its program, and the probe beside it answers on the serial line.
// What its phantom memory holds then is what the target wrote.
#include <cstdint>
#include <memory>
#include <vector>

#include "Vulx3s_soc.h"
#include "bench.h"
#include "verilated.h"

extern "C" {
#include "stream/frame.h"
}

static const unsigned kBit = 20;                    // clocks of a bit at 60 MHz and 3 Mbaud
enum { RUNS = 1, EXITED = 2, STUCK = 4, HELD = 8 }; // LEDs

class Board
{
  public:
    unsigned triggered = 0; // pins of `trigger` that were high

    Board() : model_(new Vulx3s_soc)
    {
        model_->uart_rx = 1;
        model_->button = 0;
        es_deframer_init(&deframer_);
        clocks(200); // of reset
    }
    ~Board() { model_->final(); }

    unsigned led() const { return model_->led; }
    bool esp_in_reset() const { return !model_->wifi_en; }
    void press(bool pressed) { model_->button = pressed; }

    void clocks(unsigned count)
    {
        while (count--) {
            model_->clk_25mhz = 0;
            model_->eval();
            model_->clk_25mhz = 1;
            model_->eval();
            triggered |= model_->trigger;
            listen();
        }
    }

    // Until one of these LEDs is on; false: they stay dark.
    bool wait_for(unsigned leds)
    {
        for (unsigned i = 0; i < 40000 && !(led() & leds); i++)
            clocks(100);
        return led() & leds;
    }

    // One command, and the answer's words, the first one left out; none: no answer came.
    std::vector<uint32_t> ask(uint32_t operation, std::vector<uint32_t> words)
    {
        words.insert(words.begin(), operation | static_cast<uint32_t>(words.size()) << 8 | ++number_ << 16);
        uint8_t wire[ES_FRAME_WIRE_MAX];
        size_t size = es_frame_encode(words.data(), words.size(), wire);
        answer_.clear();
        send(0);
        for (size_t i = 0; i < size; i++)
            send(wire[i]);
        for (unsigned i = 0; i < 2000 && answer_.empty(); i++)
            clocks(kBit);
        if (answer_.empty() || (answer_[0] & 0xFF) != ES_FRAME_RESPONSE || answer_[0] >> 16 != number_)
            return {};
        return {answer_.begin() + 1, answer_.end()};
    }

    uint32_t read(uint32_t address)
    {
        std::vector<uint32_t> answer = ask(ES_OP_READ, {address, 1});
        CHECK(answer.size() == 2 && answer[0] == ES_RESP_OK);
        return answer.size() == 2 ? answer[1] : 0xDEADBEEF;
    }

    void write(uint32_t address, uint32_t value)
    {
        std::vector<uint32_t> answer = ask(ES_OP_WRITE, {address, value});
        CHECK(answer.size() == 1 && answer[0] == ES_RESP_OK);
    }

  private:
    std::unique_ptr<Vulx3s_soc> model_;
    es_deframer deframer_;
    std::vector<uint32_t> answer_;
    uint32_t number_ = 0;
    unsigned wait_ = 0, bits_ = 0, byte_ = 0; // of the byte on the line

    void send(uint8_t byte)
    {
        for (unsigned bits = 0x200u | byte << 1, i = 0; i < 10; i++, bits >>= 1) {
            model_->uart_rx = bits & 1;
            clocks(kBit);
        }
    }

    void listen()
    {
        if (bits_ == 0 && !model_->uart_tx) {
            bits_ = 9;
            wait_ = kBit + kBit / 2;
        } else if (bits_ && --wait_ == 0) {
            wait_ = kBit;
            byte_ = byte_ >> 1 | static_cast<unsigned>(model_->uart_tx) << 8;
            if (--bits_ == 0)
                take(static_cast<uint8_t>(byte_));
        }
    }

    void take(uint8_t byte)
    {
        uint32_t words[ES_FRAME_MAX_WORDS];
        size_t count = 0;
        es_deframer_push(&deframer_, &byte, 1, words, &count);
        if (count)
            answer_.assign(words, words + count);
    }
};

static void answers()
{
    Board board;
    CHECK(board.esp_in_reset());
    CHECK(board.read(ES_REG_BASE + ES_REG_ID) == ES_PROBE_ID);
    CHECK(board.read(ES_REG_BASE + ES_REG_WINDOW_SIZE) == 1u << 16);
    CHECK(board.read(ES_REG_BASE + ES_REG_MEM_SIZE) == 1u << 16);
    uint32_t all = ES_CONFIG_READS | ES_CONFIG_OUTPUTS | ES_CONFIG_TIME_NOW;
    CHECK((board.read(ES_REG_BASE + ES_REG_CONFIG) & all) == all);
    uint32_t before = board.read(ES_REG_BASE + ES_REG_TIME_NOW);
    CHECK(board.read(ES_REG_BASE + ES_REG_TIME_NOW) > before);
    board.write(ES_MEM_BASE + 0x7F30, 0x12345678);
    CHECK(board.read(ES_MEM_BASE + 0x7F30) == 0x12345678);
}

static void the_program_runs_to_its_end()
{
    Board board;
    CHECK(board.led() == RUNS);
    CHECK(board.wait_for(EXITED | STUCK));
    CHECK(board.led() == EXITED);
    board.press(true);
    board.clocks(10);
    board.press(false);
    board.clocks(10);
    CHECK(board.led() == RUNS);
    CHECK(board.wait_for(EXITED | STUCK));
    CHECK(board.led() == EXITED);
}

// The tap's transactions reach the phantom memory: the instructions that were fetched are in it.
static void the_probe_has_heard_it()
{
    Board board;
    CHECK(board.wait_for(EXITED));
    const uint32_t first[] = {SOC_FIRST_WORDS};
    for (uint32_t i = 0; i < sizeof first / sizeof *first; i++)
        CHECK(board.read(ES_PHANTOM_BASE + 4 * i) == first[i]);
    CHECK(board.read(ES_REG_BASE + ES_REG_LOST) == 0);
}

static void halt_holds_it_and_trigger_is_seen()
{
    Board board;
    board.write(ES_REG_BASE + ES_REG_HALT, 1);
    CHECK(board.led() == HELD);
    board.clocks(5000);
    CHECK(board.led() == HELD);
    CHECK(board.triggered == 0);
    board.write(ES_REG_BASE + ES_REG_TRIGGER, 0x85);
    CHECK(board.triggered == 0x85);
    board.write(ES_REG_BASE + ES_REG_HALT, 0);
    CHECK(board.wait_for(EXITED | STUCK));
    CHECK(board.led() == EXITED);
}

int main()
{
    run("answers", answers);
    run("the program runs to its end", the_program_runs_to_its_end);
    run("the probe has heard it", the_probe_has_heard_it);
    run("halt and trigger", halt_holds_it_and_trigger_is_seen);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
