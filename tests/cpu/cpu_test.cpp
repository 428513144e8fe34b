// es_cpu: directed edge cases, random instructions, wait states, sleep, traps and interrupts.
#include <cstdio>
#include <cstring>
#include <vector>

#include "cpu_bench.hpp"

static std::map<std::string, unsigned> cycles;

// --- instructions ---

static const rv32_insn *find(const std::string &name)
{
    for (size_t i = 0; i < rv32_table_size; i++)
        if (name == rv32_table[i].name)
            return &rv32_table[i];
    std::printf("no instruction %s\n", name.c_str());
    std::exit(1);
}

static uint32_t encode(const rv32_insn *insn, uint32_t rd, uint32_t rs1, uint32_t rs2, uint32_t imm)
{
    uint32_t w = insn->match;
    switch (insn->format) {
    case RV32_R: return w | rd << 7 | rs1 << 15 | rs2 << 20;
    case RV32_I:
    case RV32_Z: return (w | rd << 7 | rs1 << 15) + (imm << 20 & ~insn->mask);
    case RV32_S: return w | (imm & 31) << 7 | rs1 << 15 | rs2 << 20 | (imm >> 5 & 127) << 25;
    case RV32_B:
        return w | (imm >> 11 & 1) << 7 | (imm >> 1 & 15) << 8 | rs1 << 15 | rs2 << 20 | (imm >> 5 & 63) << 25 |
               (imm >> 12 & 1) << 31;
    case RV32_U: return w | rd << 7 | (imm & 0xfffff000);
    case RV32_J:
        return w | rd << 7 | (imm & 0xff000) | (imm >> 11 & 1) << 20 | (imm >> 1 & 0x3ff) << 21 | (imm >> 20 & 1) << 31;
    default: return w;
    }
}

static uint32_t encode(const char *name, uint32_t rd = 0, uint32_t rs1 = 0, uint32_t rs2 = 0, uint32_t imm = 0)
{
    return encode(find(name), rd, rs1, rs2, imm);
}

static void load_constant(std::deque<uint32_t> &out, uint32_t rd, uint32_t value)
{
    out.push_back(encode("lui", rd, 0, 0, value + 0x800));
    out.push_back(encode("addi", rd, rd, 0, value & 0xfff));
}

static const uint32_t edges[] = {0,          1,          2,          31,         32,         0x7ff,
                                 0xfffff800, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
                                 0x55555555, 0xaaaaaaaa, 0x0000ffff, 0x8000};

// --- random instructions ---

// The same in 16 bits.
static uint32_t random_compressed(Bench &b)
{
    Random &r = b.random;
    for (;;) {
        const rv32c_insn *insn = rv32c_table(r.below(static_cast<uint32_t>(rv32c_table_size)));
        uint32_t half = insn->match | (r.word() & 0xffff & ~insn->mask);
        if (!insn->long_form && !r.one_in(40))
            continue;
        rv32_effect e;
        uint32_t address = rv32_decode(&b.model, half, &e);
        address += e.rs1_value;
        bool access = e.insn && (e.insn->class_ == RV32_LOAD || e.insn->class_ == RV32_STORE);
        if ((access && address & 3 && !r.one_in(40)) || (e.insn && e.insn->class_ == RV32_SYSTEM && !r.one_in(8)))
            continue;
        return half;
    }
}

