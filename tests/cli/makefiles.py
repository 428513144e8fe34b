#!/usr/bin/python3
"""The rules of the build: what a changed file makes anew, no more and no less, and that each recipe says what it makes."""
import glob
import os
import re
import subprocess
import sys

import harness

BUILD = os.environ.get("EARSHOT_BUILD", "build")
SAID = re.compile(r"printf '  %-8s %s\\n' '(\w+)' '(\S+)'")


def would_make(targets, *changed):
    """{"TOOL FILE"} that make would run now if these files had just changed; B is the build folder."""
    options = [option for name in changed for option in ("-W", name)]
    sanitized = ["SANITIZE=1"] if BUILD.endswith("san") else []
    done = subprocess.run(["make", "-n", *sanitized, *options, *(f"{BUILD}/{target}" for target in targets)], capture_output=True, text=True, check=True)
    return {f"{tool} {file.replace(BUILD + '/', 'B/')}" for tool, file in SAID.findall(done.stdout)}


# A file, what must be made anew of these targets, and what must not.
CHANGES = [
    ("host/base/error.h", ["earshot"], ["CC host/lang/parser.c", "LD B/earshot"], "VERILOG|CXX build|TARGET"),
    ("host/lang/lexer.h", ["earshot"], ["CC host/lang/lexer.c", "AR B/libearshot.a", "LD B/earshot"], "host/symbols|VERILOG|TARGET"),
    ("rtl/core/es_fifo_async.v", ["earshot"], ["VERILOG B/sim/bytes/model.cpp", "AR B/libearshot-sim.a", "LD B/earshot"], "CC host|TARGET|sim/bare/"),
    ("sim/shim/world.hpp", ["earshot"], ["CXX sim/shim/bytes.cpp", "LD B/earshot"], "CC host|VERILOG"),
    ("firmware/firmware.h", ["earshot", "tests/firmware/paths"], ["TARGET B/firmware/monitor.elf", "LD B/earshot", "LD B/tests/firmware/paths"],
     "CC host/lang|VERILOG"),
    ("interface/image.h", ["earshot"], ["TARGET B/firmware/monitor.elf", "LD B/earshot"], "VERILOG|host/symbols"),
    ("tests/firmware/harness.h", ["tests/firmware/paths"], ["CC tests/firmware/test_paths.c", "LD B/tests/firmware/paths"], "CC host|TARGET"),
    ("tests/support/check_main.h", ["tests/lang/test_accept"], ["LD B/tests/lang/test_accept"], "CC host|TARGET"),
    ("examples/target/link.ld", ["examples/thermostat-O0.elf"], ["TARGET B/examples/thermostat-O0.elf"], "CC host"),
    ("VERSION", ["earshot"], ["GEN B/gen/version.h"], "VERILOG|TARGET"),
]


def changes_reach_what_they_must():
    for name, targets, needed, forbidden in CHANGES:
        assert os.path.exists(name), f"{name}: this test names a file that is gone"
        made, anyway = would_make(targets, name), would_make(targets)
        missing = [line for line in needed if line not in made]
        assert not missing, f"{name}: {missing} would not be made anew, only {sorted(made)}"
        extra = [line for line in made - anyway if re.search(forbidden, line)]
        assert not extra, f"{name}: {extra} would be made for nothing"


def recipes():
    """(file, first line, text) of each recipe in the makefiles."""
    for path in ["Makefile", *glob.glob("*/rules.mk"), *glob.glob("*/*/rules.mk")]:
        with open(path, encoding="utf-8") as text:
            for match in re.finditer(r"(?:^\t.*\n(?:.*(?<=\\)\n.*\n)*)+", text.read(), re.MULTILINE):
                yield path, match.group().split("\n", maxsplit=1)[0].strip(), match.group()


def recipes_say_what_they_make():
    found = list(recipes())
    assert len(found) > 100
    silent = [(path, first) for path, first, text in found
              if re.search(r"(-o|>) \$\$?@|-c \$\$?<", text) and not re.search(r"\(call (say|gen_defs),", text) and "@$(call gen_defs" not in text]
    assert not silent, f"these recipes do not begin with $(call say,TOOL,FILE): {silent}"


if __name__ == "__main__":
    sys.exit(harness.run_all([changes_reach_what_they_must, recipes_say_what_they_make]))
