"""`earshot list`: what it names can be watched by that name, and what it says cannot be is refused; places are those of the linker."""
import json
import os
import re
import subprocess
import sys

from harness import run_all

BUILD = os.environ.get("EARSHOT_BUILD", "build")
NM = os.environ.get("CROSS", "riscv64-unknown-elf-") + "nm"
THERMOSTAT = [f"{BUILD}/examples/thermostat-{level}.elf" for level in ("O0", "O2")]
PROGRAMS = [f"{BUILD}/tests/symbols/program-{level}.elf" for level in ("O0", "Og", "O2")]
SCALAR = re.compile(r"^(u?int\d+_t|int|unsigned int|char|signed char|_Bool|enum \w+|[\w ]+ \*+)$")


def earshot(*arguments):
    return subprocess.run([f"{BUILD}/earshot", *arguments], capture_output=True, text=True, timeout=60, check=False)


def listed(program, *arguments):
    said = earshot("list", program, "--json", *arguments)
    assert said.returncode == 0, said
    return [json.loads(line) for line in said.stdout.splitlines()]


def accepted(program, statement):
    return earshot("watch", program, "--dump-ir", "-e", statement)


def places_are_the_linkers():
    for program in THERMOSTAT + PROGRAMS:
        symbols = {}
        for line in subprocess.run([NM, "-S", program], capture_output=True, text=True, check=True).stdout.splitlines():
            words = line.split()
            if len(words) == 4 and words[2] in "bBdDrRsSgG":
                symbols.setdefault(words[3].split(".")[0], set()).add((int(words[0], 16), int(words[1], 16)))
        checked = 0
        for entry in listed(program):
            if entry.get("place") == "memory" and entry["size"] and entry["name"] in symbols:
                assert (entry["address"], entry["size"]) in symbols[entry["name"]], (program, entry, symbols[entry["name"]])
                checked += 1
        assert checked >= 5, (program, checked)


def what_is_listed_can_be_watched():
    for program in THERMOSTAT + PROGRAMS[1:]:
        entries = listed(program)
        names = [entry["name"] for entry in entries]
        seen = {True: 0, False: 0}
        for entry in entries:
            # of several blocks' locals of one name statements take the one that they can
            if entry["kind"] == "procedure" or names.count(entry["name"]) > 1 or not SCALAR.match(entry["type"]):
                continue
            said = accepted(program, f"write({entry['name']})")
            can = entry["place"] != "none"
            assert (said.returncode == 0) == can, (program, entry, said.stderr)
            if not can:
                assert entry["why"].split(":")[0][:40] in said.stderr.replace("\n", " "), (entry, said.stderr)
            seen[can] += 1
        assert seen[True] >= 3 and (seen[False] or "O0" in program), (program, seen)


def procedures_can_be_entered():
    for program in THERMOSTAT:
        entries = [entry for entry in listed(program) if entry["kind"] == "procedure"]
        assert {"main", "clamp", "control", "drive"} <= {entry["name"] for entry in entries}, entries
        for entry in entries:
            said = accepted(program, f"enter({entry['name']})")
            assert said.returncode == 0, (program, entry, said.stderr)
    drive = next(entry for entry in listed(THERMOSTAT[1]) if entry["name"] == "drive")
    assert "address" not in drive and "was inlined into control" in drive["inlined"], drive
    even = [entry for entry in listed(PROGRAMS[0]) if entry["name"] in ("even", "on_timer")]
    assert even[0].get("recursive") and even[1].get("interrupt"), even


def members_can_be_watched():
    plant = next(entry for entry in listed(THERMOSTAT[0], "plant", "--members") if entry["name"] == "plant")
    assert [member["name"] for member in plant["members"]] == [
        "plant.zone[0..1].setpoint", "plant.zone[0..1].reading", "plant.zone[0..1].power", "plant.zone[0..1].cold", "plant.heat[0..1]",
        "plant.steps"], plant
    for member in plant["members"]:
        said = accepted(THERMOSTAT[0], "write(" + re.sub(r"\[0\.\.(\d+)\]", r"[\1]", member["name"]) + ")")
        assert said.returncode == 0, (member, said.stderr)
    bits = next(entry for entry in listed(PROGRAMS[0], "bits", "--members") if entry["name"] == "bits")
    assert any("bits" in member for member in bits["members"]), bits


def text_and_json_tell_the_same():
    for program in THERMOSTAT + PROGRAMS:
        text = earshot("list", program).stdout
        lines = [line for line in text.splitlines() if line.startswith("  ")]
        entries = listed(program)
        assert [line.split("  ")[1].strip() for line in lines] == [entry["name"] for entry in entries], text
        for line, entry in zip(lines, entries):
            if entry.get("place") == "memory":
                assert f"0x{entry['address']:08x}" in line, line
            if entry.get("place") == "none":
                assert ("on the replay: " if entry["replay"] else "not observable: ") in line and "compile this file" not in line, line


def patterns():
    def names(*arguments):
        return [entry["name"] for entry in listed(THERMOSTAT[0], *arguments)]
    assert names("clamp\\*") == ["clamp\\hi", "clamp\\lo", "clamp\\value"]
    assert names("t?mp") == ["temp"] and "plant_step\\gain" in names("plant")
    said = earshot("list", THERMOSTAT[0], "tmep")
    assert said.returncode == 2 and "nothing that matches 'tmep'; there is temp" in said.stderr, said
    assert "_start" in names("--all") and "_start" not in names(), names("--all")
    for arguments, message in ((["list"], "which program?"), (["list", "Makefile"], "Makefile: "), (["list", "a", "b", "c"], "'c'")):
        said = earshot(*arguments)
        assert said.returncode == 2 and message in said.stderr, said


def names_alone_are_the_same_names():
    """They are read in another, faster way."""
    for program in THERMOSTAT + PROGRAMS:
        fast = earshot("list", program, "--names").stdout.splitlines()
        whole = {entry["name"] for entry in listed(program)}
        # what is left of a procedure that was inlined everywhere takes the code of its callers to be found
        assert len(fast) == len(set(fast)) and set(fast) <= whole, (program, set(fast) ^ whole)
        assert {name for name in whole - set(fast) if "\\" not in name} <= {entry["name"] for entry in listed(program) if "inlined" in entry}
    said = earshot("list", THERMOSTAT[0], "--names", "-s", "examples/thermostat/thermostat.watch").stdout.splitlines()
    assert {"overheat", "cooled", "ready", "temp"} <= set(said), said


def inlined_everywhere():
    """Of a procedure in a header, two files' copies, neither with code of its own."""
    found = [entry for entry in listed(f"{BUILD}/examples/tasks-O2.elf") if entry["name"] == "target_wait"]
    assert len(found) == 2 and all("inlined" in entry for entry in found), found


def kernels_are_told():
    assert listed(f"{BUILD}/tests/cli/kernels1.elf")[-1] == {"kind": "tasks", "by": "pxCurrentTCB", "kernel": "FreeRTOS"}
    assert "pxCurrentTCB of FreeRTOS" in earshot("list", f"{BUILD}/tests/cli/kernels1.elf").stdout
    assert all(entry["kind"] != "tasks" for entry in listed(THERMOSTAT[0]))


if __name__ == "__main__":
    sys.exit(run_all([places_are_the_linkers, what_is_listed_can_be_watched, procedures_can_be_entered, members_can_be_watched,
                      text_and_json_tell_the_same, patterns, names_alone_are_the_same_names, inlined_everywhere, kernels_are_told]))
