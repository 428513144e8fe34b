#!/usr/bin/python3
"""Parameters at enter(f) and results at leave(f), of structs and of what is wider than a register, in optimised code: what the source says, what
gdb's own knowledge of the calling convention says, and what the same statements show without optimisation, where memory has them."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../gdb")]

from harness import run_all  # noqa: E402
from serving import EARSHOT, Recorded, in_gdb  # noqa: E402

SOURCE = os.path.join(HERE, "programs/structs.c")
LEVELS = "Og", "O2", "Os"
IN = 3
# by procedure: what the source calls it with in round i
PARAMETERS = {
    "take_small": {"s.a": lambda i: i, "s.b": lambda i: i + 2},
    "take_two": {"s.x": lambda i: i, "s.y": lambda i: IN},
    "take_mixed": {"n": lambda i: i, "m.k": lambda i: i, "m.v": lambda i: IN + i},
    "take_unused": {"s.x": lambda i: i, "s.y": lambda i: IN, "n": lambda i: i + 9},
    "take_partly": {"s.x": lambda i: i, "s.y": lambda i: IN, "n": lambda i: 7},
    "take_number": {"s.d": lambda i: i},
    "take_beside": {"s.f": lambda i: i * 1.5, "s.n": lambda i: i},
    "take_large": {"s.a[0]": lambda i: i, "s.a[1]": lambda i: IN, "s.a[2]": lambda i: 7, "s.b": lambda i: i + 20},
    "take_split": {"a": lambda i: 1, "g": lambda i: IN, "s.x": lambda i: i, "s.y": lambda i: i + 1},
    "take_wide": {"a": lambda i: i, "w": lambda i: IN * 10**12 + i, "u": lambda i: i},
    "shift_large": {"s.x": lambda i: i, "s.y": lambda i: IN, "by": lambda i: 5},
}
# by procedure: members of its result, "" all of it
RESULTS = {
    "make_two": ("x", "y"), "make_small": ("a", "b"), "make_beside": ("f", "n"), "make_float": ("",), "make_double": ("",),
    "take_wide": ("",), "take_number": ("",), "take_mixed": ("",), "shift_large": ("a[0]", "a[1]", "a[2]", "b"),
}


def program(folder, level):
    path = os.path.join(folder, f"structs-{level}.elf")
    subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), f"-{level}", "-w", SOURCE, "-o", path], check=True)
    return path


def hits(path, statements, *options):
    """Values of each hit, by statement."""
    command = [EARSHOT, "watch", path, "--json", *options, *[word for text in statements for word in ("-e", text)]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    found = {}
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event["event"] == "hit":
            found.setdefault(event["statement"], []).append(event["values"])
    assert found, done.stderr
    return found


def of_parameters():
    statements = [f"{name}: when enter({name}) {{ print {', '.join(f'{name}{chr(92)}{part}' for part in parts)} }}" for name, parts in PARAMETERS.items()]
    wanted = {name: [{f"{name}\\{part}": value(i) for part, value in parts.items()} for i in range(4)] for name, parts in PARAMETERS.items()}
    with tempfile.TemporaryDirectory() as folder:
        for level in LEVELS:
            path = program(folder, level)
            assert hits(path, statements, "--replay") == wanted, level
            if level != "Og":   # chosen by itself: the probe alone does not see them
                assert hits(path, [statements[1]]) == {"take_two": wanted["take_two"]}, level
        path = program(folder, "O0")
        assert hits(path, statements, "--replay") == wanted
        del wanted["take_large"]   # where a register leads to, which is not on the bus
        assert hits(path, [text for text in statements if "take_large" not in text], "--probe-only") == wanted


def clones_are_not_guessed():
    """Of f.isra.0, nobody knows how it is called: what debug information does not have is unknown."""
    source = """struct two { int x, y; };
volatile int sink, in = 3;
static __attribute__((noinline)) int partly(struct two s, int n) { sink = n; return s.y + n; }
int main(void) { int n = 0; for (int i = 0; i < 4; i++) n += partly((struct two){i, in + i}, 7 + i); return n & 0x7f; }
"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "clone")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write(source)
        subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), "-O2", path + ".c", "-o", path + ".elf"], check=True)
        listed = subprocess.run([os.environ.get("CROSS", "riscv64-unknown-elf-") + "nm", path + ".elf"], capture_output=True, text=True, check=True).stdout
        assert "partly.isra.0" in listed, listed
        for text in "s: when enter(partly) { print partly\\n, sink }", "s: when enter(partly) { print partly\\s.y, sink }":
            try:
                told = hits(path + ".elf", [text], "--replay")["s"]
            except AssertionError as refused:
                assert "optimised away" in str(refused), refused
                continue
            for i, values in enumerate(told):
                assert set(values.values()) <= {None, 7 + i, 3 + i, 0, 6 + i}, told
                assert values.get("partly\\n") in (None, 7 + i) and values.get("partly\\s.y") in (None, 3 + i), told


def numbers(text):
    return [float(word) for word in re.findall(r"(?<![\w$])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text.replace("<repeats", " "))]


def of_results():
    statements = [f"{name}: when leave({name}) {{ print {', '.join(f'result({name})' + ('.' + part if part else '') for part in parts)} }}"
                  for name, parts in RESULTS.items()]
    with tempfile.TemporaryDirectory() as folder:
        path = program(folder, "O2")
        told = hits(path, statements)
        for name in RESULTS:
            found = in_gdb(path, "finish", f"*{name}", 4, server=Recorded)["finished"]
            wanted = [numbers(each["value"]) for each in found]
            assert [[float(value) for value in values.values()] for values in told[name]] == wanted, (name, told[name], found)


def a_constant_in_a_loop():
    """gcc says of j that it is 0 where the loop's jump leads to, each time. There it is unknown, and that is said; elsewhere it is the source's."""
    source = """volatile int sink, in = 300;
__attribute__((noipa)) unsigned root(unsigned limit)
{
    unsigned i = 0, j = 0;
    while (j < limit) {
        i++;
        j = i * i * 8;
    }
    return i - 1;
}
int main(void) { return (int)root((unsigned)in) & 0x7f; }
"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "root")
        with open(path + ".c", "w", encoding="ascii") as file:
            file.write(source)
        subprocess.run([os.path.join(HERE, "../../scripts/target-cc"), "-O2", path + ".c", "-o", path + ".elf"], check=True)
        assigned = [values["root\\j"] for values in hits(path + ".elf", ["s: when write(root\\j) { print root\\j }"])["s"]]
        wanted = [0] + [8 * i * i for i in range(1, 8)]
        assert assigned == wanted[:len(assigned)] and len(assigned) >= 7, assigned
        for values in hits(path + ".elf", ["s: when at(root.c:6) { print root\\i, root\\j }"])["s"]:
            assert values["root\\j"] in (None, 8 * values["root\\i"] ** 2), values
        done = subprocess.run([EARSHOT, "watch", path + ".elf", "-e", "when write(root\\j)"], capture_output=True, text=True, timeout=100, check=False)
        assert "root\\j: the debug information contradicts itself (it is the constant 0" in done.stderr, done.stderr


if __name__ == "__main__":
    sys.exit(run_all([of_parameters, of_results, clones_are_not_guessed, a_constant_in_a_loop]))
