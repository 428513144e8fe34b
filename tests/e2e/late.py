#!/usr/bin/python3
"""late.py: a target that runs when the probe comes, over the board's serial line. The program sets mode to 7 first of all, so `mode == 1`, as its file has it,
is never true; what is not seen to be written is not known, and paths are not before the program starts anew."""
import os

import common
from common import Failure, must

WORK = os.path.join(common.BUILD, 'tests/e2e/work')
OVER_BOARD = os.path.join(common.BUILD, 'tests/e2e/over-board')
AHEAD = 20000     # clocks that the program has run when the probe comes
ROUND = 3635000   # clocks, about, from one start of the program to the next over this board
ATTEMPTS = 8
STATEMENTS = ['never: when mode == 1', 'ticks: when write(ticks) && (ticks & 1023) == 1 { print ticks, fixed }',
              r'local: when tick\\loc == 2000 { print tick\\loc, mode }', 'begin: when write(run) { print run, mode }',
              'file: when write(mode) { print constant[1] }']


AFTER = {'ticks', 'local', 'begin'}   # what hits once it has started anew


def watch(program, *options, ahead=AHEAD):
    os.environ['OVER_BOARD_AHEAD'] = str(ahead)
    command = [OVER_BOARD, program, '--json', *options, *[argument for text in STATEMENTS for argument in ('-e', text.replace('\\\\', '\\'))]]
    watched = common.Watched(command, *common.run(command))
    del os.environ['OVER_BOARD_AHEAD']
    if watched.code or not watched.summary:
        raise Failure(f'exit {watched.code}: {watched.err}')
    for hit in watched.hits:
        is_told = hit['statement'] == 'never' or (hit['statement'] == 'file' and any(value is not None for value in hit['values'].values()))
        if is_told or hit['values'].get('mode', 7) not in (7, None) or hit['values'].get('fixed', 11) not in (11, None):
            raise Failure(f'what the file has is told as what memory holds: {hit}')
    watched.hits = [hit for hit in watched.hits if hit['statement'] != 'file']   # with no value: that is not known
    return watched


def split(watched):
    """Hits before and after the program was seen to start anew."""
    first = next((n for n, hit in enumerate(watched.hits) if hit['path'] == ['main']), len(watched.hits))
    return watched.hits[:first], watched.hits[first:]


def check_waits(program):
    watched = watch(program, '-n', '6')
    before, after = split(watched)
    if before or not after or any(hit['path'][0] != 'main' for hit in after):
        raise Failure(f'before the reset {before}, after it {after}')
    if "waiting for the target's reset" not in watched.err or 'the target was reset' not in watched.err:
        raise Failure(f'says nothing of it: {watched.err}')


def attach(program):
    """Where in its run the program is attached to is nobody's promise: right before it starts anew there may be no hit, and after it
    what is hit once in a round may be among what the board loses. The same wait may end at the same
    place each time, so each attempt comes at another part of a round."""
    for attempt in range(ATTEMPTS):
        watched = watch(program, '--attach', '-n', '24', ahead=AHEAD + attempt * ROUND // ATTEMPTS)
        if 'waiting' in watched.err:
            raise Failure(f'waits: {watched.err}')
        before, after = split(watched)
        if before and {hit['statement'] for hit in after} == AFTER:
            break
    return before, after


def check_attached(program):
    before, after = attach(program)
    if not before or any(hit['path'] is not None or hit['statement'] != 'ticks' for hit in before):
        raise Failure(f'before it starts anew: {before}')
    if {hit['statement'] for hit in after} != AFTER \
            or any((hit['path'] or ['main'])[0] != 'main' for hit in after):  # unknown after each of the board's many losses
        raise Failure(f'after it has started anew: {after}')


def main():
    os.makedirs(WORK, exist_ok=True)
    program = os.path.join(WORK, 'late.elf')
    must([*common.SMALL_CC, '-O0', 'tests/e2e/late.c', '-o', program])
    common.run_checks([(check.__name__, lambda check=check: check(program)) for check in (check_waits, check_attached)])


if __name__ == '__main__':
    os.chdir(common.ROOT)
    main()
