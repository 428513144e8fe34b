#!/usr/bin/python3
"""docs/gdb.md shows sessions as they are: each is made again and compared. With --write, it is written anew."""
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from harness import run_all  # noqa: E402
from serving import BUILD, EARSHOT, GDB  # noqa: E402

PAGE = "docs/gdb.md"
BLOCK = re.compile(r"^```\n(\$ .*?\n)```$", re.MULTILINE | re.DOTALL)


def run(words):
    # gdb warns who has no home
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False,
                          env={"HOME": "/", **os.environ}).stdout


def in_place(text, scratch):
    """A command of the page as it is here: with this build, and recordings where others have none."""
    return text.replace("run.inputs", f"{scratch}/run.inputs").replace("build/", f"{BUILD}/")


def session(words, commands, scratch):
    """What gdb says to the commands, after each its prompt as a user sees it."""
    path = os.path.join(scratch, "commands")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(in_place(command, scratch).replace("| earshot", f"| {EARSHOT}") + "\n" for command in commands))
    setup = ["set pagination off", "set confirm off", "set width 100", "set remotetimeout 120", "set trace-commands on"]
    said = run([GDB, "-q", "-nx", "-batch", *(word for command in setup for word in ("-ex", command)), *words[1:], "-x", path])
    lines, left = [], list(commands)
    for line in said.split("\n"):
        if line.startswith("+") and left and line[1:] == in_place(left[0], scratch).replace("| earshot", f"| {EARSHOT}"):
            lines.append(f"(gdb) {left.pop(0)}")
        elif not line.startswith(("+", "[Inferior 1")) and line.strip():
            lines.append(line.rstrip())
    assert not left, said
    return lines


def made(block, scratch):
    lines = block.rstrip("\n").split("\n")
    out, i = [], 0
    while i < len(lines):
        words = shlex.split(in_place(lines[i][2:], scratch))
        out.append(lines[i])
        end = next((k for k in range(i + 1, len(lines)) if lines[k].startswith("$ ")), len(lines))
        if words[0] == "gdb-multiarch":
            out += session(words, [line[6:] for line in lines[i + 1:end] if line.startswith("(gdb) ")], scratch)
        else:
            out += [line.rstrip().replace(scratch + "/", "") for line in run([EARSHOT, *words[1:]]).split("\n") if line.strip()]
        i = end
    return "\n".join(out) + "\n"


def the_sessions():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as scratch:
        blocks = BLOCK.findall(page)
        assert len(blocks) >= 2
        for block in blocks:
            fresh = made(block, scratch)
            if "--write" in sys.argv:
                page = page.replace(block, fresh)
            else:
                assert "\n".join(sorted(fresh.split("\n"))) == "\n".join(sorted(block.split("\n"))), fresh  # two streams: each keeps its order
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)


if __name__ == "__main__":
    sys.exit(run_all([the_sessions]))
