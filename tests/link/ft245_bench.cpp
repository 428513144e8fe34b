// es_ft245 against a model of a FT2232H's pins in synchronous FIFO mode: unrelated clocks, random stalls on all
// four sides, and the chip's rules checked at every edge.

#include <cstdint>
#include <deque>
#include <memory>
#include <random>

#include "Ves_ft245.h"
#include "bench.h"
#include "verilated.h"

struct Setting {
    uint32_t seed;
    unsigned clk_ps;       // period of the probe's clock; the chip's is 16667 ps
    unsigned txe_stall;    // percent of taken bytes after which TXE# goes high for a while
    unsigned rxf_stall;    // the same for RXF#
    unsigned valid, ready; // percent of clocks in which the byte port's other side offers and takes
};

class Bench
{
  public:
    std::mt19937 random;
    Setting setting;
    std::deque<uint8_t> to_host, to_probe; // not yet sent; sent and not yet seen at the other end: the _wire queues
    std::deque<uint8_t> host_wire, probe_wire;
    uint64_t host_got = 0, probe_got = 0, ft_clocks = 0;
    unsigned unflushed = 0, siwu_pulses = 0;
    bool ft_runs = true;

    explicit Bench(const Setting &s) : random(s.seed), setting(s), model(new Ves_ft245)
    {
        model->rst = 1;
        model->ft_rxf_n = 1;
        model->ft_txe_n = 1;
        run(10);
        model->rst = 0;
        run(10);
    }
    ~Bench() { model->final(); }

    unsigned below(unsigned n) { return (unsigned)(random() % n); }
    bool idle() const { return model->idle; }

    // Runs for so many clocks of the probe.
    void run(unsigned clocks)
    {
        while (clocks) {
            if (next_clk <= next_ft) {
                now = next_clk;
                next_clk += setting.clk_ps / 2;
                if (clk_edge())
                    clocks--;
            } else {
                now = next_ft;
                next_ft += 16667 / 2;
                if (ft_runs)
                    ft_edge();
            }
        }
    }

  private:
    std::unique_ptr<Ves_ft245> model;
    uint64_t now = 0, next_clk = 1000, next_ft = 1300;
    bool offering = false;
    unsigned txe_wait = 0, rxf_wait = 0;
    // the chip's view at its last edge
    bool last_oe = false, last_driven = true, last_overrun = false, last_siwu = false;

    bool clk_edge()
    {
        if (model->clk) {
            model->clk = 0;
            model->eval();
            return false;
        }
        offering = !to_host.empty() && (offering || below(100) < setting.valid);
        model->tx_byte_valid = offering;
        model->tx_byte = offering ? to_host.front() : (uint8_t)random();
        model->rx_byte_ready = below(100) < setting.ready;
        model->eval();
        CHECK(model->rst || !model->idle || (host_wire.empty() && probe_wire.empty())); // no byte is on its way
        if (!model->rst && offering && model->tx_byte_ready) {
            host_wire.push_back(to_host.front());
            to_host.pop_front();
            offering = false;
        }
        if (!model->rst && model->rx_byte_valid && model->rx_byte_ready) {
            CHECK(!probe_wire.empty() && probe_wire.front() == model->rx_byte);
            if (!probe_wire.empty())
                probe_wire.pop_front();
            probe_got++;
        }
        model->clk = 1;
        model->eval();
        return true;
    }

    void ft_edge()
    {
        if (model->ft_clk) {
            model->ft_clk = 0;
            model->eval();
            return;
        }
        ft_clocks++;
        bool oe = !model->ft_oe_n, rd = !model->ft_rd_n, wr = !model->ft_wr_n, driven = model->ft_data_oe;
        bool siwu = !model->ft_siwu_n, txe = !model->ft_txe_n, rxf = !model->ft_rxf_n;
        if (!model->rst) {
            CHECK(!(oe && driven));                  // never both on the wires,
            CHECK(!(oe && !last_oe && last_driven)); // nor without a clock between
            CHECK(!(driven && !last_driven && last_oe));
            CHECK(!(rd && !(oe && last_oe))); // RD# not before OE# was low for a clock
            CHECK(!(wr && !driven));
            CHECK(!(wr && !txe && last_overrun)); // WR# ends when TXE# was seen high
            CHECK(!(wr && siwu));
        }
        bool taken = wr && txe, given = rd && rxf;
        if (taken) {
            CHECK(!host_wire.empty() && host_wire.front() == model->ft_data_o);
            if (!host_wire.empty())
                host_wire.pop_front();
            host_got++;
            unflushed++;
        }
        if (given) {
            probe_wire.push_back(to_probe.front());
            to_probe.pop_front();
        }
        if (siwu && !last_siwu)
            siwu_pulses++;
        if (siwu)
            unflushed = 0;
        last_oe = oe;
        last_driven = driven;
        last_overrun = wr && !txe;
        last_siwu = siwu;

        model->ft_clk = 1;
        model->eval();

        // Pins change after the edge. TXE# and RXF# rise only with a byte that was taken.
        if (taken && below(100) < setting.txe_stall)
            txe_wait = 1 + below(below(4) ? 3 : 60);
        else if (txe_wait)
            txe_wait--;
        if (given && below(100) < setting.rxf_stall)
            rxf_wait = 1 + below(below(4) ? 3 : 60);
        else if (rxf_wait)
            rxf_wait--;
        model->ft_txe_n = txe_wait != 0;
        model->ft_rxf_n = rxf_wait != 0 || to_probe.empty();
        model->ft_data_i = !model->ft_oe_n && !to_probe.empty() ? to_probe.front() : (uint8_t)random();
        model->eval();
    }
};

