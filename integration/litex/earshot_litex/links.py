"""The probe's bytes to the host: streams of the module (`source`, `sink`) to pins."""
from migen import ClockSignal, Instance, Signal, TSTriple

from litex.build.generic_platform import Pins, Subsignal

PADS = "earshot_link"
# of link="sim": a module of LiteX's simulator has the other side (simulation.py). The probe's clock is so much faster than the SoC's that
# the probe keeps up with what programs do; in an FPGA a slower one is the rule, and `earshot check` says what it keeps up with.
SIM_CLOCK = "earshot_clk"
SIM_RATIO = 8
SIM_IO = [(SIM_CLOCK, 0, Pins(1)),
          (PADS, 0, Subsignal("source_valid", Pins(1)), Subsignal("source_ready", Pins(1)), Subsignal("source_data", Pins(8)),
           Subsignal("sink_valid", Pins(1)), Subsignal("sink_ready", Pins(1)), Subsignal("sink_data", Pins(8)))]


def _byte_port(module, reset):
    source, sink = module.source, module.sink
    return {"i_clk": ClockSignal(module.domain), "i_rst": reset,
            "i_tx_byte": source.data, "i_tx_byte_valid": source.valid, "o_tx_byte_ready": source.ready,
            "o_rx_byte": sink.data, "o_rx_byte_valid": sink.valid, "i_rx_byte_ready": sink.ready}


def uart(module, pads, reset, clock_hz, baudrate):
    """pads: tx, rx."""
    if not 4 <= round(clock_hz / baudrate) <= 65535:
        raise ValueError(f"Earshot: {baudrate} baud need a clock of {4 * baudrate / 1e6:g} MHz at least, and the probe has {clock_hz / 1e6:g} MHz")
    module.specials += Instance("es_uart", p_CLK_HZ=int(clock_hz), p_BAUD=int(baudrate), i_rx=pads.rx, o_tx=pads.tx, **_byte_port(module, reset))


def fifo(module, pads, reset):
    """An FT232H or FT2232H in synchronous FIFO mode. pads: clk, data, rxf_n, txe_n, rd_n, wr_n, oe_n, siwu_n."""
    data = TSTriple(8)
    module.specials += data.get_tristate(pads.data)
    module.specials += Instance(
        "es_ft245", o_idle=Signal(), i_ft_clk=pads.clk, i_ft_rxf_n=pads.rxf_n, i_ft_txe_n=pads.txe_n, o_ft_rd_n=pads.rd_n, o_ft_wr_n=pads.wr_n,
        o_ft_oe_n=pads.oe_n, o_ft_siwu_n=pads.siwu_n, i_ft_data_i=data.i, o_ft_data_o=data.o, o_ft_data_oe=data.oe,
        **_byte_port(module, reset))


def sim(module, pads):
    """pads: as SIM_IO."""
    source, sink = module.source, module.sink
    module.comb += [pads.source_valid.eq(source.valid), pads.source_data.eq(source.data), source.ready.eq(pads.source_ready),
                    sink.valid.eq(pads.sink_valid), sink.data.eq(pads.sink_data), pads.sink_ready.eq(sink.ready)]
