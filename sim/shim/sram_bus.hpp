// An asynchronous bus of 8 bits as a processor of 32 bits drives it: a word is up to four accesses of one byte each,
// the lowest address first.
//
// Times vary at random, as far as es_tap_sram allows: strobes of at least two clocks of the tap, at least as much
// between them, the other pins as they should be from a clock before a strobe's end until its end, and noise otherwise.
// Each pin reaches the tap a little earlier or later than the strobes (skew), so the other pins stand for the skew
// longer at either end.
#ifndef ES_SIM_SRAM_BUS_HPP
#define ES_SIM_SRAM_BUS_HPP

#include <array>
#include <cstdint>
#include <random>

class sram_bus
{
  public:
    static constexpr uint64_t TAP = 1000; // units of time in a clock of the tap, whose edges are at its multiples
    static constexpr uint64_t SKEW = 200; // 4 ns at 48 MHz

    struct access {
        uint32_t address; // of the word
        uint32_t data;
        uint8_t lanes; // at least one; from bit 4 on those of the next word, whose data is in the same places
        bool write, fetch;
    };

    struct pins {
        uint32_t address;
        uint8_t data;
        bool read_n, write_n, fetch;
    };

    sram_bus(uint32_t seed, unsigned rest) : pause(rest * TAP + 1), random(seed)
    {
        for (uint64_t &late : skew)
            late = draw(2 * SKEW + 1);
    }

    // The next access, the one before being over. now: not before which it begins; returns when its last strobe ends.
    uint64_t begin(const access &next, uint64_t now)
    {
        uint64_t from = (now > free ? now : free) + draw(pause);
        count = at = 0;
        for (unsigned lane = 0; lane < 8; lane++) {
            if (!(next.lanes >> lane & 1))
                continue;
            strobe &one = strobes[count++];
            one.begin = from + draw(2) * draw(3 * TAP);
            one.end = one.begin + 2 * TAP + draw(2) * draw(3 * TAP);
            if (one.end % TAP == 0)
                one.end++; // which clock it belongs to must be certain
            one.stable = one.end - TAP - SKEW - draw(2) * draw(TAP);
            one.address = (next.address & ~3u) + lane;
            one.data = static_cast<uint8_t>(next.data >> (8 * (lane % 4)));
            one.write = next.write;
            one.fetch = next.fetch;
            from = one.end + 2 * TAP;
        }
        free = from;
        return strobes[count - 1].end;
    }

    // The end of the access's first strobe.
    uint64_t first_end() const { return strobes[0].end; }

    // How the pins reach the tap at a time; times only go up.
    pins sample(uint64_t now)
    {
        while (at < count && now >= strobes[at].end + 2 * SKEW)
            at++;
        pins seen = {static_cast<uint32_t>(random()), static_cast<uint8_t>(random()), true, true, (random() & 1) != 0};
        if (at == count)
            return seen;
        const strobe &one = strobes[at];
        bool low = now >= one.begin && now < one.end;
        seen.write_n = !(low && one.write);
        seen.read_n = !(low && !one.write);
        unsigned pin = 0;
        for (unsigned bit = 0; bit < 32; bit++, pin++)
            settle(seen.address, bit, one.address >> bit & 1, stands(one, now, pin));
        for (unsigned bit = 0; bit < 8; bit++, pin++)
            settle(seen.data, bit, one.data >> bit & 1, stands(one, now, pin));
        if (stands(one, now, pin))
            seen.fetch = one.fetch;
        return seen;
    }

  private:
    struct strobe {
        uint64_t begin, stable, end;
        uint32_t address;
        uint8_t data;
        bool write, fetch;
    };

    uint64_t draw(uint64_t below) { return random() % below; }

    // What is on a pin now left the processor up to SKEW later or earlier than what is on the strobes.
    bool stands(const strobe &one, uint64_t now, unsigned pin) const
    {
        uint64_t left = now + SKEW - skew[pin];
        return left >= one.stable && left < one.end + SKEW;
    }

    template <class Bits> static void settle(Bits &bits, unsigned bit, unsigned value, bool stands)
    {
        if (stands)
            bits = static_cast<Bits>((bits & ~(1u << bit)) | value << bit);
    }

    const uint64_t pause; // before the first byte of a word, at most
    std::mt19937 random;
    std::array<uint64_t, 41> skew; // of address, data, fetch
    std::array<strobe, 4> strobes = {};
    unsigned count = 0, at = 0;
    uint64_t free = 2 * TAP; // not before which a strobe begins
};

#endif
