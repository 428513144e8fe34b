#!/usr/bin/python3
"""What the real `earshot` prints of a run: text, JSON Lines, colours, code."""
import json
import os
import pty
import re
import subprocess
import sys

from driven import ALL_VALUES, EARSHOT, THERMOSTAT, VALUES, equal, fails, run, run_tests, test, watch


@test
def text_shows_c_types():
    result = watch(VALUES, "-e", ALL_VALUES)
    equal(result.returncode, 0)
    lines = result.stdout.splitlines()
    times = [line[:12] for line in lines[:3]]
    for shown in times:
        assert re.fullmatch(r"[ 0-9]{4}\.\d{4} ms", shown), shown
    handler = re.search(r"code_pointer=(0x[0-9a-f]{8}) <handler>", lines[0]).group(1)
    go = re.search(r"data_pointer=(0x[0-9a-f]{8}) <go>", lines[0]).group(1)
    fixed = "i8=-5 u8=250 i16=-300 u16=65000 i32=-100000 u32=4000000000 "
    bits = f"bits.a=5 bits.b=-3 bits.c={0xABCDE} "
    code = f"code_pointer={handler} <handler> "
    equal(lines[0][12:], f"   v  {fixed}letter='x' flag=true mode=LOW flags=RED|BLUE ratio=0.1 {bits}data_pointer={go} <go> {code}old(go)=0"
                         "  main > round_one  values.c:53")
    equal(lines[1][12:], f"   v  {fixed}letter='\\n' flag=false mode=3 flags=9 ratio=-1.5e+10 {bits}data_pointer=NULL {code}old(go)=1"
                         "  main > round_two  values.c:64")
    inside = f"0x{int(go, 16) + 1:08x}"
    equal(lines[2][12:], f"   v  {fixed}letter='\\'' flag=false mode=ARMED flags=GREEN ratio=nan {bits}data_pointer={inside} {code}old(go)=2"
                         "  main > round_three  values.c:75")
    equal(lines[3:-1], ["", "  statement       hits", "  v                  3", "", "  counter        value", "  rounds             3", "",
                        "  3 hits, nothing lost", "  the program ended with exit code 5"])
    assert re.fullmatch(r"  simulated 0\.0000\d\d s: \d+ target cycles in \d+\.\d\d s \(\d+\.\d\d million a second\)", lines[-1]), lines[-1]
    assert 'target| done "quoted"\n' in result.stderr, result.stderr


NO_INDEX = "an index cannot ask for a path, or for what is `unchanged for` some time"


EVENT_INDEX = "this is about an event, which is over at once: with `for` or `unchanged for` an index is made of variables"


COUNTER_INDEX = ("with `for` or `unchanged for` an index is made of variables: deadlines are noticed later, and counters have changed "
                 "by then")


