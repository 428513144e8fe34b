// What random traffic does not reach: each in a test of its own.
#include <cstring>

#include "Vbench___024root.h"
#include "bench.hpp"

// Registers that random accesses do not cover.
void Bench::registers()
{
    expect("trigger pins after a reset", top_->trigger, 0);
    expect("halt pin after a reset", top_->halt, 0);
    if (reset_again_)
        fill(); // while the soft core is in reset: before it fetches anything
    expect("CPU_CTRL after reset", access_now(ES_REG_BASE + ES_REG_CPU_CTRL, false, 0, false), 0);
    weather_.still = true; // the soft core has to leave its reset whatever stands still
    access_now(ES_REG_BASE + ES_REG_CPU_CTRL, true, 1, false);
    for (int i = 0; i < 8; i++)
        step();
    running_ = true;
    expect("CPU_CTRL", access_now(ES_REG_BASE + ES_REG_CPU_CTRL, false, 0, false), 1);
    expect("ID", access_now(ES_REG_BASE + ES_REG_ID, false, 0, false), ES_PROBE_ID);
    uint32_t config = P_ADDR_W | P_DATA_W << 8 | (P_COMPRESSED ? ES_CONFIG_COMPRESSED : 0) |
                      (P_BIG_ENDIAN ? 1u << 16 : 0) | P_TAPS / P_PER_TAP << 20 | static_cast<uint32_t>(P_TIME_W) << 24 |
                      ES_FETCHES_RETIRED << ES_CONFIG_FETCHES_SHIFT | ES_CONFIG_READS | ES_CONFIG_OUTPUTS |
                      ES_CONFIG_TIME_NOW | (P_RECORDER ? ES_CONFIG_RECORDER : 0);
    expect("CONFIG", access_now(ES_REG_BASE + ES_REG_CONFIG, false, 0, true), config);
    expect("FIFO_DEPTH", access_now(ES_REG_BASE + ES_REG_FIFO_DEPTH, false, 0, true), 1u << P_FIFO_LOG2);
    expect("WINDOW_BASE", access_now(ES_REG_BASE + ES_REG_WINDOW_BASE, false, 0, true), P_WINDOW_BASE);
    expect("WINDOW_SIZE", access_now(ES_REG_BASE + ES_REG_WINDOW_SIZE, false, 0, true), kWindowBytes);
    expect("MEM_SIZE", access_now(ES_REG_BASE + ES_REG_MEM_SIZE, false, 0, true), ES_MEM_SIZE);
    for (uint32_t i = 0; i < 2 * ES_ROWS; i++)
        access_now(ES_ROWS_BASE + 4 * i, true, random_.word(), i % 2);
    access_now(ES_REG_BASE + ES_REG_EV_FLAGS, true, random_.word() | 1, true);
    for (int start = 0; start < 2; start++) { // sequence numbers and flags begin again with the soft core
        for (int i = 0; i < 3; i++)
            access_now(ES_REG_BASE + ES_REG_EV_HEAD, true, random_.word(), true);
        access_now(ES_REG_BASE + ES_REG_CPU_CTRL, true, 0, false);
        access_now(ES_REG_BASE + ES_REG_CPU_CTRL, true, 1, false);
        for (int i = 0; i < 8; i++)
            step();
        expect("EV_FLAGS of a new start", access_now(ES_REG_BASE + ES_REG_EV_FLAGS, false, 0, true), 0);
    }
    access_now(ES_REG_BASE + ES_REG_EV_LAST, true, random_.word(), true);
    for (int i = 0; i < 8; i++)
        step();
    uint32_t ended = access_now(ES_REG_BASE + ES_REG_EV_ROOM, false, 0, true);
    for (uint32_t i = ended + 1; i < ended + 4; i++) {
        uint32_t word = random_.word();
        access_now(ES_REG_BASE + ES_REG_EV_DATA, true, word, true);
        expect("EV_DATA", access_now(ES_REG_BASE + ES_REG_RX_BAD, false, 0, true), word);
        access_now(ES_REG_BASE + ES_REG_EV_END, true, 0, true);
        expect("EV_END", access_now(ES_REG_BASE + ES_REG_EV_ROOM, false, 0, true), i);
    }
    uint32_t mail = random_.word();
    access_now(ES_REG_BASE + ES_REG_MAILBOX, true, mail, false);
    expect("mail seen by the loader", access_now(ES_REG_BASE + ES_REG_MAILBOX, false, 0, false), mail);
    expect("STATUS_MAIL", access_now(ES_REG_BASE + ES_REG_STATUS, false, 0, true) & ES_STATUS_MAIL, ES_STATUS_MAIL);
    expect("mail", access_now(ES_REG_BASE + ES_REG_MAILBOX, false, 0, true), mail);
    expect("no mail", access_now(ES_REG_BASE + ES_REG_MAILBOX, false, 0, true), 0);
    access_now(ES_REG_BASE + ES_REG_CTRL, true, ES_CTRL_CLEAR, false);
    expect("clearing", access_now(ES_REG_BASE + ES_REG_CTRL, false, 0, false), 1);
    // what is written to the first words, which the sweep has been at, stays
    unsigned written = 0;
    for (; written < 8 && top_->clearing; written++)
        access_now(ES_PHANTOM_BASE + 4 * written, true, random_.word(), true);
    expect("words written while clearing", written != 0, 1);
    for (unsigned i = 0; top_->clearing && i < kWindowBytes; i++)
        step();
    access_now(ES_REG_BASE + ES_REG_UNKNOWN, false, 0, true);
    while (written-- > 0)
        access_now(ES_PHANTOM_BASE + 4 * written, false, 0, true);
    access_now(ES_REG_BASE + ES_REG_MAILBOX, false, 0, true); // a clock between, as the core has
    expect("unknown words of them", access_now(ES_REG_BASE + ES_REG_UNKNOWN, false, 0, true), 0);
    expect("cleared", access_now(ES_REG_BASE + ES_REG_CTRL, false, 0, false), 0);
    weather_.still = false;
}

