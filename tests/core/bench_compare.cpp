// What the model makes of a clock, and whether the probe agrees.
#include "bench.hpp"

void Bench::unlock()
{
    if (!just_locked_)
        model_lock(model_, false); // a locking hit in the same clock wins
    lock_pending_ = false;
}

// An access begins. What happens only in the next clock: registers, and the soft core's writes to the arrays.
void Bench::begin(const Access &access, Access &acked, bool by_core)
{
    acked.check = !access.write;
    if (is_register(access) || (access.write && is_row(access)) || (by_core && access.write && !is_memory(access))) {
        register_ = access;
        register_by_core_ = by_core;
    } else if (!access.write) {
        acked.expected = expected_read(access, by_core);
    }
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
    case ES_REG_REC_CTRL: ask(access.data); break;
    case ES_REG_MAILBOX:
        mail_ = access.data;
        mail_full_ = true;
        break;
    default: break;
    }
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
    if (recording_)
        recorder_model_record(recorder_, model_last(model_));
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

// Before the clock's edge, everything settled: first what was asked for in the clock before, then reads (which see
// memory before a store of this clock), then the pipeline, then writes.
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
    observe_recording();
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
