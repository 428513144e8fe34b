#!/usr/bin/python3
"""`make lint-sim` leaves the style of files of others alone, in the reference target's place, and not their errors. The file is the reference
target's own node with what fails our lint. And models of another target are made anew when what is said of it changes, else not."""
import glob
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

TARGET = " ".join([*(f"sim/target/es_target{part}.v" for part in ("", "_bus", "_memory", "_devices")), *sorted(glob.glob("rtl/cpu/*.v"))])
# width, an unused and an undriven signal, a latch, blocking assignment in a clocked block; and no timescale
STYLE = """
  wire [3:0] narrow = 8'hA5;
  wire never_driven;
  reg latch, blocking;
  always @* if (cycle[0]) latch = never_driven;
  always @(posedge clk) blocking = latch;
"""
ERROR = "\n  wire broken = no_such_signal;\n"


def make(folder, node, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    return subprocess.run(["make", "--no-print-directory", f"B={folder}/build", f"SIM_TARGET_RTL={TARGET} {node}", *arguments], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def linted(added):
    """What lint-sim says of the node with these lines: (succeeded, text)."""
    with open("sim/target/es_target_node.v", encoding="utf-8") as stream:
        head, tail = stream.read().rsplit("endmodule", 1)
    text = "\n".join(line for line in (head + added + "endmodule" + tail).split("\n") if not line.startswith("`timescale"))
    with tempfile.TemporaryDirectory() as folder:
        node = os.path.join(folder, "es_target_node.v")
        with open(node, "w", encoding="utf-8") as stream:
            stream.write(text)
        done = make(folder, node, "SIM_FETCHES=executed", "lint-sim")
        strict = subprocess.run(["verilator", "--lint-only", "-Wall", f"-I{folder}/build/gen", "-Isim/target", "-Irtl/cpu", "-Wno-fatal", "-DRISCV_FORMAL", node], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False).stdout
        return done.returncode == 0, done.stdout, strict


def style_passes():
    good, said, strict = linted(STYLE)
    assert good and "%Warning" not in said, said
    assert all(kind in strict for kind in ("WIDTH", "UNUSED", "UNDRIVEN", "LATCH")), strict   # it is not that nothing is wrong with it


def errors_do_not():
    good, said, _ = linted(ERROR)
    assert not good and "no_such_signal" in said, said


def choices_count():
    with tempfile.TemporaryDirectory() as folder:
        model, node = f"{folder}/build/sim/bytes/model.cpp", "sim/target/es_target_node.v"
        made = []
        for choice in (["SIM_FETCHES=executed"], ["SIM_FETCHES=executed"], ["SIM_FETCHES=ahead"], ["SIM_FETCHES=ahead", "SIM_READ_HITS=0"]):
            done = make(folder, node, *choice, model)
            assert done.returncode == 0, done.stdout
            verilated = {}
            for path in glob.glob(f"{os.path.dirname(model)}/*.cpp"):
                with open(path, encoding="utf-8") as stream:
                    verilated[os.path.basename(path)] = stream.read()
            made.append((os.stat(model).st_mtime_ns, verilated))
        assert made[1][0] == made[0][0]
        assert made[2][1] != made[1][1] and made[3][1] != made[2][1]   # what is said is in the model


if __name__ == "__main__":
    sys.exit(run_all([style_passes, errors_do_not, choices_count]))
