#!/usr/bin/env python3
"""logged_soc.py FOLDER CPU VARIANT TAP MEMORY: the SoC of examples/litex with MEMORY KiB of the probe's own and, if it is a VexRiscv's, with a log
of what its processor executes (es_litex_log.v), built in FOLDER."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "litex"))
from migen import Cat, ClockSignal, Constant, Instance, Signal  # noqa: E402

from earshot_litex.taps import LastStage  # noqa: E402

import soc as example  # noqa: E402


def add_log(soc, tap):
    """Of the last stage's signals, which the netlist made for the retired tap has."""
    cpu = soc.cpu
    bus = cpu.dbus
    if tap == "bus":
        soc.earshot.stage = LastStage(cpu)
    last = {name: cpu.cpu_params["o_" + name] for name in ("lastStageIsFiring", "lastStagePc")}
    write = Signal()
    address = Signal(32)
    soc.comb += [write.eq(bus.cyc & bus.stb & bus.we & bus.ack), address.eq(Cat(Constant(0, 2), bus.adr))]
    soc.specials += Instance("es_litex_log", i_clk=ClockSignal(), i_firing=last["lastStageIsFiring"], i_pc=last["lastStagePc"], i_write=write,
                             i_adr=address, i_sel=bus.sel, i_dat=bus.dat_w)
    soc.platform.add_source(os.path.join(HERE, "es_litex_log.v"))


def main():
    folder, cpu, variant, tap, memory = sys.argv[1:]
    soc = example.Soc(cpu, variant, tap=tap, memory=int(memory) << 10)
    if cpu == "vexriscv":
        add_log(soc, tap)
    example.build(soc, folder, os.path.join(folder, "link"), jobs=2)


if __name__ == "__main__":
    main()
