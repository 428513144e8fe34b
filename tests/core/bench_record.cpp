// The recorder under the same traffic: its frames and bytes against recorder_model.c.
#include "bench.hpp"

// What the recorder is to look for, by chance.
void Bench::choose_recording()
{
    auto set = [&](uint32_t offset, uint32_t value) {
        access_now(ES_REG_BASE + offset, true, value, random_.below(2) != 0);
        recorder_model_write(recorder_, offset, value);
    };
    set(ES_REG_REC_PERIOD, ~0u << (8 + random_.below(6)));
    for (uint32_t i = 0; i < 2; i++) {
        bool none = random_.below(4) == 0;
        set(ES_REG_REC_VECTOR + 8 * i, (P_WINDOW_BASE + hot_word() + 2 * random_.below(2)) | none);
        set(ES_REG_REC_MASK + 8 * i, random_.below(2) ? ~0u : ~(random_.word() & 0xFE));
        set(ES_REG_REC_QUIET + 8 * i, (outside() & ~3u) | (random_.below(2) != 0));
        set(ES_REG_REC_QUIET_MASK + 8 * i, random_.below(2) ? kWindowBytes << random_.below(4) : ~0u);
    }
}

// An address beyond the window, one of not too many.
uint32_t Bench::outside()
{
    return (P_WINDOW_BASE ^ 1u << (P_WINDOW_LOG2 + random_.below(P_ADDR_W - P_WINDOW_LOG2))) + 4 * random_.below(8);
}

// Traffic as of a target: what is read was there mostly, and inputs are often as predicted.
void Bench::shape(model_bus &bus)
{
    if (polls_) {
        bus = {
            .addr = P_WINDOW_BASE ^ 1u << P_WINDOW_LOG2, .data = 7, .lanes = 15, .kind = ES_KIND_READ, .missed = false};
        return;
    }
    if (bus.kind == ES_KIND_READ && random_.below(4) == 0)
        bus.addr = outside();
    uint32_t index = (bus.addr - P_WINDOW_BASE) / 4;
    if (index >= kWindowBytes / 4) { // before it, too
        if (bus.kind == ES_KIND_READ && random_.below(8) != 0) {
            input_step_ = random_.below(16) ? input_step_ : random_.below(3) ? 0 : random_.word() >> random_.below(32);
            input_ = random_.below(32) ? input_ + input_step_ : random_.word() >> random_.below(32);
            bus.data = input_;
            bus.lanes = 15;
        }
        return;
    }
    bool middle = P_COMPRESSED && bus.kind == ES_KIND_FETCH && (bus.lanes & 7) == 4;
    if (bus.kind == ES_KIND_FETCH && random_.below(16) == 0) {
        static const uint16_t near[] = {0xB00, 0xB02, 0xB80, 0xB82, 0xC00, 0xC01, 0xC02, 0xC03, 0xC80, 0xC81, 0xC82,
                                        0xC83, 0x344, 0x304, 0xB01, 0xB03, 0x340, 0xB20, 0xC40, 0x744, 0x300};
        uint32_t insn = static_cast<uint32_t>(near[random_.below(21)]) << 20 | (random_.word() & 0xFFF80) | 0x73;
        bus.data = middle ? insn << 16 | insn >> 16 : insn;
        if (random_.below(4) && !middle)
            bus.lanes = 15;
    } else if (bus.kind != ES_KIND_WRITE && random_.below(16) != 0) {
        bus.data = middle ? (memory_[index] & 0xFFFF0000) | (bus.data & 0xFFFF) : memory_[index];
    }
    for (unsigned lane = 0; lane < 4; lane++)
        if (bus.lanes >> lane & 1)
            memory_[index] = (memory_[index] & ~(0xFFu << 8 * lane)) | (bus.data & 0xFFu << 8 * lane);
}

// REG_REC_CTRL is written in this clock.
void Bench::ask(uint32_t bits)
{
    if (top_->recording && (bits & (ES_REC_START | ES_REC_STOP | ES_REC_HEARTBEAT)))
        recorder_model_ask(recorder_, bits & (ES_REC_START | ES_REC_STOP));
}

// A byte of a frame goes out in this clock.
void Bench::observe_frame()
{
    uint8_t byte = top_->rec_byte;
    const char *wrong = nullptr;
    checks++;
    switch (frame_bytes_++) {
    case 0: expect("record frame's kind", byte, ES_FRAME_RECORD); break;
    case 1:
        frame_size_ = 4 * (1 + static_cast<unsigned>(byte));
        expect("record frame's words", byte >= 1 && byte <= ES_FRAME_MAX_WORDS - 2, true);
        break;
    case 2: expect("record frame's number", byte, frame_number_ & 0xFF); break;
    case 3: expect("record frame's number", byte, frame_number_++ >> 8 & 0xFF); break;
    default: wrong = recorder_model_byte(recorder_, byte);
    }
    if (wrong)
        fail(wrong);
    expect("record frame's end", top_->rec_last, frame_bytes_ > 4 && frame_bytes_ == frame_size_);
    if (top_->rec_last)
        frame_bytes_ = 0;
}

