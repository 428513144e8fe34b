#!/usr/bin/python3
"""Drives `earshot test`: verdicts and exit codes, JUnit XML, annotations, the time limit, signals, several programs and seeds, and that the
same seed makes the same bytes."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import junit
from driven import BUILD, EARSHOT, THERMOSTAT, equal, run
from harness import run_all

FOREVER, VERDICTS, TRAP = (os.path.join(BUILD, f"tests/cli/{name}.elf") for name in ("forever", "verdicts", "trap"))
CHECKS = """# what a thermostat must and must not do
armed: expect mode == ARMED within 5ms
cool:  expect never temp > 88 && mode == ARMED
late:  expect mode == ARMED within 1ms
frost: expect eventually temp < 0
"""
folder_of_all = tempfile.TemporaryDirectory()
scratch = folder_of_all.name
CHECKS_FILE = os.path.join(scratch, "checks.watch")
with open(CHECKS_FILE, "w", encoding="utf-8") as made:
    made.write(CHECKS)
QUIET = {"GITHUB_ACTIONS": ""}


def tests(*arguments, **options):
    options.setdefault("env", QUIET)
    return run("test", *arguments, **options)


def with_junit(*arguments, **options):
    """What it says, and the JUnit file's root."""
    path = os.path.join(scratch, "results.xml")
    result = tests(*arguments, "--junit", path, **options)
    return result, junit.read(path)


def cases(root):
    """{(suite, case): "met" or the kind of what is told, and its message}"""
    return {(suite.get("name"), case.get("name")): (case[0].tag, case[0].get("message")) if len(case) else ("met", None)
            for suite in root for case in suite.findall("testcase")}


def met_failed_and_why():
    result, root = with_junit(THERMOSTAT, "-s", CHECKS_FILE)
    equal((result.returncode, result.stderr), (1, ""))
    name = "thermostat-O0.elf"
    equal(cases(root), {(name, "armed"): ("met", None),
                        (name, "cool"): ("failure", "it occurred 3 times, first at 41.0893 ms"),
                        (name, "late"): ("failure", "it occurred first at 2.4601 ms"),
                        (name, "frost"): ("failure", "it did not occur")})
    places = {case.get("name"): (case.get("file"), case.get("line")) for case in root.iter("testcase")}
    equal(places, {"armed": (CHECKS_FILE, "2"), "cool": (CHECKS_FILE, "3"), "late": (CHECKS_FILE, "4"), "frost": (CHECKS_FILE, "5")})
    broke = {case.get("name"): (case.findtext("system-out") or "").splitlines() for case in root.iter("testcase")}
    equal([len(broke[name]) for name in ("armed", "cool", "late", "frost")], [0, 3, 1, 0])
    # the hits are those that `watch` shows
    shown = [line.split() for line in run("watch", THERMOSTAT, "-q", "-e", "temp > 88 && mode == ARMED { print temp, mode }").stdout.splitlines()]
    equal([line.split() for line in broke["cool"]], [[word for word in words if word != "s1"] for words in shown])
    for text in broke["cool"] + ["FAILED", "3 failed"]:
        assert text in result.stdout, result.stdout
    assert "thermostat: alarms 4" in result.stdout and "thermostat: alarms 4" in root[0].findtext("system-out")


def all_met():
    result, root = with_junit(THERMOSTAT, "-e", "a: expect mode == ARMED within 5ms", "-e", "b: expect never temp > 200", "-e", "temp > 80")
    equal((result.returncode, result.stderr, cases(root)),
          (0, "", {("thermostat-O0.elf", "a"): ("met", None), ("thermostat-O0.elf", "b"): ("met", None)}))
    assert "2 expectations in 1 run: 2 met, 0 failed, 0 unknown" in result.stdout, result.stdout


def unknown_is_an_error_or_skipped():
    arguments = (THERMOSTAT, "-e", "late: expect temp > 500 within 1s", "--for", "5ms")
    for more, code, kind in ((), 1, "error"), (("--allow-unknown",), 0, "skipped"):
        result, root = with_junit(*arguments, *more)
        equal((result.returncode, cases(root)), (code, {("thermostat-O0.elf", "late"): (kind, "the run ended at 4.9999 ms, before that time was over")}))
        assert "unknown  late" in result.stdout and "1 unknown" in result.stdout, result.stdout


