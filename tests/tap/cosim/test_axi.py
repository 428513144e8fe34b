"""es_tap_axi between AXI4 models of others (cocotbext-axi): all kinds of bursts, sizes and IDs, with random back-pressure on all channels, errors,
exclusive writes, answers in any order of the IDs, and reads whose beats interleave."""
import logging
import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiMaster, AxiProt, AxiSlave
from cocotbext.axi.axi_channels import AxiARSink, AxiAWSink, AxiBSource, AxiRSource, AxiWSink
from cocotbext.axi.constants import AxiBurstType, AxiLockType

from test_taps import Memory, Target, press, start
from told import FAILS, FETCHED, READ, WRITE, Told, access, compare

ACCESSES = 400
OKAY, EXOKAY, SLVERR, DECERR = range(4)
MOST = 6  # reads, and writes, that a slave has not answered


def places(address, size, length, burst):
    """Of each beat its bytes' addresses, by the words of the specification."""
    step, aligned = 1 << size, address >> size << size
    for beat in range(length):
        first = aligned if burst == AxiBurstType.FIXED else aligned + beat * step
        if burst == AxiBurstType.WRAP:
            whole = step * length
            first = address // whole * whole + (first - address // whole * whole) % whole
        yield range(address if first <= address < first + step and (beat == 0 or burst == AxiBurstType.FIXED) else first, first + step)


def lane_bits(places_of_beat):
    return sum(1 << place % 4 for place in places_of_beat)


