#!/usr/bin/python3
"""variants.py PYTHON: what Earshot(...) makes for other processors, buses and links, elaborated by Verilator, and what it refuses. PYTHON is that of
an environment with LiteX and earshot_litex; this file runs itself there, once for each SoC."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
from harness import run_all  # noqa: E402

def build(what, folder):
    """In the environment: the SoC's Verilog, and the command's files."""
    from litex.build.generic_platform import Pins, Subsignal
    from litex.build.io import CRG
    from litex.build.sim import SimPlatform
    from litex.build.sim.config import SimConfig
    from litex.soc.integration.builder import Builder
    from litex.soc.integration.soc_core import SoCCore
    from litex.soc.interconnect import wishbone

    from earshot_litex import Earshot

    fifo = [Subsignal(name, Pins(width)) for name, width in (("clk", 1), ("data", 8), ("rxf_n", 1), ("txe_n", 1), ("rd_n", 1), ("wr_n", 1), ("oe_n", 1),
                                                             ("siwu_n", 1))]
    io = [("sys_clk", 0, Pins(1)), ("line", 0, Subsignal("tx", Pins(1)), Subsignal("rx", Pins(1))), ("fifo", 0, *fifo)]
    platform = SimPlatform("SIM", io)
    soc = SoCCore(platform, int(50e6), cpu_type=what.get("cpu"), cpu_variant=what.get("variant"), with_uart=False,
                  integrated_rom_size=0x4000 if what.get("cpu") else 0, integrated_sram_size=0x1000)
    soc.crg = CRG(platform.request("sys_clk"))
    soc.comb += platform.trace.eq(0)
    arguments = what["arguments"]
    if arguments.get("pads"):
        arguments["pads"] = platform.request(arguments["pads"])
    target = soc.cpu
    if what.get("bus"):
        target = wishbone.Interface(data_width=32, address_width=32, addressing=what["bus"])
        soc.bus.add_master(name="other", master=target)
        arguments["platform"] = platform
    soc.submodules.earshot = Earshot(target, **arguments)
    builder = Builder(soc, output_dir=folder, compile_software=False, compile_gateware=True)
    builder.build(sim_config=SimConfig(default_clk="sys_clk", default_clk_freq=int(50e6)), run=False, interactive=False)
    with open(os.path.join(folder, "includes"), "w", encoding="utf-8") as stream:
        stream.write("\n".join(platform.verilog_include_paths))


def built(**what):
    """Of a SoC: es_probe's parameters, or the text of what was refused."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([PYTHON, os.path.abspath(__file__), "--build", repr(what), folder], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            last = done.stdout.strip().splitlines()[-1]
            assert re.match(r"(Value|Type)Error: Earshot: ", last), done.stdout[-3000:]
            return last
        with open(os.path.join(folder, "gateware/build_sim.sh"), encoding="utf-8") as stream:
            files = [path for path in re.findall(r"--cc (\S+)", stream.read()) if path.endswith((".v", ".sv"))]
        with open(os.path.join(folder, "includes"), encoding="utf-8") as stream:
            includes = ["-I" + path for path in stream.read().split()]
        lint = subprocess.run(["verilator", "--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-DES_CHECKS", "--top-module", "sim", *includes, *files],
                              cwd=os.path.join(folder, "gateware"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        ours = [line for line in lint.stdout.splitlines() if "%Error" in line or "%Warning" in line and "/es_" in line]
        assert lint.returncode == 0 and not ours, lint.stdout[-3000:]
        with open(os.path.join(folder, "gateware/sim.v"), encoding="utf-8") as stream:
            text = stream.read()
        parameters = re.search(r"^es_probe #\((.*?)\) (\w+) ?\(", text, re.M | re.S).group(1)
        found = {name: int(re.sub(r"^\d+'[a-z]?d?", "", value), 0) for name, value in re.findall(r"\.(\w+)\s*\((?:\d+'d)?(\w+)\)", parameters)}
        found["taps"] = sorted(set(re.findall(r"^(es_(?!probe)\w+)", text, re.M)))
        return found


EXECUTED, AHEAD, RETIRED = 0, 1, 2


def serv_by_its_buses_over_a_serial_line():
    probe = built(cpu="serv", arguments={"link": "uart", "pads": "line", "clock_hz": 50e6, "memory": 0x8000})
    assert probe["FETCHES"] == EXECUTED and probe["PER_TAP"] == 2 and probe["MEM_LOG2"] == 15, probe
    assert probe["taps"] == ["es_tap_merge", "es_tap_wishbone", "es_uart"], probe


def picorv32_by_its_bus_over_a_fifo():
    probe = built(cpu="picorv32", arguments={"link": "fifo", "pads": "fifo", "window": (0x40000000, 0x10000), "outputs": True})
    assert probe["FETCHES"] == EXECUTED and probe["READ_HITS"] == 0 and probe["PER_TAP"] == 1, probe
    assert probe["WINDOW_BASE"] == 0x40000000 and probe["WINDOW_LOG2"] == 16 and probe["OUTPUTS"] == 1, probe
    assert probe["taps"] == ["es_follow", "es_ft245", "es_tap_wishbone"], probe
    probe = built(cpu="picorv32", arguments={"link": "stream", "tap": "bus"})
    assert probe["FETCHES"] == AHEAD and probe["READ_HITS"] == 0 and probe["taps"] == ["es_tap_wishbone"], probe


def vexriscv_retires_unless_it_has_virtual_memory():
    probe = built(cpu="vexriscv", variant="lite", arguments={"link": "stream"})
    assert probe["FETCHES"] == RETIRED and probe["PER_TAP"] == 3 and probe["taps"] == ["es_tap_rvfi", "es_tap_vexriscv"], probe
    assert probe["COMPRESSED"] == 0, probe
    probe = built(cpu="vexriscv", variant="imac", arguments={"link": "stream"})
    assert probe["FETCHES"] == RETIRED and probe["COMPRESSED"] == 1 and probe["taps"] == ["es_tap_rvfi", "es_tap_vexriscv"], probe
    probe = built(cpu="vexriscv", variant="linux", arguments={"link": "stream"})
    assert probe["FETCHES"] == AHEAD and probe["PER_TAP"] == 2 and probe["taps"] == ["es_tap_wishbone"], probe


def any_wishbone_bus():
    for addressing in ("word", "byte"):
        probe = built(bus=addressing, arguments={"link": "stream", "fetches": "ahead", "fifo_depth": 1024})
        assert probe["FETCHES"] == AHEAD and probe["FIFO_LOG2"] == 10 and probe["taps"] == ["es_tap_wishbone"], probe


def what_cannot_be_is_refused_with_a_reason():
    stream = {"link": "stream"}
    for wanted, what in (("it is not known how vexriscv linux tells", {"cpu": "vexriscv", "variant": "linux", "arguments": {**stream, "tap": "retired"}}),
                         ("fetches= has to say", {"bus": "word", "arguments": stream}),
                         ('link="usb"', {"cpu": "serv", "arguments": {"link": "usb"}}),
                         ("clock_hz=sys_clk_freq", {"cpu": "serv", "arguments": {"link": "uart", "pads": "line"}}),
                         ("need a clock of 12 MHz", {"cpu": "serv", "arguments": {"link": "uart", "pads": "line", "clock_hz": 10e6}}),
                         ("memory=0x6000 is not a power of two", {"cpu": "serv", "arguments": {**stream, "memory": 0x6000}}),
                         ("not a multiple of its", {"cpu": "serv", "arguments": {**stream, "window": (0x100, 0x1000)}})):
        said = built(**what)
        assert isinstance(said, str) and wanted in said, (wanted, said)


if __name__ == "__main__":
    if sys.argv[1] == "--build":
        build(eval(sys.argv[2]), sys.argv[3])  # what this file itself has written
        sys.exit(0)
    PYTHON = os.path.abspath(sys.argv[1])
    sys.exit(run_all([serv_by_its_buses_over_a_serial_line, picorv32_by_its_bus_over_a_fifo, vexriscv_retires_unless_it_has_virtual_memory,
                      any_wishbone_bus, what_cannot_be_is_refused_with_a_reason]))
