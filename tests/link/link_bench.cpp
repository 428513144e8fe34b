// es_link in Verilator against the host's codec: what the soft core pushes must come out as frames that
// host/stream/frame.c takes, and commands that es_frame_encode makes must be carried out and answered.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "Ves_link.h"
#include "bench.h"
#include "verilated.h"

extern "C" {
#include "stream/frame.h"
}

using Words = std::vector<uint32_t>;

static const unsigned depth = 1u << 9;

// The module with a clock, a memory at the loader's bus, and queues at both sides of its byte port.
class Bench
{
  public:
    std::mt19937 random;
    std::deque<uint8_t> to_probe;
    std::deque<Words> frames; // good frames that came out
    std::map<uint32_t, uint32_t> memory;
    std::vector<uint32_t> write_log; // addresses in the order written
    unsigned ready_percent = 100;    // how often the byte port's reader is ready
    unsigned offer_percent = 100;    // how often a waiting byte is offered
    unsigned ack_max = 1;            // clocks until the bus answers, at most
    uint64_t clocks = 0, bytes_out = 0;
    es_deframer deframer;

    explicit Bench(uint32_t seed) : random(seed), model(new Ves_link)
    {
        es_deframer_init(&deframer);
        model->rst = 1;
        clock();
        clock();
        model->rst = 0;
    }
    ~Bench() { model->final(); }

    unsigned below(unsigned n) { return (unsigned)(random() % n); }

    void clock()
    {
        if (!offered && !to_probe.empty() && below(100) < offer_percent)
            offered = true;
        model->rx_byte_valid = offered;
        model->rx_byte = offered ? to_probe.front() : 0xA5;
        model->tx_byte_ready = below(100) < ready_percent;
        bus();
        model->clk = 0;
        model->eval();
        CHECK(model->ev_room <= depth);
        if (!model->rst) {
            if (offered && model->rx_byte_ready) {
                to_probe.pop_front();
                offered = false;
            }
            if (held)
                CHECK(model->tx_byte_valid && model->tx_byte == held_byte); // an offered byte stays until it is taken
            held = model->tx_byte_valid && !model->tx_byte_ready;
            held_byte = model->tx_byte;
            if (model->tx_byte_valid && model->tx_byte_ready)
                take(model->tx_byte);
            if (model->idle)
                CHECK(!model->tx_byte_valid && !model->ld_req && to_take == 0);
        }
        model->clk = 1;
        model->eval();
        clocks++;
    }

    void push(uint32_t word)
    {
        model->ev_push = 1;
        model->ev_data = word;
        clock();
        model->ev_push = 0;
        model->ev_data = random();
        for (unsigned i = below(4); i; i--)
            clock();
    }
    void end()
    {
        model->ev_end = 1;
        clock();
        model->ev_end = 0;
    }
    unsigned room() const { return model->ev_room; }
    uint32_t bad() const { return model->rx_bad; }
    bool idle() const { return model->idle; }
    void queued() { to_take++; } // a whole frame is in the module

    void send(const Words &words)
    {
        uint8_t wire[ES_FRAME_WIRE_MAX];
        size_t size = es_frame_encode(words.data(), words.size(), wire);
        to_probe.insert(to_probe.end(), wire, wire + size);
    }
    void drain(unsigned limit = 200000)
    {
        while (limit-- && !(model->idle && to_probe.empty()))
            clock();
        CHECK(model->idle);
    }

  private:
    std::unique_ptr<Ves_link> model;
    bool offered = false, held = false;
    uint8_t held_byte = 0;
    unsigned wait = 0;
    bool requested = false;
    unsigned to_take = 0;

    void take(uint8_t byte)
    {
        bytes_out++;
        uint32_t words[ES_FRAME_MAX_WORDS];
        size_t count;
        es_deframer_push(&deframer, &byte, 1, words, &count);
        if (!count)
            return;
        frames.emplace_back(words, words + count);
        if ((words[0] & 0xFF) != ES_FRAME_RESPONSE && to_take)
            to_take--;
    }

