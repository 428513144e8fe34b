// The taps against bus waveforms: what is driven has to come out, in order and nothing else. The pins of es_tap_sram
// change in steps of T/61, in no relation to its clock, at and above the timing that its header asks for.
#include "Vtap.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <vector>

static const long T = 61, S = 5; // clock period and skew, in time steps
static const int ACCESSES = 20000;
static std::mt19937 rng;
static uint32_t any(uint32_t below)
{
    return rng() % below;
}

struct Tx {
    unsigned kind;
    uint32_t addr, bytes, lanes;
};
enum Pin { ADDR, DATA, LANES, CE, OE, WE, FETCH };
struct Event {
    long at;
    Pin pin;
    uint32_t value;
};

static int shown;
static bool wrong(const char *what, const Tx &want, Vtap &d)
{
    if (shown++ < 5)
        printf("tap %u: %s: driven kind %u addr %05x data %08x lanes %x, seen %u %05x %08x %x\n", (unsigned)d.select,
               what, want.kind, want.addr, want.bytes, want.lanes, d.tx_kind, d.tx_addr, d.tx_data, d.tx_lanes);
    return false;
}

// What the host is to see of an access: each byte at its address modulo 4.
static Tx expected(unsigned kind, uint32_t addr, uint32_t data, uint32_t lanes, unsigned bytes, bool big)
{
    Tx tx = {kind, addr & ~3u, 0, 0};
    for (unsigned lane = 0; lane < bytes; lane++)
        if (lanes >> lane & 1) {
            unsigned to = ((addr & 3 & ~(bytes - 1)) + (big ? bytes - 1 - lane : lane)) & 3;
            tx.lanes |= 1u << to;
            tx.bytes |= (data >> 8 * lane & 0xFF) << 8 * to;
        }
    return tx;
}

static bool same(const Tx &want, Vtap &d)
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        if (want.lanes >> lane & 1)
            mask |= 0xFFu << 8 * lane;
    return d.tx_kind == want.kind && d.tx_addr == want.addr && d.tx_lanes == want.lanes &&
           (d.tx_data & mask) == want.bytes;
}

