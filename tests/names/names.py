"""Names of C++ and of static procedures, compared with what the same sources say when they run on this machine.

Compiled with -DTELL for this machine, methods.cpp and parts*.c print each call: its name as a statement writes it, and one value. Each name
is watched on the target, where nothing is printed: as often, and with the same values in the same order.
"""
import collections
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
DIR = f"{BUILD}/tests/names"
PROGRAM, PROGRAM_OG = f"{DIR}/names-O0.elf", f"{DIR}/names-Og.elf"
TESTS = []
STEP = 1 + open("tests/names/parts.c", encoding="utf-8").read().split("static int step")[0].count("\n")
LINE = 1 + open("tests/names/methods.cpp", encoding="utf-8").read().split("int sum(")[0].count("\n")  # of the first of three overloads

# What is told with a call, as a local (or member) of the procedure when it is left.
VALUES = {
    "Clamp::Clamp": "lo", "app::Clamp::~Clamp": "hi", "Clamp::feed": "v", "peek": "this->last", "Vec::operator+=": "other.y",
    "Vec::operator()": "k", "Vec::operator[]": "k", "Vec::operator int": "x", "Vec::operator<": "other.x", "app::sum(int, int)": "b",
    "sum(unsigned char)": "a", "sum(app::Vec const*)": "v->x", "Ring<int, 4>::push(int const&)": "value",
    "Ring<int,4>::pop": "value", "Ring<char,8>::pop": "value", "larger<int>": "b",
    "doubled": "n", "doubled<char>": "n", "Box<int>::opened<short>": "by",
    "conceal": "v", "Base::level": "by", "Base::~Base": "rank",
    "Tall::Tall": "width", "Tall::level": "by", "Wide::widen": "by", "work::{lambda(int)#1}::operator()": "w", "by_reference": "n",
    "parts.c\\step": "part", "parts2.c\\step": "part",
}
# Of these there are several, so that they have no one frame; and what a reference to a char on the stack stands for shares its word with bytes
# that nobody writes.
COUNTED = {"Base::Base", "Middle::Middle", "shared", "Ring<char, 8>::push"}


def test(function):
    TESTS.append(function)
    return function


def equal(got, wanted):
    assert got == wanted, f"\n--- got\n{got}\n--- wanted\n{wanted}"


def truth():
    """By name, the values that were told with it."""
    told = collections.defaultdict(list)
    for line in subprocess.run([f"{DIR}/native"], capture_output=True, text=True, timeout=10, check=True).stdout.splitlines():
        name, value = line.rsplit(" ", 1)
        told[name].append(int(value))
    return told


def watch(program, statements):
    """All hits of a run, as JSON."""
    arguments = [argument for statement in statements for argument in ("-e", statement)]
    result = subprocess.run([f"{BUILD}/earshot", "watch", program, "--json", "--quiet", *arguments], capture_output=True, text=True, timeout=120, check=False)
    equal((result.returncode, result.stderr), (0, ""))
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert not [event for event in events if event["event"] == "gap"], events
    return [event for event in events if event["event"] == "hit"]


def told_by(hits, names, expressions):
    """By name, what the hits of the statement with its number show; of none, only how often."""
    shown = {name: [] for name in names}
    for hit in hits:
        name = names[int(hit["statement"][1:])]
        shown[name].append(hit["values"][expressions[name]] if expressions.get(name) else None)
    return shown


def refusal(statement):
    result = subprocess.run([f"{BUILD}/earshot", "watch", PROGRAM, "-e", statement], capture_output=True, text=True, timeout=60, check=False)
    equal((result.returncode, result.stdout), (2, ""))
    return result.stderr


def in_parts(names, size=12):
    return [names[i:i + size] for i in range(0, len(names), size)]


def expression(name):
    """A statement takes a variable of the procedure; shown names have no blanks."""
    return f"{name}\\{VALUES[name]}"


def blankless(text):
    """As it is shown: blanks stand between words only."""
    return "".join(c for i, c in enumerate(text) if c != " " or (text[i - 1].isalnum() and text[i + 1].isalnum()))


@test
def calls_with_their_values():
    told = truth()
    equal({name for name in told if name[0] != "("}, set(VALUES) | COUNTED)
    for names in in_parts(sorted(VALUES)):
        expressions = {name: blankless(expression(name)) for name in names}
        hits = watch(PROGRAM, [f"s{i}: leave({name}) {{ print {expression(name)} }}" for i, name in enumerate(names)])
        for name, values in told_by(hits, names, expressions).items():
            equal((name, values), (name, told[name]))


@test
def calls_are_counted():
    """Also of what has several procedures for one of the source: each call is one."""
    told = {name: values for name, values in truth().items() if name[0] != "("}
    for program in PROGRAM, PROGRAM_OG:
        for names in in_parts(sorted(told)):
            for word in "enter", "leave":
                hits = watch(program, [f"s{i}: {word}({name})" for i, name in enumerate(names)])
                counts = {name: len(values) for name, values in told_by(hits, names, {}).items()}
                equal((program, word, counts), (program, word, {name: len(told[name]) for name in names}))


