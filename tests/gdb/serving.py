"""A recording that is served, the tests' own timeline (double.c) or a real one, and the real gdb at it."""
import functools
import json
import os
import re
import struct
import subprocess
import tempfile

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
GDB = os.environ.get("EARSHOT_GDB", "gdb-multiarch")
DOUBLE = os.path.join(BUILD, "tests/gdb/double_gdb")
HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = struct.Struct("<BBHIIIIQQ")
STORE, JUMP, TRAP, MRET, LOAD, END, AT, READ = range(8)


class Served:
    """A server for one session; `with` ends it."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.said, self.port = "", None
        for line in self.process.stdout:
            self.said += line
            found = re.search(r"^port (\d+)|^earshot: 127\.0\.0\.1:(\d+) ", line)
            if found:
                self.port = int(found.group(1) or found.group(2))
                break
        assert self.port, (command, self.said)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def double(program, *more):
    return Served(DOUBLE, program, "1", *more)


class Recorded(Served):
    """A recording of the simulated target's run, made here, at `earshot gdb`."""

    def __init__(self, program, *more):
        self.scratch = tempfile.TemporaryDirectory()
        recording = os.path.join(self.scratch.name, "recording")
        record(program, recording)
        super().__init__(EARSHOT, "gdb", recording, program, "--port", "0", *more)

    def __exit__(self, *_):
        super().__exit__()
        self.scratch.cleanup()


def record(program, recording):
    done = subprocess.run([EARSHOT, "record", program, "--inputs", recording], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def in_gdb(program, scenario, *arguments, server=None, timeout=300):
    """What a scenario of in_gdb.py found out; server: what `with` makes one of."""
    with (server or double)(program) as served, tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "out")
        environment = {**os.environ, "EARSHOT_SCENARIO": f"{scenario}:{json.dumps(arguments)}", "EARSHOT_TARGET": f"127.0.0.1:{served.port}",
                       "EARSHOT_OUT": out}
        done = subprocess.run([GDB, "-nx", "-batch", program, "-x", os.path.join(HERE, "in_gdb.py")], capture_output=True, text=True,
                              env=environment, stdin=subprocess.DEVNULL, timeout=timeout, check=False)
        assert os.path.exists(out), done.stdout + done.stderr
        with open(out, encoding="utf-8") as file:
            return json.load(file)


def retired(program, *options):
    """The retire log of the same program on the reference target: (kind, lanes, pc, a, b, c, time, fetch)."""
    with tempfile.TemporaryDirectory() as scratch:
        log = os.path.join(scratch, "log")
        subprocess.run([os.path.join(BUILD, "tests/oracle/retire-log"), program, log, *options], check=True)
        with open(log, "rb") as file:
            return [(kind, lanes, pc, a, b, c, time, fetch) for kind, lanes, _, pc, a, b, c, time, fetch in RECORD.iter_unpack(file.read())]


@functools.lru_cache
def big_endian(program):
    """Whether data of the program are, as its file says."""
    with open(program, "rb") as file:
        return file.read(6)[5] == 2


def stored(program, address, size, data):
    """The number that a store's word has at an address."""
    low = address & 3
    return int.from_bytes(data.to_bytes(4, "little")[low:low + size], "big" if big_endian(program) else "little")


@functools.lru_cache
def symbols(program):
    listed = subprocess.run([os.environ.get("CROSS", "riscv64-unknown-elf-") + "nm", program], capture_output=True, text=True, check=True).stdout
    return {name: int(address, 16) for address, name in re.findall(r"^(\w+) \w (\S+)$", listed, re.MULTILINE)}


def symbol(program, name):
    """Address of a symbol, as binutils say it."""
    return symbols(program)[name]


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [""] + file.read().split("\n")
