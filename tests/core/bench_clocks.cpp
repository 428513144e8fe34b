// The two clocks: edges, stretches of traffic, and single accesses in between.
#include "bench.hpp"

void Bench::lower(bool tap, bool clk)
{
    if (tap)
        top_->clk_tap = 0;
    if (clk)
        top_->clk = top_->clk_soc = top_->clk_link = 0;
    top_->eval();
}

// The rising edge; in still weather not of those clocks that would change nothing.
void Bench::raise(bool tap, bool clk)
{
    unsigned left_out = weather_.still && !top_->rst ? top_->calm : 0;
    if (tap)
        top_->clk_tap = 1;
    if (clk) {
        top_->clk = ~left_out & 1;
        top_->clk_soc = ~left_out >> 1 & 1;
        top_->clk_link = ~left_out >> 2 & 1;
        for (unsigned part = 0; part < 3; part++)
            stood_still[part] += left_out >> part & 1;
    }
    top_->eval();
}

void Bench::edge(bool tap, bool clk)
{
    lower(tap, clk);
    if (clk && !top_->rst)
        observe_clk();
    raise(tap, clk);
    if (tap && !top_->rst_tap)
        tap_clocks++;
    if (clk)
        clocks++;
}

void Bench::step()
{
    bool tap = next_tap_ <= next_clk_, clk = next_clk_ <= next_tap_;
    now_ = tap ? next_tap_ : next_clk_;
    if (tap) {
        drive_tap();
        next_tap_ = now_ + weather_.tap_period;
    }
    if (clk) {
        drive_clk();
        next_clk_ = now_ + weather_.clk_period;
    }
    edge(tap, clk);
    if (clk && loader_acked_.active == false && !loader_.active)
        top_->ld_req = 0;
}

void Bench::run(const Weather &weather, uint64_t transactions)
{
    weather_ = weather;
    left_ = transactions;
    for (uint64_t limit = 2000 * transactions + 100000; left_ > 0; limit--) {
        step();
        if (limit == 0 || failures > 20) {
            fail("no progress");
            return;
        }
    }
}

void Bench::drain()
{
    Weather calm = {weather_.tap_period, weather_.clk_period, 0, 1000, 700, 0, 900, 0, false, 0, weather_.still};
    weather_ = calm;
    left_ = 0;
    for (unsigned limit = 2000000;; limit--) {
        step();
        bool done = model_fed(model_) == model_executed(model_) + model_lost(model_);
        if (done && top_->empty && queue_.empty() && !model_locked(model_) && !lock_pending_ && !clear_pending_)
            break;
        if (limit == 0 || failures > 20) {
            fail("does not drain");
            return;
        }
    }
    weather_.only_pop = true;
    weather_.still = false;
    weather_.firmware = weather_.pop = 1000;
    for (unsigned i = 0; i < 400; i++)
        step(); // marks may follow the last transaction
    expect("REG_LOST", access_now(ES_REG_BASE + ES_REG_LOST, false, 0, true),
           static_cast<uint32_t>(model_lost(model_)));
    // wraps of the last clocks may still be on their way
    uint64_t epoch = model_epoch(model_), now = tap_clocks >> P_TIME_W, before = (tap_clocks - 600) >> P_TIME_W;
    checks++;
    if (epoch > now || epoch < before)
        fail("epoch", static_cast<uint32_t>(epoch), static_cast<uint32_t>(now));
}

// One access, alone on the bus but for the traffic.
uint32_t Bench::access_now(uint32_t addr, bool write, uint32_t data, bool by_core)
{
    uint32_t value = 0;
    Weather kept = weather_;
    weather_.firmware = weather_.loader = weather_.traffic = 0;
    while (loader_.active || wrote_ || acked_.fetch)
        step();
    Access a;
    a.active = true;
    a.addr = addr;
    a.data = data;
    a.write = write;
    if (by_core) {
        while (next_clk_ > next_tap_)
            step();
        // the request's clock by hand: drive_clk would choose another
        top_->fw_req = 1;
        top_->fw_fetch = 0;
        top_->fw_addr = addr;
        top_->fw_wdata = data;
        top_->fw_wstrb = write ? 15 : 0;
        top_->ld_req = 0;
        bool tap = next_tap_ == next_clk_;
        if (tap) {
            drive_tap();
            next_tap_ += weather_.tap_period;
        }
        next_clk_ += weather_.clk_period;
        top_->fw_sleeping = 0;
        lower(tap, true);
        firmware_ = a;
        observe_clk();
        acked_.check = acked_.check && !is_register(a);
        raise(tap, true);
        if (tap)
            tap_clocks++;
        clocks++;
        top_->fw_req = 0;
        value = top_->fw_rdata;
    } else {
        loader_ = a;
        bool done = false;
        while (!done) {
            bool clk = next_clk_ <= next_tap_;
            step();
            if (clk && loader_acked_.active) {
                loader_acked_.check = loader_acked_.check && !is_register(a);
                value = top_->ld_rdata;
                done = true;
            }
        }
    }
    weather_ = kept;
    return value;
}
