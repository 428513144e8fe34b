#!/usr/bin/env python3
"""A LiteX SoC for LiteX's simulator, with Earshot's probe beside its processor (docs/litex.md).

    python3 soc.py               builds it, and its BIOS, below build/
    cd build/gateware && sh build_sim.sh && obj_dir/Vsim
    earshot watch build/software/bios/bios.elf --probe uart:earshot-link --clock 1000000 -e 'enter(crc32) { print path }'
"""
import argparse

from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCCore

from earshot_litex import Earshot, simulation

CLOCK_HZ = int(1e6)

IO = [
    ("sys_clk", 0, Pins(1)),
    ("serial", 0, Subsignal("source_valid", Pins(1)), Subsignal("source_ready", Pins(1)), Subsignal("source_data", Pins(8)),
     Subsignal("sink_valid", Pins(1)), Subsignal("sink_ready", Pins(1)), Subsignal("sink_data", Pins(8))),
]


class Soc(SoCCore):
    """Its RAM is near its ROM: both have to be in the part of memory that the probe copies."""

    def __init__(self, cpu_type="vexriscv", cpu_variant="standard", **probe):
        platform = SimPlatform("SIM", IO)
        self.crg = CRG(platform.request("sys_clk"))
        SoCCore.__init__(self, platform, clk_freq=CLOCK_HZ, ident="Earshot's example", cpu_type=cpu_type, cpu_variant=cpu_variant,
                         uart_name="sim", integrated_rom_size=0x10000, integrated_sram_size=0)
        self.add_ram("sram", origin=0x10000, size=0x2000)
        self.comb += platform.trace.eq(0)

        self.submodules.earshot = Earshot(self.cpu, link="sim", window=(0, 0x20000), fifo_depth=4096, **probe)


def build(soc, folder, link, **arguments):
    """Its software and its gateware as sources. The script gateware/build_sim.sh makes the simulator of them."""
    builder = Builder(soc, output_dir=folder)
    sim_config = SimConfig(default_clk="sys_clk", default_clk_freq=CLOCK_HZ)
    sim_config.add_module("serial2console", "serial")
    builder.build(sim_config=sim_config, run=False, opt_level="O2", interactive=False, **simulation.terminal(sim_config, builder, CLOCK_HZ, link),
                  **arguments)
    return builder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu-type", default="vexriscv")
    parser.add_argument("--cpu-variant", default="standard")
    parser.add_argument("--tap", default="auto", help="auto, retired or bus")
    parser.add_argument("--output", default="build")
    parser.add_argument("--link", default="earshot-link", help="where the terminal is found")
    arguments = parser.parse_args()
    build(Soc(arguments.cpu_type, arguments.cpu_variant, tap=arguments.tap), arguments.output, arguments.link)


if __name__ == "__main__":
    main()