// In each clock, before records are executed.
void Bench::observe_recording()
{
    if (top_->recording && !recording_) {
        const char *wrong = recorder_model_begin(recorder_);
        checks++;
        if (wrong)
            fail(wrong);
        frame_number_ = 0;
    }
    recording_ = top_->recording;
    if (top_->rec_full) // what finds no room: there is less than for the largest tokens, and what has to follow
        expect("room that is left", top_->rec_level + 72 > 1u << P_RECORD_LOG2, true);
    if (top_->rec_valid && top_->rec_ready)
        observe_frame();
}

// Steps until it is so, or too long.
template <class Condition> void Bench::wait(const char *what, Condition &&condition)
{
    for (unsigned limit = 100000; !condition(); limit--) {
        step();
        if (limit == 0 || failures > 20) {
            fail(what);
            return;
        }
    }
}

// Between stretches of traffic: a recording begins or ends, or a heartbeat tells all that was.
void Bench::recording()
{
    weather_.link = 1000;
    if (!recording_) // one may be about to begin: not any more
        access_now(ES_REG_BASE + ES_REG_REC_CTRL, true, ES_REC_STOP, true);
    if (!recording_) {
        wait("END does not come of itself", [&] { return recorder_model_ended(recorder_); });
        if (random_.below(2) == 0)
            choose_recording();
        access_now(ES_REG_BASE + ES_REG_REC_CTRL, true, ES_REC_START, random_.below(2) != 0);
        wait("does not begin to record", [&] { return recording_; });
        expect("REG_REC_CTRL", access_now(ES_REG_BASE + ES_REG_REC_CTRL, false, 0, true), 1);
    } else if (random_.below(2)) {
        access_now(ES_REG_BASE + ES_REG_REC_CTRL, true, ES_REC_HEARTBEAT, random_.below(2) != 0);
        wait("the heartbeat does not come", [&] { return !recording_ || recorder_model_settled(recorder_); });
    } else {
        bool again = random_.below(4) == 0;
        unsigned long ends = recorder_model_ends(recorder_, ES_END_ASKED);
        access_now(ES_REG_BASE + ES_REG_REC_CTRL, true, again ? ES_REC_START : ES_REC_STOP, random_.below(2) != 0);
        wait("END does not come",
             [&] { return recorder_model_ends(recorder_, ES_END_ASKED) > ends || recorder_model_ended(recorder_); });
        if (again)
            wait("does not begin again", [&] { return recording_; });
    }
}

// A target that polls one input, for longer than a RUN can be.
void Bench::polls()
{
    if (!P_RECORDER)
        return;
    access_now(ES_REG_BASE + ES_REG_REC_CTRL, true, ES_REC_STOP, true);
    wait("END does not come before polls", [&] { return !recording_ && recorder_model_ended(recorder_); });
    const std::pair<uint32_t, uint32_t> settings[] = {
        {ES_REG_REC_PERIOD, ~0u << 24}, {ES_REG_REC_QUIET, 1}, {ES_REG_REC_QUIET + 8, 1}};
    for (const auto &setting : settings) {
        access_now(ES_REG_BASE + setting.first, true, setting.second, true);
        recorder_model_write(recorder_, setting.first, setting.second);
    }
    access_now(ES_REG_BASE + ES_REG_REC_CTRL, true, ES_REC_START, true);
    wait("does not begin to record polls", [&] { return recording_; });
    unsigned long predicted = recorder_model_predicted(recorder_);
    polls_ = true;
    run({4, 1, 1000, 1000, 1000, 0, 1000, 0, true}, 70000);
    drain();
    polls_ = false;
    access_now(ES_REG_BASE + ES_REG_REC_CTRL, true, ES_REC_HEARTBEAT, true);
    wait("the heartbeat after polls does not come", [&] { return !recording_ || recorder_model_settled(recorder_); });
    expect("polls predicted", static_cast<uint32_t>(recorder_model_predicted(recorder_) - predicted), 70000 - 2);
}

// The last recording ends; each sort of token has been there.
void Bench::end_recording()
{
    if (!P_RECORDER)
        return;
    weather_.link = 1000;
    access_now(ES_REG_BASE + ES_REG_REC_CTRL, true, ES_REC_STOP, true); // also one that is about to begin
    wait("END does not come at last", [&] { return !recording_ && recorder_model_ended(recorder_); });
    expect("REG_REC_CTRL", access_now(ES_REG_BASE + ES_REG_REC_CTRL, false, 0, false), 0);
    std::printf("recorder:");
    for (unsigned kind = ES_TOKEN_VALUE; kind <= ES_TOKEN_BEGIN; kind++)
        std::printf(" %lu", recorder_model_tokens(recorder_, kind));
    std::printf(" tokens from VALUE to BEGIN, %lu inputs predicted, ends: %lu full, %lu lost, %lu asked for\n",
                recorder_model_predicted(recorder_), recorder_model_ends(recorder_, ES_END_FULL),
                recorder_model_ends(recorder_, ES_END_LOST), recorder_model_ends(recorder_, ES_END_ASKED));
}
