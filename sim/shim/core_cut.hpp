// A short cut through the soft core for instructions that concern nobody but it, its memory and the hit's registers.
//
// Most clocks of a probe that watches are spent on such instructions of the firmware. While the rest of the probe is at
// rest, `run` does at once what es_cpu and es_soc would do in the 2 or 3 clocks of each. Everything else goes the whole
// way: writes to registers, the arrays, sleep, and what stops the core.
//
// It starts in a clock in which the core requests an instruction and goes on to another such clock: what is to be
// fetched is then another address, and all that the edge after it takes over stands as if the clocks between had been.
// Registers of the core that each instruction sets before it uses them are left as they are.
//
// The tests compare runs of the monitor's and of random firmware with runs that take no short cuts
// (es_sim_config.every_clock, every_instruction).
#ifndef ES_SIM_CORE_CUT_HPP
#define ES_SIM_CORE_CUT_HPP

#include <cstdint>

#include "Ves_world_bytes.h"
#include "Ves_world_bytes___024root.h"

extern "C" {
#include "cpu_cycles.h" // CYCLES_<class>: interface/cpu_cycles.def
#include "probe_defs.h"
}

#define ES_PROBE(name) root.es_world_bytes__DOT__listener__DOT__probe__DOT__##name
#define ES_CPU(name) ES_PROBE(soc__DOT__core__DOT__cpu__DOT__##name)
#define ES_TRACKER(name) ES_PROBE(tracks__DOT__tracker__DOT__##name)

class core_cut
{
  public:
    explicit core_cut(Ves_world_bytes &probe) : root(*probe.rootp) {}

    // The core requests an instruction, and nothing in the probe would change but what instructions change.
    bool open() const
    {
        return ES_CPU(done) && ES_PROBE(soc__DOT__core_req) && (root.calm & CALM) == CALM && head_settled() &&
               !ES_PROBE(regs__DOT__events__DOT__step) && !ES_PROBE(regs__DOT__events__DOT__ends) &&
               !writes_elsewhere();
    }

    // Executes instructions for `most` clocks at most. Returns how many clocks they have taken. Only while open.
    uint64_t run(uint64_t most)
    {
        uint64_t clocks = 0;
        if (ES_PROBE(reg_written)) // by the edge that comes next, which comes after these instructions now
            set(ES_CPU(rd), ES_PROBE(reg_value));
        pc = ES_CPU(addr) << 2;
        for (unsigned more = 1; more && most - clocks >= LONGEST; clocks += more)
            more = execute(word_at(pc));
        if (clocks) {
            ES_CPU(addr) = pc >> 2;
            ES_PROBE(soc__DOT__shared__DOT__index) = pc >> 2 & (WORDS - 1);
            ES_PROBE(reg_value) = get(ES_CPU(rd)); // written once more
            ES_PROBE(regs__DOT__cycles) += static_cast<uint32_t>(clocks);
            ES_PROBE(clock__DOT__now__DOT__synchroniser__DOT__pair__DOT__meta) = ES_PROBE(clock__DOT__now__DOT__gray);
        }
        return clocks;
    }

  private:
    static constexpr unsigned CALM = 1 | 4;    // of es_probe's calm: from the FIFO to the hit queue, and the link
    static constexpr unsigned LONGEST = 3;     // clocks of any instruction here
    static constexpr uint32_t WORDS = 1 << 14; // of the soft core's memory
    static constexpr unsigned REGION = 28;     // an address's bits from here tell what it is in

    // es_dispatch has done with the hit at the queue's head, or there is none.
    bool head_settled() const
    {
        bool hit = ES_PROBE(hits__DOT__hitq__DOT__taken) & 1;
        return ES_PROBE(hits__DOT__dispatch__DOT__looked) == hit &&
               ES_PROBE(hits__DOT__dispatch__DOT__settled) == hit && (ES_PROBE(tracks__DOT__taken) || !hit);
    }

    // The edge that comes next makes a write to anything but memory happen.
    bool writes_elsewhere() const
    {
        return ES_PROBE(soc__DOT__written) && ES_PROBE(soc__DOT__last_addr) >> REGION != ES_MEM_BASE >> REGION;
    }

