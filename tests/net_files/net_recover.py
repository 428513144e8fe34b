#!/usr/bin/python3
"""Drives the real `earshot net recover`: times, changes, traces for other tools, pictures."""
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from net_driven import (EARSHOT, EXPECTATION, MAILBOX, OUTPUT, USAGE, changed_mailbox, fails, good, lines, net, path_of,
                        read, run_tests, test)


@test
def recover_equals_simulation_without_marks():
    trace = path_of("t.jsonl", good(net("simulate", MAILBOX, "--for", "5000", "--json")))
    truth = {(e["transition"], e["number"]): e["time"] for e in lines(good(net("simulate", MAILBOX, "--for", "5000", "--json", "--no-marks")))
             if e["event"] == "firing"}
    found = lines(good(net("recover", trace, "-n", MAILBOX, "--json")))
    events = [e for e in found if e["event"] == "recovered"]
    assert len(events) > 200 and found[-1]["changes"] == 0 and found[-1]["totally"] >= len(events) - 2, found[-1]
    for event in events:
        assert event["time"] == truth[(event["transition"], event["number"])], event
    assert good(net("recover", "-", "-n", MAILBOX, "-j", stdin=read(trace))) == good(net("recover", trace, "-n", MAILBOX, "-j"))
    everything = good(net("simulate", MAILBOX, "--for", "5000", "--json", "--all"))  # what is no monitor is passed over
    assert [e["time"] for e in lines(good(net("recover", "-", "-n", MAILBOX, "-j", stdin=everything))) if e["event"] == "recovered"] == \
        [e["time"] for e in events]


