"""Earshot: the probe, as a module of a LiteX SoC."""
import os

from migen import ClockDomain, ClockSignal, If, Instance, Signal
from migen.genlib.cdc import MultiReg

from litex.gen import LiteXModule
from litex.soc.cores.cpu import CPU
from litex.soc.interconnect import stream

from . import links, taps
from .sources import Sources

RESET_CLOCKS = 63  # of the probe, after power-on
RETIRED_QUEUE = 16  # clocks in which more than one transaction retires, one after the other: stores and loads in a row


def _log2(name, size, least):
    if size < 1 << least or size & (size - 1):
        raise ValueError(f"Earshot: {name}={size:#x} is not a power of two of {1 << least:#x} bytes or more")
    return size.bit_length() - 1


class Earshot(LiteXModule):
    """The probe listens to `target` and changes nothing there.

    target: the SoC's cpu, or a wishbone.Interface, or a pair (instruction bus, data bus).
    link: how the host reaches it: "uart" (pads: tx, rx), "fifo" (an FT232H or FT2232H in synchronous FIFO mode; pads: clk, data, rxf_n,
        txe_n, rd_n, wr_n, oe_n, siwu_n), "sim" (a terminal beside LiteX's simulation, earshot_litex.simulation), or "stream": its bytes
        are the streams `source` and `sink`, for a link of your own.
    pads: of the link; without them platform.request("earshot_link").
    tap: "retired" (what the processor has executed: exact), "bus", or "auto": retired where it is known how, and PicoRV32's bus with
        es_follow after its tap, which is exact, too.
    fetches: of buses that are not those of a known cpu: what a fetch proves (docs/attach-core.md), "executed" or "ahead".
    fetch: with a single bus, the signal that tells fetches from reads.
    window: (address, bytes) of the part of memory that the probe copies: the program's code and data have to be there.
    memory: bytes of the probe's own memory, for its firmware and the statements.
    fifo_depth: transactions that may wait.
    domain, clock_hz: the probe's clock; without domain it is that of the SoC, target_domain. uart needs clock_hz. With "sim" it is a
        clock of its own, SIM_RATIO times as fast as the SoC's.
    outputs: there are `trigger` (8 signals) and `halt`, for statements that drive them.
    platform: needed when target is a bus.

    Its reset is its own, at power-on only: it goes on when the SoC is reset."""

    def __init__(self, target, link="uart", pads=None, tap="auto", fetches=None, fetch=0, window=(0, 0x40000), memory=0x10000, fifo_depth=512,
                 target_domain="sys", domain=None, clock_hz=None, baudrate=None, outputs=False, platform=None):
        self._platform = platform or getattr(target, "platform", None)
        if self._platform is None:
            raise ValueError("Earshot: platform= is needed for a bus")
        if link == "sim" and domain is None:
            domain = links.SIM_CLOCK
            self._platform.add_extension(links.SIM_IO)
            self.clock_domains += ClockDomain(domain, reset_less=True)
            self.comb += ClockSignal(domain).eq(self._platform.request(links.SIM_CLOCK))
        self.domain, self._target_domain = domain or target_domain, target_domain
        window_log2, memory_log2 = _log2("window", window[1], 10), _log2("memory", memory, 15)
        if window[0] % window[1]:
            raise ValueError(f"Earshot: the window's address {window[0]:#x} is not a multiple of its {window[1]:#x} bytes")
        self.window = window
        self.source = stream.Endpoint([("data", 8)])
        self.sink = stream.Endpoint([("data", 8)])
        self.trigger = Signal(8)
        self.halt = Signal()
        if link not in ("uart", "fifo", "sim", "stream"):
            raise ValueError(f'Earshot: link="{link}": it is "uart", "fifo", "sim" or "stream"')
        if link == "uart" and not clock_hz:
            raise ValueError("Earshot: a uart needs the frequency of the probe's clock: clock_hz=sys_clk_freq")
        self._pads = self._platform.request(links.PADS) if pads is None and link != "stream" else pads
        self._link, self._baudrate, self._clock_hz = link, baudrate, clock_hz
        self._parameters = {"p_WINDOW_BASE": window[0], "p_WINDOW_LOG2": window_log2, "p_MEM_LOG2": memory_log2,
                            "p_FIFO_LOG2": _log2("fifo_depth", fifo_depth, 5), "p_OUTPUTS": int(outputs)}

        # ---- resets: at power-on, both together ----
        left = Signal(max=RESET_CLOCKS + 1, reset=RESET_CLOCKS, reset_less=True)
        self._reset = Signal(reset=1, reset_less=True)
        self._target_reset = Signal(reset=1)
        getattr(self.sync, self.domain).__iadd__([If(left != 0, left.eq(left - 1)), self._reset.eq(left != 0)])
        self.specials += MultiReg(self._reset, self._target_reset, target_domain, reset=1)

        # ---- taps ----
        self.stage = None  # a taps.LastStage, whose processor gets more outputs
        self._heard = self._listen(target, tap, fetches, fetch)

    def _listen(self, target, tap, fetches, fetch):
        domain, reset = self._target_domain, self._target_reset
        name, variant = (target.name, target.variant.split("+", maxsplit=1)[0]) if isinstance(target, CPU) else (None, "")
        known = name == "vexriscv" and variant in taps.RETIRED
        if tap not in ("auto", "bus", "retired"):
            raise ValueError(f'Earshot: tap="{tap}": it is "auto", "bus" or "retired"')
        if tap == "retired" and not known:
            raise ValueError(f'Earshot: it is not known how {f"{name} {variant}" if name else "this bus"} tells what it has executed: VexRiscv\'s '
                             f'{", ".join(taps.RETIRED)} do; tap="bus" watches what comes to the bus')
        if known and tap != "bus":
            self.stage = taps.LastStage(target)
            return self.stage.add(self, domain, reset)
        if name == "picorv32" and fetches is None:
            return taps.of_picorv32(self, target, tap == "auto" and not target.cpu_params.get("p_COMPRESSED_ISA"), domain, reset)
        if fetches is not None:
            fetches = fetches.upper()
        elif name == "serv":
            fetches = "EXECUTED"
        elif name is not None:  # nothing is proven by what nobody knows
            fetches = "AHEAD"
        if fetches not in ("EXECUTED", "AHEAD"):
            raise ValueError('Earshot: fetches= has to say what a fetch on this bus proves, "executed" or "ahead": docs/attach-core.md')
        if isinstance(target, (tuple, list)):
            return taps.of_buses(self, *target, fetches, domain, reset)
        if hasattr(target, "ibus") and hasattr(target, "dbus"):
            return taps.of_buses(self, target.ibus, target.dbus, fetches, domain, reset)
        if name is not None:
            raise ValueError(f"Earshot: the buses of {name} are not known: give them, as (instruction bus, data bus)")
        heard = taps.of_wishbone(self, target, fetch, domain, reset)
        return taps.Heard.joined(self, [heard], fetches, True)

    def do_finalize(self):
        """Sources, probe and link: here, as it is known by now where the SoC is built."""
        folder = os.path.join(getattr(self._platform, "output_dir", None) or "build", "earshot")
        os.makedirs(folder, exist_ok=True)
        sources = Sources(folder)
        self._platform.add_verilog_include_path(sources.include)
        for path in sources.files:
            self._platform.add_source(path)
        if self.stage:
            self.stage.add_netlist(self._platform, sources, folder)

        heard = self._heard
        clock = ClockSignal(self.domain)
        self.specials += Instance(
            "es_probe", p_PER_TAP=heard.count, p_FETCHES=sources.number("FETCHES_" + heard.fetches), p_READ_HITS=int(heard.reads),
            p_COMPRESSED=heard.compressed,
            p_TIME_NOW=int(self._link != "sim"), p_CAPTURE_QUEUE=RETIRED_QUEUE if heard.count > 1 else 4, **self._parameters,
            i_clk_tap=ClockSignal(self._target_domain), i_rst_tap=self._target_reset, i_tx_valid=heard.valid, i_tx_kind=heard.kind,
            i_tx_addr=heard.addr, i_tx_data=heard.data, i_tx_lanes=heard.lanes,
            i_clk=clock, i_rst=self._reset, i_clk_soc=clock, i_clk_link=clock, i_clk_cpu=clock, o_cpu_sleeping=Signal(), o_cpu_wake=Signal(),
            o_idle=Signal(), o_calm=Signal(3), o_trigger=self.trigger, o_halt=self.halt,
            o_tx_byte=self.source.data, o_tx_byte_valid=self.source.valid, i_tx_byte_ready=self.source.ready,
            i_rx_byte=self.sink.data, i_rx_byte_valid=self.sink.valid, o_rx_byte_ready=self.sink.ready)

        if self._link == "uart":
            links.uart(self, self._pads, self._reset, self._clock_hz, self._baudrate or sources.number("UART_BAUD"))
        elif self._link == "fifo":
            links.fifo(self, self._pads, self._reset)
        elif self._link == "sim":
            links.sim(self, self._pads)