def same_seed_same_bytes():
    told = []
    for path in ("first.xml", "second.xml"):
        path = os.path.join(scratch, path)
        result = tests(THERMOSTAT, "-s", CHECKS_FILE, "--seeds", "7", "--junit", path, "--recordings", path + ".d")
        with open(path, "rb") as file, open(os.path.join(path + ".d", "thermostat-O0-seed7.bin"), "rb") as recording:
            told.append((result.stdout, result.stderr, file.read(), recording.read()))
    assert told[0] == told[1] and len(told[0][3]) > 1000
    other = tests(THERMOSTAT, "-s", CHECKS_FILE, "--seeds", "8")
    assert other.stdout != told[0][0]


def seeds_and_programs():
    result, root = with_junit(THERMOSTAT, VERDICTS, "-e", "x: expect never 1 > 2 && write(gone)", "--seeds", "1..2,9")
    equal(result.returncode, 2)  # neither program has `gone`; after the first refusal the other seeds are not tried, and told as such
    equal([suite.get("name") for suite in root], [f"{name} seed {seed}" for name in ("thermostat-O0.elf", "verdicts.elf") for seed in (1, 2, 9)])
    assert all(kind == "error" for kind, _ in cases(root).values())
    assert sum("not run" in message for _, message in cases(root).values()) == 4
    result, root = with_junit(THERMOSTAT, "-e", "a: expect mode == ARMED within 2ms", "--seeds", "1..4")
    verdicts = [case[0] for case in cases(root).values()]
    single = [tests(THERMOSTAT, "-e", "a: expect mode == ARMED within 2ms", "--seeds", str(seed)).returncode for seed in range(1, 5)]
    equal((verdicts, result.returncode), (["failure" if code else "met" for code in single], max(single)))
    assert set(single) == {0, 1}, single  # else these seeds show nothing
    for bad in "", "1..", "2..1", "x", "1,,2", "4294967296", "1..20000":
        result = tests(THERMOSTAT, "-s", CHECKS_FILE, "--seeds", bad)
        assert result.returncode == 2 and result.stderr.startswith("earshot: --seeds"), (bad, result)


def limit_leaves_all():
    """A program that never ends: the limit ends it, with results and a recording that replays, and what might have come later is open."""
    folder = os.path.join(scratch, "limited")
    for limit in "700ms", "7s", "70s":  # what a slow machine has not come to in this time, it may in more
        shutil.rmtree(folder, ignore_errors=True)
        result, root = with_junit(FOREVER, "--limit", limit, "--recordings", folder, "-e", "never: expect never beat < 0",
                                  "-e", "seen: expect eventually beat == 3", "-e", "unseen: expect eventually beat == 0x7fffffff",
                                  "-e", "broken: expect never beat == 5", "-e", "soon: expect beat == 2000000000 within 1us", timeout=300)
        found = {name: told for (_, name), told in cases(root).items()}
        if found["broken"][0] == "failure":
            break
    why = f"the time limit of {limit} on this computer ended the run (--for ends a program that does not end)"
    equal(result.returncode, 1)
    equal((found["never"], found["unseen"], found["seen"], found["broken"][0], found["soon"][0], found["(run)"]),
          (("error", why), ("error", why), ("met", None), "failure", "failure", ("error", why)))
    replayed = run("watch", FOREVER, "--json", "--probe", "file:" + os.path.join(folder, "forever.bin"), "-e", "never: expect never beat < 0",
                   "-e", "seen: expect eventually beat == 3", "-e", "unseen: expect eventually beat == 0x7fffffff",
                   "-e", "broken: expect never beat == 5", "-e", "soon: expect beat == 2000000000 within 1us")
    summary = json.loads(replayed.stdout.splitlines()[-1])
    equal((summary["statements"]["seen"], summary["statements"]["broken"]), (1, 1))
    equal(tests(THERMOSTAT, "-e", "expect never temp > 200", "--limit", "none").returncode, 0)
    assert tests(THERMOSTAT, "-e", "expect never temp > 200", "--limit", "soon").stderr.startswith("earshot: --limit")


