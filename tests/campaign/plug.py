"""A probe with power of its own is unplugged and plugged in again at random moments: the session goes on, and what came and what was lost add up."""
import json
import os
import subprocess

from ground import EARSHOT, FOREVER, PATIENCE, Wrong, expect
from virtual import Virtual

ABOUT = "a probe unplugged and plugged in again at random moments"
CASES = {"full": 100, "short": 1}
EVERY = 256  # beats from hit to hit
STATEMENT = f"when beat % {EVERY} == 0 {{ print beat }}"


def look_at(lines, figures):
    """Times and values rise, and where no gap is told between two hits, nothing is missing. What came is not more than what was counted, nor less by more than
    was lost."""
    last, whole, hits, gaps = None, True, 0, 0
    for line in lines:
        if line["event"] == "gap":
            whole, gaps = False, gaps + 1
        elif line["event"] == "hit":
            beat = line["values"]["beat"]
            expect(beat % EVERY == 0 and (last is None or (line["cycle"] > last["cycle"] and beat > last["values"]["beat"])), last, line)
            expect(last is None or not whole or beat == last["values"]["beat"] + EVERY, "hits are missing, and nothing is said of it", last, line)
            last, whole, hits = line, True, hits + 1
    summary = lines[-1]
    expect(summary["event"] == "summary" and hits <= summary["hits"] <= hits + summary["lost"], hits, summary)
    figures.add("hits that came", hits)
    figures.add("gaps", gaps)
    figures.add("told as lost", summary["lost"])


def case(chance, figures):
    with Virtual(FOREVER, "--power", "own", "--start", "now", "--fault-seed", str(chance.randrange(1 << 31))) as probe:
        command = [EARSHOT, "watch", "--probe", "ftdi", "--attach", "--json", "--for", "2s", os.fspath(FOREVER), "-e", STATEMENT]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=probe.env)
        lines, replugs = [], chance.randrange(5, 15)
        try:
            for line in process.stdout:
                lines.append(json.loads(line))
                if lines[-1]["event"] == "hit" and replugs and chance.random() < 0.3 and probe.status()["plugged"]:
                    probe.tell(f"after {chance.randrange(600)} replug {chance.randrange(1, 300)}")
                    replugs -= 1
                    figures.add("unplugs ordered")
            code = process.wait(PATIENCE)
            expect(code == 0, f"exit {code}: {process.stderr.read()}")
        except subprocess.TimeoutExpired:
            raise Wrong("hangs") from None
        finally:
            process.kill()
            process.wait()
    look_at(lines, figures)