    void bus()
    {
        model->ld_ack = 0;
        model->ld_rdata = random();
        if (!model->ld_req) {
            requested = false;
            return;
        }
        if (!requested) {
            requested = true;
            wait = 1 + below(ack_max);
        } else if (--wait == 0) {
            model->ld_ack = 1;
            CHECK(model->ld_addr % 4 == 0);
            if (model->ld_write) {
                memory[model->ld_addr] = model->ld_wdata;
                write_log.push_back(model->ld_addr);
            } else {
                model->ld_rdata = memory[model->ld_addr];
            }
        }
    }
};

// A frame whose words are zeros, ones, bytes or noise: everything that COBS treats differently.
static Words random_frame(Bench &bench, unsigned kind, uint16_t sequence)
{
    unsigned count = bench.below(4) == 0 ? ES_FRAME_MAX_WORDS - 1 : bench.below(ES_FRAME_MAX_WORDS);
    Words words{kind | count << 8 | (uint32_t)sequence << 16};
    unsigned sort = bench.below(5);
    for (unsigned i = 0; i < count; i++) {
        uint32_t noise = bench.random();
        const uint32_t sorts[] = {0, 0xFFFFFFFFu, noise & 0x00FF00FF, noise | 0x01010101, noise};
        words.push_back(sorts[sort]);
    }
    return words;
}

static void push_frame(Bench &bench, const Words &words)
{
    while (bench.room() < words.size())
        bench.clock();
    for (uint32_t word : words)
        bench.push(word);
    bench.end();
    bench.queued();
}

static void test_events(unsigned ready_percent)
{
    Bench bench(100 + ready_percent);
    bench.ready_percent = ready_percent;
    std::deque<Words> expected;
    for (unsigned i = 0; i < 400; i++) {
        Words words = random_frame(bench, 1 + bench.below(8), (uint16_t)i);
        push_frame(bench, words);
        expected.push_back(words);
    }
    bench.drain();
    CHECK(bench.frames == expected);
    CHECK(bench.deframer.bad == 0);
    CHECK(bench.room() == depth); // every word's place came back
}

static void test_fast_path()
{
    // With frames waiting and a reader that is always ready: at least 9 bytes in 10 clocks.
    Bench bench(7);
    bench.ready_percent = 0;
    for (unsigned i = 0; i < 8; i++)
        push_frame(bench, Words(62, 61u << 8 | 2));
    bench.ready_percent = 100;
    uint64_t from = bench.clocks, bytes = bench.bytes_out;
    bench.drain();
    double rate = (double)(bench.bytes_out - bytes) / (double)(bench.clocks - from);
    printf("bytes per clock out of a full queue: %.2f\n", rate);
    CHECK(rate > 0.9);
    CHECK(bench.frames.size() == 8);
}

static void test_dropped_frames()
{
    Bench bench(3);
    bench.ready_percent = 20;
    std::deque<Words> expected;
    unsigned dropped = 0;
    for (unsigned i = 0; i < 2000; i++) {
        // Pushed without a look at ev_room, and not always as long as the header says.
        Words words = random_frame(bench, 2, (uint16_t)i);
        unsigned room = bench.room();
        unsigned sort = bench.below(8);
        bool whole = true;
        Words pushed = words;
        if (sort == 0) {
            pushed.push_back(0);
            whole = false;
        } else if (sort == 1) {
            pushed.pop_back(); // may leave no word at all
            whole = false;
        } else if (sort == 2) {
            pushed[0] = 2 | (62 + bench.below(194)) << 8;
            whole = false;
        }
        bool fits = room >= pushed.size();
        bool lack = false;
        for (uint32_t word : pushed) {
            lack = lack || bench.room() == 0;
            bench.push(word);
        }
        CHECK(!(fits && lack)); // room that was promised was there
        bench.end();
        if (whole && !lack) {
            bench.queued();
            expected.push_back(words);
        } else {
            dropped++;
        }
        if (bench.below(20) == 0)
            bench.drain();
    }
    bench.drain();
    CHECK(bench.frames == expected);
    CHECK(dropped > 500 && expected.size() > 200);
    CHECK(bench.deframer.bad == 0 && bench.room() == depth);
}

