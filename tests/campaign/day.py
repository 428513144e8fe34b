"""24 hours of events as fast as the daemon takes them, recorded and read by a client. Memory does not grow, and no hit is missing that is not called lost."""
import glob
import json
import os
import re
import subprocess
import tempfile
import time

import ground
from bench import Client, Daemon
from ground import BEATS, BUILD, EARSHOT, FOREVER, PATIENCE, earshot, expect

ABOUT = "24 hours of a target's events, as fast as earshotd takes them"
CASES = {"full": 2, "short": 1}
HITS = {True: 400000, False: 20000000}  # short or not
DAY_CLOCKS = 24 * 3600 * 10000000       # of a target of 10 MHz
GROWTH_MOST = 16 << 20                  # of the queue for the disk, once more: it may be empty when measuring begins
PUMP = os.path.join(BUILD, "tests/campaign/pump")
LIMIT = 40 * PATIENCE


class Reader:
    """Counts what a client is told, without looking at each line: 20 million are too many for that."""

    def __init__(self):
        self.rest, self.hits, self.missed, self.other, self.last = b"", 0, 0, [], 0

    def take(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        hits = [line for line in lines if b'"event":"hit"' in line]
        self.hits += len(hits)
        for line in [line for line in lines if b'"event":"gap"' in line]:
            gap = json.loads(line)
            expect(gap["what"] == "host", gap)
            self.missed += gap["lost"]
        if hits:
            last = int(re.search(rb'"beat":(\d+)', hits[-1])[1])
            expect(last > self.last, f"{last} comes after {self.last}")
            self.last = last
        self.other += [line for line in lines if re.search(rb'"event":"(end|warning)"', line)]
        return any(b'"event":"end"' in line for line in lines)


def listen(client, daemon, count, figures):
    """Until the run's end. (reader, growth of memory from the first quarter on)"""
    reader, settled, most, begin = Reader(), None, 0, time.monotonic()
    client.socket.settimeout(PATIENCE)
    ended = reader.take(client.rest)
    while not ended:
        data = client.socket.recv(1 << 20)
        expect(data, "the connection ended")
        ended = reader.take(data)
        if reader.last > count // 4:
            most = max(most, daemon.memory())
            settled = settled or most
        expect(time.monotonic() - begin < LIMIT, "it does not end")
    figures.most("MB of the daemon's memory", most / 1e6)
    return reader, most - settled


def look_at_trace(directory, count, figures):
    """Each hit is there or called lost; where old chunks were removed, only that it can be read to its end."""
    done = subprocess.run([EARSHOT, "read", directory, "--json"], stdout=subprocess.PIPE, timeout=LIMIT, check=False)
    reader = Reader()
    reader.take(done.stdout)
    expect(done.returncode == 0 and reader.last, f"earshot read: exit {done.returncode}")
    if ground.SHORT:
        expect(reader.hits + reader.missed == count, f"{reader.hits} hits in the trace, {reader.missed} called lost, of {count}")
    figures.add("hits read back", reader.hits)
    figures.add("called lost in the trace", reader.missed)


def case(_chance, figures):
    count = HITS[ground.SHORT]
    with tempfile.TemporaryDirectory() as folder:
        recording, fifo, statements = (os.path.join(folder, name) for name in ("recording", "fifo", "beats.watch"))
        expect(earshot("watch", FOREVER, "-e", BEATS, "--count", "50", "--record", recording).returncode == 0, "no recording")
        os.mkfifo(fifo)
        with open(statements, "w", encoding="utf-8") as file:
            file.write(BEATS + "\n")
        monitor = {"program": os.path.abspath(FOREVER), "statements": statements, "probe": f"file:{fifo}", "record": "yes"}
        config = {"trace": {"rotate_bytes": "16000000", "keep_bytes": "200000000"}, "monitor day": monitor}
        with Daemon(config) as daemon, Client(daemon) as client:
            client.send({"do": "join", "run": "day"})
            client.line()
            with open(fifo, "wb") as pipe:
                pump = subprocess.Popen([PUMP, recording, str(count), str(DAY_CLOCKS // count)], stdout=pipe)
            reader, growth = listen(client, daemon, count, figures)
            expect(pump.wait(PATIENCE) == 0, "the pump failed")
            expect(b'"code":"ok"' in reader.other[-1], reader.other)
            expect(reader.hits + reader.missed == count, f"{reader.hits} hits, {reader.missed} told as missed, of {count}")
            figures.add("hits through the daemon", count)
            figures.add("of these missed by the client, and told", reader.missed)
            figures.most("MB that it grew", growth / 1e6)
            expect(growth < GROWTH_MOST or ground.SHORT, f"memory grew by {growth} bytes")
            look_at_trace(glob.glob(os.path.join(daemon.traces, "*"))[0], count, figures)
            expect(daemon.end() == 0, daemon.said())