    uint32_t &word_at(uint32_t address)
    {
        return ES_PROBE(soc__DOT__shared__DOT__memory__DOT__words)[address >> 2 & (WORDS - 1)];
    }

    uint32_t get(unsigned reg) const { return ES_CPU(regs__DOT__copy1)[reg]; }

    void set(unsigned reg, uint32_t value)
    {
        if (!reg)
            return;
        ES_CPU(regs__DOT__copy1)[reg] = ES_CPU(regs__DOT__copy2)[reg] = value;
        switch (reg) { // the tracker listens
        case ES_MI_REG_TOP: ES_TRACKER(top) = static_cast<SData>(value); break;
        case ES_MI_REG_KNOWN: ES_TRACKER(known) = static_cast<SData>(value); break;
        case ES_MI_REG_END: ES_TRACKER(stack_end) = static_cast<SData>(value); break;
        case ES_MI_REG_DISTANCE: ES_TRACKER(register_distance) = value & 7; break;
        case ES_MI_REG_NP:
            ES_TRACKER(np) = static_cast<SData>(value);
            ES_TRACKER(node_old) = 1;
            break;
        default: break;
        }
    }

    // 32 bits of the hit at the queue's head: es_probe.v has their places.
    uint32_t head(unsigned low) const
    {
        const auto &hit = ES_PROBE(tracks__DOT__head);
        uint64_t two = static_cast<uint64_t>(hit.at(low / 32 + 1)) << 32 | hit.at(low / 32);
        return static_cast<uint32_t>(two >> low % 32);
    }

    // A register whose reading has no effect. False: it is none of those.
    bool read_register(uint32_t offset, uint32_t &value) const
    {
        switch (offset) {
        case ES_REG_HIT_FLAGS:
            value = (head(0) & 3) | (head(2) & 15) << ES_HIT_LANES_SHIFT | (head(8) & 7) << ES_HIT_CORE_SHIFT |
                    (head(0) & 0x40 ? ES_HIT_OLD_KNOWN : 0) | (head(0) & 0x80 ? ES_HIT_LOCKED : 0);
            return true;
        case ES_REG_HIT_TIME: value = head(11); return true;
        case ES_REG_HIT_NEW: value = head(43); return true;
        case ES_REG_HIT_OLD: value = head(75); return true;
        case ES_REG_HIT_ADDR: value = head(107) << 1; return true;
        case ES_REG_HIT_PC: value = head(138) << 1; return true;
        default: return false;
        }
    }

    // The fields of an instruction.
    static uint32_t sign(uint32_t value, unsigned bits) { return (value ^ 1u << (bits - 1)) - (1u << (bits - 1)); }
    static uint32_t imm_i(uint32_t i) { return sign(i >> 20, 12); }
    static uint32_t imm_s(uint32_t i) { return sign(i >> 25 << 5 | (i >> 7 & 31), 12); }
    static uint32_t imm_b(uint32_t i)
    {
        return sign((i >> 31) << 12 | (i >> 7 & 1) << 11 | (i >> 25 & 63) << 5 | (i >> 8 & 15) << 1, 13);
    }
    static uint32_t imm_j(uint32_t i)
    {
        return sign((i >> 31) << 20 | (i >> 12 & 255) << 12 | (i >> 20 & 1) << 11 | (i >> 21 & 1023) << 1, 21);
    }

