"""What the probe hears: a processor's retire port, its buses, or any Wishbone bus. Each function adds its instances to `module` and returns
a Heard."""
import os
import subprocess
import sys

from migen import Cat, ClockSignal, Constant, Instance, ResetSignal, Signal

from litex.soc.interconnect import wishbone

# Variants of LiteX's VexRiscv whose programs es_tap_vexriscv knows: no virtual memory. Those with atomic and compressed instructions among them.
RETIRED = ("minimal", "lite", "standard", "full", "imac")
ATOMIC_COMPRESSED = ("imac",)

# scripts/vexriscv-ports makes these outputs of the netlist: port, width.
LAST_STAGE = (("lastStageIsFiring", 1), ("lastStagePc", 32), ("lastStageInstruction", 32), ("lastStageRaw", 32),
              ("lastStageRegFileWrite_valid", 1), ("lastStageRegFileWrite_payload_address", 5), ("lastStageRegFileWrite_payload_data", 32))


class Heard:
    """What taps hand to es_probe: `count` transactions in a clock, what a fetch proves (a name of FETCHES_), and whether reads say
    which bytes they want."""

    def __init__(self, count, fetches, reads=True):
        self.count, self.fetches, self.reads, self.compressed = count, fetches, reads, 0
        self.valid = Signal(count)
        self.kind = Signal(2 * count)
        self.addr = Signal(32 * count)
        self.data = Signal(32 * count)
        self.lanes = Signal(4 * count)

    def ports(self):
        """Of the instance that drives it."""
        return {"o_tx_valid": self.valid, "o_tx_kind": self.kind, "o_tx_addr": self.addr, "o_tx_data": self.data, "o_tx_lanes": self.lanes}

    @staticmethod
    def joined(module, heards, fetches, reads):
        """Those of several, in one clock in this order."""
        whole = Heard(sum(heard.count for heard in heards), fetches, reads)
        for name in ("valid", "kind", "addr", "data", "lanes"):
            module.comb += getattr(whole, name).eq(Cat(*[getattr(heard, name) for heard in heards]))
        return whole


