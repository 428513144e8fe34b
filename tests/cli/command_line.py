#!/usr/bin/python3
"""Drives the real `earshot`: how runs begin and end, options, exit codes, signals, closed pipes."""
import json
import os
import re
import signal
import subprocess
import sys

from driven import (ALL_VALUES, EARSHOT, FOREVER, LOST, RECURSION, THERMOSTAT, USAGE, VALUES, bytes_of, equal, fails,
                    path_of, run, run_tests, scratch, test, watch)


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
    result = watch(FOREVER, "-e", "beat > 5 { print beat }", "--for", "300us", "--ratio", "1", "--json", timeout=120)
    equal(result.returncode, 0)
    summary = json.loads(result.stdout.splitlines()[-1])
    assert summary["event"] == "summary" and "incomplete" not in summary, summary


@test
def closed_pipe_ends_quietly():
    process = start_forever()
    process.stdout.close()
    error = process.stderr.read()
    equal(process.wait(timeout=60), 0)
    assert "cannot" not in error and "rror" not in error, error


if __name__ == "__main__":
    sys.exit(run_tests())
