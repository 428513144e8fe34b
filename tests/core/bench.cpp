// Random traffic through es_probe (with scripted soft core and loader), compared clock by clock with the model in model.c.
// Built once per parameter set (rules.mk). Environment: ES_SEED, ES_TRANSACTIONS (per set).

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <memory>

#include "Vbench.h"
#include "Vbench___024root.h"

extern "C" {
#include "model.h"
#include "probe_defs.h"
}

namespace
{

constexpr unsigned kBusBytes = P_DATA_W / 8;
constexpr uint32_t kWindowBytes = 1u << P_WINDOW_LOG2;
constexpr uint32_t kAddressMask = P_ADDR_W == 32 ? 0xFFFFFFFFu : (1u << (P_ADDR_W % 32)) - 1;

class Random
{
  public:
    explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0x1234567u) {}
    uint32_t word()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<uint32_t>(state_ >> 16);
    }
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(static_cast<uint64_t>(word()) * n >> 32); }
    bool chance(unsigned per_mille) { return below(1000) < per_mille; }

  private:
    uint64_t state_;
};

template <typename T> void put(T &port, unsigned low, unsigned width, uint32_t value)
{
    uint64_t mask = (uint64_t{1} << width) - 1;
    port = static_cast<T>((port & ~(mask << low)) | (static_cast<uint64_t>(value) & mask) << low);
}
template <std::size_t N> void put(VlWide<N> &port, unsigned low, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++) {
        uint32_t bit = 1u << (low + i) % 32;
        port[(low + i) / 32] = (port[(low + i) / 32] & ~bit) | (value >> i & 1 ? bit : 0);
    }
}

// What a stretch of traffic is like.
struct Weather {
    unsigned tap_period, clk_period;
    unsigned traffic; // chance of an access per tap and clock
    unsigned bus_ready;
    unsigned firmware; // chance of an access of the soft core per clock
    unsigned loader;
    unsigned pop;       // chance of a pop when there is a hit
    unsigned arm;       // chance that a plane write sets a bit
    bool only_pop;      // the soft core does nothing else
    bool still = false; // clocks that would change nothing (`calm`) are left out; the soft core sleeps now and then
};

struct Access {
    bool active = false, write = false, check = false, fetch = false;
    uint32_t addr = 0, data = 0, expected = 0, mask = 0xFFFFFFFF;
    uint8_t lanes = 15;
};

