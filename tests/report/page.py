#!/usr/bin/python3
"""The page of `earshot report` in a real browser: what it shows is what the trace holds; zoom, search, selection, distributions."""
import collections
import json
import math
import os
import struct
import subprocess
import tempfile

from browser import Browser
from common import EARSHOT, hits_of, report, write_made, write_trace
from harness import run_all  # after common, which says where it is

FOLDER = tempfile.TemporaryDirectory()
HIT_COUNT = 6000


class Shared:
    """One browser and one page for all tests that only look."""

    browser = page = records = None


def fresh():
    """The page as it is when it was just opened."""
    Shared.browser.open(Shared.page)
    return Shared.browser


def assert_quiet(browser):
    log = [line for line in browser.log() if "willReadFrequently" not in line]  # of this test's own reading
    assert log == [], log


def found():
    """How many hits the table says it has."""
    return Shared.browser.value("earshot.hits.found.length")


def shows_what_the_trace_holds():
    browser, records = fresh(), Shared.records
    hits, summary = hits_of(records), records[-1]
    assert browser.value("earshot.model.hits") == len(hits) == HIT_COUNT
    by_statement = collections.Counter(hit["statement"] for hit in hits)
    assert browser.value("earshot.model.statements.map((s) => [s.name, s.hits])") == [[s["name"], by_statement[s["name"]]] for s in records[0]["statements"]]
    by_task = collections.Counter(hit["task"] for hit in hits)
    assert dict(browser.value("earshot.model.tasks.map((t) => [t.name, t.at.length])")) == by_task
    assert browser.value("Array.from(earshot.model.time)") == [hit["cycle"] for hit in hits]
    text = browser.value("document.querySelector('header').innerText")
    for wanted in ("thermostat.elf", "6\u202f000", "FAILED", "it occurred while it never should", "412 events", "3 frames", "exit code 0"):
        assert wanted in text, (wanted, text)
    assert browser.value("document.title") == "thermostat.elf: Earshot report"
    tables = browser.value("document.getElementById('statements').innerText")
    assert f"hot\t{summary['counters']['hot']:,}".replace(",", "\u202f") in tables, tables
    assert_quiet(browser)


def losses_are_listed_and_drawn():
    browser = fresh()
    gaps = [record for record in Shared.records if record["event"] == "gap"]
    assert browser.value("earshot.model.losses.map((l) => [l.from, l.to, l.count, l.what])") == [[g["cycle"], g["last_cycle"], g["lost"], g["what"]] for g in gaps]
    rows = browser.value("[...document.querySelectorAll('#loss-table .item')].map((row) => row.innerText)")
    assert len(rows) == len(gaps) and "412" in rows[0], rows
    script = """
        const canvas = document.querySelector('canvas.lane'), g = canvas.getContext('2d'), {model, view} = earshot;
        const at = (time) => [...g.getImageData(Math.round((time - view.from) / view.span * canvas.width), 0, 1, canvas.height).data];
        const reds = (bytes) => bytes.filter((value, i) => i % 4 === 0 && value > bytes[i + 2] + 40).length;
        const loss = model.losses[0];
        return [reds(at((loss.from + loss.to) / 2)), reds(at(loss.from - (loss.to - loss.from) / 2))];"""
    inside, outside = browser.run(script)
    assert inside > 5 and outside == 0, (inside, outside)
    browser.click("#loss-table .item")
    window = browser.value("[earshot.view.from, earshot.view.to]")
    assert window[0] < gaps[0]["cycle"] and window[1] > gaps[0]["last_cycle"] and window[1] - window[0] < browser.value("earshot.model.end") / 2


def same_text(shown, value, field):
    """Is the text in the page what JSON has?"""
    if value is None:
        return shown in ("?", "??")
    if isinstance(value, bool):
        return shown == str(value).lower()
    if field["kind"] == "float":
        return value == {"nan": "nan", "inf": "inf", "-inf": "-inf"}.get(shown) if isinstance(value, str) else (float(shown) == value if field["bits"] == 64 else struct.pack("f", float(shown)) == struct.pack("f", value))
    if field["kind"] == "char":
        return shown == "'" + chr(value & 255) + "'" or shown.startswith("'\\")
    if field["kind"] == "pointer":
        return shown.split(" ")[0] == (f"0x{value & 0xFFFFFFFF:08x}" if value & 0xFFFFFFFF else "NULL")
    if field["kind"] == "text":
        return shown == value if field.get("parts") else json.loads(shown) == value
    if field["kind"] == "enum" and not isinstance(value, str):
        return shown == str(value) or "|" in shown
    if field["kind"] == "time":
        number, unit = shown.split("\u00a0")
        if float(number) > 1e9 and unit == "s":
            return True  # more than the host's nanoseconds can tell
        return math.isclose(float(number) * {"ns": 1, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9}[unit], value, rel_tol=1e-6, abs_tol=1)
    return shown == str(value)