class Slave:
    """Answers in any order that IDs allow; what the tap is to tell, by the clocks of the answers, is in `done`."""

    def __init__(self, dut, bus):
        self.dut, self.done, self.writes, self.reads = dut, [], [], []
        self.answered = {WRITE: {}, READ: {}}
        self.aw, self.w, self.b = (make(part, dut.clk, dut.rst) for make, part in zip((AxiAWSink, AxiWSink, AxiBSource), (bus.write.aw, bus.write.w, bus.write.b)))
        self.ar, self.r = AxiARSink(bus.read.ar, dut.clk, dut.rst), AxiRSource(bus.read.r, dut.clk, dut.rst)
        for channel in (self.aw, self.w, self.ar):
            channel.queue_occupancy_limit = 2
        for channel in (self.b, self.r):
            channel.queue_occupancy_limit = 1
        press(self.aw, self.w, self.b, self.ar, self.r)
        for one in (self.take_writes, self.answer_writes, self.take_reads, self.answer_reads, self.watch):
            cocotb.start_soon(one())

    async def take_writes(self):
        while True:
            aw = await self.aw.recv()
            beats = [await self.w.recv() for _ in range(int(aw.awlen) + 1)]
            assert [int(beat.wlast) for beat in beats] == [0] * int(aw.awlen) + [1]
            while len(self.writes) >= MOST:
                await RisingEdge(self.dut.clk)
            self.writes.append((aw, beats))

    async def take_reads(self):
        while True:
            ar = await self.ar.recv()
            while len(self.reads) >= MOST:
                await RisingEdge(self.dut.clk)
            self.reads.append((ar, list(places(int(ar.araddr), int(ar.arsize), int(ar.arlen) + 1, int(ar.arburst)))))

    @staticmethod
    def oldest_of_any(waiting, name):
        """The oldest one of an ID, whichever."""
        chosen = int(getattr(random.choice(waiting)[0], name))
        return next(one for one in waiting if int(getattr(one[0], name)) == chosen)

    async def answer_writes(self):
        while True:
            await ClockCycles(self.dut.clk, random.choice((1, 1, 1, 4, 30)))
            if not self.writes:
                continue
            one = self.oldest_of_any(self.writes, "awid")
            self.writes.remove(one)
            aw, beats = one
            answer = random.choice((SLVERR, DECERR)) if int(aw.awaddr) & FAILS else random.choice((OKAY, EXOKAY)) if int(aw.awlock) else OKAY
            made = answer == EXOKAY or answer == OKAY and not int(aw.awlock)
            told = []
            for beat, bytes_of in zip(beats, places(int(aw.awaddr), int(aw.awsize), int(aw.awlen) + 1, int(aw.awburst))):
                if made and int(beat.wstrb):
                    told.append(access(WRITE, bytes_of[0], int(beat.wdata), int(beat.wstrb)))
            self.answered[WRITE].setdefault(int(aw.awid), []).append(told)
            b = self.b._transaction_obj()
            b.bid, b.bresp = int(aw.awid), answer
            await self.b.send(b)

    async def answer_reads(self):
        while True:
            if not self.reads or random.random() < 0.1:
                await RisingEdge(self.dut.clk)
                continue
            one = self.oldest_of_any(self.reads, "arid")
            ar, left = one
            bytes_of = left.pop(0)
            if not left:
                self.reads.remove(one)
            r = self.r._transaction_obj()
            fails = int(ar.araddr) & FAILS and random.random() < 0.5  # each beat by itself
            r.rid, r.rdata, r.rlast = int(ar.arid), random.getrandbits(32), not left
            r.rresp = random.choice((SLVERR, DECERR)) if fails else EXOKAY if int(ar.arlock) else OKAY
            told = [] if fails else [access(READ, bytes_of[0], r.rdata, lane_bits(bytes_of))]
            self.answered[READ].setdefault(int(ar.arid), []).append(told)
            await self.r.send(r)

    async def watch(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            if int(dut.axi_rvalid.value) and int(dut.axi_rready.value):
                self.done += self.answered[READ][int(dut.axi_rid.value)].pop(0)
            if int(dut.axi_bvalid.value) and int(dut.axi_bready.value):
                self.done += self.answered[WRITE][int(dut.axi_bid.value)].pop(0)


def make_master(dut, bus):
    master = AxiMaster(bus, dut.clk, dut.rst, max_burst_len=16)
    master.write_if.log.setLevel(logging.CRITICAL)
    master.read_if.log.setLevel(logging.CRITICAL)
    press(master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel, master.read_if.ar_channel, master.read_if.r_channel)
    return master


async def run_master(dut, master, plain):
    """plain: only what others' slaves take."""
    running = []
    for _ in range(ACCESSES):
        write, size = random.random() < 0.5, random.randrange(3)
        burst = random.choice((AxiBurstType.INCR, AxiBurstType.INCR, AxiBurstType.FIXED, AxiBurstType.WRAP))
        beats = random.choice((2, 4, 8, 16) if burst == AxiBurstType.WRAP else (1, 1, 2, 3, 5, 16))
        address = random.randrange(64) * 4 + random.choice((0, 0, 0, 0, FAILS)) + (0 if write else random.choice((0, FETCHED)))
        unaligned = random.randrange(1 << size) if burst != AxiBurstType.WRAP and not plain else 0
        length = (beats << size) - unaligned
        named = {"size": size, "burst": burst, "prot": AxiProt.INSTRUCTION if address & FETCHED else AxiProt.NONSECURE}
        if not plain and beats in (1, 2) and random.random() < 0.4:
            named["lock"] = AxiLockType.EXCLUSIVE
        if write:
            running.append(master.init_write(address + unaligned, random.randbytes(length), awid=random.randrange(4), **named))
        else:
            running.append(master.init_read(address + unaligned, length, arid=random.randrange(4), **named))
    for one in running:
        await one.wait()
    await ClockCycles(dut.clk, 100)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def axi(dut):
    """Everything, in its order, as the slave's answers had it."""
    await start(dut)
    seen = [Told(dut.clk, signal) for signal in (dut.axi_tx, dut.axi_big_tx, dut.axi_short_tx)]
    slave = Slave(dut, AxiBus.from_prefix(dut, "axi"))
    await run_master(dut, make_master(dut, AxiBus.from_prefix(dut, "axi")), False)
    compare(seen[0].seen, slave.done, "axi")
    compare(seen[1].seen, slave.done, "axi, big endian")
    compare_missed(seen[2].seen, slave.done)
    assert len(slave.done) > 3 * ACCESSES


def compare_missed(told, done):
    """With little to remember: what is told was done, in that order, and some of it is missed."""
    kept = iter(done)
    for number, one in enumerate(told):
        assert one == ("missed",) or one in kept, f"transaction {number}, {one}, is told out of order, or was never made"
    missed = told.count(("missed",))
    assert missed and missed < len(told), f"{missed} of {len(told)} are missed"


def bytes_told(transactions):
    return [(kind, address + lane, byte) for kind, address, lanes in transactions for lane, byte in sorted(lanes.items())]


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def axi_slave_of_others(dut):
    """Against cocotbext's own slave, which answers in order: bytes written are those that its memory has got, and words read those that it gave."""
    await start(dut)
    told = Told(dut.clk, dut.axi_tx)
    memory = Memory()
    slave = AxiSlave(AxiBus.from_prefix(dut, "axi"), dut.clk, dut.rst, target=Target(memory))
    for one in (slave.write_if, slave.read_if):
        one.log.setLevel(logging.CRITICAL)
    press(slave.write_if.aw_channel, slave.write_if.w_channel, slave.write_if.b_channel, slave.read_if.ar_channel, slave.read_if.r_channel)
    await run_master(dut, make_master(dut, AxiBus.from_prefix(dut, "axi")), True)
    writes = [[one for one in which if one[0] == WRITE] for which in (told.seen, memory.done)]
    compare(bytes_told(writes[0]), bytes_told(writes[1]), "axi writes")
    reads = [[one for one in which if one[0] != WRITE] for which in (told.seen, memory.done)]
    assert len(reads[0]) == len(reads[1]) > ACCESSES
    for one, word in zip(*reads):
        assert one[:2] == word[:2] and one[2].items() <= word[2].items(), f"{one}, not {word}"
