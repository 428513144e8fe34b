"""The tank of examples/ci on a simulated SoC: assertions on the program's variables, in the same test as those on the hardware's signals."""
import os

import cocotb
from cocotb.triggers import RisingEdge

from earshot.cocotb import Probe

STATEMENTS = (
    "starts: when tank.state becomes TANK_FILLING { print tank.level }",
    "drains: when tank.state becomes TANK_DRAINING { print tank.level, tank.steps }",
    "both:   when tank.fill && tank.drain { print tank.level }",
)


class Writes:
    """Counts what the processor writes to a word of memory, on the wires of its bus."""

    def __init__(self, dut, address):
        self.count = 0
        cocotb.start_soon(self._look(dut, address))

    async def _look(self, dut, address):
        while True:
            await RisingEdge(dut.bus_write)
            self.count += int(dut.write_addr.value) == address


@cocotb.test()
async def fills_then_drains(dut):
    """The controller fills first, drains when the tank is full, and never opens both valves."""
    probe = Probe(dut.port, os.environ["PROGRAM"], *STATEMENTS, reset=dut.rst_target, clock_hz=12_500_000)
    rounds = Writes(dut, int(os.environ["WATCHDOG"], 0))

    starts = await probe.hit("starts")
    drains = await probe.hit("drains")
    assert starts["tank.level"] < drains["tank.level"] >= 900
    assert drains.path == ("main", "tank_step") and drains.file.endswith("tank.c")

    # what the source says and what the wires say is the same: the probe only listens
    assert rounds.count >= drains["tank.steps"] > 0

    summary = await probe.finish()
    assert summary.lost == 0
    assert summary.statements["both"] == 0, f"both valves were open {summary.statements['both']} times"
