"""What the end-to-end tests share: where things are, how runs are made and how hits are compared."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get('EARSHOT_BUILD', 'build'))
EARSHOT = os.path.join(BUILD, 'earshot')
RETIRE_LOG = os.path.join(BUILD, 'tests/oracle/retire-log')
EXAMPLES = os.path.join(BUILD, 'examples')
TARGET_CC = os.path.join(ROOT, 'scripts/target-cc')
SMALL_CC = [TARGET_CC, '-march=rv32i_zicsr', '-Wl,--defsym=__target_size=0x10000']  # for targets of 64 KiB on boards, whose buses may be narrow
TARGET_FLAGS = os.environ.get('EARSHOT_TARGET_FLAGS', '').split()   # for another processor in the target's place
TIMEOUT = 120

sys.path[:0] = [os.path.join(ROOT, 'tests/oracle'), os.path.join(ROOT, 'tests/support')]
COMPARED = ('cycle', 'statement', 'values', 'path', 'task_pointer', 'file', 'line')


class Failure(Exception):
    """A run that did not do what it should."""


def run(command, stdin=subprocess.DEVNULL):
    """Runs a command. Returns (exit code, stdout, stderr)."""
    try:
        done = subprocess.run(command, stdin=stdin, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f'no end after {TIMEOUT} s: {" ".join(command)}') from None
    return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')


def must(command):
    code, out, err = run(command)
    if code != 0:
        raise Failure(f'exit {code}: {" ".join(command)}\n{err.strip()}')
    return out


class Watched:
    """Result of one `earshot watch --json`: exit code, hits, gaps, console lines, summary."""

    def __init__(self, command, code, out, err):
        self.command, self.code, self.err = command, code, err
        self.hits, self.gaps, self.console, self.summary = [], [], [], None
        for text in out.splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                raise Failure(f'no JSON: {text!r} from {" ".join(command)}') from None
            kind = line.get('event')
            if kind == 'hit':
                self.hits.append(line)
            elif kind == 'gap':
                self.gaps.append(line)
            elif kind == 'console':
                self.console.append(line['text'])
            elif kind == 'summary':
                self.summary = line


def watch(program, *arguments, side='--probe-only'):
    """On the probe, where nothing else is said. side None: as users have it, on the replay where the probe cannot see enough."""
    if side and not any(word in ('--replay', side) or word.startswith('file:') for word in arguments):
        arguments = (side, *arguments)
    command = [EARSHOT, 'watch', '--json', program, *arguments]
    code, out, err = run(command)
    return Watched(command, code, out, err)


def retire_log(program, path, *arguments):
    must([RETIRE_LOG, program, path, *arguments])
    with open(path, 'rb') as stream:
        log = stream.read()
    os.unlink(path)
    return log


def single(value):
    """A number as the nearest float of 32 bits: a decimal text names one of these, not one of 64 bits."""
    if isinstance(value, dict):
        return {name: single(part) for name, part in value.items()}
    if isinstance(value, list):
        return [single(part) for part in value]
    return struct.unpack('<f', struct.pack('<f', value))[0] if isinstance(value, float) and abs(value) < 3e38 else value


class Character(int):
    """The number of a character that a text shows in quotes."""


def parts(text):
    """What a text tells of the parts of an array or a struct: "a[0]=61 a[1]=? c='x'" as {name: value}, as --json shows single values."""
    made = {}
    for name, value in re.findall(r"(\S.*?)=('(?:\\.[^']*|[^'])'|0x[0-9a-f]+(?: <[^>]*>| \"(?:\\.|[^\"\\])*\")?|\S+)(?: |$)", text):
        if value[0] == "'":
            made[name] = Character(ord(value[1:-1].encode().decode('unicode_escape')))
        elif value.startswith('0x') or value == 'NULL':
            made[name] = 0 if value == 'NULL' else int(value.split()[0], 16)
        elif value in ('?', 'true', 'false'):
            made[name] = {'?': None, 'true': True, 'false': False}[value]
        else:
            made[name] = int(value) if re.fullmatch(r'-?\d+', value) else float(value) if re.fullmatch(r'-?\d.*', value) else value
    return made


def signed_as(want, got):
    """A character in quotes names a byte, whatever its type's sign is: the number that it is if the type is as `want` says."""
    return got - 256 if isinstance(want, int) and want < 0 and isinstance(got, Character) else got


def same_place(hit):
    """The part of a hit that is compared, with the file's name only."""
    part = {key: hit.get(key) for key in COMPARED}
    part['values'] = {name: single(value) for name, value in part['values'].items()}
    if part['file']:
        part['file'] = os.path.basename(part['file'])
    return part


def difference(expected, found):
    """None, or what is different first between two lists of hits."""
    for number, (want, got) in enumerate(zip(expected, found)):
        want, got = same_place(want), same_place(got)
        for name, value in want['values'].items():   # which parts were accessed is a text, and what an object holds is none
            if isinstance(value, dict) and isinstance(got['values'].get(name), str):
                got['values'][name] = {part: signed_as(value.get(part), single(each)) for part, each in parts(got['values'][name]).items()}
        if want != got:
            return f'hit {number} differs\n  oracle:  {json.dumps(want)}\n  earshot: {json.dumps(got)}'
    if len(expected) > len(found):
        return f'hit {len(found)} is missing\n  oracle:  {json.dumps(same_place(expected[len(found)]))}'
    if len(found) > len(expected):
        return f'hit {len(expected)} is one too many\n  earshot: {json.dumps(same_place(found[len(expected)]))}'
    return None


def check_summary(watched, expected):
    """None, or what is different between a run's summary and the oracle's."""
    summary = watched.summary
    if summary is None:
        return f'no summary; exit {watched.code}: {watched.err.strip()}'
    for key in ('exit_code', 'cycles', 'counters'):  # how often something was unknown depends on the order of evaluation
        if key == 'cycles' and expected[key] is None:
            continue
        if summary.get(key) != expected[key]:
            return f'{key}: oracle {expected[key]}, earshot {summary.get(key)}'
    if summary['lost'] != 0:
        return f'lost: {summary["lost"]}'
    if watched.gaps:
        return f'a gap: {watched.gaps[0]}'
    return None


def native_prints(source):
    """[(name, number)] that a program of the tests prints where it runs natively, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'native')
        must(['gcc', '-O0', '-w', '-DNATIVE', source, '-o', program])
        lines = [line.rsplit(' ', 1) for line in must([program]).splitlines()]
        return [(name, float(value)) for name, value in lines]


def run_checks(checks):
    """checks: [(name, function)]. Prints what each returns, if anything, and what fails; ends the program with the line that
    scripts/run-tests counts."""
    failed = 0
    for name, check in checks:
        try:
            told = check()
            if told:
                print(f'{name}: {told}')
        except Failure as failure:
            print(f'{name}: {failure}')
            failed += 1
    print(f'{len(checks) - failed} passed, {failed} failed')
    sys.exit(failed != 0)
