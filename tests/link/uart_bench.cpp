// es_uart against a model of a serial line.

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "Ves_uart.h"
#include "bench.h"
#include "verilated.h"

static const double divider = UART_CLK_HZ / (double)UART_BAUD;

class Bench
{
  public:
    std::mt19937 random{1};
    std::deque<uint8_t> to_line;           // offered to the byte port
    std::vector<uint8_t> from_line, heard; // taken from the byte port; seen on the tx wire
    unsigned ready_percent = 100;

    Bench() : model(new Ves_uart)
    {
        model->rx = 1;
        model->rst = 1;
        clock();
        clock();
        model->rst = 0;
    }
    ~Bench() { model->final(); }

    void clock()
    {
        model->tx_byte_valid = !to_line.empty();
        model->tx_byte = to_line.empty() ? 0xEE : to_line.front();
        model->rx_byte_ready = random() % 100 < ready_percent;
        model->clk = 0;
        model->eval();
        if (!model->rst && model->tx_byte_valid && model->tx_byte_ready)
            to_line.pop_front();
        if (!model->rst && model->rx_byte_valid && model->rx_byte_ready)
            from_line.push_back(model->rx_byte);
        model->clk = 1;
        model->eval();
        now++;
        listen();
    }
    void run(unsigned clocks)
    {
        while (clocks--)
            clock();
    }
    // A reset of one clock, in the middle of whatever is on the lines.
    void reset()
    {
        to_line.clear();
        heard.clear();
        from_line.clear();
        model->rx = 1;
        model->rst = 1;
        clock();
        model->rst = 0;
        CHECK(model->tx && !model->rx_byte_valid && model->tx_byte_ready);
        bit = 0;
    }
    // Puts a byte on the rx wire; `factor` times as long as it should be.
    void speak(uint8_t byte, double factor = 1.0, bool stop = true)
    {
        unsigned bits = (unsigned)byte << 1 | (stop ? 0x200 : 0);
        double begin = (double)now;
        for (unsigned i = 0; i < 10; i++) {
            model->rx = bits >> i & 1;
            while ((double)now < begin + (i + 1) * divider * factor)
                clock();
        }
        model->rx = 1;
    }

    // The beginning of a byte: a start bit and so many bits less one.
    void begin(unsigned bits)
    {
        model->rx = 0;
        run((unsigned)(bits * divider));
    }
    // The line is low for so many clocks.
    void disturb(unsigned clocks)
    {
        model->rx = 0;
        run(clocks);
        model->rx = 1;
    }

  private:
    std::unique_ptr<Ves_uart> model;
    uint64_t now = 0;
    double sample_at = 0;
    unsigned bit = 0, byte = 0;

    void listen()
    {
        if (bit == 0) {
            if (!model->tx) {
                bit = 1;
                byte = 0;
                sample_at = (double)now + divider * 1.5 - 1;
            }
        } else if ((double)now >= sample_at) {
            sample_at += divider;
            if (bit <= 8)
                byte |= (unsigned)model->tx << (bit - 1);
            else
                CHECK(model->tx); // stop bit
            if (bit++ == 9) {
                heard.push_back((uint8_t)byte);
                bit = 0;
            }
        }
    }
};

static void test_sending()
{
    Bench bench;
    std::vector<uint8_t> expected;
    for (unsigned i = 0; i < 500; i++)
        expected.push_back((uint8_t)(i < 256 ? i : bench.random()));
    bench.to_line.assign(expected.begin(), expected.end());
    bench.run((unsigned)(500 * 10.2 * divider));
    CHECK(bench.heard == expected);
}

static void test_receiving(double factor)
{
    Bench bench;
    std::vector<uint8_t> expected;
    for (unsigned i = 0; i < 500; i++) {
        uint8_t byte = (uint8_t)(i < 256 ? i : bench.random());
        expected.push_back(byte);
        bench.speak(byte, factor);
        bench.run(bench.random() % 3 * (unsigned)bench.random() % 40);
    }
    bench.run(20);
    CHECK(bench.from_line == expected);
}

static void test_disturbed()
{
    Bench bench;
    bench.speak(0x55);
    bench.speak(0x12, 1.0, false); // no stop bit: dropped
    bench.run((unsigned)divider * 3);
    bench.speak(0xA7);
    bench.run(20);
    CHECK((bench.from_line == std::vector<uint8_t>{0x55, 0xA7}));
}

static void test_overrun()
{
    Bench bench;
    bench.ready_percent = 0;
    bench.speak(1);
    bench.speak(2);
    bench.speak(3);
    bench.ready_percent = 100;
    bench.run(20);
    bench.speak(4);
    bench.run(20);
    CHECK((bench.from_line == std::vector<uint8_t>{1, 4})); // the first that waited is kept
}

static void test_reset()
{
    Bench bench;
    for (unsigned bits = 1; bits < 10; bits++) {
        bench.ready_percent = 0;
        bench.speak(0x0F);
        bench.to_line = {0x00, 0x00};
        bench.run((unsigned)(bits * divider));
        bench.begin(bits);
        bench.reset();
        bench.ready_percent = 100;
        bench.to_line = {0x3C};
        bench.speak(0xC5);
        bench.run(20);
        CHECK((bench.from_line == std::vector<uint8_t>{0xC5}));
        CHECK((bench.heard == std::vector<uint8_t>{0x3C}));
    }
}

static void test_short_start()
{
    Bench bench;
    for (unsigned clocks = 1; clocks < (unsigned)(divider / 2); clocks++) {
        bench.disturb(clocks);
        bench.run((unsigned)divider);
        bench.speak(0xA7);
        bench.run(20);
        CHECK((bench.from_line == std::vector<uint8_t>{0xA7}));
        bench.from_line.clear();
    }
}

int main(int argc, char **argv)
{
    Verilated::commandArgs(argc, argv);
    run("sending", test_sending);
    run("receiving", [] { test_receiving(1.0); });
    run("receiving from a slow sender", [] { test_receiving(1.03); });
    run("receiving from a fast sender", [] { test_receiving(0.97); });
    run("missing stop bit", test_disturbed);
    run("overrun", test_overrun);
    run("too short for a start bit", test_short_start);
    run("reset in the middle of bytes", test_reset);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
