#!/usr/bin/python3
"""After bus transactions were lost: hits that are not marked uncertain are right, by the oracle, who has seen all instructions; and the marks
end once what hits depend on is known again."""
import functools
import os

import common
from common import Failure

import oracle  # of tests/oracle, whose folder common.py adds to the path
from program import Program

ELF = os.path.join(common.BUILD, 'tests/e2e/doubts.elf')
WATCH = 'tests/e2e/doubts.watch'
# what remembers, and values in two words: after a loss these are uncertain for good
FOR_GOOD = {'wide', 'order', 'counted'}


def truth():
    """The oracle's hits, by all that tells them."""
    with open(WATCH, encoding='utf-8') as stream:
        text = stream.read()
    known = Program(ELF)
    path = os.path.join(common.BUILD, 'tests/e2e/work/doubts.log')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    found, _ = oracle.hits(known, [text], common.retire_log(ELF, path, *oracle.places(known, [text])))
    return found


def key(hit, with_path):
    place = common.same_place(hit)
    return repr({name: value for name, value in sorted(place.items()) if with_path or name != 'path'})


def sure(hit):
    return not hit.get('uncertain')


def run(ratio):
    watched = common.watch(ELF, '-s', WATCH, '--ratio', str(ratio))
    gaps = [gap for gap in watched.gaps if gap['what'] == 'bus']
    if not gaps:
        raise Failure(f'ratio {ratio}: nothing was lost, so nothing is tested')
    return watched.hits, gaps


def unmarked_are_right(true, ratio):
    """Every hit without a mark, its path where it has one."""
    hits, gaps = run(ratio)
    exact, without_path = ({key(hit, with_path) for hit in true} for with_path in (True, False))
    for hit in filter(sure, hits):
        if key(hit, hit['path'] is not None) not in (exact if hit['path'] is not None else without_path):
            raise Failure(f'ratio {ratio}, losses at {[gap["cycle"] for gap in gaps]}: this never was\n  {hit}')
    return sum(map(sure, hits)), len(gaps)


def marks_end(true):
    """One short loss: a while after it, what depends on values and the path is certain, and nothing is missing."""
    hits, gaps = run(3)
    if len(gaps) != 1:
        raise Failure(f'{len(gaps)} losses instead of one')
    end = gaps[0]['last_cycle']
    later = [hit for hit in hits if hit['cycle'] > end + 50000]
    wanted = [hit for hit in true if hit['cycle'] > end + 50000 and hit['statement'] not in FOR_GOOD]
    if len(wanted) < 500:
        raise Failure(f'only {len(wanted)} hits after the loss')
    wrong = common.difference(wanted, [hit for hit in later if sure(hit)])
    if wrong:
        raise Failure(wrong)
    marked = [hit for hit in hits if hit['cycle'] > end and not sure(hit) and hit['statement'] not in FOR_GOOD]
    if 20 * len(marked) > len(wanted):
        raise Failure(f'{len(marked)} marked beside {len(wanted)} after one short loss')
    return len(marked), len(wanted)


def one_short_loss(true):
    return '%d hits marked, then %d without' % marks_end(true)


def unmarked(true, ratio):
    count, gaps = unmarked_are_right(true, ratio)
    return f'{gaps} losses, {count} hits without a mark, all of them right'


def main():
    true = truth()
    checks = [(f'ratio {ratio}', functools.partial(unmarked, true, ratio)) for ratio in (1, 2, 3)]
    common.run_checks(checks + [('one short loss', functools.partial(one_short_loss, true))])


if __name__ == '__main__':
    main()
