#!/usr/bin/python3
"""Exports of a trace with everything: each value of each hit is read again in every format, with readers that are not the program's own."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
import wire  # noqa: E402
from harness import run_all  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")


def said(*command):
    return subprocess.run(command, capture_output=True, check=True).stdout


def export(form, *options):
    return said(EARSHOT, "export", TRACE, "--format", form, *options)


def csv_has_all():
    rows = list(csv.DictReader(io.StringIO(export("csv").decode("utf-8", "replace"), newline="")))
    wanted = [record for record in RECORDS if record["event"] in ("hit", "gap")]
    assert len(rows) == len(wanted) > 1000, (len(rows), len(wanted))
    compared = 0
    for row, record in zip(rows, wanted):
        assert (row["event"], row["cycle"], row["time_ns"]) == (
            record["event"], str(record["cycle"]), str(record.get("time_ns", record["cycle"] * 100))), (row, record)
        if record["event"] == "gap":
            assert row["lost"] == str(record["lost"]) and row["what"] == record["what"], (row, record)
            continue
        assert row["statement"] == record["statement"] and row["task"] == (record["task"] or ""), (row, record)
        assert row["file"] == (record["file"] or "") and row["line"] == str(record["line"] or ("0" if record["file"] else "")), (row, record)
        for name, value in record["values"].items():
            if name in ("temp", "name") or name not in row:
                continue
            text = {None: "", True: "true", False: "false"}.get(value) if value is None or isinstance(value, bool) else None
            if text is None:
                text = value if isinstance(value, str) else json.dumps(value)
            if name not in ("mode", "colours") and not isinstance(value, float):
                assert row[name] == text, (name, row[name], text)
                compared += 1
            elif isinstance(value, float):
                assert float(row[name]) == value, (name, row[name], value)
    assert compared > 5000, compared


def read_vcd(text):
    """Strictly: names by id, and [(time, id, value)]."""
    head, body = text.split("$enddefinitions $end\n")
    names, scope, changes, time = {}, [], [], None
    for line in head.splitlines():
        words = line.split()
        if words[0] == "$scope":
            scope.append(words[2])
        elif words[0] == "$upscope":
            scope.pop()
        elif words[0] == "$var":
            assert len(words) == 6 and words[5] == "$end", line
            assert words[1] in ("wire", "integer", "real", "string", "event") and words[3] not in names, line
            names[words[3]] = (".".join(scope + [words[4]]), words[1], int(words[2]))
    for line in body.splitlines():
        if line[0] == "#":
            assert time is None or int(line[1:]) > time, line
            time = int(line[1:])
            continue
        match = re.fullmatch(r"(?:([bBrs])(\S*) |([01xz]))(\S+)", line)
        assert match and match[4] in names, line
        kind, digits, single, signal = match.groups()
        width = names[signal][2]
        assert kind != "b" or (re.fullmatch("[01x]+", digits) and len(digits) <= width), line
        assert names[signal][1] != "string" or kind == "s", line
        changes.append((time, names[signal][0], digits if kind else single))
    return names, changes


def vcd_has_all():
    path = os.path.join(FOLDER, "run.vcd")
    export("vcd", "-o", path)
    with open(path, encoding="utf-8", errors="replace") as file:
        _, changes = read_vcd(file.read())
    hits = [record for record in RECORDS if record["event"] == "hit"]
    for number, statement in enumerate(SCHEMA["statements"]):
        mine = sum(signal == f"hits.{statement['name']}" for _, signal, _ in changes)
        assert mine == sum(hit["statement"] == statement["name"] for hit in hits) > 0, (number, statement["name"], mine)
    halves = [value for _, signal, value in changes if signal == "values.half"]
    wanted = ["x" if hit["values"]["half"] is None else format(hit["values"]["half"], "016b") for hit in hits if "half" in hit["values"]]
    losses = sum(record["event"] == "gap" for record in RECORDS)
    assert len(halves) == len(wanted) + losses, (len(halves), len(wanted), losses)  # after a loss nothing is known
    assert [int(value, 2) for value in halves if value != "x"] == [int(value, 2) for value in wanted if value != "x"]
    converted = subprocess.run(["vcd2fst", path, path + ".fst"], capture_output=True, text=True, check=False)
    assert converted.returncode == 0 and os.path.getsize(path + ".fst") > 1000, converted


def perfetto_has_all():
    """Slices nest and end, on their task's track they are the hit's path; counters have the values."""
    tracks, stacks, instants, counts, last, ended = {}, {}, [], {}, 0, 0
    for packet in wire.repeated(export("perfetto"), 1):
        fields = wire.fields(packet)
        assert fields[10] == [1], fields  # a sequence
        if 60 in fields:
            track = wire.fields(fields[60][0])
            tracks[track[1][0]] = wire.fields(track[4][0])[5][0].decode() if 4 in track else track.get(2, [b""])[0].decode()
        if 11 not in fields:
            continue
        event = wire.fields(fields[11][0])
        kind, track = event[9][0], event[11][0]
        assert track in tracks, track
        if kind in (1, 2) and tracks[track] != "losses":
            assert fields[8][0] >= last, fields
            last = fields[8][0]
        if kind == 1:
            stacks.setdefault(track, []).append(event[23][0].decode())
        elif kind == 2:
            stacks[track].pop()
            ended += 1
        elif kind == 3 and event.get(22) == [b"hit"]:
            instants.append((fields[8][0], event[23][0].decode(), tracks[track], list(stacks.get(track, []))))
        elif kind == 4:
            counts.setdefault(tracks[track], []).append(event[30][0] if 30 in event else event[44][0])
    assert not any(stacks.values()) and ended > 100, stacks
    hits = [record for record in RECORDS if record["event"] == "hit"]
    assert len(hits) == len(instants)
    for hit, (time, name, task, stack) in zip(hits, instants):
        assert time == hit["time_ns"], (hit, time)
        assert name == hit["statement"] and task == (hit["task"] or "(task unknown)"), (hit, name, task)
        assert not hit["path"] or stack == hit["path"], (hit["path"], stack)
    wanted = [hit["values"]["half"] for hit in hits if hit["values"].get("half") is not None]
    assert counts["half"] == wanted, (counts["half"][:5], wanted[:5])


def read_by_others(form, path):
    return json.loads(said(os.path.join(VENV, "bin/python"), "tests/export/readers.py", form, path))


def vcd_for_another_reader():
    path = os.path.join(FOLDER, "other.vcd")
    export("vcd", "-o", path)
    read = read_by_others("vcd", path)
    signals, hits = read["signals"], [record for record in RECORDS if record["event"] == "hit"]
    assert read["unit"] == "1E-9", read["unit"]
    for statement in SCHEMA["statements"]:
        count = sum(hit["statement"] == statement["name"] for hit in hits)
        assert len(signals[f"hits.{statement['name']}"]) == count > 0, statement["name"]
    wanted = [format(hit["values"]["half"], "016b") for hit in hits if hit["values"].get("half") is not None]
    halves = [value for _, value in signals["values.half"] if "x" not in value]
    assert [int(value, 2) for value in halves] == [int(value, 2) for value in wanted] and len(wanted) > 100, (halves[:5], wanted[:5])


def perfetto_for_its_own_definitions():
    """The messages that Perfetto publishes know all of the file, and read the run's hits, paths, tasks and values of it."""
    path = os.path.join(FOLDER, "run.perfetto")
    export("perfetto", "-o", path)
    read = read_by_others("perfetto", path)
    begin, end, instant, counter = 1, 2, 3, 4
    assert read["unknown"] == 0, read["unknown"]
    stacks, halves, hits = {}, [], [record for record in RECORDS if record["event"] == "hit"]
    told = iter(hits)
    for time, kind, track, name, categories, value in read["events"]:
        stack, task = stacks.setdefault(track, []), read["tracks"][str(track)]
        if kind == begin:
            stack.append(name)
        elif kind == end:
            stack.pop()
        elif kind == instant and categories == ["hit"]:
            hit = next(told)
            assert (time, name, task) == (hit["time_ns"], hit["statement"], hit["task"] or "(task unknown)"), (hit, time, name, task)
            assert not hit["path"] or stack == hit["path"], (hit["path"], stack)
        elif kind == counter and task == "half":
            halves.append(value)
    assert next(told, None) is None and not any(stacks.values())
    assert halves == [hit["values"]["half"] for hit in hits if hit["values"].get("half") is not None]


