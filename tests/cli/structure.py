#!/usr/bin/python3
"""The tree as a whole: includes go the one way that docs/architecture.md says, the library needs nothing but itself, numbers that stand in
several places agree, an installation works, and make says what it cannot do."""
import glob
import os
import re
import subprocess
import sys
import tempfile

import circles
from harness import run_all

BUILD = os.environ.get("EARSHOT_BUILD", "build")
INTERFACE = {"probe_defs.h", "image.h", "rv32_defs.h", "version.h"}
ABOVE_ALL = "sim/bench"  # a program, not the library
PAGE = "docs/architecture.md"


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def arrows():
    """Of docs/architecture.md: rooms of the library, and what each room may include besides itself and interface/."""
    page = text_of(PAGE).split("## Rooms")[1].split("\n## ")[0]
    blocks = re.findall(r"^```\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    library, others = [[line.replace("→", " ").split() for line in block.splitlines()] for block in blocks]
    names = [room for room, *_ in library]
    allowed = {room: [name for part in to for name in (names if part == "library" else [part])]
               for room, *to in library + others}
    seen = []
    for room, *to in library + others:
        assert set(to) <= set(seen) | {"library"}, f"{room}: its arrows do not all go upwards"
        seen.append(room)
    return names, {**allowed, "firmware": []}


LIBRARY, ARROWS = arrows()


def files_of(room):
    folder = room if room in ("include", "sim", "firmware") else "host/" + room
    return [path for path in glob.glob(f"{folder}/**/*.[ch]*", recursive=True) if not path.startswith(ABOVE_ALL)]


def room_of(name):
    """The room of an included file; None: of the includer's own."""
    room = name.split("/")[0]
    if room in ARROWS and os.path.isdir("host/" + room):
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
    rooms = set(re.findall(r"^\| `([a-z/]+)/` \|", text_of(PAGE), re.MULTILINE))
    found = {path.rstrip("/") for path in glob.glob("host/*/")}
    assert found, "run this from the repository's root"
    unknown = found - {"host/" + room for room in ARROWS}
    assert not unknown, f"{unknown}: {PAGE} does not say what they may include"
    assert found <= rooms, f"{found - rooms}: not in the table of {PAGE}"


# What only host/isa/rv32 knows of its instructions' encodings: whole ones, masks, fields, numbers of control registers.
ENCODINGS = re.compile(r"\b0x(?:30200073|10500073|0*100073|0*8067|D8FF[DF]|DF[57])\b|h30200073|(?-i:ES_RV32_)|"
                       r">> ?(?:7|15|20) ?& ?(?:31|0x1F)\b|>> ?12 ?& ?[37]\b|& ?0x7F\) ?[!=]= ?0x|switch \(.*& ?0x7F\)|\b0x30[05]\b", re.I)
# And these: its emission, the firmware's unit for it, the soft core with its short cut in simulation, which is one whatever the target
# is, and what takes masks from interface/rv32.def.
KNOW_ENCODINGS = ("host/isa/rv32/", "host/ir/emit.c", "firmware/evidence.h", "rtl/cpu/", "sim/shim/core_cut.hpp", "rtl/core/es_dispatch.v", "rtl/core/es_tracker.v",
                   "rtl/core/es_expand.v", "host/softprobe/dispatch.c")
SOFT_CORE = re.compile(r"\.word 0x10500073")  # the firmware's own sleep, for which its assembler has no name


def encodings_have_one_home():
    """Nothing else knows how instructions look, so that another instruction set is one folder, one definition and one unit."""
    wrong = []
    for pattern in "host/**/*.[ch]", "sim/**/*.[ch]*", "firmware/**/*.[chS]", "rtl/**/*.v":
        for path in glob.glob(pattern, recursive=True):
            text = text_of(path)
            if not path.startswith(KNOW_ENCODINGS):
                wrong += [f"{path}: {line.strip()}" for line in text.splitlines() if ENCODINGS.search(SOFT_CORE.sub("", line))]
            # names of registers are for those who read the soft core's code, exact operations for who executes them
            if not path.startswith(("host/isa/", "host/check/firmware/", "host/machine/")) and '#include "isa/rv32/' in text:
                wrong.append(f"{path} includes isa/rv32/")
    assert not wrong, wrong


def no_circles_of_files():
    circles.check_objects(BUILD, LIBRARY + ["access", "client", "daemon", "terminal", "cli"])
    circles.check_firmware(BUILD)
    circles.check_headers()
    circles.check_folders()


def library_stands_alone():
    """All of it is linked, whether used or not, with the system's libraries only."""
    with tempfile.TemporaryDirectory() as scratch:
        source = os.path.join(scratch, "main.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        command = os.environ.get("CC", "gcc").split() + os.environ.get("SAN", "").split()
        command += [source, "-o", os.path.join(scratch, "alone"), "-Wl,--whole-archive", os.path.join(BUILD, "libearshot.a"),
                    "-Wl,--no-whole-archive", *os.environ["HOST_LIBS"].split(), "-lm"]
        linked = subprocess.run(command, capture_output=True, text=True, check=False)
        assert linked.returncode == 0, linked.stderr


def exported_names_have_the_prefix():
    """Whoever links the library with a program of their own shares one space of names with it: all in it that is not static begins with es_."""
    objects = [os.path.join(BUILD, name) for name in ("libearshot.a", "libearshot-sim.a")] + glob.glob(os.path.join(BUILD, "host/cli/**/*.o"), recursive=True)
    listed = subprocess.run(["nm", "--extern-only", "--defined-only", "--format=posix", *objects], capture_output=True, text=True, check=True)
    names = {line.split()[0] for line in listed.stdout.splitlines() if len(line.split()) > 1}
    assert len(names) > 700, len(names)
    # what Verilator, the C++ compiler and the address checks make has their own marks; every program has a main
    other = {name for name in names if not re.match(r"es_|Ves_|_Z|DW\.ref\._|__odr_asan\.es_|main$", name)}
    assert not other, sorted(other)


def shared_numbers():
    """interface/probe.def by name."""
    with open("interface/probe.def", encoding="utf-8") as file:
        return {words[0]: int(words[1], 0) for words in map(str.split, file) if len(words) > 1 and re.fullmatch("[A-Z][A-Z0-9_]*", words[0])}


def numbers_agree():
    """What cannot include probe_defs.h says the same as probe.def."""
    numbers = shared_numbers()
    memory = {name: (int(origin, 0), int(length) * 1024) for name, origin, length in
              re.findall(r"(rom|ram) \(\w+\) : ORIGIN = (?:DEFINED.*? : )?(\w+), LENGTH = DEFINED.*? : (\d+)K", text_of("examples/target/link.ld"))}
    wanted = {name: (numbers[f"TARGET_{name.upper()}_BASE"], numbers[f"TARGET_{name.upper()}_SIZE"]) for name in ("rom", "ram")}
    assert memory == wanted, memory
    described = {name: (int(base, 16), int(size) * 1024) for base, size, name in
                 re.findall(r"^\| `(0x[0-9a-f]+)` \| (\d+) KiB \| (ROM|RAM):", text_of("docs/target.md"), re.MULTILINE)}
    assert described == {name.upper(): place for name, place in wanted.items()}, described
    devices, = re.findall(r"^\| `(0x[0-9a-f]+)` \| \| devices,", text_of("docs/target.md"), re.MULTILINE)
    assert int(devices, 16) == numbers["TARGET_IO_BASE"], devices
    devices, = re.findall(r"^DEVICES = (\w+)", text_of("tests/oracle/oracle.py"), re.MULTILINE)
    assert int(devices, 0) == numbers["TARGET_IO_BASE"], devices


def example_commands_work():
    """Every command of examples/README.md that watches a program of this repository."""
    commands = re.findall(r"`build/(earshot watch build/examples/\S+ -s \S+)`", text_of("examples/README.md"))
    assert len(commands) >= 5, commands
    for command in commands:
        words = command.replace("build/examples", os.path.join(BUILD, "examples")).split()
        watched = subprocess.run([os.path.join(BUILD, words[0]), *words[1:], "--fail-on-loss"], capture_output=True, text=True, check=False)
        assert watched.returncode == 0 and " hits, nothing lost" in watched.stdout, (command, watched.stderr)
    described = set(re.findall(r"^\| `(\w+)/`|^`(\w+)/` (?:is|has)", text_of("examples/README.md"), re.MULTILINE))
    assert {first or second for first, second in described} == {path.split("/")[1] for path in glob.glob("examples/*/")}, described


def run_make(*arguments):
    # not the environment of a make that may be around this test
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name not in ("MFLAGS", "B", "SAN")}
    return subprocess.run(["make", "--no-print-directory", *arguments], capture_output=True, text=True, env=environment, check=False)


def installation_works():
    """The installed compiler driver makes a program that the installed earshot watches, and the manual is there."""
    with tempfile.TemporaryDirectory() as scratch:
        made = [word for name in ("earshot", "libearshot.a", "libearshot.so", "include/made") for word in ("-o", os.path.join(BUILD, name))]
        done = run_make(f"B={BUILD}", f"DESTDIR={scratch}", f"STAGE={scratch}/stage", "PREFIX=/usr", *made, "install")
        assert done.returncode == 0, done.stderr
        share = os.path.join(scratch, "usr/share")
        for name in "man/man1/earshot.1", "man/man1/earshot-watch.1", "doc/earshot/statements.md", "doc/earshot/README.md", "doc/earshot/LICENSE":
            assert os.path.exists(os.path.join(share, name)), name
        for path in glob.glob("docs/*.md"):
            assert os.path.exists(os.path.join(share, "doc/earshot", os.path.basename(path))), path
        source, program = os.path.join(scratch, "main.c"), os.path.join(scratch, "main.elf")
        with open(source, "w", encoding="utf-8") as file:
            file.write('#include "target.h"\nint x;\nint main(void) { x = 3; target_puts("done\\n"); return x; }\n')
        subprocess.run([os.path.join(share, "earshot/scripts/target-cc"), source, "-o", program], check=True)
        watched = subprocess.run([os.path.join(scratch, "usr/bin/earshot"), "watch", program, "-e", "x == 3", "--exit-code"],
                                 capture_output=True, text=True, check=False)
        assert watched.returncode == 3 and "x=3" in watched.stdout and "target| done" in watched.stderr, watched


def counted_nouns_have_one_home():
    """es_plural says whether it is one or many: not each message for itself."""
    own = [f"{path}:{number}" for path in glob.glob("host/**/*.[ch]", recursive=True)
           for number, line in enumerate(open(path, encoding="utf-8"), 1) if re.search(r'== 1 \? "(?:"|s"|[a-z]{3,})', line)]
    assert not own, own


def make_tells_what_there_is():
    listed = run_make("help")
    assert listed.returncode == 0, listed.stderr
    for target in "demo", "test", "lint", "bench", "formal", "fuzz", "synth", "bitstream", "install", "uninstall", "deb", "clean":
        assert re.search(rf"^make {target}\b", listed.stdout, re.MULTILINE), target
    assert max(map(len, listed.stdout.splitlines())) <= 120
    refused = run_make("bitstream", "BOARD=nope")
    assert refused.returncode == 2 and "there is no board 'nope': BOARD=" in refused.stderr, refused
    assert "icebreaker" in refused.stderr, refused


if __name__ == "__main__":
    sys.exit(run_all([arrows_go_one_way, every_room_is_described, no_circles_of_files, encodings_have_one_home, library_stands_alone,
                      exported_names_have_the_prefix, numbers_agree, installation_works, example_commands_work, counted_nouns_have_one_home, make_tells_what_there_is]))