@test
def snapshots_are_shown():
    result = watch(THERMOSTAT, "-e", "when temp > 24 { print temp; snapshot plant, history, memory(0x20003, 18), memory(0x3F000, 2); stop }")
    equal(result.returncode, 0)
    equal(result.stdout.splitlines()[1:15], [
        "    plant = {", "        zone = [", "            {setpoint = 60, reading = 26, power = 100, cold = 0},",
        "            {setpoint = 70, reading = 26, power = 100, cold = 0}", "        ],", "        heat = [7337, 7337],", "        steps = 5",
        "    }", "    history = [0, 20, 20, 22, 24, 0, 0, 0]", "    memory(0x20003,18) =",
        "        00020003  00 64 00 46 00 1a 00 64 00 a9 1c 00 00 a9 1c 00", "        00020013  00 05", "    memory(0x3F000,2) = ?? ??", ""])
    result = watch("--json", THERMOSTAT, "-e", "when temp > 24 { snapshot plant.zone, memory(0x3F000, 2); stop }")
    zone = '{"setpoint":60,"reading":26,"power":100,"cold":0}'
    assert f'"values":{{"plant.zone":[{zone},{zone.replace("60", "70")}],"memory(0x3F000,2)":[null,null]}}' in result.stdout, result.stdout
    for statement, place, length, message, hint in (
            ("write(temp) && mode == ARMED for 3us", 1, 1, "this is about an event, which is over at once: `for` and `unchanged for` take conditions "
             "on values of variables and counters, and paths", "x > 80 for 10ms; or A then B && elapsed > 10ms"),
            ("read(temp) && mode == ARMED for 3us", 1, 1, "this is about an event, which is over at once: `for` and `unchanged for` take conditions "
             "on values of variables and counters, and paths", "x > 80 for 10ms; or A then B && elapsed > 10ms"),
            ("temp unchanged for 3us && read(mode)", 1, 36, "at each of its events this predicate is false, so it would never be true",
             "an event is one write, one enter or one leave: join events with ||, or one after the other with then"),
            *((statement, place, 1, message, "an index made of variables and constants") for statement, place, message in (
                ("history[main:control] > 3 for 3us", 9, NO_INDEX),
                ("write(temp) then (history[main:control] > 3 for 3us)", 27, NO_INDEX),
                ("history[main:control] > 3", 9, NO_INDEX),
                ("temp > 3 && history[mode unchanged for 1us] > 3", 21, NO_INDEX),
                ("(temp > 3 for 20us) or history[age(temp) > 15us] > 3", 32, EVENT_INDEX),
                ("(temp > 3 for 20us) or history[old(temp) & 7] > 3", 32, EVENT_INDEX),
                ("(temp > 3 for 20us) or history[write(temp)] > 3", 32, EVENT_INDEX),
                ("history[old(temp) & 7] > 3 for 20us", 9, EVENT_INDEX),
                ("when temp > 24 { snapshot history[main:control] }", 35, NO_INDEX),
                ("when temp > 24 for 3us { print history[n]; count n }", 40, COUNTER_INDEX))),
            ("temp unchanged for 3us for 3us", 1, 1, "`unchanged for` is true at one moment only, and so not `for` some time", "x unchanged for 10ms")):
        fails(watch(THERMOSTAT, "-e", statement), 2, f"-e:1:{place}: error: {message}\n  {statement}\n  {' ' * (place - 1)}^{'~' * (length - 1)}\nhint: {hint}\n")
    fails(watch(THERMOSTAT, "-e", "when temp > 24 { snapshot memory(0x20000, 221) }"), 2, '''-e:1:18: error: memory(0x20000,221) has 221 bytes: what is \
printed and taken as snapshots fits 220 bytes in all
  when temp > 24 { snapshot memory(0x20000, 221) }
                   ^~~~~~~~
hint: take a part of it, memory(ADDRESS, BYTES), or use several statements
''')


@test
def snapshots_of_bit_fields_are_these_bits():
    """Not what lies beside them in the same bytes."""
    result = watch(VALUES, "-e", "when go { snapshot bits.a, bits.b, bits.c, bits; stop }")
    equal(result.stdout.splitlines()[1:5], ["    bits.a = 5", "    bits.b = -3", f"    bits.c = {0xABCDE}", f"    bits = {{a = 5, b = -3, c = {0xABCDE}}}"])
    result = watch("--json", VALUES, "-e", "when go { snapshot bits.a, bits.b, bits.c; stop }")
    assert f'"values":{{"bits.a":5,"bits.b":-3,"bits.c":{0xABCDE}}}' in result.stdout, result.stdout


@test
def text_without_utf8():
    statement = "write(go) then write(go) { print elapsed }"
    result = watch(VALUES, "-e", statement, env={"LC_ALL": "C"})
    assert result.stdout.isascii() and re.search(r"elapsed=[\d.]+us ", result.stdout), result.stdout
    assert re.search(r"elapsed=[\d.]+µs ", watch(VALUES, "-e", statement).stdout)


@test
def constant_texts_are_shown():
    result = watch(VALUES, "-q", "-e", "when write(label) { print label }")
    shown = [re.fullmatch(r".*  label=(.*?)  +main > labels  values.c:\d+", line).group(1) for line in result.stdout.splitlines()]
    texts = [re.sub("^0x[0-9a-f]{8}", "", text) for text in shown]
    equal(texts, [r' "say \"hi\"\n"', ' "a text that is longer than what anybody "...', "", ' ""', " <in_memory>", "NULL"])
    values = [json.loads(line)["values"]["label"] for line in
              watch(VALUES, "-q", "--json", "-e", "when write(label) { print label }").stdout.splitlines() if '"hit"' in line]
    assert len(values) == 6 and all(isinstance(value, int) for value in values), values