def every_kind_of_value_is_shown_as_it_is():
    """Random values of all kinds, unknown ones, 64 bits wide ones, hits out of order: each as the records have it that were written."""
    directory, records = write_made(FOLDER.name, 3000, 5)
    browser = Shared.browser
    browser.open(report(directory))
    hits = sorted(hits_of(records), key=lambda hit: hit["cycle"])  # stable: as the page
    fields = {s["name"]: s["fields"][:s["values"]] for s in browser.value("earshot.model.head.schema.statements.map((s) => ({name: s.name, values: s.values, "
                                                                         "fields: s.fields.map((f) => ({name: f.name, kind: f.kind, bits: f.bits, parts: f.parts}))}))")}
    script = """
        const {model, texts} = earshot, out = [];
        for (let hit = 0; hit < model.hits; hit++) {
          const statement = model.statements[model.statement[hit]];
          out.push([model.time[hit], statement.name, statement.fields.slice(0, statement.values).map((f) => texts.value(model, f, model.row[hit])),
            texts.path(model, hit), model.taskName(hit)]);
        }
        return out;"""
    shown = browser.run(script)
    assert len(shown) == len(hits) > 2500, (len(shown), len(hits))
    wrong = []
    for (cycle, statement, texts, path, task), hit in zip(shown, hits):
        assert [cycle, statement] == [hit["cycle"], hit["statement"]]
        for field, text in zip(fields[statement], texts):
            key = field["name"] + ("_ns" if field["kind"] == "time" else "")
            if [f["name"] for f in fields[statement]].count(field["name"]) == 1 and not same_text(text, hit["values"][key], field):
                wrong.append((hit["cycle"], field["name"], text, hit["values"][key]))
        assert (path == "(path unknown)") == (hit["path"] is None) or "(a time had passed)" == path, (path, hit)
        assert task == hit["task"] or task in ("(no task)", "(task unknown)"), (task, hit)
    assert not wrong, wrong[:10]
    assert_quiet(browser)


def zooms_by_wheel_keys_and_drag():
    browser = fresh()
    end = browser.value("earshot.model.end")
    window = lambda: browser.value("[earshot.view.from, earshot.view.to]")  # noqa: E731
    assert window() == [0, end]
    browser.wheel("canvas.lane", 0, -300)
    first = window()
    assert 0 < first[0] < first[1] < end and math.isclose(sum(first) / 2, end / 2, rel_tol=0.02), first
    browser.pointer("canvas.lane", ("move", 0, 0), ("down",), ("move", 100, 0), ("up",))
    moved = window()
    assert moved[0] < first[0] and math.isclose(moved[1] - moved[0], first[1] - first[0], rel_tol=1e-6), (first, moved)
    browser.run("document.getElementById('timeline').focus();")
    browser.keys("+")
    assert math.isclose(window()[1] - window()[0], (moved[1] - moved[0]) / 2, rel_tol=1e-6)
    inside = sum(1 for hit in hits_of(Shared.records) if window()[0] <= hit["cycle"] < window()[1])
    counts = browser.value("earshot.timeline.lanes.slice(0, 4).map((lane) => Number(lane.number.textContent.replaceAll('\\u202f', '')))")
    assert sum(counts) == inside, (counts, inside)
    browser.keys("0")
    assert window() == [0, end]
    browser.pointer("canvas.overview", ("move", -100, 0), ("down",), ("move", 100, 0), ("up",))
    brushed = window()
    assert math.isclose(sum(brushed) / 2, end / 2, rel_tol=0.01) and brushed[1] - brushed[0] < end / 2, brushed
    for _ in range(40):
        browser.run("earshot.view.zoom(2);")
    assert window()[1] - window()[0] == 16, window()
    browser.click("#zoom-all")
    assert window() == [0, end]