// A random instruction that mostly does something sensible where the model stands now.
static uint32_t random_insn(Bench &b)
{
    Random &r = b.random;
    if (COMPRESSED && r.one_in(2))
        return random_compressed(b);
    const rv32_insn *insn;
    do
        insn = &rv32_table[r.below(static_cast<uint32_t>(rv32_table_size))];
    while (insn->needs & ~b.model.has || (insn->class_ == RV32_SYSTEM && !r.one_in(8)));
    if (r.one_in(100))
        return r.one_in(2) ? r.word() : insn->match ^ 1u << r.below(32);
    if (r.one_in(8))
        return encode(r.one_in(2) ? "lui" : "addi", r.below(32), 0, 0,
                      edges[r.below(sizeof edges / sizeof *edges)] + r.below(3));

    uint32_t rd = r.below(32), rs1 = r.below(32), rs2 = r.one_in(6) ? rs1 : r.below(32), imm = r.word();
    bool aligned = !r.one_in(40), short_steps = b.model.has & RV32_COMPRESSED;
    switch (insn->class_) {
    case RV32_LOAD:
    case RV32_STORE:
        if (aligned)
            imm -= (b.model.x[rs1] + imm) & 3;
        if (uint32_t size = 1u << (insn->match >> 12 & 3); aligned && size < 4 && (imm & 0x7ff) < 0x7fc)
            imm += r.below(4 / size) * size; // any place in the word
        break;
    case RV32_JALR:
        if (aligned && !short_steps)
            imm -= (b.model.x[rs1] + imm) & 2;
        break;
    case RV32_JAL:
    case RV32_BRANCH:
        if (aligned && !short_steps)
            imm &= ~2u;
        break;
    case RV32_CSR: {
        static const uint32_t csrs[] = {0x300, 0x301, 0x304, 0x305, 0x310, 0x340,
                                        0x341, 0x342, 0x343, 0x344, 0xf11, 0xf14};
        imm = r.one_in(30) ? r.below(4096) : csrs[r.below(sizeof csrs / sizeof *csrs)];
        break;
    }
    case RV32_ALU:
        if (insn->format == RV32_N)
            return insn->match | (r.word() & ~insn->mask);
        break;
    default: break;
    }
    return encode(insn, rd, rs1, rs2, imm);
}

// The same, with interrupts enabled again and again.
static uint32_t random_insn_or_enable(Bench &b)
{
    if (!b.random.one_in(6))
        return random_insn(b);
    uint32_t reg = b.random.below(32);
    return b.random.one_in(2) || !(b.model.x[reg] & (RV32_MTI | RV32_MEI)) ? encode("csrrsi", reg, 8, 0, 0x300)
                                                                           : encode("csrrs", 0, reg, 0, 0x304);
}

// With TRAPS: a handler's address, so that exceptions go somewhere.
static void set_up(Bench &b)
{
    std::deque<uint32_t> code;
    if (TRAPS) {
        load_constant(code, 1, 0x40);
        code.push_back(encode("csrrw", 0, 1, 0, 0x305));
    }
    b.run(code);
}

static void run_random(Bench &b, uint64_t count, uint32_t (*insn)(Bench &) = random_insn)
{
    uint64_t end = b.retired + count;
    b.insn = insn;
    set_up(b);
    while (b.ok() && b.retired < end) {
        b.run_random(end - b.retired);
        if (b.stopped()) {
            b.reset();
            set_up(b);
        }
    }
}

// --- tests ---

static void registers_from_reset(Bench &b)
{
    std::deque<uint32_t> code;
    for (uint32_t i = 0; i < 32; i++)
        code.push_back(encode("add", 0, i, i));
    for (uint32_t i = 0; i < 32; i++)
        code.push_back(encode("addi", i, i, 0, 0x100 + i));
    for (uint32_t i = 0; i < 32; i++)
        code.push_back(encode("sw", 0, 31 - i, i, 1 + ((2 - i) & 3)));
    b.run(code);
}

static void arithmetic_edges(Bench &b)
{
    for (size_t i = 0; i < rv32_table_size && b.ok(); i++) {
        const rv32_insn &insn = rv32_table[i];
        bool computes =
            insn.class_ == RV32_ALU || insn.class_ == RV32_SHIFT || insn.class_ == RV32_MUL || insn.class_ == RV32_DIV;
        if (!computes || insn.format == RV32_N || insn.needs & ~b.model.has)
            continue;
        std::deque<uint32_t> code;
        for (uint32_t x : edges) {
            load_constant(code, 5, x);
            for (uint32_t y : edges) {
                if (insn.format == RV32_R)
                    load_constant(code, 6, y);
                code.push_back(encode(&insn, 7, 5, 6, y));
            }
            code.push_back(encode(&insn, 0, 5, 6, x));
            code.push_back(encode(&insn, 5, 5, 5, x));
        }
        b.run(code);
    }
}

