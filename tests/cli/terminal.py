"""Hits on a terminal: one line of it each, whatever its width; in a pipe whole lines."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

from harness import run_all
from tmux import width

BUILD = os.environ.get("EARSHOT_BUILD", "build")
THERMOSTAT = f"{BUILD}/examples/thermostat-O0.elf"
LONG = ["-e", "a_name_of_thirty_characters_or_so: when enter(clamp) { print temp, mode, plant.zone[0].reading, plant.zone[1].power, plant.steps }",
        "-e", "short: write(temp)", "-e", "still: temp unchanged for 100us { print temp }"]
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def on_terminal(columns, *arguments, **environment):
    """What a terminal of so many columns gets, and the exit code."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}
    env.pop("NO_COLOR", None) if "NO_COLOR" not in environment else None
    process = subprocess.Popen([f"{BUILD}/earshot", "watch", *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE, env=env)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    process.communicate(timeout=60)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n"), process.returncode


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def hits(text):
    return [line for line in plain(text).splitlines() if re.match(r" *[0-9.]+ (µs|ms|us|s) [ ?] ", line)]


@test
def each_hit_is_one_line():
    whole = subprocess.run([f"{BUILD}/earshot", "watch", THERMOSTAT, *LONG, "-n", "40"], capture_output=True, text=True, timeout=60, check=True,
                           env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    assert max(width(line) for line in hits(whole)) > 120, whole  # there is something to fit
    for columns in 20, 40, 80, 120, 200:
        for extra in (), ("--times",):
            shown, code = on_terminal(columns, THERMOSTAT, *LONG, "-n", "40", *extra)
            assert code == 0, shown
            lines = hits(shown)
            assert len(lines) == len(hits(whole)), (columns, shown)
            assert max(map(width, lines)) <= columns, (columns, shown)
            if columns >= 40:
                assert all("a_na" in line or "short" in line or "still" in line for line in lines), shown
            if columns == 80:
                assert all(re.search(r"(\.c:\d+|0x[0-9a-f]{8})$", line) for line in lines if "still" not in line) or extra, shown
                assert "…" in shown, shown
            if columns == 200 and not extra:
                assert "…" not in shown and [line.split() for line in lines] == [line.split() for line in hits(whole)], shown


@test
def columns_stand_below_each_other():
    """Names, values, paths and places begin in the same column on each line, once the widest were seen."""
    for columns in 40, 50, 60, 70, 80, 100:
        shown, _ = on_terminal(columns, THERMOSTAT, *LONG, "-e", "lat: when enter(control) then leave(control) { print elapsed }", "-n", "60")
        lines = hits(shown)[20:]
        begins = [re.match(r" *[0-9.]+ ms   (\S+ +)(\S.*)", line) for line in lines]
        assert len({width(match[1]) for match in begins}) == 1, (columns, shown)
        paths = {width(line[:line.index("main >")]) for line in lines if "main >" in line}
        assert len(paths) <= 1 and (paths or columns < 60), (columns, shown)
        places = {match.start() for match in (re.search(r"\S+\.c:\d+$", line) for line in lines) if match}
        assert len(places) <= 1 and (places or columns < 70), (columns, shown)


def erased(text):
    """Without the line that was drawn below, and taken away again."""
    return re.sub(r"[^\n]*\r\x1b\[J", "", text)


LOSSY = [f"{BUILD}/examples/recursion-O0.elf", "-e", "calls_of_both: when enter(fact) || leave(fact) || enter(sort) || leave(sort)", "--ratio", "1", "--for", "8ms"]


@test
def summaries_fit():
    """Broken between words, and nothing of them is missing."""
    whole = subprocess.run([f"{BUILD}/earshot", "watch", *LOSSY], capture_output=True, text=True, timeout=60, check=True).stdout
    assert "LOST: " in whole
    whole = whole[whole.index("\n  statement"):]
    speed = r" in [0-9.]+ s \([0-9.]+ "
    for columns in 30, 40, 80, 200:
        shown, _ = on_terminal(columns, *LOSSY)
        lines = plain(erased(shown)).split("\n")
        lines = lines[next(at for at, line in enumerate(lines) if line.startswith("  statement ")):]
        assert max(map(width, lines)) <= columns, (columns, lines)
        words = re.sub(speed, " in ", " ".join(" ".join(lines).split()))
        if columns >= 40:
            assert words == re.sub(speed, " in ", " ".join(whole.split())), (columns, words)


# nothing of it is ever true, so that nothing comes between the losses
HOPELESS = [f"{BUILD}/examples/thermostat-O0.elf", "-e", "when temp * temp * plant.steps % 7 == 9", "-e", "when plant.steps * temp * temp % 5 == 7",
            "-e", "when history[3] * history[2] / 7 == 1234567", "--ratio", "1", "--for", "30ms"]


@test
def gaps_after_each_other_are_one_line():
    """On a terminal; in a pipe and with --json each is told."""
    def gaps(text):
        found = [re.match(r"GAP: (\d+) (\w+)", line) for line in text.splitlines()]
        kinds = [match.group(2) if match else None for match in found]
        lost = {}
        for match in filter(None, found):
            lost[match.group(2).rstrip("s")] = lost.get(match.group(2).rstrip("s"), 0) + int(match.group(1))
        return kinds, lost

    each, lost = gaps(subprocess.run([f"{BUILD}/earshot", "watch", *HOPELESS], capture_output=True, text=True, timeout=60, check=True).stdout)
    together, told = gaps(plain(erased(on_terminal(250, *HOPELESS)[0])))
    assert told == lost and lost, (told, lost)
    twice = [kind for kind, after in zip(each, each[1:]) if kind and kind == after]
    assert twice and len(list(filter(None, together))) < len(list(filter(None, each))), (each, together)
    for at in range(len(together)):   # of what follows each other, each kind once
        row = []
        while at + len(row) < len(together) and together[at + len(row)]:
            row.append(together[at + len(row)])
        assert len(row) == len(set(row)), together


@test
def interrupts_and_tasks_fit():
    program = f"{BUILD}/examples/tasks-O0.elf"
    for columns in 40, 60, 80:
        shown, code = on_terminal(columns, program, "--task", "current", "-e", "enter(choose_next)", "-n", "20")
        assert code == 0 and hits(shown), shown
        assert max(map(width, hits(shown))) <= columns, shown


@test
def no_color_is_honoured():
    for columns in 40, 80:
        coloured, plain_text = on_terminal(columns, THERMOSTAT, *LONG, "-n", "5")[0], on_terminal(columns, THERMOSTAT, *LONG, "-n", "5", NO_COLOR="1")[0]
        assert "\x1b[" in coloured and "\x1b" not in plain_text, plain_text
        assert hits(coloured) == hits(plain_text), (coloured, plain_text)


if __name__ == "__main__":
    sys.exit(run_all(TESTS))