def search_finds_what_it_should():
    browser, hits = fresh(), hits_of(Shared.records)
    wanted = {
        "temp>85": lambda h: h["values"].get("temp", 0) > 85,
        "temp>=85 mode=ARMED": lambda h: h["values"].get("temp", 0) >= 85 and h["values"]["mode"] == "ARMED",
        "mode!=ARMED": lambda h: h["values"].get("mode", "ARMED") != "ARMED",
        "load>0.7": lambda h: (h["values"].get("load") or 0) > 0.7,
        "task:idle": lambda h: h["task"] == "idle",
        "-task:idle statement:queue": lambda h: h["task"] != "idle" and h["statement"] == "queue",
        "elapsed>100us": lambda h: h["values"].get("elapsed_ns", 0) > 100000,
        "time<5ms": lambda h: h["time_ns"] < 5000000,
        "path:clamp": lambda h: "clamp" in h["path"],
        "path:consume>pop": lambda h: "consume>pop" in ">".join(h["path"]),
        "place:queue.c:110": lambda h: (h["file"], h["line"]) == ("src/queue.c", 110),
        "\"plant\"": lambda h: h["values"].get("from") == 0x20000040,
        "full=true": lambda h: h["values"].get("full") is True,
        "drain -full=true": lambda h: "drain" in h["path"] and not h["values"]["full"],
        "nothing-has-this": lambda h: False,
        "": lambda h: True,
    }
    for query, holds in wanted.items():
        browser.type("#search", query)
        expected = [i for i, hit in enumerate(hits) if holds(hit)]
        assert browser.value("Array.from(earshot.hits.found)") == expected, (query, found(), len(expected))
    for query, trouble in {"tmp>80": "no statement prints 'tmp'", "elapsed>5": "unit", "\"open": "not closed", "mode>HOT": "compared"}.items():
        browser.type("#search", query)
        assert trouble in browser.value("document.getElementById('search-trouble').innerText"), query
    assert_quiet(browser)


def the_table_holds_only_rows_that_are_seen():
    browser = fresh()
    rows = "[...document.querySelectorAll('#table .item:not([hidden])')]"
    assert browser.value(rows + ".length") < 60
    assert "100.000" in browser.value(rows + "[0].innerText")
    browser.run("document.querySelector('#table .body').scrollTop = 1e9;")
    browser.settle()
    last = browser.value(f"Math.max(...{rows}.map((row) => Number(row.getAttribute('aria-rowindex'))))")
    assert last == HIT_COUNT, last
    browser.type("#search", "statement:isr")
    browser.run("[...document.querySelectorAll('#table .head button')].find((button) => button.textContent.startsWith('elapsed')).click();")
    elapsed = [hit["values"]["elapsed_ns"] for hit in hits_of(Shared.records) if hit["statement"] == "isr"]
    assert browser.value("earshot.hits.items.length") == len(elapsed)
    shown = browser.value("Array.from(earshot.hits.items, (hit) => earshot.model.statements[1].fields[0].column[earshot.model.row[hit]] * 100)")
    assert shown == sorted(elapsed)


def a_click_selects_in_both():
    browser = fresh()
    browser.run("document.querySelectorAll('#table .item')[3].click();")
    browser.settle()
    assert browser.value("earshot.view.selected") == 3
    detail, hit = browser.value("document.getElementById('detail').innerText"), hits_of(Shared.records)[3]
    assert hit["statement"] in detail and f"{hit['file']}:{hit['line']}" in detail, detail
    target = browser.value("earshot.model.statements[3].at[2]")
    browser.run("earshot.hits.rows.onRow(arguments[0]); earshot.view.set(earshot.model.time[arguments[0]] - 5000, earshot.model.time[arguments[0]] + 5000);", target)
    browser.run("earshot.view.select(-1);")
    browser.settle()
    browser.pointer(".lanes .row:nth-of-type(5) canvas", ("move", 2, 0), ("down",), ("up",))
    assert browser.value("earshot.view.selected") == target
    assert browser.value("document.querySelector('#table [aria-selected=true]').innerText").split()[0] in browser.value("document.getElementById('detail').innerText")


def distributions_add_up():
    browser, hits = fresh(), hits_of(Shared.records)
    names = browser.value("earshot.distribution.things.map((thing) => [thing.statement.name, thing.name])")
    bars = "[...document.querySelectorAll('#histogram .part')].reduce((sum, part) => sum + Number(part.dataset.count), 0)"
    for i, (statement, name) in enumerate(names):
        browser.choose("#spread-field", str(i))
        own = [hit for hit in hits if hit["statement"] == statement]
        values = [hit["values"].get(name, hit["values"].get(name + "_ns")) for hit in own]
        expected = len([value for value in values if value is not None]) if name in {k.replace("_ns", "") for k in own[0]["values"]} else None
        for powers in (False, True):
            browser.run("document.getElementById('spread-log').checked = arguments[0]; earshot.distribution.draw();", powers)
            total = browser.value(bars)
            if expected is not None:
                assert total == expected, (statement, name, powers, total, expected)
            assert total > 0 or len(own) < 2, (statement, name)
    elapsed = sorted(hit["values"]["elapsed_ns"] for hit in hits if hit["statement"] == "isr")
    browser.choose("#spread-field", str(names.index(["isr", "elapsed"])))
    row = browser.value("[...document.querySelectorAll('#percentiles tbody th, #percentiles tbody td')].map((cell) => cell.innerText)")
    units = {"ns": 1, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9}
    shown = [float(text.split("\u00a0")[0]) * units[text.split("\u00a0")[1]] for text in row[1:8]]
    rank = [elapsed[max(0, math.ceil(len(elapsed) * percent / 100 - 1e-9) - 1)] for percent in (50, 90, 95, 99, 99.9)]
    for text, value in zip(shown, [elapsed[0], *rank, elapsed[-1]]):
        assert math.isclose(text, value, rel_tol=1e-5), (shown, value)


