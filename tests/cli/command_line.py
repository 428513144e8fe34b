#!/usr/bin/python3
"""Drives the real `earshot`: output formats, options, bad input, signals, closed pipes."""
import json
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

from harness import run_all

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
VALUES = os.path.join(BUILD, "tests/cli/values.elf")
FOREVER = os.path.join(BUILD, "tests/cli/forever.elf")
RECURSION = os.path.join(BUILD, "examples/recursion-O0.elf")
THERMOSTAT = os.path.join(BUILD, "examples/thermostat-O0.elf")
ALL_VALUES = ("v: when write(go) && go > 0 { print i8, u8, i16, u16, i32, u32, letter, flag, mode, flags, ratio, bits.a, bits.b, bits.c, "
              "data_pointer, code_pointer, old(go); count rounds }")
USAGE, PROBE, LOST, OUTPUT = 2, 3, 4, 5
TESTS = []
scratch = None


def test(function):
    TESTS.append(function)
    return function


def run(*arguments, env=None, timeout=120, **options):
    environment = dict(os.environ, LC_ALL="C.UTF-8", ASAN_OPTIONS="detect_leaks=1")
    environment.update(env or {})
    return subprocess.run([EARSHOT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                          timeout=timeout, stdin=subprocess.DEVNULL, **options)


def watch(*arguments, **options):
    return run("watch", *arguments, **options)


def equal(got, wanted):
    assert got == wanted, f"\n--- got\n{got}\n--- wanted\n{wanted}"


def fails(result, code, message):
    equal(result.returncode, code)
    equal(result.stdout, "")
    equal(result.stderr, message)


def path_of(name, content=b""):
    path = os.path.join(scratch, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


# --- results -----------------------------------------------------------------------------------------

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
def statements_from_files_and_arguments():
    path = path_of("two.watch", b"# two\none: when go == 1 { print }\ntwo: when go == 2\n{ print; count seen }\n")
    result = watch(VALUES, "--json", "-s", path, "-e", "go == 3")
    summary = json.loads(result.stdout.splitlines()[-1])
    equal((summary["statements"], summary["counters"]), ({"one": 1, "two": 1, "s1": 1}, {"seen": 1}))


@test
def count_ends_the_run():
    result = watch(FOREVER, "--json", "-e", "beat", "-n", "3")
    equal(result.returncode, 0)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    equal([event["event"] for event in events], ["hit"] * 3 + ["summary"])
    equal((events[-1]["hits"], events[-1]["exit_code"]), (3, None))


@test
def time_ends_the_run():
    result = watch(FOREVER, "--json", "-e", "when write(beat) { count beats }", "-e", "beat", "--for", "50us")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    equal(events[-1]["cycles"], 500)
    assert 10 < len(events) and all(event["cycle"] < 500 for event in events[:-1]), events


@test
def exit_code_is_passed_on_request():
    equal(watch(VALUES, "-e", "go").returncode, 0)
    equal(watch(VALUES, "-e", "go", "--exit-code").returncode, 5)
    equal(watch(FOREVER, "-e", "beat", "--exit-code", "-n", "1").returncode, 1)


@test
def loss_is_told_and_fails_on_request():
    # a probe as slow as the bus: calls follow each other faster than it can tell them, and there are some again after those lost
    arguments = [RECURSION, "-e", "when enter(fact) || leave(fact) || enter(sort) || leave(sort)", "--ratio", "1", "--for", "8ms"]
    result = watch(*arguments, "--fail-on-loss")
    equal(result.returncode, LOST)
    assert "GAP: " in result.stdout and "LOST: " in result.stdout and "marked ?" in result.stderr, result.stdout[-500:]
    result = watch(*arguments, "--json")
    equal(result.returncode, 0)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    gaps = [event for event in events if event["event"] == "gap"]
    assert gaps and events[-1]["lost"] == sum(gap["lost"] for gap in gaps), events[-1]
    equal(list(gaps[0]), ["event", "cycle", "last_cycle", "lost", "what"])
    equal(gaps[0]["what"], "bus")
    assert any(event.get("uncertain") for event in events)


@test
def recording_is_replayed():
    record = os.path.join(scratch, "run.bin")
    live = watch(VALUES, "--json", "-e", ALL_VALUES, "--record", record)
    replayed = watch(VALUES, "--json", "-e", ALL_VALUES, "--probe", "file:" + record)
    equal(replayed.returncode, 0)
    hits = [line for line in live.stdout.splitlines() if '"hit"' in line]
    equal(replayed.stdout.splitlines()[:-1], hits)
    equal(json.loads(replayed.stdout.splitlines()[-1])["counters"], {"rounds": 3})
    other = watch(VALUES, "-e", "go", "--probe", "file:" + record)
    equal(other.returncode, USAGE)
    assert "with the same ELF file and statements" in other.stderr, other.stderr
    fails(watch(VALUES, "-e", "go", "--probe", "file:" + record + "x"), USAGE,
          f"earshot: {record}x: cannot be opened: No such file or directory\n")
    for name, content in ("empty.bin", b""), ("noise.bin", bytes(range(256)) * 40), ("cut.bin", bytes_of(record)[:60]):
        path = path_of(name, content)
        fails(watch(VALUES, "-q", "-e", ALL_VALUES, "--probe", "file:" + path), USAGE,
              f"earshot: {path}: is not a recording of a run: no firmware reports in it\n")
    tail = path_of("tail.bin", bytes_of(record)[-200:])
    fails(watch(VALUES, "-q", "-e", ALL_VALUES, "--probe", "file:" + tail), USAGE,
          f"earshot: {tail}: is not a recording from its start: the probe's description is missing\n")


@test
def damaged_recordings_are_told():
    """What is missing from a recording is never taken for a good end."""
    path = path_of("whole")
    statement = ("-e", "hot: when temp > 80 && mode == ARMED")
    live = watch(THERMOSTAT, *statement, "--record", path)
    equal(live.returncode, 0)
    frames = bytes_of(path).split(b"\0")
    hello = [i for i, frame in enumerate(frames) if len(frame) > 2 and frame[0] > 1 and frame[1] == 1]  # COBS: then its kind
    equal(len(hello), 1)
    silent = path_of("silent", b"\0".join(frames[:hello[0]] + frames[hello[0] + 1:]))
    replayed = watch(THERMOSTAT, *statement, "--probe", "file:" + silent, "--json")
    equal(replayed.returncode, 0)
    equal(json.loads(replayed.stdout.splitlines()[-1])["event"], "summary")
    cut = path_of("cut", b"\0".join(frames[:hello[0] + 2]) + b"\0")
    for options, code in (((), 0), (("--fail-on-loss",), LOST)):
        replayed = watch(THERMOSTAT, *statement, "--probe", "file:" + cut, "--json", *options)
        equal(replayed.returncode, code)
        assert json.loads(replayed.stdout.splitlines()[-1])["incomplete"], replayed.stdout


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


# --- use ---------------------------------------------------------------------------------------------

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


@test
def help_and_version():
    for arguments in ["help"], ["--help"], ["-h"], ["help", "watch"], ["watch", "--help"], ["watch", "-h"], ["net", "-h"]:
        result = run(*arguments)
        equal((result.returncode, result.stderr), (0, ""))
        assert result.stdout.startswith("usage: earshot "), result.stdout
    for option in "-h", "--help":
        shown = subprocess.run([f"{EARSHOT}d", option], capture_output=True, text=True, check=True).stdout
        assert shown.startswith("usage: earshotd "), shown
    with open("VERSION", encoding="utf-8") as version:
        assert run("--version").stdout == f"earshot {version.read()}"
    assert re.fullmatch(r"earshot \d+\.\d+\.\d+\n", run("--version").stdout)
    result = run()
    equal((result.returncode, result.stdout), (USAGE, ""))
    fails(run("wacth"), USAGE, "earshot: there is no command 'wacth'; `earshot help` lists them\n")
    fails(run("--versoin"), USAGE, "earshot: there is no option '--versoin' before a command; see `earshot --help`\n")
    fails(run("help", "wacth"), USAGE, "earshot: there is no command 'wacth'; `earshot help` lists them\n")


@test
def wrong_options():
    see = "earshot: see `earshot watch --help`\n"
    fails(watch(VALUES, "--bad"), USAGE, "earshot watch: unrecognized option '--bad'\n" + see)
    fails(watch(VALUES, "-e"), USAGE, "earshot watch: option requires an argument -- 'e'\n" + see)
    fails(watch("-e", "go"), USAGE, "earshot: which program? earshot watch PROGRAM.elf -e 'temp > 80'\n")
    fails(watch(VALUES), USAGE, "earshot: what to watch for? give a statement with -e 'temp > 80' or a file of statements with -s\n")
    fails(watch(VALUES, "-e", "go", "go > 3"), USAGE, "earshot: one program at a time: unexpected argument 'go > 3' (a statement goes after -e)\n")
    fails(watch(VALUES, "-e", "go", "--for", "5"), USAGE, "earshot: --for takes a time with its unit, like 500us, 5ms or 2s, not '5'\n")
    for text in "0s", "99999999999s":
        fails(watch(VALUES, "-e", "go", "--for", text), USAGE, f"earshot: --for takes a time from 1ns to 1000000000s, not '{text}'\n")
    fails(watch(VALUES, "-e", "go", "--count", "0"), USAGE, f"earshot: --count takes a number from 1 to {2**63 - 1}, not '0'\n")
    fails(watch(VALUES, "-e", "go", "--ratio", "-1"), USAGE, "earshot: --ratio takes a number from 1 to 1000, not '-1'\n")
    fails(watch(VALUES, "-e", "go", "--seed", "4294967296"), USAGE, "earshot: --seed takes a number from 0 to 4294967295, not '4294967296'\n")
    fails(watch(VALUES, "-e", "go", "--clock", "x"), USAGE, "earshot: --clock takes a number from 1 to 10000000000, not 'x'\n")
    for name in ("usb2", "usb:", "uart", "uart:", "uart:@9600"):
        fails(watch(VALUES, "-e", "go", "--probe", name), USAGE,
              f"earshot: there is no probe '{name}': use sim[:OPTIONS], ftdi[:SERIAL], usb[:SERIAL], uart:DEVICE[@BAUD] or file:RECORDING\n")
    fails(watch(VALUES, "-e", "go", "--probe", "sim:cores=9"), USAGE, "earshot: cores of --probe sim:... takes a number from 1 to 8, not '9'\n")
    fails(watch(VALUES, "-e", "go", "--probe", "sim:cores=2,core=2"), USAGE,
          "earshot: the simulated target has no core 2: with cores=2 its cores are 0 to 1\n")
    fails(watch(VALUES, "-e", "go", "--probe", "sim:cores=2"), USAGE,
          f"earshot: {VALUES}: has no instruction at 0x00000400, where all cores but core 0 begin: link it with a thread library "
          "(docs/threads.md), or run it with cores=1\n")
    for speed in ("", "0", "9599", "12000001", "fast", "3000000x", "-3000000"):
        fails(watch(VALUES, "-e", "go", "--probe", "uart:/dev/a@b@" + speed), USAGE,
              f"earshot: the speed after --probe uart:DEVICE@ takes a number from 9600 to 12000000, not '{speed}'\n")
    missing = watch(VALUES, "-e", "go", "--probe", "uart:/nowhere/a@9600") # then the serial devices of this machine
    equal((missing.returncode, missing.stderr.split(". ")[0]), (PROBE, "earshot: /nowhere/a: no such device"))
    fails(watch(VALUES, "-e", "go", "--probe", "uart:/dev/null"), PROBE, "earshot: /dev/null: is not a serial device\n")
    fails(watch(VALUES, "-e", "go", "--probe", "ftdi", "--ratio", "2"), USAGE, "earshot: --ratio is for --probe sim only\n")
    fails(watch(VALUES, "-e", "go", "--probe", "file:x", "--exit-code"), USAGE, "earshot: --exit-code is for --probe sim only\n")
    fails(watch(VALUES, "-e", "go", "--probe", "file:x", "--record", "y"), USAGE, "earshot: --record and --probe file: cannot be combined\n")


@test
def wrong_statements():
    fails(watch(VALUES, "-e", "gone > 3"), USAGE,
          "-e:1:1: error: there is no variable 'gone' in the program\n  gone > 3\n  ^~~~\nhint: did you mean 'go' or 'mode'?\n")
    fails(watch(VALUES, "-e", "go >"), USAGE, "-e:1:5: error: the statement ends where an expression was expected\n  go >\n      ^\n")
    path = path_of("bad.watch", b"a: when go { print }\n\tb: when go = 3 { print }\n")
    fails(watch(VALUES, "-s", path), USAGE, f"{path}:2:13: error: = would assign, and monitoring changes nothing\n"
          "  \tb: when go = 3 { print }\n  \t           ^\nhint: write == to compare\n")
    fails(watch(VALUES, "-s", "/nonexistent"), USAGE, "earshot: /nonexistent: cannot be opened: No such file or directory\n")
    fails(watch(VALUES, "-s", "/"), USAGE, "earshot: /: cannot be read: Is a directory\n")
    fails(watch(VALUES, "-s", path_of("nul.watch", b"go\0")), USAGE,
          f"earshot: {scratch}/nul.watch: is not a text: it holds a NUL byte\n")
    equal(watch(VALUES, "-s", path_of("empty.watch")).returncode, USAGE)


@test
def wrong_programs():
    good = bytes_of(VALUES)

    def refused(name, content, words):
        result = watch(path_of(name, content), "-e", "go")
        equal((result.returncode, result.stdout), (USAGE, ""))
        assert result.stderr.startswith("earshot: ") and words in result.stderr and result.stderr.count("\n") == 1, result.stderr

    refused("text.elf", b"int main(void) {}\n", "is not an ELF file")
    refused("empty.elf", b"", "ELF")
    refused("machine.elf", good[:18] + b"\x28\0" + good[20:], "RISC-V")
    refused("endian.elf", good[:5] + b"\x02" + good[6:], "another machine")
    refused("wide.elf", good[:4] + b"\x02" + good[5:], "32-bit")
    stripped = os.path.join(scratch, "stripped.elf")
    subprocess.run([os.environ.get("CROSS", "riscv64-unknown-elf-") + "strip", "-g", VALUES, "-o", stripped], check=True)
    refused("stripped2.elf", bytes_of(stripped), "-g")
    for size in 52, 60, 200, 1000, len(good) // 2, len(good) - 1:
        refused("cut.elf", good[:size], f"is truncated: it has {size} bytes, and its table of sections ends at byte ")
    fails(watch("/nonexistent", "-e", "go"), USAGE, "earshot: /nonexistent: cannot be read: No such file or directory\n")


@test
def programs_for_other_targets():
    source = os.path.join(scratch, "m.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("volatile int go = 3;\nint main(void) { go = go * go; return 0; }\n")
    program = os.path.join(scratch, "m.elf")
    isa = "rv32imc_zicsr_zifencei"
    remedy = f"compile and link it with scripts/target-cc -march={isa}, or with that, -mabi=ilp32 and examples/target/link.ld\n"

    def build(*options):
        subprocess.run(["scripts/target-cc", *options, source, "-o", program], check=True, stderr=subprocess.DEVNULL)

    for arch, lacking in ("rv32ia_zicsr", "a"), ("rv32imac_zicsr", "a"), ("rv32imafc_zicsr", "a, f"):
        build("-march=" + arch)
        result = watch(program, "-e", "go")
        equal((result.returncode, result.stdout), (USAGE, ""))
        assert re.fullmatch(rf"earshot: {program}: was compiled for rv32i2p1_\w+, and the simulated target is an {isa} processor, "
                            rf"without {lacking}; {re.escape(remedy)}", result.stderr), result.stderr
    for arch in "rv32i_zicsr", "rv32i", "rv32im_zicsr_zifencei", "rv32e_zicsr", "rv32em_zicsr":
        build("-march=" + arch)
        equal(watch(program, "-q", "-e", "go == 9").returncode, 0)
    build("-Wl,--section-start=.text=0x100") # the linker puts the ELF's header at 0, or nothing
    fails(watch(program, "-e", "go"), USAGE, f"earshot: {program}: has no instruction at 0x00000000, where the simulated target starts "
                                             f"(the program's own entry point is 0x00000100); {remedy}")


@test
def program_outside_the_target():
    content = bytearray(bytes_of(VALUES))
    offset, = struct.unpack_from("<I", content, 28) # e_phoff
    size, count = struct.unpack_from("<HH", content, 42) # e_phentsize, e_phnum
    moved = 0
    for header in range(offset, offset + count * size, size):
        kind, _, _, load_address, file_size = struct.unpack_from("<5I", content, header)
        if kind == 1 and file_size: # PT_LOAD
            struct.pack_into("<I", content, header + 12, load_address + 0x40000000) # p_paddr
            moved += 1
    assert moved
    result = watch(path_of("far.elf", content), "-q", "-e", "u32", "-n", "1")
    equal((result.returncode, result.stdout), (USAGE, ""))
    assert "does not fit the simulated target" in result.stderr and "at 0x40000000" in result.stderr, result.stderr


@test
def expectations_fail_the_run():
    met = watch(THERMOSTAT, "--json", "-e", "a: expect eventually write(mode)", "-e", "b: expect never mode == 77",
                "-e", "c: expect write(mode) within 100ms")
    equal(met.returncode, 0)
    equal(json.loads(met.stdout.splitlines()[-1])["expectations"], {"a": True, "b": True, "c": True})
    for statement, why in (("never write(mode)", r"it occurred \d+ times, first at [0-9.]+ ms"),
                           ("eventually mode == 77", "it did not occur"),
                           ("mode == ARMED within 1us", r"it occurred first at [0-9.]+ ms")):
        failed = watch(THERMOSTAT, "-e", f"safe: expect {statement}")
        equal(failed.returncode, 1)
        assert re.search(f"EXPECTATION FAILED: safe: {why}\n", failed.stdout), failed.stdout
    equal(watch(THERMOSTAT, "-q", "-e", "safe: expect never write(mode) { count writes }").returncode, 1)


@test
def output_that_cannot_be_written():
    fails(watch(VALUES, "-e", "go", "--record", "/nonexistent/x"), OUTPUT,
          "earshot: /nonexistent/x: cannot be written: No such file or directory\n")
    result = watch(VALUES, "-q", "-e", "go", "--record", "/dev/full")
    equal((result.returncode, result.stderr.splitlines()[-1]), (OUTPUT, "earshot: /dev/full: cannot be written: No space left on device"))
    for arguments in ["watch", VALUES, "-q", "-e", "go"], ["watch", VALUES, "--json", "-e", "go == 99"], ["help"], ["--version"]:
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([EARSHOT, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        equal((result.returncode, result.stderr.splitlines()[-1]), (OUTPUT, "earshot: results cannot be written: No space left on device"))
    # a limit of the shell's (ulimit -f)
    small = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))}
    for arguments in ["watch", VALUES, "-q", "-e", "go"], ["watch", VALUES, "--json", "-e", "go"], ["list", VALUES], ["help"]:
        with open(os.path.join(scratch, "limited"), "w", encoding="ascii") as limited:
            result = subprocess.run([EARSHOT, *arguments], stdout=limited, stderr=subprocess.PIPE, text=True, check=False, **small)
        equal((result.returncode, result.stderr.splitlines()[-1]), (OUTPUT, "earshot: results cannot be written: File too large"))
    for arguments in ["watch", VALUES, "-q", "-e", "go", "--record"], ["watch", VALUES, "-q", "-e", "go", "--out"], ["record", VALUES, "--inputs"]:
        result = run(*arguments, os.path.join(scratch, "limited" + arguments[-1]), **small)
        assert result.returncode == OUTPUT and "File too large" in result.stderr, (arguments, result)
    # closed by the caller: no file that is opened later takes the results
    record = os.path.join(scratch, "closed.bin")
    result = subprocess.run([EARSHOT, "watch", VALUES, "-q", "-e", "go", "--record", record], preexec_fn=lambda: os.close(1),
                            stderr=subprocess.PIPE, text=True, check=False)
    equal((result.returncode, result.stderr.splitlines()[-1]), (OUTPUT, "earshot: results cannot be written: Bad file descriptor"))
    assert b"round_one" not in bytes_of(record)


# --- interruption ----------------------------------------------------------------------------------

def start_forever(*options):
    process = subprocess.Popen([EARSHOT, "watch", FOREVER, "--json", "-e", "beat", *options], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert '"hit"' in process.stdout.readline()
    return process


@test
def signals_end_with_a_summary():
    for number in signal.SIGINT, signal.SIGTERM:
        process = start_forever()
        process.send_signal(number)
        output = process.stdout.read()
        equal(process.wait(timeout=60), 0)
        summary = json.loads(output.splitlines()[-1])
        equal((summary["event"], summary["exit_code"], summary["lost"]), ("summary", None, 0))
        equal(summary["hits"], output.count('"event":"hit"') + 1)


@test
def overloaded_probe_can_be_closed():
    """A program that brings more than a slow probe can do must not keep a run from its end."""
    began = time.monotonic()
    result = watch(FOREVER, "-e", "beat > 5 { print beat }", "--for", "300us", "--ratio", "1", "--json", timeout=30)
    equal(result.returncode, 0)
    summary = json.loads(result.stdout.splitlines()[-1])
    assert summary["event"] == "summary" and "incomplete" not in summary, summary
    assert time.monotonic() - began < 25


@test
def closed_pipe_ends_quietly():
    process = start_forever()
    process.stdout.close()
    error = process.stderr.read()
    equal(process.wait(timeout=60), 0)
    assert "cannot" not in error and "rror" not in error, error


def main():
    global scratch
    with tempfile.TemporaryDirectory() as scratch:
        return run_all(TESTS)


if __name__ == "__main__":
    sys.exit(main())
