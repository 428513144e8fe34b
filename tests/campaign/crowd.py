"""A hundred clients, half of them stuck, while others come and go and talk nonsense: who reads gets everything, who does not is told how much it missed."""
import json
import os
import selectors
import signal
import subprocess
import time

import ground
from bench import Client, Daemon
from ground import BEATS, EARSHOT, FOREVER, PATIENCE, Wrong, are_true, expect, hits_of

ABOUT = "100 clients of earshotd, half of them stuck, while others come, go and send garbage"
CASES = {"full": 10, "short": 1}
READING, STUCK_SOCKETS, STUCK_PROGRAMS = 50, 40, 10
HITS = {True: 8000, False: 60000}  # short or not: 60000 are about 10 MB of lines, more than the daemon keeps for a client
QUEUE = 4 << 20  # what it keeps
OWN = 96 << 20  # what it takes without clients, and for all together
GARBAGE = (b"", b"\n", b"{}\n", b"[" * 5000, b"\x00" * 100, b'{"do":"runs"}\n' * 50, b'{"do":"join","run":"beats"}\n', b'{"do":"leave","run":"beats"}\n',
           b'{"do":"watch","program_data":"f0VMRg==","statements":["x"]}\n', b'{"do":"watch"', b"A" * 300000, b'{"do":"ping","id":' + b"9" * 400 + b"}\n",
           b'{"do":"authenticate","token":"x"}\n', b'{"do":"stop","run":77}\n', b"\xff\xfe\xfd\n")


def come_and_go(daemon, chance, passing, figures):
    """One thing that a client may do which is not of the hundred."""
    figures.add("that came and went")
    if passing and (len(passing) > 20 or chance.random() < 0.5):
        passing.pop(chance.randrange(len(passing))).close()
        return
    client = Client(daemon, greeted=chance.random() < 0.5)
    client.socket.setblocking(False)
    passing.append(client)
    for _ in range(chance.randrange(4)):
        line = bytearray(chance.choice(GARBAGE))
        for _ in range(chance.choice((0, 0, 1, 5))):
            if line:
                line[chance.randrange(len(line))] = chance.randrange(256)
        try:
            client.socket.send(line)
        except (BlockingIOError, BrokenPipeError, ConnectionResetError):
            return


def read_all(daemon, clients, chance, figures):
    """The bytes that each of them gets until its run ends. Meanwhile others come and go."""
    selector, got, passing, most = selectors.DefaultSelector(), {}, [], 0
    for client in clients:
        client.socket.setblocking(False)
        got[client] = bytearray(client.rest)
        selector.register(client.socket, selectors.EVENT_READ, client)
    last = time.monotonic()
    while selector.get_map():
        ready = selector.select(0.01)
        for key, _ in ready:
            part = key.fileobj.recv(1 << 20)
            got[key.data] += part
            if not part or b'"event":"end"' in got[key.data][-300:]:
                selector.unregister(key.fileobj)
        now = time.monotonic()
        if now - last > 0.02:
            last = now
            come_and_go(daemon, chance, passing, figures)
            most = max(most, daemon.memory())
    for client in passing:
        client.close()
    return [bytes(got[client]) for client in clients], most


def with_losses(text, count, figures):
    """Hits and what was told to be missing between them: beats are numbered, so that both are known exactly."""
    last = None
    hits = hits_of(text)
    expect(are_true(hits), "a stuck client got hits that were not")
    for line in map(json.loads, text.splitlines()):
        if line["event"] == "hit":
            beat = line["values"]["beat"]
            expect(last is None or beat == last + 1, f"{beat} comes after {last}, and nothing is said of it")
            last = beat
        elif line["event"] == "gap":
            expect(line["what"] == "host", line)
            figures.add("missed by stuck clients, and told", line["lost"])
            last = last + line["lost"] if last is not None else None
    expect(last in (None, count), f"after {last} nothing came, and nothing was said to be missing")


class TooLate(Exception):
    """The run was over before all had joined it: this process was kept from that, and the case shows nothing."""


def start_stuck_program(daemon, programs):
    program = subprocess.Popen([EARSHOT, "watch", "--run", "beats", f"--daemon={daemon.socket}", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    programs.append(program)
    if not os.read(program.stdout.fileno(), 1):
        raise TooLate
    program.send_signal(signal.SIGSTOP)


def look_at_stuck(sockets, programs, count, figures):
    """After the run's end they read at last."""
    for client in sockets:
        lines = bytearray(client.rest)
        client.socket.settimeout(PATIENCE)
        while b'"event":"end"' not in lines[-300:]:
            part = client.socket.recv(1 << 20)
            if not part:
                raise Wrong("a stuck client was disconnected")
            lines += part
        with_losses("\n".join(line for line in lines.decode().splitlines() if '"event":"reply"' not in line), count, figures)
    for program in programs:
        program.send_signal(signal.SIGCONT)
        out, err = program.communicate(timeout=PATIENCE)
        expect(program.returncode in (0, 4), program.returncode, err)
        with_losses("{" + out.decode(), count, figures)  # its first byte was read before


def look_at_readers(texts, count, figures):
    """Each has all hits from its first one on: the same bytes."""
    hits = [b"\n".join(line for line in text.splitlines() if b'"event":"hit"' in line) for text in texts]
    expect(not any(b'"event":"gap"' in text for text in texts), "a client that reads lost hits")
    longest = max(hits, key=len)
    found = hits_of(longest.decode())
    expect(are_true(found) and found[-1][1] == count and len(found) == count - found[0][1] + 1, f"{len(found)} hits, from {found[:1]} to {found[-1:]}")
    for text in hits:
        expect(text and longest.endswith(text), "clients got different hits")
        figures.add("hits to those that read", text.count(b"\n") + 1)


def join(daemon):
    client = Client(daemon)
    if client.ask({"do": "join", "run": "beats"})["event"] != "reply":
        raise TooLate
    return client


def case(chance, figures):
    for _ in range(10):
        try:
            look(chance, figures)
            return
        except TooLate:
            continue
    raise Wrong("the run was over ten times before all had joined it")


def look(chance, figures):
    programs, count = [], HITS[ground.SHORT]
    with Daemon() as daemon, Client(daemon) as owner:
        begun = owner.watch(FOREVER, BEATS, name="beats", silent=True, count=count)
        expect(begun["event"] == "reply", begun)
        begin = daemon.memory()
        try:
            clients = [join(daemon) for _ in range(READING + STUCK_SOCKETS)]
            chance.shuffle(clients)
            for _ in range(STUCK_PROGRAMS):
                start_stuck_program(daemon, programs)
            texts, most = read_all(daemon, clients[:READING], chance, figures)
            figures.most("MB of the daemon's memory", most / 1e6)
            expect(most - begin < OWN + (STUCK_SOCKETS + STUCK_PROGRAMS) * QUEUE, f"{most} bytes of memory, {begin} before")
            expect(daemon.process.poll() is None, daemon.said())
            look_at_readers(texts, count, figures)
            look_at_stuck(clients[READING:], programs, count, figures)
        finally:
            for program in programs:
                program.kill()
                program.wait()
        expect(owner.ask({"do": "ping"})["event"] == "reply", "no answer")
        expect(daemon.end() == 0 and os.path.exists(daemon.config), daemon.said())
