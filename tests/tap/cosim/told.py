"""What a tap tells, and what a memory model has really done, in the same form: (kind, address of the word, lanes, {lane: byte})."""
import cocotb
from cocotb.triggers import RisingEdge

READ, WRITE, FETCH, MISSED = "read", "write", "fetch", "missed"
KINDS = (READ, WRITE, FETCH, MISSED)
FETCHED = 1 << 20  # addresses with this bit are those of instructions
FAILS = 0x800      # accesses to addresses with this bit end with an error


def access(kind, address, data, lanes=None):
    """A transaction. data: bytes from `address` on within a word, or with lanes the word."""
    if lanes is None:
        places = {address % 4 + i: byte for i, byte in enumerate(data)}
    else:
        places = {lane: data >> 8 * lane & 255 for lane in range(4) if lanes >> lane & 1}
    if kind == READ and address & FETCHED:
        kind = FETCH
    return kind, address & ~3, places


class Told:
    """Collects a tap's transactions, in order; those of one clock from low to high."""

    def __init__(self, clk, signal):
        self.seen = []
        cocotb.start_soon(self._look(clk, signal))

    async def _look(self, clk, signal):
        slots = len(signal) // 71
        while True:
            await RisingEdge(clk)
            value = signal.value
            if not value.is_resolvable:
                continue
            value = int(value)
            for _ in range(slots):
                if value & 1:
                    kind, address = KINDS[value >> 1 & 3], value >> 3 & 0xFFFFFFFF
                    self.seen.append((MISSED,) if kind == MISSED else access(kind, address, value >> 35 & 0xFFFFFFFF, value >> 67 & 15)
                                     if kind != FETCH else (FETCH,) + access(READ, address, value >> 35 & 0xFFFFFFFF, value >> 67 & 15)[1:])
                value >>= 71


def compare(told, done, what):
    """Both are the same, one for one."""
    for number, (one, other) in enumerate(zip(told, done)):
        assert one == other, f"{what}: transaction {number} is {one}, not {other}"
    assert len(told) == len(done), f"{what}: {len(told)} transactions, not {len(done)}: {(told + done)[min(len(told), len(done))]}"


def compare_short(told, done, what):
    """The same, save that some of them are missed. At least one is, and one is not."""
    assert len(told) >= len(done), f"{what}: {len(told)} transactions for {len(done)}"
    missed = told.count((MISSED,))
    kept = iter(done)
    for one in told:
        if one != (MISSED,):
            assert one in kept, f"{what}: {one} is told out of order, or was never made"
    assert len(done) - (len(told) - missed) <= missed, f"{what}: {len(done)} accesses, {len(told)} told, {missed} of them missed"
    assert missed and missed < len(told), f"{what}: {missed} of {len(told)} are missed"