def call_paths_count_every_hit():
    browser, hits = fresh(), hits_of(Shared.records)
    frames = browser.value("[...document.querySelectorAll('.flame-row:first-child .frame')].map((frame) => [frame.textContent, Number(frame.dataset.count)])")
    assert dict(frames) == collections.Counter(hit["path"][0] for hit in hits), frames
    browser.run("[...document.querySelectorAll('.frame')].find((frame) => frame.textContent === 'clamp').click();")
    browser.settle()
    assert found() == sum(1 for hit in hits if hit["path"] == ["main", "control", "regulate", "clamp"])


def inflates_by_itself():
    """As in browsers that have no DecompressionStream."""
    browser = Shared.browser
    browser.open(Shared.page, "#inflate-here")
    assert browser.value("Array.from(earshot.model.time)") == [hit["cycle"] for hit in hits_of(Shared.records)]


def part_of_a_trace():
    directory, records = write_trace(FOLDER.name, "killed", 800)
    browser = Shared.browser
    browser.open(report(directory))
    assert "no end" in browser.value("document.getElementById('figures').innerText")
    browser.open(report(directory, "--from", "1ms", "--to", "2ms", "--statement", "isr"))
    expected = [hit["cycle"] for hit in hits_of(records) if hit["statement"] == "isr" and 10000 <= hit["cycle"] <= 20000]
    assert browser.value("Array.from(earshot.model.time)") == expected and expected
    assert "only from 1ms until 2ms of isr" in browser.value("document.getElementById('origin').innerText")


def nothing_hit():
    directory, _ = write_trace(FOLDER.name, "empty")
    browser = Shared.browser
    browser.open(report(directory))
    text = browser.value("document.body.innerText")
    assert "No hits here." in text and "Nothing was lost." in text and browser.value("earshot.model.hits") == 0
    browser.type("#search", "temp>3")
    browser.wheel("canvas.lane", 0, -300)
    for i in range(browser.value("earshot.distribution.things.length")):
        browser.choose("#spread-field", str(i))
    assert_quiet(browser)


def the_same_trace_makes_the_same_page():
    directory = os.path.join(FOLDER.name, "thermostat")
    other = os.path.join(FOLDER.name, "other.html")
    with open(report(directory), "rb") as first, open(report(directory, output=other), "rb") as second:
        assert first.read() == second.read()


def refuses_in_plain_words():
    directory = os.path.join(FOLDER.name, "thermostat")
    for arguments, code, words in ((["report"], 2, "which trace"), (["report", directory], 2, "-o FILE.html"),
                                   (["report", "/nowhere", "-o", "x.html"], 2, "/nowhere"),
                                   (["report", directory, "-o", "/nowhere/x.html"], 5, "/nowhere/x.html cannot be written"),
                                   (["report", directory, "-o", "/dev/full"], 5, "cannot be written"),
                                   (["report", directory, "-o", os.path.join(FOLDER.name, "x.html"), "--statement", "nosuch"], 2, "no statement 'nosuch'")):
        done = subprocess.run([EARSHOT, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == code and words in done.stderr, (arguments, done.returncode, done.stderr)
    assert not [name for name in os.listdir(FOLDER.name) if name.startswith("x.html")]


def dark_and_narrow():
    """Nothing is wider than a small window, and the colours are those of a dark page."""
    with Browser(420, 900, dark=True) as browser:
        browser.open(Shared.page)
        assert browser.value("document.documentElement.scrollWidth <= innerWidth"), browser.value("[document.documentElement.scrollWidth, innerWidth]")
        paper = browser.value("getComputedStyle(document.body).backgroundColor")
        assert sum(int(part) for part in paper[4:-1].split(",")) < 150, paper
        assert_quiet(browser)


TESTS = [shows_what_the_trace_holds, losses_are_listed_and_drawn, every_kind_of_value_is_shown_as_it_is, zooms_by_wheel_keys_and_drag,
         search_finds_what_it_should, the_table_holds_only_rows_that_are_seen, a_click_selects_in_both, distributions_add_up,
         call_paths_count_every_hit, inflates_by_itself, part_of_a_trace, nothing_hit, the_same_trace_makes_the_same_page,
         refuses_in_plain_words, dark_and_narrow]

if __name__ == "__main__":
    with FOLDER, Browser() as Shared.browser:
        made, Shared.records = write_trace(FOLDER.name, "thermostat", HIT_COUNT)
        Shared.page = report(made)
        code = run_all(TESTS)
    raise SystemExit(code)