// Each part has stood still, so that what its `calm` promises has been tried.
void Bench::stillness()
{
    weather_.still = true;
    quiet_ = true;
    for (unsigned i = 0; i < 200; i++)
        step();
    for (unsigned part = 0; part < 3; part++)
        expect("parts that stood still", stood_still[part] != 0, 1);
    weather_.still = quiet_ = false;
}

// Pulses and the halt pin.
void Bench::pins()
{
    drain();
    auto clock = [&] {
        for (uint64_t before = clocks; clocks == before;)
            step();
    };
    quiet_ = true; // but for what is asked for here
    expect("pins at rest", top_->trigger, 0);
    for (unsigned round = 0; round < 20; round++) {
        uint32_t pins = random_.below(255) + 1, more = random_.below(2) ? 1u << random_.below(8) : 0;
        access_now(ES_REG_BASE + ES_REG_TRIGGER, true, pins | 0xFFFFFF00, true);
        while (!top_->trigger)
            clock();
        expect("pulse", top_->trigger, pins);
        if (more) {
            access_now(ES_REG_BASE + ES_REG_TRIGGER, true, more, true);
            clock();
            expect("longer pulse", top_->trigger, pins | more);
        }
        unsigned length = 0;
        for (; top_->trigger && length < 100; length++)
            clock();
        expect("clocks of a pulse", length, ES_TRIGGER_CLOCKS);
        expect("halt pin", top_->halt, round % 2);
        access_now(ES_REG_BASE + ES_REG_HALT, true, ~round & 1, true);
        for (unsigned i = 0; i < 4; i++)
            clock();
        expect("halt pin", top_->halt, ~round & 1);
    }
    quiet_ = false;
}

// The time that the soft core reads: one clock of the tap and three of its own old at most, and what a read takes.
void Bench::time_now()
{
    for (unsigned round = 0; round < 200; round++) {
        weather_.tap_period = 1 + random_.below(6);
        weather_.clk_period = 1 + random_.below(6);
        for (unsigned i = 0; i < 100; i++)
            step();
        uint32_t now = access_now(ES_REG_BASE + ES_REG_TIME_NOW, false, 0, true);
        uint32_t late = static_cast<uint32_t>(tap_clocks) - now,
                 most = 2 + 6 * weather_.clk_period / weather_.tap_period;
        checks++;
        if (late > most)
            fail("time's lag", late, most);
    }
}

// Full speed without hits: one transaction per clock, or per two with SPRAM, and the FIFO stays nearly empty. Several
// taps take turns: what they have at once waits in their own few places, and may be lost; some clocks are left for the
// epochs.
void Bench::throughput()
{
    access_now(ES_REG_BASE + ES_REG_CTRL, true, ES_CTRL_CLEAR, false);
    for (unsigned i = 0; i < 20; i++)
        step();
    while (top_->clearing || clear_pending_)
        step();
    drain();
    uint64_t lost = model_lost(model_);
    Weather full = {
        P_SPRAM && P_QUEUE >= 4 ? 2u : 1u, 1, P_SPRAM || P_TAPS > 1 ? 900u : 1000u, 1000, 1000, 0, 1000, 0, true};
    weather_ = full;
    in_turn_ = true;
    left_ = 20000;
    uint32_t most = 0;
    next_tap_ = next_clk_ = now_ + 8;
    while (left_) {
        step();
        if (top_->fifo_level > most)
            most = top_->fifo_level;
    }
    drain();
    in_turn_ = false;
    expect("lost at full speed", static_cast<uint32_t>(model_lost(model_) - lost), 0);
    checks++;
    if (P_TAPS == 1 && most > 4)
        fail("records waiting at full speed", most, 4);
}

void Bench::compare_memory()
{
    access_now(ES_REG_BASE + ES_REG_UNKNOWN, false, 0, true);
    for (uint32_t addr = 0; addr < kWindowBytes; addr += 4) {
        bool known;
        uint32_t want = model_read(model_, ES_PHANTOM_BASE + addr, &known);
        uint32_t got = access_now(ES_PHANTOM_BASE + addr, false, 0, true);
        uint32_t unknown = access_now(ES_REG_BASE + ES_REG_MAILBOX, false, 0, true); // a clock between, as the core has
        unknown = access_now(ES_REG_BASE + ES_REG_UNKNOWN, false, 0, true);
        if (got != want || unknown != !known)
            fail("phantom word", got, want);
        checks++;
    }
}

// While idle, clocks of the probe change nothing at all.
void Bench::compare_idle()
{
    drain();
    for (unsigned tries = 0; tries < 1000; tries++) {
        weather_.only_pop = true;
        for (unsigned i = 0; i < 50; i++)
            step();
        access_now(ES_REG_BASE + ES_REG_MAILBOX, false, 0, true);
        quiet_ = true;
        drive_clk();
        for (unsigned i = 0; i < 20; i++)
            edge(false, true);
        if (top_->idle)
            break;
        quiet_ = false;
    }
    expect("idle", top_->idle, 1);
    edge(false, true);
    auto *root = top_->rootp;
    std::size_t size = sizeof *root;
    std::unique_ptr<unsigned char[]> before(new unsigned char[size]);
    std::memcpy(before.get(), static_cast<void *>(root), size);
    for (unsigned i = 0; i < 10; i++)
        edge(false, true);
    expect("state after clocks while idle", std::memcmp(before.get(), static_cast<void *>(root), size) != 0, 0);
    quiet_ = false;
}