@test
def recover_answers_while_events_come_in():
    trace = lines(good(net("simulate", MAILBOX, "--for", "200", "--json")))
    with subprocess.Popen([EARSHOT, "net", "recover", "-", "-n", MAILBOX, "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        for event in trace[:4]:
            process.stdin.write(json.dumps(event) + "\n")
        process.stdin.flush()
        first = json.loads(process.stdout.readline())  # would wait for ever when the output were held back
        assert (first["transition"], first["time"]) == ("work", 25), first
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@test
def recover_finds_changes():
    path = changed_mailbox()
    trace = path_of("c.jsonl", good(net("simulate", path, "--for", "700", "--json")))
    found = lines(good(net("recover", trace, "-n", path, "--json")))
    first = next(e for e in found if e["event"] == "change")
    assert (first["place"], first["observed_to"], first["recovered_to"], first["observed"], first["recovered"]) == \
        ("c_poll", "other", "take", 61, 59), first
    assert found[-1]["changes"] == 1 and found[-1]["pasted"] > 10, found[-1]
    for how in ([], ["-j"]): # lines that are made together stand in the order of lines that are made one by one
        assert good(net("recover", trace, "-n", path, *how)) == good(net("recover", "-", "-n", path, *how, stdin=read(trace)))
    assert net("recover", trace, "-n", path, "-q", "--fail-on-change").returncode == EXPECTATION
    strict = lines(good(net("recover", trace, "-n", path, "--json", "--strict")))
    assert strict[-1]["pasted"] == 0 and "stopped" in strict[-1], strict[-1]
    text = good(net("recover", trace, "-n", path, "--quiet"))
    assert text.splitlines()[0].startswith("          61           59  CHANGE at c_poll, after work 2: observed -> other, "), text


@test
def computed_at_the_start():
    """A fixed step that an initial token enables is computed before the trace begins; its event is in the trace all the same."""
    path = path_of("fixed.net", "net fixed\ntr step [5,5] a -> b\ntr use [3,3] b -> c\npl a (1)\n# earshot: fixed step\n"
                                "# earshot: monitor step 0 0\n# earshot: monitor use 2\n# earshot: process 0 {p} step use\n")
    events = good(net("simulate", path, "--for", "100", "--json"))
    trace = path_of("fixed.jsonl", events)
    picture, directory = path_of("fixed.svg"), path_of("fixed-ctf")
    found = lines(good(net("recover", trace, "-n", path, "--json", "--picture", picture, "--ctf", directory)))
    assert [(e["transition"], e["time"], e.get("computed", False)) for e in found if e["event"] == "recovered"] == \
        [("step", 5, True), ("use", 8, False)], found
    assert "step" in read(picture)
    out = subprocess.run(["babeltrace2", directory], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert 'transition = "step"' in out, out
    without = path_of("without.jsonl", "".join(line + "\n" for line in events.splitlines() if '"step"' not in line))
    result = net("recover", without, "-n", path, "-q")
    assert result.returncode == USAGE and "the trace may lack a firing of 'step'" in result.stderr, result.stderr


@test
def recover_writes_ctf():
    path, directory = changed_mailbox(), path_of("ctf")
    trace = path_of("c.jsonl", good(net("simulate", path, "--for", "700", "--json")))
    found = lines(good(net("recover", trace, "-n", path, "--json", "--ctf", directory, "--clock", "1000")))
    out = subprocess.run(["babeltrace2", "--clock-seconds", directory], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    assert out.stderr == "", out.stderr
    read_back = {}
    for line in out.stdout.splitlines():
        match = re.match(r"\[(\d+\.\d+)\] \(.*?\) recovered: .* number = (\d+), recovered = (-?\d+), observed = (-?\d+), mark = (\d+), "
                         r'class = \( "(\w+)".*transition = "(\w+)"', line)
        if match:
            time, number, recovered, observed, mark, kind, name = match.groups()
            assert float(time) * 1000 == int(recovered)
            read_back[(name, int(number))] = (int(recovered), int(observed), int(mark), kind)
    wanted = {(e["transition"], e["number"]): (e["time"], e["observed"], e["mark"], e["class"]) for e in found if e["event"] == "recovered"}
    assert read_back == wanted
    assert out.stdout.count("behavioural_change: ") == len([e for e in found if e["event"] == "change"])
    fails(net("recover", trace, "-n", path, "-q", "--ctf", directory), OUTPUT, "holds a trace already")


@test
def pictures():
    path = changed_mailbox()
    trace = path_of("c.jsonl", good(net("simulate", path, "--for", "700", "--json")))
    first, second, page = path_of("a.svg"), path_of("b.svg"), path_of("a.html")
    for name in (first, second, page):
        good(net("recover", trace, "-n", path, "-q", "--picture", name))
    assert read(first) == read(second)
    assert read(first) in read(page)
    svg = ElementTree.parse(first).getroot()
    texts = ["".join(t.itertext()) for t in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert "producer" in texts and "consumer" in texts and "Producer and consumer: as observed, and without monitoring" in texts, texts
    assert any(t.startswith("c_poll, after work 2: observed \u2192 other (61), without monitoring \u2192 take (59)") for t in texts), texts
    bars = [r for r in svg.iter("{http://www.w3.org/2000/svg}rect") if r.get("class") == "bar"]
    events = lines(good(net("recover", trace, "-n", path, "-j")))
    assert len(bars) == len([e for e in events if e["event"] == "recovered"]) + len(lines(read(trace))) - 1, len(bars)
    good(net("recover", trace, "-n", path, "-q", "--picture", second, "--from", "100", "--to", "200"))
    assert len(read(second)) < len(read(first)) / 2
    ElementTree.parse(second)
    fails(net("recover", trace, "-n", path, "--picture", path_of("a.png")), USAGE, ".svg or .html")


@test
def excerpts():
    """Of a long run a picture shows what is around the first change, and the whole of it in an overview."""
    path = changed_mailbox()
    trace = path_of("long.jsonl", good(net("simulate", path, "--for", "200000", "--json")))
    target = path_of("long.svg")
    good(net("recover", trace, "-n", path, "-q", "--picture", target))
    found = lines(good(net("recover", trace, "-n", path, "-j")))
    events, changes = [[e for e in found if e["event"] == kind] for kind in ("recovered", "change")]
    svg = ElementTree.parse(target).getroot()
    texts = ["".join(t.itertext()) for t in svg.iter("{http://www.w3.org/2000/svg}text")]
    caption = [t for t in texts if t.startswith("the whole run")]
    end = max(e["time"] for e in events)
    begins = f"the whole run, 0 to {end}: {len(events)} events, {len(changes)} changes of behaviour; drawn below: "
    assert len(caption) == 1 and caption[0].startswith(begins), (caption, begins)
    first, last = map(int, re.fullmatch(r"(\d+) to (\d+)", caption[0][len(begins):]).groups())
    assert first < changes[0]["recovered"] < last and last - first < end / 50, caption
    titles = ["".join(t.itertext()) for t in svg.iter("{http://www.w3.org/2000/svg}title")]
    shown = sorted(int(t.split("\nat ")[1].split(",")[0].split("\n")[0]) for t in titles if "\nat " in t)
    drawn = [e for e in events if first <= e["time"] <= last]
    for process in {e["process"] for e in events}:  # what is going on when the excerpt ends
        drawn.append(min((e for e in events if e["process"] == process and e["time"] > last), key=lambda e: e["time"]))
    assert shown == sorted(e["time"] for e in drawn), (shown[:3], shown[-3:])
    ends = {}
    for bar in (r for r in svg.iter("{http://www.w3.org/2000/svg}rect") if r.get("class") == "bar"):
        ends[bar.get("y")] = max(ends.get(bar.get("y"), 0), round(float(bar.get("x")) + float(bar.get("width")), 1))
    assert len(ends) == 4 and len(set(ends.values())) == 1, ends
    assert int(svg.get("width")) < 2500
    reused = [e for e in drawn if e.get("reused")]
    assert ("used again" in texts) == bool(reused) and read(target).count('fill="url(#reused)"') == len(reused) + bool(reused)
    good(net("recover", trace, "-n", path, "-q", "--picture", target, "--from", "100", "--to", "200"))
    assert "the whole run" not in read(target)


sys.exit(run_tests())
