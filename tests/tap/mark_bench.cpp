// es_tap_mark against its own rules, transaction by transaction: what is a mark, what goes on to the probe and when,
// where the counts end.
#include <cstdint>
#include <cstdio>
#include <memory>

#include "Vmark.h"
#include "probe_defs.h"
#include "verilated.h"

namespace
{

unsigned passed, failed;
Vmark top;

void expect(const char *what, uint32_t got, uint32_t want)
{
    if (got == want) {
        passed++;
        return;
    }
    failed++;
    std::printf("%s: got 0x%x, want 0x%x\n", what, got, want);
}

// One clock with a transaction on the tap, or none; outputs are looked at within it.
void clock(bool valid, unsigned kind = 0, uint32_t addr = 0, uint32_t data = 0, unsigned lanes = 15)
{
    if (top.clk) { // the edge that ended the clock before
        top.clk = 0;
        top.eval();
    }
    top.tx_valid = valid;
    top.tx_kind = kind;
    top.tx_addr = addr;
    top.tx_data = data;
    top.tx_lanes = lanes;
    top.eval();
}
void end()
{
    top.clk = 1;
    top.eval();
}
void quiet(unsigned clocks)
{
    while (clocks--) {
        clock(false);
        expect("nothing goes on", top.mk_valid, 0);
        end();
    }
}
void fetch(uint32_t addr, uint32_t insn, unsigned lanes = 15)
{
    clock(true, ES_KIND_FETCH, addr, insn, lanes);
    expect("a fetch alone does not go on", top.mk_valid, 0);
    end();
}
void store(uint32_t id, uint32_t value, uint32_t word, uint32_t insn, unsigned lanes = 15)
{
    clock(true, ES_KIND_WRITE, ES_MARK_BASE + 4 * id, value);
    expect("mark", top.mark, 1);
    expect("id", top.mark_id, id);
    expect("value", top.mark_value, value);
    expect("goes on", top.mk_valid, 1);
    expect("its own fetch", top.mk_kind, ES_KIND_FETCH);
    expect("its word", top.mk_addr, word);
    expect("its instruction", top.mk_data, insn);
    expect("its lanes", top.mk_lanes, lanes);
    expect("its place", top.mark_pc, lanes == 15 ? word : word + 2);
    end();
}
void ended(bool by_fetch, uint32_t id, uint32_t value, uint32_t since_store, uint32_t since_fetch)
{
    if (by_fetch)
        clock(true, ES_KIND_FETCH, 0x900, 0x13);
    else
        clock(true, ES_KIND_WRITE, ES_MARK_BASE, 0);
    expect("the end goes on", top.mk_valid, 1);
    expect("as a mark", top.mk_kind, ES_KIND_MARK);
    expect("of the program", top.mk_lanes, ES_MARK_PROGRAM);
    expect("with its value", top.mk_data, value);
    expect("id and counts", top.mk_addr,
           since_fetch << ES_MARKED_FETCH_SHIFT | since_store << ES_MARKED_STORE_SHIFT | id << ES_MARKED_ID_SHIFT);
    end();
}
void no_mark(unsigned kind, uint32_t addr, unsigned lanes)
{
    clock(true, kind, addr, 1, lanes);
    expect("no mark", top.mark | top.mk_valid, 0);
    end();
}

} // namespace

int main()
{
    top.rst = 1;
    clock(false);
    end();
    top.rst = 0;
    quiet(3);
    fetch(0x100, 0xABC);
    quiet(1);
    store(481, 0xDEADBEEF, 0x100, 0xABC);
    ended(true, 481, 0xDEADBEEF, 1, 3);
    quiet(2); // the fetch that ended it is told once
    no_mark(ES_KIND_WRITE, ES_MARK_BASE - 4, 15);
    no_mark(ES_KIND_WRITE, 0, 15);
    no_mark(ES_KIND_WRITE, ES_MARK_BASE, 7);
    no_mark(ES_KIND_READ, ES_MARK_BASE, 15);
    for (uint32_t id : {0u, 1u, 511u}) { // the window's ends
        fetch(0x200 + 4 * id, id);
        store(id, ~id, 0x200 + 4 * id, id);
        quiet(5);
        ended(true, id, ~id, 6, 7);
    }
    fetch(0x300, 1);
    store(7, 70, 0x300, 1);
    quiet(4);
    ended(false, 7, 70, 0, 0); // another store before any fetch: when the first ended was not seen
    ended(true, 0, 0, 1, 7);   // of that one it is
    fetch(0x304, 2);
    store(8, 80, 0x304, 2);
    quiet(40);
    ended(true, 8, 80, 31, 42); // 31: so many or more
    fetch(0x304, 2, 12);        // an instruction that begins in the middle of the word
    store(8, 80, 0x304, 2, 12);
    ended(true, 8, 80, 1, 2);
    fetch(0x308, 3);
    store(9, 90, 0x308, 3);
    quiet(300);
    ended(true, 9, 90, 31, 255); // ADDR_W 24 leaves 8 bits
    fetch(0x30C, 4);
    store(10, 1, 0x30C, 4);
    top.rst = 1;
    clock(false);
    end();
    top.rst = 0;
    fetch(0x310, 5); // nothing waits after a reset
    std::printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
