"""LiteX's BIOS on a simulated SoC with Earshot's probe inside, and `earshot watch` beside it, as on a board."""
import json
import os
import signal
import subprocess
import tempfile
import time

BUILD = os.path.abspath(os.environ.get("EARSHOT_BUILD", "build"))
EARSHOT = os.path.join(BUILD, "earshot")
PROMPT = b"litex\x1b[0m> "
PATIENCE = 240  # seconds, for what takes some: this machine may be busy
LATER = 30000  # clocks after which the log on disk surely has what came before
NM = os.environ.get("NM", "riscv64-unknown-elf-nm")


class Simulated:
    """One run: `with Simulated(folder) as soc`."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.elf = os.path.join(self.folder, "software/bios/bios.elf")
        symbols = subprocess.run([NM, self.elf], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
        self.addresses = {fields[2]: int(fields[0], 16) for fields in map(str.split, symbols) if len(fields) == 3}

    def __enter__(self):
        self._console = tempfile.TemporaryFile()
        gateware = os.path.join(self.folder, "gateware")
        self._simulator = subprocess.Popen([os.path.join(gateware, "obj_dir/Vsim")], cwd=gateware, stdin=subprocess.PIPE, stdout=self._console,
                                           stderr=subprocess.STDOUT)
        self._wait(lambda: self.console().endswith(PROMPT), "the BIOS's prompt")
        return self

    def __exit__(self, *_):
        self._simulator.kill()
        self._simulator.wait()
        self._simulator.stdin.close()
        self._console.close()

    def _wait(self, done, what):
        start = time.monotonic()
        while not done():
            assert self._simulator.poll() is None, f"the simulator has ended: {self.console()[-2000:]}"
            assert time.monotonic() - start < PATIENCE, f"{what} does not come: {self.console()[-2000:]}"
            time.sleep(0.02)

    def console(self):
        """All that the BIOS has printed."""
        return os.pread(self._console.fileno(), 1 << 20, 0)

    def type(self, text):
        """Types, and waits for the next prompt."""
        before = len(self.console())
        self._simulator.stdin.write(text)
        self._simulator.stdin.flush()
        self._wait(lambda: len(self.console()) > before + len(text) and self.console().endswith(PROMPT), f"the prompt after {text}")

    def watch(self, statements, typed, json_lines=True):
        """Resets the SoC by the BIOS's own command once the statements are armed, types, and ends the run. Returns (exit code, records,
        messages, what the BIOS printed since it was reset)."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            command = [EARSHOT, "watch", self.elf, "--probe", f"uart:{self.folder}/link", "--clock", "1000000", "--json"]
            run = subprocess.Popen(command + [word for statement in statements for word in ("-e", statement)], stdout=out, stderr=err)
            try:
                said = lambda: os.pread(err.fileno(), 1 << 20, 0).decode()  # noqa: E731
                self._wait(lambda: "the target's reset (" in said() or "monitoring begins" in said() or run.poll() is not None, "the armed probe")
                printed = len(self.console())
                if run.poll() is None:
                    for line in typed:
                        self.type(line)
                    printed = self.console()[printed:]
                    run.send_signal(signal.SIGINT)
                run.wait(PATIENCE)
            finally:
                run.kill()
            records = [json.loads(line) for line in os.pread(out.fileno(), 1 << 28, 0).decode().splitlines()]
            return run.returncode, records, said(), printed

    def executed(self):
        """What es_litex_log.v has logged since the last reset: {address: clocks of jumps there}, and all writes to the bus (clock,
        address, lanes, data)."""
        path = os.path.join(self.folder, "gateware/executed.log")

        def last_clock():
            with open(path, "rb") as stream:
                stream.seek(max(0, os.path.getsize(path) - 200))
                lines = stream.read().split(b"\n")
            return int(lines[-2].split()[1], 16)

        until = last_clock() + LATER
        self._wait(lambda: last_clock() >= until, "the end of the log")
        jumps, writes = {}, []
        with open(path, encoding="ascii") as stream:
            for line in stream:
                if not line.endswith("\n"):
                    break
                kind, *fields = line.split()
                clock, *fields = [int(field, 16) for field in fields]
                if kind == "w":
                    writes.append((clock, *fields))
                elif fields[0] == self.addresses["_start"]:
                    jumps, writes = {fields[0]: [clock]}, []
                else:
                    jumps.setdefault(fields[0], []).append(clock)
        return jumps, writes
