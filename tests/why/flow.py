#!/usr/bin/python3
"""`earshot why` on a program whose flow of values is written beside its lines: what must be told, and what must not; and on examples, where
each value that it tells was stored then, as the target's processor says."""
import html
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../gdb"))
from harness import run_all  # noqa: E402
from serving import BUILD, EARSHOT, STORE, record, retired, stored, symbol  # noqa: E402

SOURCE = "tests/why/flow.c"
DECISIONS = "tests/why/decisions.c"
KINDS = "tests/why/kinds.c"
FLAGS = os.environ.get("EARSHOT_TARGET_FLAGS", "").split()   # of programs for another target
PIECES = "tests/why/pieces.c"


def why(recording, program, question, *options, code=0):
    done = subprocess.run([EARSHOT, "why", recording, program, question, *options], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == code, (question, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


def compiled(scratch, level, source=SOURCE):
    recording = os.path.join(scratch, os.path.basename(source)[:-2] + level)
    program = recording + ".elf"
    if not os.path.exists(program):
        subprocess.run(["scripts/target-cc", *FLAGS, level, source, "-o", program], check=True)
        record(program, recording)
    return recording, program


def tagged():
    """Line to letters and whether it is reported of optimised code, too."""
    with open(SOURCE, encoding="utf-8") as file:
        found = {number: re.search(r"// ([a-e]+|-)(\+?)$", line) for number, line in enumerate(file.read().split("\n"), 1)}
    return {number: (tag.group(1), tag.group(2) == "+") for number, tag in found.items() if tag}


SCRATCH = tempfile.TemporaryDirectory()


def lines_of_values():
    tags = tagged()
    assert len(tags) > 12
    for level in "-O0", "-Og", "-O2":
        recording, program = compiled(SCRATCH.name, level)
        for letter in "abcde":
            answer = json.loads(why(recording, program, f"{letter} at end", "--json"))
            told = {line["line"] for line in answer["lines"][1:] if line["file"] and line["file"].endswith("flow.c")}
            wanted = {number for number, (letters, always) in tags.items() if letter in letters and (always or level == "-O0")}
            others = {number for number, (letters, _) in tags.items() if letter not in letters}
            assert wanted <= told, (level, letter, sorted(wanted - told))
            # where instructions are moved, gcc says of one that loads e early that it is of the line before
            assert level == "-O2" or not others & told, (level, letter, sorted(others & told))


def where_it_ends():
    """Random numbers come from their device; constants and start values are called so."""
    recording, program = compiled(SCRATCH.name, "-O0")
    def ends(question, *options):
        return {value["end"] for line in json.loads(why(recording, program, question, "--json", *options))["lines"] if "jumped" not in line for value in line["of"] if "end" in value}
    for letter in "abcd":
        assert ends(f"{letter} at end") == {"an input: read from 0x10000018"}, letter
    assert ends("table at start") == {"memory that the program never wrote"}, ends("table at start")
    assert ends("sp at start") == {"as reset has left it"}


def questions():
    recording, program = compiled(SCRATCH.name, "-O0")
    with open(SOURCE, encoding="utf-8") as file:
        source = file.read().split("\n")
    line = next(number for number, text in enumerate(source, 1) if "table[i]; // e" in text)
    for time, i in ("3rd time", 2), ("1", 0), ("time 8", 7), ("", 7):
        assert why(recording, program, f"i at flow.c:{line} {time}").startswith(f"i = {i}  "), (time, i)
    deep = next(number for number, text in enumerate(source, 1) if "levels == 0" in text)
    assert why(recording, program, f"levels at flow.c:{deep} 5th time").startswith("levels = 0  ")
    put = next(number for number, text in enumerate(source, 1) if "what + 1" in text)
    assert why(recording, program, f"what at flow.c:{put} 2nd time").startswith("what = 3  ")
    assert why(recording, program, "pairs[2].right at end").startswith("pairs[2].right = 7  ")
    for question, message in (("a", "say when"), ("nothing at end", "there is no variable 'nothing'"), ("i at end", "cannot be seen at that moment"),
                              ("a at flow.c:1", "no code of the program begins"), ("a at flow.c:37 9th time", "did not come there so often"),
                              ("a at 1x", "takes a time with its unit"), ("a.x at end", "has no member 'x'"), ("table[8] at end", "has no element [8]"),
                              ("*a at end", "is no pointer"), ("a + 1 at end", "is not understood"), ("a at 99999999999", "ends at instruction"), (" at end", "")):
        assert message in why(recording, program, question, code=2), question


def values_of_kinds():
    """Bit-fields, floating point and enumerations, in both orders of bytes, are told as the source assigns them, with the line that did so."""
    with open(KINDS, encoding="utf-8") as file:
        assigned = [(number, *found.groups()) for number, text in enumerate(file.read().split("\n"), 1) if (found := re.fullmatch(r" +([\w.]+) = ([-\w.]+);", text))]
    assert len(assigned) == 20
    for level in "-O0", "-O2":
        recording, program = compiled(SCRATCH.name, level, KINDS)
        for number, name, value in assigned:
            told = why(recording, program, f"{name} at end", "--most", "400").split("\n")
            wanted = "true" if name.endswith(".on") else value
            assert told[0].startswith(f"{name} = {wanted}  "), (level, name, wanted, told[0])
            assert level == "-O2" or any(f"kinds.c:{number} main" in line for line in told), (name, told)


def values_were_stored():
    """Each value of memory that a slice tells was stored by then, at that instruction."""
    for name, level, question in ("thermostat", "O2", "temp at end"), ("recursion", "O0", "result at end"), ("interrupts", "O2", "sum at end"), ("interrupts", "O0", "sum at end"):
        program = os.path.join(BUILD, f"examples/{name}-{level}.elf")
        recording = os.path.join(SCRATCH.name, f"{name}-{level}")
        record(program, recording)
        answer = json.loads(why(recording, program, question, "--json"))
        log = retired(program)
        stores = {(a & ~3, pc) for kind, _, pc, a, *_ in log if kind == STORE}
        values = {(a & ~3, stored(program, 0, 4, b)) for kind, lanes, _, a, b, *_ in log if kind == STORE and lanes == 15}
        checked = 0
        for line in answer["lines"][1:]:
            named = re.fullmatch(r"(\w+) = (-?\d+)", line["made"] or "")
            if not named:
                continue
            try:
                address = symbol(program, named.group(1))
            except KeyError:  # a local, or a register
                continue
            checked += 1
            assert address & 3 or (address, int(named.group(2)) & 0xFFFFFFFF) in values, (name, line)
            assert any(at == address & ~3 for at, _ in stores), (name, line)
        unnamed = [re.fullmatch(r"(0x[0-9a-f]{8}) = (-?\d+)", one["value"]) for line in answer["lines"][1:] for one in line["of"]]
        parts = {(a + lanes.bit_length() - lanes.bit_count(), stored(program, lanes.bit_length() - lanes.bit_count(), lanes.bit_count(), b))
                 for kind, lanes, _, a, b, *_ in log if kind == STORE}
        for address, value in [(int(one.group(1), 16), int(one.group(2)) & 0xFFFFFFFF) for one in unnamed if one]:
            assert address >> 28 or (address, value) in parts, (name, hex(address), value)   # or a device's
        assert any(unnamed) or (name, level) != ("interrupts", "O0"), name
        assert checked > 0 and len(answer["lines"]) > 5, (name, checked, len(answer["lines"]))


def decisions():
    """Each assignment is told with the line that decided about it, as the source says: by an if, a loop, a switch, before a call; or with none."""
    with open(DECISIONS, encoding="utf-8") as file:
        tags = {number: tag.group(1) for number, text in enumerate(file.read().split("\n"), 1) if (tag := re.search(r"// ([A-Ha-h-])$", text))}
    conditions = {letter.lower(): number for number, letter in tags.items() if letter.isupper()}
    for level in "-O0", "-Og":
        recording, program = compiled(SCRATCH.name, level, DECISIONS)
        checked = set()
        for letter in "abcdefghk":
            answer = json.loads(why(recording, program, f"{letter} at end", "--json"))
            lines = answer["lines"]
            assert not answer["undecided"], (level, letter)
            for line in lines[1:]:
                tag = tags.get(line["line"])
                if line["file"] is None or not line["file"].endswith("decisions.c") or "jumped" in line or tag is None or tag.isupper():
                    continue
                by = {lines[i]["line"] for i in line["decided_by"]}
                wanted = set() if tag == "-" else {conditions[tag]}
                # a loop that is sure to run once may be entered without a look at its condition; a switch may compare in several lines
                rotated = level == "-Og" and tag == "b" and not by
                assert by == wanted or rotated, (level, letter, line, by, wanted)

                checked.add(line["line"])
        assert len(checked) >= 8, (level, checked)


def what_decided_is_followed():
    """Without --control, what was compared is told; with it, where that came from, to the input."""
    recording, program = compiled(SCRATCH.name, "-O0", DECISIONS)
    def ends(*options):
        return {value["end"] for line in json.loads(why(recording, program, "a at end", "--json", *options))["lines"] for value in line["of"] if "end" in value}
    assert ends() == {"compared there"}, ends()
    assert "an input: read from 0x10000018" in ends("--control"), ends("--control")
    text = why(recording, program, "a at end")
    assert re.search(r"^  D1 .* decisions\.c:\d+ main(?: \[D2\])? +if \(x & 1 << 31\).*\n    compared ", text, re.M), text
    assert re.search(r"^  #1 a = .* decisions\.c:\d+ main \[D1\]", text, re.M), text
    path = os.path.join(SCRATCH.name, "decisions.html")
    why(recording, program, "a at end", "--html", path)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    assert re.search(r'decided by <a href="#n\d+">decisions\.c:\d+</a>', page), page[:3000]


def decisions_once():
    """Each decision is told once, and each line that does not name one has that of the line that it is shown under: as the JSON has it."""
    recording, program = compiled(SCRATCH.name, "-O0", DECISIONS)
    for letter in "abcdefg":
        text = why(recording, program, f"{letter} at end", "--deep", "99", "--most", "999")
        lines = json.loads(why(recording, program, f"{letter} at end", "--json"))["lines"]
        tree, _, told = text.partition("\ndecisions, ")
        named = dict(re.findall(r"^  (D\d+)  (.*)$", told, re.M))
        assert len(set(named.values())) == len(re.findall(r"^  D\d+  ", told, re.M)), text
        stack, found = [], []
        for line in tree.split("\n")[1:]:
            shown, place = re.match(r"( *)#\d+ ", line), re.search(r" decisions\.c:(\d+) ", line)
            if shown:
                depth, by = len(shown[1]) // 2, re.search(r" \[(D[^\]]*|no decision)\]", line)
                mine = (stack[depth - 2] if depth > 1 else []) if not by else [] if by[1] == "no decision" else by[1].split(", ")
                stack[depth - 1:] = [mine]
                assert all(number in named for number in mine), text
                found += [(int(place[1]), len(mine))] if place else []
        wanted = [(line["line"], len(line["decided_by"])) for line in lines[1:]
                  if "jumped" not in line and (line["file"] or "").endswith("decisions.c")]
        assert sorted(found) == sorted(wanted), (found, wanted, text)


def pieces():
    """What is reported as a part of a value is that part of it, as the source has it; all of it only where all was made at once."""
    big = "-mbig-endian" in FLAGS
    order, sign = ("big", ">") if big else ("little", "<")
    held = {"total": struct.pack(sign + "q", 3 * -4000000000), "exact": struct.pack(sign + "d", 3.75), "pair": struct.pack(sign + "hh", 3000, -3),
            "copy": struct.pack(sign + "hh", 3000, -3), "word": b"cap\0\0\0\0\0", "both": bytes([0x03, 0x06, 99, 0x0C] if big else [0x0C, 0x09, 99, 0x03]),
            "fields": (150 << (32 - 3 - 9 if big else 3)).to_bytes(4, order)}
    number = {name: sign + kind for name, kind in (("total", "q"), ("exact", "d"), ("pair", "h"), ("copy", "i"), ("word", "b"), ("both.byte", "B"))}
    parts = 0
    for level in "-O0", "-Og", "-O2", "-Os":
        recording, program = compiled(SCRATCH.name, level, PIECES)
        for name, wanted in held.items():
            told = why(recording, program, f"{name} at end", "--most", "500").split("\ndecisions")[0]
            for made, index, first, last, more, value in re.findall(
                    rf"^ +(?:#\d+ )?({name}[.\w]*)(?:\[(\d+)\])?(?:, bytes? (\d+)(?: to (\d+))?| and (\d+) bytes? after it)? = ([-.\w]+)", told, re.M):
                if made == "both.number":
                    assert (first, value) == ("", str(3 * 0x01020304)), told
                    continue
                form = number.get(made, sign + "I")
                begin = int(index or 0) * struct.calcsize(form)
                parts += bool(first or more)
                if first or more or made == "fields":
                    begin += int(first or 0)
                    size = int(last or first) - int(first) + 1 if first else struct.calcsize(form) + int(more) if more else (len(value) - 2) // 2
                    assert value == f"0x{int.from_bytes(wanted[begin:begin + size], order):0{2 * size}x}" or int(value, 16) == 0, (level, name, value, told)
                else:
                    assert float(value) in (struct.unpack_from(form, wanted, begin)[0], 0), (level, name, value, told)
    assert parts > 40, parts


def who_has_read_enough():
    recording, program = compiled(SCRATCH.name, "-O0", DECISIONS)
    done = subprocess.run(["bash", "-c", '"$0" why "$@" --control --most 5000 --deep 900 | true; exit ${PIPESTATUS[0]}', EARSHOT, recording, program, "b at end"],
                          capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and not done.stderr, done


def the_page():
    recording, program = compiled(SCRATCH.name, "-O0")
    path = os.path.join(SCRATCH.name, "why.html")
    text = why(recording, program, "b at end", "--html", path)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    ids = set(re.findall(r' id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links and links <= ids, links - ids
    assert "http" not in page and "src=" not in page
    plain = html.unescape(re.sub("<[^>]*>", "", page))
    for made in re.findall(r"#\d+ (\S+ = \S+)", text):
        assert made in plain, made
    assert "uint32_t two = target_random();" in plain


if __name__ == "__main__":
    sys.exit(run_all([lines_of_values, where_it_ends, questions, values_of_kinds, values_were_stored, decisions, what_decided_is_followed, decisions_once, pieces, who_has_read_enough, the_page]))
