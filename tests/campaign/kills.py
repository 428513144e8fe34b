"""A daemon that records is killed at any moment. What could be read of its trace until then can still be read, and what it has told a client comes to the
disk without more being told: how soon is a figure, for a busy machine or disk makes any number of seconds of it."""
import glob
import os
import select
import signal
import time

from bench import Client, Daemon
from ground import BEATS, FOREVER, PATIENCE, are_true, babeltrace, earshot, expect, hits_of, read_trace

ABOUT = "earshotd killed with -9 while it records"
CASES = {"full": 200, "short": 4}


def listen_until(client, end, told):
    """Takes what comes until then: told gets (arrival, bytes)."""
    while (left := end - time.monotonic()) > 0:
        if select.select([client.socket], [], [], left)[0]:
            told.append((time.monotonic(), client.socket.recv(1 << 20)))


def arrivals(told):
    """[(time of arrival, beat)] of the lines that are whole."""
    found, rest = [], b""
    for at, data in told:
        *lines, rest = (rest + data).split(b"\n")
        found += [(at, beat) for _, beat in hits_of(b"\n".join(line for line in lines if b'"hit"' in line).decode())]
    return found


def hits_on_disk(directory, figures):
    """Through all readers: as it is, and as other tools read it after a repair."""
    found = read_trace(directory)
    if found is None:
        return []
    hits, others = found
    expect(not [line for line in others if line["event"] == "gap"], "the trace tells of a loss", others[:3])
    code, _, _ = babeltrace(directory)
    if code != 0:
        figures.add("torn ends")
        mended = earshot("read", directory, "--repair")
        expect(mended.returncode == 0, "earshot read --repair", mended.stderr)
        again = read_trace(directory)
        expect(again and again[0] == hits, "the repair took hits away")
    code, count, complaint = babeltrace(directory)
    expect(code == 0, "babeltrace2", complaint)
    expect(count == len(hits), f"babeltrace2 reads {count} hits, earshot {len(hits)}")
    return hits


def on_disk(daemon):
    """How many hits can be read of what it is writing."""
    directories = glob.glob(os.path.join(daemon.traces, "*"))
    found = read_trace(directories[0]) if directories else None
    return len(found[0]) if found else 0


def comes_to_disk(daemon, told):
    """What was told until now."""
    last, end = max((beat for _, beat in arrivals(told)), default=0), time.monotonic() + PATIENCE
    while (kept := on_disk(daemon)) < last:
        expect(time.monotonic() < end, f"of {last} hits that were told, {kept} are on the disk")
        time.sleep(0.05)
    return kept


def case(chance, figures):
    config = {"trace": {"rotate_bytes": chance.choice(["4096", "65536", "1000000"])}}
    with Daemon(config) as daemon, Client(daemon) as client:
        begun = client.watch(FOREVER, BEATS, record=True, name="beats")
        expect(begun["event"] == "reply", begun)
        told = [(time.monotonic(), client.rest)]
        listen_until(client, time.monotonic() + chance.uniform(0, 2.5), told)
        kept = comes_to_disk(daemon, told) if chance.random() < 0.3 else on_disk(daemon)
        listen_until(client, time.monotonic() + chance.uniform(0, 0.3), told)
        killed = time.monotonic()
        daemon.end(signal.SIGKILL)
        directories = glob.glob(os.path.join(daemon.traces, "*"))
        expect(len(directories) <= 1, directories)
        hits = hits_on_disk(directories[0], figures) if directories else []
        client_was_told = arrivals(told)
    expect(are_true(hits), "the trace has hits that were not")
    expect([beat for _, beat in hits] == list(range(1, len(hits) + 1)), "hits are missing within the trace")
    missing = [at for at, beat in client_was_told if beat > len(hits)]
    late = killed - missing[0] if missing else 0
    figures.add("hits kept", len(hits))
    figures.add("told and not kept", len(missing))
    figures.most("seconds missing", late)
    expect(len(hits) >= kept, f"{len(hits)} hits are on the disk, of {kept} that could be read before")
