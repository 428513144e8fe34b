#!/usr/bin/python3
"""scripts/bitstream-check: what it finds in small netlists, one for each way to get the target's pins wrong."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, "tests/cli")
from harness import run_all

PAD = ("module top(input target_x, input clk_tap, input other, output led); wire s; reg led;\n"
       "SB_IO #(.PIN_TYPE(6'b%s)) pad(.PACKAGE_PIN(target_x), .INPUT_CLK(%s), .D_IN_0(s)%s);\n"
       "%s always @(posedge clk_tap) led <= s %s; endmodule\n")
CASES = [  # source, what has to be said; none: nothing
    (PAD % ("000000", "clk_tap", "", "", ""), None),
    (PAD % ("000001", "clk_tap", "", "", ""), "does not register its input"),
    (PAD % ("011000", "clk_tap", ", .D_OUT_0(other)", "", ""), "has an output"),
    (PAD % ("000000", "other", "", "", ""), "samples at another edge"),
    (PAD % ("000000", "clk_tap", "", "", "^ target_x"), "past its pad's register"),
    (PAD % ("000000), .NEG_TRIGGER(1'b1", "clk_tap", "", "", ""), "samples at another edge"),
    ("module top(input target_x, input clk_tap, output reg led); always @(posedge clk_tap) led <= target_x; endmodule",
     "is not sampled in its pad"),
    ("module top(output target_x, input clk_tap, output reg led); assign target_x = led;"
     " always @(posedge clk_tap) led <= !led; endmodule", "target_x is an output"),
    ("module top(input a, input clk_tap, output reg led); always @(posedge clk_tap) led <= a; endmodule", "no pin is named"),
]


def check(source):
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/top.v", "w", encoding="utf-8") as file:
            file.write(source)
        with open(f"{work}/top.tap", "w", encoding="utf-8") as file:
            file.write("register pad\nclock clk_tap # the tap's\n")
        commands = f"read_verilog {work}/top.v; synth_ice40 -top top -json {work}/top.json"
        subprocess.run(["yosys", "-q", "-p", commands], check=True, capture_output=True, timeout=300)
        with open(f"{work}/top.json", encoding="utf-8") as file:
            assert "top" in json.load(file)["modules"]
        command = ["scripts/bitstream-check", f"{work}/top.json", "top", f"{work}/top.tap"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr


def each_is_found():
    wrong = []
    for source, message in CASES:
        code, said = check(source)
        if code != (message is not None) or (message or " 0 found wrong") not in said:
            wrong.append(f"{source}\n{message}: exit {code}: {said}")
    assert not wrong, "\n".join(wrong)


def boards_have_constraints():
    for name in os.listdir("rtl/boards"):
        if name.endswith(".clocks.py"):
            board = name.split(".")[0]
            assert os.path.exists(f"constraints/{board}.tap") and os.path.exists(f"constraints/{board}.pcf"), board


if __name__ == "__main__":
    sys.exit(run_all([each_is_found, boards_have_constraints]))