static bool sram(Vtap &d, unsigned tap, unsigned bytes, bool big, bool ends)
{
    std::vector<Event> events;
    std::deque<Tx> want;
    long t = 1000;
    auto at = [&](long when, Pin pin, uint32_t value) { events.push_back({when, pin, value}); };
    auto address = [&] { return any(1 << 20) & ~(bytes - 1); };
    for (int count = 0; count < ACCESSES; count++) {
        unsigned kind = any(3); // 0 read, 1 write, 2 fetch
        bool least = any(2) == 0;
        long start = t, end = start + 2 * T + (least ? 0 : any(4 * T));
        long settled = end - T - S + any(S + 1); // the last instant for pins to become stable
        uint32_t addr = address(), data = rng(), lanes = 1 + any((1u << bytes) - 1);
        bool write = kind == 1, chip = any(2); // chip: chip select is the strobe, else oe_n or we_n
        Pin other = write ? WE : OE;
        at(start - S - 1, LANES, rng() & 15);
        at(start, ADDR, ends && !write ? addr : address());
        at(start, DATA, rng());
        at(settled, ADDR, addr);
        at(settled, DATA, data);
        at(settled, LANES, lanes);
        at(settled, FETCH, write ? any(2) : kind == 2);
        if (chip) {
            at(start - S, other, 0);
            if (write && any(2))
                at(start - S, OE, 0); // write enable wins
        } else
            at(start - S, CE, 0);
        at(start, chip ? CE : other, 0);
        want.push_back(expected(kind, addr, data, lanes, bytes, big));
        // several reads under one strobe: a new address ends the one before
        while (ends && !write && any(3)) {
            addr = address() ^ (addr & bytes);
            if (want.back().addr == (addr & ~3u))
                addr ^= 1u << 12;
            data = rng();
            start = end;
            end = start + 2 * T + any(2) * any(2 * T);
            at(start, ADDR, addr);
            at(start, DATA, rng());
            at(end - T - S, DATA, data);
            want.push_back(expected(kind, addr, data, lanes, bytes, big));
            count++;
        }
        at(end, chip ? CE : other, 1);
        at(end + S, CE, 1);
        at(end + S, OE, 1);
        at(end + S, WE, 1);
        long hold = end + any(S + 1);
        at(hold, ADDR, address());
        at(hold, DATA, rng());
        at(hold, FETCH, any(2));
        t = end + 2 * T;
        if (any(3) == 0) { // idle, with pins that move but select nothing
            long quiet = 3 * T + any(6 * T);
            Pin moving = Pin(CE + any(3));
            at(t, ADDR, address());
            at(t + any(T), moving, 0);
            at(t + T, DATA, rng());
            at(t + T + any(T), moving, 1);
            at(t + 2 * T, ADDR, address());
            t += quiet + 2 * T;
        }
    }
    std::stable_sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.at < b.at; });
    d.select = tap;
    d.ce_n = d.oe_n = d.we_n = 1;
    size_t next = 0;
    for (long now = any(T), last = t + 10 * T; now < last; now += T) {
        for (; next < events.size() && events[next].at <= now; next++) {
            uint32_t v = events[next].value;
            switch (events[next].pin) {
            case ADDR: d.addr = v; break;
            case DATA: d.data = v; break;
            case LANES: d.lanes = v; break;
            case CE: d.ce_n = v; break;
            case OE: d.oe_n = v; break;
            case WE: d.we_n = v; break;
            case FETCH: d.fetch = v; break;
            }
        }
        d.rst = now < 4 * T;
        d.clk = 1, d.eval();
        d.clk = 0, d.eval();
        if (!d.tx_valid)
            continue;
        if (want.empty())
            return wrong("one too many", Tx{}, d);
        if (!same(want.front(), d))
            return wrong("differs", want.front(), d);
        want.pop_front();
    }
    return want.empty() || wrong("missing", want.front(), d);
}

static bool memvalid(Vtap &d, unsigned tap, unsigned bytes, bool big)
{
    d.select = tap;
    for (int count = 0; count < ACCESSES; count++) {
        uint32_t all = (1u << bytes) - 1;
        d.addr = any(1 << 20), d.data = rng(), d.rdata = rng(), d.lanes = rng() & 15,
        d.wstrb = any(2) ? rng() & all : 0;
        d.ce_n = any(2), d.oe_n = any(2), d.fetch = any(2), d.rst = any(16) == 0;
        d.clk = 1, d.eval();
        Tx want = d.wstrb ? expected(1, d.addr, d.data, d.wstrb, bytes, big)
                          : expected(d.fetch ? 2 : 0, d.addr, d.rdata, d.lanes, bytes, big);
        bool valid = !d.ce_n && !d.oe_n && !d.rst;
        if (d.tx_valid != valid)
            return wrong("valid", want, d);
        if (valid && !same(want, d))
            return wrong("differs", want, d);
        d.clk = 0, d.eval();
    }
    return true;
}

int main(int argc, char **argv)
{
    unsigned seed = argc > 1 ? strtoul(argv[1], nullptr, 0) : 1;
    static const unsigned widths[12] = {1, 1, 2, 2, 1, 2, 1, 1, 2, 2, 4, 4}; // bytes, as in es_tap_bench.v
    int passed = 0, failed = 0;
    rng.seed(seed);
    printf("seed %u\n", seed);
    Vtap d;
    for (unsigned tap = 0; tap < 12; tap++) {
        bool big = tap & 1,
             ok = tap < 6 ? sram(d, tap, widths[tap], big, tap >= 4) : memvalid(d, tap, widths[tap], big);
        ok ? passed++ : failed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
