"""`earshot watch` on a real terminal (tmux): the line below the hits, keys, stops, widths; and what is said when nothing hits."""
import os
import re
import signal
import subprocess
import sys
import time

from harness import run_all
from tmux import Terminal, width

BUILD = os.environ.get("EARSHOT_BUILD", "build")
TICKS = f"{BUILD}/tests/cli/ticks.elf"
WATCH = f"{BUILD}/earshot watch {TICKS}"
HIT = re.compile(r"^ *\d+\.\d{4} ms +s1 +tick=(\d+)")
STATUS = re.compile(r"\d+ hits?\b")
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def ticks(lines):
    return [int(match.group(1)) for match in map(HIT.match, lines) if match]


def is_status(line):
    return not HIT.match(line) and STATUS.search(line) and "statement" not in line


def in_a_row(numbers):
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@test
def hits_with_a_line_below():
    for columns in 40, 80, 200:
        with Terminal(columns) as t:
            t.run(f"clear; {WATCH} -e tick")
            t.wait("tick=12")
            lines = t.until(lambda lines: is_status(lines[-1]), "the line below")  # it is not there between erasing and drawing
            assert max(map(width, lines)) <= columns, lines
            assert sum(map(bool, map(is_status, lines))) == 1, lines
            if columns > 40:
                assert re.search(r"\d+ hits  0 lost  \d+(\.\d)?k?/s  \d+\.\d{4} ms", lines[-1]), lines[-1]
            if columns == 200:
                assert re.search(r" [\d.]+[kM] clocks/s +space pause  / filter  q end", lines[-1]), lines[-1]
            t.type("q")
            lines = t.wait("nothing lost", "simulated", history=True)
            told = int(re.search(r"(\d+) hits, nothing lost", "\n".join(lines)).group(1))
            assert ticks(lines) == list(range(1, told + 1)), lines  # each of them, once, in its own line
            assert not any(is_status(line) and "nothing lost" not in line for line in lines), lines


@test
def a_pause_holds_all():
    with Terminal(80) as t:
        t.run(f"clear; {WATCH} -e tick")
        t.wait("tick=5")
        t.type(" ")
        t.wait("PAUSED", now=True)
        before = ticks(t.screen(history=True))[-1]
        t.wait("PAUSED: 1")
        time.sleep(0.5)
        assert ticks(t.screen(history=True))[-1] == before, "it is held"
        t.type(" ")
        t.wait(f"tick={before + 8}", without=["PAUSED"])
        t.type(" ")
        t.wait("PAUSED: ", now=True)
        time.sleep(0.4)
        t.type("q")  # what is held comes before the summary
        lines = t.wait("nothing lost", "simulated", history=True)
        told = int(re.search(r"(\d+) hits, nothing lost", "\n".join(lines)).group(1))
        assert ticks(lines) == list(range(1, told + 1)), lines


@test
def filters_and_toggles():
    with Terminal(100) as t:
        t.run(f"clear; {WATCH} -e tick -e 'größe: größe_des_überlaufbehälters_im_erdgeschoss'")
        t.wait("tick=3")
        t.type("1")
        t.wait("1 hidden")
        last = ticks(t.screen(history=True))[-1]
        t.wait("not shown")
        time.sleep(0.3)
        assert ticks(t.screen(history=True))[-1] == last
        t.type("0")
        t.wait("s1     tick=", without=["1 hidden"])
        t.until(lambda _: ticks(t.screen(history=True))[-1] > last, "they are shown again")
        t.type("/größx")
        t.key("BSpace")
        t.wait("/größ_")
        t.key("Enter")
        t.wait("/größ  ")
        last = ticks(t.screen(history=True))[-1]
        t.until(lambda _: sum("größe=" in line or "erdgeschoss=" in line for line in t.screen(history=True)) > last + 2, "the others are shown")
        lines = t.screen(history=True)
        assert ticks(lines)[-1] == last, lines
        t.type("?")
        t.wait("space pauses and goes on", "2 größe")
        t.key("Up")  # sends an escape sequence: no text, no command
        t.type("q")
        told = "\n".join(t.wait("nothing lost", "simulated"))
        counts = re.findall(r"^  (?:s1|größe) +(\d+)$", told, re.MULTILINE)  # all of them, shown or not
        assert len(counts) == 2 and abs(int(counts[0]) - int(counts[1])) <= 1, told


@test
def stopped_and_continued():
    with Terminal(80) as t:
        t.run(f"clear; {WATCH} -e tick")
        t.wait("tick=4")
        t.key("C-z")
        t.wait("Stopped", now=True)
        stopped = ticks(t.screen(history=True))[-1]
        t.run("stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(icanon|echo)' | tr '\\n' ' '")
        t.wait("icanon echo")
        lines = t.screen()
        assert not any(is_status(line) for line in lines), lines
        t.run("fg")
        t.wait(f"tick={stopped + 3}")
        t.type(" ")  # keys come again
        t.wait("PAUSED", now=True)
        t.type(" ")
        t.wait(" lost", without=["PAUSED"])
        t.key("C-z")  # which throws away what was typed and not read
        t.wait("Stopped", now=True)
        t.run("clear; bg")
        t.wait("tick=")
        time.sleep(0.5)
        assert not any(is_status(line) for line in t.screen()), t.screen()  # in the background: no line, no keys
        t.run("fg")
        t.wait(" lost")
        t.key("C-c")
        lines = t.wait("nothing lost", "simulated", history=True)
        t.run("stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(icanon|echo)' | tr '\\n' ' '")
        t.wait("icanon echo", without=["-icanon"])


