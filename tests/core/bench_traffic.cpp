// What the taps, the soft core and the loader do in a clock, by chance.
#include "bench.hpp"

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

// One of 16 bits, with anything after it: often a jump, call, return or branch.
static uint32_t compressed_instruction(uint32_t noise)
{
    uint32_t rest = noise & 0xFFFF0000u;
    switch (noise >> 4 & 7) {
    case 0: return rest | 0x8082;                          // ret
    case 1: return rest | 0x8002 | (noise >> 16 & 0x1F80); // c.jr, c.jalr, c.ebreak, or none
    case 2: return rest | 0x2001 | (noise >> 16 & 0x1FFC); // c.jal
    case 3: return rest | 0xA001 | (noise >> 16 & 0x1FFC); // c.j
    case 4: return rest | 0xC001 | (noise >> 16 & 0x3FFC); // c.beqz, c.bnez
    default: return (noise & 3) == 3 ? noise ^ (1 + (noise >> 8) % 3) : noise;
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
            if (P_COMPRESSED) {
                uint32_t insn =
                    random_.below(2) ? compressed_instruction(random_.word()) : random_instruction(bus.addr);
                bool upper = random_.below(2) != 0;
                bus.data = upper ? insn << 16 | insn >> 16 : insn;
                if (random_.below(8) != 0)
                    bus.lanes = upper ? 12 : random_.below(2) ? 3 : 15;
            }
        }
        if (P_RECORDER)
            shape(bus);
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
        bus.missed = P_QUEUE >= 4 && random_.chance(weather_.misses);
        put(top_->bus_missed, tap, 1, bus.missed);
        if (!ready)
            continue;
        if (mark) {
            bus.kind = ES_KIND_MARK;
            if (P_BIG_ENDIAN)
                bus.data = __builtin_bswap32(bus.data);
        }
        any = true;
        left_--;
        model_bus_access(model_, tap_clocks, tap / P_PER_TAP, &bus);
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
        a.data = random_.chance(weather_.arm) ? random_.below(4) | random_.below(2) << 16 : 0;
        if (a.write && dice >= 8 && random_.below(2)) // one of the word's two bits
            a.lanes = random_.below(2) ? 1 : 4;
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
    if (P_RECORDER && random_.chance(weather_.asks)) {
        loader_.write = true;
        loader_.addr = ES_REG_BASE + ES_REG_REC_CTRL;
        loader_.data = random_.below(8) ? ES_REC_HEARTBEAT : random_.below(2) ? ES_REC_STOP : ES_REC_START;
        return;
    }
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
    top_->rec_ready = random_.chance(weather_.link);
}
