"""A disk that is full, read-only, broken, slow or stuck, while the daemon records. Clients get all hits; the trace has all that it does not call lost."""
import errno
import glob
import json
import mmap
import os
import struct
import tempfile
import threading

from bench import Client, Daemon
from ground import BEATS, BUILD, FOREVER, Wrong, are_true, babeltrace, expect, read_trace

ABOUT = "a disk that is full, read-only, broken, slow or stuck while earshotd records"
CASES = {"full": 100, "short": 2}
LAYER = os.path.abspath(os.path.join(BUILD, "tests/campaign/bad-disk.so"))
ORDERS = "6I"  # struct orders of bad_disk.c
ENDS = "the end of the trace could not be written", "no trace can be written there"
TROUBLE = "cannot be written", "left out", "written again"


class BadDisk:
    """The layer's orders, and the environment of the program that it is to disturb."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()
        self.file.truncate(struct.calcsize(ORDERS))
        self.memory = mmap.mmap(self.file.fileno(), struct.calcsize(ORDERS))

    def environment(self, directory):
        return {**os.environ, "EARSHOT_BAD_DISK": self.file.name, "EARSHOT_BAD_DIRECTORY": directory, "LD_PRELOAD": LAYER,
                "ASAN_OPTIONS": "verify_asan_link_order=0"}

    def order(self, error=0, changes_error=0, partly=0, delay_us=0, stuck=0):
        struct.pack_into("5I", self.memory, 0, error, changes_error, partly, delay_us, stuck)

    def disturbed(self):
        return struct.unpack_from(ORDERS, self.memory)[5]


FAULTS = {
    "full": lambda chance: {"error": errno.ENOSPC, "changes_error": errno.ENOSPC, "partly": chance.randrange(2)},
    "read-only": lambda chance: {"error": errno.EROFS, "changes_error": errno.EROFS},
    "broken": lambda chance: {"error": errno.EIO, "partly": chance.randrange(2)},
    "quota": lambda chance: {"error": errno.EDQUOT, "changes_error": errno.EDQUOT},
    "slow": lambda chance: {"delay_us": chance.randrange(1000, 300000)},
    "stuck": lambda chance: {"stuck": 1},
}


def disturb(disk, chance, ended, figures):
    """Faults one after another with good times between them, until the run has ended. The kinds that lasted long enough to be told, and that the
    daemon came across."""
    told = set()
    while not ended.wait(chance.uniform(0, 0.5)):
        kind = chance.choice(list(FAULTS))
        long = chance.uniform(0.05, 1.5)
        before = disk.disturbed()
        disk.order(**FAULTS[kind](chance))
        ended.wait(long)
        disk.order()
        figures.add(f"times {kind}")
        if long > 1 and disk.disturbed() > before and kind in ("full", "read-only", "quota"):
            told.add(kind)
    return told


def what_came(client, quiet_after, ended):
    """All of a run's lines, by kind. After so many hits the disk is a good one."""
    lines = {"hit": []}
    for line in client.lines():
        lines.setdefault(line["event"], []).append(line)
        if line["event"] == "end":
            return lines
        if len(lines["hit"]) >= quiet_after:
            ended.set()
    raise Wrong("the connection ended")


def look_at_trace(directory, hits, is_whole, figures):
    found = read_trace(directory)
    expect(found is not None or not is_whole, "there is no trace")
    kept, others = found or ([], [])
    lost = sum(line["lost"] for line in others if line["event"] == "gap")
    expect(set(kept) <= set(hits) and are_true(kept), "the trace has hits that were not")
    if is_whole:
        expect(len(kept) + lost == len(hits), f"{len(hits)} hits were told; the trace has {len(kept)}, and calls {lost} lost")
        expect(others[-1]["event"] == "summary", others[-1])
    code, count, complaint = babeltrace(directory)
    expect(not found or (code == 0 and count == len(kept)), f"babeltrace2: {count} hits of {len(kept)}: {complaint}")
    figures.add("hits kept", len(kept))
    figures.add("called lost", lost)


def look_at_run(daemon, lines, told, figures):
    """What clients were told, then what is on the disk."""
    hits = [(line["record"][1], line["record"][11][0]) for line in lines["hit"]]
    end, = lines["end"]
    is_whole = not any(text in (end["text"] or "") for text in ENDS)
    expect(end["code"] == ("ok" if is_whole else "output"), end)
    expect(are_true(hits) and hits[-1][1] == len(hits) and "gap" not in lines, "clients lost hits")
    warnings = [line["text"] for line in lines.get("warning", [])]
    expect(not told or any(word in text for text in warnings for word in TROUBLE), f"nothing was said about {told}: {warnings}")
    expect(all(any(word in text for word in (*TROUBLE, *ENDS)) for text in warnings), json.dumps(warnings))
    directories = glob.glob(os.path.join(daemon.traces, "*"))
    expect(len(directories) == 1 or (not is_whole and not directories), directories, warnings)
    for directory in directories:
        look_at_trace(directory, hits, is_whole, figures)
    figures.add("warnings", len(warnings))
    figures.add("ends that were told to be missing", not is_whole)


def case(chance, figures):
    disk, ended, told = BadDisk(), threading.Event(), []
    count = chance.randrange(5000, 30000)
    daemon = Daemon({"trace": {"rotate_bytes": chance.choice(["4096", "100000", "10000000"])}}, deferred=True)
    daemon.environment = disk.environment(daemon.traces)
    daemon.start()
    thread = threading.Thread(target=lambda: told.append(disturb(disk, chance, ended, figures)))
    with daemon, Client(daemon) as client:
        begun = client.watch(FOREVER, BEATS, record=True, count=count, form="record")  # short lines: all have room while this process is kept from reading
        expect(begun["event"] == "reply", begun)
        quiet_after = count * 3 // 4 if chance.random() < 0.7 else count
        thread.start()
        try:
            lines = what_came(client, quiet_after, ended)
        finally:
            ended.set()
            thread.join()
        look_at_run(daemon, lines, told[0], figures)
        expect(daemon.end() == 0, daemon.said())
    figures.add("calls disturbed", disk.disturbed())
