#!/usr/bin/python3
"""recorder_alone.py: a probe with the recorder in the monitor's place, on 8 bits of an asynchronous bus, as `make bitstream BOARD=icebreaker-recorder`.

Programs run on a target whose words go over that bus as single bytes. What the probe records is replayed, live and from the file, and each hit is what the
oracle makes of the retired instructions, but for times, which the replay knows to a heartbeat; variables in registers are what the program prints.
"""
import os

import common
import compare
from common import Failure, must

import oracle  # of tests/oracle, whose folder common.py adds to the path
from program import Program

OVER_RECORDER = os.path.join(common.BUILD, 'tests/e2e/over-recorder')
EARSHOT = os.path.join(common.BUILD, 'earshot')
WORK = os.path.join(common.BUILD, 'tests/e2e/recorder-alone-work')
REST = 400        # clocks of the tap that the bus rests at most before each word, so that the link keeps up
HEARTBEAT = 2 ** 13
NO_MONITOR = 'this probe has no monitor'


def over(command, program, *arguments):
    os.environ['OVER_BOARD_SRAM'] = str(REST)
    os.environ['OVER_BOARD_COMMAND'] = command
    line = [OVER_RECORDER, program, *arguments]
    return line, *common.run(line)


def told(hit):
    """All of a hit that the oracle knows, but its time."""
    return {key: hit.get(key) for key in common.COMPARED if key != 'cycle'}


def compile_small(name, level, *sources):
    program = os.path.join(WORK, f'{name}{level}.elf')
    must([*common.SMALL_CC, level, '-Wall', '-Wextra', *sources, '-o', program])
    return program


def same_hits(expected, watched, what):
    wrong = f'exit {watched.code}' if watched.code != 0 else common.difference([told(hit) for hit in expected], [told(hit) for hit in watched.hits])
    if wrong or not expected:
        raise Failure(f'{what}: {wrong or "no hits"}\n  {" ".join(watched.command)}\n  {watched.err.strip()[:1000]}')


def all_widths(level):
    """sram.c: all widths, and an interrupt, whose place the recorder tells. Live, and from a recording of the same run."""
    program = compile_small('sram', level, 'tests/e2e/sram.c')
    known = Program(program)
    with open('tests/e2e/sram.watch', encoding='utf-8') as stream:
        lines = compare.with_code(known, stream.read().splitlines())
    log = common.retire_log(program, f'{program}.log', '--sram', str(REST), *oracle.places(known, compare.among_themselves(lines)))
    chosen = compare.choose(known, lines, log)
    statements = f'{program}.watch'
    with open(statements, 'w', encoding='utf-8') as stream:
        stream.write(chosen)
    expected, _ = oracle.hits(known, [chosen], log)
    live = common.Watched(*over('watch', program, '--json', '--loaded', '-s', statements))
    same_hits(expected, live, 'live')
    if NO_MONITOR not in live.err:
        raise Failure(f'nothing says that it is the replay: {live.err}')
    inputs = f'{program}.inputs'
    line, code, out, err = over('record', program, '--inputs', inputs, '--loaded')
    if code != 0:
        raise Failure(f'exit {code}: {" ".join(line)}\n{out}{err}')
    line = [EARSHOT, 'watch', program, '--json', '-s', statements, '--probe', f'file:{inputs}']
    same_hits(expected, common.Watched(line, *common.run(line)), 'recorded')
    return f'{len(expected)} hits the same, twice'


def registers():
    """At -O2 a local and a result are in registers alone: they are what the program itself prints."""
    program = compile_small('recorder_alone', '-O2', 'tests/e2e/recorder_alone.c')
    watched = common.Watched(*over('watch', program, '--json', '--loaded', '-e', 'when leave(next) { print result(next) }'))
    printed = [int(text) for text in ''.join(watched.console).split()]
    seen = [list(hit['values'].values())[0] for hit in watched.hits]
    if watched.code != 0 or not printed or seen != printed:
        raise Failure(f'exit {watched.code}: the program prints {printed}, the replay has {seen}: {watched.err}')
    return f'{len(seen)} results as printed'


def refused():
    """--probe-only asks for the monitor that is not there."""
    program = compile_small('sram', '-O0', 'tests/e2e/sram.c')
    _, code, _, err = over('watch', program, '--probe-only', '--loaded', '-e', 'when ticks > 3 { print ticks }')
    if code != 2 or NO_MONITOR not in err or '--probe-only' not in err:
        raise Failure(f'--probe-only: exit {code}: {err}')
    return 'a sentence'


def main():
    os.chdir(common.ROOT)
    os.makedirs(WORK, exist_ok=True)
    common.run_checks([('sram.c -O0', lambda: all_widths('-O0')), ('registers', registers), ('--probe-only', refused)])


if __name__ == '__main__':
    main()