@test
def names_in_paths_are_names_in_statements():
    """What a path shows can be written: as a procedure, and the path as a path but where there are copies."""
    hits = watch(PROGRAM, ["a: write(app::total)", "b: enter(parts2.c\\step)", "c: enter(shared)", "d: enter(Vec::operator+=)",
                           "e: enter(Ring<int, 4>::pop)", "f: enter(work::{lambda(int)#1}::operator())", "g: enter(sum(unsigned char))",
                           "h: enter(Base::~Base)", "i: enter(conceal)", "j: enter(operator int)", "k: enter(Wide::widen)"])
    paths = {tuple(hit["path"]) for hit in hits}
    names = sorted({name for path in paths for name in path})
    assert {"app::Clamp::feed", "parts.c\\shared", "parts2.c\\shared", "app::sum(unsigned char)", "Ring<int, 4>::pop", "conceal",
            "work::{lambda(int)#1}::operator()", "app::Vec::operator+="} <= set(names), names
    for part in in_parts(names):
        entered = told_by(watch(PROGRAM, [f"s{i}: enter({name})" for i, name in enumerate(part)]), part, {})
        equal([name for name in part if not entered[name]], [])
    paths = sorted(path for path in paths if path and path[0] == "main" and not any("~" in name for name in path))
    for part in in_parts(paths, 8):
        entered = told_by(watch(PROGRAM, [f"s{i}: enter({':'.join(path)})" for i, path in enumerate(part)]), part, {})
        equal([path for path in part if not entered[path]], [])


@test
def variables():
    for statement, values in (
            ("write(::total) && ::total > 200 { print ::total }", "::total"), ("write(app::total) && app::total > 40 { print app::total }", "app::total"),
            ("hidden > 335 { print hidden }", "hidden"), ("write(Clamp::count) { print Clamp::count }", "Clamp::count"),
            ("Ring<int, 4>::made > 0 { print Ring<int, 4>::made }", "Ring<int,4>::made"), ("numbers.head > 6 { print numbers.head }", "numbers.head"),
            ("write(Kind<int>::made) { print Kind<int>::made }", "Kind<int>::made"), ("Kind<char>::made == 3 { print Kind<char>::made }", "Kind<char>::made"),
            ("parts2.c\\state < -100 { print parts2.c\\state }", "parts2.c\\state"),
            ("write(by_reference\\n) { print by_reference\\n }", "by_reference\\n"), ("tall->width > 24 { print tall->width }", "tall->width")):
        hits = watch(PROGRAM, [statement])
        assert hits and all(values in hit["values"] for hit in hits), (statement, hits)
    equal([hit["values"]["by_reference\\n"] for hit in watch(PROGRAM, ["write(by_reference\\n) { print by_reference\\n }"])], truth()["by_reference"])
    # a member's plain name, in the object's own procedures: inherited ones too
    equal([hit["values"]["widen\\hi"] for hit in watch(PROGRAM, ["leave(widen) { print widen\\hi }"])], [6, 8, 11])
    equal([hit["values"]["main:run:Clamp::feed\\lo"] for hit in watch(
        PROGRAM, ["when leave(main:run:Clamp::feed) && main:run:Clamp::feed\\v == 2 { print main:run:Clamp::feed\\lo }"])], [-3])


@test
def casts_to_pointers():
    """Writes through what only a cast knows the type of."""
    told = {name: values for name, values in truth().items() if name[0] == "("}
    equal(len(told), 3)
    for program in PROGRAM, PROGRAM_OG:
        for name, values in told.items():
            equal((name, [hit["values"][blankless(name)] for hit in watch(program, [f"write({name}) {{ print {name} }}"])]), (name, values))


@test
def candidates_are_listed():
    equal(refusal("enter(sum)"), f"""-e:1:7: error: 'sum' is ambiguous: 3 procedures have this name
  enter(sum)
        ^~~
hint: write app::sum(int, int) (tests/names/methods.cpp:{LINE}), app::sum(unsigned char) (tests/names/methods.cpp:{LINE + 1}) or \
app::sum(app::Vec const*) (tests/names/methods.cpp:{LINE + 2})
""")
    equal(refusal("enter(step)"), f"""-e:1:7: error: 'step' is ambiguous: 2 procedures have this name
  enter(step)
        ^~~~
hint: write parts.c\\step (tests/names/parts.c:{STEP}) or parts2.c\\step (tests/names/parts2.c:5)
""")
    assert "hint: write Ring<int, 4>::push (" in refusal("enter(push)"), refusal("enter(push)")
    assert "there is no procedure 'Ring<int, 5>::push'" in refusal("enter(Ring<int, 5>::push)"), refusal("enter(Ring<int, 5>::push)")
    assert "hint: write parts.c\\shared (tests/names/parts.h:" in refusal("main:*:shared\\doubled > 3"), refusal("main:*:shared\\doubled > 3")
    assert [hit["path"][-1] for hit in watch(PROGRAM, ["run:Middle::Middle"])] == ["Middle::Middle"]   # a constructor's copies are one to paths


if __name__ == "__main__":
    sys.exit(run_all(TESTS))
