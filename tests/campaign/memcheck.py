"""valgrind's memcheck on the daemon: a recording is monitored and kept, clients join, ask for nonsense, and vanish. With the sanitizers' build, these look."""
import os
import socket
import subprocess
import tempfile

from bench import Client, Daemon
from ground import BEATS, FOREVER, PATIENCE, SANITIZED, earshot, expect

ABOUT = "valgrind's memcheck on earshotd while clients come, ask and vanish"
CASES = {"full": 10, "short": 1}
WRAPPER = ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]
REQUESTS = (b'{"do":"runs"}\n', b'{"do":"join","run":"kept"}\n', b'{"do":"join","run":"kept","form":"record"}\n', b'{"do":"leave","run":"kept"}\n', b"garbage\n",
            b'{"do":"watch","program_data":"f0VMRg==","statements":["x"],"record":true}\n', b'{"do":"watch"', b"[" * 3000 + b"\n", b"\0\n", b'{"do":"stop","run":5}\n')


def visit(daemon, chance):
    with Client(daemon) as client:
        for _ in range(chance.randrange(1, 6)):
            client.raw(chance.choice(REQUESTS))
        if chance.random() < 0.5:
            client.socket.shutdown(socket.SHUT_WR)


def case(chance, figures):
    with tempfile.TemporaryDirectory() as folder:
        recording, fifo, statements = (os.path.join(folder, name) for name in ("recording", "fifo", "beats.watch"))
        expect(earshot("watch", FOREVER, "-e", BEATS, "--count", str(chance.randrange(50, 3000)), "--record", recording).returncode == 0, "no recording")
        os.mkfifo(fifo)
        with open(statements, "w", encoding="utf-8") as file:
            file.write(BEATS + "\n")
        monitor = {"program": os.path.abspath(FOREVER), "statements": statements, "probe": f"file:{fifo}", "record": "yes"}
        config = {"trace": {"rotate_bytes": "4096", "keep_bytes": "30000"}, "monitor kept": monitor}
        with Daemon(config, wrapper=() if SANITIZED else WRAPPER) as daemon, Client(daemon) as client:
            for _ in range(8):
                visit(daemon, chance)
            client.send({"do": "join", "run": "kept"})
            subprocess.run(["cp", recording, fifo], timeout=PATIENCE, check=True)
            for _ in range(8):
                visit(daemon, chance)
            end = client.until("end")
            expect(end["code"] == "ok", end)
            figures.add("visits", 16)
            expect(daemon.end() == 0 and "ERROR" not in daemon.said(), daemon.said())
