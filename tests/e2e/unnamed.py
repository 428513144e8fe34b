"""Programs that switch stacks, watched without saying which variable names the one that runs. The oracle, who sees the stack pointer, says
what is true: each hit that earshot reports must be one of the oracle's, with the same values, and its path the same or unknown. What is missing
must be counted, and the summary must say that stacks were switched."""
import json

import common
from common import Failure


def match(expected, watched):
    """None, or what is wrong with the hits."""
    truth = {}
    for hit in expected:
        truth.setdefault((hit['cycle'], hit['statement']), []).append(common.same_place(hit))
    for hit in watched.hits:
        got = common.same_place(hit)
        wanted = truth.get((hit['cycle'], hit['statement']), [])
        for want in wanted:
            if all(got[key] == want[key] for key in ('values', 'file', 'line')) and got['path'] in (None, want['path']):
                break
        else:
            return f'a hit that is none\n  oracle:  {json.dumps(wanted)}\n  earshot: {json.dumps(got)}'
    summary = watched.summary
    if len(watched.hits) < len(expected) and not (summary['unknown'] and summary.get('stack_switches')):
        return f'{len(expected) - len(watched.hits)} hits are missing, and nothing says so: {json.dumps(summary)}'
    return None


def compare(program, expected, statements):
    """Watches the program. Raises Failure; returns the number of hits."""
    watched = common.watch(program, '-s', statements)
    wrong = f'refused: {watched.err}' if watched.code == 2 else match(expected, watched)
    if wrong:
        raise Failure(f'{wrong}\n  {" ".join(watched.command)}\n  earshot: exit {watched.code} {watched.err.strip()[:1000]}')
    return len(watched.hits)