class Bench
{
  public:
    // used: a probe that has been doing something; one clock of reset must end all of it.
    explicit Bench(uint64_t seed, std::unique_ptr<Vbench> used = nullptr) : random_(seed), reset_again_(used)
    {
        model_config config = {P_TAPS, P_TIME_W, P_ADDR_W, P_DATA_W, P_WINDOW_LOG2, P_BIG_ENDIAN != 0, P_WINDOW_BASE};
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
    ~Bench() { model_free(model_); }
    std::unique_ptr<Vbench> release() { return std::move(top_); }

    void run(const Weather &weather, uint64_t transactions);
    void drain();
    void registers();
    void fill();
    void leave();
    void throughput();
    void compare_memory();
    void compare_idle();
    void pins();
    void stillness();
    void time_now();

    uint64_t checks = 0;
    unsigned failures = 0;
    uint64_t hits = 0, tap_clocks = 0, clocks = 0;
    uint64_t stood_still[3] = {}; // clocks left out, of each part in the order of `calm`
    model *model_;

  private:
    void fail(const char *what, uint32_t got = 0, uint32_t want = 0)
    {
        if (failures++ < 8) {
            std::printf("  %s: got 0x%x, want 0x%x (tap clock %llu, clock %llu)\n", what, got, want,
                        static_cast<unsigned long long>(tap_clocks), static_cast<unsigned long long>(clocks));
        }
    }
    void expect(const char *what, uint32_t got, uint32_t want)
    {
        checks++;
        if (got != want)
            fail(what, got, want);
    }
    void edge(bool tap, bool clk);
    void lower(bool tap, bool clk);
    void raise(bool tap, bool clk);
    void step();
    void drive_tap();
    void drive_clk();
    void observe_clk();
    void executed();
    void observe_events();
    uint32_t random_instruction(uint32_t addr);
    void choose_firmware();
    void choose_loader();
    void apply(const Access &access);
    static bool is_register(const Access &access) { return (access.addr & 0xF0000000) == ES_REG_BASE; }
    static bool is_row(const Access &access) { return (access.addr & 0xF0000000) == ES_ROWS_BASE; }
    static bool is_memory(const Access &access) { return (access.addr & 0xF0000000) == ES_MEM_BASE; }
    // An access begins. What happens only in the next clock: registers, and the soft core's writes to the arrays.
    void begin(const Access &access, Access &acked, bool by_core)
    {
        acked.check = !access.write;
        if (is_register(access) || (access.write && is_row(access)) ||
            (by_core && access.write && !is_memory(access))) {
            register_ = access;
            register_by_core_ = by_core;
        } else if (!access.write) {
            acked.expected = expected_read(access, by_core);
        }
    }
    void unlock()
    {
        if (!just_locked_)
            model_lock(model_, false); // a locking hit in the same clock wins
        lock_pending_ = false;
    }
    uint32_t expected_read(const Access &access, bool by_core);
    uint32_t access_now(uint32_t addr, bool write, uint32_t data, bool by_core);
    uint32_t place();
    uint32_t hot_word();

    std::unique_ptr<Vbench> top_;
    Random random_;
    bool reset_again_;
    bool keep_rows_ = false;
    unsigned fetched_ = 0; // cores that have fetched something
    Weather weather_ = {2, 2, 0, 1000, 0, 0, 0, 0, false};
    uint64_t now_ = 0, next_tap_ = 0, next_clk_ = 0, left_ = 0;
    unsigned spacing_ = 0;
    bool in_turn_ = false; // at most one tap has a transaction in a clock
    std::deque<model_hit> queue_;
    Access firmware_, acked_, loader_, loader_acked_, register_;
    bool register_by_core_ = false;
    bool just_locked_ = false, lock_pending_ = false, clear_pending_ = false, unknown_ = false, quiet_ = false,
         wrote_ = false;
    bool running_ = false; // the soft core is out of reset
    bool mail_full_ = false;
    uint32_t mail_ = 0;
    unsigned age_ = 0;  // clocks that the head of the hit queue has been there
    uint32_t cell_ = 0; // its cell, from the rows of its first clock
    bool popped_ = false;
    uint32_t time_high_ = 0;
    uint16_t flags_ = 0, sequence_ = 0;
    std::deque<uint32_t> pushes_; // words that go to the event queue, from this clock on
    bool ends_ = false, ends_next_ = false;
    uint64_t events_free_ = 0; // clock from which on REG_EV_* may be written again, and hits popped
};

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

uint32_t Bench::hot_word()
{
    uint32_t choice = random_.below(10);
    uint32_t words = kWindowBytes / 4;
    if (choice < 5)
        return random_.below(8) * 4;
    if (choice < 8)
        return (words / 2 + random_.below(64)) * 4;
    return random_.below(words) * 4;
}

// A target address: mostly in the window.
uint32_t Bench::place()
{
    if (random_.below(24) == 0)
        return random_.word() & kAddressMask;
    if (P_ADDR_W > P_WINDOW_LOG2 && random_.below(24) == 0) // beside the window, where a word of it would be
        return (P_WINDOW_BASE ^ 1u << (P_WINDOW_LOG2 + random_.below(P_ADDR_W - P_WINDOW_LOG2))) + hot_word();
    return P_WINDOW_BASE + hot_word() + random_.below(4);
}

// What is fetched from a word: often an instruction that is evidence of a call or a return.
uint32_t Bench::random_instruction(uint32_t addr)
{
    uint32_t noise = addr / 4 * 0x9E3779B1u;
    switch (noise >> 28) {
    case 0:
    case 1: return 0x00008067;                        // ret
    case 2: return (noise & 0xFFF00000) | 0x00028067; // jalr x0, through x5
    case 3:
    case 4: return (noise & 0xFFFFF000) | 0x000000EF; // jal x1
    case 5: return (noise & 0xFFFF8000) | 0x000002E7; // jalr x5
    case 6: return (noise & 0xFFF00000) | 0x00030067; // jalr x0, through x6: no return
    case 7: return (noise & 0xFFFFF000) | 0x0000016F; // jal x2: no call
    case 8: return 0x30200073;                        // mret
    default: return random_.word();
    }
}

void Bench::drive_tap()
{
    top_->bus_valid = 0;
    bool any = false;
    for (unsigned tap = 0; tap < P_TAPS; tap++) {
        bool valid =
            left_ > 0 && spacing_ == 0 && random_.chance(weather_.traffic) && (!in_turn_ || tap_clocks % P_TAPS == tap);
        bool ready = random_.chance(weather_.bus_ready);
        put(top_->bus_valid, tap, 1, valid);
        put(top_->bus_ready, tap, 1, ready);
        if (!valid)
            continue;
        uint32_t dice = random_.word();
        unsigned all = (1u << kBusBytes) - 1;
        model_bus bus = {};
        bus.kind = dice % 16 < 6 ? ES_KIND_FETCH : dice % 16 < 11 ? ES_KIND_WRITE : ES_KIND_READ;
        bus.addr = place();
        bus.lanes = static_cast<uint8_t>(dice >> 4 & 1 ? all : dice >> 5 & all);
        if (bus.kind == ES_KIND_WRITE && bus.lanes == 0)
            bus.lanes = 1;
        bus.data = random_.word();
        if (bus.kind == ES_KIND_FETCH) {
            bus.data = random_instruction(bus.addr) >> 8 * (bus.addr / kBusBytes * kBusBytes % 4);
            if (P_BIG_ENDIAN)
                bus.data = __builtin_bswap32(bus.data) >> (32 - P_DATA_W);
        }
        bool mark =
            bus.kind == ES_KIND_WRITE && P_DATA_W == 32 && bus.lanes == all && weather_.arm && (dice >> 12) % 8 == 0;
        bus.data &= static_cast<uint32_t>((uint64_t{1} << P_DATA_W) - 1);
        bool write = bus.kind == ES_KIND_WRITE;
        put(top_->bus_fetch, tap, 1, bus.kind == ES_KIND_FETCH);
        put(top_->bus_addr, 32 * tap, 32, bus.addr);
        put(top_->bus_wdata, P_DATA_W * tap, P_DATA_W, write ? bus.data : ~bus.data);
        put(top_->bus_rdata, P_DATA_W * tap, P_DATA_W, write ? ~bus.data : bus.data);
        put(top_->bus_wstrb, kBusBytes * tap, kBusBytes, write ? bus.lanes : 0);
        put(top_->bus_lanes, kBusBytes * tap, kBusBytes, bus.lanes);
        put(top_->bus_mark, tap, 1, mark);
        if (!ready)
            continue;
        if (mark) {
            bus.kind = ES_KIND_MARK;
            if (P_BIG_ENDIAN)
                bus.data = __builtin_bswap32(bus.data);
        }
        any = true;
        left_--;
        model_bus_access(model_, tap_clocks, tap, &bus);
    }
    spacing_ = any ? P_QUEUE < 4 : 0;
}

void Bench::choose_firmware()
{
    firmware_ = Access();
    bool arrives = acked_.active && acked_.fetch; // an instruction: like the soft core, no request then
    // without instructions the loader would never get its turn
    bool waits = loader_.active && !loader_acked_.active && !quiet_;
    bool acts = !clear_pending_ && !top_->clearing && random_.chance(weather_.firmware);
    if (!running_ || quiet_ || arrives || !(acts || waits))
        return;
    Access &a = firmware_;
    a.active = true;
    if (wrote_ || !acts || random_.below(8) == 0) { // like the soft core, no data access in the clock after a write
        a.fetch = true;
        a.addr = ES_MEM_BASE + random_.below(ES_MEM_SIZE / 4) * 4;
        return;
    }
    a.data = random_.word();
    uint32_t dice = random_.below(64);
    bool events_free = clocks >= events_free_;
    if (!queue_.empty() && random_.chance(weather_.pop)) {
        static const uint32_t kFields[] = {ES_REG_HIT_FLAGS, ES_REG_HIT_TIME, ES_REG_HIT_ADDR,  ES_REG_HIT_NEW,
                                           ES_REG_HIT_OLD,   ES_REG_HIT_PC,   ES_REG_TIME_HIGH, ES_REG_HIT_CELL,
                                           ES_REG_HIT_CELL,  ES_REG_HIT_CELL, ES_REG_HIT_CELL};
        if (dice < 16 || !events_free) {
            a.addr = ES_REG_BASE + kFields[random_.below(11)];
        } else if (dice < 24 && !weather_.only_pop) {
            a.addr = ES_REG_BASE + ES_REG_EV_HIT;
            a.write = true;
            events_free_ = clocks + 5;
        } else {
            a.addr = ES_REG_BASE + ES_REG_HIT_POP;
            a.write = true;
        }
    } else if (weather_.only_pop) {
        a.active = false;
    } else if (dice < 16) {
        a.addr = (dice < 8 ? ES_PLANE_DATA_BASE : ES_PLANE_FETCH_BASE) + hot_word();
        a.write = dice % 8 != 0;
        a.data = random_.chance(weather_.arm) ? random_.below(4) : 0;
    } else if (dice < 32) {
        a.addr = ES_PHANTOM_BASE + hot_word() + (dice == 16 && P_WINDOW_LOG2 < 28 ? kWindowBytes : 0);
        a.write = dice % 2;
        if (a.write && dice > 24)
            a.lanes = static_cast<uint8_t>(random_.below(15) + 1);
    } else if (dice < 40) {
        a.addr = ES_MEM_BASE + random_.below(ES_MEM_SIZE / 4) * 4;
        a.write = dice % 2;
        if (a.write)
            a.lanes = static_cast<uint8_t>(random_.below(15) + 1);
    } else if (dice < 44) {
        a.addr = ES_REG_BASE + (dice < 42 ? ES_REG_STATUS : ES_REG_HIT_CELL);
    } else if (dice < 48) {
        a.addr = ES_REG_BASE + ES_REG_UNKNOWN;
    } else if (dice < 50) {
        a.addr = ES_REG_BASE + ES_REG_MAILBOX;
    } else if (dice == 50) {
        a.addr = ES_REG_BASE + ES_REG_CTRL;
        a.write = true;
        a.data = random_.below(200) == 0 && !loader_.active ? ES_CTRL_CLEAR
                 : random_.below(4) == 0                    ? ES_CTRL_READS
                 : random_.below(3) == 0                    ? ES_CTRL_LOCK
                                                            : ES_CTRL_UNLOCK;
    } else if (dice == 51 && queue_.empty() && (lock_pending_ || model_locked(model_))) {
        a.addr = ES_REG_BASE + ES_REG_CTRL;
        a.write = true;
        a.data = ES_CTRL_UNLOCK;
    } else if (dice >= 52 && dice < 56 && !keep_rows_) {
        a.addr = ES_ROWS_BASE + random_.below(2 * ES_ROWS) * 4;
        a.write = true;
    } else if (dice >= 56 && dice < 60 && events_free) {
        static const uint32_t kEvents[] = {ES_REG_EV_DATA, ES_REG_EV_HEAD, ES_REG_EV_LAST, ES_REG_EV_END,
                                           ES_REG_EV_FLAGS};
        a.addr = ES_REG_BASE + kEvents[random_.below(5)];
        a.write = true;
        if (a.addr == ES_REG_BASE + ES_REG_EV_LAST)
            events_free_ = clocks + 2;
    } else if (dice >= 60 && dice < 62) {
        a.addr = ES_REG_BASE + ES_REG_EV_FLAGS;
    } else {
        a.active = false;
    }
}

void Bench::choose_loader()
{
    // a write during the sweep would be lost or not, depending on how far it is
    uint32_t control = ES_REG_BASE + ES_REG_CTRL;
    if ((firmware_.active && firmware_.addr == control) || (register_.active && register_.addr == control))
        return;
    if (loader_.active || quiet_ || clear_pending_ || top_->clearing || !random_.chance(weather_.loader))
        return;
    loader_ = Access();
    loader_.active = true;
    loader_.data = random_.word();
    uint32_t dice = random_.below(20);
    loader_.write = dice % 2;
    loader_.addr = dice < 8    ? ES_MEM_BASE + random_.below(ES_MEM_SIZE / 4) * 4
                   : dice < 13 ? ES_PHANTOM_BASE + hot_word() + (dice == 8 && P_WINDOW_LOG2 < 28 ? kWindowBytes : 0)
                   : dice < 14 ? ES_ROWS_BASE + random_.below(2 * ES_ROWS) * 4
                   : dice < 16 ? ES_REG_BASE + ES_REG_MAILBOX
                               : (dice < 18 ? ES_PLANE_DATA_BASE : ES_PLANE_FETCH_BASE) + hot_word();
    if (dice >= 16 && !random_.chance(weather_.arm))
        loader_.data = 0;
}

uint32_t Bench::expected_read(const Access &access, bool by_core)
{
    if ((access.addr & 0xF0000000) != ES_REG_BASE) {
        bool known;
        uint32_t value = model_read(model_, access.addr, &known);
        if (!known && by_core)
            unknown_ = true;
        return value;
    }
    model_hit hit = queue_.empty() ? model_hit() : queue_.front();
    uint32_t value;
    switch (access.addr - ES_REG_BASE) {
    case ES_REG_STATUS:
        return (queue_.empty() ? 0 : ES_STATUS_HIT) | (mail_full_ ? ES_STATUS_MAIL : 0) |
               (lock_pending_ || model_locked(model_) ? ES_STATUS_LOCKED : 0);
    case ES_REG_HIT_FLAGS:
        return static_cast<uint32_t>(hit.kind) | static_cast<uint32_t>(hit.lanes) << ES_HIT_LANES_SHIFT |
               (hit.old_known ? ES_HIT_OLD_KNOWN : 0) | (hit.locked ? ES_HIT_LOCKED : 0) |
               static_cast<uint32_t>(hit.core) << ES_HIT_CORE_SHIFT;
    case ES_REG_HIT_TIME: return static_cast<uint32_t>(hit.time);
    case ES_REG_HIT_ADDR: return hit.addr;
    case ES_REG_HIT_NEW: return hit.new_word;
    case ES_REG_HIT_OLD: return hit.old_word;
    case ES_REG_HIT_PC: return hit.pc;
    case ES_REG_HIT_CELL: return age_ < 2 ? 0 : cell_;
    case ES_REG_TIME_HIGH: return time_high_;
    case ES_REG_EV_FLAGS: return flags_;
    case ES_REG_UNKNOWN:
        value = unknown_;
        if (by_core)
            unknown_ = false;
        return value;
    case ES_REG_MAILBOX:
        value = mail_full_ ? mail_ : 0;
        if (by_core)
            mail_full_ = false;
        return value;
    default: return 0;
    }
}

void Bench::apply(const Access &access)
{
    if ((access.addr & 0xF0000000) != ES_REG_BASE) {
        model_write(model_, access.addr, access.data, access.lanes);
        return;
    }
    switch (access.addr - ES_REG_BASE) {
    case ES_REG_HIT_POP:
        if (queue_.empty())
            break;
        if (queue_.front().kind == ES_KIND_MARK && queue_.front().lanes == ES_MARK_EPOCH)
            time_high_ = queue_.front().new_word;
        if (queue_.front().locked)
            unlock();
        queue_.pop_front();
        popped_ = true;
        break;
    case ES_REG_EV_DATA: pushes_.push_back(access.data); break;
    case ES_REG_EV_HEAD: pushes_.push_back((access.data & 0xFFFF) | static_cast<uint32_t>(sequence_++) << 16); break;
    case ES_REG_EV_LAST:
        pushes_.push_back(access.data);
        ends_next_ = true;
        break;
    case ES_REG_EV_END: ends_ = true; break;
    case ES_REG_EV_FLAGS: flags_ = static_cast<uint16_t>(access.data); break;
    case ES_REG_EV_HIT: {
        const model_hit &hit = queue_.front();
        pushes_ = {ES_FRAME_HIT | (access.data >> 16 & 0xFF) << 8 | static_cast<uint32_t>(sequence_++) << 16,
                   static_cast<uint32_t>(hit.time), time_high_,
                   (access.data & 0xFFFF) | static_cast<uint32_t>(flags_) << 16, hit.pc};
        break;
    }
    case ES_REG_CPU_CTRL:
        if (!(access.data & 1))
            flags_ = sequence_ = 0;
        break;
    case ES_REG_CTRL:
        if (access.data & ES_CTRL_READS)
            model_reads(model_, true);
        if (access.data & ES_CTRL_CLEAR) {
            clear_pending_ = true;
            model_reads(model_, false);
        }
        if (access.data & ES_CTRL_UNLOCK)
            unlock();
        if (access.data & ES_CTRL_LOCK)
            lock_pending_ = true;
        break;
    case ES_REG_MAILBOX:
        mail_ = access.data;
        mail_full_ = true;
        break;
    default: break;
    }
}

void Bench::drive_clk()
{
    choose_firmware();
    choose_loader();
    top_->fw_req = firmware_.active;
    top_->fw_fetch = firmware_.fetch;
    top_->fw_addr = firmware_.addr;
    top_->fw_wdata = firmware_.data;
    top_->fw_wstrb = firmware_.write ? firmware_.lanes : 0;
    // as the soft core does, only where it neither asks for anything nor waits for it
    bool sleeps = weather_.still && !firmware_.active && !acked_.active && !wrote_ && random_.below(4) != 0;
    top_->fw_sleeping = quiet_ || sleeps;
    top_->ld_req = loader_.active;
    top_->ld_write = loader_.write;
    top_->ld_addr = loader_.addr;
    top_->ld_wdata = loader_.data;
}

// The pipeline executes a record in this clock.
void Bench::executed()
{
    model_hit got = {}, want = {};
    bool is_hit = false;
    got.time = top_->hit_time;
    got.addr = top_->hit_addr;
    got.new_word = top_->hit_new;
    got.old_word = top_->hit_old;
    got.pc = top_->hit_pc;
    got.kind = top_->hit_kind;
    got.lanes = top_->hit_lanes;
    got.core = top_->hit_core;
    got.old_known = top_->hit_old_known;
    got.locked = top_->hit_locked;
    got.dynamic = top_->hit_dynamic;
    bool program = top_->is_mark && got.lanes == ES_MARK_PROGRAM;
    const char *wrong = model_execute(model_, top_->is_mark && !program ? &got : nullptr, &is_hit, &want);
    checks++;
    if (wrong)
        fail(wrong);
    if (top_->push != is_hit)
        fail("hit", top_->push, is_hit);
    bool fetch = got.kind == ES_KIND_FETCH && !top_->is_mark, fetched = fetched_ >> got.core & 1;
    if (fetch)
        fetched_ |= 1u << got.core;
    if (!is_hit)
        return;
    just_locked_ = want.locked;
    hits++;
    if (!fetched && reset_again_)
        want.pc = got.pc; // before the core's first fetch what it fetched last has no meaning
    if (top_->is_mark || (fetch && !fetched && reset_again_))
        want.old_word = got.old_word; // nor has a mark's old word
    if (top_->is_mark && !program) {
        want.addr = got.addr;
        want.pc = got.pc;
        want.old_known = got.old_known;
    }
    if (got.kind != want.kind)
        fail("kind", got.kind, want.kind);
    if (got.lanes != want.lanes)
        fail("lanes", got.lanes, want.lanes);
    if (got.core != want.core)
        fail("core", got.core, want.core);
    if (got.time != static_cast<uint32_t>(want.time))
        fail("time", static_cast<uint32_t>(got.time), static_cast<uint32_t>(want.time));
    if (got.addr != want.addr)
        fail("address", got.addr, want.addr);
    if (got.new_word != want.new_word)
        fail("new word", got.new_word, want.new_word);
    if (got.old_word != want.old_word)
        fail("old word", got.old_word, want.old_word);
    if (got.pc != want.pc)
        fail("pc", got.pc, want.pc);
    if (got.old_known != want.old_known)
        fail("old known", got.old_known, want.old_known);
    if (got.dynamic != want.dynamic)
        fail("dynamic", got.dynamic, want.dynamic);
    if (got.locked != want.locked)
        fail("lock", got.locked, want.locked);
    want.time = static_cast<uint32_t>(want.time);
    queue_.push_back(want);
}

// What goes to the event queue in this clock.
void Bench::observe_events()
{
    expect("event word", top_->ev_push, !pushes_.empty());
    if (!pushes_.empty()) {
        expect("event word's value", top_->ev_data, pushes_.front());
        pushes_.pop_front();
    }
    expect("event frame's end", top_->ev_end, ends_);
    ends_ = ends_next_;
    ends_next_ = false;
}

// Before the clock's edge, everything settled: first what was asked for in the clock before, then reads (which see memory before
// a store of this clock), then the pipeline, then writes.
void Bench::observe_clk()
{
    bool head = !queue_.empty();
    if (head && age_ == 0)
        cell_ = model_cell(model_, &queue_.front());
    popped_ = false;
    Access registered = register_; // of the clock before: happens in this one
    register_ = Access();
    if (registered.active && !registered.write) {
        Access &reader = register_by_core_ ? acked_ : loader_acked_;
        reader.expected = expected_read(registered, register_by_core_);
    }
    expect("ack", top_->fw_ack, acked_.active);
    if (acked_.active && acked_.check) {
        if (top_->fw_rdata != acked_.expected)
            std::printf("  reading 0x%x:\n", acked_.addr);
        expect("read", top_->fw_rdata, acked_.expected);
    }
    expect("loader ack", top_->ld_ack, loader_acked_.active);
    if (loader_acked_.active && loader_acked_.check)
        expect("loader read", top_->ld_rdata, loader_acked_.expected);
    if (loader_acked_.active)
        loader_.active = false;
    expect("locked", top_->locked, lock_pending_ || model_locked(model_));
    expect("hit valid", top_->hit_valid, !queue_.empty());
    if (lock_pending_ && top_->empty) {
        model_lock(model_, true);
        lock_pending_ = false;
    }

    acked_ = firmware_;
    loader_acked_ = Access();
    if (firmware_.active)
        begin(firmware_, acked_, true);
    if (top_->ld_go) {
        loader_acked_ = loader_;
        begin(loader_, loader_acked_, false);
    }
    just_locked_ = false;
    if (top_->execute)
        executed();
    if (registered.active && registered.write)
        apply(registered);
    if (firmware_.active && firmware_.write && is_memory(firmware_))
        apply(firmware_);
    if (top_->ld_go && loader_.write && !is_register(loader_) && !is_row(loader_))
        apply(loader_);
    observe_events();
    age_ = head && !popped_ ? age_ + 1 : 0;
    if (clear_pending_ && top_->clearing && top_->empty) {
        model_clear(model_);
        clear_pending_ = false;
    }
    wrote_ = firmware_.active && firmware_.write;
    firmware_.active = false;
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
    Weather calm = {weather_.tap_period, weather_.clk_period, 0, 1000, 700, 0, 900, 0, false, weather_.still};
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
    uint32_t config = P_ADDR_W | P_DATA_W << 8 | (P_BIG_ENDIAN ? 1u << 16 : 0) | P_TAPS << 20 |
                      static_cast<uint32_t>(P_TIME_W) << 24 | ES_CONFIG_READS | ES_CONFIG_OUTPUTS | ES_CONFIG_TIME_NOW;
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

// After a reset the memories hold whatever they held; the model has to know what.
void Bench::fill()
{
    for (uint32_t i = 0; i < ES_MEM_SIZE; i += 4)
        access_now(ES_MEM_BASE + i, true, random_.word(), false);
    for (uint32_t i = 0; i < kWindowBytes; i += 4)
        access_now(ES_PHANTOM_BASE + i, true, random_.word(), false);
}

// Leaves the probe in the middle of everything; with rows of 0, as marks that come before rows are written look at them.
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

// Full speed without hits: one transaction per clock, or per two with SPRAM, and the FIFO stays nearly empty. Several taps take turns:
// what they have at once waits in their own few places, and may be lost; some clocks are left for the epochs.
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

uint64_t environment(const char *name, uint64_t otherwise)
{
    const char *text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

} // namespace

double sc_time_stamp()
{
    return 0;
}

int main()
{
    uint64_t seed = environment("ES_SEED", static_cast<uint64_t>(std::time(nullptr)));
    uint64_t transactions = environment("ES_TRANSACTIONS", P_TRANSACTIONS);
    std::printf("ES_SEED=%llu\n", static_cast<unsigned long long>(seed));
    Bench before(seed + 1);
    before.registers();
    before.leave();
    Bench bench(seed, before.release());
    bench.failures = before.failures;
    Random random(seed ^ 0xABCDEF);
    unsigned passed = 0;
    auto passes = [&](auto &&part) {
        unsigned before = bench.failures;
        part();
        passed += bench.failures == before;
    };
    passes([&] { bench.registers(); });
    for (uint64_t done = 0; done < transactions && !bench.failures;) {
        uint64_t part = 2000 + random.below(20000);
        Weather weather;
        weather.tap_period = 1 + random.below(6);
        weather.clk_period = 1 + random.below(6);
        weather.traffic = random.below(3) == 0 ? 1000 : 20 + random.below(900);
        weather.bus_ready = random.below(2) ? 1000 : 300 + random.below(700);
        weather.firmware = 100 + random.below(900);
        weather.loader = random.below(2) ? 0 : random.below(500);
        weather.pop = random.below(4) == 0 ? random.below(100) : 200 + random.below(800);
        weather.arm = random.below(3) == 0 ? random.below(40) : random.below(600);
        weather.only_pop = false;
        weather.still = random.below(2);
        passes([&] {
            bench.run(weather, part);
            bench.drain();
        });
        done += part;
    }
    passes([&] { bench.throughput(); });
    passes([&] { bench.compare_memory(); });
    passes([&] { bench.stillness(); });
    passes([&] { bench.pins(); });
    passes([&] { bench.time_now(); });
    passes([&] { bench.compare_idle(); });
    auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf(
        "%llu transactions, %llu lost in %llu gaps, %llu epochs, %llu hits and marks, %llu tap clocks, %llu clocks, "
        "%llu, %llu, %llu of them left out, %llu comparisons\n",
        number(model_fed(bench.model_)), number(model_lost(bench.model_)), number(model_gaps(bench.model_)),
        number(model_epoch(bench.model_)), number(bench.hits), number(bench.tap_clocks), number(bench.clocks),
        number(bench.stood_still[0]), number(bench.stood_still[1]), number(bench.stood_still[2]), number(bench.checks));
    std::printf("%u passed, %u failed\n", passed, bench.failures);
    return bench.failures != 0;
}