static void exchange(const Setting &setting, unsigned bytes)
{
    Bench bench(setting);
    for (unsigned i = 0; i < bytes; i++) {
        bench.to_host.push_back((uint8_t)bench.random());
        bench.to_probe.push_back((uint8_t)bench.random());
    }
    unsigned limit = 4000;
    while (limit-- && (bench.host_got < bytes || bench.probe_got < bytes))
        bench.run(200);
    bench.run(400);
    CHECK(bench.host_got == bytes && bench.probe_got == bytes);
    CHECK(bench.host_wire.empty() && bench.probe_wire.empty());
    CHECK(bench.unflushed == 0); // the last bytes were told to go
    CHECK(bench.idle());
}

static void test_rates()
{
    Bench bench({5, 10000, 0, 0, 100, 100});
    for (unsigned i = 0; i < 30000; i++)
        bench.to_host.push_back((uint8_t)i);
    uint64_t from = bench.ft_clocks;
    while (bench.host_got < 30000 && bench.ft_clocks < from + 100000)
        bench.run(10);
    double out = 30000.0 / (double)(bench.ft_clocks - from);
    CHECK(bench.siwu_pulses == 0);
    for (unsigned i = 0; i < 30000; i++)
        bench.to_probe.push_back((uint8_t)i);
    from = bench.ft_clocks;
    while (bench.probe_got < 30000 && bench.ft_clocks < from + 100000)
        bench.run(10);
    double in = 30000.0 / (double)(bench.ft_clocks - from);
    printf("bytes per clock of the chip: %.2f out, %.2f in\n", out, in);
    CHECK(out > 0.98 && in > 0.98);
}

static void test_flush()
{
    // A short answer is sent on at once, and exactly once.
    Bench bench({6, 41667, 0, 0, 100, 100});
    for (unsigned i = 0; i < 20; i++) {
        unsigned pulses = bench.siwu_pulses;
        for (unsigned k = 0; k < 11; k++)
            bench.to_host.push_back((uint8_t)k);
        bench.run(60);
        CHECK(bench.unflushed == 0 && bench.siwu_pulses == pulses + 1);
    }
}

static void test_late_clock()
{
    // The chip's clock starts long after the probe, as it does when no program has opened the device yet.
    Bench bench({8, 30000, 10, 10, 100, 100});
    bench.ft_runs = false;
    bench.run(50);
    for (unsigned i = 0; i < 2000; i++)
        bench.to_host.push_back((uint8_t)(i * 7));
    bench.run(3000);
    CHECK(bench.host_got == 0);
    bench.ft_runs = true;
    bench.run(5000);
    CHECK(bench.host_got == 2000 && bench.host_wire.empty());
}

static void test_events_do_not_starve()
{
    // The probe takes commands slowly while the host sends without end: bytes to the host still get out.
    Bench bench({9, 41667, 0, 0, 100, 5});
    for (unsigned i = 0; i < 200000; i++)
        bench.to_probe.push_back((uint8_t)i);
    for (unsigned i = 0; i < 20000; i++)
        bench.to_host.push_back((uint8_t)i);
    bench.run(30000);
    CHECK(bench.host_got == 20000);
    CHECK(bench.probe_got > 1000);
}

int main(int argc, char **argv)
{
    Verilated::commandArgs(argc, argv);
    run("no stalls", [] { exchange({1, 41667, 0, 0, 100, 100}, 8000); });
    run("stalls everywhere, slow probe", [] { exchange({2, 41667, 20, 20, 60, 60}, 8000); });
    run("stalls everywhere, fast probe", [] { exchange({3, 7001, 20, 20, 40, 40}, 8000); });
    run("nearly equal clocks", [] { exchange({4, 16659, 50, 50, 90, 90}, 8000); });
    run("every byte stalls", [] { exchange({10, 20011, 100, 100, 100, 100}, 2000); });
    run("rates", test_rates);
    run("send immediate", test_flush);
    run("late clock", test_late_clock);
    run("events do not starve", test_events_do_not_starve);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
