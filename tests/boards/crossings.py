#!/usr/bin/python3
"""Clock-domain crossings: none outside of es_sync on the board, in a probe with all it may have, and in es_ft245; and
crossing-check finds each of the ways to get one wrong. And what the synthesised Verilog may hide from simulation."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/cli")
from harness import run_all

BUILD = os.environ.get("EARSHOT_BUILD", "build")
def files_of(board):
    """What tests/boards/rules.mk says of a board."""
    return os.environ["BOARD_FILES_" + board].split()


SYNC = ["rtl/core/es_fifo_async.v", "rtl/core/es_sync.v"]
TAP_PORTS = "rst_tap,tx_valid,tx_kind,tx_addr,tx_data,tx_lanes"
TOPS = {  # commands, domains of ports, files
    "icebreaker": ("", "", ["-DES_ICE40"] + files_of("icebreaker")),
    "ulx3s": ("", "", files_of("ulx3s")),
    "ulx3s_soc": ("", "", files_of("ulx3s_soc")),
    "ulx3s_ft245": ("delete -port es_ft245/o:idle;", "ft_clk=ft_rxf_n,ft_txe_n,ft_data", files_of("ulx3s_ft245")),
    "probe_top": ("", f"clk_tap={TAP_PORTS} clk=rst,tx_byte_ready,rx_byte,rx_byte_valid",
                  [path for path in files_of("icebreaker") if "/boards/" not in path] + ["tests/boards/probe_top.v"]),
    "es_ft245": ("delete -port es_ft245/o:idle;",
                 "clk=rst,tx_byte,tx_byte_valid,rx_byte_ready ft_clk=ft_rxf_n,ft_txe_n,ft_data_i",
                 ["rtl/link/es_ft245.v"] + SYNC),
}
SECOND_ALONE = "not read by one second flip-flop alone"
NO_FIRST = "second flip-flop of a synchroniser without a first one"
MUTATIONS = [  # top, then for each change: file, text, replacement, what has to be said
    ("es_ft245", ("rtl/core/es_sync.v", "assign first   = meta;", "assign first   = in;", NO_FIRST)),
    ("es_ft245", ("rtl/core/es_sync.v", "assign out = stable;", "assign out = first;", SECOND_ALONE)),
    ("es_ft245", ("rtl/core/es_fifo_async.v", ".in(rd_gray)", ".in(rd_gray ^ (rd_pointer >> 1))", "after logic"),
     ("rtl/core/es_fifo_async.v", "wr_view_late <= wr_view_gray;", "wr_view_late <= rd_gray;",
      "wr_view_late.* not through es_sync"),
     ("rtl/core/es_fifo_async.v", '(* es_sync = "memory" *)', "", "memory: a memory of two clocks"),
     ("rtl/link/es_ft245.v", "else ft_rst_sync <= {ft_rst_sync[0], 1'b0};", "else ft_rst_sync <= 2'b00;",
      "ft_rst_sync.*: first flip-flop of a reset")),
    ("es_ft245",
     ("rtl/link/es_ft245.v", "wire ft_rst = ft_rst_sync[1];", "wire ft_rst = rst;",
      "the domain of clk and not through es_sync")),
    ("probe_top",
     ("rtl/core/es_time_now.v", "by_2  = stable ^ (stable >> 1);", "by_2  = gray ^ (gray >> 1);",
      "the domain of clk_tap and not through es_sync")),
    ("icebreaker",
     ("rtl/boards/icebreaker.v", "if (!locked)", "if (!pll_locked)", "rst_count.* from a pin and not through es_sync"),
     ("rtl/boards/icebreaker.v", ".rst(rst_tap),\n    .pin_addr(a)", ".rst(rst),\n    .pin_addr(a)",
      "reads rst, which comes from the domain of (half|clk) and"),
     ("rtl/boards/icebreaker.v", ".pin_fetch(fetch)", ".pin_fetch(target_fetch)", rf"tap.fetch: {NO_FIRST}"),
     ("rtl/boards/ice40_pads.v", "6'b000000", "6'b000001",
      r"pads_a.pad\[0\].io: the pad does not register its input"),
     ("rtl/boards/icebreaker.v", "#(.WIDTH(8)) pads_d (.clk(clk_tap)", "#(.WIDTH(8)) pads_d (.clk(clk)",
      rf"pads_d.pad\[7\].io: .* {SECOND_ALONE}"),
     ("rtl/boards/icebreaker.v", ".rx(rx),", ".rx(rx ^ half),", rf"pad_rx.pad\[0\].io: .* {SECOND_ALONE}")),
    ("ulx3s",
     ("rtl/boards/ulx3s_clocks.v", "if (!(&locked))", "if (!(&pll_locked))", "rst_count.* from a pin and not through es_sync"),
     ("rtl/boards/ulx3s.v", ".rst(rst_tap),\n    .pin_addr", ".rst(rst),\n    .pin_addr",
      "the domain of .*clk and not through es_sync"),
     ("rtl/boards/ulx3s.v", "#(.WIDTH(32)) pads_d (.clk(clk_tap)", "#(.WIDTH(32)) pads_d (.clk(clk)",
      rf"pads_d.pad\[31\].io: .* {SECOND_ALONE}")),
    ("ulx3s_soc", ("rtl/boards/ulx3s_soc.v", ".hold(hold),", ".hold(halt),", "not through es_sync")),
]
# Conditional compilation in rtl/: the only names, and the files that may use them. A device's cells (simulated by
# tests/core/cells beside the other branch, their model) and the shape of a memory for it, the port of the RISC-V formal interface, and a rule that is
# only watched. Anything else would be synthesised unseen.
CONDITIONS = {"ES_ICE40": ["rtl/core/es_bits.v", "rtl/core/es_recorder_frames.v", "rtl/core/es_spram.v"],
              "RISCV_FORMAL": ["rtl/cpu/es_cpu.v", "rtl/cpu/es_cpu_rvfi.v"],
              "ES_CHECKS": ["rtl/core/es_event_port.v"],
              "FORMAL": ["rtl/core/es_recorder.v"]}


def check(top, folder="."):
    """Runs crossings on a tree; returns its exit code and what it said."""
    commands, domains, files = TOPS[top]
    files = [path if path.startswith("-") else os.path.join(folder, path) for path in files]
    with tempfile.TemporaryDirectory() as work:
        command = ["scripts/crossings", f"{work}/netlist.json", top, commands, domains, f"-I{BUILD}/gen", *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, done.stdout + done.stderr


def all_come_through_es_sync():
    for top in TOPS:
        code, said = check(top)
        assert code == 0, said
        assert re.search(rf"^{top}: [1-9]\d+ crossings, 0 found wrong$", said, re.MULTILINE), said


def change(path, text, replacement):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    assert source.count(text) == 1, f"{path} has {source.count(text)} times {text}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(source.replace(text, replacement))


def wrong_ones_are_found():
    missed = []
    for top, *changes in MUTATIONS:
        with tempfile.TemporaryDirectory() as tree:
            shutil.copytree("rtl", f"{tree}/rtl")
            shutil.copytree("tests/boards", f"{tree}/tests/boards")
            shutil.copytree("sim/target", f"{tree}/sim/target")
            for path, text, replacement, _ in changes:
                change(f"{tree}/{path}", text, replacement)
            code, said = check(top, tree)
        for path, _, replacement, message in changes:
            if code != 1 or not re.search(message, said):
                missed.append(f"{path}: {replacement}: exit {code}\n{said[-400:]}")
    assert not missed, "\n".join(missed)


def what_is_built_is_simulated():
    wrong = []
    for path in sorted(glob.glob("rtl/**/*.v", recursive=True)):
        with open(path, encoding="utf-8") as file:
            source = file.read()
        for word, name in re.findall(r"`(ifdef|ifndef|elsif)\s+(\w+)", source):
            if word != "ifdef" or path not in CONDITIONS.get(name, []):
                wrong.append(f"{path}: `{word} {name}")
        for kind in re.findall(r"//\s*(?:synopsys|synthesis|pragma)\s+translate_off|\(\*\s*translate_off", source):
            wrong.append(f"{path}: {kind}")
        for block in re.findall(r"`ifdef ES_CHECKS(.*?)`endif", source, re.DOTALL):
            if re.search(r"<=|\bassign\b|\breg\b|\bwire\b|\bmodule\b|`else", block):
                wrong.append(f"{path}: ES_CHECKS is for $error alone")
        for block in re.findall(r"`ifdef FORMAL(.*?)`endif", source, re.DOTALL):
            if re.search(r"<=|\bassign\b|\breg\b|\bwire\b|\bmodule\b|`else", block):
                wrong.append(f"{path}: FORMAL is for assert alone")
    assert not wrong, wrong


if __name__ == "__main__":
    tests = [all_come_through_es_sync, wrong_ones_are_found, what_is_built_is_simulated]
    # for `make mutate`, whose faults are in the tree itself: without those that are planted here
    sys.exit(run_all(tests[:1] if os.environ.get("CROSSINGS_OF_THE_TREE_ALONE") else tests))