def signals_leave_all():
    for number in signal.SIGINT, signal.SIGTERM:
        path = os.path.join(scratch, "signalled.xml")
        process = subprocess.Popen([EARSHOT, "test", FOREVER, "--json", "--seeds", "1..3", "--junit", path, "-e", "x: expect never beat == 9 { print beat }"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, **QUIET))
        while '"hit"' not in process.stdout.readline():
            assert process.poll() is None, process.stderr.read()
        process.send_signal(number)
        end = json.loads(process.stdout.read().splitlines()[-1])
        equal((process.wait(), end), (1, {"event": "result", "runs": 3, "met": 0, "failed": 1, "unknown": 0, "errors": 3, "code": 1}))
        process.stderr.close()
        process.stdout.close()
        told = cases(junit.read(path))
        equal([told[("forever.elf seed 1", "x")][0], told[("forever.elf seed 1", "(run)")], told[("forever.elf seed 2", "(run)")]],
              ["failure", ("error", "a signal ended the run"), ("error", "not run: a signal ended the test")])


def crashes_and_losses():
    result, root = with_junit(TRAP, "-e", "x: expect eventually done == 1")
    equal((result.returncode, cases(root)), (1, {("trap.elf", "x"): ("met", None), ("trap.elf", "(run)"): ("error", "a trap stopped the program")}))
    assert "the target stopped at" in root[0].findtext("system-err"), "the place of the trap is missing"
    arguments = (VERDICTS, "-e", "x: expect never noise == -5 { print noise }", "-e", "noise >= 0 { print noise, a }", "--ratio", "1")
    result, root = with_junit(*arguments)
    equal((result.returncode, cases(root)[("verdicts.elf", "x")][0]), (1, "error"))
    assert "lost: " in root[0].findtext("system-err"), "losses are missing"
    result, root = with_junit(*arguments, "--allow-unknown", "--fail-on-loss")
    equal((result.returncode, cases(root)[("verdicts.elf", "(run)")]), (4, ("error", "data was lost")))


def what_cannot_be_tested():
    result, root = with_junit(THERMOSTAT, "-e", "temp > 80")
    equal(result.returncode, 2)
    equal(list(cases(root).values()), [("error", "nothing is expected: a test is about statements like `expect never temp > 120`")])
    result, root = with_junit(THERMOSTAT, "-e", "expect never tempp > 80")
    equal(result.returncode, 2)
    assert "did you mean 'temp'?" in result.stdout and "did you mean 'temp'?" in next(iter(cases(root).values()))[1]
    result, root = with_junit("missing.elf", "-e", "expect never temp > 80")
    assert result.returncode == 2 and "missing.elf" in result.stdout
    for arguments, message in (((THERMOSTAT,), "what to watch for?"), (("-e", "x"), "which program? earshot test"),
                               ((THERMOSTAT, VERDICTS, "-e", "x", "--probe", "ftdi"), "several programs are for --probe sim only"),
                               ((THERMOSTAT, "-e", "x", "--probe", "ftdi", "--seeds", "1"), "--seeds is for --probe sim only"),
                               ((THERMOSTAT, THERMOSTAT, "-e", "x", "--recordings", scratch), "the same names")):
        result = tests(*arguments)
        assert result.returncode == 2 and message in result.stderr, (arguments, result.stderr)


def files_that_cannot_be_written():
    for option in ("--junit", os.path.join(scratch, "no/where.xml")), ("--recordings", os.path.join(scratch, "no/where")):
        result = tests(THERMOSTAT, "-s", CHECKS_FILE, *option)
        equal((result.returncode, result.stdout), (5, ""))
        assert option[1] in result.stderr, result.stderr
    result = tests(THERMOSTAT, "-e", "expect never temp > 200", "--junit", "/dev/full")
    equal((result.returncode, result.stderr), (5, "earshot: /dev/full: cannot be written: No space left on device\n"))