static void shift_amounts(Bench &b)
{
    for (const char *name : {"sll", "srl", "sra", "slli", "srli", "srai"}) {
        std::deque<uint32_t> code;
        for (uint32_t value : {0x80000001u, 0x7fffffffu, 0xdeadbeefu}) {
            load_constant(code, 5, value);
            for (uint32_t amount = 0; amount < 64; amount++) {
                code.push_back(encode("addi", 6, 0, 0, amount));
                code.push_back(encode(name, 7, 5, 6, amount & 31));
            }
        }
        b.run(code);
    }
}

static void branches_and_jumps(Bench &b)
{
    std::deque<uint32_t> code;
    for (const char *name : {"beq", "bne", "blt", "bge", "bltu", "bgeu"})
        for (uint32_t x : edges)
            for (uint32_t y : edges) {
                load_constant(code, 5, x);
                load_constant(code, 6, y);
                code.push_back(encode(name, 0, 5, 6, (x ^ y) & 4 ? 0xffc : 0xfffff000));
            }
    for (uint32_t offset = 4; offset < 0x100000; offset *= 2)
        for (uint32_t rd : {0u, 1u, 31u}) {
            code.push_back(encode("jal", rd, 0, 0, offset));
            code.push_back(encode("jal", rd, 0, 0, ~offset + 1));
            load_constant(code, 5, 0x12345678 + offset / 4 * 4);
            code.push_back(encode("jalr", rd, 5, 0, offset & 0x7fc));
            code.push_back(encode("jalr", 5, 5, 0, 1)); // bit 0 is dropped
            code.push_back(encode("auipc", rd, 0, 0, offset << 11));
        }
    b.run(code);
}

static void loads_and_stores(Bench &b)
{
    std::deque<uint32_t> code;
    for (uint32_t value : edges)
        for (uint32_t offset = 0; offset < 4; offset++) {
            load_constant(code, 5, 0x1000);
            load_constant(code, 6, value);
            load_constant(code, 7, ~value);
            code.push_back(encode("sw", 0, 5, 7, 0));
            code.push_back(encode("sb", 0, 5, 6, offset));
            code.push_back(encode("lb", 8, 5, 0, offset));
            code.push_back(encode("lbu", 9, 5, 0, offset ^ 1));
            code.push_back(encode("lw", 10, 5, 0, 0));
            code.push_back(encode("sh", 0, 5, 6, 0xffe - (offset & 2)));
            code.push_back(encode("lh", 8, 5, 0, 0xffe - (offset & 2)));
            code.push_back(encode("lhu", 9, 5, 0, 0xffe - (offset & 2)));
            code.push_back(encode("lw", 0, 5, 0, 0));
        }
    b.run(code);
}

static void random_no_waits(Bench &b)
{
    b.wake = [&b] { return b.random.one_in(2); };
    run_random(b, 150000);
    for (size_t i = 0; i < rv32_table_size && b.ok(); i++)
        if (b.by_name[rv32_table[i].name] < 100 && rv32_table[i].class_ != RV32_SYSTEM &&
            !(rv32_table[i].needs & ~b.model.has))
            b.fail(rv32_table[i].name, b.by_name[rv32_table[i].name], 100);
    for (size_t i = 0; COMPRESSED && i < rv32c_table_size && b.ok(); i++)
        if (const rv32c_insn *insn = rv32c_table(i);
            insn->long_form && b.by_name[insn->name] < 100 && rv32_named(insn->long_form)->class_ != RV32_SYSTEM)
            b.fail(insn->name, b.by_name[insn->name], 100);
}

static void random_with_waits(Bench &b)
{
    b.max_wait = 4;
    b.wake = [&b] { return b.random.one_in(5); };
    run_random(b, 50000);
}

