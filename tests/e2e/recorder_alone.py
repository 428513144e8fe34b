#!/usr/bin/python3
"""recorder_alone.py: a probe with the recorder in the monitor's place, on 8 bits of an asynchronous bus, as `make bitstream BOARD=icebreaker-recorder`.

Programs run on a target whose words go over that bus as single bytes. What the probe records is replayed, live and from the file.
"""
import os

import common
import compare
from common import Failure, must

import oracle  # of tests/oracle, whose folder common.py adds to the path
from program import Program

OVER_RECORDER = os.path.join(common.BUILD, 'tests/e2e/over-recorder')
SOURCE = 'tests/e2e/recorder_alone.c'
STATEMENT = 'when leave(next) { print result(next) }'
WORK = os.path.join(common.BUILD, 'tests/e2e/recorder-alone-work')
REST = 20         # clocks of the tap that the bus rests at most before each word
NO_MONITOR = 'this probe has no monitor'


def over(command, program, *arguments):
    os.environ['OVER_BOARD_SRAM'] = str(REST)
    os.environ['OVER_BOARD_COMMAND'] = command
    line = [OVER_RECORDER, program, *arguments]
    return line, *common.run(line)


def compile_small(name, level, *sources):
    program = os.path.join(WORK, f'{name}{level}.elf')
    must([*common.SMALL_CC, level, '-Wall', '-Wextra', *sources, '-o', program])
    return program


def printed():
    """What the program prints on the simulated target of another size, where no such probe listens."""
    program = os.path.join(WORK, 'elsewhere.elf')
    must([common.TARGET_CC, '-march=rv32i_zicsr', '-O2', SOURCE, '-o', program])
    watched = common.watch(program, '-e', 'when enter(main) { print }')
    return [int(text) for text in ' '.join(watched.console).split()]


def results(watched):
    """A result in a register at -O2 is what the program prints, every one of them."""
    told, seen = printed(), [list(hit['values'].values())[0] for hit in watched.hits]
    if watched.code != 0 or len(told) < 20 or seen != told:
        raise Failure(f'exit {watched.code}: the program prints {told}, the replay has {seen}\n  {" ".join(watched.command)}\n  {watched.err}')
    return seen


def live_and_recorded():
    program = compile_small('recorder_alone', '-O2', SOURCE)
    live = common.Watched(*over('watch', program, '--json', '--loaded', '-e', STATEMENT))
    seen = results(live)
    if NO_MONITOR in live.err:
        raise Failure(f'the replay was asked for by the statement, not for want of a monitor: {live.err}')
    inputs = f'{program}.inputs'
    line, code, out, err = over('record', program, '--inputs', inputs, '--loaded')
    if code != 0 or not os.path.exists(inputs):
        raise Failure(f'exit {code}: {" ".join(line)}\n{out}{err}')
    line = [common.EARSHOT, 'watch', program, '--json', '-e', STATEMENT, '--probe', f'file:{inputs}']
    return f'{len(seen)} results live, {len(results(common.Watched(line, *common.run(line))))} from the recording'


def memory():
    """A statement that a monitor could evaluate goes to the replay by itself; its hits, interrupts among them, are the oracle's."""
    statement = 'when at(main\\5) { print odd, ticks }'
    program = compile_small('sram', '-O0', 'tests/e2e/sram.c')
    watched = common.Watched(*over('watch', program, '--json', '--loaded', '-e', statement))
    known = Program(program)
    lines = compare.with_code(known, [statement])
    log = common.retire_log(program, f'{program}.log', '--sram', str(REST), *oracle.places(known, compare.among_themselves(lines)))
    expected, _ = oracle.hits(known, [compare.choose(known, lines, log)], log)
    wanted, seen = ([[hit[key] for key in ('values', 'path', 'line')] for hit in hits] for hits in (expected, watched.hits))
    if watched.code != 0 or NO_MONITOR not in watched.err or seen != wanted or len(wanted) < 5:
        raise Failure(f'exit {watched.code}: {seen}, the oracle: {wanted}: {watched.err}')
    return f'{len(seen)} hits on the replay'


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
    common.run_checks([('registers', live_and_recorded), ('memory', memory), ('--probe-only', refused)])


if __name__ == '__main__':
    main()
