"""Earshot in a cocotb test: the probe of soc.v listens to the simulated bus, and what the program's variables do comes as hits.

    probe = Probe(dut, "tank.elf", "drains: when tank.state becomes TANK_DRAINING { print tank.level }")
    await probe.armed()
    dut.rst_target.value = 0
    hit = await probe.hit("drains")
    assert hit["tank.level"] >= 900

`earshot watch` runs beside the simulator, as it would beside a board: the probe's bytes go through a pseudo terminal in the place of
the serial line.
"""
import os
import pty
import queue
import threading
import tty

import cocotb
import earshot
from cocotb.triggers import Timer

PACKET = 64  # bytes, as in soc.v
POLL_NS = 160  # between looks at the signals
BUS_HZ = 12_500_000
PATIENCE_MS = 20  # of simulated time, for a hit


class Probe:
    """The probe and the run of `earshot` that uses it. Further arguments are those of earshot.watch."""

    def __init__(self, dut, program, *statements, **arguments):
        self._dut = dut
        self._host, device = pty.openpty()
        tty.setraw(device)
        os.set_blocking(self._host, False)
        # the simulator has put the program's data into memory: it is as the file says
        self.run = earshot.watch(program, *statements, probe="uart:" + os.ttyname(device),
                                 options=["--loaded", "--clock", str(BUS_HZ)], **arguments)
        self._device = device  # stays open: what is written to a terminal that nobody holds is lost
        self._records = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        cocotb.start_soon(self._move_bytes())

    def _listen(self):
        """Reading waits, and the simulation must not: so another thread does it."""
        try:
            for record in self.run.records():
                self._records.put(record)
        except earshot.EarshotError as error:
            self._records.put(error)

    async def _move_bytes(self):
        """Between probe and terminal, while the simulation runs. Clocks rise in the middle between two looks."""
        dut, taken, put = self._dut, 0, 0
        dut.rst.value = 1
        dut.out_taken.value = dut.in_put.value = dut.in_count.value = 0
        await Timer(POLL_NS, "ns")
        dut.rst.value = 0
        while True:
            await Timer(POLL_NS, "ns")
            count = int(dut.out_count.value)
            if count:
                # what no byte has been put in yet is not known in the simulation
                word = int(dut.out_bytes.value & ((1 << 8 * count) - 1)) if dut.out_bytes.value.is_resolvable else 0
                os.write(self._host, word.to_bytes(count, "little"))
                taken ^= 1
                dut.out_taken.value = taken
            if not int(dut.in_busy.value):
                data = self._read()
                if data:
                    put ^= 1
                    dut.in_bytes.value = int.from_bytes(data, "little")
                    dut.in_count.value = len(data)
                    dut.in_put.value = put

    def _read(self):
        try:
            return os.read(self._host, PACKET)
        except BlockingIOError:
            return b""

    async def armed(self):
        """Until the probe has its statements and waits for the target's reset to end."""
        while not any("waiting for the target's reset" in message for message in self.run.messages):
            self._raise_error()
            await Timer(POLL_NS, "ns")

    def _raise_error(self):
        if not self._listener.is_alive() and self._records.empty():
            raise earshot.EarshotError("the run has ended: " + "; ".join(self.run.messages))

    async def hit(self, statement, within_ms=PATIENCE_MS):
        """The next hit of this statement; hits of others before it are passed over. AssertionError when none comes in that time."""
        for _ in range(int(within_ms * 1e6 / POLL_NS)):
            try:
                record = self._records.get_nowait()
            except queue.Empty:
                self._raise_error()
                await Timer(POLL_NS, "ns")
                continue
            if isinstance(record, Exception):
                raise record
            if isinstance(record, earshot.Hit) and record.statement == statement:
                return record
        raise AssertionError(f"{statement} did not occur within {within_ms} ms")

    async def finish(self):
        """Ends the run while the simulation goes on, which the probe needs to send its figures. Returns the summary."""
        self.run.stop()
        while self._listener.is_alive():
            await Timer(POLL_NS, "ns")
        return self.run.summary
