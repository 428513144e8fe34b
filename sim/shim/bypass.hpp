// A short cut through the probe for transactions that concern nobody.
//
// Of most transactions the probe learns a word of memory and nothing else. While it is at rest, such a transaction
// needs no clock of it: `take` does at once what tap, FIFO and pipeline would do in some clocks (es_pipeline.v, "What
// an executed record does"). Transactions that may be hits, and ends of an epoch, go the whole way. To the tap the
// clocks in between are clocks of a quiet bus, of which only the time is left: `wake_tap` sets it.
//
// The tests compare every run with one that takes no short cuts (es_sim_config.every_clock).
#ifndef ES_SIM_BYPASS_HPP
#define ES_SIM_BYPASS_HPP

#include <cstdint>

#include "Ves_world_bytes.h"
#include "Ves_world_bytes___024root.h"

extern "C" {
#include "isa/isa.h"
#include "probe_defs.h"
}

#define ES_LISTENER(name) root.es_world_bytes__DOT__listener__DOT__##name
#define ES_PROBE(name) ES_LISTENER(probe__DOT__##name)

class bypass
{
  public:
    explicit bypass(Ves_world_bytes &probe) : root(*probe.rootp) {}

    // Nothing is on its way to the pipeline or in it, nothing keeps records from it, and nobody records them.
    bool open() const
    {
        return root.idle && !ES_PROBE(locked) && !ES_PROBE(records__DOT__recorder__DOT__on) && tap_is_empty() &&
               far_from_wrap();
    }

    // What the tap has taken is in the FIFO.
    bool tap_is_empty() const { return !ES_PROBE(capture__DOT__row_valid) && !ES_PROBE(wr_en); }

    // Some clocks of the tap make no difference to its epoch.
    bool far_from_wrap() const { return clocks_to_wrap() > MARGIN && clocks_to_wrap() < TIME_WRAP - MARGIN; }

    // Far from the end of the epoch: the clocks for which the tap may stand still.
    uint32_t longest() const { return clocks_to_wrap() - MARGIN; }

    // The transaction on the bus, if there is one. False: it may be a hit, and nothing was done.
    template <class Bus> bool take(const Bus &bus)
    {
        if (!bus.bus_valid || !bus.bus_ready)
            return true;
        uint32_t address = bus.bus_addr >> 2;
        bool inside = address < WORDS, write = bus.bus_wstrb != 0;
        unsigned lanes = write ? bus.bus_wstrb : bus.bus_lanes;
        bool upper = bus.bus_fetch && (lanes & 7) == 4; // an instruction in the middle of the word
        if (inside && may_hit(address, write, upper))
            return false;
        uint32_t data = write ? bus.bus_wdata : bus.bus_rdata, word = data & bits_of(lanes);
        if (inside)
            word = store(address, lanes, word);
        if (write) {
            ES_PROBE(pipeline__DOT__write_addr)[0] = address;
            ES_PROBE(pipeline__DOT__write_known) |= 1;
        } else if (bus.bus_fetch) {
            ES_PROBE(pipeline__DOT__fetch_addr)[0] = 2 * address + upper;
            ES_PROBE(pipeline__DOT__fetch_word)[0] = upper ? data << 16 | data >> 16 : word;
            ES_PROBE(pipeline__DOT__fetch_known) |= 1;
            fetched = true;
        }
        return true;
    }

    // After some that were taken, before the pipeline goes on: what it keeps of the last fetch (es_expand.v).
    void settle()
    {
        if (!fetched)
            return;
        uint32_t place = ES_PROBE(pipeline__DOT__fetch_addr)[0], &word = ES_PROBE(pipeline__DOT__fetch_word)[0];
        bool whole = (word & 3) == 3;
        ES_PROBE(pipeline__DOT__expanded__DOT__site)[0] = (whole ? place : place - 1) & PLACES;
        if (!whole)
            word = es_isa_told(es_isa_of_simulated_target(), word);
        fetched = false;
    }

    // `clocks` clocks of a quiet bus are over. Negative: so many were too many, because the tap was given clocks to be
    // emptied while the bus stood still. After this the tap needs a clock without a transaction, the last of them.
    void skip_time(int64_t clocks) { ES_PROBE(capture__DOT__now) += static_cast<uint16_t>(clocks - 1); }

  private:
    static constexpr uint32_t WORDS = 1 << 16;     // of the phantom window, which begins at address 0
    static constexpr uint32_t TIME_WRAP = 1 << 16; // clocks in an epoch
    static constexpr uint32_t PLACES = 0x7FFFFFFF; // of instructions: halves of words
    static constexpr uint32_t MARGIN = 32;         // clocks; the tap needs a few from a transaction to the FIFO

    uint32_t clocks_to_wrap() const { return TIME_WRAP - ES_PROBE(capture__DOT__now); }

    static bool bit(const VlUnpacked<SData, WORDS / 16> &rows, uint32_t index)
    {
        return rows[index >> 4] >> (index & 15) & 1;
    }

    bool may_hit(uint32_t index, bool write, bool upper) const
    {
        return write ? bit(ES_PROBE(armed__DOT__planes__DOT__data_plane__DOT__rows__DOT__bits__DOT__rows), index) ||
                           bit(ES_PROBE(armed__DOT__planes__DOT__lock_plane__DOT__rows__DOT__bits__DOT__rows), index)
               : upper
                   ? bit(ES_PROBE(armed__DOT__planes__DOT__halves__DOT__upper_plane__DOT__rows__DOT__bits__DOT__rows),
                         index)
                   : bit(ES_PROBE(armed__DOT__planes__DOT__fetch_plane__DOT__rows__DOT__bits__DOT__rows), index);
    }

    static uint32_t bits_of(unsigned lanes)
    {
        static constexpr uint32_t masks[16] = {0x00000000, 0x000000FF, 0x0000FF00, 0x0000FFFF, 0x00FF0000, 0x00FF00FF,
                                               0x00FFFF00, 0x00FFFFFF, 0xFF000000, 0xFF0000FF, 0xFF00FF00, 0xFF00FFFF,
                                               0xFFFF0000, 0xFFFF00FF, 0xFFFFFF00, 0xFFFFFFFF};
        return masks[lanes & 15];
    }

    // Returns the whole word as it is then.
    uint32_t store(uint32_t index, unsigned lanes, uint32_t bytes)
    {
        uint32_t &word = ES_PROBE(phantom__DOT__double__DOT__memory__DOT__one__DOT__words)[index];
        word = (word & ~bits_of(lanes)) | bytes;
        SData &row = ES_PROBE(phantom__DOT__known_bits__DOT__rows__DOT__bits__DOT__rows)[index >> 4];
        if (row >> (index & 15) & 1)
            return word;
        unsigned covered = lanes;
        if (ES_PROBE(pipeline__DOT__part_index) == index)
            covered |= ES_PROBE(pipeline__DOT__part_lanes);
        if (covered == 15) {
            row = static_cast<SData>(row | 1u << (index & 15));
        } else {
            ES_PROBE(pipeline__DOT__part_index) = static_cast<SData>(index);
            ES_PROBE(pipeline__DOT__part_lanes) = static_cast<CData>(covered);
        }
        return word;
    }

    Ves_world_bytes___024root &root;
    bool fetched = false; // what is kept of the last fetch is to be settled
};

#undef ES_LISTENER
#undef ES_PROBE

#endif
