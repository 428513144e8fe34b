"""A daemon of one's own, and clients that are none of earshot's."""
import array
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import time

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
DAEMON = os.path.join(BUILD, "earshotd")
FOREVER = os.path.join(BUILD, "tests/cli/forever.elf")
THERMOSTAT = os.path.join(BUILD, "examples/thermostat-O0.elf")
PATIENCE = 180  # seconds; nothing here takes a thirtieth of it on a machine that does little else


class Daemon:
    """An earshotd in a folder of its own, with a configuration: {section: {name: value}}. deferred: start() is called later."""

    def __init__(self, config=None, wrapper=(), environment=None, deferred=False):
        self.folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.folder.name, "socket")
        self.traces = os.path.join(self.folder.name, "traces")
        os.mkdir(self.traces)
        self.config = os.path.join(self.folder.name, "earshotd.conf")
        with open(self.config, "w", encoding="utf-8") as file:
            for section, values in (config or {}).items():
                file.write(f"[{section}]\n" + "".join(f"{name} = {value}\n" for name, value in values.items()))
        self.log = open(os.path.join(self.folder.name, "log"), "w+", encoding="utf-8")
        self.wrapper, self.environment = list(wrapper), environment
        if not deferred:
            self.start()

    def start(self):
        command = [*self.wrapper, DAEMON, "--config", self.config, "--socket", self.socket, "--directory", self.traces]
        self.process = subprocess.Popen(command, stderr=self.log, stdin=subprocess.DEVNULL, env=self.environment)
        until(lambda: self.process.poll() is not None or listens(self.socket), "the daemon listens")

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def memory(self):
        """Bytes that are its own."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.folder.cleanup()


def listens(path):
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(path)
        except OSError:
            return False
    return True


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.02)


class Client:
    """Lines to and from a daemon."""

    def __init__(self, daemon, greeted=True):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(daemon.socket if isinstance(daemon, Daemon) else daemon)
        self.rest = b""
        self.hello = self.line() if greeted else None

    def raw(self, data, files=()):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))] if files else []
        sent = self.socket.sendmsg([data], rights)
        self.socket.sendall(data[sent:])

    def send(self, request, files=()):
        self.raw((json.dumps(request) + "\n").encode(), files)

    def line(self, seconds=PATIENCE):
        """The next line as an object; None: the daemon has ended the connection."""
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.socket], [], [], max(0, end - time.monotonic()))
            assert ready, "no line came"
            try:
                got = self.socket.recv(1 << 16)
            except ConnectionResetError:
                got = b""
            if not got:
                return None
            self.rest += got
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def lines(self):
        while True:
            line = self.line()
            if line is None:
                return
            yield line

    def ask(self, request, files=()):
        """The request's answer; lines of runs before it are left out."""
        self.send(request, files)
        for line in self.lines():
            if line["event"] in ("reply", "error"):
                return line
        return None

    def watch(self, program, statements, **options):
        with open(program, "rb") as file:
            return self.ask({"do": "watch", "program": program, "statements": [{"file": "-e", "text": statements}], **options},
                            [file.fileno()])

    def until(self, *events):
        for line in self.lines():
            if line["event"] in events:
                return line
        raise AssertionError(f"the connection ended before {events}")

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def earshot(*arguments, **more):
    return subprocess.run([EARSHOT, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False, **more)


def memory_settles(daemon, work, rounds):
    """How much memory rounds of the same work take after the first ones."""
    for _ in range(rounds):
        work()
    before = daemon.memory()
    for _ in range(rounds):
        work()
    return daemon.memory() - before