static void expect_response(Bench &bench, uint16_t sequence, const Words &rest)
{
    while (!bench.frames.empty() && (bench.frames.front()[0] & 0xFF) != ES_FRAME_RESPONSE)
        bench.frames.pop_front();
    CHECK(!bench.frames.empty());
    if (bench.frames.empty())
        return;
    Words wanted{ES_FRAME_RESPONSE | (uint32_t)rest.size() << 8 | (uint32_t)sequence << 16};
    wanted.insert(wanted.end(), rest.begin(), rest.end());
    CHECK(bench.frames.front() == wanted);
    bench.frames.pop_front();
}

static Words write_command(Bench &bench, uint16_t sequence, uint32_t address, unsigned count)
{
    Words words{ES_OP_WRITE | (count + 1) << 8 | (uint32_t)sequence << 16, address};
    for (unsigned i = 0; i < count; i++)
        words.push_back(bench.below(2) ? bench.random() : 0);
    return words;
}

static Words read_command(uint16_t sequence, uint32_t address, uint32_t count)
{
    return {ES_OP_READ | 2u << 8 | (uint32_t)sequence << 16, address, count};
}

static void test_commands()
{
    Bench bench(11);
    bench.ack_max = 5;
    bench.offer_percent = 70;
    bench.ready_percent = 60;
    for (unsigned i = 0; i < 300; i++) {
        uint32_t address = bench.below(200) * 4;
        unsigned count = i == 0 ? 60 : i == 1 ? 0 : bench.below(61);
        Words command = write_command(bench, (uint16_t)(i * 331), address, count);
        bench.send(command);
        bench.drain();
        expect_response(bench, (uint16_t)(i * 331), {ES_RESP_OK});
        CHECK(bench.write_log.size() == count);
        for (unsigned k = 0; k < count; k++) {
            CHECK(bench.write_log[k] == address + 4 * k);
            CHECK(bench.memory[address + 4 * k] == command[2 + k]);
        }
        bench.write_log.clear();
        count = i == 0 ? 60 : 1 + bench.below(60);
        bench.send(read_command((uint16_t)(i * 7), address, count));
        bench.drain();
        Words rest{ES_RESP_OK};
        for (unsigned k = 0; k < count; k++)
            rest.push_back(bench.memory[address + 4 * k]);
        expect_response(bench, (uint16_t)(i * 7), rest);
    }
    CHECK(bench.frames.empty() && bench.bad() == 0);
}

static void test_wrong_commands()
{
    Bench bench(12);
    const std::vector<std::pair<Words, uint32_t>> cases = {
        {{0x00010000u | 0x7F}, ES_RESP_BAD_OP},
        {{0x00020000u | 3u << 8, 1, 2, 3}, ES_RESP_BAD_OP},
        {{0x00030000u | ES_OP_WRITE}, ES_RESP_BAD_LENGTH},
        {{0x00040000u | ES_OP_READ}, ES_RESP_BAD_LENGTH},
        {{0x00050000u | ES_OP_READ | 1u << 8, 0}, ES_RESP_BAD_LENGTH},
        {{0x00060000u | ES_OP_READ | 2u << 8, 0, 0}, ES_RESP_BAD_LENGTH},
        {{0x00070000u | ES_OP_READ | 2u << 8, 0, 61}, ES_RESP_BAD_LENGTH},
        {{0x00080000u | ES_OP_READ | 2u << 8, 0, 0x40000001}, ES_RESP_BAD_LENGTH},
        {{0x00090000u | ES_OP_READ | 3u << 8, 0, 1, 1}, ES_RESP_BAD_LENGTH},
    };
    for (const auto &one : cases) {
        bench.send(one.first);
        bench.drain();
        expect_response(bench, (uint16_t)(one.first[0] >> 16), {one.second});
    }
    CHECK(bench.write_log.empty() && bench.frames.empty() && bench.bad() == 0);
    bench.send(read_command(99, 0, 1));
    bench.drain();
    expect_response(bench, 99, {ES_RESP_OK, 0});
}