// Words that are no instructions, and those nearest to ones: each must raise an exception exactly when the model says
// so.
static void illegal_instructions(Bench &b)
{
    b.wake = [] { return true; };
    for (size_t i = 0; i < rv32_table_size; i++)
        for (unsigned bit = 0; bit <= 32 && b.ok(); bit++) {
            // near misses in every bit; an immediate and registers that lead nowhere bad
            uint32_t word = rv32_table[i].match ^ (bit < 32 ? 1u << bit : 0);
            b.run({encode("addi", 0, 0, 0, 0), word});
            if (b.stopped() || b.model.mtvec == 0) {
                b.reset();
                set_up(b);
            }
        }
    // all of 16 bits
    for (uint32_t half = 0; COMPRESSED && half < 0x10000 && b.ok(); half++) {
        if ((half & 3) == 3)
            continue;
        b.run({half});
        if (b.stopped() || b.model.mtvec == 0) {
            b.reset();
            set_up(b);
        }
    }
    for (unsigned n = 0; n < 20000 && b.ok(); n++) {
        b.run({b.random.word() | (b.random.one_in(8) ? 0 : 3u)});
        if (b.stopped() || b.model.mtvec == 0) {
            b.reset();
            set_up(b);
        }
    }
}

// Stopped means stopped: nothing more is requested, whatever happens outside, until reset.
static void stop_is_final(Bench &b)
{
    for (const char *name : {"ecall", "ebreak"}) {
        b.run({encode("addi", 3, 3, 0, 1), encode(name)}); // mtvec is 0
        b.wake = [&b] { return b.random.one_in(2); };
        b.irq = [&b] { return b.random.below(2) * RV32_MTI + b.random.below(2) * RV32_MEI; };
        for (int i = 0; i < 4; i++)
            b.clock();
        uint64_t before = b.fetch_clocks;
        if (!b.stopped())
            b.fail("trapped", 0, 1);
        for (int i = 0; i < 50; i++)
            b.clock(); // the bench fails on any request
        if (!b.stopped() || b.fetch_clocks != before)
            b.fail("still trapped", b.stopped(), 1);
        b.reset();
        b.wake = nullptr;
        b.irq = nullptr;
        b.run({encode("addi", 3, 3, 0, 1)});
    }
}

// Sleep: as long as `wake` is low, and the same whether the clock runs on meanwhile or not.
static void sleep_with_and_without_clock(Bench &b)
{
    std::unique_ptr<Bench> running(new Bench(cycles, 77)), stopped(new Bench(cycles, 77));
    Bench *pair[] = {running.get(), stopped.get()};
    for (uint32_t round = 0; round < 50; round++) {
        uint64_t finish[2];
        for (int i = 0; i < 2; i++) {
            Bench &one = *pair[i];
            bool awake = false;
            one.wake = [&awake] { return awake; };
            std::deque<uint32_t> code;
            load_constant(code, 5, 0x1000 + 4 * round);
            code.insert(code.end(), {encode("lw", 6, 5), encode("add", 7, 6, 7)});
            one.run(code);
            one.insn = [](Bench &) { return encode("wfi"); };
            for (int patience = 0; !one.top()->sleeping && patience < 20; patience++)
                one.clock();
            one.insn = nullptr;
            if (!one.top()->sleeping)
                b.fail("sleeping", 0, 1);
            uint64_t asleep = one.retired;
            for (uint32_t n = 0; i == 0 && n < 1 + round; n++) {
                one.clock();
                if (!one.top()->sleeping || one.retired != asleep)
                    b.fail("still sleeping", one.top()->sleeping, 1);
            }
            awake = true;
            uint64_t woken = one.clocks;
            one.run({encode("addi", 7, 7, 0, 1), encode("xor", 8, 7, 6)});
            finish[i] = one.clocks - woken;
            one.wake = nullptr;
        }
        if (finish[0] != finish[1])
            b.fail("clocks after sleep", finish[1], finish[0]);
        if (std::memcmp(running->model.x, stopped->model.x, sizeof running->model.x) || !running->ok() ||
            !stopped->ok())
            b.fail("state after sleep", 1, 0);
    }
    // With `wake` high all the time it never stays asleep.
    b.wake = [] { return true; };
    b.run({encode("wfi"), encode("wfi"), encode("addi", 1, 0, 0, 1)});
}