@test
def other_widths_while_it_runs():
    with Terminal(120) as t:
        t.run(f"clear; {WATCH} -e tick")
        t.wait("tick=4", " lost")
        for columns in 50, 30, 100, 40:
            t.resize(columns)
            at = ticks(t.screen(history=True))[-1]
            t.wait(f"tick={at + 4}")
            lines = t.screen()
            new = [line for line in lines if HIT.match(line)][-3:]
            assert max(map(width, new)) <= columns, lines
        t.type("q")
        lines = t.wait("nothing lost", history=True)
        numbers = ticks(lines)
        assert in_a_row(numbers), lines  # nothing was erased, nothing shown twice


@test
def wide_names_fit():
    with Terminal(60) as t:
        t.run(f"clear; {WATCH} -e '温度' -e 'größe_des_überlaufbehälters_im_erdgeschoss' -n 20")
        lines = t.wait("nothing lost", history=True)
        hits = [line for line in lines if " ms   s" in line]
        assert len(hits) == 20 and max(map(width, hits)) <= 60, lines
        assert any("温度=" in line for line in hits) and all("größ" in line for line in hits if "s2" in line), lines
    with Terminal(130) as t:  # where they have room, columns are below each other
        t.run(f"clear; {WATCH} -e '温度' -e 'größe_des_überlaufbehälters_im_erdgeschoss' -n 20")
        lines = t.wait("nothing lost", history=True)
        hits = [line for line in lines if " ms   s" in line]
        assert len({line.index("main") - len(line[:line.index("main")]) + width(line[:line.index("main")]) for line in hits[2:16]}) == 1, hits


@test
def colours_when_wanted():
    for environment, option, wanted in ({}, "", True), ({"NO_COLOR": "1"}, "", False), ({}, "--no-color", False):
        with Terminal(80, **environment) as t:
            t.run(f"clear; {WATCH} -e tick {option}")
            lines = t.wait("tick=", " lost", colors=True, now=True)
            assert any("\x1b[" in line for line in lines if "tick=" in line and "watch" not in line) == wanted, lines
            t.key("C-c")
            t.wait("nothing lost")
    with Terminal(80, TERM="dumb") as t:
        t.run(f"clear; TERM=dumb {WATCH} -e tick -n 30 | cat -v; TERM=dumb {WATCH} -e tick -n 30")
        lines = t.wait("30 hits, nothing lost", history=True)
        assert not any(" lost  " in line for line in lines), lines


@test
def nothing_but_hits_when_quiet():
    with Terminal(80) as t:
        t.run(f"clear; {WATCH} -e tick -q -n 30; echo done")
        lines = [line for line in t.wait("\ndone", history=True) if line]
        assert ticks(lines) == list(range(1, 31)) and len(lines) <= 32, lines


@test
def what_it_waits_for():
    with Terminal(80) as t:
        t.run(f"clear; {WATCH} -e never")
        lines = t.wait("no hits yet", "s1 waits for writes to never (ticks.c:4)", "0 hits", now=True)
        assert sum("waits for" in line for line in lines) == 1, lines
        t.key("C-c")
        t.wait("0 hits, nothing lost")
    statements = ["-e", "a: never == 1 || enter(main) && never", "-e", "b: read(never)", "-e", "c: at(ticks.c:17)", "-e", "disabled when leave(main) { print }"]
    for extra, wanted in ([], True), (["--json"], True), (["-q"], False):
        process = subprocess.Popen([f"{BUILD}/earshot", "watch", TICKS, *statements, *extra], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        told = ""
        if wanted:
            while " waits for returns from main" not in told:  # the last of it
                line = process.stderr.readline()
                assert line, told
                told += line
        time.sleep(1 if wanted else 4)  # time for what should not be told, or not again
        process.send_signal(signal.SIGINT)
        out, rest = process.stdout.read(), process.stderr.read()
        assert process.wait(timeout=60) == 0 or not wanted, told
        told += rest
        assert "waits for" not in out and told.count("no hits yet") == wanted, (extra, told)
        if wanted:
            for text in ("a waits for writes to never (ticks.c:4), or calls of main (ticks.c:8)", "b waits for reads of never (ticks.c:4)",
                         "c waits for execution of ticks.c:17", "s1 waits for returns from main (ticks.c:8), and for being enabled"):
                assert told.count(f"earshot: {text}\n") == 1, told


@test
def one_unit_for_all_times():
    said = subprocess.run([f"{BUILD}/earshot", "watch", f"{BUILD}/examples/thermostat-O0.elf", "-e", "temp", "-e", "mode"], capture_output=True,
                          text=True, timeout=60, check=True).stdout
    lines = [line for line in said.splitlines() if re.match(r" *\d+\.\d+ (\S+)  ", line)]
    assert len(lines) > 100 and {line.split()[1] for line in lines} == {"ms"}, said
    assert {line.index(".") for line in lines} == {4} and {len(line.split()[0].split(".")[1]) for line in lines} == {4}, said
    exact = subprocess.run([f"{BUILD}/earshot", "watch", f"{BUILD}/examples/thermostat-O0.elf", "-e", "temp", "--clock", "48000000"],
                           capture_output=True, text=True, timeout=60, check=True).stdout
    assert re.match(r" *\d+\.\d{5} ms", exact), exact[:80]  # its clocks take 20.8 ns


if __name__ == "__main__":
    sys.exit(run_all(TESTS))