static void test_damaged_commands()
{
    Bench bench(13);
    unsigned bad = 0, good = 0;
    for (unsigned i = 0; i < 600; i++) {
        Words command = write_command(bench, (uint16_t)i, 0x1000, bench.below(61));
        uint8_t wire[ES_FRAME_WIRE_MAX];
        size_t size = es_frame_encode(command.data(), command.size(), wire);
        unsigned sort = bench.below(5);
        bool damaged = true;
        if (sort == 0) { // one bit flipped; never to or from a delimiter
            size_t at;
            uint8_t flip;
            do {
                at = bench.below((unsigned)size - 1);
                flip = (uint8_t)(1u << bench.below(8));
            } while ((wire[at] ^ flip) == 0);
            wire[at] ^= flip;
        } else if (sort == 1) { // bytes missing
            size_t at = bench.below((unsigned)size - 2);
            size_t less = 1 + bench.below((unsigned)(size - 1 - at));
            std::copy(wire + at + less, wire + size, wire + at);
            size -= less;
            damaged = size > 1; // all gone: only a delimiter is left
        } else if (sort == 2) { // garbage instead, also far too long
            bench.to_probe.insert(bench.to_probe.end(), 3 + bench.below(600), (uint8_t)(1 + bench.below(255)));
            size = 1;
            wire[0] = 0;
        } else {
            damaged = false;
            bench.to_probe.insert(bench.to_probe.end(), bench.below(3), 0); // idle delimiters
        }
        bench.to_probe.insert(bench.to_probe.end(), wire, wire + size);
        bench.drain();
        if (damaged) {
            bad++;
            CHECK(bench.frames.empty() && bench.write_log.empty());
        } else if (sort > 2) {
            good++;
            expect_response(bench, (uint16_t)i, {ES_RESP_OK});
        }
        bench.write_log.clear();
        bench.frames.clear();
        CHECK(bench.bad() == bad);
    }
    CHECK(bad > 200 && good > 100);
}

static void test_flood()
{
    // The event queue never empties, yet an answer comes after at most two event frames.
    Bench bench(14);
    bench.ready_percent = 50;
    unsigned answers = 0, longest = 0;
    for (unsigned i = 0; i < 30; i++) {
        for (unsigned k = 0; k < 8; k++)
            push_frame(bench, Words(62, 61u << 8 | 2));
        bench.frames.clear();
        bench.send(read_command((uint16_t)i, 0, 60));
        while (!bench.to_probe.empty())
            bench.clock();
        bench.frames.clear();
        bool answered = false;
        for (unsigned k = 0; k < 4000 && !answered; k++) {
            bench.clock();
            answered = !bench.frames.empty() && (bench.frames.back()[0] & 0xFF) == ES_FRAME_RESPONSE;
        }
        CHECK(answered);
        answers += answered;
        longest = std::max(longest, (unsigned)bench.frames.size() - 1);
        CHECK(bench.room() < depth - 62); // more events were waiting
    }
    printf("%u answers in a flood of events, each after at most %u event frames\n", answers, longest);
    CHECK(longest <= 3); // one partly sent when the command ended, one encoded, one begun just before
    bench.drain();
}

int main(int argc, char **argv)
{
    Verilated::commandArgs(argc, argv);
    run("events, reader always ready", [] { test_events(100); });
    run("events, reader half ready", [] { test_events(50); });
    run("events, reader seldom ready", [] { test_events(5); });
    run("rate", test_fast_path);
    run("dropped frames", test_dropped_frames);
    run("commands", test_commands);
    run("wrong commands", test_wrong_commands);
    run("damaged commands", test_damaged_commands);
    run("flood", test_flood);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
