#!/usr/bin/python3
"""Which variable `earshot why` takes a name for: at each line, that of which gdb prints the value there."""
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../gdb"))
from harness import run_all  # noqa: E402
from serving import EARSHOT, Recorded, in_gdb, record  # noqa: E402

SOURCE = "tests/why/scopes.c"
SCRATCH = tempfile.TemporaryDirectory()


def compiled(*options, name="scopes"):
    program = os.path.join(SCRATCH.name, name + "".join(options[:1]) + ".elf")
    if not os.path.exists(program):
        subprocess.run(["scripts/target-cc", *options, "-o", program], check=True)
        record(program, program + ".inputs")
    return program


def why(program, question, code=0):
    done = subprocess.run([EARSHOT, "why", program + ".inputs", program, question, "--most", "1"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, (question, done.stdout, done.stderr)
    return done.stderr if code else done.stdout.split("\n")[0].split("  ")[0]


def told(program, question):
    """The value; None: it cannot be seen; "constant": nothing has written it."""
    done = subprocess.run([EARSHOT, "why", program + ".inputs", program, question, "--most", "1"], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        assert "cannot be seen at that moment" in done.stderr or "it is a constant there" in done.stderr, (question, done.stderr)
        return None if "cannot be seen" in done.stderr else "constant"
    value = done.stdout.split("  ")[0].split(" = ")[1]
    return None if value == "not known" else value


def as_gdb_has_them():
    with open(SOURCE, encoding="utf-8") as file:
        lines = range(1, file.read().count("\n") + 1)
    for level in "-O0", "-Og", "-O2":
        program = compiled(level, SOURCE)
        stops = in_gdb(program, "values_at_lines", os.path.basename(SOURCE), list(lines), ["i", "sum", "k", "x", "calls"], server=Recorded)
        seen, asked = set(), Counter()
        for instruction, line, values in stops:
            for name, value in values.items():
                if name == "calls" and value is None:
                    continue  # gdb does not see it out of its procedure; here its name says enough, or is ambiguous
                asked[line, name] += 1
                if asked[line, name] > 2:
                    continue
                mine = told(program, f"{name} at {instruction}")
                assert mine in (value, "constant"), (level, line, instruction, name, value, mine)
                seen.add((line, name, value is not None))
        assert len(seen) > (60 if level == "-O0" else 40), (level, len(seen))


def which_one():
    """A name that several have is refused with the ways to say which; those lead to it."""
    program = compiled("-O0", SOURCE)
    said = why(program, "calls at end", 2)
    assert "first\\calls" in said and "second\\calls" in said and "ambiguous" in said, said
    assert why(program, "first\\calls at end") == "first\\calls = 101"
    assert why(program, "scopes.c\\out at end").startswith("scopes.c\\out = ")
    assert why(program, "scopes.c\\pair.left at end") == "scopes.c\\pair.left = 3"
    assert "has no variable 'calls'" in why(program, "main\\calls at end", 2)
    assert "cannot be seen at that moment" in why(program, "step\\k at end", 2)
    assert "neither a procedure nor a file" in why(program, "nobody\\calls at end", 2)


def where_pointers_lead():
    program = compiled("-O0", SOURCE)
    assert why(program, "pair.other->other->left at end") == "pair.other->other->left = 3"
    for question in "none->left at end", "*none at end", "none[1].left at end":
        assert "the pointer is NULL" in why(program, question, 2), question
    assert "it has no element [-1]" in why(compiled("-O0", "tests/why/flow.c", name="flow"), "table[-1] at end", 2)


def files_with_one_name():
    """File-scope variables of one name: that of the code that runs, else the file has to be named."""
    sources = []
    for name, value in ("one", 1), ("two", 2):
        sources.append(os.path.join(SCRATCH.name, name + ".c"))
        with open(sources[-1], "w", encoding="utf-8") as file:
            file.write(f"static int step(void)\n{{\n    static int calls;\n    calls += {value};\n    return calls;\n}}\nstatic int state = {value};\nint {name}(void);\nint {name}(void)\n{{\n    state += 10 * (step() / {value});\n    return state;\n}}\n")
    sources.append(os.path.join(SCRATCH.name, "main.c"))
    with open(sources[-1], "w", encoding="utf-8") as file:
        file.write("int one(void), two(void);\nint main(void)\n{\n    return one() + two() == 23 ? 0 : 1;\n}\n")
    program = compiled("-O0", *sources, name="files")
    said = why(program, "state at end", 2)
    assert "one.c\\state" in said and "two.c\\state" in said, said
    for name, value in ("one", 11), ("two", 12):
        assert why(program, f"{name}.c\\state at end") == f"{name}.c\\state = {value}"
        assert why(program, f"{name}.c\\step\\calls at end") == f"{name}.c\\step\\calls = {value - 10}"
        assert why(program, f"state at {name}.c:12") == f"state = {value}"
    assert "one.c\\step\\calls" in why(program, "calls at end", 2)
    assert "one.c\\step\\calls" in why(program, "step\\calls at end", 2)


def one_parameter_told_twice():
    """Of n, which is 3 in all calls, GCC tells twice where it is, in a procedure that takes any number of arguments."""
    path = os.path.join(SCRATCH.name, "any.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write("#include <stdarg.h>\nvolatile int sink;\n__attribute__((noinline)) static int sum(int n, ...)\n{\n    va_list all;\n    va_start(all, n);\n    int s = 0;\n"
                   "    for (int i = 0; i < n; i++)\n        s += va_arg(all, int);\n    va_end(all);\n    return s;\n}\n"
                   "int main(void)\n{\n    for (int k = 0; k < 5; k++)\n        sink = sum(3, k, 2 * k, 3 * k);\n    return 0;\n}\n")
    program = compiled("-O2", path, name="any")
    dumped = subprocess.run(["readelf", "--debug-dump=info", program], capture_output=True, text=True, check=True).stdout
    assert "DW_AT_const_value : 3" in dumped  # the test is about something
    done = subprocess.run([EARSHOT, "watch", program, "-e", "enter(sum) { print sum\\n }", "--json", "--quiet"], capture_output=True, text=True, check=False)
    hits = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(hit["values"].values()) for hit in hits if hit["event"] == "hit"] == [[3]] * 5, done
    listed = subprocess.run([EARSHOT, "list", program], capture_output=True, text=True, check=True).stdout
    assert listed.count("sum\\n ") == 1, listed


def cxx():
    """Names with scopes, and of procedures with parameters."""
    path = os.path.join(SCRATCH.name, "names.cpp")
    with open(path, "w", encoding="utf-8") as file:
        file.write("namespace app {\nint total;\nstruct Clamp { static int count; };\nint Clamp::count = 5;\n"
                   "__attribute__((noinline)) int add(int &r, int by)\n{\n    static int calls;\n    calls++;\n    r += by;\n    return r;\n}\n"
                   "__attribute__((noinline)) int add(int by)\n{\n    static int calls;\n    calls += 3;\n    return by;\n}\n}\n"
                   "int main()\n{\n    app::Clamp::count += app::add(app::total, 4) + app::add(2);\n    return 0;\n}\n")
    program = compiled("-O0", path, name="names")
    assert why(program, "app::total at end") == "app::total = 4"
    assert why(program, "Clamp::count at end") == "Clamp::count = 11"
    assert why(program, "add(int)\\calls at end") == "add(int)\\calls = 3"
    assert why(program, "app::add(int&, int)\\calls at end") == "app::add(int&, int)\\calls = 1"
    assert "ambiguous" in why(program, "add\\calls at end", 2)
    assert why(program, "r at names.cpp:10") == "r = 4"


if __name__ == "__main__":
    sys.exit(run_all([as_gdb_has_them, which_one, where_pointers_lead, one_parameter_told_twice, files_with_one_name, cxx]))
