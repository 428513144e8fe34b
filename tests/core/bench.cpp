// Runs all of the core's bench (bench.hpp). Environment: ES_SEED, ES_TRANSACTIONS (per set).
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "bench.hpp"

static uint64_t environment(const char *name, uint64_t otherwise)
{
    const char *text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

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
        weather.misses = random.below(3) ? 0 : random.below(2) ? 300 : 5;
        weather.link = random.below(3) ? 1000 : random.below(2) ? random.below(100) : 200 + random.below(800);
        weather.asks = random.below(2) ? 0 : random.below(2) ? 500 : 20;
        passes([&] {
            if (P_RECORDER)
                bench.recording();
            bench.run(weather, part);
            bench.drain();
        });
        done += part;
    }
    passes([&] { bench.polls(); });
    passes([&] { bench.end_recording(); });
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