static void interrupts_random(Bench &b)
{
    uint32_t level = 0;
    b.irq = [&b, &level] {
        level ^= b.random.one_in(9) * RV32_MTI ^ b.random.one_in(30) * RV32_MEI;
        return level;
    };
    b.wake = [&b] { return b.random.one_in(20); };
    run_random(b, 60000, random_insn_or_enable);
    b.max_wait = 3;
    run_random(b, 30000, random_insn_or_enable);
    if (b.interrupts < 1000)
        b.fail("timer interrupts taken", b.interrupts, 1000);
    if (b.external_interrupts < 1000)
        b.fail("external interrupts taken", b.external_interrupts, 1000);
}

// A timer interrupt in a plain program: entered between instructions, returned from, with nothing lost.
static void interrupt_and_return(Bench &b)
{
    bool pending = false;
    set_up(b);
    b.irq = [&pending] { return pending ? RV32_MTI : 0u; };
    b.run({encode("addi", 2, 0, 0, 0x80), encode("csrrs", 0, 2, 0, 0x304), encode("csrrsi", 0, 8, 0, 0x300)});
    for (unsigned delay = 0; delay < 12; delay++) {
        uint64_t before = b.interrupts;
        b.insn = [&](Bench &) {
            return b.model.pc < 0x100   ? (pending = false, encode("mret"))
                   : b.random.one_in(2) ? encode("lw", 3, 0, 0, 16)
                                        : encode("sll", 4, 3, 3);
        };
        for (unsigned i = 0; i < delay + 8; i++)
            b.clock();
        pending = true;
        for (unsigned i = 0; i < 40; i++)
            b.clock();
        if (b.interrupts != before + 1 || pending)
            b.fail("interrupts", b.interrupts - before, 1);
    }
    // WFI ends with a pending interrupt, enabled in mie, even when mstatus.MIE is off; then no handler runs.
    b.insn = nullptr;
    b.run({encode("csrrci", 0, 8, 0, 0x300)});
    uint64_t before = b.interrupts;
    b.insn = [](Bench &) { return encode("wfi"); };
    for (int i = 0; i < 20; i++)
        b.clock();
    if (!b.top()->sleeping)
        b.fail("sleeping", 0, 1);
    b.insn = nullptr;
    pending = true;
    for (int i = 0; i < 20; i++)
        b.clock();
    if (b.top()->sleeping || b.interrupts != before)
        b.fail("awake without an interrupt", b.top()->sleeping, 0);
}

int main()
{
    cycles = read_cycles("interface/cpu_cycles.def");
    const struct {
        const char *name;
        void (*run)(Bench &);
        bool traps_only;
    } tests[] = {
        {"registers from reset", registers_from_reset, false},
        {"arithmetic edges", arithmetic_edges, false},
        {"shift amounts", shift_amounts, false},
        {"branches and jumps", branches_and_jumps, false},
        {"loads and stores", loads_and_stores, false},
        {"random instructions", random_no_waits, false},
        {"random instructions, random waits", random_with_waits, false},
        {"illegal instructions", illegal_instructions, false},
        {"stop is final", stop_is_final, false},
        {"sleep", sleep_with_and_without_clock, false},
        {"random interrupts", interrupts_random, true},
        {"interrupt and return", interrupt_and_return, true},
    };
    unsigned passed = 0, failed = 0;
    uint64_t seed = 1;
    for (const auto &test : tests) {
        if (test.traps_only && TRAPS == 0)
            continue;
        Bench bench(cycles, seed++);
        test.run(bench);
        std::printf("%s %s (TRAPS=%d, COMPRESSED=%d, MULDIV=%d, %llu instructions)\n", bench.ok() ? "ok  " : "FAIL",
                    test.name, TRAPS, COMPRESSED, MULDIV, static_cast<unsigned long long>(bench.retired));
        (bench.ok() ? passed : failed)++;
    }
    std::printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
