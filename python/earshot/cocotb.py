"""Earshot in a cocotb test: the probe in the design listens to the simulated bus, and what the program's variables do comes as hits.

    from earshot.cocotb import Probe
    probe = Probe(dut.port, "tank.elf", "drains: when tank.state becomes TANK_DRAINING { print tank.level }", reset=dut.rst)
    hit = await probe.hit("drains")

`dut.port` is the instance of es_cocotb_port (sim/cocotb/es_cocotb_port.v) at the probe's bytes. `earshot watch` runs beside the simulator, as it
would beside a board: the bytes go through a pseudo terminal in the place of the serial line.
"""
import os
import pty
import queue
import threading
import tty
from typing import Any, Optional, Sequence, Union

import cocotb  # type: ignore[import-untyped, import-not-found, unused-ignore]
from cocotb.triggers import Timer  # type: ignore[import-untyped, import-not-found, unused-ignore]

from ._errors import EarshotError
from ._records import Hit, Record, Summary
from ._watch import watch

__all__ = ["Probe"]

_PACKET = 64  # bytes, as es_cocotb_port has them
_POLL_NS = 160  # between looks at the signals: more often costs time, and gains nothing


class Probe:
    """The probe and the run of `earshot` that uses it.

    port: the handle of the design's es_cocotb_port.
    reset: a signal of the design that holds the target: it is set to `reset_active` at once, and let go when the probe has its statements.
        Without it, call armed() before the target starts.
    clock_hz: of the target's bus, for times.
    loaded: the program's data is in memory as its file says, where the simulator has put it.
    Further arguments are those of earshot.watch."""

    def __init__(self, port: Any, program: str, *statements: str, reset: Any = None, reset_active: int = 1, clock_hz: int = 10_000_000,
                 loaded: bool = True, options: Sequence[str] = (), **arguments: Any) -> None:
        self._port = port
        self._host, device = pty.openpty()
        tty.setraw(device)
        os.set_blocking(self._host, False)
        self.run = watch(program, *statements, probe="uart:" + os.ttyname(device),
                         options=[*(["--loaded"] if loaded else []), "--clock", str(clock_hz), *options], **arguments)
        self._device = device  # stays open: what is written to a terminal that nobody holds is lost
        self._records: "queue.SimpleQueue[Union[Record, EarshotError]]" = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        cocotb.start_soon(self._move_bytes())
        if reset is not None:
            reset.value = reset_active
            cocotb.start_soon(self._let_go(reset, 1 - reset_active))

    def _listen(self) -> None:
        """Reading waits, and the simulation must not: so another thread does it."""
        try:
            for record in self.run.records():
                self._records.put(record)
        except EarshotError as error:
            self._records.put(error)

    async def _move_bytes(self) -> None:
        """Between probe and terminal, while the simulation runs."""
        port, taken, put = self._port, 0, 0
        while True:
            await Timer(_POLL_NS, "ns")
            count = int(port.out_count.value)
            if count and not self._waits(port, taken):
                given = self._write(int(port.out_bytes.value).to_bytes(_PACKET, "little")[:count])
                if given:
                    taken ^= 1
                    port.out_given.value = given
                    port.out_taken.value = taken
            if not int(port.in_busy.value):
                data = self._read()
                if data:
                    put ^= 1
                    port.in_bytes.value = int.from_bytes(data, "little")
                    port.in_count.value = len(data)
                    port.in_put.value = put

    @staticmethod
    def _waits(port: Any, taken: int) -> bool:
        """What was taken is not seen yet: the probe's clock is slower than the looks."""
        return int(port.out_seen.value) != taken

    def _write(self, data: bytes) -> int:
        """How many of them the terminal has taken: where nobody reads, it is full some time, and the rest waits."""
        try:
            return os.write(self._host, data)
        except BlockingIOError:
            return 0

    def _read(self) -> bytes:
        try:
            return os.read(self._host, _PACKET)
        except BlockingIOError:
            return b""

    async def _let_go(self, reset: Any, level: int) -> None:
        await self.armed()
        reset.value = level

    async def armed(self) -> None:
        """Until the probe has its statements: it waits for the target's reset to end, or listens already where its bus does not show that."""
        while not any("waiting for the target's reset" in message or "monitoring begins:" in message for message in self.run.messages):
            self._raise_error()
            await Timer(_POLL_NS, "ns")

    def _raise_error(self) -> None:
        if not self._listener.is_alive() and self._records.empty():
            raise EarshotError("the run has ended: " + "; ".join(self.run.messages))

    async def hit(self, statement: Optional[str] = None, within_ms: float = 20) -> Hit:
        """The next hit, or the next of this statement; hits of others before it are passed over. AssertionError when none comes in so much
        simulated time after the target has started."""
        await self.armed()
        for _ in range(int(within_ms * 1e6 / _POLL_NS)):
            try:
                record = self._records.get_nowait()
            except queue.Empty:
                self._raise_error()
                await Timer(_POLL_NS, "ns")
                continue
            if isinstance(record, EarshotError):
                raise record
            if isinstance(record, Hit) and statement in (None, record.statement):
                return record
        raise AssertionError(f"{statement or 'a hit'} did not occur within {within_ms} ms")

    async def finish(self) -> Optional[Summary]:
        """Ends the run while the simulation goes on, which the probe needs to send its figures. Returns the summary."""
        self.run.stop()
        while self._listener.is_alive():
            await Timer(_POLL_NS, "ns")
        return self.run.summary
