#!/usr/bin/python3
"""replayed.py: statements on a recording of a target's inputs tell what they tell of the target itself: values, paths, places, tasks, all but
the exact clock, which a recording knows to a heartbeat."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'e2e'))
import common  # pylint: disable=wrong-import-position
from common import Failure, must  # pylint: disable=wrong-import-position

WORK = os.path.join(common.BUILD, 'tests/softprobe/recordings')
RUNS = [('thermostat', 'O0', 'thermostat'), ('thermostat', 'O2', 'thermostat'), ('recursion', 'O0', 'locals'), ('interrupts', 'O2', 'interrupts'),
        ('nested', 'O0', 'nested'), ('tasks', 'O0', 'tasks')]
TIMES = ('cycle', 'time_ns')
HEARTBEAT = 2 ** 13   # clocks from one to the next


DONE = set()


def recorded(name, level):
    program, path = os.path.join(common.EXAMPLES, f'{name}-{level}.elf'), os.path.join(WORK, f'{name}-{level}.inputs')
    if path not in DONE:
        must([common.EARSHOT, 'record', '--inputs', path, program])
        DONE.add(path)
    return program, path


def without_times(hits):
    return [{key: value for key, value in hit.items() if key not in TIMES} for hit in hits]


def expect(condition, *what):
    if not condition:
        raise Failure(' '.join(map(str, what)))


def same(name, level, file):
    return alike(name, level, '-s', os.path.join(common.ROOT, 'examples', name, f'{file}.watch'))


def alike(name, level, *arguments):
    program, path = recorded(name, level)
    target, replay = common.watch(program, *arguments), common.watch(program, *arguments, '--probe', f'file:{path}')
    expect(target.hits and target.code == replay.code, target.code, replay.code, replay.err)
    expect(without_times(target.hits) == without_times(replay.hits), f'{len(target.hits)} and {len(replay.hits)} hits differ')
    expect(target.console == replay.console, target.console, replay.console)
    off = [(hit['cycle'], other['cycle']) for hit, other in zip(target.hits, replay.hits) if abs(other['cycle'] - hit['cycle']) > HEARTBEAT]
    expect(not off, 'more than a heartbeat off:', off[:3])
    expect(target.summary['target'] == 'simulated' and replay.summary['target'] == 'recording', target.summary, replay.summary)
    for key in 'hits', 'lost', 'exit_code', 'statements', 'counters', 'unknown':
        expect(target.summary[key] == replay.summary[key], key, target.summary[key], replay.summary[key])
    return len(target.hits)


def of_another_program():
    _, path = recorded('recursion', 'O2')
    watched = common.watch(os.path.join(common.EXAMPLES, 'recursion-O0.elf'), '-e', 'when write(depth)', '--probe', f'file:{path}')
    expect(watched.code == 2 and 'another program' in watched.err, watched.code, watched.err)
    return 1


def cut():
    """What is there is told, and that it ends."""
    program, path = recorded('thermostat', 'O0')
    with open(path, 'rb') as stream:
        recording = stream.read()
    for size in 100, len(recording) // 2, len(recording) - 3:
        with open(f'{path}.cut', 'wb') as stream:
            stream.write(recording[:size])
        watched = common.watch(program, '-e', 'when write(temp) { print temp }', '--probe', f'file:{path}.cut')
        losing = common.watch(program, '-e', 'when write(temp)', '--probe', f'file:{path}.cut', '--fail-on-loss')
        # of the last one nothing is missing but the words that say how it ended
        expect(losing.code == {100: 2, len(recording) // 2: 4}.get(size, 0), size, losing.code, losing.err)
        expect(watched.code == (2 if size == 100 else 0) and ('cut' in watched.err or size == 100 or watched.hits), size, watched.code, watched.err)
    return 1


def counted_and_halted():
    program, path = recorded('thermostat', 'O0')
    five = common.watch(program, '-e', 'when write(temp) { print temp }', '--count', '5', '--probe', f'file:{path}')
    expect(len(five.hits) == 5 and five.code == 0, five.code, five.err)
    halted = common.watch(program, '-e', 'when temp > 80 { print temp; halt }', '--allow-halt', '--probe', f'file:{path}')
    expect(len(halted.hits) == 1 and 'was halted at' in halted.err, halted.code, halted.err)
    return 1


ENDS = """volatile int out;
__attribute__((noinline)) int step(int v) { return v * 3 + 1; }
int main(void) { int v = 1; for (int i = 0; i < 100; i++) { v = step(v); out = v; } END return out; }
"""
STEPS = ['-e', 'leave(step) && result(step) > 100 && result(step) < 200 { print result(step) }']


def ending(name, code, crashes=0):
    """A program that makes a hundred steps and then what `code` says, and a recording of 20 ms of it."""
    source, program, path = (os.path.join(WORK, f'{name}.{kind}') for kind in ('c', 'elf', 'inputs'))
    with open(source, 'w', encoding='utf-8') as file:
        file.write(ENDS.replace('END', code))
    must([common.TARGET_CC, '-O2', source, '-o', program])
    done, _, err = common.run([common.EARSHOT, 'record', '--inputs', path, program, '--for', '20ms'])
    expect(done == crashes and (not crashes or re.search(r'the target stopped at 0x[0-9a-f]+ \(\S+:3\): .* is in ', err)), done, err)
    return program, path


def sleeps():
    """A target that sleeps for ever is watched until its time is over."""
    program, path = ending('sleeps', 'for (;;) __asm__ volatile("wfi");')
    for probe in ['--replay'], ['--probe', f'file:{path}']:
        watched = common.watch(program, *STEPS, '--for', '15ms', *probe)
        expect(watched.code == 0 and len(watched.hits) == 1 and watched.summary['cycles'] == 150000, probe, watched.code, watched.summary, watched.err)
    return 2


def crashes():
    """No check may pass on a program that crashed, whether it is seen crashing or was recorded."""
    for name, code in ('illegal', '__asm__ volatile(".word 0");'), ('nowhere', '*(volatile int *)0x90000000 = v;'):
        program, path = ending(name, code, 1)
        for probe in ['--replay'], ['--probe', f'file:{path}']:
            watched = common.watch(program, *STEPS, *probe)
            expect(watched.code == 1 and len(watched.hits) == 1 and 'the target stopped at' in watched.err, name, probe, watched.code, watched.err)
    return 4


TOLD = re.compile(r'value = \( "((?:[^"\\]|\\.)*)" : container = [0-9]+ \), why = \( "((?:[^"\\]|\\.)*)" :')


def reasons():
    """Why values are not known: a trace keeps it, for earshot as for others that read CTF."""
    program, path = recorded('thermostat', 'O2')
    out = os.path.join(WORK, 'reasons')
    statements = ['-e', 'enter(control) { print control\\next, control\\hottest, mode, age(alarms), control\\next }', '-e', 'write(mode) { print mode }']
    live = common.watch(program, *statements, '--probe', f'file:{path}')
    must(['rm', '-rf', out])
    must([common.EARSHOT, 'watch', program, *statements, '--probe', f'file:{path}', '--out', out])
    command = [common.EARSHOT, 'read', '--json', out]
    expect(common.Watched(command, *common.run(command)).hits == live.hits, 'the trace tells other hits')
    known = [hit.get('unknown', {}) for hit in live.hits]
    expect(any(known) and not all(known), 'there is no reason, or there are too many')
    shown = [dict(pair for pair in (tuple(part.replace('\\\\', '\\') for part in found) for found in TOLD.findall(line)) if not pair[0].endswith(' (2)'))
             for line in must(['babeltrace2', out]).splitlines() if re.search(r' s[12]: \{', line)]
    expect(shown == known, [pair for pair in zip(shown, known) if pair[0] != pair[1]][:1])
    return len(live.hits)


def ended_by_time():
    """--for ends a replay where it ends the target: what comes after it in the same stretch is not told."""
    program, path = recorded('thermostat', 'O2')
    runs = [common.watch(program, '-e', 'write(temp) { print temp }', '--for', '15.9ms', *probe)
            for probe in (['--probe-only'], ['--replay'], ['--probe', f'file:{path}'])]
    for run in runs:
        expect(run.code == 0 and run.summary['cycles'] == 159000 and run.summary.get('exit_code') is None, run.code, run.summary)
        expect([hit['values'] for hit in run.hits] == [hit['values'] for hit in runs[0].hits], len(run.hits), len(runs[0].hits))
    return 3


def without_keyframes(path):
    """The same recording as one that has none: its blocks of the stream and its end."""
    with open(path, 'rb') as stream:
        recording = stream.read()
    kept, at = recording[:256], 256
    while at < len(recording):
        kind, size = recording[at:at + 4], int.from_bytes(recording[at + 8:at + 12], 'little') + 40
        if kind in (b'SBLK', b'ENDE'):
            kept += recording[at:at + size]
        if kind == b'ENDE':
            break
        at += size
    with open(f'{path}.plain', 'wb') as stream:
        stream.write(kept)
    return f'{path}.plain'


IN_MEMORY = ['-e', 'few: when rounds % 8 == 0 { print rounds, last, path }', '-e', 'all: when write(last) && old(last) > last { count down }',
             '-e', 'when table[7] unchanged for 20ms { print table[7] }', '-e', 'when write(table[9]) then write(table[11]) within 1ms { print table[9] }']
# main waits at no border of a part: what its variables are there follows from what came before
IN_REGISTERS = ['-e', 'when write(main\\at) && main\\at % 512 == 9 { print main\\at, main\\input, main\\i, reg(a1), old(main\\at) }',
                '-e', 'all: when write(main\\input) { count inputs; stats(main\\i) }', '-e', 'when write(rounds) { print stackdepth, stackpeak, reg(sp) }',
                '-e', 'when write(main\\input) then write(last) && elapsed > 1ms { print elapsed }']


def in_parts(*statements):
    """What several threads execute is told as by one, byte by byte; and as it is without keyframes."""
    program, path = os.path.join(common.BUILD, 'tests/replay/forever-O2.elf'), os.path.join(WORK, 'long.inputs')
    must([os.path.join(common.BUILD, 'tests/replay/long'), '3000000', path])
    plain = without_keyframes(path)
    runs = []
    for jobs in '1', '2', '3', '7':
        code, out, err = common.run([common.EARSHOT, 'read', path, program, '--json', '--jobs', jobs, *statements])
        expect(code == 0, jobs, code, err)
        runs.append(out)
    expect(all(run == runs[0] for run in runs), [len(run) for run in runs])
    parts, whole = (common.watch(program, *statements, '--probe', f'file:{which}') for which in (path, plain))
    expect(len(parts.hits) > 50 and parts.hits == whole.hits, len(parts.hits), len(whole.hits))
    expect(parts.summary == whole.summary and parts.summary['hits'] > 200, parts.summary, whole.summary)
    return len(runs) + 1


def interrupted_in_parts():
    """Activations, results and depths of stacks of a program with nested interrupts, whose recording has keyframes."""
    program, path = recorded('nested', 'Og')
    statements = ['-e', 'enter(search) { print search\\depth, search\\key, stackdepth }', '-e', 'when write(search\\depth)',
                  '-e', 'leave(search) { print result(search), path }', '-e', 'when write(level) { stats(stackdepth) by level; hist(stackpeak) }']
    runs = [common.watch(program, *statements, '--jobs', jobs, '--probe', f'file:{which}')
            for which, jobs in ((path, '1'), (path, '2'), (without_keyframes(path), '1'))]
    expect(len(runs[0].hits) > 1000 and runs[0].hits == runs[1].hits and runs[0].summary == runs[1].summary, [len(run.hits) for run in runs])
    expect(without_times(runs[0].hits) == without_times(runs[2].hits), [len(run.hits) for run in runs])
    return 2


def refused():
    program, path = recorded('thermostat', 'O2')
    values, missing = ['-e', 'leave(sense) && result(sense) > 92 { print result(sense) }'], ['--probe', 'uart:/dev/no-such-device']
    cases = [(2, '--record keeps what a probe sends', *values, '--record', f'{path}.bytes'),
             (2, 'would never be evaluated', '-e', 'result(sense) > 92'), (2, 'would never be evaluated', '-e', 'reg(a0) == 92'),
             (2, 'note: on the replay neither', *values, '--probe', f'file:{program}')]
    for side in [], ['--replay']:   # what is wrong with statements is not told when the probe is there at last
        cases += [(3, 'no such device', *values, *missing, *side),
                  (2, "no variable 'nothing'", '-e', 'enter(sense) { print nothing }', *missing, *side)]
    for code, text, *arguments in cases:
        got, _, err = common.run([common.EARSHOT, 'watch', program, *arguments])
        expect(got == code and text in err, arguments, got, err)
    return len(cases)


def main():
    os.makedirs(WORK, exist_ok=True)
    checks = [(' '.join(run), lambda run=run: same(*run)) for run in RUNS]
    # each call's time, also where the probe's time wraps
    checks += [('calls', lambda: alike('thermostat', 'O2', '-e', 'in: enter(sense)', '-e', 'out: leave(sense)'))]
    checks += [('another program', of_another_program), ('cut', cut), ('count and halt', counted_and_halted),
               ('sleeps', sleeps), ('crashes', crashes), ('--for', ended_by_time), ('reasons', reasons), ('refused', refused),
               ('in parts', lambda: in_parts(*IN_MEMORY)), ('registers in parts', lambda: in_parts(*IN_REGISTERS)), ('interrupted in parts', interrupted_in_parts)]
    return common.run_checks(checks)


if __name__ == '__main__':
    sys.exit(main())
