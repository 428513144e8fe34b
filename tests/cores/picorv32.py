#!/usr/bin/python3
"""picorv32.py: PicoRV32 fetches ahead. On its bus what rests on fetches is refused, or with a follower exact, save for reads; by its retire port all is exact, which programs
that run on this machine tell (tests/e2e/truth.py)."""
import os
import subprocess
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), '../e2e')]

import common
from common import Failure

CORES = os.path.join(common.BUILD, 'cores')
PROGRAM = os.path.join(CORES, 'examples/rv32im_zicsr/thermostat-O0.elf')
# foreign to all of it: what the reference target's probe says of the same program, but for times
STATEMENTS = ['enter(control) { print temp }', 'leave(clamp) { print temp }',
              'at(control.c:50) { print temp }', 'read(mode) { print mode }', 'write(history[0..7]) { print temp }',
              'control:*:clamp\\lo < 50 { print control:*:clamp\\lo }']


def watch(binary, statement):
    before, common.EARSHOT = common.EARSHOT, binary
    try:
        return common.watch(PROGRAM, '-e', statement)
    finally:
        common.EARSHOT = before


def places(run):
    return [{key: hit[key] for key in common.COMPARED if key in hit and key != 'cycle'} for hit in run.hits]


def same(statement, core='picorv32-retired'):
    known = watch(common.EARSHOT, statement)
    seen = watch(os.path.join(CORES, core, 'earshot'), statement)
    if known.code or seen.code or not known.hits or seen.summary['lost']:
        raise Failure(f'exit {known.code} and {seen.code}, {len(known.hits)} hits\n{known.err}{seen.err}')
    if places(known) != places(seen):
        raise Failure(f'{len(seen.hits)} hits, not {len(known.hits)}; '
                      f'{[pair for pair in zip(places(known), places(seen)) if pair[0] != pair[1]][:1]}')
    return f'{len(seen.hits)} hits'


def refused(statement, core='picorv32-ahead'):
    run = watch(os.path.join(CORES, core, 'earshot'), statement)
    if run.code != 2 or run.hits:
        raise Failure(f'exit {run.code}, {len(run.hits)} hits: {run.err}')


def truth(machine):
    environment = {**os.environ, 'EARSHOT_BUILD': os.path.join(CORES, 'picorv32-retired'), 'EARSHOT_TARGET_FLAGS': f'-march={machine}'}
    done = subprocess.run([sys.executable, 'tests/e2e/truth.py', '12'], cwd=common.ROOT, env=environment, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise Failure(done.stdout + done.stderr)
    return done.stdout.splitlines()[-2]


def main():
    checks = [(statement, lambda s=statement: same(s)) for statement in STATEMENTS]
    checks += [(f'ahead: {statement}', lambda s=statement: refused(s)) for statement in STATEMENTS if not statement.startswith('write')]
    checks += [(f'followed: {statement}', lambda s=statement: (refused if s.startswith('read') else same)(s, 'picorv32-followed')) for statement in STATEMENTS]
    checks += [(f'truth, {machine}', lambda m=machine: truth(m)) for machine in ('rv32i_zicsr', 'rv32im_zicsr')]
    common.run_checks(checks)


if __name__ == '__main__':
    main()
