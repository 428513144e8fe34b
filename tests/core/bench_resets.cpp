// The reset that each run begins with, of a new probe or in the middle of everything.
#include <utility>

#include "bench.hpp"

Bench::Bench(uint64_t seed, std::unique_ptr<Vbench> used) : random_(seed), reset_again_(used)
{
    model_config config = {};
    config.taps = P_TAPS / P_PER_TAP;
    config.time_w = P_TIME_W;
    config.addr_w = P_ADDR_W;
    config.data_w = P_DATA_W;
    config.window_log2 = P_WINDOW_LOG2;
    config.big_endian = P_BIG_ENDIAN != 0;
    config.compressed = P_COMPRESSED != 0;
    config.window_base = P_WINDOW_BASE;
    model_ = model_new(&config);
    top_ = used ? std::move(used) : std::make_unique<Vbench>();
    for (unsigned tap = 0; tap < P_TAPS; tap++)
        put(top_->bus_valid, tap, 1, 0);
    top_->fw_req = top_->fw_sleeping = top_->ld_req = 0;
    top_->rst = top_->rst_tap = 1;
    for (int i = reset_again_ ? 7 : 0; i < 8; i++)
        edge(true, true);
    top_->rst = top_->rst_tap = 0;
}

// After a reset the memories hold whatever they held; the model has to know what.
void Bench::fill()
{
    for (uint32_t i = 0; i < ES_MEM_SIZE; i += 4)
        access_now(ES_MEM_BASE + i, true, random_.word(), false);
    for (uint32_t i = 0; i < kWindowBytes; i += 4)
        access_now(ES_PHANTOM_BASE + i, true, random_.word(), false);
}

// Leaves the probe in the middle of everything; with rows of 0, as marks that come before rows are written look at
// them.
void Bench::leave()
{
    for (uint32_t i = 0; i < 2 * ES_ROWS; i++)
        access_now(ES_ROWS_BASE + 4 * i, true, 0, true);
    keep_rows_ = true;
    run({1, 2, 1000, 1000, 500, 0, 100, 300, false}, 3000);
    access_now(ES_REG_BASE + ES_REG_HALT, true, 1, true);
    access_now(ES_REG_BASE + ES_REG_TRIGGER, true, 255, true);
    for (unsigned i = 0; i < 4; i++)
        step();
    access_now(ES_REG_BASE + ES_REG_MAILBOX, true, 1, false);
    while (clocks < events_free_)
        step(); // es_event_port ends its frame one clock after `rst`, more than this bench gives
}
