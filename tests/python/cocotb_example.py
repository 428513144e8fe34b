#!/usr/bin/python3
"""examples/cocotb: its test passes, and fails where the program is wrong. Skipped, and said so, where build/venv cannot
be made (no network)."""
import os
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.path.abspath(os.environ.get("EARSHOT_BUILD", "build"))
OUT = os.path.join(BUILD, "cocotb")  # the model is made once


def outcome(goal):
    """What cocotb says of its one test: None, or the failure's message; and all that was printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name not in ("MFLAGS", "B", "SAN")}
    environment.update(PATH=f"{VENV}/bin:{os.environ['PATH']}", PYTHONPATH=os.path.abspath("python"), EARSHOT=os.path.join(BUILD, "earshot"))
    done = subprocess.run(["make", "-C", "examples/cocotb", f"OUT={OUT}", f"B={BUILD}", goal], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=environment, check=False, timeout=1500)
    cases = list(xml.etree.ElementTree.parse(os.path.join(OUT, "results.xml")).getroot().iter("testcase"))
    assert len(cases) == 1, done.stdout[-3000:]
    failure = cases[0].find("failure")
    assert (failure is None) == (done.returncode == 0), (done.returncode, done.stdout[-3000:])
    return failure, done.stdout


def it_passes():
    failure, said = outcome("again")
    assert failure is None, said[-3000:]


def it_fails_where_the_program_is_wrong():
    failure, said = outcome("broken")
    assert failure is not None and "both valves were open" in said, said[-3000:]


if __name__ == "__main__":
    made = subprocess.run(["scripts/venv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        print(f"skipped: {made.stderr.strip()}")
        print("0 passed, 0 failed")
        sys.exit(0)
    VENV = os.path.abspath(made.stdout.strip())
    sys.exit(run_all([it_passes, it_fails_where_the_program_is_wrong]))