def json_is_the_run():
    lines = export("json").decode("utf-8", "replace").splitlines()
    assert json.loads(lines[0])["event"] == "begin" and json.loads(lines[-1])["event"] == "summary"
    assert [json.loads(line) for line in lines[1:-1]] == [record for record in RECORDS if record["event"] != "progress"]
    read = said(EARSHOT, "read", TRACE, "--json").decode("utf-8", "replace").splitlines()
    shown = [line for line in lines if json.loads(line)["event"] in ("hit", "gap", "console", "summary")
             and json.loads(line).get("statement") != "numbers"]  # which is shown as statistics
    assert shown == [line for line in read if json.loads(line)["event"] in ("hit", "gap", "console", "summary")]
    assert len(shown) > 1500 and len(read) > len(shown)


def parts_only():
    rows = export("csv", "--statement", "numbers", "--from", "1ms", "--to", "5ms").decode("utf-8", "replace").splitlines()[1:]
    wanted = [record for record in RECORDS if 10000 <= record.get("cycle", 0) <= 50000 and record["event"] in ("hit", "gap")
              and record.get("statement", "numbers") == "numbers"]
    assert len(rows) == len(wanted) > 10, (len(rows), len(wanted))


def reader_that_leaves():
    """`| head` ends it without a word, as everywhere."""
    for form in "json", "csv", "vcd", "perfetto":
        with subprocess.Popen([EARSHOT, "export", TRACE, "--format", form], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.read(1)
            process.stdout.close()
            told = process.stderr.read().decode()
            assert process.wait() == 0 and "cannot be written" not in told, (form, process.returncode, told)
    with open("/dev/full", "w", encoding="utf-8") as full:
        told = subprocess.run([EARSHOT, "export", TRACE, "--format", "csv"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert told.returncode == 5 and "No space left" in told.stderr, told


def refuses():
    for options, message in ((["--format", "wav"], "--format takes json, csv, vcd, perfetto or lcov"), ([], "in which format?"),
                             (["--format", "csv", "--statement", "no"], "the trace has no statement 'no'; it has kinds, objects"),
                             (["--format", "csv", "--from", "3ms", "--to", "2ms"], "--from is after --to")):
        done = subprocess.run([EARSHOT, "export", TRACE, *options], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and message in done.stderr, (options, done)
    tasks = sorted({record["task"] for record in RECORDS if record.get("task")})
    assert len(tasks) > 1
    for command in (["read", TRACE], ["export", TRACE, "--format", "csv"], ["report", TRACE, "-o", os.path.join(FOLDER, "no.html")]):
        done = subprocess.run([EARSHOT, *command, "--task", tasks[0], "--task", "no such"], capture_output=True, text=True, check=False)
        told = re.search(r"the trace has no hits in a task 'no such'; it has some in (.*)\n", done.stderr)
        assert done.returncode == 2 and not done.stdout and told and sorted(told.group(1).split(", ")) == tasks, (command, done)
    assert not os.path.exists(os.path.join(FOLDER, "no.html"))
    done = subprocess.run([EARSHOT, "read", TRACE, "--json", "--task", tasks[1]], capture_output=True, check=False)
    shown = [json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines()]
    assert done.returncode == 0 and {line["task"] for line in shown if line["event"] == "hit"} == {tasks[1]}, done.stderr
    done = subprocess.run([EARSHOT, "export", TRACE, "--format", "csv", "-o", "/dev/full"], capture_output=True, text=True, check=False)
    assert done.returncode == 5 and "/dev/full: cannot be written: No space left on device" in done.stderr, done


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        TRACE = os.path.join(FOLDER, "trace")
        made = said(os.path.join(BUILD, "tests/store/write-made"), TRACE, "all", "3000", "7").decode("utf-8", "replace").splitlines()
        RECORDS = [json.loads(line) for line in made]
        SCHEMA = json.loads(said(EARSHOT, "export", TRACE, "--format", "json").decode("utf-8", "replace").splitlines()[0])
        TESTS = [csv_has_all, vcd_has_all, perfetto_has_all, json_is_the_run, parts_only, reader_that_leaves, refuses]
        ENVIRONMENT = subprocess.run(["scripts/venv"], capture_output=True, text=True, check=False)
        if ENVIRONMENT.returncode == 0:
            VENV = os.path.abspath(ENVIRONMENT.stdout.strip())
            TESTS += [vcd_for_another_reader, perfetto_for_its_own_definitions]
        else:
            print(f"skipped: readers of others: {ENVIRONMENT.stderr.strip()}")
        FAILED = run_all(TESTS)
    sys.exit(FAILED)