    // Executes the instruction at pc. Returns its clocks; 0: it is none of those here, and nothing was done.
    unsigned execute(uint32_t i)
    {
        unsigned rd = i >> 7 & 31, funct3 = i >> 12 & 7, funct7 = i >> 25;
        uint32_t a = get(i >> 15 & 31), b = get(i >> 20 & 31);
        switch (i & 127) {
        case 0x03: return load(rd, funct3, a + imm_i(i));
        case 0x0F: return funct3 == 0 ? go_on(CYCLES_alu) : 0;
        case 0x13: return arithmetic(rd, funct3, funct3 % 4 == 1 ? funct7 : 0, a, imm_i(i));
        case 0x17: set(rd, pc + (i & ~0xFFFu)); return go_on(CYCLES_auipc);
        case 0x23: return store(funct3, a + imm_s(i), b);
        case 0x33: return arithmetic(rd, funct3, funct7, a, b);
        case 0x37: set(rd, i & ~0xFFFu); return go_on(CYCLES_alu);
        case 0x63: return branch(funct3, a, b, pc + imm_b(i));
        case 0x67: return funct3 == 0 ? jump(rd, (a + imm_i(i)) & ~1u, CYCLES_jalr) : 0;
        case 0x6F: return jump(rd, pc + imm_j(i), CYCLES_jal);
        default: return 0;
        }
    }

    unsigned go_on(unsigned clocks)
    {
        pc += 4;
        return clocks;
    }

    unsigned jump(unsigned rd, uint32_t target, unsigned clocks)
    {
        if (target & 2)
            return 0;
        set(rd, pc + 4);
        pc = target;
        return clocks;
    }

    unsigned branch(unsigned funct3, uint32_t a, uint32_t b, uint32_t target)
    {
        bool less = funct3 & 2 ? a < b : static_cast<int32_t>(a) < static_cast<int32_t>(b);
        if (funct3 >> 1 == 1)
            return 0;
        if ((funct3 & 4 ? less : a == b) == (funct3 & 1))
            return go_on(CYCLES_branch);
        return jump(0, target, CYCLES_branch);
    }

    unsigned arithmetic(unsigned rd, unsigned funct3, unsigned funct7, uint32_t a, uint32_t b)
    {
        bool alternative = funct7 == 0x20, shift = funct3 % 4 == 1;
        if (funct7 != 0 && !(alternative && (funct3 == 0 || funct3 == 5)))
            return 0;
        uint32_t value = 0;
        switch (funct3) {
        case 0: value = alternative ? a - b : a + b; break;
        case 1: value = a << (b & 31); break;
        case 2: value = static_cast<int32_t>(a) < static_cast<int32_t>(b); break;
        case 3: value = a < b; break;
        case 4: value = a ^ b; break;
        case 5: value = a >> (b & 31) | (alternative && a >> 31 ? ~(~0u >> (b & 31)) : 0); break;
        case 6: value = a | b; break;
        default: value = a & b; break;
        }
        set(rd, value);
        return go_on(shift ? CYCLES_shift : CYCLES_alu);
    }

    static bool aligned(unsigned funct3, uint32_t address) { return (address & ((1u << funct3 % 4) - 1)) == 0; }

    unsigned load(unsigned rd, unsigned funct3, uint32_t address)
    {
        uint32_t value, region = address >> REGION;
        if (funct3 % 4 == 3 || funct3 == 6 || !aligned(funct3, address))
            return 0;
        if (region == ES_MEM_BASE >> REGION)
            value = word_at(address);
        else if (region != ES_REG_BASE >> REGION || !read_register(address & 0x7C, value))
            return 0;
        value >>= 8 * (address & 3);
        switch (funct3) {
        case 0: value = sign(value & 0xFF, 8); break;
        case 1: value = sign(value & 0xFFFF, 16); break;
        case 4: value &= 0xFF; break;
        case 5: value &= 0xFFFF; break;
        default: break;
        }
        set(rd, value);
        return go_on(CYCLES_load);
    }

    unsigned store(unsigned funct3, uint32_t address, uint32_t value)
    {
        if (funct3 > 2 || !aligned(funct3, address) || address >> REGION != ES_MEM_BASE >> REGION)
            return 0;
        uint32_t mask = funct3 == 0 ? 0xFF : funct3 == 1 ? 0xFFFF : ~0u;
        unsigned shift = 8 * (address & 3);
        uint32_t &word = word_at(address);
        word = (word & ~(mask << shift)) | (value & mask) << shift;
        return go_on(CYCLES_store);
    }

    Ves_world_bytes___024root &root;
    uint32_t pc = 0;
};

#undef ES_PROBE
#undef ES_CPU
#undef ES_TRACKER

#endif
