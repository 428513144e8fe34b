"""Each tap on a bus between models of others (cocotb's bus extensions), with random waits, errors and back-pressure on all channels:
what it tells is what the slave's memory has done, in that order. The seed is cocotb's own (RANDOM_SEED)."""
import itertools
import logging
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.ahb import AHBBus, AHBLiteMaster, AHBLiteSlaveRAM
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiLiteSlave, AxiProt
from cocotbext.obi import ObiBus, ObiHost
from cocotbext.wishbone.driver import WBOp, WishboneMaster
from cocotbext.wishbone.monitor import WishboneSlave

from told import FAILS, FETCHED, READ, WRITE, Told, access, compare, compare_short

ACCESSES = 800
IDLE = "wc_cyc wc_stb wc_ack wc_err wc_rty wp_cyc wp_stb wp_stall wp_ack wp_err wp_rty obi_req obi_gnt obi_rvalid ahb_htrans axil_awvalid axil_wvalid axil_bvalid " \
    "axil_arvalid axil_rvalid axi_awvalid axi_wvalid axi_bvalid axi_arvalid axi_rvalid"


async def start(dut):
    """Clock and reset; all that the models drive at 0."""
    logging.getLogger("cocotb.es_tap_cosim").setLevel(logging.WARNING)
    for name in IDLE.split():
        getattr(dut, name).value = 0
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    dut.rst_n.value = 0
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    dut.rst_n.value = 1
    await ClockCycles(dut.clk, 2)


def anywhere(write):
    """An address: few words, so that they meet; some of them fail, and what is read may be an instruction."""
    return random.randrange(64) * 4 + random.choice((0, 0, 0, 0, 0, 0, FAILS)) + (0 if write else random.choice((0, FETCHED)))


class Memory:
    """A memory that keeps what was done to it; words are what they were first read as."""

    def __init__(self):
        self.done, self.bytes = [], {}

    def write(self, address, data):
        if address & FAILS:
            raise ValueError("fails")
        self.bytes.update({address + i: byte for i, byte in enumerate(data)})
        self.done.append(access(WRITE, address, data))

    def read(self, address, length):
        if address & FAILS:
            raise ValueError("fails")
        data = bytes(self.bytes.setdefault(address + i, random.randrange(256)) for i in range(length))
        self.done.append(access(READ, address, data))
        return data