def of_wishbone(module, bus, fetch, domain, reset):
    """A Wishbone bus of LiteX. fetch: 1, 0 or a signal that says so during an access."""
    if not isinstance(bus, wishbone.Interface):
        raise TypeError(f"Earshot: {bus!r} is not a bus that it knows: give a processor or a wishbone.Interface")
    if bus.data_width not in (8, 16, 32):
        raise ValueError(f"Earshot: a Wishbone bus of {bus.data_width} bits cannot be watched: 8, 16 or 32 can")
    heard = Heard(1, None)
    low = 0 if bus.addressing == "byte" else (bus.data_width // 8).bit_length() - 1
    address = Signal(32)
    module.comb += address.eq(bus.adr if low == 0 else Cat(Constant(0, low), bus.adr))
    module.specials += Instance(
        "es_tap_wishbone", p_ADDR_W=32, p_DATA_W=bus.data_width,
        i_clk=ClockSignal(domain), i_rst=reset, i_wb_cyc=bus.cyc, i_wb_stb=bus.stb, i_wb_we=bus.we, i_wb_fetch=fetch, i_wb_adr=address,
        i_wb_dat_w=bus.dat_w, i_wb_sel=bus.sel, i_wb_stall=0, i_wb_ack=bus.ack, i_wb_err=bus.err, i_wb_rty=0, i_wb_dat_r=bus.dat_r,
        **heard.ports())
    return heard


def of_buses(module, ibus, dbus, fetches, domain, reset):
    """Instruction and data bus of a processor, before they are arbitrated: there fetch is told from data."""
    fetch, data = of_wishbone(module, ibus, 1, domain, reset), of_wishbone(module, dbus, 0, domain, reset)
    if fetches != "EXECUTED":  # their order says nothing then
        return Heard.joined(module, [data, fetch], fetches, True)
    heard = Heard(2, fetches)
    module.specials += Instance(
        "es_tap_merge", i_rst=reset, i_data_busy=dbus.cyc & dbus.stb, i_data_valid=data.valid, i_data_kind=data.kind, i_data_addr=data.addr,
        i_data_data=data.data, i_data_lanes=data.lanes, i_data_failed=dbus.cyc & dbus.stb & dbus.err, i_fetch_valid=fetch.valid,
        i_fetch_kind=fetch.kind, i_fetch_addr=fetch.addr, i_fetch_data=fetch.data, i_fetch_lanes=fetch.lanes, **heard.ports())
    return heard


def of_picorv32(module, cpu, follow, domain, reset):
    """Its one bus, which does not tell which bytes are read. follow: es_follow leaves out what it fetched in vain, and all is exact."""
    heard = of_wishbone(module, cpu.idbus, cpu.cpu_params["o_mem_instr"], domain, reset)
    heard.fetches = "AHEAD"
    heard.reads = False
    if not follow:
        return heard
    followed = Heard(1, "EXECUTED", False)
    has = {name: cpu.cpu_params["p_" + name] for name in ("ENABLE_REGS_DUALPORT", "TWO_CYCLE_COMPARE", "TWO_CYCLE_ALU", "ENABLE_IRQ", "PROGADDR_IRQ")}
    module.specials += Instance(
        "es_follow", p_SETTLE=1 - has["ENABLE_REGS_DUALPORT"] + has["TWO_CYCLE_COMPARE"] + has["TWO_CYCLE_ALU"], p_IRQ=has["ENABLE_IRQ"],
        p_VECTOR=has["PROGADDR_IRQ"], i_clk=ClockSignal(domain), i_rst=reset, i_target_rst=ResetSignal(domain) | cpu.reset,
        i_bus_asks=cpu.idbus.cyc & cpu.idbus.stb, i_tx_valid=heard.valid, i_tx_kind=heard.kind, i_tx_addr=heard.addr, i_tx_data=heard.data,
        i_tx_lanes=heard.lanes, **{name.replace("o_tx_", "o_fl_"): signal for name, signal in followed.ports().items()})
    return followed


class LastStage:
    """VexRiscv's last stage, which says what was executed: exact with any cache. The netlist gets it as outputs."""

    def __init__(self, cpu):
        self._more = int(cpu.variant.split("+", maxsplit=1)[0] in ATOMIC_COMPRESSED)
        self.signals = {name: Signal(width, name=name) for name, width in LAST_STAGE}
        cpu.cpu_params.update({f"o_{name}": signal for name, signal in self.signals.items()})
        self._netlist = None
        if not cpu.external_variant:  # one that the user names is to have the outputs already
            from litex import get_data_mod
            from litex.soc.cores.cpu.vexriscv.core import CPU_VARIANTS
            self._netlist = os.path.join(get_data_mod("cpu", "vexriscv").data_location, CPU_VARIANTS[cpu.variant] + ".v")
            cpu.external_variant = True  # its own sources are left out

    def add(self, module, domain, reset):
        """Its instances."""
        names = {"valid": 1, "trap": 1, "insn": 32, "pc_rdata": 32, "rs1_rdata": 32, "mem_addr": 32, "mem_rmask": 4, "mem_wmask": 4,
                 "mem_rdata": 32, "mem_wdata": 32}
        rvfi = {name: Signal(width, name="rvfi_" + name) for name, width in names.items()}
        last = self.signals
        module.specials += Instance(
            "es_tap_vexriscv", p_ATOMIC=self._more, i_clk=ClockSignal(domain), i_firing=last["lastStageIsFiring"], i_pc=last["lastStagePc"],
            i_insn=last["lastStageInstruction"], i_raw=last["lastStageRaw"], i_rd_valid=last["lastStageRegFileWrite_valid"],
            i_rd_addr=last["lastStageRegFileWrite_payload_address"], i_rd_data=last["lastStageRegFileWrite_payload_data"],
            **{f"o_rvfi_{name}": signal for name, signal in rvfi.items()})
        heard = Heard(3, "RETIRED")
        heard.compressed = self._more
        module.specials += Instance("es_tap_rvfi", p_COMPRESSED=self._more, i_clk=ClockSignal(domain), i_rst=reset,
                                    **{f"i_rvfi_{name}": signal for name, signal in rvfi.items()}, **heard.ports())
        return heard

    def add_netlist(self, platform, sources, folder):
        """Once it is known where the SoC is built."""
        if self._netlist:
            path = os.path.join(folder, os.path.basename(self._netlist))
            subprocess.run([sys.executable, sources.ports, self._netlist, path], check=True)
            platform.add_source(path)
