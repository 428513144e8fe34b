#!/usr/bin/python3
"""The rooms of the host: includes go the one way that docs/architecture.md says, and the library needs nothing but itself."""
import glob
import os
import re
import subprocess
import sys
import tempfile
import traceback

BUILD = os.environ.get("EARSHOT_BUILD", "build")
LIBRARY = ["base", "symbols", "lang", "image", "stream", "transport", "probe", "check", "net"]
ARROWS = {  # room: those it may include, besides itself and interface/
    "base": [],
    "symbols": ["base"],
    "lang": ["base", "symbols"],
    "image": ["base", "symbols", "lang"],
    "stream": ["base"],
    "transport": ["base", "stream"],
    "probe": ["base", "symbols", "lang", "image", "stream", "transport"],
    "check": ["base", "symbols", "lang", "image", "stream", "transport", "probe"],
    "net": ["base", "symbols"],
    "cli": LIBRARY + ["sim"],
    "sim": ["base", "transport"],
    "firmware": [],
}
INTERFACE = {"probe_defs.h", "image.h"}
ABOVE_ALL = {"sim/bench.c"}  # a program, not the library


def files_of(room):
    folder = room if room in ("sim", "firmware") else "host/" + room
    return [path for path in glob.glob(f"{folder}/**/*.[ch]*", recursive=True) if path not in ABOVE_ALL]


def room_of(name):
    """The room of an included file; None: of the includer's own."""
    room = name.split("/")[0]
    if room in LIBRARY or room == "cli":
        return room
    return "sim" if os.path.exists("sim/" + name) else None


def arrows_go_one_way():
    wrong = []
    for room, allowed in ARROWS.items():
        for path in files_of(room):
            with open(path, encoding="utf-8") as file:
                for name in re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE):
                    to = room_of(name)
                    if name not in INTERFACE and to is not None and to != room and to not in allowed:
                        wrong.append(f"{path} includes {name}")
    assert not wrong, wrong


def every_room_is_described():
    with open("docs/architecture.md", encoding="utf-8") as file:
        rooms = set(re.findall(r"^\| `([a-z/]+)/` \|", file.read(), re.MULTILINE))
    found = {path.rstrip("/") for path in glob.glob("host/*/")}
    assert found, "run this from the repository's root"
    unknown = found - {"host/" + room for room in ARROWS}
    assert not unknown, f"{unknown}: tests/cli/rooms.py does not know what they may include"
    assert found <= rooms, f"{found - rooms}: not in the table of docs/architecture.md"


def library_stands_alone():
    """All of it is linked, whether used or not, with the system's libraries only."""
    libraries = subprocess.run(["pkg-config", "--libs", "libdw", "libelf", "libftdi1", "libusb-1.0"], check=True, capture_output=True,
                               text=True).stdout.split()
    with tempfile.TemporaryDirectory() as scratch:
        source = os.path.join(scratch, "main.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        command = os.environ.get("CC", "gcc").split() + os.environ.get("SAN", "").split()
        command += [source, "-o", os.path.join(scratch, "alone"), "-Wl,--whole-archive", os.path.join(BUILD, "libearshot.a"),
                    "-Wl,--no-whole-archive", *libraries, "-lpthread", "-lm"]
        linked = subprocess.run(command, capture_output=True, text=True, check=False)
        assert linked.returncode == 0, linked.stderr


def main():
    failed = 0
    tests = [arrows_go_one_way, every_room_is_described, library_stands_alone]
    for function in tests:
        try:
            function()
        except Exception:
            failed += 1
            print(f"FAIL {function.__name__}")
            traceback.print_exc(file=sys.stdout)
    print(f"{len(tests) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