@test
def json_lines():
    result = watch(VALUES, "--json", "-e", ALL_VALUES)
    equal(result.returncode, 0)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    equal([event["event"] for event in events], ["hit", "hit", "hit", "console", "summary"])
    hit = events[0]
    equal(list(hit), ["event", "cycle", "time_ns", "statement", "values", "path", "file", "line"])
    equal(hit["time_ns"], hit["cycle"] * 100)
    equal((hit["statement"], hit["path"], hit["file"], hit["line"]), ("v", ["main", "round_one"], "tests/cli/values.c", 53))
    values = hit["values"]
    equal(list(values), ["i8", "u8", "i16", "u16", "i32", "u32", "letter", "flag", "mode", "flags", "ratio", "bits.a", "bits.b", "bits.c",
                         "data_pointer", "code_pointer", "old(go)"])
    equal([values[name] for name in list(values)[:14]],
          [-5, 250, -300, 65000, -100000, 4000000000, ord("x"), True, "LOW", 5, 0.1, 5, -3, 0xABCDE])
    assert isinstance(values["data_pointer"], int) and isinstance(values["code_pointer"], int)
    equal([event["values"]["mode"] for event in events[:3]], ["LOW", 3, "ARMED"])
    equal([event["values"]["ratio"] for event in events[:3]], [0.1, -1.5e10, "nan"])
    equal([event["values"]["flag"] for event in events[:3]], [True, False, False])
    equal(events[3], {"event": "console", "text": 'done "quoted"'})
    cycles = events[4].pop("cycles")
    assert cycles > events[2]["cycle"]
    equal(events[4], {"event": "summary", "hits": 3, "lost": 0, "exit_code": 5, "target": "simulated", "statements": {"v": 3}, "counters": {"rounds": 3},
                      "unknown": 0, "torn": 0})


@test
def runs_repeat_exactly():
    first = watch(VALUES, "--json", "-e", ALL_VALUES)
    equal(watch(VALUES, "--json", "-e", ALL_VALUES).stdout, first.stdout)
    fixed = watch(VALUES, "--json", "-e", ALL_VALUES, "--ratio", "64")
    equal([line for line in fixed.stdout.splitlines() if '"hit"' in line], [line for line in first.stdout.splitlines() if '"hit"' in line])


@test
def quiet_shows_hits_only():
    result = watch(VALUES, "-q", "-e", "when go > 0 { print go }", "--seed", "0")
    equal(len(result.stdout.splitlines()), 3)
    equal(result.stderr, 'target| done "quoted"\n')


@test
def colour_on_a_terminal_only():
    for environment, option, coloured in ({}, [], True), ({"NO_COLOR": "1"}, [], False), ({}, ["--no-color"], False), ({"TERM": "dumb"}, [], False):
        master, slave = pty.openpty()
        process = subprocess.Popen([EARSHOT, "watch", VALUES, "-q", "-e", "go", *option], stdout=slave, stderr=subprocess.PIPE,
                                   env={"PATH": os.environ["PATH"], "TERM": "xterm", **environment})
        os.close(slave)
        output = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:
                break
            if not part:
                break
            output += part
        console = process.stderr.read()
        process.wait()
        os.close(master)
        equal(console, b'target| done "quoted"\n')
        equal(b"\033[" in output, coloured)
        assert b"round_one" in output


@test
def code_is_shown_without_a_run():
    """After each pass, of what the compiler makes: RAM by its names, words with what follows them."""
    for end in ("", "=build", "=renumber", "=legalize", "=allocate", "=layout", "=emit"):
        shown = run("watch", THERMOSTAT, "-e", "hot: when temp > 80 { count many }", "-p", "uart:/dev/null", f"--dump-ir{end}")
        equal((shown.returncode, shown.stderr), (0, ""))
        lines = shown.stdout.split("\n")
        equal(lines[0], "statement 0: hot: when temp > 80 { count many }")
        for wanted in ("     0 counter(many)", "     4 hits(hot)"):
            assert wanted in lines, (wanted, lines)
        assert ("    v0 = load [counter(many)]" in lines) == (end in ("", "=build")), shown.stdout
        assert any(re.match(r"word 0x[0-9a-f]{8}: written as a whole it begins at L\d+", line) for line in lines), shown.stdout
        virtual = any(re.match(r"    v\d+ = ", line) for line in lines)
        equal(virtual, end in ("", "=build", "=renumber", "=legalize"))
    fails(run("watch", THERMOSTAT, "-e", "temp > 80", "--dump-ir=scan"), 2,
          "earshot: --dump-ir: there is no pass 'scan'; there are build, renumber, legalize, allocate, layout, emit\n")


if __name__ == "__main__":
    sys.exit(run_tests())