# ---- Wishbone ----
def wishbone_replies():
    while True:
        yield random.choice((1, 1, 1, 1, 2, 3))


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wishbone_classic(dut):
    """The slave's model keeps what it answered to what, and gives random data."""
    await start(dut)
    told = Told(dut.clk, dut.wc_tx)
    master = WishboneMaster(dut, "wc", dut.clk, width=32, timeout=1000)
    waits = (random.choice((0, 0, 1, 5)) for _ in itertools.count())
    data = (random.getrandbits(32) for _ in itertools.count())
    WishboneSlave(dut, "wc", dut.clk, width=32, datgen=data, ackgen=wishbone_replies(), waitreplygen=waits)
    done = []
    for _ in range(ACCESSES // 10):
        ops = []
        for _ in range(10):
            write = random.random() < 0.5
            ops.append(WBOp(adr=anywhere(write) & ~FAILS, dat=random.getrandbits(32) if write else None, idle=random.choice((0, 0, 1, 3)),
                            sel=random.randrange(1, 16)))
        answers = await master.send_cycle(ops)
        assert len(answers) >= len(ops)
        for op, answer in zip(ops, answers):
            if answer.ack == 1:
                word = op.dat if op.dat is not None else int(answer.datrd)
                done.append(access(READ if op.dat is None else WRITE, op.adr, word, op.sel))
    await ClockCycles(dut.clk, 10)
    compare(told.seen, done, "wishbone")
    assert len(done) > ACCESSES // 3


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wishbone_pipelined(dut):
    """Several accesses under way. Master and slave are made here: the models of others wait for each answer."""
    await start(dut)
    told = Told(dut.clk, dut.wp_tx)
    replies = wishbone_replies()
    under_way, done, asked, answered = [], [], None, None
    for _ in range(ACCESSES * 2):
        await RisingEdge(dut.clk)
        stalled = int(dut.wp_stall.value)
        if answered:
            kind, address, word, lanes = under_way.pop(0)
            if int(dut.wp_ack.value):
                done.append(access(kind, address, word if kind == WRITE else int(dut.wp_datrd.value), lanes))
        if asked and not stalled:
            under_way.append(asked)
        if not asked or not stalled:
            write = random.random() < 0.5
            asked = (WRITE if write else READ, anywhere(write) & ~FAILS, random.getrandbits(32), random.randrange(1, 16))
            if random.random() < 0.3 or len(under_way) >= 3:
                asked = None
        dut.wp_stb.value = bool(asked)
        dut.wp_cyc.value = bool(asked or under_way)
        if asked:
            dut.wp_we.value, dut.wp_adr.value, dut.wp_datwr.value, dut.wp_sel.value = asked[0] == WRITE, *asked[1:]
        answered = bool(under_way) and random.random() < 0.5
        reply = next(replies) if answered else 0
        dut.wp_ack.value, dut.wp_err.value, dut.wp_rty.value = reply == 1, reply == 2, reply == 3
        dut.wp_datrd.value = random.getrandbits(32)
        dut.wp_stall.value = random.random() < 0.4
    dut.wp_stb.value = dut.wp_ack.value = dut.wp_err.value = dut.wp_rty.value = 0
    await ClockCycles(dut.clk, 2)
    compare(told.seen, done, "wishbone pipelined")
    assert len(done) > ACCESSES // 3


# ---- OBI ----
async def obi_device(dut, memory):
    """Grants, and answers in order, whenever it likes. (cocotbext-obi's own device takes a request twice when the next one follows at once.)"""
    waiting, answers = [], False
    while True:
        await RisingEdge(dut.clk)
        if answers and int(dut.obi_rready.value):
            waiting.pop(0)
        if int(dut.obi_req.value) and int(dut.obi_gnt.value):
            address, word, lanes = (int(signal.value) for signal in (dut.obi_addr, dut.obi_wdata, dut.obi_be))
            if address & FAILS:
                waiting.append((random.getrandbits(32), 1))
            elif int(dut.obi_we.value):
                memory.done.append(access(WRITE, address, word, lanes))
                waiting.append((random.getrandbits(32), 0))
            else:
                waiting.append((int.from_bytes(memory.read(address, 4), "little"), 0))
        answers = bool(waiting) and (answers and not int(dut.obi_rready.value) or random.random() < 0.5)
        dut.obi_gnt.value = random.random() < 0.5
        dut.obi_rvalid.value = answers
        if answers:
            dut.obi_rdata.value, dut.obi_err.value = waiting[0]


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def obi(dut):
    await start(dut)
    told, short = Told(dut.clk, dut.obi_tx), Told(dut.clk, dut.obi_short_tx)
    memory = Memory()
    host = ObiHost(ObiBus.from_prefix(dut, "obi"), dut.clk)
    host.enable_backpressure(seednum=random.getrandbits(24))
    host.log.setLevel(logging.CRITICAL)
    cocotb.start_soon(obi_device(dut, memory))
    for _ in range(ACCESSES):
        write = random.random() < 0.5
        address = anywhere(write)
        fails = bool(address & FAILS)
        if write:
            host.write_nowait(address, random.getrandbits(32), strb=random.randrange(1, 16), length=4, error_expected=fails)
        else:
            host.read_nowait(address, error_expected=fails)
    await host.wait()
    await ClockCycles(dut.clk, 20)
    compare(told.seen, memory.done, "obi")
    compare_short(short.seen, memory.done, "obi with OUTSTANDING=1")
    assert len(memory.done) > ACCESSES // 2


# ---- AHB-Lite ----
class AhbMemory(AHBLiteSlaveRAM):
    """Keeps what it has done; fails where it is to."""

    def __init__(self, *arguments, **named):
        self.done = []
        super().__init__(*arguments, **named)

    def _chk_rd(self, addr, size):
        return not int(addr) & FAILS

    _chk_wr = _chk_rd

    def _rd(self, addr, size):
        word = random.getrandbits(32)
        self._note(READ, addr, size, word)
        return word

    def _wr(self, addr, size, value):
        self._note(WRITE, addr, size, int(value))
        return 0

    def _note(self, kind, addr, size, word):
        lanes = (1 << (1 << int(size))) - 1 << int(addr) % 4
        self.done.append(access(kind, int(addr), word, lanes))


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def ahb(dut):
    await start(dut)
    told = Told(dut.clk, dut.ahb_tx)
    master = AHBLiteMaster(AHBBus.from_prefix(dut, "ahb"), dut.clk, dut.rst_n)
    memory = AhbMemory(AHBBus.from_prefix(dut, "ahb"), dut.clk, dut.rst_n, bp=(random.random() < 0.6 for _ in itertools.count()))
    for _ in range(ACCESSES // 20):
        modes = [random.randrange(2) for _ in range(20)]
        sizes = [random.choice((1, 2, 4)) for _ in modes]
        places = [anywhere(mode) + random.randrange(0, 4, size) for mode, size in zip(modes, sizes)]
        await master.custom(places, [random.getrandbits(32) for _ in modes], modes, sizes, pip=bool(random.randrange(2)))
    await ClockCycles(dut.clk, 20)
    compare(told.seen, memory.done, "ahb")
    assert len(memory.done) > ACCESSES // 2


# ---- AXI4-Lite ----
class Target:
    """What AxiLiteSlave and AxiSlave ask: whose answer they give, and errors for what it raises."""

    def __init__(self, memory):
        self.memory = memory

    async def write(self, address, data):
        self.memory.write(address, data)

    async def read(self, address, length):
        return self.memory.read(address, length)


def pauses():
    """Back-pressure: stretches of it, and of none."""
    while True:
        busy = random.choice((0.0, 0.2, 0.8))
        for _ in range(random.randrange(5, 60)):
            yield random.random() < busy


def press(*channels):
    for channel in channels:
        channel.set_pause_generator(pauses())


def reads_and_writes(transactions):
    return [t for t in transactions if t[0] != WRITE], [t for t in transactions if t[0] == WRITE]


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def axi_lite(dut):
    await start(dut)
    told, short = Told(dut.clk, dut.axil_tx), Told(dut.clk, dut.axil_short_tx)
    memory = Memory()
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "axil"), dut.clk, dut.rst)
    slave = AxiLiteSlave(AxiLiteBus.from_prefix(dut, "axil"), dut.clk, dut.rst, target=Target(memory))
    for one in (master.write_if, master.read_if, slave.write_if, slave.read_if):
        one.log.setLevel(logging.CRITICAL)
    press(master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel, master.read_if.ar_channel, master.read_if.r_channel,
          slave.write_if.aw_channel, slave.write_if.w_channel, slave.write_if.b_channel, slave.read_if.ar_channel, slave.read_if.r_channel)
    running = []
    for _ in range(ACCESSES):
        write = random.random() < 0.5
        address = anywhere(write)
        if write:
            length = random.randrange(1, 5)
            running.append(master.init_write(address + random.randrange(5 - length), random.randbytes(length)))
        else:
            running.append(master.init_read(address, 4, prot=AxiProt.INSTRUCTION if address & FETCHED else AxiProt.NONSECURE))
    for one in running:
        await one.wait()
    await ClockCycles(dut.clk, 20)
    done = reads_and_writes(memory.done)
    for name, seen, made in zip(("reads", "writes"), reads_and_writes(told.seen), done):
        compare(seen, made, f"axi_lite {name}")
    compare_short([t for t in short.seen if t[0] != WRITE], done[0], "axi_lite reads with OUTSTANDING=1")
