"""Virtual probes for tests in Python: scripts/virtual-probe as a server beside what is tested."""
import json
import os
import re
import select
import socket
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get('EARSHOT_BUILD', 'build'))
SCRIPT = os.path.join(ROOT, 'scripts/virtual-probe')
START_LIMIT = 120   # seconds; nothing of speed is said by it


class Virtual:
    """Probes at virtual USB devices while the `with` lasts. `env`: what programs have to be started with to see them."""

    def __init__(self, program, *options):
        self.command = [SCRIPT, *options, '--serve', program]
        self.server = self.env = None

    def __enter__(self):
        self.server = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env={**os.environ, 'EARSHOT_BUILD': BUILD})
        ready = select.select([self.server.stdout], [], [], START_LIMIT)[0]
        line = self.server.stdout.readline().decode() if ready else ''
        found = re.fullmatch(r"export UMOCKDEV_DIR=(\S+) LD_PRELOAD='([^']*)' EARSHOT_VIRTUAL_PROBE=(\S+)\n", line)
        if not found:
            self.server.kill()
            raise RuntimeError(f'no virtual probe: {line} {self.server.stderr.read().decode()}')
        self.env = {**os.environ, 'UMOCKDEV_DIR': found[1], 'LD_PRELOAD': found[2], 'EARSHOT_VIRTUAL_PROBE': found[3],
                    'ASAN_OPTIONS': 'verify_asan_link_order=0'}
        return self

    def __exit__(self, *_exception):
        self.server.terminate()
        self.server.communicate(timeout=START_LIMIT)

    def why_it_ended(self):
        try:
            code = self.server.wait(timeout=START_LIMIT)
        except subprocess.TimeoutExpired:
            return ''
        return f'; it has ended with {code}: {self.server.stderr.read().decode()}'

    def tell(self, line):
        """The answer to a command line. An error is raised."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as control:
            control.settimeout(START_LIMIT)
            control.connect(self.env['EARSHOT_VIRTUAL_PROBE'])
            control.sendall(line.encode() + b'\n')
            answer = b''
            while not answer.endswith(b'\n'):
                try:
                    part = control.recv(65536)
                except ConnectionResetError:
                    part = b''
                if not part:
                    raise RuntimeError(f'virtual-probe: {line!r}: no answer{self.why_it_ended()}')
                answer += part
        if answer.startswith(b'error'):
            raise ValueError(answer.decode().strip())
        return answer.decode().strip()

    def status(self, serial=None):
        """What the server says of the probe with this serial number; None: of the first."""
        probes = json.loads(self.tell('status'))['probes']
        return next(probe for probe in probes if serial in (None, probe['serial']))

    def wait(self, condition, limit=START_LIMIT, serial=None):
        """Waits until what status() says meets the condition. False: it does not in time."""
        end = time.monotonic() + limit
        while not condition(self.status(serial)):
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True
