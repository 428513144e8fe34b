// What the ports of a model tell of a processor: its retire port, its console and why it ended. For models of one core,
// and with a core's number for es_world_shared, whose ports have one place for each.
#ifndef ES_SIM_PINS_HPP
#define ES_SIM_PINS_HPP

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

// Without its times.
template <class Model> es_retired retired_of(const Model &top)
{
    es_retired retired;
    std::memset(&retired, 0, sizeof retired); // between its members, too: logs are compared as bytes
    retired.pc = top.rvfi_pc_rdata;
    retired.next_pc = top.rvfi_pc_wdata;
    retired.insn = top.rvfi_insn;
    retired.mem_addr = top.rvfi_mem_addr;
    retired.mem_wdata = top.rvfi_mem_wdata;
    retired.mem_wmask = top.rvfi_mem_wmask;
    retired.mem_rmask = top.rvfi_mem_rmask;
    retired.rd = top.rvfi_rd_addr;
    retired.rd_value = top.rvfi_rd_wdata;
    retired.interrupt = top.rvfi_intr;
    return retired;
}

template <class Model> es_retired retired_of(const Model &top, unsigned core)
{
    es_retired retired = {};
    retired.pc = top.all_rvfi_pc_rdata[core];
    retired.next_pc = top.all_rvfi_pc_wdata[core];
    retired.insn = top.all_rvfi_insn[core];
    retired.mem_addr = top.all_rvfi_mem_addr[core];
    retired.mem_wdata = top.all_rvfi_mem_wdata[core];
    retired.mem_wmask = top.all_rvfi_mem_wmask >> 4 * core & 15;
    retired.mem_rmask = top.all_rvfi_mem_rmask >> 4 * core & 15;
    retired.rd = top.all_rvfi_rd_addr >> 5 * core & 31;
    retired.rd_value = top.all_rvfi_rd_wdata[core];
    retired.interrupt = top.all_rvfi_intr >> core & 1;
    retired.core = static_cast<uint8_t>(core);
    return retired;
}

// Console and end of a core.
struct core_end {
    template <class Model>
    explicit core_end(const Model &top)
        : console_valid(top.console_valid), exited(top.exited), fault(top.fault), trapped(top.trapped),
          fetch(top.bus_fetch), write(top.bus_wstrb), console_byte(static_cast<char>(top.console_byte)),
          exit_code(static_cast<int>(top.exit_code)), addr(top.bus_addr), from(top.fetch_pc)
    {
    }
    template <class Model>
    core_end(const Model &top, unsigned c)
        : core(c), console_valid(top.all_console_valid >> c & 1), exited(top.all_exited >> c & 1),
          fault(top.all_fault >> c & 1), trapped(top.all_trapped >> c & 1), fetch(top.all_fetch >> c & 1),
          write(top.all_wstrb >> 4 * c & 15), console_byte(static_cast<char>(top.all_console_byte >> 8 * c)),
          exit_code(static_cast<int>(top.all_exit_code[c])), addr(top.all_addr[c]), from(top.all_fetch_pc[c])
    {
    }

    // Why it stopped, as a sentence, if it did.
    std::string why(uint32_t rom_size, bool name_core) const
    {
        char text[160] = "";
        if (fault && fetch)
            snprintf(text, sizeof text, "the instruction at 0x%08x jumped to 0x%08x, where there is no memory", from,
                     addr);
        else if (fault)
            snprintf(text, sizeof text, "the instruction at 0x%08x %s 0x%08x, where there is %s", from,
                     write ? "wrote to" : "read from", addr,
                     write && addr - ES_TARGET_ROM_BASE < rom_size ? "ROM" : "no memory and no device");
        else if (trapped)
            snprintf(text, sizeof text,
                     "exception at 0x%08x and no handler: an illegal instruction, a misaligned access, "
                     "or ecall or ebreak",
                     from);
        return *text && name_core ? "core " + std::to_string(core) + ": " + text : text;
    }

    unsigned core = 0;
    bool console_valid, exited, fault, trapped, fetch, write;
    char console_byte;
    int exit_code;
    unsigned addr, from;
};

#endif