def annotations():
    """GitHub's workflow commands, with what would end a value in its own way of writing."""
    odd = os.path.join(scratch, "a,b:c%.watch")
    with open(odd, "w", encoding="utf-8") as file:
        file.write("\ncool: expect never temp > 88 && mode == ARMED { print temp }\nopen: expect temp > 500 within 1s\n")
    arguments = (THERMOSTAT, "-s", odd, "--for", "42ms")
    place = os.path.join(scratch, "a%2Cb%3Ac%25.watch")
    wanted = [f"::error file={place},line=2,title=cool%3A thermostat-O0.elf::it occurred 1 time, first at 41.0893 ms%0A"
              "41.0893 ms  temp=89  main > control  control.c:50",
              f"::error file={place},line=3,title=open%3A thermostat-O0.elf::the run ended at 41.9999 ms, before that time was over"]
    equal(tests(*arguments, "--annotate").stderr.splitlines(), wanted)
    equal(tests(*arguments, env={"GITHUB_ACTIONS": "true"}).stderr.splitlines(), wanted)
    equal(tests(*arguments).stderr, "")
    allowed = tests(*arguments, "--annotate", "--allow-unknown").stderr.splitlines()
    equal(allowed, [wanted[0], wanted[1].replace("::error", "::warning")])
    trapped = tests(TRAP, "-e", "x: expect eventually done == 1", "--annotate").stderr.splitlines()
    equal(trapped, ["::error title=trap.elf::a trap stopped the program"])


def any_bytes_in_xml():
    """Names and texts that XML has its own ways to write, and some that it has none for."""
    odd = os.path.join(scratch, "odd\x01<&\">.watch")
    with open(odd, "w", encoding="utf-8") as file:
        file.write("x: expect never temp > 88 && mode == ARMED { print temp }   # \"<&>\"\n")
    _, root = with_junit(THERMOSTAT, "-s", odd)
    case = root[0].find("testcase")
    equal(case.get("file"), odd.replace("\x01", "\ufffd"))
    assert "temp > 88 && mode == ARMED" in case.findtext("failure")


def json_lines():
    result = tests(THERMOSTAT, "-s", CHECKS_FILE, "--json", "--seeds", "1..2")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    equal([line["seed"] for line in lines if line["event"] == "run"], [1, 2])
    equal([line["expectations"]["cool"] for line in lines if line["event"] == "summary"], [False, False])
    equal(lines[-1], {"event": "result", "runs": 2, "met": 2, "failed": 6, "unknown": 0, "errors": 0, "code": 1})
    assert sum(line["event"] == "hit" for line in lines) > 4


def wall_times_on_demand():
    _, root = with_junit(THERMOSTAT, "-e", "expect never temp > 200")
    equal(root[0].get("time"), "0.088267200")
    _, root = with_junit(THERMOSTAT, "-e", "expect never temp > 200", "--wall-times")
    assert root[0].get("time") != "0.088267200" and len(root[0].get("time").split(".")[1]) == 3


def the_check_can_fail():
    """What this test holds JUnit files against refuses what no reader would take."""
    good = "<testsuites><testsuite name='a' tests='1'><testcase name='x' classname='a'/></testsuite></testsuites>"
    for old, new in ("tests='1'", "tests='2'"), ("classname='a'", ""), ("<testcase", "<case"), ("name='a'", "names='a'"):
        path = os.path.join(scratch, "bad.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(good.replace(old, new, 1))
        try:
            junit.read(path)
        except (AssertionError, KeyError, ValueError, xml.etree.ElementTree.ParseError):
            continue
        raise AssertionError(f"{new} was taken")


if __name__ == "__main__":
    sys.exit(run_all([met_failed_and_why, all_met, unknown_is_an_error_or_skipped, same_seed_same_bytes, seeds_and_programs, limit_leaves_all,
                      signals_leave_all, crashes_and_losses, what_cannot_be_tested, files_that_cannot_be_written, annotations, any_bytes_in_xml,
                      json_lines, wall_times_on_demand, the_check_can_fail]))
