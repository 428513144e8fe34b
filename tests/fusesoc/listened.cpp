/* Writes a word on the bus, sends the probe the bytes of its standard input, in hexadecimal, and prints what it
 * answers, until nothing has come for QUIET clocks. */
#include <cstdio>
#include <memory>
#include <vector>

#include "Vlistened.h"
#include "verilated.h"

namespace
{

constexpr unsigned RESET = 16, QUIET = 2000;

void clock(Vlistened &top)
{
    top.clk = 0;
    top.eval();
    top.clk = 1;
    top.eval();
}

} // namespace

int main()
{
    const auto top = std::make_unique<Vlistened>();
    std::vector<unsigned> bytes;
    for (unsigned byte; std::scanf("%x", &byte) == 1;)
        bytes.push_back(byte);
    top->rst = 1;
    for (unsigned i = 0; i < RESET; i++)
        clock(*top);
    top->rst = 0;
    top->wb_cyc = top->wb_stb = top->wb_we = top->wb_ack = 1;
    top->wb_sel = 0xF;
    top->wb_adr = 0x40;
    top->wb_dat_w = 0x12345678;
    clock(*top);
    top->wb_cyc = top->wb_stb = top->wb_we = top->wb_ack = 0;
    size_t sent = 0;
    for (unsigned quiet = 0; quiet < QUIET; quiet++) {
        top->rx_byte_valid = sent < bytes.size();
        top->rx_byte = sent < bytes.size() ? static_cast<unsigned char>(bytes[sent]) : 0;
        top->eval();
        const bool takes = top->rx_byte_valid && top->rx_byte_ready;
        if (top->tx_byte_valid) {
            std::printf("%02x ", static_cast<unsigned>(top->tx_byte));
            quiet = 0;
        }
        clock(*top);
        sent += takes;
        if (takes)
            quiet = 0;
    }
    std::printf("\n");
    return 0;
}
