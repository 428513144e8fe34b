#!/usr/bin/python3
"""scripts/run-tests on made-up test programs: what it counts, chooses, shows and holds apart."""
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time

RUNNER = os.path.abspath('scripts/run-tests')
SUPPORT = os.path.abspath('tests/support')


class Programs:
    """A folder with test programs: {name: text of a shell script}."""

    def __init__(self, scripts, times=''):
        self.folder = tempfile.TemporaryDirectory()
        self.names = []
        for name, text in scripts.items():
            path = os.path.join(self.folder.name, 'build/tests', name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as out:
                out.write('#!/bin/sh\n' + text + '\n')
            os.chmod(path, stat.S_IRWXU)
            self.names.append(f'build/tests/{name}')
        self.times = self.path('times')
        with open(self.times, 'w', encoding='utf-8') as out:
            out.write(times)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def command(self, *options):
        return [RUNNER, '--times', self.times, *options, *self.names]

    def run(self, *options):
        environment = {name: value for name, value in os.environ.items() if not name.startswith('EARSHOT_')}
        done = subprocess.run(self.command(*options), cwd=self.folder.name, capture_output=True, text=True, check=False, timeout=120, env=environment)
        return done.returncode, done.stdout, done.stderr


def last(text):
    return text.splitlines()[-1]


def counts():
    good = Programs({'a/one': 'echo 3 passed, 0 failed', 'a/two': 'echo something; echo 4 passed, 0 failed'})
    code, out, _ = good.run()
    assert code == 0 and last(out) == '7 passed, 0 failed' and 'something' not in out and '\r' not in out, out
    with open(good.path('build/logs/tests/a/two.log'), encoding='utf-8') as log:
        assert log.read() == 'something\n4 passed, 0 failed\n'


def failures():
    wrong = {'told': 'echo why; echo 3 passed, 2 failed', 'silent': 'echo all is well', 'status': 'echo 1 passed, 0 failed; exit 1',
             'none': 'echo 0 passed, 0 failed', 'killed': 'echo 1 passed, 0 failed; kill -9 $$', 'empty': ''}
    for name, text in wrong.items():
        code, out, _ = Programs({f'a/{name}': text, 'a/good': 'echo 5 passed, 0 failed'}).run()
        assert code == 1 and f'FAIL build/tests/a/{name}' in out and last(out) != '5 passed, 0 failed', out
        assert last(out) == f'{8 if name == "told" else 6 if name in ("status", "killed") else 5} passed, {2 if name == "told" else 1} failed', out
    _, out, _ = Programs({'a/told': wrong['told']}).run()
    assert '    why\n    3 passed, 2 failed\nFAIL' in out, out
    missing = Programs({'a/good': 'echo 5 passed, 0 failed'})
    missing.names.append('build/tests/a/missing')
    code, out, _ = missing.run()
    assert code == 1 and last(out) == '5 passed, 1 failed' and 'No such file' in out, out
    assert Programs({}).run()[0] == 1   # nothing was tested


def endless():
    code, out, _ = Programs({'a/endless': 'sleep 1000 & sleep 1000'}).run('--limit', '1')
    assert code == 1 and 'no end after 1 s' in out and last(out) == '0 passed, 1 failed', out


def side_by_side():
    """Two that each wait for the other; and output that comes at the same time stays apart."""
    meet = ('touch {0}; for i in 1 2 3 4 5 6 7 8 9; do echo {0} $i; sleep 0.02; done; '
            'for i in $(seq {2}); do test -f {1} && break; sleep 0.1; done; test -f {1} && echo 1 passed, 1 failed')
    pair = Programs({'a/x': meet.format('x', 'y', 600), 'a/y': meet.format('y', 'x', 600)})
    _, out, _ = pair.run('-j', '2')
    assert last(out) == '2 passed, 2 failed', out
    for name in 'xy':
        lines = [f'    {name} {i}\n' for i in range(1, 10)]
        assert ''.join(lines) in out, out
    _, out, _ = Programs({'a/x': meet.format('x', 'y', 5), 'a/y': meet.format('y', 'x', 5)}).run('-j', '1')
    assert last(out) == '1 passed, 2 failed', out   # the first could not see the second


def alone():
    """What is to run alone comes after all others, one by one, and has all processors for what it spreads."""
    scripts = {f'a/{name}': f'touch at-{name}; sleep 0.2; ls at-* | wc -l; ls $EARSHOT_JOBS | wc -l; rm at-{name}; echo {name} >> order; '
                            'echo 1 passed, 1 failed' for name in 'pqrst'}
    programs = Programs(scripts, ''.join(f'{seconds}.0 tests/a/{name}\n' for seconds, name in enumerate('pqrst', 1)))
    _, out, _ = programs.run('-j', '3', '--alone', 'a/s tests/a/t')
    found = re.findall(r'    (\d)\n    (\d)\n    1 passed, 1 failed\nFAIL build/tests/a/([pqrst])', out)
    assert len(found) == 5 and {(beside, processors) for beside, processors, name in found if name in 'st'} == {('1', '3')}, out
    with open(programs.path('order'), encoding='utf-8') as order:
        assert order.read().split()[3:] == ['t', 's'], out


def longest_first():
    programs = Programs({f'a/{name}': f'echo {name} >> order; echo 1 passed, 0 failed' for name in 'pqr'}, '1.0 tests/a/p\n5.0 tests/a/q\n')
    programs.run('-j', '1')
    with open(programs.path('order'), encoding='utf-8') as order:
        assert order.read().split() == ['r', 'q', 'p']   # nothing is known of r


def one_budget():
    """Programs that spread their work take no more processors together than there are, and all of these: the first pieces wait for so many."""
    spread = f'''exec /usr/bin/python3 -c '
import os, sys, time
sys.path.insert(0, "{SUPPORT}")
import jobs
def work(number):
    name = f"at-{{os.getpid()}}"
    open(name, "w").close()
    most, end = 0, time.monotonic() + 60
    while time.monotonic() < end and not os.path.exists("all"):
        most = max(most, len([n for n in os.listdir(".") if n.startswith("at-")]))
        if most >= COUNT:
            open("all", "w").close()
        time.sleep(0.01)
    time.sleep(0.02)
    most = max(most, len([n for n in os.listdir(".") if n.startswith("at-")]))
    os.unlink(name)
    return most, number
found = list(jobs.spread(work, range(12)))
assert [number for _, number in found] == list(range(12))
print("most", max(most for most, _ in found))
print("1 passed, 1 failed")\''''
    for count in (1, 2, 3):
        text = spread.replace('COUNT', str(count))
        _, out, _ = Programs({'a/x': text, 'a/y': text}).run('-j', str(count))
        most = max(map(int, re.findall(r'most (\d+)', out)))
        assert most == count, (count, out)


def chosen():
    scripts = {f'{folder}/{name}': 'echo 1 passed, 0 failed' for folder in ('net', 'net_files') for name in ('engine', 'test_ctf')}
    programs = Programs(scripts)
    for pattern, count in (('tests/net', 2), ('net/', 2), ('build/tests/net_files', 2), ('tests/net/engine', 1), ('net/engine', 1), ('engine', 2),
                           ('tests/*/test_*', 2), ('test_*', 2), ('tests/net tests/net_files/engine', 3)):
        code, out, _ = programs.run('--only', pattern)
        assert code == 0 and last(out) == f'{count} passed, 0 failed', (pattern, out)
    code, out, err = programs.run('--only', 'tests/net/engines')
    assert code != 0 and not out and "there is no test program 'tests/net/engines'" in err and 'near it: tests/net/engine' in err, err
    code, out, err = programs.run('--only', 'xyz')
    assert code != 0 and 'folders: tests/net, tests/net_files' in err, err


def quick():
    scripts = {name: 'echo 1 passed, 0 failed' for name in ('a/short', 'a/long', 'b/long', 'b/longer', 'c/new')}
    programs = Programs(scripts, '0.5 tests/a/short\n2 tests/a/long\n3 tests/b/long\n4 tests/b/longer\n')
    _, out, err = programs.run('--quick', '1', '--list')
    assert out.split() == ['build/tests/a/short', 'build/tests/b/long'] and err.rstrip().endswith(': tests/c/new'), out + err


def recorded():
    burn = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo 1 passed, 0 failed'
    programs = Programs({'a/busy': burn, 'a/idle': 'echo 1 passed, 0 failed'}, '9.0 tests/a/gone\n0.1 tests/a/idle\n')
    programs.run('--record', '--only', 'busy')
    with open(programs.times, encoding='utf-8') as times:
        lines = [line.split() for line in times if not line.startswith('#')]
    assert [name for _, name in lines] == ['tests/a/busy', 'tests/a/idle'] and 0 < float(lines[0][0]) < 60 and lines[1][0] == '0.1', lines


def runs(number):
    try:
        with open(f'/proc/{number}/stat', encoding='utf-8') as stat_file:
            return stat_file.read().split()[2] != 'Z'
    except (FileNotFoundError, ProcessLookupError):   # it goes between the one and the other
        return False


def interrupted():
    programs = Programs({'a/slow': 'echo $$ > pid; sleep 100'})
    with subprocess.Popen(programs.command(), cwd=programs.folder.name, stdout=subprocess.PIPE, text=True) as runner:
        while not os.path.exists(programs.path('pid')) or not os.path.getsize(programs.path('pid')):
            time.sleep(0.05)
        runner.terminate()
        out = runner.communicate(timeout=60)[0]
        assert runner.returncode == 128 + signal.SIGTERM and 'interrupted: 0 of 1' in out, out
    with open(programs.path('pid'), encoding='utf-8') as pid:
        number = int(pid.read())
    for _ in range(1200):
        if not runs(number):
            return
        time.sleep(0.05)
    raise AssertionError('a test program runs on')


def main():
    passed = failed = 0
    for check in (counts, failures, endless, side_by_side, alone, longest_first, one_budget, chosen, quick, recorded, interrupted):
        try:
            check()
            passed += 1
        except AssertionError as failure:
            print(f'{check.__name__}: {failure}')
            failed += 1
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
